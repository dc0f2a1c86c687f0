"""The seven tetrominoes in a field 21 wide: 19 orientations, 371 ways to drop one.

Every other module of the printer takes the pieces from here. An orientation is a number of
clockwise quarter turns from the position in which the piece comes in: I, O, S, Z lie flat, the
third side of J, L and T points down.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

WIDTH = 21
"""Columns of the field."""

HEIGHT = 42
"""Rows of the field."""

Cell = tuple[int, int]
"""Column and row, the row counted upwards."""

_BOXES: dict[str, tuple[str, ...]] = {
    # As the piece comes in, in the box in which it is turned; the top line first.
    "I": ("....", "....", "####", "...."),
    "O": ("##", "##"),
    "S": ("...", ".##", "##."),
    "Z": ("...", "##.", ".##"),
    "J": ("...", "###", "..#"),
    "L": ("...", "###", "#.."),
    "T": ("...", "###", ".#."),
}

LETTERS = tuple(_BOXES)
"""The pieces' names."""

EMITTERS = ("J", "T", "L")
"""The pieces that make the squares of the first, second and third colour."""

MAX_COLOURS = len(EMITTERS)
"""How many colours a picture can have."""


@dataclass(frozen=True, slots=True)
class Orientation:
    """A tetromino turned one way.

    Attributes:
        letter: the piece's name.
        turns: clockwise quarter turns from the position in which it comes in.
        cells: its four cells, ascending; the lowest row and the leftmost column are 0.
        width, height: of its bounding box, cells.
        underside: per column, the row of the lowest cell.
        left: column of the bounding box in the square box in which the piece is turned.
    """

    letter: str
    turns: int
    cells: tuple[Cell, ...]
    width: int
    height: int
    underside: tuple[int, ...]
    left: int


@dataclass(frozen=True, slots=True)
class Placement:
    """An orientation at a place: its bounding box begins at `column` and `row`."""

    orientation: Orientation
    column: int
    row: int

    @property
    def letter(self) -> str:
        """The piece's name."""
        return self.orientation.letter

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The four cells, ascending."""
        return tuple((self.column + x, self.row + y) for x, y in self.orientation.cells)

    @staticmethod
    def of(cells: Iterable[Cell]) -> Placement | None:
        """The placement that covers exactly these cells; None if they are no tetromino."""
        found = list(cells)
        left, bottom = min(x for x, _ in found), min(y for _, y in found)
        shape = tuple(sorted((x - left, y - bottom) for x, y in found))
        orientation = _by_cells().get(shape)
        return None if orientation is None else Placement(orientation, left, bottom)


def box_cells(letter: str, turns: int) -> tuple[tuple[Cell, ...], int]:
    """The cells of a piece in the square box in which it turns, and the box's side."""
    lines = _BOXES[letter]
    side = len(lines)
    cells = [
        (x, side - 1 - y) for y, line in enumerate(lines) for x in range(side) if line[x] == "#"
    ]
    for _ in range(turns):
        cells = [(y, side - 1 - x) for x, y in cells]
    return tuple(sorted(cells)), side


def _orientation(letter: str, turns: int) -> Orientation:
    boxed, _ = box_cells(letter, turns)
    left, bottom = min(x for x, _ in boxed), min(y for _, y in boxed)
    cells = tuple(sorted((x - left, y - bottom) for x, y in boxed))
    width = 1 + max(x for x, _ in cells)
    return Orientation(
        letter=letter,
        turns=turns,
        cells=cells,
        width=width,
        height=1 + max(y for _, y in cells),
        underside=tuple(min(y for x, y in cells if x == column) for column in range(width)),
        left=left,
    )


@cache
def orientations() -> tuple[Orientation, ...]:
    """The 19 orientations; of two that look alike the one with fewer turns."""
    found: dict[tuple[Cell, ...], Orientation] = {}
    for letter in LETTERS:
        for turns in range(4):
            turned = _orientation(letter, turns)
            found.setdefault(turned.cells, turned)
    return tuple(found.values())


@cache
def _by_cells() -> dict[tuple[Cell, ...], Orientation]:
    return {orientation.cells: orientation for orientation in orientations()}
