"""The calendar puzzle: ``calendar:Jan-25``, or with the weekday: ``calendar:Apr-8-Thu``.

The cells of the board are the months and the days; eight pieces (seven pentominoes and the 2x3
rectangle) cover all but the two cells of a date. With weekdays on the board ten pieces (seven
pentominoes and three tetrominoes) leave three cells. ``:one-sided`` forbids to turn pieces over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

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
from twostep.models.families.puzzle import Choice, Family, Part, Puzzle
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


WEEKDAYS = ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")

WEEK_CELLS: dict[str, Cell] = {
    **CELLS,
    **{name: (6, 3 + number) for number, name in enumerate(WEEKDAYS[:4])},
    **{name: (7, 4 + number) for number, name in enumerate(WEEKDAYS[4:])},
}
"""The board with weekdays: four of them beside the last days, three below."""

WEEK_PIECES = tuple(
    Piece(name, named_shape(name)) for name in ("N", "Z", "P", "U", "L", "V", "T", "I4", "L4", "S4")
)


class Calendar(Puzzle):
    """The puzzle of one date.

    Attributes:
        left_free: the names of the cells that stay free.
        cells: the board's cells by name.
    """

    def __init__(self, name: str, left_free: tuple[str, ...], *, one_sided: bool = False) -> None:
        self.name = name
        self.left_free = left_free
        weekday = len(left_free) == 3
        self.cells = WEEK_CELLS if weekday else CELLS
        self.rows = 8 if weekday else 7
        free = sorted(cell for name, cell in self.cells.items() if name not in left_free)
        pieces = WEEK_PIECES if weekday else PIECES
        kinds = tuple(Kind(replace(piece, may_turn_over=not one_sided)) for piece in pieces)
        self._filling = PolyominoPuzzle(name, Board(self.rows, 7, tuple(free)), kinds)

    @property
    def remark(self) -> str:
        """The legend, where letters are not the names' first."""
        return self._filling.remark

    def parts(self, solution: Solution) -> tuple[Part, ...]:
        """The pieces and their cells."""
        return self._filling.parts(solution)

    def obstacle(self) -> str | None:
        """Known without a search: see polyominoes."""
        return self._filling.obstacle()

    def _name_of(self, cell: Cell) -> str:
        """What stands in a cell."""
        return next(name for name, place in self.cells.items() if place == cell)

    def build(self) -> Model:
        """The model of the pieces on the cells that are left: see polyominoes."""
        return self._filling.model

    def move(self, option: int) -> str:
        """``P on Jan, Feb, 1, 2 and 3``."""
        names = [self._name_of(cell) for cell in self.model.labels[option].cells]
        return f"{self.piece(option)} on {listed(names)}"

    def piece(self, option: int) -> str:
        """The piece's name."""
        return self._filling.piece(option)

    def need(self, item: int) -> str:
        """What stands in a cell, or ``piece P``."""
        cell = _cell_named(self.model.items[item])
        return self._filling.need(item) if cell is None else self._name_of(cell)

    def choice(self, item: int) -> Choice:
        """Of places for a piece, of ways to cover a cell."""
        return self._filling.choice(item)

    def read(self, rows: Sequence[str]) -> tuple[int, ...]:
        """The board with pieces' letters in columns of four characters, ``.`` where it is open."""
        named = {cell: name for name, cell in self.cells.items()}
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
        names = {self.cells[name]: name for name in self.left_free}
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
        fill: dict[Cell, Colour] = dict.fromkeys(self.cells.values(), Role.CELL)
        for option in laid:
            piece = self.model.labels[option]
            colour: Colour = [each.name for each in self._filling.kinds].index(piece.piece)
            piece_of.update(dict.fromkeys(piece.cells, piece))
            fill.update(
                dict.fromkeys(piece.cells, Role.MARK if option in marks.options else colour)
            )
        names: list[Shape] = [
            written(cell, name, size=0.4, bold=name in self.left_free)
            for name, cell in self.cells.items()
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
        date = {self.cells[name]: name for name in self.left_free}
        layers = (
            Layer(
                "board",
                (
                    *areas(self.cells.values(), fill.__getitem__, self._name_of),
                    *hairlines(self.cells.values()),
                ),
            ),
            Layer(
                "pieces", tuple(borders({cell: piece_of.get(cell) for cell in self.cells.values()}))
            ),
            Layer("date", tuple(borders(date))),
            Layer("names", tuple(names)),
            Layer("marks", tuple(around)),
        )
        return Scene(self.name, 7, self.rows, layers, self.draw(laid))


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
    """The puzzle of a date such as ``Jan-25`` or ``Apr-8-Thu``, perhaps with ``:one-sided``.

    Raises:
        InputError: no date of any year.
    """
    date, colon, how = text.partition(":")
    if colon and how != "one-sided":
        raise InputError(f"{how[:20]!r}: expected one-sided behind the date")
    found = re.fullmatch(r"([^-]+)-([0-9]{1,2})(?:-([^-]+))?", date, re.ASCII)
    if found is None:
        raise InputError(
            f"date {date[:40]!r}: expected MONTH-DAY[-WEEKDAY], such as Jan-25 or Apr-8-Thu"
        )
    month = found.group(1).capitalize()
    if month not in MONTHS:
        raise InputError(f"month {found.group(1)[:20]!r}{did_you_mean(month, MONTHS)}")
    day, longest = int(found.group(2)), _LONGEST[MONTHS.index(month)]
    if not 1 <= day <= longest:
        raise InputError(f"day {day}: {month} has days 1 to {longest}")
    left_free: tuple[str, ...] = month, str(day)
    if found.group(3) is not None:
        weekday = found.group(3).capitalize()
        if weekday not in WEEKDAYS:
            known = did_you_mean(weekday, WEEKDAYS)
            raise InputError(f"weekday {found.group(3)[:20]!r}{known}")
        left_free += (weekday,)
    return Calendar(f"calendar:{text}", left_free, one_sided=bool(colon))


FAMILY = Family(
    "calendar",
    "pieces cover a calendar but for the month, the day and perhaps the weekday",
    "calendar:MONTH-DAY[-WEEKDAY][:one-sided]",
    ("calendar:Jan-25", "calendar:Jan-25:one-sided", "calendar:Apr-8-Thu", "calendar:Oct-6"),
    parse,
)
