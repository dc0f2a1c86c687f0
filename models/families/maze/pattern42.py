"""The "42": eighteen closed cells in the middle of a board that is large enough."""

from __future__ import annotations

from twostep.models.families.maze.board import Board, Place

SHAPE = (
    "#...###",
    "#.....#",
    "###.###",
    "..#.#..",
    "..#.###",
)
LEAST_WIDTH, LEAST_HEIGHT = 9, 7
"""The smallest board that has room for it: one cell is left on each side."""

NO_CELLS: frozenset[Place] = frozenset()


def fits(width: int, height: int) -> bool:
    """Whether a board of that size has room for the "42"."""
    return width >= LEAST_WIDTH and height >= LEAST_HEIGHT


def cells(width: int, height: int) -> frozenset[Place]:
    """The places of the closed cells; none where the board is too small.

    The cell in the middle, ``(width // 2, height // 2)``, stays free.
    """
    if not fits(width, height):
        return NO_CELLS
    return _drawn_at(*origin(width, height))


def _drawn_at(left: int, top: int) -> frozenset[Place]:
    return frozenset(
        (left + x, top + y)
        for y, row in enumerate(SHAPE)
        for x, mark in enumerate(row)
        if mark == "#"
    )


def origin(width: int, height: int) -> Place:
    """The place of the top left cell of the "42" on a board that has room for it."""
    return width // 2 - 3, (height - 5) // 2


def astray(board: Board) -> Place | None:
    """Where the "42" begins on a board that has it, whole and alone, but not in its place.

    Others put it elsewhere. None if it is in its place, or the closed cells draw no "42".
    """
    closed = board.closed_cells
    if not closed or closed == cells(board.width, board.height):
        return None
    left, top = min(x for x, _ in closed), min(y for _, y in closed)
    return (left, top) if closed == _drawn_at(left, top) else None


def found_in(board: Board) -> frozenset[Place]:
    """The places of the "42" on a board, if all its cells are closed; else none."""
    expected = cells(board.width, board.height)
    return expected if expected <= board.closed_cells else NO_CELLS
