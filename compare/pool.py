"""Independent tasks over several processes, results in the order of the tasks."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from twostep.models.errors import TwostepError

Task = TypeVar("Task")
Result = TypeVar("Result")


def results_in_order(
    function: Callable[[Task], Result], tasks: Sequence[Task], workers: int = 1
) -> Iterator[Result]:
    """The function's results for the tasks, each as soon as it and all before it are there.

    Args:
        function: a function of a module (it is sent to the processes by name).
        tasks: what it is called with; must survive pickling if there are several workers.
        workers: processes; 1: this one.

    Ctrl-C, or closing the iterator, ends the processes. With one worker it reaches `function`.

    Raises:
        TwostepError: a process was killed from outside, for example for lack of memory.
    """
    workers = min(workers, len(tasks))
    if workers <= 1:
        yield from map(function, tasks)
        return
    # Not forked: a copy of a process with threads (CP-SAT, Numba) may wait forever.
    context = multiprocessing.get_context("spawn")
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_leave_interrupts_to_parent)
    done = False
    try:
        yield from pool.map(function, tasks)
        done = True
    except BrokenProcessPool:
        raise TwostepError(
            "a worker process was killed, perhaps for lack of memory; try fewer --workers"
        ) from None
    finally:
        pool.shutdown(wait=done, cancel_futures=True)
        if not done:
            for process in set(multiprocessing.active_children()) - before:
                process.terminate()


def _leave_interrupts_to_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
