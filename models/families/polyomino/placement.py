"""Placements: one piece, in one orientation, at one place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from twostep.models.errors import InputError
from twostep.models.families.polyomino.board import Board
from twostep.models.families.polyomino.pieces import (
    Cell,
    Kind,
    Piece,
    Shape,
    extent,
    name_of_shape,
    normalised,
)
from twostep.models.language.model import BoolArray
from twostep.models.words import counted

MAX_PLACEMENTS = 1_000_000
"""A puzzle with more placements is refused."""


@dataclass(frozen=True, slots=True)
class Placement:
    """The label of an option: a piece on the board.

    Attributes:
        piece: the piece's name.
        orientation: index into the piece's orientations.
        cells: the cells it covers, sorted.
    """

    piece: str
    orientation: int
    cells: tuple[Cell, ...]

    def __str__(self) -> str:
        return f"{self.piece} at {' '.join(cell_name(cell) for cell in self.cells)}"


@dataclass(frozen=True, slots=True)
class Gap:
    """The label of an option that leaves a cell empty."""

    cell: Cell

    def __str__(self) -> str:
        return f"empty at {cell_name(self.cell)}"


@dataclass(frozen=True, slots=True)
class Lock:
    """A piece already placed, as the user gave it: the piece's name and its cells, sorted."""

    piece: str
    cells: tuple[Cell, ...]


def cell_name(cell: Cell) -> str:
    """``r,c``: the name of a cell's item, and how messages call a cell."""
    return f"{cell[0]},{cell[1]}"


def places(board: Board, shape: Shape) -> list[tuple[Cell, ...]]:
    """The cells a shape covers wherever it fits, row by row."""
    return [
        tuple((top + row, left + column) for row, column in shape)
        for top, left in np.argwhere(_fits(_grid(board), shape)).tolist()
    ]


def _grid(board: Board) -> BoolArray:
    """(rows, columns) the cells to fill."""
    grid = np.zeros((board.rows, board.columns), dtype=np.bool_)
    rows, columns = np.array(board.free).T
    grid[rows, columns] = True
    return grid


def _fits(grid: BoolArray, shape: Shape) -> BoolArray:
    """Whether a shape fits with the upper left corner of its bounding box at each place."""
    rows, columns = extent(shape)
    high, wide = max(0, grid.shape[0] - rows + 1), max(0, grid.shape[1] - columns + 1)
    fits = np.ones((high, wide), dtype=np.bool_)
    if fits.size:
        for row, column in shape:
            fits &= grid[row : row + high, column : column + wide]
    return fits


def placements(board: Board, kinds: Sequence[Kind]) -> Iterator[Placement]:
    """All placements: kind by kind, orientation by orientation, row by row.

    Raises:
        InputError: more than :data:`MAX_PLACEMENTS`; before the first is made.
    """
    grid, number = _grid(board), 0
    for kind in kinds:
        number += sum(int(_fits(grid, shape).sum()) for shape in kind.piece.orientations)
        if number > MAX_PLACEMENTS:
            raise InputError(
                f"more than {MAX_PLACEMENTS:,} placements: the board is too large for"
                " so many pieces"
            )
    for kind in kinds:
        for index, shape in enumerate(kind.piece.orientations):
            for cells in places(board, shape):
                yield Placement(kind.name, index, cells)


def placement_of(piece: Piece, cells: Iterable[Cell]) -> Placement | None:
    """The placement of a piece on exactly these cells; None: it does not have this shape."""
    ordered = tuple(sorted(cells))
    shape = normalised(ordered)
    if shape not in piece.orientations:
        return None
    return Placement(piece.name, piece.orientations.index(shape), ordered)


def check_placed(
    board: Board, kinds: Sequence[Kind], placed: Sequence[Lock], word: str = "locked"
) -> tuple[Placement, ...]:
    """Pieces that lie on the board already, as placements.

    Args:
        board: the board.
        kinds: the puzzle's pieces.
        placed: pieces and cells as given.
        word: how messages call such a piece.

    Raises:
        InputError: an unknown piece; a cell twice, outside or blocked; another shape; two pieces
            on one cell; more copies than there are.
    """
    by_name = {kind.name: kind for kind in kinds}
    found = []
    owner: dict[Cell, str] = {}
    used: dict[str, int] = {}
    for lock in placed:
        kind = by_name.get(lock.piece)
        if kind is None:
            known = ", ".join(by_name)
            raise InputError(f"{word} piece {lock.piece[:30]!r} is no piece here; known: {known}")
        if not lock.cells:
            raise InputError(f"{word} piece {lock.piece} has no cells")
        for cell in lock.cells:
            if cell not in board:
                where = "blocked" if board.inside(cell) else "outside the board"
                raise InputError(f"{word} piece {lock.piece}: cell ({cell_name(cell)}) is {where}")
        if len(set(lock.cells)) < len(lock.cells):
            raise InputError(f"{word} piece {lock.piece}: a cell is given twice")
        placement = placement_of(kind.piece, lock.cells)
        if placement is None:
            raise InputError(_wrong_shape(kind.piece, lock.cells, kinds, word))
        for cell in placement.cells:
            if cell in owner:
                raise InputError(
                    f"{word} pieces {owner[cell]} and {lock.piece} share cell ({cell_name(cell)})"
                )
        owner.update(dict.fromkeys(placement.cells, lock.piece))
        used[kind.name] = used.get(kind.name, 0) + 1
        if kind.high is not None and used[kind.name] > kind.high:
            times = counted(used[kind.name], "time")
            raise InputError(
                f"{word} piece {kind.name} lies there {times}, expected at most {kind.high}"
            )
        found.append(placement)
    return tuple(found)


def _wrong_shape(piece: Piece, cells: tuple[Cell, ...], kinds: Sequence[Kind], word: str) -> str:
    given = next(
        (kind.name for kind in kinds if placement_of(kind.piece, cells) is not None),
        name_of_shape(normalised(cells)),
    )
    if given == piece.name:  # its name, but a face that it may not show
        how = "turned over" if piece.may_turn else "turned or turned over"
        return f"the {word} cells are {_a(piece.name)} {how}, which this piece may not be"
    if given is None:
        return f"the {word} cells are not {_a(piece.name)}"
    return f"the {word} cells are {_a(given)}, not {_a(piece.name)}"


def _a(name: str) -> str:
    """A name with its article; letters by their sound: an L, a P."""
    by_letter = len(name) == 1 or name[1:].isdigit()
    vowel = name[0].upper() in ("AEFHILMNORSX" if by_letter else "AEIOU")
    return f"{'an' if vowel else 'a'} {name}"
