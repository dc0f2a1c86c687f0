"""The graph that mazes live on: the free cells of a board and the slots between them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from twostep.models.families.maze.board import (
    CLOSED,
    EAST,
    NORTH,
    SOUTH,
    WEST,
    Board,
    Place,
    check_size,
)

OPPOSITE = {NORTH: SOUTH, EAST: WEST, SOUTH: NORTH, WEST: EAST}


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Free cells and their neighbours, by cell number (``y * width + x``).

    Attributes:
        width, height: cells.
        free: the numbers of the free cells, ascending.
        neighbours: (cells,) for each cell the pairs (side bit, neighbour's number) of its free
            neighbours, in the order north, east, south, west; none for a closed cell.
        slots: one triple (cell, side bit, neighbour) for each pair of free neighbours, the side
            being east or south; ascending. These are the places where a wall may stand or not.
    """

    width: int
    height: int
    free: tuple[int, ...]
    neighbours: tuple[tuple[tuple[int, int], ...], ...]
    slots: tuple[tuple[int, int, int], ...]

    @classmethod
    def of(cls, width: int, height: int, closed: Collection[Place]) -> Grid:
        """The grid of that size without the `closed` cells.

        Raises:
            InputError: the size is none for a board.
        """
        check_size(width, height)
        is_free = bytearray(b"\1") * (width * height)
        for x, y in closed:
            is_free[y * width + x] = 0
        free = tuple(cell for cell, yes in enumerate(is_free) if yes)
        neighbours: list[tuple[tuple[int, int], ...]] = [()] * (width * height)
        slots = []
        for cell in free:
            y, x = divmod(cell, width)
            near = []
            if y > 0 and is_free[cell - width]:
                near.append((NORTH, cell - width))
            if x < width - 1 and is_free[cell + 1]:
                near.append((EAST, cell + 1))
                slots.append((cell, EAST, cell + 1))
            if y < height - 1 and is_free[cell + width]:
                near.append((SOUTH, cell + width))
                slots.append((cell, SOUTH, cell + width))
            if x > 0 and is_free[cell - 1]:
                near.append((WEST, cell - 1))
            neighbours[cell] = tuple(near)
        return cls(width, height, free, tuple(neighbours), tuple(slots))

    def closed_walls(self) -> bytearray:
        """Walls round every cell."""
        return bytearray((CLOSED,)) * (self.width * self.height)

    def board(self, walls: bytearray) -> Board:
        """The board with these walls."""
        return Board(self.width, self.height, bytes(walls))

    def place(self, cell: int) -> Place:
        """The place of a cell."""
        y, x = divmod(cell, self.width)
        return x, y
