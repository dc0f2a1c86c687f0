"""A solution in a file: what ``twostep verify`` says of it, and which one it is."""

from __future__ import annotations

import click

from twostep.compare.command.shared.output import EXIT_OF, Answer, Outcome
from twostep.models.errors import InputError
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle
from twostep.models.families.puzzle import Puzzle
from twostep.models.game.playing import Table, read_placed, wrong_with
from twostep.models.language.model import Solution
from twostep.models.language.verify import fault
from twostep.models.reading.formats.modelfile import read_options


def verify_filling(filling: str, puzzle: PolyominoPuzzle, *, as_json: bool) -> int:
    """Tell whether the filling in a file is a solution; any one is."""
    wrong = wrong_with(puzzle, read_placed(filling, puzzle))
    outcome = Outcome.FOUND if wrong is None else Outcome.NONE
    if as_json:
        click.echo(Answer(puzzle.name, "verify", outcome, None, True, reason=wrong).as_json())
    else:
        click.echo("valid" if wrong is None else f"not valid: {wrong}")
    return EXIT_OF[outcome]


def solution_in(path: str, puzzle: Puzzle) -> Solution:
    """The solution in a file: a filled board, or options, one to a line, if there is no board.

    Raises:
        InputError: names the file, and says what is wrong.
    """
    if isinstance(puzzle, PolyominoPuzzle):
        placed = read_placed(path, puzzle)
        if (wrong := wrong_with(puzzle, placed)) is not None:
            raise InputError(f"no solution of {puzzle.name!r}: {wrong}", source=path)
        table = Table(puzzle)
        return table.whole(table.place(placed))
    solution = read_options(path, puzzle.model)
    if (wrong := fault(puzzle.model, solution)) is not None:
        raise InputError(f"no solution of {puzzle.name!r}: {wrong}", source=path)
    return solution
