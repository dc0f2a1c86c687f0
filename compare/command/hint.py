"""The verb hint: the next step of a puzzle, with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from twostep.compare.command.shared import options
from twostep.compare.command.shared.deadline import OutOfTime, alarm
from twostep.compare.command.shared.engines import load, read
from twostep.compare.command.shared.levels import moves_json
from twostep.compare.command.shared.output import EXIT_OF, Answer, Outcome
from twostep.compare.command.shared.pictures import write_pictures
from twostep.models.drawing.files import Form
from twostep.models.drawing.scene import Marks, Scene
from twostep.models.drawing.sheet import Card
from twostep.models.errors import InputError
from twostep.models.families.polyomino.placement import Placement
from twostep.models.families.puzzle import Puzzle
from twostep.models.play.hints import Hint, HintSession, State, Strength, Why
from twostep.models.play.placed import read_placed
from twostep.models.search.engine import Engine, Limits, StopReason

_OUTCOME = {
    State.MOVE: Outcome.FOUND,
    State.SOLVED: Outcome.FOUND,
    State.STUCK: Outcome.NONE,
    State.UNKNOWN: Outcome.UNKNOWN,
}


@click.command()
@click.argument("puzzle")
@click.option(
    "--placed",
    metavar="FILE",
    help="What was placed so far: drawn as `solve` draws it, with . where it is open, or JSON."
    "  [default: nothing]",
)
@click.option(
    "--strength",
    type=click.Choice([s.value for s in Strength]),
    default="move",
    show_default=True,
    help="Tell where to look, which piece (digit, word ...) comes there, or the whole move.",
)
@click.option(
    "-o",
    "--output",
    "path",
    metavar="FILE",
    callback=options.to_picture,
    help="Also draw the board, with the step or what to take back marked.",
)
@options.time_limit(10, "Stop searching after so many seconds.")
@options.backend()
@options.output
def hint(
    puzzle: str,
    placed: str | None,
    strength: str,
    path: str | None,
    time_limit: float | None,
    backend: str,
    output: options.OutputFlags,
) -> int:
    """Give a hint for PUZZLE: the next step and why, or what to take back.

    With --backend both, the second engine checks what the first one says.
    """
    options.keep_apart([puzzle, *([] if placed is None else [placed])], path)
    asked, limits = read(puzzle, Limits(seconds=time_limit))
    engines = load(backend, quiet=output.quiet)
    found = _found(asked, placed, engines, limits.seconds)
    wanted = Strength(strength)
    outcome = _OUTCOME[found.state]
    if path is not None:
        lying = read_placed(placed, asked) if placed is not None else ()
        write_pictures(path, [Card(_scene(found, lying, wanted))], Form())
    if output.as_json:
        facts = [("hint", _hint_json(found, wanted))]
        answer = Answer(asked.name, "hint", outcome, None, False, found.stopped, facts=facts)
        click.echo(answer.as_json())
    else:
        click.echo(found.text(wanted))
    return EXIT_OF[outcome]


def _found(asked: Puzzle, placed: str | None, engines: list[Engine], seconds: float | None) -> Hint:
    """The hint, with what was placed read from a file, if one is given."""
    first, *others = engines
    try:
        with alarm(seconds):
            session = HintSession(asked, first, seconds, others[0] if others else None)
            lying = read_placed(placed, asked) if placed is not None else ()
            return session.hint(lying)
    except OutOfTime:
        return Hint(asked, State.UNKNOWN, stopped=StopReason.TIME)
    except InputError as error:
        raise error.at(placed or asked.name) from None


def _scene(found: Hint, lying: Sequence[int], strength: Strength) -> Scene:
    """The board with what was placed, and no more of the hint than its strength tells."""
    told = list(found.take_back or ())
    shown = list(dict.fromkeys([*found.puzzle.model.chosen, *lying]))
    if found.option is not None and strength is Strength.MOVE:
        told.append(found.option)
        shown.append(found.option)
    items = [found.item] if found.item is not None else []
    return found.puzzle.picture(shown, Marks(frozenset(told), frozenset(items)))


def _hint_json(found: Hint, strength: Strength) -> dict[str, Any]:
    """No more than the hint's strength tells."""
    content: dict[str, Any] = {
        "state": found.state.value,
        "text": found.text(strength),
        "hopeless": found.hopeless,
        "searched": found.searched,
        "confirmed": found.confirmed,
        "seconds": round(found.seconds, 6),
    }
    if found.option is not None:
        puzzle, label = found.puzzle, found.puzzle.model.labels[found.option]
        content |= {
            "why": found.why.value,
            "forced": found.why in (Why.ONLY, Why.AHEAD),
            "ways": found.ways,
        }
        if strength is not Strength.WHERE:
            content["piece"] = puzzle.piece(found.option)
        if strength is Strength.MOVE:
            content |= {"move": puzzle.move(found.option), "option": found.option}
            if isinstance(label, Placement):
                content["cells"] = label.cells
            if found.item is not None:
                content["item"] = puzzle.model.items[found.item]
    if found.take_back is not None:
        content["take_back"] = moves_json(found.puzzle, found.take_back)
    if found.take_away is not None:
        content["take_away"] = [clue.text for clue in found.take_away]
    return content
