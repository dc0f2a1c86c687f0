"""Is a level what it should be? Each question is answered on every engine given."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from twostep.models.errors import InputError
from twostep.models.families.polyomino.placement import Placement
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle
from twostep.models.game.level import Level, Pack
from twostep.models.search import questions
from twostep.models.search.engine import Engine, Limits, StopReason
from twostep.models.words import counted


class Rule(Enum):
    """What a level can break."""

    LOCKS = "locks"
    """Its locked pieces cannot lie so: wrong shape, outside, overlapping, too many."""
    AREA = "area"
    """It has no answer, for a reason known without a search, mostly the areas."""
    SOLVABLE = "solvable"
    """It has no answer."""
    UNIQUE = "unique"
    """It has more than one answer, and must not."""
    PROVEN = "proven"
    """It does not have as many answers as its file says were proven."""
    DUPLICATE = "duplicate"
    """It is a turned or mirrored copy of a level before it."""
    ORDER = "order"
    """It is graded easier than the level before it."""
    GRADED = "graded"
    """It has no grade, and must have one."""
    NAMED = "named"
    """It has no name, and must have one."""


REQUIRABLE = (Rule.UNIQUE, Rule.GRADED, Rule.NAMED)
"""The rules that hold only where they are asked for."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that a level breaks, and how."""

    rule: Rule
    message: str


@dataclass(frozen=True, slots=True)
class Tally:
    """What one engine found.

    Attributes:
        engine: its name.
        found: answers, counted up to the limit.
        complete: whether there are no others.
        stopped: why the search ended.
        digest: of the set of answers, the same for the same set; only if complete.
        seconds: of the search, s.
    """

    engine: str
    found: int
    complete: bool
    stopped: StopReason
    digest: str
    seconds: float

    @property
    def finished(self) -> bool:
        """Whether time did not cut it short."""
        return self.complete or self.stopped is StopReason.SOLUTIONS

    @property
    def text(self) -> str:
        """The number in words."""
        if self.complete:
            return str(self.found)
        return f"{self.found}+" if self.stopped is StopReason.SOLUTIONS else f"{self.found}+?"


@dataclass(frozen=True, slots=True)
class Report:
    """What is known of one level after its check.

    Attributes:
        source: its file.
        number: its place there, from 1.
        level: the level.
        tallies: one for each engine asked; none where a search was needless.
        findings: what is wrong.
        remembered: whether the tallies are those of an earlier check.
    """

    source: str
    number: int
    level: Level
    tallies: tuple[Tally, ...]
    findings: tuple[Finding, ...]
    remembered: bool = False

    @property
    def disagreement(self) -> str | None:
        """How the engines contradict each other; None: they do not."""
        return contradiction(self.tallies)

    @property
    def unfinished(self) -> bool:
        """Whether an engine ran out of time."""
        return any(not tally.finished for tally in self.tallies)

    @property
    def title(self) -> str:
        """How messages call the level."""
        name = f" {self.level.name!r}" if self.level.name else ""
        return f"{self.source}: level {self.number}{name}"


def contradiction(tallies: Sequence[Tally]) -> str | None:
    """How tallies of one level contradict each other; None: they do not."""
    exact = [tally for tally in tallies if tally.complete]
    if len({(tally.found, tally.digest) for tally in exact}) > 1 or any(
        tally.found > each.found for tally in tallies for each in exact
    ):
        return ", ".join(f"{tally.engine} {tally.text}" for tally in tallies)
    return None


def needs_search(level: Level) -> bool:
    """Whether engines must be asked: the level is well formed and nothing forbids an answer."""
    try:
        return level.puzzle.obstacle() is None
    except InputError:
        return False


def tally(
    puzzle: PolyominoPuzzle, engine: Engine, count_limit: int, seconds: float | None
) -> Tally:
    """Count a level's answers with an engine, up to a limit."""
    labels = puzzle.model.labels
    answers: list[str] = []

    def receive(solution: tuple[int, ...]) -> None:
        placed = (label for option in solution if isinstance(label := labels[option], Placement))
        answers.append(repr(sorted((each.piece, each.cells) for each in placed)))

    result = questions.solutions(
        engine, puzzle.model, Limits(solutions=count_limit, seconds=seconds), receive=receive
    )
    digest = hashlib.sha256("\n".join(sorted(answers)).encode()).hexdigest()
    return Tally(
        engine.name, result.found, result.complete, result.stopped,
        digest if result.complete else "", result.seconds,
    )  # fmt: skip


def judge(level: Level, tallies: Sequence[Tally], required: Collection[Rule]) -> list[Finding]:
    """What is wrong with a level by itself."""
    findings = _form(level, required)
    exact = next((each for each in tallies if each.complete), None)
    most = max((each.found for each in tallies), default=0)
    if any(finding.rule in (Rule.LOCKS, Rule.AREA) for finding in findings):
        return findings
    if exact is not None and exact.found == 0:
        findings.append(Finding(Rule.SOLVABLE, "it has no answer"))
    elif Rule.UNIQUE in required and most > 1:
        number = exact.text if exact is not None else f"at least {most}"
        findings.append(Finding(Rule.UNIQUE, f"it has {number} answers"))
    if (proof := level.proof) is not None:
        more = exact is not None and exact.found < proof.solutions
        fewer = proof.complete and most > proof.solutions
        if more or fewer:
            said = f"{'' if proof.complete else 'at least '}{counted(proof.solutions, 'answer')}"
            got = exact.text if exact is not None else f"at least {most}"
            findings.append(Finding(Rule.PROVEN, f"its file says {said}, it has {got}"))
    return findings


def _form(level: Level, required: Collection[Rule]) -> list[Finding]:
    """What is wrong that takes no search to see."""
    findings = []
    try:
        reason = level.puzzle.obstacle()
        if reason is not None:
            findings.append(Finding(Rule.AREA, reason))
    except InputError as error:
        findings.append(Finding(Rule.LOCKS, error.message))
    if Rule.GRADED in required and level.grade is None:
        findings.append(Finding(Rule.GRADED, "it has no grade"))
    if Rule.NAMED in required and not level.name:
        findings.append(Finding(Rule.NAMED, "it has no name"))
    return findings


def together(packs: Iterable[tuple[str, Pack]]) -> dict[tuple[str, int], list[Finding]]:
    """What is wrong with levels beside each other, by file and number."""
    found: dict[tuple[str, int], list[Finding]] = {}
    seen: dict[str, str] = {}
    for source, pack in packs:
        grade = 0
        for number, level in enumerate(pack.levels, 1):
            findings = found.setdefault((source, number), [])
            here = f"level {number} of {source}"
            first = seen.setdefault(level.likeness.whole, here)
            if first != here:
                findings.append(
                    Finding(Rule.DUPLICATE, f"it is {first}, or a turned or mirrored copy of it")
                )
            if level.grade is not None:
                if level.grade < grade:
                    findings.append(
                        Finding(Rule.ORDER, f"grade {level.grade} comes after grade {grade}")
                    )
                grade = level.grade
    return found
