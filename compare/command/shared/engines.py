"""A question about a puzzle, within its limits: they hold for reading and building it, too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import click

from twostep.compare.command.shared.deadline import OutOfTime, alarm
from twostep.compare.command.shared.exits import Exit
from twostep.compare.command.shared.output import (
    Answer,
    Outcome,
    at_least,
)
from twostep.compare.command.shared.progress import announce_compilation, watching
from twostep.compare.registry import engine, engine_names
from twostep.models.families.puzzle import Puzzle
from twostep.models.reading.load import load_puzzle
from twostep.models.search.clock import CLOCK
from twostep.models.search.engine import Counters, Engine, Limits, SearchResult, StopReason, Watch
from twostep.models.search.questions import Listing, Uniqueness

if TYPE_CHECKING:
    from twostep.compare.agreement.verdict import Opinion

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


A = TypeVar("A", SearchResult, Listing, Uniqueness, "Opinion")


def load(backend: str, *, quiet: bool) -> list[Engine]:
    """The engines of ``--backend``, ready to be asked."""
    announce_compilation(quiet=quiet)
    return [engine(name) for name in engine_names(backend)]


def ask_each(
    asked: Puzzle,
    engines: Sequence[Engine],
    verb: str,
    limits: Limits,
    question: Callable[[Engine, Limits, Watch], A],
    late: Callable[[SearchResult], A],
    *,
    quiet: bool,
    note: Callable[[], str] = str,
) -> list[A]:
    """Ask the engines one after the other, each within the limits: see :func:`in_time`.

    Ctrl-C ends the engine that is running, and skips those after it.
    """
    if asked.remark and not quiet:
        click.echo(f"note: {asked.remark}", err=True)
    answers: list[A] = []
    for each in engines:
        answer = in_time(
            asked, each.name, verb, limits, partial(question, each), late, quiet=quiet, note=note
        )
        answers.append(answer)
        result = answer if isinstance(answer, SearchResult) else answer.result
        if result is not None and result.stopped is StopReason.CANCELLED:
            break
    return answers


def differ(results: Sequence[SearchResult]) -> bool:
    """Whether counts contradict each other, by the one rule; one engine does so never."""
    if len(results) < 2:
        return False
    from twostep.compare.agreement.verdict import Claim, contradict

    return contradict([Claim.of(result) for result in results])


def stopped_by(reason: StopReason | None) -> str:
    """The reason in a word; empty if nothing ended the search early."""
    return "" if reason is None else reason.value


def no_solution(asked: Puzzle, verb: str, reason: str, *, as_json: bool) -> int:
    """Say that there is no solution, and the reason that needed no search."""
    if as_json:
        click.echo(Answer(asked.name, verb, Outcome.NONE, 0, True, reason=reason).as_json())
    else:
        click.echo(f"no solution: {reason}")
    return Exit.NONE


def disagree(asked: Puzzle, verb: str, results: Sequence[SearchResult], *, as_json: bool) -> int:
    """Say that the engines disagree, and save the model for a report."""
    from twostep.compare.command.shared.disagreement import save, tell

    path = save(asked)
    if as_json:
        click.echo(
            Answer(
                asked.name,
                verb,
                Outcome.DISAGREE,
                None,
                False,
                None,
                results,
                facts=[("model_file", path)],
            ).as_json()
        )
    said = ", ".join(f"{result.engine} {at_least(result)}" for result in results)
    tell(asked, path, said, [engine(result.engine) for result in results])
    return Exit.DISAGREE
