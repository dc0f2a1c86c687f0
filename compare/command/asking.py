"""A question about a puzzle, within its limits: they hold for reading and building it, too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from twostep.compare.command.alarm import OutOfTime, alarm
from twostep.compare.command.progress import watching
from twostep.models.clock import CLOCK
from twostep.models.puzzle import Puzzle
from twostep.models.reading import load_puzzle
from twostep.models.search import Counters, Limits, SearchResult, StopReason, Watch

T = TypeVar("T")


def read(puzzle: str, limits: Limits) -> tuple[Puzzle, Limits]:
    """The puzzle of that name or in that file, and what reading it has left of the limits."""
    began = CLOCK()
    with alarm(limits.seconds):
        asked = load_puzzle(puzzle)
    return asked, _left_of(limits, began)


def in_time(
    asked: Puzzle,
    engine: str,
    verb: str,
    limits: Limits,
    question: Callable[[Limits, Watch], T],
    late: Callable[[SearchResult], T],
    *,
    quiet: bool,
    note: Callable[[], str] = str,
) -> T:
    """The answer to a question, with a progress line (see :func:`watching`).

    Args:
        engine: the engine's name.
        question: gets the limits that building the model has left, and a watcher to call.
        late: makes the answer of an engine that had to be interrupted, of what it last told.
    """
    began = CLOCK()
    latest = Counters()
    with watching(f"{verb} ({engine})", quiet=quiet, note=note) as show:

        def watch(counters: Counters) -> object:
            nonlocal latest
            latest = counters
            return show(counters) if show is not None else None

        try:
            with alarm(limits.seconds):
                _ = asked.model  # built now, if it wasn't yet
                return question(_left_of(limits, began), watch)
        except OutOfTime:
            seconds = CLOCK() - began
            return late(SearchResult(engine, latest.found, StopReason.TIME, latest, seconds))


def _left_of(limits: Limits, began: float) -> Limits:
    """The limits for what comes next, if the time counts since `began` on the CLOCK."""
    if limits.seconds is None:
        return limits
    return replace(limits, seconds=max(0.0, limits.seconds - (CLOCK() - began)))
