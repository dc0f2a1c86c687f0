"""First, count, unique, best: what people ask, on top of any engine.

Each answer keeps the search's result beside the finding, so that "none" and "stopped before
anything was found" are never mixed up. Every solution handed out has been verified.
"""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass, replace
from enum import Enum

from twostep.models.errors import InputError
from twostep.models.language.model import Feature, Model, Solution
from twostep.models.search.engine import (
    NO_LIMITS,
    Counts,
    Engine,
    Limits,
    Optimises,
    Receiver,
    SearchResult,
    StopReason,
    Watch,
    demand,
)


class Verdict(Enum):
    """How many solutions there are, as far as a search can tell.

    >>> import twostep
    >>> twostep.unique("queens:1").verdict is twostep.Verdict.UNIQUE
    True
    """

    UNIQUE = "unique"
    """Exactly one, proven."""
    MULTIPLE = "multiple"
    """At least two."""
    NONE = "none"
    """None, proven."""
    UNKNOWN = "unknown"
    """The search was stopped before it could tell."""


@dataclass(frozen=True, slots=True)
class Listing:
    """Solutions in the order found, and the search's result."""

    solutions: tuple[Solution, ...]
    result: SearchResult


@dataclass(frozen=True, slots=True)
class Uniqueness:
    """The verdict; up to two solutions (two differ: two option sets); the search's result."""

    verdict: Verdict
    solutions: tuple[Solution, ...]
    result: SearchResult


def solutions(
    engine: Engine,
    model: Model,
    limits: Limits = NO_LIMITS,
    *,
    receive: Receiver,
    watch: Watch | None = None,
    seed: int = 0,
) -> SearchResult:
    """Stream verified solutions into `receive`, which ends the search by returning True."""
    from twostep.models.language.verify import require

    demand(engine, model.features)

    def checked(solution: Solution) -> object:
        require(model, solution, engine.name)
        return receive(solution)

    return engine.search(model, limits, receive=checked, watch=watch, seed=seed)


def listing(
    engine: Engine,
    model: Model,
    limits: Limits = NO_LIMITS,
    *,
    watch: Watch | None = None,
    seed: int = 0,
) -> Listing:
    """All solutions within the limits, kept in memory: that of `limits` holds for them too."""
    kept: list[Solution] = []
    stored = 0

    def keep(solution: Solution) -> bool:
        nonlocal stored
        kept.append(solution)
        stored += bytes_of(solution)
        return limits.memory is not None and stored > limits.memory

    result = solutions(engine, model, limits, receive=keep, watch=watch, seed=seed)
    if limits.memory is not None and stored > limits.memory:
        result = replace(result, stopped=StopReason.MEMORY)
    return Listing(tuple(kept), result)


def bytes_of(solution: Solution) -> int:
    """What a solution takes in memory, roughly, bytes."""
    return 64 + 40 * len(solution)


def first(
    engine: Engine,
    model: Model,
    limits: Limits = NO_LIMITS,
    *,
    watch: Watch | None = None,
    seed: int = 0,
) -> Listing:
    """One solution if there is one; if none is listed, `result` says whether that is proven."""
    return listing(engine, model, replace(limits, solutions=1), watch=watch, seed=seed)


def count(
    engine: Engine, model: Model, limits: Limits = NO_LIMITS, *, watch: Watch | None = None
) -> SearchResult:
    """How many solutions there are, in the engine's best way: `found`, exact if complete."""
    demand(engine, model.features)
    if isinstance(engine, Counts):
        return engine.count(model, limits, watch=watch)
    return engine.search(model, limits, watch=watch)


def unique(
    engine: Engine,
    model: Model,
    limits: Limits = NO_LIMITS,
    *,
    watch: Watch | None = None,
    seed: int = 0,
) -> Uniqueness:
    """Whether there is exactly one solution; looks for a second and stops there."""
    return verdict_on(listing(engine, model, replace(limits, solutions=2), watch=watch, seed=seed))


def verdict_on(found: Listing) -> Uniqueness:
    """What a search for two solutions tells."""
    if len(found.solutions) == 2:
        verdict = Verdict.MULTIPLE
    elif not found.result.complete:
        verdict = Verdict.UNKNOWN
    else:
        verdict = Verdict.UNIQUE if found.solutions else Verdict.NONE
    return Uniqueness(verdict, found.solutions, found.result)


def best(
    engine: Engine,
    model: Model,
    k: int = 1,
    limits: Limits = NO_LIMITS,
    *,
    watch: Watch | None = None,
    below: int | None = None,
) -> Listing:
    """The `k` cheapest solutions known, cheapest first, ties in ascending order of options.

    Complete means proven: nothing that isn't listed is cheaper than something that is. With
    `below`, all this is only about the solutions that cost less.

    Raises:
        InputError: `k` is less than 1: such a search would prove nothing, not even "none".
    """
    if k < 1:
        raise InputError(f"the {k} cheapest solutions: expected a number of at least 1")
    if isinstance(engine, Optimises):
        demand(engine, model.features | {Feature.COSTS})
        from twostep.models.language.verify import require

        cheapest, result = engine.best(model, k, limits, watch=watch, below=below)
        for solution in cheapest:
            require(model, solution, engine.name)
        return Listing(cheapest, result)
    kept: list[tuple[int, Solution]] = []  # the k cheapest so far, in order

    def keep(solution: Solution) -> None:
        cost = model.cost(solution)
        if below is None or cost < below:
            insort(kept, (cost, solution))
            del kept[k:]

    result = solutions(engine, model, limits, receive=keep, watch=watch)
    return Listing(tuple(solution for _, solution in kept), result)
