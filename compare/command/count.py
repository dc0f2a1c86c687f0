"""The verbs count and unique, and what all verbs share that ask one engine or both."""

from __future__ import annotations

import click

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
from twostep.compare.command.shared.spreading import Spreading, spread_flags


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
