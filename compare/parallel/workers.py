"""Who searches the parts: this process, or worker processes on this machine.

A runner gives the parts' results as they come, in any order. That a worker dies costs the part
that it was searching, which another one searches again.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from typing import NamedTuple, Protocol, TypeAlias

from twostep.compare.parallel.few import Cheapest, Few
from twostep.compare.parallel.part import Found, PartResult, Stopped, search_part
from twostep.compare.parallel.plan import Part
from twostep.compare.registry import engine
from twostep.models.errors import EngineFault, InputError, TwostepError
from twostep.models.language.builder import ModelBuilder
from twostep.models.language.model import Model, Solution
from twostep.models.search import questions
from twostep.models.search.clock import CLOCK
from twostep.models.search.engine import Limits, Receiver, Watch

DEATHS = 3
"""After how many deaths of its worker a part is given up."""
MARGIN = 0.2
"""Seconds a worker stops before the deadline, so that its partial result arrives in time."""
_PATIENCE = 0.05


@dataclass(frozen=True, slots=True)
class Job:
    """What all parts of a run have in common.

    Attributes:
        engine: the engine's name.
        model: the whole model.
        plan: the plan's fingerprint.
        deadline: when to stop, on the CLOCK of this process; None: never.
        memory: bytes that an engine may take for what it remembers, in each process.
        digest: whether solutions are listed, to give the digest of their set.
        solutions: whether they are given back.
        few: the solutions that are looked for, if only a few are.
        receive: gets them, and `watch` is called now and then, if they can be: by a runner that
            searches in this process.
    """

    engine: str
    model: Model
    plan: str
    deadline: float | None = None
    memory: int | None = None
    digest: bool = False
    solutions: bool = False
    few: Few | None = None
    receive: Receiver | None = None
    watch: Watch | None = None

    @property
    def to_send(self) -> Job:
        """The job without what another process can't have."""
        return replace(self, receive=None, watch=None)

    def terms(self, margin: float = 0.0) -> Terms:
        """For a part of which the search begins now, to end so long before the deadline, s.

        At least half of the time that is left is for the search.
        """
        left = None if self.deadline is None else max(0.0, self.deadline - CLOCK())
        seconds = None if left is None else left - min(margin, left / 2)
        return Terms(seconds, None if self.few is None else self.few.below)

    def search(self, part: Part, terms: Terms) -> PartResult | Stopped:
        """Search a part in this process."""
        cheapest = self.few.number if isinstance(self.few, Cheapest) else None
        most = self.few.number if self.few is not None and cheapest is None else None
        return search_part(
            engine(self.engine), self.model, self.plan, part,
            Limits(solutions=most, seconds=terms.seconds, memory=self.memory),
            digest=self.digest, solutions=self.solutions and self.receive is None,
            cheapest=cheapest, below=terms.below, receive=self.receive, watch=self.watch,
        )  # fmt: skip


class Terms(NamedTuple):
    """What the search of a part may take, and what is known when it begins.

    `seconds`: wall clock; `below`: what a solution must cost less than. None: whatever it is.
    """

    seconds: float | None
    below: int | None


Answer: TypeAlias = PartResult | Stopped | Found | None
"""None: nothing new, but whoever gets it may want to look at the clock."""


class Runner(Protocol):
    """Searches parts."""

    def run(self, job: Job, parts: Sequence[Part]) -> Iterator[Answer]:
        """The results as they come, each part's exactly once; or why it has none.

        Where only a few solutions are looked for, some may come before the result of their part,
        and again if the part is searched again.
        """


class InProcess:
    """Searches one part after the other."""

    def run(self, job: Job, parts: Sequence[Part]) -> Iterator[Answer]:
        """See :class:`Runner`."""
        for part in parts:
            yield job.search(part, job.terms())


@dataclass(slots=True)
class _Worker:
    process: multiprocessing.process.BaseProcess
    pipe: Connection
    part: Part | None = None


