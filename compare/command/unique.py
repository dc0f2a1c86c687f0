"""The verb unique: one solution, several (two that differ), or none."""

from __future__ import annotations

import click

from twostep.compare.agreement.digest import Listed
from twostep.compare.agreement.verdict import Claim, contradict
from twostep.compare.command.shared import options
from twostep.compare.command.shared.certificate import write_certificate
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
from twostep.compare.command.shared.spreading import Spreading
from twostep.models.search.questions import Uniqueness, Verdict


@click.command()
@click.argument("puzzle")
@options.backend()
@options.all_limits
@options.seed
@options.spread_flags
@options.certificate_flag
@options.output
def unique(
    puzzle: str,
    backend: str,
    limited: options.AllLimitFlags,
    seed: int,
    spread: options.SpreadFlags,
    certificate: str | None,
    output: options.OutputFlags,
) -> int:
    """Tell whether PUZZLE has one solution, several (two are shown), or none."""
    how = Spreading(spread, backend, shown=visible(quiet=output.quiet))
    how.refuse(seed=seed)
    asked, limits = read(puzzle, limited.limits)
    if (reason := asked.obstacle()) is not None:
        write_certificate(certificate, asked, limits, exact=0, quiet=output.quiet)
        return no_solution(asked, "unique", reason, as_json=output.as_json)
    engines = load(backend, quiet=output.quiet)
    answers = ask_each(
        asked,
        engines,
        "unique",
        limits,
        lambda each, limits, watch: how.unique(each, asked, limits, watch, seed),
        lambda late: Uniqueness(Verdict.UNKNOWN, (), late),
        quiet=output.quiet,
        note=lambda: how.note,
    )
    results = [answer.result for answer in answers]
    statistics(results, quiet=output.quiet or output.as_json)
    claims = [
        Claim.listing(
            answer.result.engine,
            len(answer.solutions),
            answer.result.complete,
            Listed(answer.solutions),
        )
        for answer in answers
    ]
    if contradict(claims):
        return disagree(asked, "unique", results, as_json=output.as_json)
    verdict = answers[0].verdict if len({a.verdict for a in answers}) == 1 else Verdict.UNKNOWN
    boards = [asked.draw(solution) for solution in answers[0].solutions]
    if output.as_json:
        click.echo(
            Answer(
                asked.name,
                "unique",
                Outcome(verdict.value),
                len(boards),
                verdict in (Verdict.UNIQUE, Verdict.NONE),
                stop_of(results) if verdict is Verdict.UNKNOWN else None,
                results,
                boards,
            ).as_json()
        )
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
        certificate, asked, limits, exact=known, solutions=answers[0].solutions, quiet=output.quiet
    )
    return EXIT_OF[Outcome(verdict.value)]
