"""The calendar puzzle: ``calendar:Jan-25``.

The cells of the board are the months and the days; eight pieces (seven pentominoes and the 2x3
rectangle) cover all but the two cells of a date.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from twostep.models.drawing.grid import areas, borders, hairlines, outlined, written
from twostep.models.drawing.scene import (
    NO_MARKS,
    Colour,
    Layer,
    Marks,
    Role,
    Scene,
    Shape,
    Text,
    centre,
)
from twostep.models.errors import InputError, did_you_mean
from twostep.models.families.classics.given import misread
from twostep.models.families.polyomino.board import Board
from twostep.models.families.polyomino.pieces import Cell, Kind, Piece, named_shape
from twostep.models.families.polyomino.placement import Placement
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle
from twostep.models.families.puzzle import Choice, Family, Puzzle
from twostep.models.language.model import Model, Solution
from twostep.models.words import listed

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_LONGEST = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

CELLS: dict[str, Cell] = {
    **{month: divmod(place, 6) for place, month in enumerate(MONTHS)},
    **{str(day): (2 + (day - 1) // 7, (day - 1) % 7) for day in range(1, 32)},
}
"""The name of each cell of the board, and its place: six months a row, then seven days."""

PIECES = (
    *(Piece(letter, named_shape(letter)) for letter in "LNPUVYZ"),
    Piece("R", tuple((r, c) for r in range(2) for c in range(3))),
)


class Calendar(Puzzle):
    """The puzzle of one date."""

    def __init__(self, name: str, month: str, day: int) -> None:
        self.name = name
        self.left_free = (month, str(day))
        free = sorted(cell for cell_name, cell in CELLS.items() if cell_name not in self.left_free)
        kinds = tuple(Kind(piece) for piece in PIECES)
        self._filling = PolyominoPuzzle(name, Board(7, 7, tuple(free)), kinds)

    def build(self) -> Model:
        """The model of the pieces on the cells that are left: see polyominoes."""
        return self._filling.model

    def move(self, option: int) -> str:
        """``P on Jan, Feb, 1, 2 and 3``."""
        names = [_name_of(cell) for cell in self.model.labels[option].cells]
        return f"{self.piece(option)} on {listed(names)}"

    def piece(self, option: int) -> str:
        """The piece's name."""
        return self._filling.piece(option)

    def need(self, item: int) -> str:
        """What stands in a cell, or ``piece P``."""
        cell = _cell_named(self.model.items[item])
        return self._filling.need(item) if cell is None else _name_of(cell)

    def choice(self, item: int) -> Choice:
        """Of places for a piece, of ways to cover a cell."""
        return self._filling.choice(item)

    def read(self, rows: Sequence[str]) -> tuple[int, ...]:
        """The board with pieces' letters in columns of four characters, ``.`` where it is open."""
        named = {cell: name for name, cell in CELLS.items()}
        drawing = []
        for r, row in enumerate(rows):
            line = ""
            for c in range(7):
                sign = row[4 * c : 4 * c + 4].strip()
                free = (r, c) in self._filling.board
                if len(sign) > 1 and sign != named.get((r, c)):
                    raise misread(f"{sign!r} is no piece's letter", r, 4 * c)
                shown = "." if sign in (".", "", named.get((r, c))) else sign
                line += shown if free else "#"
            drawing.append(line)
        return self._filling.read(drawing)

    def draw(self, solution: Solution) -> str:
        """The board, the month and the day in their places."""
        names = {CELLS[name]: name for name in self.left_free}
        rows = []
        for r, row in enumerate(self._filling.draw(solution).split("\n")):
            cells = (
                names.get((r, c), "" if letter == "#" else letter) for c, letter in enumerate(row)
            )
            rows.append("".join(f"{cell:<4}" for cell in cells).rstrip())
        return "\n".join(rows)

    def picture(self, placed: Iterable[int] = (), marks: Marks = NO_MARKS) -> Scene:
        """The calendar's board; the pieces hide what they cover."""
        laid = tuple(placed)
        piece_of: dict[Cell, Placement] = {}
        fill: dict[Cell, Colour] = dict.fromkeys(CELLS.values(), Role.CELL)
        for option in laid:
            piece = self.model.labels[option]
            colour: Colour = [each.name for each in PIECES].index(piece.piece)
            piece_of.update(dict.fromkeys(piece.cells, piece))
            fill.update(
                dict.fromkeys(piece.cells, Role.MARK if option in marks.options else colour)
            )
        names: list[Shape] = [
            written(cell, name, size=0.4, bold=name in self.left_free)
            for name, cell in CELLS.items()
            if cell not in piece_of
        ]
        pieces = dict.fromkeys(piece_of.values())
        names += [_letter(piece, fill[piece.cells[0]]) for piece in pieces]
        around = [
            shape
            for item in marks.items
            if (cell := _cell_named(self.model.items[item])) is not None
            for shape in outlined([cell])
        ]
        date = {CELLS[name]: name for name in self.left_free}
        layers = (
            Layer(
                "board",
                (*areas(CELLS.values(), fill.__getitem__, _name_of), *hairlines(CELLS.values())),
            ),
            Layer("pieces", tuple(borders({cell: piece_of.get(cell) for cell in CELLS.values()}))),
            Layer("date", tuple(borders(date))),
            Layer("names", tuple(names)),
            Layer("marks", tuple(around)),
        )
        return Scene(self.name, 7, 7, layers, self.draw(laid))


def _name_of(cell: Cell) -> str:
    """What stands in a cell."""
    return next(name for name, place in CELLS.items() if place == cell)


def _cell_named(item: str) -> Cell | None:
    """The cell of an item; None: it is a piece's."""
    row, comma, column = item.partition(",")
    return (int(row), int(column)) if comma else None


def _letter(piece: Placement, on: Colour) -> Text:
    """The piece's letter in that one of its cells that is nearest to its middle."""
    x, y = centre((c + 0.5, r + 0.5) for r, c in piece.cells)
    best = min(piece.cells, key=lambda cell: abs(cell[1] + 0.5 - x) + abs(cell[0] + 0.5 - y))
    return written(best, piece.piece, on)


def parse(text: str) -> Calendar:
    """The puzzle of a date such as ``Jan-25``.

    Raises:
        InputError: no date of any year.
    """
    found = re.fullmatch(r"([^-]+)-([0-9]{1,2})", text, re.ASCII)
    if found is None:
        raise InputError(f"date {text[:40]!r}: expected MONTH-DAY, such as Jan-25")
    month = found.group(1).capitalize()
    if month not in MONTHS:
        raise InputError(f"month {found.group(1)[:20]!r}{did_you_mean(month, MONTHS)}")
    day, longest = int(found.group(2)), _LONGEST[MONTHS.index(month)]
    if not 1 <= day <= longest:
        raise InputError(f"day {day}: {month} has days 1 to {longest}")
    return Calendar(f"calendar:{text}", month, day)


FAMILY = Family(
    "calendar",
    "eight pieces cover a calendar but for the month and the day",
    "calendar:MONTH-DAY",
    ("calendar:Jan-25", "calendar:Oct-6"),
    parse,
)
