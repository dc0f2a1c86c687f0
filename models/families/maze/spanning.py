"""Random spanning trees of a grid: the four algorithms that perfect mazes are made with.

Each gives the slots it opens, in the order of opening, as pairs (cell, side bit): a perfect maze
opens exactly ``free cells - 1`` of them. None of them recurses.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from random import Random

from twostep.models.errors import InputError
from twostep.models.families.maze.draws import below, shuffle, take
from twostep.models.families.maze.grid import OPPOSITE, Grid

Opening = tuple[int, int]
"""(cell number, side bit): the wall on that side of that cell."""


class Algorithm(Enum):
    """How a perfect maze is made."""

    DFS = "dfs"
    """Depth-first walk: long winding corridors, about one cell in ten a dead end."""
    PRIM = "prim"
    """Grow from one cell by a random slot at the rim: short side branches, many dead ends."""
    KRUSKAL = "kruskal"
    """Open random slots that join two parts: an even texture."""
    WILSON = "wilson"
    """Loop-erased random walks: every perfect maze equally likely."""


def spanning_tree(grid: Grid, algorithm: Algorithm, random: Random) -> list[Opening]:
    """The slots that a random spanning tree of the grid's free cells opens, in order.

    Raises:
        InputError: the free cells don't hang together, or there are none.
    """
    if not grid.free:
        raise InputError("the board has no free cell")
    openings = _MAKERS[algorithm](grid, random)
    if len(openings) != len(grid.free) - 1:
        raise InputError("the free cells of the board do not hang together")
    return openings


def _depth_first(grid: Grid, random: Random) -> list[Opening]:
    """Go on to a random new neighbour while there is one, else back: linear time."""
    draw = random.random
    start = grid.free[below(random, len(grid.free))]
    seen = bytearray(grid.width * grid.height)
    seen[start] = 1
    trail = [start]
    openings = []
    while trail:
        cell = trail[-1]
        ways = [way for way in grid.neighbours[cell] if not seen[way[1]]]
        if not ways:
            trail.pop()
            continue
        bit, there = ways[int(draw() * len(ways))]
        seen[there] = 1
        openings.append((cell, bit))
        trail.append(there)
    return openings


def _prim(grid: Grid, random: Random) -> list[Opening]:
    """Open a random slot at the rim of the part made so far (equal weights): linear time."""
    start = grid.free[below(random, len(grid.free))]
    seen = bytearray(grid.width * grid.height)
    seen[start] = 1
    rim = [(start, bit, there) for bit, there in grid.neighbours[start]]
    openings = []
    while rim:
        cell, bit, there = take(random, rim)
        if seen[there]:
            continue
        seen[there] = 1
        openings.append((cell, bit))
        rim += [
            (there, side, beyond) for side, beyond in grid.neighbours[there] if not seen[beyond]
        ]
    return openings


def _kruskal(grid: Grid, random: Random) -> list[Opening]:
    """Open the slots in random order where they join two parts (union-find, halving paths)."""
    slots = list(grid.slots)
    shuffle(random, slots)
    parent = list(range(grid.width * grid.height))
    openings = []
    for cell, bit, there in slots:
        a, b = cell, there
        while parent[a] != a:
            parent[a] = a = parent[parent[a]]
        while parent[b] != b:
            parent[b] = b = parent[parent[b]]
        if a != b:
            # Without ranks: random slots keep the trees shallow.
            parent[a] = b
            openings.append((cell, bit))
    return openings


def _wilson(grid: Grid, random: Random) -> list[Opening]:
    """Join each cell by a loop-erased random walk; uniform over all spanning trees.

    D. B. Wilson, "Generating random spanning trees more quickly than the cover time", STOC 1996.
    The expected time is the mean hitting time of a random walk, on a grid n log n. On a board
    in several parts a walk would never end, so the parts are looked at first.
    """
    if not _hangs_together(grid):
        return []
    draw = random.random
    done = bytearray(grid.width * grid.height)
    done[grid.free[below(random, len(grid.free))]] = 1
    # The side by which the walk last left each cell: following these erases all loops.
    left_by = [(0, 0)] * (grid.width * grid.height)
    openings = []
    for start in grid.free:
        cell = start
        while not done[cell]:
            ways = grid.neighbours[cell]
            left_by[cell] = way = ways[int(draw() * len(ways))]
            cell = way[1]
        cell = start
        while not done[cell]:
            bit, there = left_by[cell]
            done[cell] = 1
            openings.append((cell, bit))
            cell = there
    return openings


def _hangs_together(grid: Grid) -> bool:
    seen = bytearray(grid.width * grid.height)
    seen[grid.free[0]] = 1
    waiting = [grid.free[0]]
    for cell in waiting:
        for _, there in grid.neighbours[cell]:
            if not seen[there]:
                seen[there] = 1
                waiting.append(there)
    return len(waiting) == len(grid.free)


_MAKERS: dict[Algorithm, Callable[[Grid, Random], list[Opening]]] = {
    Algorithm.DFS: _depth_first,
    Algorithm.PRIM: _prim,
    Algorithm.KRUSKAL: _kruskal,
    Algorithm.WILSON: _wilson,
}


def carve(walls: bytearray, opening: Opening, width: int) -> None:
    """Open a wall, on both its sides."""
    cell, bit = opening
    walls[cell] &= ~bit
    walls[cell + (-width, 1, width, -1)[bit.bit_length() - 1]] &= ~OPPOSITE[bit]


def wall_up(walls: bytearray, opening: Opening, width: int) -> None:
    """Close a wall, on both its sides."""
    cell, bit = opening
    walls[cell] |= bit
    walls[cell + (-width, 1, width, -1)[bit.bit_length() - 1]] |= OPPOSITE[bit]
