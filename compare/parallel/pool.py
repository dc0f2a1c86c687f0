"""Independent tasks over several processes, results in the order of the tasks."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from twostep.models.errors import TwostepError

Task = TypeVar("Task")
Result = TypeVar("Result")

AHEAD = 16
"""Tasks per process that are handed out before their results are due."""


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
    # None is ever cancelled: the executor stumbles over that when its processes are ended.
    ahead: deque[Future[Result]] = deque()
    done = False
    try:
        for task in tasks:
            with _interrupts_ignored():  # a process may start here, and inherits that
                ahead.append(pool.submit(function, task))
            if len(ahead) == AHEAD * workers:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()
        done = True
    except BrokenProcessPool:
        raise TwostepError(
            "a worker process was killed, perhaps for lack of memory; try fewer --workers"
        ) from None
    finally:
        if not done:
            for process in set(multiprocessing.active_children()) - before:
                process.terminate()
        pool.shutdown(wait=True)


@contextlib.contextmanager
def _interrupts_ignored() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield  # no other thread may change it
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _leave_interrupts_to_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
