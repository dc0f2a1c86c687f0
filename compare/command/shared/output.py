"""What a verb prints: one answer, as text or as one JSON object."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import click

from twostep.compare.command.shared.exits import Exit
from twostep.models.search.engine import SearchResult, StopReason
from twostep.models.words import of_any_length

SCHEMA = "twostep-answer/1"


class Outcome(Enum):
    """The one word of an answer."""

    FOUND = "found"
    COUNT = "count"
    UNIQUE = "unique"
    MULTIPLE = "multiple"
    NONE = "none"
    AGREE = "agree"
    DISAGREE = "disagree"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a verb has to say about one puzzle.

    Attributes:
        puzzle, verb: what was asked.
        outcome: the answer's word.
        count: solutions known, or None if the verb does not count.
        complete: whether `count` is exact.
        stopped_by: the limit that ended the search, or None.
        results: one per engine that ran.
        solutions: boards as text, if the verb shows any.
        reason: why, in words, where there is a short reason.
        facts: further members of the JSON object.
    """

    puzzle: str
    verb: str
    outcome: Outcome
    count: int | None
    complete: bool
    stopped_by: StopReason | None = None
    results: Sequence[SearchResult] = ()
    solutions: Sequence[str] = ()
    reason: str | None = None
    facts: Sequence[tuple[str, Any]] = ()

    def as_json(self) -> str:
        """The answer as one JSON object on one line."""
        members: list[tuple[str, Any]] = [
            ("schema", SCHEMA),
            ("puzzle", self.puzzle),
            ("verb", self.verb),
            ("outcome", self.outcome.value),
            ("count", self.count),
            ("complete", self.complete),
            ("stopped_by", self.stopped_by.value if self.stopped_by else None),
            ("backends", [dict(_backend(result)) for result in self.results]),
        ]
        if self.solutions:
            members.append(("solutions", [board.split("\n") for board in self.solutions]))
        if self.reason is not None:
            members.append(("reason", self.reason))
        with of_any_length():
            return json.dumps(dict([*members, *self.facts]))


def _backend(result: SearchResult) -> list[tuple[str, Any]]:
    return [
        ("name", result.engine),
        ("count", result.found),
        ("complete", result.complete),
        ("stopped_by", None if result.complete else result.stopped.value),
        ("seconds", round(result.seconds, 6)),
        ("nodes", result.counters.nodes),
        ("updates", result.counters.updates),
        ("rejected", result.counters.rejected),
    ]


def at_least(result: SearchResult) -> str:
    """What a search counted, in words."""
    return counted(result.found, complete=result.complete)


def counted(count: int, *, complete: bool) -> str:
    """A count in words: ``8``, or ``at least 8`` if the search was stopped."""
    with of_any_length():
        return f"{count}" if complete else f"at least {count}"


def stop_of(results: Sequence[SearchResult]) -> StopReason | None:
    """The first reason for which a search ended early; None if none did."""
    return next((result.stopped for result in results if not result.complete), None)


def work(result: SearchResult) -> str:
    """What a search took, in words: time, nodes, updates, and candidates rejected."""
    counters = result.counters
    rejected = f", {counters.rejected:,} rejected" if counters.rejected else ""
    return (
        f"in {result.seconds:.3f} s, {counters.nodes:,} nodes,"
        f" {counters.updates:,} updates{rejected}"
    )


def aligned(rows: Sequence[Sequence[str]], left: Collection[int]) -> str:
    """A table in columns, those of the numbers `left` flush left, the others flush right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place in left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def statistics(results: Sequence[SearchResult], *, quiet: bool) -> None:
    """A line per engine on standard error: what it found, how fast, and why it ended."""
    if quiet:
        return
    for result in results:
        why = "" if result.complete else f" (stopped: {result.stopped.value})"
        click.echo(f"{result.engine}: {at_least(result)} {work(result)}{why}", err=True)


EXIT_OF = {
    Outcome.FOUND: Exit.OK,
    Outcome.COUNT: Exit.OK,
    Outcome.UNIQUE: Exit.OK,
    Outcome.MULTIPLE: Exit.SEVERAL,
    Outcome.NONE: Exit.NONE,
    Outcome.AGREE: Exit.OK,
    Outcome.DISAGREE: Exit.DISAGREE,
    Outcome.UNKNOWN: Exit.STOPPED,
}
"""The exit code of each outcome (``count`` of a stopped search is STOPPED all the same)."""
