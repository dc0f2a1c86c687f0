"""A maze, or a part of one, as drawing primitives: walls, ways, dots, and what is not known yet."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from twostep.models.drawing.grid import areas, outlined
from twostep.models.drawing.scene import (
    Layer,
    Line,
    Point,
    Role,
    Scene,
    Shape,
    Sign,
    Text,
    Token,
    Weight,
)
from twostep.models.families.maze.board import EAST, SOUTH, Kind, Place, places_on
from twostep.models.families.maze.cover import Drawn, Slot


def maze_scene(
    title: str,
    kind: Kind,
    drawn: Drawn,
    placed: Mapping[Slot, bool],
    ends: tuple[Place | None, Place | None],
    path: str,
    marks: tuple[Collection[Slot], Collection[Place]],
    text: str,
) -> Scene:
    """A board with the walls that are given and those that are placed.

    Args:
        title: what it shows.
        kind: in Pac-Man boards a dot lies on each free cell.
        drawn: the board, its closed cells, and the given slots.
        placed: further slots, each with whether it is open.
        ends: entry and exit.
        path: the way from the entry to the exit, letters N, E, S, W.
        marks: the slots and the cells that stand out.
        text: the same as text.
    """
    return Scene(
        title,
        drawn.width,
        drawn.height,
        (
            Layer("board", tuple(_cells(drawn))),
            Layer("ways", tuple(_signs(kind, drawn, ends, path))),
            Layer("walls", tuple(_walls(drawn, placed))),
            Layer("marks", tuple(_marks(drawn.width, *marks))),
        ),
        text,
    )


def segment(slot: Slot, width: int) -> tuple[Point, Point]:
    """The ends of the place for a wall."""
    y, x = divmod(slot[0], width)
    start = (x + 1, y) if slot[1] == EAST else (x, y + 1)
    return start, (x + 1, y + 1)


def _cells(drawn: Drawn) -> list[Shape]:
    cells = [(y, x) for y in range(drawn.height) for x in range(drawn.width)]

    def closed(cell: tuple[int, int]) -> bool:
        return (cell[1], cell[0]) in drawn.closed

    return areas(
        cells,
        lambda cell: Role.BLOCKED if closed(cell) else Role.CELL,
        lambda cell: f"{cell[1]},{cell[0]}{': closed' if closed(cell) else ''}",
    )


def _middle(place: Place) -> Point:
    return place[0] + 0.5, place[1] + 0.5


def _signs(
    kind: Kind, drawn: Drawn, ends: tuple[Place | None, Place | None], path: str
) -> Iterable[Shape]:
    """The dots, the path, entry and exit."""
    entry, exit = ends
    way = list(places_on(path, entry)) if path and entry is not None else []
    if kind is Kind.PACMAN:
        grid = drawn.grid
        for place in map(grid.place, grid.free):
            if place not in (entry, exit, *way):
                yield Token(_middle(place), Sign.DOT, 0.6, on=Role.CELL)
    if way:
        yield Line(tuple(map(_middle, way)), Weight.EDGE, 1)
    for word, end in (("in", entry), ("out", exit)):
        if end is not None:
            yield Text(_middle(end), word, 0.4, on=Role.CELL, bold=True, width=0.9)


def _walls(drawn: Drawn, placed: Mapping[Slot, bool]) -> Iterable[Shape]:
    """Every place for a wall: given, placed, or not known; and the walls that always stand."""
    width, height = drawn.width, drawn.height
    slots = {(cell, bit) for cell, bit, _ in drawn.grid.slots}
    for cell in range(width * height):
        for bit in (EAST, SOUTH):
            slot = (cell, bit)
            inside = cell % width < width - 1 if bit == EAST else cell < width * (height - 1)
            if inside and slot not in slots:
                yield Line(segment(slot, width), Weight.WALL)
            elif inside:
                yield from _wall(segment(slot, width), drawn.open_slots.get(slot), placed.get(slot))
    corners = ((0, 0), (width, 0), (width, height), (0, height), (0, 0))
    yield Line(corners, Weight.WALL)


def _wall(at: tuple[Point, Point], given: bool | None, placed: bool | None) -> Iterable[Shape]:
    """A place for a wall: whether it is open, as given or as placed; None: not known."""
    if given is False:
        yield Line(at, Weight.WALL)
    elif placed is False:
        yield Line(at, Weight.EDGE)
    elif given is None and placed is None:
        yield Line(at, Weight.HAIR, Role.FAINT, dashed=True)


def _marks(width: int, slots: Collection[Slot], cells: Collection[Place]) -> Iterable[Shape]:
    for slot in slots:
        yield Line(segment(slot, width), Weight.WALL, Role.MARK)
    for x, y in cells:
        yield from outlined([(y, x)])
