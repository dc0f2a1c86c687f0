"""Pac-Man boards: a perfect maze braided until it has loops and hardly a dead end.

Everything here is linear in the number of cells: each slot is opened at most once, and whether
that makes a hall is seen from the at most six 3x3 blocks that contain it.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from twostep.models.errors import InputError
from twostep.models.families.maze.board import EAST, NORTH, SOUTH
from twostep.models.families.maze.draws import shuffle
from twostep.models.families.maze.grid import Grid
from twostep.models.families.maze.spanning import Algorithm, Opening, carve, spanning_tree, wall_up
from twostep.models.words import counted

LEAST_LOOPS = 2
"""A Pac-Man board has at least so many independent loops."""
MOST_DEAD_ENDS = 2
"""A Pac-Man board has at most so many dead ends that could be opened."""
ATTEMPTS = 20
"""So often a board is begun anew before the maker gives up."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a designer asks of a Pac-Man board beyond its rules.

    Attributes:
        loops: at least so many independent loops, 2 or more.
        dead_ends: exactly so many dead ends, 0 to 2; None: as few as possible, at most 2.

    Raises:
        InputError: a number that no Pac-Man board has.
    """

    loops: int = LEAST_LOOPS
    dead_ends: int | None = None

    def __post_init__(self) -> None:
        if self.loops < LEAST_LOOPS:
            raise InputError(f"a Pac-Man board has at least {LEAST_LOOPS} loops, got {self.loops}")
        if self.dead_ends is not None and not 0 <= self.dead_ends <= MOST_DEAD_ENDS:
            raise InputError(
                f"a Pac-Man board has 0 to {MOST_DEAD_ENDS} dead ends, got {self.dead_ends}"
            )


@dataclass(frozen=True, slots=True)
class Braided:
    """A braided board: its walls, what was opened in what order, and what came out.

    `dead_ends` counts those that could be opened.
    """

    walls: bytearray
    openings: tuple[Opening, ...]
    loops: int
    dead_ends: int


def most_loops(width: int, height: int) -> int:
    """The independent loops of a board of that size without any inner wall."""
    return (width - 1) * (height - 1)


def pacman_board(grid: Grid, algorithm: Algorithm, random: Random, wishes: Wishes) -> Braided:
    """A Pac-Man board, made from a perfect maze; begun anew up to 20 times.

    Raises:
        InputError: no attempt gave what was asked for; says what the last one lacked.
    """
    possible = len(grid.slots) - len(grid.free) + 1
    if wishes.loops > possible:
        raise InputError(
            f"{wishes.loops} loops asked for, but {grid.width}x{grid.height} without any inner"
            f" wall has {possible}"
        )
    fault: str | None = None
    for _ in range(ATTEMPTS):
        braided = braid(grid, spanning_tree(grid, algorithm, random), random, wishes)
        fault = _fault(braided, wishes)
        if fault is None:
            return braided
    raise InputError(f"no such Pac-Man board in {ATTEMPTS} attempts: {fault}")


def braid(grid: Grid, tree: list[Opening], random: Random, wishes: Wishes) -> Braided:
    """Open walls of a perfect maze: one at each dead end, then more until there are the loops.

    A wall whose opening makes a hall is closed again. The result may still miss the wishes.
    """
    width, height = grid.width, grid.height
    neighbours = grid.neighbours
    walls = grid.closed_walls()
    degree = [0] * len(walls)
    for cell, bit in tree:
        carve(walls, (cell, bit), width)
    for cell in grid.free:
        degree[cell] = 4 - walls[cell].bit_count()
    openings = list(tree)

    def is_dead_end(cell: int) -> bool:
        # One that has no second free neighbour can't be opened, and doesn't count.
        return degree[cell] == 1 and len(neighbours[cell]) > 1

    floor = wishes.dead_ends or 0
    ends = [cell for cell in grid.free if is_dead_end(cell)]
    dead_ends = len(ends)

    def opened(cell: int, bit: int, there: int) -> bool:
        """Open that wall, unless it makes a hall or leaves too few dead ends."""
        nonlocal dead_ends
        fewer = is_dead_end(cell) + is_dead_end(there)
        if fewer and dead_ends - fewer < floor:
            return False
        carve(walls, (cell, bit), width)
        if makes_hall(walls, width, height, (cell, bit)):
            wall_up(walls, (cell, bit), width)
            return False
        degree[cell] += 1
        degree[there] += 1
        dead_ends -= fewer
        openings.append((cell, bit))
        return True

    shuffle(random, ends)
    for cell in ends:
        if dead_ends <= floor:
            break
        if degree[cell] == 1:
            ways = [(bit, there) for bit, there in neighbours[cell] if walls[cell] & bit]
            shuffle(random, ways)
            for bit, there in ways:
                if opened(cell, bit, there):
                    break

    loops = len(openings) - len(grid.free) + 1
    if loops < wishes.loops:
        slots = [slot for slot in grid.slots if walls[slot[0]] & slot[1]]
        shuffle(random, slots)
        for cell, bit, there in slots:
            if opened(cell, bit, there):
                loops += 1
                if loops == wishes.loops:
                    break
    return Braided(walls, tuple(openings), loops, dead_ends)


def _fault(braided: Braided, wishes: Wishes) -> str | None:
    if braided.loops < wishes.loops:
        kept = " or leaves too few dead ends" if wishes.dead_ends else ""
        return (
            f"the last has {braided.loops} of {wishes.loops} loops, and every further opening"
            f" makes a hall{kept}"
        )
    if wishes.dead_ends is None:
        if braided.dead_ends > MOST_DEAD_ENDS:
            return (
                f"the last has {braided.dead_ends} dead ends of the {MOST_DEAD_ENDS} allowed, and"
                " opening any makes a hall"
            )
    elif braided.dead_ends != wishes.dead_ends:
        ends = counted(braided.dead_ends, "dead end")
        return f"the last has {ends}, asked for were {wishes.dead_ends}"
    return None


def makes_hall(walls: bytearray, width: int, height: int, opening: Opening) -> bool:
    """Whether the wall, just opened, lies in a 3x3 block whose twelve inner walls are open."""
    cell, bit = opening
    # The wall as one on the east or south side of its cell.
    if bit not in (EAST, SOUTH):
        cell, bit = (cell - width, SOUTH) if bit == NORTH else (cell - 1, EAST)
    y, x = divmod(cell, width)
    # A block's left column and top row, so that the wall is inside it.
    lefts = range(max(0, x - 1), x + 1) if bit == EAST else range(max(0, x - 2), x + 1)
    tops = range(max(0, y - 2), y + 1) if bit == EAST else range(max(0, y - 1), y + 1)
    return any(
        _is_hall(walls, width, top * width + left)
        for top in tops
        if top + 2 < height
        for left in lefts
        if left + 2 < width
    )


def _is_hall(walls: bytearray, width: int, corner: int) -> bool:
    """Whether the 3x3 block with that top left cell is open inside."""
    second, third = corner + width, corner + 2 * width
    both = EAST | SOUTH
    return not (
        walls[corner] & both
        or walls[corner + 1] & both
        or walls[corner + 2] & SOUTH
        or walls[second] & both
        or walls[second + 1] & both
        or walls[second + 2] & SOUTH
        or walls[third] & EAST
        or walls[third + 1] & EAST
    )
