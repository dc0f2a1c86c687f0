"""The maze board: walls round cells, a flat array of hex digits; and a maze, a board with a path.

Places are `(x, y)`: column and row, counted from 0, the origin top left. Cells are numbered row
by row: ``y * width + x``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from twostep.models.errors import InputError
from twostep.models.words import counted

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
"""The bits of a cell's walls; a bit that is set is a closed wall."""

CLOSED = NORTH | EAST | SOUTH | WEST
"""A cell with all its walls."""

MOST_CELLS = 1_000_000
"""The largest board, in cells: half a minute of making and checking."""

Place = tuple[int, int]
"""`(x, y)` of a cell."""


class Side(Enum):
    """A side of a cell; the order is the one in which paths prefer them."""

    N = NORTH
    E = EAST
    S = SOUTH
    W = WEST

    @property
    def opposite(self) -> Side:
        """The same wall, seen from the neighbour."""
        return _OPPOSITE[self]

    def step(self, place: Place) -> Place:
        """The place of the neighbour on this side, inside the board or not."""
        dx, dy = _STEP[self]
        return place[0] + dx, place[1] + dy


_OPPOSITE = {Side.N: Side.S, Side.S: Side.N, Side.E: Side.W, Side.W: Side.E}
_STEP = {Side.N: (0, -1), Side.E: (1, 0), Side.S: (0, 1), Side.W: (-1, 0)}


class Kind(Enum):
    """The kinds of boards; the values are their names for people."""

    PERFECT = "perfect maze"
    """One way between any two cells."""
    PACMAN = "Pac-Man board"
    """Two loops or more, two dead ends or fewer."""
    CONNECTED = "connected board"
    """Any board whose cells can all be reached; with or without halls."""


@dataclass(frozen=True, slots=True)
class Board:
    """The walls of a rectangular board, as drawn: nothing says yet that they make sense.

    Attributes:
        width, height: cells, at least 1.
        walls: (cells,) one byte 0..15 per cell, row by row: bit 1 north, 2 east, 4 south,
            8 west, set where that wall is closed. The two cells at a wall may disagree about it
            (a file made by others); :mod:`twostep.models.families.maze.check` says so.

    Raises:
        InputError: no cells, too many, or `walls` of another size or with other values.
    """

    width: int
    height: int
    walls: bytes

    def __post_init__(self) -> None:
        check_size(self.width, self.height)
        if not isinstance(self.walls, bytes):
            raise InputError(f"walls: expected bytes, got {type(self.walls).__name__}")
        if len(self.walls) != self.width * self.height or max(self.walls) > CLOSED:
            raise InputError(
                f"a board of {self.width}x{self.height} needs"
                f" {counted(self.width * self.height, 'cell')} with values 0 to 15"
            )

    @classmethod
    def from_rows(cls, rows: Sequence[str]) -> Board:
        """The board of hex digits, one string per row, upper or lower case.

        Raises:
            InputError: no rows, rows of different lengths, a character that is no hex digit;
                `line` and `column` count within `rows`.
        """
        if isinstance(rows, str):
            raise InputError("expected a list of rows of hex digits, got one string: split it")
        if not rows or not rows[0]:
            raise InputError("expected rows of hex digits", line=1)
        for y, row in enumerate(rows):
            if wrong := re.search("[^0-9A-Fa-f]", row):
                raise InputError(
                    f"expected a hex digit for a cell, got {wrong[0]!r}",
                    line=y + 1,
                    column=wrong.start() + 1,
                )
            if len(row) != len(rows[0]):
                raise InputError(
                    f"the row has {counted(len(row), 'cell')}, the first has {len(rows[0])}",
                    line=y + 1,
                )
        check_size(len(rows[0]), len(rows))
        return cls(len(rows[0]), len(rows), bytes(int(digit, 16) for row in rows for digit in row))

    @property
    def rows(self) -> tuple[str, ...]:
        """The rows as upper-case hex digits."""
        digits = "".join(f"{walls:X}" for walls in self.walls)
        return tuple(digits[i : i + self.width] for i in range(0, len(digits), self.width))

    def inside(self, place: Place) -> bool:
        """Whether the place is on the board."""
        return 0 <= place[0] < self.width and 0 <= place[1] < self.height

    def at(self, place: Place) -> int:
        """The walls of the cell at `place` (which must be inside)."""
        return self.walls[place[1] * self.width + place[0]]

    def places(self) -> Iterator[Place]:
        """All places, row by row."""
        return ((x, y) for y in range(self.height) for x in range(self.width))

    def is_open(self, place: Place, side: Side) -> bool:
        """Whether one can go from `place` to its neighbour on that side.

        So it must be inside, and both cells must say that the wall is open.
        """
        if self.at(place) & side.value:
            return False
        there = side.step(place)
        return self.inside(there) and not self.at(there) & side.opposite.value

    def wall_above(self, x: int, y: int) -> bool:
        """Whether there is a wall on the north side of cell (x, y), also below the last row."""
        below = y < self.height and self.at((x, y)) & NORTH
        above = y > 0 and self.at((x, y - 1)) & SOUTH
        return bool(below or above)

    def wall_left(self, x: int, y: int) -> bool:
        """Whether there is a wall on the west side of cell (x, y), right of the last column too."""
        right = x < self.width and self.at((x, y)) & WEST
        left = x > 0 and self.at((x - 1, y)) & EAST
        return bool(right or left)

    @property
    def closed_cells(self) -> frozenset[Place]:
        """The places of the cells with all four walls."""
        return frozenset(place for place in self.places() if self.at(place) == CLOSED)


@dataclass(frozen=True, slots=True)
class Maze:
    """A board with an entry, an exit, and a shortest path between them.

    `path` is letters N, E, S, W; "" where there is none.
    """

    board: Board
    entry: Place
    exit: Place
    path: str


def solid(board: Board) -> frozenset[Place]:
    """The cells that are drawn as blocks: the closed ones, unless the board has only one cell."""
    return board.closed_cells if len(board.walls) > 1 else frozenset()


def check_size(width: int, height: int) -> None:
    """Raise :class:`InputError` if no board can have that size."""
    for name, cells in (("width", width), ("height", height)):
        if not isinstance(cells, int) or isinstance(cells, bool):
            raise InputError(f"{name} {cells!r}: expected a whole number of cells")
    if width < 1 or height < 1:
        raise InputError(f"a board of {width}x{height} has no cells")
    if width * height > MOST_CELLS:
        raise InputError(
            f"a board of {width}x{height} is too large: at most {MOST_CELLS:,} cells are possible"
        )


def spell(place: Place) -> str:
    """A place as the files write it: ``x,y``."""
    return f"{place[0]},{place[1]}"


def places_on(path: str, start: Place) -> Iterable[Place]:
    """The places that a path of letters N, E, S, W visits, the start first."""
    place = start
    yield place
    for letter in path:
        place = Side[letter].step(place)
        yield place
