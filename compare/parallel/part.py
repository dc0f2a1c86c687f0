"""The result of one part, and how the parts' results make the whole."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace

from twostep.compare.agreement.digest import SetDigest, digest_from
from twostep.compare.parallel.plan import Part, Plan, part_model, parts_of
from twostep.models.errors import InputError
from twostep.models.language.model import Model, Solution
from twostep.models.reading.members import Members, write_members
from twostep.models.search import questions
from twostep.models.search.engine import (
    NO_LIMITS,
    Counters,
    Engine,
    Limits,
    Receiver,
    SearchResult,
    StopReason,
    Watch,
)

SCHEMA = "twostep-part/1"
NO_WORK = Counters()
_SOME = 1000


@dataclass(frozen=True, slots=True)
class PartResult:
    """What the search of one part to its end has given.

    Attributes:
        plan: the plan's fingerprint.
        part: the part's number.
        engine: the engine's name.
        count: how many solutions.
        nodes, updates, rejected: work done, see ``Counters``.
        seconds: wall clock of the search, s.
        digest: the order-free digest of the solutions (in the whole model's option ids), if
            they were listed.
        solutions: the solutions, likewise, where they are wanted; they are not written.

    Of a search for the cheapest, `count` and `solutions` are those that may be among them.
    """

    plan: str
    part: int
    engine: str
    count: int
    nodes: int
    updates: int
    rejected: int
    seconds: float
    digest: str | None = None
    solutions: tuple[Solution, ...] = ()

    @property
    def work(self) -> Counters:
        """The counters at the end."""
        return Counters(self.count, self.nodes, self.updates, self.rejected)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the result as JSON."""
        write_members(path, self.members())

    def members(self) -> dict[str, object]:
        """The result as members of a JSON object."""
        members = asdict(self)
        del members["solutions"]
        return {"schema": SCHEMA, **members}


@dataclass(frozen=True, slots=True)
class Found:
    """Solutions of a part that is still being searched, in the whole model's option ids."""

    solutions: tuple[Solution, ...]


@dataclass(frozen=True, slots=True)
class Stopped:
    """The search of a part that was ended before its end: the part has at least what was found.

    Attributes:
        reason: why.
        work: the counters at its end.
        solutions: what it had found, in the whole model's option ids, where they are wanted; if
            all are wanted, some of it, as they are to be sent at once.
    """

    reason: StopReason
    work: Counters = NO_WORK
    solutions: tuple[Solution, ...] = ()


def search_part(
    engine: Engine,
    model: Model,
    plan: str,
    part: Part,
    limits: Limits = NO_LIMITS,
    *,
    digest: bool = False,
    solutions: bool = False,
    cheapest: int | None = None,
    below: int | None = None,
    receive: Receiver | None = None,
    watch: Watch | None = None,
) -> PartResult | Stopped:
    """Search one part, to its end unless a limit or the receiver ends the search.

    Args:
        plan: the plan's fingerprint.
        digest: list the solutions and give their digest; otherwise they may be counted in the
            engine's best way.
        solutions: give the solutions; the limit of memory holds for them.
        cheapest: give only so many of the cheapest, and only such as cost less than `below`.
        receive: gets each solution as it is found, in the whole model's option ids.
    """
    small, ids = part_model(model, part)
    seen = SetDigest()
    listed: tuple[Solution, ...] = ()

    def whole(solution: Solution) -> Solution:
        return tuple(ids[option] for option in solution)

    if cheapest is not None:
        best = questions.best(engine, small, cheapest, limits, watch=watch, below=below)
        listed = best.solutions
        result = replace(best.result, found=len(listed))
    elif solutions:
        listing = questions.listing(engine, small, limits, watch=watch)
        result, listed = listing.result, listing.solutions
    elif digest or receive is not None:

        def take(solution: Solution) -> object:
            mine = whole(solution)
            seen.add(mine)
            return None if receive is None else receive(mine)

        result = questions.solutions(engine, small, limits, receive=take, watch=watch)
    else:
        result = questions.count(engine, small, limits, watch=watch)
    work = replace(result.counters, found=result.found)
    if not result.complete:
        some = listed[: limits.solutions or cheapest or _SOME]
        return Stopped(result.stopped, work, tuple(map(whole, some)))
    listed = tuple(map(whole, listed))
    for solution in listed:
        seen.add(solution)
    return PartResult(
        plan, part.number, result.engine, result.found, work.nodes, work.updates, work.rejected,
        result.seconds, str(seen) if digest or solutions or receive is not None else None, listed,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Total:
    """The sum of a plan's parts; `digest` is None unless every part gave one."""

    result: SearchResult
    digest: str | None


def merge(plan: Plan, model: Model, results: Iterable[PartResult]) -> Total:
    """The whole answer, if there is exactly one result for each part of the plan.

    That the parts cover the search tree exactly once is derived from the model (`parts_of`).

    Raises:
        InputError: a part is missing, doubled, or belongs to another plan; the plan is for
            another model.
    """
    parts = parts_of(plan, model)
    known: dict[int, PartResult] = {}
    fingerprint = plan.fingerprint
    for result in results:
        if result.plan != fingerprint:
            raise InputError(f"the result of part {result.part} belongs to another plan")
        if not 0 <= result.part < len(parts):
            raise InputError(f"a result of part {result.part}: the plan has {len(parts)} parts")
        if result.part in known:
            raise InputError(f"two results of part {result.part}")
        known[result.part] = result
    if missing := [part.number for part in parts if part.number not in known]:
        some = ", ".join(map(str, missing[:5])) + (" ..." if len(missing) > 5 else "")
        raise InputError(f"{len(missing)} of {len(parts)} parts are missing: {some}")
    return Total(summed(known.values(), StopReason.EXHAUSTED), _digest_of(known.values()))


def summed(
    results: Iterable[PartResult], stopped: StopReason, work: Counters = NO_WORK
) -> SearchResult:
    """The results of some parts added up, as one search that ended for the reason `stopped`.

    `work` is added to theirs: that of parts which have no result.
    """
    kept = list(results)
    total = sum((result.work for result in kept), work)
    names = "+".join(sorted({result.engine for result in kept})) or "none"
    return SearchResult(names, total.found, stopped, total, sum(result.seconds for result in kept))


def _digest_of(results: Iterable[PartResult]) -> str | None:
    total = SetDigest()
    for result in results:
        if result.digest is None:
            return None
        total.include(result.digest)
    return str(total)


def read_result(path: str | os.PathLike[str]) -> PartResult:
    """Read a result that :meth:`PartResult.write` wrote.

    Raises:
        InputError: it is none; names the file.
    """
    return result_from(Members.read(path, SCHEMA, "the result of a part"))


def result_from(members: Members) -> PartResult:
    """The result in a JSON object.

    Raises:
        InputError: there is none; names the file.
    """
    digest = members.get("digest")
    return PartResult(
        plan=members.text("plan"),
        part=members.whole("part"),
        engine=members.text("engine"),
        count=members.whole("count"),
        nodes=members.whole("nodes"),
        updates=members.whole("updates"),
        rejected=members.whole("rejected"),
        seconds=members.seconds("seconds"),
        digest=None if digest is None else digest_from(members),
    )
