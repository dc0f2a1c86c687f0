"""The calendar puzzle: ``calendar:Jan-25``.

The cells of the board are the months and the days; eight pieces (seven pentominoes and the 2x3
rectangle) cover all but the two cells of a date.
"""

from __future__ import annotations

import re

from twostep.models.errors import InputError, did_you_mean
from twostep.models.families.polyomino.board import Board
from twostep.models.families.polyomino.pieces import Cell, Kind, Piece, named_shape
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle
from twostep.models.families.puzzle import Family, Puzzle
from twostep.models.language.model import Model, Solution

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

    def draw(self, solution: Solution) -> str:
        """The board, the month and the day in their places."""
        names = {CELLS[name]: name for name in self.left_free}
        lines = []
        for r, row in enumerate(self._filling.draw(solution).split("\n")):
            cells = (
                names.get((r, c), "" if letter == "#" else letter) for c, letter in enumerate(row)
            )
            lines.append("".join(f"{cell:<4}" for cell in cells).rstrip())
        return "\n".join(lines)


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
