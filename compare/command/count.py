"""The verb count: how many solutions there are."""

from __future__ import annotations

import click

from twostep.compare.agreement.verdict import Claim, contradict
from twostep.compare.command.shared import diagrams, options
from twostep.compare.command.shared.certificate import certificate_flag, write_certificate
from twostep.compare.command.shared.engines import (
    ask_each,
    disagree,
    load,
    read,
)
from twostep.compare.command.shared.estimate import estimate_flag, show_estimate
from twostep.compare.command.shared.exits import Exit
from twostep.compare.command.shared.output import (
    Answer,
    Outcome,
    counted,
    statistics,
    stop_of,
)
from twostep.compare.command.shared.progress import visible
from twostep.compare.command.shared.spreading import SpreadFlags, Spreading, spread_flags
from twostep.compare.registry import DEFAULT
from twostep.models.families.puzzle import Puzzle


@click.command()
@click.argument("puzzle")
@options.backend()
@options.all_limits
@diagrams.counting
@click.option(
    "-o",
    "--output",
    "path",
    metavar="FILE",
    callback=options.to_picture,
    help="With --heatmap: draw it, as a .png, .svg, .pdf or .gif.",
)
@spread_flags
@estimate_flag
@certificate_flag
@options.output
def count(
    puzzle: str,
    backend: str,
    limited: options.AllLimitFlags,
    countings: diagrams.Countings,
    path: str | None,
    spread: SpreadFlags,
    estimate: bool,
    certificate: str | None,
    output: options.OutputFlags,
) -> int:
    """Count the solutions of PUZZLE, without listing them."""
    options.at_most_one(estimate=estimate, **countings.given, certificate=certificate)
    if path is not None and not countings.heatmap:
        raise click.UsageError("-o goes with --heatmap: a count is printed")
    options.keep_apart([puzzle], path)
    how = Spreading(spread, backend, shown=visible(quiet=output.quiet))
    how.refuse(estimate=estimate, **countings.given)
    if estimate and (backend != DEFAULT or limited != options.AllLimitFlags(None, None, None)):
        raise click.UsageError("--estimate takes no --backend and no limit: it is done in seconds")
    asked, limits = read(puzzle, limited.limits)
    reason = asked.obstacle()
    if estimate:
        return show_estimate(asked, as_json=output.as_json, quiet=output.quiet)
    if reason is None and countings.up_to_symmetry:
        return diagrams.show_classes(
            asked, backend, limits, as_json=output.as_json, quiet=output.quiet
        )
    if reason is None and countings.heatmap:
        return diagrams.show_heatmap(asked, backend, limits, path, output)
    engines = [] if reason is not None else load(backend, quiet=output.quiet)
    results = ask_each(
        asked,
        engines,
        "count",
        limits,
        lambda each, limits, watch: how.count(each, asked, limits, watch),
        lambda late: late,
        quiet=output.quiet,
        note=lambda: how.note,
    )
    statistics(results, quiet=output.quiet or output.as_json)
    exact = {result.found for result in results if result.complete}
    most = max((result.found for result in results), default=0)
    if contradict([Claim.of(result) for result in results]):
        return disagree(asked, "count", results, as_json=output.as_json)
    complete = all(result.complete for result in results)
    # With both engines, a count is complete when both have ended.
    known = max(exact) if exact else most
    if output.as_json:
        outcome = Outcome.COUNT if complete else Outcome.UNKNOWN
        click.echo(
            Answer(
                asked.name,
                "count",
                outcome,
                known,
                complete,
                stop_of(results),
                results,
                reason=reason,
                facts=_of_none(asked, countings),
            ).as_json()
        )
    elif reason is not None:
        _ = _of_none(asked, countings)  # refuses what has no symmetries
        click.echo(f"0\n{reason}")
    else:
        click.echo(counted(known, complete=complete))
    whole = known if complete else None
    proven = write_certificate(certificate, asked, limits, exact=whole, quiet=output.quiet)
    return proven if complete else Exit.STOPPED


def _of_none(asked: Puzzle, countings: diagrams.Countings) -> list[tuple[str, object]]:
    """The members of an answer that needed no search, which is 0."""
    if countings.up_to_symmetry:
        return diagrams.symmetry_facts(asked, 0)
    return [("heatmap", [0] * asked.model.n_options)] if countings.heatmap else []
