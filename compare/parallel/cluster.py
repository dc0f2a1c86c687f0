"""Parts as tasks of a Dask cluster: the optional package ``dask[distributed]``.

Dask itself gives the task of a lost worker to another one. The model travels as the result of a
task, so that it is made again if it was only on the lost worker.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import logging
import multiprocessing
import multiprocessing.process
import queue
import signal
import socket
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from twostep.compare.parallel.part import PartResult, Stopped
from twostep.compare.parallel.plan import Part
from twostep.compare.parallel.workers import DEATHS, MARGIN, Answer, Job, Terms, end_with_parent
from twostep.compare.versions import release
from twostep.models.errors import EngineFault, InputError, MissingPackage, TwostepError
from twostep.models.search.clock import CLOCK
from twostep.models.search.engine import Counters

LOCAL = "local"
_IN_FLIGHT = 4
"""Tasks given to the cluster at a time, for each of its workers."""
_PATIENCE = 0.1
"""How long to wait for a result before the caller may look at the clock, s."""
_LOOK = 0.2
"""How often a worker looks whether its part is still wanted, s."""
_PARTING = 0.2
"""How long to try to tell the cluster that nothing is wanted any more, and to leave it, s."""

_CANCELLED = (concurrent.futures.CancelledError, asyncio.CancelledError)
"""What comes, besides an OSError, of talking to a scheduler that is there no more."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Searches on a Dask cluster.

    Attributes:
        address: the scheduler's, such as ``tcp://HOST:8786``; "local" starts a cluster on this
            machine, for as long as the run lasts.
        workers: how many workers "local" gets.
    """

    address: str
    workers: int = 2

    def run(self, job: Job, parts: Sequence[Part]) -> Iterator[Answer]:
        """See :class:`twostep.compare.parallel.workers.Runner`."""
        try:
            import distributed
        except ModuleNotFoundError as error:
            raise MissingPackage("--cluster needs Dask: pip install 'twostep[cluster]'") from error
        log = logging.getLogger("distributed.client")
        level = log.level
        log.setLevel(logging.CRITICAL)  # a lost scheduler is an error of ours, not also a traceback
        try:
            yield from self._run(distributed, job, parts)
        except (OSError, *_CANCELLED) as error:
            raise InputError(f"the cluster {self.address} is lost") from error
        finally:
            log.setLevel(level)

    def _run(self, distributed: Any, job: Job, parts: Sequence[Part]) -> Iterator[Answer]:
        with _connected(self, distributed) as (client, crew):
            stop = distributed.Event(client=client)
            shared = client.submit(_same, job.to_send, pure=False)
            todo = list(reversed(parts))
            running: set[Any] = set()
            done: queue.SimpleQueue[Any] = queue.SimpleQueue()
            try:
                while todo or running:
                    while todo and len(running) < _IN_FLIGHT * max(1, len(client.ncores())):
                        future = client.submit(
                            _search, shared, todo.pop(), job.terms(MARGIN), stop, pure=False
                        )
                        running.add(future)
                        future.add_done_callback(done.put)
                    try:
                        future = done.get(timeout=_PATIENCE)
                    except queue.Empty:
                        if crew is not None:
                            crew.replace_the_dead()
                        yield None
                        continue
                    running.discard(future)
                    yield self._answer(future)
            finally:
                # What waits is dropped when the client closes; what runs looks at this.
                with contextlib.suppress(OSError, *_CANCELLED):
                    client.sync(
                        client.scheduler.event_set, name=stop.name, callback_timeout=_PARTING
                    )

    def _answer(self, future: Any) -> PartResult | Stopped:
        try:
            answer: PartResult | Stopped = future.result()
        except (OSError, TwostepError, *_CANCELLED):
            raise
        except Exception as error:
            if type(error).__name__ == "KilledWorker":
                raise EngineFault(f"a part killed its worker again and again: {error}") from None
            what = str(error).partition("\n")[0].partition(". ")[0]
            raise InputError(
                f"the cluster {self.address} cannot search ({what});"
                f" Twostep {release()} must be installed on all of it"
            ) from error
        return answer


class _Crew:
    """Workers on this machine, each a child process: they start, and can be killed, at once.

    Dask's own would be waited for when they start, and when they close.
    """

    def __init__(self, address: str, workers: int) -> None:
        self._address = address
        self._deaths = 0
        self._processes = [self._start() for _ in range(workers)]

    def replace_the_dead(self) -> None:
        """Start a worker for each that has died.

        Raises:
            EngineFault: they die again and again.
        """
        for place, process in enumerate(self._processes):
            if not process.is_alive():
                self._deaths += 1
                if self._deaths > DEATHS * len(self._processes):
                    raise EngineFault("the workers of the local cluster die again and again")
                self._processes[place] = self._start()

    def kill(self) -> None:
        """End all workers, whatever they do."""
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.join()

    def _start(self) -> multiprocessing.process.BaseProcess:
        process = multiprocessing.get_context("spawn").Process(
            target=_work, args=(self._address,), daemon=True
        )
        process.start()
        return process


def _work(address: str) -> None:
    """A worker's life."""
    import distributed

    async def live() -> None:
        async with distributed.Worker(address, nthreads=1, dashboard=False) as worker:
            await worker.finished()

    end_with_parent()
    CLOCK.runs_on = True
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who gives out parts
    logging.disable(logging.CRITICAL)
    asyncio.run(live())


@contextlib.contextmanager
def _connected(cluster: Cluster, distributed: Any) -> Iterator[tuple[Any, _Crew | None]]:
    """A client of the cluster; and the workers, if it is the local one, which is started."""
    if cluster.address == LOCAL:
        with (
            distributed.LocalCluster(
                n_workers=0, dashboard_address=None, silence_logs=logging.CRITICAL
            ) as local,
            distributed.Client(local, set_as_default=False) as client,
        ):
            crew = _Crew(local.scheduler_address, cluster.workers)
            try:
                yield client, crew
            finally:
                crew.kill()
        return
    try:
        # A client that finds nobody complains again when it is deleted: knock first.
        host, port = distributed.comm.get_address_host_port(cluster.address)
        with socket.create_connection((host, port), timeout=10):
            pass
        client = distributed.Client(cluster.address, timeout=10, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise InputError(f"no cluster answers at {cluster.address!r}: {error}") from None
    try:
        yield client, None
    finally:
        with contextlib.suppress(OSError, *_CANCELLED):
            client.close(timeout=_PARTING)


def _same(job: Job) -> Job:
    return job


def _search(job: Job, part: Part, terms: Terms, stop: Any) -> PartResult | Stopped:
    looked = time.monotonic()

    def watch(_counters: Counters) -> bool:
        nonlocal looked
        if time.monotonic() - looked < _LOOK:
            return False
        looked = time.monotonic()
        return bool(stop.is_set())

    return replace(job, watch=watch).search(part, terms)
