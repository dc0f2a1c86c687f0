"""The result of one part, and how the parts' results make the whole."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from twostep.compare.agreement import SetDigest
from twostep.compare.spread.plan import Part, Plan, json_object, part_model, parts_of
from twostep.models import questions
from twostep.models.errors import InputError
from twostep.models.files import read_text, write_atomically
from twostep.models.model import Model, Solution
from twostep.models.search import (
    NO_LIMITS,
    Counters,
    Engine,
    Limits,
    SearchResult,
    StopReason,
    Watch,
)

SCHEMA = "twostep-part/1"


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

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the result as JSON."""
        write_atomically(path, json.dumps(self.members()) + "\n")

    def members(self) -> dict[str, object]:
        """The result as members of a JSON object."""
        return {"schema": SCHEMA, **asdict(self)}


def search_part(
    engine: Engine,
    model: Model,
    plan: str,
    part: Part,
    limits: Limits = NO_LIMITS,
    *,
    digest: bool = False,
    watch: Watch | None = None,
) -> PartResult | StopReason:
    """Search one part; gives the reason instead if a limit ended the search.

    Args:
        plan: the plan's fingerprint.
        digest: list the solutions and give their digest; otherwise they may be counted in the
            engine's best way.
    """
    small, ids = part_model(model, part)
    if not digest:
        result = questions.count(engine, small, limits, watch=watch)
        total = None
    else:
        seen = SetDigest()

        def receive(solution: Solution) -> None:
            seen.add(tuple(ids[option] for option in solution))

        result = questions.solutions(engine, small, limits, receive=receive, watch=watch)
        total = str(seen)
    if not result.complete:
        return result.stopped
    work = result.counters
    return PartResult(
        plan, part.number, result.engine, result.found,
        work.nodes, work.updates, work.rejected, result.seconds, total,
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
    for result in results:
        if result.plan != plan.fingerprint:
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


def summed(results: Iterable[PartResult], stopped: StopReason) -> SearchResult:
    """The results of some parts added up, as one search that ended for the reason `stopped`."""
    kept = list(results)
    found = sum(result.count for result in kept)
    work = Counters(
        found,
        sum(result.nodes for result in kept),
        sum(result.updates for result in kept),
        sum(result.rejected for result in kept),
    )
    names = "+".join(sorted({result.engine for result in kept})) or "none"
    return SearchResult(names, found, stopped, work, sum(result.seconds for result in kept))


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
    source = os.fspath(path)
    return result_from(json_object(read_text(source), source), source)


def result_from(members: dict[str, object], source: str) -> PartResult:
    """The result in a JSON object.

    Raises:
        InputError: there is none; names the file `source`.
    """
    if members.get("schema") != SCHEMA:
        known = f"{members.get('schema')!r}, expected {SCHEMA!r}"
        raise InputError(f"not the result of a part: schema {known}", source=source)
    words: dict[str, str] = {}
    numbers: dict[str, int] = {}
    for name in ("plan", "engine"):
        value = members.get(name)
        if not isinstance(value, str):
            raise InputError(f"{name}: expected a text, got {value!r}", source=source)
        words[name] = value
    for name in ("part", "count", "nodes", "updates", "rejected"):
        value = members.get(name)
        if type(value) is not int or value < 0:
            raise InputError(f"{name}: expected a whole number, got {value!r}", source=source)
        numbers[name] = value
    seconds, digest = members.get("seconds"), members.get("digest")
    if not isinstance(seconds, (int, float)):
        raise InputError(f"seconds: expected a number, got {seconds!r}", source=source)
    if digest is not None and not (isinstance(digest, str) and SetDigest.is_one(digest)):
        raise InputError("digest: expected 64 hexadecimal digits", source=source)
    return PartResult(
        words["plan"], numbers["part"], words["engine"], numbers["count"], numbers["nodes"],
        numbers["updates"], numbers["rejected"], float(seconds), digest,
    )  # fmt: skip
