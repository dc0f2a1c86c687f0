"""Parts as tasks of a Dask cluster: the optional package ``dask[distributed]``.

Dask itself gives the task of a lost worker to another one. The model travels as the result of a
task, so that it is made again if it was only on the lost worker.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from twostep.compare.spread.part import PartResult
from twostep.compare.spread.plan import Part
from twostep.compare.spread.workers import Job
from twostep.models.errors import EngineFault, InputError, MissingPackage
from twostep.models.search import StopReason

LOCAL = "local"
_IN_FLIGHT = 4
"""Tasks given to the cluster at a time, for each of its workers."""


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

    def run(self, job: Job, parts: Sequence[Part]) -> Iterator[PartResult | StopReason | None]:
        """See :class:`twostep.compare.spread.workers.Runner`."""
        try:
            import distributed
        except ModuleNotFoundError as error:
            raise MissingPackage("--cluster needs Dask: pip install 'twostep[cluster]'") from error
        with _connected(self, distributed) as client:
            shared = client.submit(_same, replace(job, watch=None), pure=False)
            todo = list(reversed(parts))
            running: Any = distributed.as_completed(loop=client.loop)
            in_flight = 0
            while todo or in_flight:
                while todo and in_flight < _IN_FLIGHT * max(1, len(client.ncores())):
                    part = todo.pop()
                    running.add(client.submit(_search, shared, part, job.seconds_left, pure=False))
                    in_flight += 1
                future = next(running)
                in_flight -= 1
                try:
                    answer = future.result()
                except OSError as error:  # KilledWorker is none, a lost scheduler is
                    raise InputError(f"the cluster {self.address} is lost: {error}") from None
                except Exception as error:
                    if type(error).__name__ != "KilledWorker":
                        raise
                    raise EngineFault(
                        f"a part killed its worker again and again: {error}"
                    ) from None
                yield answer


@contextmanager
def _connected(cluster: Cluster, distributed: Any) -> Iterator[Any]:
    """A client of the cluster, which is started if it is the local one."""
    if cluster.address == LOCAL:
        with (
            distributed.LocalCluster(
                n_workers=cluster.workers, threads_per_worker=1, dashboard_address=None,
                silence_logs=logging.CRITICAL,
            ) as local,
            distributed.Client(local, set_as_default=False) as client,
        ):  # fmt: skip
            yield client
        return
    try:
        # A client that finds nobody complains again when it is deleted: knock first.
        host, port = distributed.comm.get_address_host_port(cluster.address)
        with socket.create_connection((host, port), timeout=10):
            pass
        client = distributed.Client(cluster.address, timeout=10, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise InputError(f"no cluster answers at {cluster.address!r}: {error}") from None
    with client:
        yield client


def _same(job: Job) -> Job:
    return job


def _search(job: Job, part: Part, seconds: float | None) -> PartResult | StopReason:
    return job.search(part, seconds)
