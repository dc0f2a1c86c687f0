"""Searches in parts: on processes or a cluster, interrupted and resumed, and still adding up."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from twostep.compare.parallel.checkpoint import open_checkpoint
from twostep.compare.parallel.few import Few
from twostep.compare.parallel.output import Output
from twostep.compare.parallel.part import NO_WORK, PartResult, Stopped, merge, summed
from twostep.compare.parallel.plan import Part, Plan, parts_of, split
from twostep.compare.parallel.workers import InProcess, Job, Runner
from twostep.compare.registry import engine as engine_of
from twostep.compare.registry import that_can
from twostep.models.errors import InputError
from twostep.models.language.model import Model, Solution
from twostep.models.search.abilities import Estimates
from twostep.models.search.clock import CLOCK
from twostep.models.search.engine import (
    NO_LIMITS,
    Counters,
    Limits,
    Receiver,
    SearchResult,
    StopReason,
    Watch,
    demand,
    seconds_left,
)
from twostep.models.search.questions import bytes_of

PARTS = 64
"""Into how many parts a search is cut, at least."""
PARTS_PER_WORKER = 32
_WALKS = 8
"""Random walks in each part, to estimate its share of the work."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search in parts has come.

    Attributes:
        done, parts: the parts that are done, and all parts.
        share: what part of this run's work is done, as estimated beforehand: 0 to 1.
        seconds: since this run began, s.
    """

    done: int
    parts: int
    share: float
    seconds: float

    @property
    def seconds_left(self) -> float | None:
        """How long the rest may take, s; None: too early to tell."""
        return seconds_left(self.seconds, self.share)


@dataclass(frozen=True, slots=True)
class Spread:
    """What a search in parts has given.

    Attributes:
        result: the checked sum if it is complete, else the sum of the parts that are done and of
            what was told of others; where solutions are received, the number of those that stay.
            The work is that of the engines in these parts; the seconds are the wall clock of this
            run.
        digest: the order-free digest of all solutions, if asked for and complete.
        parts, done: how many parts there are, and how many are done.
    """

    result: SearchResult
    digest: str | None
    parts: int
    done: int


def spread_count(
    engine: str,
    model: Model,
    *,
    runner: Runner | None = None,
    plan: Plan | None = None,
    parts: int = PARTS,
    checkpoint: str | None = None,
    limits: Limits = NO_LIMITS,
    digest: bool = False,
    receive: Receiver | None = None,
    output: Output | None = None,
    few: Few | None = None,
    watch: Watch | None = None,
    progress: Callable[[Progress], object] | None = None,
    puzzle: str | None = None,
) -> Spread:
    """Count the solutions of `model` part by part, and list them if they are wanted.

    Args:
        engine: the engine's name.
        runner: who searches; None: this process.
        plan: how to cut; None: by :func:`split` into at least `parts` parts.
        checkpoint: a file to resume from if it is there, and to keep up to date.
        limits: `seconds` hold for the whole, `memory` for each process, and for the few solutions;
            others are refused.
        digest: list the solutions, to give the digest of their set.
        receive: gets the solutions as they are found, if this process searches, else those of a
            part when its search has ended; ends the search by returning True.
        output: what `receive` writes to, if there is a checkpoint: when the search ends, and when
            it goes on, there are just the solutions of the parts that are done.
        few: says which solutions, and how many, are wanted, and keeps them, also those of parts
            that are not done; `receive` gets each of them once, first those from the checkpoint.
            See :mod:`twostep.compare.parallel.questions`.
        progress: called after each part, and now and then.

    Raises:
        InputError: another limit is set; the plan or checkpoint is of another model; solutions
            are to be received and kept in a checkpoint, but there is no output.
    """
    began = CLOCK()
    if (limits.solutions, limits.nodes) != (None, None):
        raise InputError("a search in parts can be limited by time and memory only")
    if checkpoint is not None and few is None and (receive is None) != (output is None):
        raise InputError("a checkpoint of solutions needs the file that they are written to")
    demand(engine_of(engine), model.features)
    if plan is None:
        plan = split(model, parts, puzzle=puzzle)
    kept = None
    if checkpoint is not None:
        kept = open_checkpoint(checkpoint, model, engine, plan, output, few)
        plan = kept.plan
    known: dict[int, PartResult] = {}
    done = NO_WORK
    for result, _ in kept.results if kept else ():
        if digest and result.digest is None:
            raise InputError("the checkpoint was made without a digest", source=checkpoint)
        known[result.part] = result
        done += result.work
    every = parts_of(plan, model)
    deadline = None if limits.seconds is None else began + limits.seconds
    cuts = kept is not None and output is not None  # what a part has found before it is done
    room = math.inf if limits.memory is None else limits.memory
    received = 0
    work = NO_WORK
    stopped: StopReason | None = None

    def counted(now: Counters) -> Counters:
        return replace(now, found=0) if cuts else now

    def take(solution: Solution) -> bool:
        nonlocal received, stopped
        received += 1
        if few is not None and not few.take(solution):
            return False
        if receive is not None and receive(solution) is True:
            stopped = StopReason.CANCELLED
        elif few is not None and len(few.known) * bytes_of(solution) > room:
            stopped = StopReason.MEMORY
        else:
            return few is not None and few.enough
        return True

    def show(now: Counters) -> object:
        return watch and watch(done + work + counted(now))

    listed = receive is not None or few is not None
    job = Job(
        engine, model, plan.fingerprint, deadline, limits.memory, digest=digest, solutions=listed,
        few=few, receive=take if listed else None, watch=watch and show,
    )  # fmt: skip
    try:
        todo = [part for part in every if part.number not in known]
        if few is not None:
            for solution in few.known:
                if receive is not None and receive(solution) is True:
                    stopped = StopReason.CANCELLED
            if few.enough or stopped is not None:
                todo = []
        share = _shares(model, todo) if progress is not None else {}
        done_share = 0.0
        for answer in (runner or InProcess()).run(job, todo):
            if isinstance(answer, Stopped):
                work += counted(answer.work)
                stopped = stopped or answer.reason
                if cuts:
                    break
            if answer is not None and any(map(take, answer.solutions)):
                break
            if isinstance(answer, Stopped) and answer.reason is not StopReason.TIME:
                break  # when the time is over, the others may still tell what they have
            if isinstance(answer, PartResult):
                answer = replace(answer, solutions=())
                known[answer.part] = answer
                done += answer.work
                done_share += share.get(answer.part, 0.0)
                if kept is not None:
                    kept.add(answer)
            seconds = CLOCK() - began
            if progress is not None:
                progress(Progress(len(known), len(every), done_share, seconds))
            if deadline is not None and CLOCK() >= deadline and len(known) < len(every):
                stopped = StopReason.TIME
                break
            if show(NO_WORK) is True:
                stopped = StopReason.CANCELLED
                break
    except KeyboardInterrupt:
        stopped = StopReason.CANCELLED
    finally:
        if kept is not None:
            kept.close()
    seconds = CLOCK() - began
    if few is not None and few.enough:
        stopped = StopReason.SOLUTIONS
    if stopped is not None:
        total = replace(summed(known.values(), stopped, work), engine=engine, seconds=seconds)
        if receive is not None and not cuts:
            total = replace(total, found=received)
        return Spread(total, None, len(every), len(known))
    whole = merge(plan, model, known.values())
    total = replace(whole.result, engine=engine, seconds=seconds)
    return Spread(total, whole.digest if digest else None, len(every), len(every))


def _shares(model: Model, parts: Sequence[Part]) -> dict[int, float]:
    """For each part the estimated share of the work of all of them."""
    sizes = that_can(Estimates).weights(model, [part.state for part in parts], _WALKS)
    total = sum(sizes) or 1.0
    return {part.number: size / total for part, size in zip(parts, sizes, strict=True)}
