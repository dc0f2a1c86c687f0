"""Whether there is one solution, and which are the cheapest: asked in parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypedDict, Unpack

from twostep.compare.agreement import SetDigest
from twostep.compare.spread.count import Progress, spread_count
from twostep.compare.spread.few import Cheapest, Few
from twostep.compare.spread.plan import Plan
from twostep.compare.spread.workers import Runner
from twostep.models.errors import EngineFault, InputError
from twostep.models.model import Model
from twostep.models.questions import Listing, Uniqueness, Verdict
from twostep.models.search import Limits, StopReason, Watch


class Way(TypedDict, total=False):
    """How a search in parts is made: see :func:`twostep.compare.spread.count.spread_count`."""

    runner: Runner | None
    plan: Plan | None
    parts: int
    checkpoint: str | None
    limits: Limits
    watch: Watch | None
    progress: Callable[[Progress], object] | None
    puzzle: str | None


def spread_unique(engine: str, model: Model, **way: Unpack[Way]) -> Uniqueness:
    """Whether there is exactly one solution; ends as soon as two are known.

    Each part is searched for up to two solutions. A part that has them is not done, and need not
    be: only "unique" and "none" are said of all parts, each searched to its end.

    Raises:
        EngineFault: the parts have not the solutions that are known.
        InputError: see :func:`spread_count`.
    """
    few = Few(2)
    spread = spread_count(engine, model, few=few, digest=True, **way)
    solutions = tuple(few.known)
    if spread.result.stopped is StopReason.SOLUTIONS:
        verdict = Verdict.MULTIPLE
    elif not spread.result.complete:
        verdict = Verdict.UNKNOWN
    else:
        digest = SetDigest()
        for solution in solutions:
            digest.add(solution)
        if spread.digest != str(digest):
            raise EngineFault(
                f"engine {engine!r} found {spread.result.found} solutions of {model.name!r} in all"
                f" its parts, and they are not the {len(solutions)} that are known"
            )
        verdict = Verdict.UNIQUE if solutions else Verdict.NONE
    return Uniqueness(verdict, solutions, replace(spread.result, found=len(solutions)))


def spread_best(engine: str, model: Model, k: int = 1, **way: Unpack[Way]) -> Listing:
    """The `k` cheapest solutions, as :func:`twostep.models.questions.best` gives them.

    In each part only those are looked for that cost less than the `k` cheapest known when its
    search begins. So when all parts are done nothing that isn't listed is cheaper.

    Raises:
        InputError: `k` is less than 1, or see :func:`spread_count`.
    """
    if k < 1:
        raise InputError(f"the {k} cheapest solutions: expected a number of at least 1")
    few = Cheapest(k, model=model)
    spread = spread_count(engine, model, few=few, **way)
    return Listing(tuple(few.known), replace(spread.result, found=len(few.known)))
