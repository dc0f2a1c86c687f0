"""The verb count: how many solutions there are.

What only a flag asks for is imported when that flag is given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import click

from twostep.compare.command.shared import options
from twostep.compare.command.shared.engines import (
    ask_each,
    differ,
    disagree,
    load,
    read,
)
from twostep.compare.command.shared.exits import Exit
from twostep.compare.command.shared.output import (
    Answer,
    Outcome,
    counted,
    statistics,
    stop_of,
)
from twostep.compare.command.shared.progress import visible
from twostep.compare.registry import DEFAULT
from twostep.models.families.puzzle import Puzzle
from twostep.models.search import questions
from twostep.models.search.engine import Engine, Limits, SearchResult, Watch


@dataclass(frozen=True, slots=True)
class Countings:
    """What else to count: ``--up-to-symmetry`` and ``--heatmap``."""

    up_to_symmetry: bool = options.flag(
        "--up-to-symmetry",
        is_flag=True,
        help="Also how many are different when turned and mirrored ones count as one.",
    )
    heatmap: bool = options.flag(
        "--heatmap", is_flag=True, help="Show in how many solutions each option is."
    )

    @property
    def given(self) -> Mapping[str, object]:
        """The flags by name, for :func:`options.at_most_one`."""
        return {"up_to_symmetry": self.up_to_symmetry, "heatmap": self.heatmap}


@click.command()
@click.argument("puzzle")
@options.backend()
@options.all_limits
@options.group("countings", Countings)
@click.option(
    "-o",
    "--output",
    "path",
    metavar="FILE",
    callback=options.to_picture,
    help="With --heatmap: draw it, as a .png, .svg, .pdf or .gif.",
)
@options.spread_flags
@options.estimate_flag
@options.certificate_flag
@options.output
def count(
    puzzle: str,
    backend: str,
    limited: options.AllLimitFlags,
    countings: Countings,
    path: str | None,
    spread: options.SpreadFlags,
    estimate: bool,
    certificate: str | None,
    output: options.OutputFlags,
) -> int:
    """Count the solutions of PUZZLE, without listing them."""
    options.at_most_one(estimate=estimate, **countings.given, certificate=certificate)
    if path is not None and not countings.heatmap:
        raise click.UsageError("-o goes with --heatmap: a count is printed")
    options.keep_apart([puzzle], path)
    asking = _whole
    note: Callable[[], str] = str
    if spread.wanted:
        from twostep.compare.command.shared.spreading import Spreading

        how = Spreading(spread, backend, shown=visible(quiet=output.quiet))
        how.refuse(estimate=estimate, **countings.given)
        asking, note = how.count, lambda: how.note
    if estimate and (backend != DEFAULT or limited != options.AllLimitFlags(None, None, None)):
        raise click.UsageError("--estimate takes no --backend and no limit: it is done in seconds")
    asked, limits = read(puzzle, limited.limits)
    reason = asked.obstacle()
    if estimate:
        from twostep.compare.command.shared.estimate import show_estimate

        return show_estimate(asked, as_json=output.as_json, quiet=output.quiet)
    if countings.up_to_symmetry or countings.heatmap:
        from twostep.compare.command.shared import diagrams
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
        lambda each, limits, watch: asking(each, asked, limits, watch),
        lambda late: late,
        quiet=output.quiet,
        note=note,
    )
    statistics(results, quiet=output.quiet or output.as_json)
    exact = {result.found for result in results if result.complete}
    most = max((result.found for result in results), default=0)
    if differ(results):
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
    proven = Exit.OK
    if certificate is not None:
        from twostep.compare.command.shared.certificate import write_certificate

        proven = write_certificate(certificate, asked, limits, exact=whole, quiet=output.quiet)
    return proven if complete else Exit.STOPPED


def _whole(each: Engine, asked: Puzzle, limits: Limits, watch: Watch | None) -> SearchResult:
    """Count with one engine, not in parts."""
    return questions.count(each, asked.model, limits, watch=watch)


def _of_none(asked: Puzzle, countings: Countings) -> list[tuple[str, object]]:
    """The members of an answer that needed no search, which is 0."""
    if countings.up_to_symmetry:
        from twostep.compare.command.shared import diagrams

        return diagrams.symmetry_facts(asked, 0)
    return [("heatmap", [0] * asked.model.n_options)] if countings.heatmap else []
