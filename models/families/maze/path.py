"""The shortest path through a board, by breadth-first search."""

from __future__ import annotations

from collections import deque

from twostep.models.families.maze.board import EAST, NORTH, SOUTH, WEST, Board, Place

_STEPS = (("N", NORTH, SOUTH), ("E", EAST, WEST), ("S", SOUTH, NORTH), ("W", WEST, EAST))


def shortest_path(board: Board, entry: Place, exit: Place) -> str | None:
    """The letters N, E, S, W of a shortest way from `entry` to `exit` (both inside the board).

    Of several it is the first in the order N, E, S, W; None if there is none. A wall is open if
    both its cells say so, and the way never leaves the board.
    """
    width, height = board.width, board.height
    walls = bytearray(board.walls)
    for x in range(width):
        walls[x] |= NORTH
        walls[(height - 1) * width + x] |= SOUTH
    for y in range(height):
        walls[y * width] |= WEST
        walls[y * width + width - 1] |= EAST
    offset = {NORTH: -width, EAST: 1, SOUTH: width, WEST: -1}
    steps = [(letter, bit, opposite, offset[bit]) for letter, bit, opposite in _STEPS]
    start, goal = entry[1] * width + entry[0], exit[1] * width + exit[0]
    # Distances are measured from the exit, so that each step of the way can be chosen greedily.
    distance = [-1] * len(walls)
    distance[goal] = 0
    queue = deque([goal])
    while queue and distance[start] < 0:
        cell = queue.popleft()
        for _, bit, opposite, move in steps:
            if not walls[cell] & bit:
                there = cell + move
                if distance[there] < 0 and not walls[there] & opposite:
                    distance[there] = distance[cell] + 1
                    queue.append(there)
    if distance[start] < 0:
        return None
    letters = []
    cell = start
    while cell != goal:
        for letter, bit, opposite, move in steps:
            there = cell + move
            if (
                not walls[cell] & bit
                and not walls[there] & opposite
                and distance[there] == distance[cell] - 1
            ):
                letters.append(letter)
                cell = there
                break
    return "".join(letters)
