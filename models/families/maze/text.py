"""A maze as text, in box-drawing characters."""

from __future__ import annotations

from collections.abc import Callable

from twostep.models.families.maze.board import Board, Place, places_on, solid
from twostep.models.families.maze.colours import Part

_JUNCTIONS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""A wall post by the walls that meet there: 1 up, 2 right, 4 down, 8 left."""


Paint = Callable[[str, Part], str]
"""Colours a piece of text, given what it shows."""


def draw(
    board: Board,
    entry: Place | None = None,
    exit: Place | None = None,
    path: str = "",
    *,
    paint: Paint | None = None,
) -> str:
    """A board as lines of text: three characters a cell, walls as lines, none at the end.

    ``in`` and ``out`` mark entry and exit, dots the path, blocks the closed cells (the "42"). A
    wall is drawn if either of its cells has it.
    """
    dye: Paint = paint or (lambda text, part: text)
    width, height = board.width, board.height
    across = [[board.wall_above(x, y) for x in range(width)] for y in range(height + 1)]
    down = [[board.wall_left(x, y) for x in range(width + 1)] for y in range(height)]
    marks = {place: dye("███", Part.PATTERN) for place in solid(board)}
    if path and entry is not None:
        marks |= {place: dye(" • ", Part.PATH) for place in places_on(path, entry)}
    if entry is not None:
        marks[entry] = dye("in ", Part.ENTRY)
    if exit is not None:
        marks[exit] = dye("out", Part.EXIT)
    lines = []
    for y in range(height + 1):
        line = ""
        for x in range(width + 1):
            walls = (
                (y > 0 and down[y - 1][x])
                + 2 * (x < width and across[y][x])
                + 4 * (y < height and down[y][x])
                + 8 * (x > 0 and across[y][x - 1])
            )
            line += _JUNCTIONS[walls]
            if x < width:
                line += "───" if across[y][x] else "   "
        lines.append(dye(line, Part.WALL))
        if y < height:
            pieces = []
            for x in range(width + 1):
                pieces.append(dye("│", Part.WALL) if down[y][x] else " ")
                if x < width:
                    pieces.append(marks.get((x, y), "   "))
            lines.append("".join(pieces))
    return "\n".join(lines)