@dataclass(slots=True)
class Processes:
    """Searches with worker processes, one part each at a time.

    Attributes:
        workers: how many.
        started: the process ids of all workers so far, for whoever wants to watch them.
    """

    workers: int
    started: list[int] = field(default_factory=list)

    def run(self, job: Job, parts: Sequence[Part]) -> Iterator[Answer]:
        """See :class:`Runner`."""
        todo = deque(parts)
        deaths: dict[int, int] = {}
        crew: list[_Worker] = []
        sent = job.to_send
        try:
            with CLOCK.standing():  # what loads this process doesn't count either
                while len(crew) < min(self.workers, len(todo)):
                    crew.append(self._start(sent))
                for worker in crew:
                    wait([worker.pipe])
            while todo or any(worker.part is not None for worker in crew):
                busy = sum(worker.part is not None for worker in crew)
                while len(crew) < min(self.workers, busy + len(todo)):
                    crew.append(self._start(sent))
                for worker in crew:
                    if worker.part is None and todo:
                        worker.part = todo.popleft()
                        _send(worker, (worker.part, job.terms(MARGIN)))
                if not wait([worker.pipe for worker in crew], _PATIENCE):
                    yield None
                    continue
                for worker in list(crew):
                    try:
                        if not worker.pipe.poll():
                            continue
                        answer = worker.pipe.recv()
                    except (EOFError, OSError):  # the worker is dead
                        crew.remove(worker)
                        worker.process.join()
                        if worker.part is not None:
                            _count_death(deaths, worker.part)
                            todo.appendleft(worker.part)
                        continue
                    if answer is None:  # it is loaded
                        continue
                    if isinstance(answer, TwostepError):
                        raise answer
                    if not isinstance(answer, Found):
                        worker.part = None
                    yield answer
        finally:
            for worker in crew:
                worker.pipe.close()
                worker.process.kill()
            for worker in crew:
                worker.process.join()

    def _start(self, job: Job) -> _Worker:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_work, args=(theirs, job), daemon=True)
        try:
            process.start()
        except (AttributeError, TypeError, ValueError) as error:  # what cannot be pickled
            raise InputError(f"{job.model.name}: cannot be sent to a worker: {error}") from None
        theirs.close()
        assert process.pid is not None
        self.started.append(process.pid)
        return _Worker(process, ours)


def _send(worker: _Worker, message: tuple[Part, Terms]) -> None:
    with contextlib.suppress(OSError):  # dead already: seen when its pipe is read
        worker.pipe.send(message)


def _count_death(deaths: dict[int, int], part: Part) -> None:
    deaths[part.number] = deaths.get(part.number, 0) + 1
    if deaths[part.number] >= DEATHS:
        raise EngineFault(f"part {part.number}: its worker died {DEATHS} times")


def end_with_parent() -> None:
    """Let this worker process end when the one that started it does, even by kill -9."""

    def wait_for_the_end() -> None:
        parent = multiprocessing.parent_process()
        assert parent is not None
        parent.join()
        os._exit(1)

    threading.Thread(target=wait_for_the_end, daemon=True).start()


def _work(pipe: Connection, job: Job) -> None:
    """A worker's life: search what comes through the pipe, until it closes."""
    end_with_parent()
    CLOCK.runs_on = True
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who gives out parts
    with contextlib.suppress(TwostepError):  # it comes again when a part is searched
        load = questions.listing if job.solutions or job.digest else questions.count
        load(engine(job.engine), ModelBuilder("nothing").build())
    with contextlib.suppress(OSError):
        pipe.send(None)

    def tell(solution: Solution) -> bool:
        try:
            pipe.send(Found((solution,)))
        except OSError:
            return True
        return False

    if job.few is not None:
        job = replace(job, receive=tell)
    while True:
        try:
            part, terms = pipe.recv()
        except EOFError:
            return
        answer: PartResult | Stopped | TwostepError
        try:
            answer = job.search(part, terms)
        except TwostepError as error:
            answer = error
        try:
            pipe.send(answer)
        except OSError:
            return
