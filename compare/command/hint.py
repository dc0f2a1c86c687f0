"""The verbs for one level: hint and explain."""

from __future__ import annotations

from typing import Any

import click

from twostep.compare.command.shared import options
from twostep.compare.command.shared.engines import load
from twostep.compare.command.shared.levels import level_puzzle, placements_json
from twostep.compare.command.shared.output import EXIT_OF, Answer, Outcome
from twostep.models.errors import InputError
from twostep.models.game.hints import Hint, HintSession, State, Strength
from twostep.models.game.playing import read_placed

# --- hint -----------------------------------------------------------------------------------


@click.command()
@click.argument("level")
@click.option(
    "--placed",
    metavar="FILE",
    help="The pieces placed so far: a picture with their letters, or JSON. Default: none.",
)
@click.option(
    "--strength",
    type=click.Choice([s.value for s in Strength]),
    default="move",
    show_default=True,
    help="Tell where to look, which piece, or the whole move.",
)
@options.time_limit(10, "Stop searching after so many seconds.")
@options.one_backend
@options.output
def hint(
    level: str,
    placed: str | None,
    strength: str,
    time_limit: float | None,
    backend: str,
    output: options.OutputFlags,
) -> int:
    """Give a hint for LEVEL: the next piece of a solution, or which pieces to take back."""
    puzzle = level_puzzle(level)
    locks = read_placed(placed, puzzle) if placed is not None else ()
    (chosen,) = load(backend, quiet=output.quiet)
    session = HintSession(puzzle, chosen, time_limit)
    try:
        found = session.hint(locks)
    except InputError as error:
        raise error.at(placed or level) from None
    wanted = Strength(strength)
    outcome = {
        State.MOVE: Outcome.FOUND,
        State.SOLVED: Outcome.FOUND,
        State.STUCK: Outcome.NONE,
        State.UNKNOWN: Outcome.UNKNOWN,
    }[found.state]
    if output.as_json:
        answer = Answer(
            puzzle.name,
            "hint",
            outcome,
            None,
            False,
            found.stopped,
            facts=[("hint", _hint_json(found, wanted))],
        )
        click.echo(answer.as_json())
    else:
        click.echo(found.text(wanted))
    return EXIT_OF[outcome]


def _hint_json(found: Hint, strength: Strength) -> dict[str, Any]:
    """No more than the hint's strength tells."""
    content: dict[str, Any] = {
        "state": found.state.value,
        "text": found.text(strength),
        "searched": found.searched,
        "seconds": round(found.seconds, 6),
    }
    if found.placement is not None:
        content |= {"cell": found.cell, "ways": found.ways, "one_piece": found.one_piece}
        if strength is not Strength.WHERE:
            content["piece"] = found.placement.piece
        if strength is Strength.MOVE:
            content["cells"] = found.placement.cells
    if found.take_back is not None:
        content["take_back"] = placements_json(found.take_back)
    return content


# --- explain --------------------------------------------------------------------------------
