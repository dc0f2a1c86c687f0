"""What the tests of the Tetris printer share: sprites from drawings, and games played."""

from __future__ import annotations

from twostep.models.families.tetris.field import Drop, Field, Game, compare
from twostep.models.families.tetris.pieces import Cell
from twostep.models.families.tetris.printfile import Program
from twostep.models.families.tetris.sprite import EMPTY, Sprite

COLOURS = ("FF0000", "00FF00", "0000FF")
RGB = ((255, 0, 0), (0, 255, 0), (0, 0, 255))
FOOT = {"J": 2, "T": 1, "L": 0}
"""Emitting piece -> column of its foot, from the first column of its bar."""


def sprite(*lines: str) -> Sprite:
    """A sprite from a drawing, the top line first: 1, 2, 3 are colours, a dot is transparent."""
    seen: dict[str, int] = {}
    pixels = []
    for line in lines:
        for character in line:
            if character != ".":
                seen.setdefault(character, len(seen) + 1)
        pixels.append(tuple(seen.get(character, EMPTY) for character in line))
    return Sprite(RGB[: len(seen)], tuple(reversed(pixels)))


def game_of(program: Program) -> tuple[Field, list[Drop]]:
    """The field at the end, and every drop."""
    game = Game(program)
    moves = list(game.play())
    return game.field, moves


def squares(field: Field) -> dict[Cell, int]:
    return {(x, y): v for y, row in enumerate(field.rows) for x, v in enumerate(row) if v != EMPTY}


def check_printed(program: Program, picture: Sprite) -> None:
    """The program, played, leaves exactly the picture."""
    field, _ = game_of(program)
    comparison = compare(field, program, picture)
    assert comparison.difference is None, comparison.difference
