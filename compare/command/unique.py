"""The verb unique: one solution, several (two that differ), or none."""

from __future__ import annotations

import click

from twostep.compare.command.shared import options
from twostep.compare.command.shared.certificate import certificate_flag, write_certificate
from twostep.compare.command.shared.engines import (
    ask_each,
    disagree,
    load,
    no_solution,
    read,
    stopped_by,
)
from twostep.compare.command.shared.output import (
    EXIT_OF,
    Answer,
    Outcome,
    statistics,
    stop_of,
)
from twostep.compare.command.shared.progress import visible
from twostep.compare.command.shared.spreading import Spreading, spread_flags
from twostep.models.search.questions import Uniqueness, Verdict


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
