"""The verbs count and unique, and what all verbs share that ask one engine or both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import click

from twostep.compare import agreement
from twostep.compare.command import diagrams, options
from twostep.compare.command.asking import in_time, read
from twostep.compare.command.disagreeing import save, tell
from twostep.compare.command.estimating import estimate_flag, show_estimate
from twostep.compare.command.exits import Exit
from twostep.compare.command.output import (
    EXIT_OF,
    Answer,
    Outcome,
    at_least,
    counted,
    statistics,
    stop_of,
)
from twostep.compare.command.progress import announce_compilation, visible
from twostep.compare.command.proofs import certificate_flag, write_certificate
from twostep.compare.command.spreading import Spreading, spread_flags
from twostep.compare.registry import engine
from twostep.models.puzzle import Puzzle
from twostep.models.questions import Listing, Uniqueness, Verdict
from twostep.models.search import Engine, Limits, SearchResult, StopReason, Watch

T = TypeVar("T", SearchResult, Listing, Uniqueness, agreement.Opinion)


def load(backend: str, *, quiet: bool) -> list[Engine]:
    """The engines of ``--backend``, ready to be asked."""
    names = options.engine_names(backend)
    if "dlx" in names:
        announce_compilation(quiet=quiet)
    return [engine(name) for name in names]


def ask_each(
    asked: Puzzle,
    engines: Sequence[Engine],
    verb: str,
    limits: Limits,
    question: Callable[[Engine, Limits, Watch], T],
    late: Callable[[SearchResult], T],
    *,
    quiet: bool,
    note: Callable[[], str] = str,
) -> list[T]:
    """Ask the engines one after the other, each within the limits: see :func:`in_time`.

    Ctrl-C ends the engine that is running, and skips those after it.
    """
    answers: list[T] = []
    for each in engines:
        answer = in_time(
            asked, each.name, verb, limits, partial(question, each), late, quiet=quiet, note=note
        )
        answers.append(answer)
        result = answer if isinstance(answer, SearchResult) else answer.result
        if result is not None and result.stopped is StopReason.CANCELLED:
            break
    return answers


@click.command()
@click.argument("puzzle")
@options.backend()
@options.limits
@options.memory
@diagrams.counting
@spread_flags
@estimate_flag
@certificate_flag
@options.output
def count(
    puzzle: str, backend: str, time_limit: float | None, node_limit: int | None,
    memory_limit: int | None, up_to_symmetry: bool, heatmap: bool,
    workers: int | None, cluster: str | None, checkpoint: str | None, parts: int | None,
    estimate: bool, certificate: str | None, as_json: bool, quiet: bool,
) -> int:  # fmt: skip
    """Count the solutions of PUZZLE, without listing them."""
    options.at_most_one(
        estimate=estimate, up_to_symmetry=up_to_symmetry, heatmap=heatmap, certificate=certificate
    )
    how = Spreading(workers, cluster, checkpoint, parts, backend, shown=visible(quiet=quiet))
    how.refuse(estimate=estimate, up_to_symmetry=up_to_symmetry, heatmap=heatmap)
    if estimate and (backend, time_limit, node_limit, memory_limit) != ("dlx", None, None, None):
        raise click.UsageError("--estimate takes no --backend and no limit: it is done in seconds")
    asked, limits = read(puzzle, options.limits_of(time_limit, node_limit, memory_limit))
    reason = asked.obstacle()
    if estimate:
        return show_estimate(asked, as_json=as_json, quiet=quiet)
    if reason is None and up_to_symmetry:
        return diagrams.show_classes(asked, backend, limits, as_json=as_json, quiet=quiet)
    if reason is None and heatmap:
        return diagrams.show_heatmap(asked, backend, limits, as_json=as_json, quiet=quiet)
    engines = [] if reason is not None else load(backend, quiet=quiet)
    results = ask_each(
        asked,
        engines,
        "count",
        limits,
        lambda each, limits, watch: how.count(each, asked, limits, watch),
        lambda late: late,
        quiet=quiet,
        note=lambda: how.note,
    )
    statistics(results, quiet=quiet or as_json)
    exact = {result.found for result in results if result.complete}
    most = max((result.found for result in results), default=0)
    if len(exact) > 1 or (exact and most > max(exact)):
        return disagree(asked, "count", results, as_json=as_json)
    complete = all(result.complete for result in results)
    # With both engines, a count is complete when both have ended.
    known = max(exact) if exact else most
    if as_json:
        outcome = Outcome.COUNT if complete else Outcome.UNKNOWN
        click.echo(
            Answer(
                asked.name, "count", outcome, known, complete, stop_of(results), results,
                reason=reason,
            ).as_json()
        )  # fmt: skip
    elif reason is not None:
        click.echo(f"0\n{reason}")
    else:
        click.echo(counted(known, complete=complete))
    whole = known if complete else None
    proven = write_certificate(certificate, asked, limits, exact=whole, quiet=quiet)
    return proven if complete else Exit.STOPPED


@click.command()
@click.argument("puzzle")
@options.backend()
@options.limits
@options.memory
@options.seed
@spread_flags
@certificate_flag
@options.output
def unique(
    puzzle: str, backend: str, time_limit: float | None, node_limit: int | None,
    memory_limit: int | None, seed: int, workers: int | None, cluster: str | None,
    checkpoint: str | None, parts: int | None, certificate: str | None, as_json: bool, quiet: bool,
) -> int:  # fmt: skip
    """Tell whether PUZZLE has one solution, several (two are shown), or none."""
    how = Spreading(workers, cluster, checkpoint, parts, backend, shown=visible(quiet=quiet))
    how.refuse(seed=seed)
    asked, limits = read(puzzle, options.limits_of(time_limit, node_limit, memory_limit))
    if (reason := asked.obstacle()) is not None:
        write_certificate(certificate, asked, limits, exact=0, quiet=quiet)
        return no_solution(asked, "unique", reason, as_json=as_json)
    engines = load(backend, quiet=quiet)
    answers = ask_each(
        asked,
        engines,
        "unique",
        limits,
        lambda each, limits, watch: how.unique(each, asked, limits, watch, seed),
        lambda late: Uniqueness(Verdict.UNKNOWN, (), late),
        quiet=quiet,
        note=lambda: how.note,
    )
    results = [answer.result for answer in answers]
    statistics(results, quiet=quiet or as_json)
    verdicts = {answer.verdict for answer in answers} - {Verdict.UNKNOWN}
    single = {answer.solutions for answer in answers if answer.verdict is Verdict.UNIQUE}
    if len(verdicts) > 1 or len(single) > 1:
        return disagree(asked, "unique", results, as_json=as_json)
    verdict = answers[0].verdict if len({a.verdict for a in answers}) == 1 else Verdict.UNKNOWN
    boards = [asked.draw(solution) for solution in answers[0].solutions]
    if as_json:
        click.echo(
            Answer(
                asked.name, "unique", Outcome(verdict.value), len(boards),
                verdict in (Verdict.UNIQUE, Verdict.NONE),
                stop_of(results) if verdict is Verdict.UNKNOWN else None, results, boards,
            ).as_json()
        )  # fmt: skip
    else:
        stopped = stopped_by(stop_of(results))
        words = {
            Verdict.UNIQUE: "unique: exactly one solution",
            Verdict.MULTIPLE: "several solutions, for example these two:",
            Verdict.NONE: "no solution",
            Verdict.UNKNOWN: f"unknown: stopped ({stopped}); solutions found: {len(boards)}",
        }
        click.echo("\n\n".join([words[verdict], *boards]))
    known = len(boards) if verdict in (Verdict.UNIQUE, Verdict.NONE) else None
    write_certificate(
        certificate, asked, limits, exact=known, solutions=answers[0].solutions, quiet=quiet
    )
    return EXIT_OF[Outcome(verdict.value)]


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
    path = save(asked)
    if as_json:
        click.echo(
            Answer(
                asked.name, verb, Outcome.DISAGREE, None, False, None, results,
                facts=[("model_file", path)],
            ).as_json()
        )  # fmt: skip
    said = ", ".join(f"{result.engine} {at_least(result)}" for result in results)
    tell(asked, path, said, [engine(result.engine) for result in results])
    return Exit.DISAGREE
