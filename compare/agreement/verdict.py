"""Do the engines agree? Same model, same *set* of solutions, not only the same number.

The sets are compared by a digest that does not depend on the order and is updated while the
solutions stream by: the sum, modulo 2^256, of the SHA-256 of each solution. Two sets with one
digest have, for all practical purposes, the same members, and no memory is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from twostep.compare.agreement.digest import SetDigest
from twostep.models.errors import EngineFault
from twostep.models.language.model import Model, Solution
from twostep.models.search import questions
from twostep.models.search.engine import NO_LIMITS, Engine, Limits, SearchResult, StopReason, Watch

_KEPT = 100_000
"""How many solutions of each engine are listed to find where they differ."""


class Agreement(Enum):
    """What can be said about several engines' answers.

    >>> import twostep
    >>> twostep.compare("pentomino:6x10", node_limit=100).agreement
    <Agreement.UNKNOWN: 'unknown'>
    """

    AGREE = "agree"
    """All searched to the end and found the same set."""
    DISAGREE = "disagree"
    """At least two contradict each other, or one gave a wrong solution."""
    UNKNOWN = "unknown"
    """A limit ended a search before anything could be said."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """One engine's answer: its result, the digest of its solutions, and a fault if it had one."""

    engine: str
    result: SearchResult | None
    digest: str
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """A solution that `found_by` gave and `missed_by`, searching to the end, did not."""

    found_by: str
    missed_by: str
    solution: Solution


@dataclass(frozen=True, slots=True)
class Comparison:
    """The opinions in the order of the engines, what they amount to, and first differences.

    >>> import twostep
    >>> comparison = twostep.compare("queens:6")
    >>> for opinion in comparison.opinions:
    ...     print(opinion.engine, opinion.result.found)
    dlx 4
    cpsat 4
    """

    opinions: tuple[Opinion, ...]
    agreement: Agreement
    differences: tuple[Difference, ...] = ()


def compare(
    engines: Sequence[Engine],
    model: Model,
    limits: Limits = NO_LIMITS,
    *,
    watch: Watch | None = None,
) -> Comparison:
    """Let each engine enumerate the model, one after the other, and compare the sets.

    Ctrl-C ends the engine that is running and skips those after it.
    """
    opinions: list[Opinion] = []
    for engine in engines:
        opinion = ask(engine, model, limits, watch=watch)
        opinions.append(opinion)
        if opinion.result is not None and opinion.result.stopped is StopReason.CANCELLED:
            break
    return conclude(engines, opinions, lambda: model, limits)


def conclude(
    engines: Sequence[Engine],
    opinions: Sequence[Opinion],
    model: Callable[[], Model],
    limits: Limits = NO_LIMITS,
) -> Comparison:
    """What the opinions of `engines` (or of the first of them only) amount to.

    Where they disagree, the engines are asked again about the model, for the first differences.
    """
    agreement = judge(opinions)
    if agreement is Agreement.AGREE and len(opinions) < len(engines):
        agreement = Agreement.UNKNOWN
    differences: tuple[Difference, ...] = ()
    if agreement is Agreement.DISAGREE:
        differences = _differences(engines, model(), limits)
    return Comparison(tuple(opinions), agreement, differences)


def late(result: SearchResult) -> Opinion:
    """The opinion of an engine that had to be interrupted: no digest is known."""
    return Opinion(result.engine, result, str(SetDigest()))


def ask(
    engine: Engine, model: Model, limits: Limits = NO_LIMITS, *, watch: Watch | None = None
) -> Opinion:
    """One engine's opinion; a wrong solution becomes a fault instead of an exception."""
    digest = SetDigest()
    try:
        result = questions.solutions(engine, model, limits, receive=digest.add, watch=watch)
    except EngineFault as fault:
        return Opinion(engine.name, None, str(digest), str(fault))
    return Opinion(engine.name, result, str(digest))


def judge(opinions: Sequence[Opinion]) -> Agreement:
    """What the opinions amount to.

    A complete answer contradicts another complete one that differs, and an incomplete one that
    found more.
    """
    if any(opinion.fault is not None for opinion in opinions):
        return Agreement.DISAGREE
    results = [opinion.result for opinion in opinions if opinion.result is not None]
    whole = {
        (opinion.result.found, opinion.digest)
        for opinion in opinions
        if opinion.result is not None and opinion.result.complete
    }
    if len(whole) > 1:
        return Agreement.DISAGREE
    if whole:
        ((exact, _),) = whole
        if any(result.found > exact for result in results):
            return Agreement.DISAGREE
    if all(result.complete for result in results):
        return Agreement.AGREE
    return Agreement.UNKNOWN


def _differences(engines: Sequence[Engine], model: Model, limits: Limits) -> tuple[Difference, ...]:
    """For each pair of engines the first solution that one has and the other lacks."""
    found: list[tuple[str, bool, dict[Solution, None]]] = []
    for engine in engines:
        kept: dict[Solution, None] = {}

        def keep(solution: Solution, kept: dict[Solution, None] = kept) -> bool:
            kept[solution] = None
            return len(kept) >= _KEPT

        # Straight from the engine: a wrong solution is a difference worth showing.
        result = engine.search(model, limits, receive=keep)
        found.append((engine.name, result.complete, kept))
    return tuple(
        Difference(name, other, next(iter(extra)))
        for name, _, mine in found
        for other, complete, theirs in found
        if name != other and complete and (extra := [s for s in mine if s not in theirs])
    )
