"""How many ways lead from the entry to the exit of a board without visiting a cell twice.

What cannot matter goes first: cells with one opening, again and again, and then cells with two,
which only hand a way on; of a perfect maze one edge is left. The rest is counted edge by edge
with the frontier method (D. E. Knuth, TAOCP 7.1.4, "Simpath"): all that a count must remember is
how the cells at the frontier are joined by pieces of ways.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque

from twostep.models.families.maze.board import Board, Place, Side

MOST_STATES = 200_000
"""A count that needs more states than this in all gives up: after two seconds or so."""

Edge = tuple[Place, Place]
Mates = tuple[Place, ...]
"""For each cell of the frontier the other end of its piece of a way: itself where no way touches
it yet, :data:`_INNER` where one goes through it."""

_INNER: Place = (-1, -1)


def count_ways(board: Board, entry: Place, exit: Place) -> int | None:
    """The number of ways; None: more than can be counted in reasonable time.

    A wall is open if both its cells say so.
    """
    near = _core(board, entry, exit)
    along_x = board.width >= board.height

    def rank(place: Place) -> Place:
        return place if along_x else (place[1], place[0])

    edges = [
        (a, b) for a, there in near.items() for b, times in there.items() for _ in range(times)
        if rank(a) < rank(b)
    ]  # fmt: skip
    edges.sort(key=lambda edge: (rank(edge[1]), rank(edge[0])))
    return _simple_paths(edges, entry, exit)


def count_shortest(board: Board, entry: Place, exit: Place) -> int:
    """The number of shortest ways; 0: there is none."""
    steps = {entry: 0}
    ways = Counter({entry: 1})
    queue = deque([entry])
    while queue:
        place = queue.popleft()
        for there in _openings(board, place):
            if there not in steps:
                steps[there] = steps[place] + 1
                queue.append(there)
            if steps[there] == steps[place] + 1:
                ways[there] += ways[place]
    return ways[exit]


def _openings(board: Board, place: Place) -> list[Place]:
    return [side.step(place) for side in Side if board.is_open(place, side)]


def _core(board: Board, entry: Place, exit: Place) -> dict[Place, Counter[Place]]:
    """The multigraph of the board without dead ends, its cells with two openings contracted."""
    near = {place: Counter(_openings(board, place)) for place in board.places()}
    waiting = list(near)
    while waiting:
        place = waiting.pop()
        if place in (entry, exit) or place not in near or near[place].total() > 2:
            continue
        ends = list(near.pop(place).elements())
        for end in ends:
            if end != place:
                del near[end][place]
                waiting.append(end)
        if len(ends) == 2 and ends[0] != ends[1]:
            a, b = ends
            near[a][b] += 1
            near[b][a] += 1
    return near


def _simple_paths(edges: list[Edge], start: Place, goal: Place) -> int | None:
    """The simple paths from `start` to `goal`; those two stay in the frontier to the end."""
    last = {cell: number for number, edge in enumerate(edges) for cell in edge}
    frontier = [start, goal]
    states: dict[Mates, int] = {(start, goal): 1}
    found = made = 0
    for number, edge in enumerate(edges):
        for cell in edge:
            if cell not in frontier:
                frontier.append(cell)
                states = {(*mates, cell): ways for mates, ways in states.items()}
        at = frontier.index(edge[0]), frontier.index(edge[1])
        place_of = {cell: place for place, cell in enumerate(frontier)}
        gone = {place_of[cell] for cell in edge if last[cell] == number} - {0, 1}
        following: defaultdict[Mates, int] = defaultdict(int)
        for mates, ways in states.items():
            for with_edge in (False, True):
                after = _joined(mates, at, place_of) if with_edge else mates
                if after is None:
                    continue
                if after[0] == goal:
                    # Whole; any other piece would never be joined to it.
                    clean = zip(frontier[2:], after[2:], strict=True)
                    found += ways * all(mate in (cell, _INNER) for cell, mate in clean)
                elif all(after[place] in (frontier[place], _INNER) for place in gone):
                    kept = [mate for place, mate in enumerate(after) if place not in gone]
                    following[tuple(kept)] += ways
        frontier = [cell for place, cell in enumerate(frontier) if place not in gone]
        states = following
        made += len(states)
        if made > MOST_STATES:
            return None
    return found


def _joined(mates: Mates, at: tuple[int, int], place_of: dict[Place, int]) -> Mates | None:
    """The mates once the cells at these two places of the frontier are joined; None: they can't.

    A way neither forks nor closes a loop nor goes through its ends, which are at places 0 and 1.
    """
    first, second = mates[at[0]], mates[at[1]]
    if _INNER in (first, second) or place_of[first] == at[1]:
        return None
    after = list(mates)
    for place, mate in zip(at, (first, second), strict=True):
        if place_of[mate] != place:
            if place < 2:
                return None
            after[place] = _INNER
    after[place_of[first]], after[place_of[second]] = second, first
    return tuple(after)
