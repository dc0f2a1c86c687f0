"""The moves of a game, for other players' engines: turn, shift, drop for every piece.

A piece comes in just above the field in a square box (I: 4 x 4, O: 2 x 2, the others 3 x 3) that
stands in the middle of the columns, rounded to the left: it begins in column 8 for I and in
column 9 for the others, counted from 0. ``turns`` are clockwise quarter turns of the box's
content in the box, ``shift`` is by how many columns the box then moves to the right (negative: to
the left), and the piece is dropped. For engines that turn about other points, ``column`` is
where the leftmost cell ends up, and ``row`` where the lowest cell comes to rest.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from twostep.models.families.tetris.field import Drop
from twostep.models.families.tetris.pieces import HEIGHT, WIDTH, Placement, box_cells

SCHEMA = "twostep-tetris-moves/1"


@dataclass(frozen=True, slots=True)
class Move:
    """What a player does with one piece.

    Attributes:
        piece: its letter.
        turns: clockwise quarter turns, 0 to 3.
        shift: columns to the right after turning.
        column: the leftmost column of the piece in the field, from 0.
        row: the row in which its lowest cell comes to rest, from 0, the floor.
    """

    piece: str
    turns: int
    shift: int
    column: int
    row: int


def entry_column(letter: str) -> int:
    """The first column of the box in which a piece comes in."""
    _, side = box_cells(letter, 0)
    return (WIDTH - side) // 2


def move_to(placement: Placement) -> Move:
    """The move that brings a piece to where it rests."""
    orientation = placement.orientation
    shift = placement.column - orientation.left - entry_column(orientation.letter)
    return Move(orientation.letter, orientation.turns, shift, placement.column, placement.row)


def moves_of(drops: Iterable[Drop]) -> list[Move]:
    """The moves of a game."""
    return [move_to(drop.placement) for drop in drops]


def to_json(moves: Iterable[Move]) -> str:
    """The moves as one JSON object."""
    listed = [
        {
            "piece": move.piece,
            "turns": move.turns,
            "shift": move.shift,
            "column": move.column,
            "row": move.row,
        }
        for move in moves
    ]
    content = {"schema": SCHEMA, "width": WIDTH, "height": HEIGHT, "moves": listed}
    return json.dumps(content, separators=(",", ":")).replace('{"piece"', '\n{"piece"') + "\n"


def to_text(moves: Iterable[Move]) -> str:
    """A line per piece: letter, quarter turns clockwise, columns to the right, drop."""
    lines = [f"# piece, turns clockwise, shift to the right; field {WIDTH} x {HEIGHT}"]
    lines += [f"{move.piece} turn {move.turns} shift {move.shift:+d} drop" for move in moves]
    return "\n".join(lines) + "\n"
