"""The flag ``count --estimate``: how large a count would be, before it is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twostep.compare.command.shared.exits import Exit
from twostep.compare.command.shared.output import Answer, Outcome
from twostep.compare.command.shared.progress import announce_compilation
from twostep.compare.registry import that_can
from twostep.models.families.puzzle import Puzzle
from twostep.models.search.abilities import Estimates

if TYPE_CHECKING:
    from twostep.models.search.estimates import Estimate


def show_estimate(asked: Puzzle, *, as_json: bool, quiet: bool) -> Exit:
    """Print an estimate of the search tree of a puzzle and of its solutions."""
    announce_compilation(quiet=quiet)
    found = that_can(Estimates).estimate(asked.model)
    if as_json:
        facts = [
            ("walks", found.walks),
            ("walks_to_a_solution", found.reached),
            ("exact", found.exact),
            ("nodes", dict(_members(found.nodes))),
            ("solutions_estimate", dict(_members(found.solutions))),
        ]
        answer = Answer(asked.name, "estimate", Outcome.UNKNOWN, None, False, facts=facts)
        click.echo(answer.as_json())
        return Exit.OK
    if found.exact:
        click.echo(
            f"nodes: {found.nodes.mean:.0f}, solutions: {found.solutions.mean:.0f}"
            " (exact: there is nothing to choose)"
        )
        return Exit.OK
    click.echo(f"nodes: {_words(found.nodes)}")
    if found.reached:
        click.echo(f"solutions: {_words(found.solutions)}")
    else:
        click.echo(
            f"solutions: no idea: none of {found.walks:,} random walks reached one"
            " (there may be none, or many)"
        )
    for what, each in (("nodes", found.nodes), ("solutions", found.solutions)):
        if each.worthless and each.mean:
            click.echo(
                f"the estimate of the {what} is worthless: the walks differ too much"
                f" (standard error {100 * each.error:.0f} %, the largest of {found.walks:,} walks"
                f" makes up {100 * each.dominant:.0f} % of the sum)"
            )
    return Exit.OK


def _words(estimate: Estimate) -> str:
    def number(value: float) -> str:
        return f"{value:,.0f}" if value < 1e7 else f"{value:.2e}"

    return (
        f"about {number(estimate.mean)}"
        f" (95 % confidence: {number(estimate.low)} to {number(estimate.high)})"
    )


def _members(estimate: Estimate) -> list[tuple[str, object]]:
    def finite(value: float) -> float | None:
        return value if value < float("inf") else None

    return [
        ("mean", finite(estimate.mean)),
        ("low", finite(estimate.low)),
        ("high", finite(estimate.high)),
        ("relative_error", finite(estimate.error)),
        ("largest_share", estimate.dominant),
        ("worthless", estimate.worthless),
    ]
