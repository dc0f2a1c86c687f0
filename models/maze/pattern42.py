"""The "42": eighteen closed cells in the middle of a board that is large enough."""

from __future__ import annotations

from twostep.models.maze.board import Board, Place

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
    left, top = width // 2 - 3, (height - 5) // 2
    return frozenset(
        (left + x, top + y)
        for y, row in enumerate(SHAPE)
        for x, mark in enumerate(row)
        if mark == "#"
    )


def found_in(board: Board) -> frozenset[Place]:
    """The places of the "42" on a board, if all its cells are closed; else none."""
    expected = cells(board.width, board.height)
    return expected if expected <= board.closed_cells else NO_CELLS
