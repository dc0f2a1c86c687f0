"""Pac-Man boards: a perfect maze braided until it has loops and hardly a dead end.

Everything here is linear in the number of cells: each slot is opened at most once, and whether
that makes a hall is seen from the at most six 3x3 blocks that contain it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from random import Random

from twostep.models.errors import InputError
from twostep.models.families.maze.board import EAST, NORTH, SOUTH, Kind, Place
from twostep.models.families.maze.draws import shuffle
from twostep.models.families.maze.grid import Grid
from twostep.models.families.maze.spanning import Algorithm, Opening, carve, spanning_tree, wall_up
from twostep.models.words import counted

LEAST_LOOPS = 2
"""Independent loops of a Pac-Man board at least."""
MOST_DEAD_ENDS = 2
"""Dead ends that could be opened, of a Pac-Man board at most."""
ATTEMPTS = 20
"""So often a board is begun anew before the maker gives up."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a designer asks of a board beyond its rules.

    Attributes:
        loops: of a Pac-Man board at least so many independent loops, 2 or more (None: 2); of a
            connected board exactly so many (None: one for ten cells, rounded down).
        dead_ends: of a Pac-Man board exactly so many dead ends, 0 to 2; None: as few as
            possible, at most 2.
        halls: whether a connected board may have open blocks of 3x3.

    Raises:
        InputError: a number that no board has.
    """

    loops: int | None = None
    dead_ends: int | None = None
    halls: bool = False

    def __post_init__(self) -> None:
        for name, number in (("loops", self.loops), ("dead ends", self.dead_ends)):
            if number is not None and (not isinstance(number, int) or number < 0):
                raise InputError(f"{name} {number!r}: expected a whole number of at least 0")

    def check(self, kind: Kind) -> None:
        """Raise :class:`InputError` if no board of that kind is like that."""
        loops, ends = self.loops, self.dead_ends
        if kind is Kind.PERFECT and loops:
            raise InputError(f"{loops} loops asked for, but a perfect maze has none")
        if kind is not Kind.PACMAN and ends is not None:
            raise InputError(f"only a Pac-Man board has a number of dead ends, no {kind.value}")
        if kind is not Kind.CONNECTED and self.halls:
            raise InputError(f"a {kind.value} has no halls; only a connected board may have them")
        if kind is Kind.PACMAN and loops is not None and loops < LEAST_LOOPS:
            raise InputError(f"a Pac-Man board has at least {LEAST_LOOPS} loops, got {loops}")
        if ends is not None and ends > MOST_DEAD_ENDS:
            raise InputError(f"a Pac-Man board has 0 to {MOST_DEAD_ENDS} dead ends, got {ends}")


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


def loops_at_most(
    width: int, height: int, closed: Collection[Place] = (), *, halls: bool = False
) -> int:
    """No board of that size has more independent loops; in time linear in the closed cells.

    Without halls each 3x3 block of free cells has a closed wall inside. A wall is inside at most
    six blocks, and blocks side by side share none: both give a least number of closed walls.
    """
    closed = set(closed)
    slots = {
        ((x, y), (x + dx, y + dy))
        for cx, cy in closed
        for x, y, dx, dy in ((cx, cy, 1, 0), (cx, cy, 0, 1), (cx - 1, cy, 1, 0), (cx, cy - 1, 0, 1))
        if x >= 0 and y >= 0 and x + dx < width and y + dy < height
    }
    free = width * height - len(closed)
    most = 2 * width * height - width - height - len(slots) - free + 1
    if halls:
        return most
    touched = {
        (x, y)
        for cx, cy in closed
        for x in range(max(0, cx - 2), min(cx, width - 3) + 1)
        for y in range(max(0, cy - 2), min(cy, height - 3) + 1)
    }
    blocks = max(0, width - 2) * max(0, height - 2) - len(touched)
    apart = (width // 3) * (height // 3) - sum(x % 3 == y % 3 == 0 for x, y in touched)
    return most - max(-(-blocks // 6), apart)


def connected_board(grid: Grid, algorithm: Algorithm, random: Random, wishes: Wishes) -> Braided:
    """A board with that many loops: walls of a perfect maze opened in random order.

    Raises:
        InputError: no attempt gave so many loops.
    """
    loops = len(grid.free) // 10 if wishes.loops is None else wishes.loops
    for _ in range(ATTEMPTS):
        tree = spanning_tree(grid, algorithm, random)
        braided = _with_loops(grid, tree, random, loops, halls=wishes.halls)
        # As many as there is room for, where nobody asked for a number.
        if braided.loops == loops or wishes.loops is None:
            return braided
        if _hopeless(loops, braided.loops):
            break
    raise InputError(
        f"{loops} loops asked for, but every further opening made a hall at {braided.loops}"
    )


def _with_loops(
    grid: Grid, tree: list[Opening], random: Random, loops: int, *, halls: bool
) -> Braided:
    walls = grid.closed_walls()
    for opening in tree:
        carve(walls, opening, grid.width)
    openings = list(tree)
    slots = [slot for slot in grid.slots if walls[slot[0]] & slot[1]]
    shuffle(random, slots)
    for cell, bit, _ in slots:
        if len(openings) - len(tree) == loops:
            break
        carve(walls, (cell, bit), grid.width)
        if not halls and makes_hall(walls, grid.width, grid.height, (cell, bit)):
            wall_up(walls, (cell, bit), grid.width)
        else:
            openings.append((cell, bit))
    ends = sum(4 - walls[cell].bit_count() == 1 for cell in grid.free)
    return Braided(walls, tuple(openings), len(openings) - len(tree), ends)


def _hopeless(asked: int, found: int) -> bool:
    """Whether further attempts would miss the loops, too: they differ by few where there are many.

    The numbers of loops that random orders give differ by far less than the root of their mean.
    """
    return asked > found and (asked - found) ** 2 > 9 * asked


def pacman_board(grid: Grid, algorithm: Algorithm, random: Random, wishes: Wishes) -> Braided:
    """A Pac-Man board, made from a perfect maze; begun anew up to 20 times.

    Raises:
        InputError: no attempt gave what was asked for; says what the last one lacked.
    """
    wishes.check(Kind.PACMAN)
    fault: str | None = None
    for _ in range(ATTEMPTS):
        braided = braid(grid, spanning_tree(grid, algorithm, random), random, wishes)
        fault = _fault(braided, wishes)
        if fault is None:
            return braided
        if _hopeless(_least_loops(wishes), braided.loops):
            raise InputError(f"no such Pac-Man board: {fault}")
    raise InputError(f"no such Pac-Man board in {ATTEMPTS} attempts: {fault}")


def _least_loops(wishes: Wishes) -> int:
    return LEAST_LOOPS if wishes.loops is None else wishes.loops


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
    if loops < _least_loops(wishes):
        slots = [slot for slot in grid.slots if walls[slot[0]] & slot[1]]
        shuffle(random, slots)
        for cell, bit, there in slots:
            if opened(cell, bit, there):
                loops += 1
                if loops == _least_loops(wishes):
                    break
    return Braided(walls, tuple(openings), loops, dead_ends)


def _fault(braided: Braided, wishes: Wishes) -> str | None:
    if braided.loops < (asked := _least_loops(wishes)):
        kept = " or leaves too few dead ends" if wishes.dead_ends else ""
        return (
            f"the last has {braided.loops} of {asked} loops, and every further opening"
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
