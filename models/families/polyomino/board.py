"""Boards: sets of free cells in a rectangle, by name or as a picture."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from twostep.models.errors import InputError
from twostep.models.families.polyomino.pieces import TRANSFORMS, Cell, Transform, cells_marked

MAX_CELLS = 10_000
"""A board with more cells, blocked ones counted too, is refused."""

SYNTAX = (
    "ROWSxCOLS (3x20), with cells taken out: 8x8-center, 8x8-mutilated, 8x8-r0c0-r7c7; or aztecN"
)


@dataclass(frozen=True, slots=True)
class Symmetry:
    """A way to turn or mirror a board onto itself: a transform of the plane, then a shift.

    Attributes:
        number: of the transform, in TRANSFORMS.
        down, right: the shift.
    """

    number: int
    down: int
    right: int

    @property
    def transform(self) -> Transform:
        """The transform."""
        return TRANSFORMS[self.number]

    def image(self, cell: Cell) -> Cell:
        """Where it sends a cell."""
        row, column = self.transform(cell)
        return row + self.down, column + self.right


@dataclass(frozen=True)
class Board:
    """A rectangle of cells, some of them free.

    Attributes:
        rows, columns: the rectangle.
        free: the cells to fill, sorted; they may be given in any order.
    """

    rows: int
    columns: int
    free: tuple[Cell, ...]

    def __post_init__(self) -> None:
        _check_size(self.rows, self.columns)
        if not self.free:
            raise InputError("the board has no free cell")
        for cell in self.free:
            if not self.inside(cell):
                raise InputError(
                    f"cell ({cell[0]},{cell[1]}) is outside the board of {self.rows}x{self.columns}"
                    ": rows and columns count from 0; board_from_cells takes cells anywhere"
                )
        object.__setattr__(self, "free", tuple(sorted(self.free)))
        for one, other in pairwise(self.free):
            if one == other:
                raise InputError(f"cell ({one[0]},{one[1]}) is given twice")

    @property
    def size(self) -> int:
        """How many cells are free."""
        return len(self.free)

    @cached_property
    def free_set(self) -> frozenset[Cell]:
        """The free cells, for look-ups."""
        return frozenset(self.free)

    def __contains__(self, cell: object) -> bool:
        return cell in self.free_set

    def inside(self, cell: Cell) -> bool:
        """Whether a cell lies in the rectangle, free or blocked."""
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.columns

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The ways to turn and mirror the free cells onto themselves, different ones only.

        The identity comes first.
        """
        found: dict[tuple[Cell, ...], Symmetry] = {}
        top, left = self.free[0][0], min(column for _, column in self.free)
        for number, transform in enumerate(TRANSFORMS):
            turned = [transform(cell) for cell in self.free]
            down = top - min(row for row, _ in turned)
            right = left - min(column for _, column in turned)
            images = tuple((row + down, column + right) for row, column in turned)
            if self.free_set.issuperset(images):
                found.setdefault(images, Symmetry(number, down, right))
        return tuple(found.values())

    def picture(self, filled: dict[Cell, str] | None = None) -> str:
        """The board as text: ``#`` blocked, ``.`` free, other characters as in `filled`."""
        filled = filled or {}
        return "\n".join(
            "".join(
                filled.get((row, column), "." if (row, column) in self.free_set else "#")
                for column in range(self.columns)
            )
            for row in range(self.rows)
        )


def rectangle(rows: int, columns: int, without: Iterable[Cell] = ()) -> Board:
    """A rectangle without some cells.

    Raises:
        InputError: too large, a cell outside, nothing left.
    """
    _check_size(rows, columns)
    holes = set(without)
    for row, column in sorted(holes):
        if not (0 <= row < rows and 0 <= column < columns):
            raise InputError(f"cell ({row},{column}) is outside the board of {rows}x{columns}")
    free = ((row, column) for row in range(rows) for column in range(columns))
    return Board(rows, columns, tuple(cell for cell in free if cell not in holes))


def board_from_cells(cells: Iterable[Cell]) -> Board:
    """The smallest board with these cells free, wherever they lie: its corner is moved to (0,0).

    Raises:
        InputError: no cell, a cell twice, or cells too far apart.
    """
    listed = list(cells)
    if not listed:
        raise InputError("the board has no free cell")
    top, left = min(row for row, _ in listed), min(column for _, column in listed)
    moved = [(row - top, column - left) for row, column in listed]
    rows, columns = 1 + max(row for row, _ in moved), 1 + max(column for _, column in moved)
    return Board(rows, columns, tuple(moved))


def aztec_diamond(order: int) -> Board:
    """The Aztec diamond: rows of 2, 4 ... 2n, 2n ... 4, 2 cells, centred."""
    side = 2 * order
    _check_size(side, side)
    without = [
        (row, column)
        for row in range(side)
        for column in range(side)
        if abs(2 * row + 1 - side) + abs(2 * column + 1 - side) > side
    ]
    return rectangle(side, side, without)


def board_from_rows(rows: Sequence[str], line: int | None = None) -> Board:
    """A board from its picture: ``.`` a free cell, ``#`` a blocked one.

    Args:
        rows: the picture's lines, all of one length.
        line: the number of the first row's line in its file, for messages.

    Raises:
        InputError: ragged or an unknown character (names the line), too large, no free cell.
    """
    if not rows or not rows[0]:
        raise InputError("the board has no free cell", line=line)
    _check_size(len(rows), len(rows[0]))
    free = cells_marked(rows, ".", "'.' (free) or '#' (blocked)", "board", line)
    if not free:
        raise InputError("the board has no free cell", line=line)
    return Board(len(rows), len(rows[0]), tuple(free))


def parse_board(text: str) -> Board:
    """A board by name; see :data:`SYNTAX`. Rows and columns count from 0.

    ``center`` is the middle cell, or the two or four around the middle; ``mutilated`` takes out
    two opposite corners.

    Raises:
        InputError: tells what was expected.
    """
    head, *cuts = text.split("-")
    if match := re.fullmatch(r"aztec([0-9]{1,9})", head):
        board = aztec_diamond(int(match[1]))
    elif match := re.fullmatch(r"([0-9]{1,9})x([0-9]{1,9})", head):
        board = rectangle(int(match[1]), int(match[2]))
    else:
        raise InputError(f"board {text[:40]!r}: expected {SYNTAX}")
    without: set[Cell] = set()
    for cut in cuts:
        without.update(_cut(cut, board))
    return rectangle(board.rows, board.columns, without | (_all(board) - board.free_set))


def _all(board: Board) -> set[Cell]:
    return {(row, column) for row in range(board.rows) for column in range(board.columns)}


def _cut(word: str, board: Board) -> list[Cell]:
    """The cells that one word behind a ``-`` takes out."""
    rows, columns = board.rows, board.columns
    if word == "center":
        return [
            (row, column)
            for row in range((rows - 1) // 2, rows // 2 + 1)
            for column in range((columns - 1) // 2, columns // 2 + 1)
        ]
    if word == "mutilated":
        return [(0, 0), (rows - 1, columns - 1)]
    if match := re.fullmatch(r"r([0-9]{1,9})c([0-9]{1,9})", word):
        return [(int(match[1]), int(match[2]))]
    raise InputError(
        f"board: cannot take out {word[:40]!r}; expected center, mutilated, or a cell such as r0c3"
    )


def _check_size(rows: int, columns: int) -> None:
    if rows < 1 or columns < 1:
        raise InputError("the board has no free cell")
    if rows * columns > MAX_CELLS:
        raise InputError(
            f"the board has {rows} rows and {columns} columns: more than {MAX_CELLS:,} cells"
        )
