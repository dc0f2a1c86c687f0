"""What a puzzle can break, and whether it does."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from twostep.compare.checking.entries import Entry
from twostep.compare.checking.tally import Tally
from twostep.models.families.likeness import Likeness
from twostep.models.words import counted


class Rule(Enum):
    """What a puzzle can break."""

    READABLE = "readable"
    """It can be read."""
    LOCKS = "locks"
    """Its locked pieces can lie so: right shape, inside, not overlapping, not too many."""
    FIELDS = "fields"
    """No field of it has a name that is nearly that of a known one."""
    AREA = "area"
    """Nothing rules out an answer without a search, such as the areas of the pieces."""
    SOLVABLE = "solvable"
    """It has an answer."""
    UNIQUE = "unique"
    """It has one answer only."""
    CLASSES = "unique-up-to-symmetry"
    """All its answers are turned or mirrored images of one."""
    PROVEN = "proven"
    """It has as many answers as its file says were proven."""
    DUPLICATE = "duplicate"
    """It is no turned, mirrored or renamed copy of a puzzle before it."""
    OUTLINE = "outline"
    """Its outline is not that of a puzzle before it."""
    ORDER = "order"
    """It is not graded easier than the level before it."""
    GRADED = "graded"
    """It has a grade."""
    NAMED = "named"
    """It has a name."""


REQUIRABLE = (Rule.UNIQUE, Rule.CLASSES, Rule.OUTLINE, Rule.GRADED, Rule.NAMED)
"""The rules that hold only where they are asked for."""

FATAL = frozenset({Rule.READABLE, Rule.LOCKS, Rule.AREA, Rule.SOLVABLE})
"""The rules of which each broken one means that there is no answer."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that a puzzle breaks, and how."""

    rule: Rule
    message: str


def form(entry: Entry, required: Collection[Rule]) -> list[Finding]:
    """What is wrong with the fields of an entry, which takes no puzzle to see."""
    findings = [
        Finding(Rule.FIELDS, f"unknown field {wrong!r}: did you mean {known!r}?")
        for wrong, known in entry.fields
    ]
    level = entry.level
    if Rule.GRADED in required and (level is None or level.grade is None):
        findings.append(Finding(Rule.GRADED, "it has no grade"))
    if Rule.NAMED in required and not entry.name:
        findings.append(Finding(Rule.NAMED, "it has no name"))
    return findings


def counts(entry: Entry, tallies: Sequence[Tally], required: Collection[Rule]) -> list[Finding]:
    """What is wrong with the number of answers that the engines found."""
    findings = []
    exact = next((each for each in tallies if each.complete), None)
    most = max((each.found for each in tallies), default=0)
    number = exact.text if exact is not None else f"at least {most}"
    if exact is not None and exact.found == 0:
        findings.append(Finding(Rule.SOLVABLE, "it has no answer"))
    elif Rule.UNIQUE in required and most > 1:
        findings.append(Finding(Rule.UNIQUE, f"it has {number} answers"))
    if Rule.CLASSES in required and (several := max(each.classes for each in tallies)) > 1:
        known = f"{several}" if exact is not None else f"at least {several}"
        findings.append(
            Finding(Rule.CLASSES, f"it has {number} answers, {known} of them up to symmetry")
        )
    if entry.level is not None and (proof := entry.level.proof) is not None:
        more = exact is not None and exact.found < proof.solutions
        fewer = proof.complete and most > proof.solutions
        if more or fewer:
            said = f"{'' if proof.complete else 'at least '}{counted(proof.solutions, 'answer')}"
            findings.append(Finding(Rule.PROVEN, f"its file says {said}, it has {number}"))
    return findings


class Beside:
    """What is wrong with puzzles beside each other; they are added in order."""

    def __init__(self, required: Collection[Rule]) -> None:
        self._required = required
        self._whole: dict[str, str] = {}
        self._outlines: dict[str, tuple[Likeness, str]] = {}
        self._grades: dict[str, int] = {}

    def add(self, entry: Entry, likeness: Likeness | None) -> Iterable[Finding]:
        """Findings about an entry and those added before it; `likeness` None: unreadable."""
        if likeness is not None:
            yield from self._copies(entry.here, likeness)
        if entry.level is not None and (grade := entry.level.grade) is not None:
            before = self._grades.get(entry.source, 0)
            if grade < before:
                yield Finding(Rule.ORDER, f"grade {grade} comes after grade {before}")
            self._grades[entry.source] = grade

    def _copies(self, here: str, likeness: Likeness) -> Iterable[Finding]:
        first = self._whole.setdefault(likeness.whole, here)
        if first != here:
            yield Finding(
                Rule.DUPLICATE, f"it is {first}, or a turned, mirrored or renamed copy of it"
            )
            return
        name, outline = likeness.keys[0]
        other, there = self._outlines.setdefault(outline, (likeness, here))
        if Rule.OUTLINE in self._required and there != here:
            differs = likeness.first_difference(other)
            yield Finding(Rule.OUTLINE, f"it has the {name} of {there}, with other {differs}")
