"""The checks themselves: on several processes, with a memory."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from twostep.compare.checking.entries import Entry
from twostep.compare.checking.memory import Memory
from twostep.compare.checking.rules import Beside, Finding, Rule, counts, form
from twostep.compare.checking.tally import Tally, contradiction, tally
from twostep.compare.parallel.pool import results_in_order
from twostep.compare.registry import engine
from twostep.compare.versions import engine_version
from twostep.models.errors import InputError
from twostep.models.families.puzzle import Puzzle

_WORTH_PROCESSES = 4
"""Counts from which on several processes are faster than one, despite their start."""


@dataclass(frozen=True, slots=True)
class Demands:
    """What a check asks for.

    Attributes:
        engines: names of the engines.
        count_limit: answers are counted up to here.
        seconds: for each puzzle and engine; None: no limit.
        required: further rules that must hold.
        workers: processes; 1: none but this one.
    """

    engines: tuple[str, ...]
    count_limit: int
    seconds: float | None
    required: frozenset[Rule]
    workers: int


@dataclass(frozen=True, slots=True)
class Report:
    """What is known of one entry after its check.

    Attributes:
        entry: the puzzle, and where it stands.
        tallies: one for each engine asked; none where a search was needless.
        findings: what is wrong.
        remembered: whether all tallies are those of an earlier check.
    """

    entry: Entry
    tallies: tuple[Tally, ...] = ()
    findings: tuple[Finding, ...] = ()
    remembered: bool = False

    @property
    def disagreement(self) -> str | None:
        """How the engines contradict each other; None: they do not."""
        return contradiction(self.tallies)

    @property
    def unfinished(self) -> bool:
        """Whether an engine ran out of time before the puzzle's fate was known."""
        settled = self.broken & {Rule.SOLVABLE, Rule.UNIQUE, Rule.CLASSES}
        return not settled and any(not tally.finished for tally in self.tallies)

    @property
    def broken(self) -> frozenset[Rule]:
        """The rules that it breaks."""
        return frozenset(finding.rule for finding in self.findings)


@dataclass(slots=True)
class _Waiting:
    """An entry whose counts are not all there yet."""

    entry: Entry
    findings: list[Finding]
    keys: dict[str, str] = field(default_factory=dict)
    tallies: dict[str, Tally] = field(default_factory=dict)

    def report(self, demands: Demands, *, remembered: bool = False) -> Report:
        ordered = tuple(self.tallies[name] for name in demands.engines if name in self.tallies)
        findings = list(self.findings)
        if ordered:
            findings += counts(self.entry, ordered, demands.required)
        return Report(self.entry, ordered, tuple(findings), remembered)


def check(entries: Sequence[Entry], demands: Demands, memory: Memory) -> Iterator[Report]:
    """Check every entry on every engine; gives the reports in the order they are done.

    Raises:
        EngineFault: an engine gave a wrong answer.
    """
    beside = Beside(demands.required)
    waiting: list[tuple[_Waiting, str]] = []
    for entry in entries:
        one, wanted = _prepared(entry, beside, demands, memory)
        waiting += [(one, name) for name in wanted]
        if not wanted:
            yield one.report(demands, remembered=bool(one.tallies))
    tasks = [(one.entry.bare(), name, demands) for one, name in waiting]
    workers = demands.workers if len(tasks) >= _WORTH_PROCESSES else 1
    for (one, name), found in zip(waiting, results_in_order(_count, tasks, workers), strict=True):
        memory.keep(one.keys[name], found)
        one.tallies[name] = found
        if len(one.tallies) == len(demands.engines):
            yield one.report(demands)


def _prepared(
    entry: Entry, beside: Beside, demands: Demands, memory: Memory
) -> tuple[_Waiting, list[str]]:
    """What is known of an entry without a search, and the engines that must still be asked."""
    findings = form(entry, demands.required)
    puzzle, reason = _puzzle(entry)
    known_by = puzzle if entry.level is None else entry.level  # a level's locks may be illegal
    likeness = None if known_by is None else known_by.likeness
    if reason is not None:
        findings.append(reason)
    findings += beside.add(entry, likeness)
    one = _Waiting(entry, findings)
    if puzzle is None or reason is not None:
        return one, []
    print_ = puzzle.model.fingerprint
    for name in demands.engines:
        one.keys[name] = key = _key(print_, name, demands.count_limit)
        if (known := memory.recall(key, name)) is not None:
            one.tallies[name] = known
    return one, [name for name in demands.engines if name not in one.tallies]


def _puzzle(entry: Entry) -> tuple[Puzzle | None, Finding | None]:
    """The puzzle, None if it is refused; and why it has no answer, as far as is plain to see."""
    try:
        puzzle = entry.puzzle()
        obstacle = puzzle.obstacle()
    except InputError as error:
        rule = Rule.READABLE if entry.level is None else Rule.LOCKS
        return None, Finding(rule, error.message)
    return puzzle, None if obstacle is None else Finding(Rule.AREA, obstacle)


def _key(fingerprint: str, name: str, count_limit: int) -> str:
    parts = (fingerprint, name, engine_version(name), str(count_limit))
    return hashlib.sha256("|".join(parts).encode()).hexdigest()


def _count(task: tuple[Entry, str, Demands]) -> Tally:
    """Runs in a process of its own."""
    entry, name, demands = task
    found = tally(entry.puzzle(), engine(name), demands.count_limit, demands.seconds)
    return replace(found, engine=name)
