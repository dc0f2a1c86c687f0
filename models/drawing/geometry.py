"""Outlines of merged polygons, hatching lines, and colours that differ where pieces touch."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from twostep.models.drawing.palette import PIECES, Hatch
from twostep.models.drawing.scene import Point

Cell = tuple[int, int]
"""Row and column."""

Ring = tuple[Point, ...]
"""A closed outline: its corners in order, the first not repeated."""

Side = tuple[Point, Point]
"""A side of a ring, from its start to its end."""


def merged(polygons: Iterable[Sequence[Point]]) -> list[Ring]:
    """The outline of the union of polygons as rings: inside is where they wind around a point.

    Sides that two polygons share vanish. Polygons that overlap, or whose sides meet in part
    only, keep their rings, which fills the same.
    """
    ahead: dict[Point, list[Point]] = {}
    for polygon in polygons:
        ring = polygon if _area(polygon) > 0 else polygon[::-1]
        for start, end in zip(ring, [*ring[1:], ring[0]], strict=True):
            back = ahead.get(end, [])
            if start in back:  # the neighbour's side: both vanish
                back.remove(start)
            else:
                ahead.setdefault(start, []).append(end)
    return list(_rings(ahead))


def _rings(ahead: dict[Point, list[Point]]) -> Iterable[Ring]:
    for start in list(ahead):
        while ahead[start]:
            ring = [start]
            at = ahead[start].pop()
            while at != start:
                ring.append(at)
                # Where two corners touch, turn right: the rings then touch, and don't cross.
                ends = ahead[at]
                ends.sort(key=lambda end: _turn(ring[-2], at, end))
                at = ends.pop()
            yield straightened(ring)


def straightened(ring: Sequence[Point]) -> Ring:
    """A ring without corners in the middle of straight sides."""
    n = len(ring)
    return tuple(
        ring[i] for i in range(n) if abs(_cross(ring[i - 1], ring[i], ring[(i + 1) % n])) > 1e-9
    )


def _area(polygon: Sequence[Point]) -> float:
    return sum(
        a[0] * b[1] - b[0] * a[1] for a, b in zip(polygon, [*polygon[1:], polygon[0]], strict=True)
    )


def _cross(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


def _turn(a: Point, b: Point, c: Point) -> float:
    """The angle by which a way turns at b, -pi to pi."""
    return math.atan2(
        _cross(a, b, c), (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1])
    )


def hatching(rings: Sequence[Ring], hatch: Hatch) -> list[tuple[Point, Point]]:
    """The lines that fill a shape; those of all shapes lie on one grid."""
    angles = (hatch.angle, hatch.angle + 90) if hatch.crossed else (hatch.angle,)
    return [line for angle in angles for line in _hatched(rings, math.radians(angle), hatch.gap)]


def _hatched(rings: Sequence[Ring], angle: float, gap: float) -> Iterable[tuple[Point, Point]]:
    cos, sin = math.cos(angle), math.sin(angle)
    # Turned so that the lines are horizontal.
    turned = [[(x * cos + y * sin, y * cos - x * sin) for x, y in ring] for ring in rings]
    sides = sides_of(turned)
    if not sides:
        return
    low = min(min(a[1], b[1]) for a, b in sides)
    high = max(max(a[1], b[1]) for a, b in sides)
    for number in range(math.ceil(low / gap - 0.5), math.ceil(high / gap - 0.5)):
        level = (number + 0.5) * gap
        across = [side for side in sides if (side[0][1] <= level) != (side[1][1] <= level)]
        for x1, x2 in spans(across, level):
            yield (
                (x1 * cos - level * sin, x1 * sin + level * cos),
                (x2 * cos - level * sin, x2 * sin + level * cos),
            )


def sides_of(rings: Iterable[Sequence[Point]]) -> list[Side]:
    """The sides that are not level, in the direction of their ring."""
    return [
        (a, b)
        for ring in rings
        for a, b in zip(ring, [*ring[1:], ring[0]], strict=True)
        if a[1] != b[1]
    ]


def spans(across: Iterable[Side], level: float) -> Iterable[tuple[float, float]]:
    """From where to where a level line is inside a shape; `across`: the sides that it crosses."""
    crossings = sorted(
        (a[0] + (b[0] - a[0]) * (level - a[1]) / (b[1] - a[1]), 1 if a[1] < b[1] else -1)
        for a, b in across
    )
    winding, start = 0, 0.0
    for x, direction in crossings:
        if winding == 0:
            start = x
        winding += direction
        if winding == 0 and x > start:
            yield start, x


def contacts(groups: Sequence[Iterable[Cell]]) -> list[set[int]]:
    """Which groups of cells share a side, by their numbers."""
    owner = {cell: number for number, group in enumerate(groups) for cell in group}
    touching: list[set[int]] = [set() for _ in groups]
    for (row, column), number in owner.items():
        for near in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)):
            if (other := owner.get(near, number)) != number:
                touching[number].add(other)
    return touching


def smallest_last(touching: Sequence[set[int]]) -> list[int]:
    """The vertices in an order in which few neighbours come before each (5 if planar)."""
    degree = [len(near) for near in touching]
    left = set(range(len(touching)))
    order = []
    while left:
        vertex = max(left, key=lambda v: (-degree[v], v))
        left.discard(vertex)
        order.append(vertex)
        for near in touching[vertex]:
            degree[near] -= 1
    return order[::-1]


def apart(groups: Sequence[Iterable[Cell]], wished: Sequence[int] | None = None) -> list[int]:
    """A colour's number for each group of cells (pieces, regions), so that neighbours differ.

    Args:
        groups: the cells of each; connected, so that the contacts are a planar map.
        wished: the number that each has if no neighbour has its colour; default: its own place.
    """
    groups = [tuple(group) for group in groups]
    wishes = [wish % len(PIECES) for wish in (wished or range(len(groups)))]
    touching = contacts(groups)
    colours = _coloured(touching, wishes, range(len(groups)))
    if -1 in colours:
        # In this order at most five neighbours have a colour before a piece gets its own.
        colours = _coloured(touching, wishes, smallest_last(touching))
    return colours


def _coloured(
    touching: Sequence[set[int]], wishes: Sequence[int], order: Iterable[int]
) -> list[int]:
    """Colours in that order; -1 where none is left."""
    order = list(order)
    colours = [-1] * len(touching)
    # Those that can have what they wish come first, so that a copy in the way changes, not they.
    for vertex in order:
        if wishes[vertex] not in {colours[near] for near in touching[vertex]}:
            colours[vertex] = wishes[vertex]
    for vertex in order:
        if colours[vertex] < 0:
            around = {colours[near] for near in touching[vertex]}
            spare = [colour for colour in range(len(PIECES)) if colour not in around]
            unused = [colour for colour in spare if colour not in wishes]
            colours[vertex] = next(iter([*unused, *spare]), -1)
    return colours
