"""The boards of the maze rules by plain enumeration, and the number of perfect mazes by algebra.

Written from the rules alone; shares nothing with the maker, the checker or the models. A set of
open walls is an integer, bit `i` for the wall between the two cells ``slots[i]``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

from twostep.models.families.maze.board import Board

Cell = tuple[int, int]


@dataclass(frozen=True)
class Plan:
    """A board of `width` x `height` without the `closed` cells."""

    width: int
    height: int
    closed: frozenset[Cell] = frozenset()

    @cached_property
    def cells(self) -> list[Cell]:
        every = [(x, y) for y in range(self.height) for x in range(self.width)]
        return [cell for cell in every if cell not in self.closed]

    @cached_property
    def slots(self) -> list[tuple[Cell, Cell]]:
        free = set(self.cells)
        pairs = [((x, y), (x + 1, y)) for x, y in self.cells]
        pairs += [((x, y), (x, y + 1)) for x, y in self.cells]
        return [(a, b) for a, b in pairs if b in free]

    @cached_property
    def at(self) -> dict[Cell, int]:
        """The walls of each cell, as a set."""
        return {
            cell: sum(1 << i for i, slot in enumerate(self.slots) if cell in slot)
            for cell in self.cells
        }

    @cached_property
    def halls(self) -> list[int]:
        """The twelve walls inside each 3x3 block."""
        blocks = [
            {(x + i, y + j) for i in range(3) for j in range(3)}
            for y in range(self.height - 2)
            for x in range(self.width - 2)
        ]
        inner = [
            sum(1 << i for i, (a, b) in enumerate(self.slots) if a in block and b in block)
            for block in blocks
        ]
        return [walls for walls in inner if walls.bit_count() == 12]

    def degree(self, opened: int, cell: Cell) -> int:
        return (opened & self.at[cell]).bit_count()

    def loops(self, opened: int) -> int:
        return opened.bit_count() - len(self.cells) + 1

    def connected(self, opened: int) -> bool:
        leader = {cell: cell for cell in self.cells}

        def find(cell: Cell) -> Cell:
            while leader[cell] != cell:
                cell = leader[cell]
            return cell

        parts = len(self.cells)
        for i, (a, b) in enumerate(self.slots):
            if opened >> i & 1:
                one, other = find(a), find(b)
                if one != other:
                    leader[one] = other
                    parts -= 1
        return parts == 1

    def has_hall(self, opened: int) -> bool:
        return any(opened & walls == walls for walls in self.halls)

    def dead_ends(self, opened: int) -> int:
        """Dead ends that could be opened: they have a second neighbour."""
        return sum(
            self.degree(opened, cell) == 1 and self.at[cell].bit_count() > 1 for cell in self.cells
        )

    def every(self) -> range:
        return range(1 << len(self.slots))

    def perfect(self) -> Iterator[int]:
        for opened in self.every():
            if self.loops(opened) == 0 and self.connected(opened):
                yield opened

    def pacman(self) -> Iterator[int]:
        for opened in self.every():
            if (
                self.loops(opened) >= 2
                and not self.has_hall(opened)
                and self.dead_ends(opened) <= 2
                and self.connected(opened)
            ):
                yield opened

    def board(self, opened: int) -> Board:
        walls = dict.fromkeys(((x, y) for y in range(self.height) for x in range(self.width)), 15)
        for i, (a, b) in enumerate(self.slots):
            if opened >> i & 1:
                east = b[0] > a[0]
                walls[a] &= ~(2 if east else 4)
                walls[b] &= ~(8 if east else 1)
        return Board(self.width, self.height, bytes(walls.values()))


def spanning_trees(width: int, height: int, closed: Collection[Cell] = ()) -> int:
    """How many perfect mazes there are: the determinant of the reduced Laplacian (Kirchhoff).

    By Bareiss's elimination, in exact integers.
    """
    plan = Plan(width, height, frozenset(closed))
    number = {cell: i for i, cell in enumerate(plan.cells)}
    matrix = [[0] * len(number) for _ in number]
    for a, b in plan.slots:
        i, j = number[a], number[b]
        matrix[i][j] = matrix[j][i] = -1
        matrix[i][i] += 1
        matrix[j][j] += 1
    rows = [row[1:] for row in matrix[1:]]
    previous, sign = 1, 1
    for k in range(len(rows) - 1):
        if rows[k][k] == 0:
            swap = next((i for i in range(k + 1, len(rows)) if rows[i][k]), None)
            if swap is None:
                return 0
            rows[k], rows[swap] = rows[swap], rows[k]
            sign = -sign
        pivot = rows[k]
        for row in rows[k + 1 :]:
            factor = row[k]
            for j in range(k + 1, len(rows)):
                row[j] = (row[j] * pivot[k] - factor * pivot[j]) // previous
        previous = pivot[k]
    return sign * rows[-1][-1] if rows else 1
