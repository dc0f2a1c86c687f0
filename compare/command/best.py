"""The verb best: the cheapest solutions, proven."""

from __future__ import annotations

from collections.abc import Sequence

import click

from twostep.compare.agreement.verdict import Claim, contradict
from twostep.compare.command.shared import options
from twostep.compare.command.shared.engines import (
    ask_each,
    disagree,
    load,
    no_solution,
    read,
    stopped_by,
)
from twostep.compare.command.shared.exits import Exit
from twostep.compare.command.shared.output import EXIT_OF, Answer, Outcome, stop_of, work
from twostep.compare.command.shared.progress import visible
from twostep.compare.command.shared.spreading import Spreading
from twostep.models.search.questions import Listing


@click.command()
@click.argument("puzzle")
@click.option(
    "-k",
    "number",
    type=options.Whole(min=1),
    default=1,
    show_default=True,
    help="How many of the cheapest solutions.",
)
@options.backend()
@options.limits
@options.spread_flags
@options.output
def best(
    puzzle: str,
    number: int,
    backend: str,
    limited: options.LimitFlags,
    spread: options.SpreadFlags,
    output: options.OutputFlags,
) -> int:
    """Print the solutions of PUZZLE whose options cost least in all, cheapest first."""
    how = Spreading(spread, backend, shown=visible(quiet=output.quiet))
    asked, limits = read(puzzle, limited.limits)
    if (reason := asked.obstacle()) is not None:
        return no_solution(asked, "best", reason, as_json=output.as_json)
    listings = ask_each(
        asked,
        load(backend, quiet=output.quiet),
        "best",
        limits,
        lambda each, limits, watch: how.best(each, asked, number, limits, watch),
        lambda late: Listing((), late),
        quiet=output.quiet,
        note=lambda: how.note,
    )
    costs = [[asked.model.cost(solution) for solution in each.solutions] for each in listings]
    results = [each.result for each in listings]
    if not (output.quiet or output.as_json):
        _statistics(listings)
    if contradict([Claim.cheapest(each, asked.model, number) for each in listings]):
        return disagree(asked, "best", results, as_json=output.as_json)
    shown = next((i for i, each in enumerate(listings) if each.result.complete), 0)
    proven = listings[shown].result.complete
    complete = all(result.complete for result in results)
    boards = [asked.draw(solution) for solution in listings[shown].solutions]
    outcome = Outcome.FOUND if boards else Outcome.NONE if proven else Outcome.UNKNOWN
    stopped = stop_of(results)
    if output.as_json:
        click.echo(
            Answer(
                asked.name,
                "best",
                outcome,
                len(boards),
                complete,
                stopped,
                results,
                boards,
                facts=[("costs", costs[shown]), ("proven", proven)],
            ).as_json()
        )
    elif not boards:
        words = (
            "no solution" if proven else f"nothing found before the limit ({stopped_by(stopped)})"
        )
        click.echo(words)
    else:
        doubt = "" if proven else f" (cheapest known when stopped: {stopped_by(stopped)})"
        priced = zip(costs[shown], boards, strict=True)
        click.echo("\n\n".join(f"cost {cost}{doubt}\n{board}" for cost, board in priced))
    if outcome is Outcome.FOUND and not complete:
        return Exit.STOPPED
    return EXIT_OF[outcome]


def _statistics(listings: Sequence[Listing]) -> None:
    for each in listings:
        result = each.result
        why = "proven" if result.complete else f"not proven, stopped: {result.stopped.value}"
        click.echo(f"{result.engine}: {why} {work(result)}", err=True)
