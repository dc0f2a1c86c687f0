"""What ``twostep verify`` says of a filling; a certificate is for :mod:`proofs`."""

from __future__ import annotations

import click

from twostep.compare.command.output import EXIT_OF, Answer, Outcome
from twostep.models.levels.playing import read_placed, wrong_with
from twostep.models.polyomino.puzzle import PolyominoPuzzle


def verify_filling(filling: str, puzzle: PolyominoPuzzle, *, as_json: bool) -> int:
    """Tell whether the filling in a file is a solution; any one is."""
    wrong = wrong_with(puzzle, read_placed(filling, puzzle))
    outcome = Outcome.FOUND if wrong is None else Outcome.NONE
    if as_json:
        click.echo(Answer(puzzle.name, "verify", outcome, None, True, reason=wrong).as_json())
    else:
        click.echo("valid" if wrong is None else f"not valid: {wrong}")
    return EXIT_OF[outcome]
