"""Do the engines contradict each other? Decided here, for every verb, by :func:`contradict`.

Engines agree if they find the same *set* of solutions, not only the same number.

The sets are compared by a digest that does not depend on the order and is updated while the
solutions stream by: the sum, modulo 2^256, of the SHA-256 of each solution. Two sets with one
digest have, for all practical purposes, the same members, and no memory is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from enum import Enum

from twostep.compare.agreement.digest import KEPT, Listed, SetDigest
from twostep.models.errors import EngineFault
from twostep.models.language.model import Model, Solution
from twostep.models.search import questions
from twostep.models.search.engine import NO_LIMITS, Engine, Limits, SearchResult, StopReason, Watch


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
class Claim:
    """What an answer says about the solutions of a model.

    Attributes:
        engine: the engine's name.
        count: solutions found, each verified; a lower bound unless `complete`.
        complete: whether there are no others; where the cheapest were asked for, no cheaper ones.
        digest: of the set that was found; None: it is not known, or does not matter.
        members: solutions that were found, all of them if the answer is complete, as
            :class:`Listed` keeps them; None: not kept.
        costs: of the solutions found, ascending, where the cheapest were asked for.
        least: no solution costs less; None: nothing is known.
    """

    engine: str
    count: int
    complete: bool
    digest: str | None = None
    members: Set[int] | None = None
    costs: tuple[int, ...] = ()
    least: int | None = None

    @classmethod
    def of(cls, result: SearchResult, listed: Listed | None = None) -> Claim:
        """The claim of a search for all solutions, `listed` if they were not only counted."""
        return cls.listing(result.engine, result.found, result.complete, listed)

    @classmethod
    def listing(cls, engine: str, count: int, complete: bool, listed: Listed | None) -> Claim:
        """The claim of a search that gave `count` solutions, `listed` if they are known."""
        if listed is None:
            return cls(engine, count, complete)
        members = listed.members if listed.whole or not complete else None
        return cls(engine, count, complete, str(listed), members)

    @classmethod
    def cheapest(cls, found: questions.Listing, model: Model, k: int) -> Claim:
        """The claim of a search for the `k` cheapest solutions; of equal costs any may be named."""
        number, complete = len(found.solutions), found.result.complete
        costs = tuple(model.cost(solution) for solution in found.solutions)
        arbitrary = complete and number == k
        listed = None if arbitrary else Listed(found.solutions)
        claim = cls.listing(found.result.engine, number, complete, listed)
        return replace(claim, costs=costs)


def contradict(claims: Sequence[Claim]) -> bool:
    """Whether the claims can't all be right.

    A complete answer is refuted by one that knows more solutions, whoever stopped it; by a
    solution that it has not listed; by a cheaper one in the same place; and by another complete
    answer of another set.
    """
    return any(_refutes(one, other) for one in claims for other in claims if one is not other)


def _refutes(known: Claim, whole: Claim) -> bool:
    """Whether `whole` can't be right if `known` has found what it says."""
    if whole.least is not None and any(cost < whole.least for cost in known.costs):
        return True
    if not whole.complete:
        return False
    if known.count > whole.count:
        return True
    if any(cost < right for cost, right in zip(known.costs, whole.costs, strict=False)):
        return True
    if known.complete and None not in (known.digest, whole.digest) and known.digest != whole.digest:
        return True
    return bool(known.members and whole.members is not None and known.members - whole.members)


@dataclass(frozen=True, slots=True)
class Opinion:
    """One engine's answer: its result, the digest of its solutions, and a fault if it had one."""

    engine: str
    result: SearchResult | None
    digest: str
    fault: str | None = None
    listed: Listed | None = None

    @property
    def claim(self) -> Claim | None:
        """What it says; None: a wrong solution says nothing."""
        if self.result is None:
            return None
        if self.listed is not None:
            return Claim.of(self.result, self.listed)
        return Claim(self.engine, self.result.found, self.result.complete, self.digest)


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
    listed = Listed()
    try:
        result = questions.solutions(engine, model, limits, receive=listed.add, watch=watch)
    except EngineFault as fault:
        return Opinion(engine.name, None, str(listed), str(fault))
    return Opinion(engine.name, result, str(listed), None, listed)


def judge(opinions: Sequence[Opinion]) -> Agreement:
    """What the opinions amount to; a wrong solution is a disagreement."""
    claims = [claim for opinion in opinions if (claim := opinion.claim) is not None]
    if any(opinion.fault is not None for opinion in opinions) or contradict(claims):
        return Agreement.DISAGREE
    if all(claim.complete for claim in claims):
        return Agreement.AGREE
    return Agreement.UNKNOWN


def _differences(engines: Sequence[Engine], model: Model, limits: Limits) -> tuple[Difference, ...]:
    """For each pair of engines the first solution that one has and the other lacks."""
    found: list[tuple[str, bool, dict[Solution, None]]] = []
    for engine in engines:
        kept: dict[Solution, None] = {}

        def keep(solution: Solution, kept: dict[Solution, None] = kept) -> bool:
            kept[solution] = None
            return len(kept) >= KEPT

        # Straight from the engine: a wrong solution is a difference worth showing.
        result = engine.search(model, limits, receive=keep)
        found.append((engine.name, result.complete, kept))
    return tuple(
        Difference(name, other, next(iter(extra)))
        for name, _, mine in found
        for other, complete, theirs in found
        if name != other and complete and (extra := [s for s in mine if s not in theirs])
    )
