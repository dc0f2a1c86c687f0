"""A page: scenes brought down to the four things that every writer can draw.

Fills, strokes, discs and labels, in cells, their colours decided. Signs, arrows and hatching are
made of these here, once for all writers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from twostep.models.drawing.geometry import Ring, hatching, merged
from twostep.models.drawing.palette import IN_COLOUR, Look
from twostep.models.drawing.scene import (
    Area,
    Arrow,
    Colour,
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

MARGIN = 0.5
"""Paper around a scene, cells."""


@dataclass(frozen=True, slots=True)
class Fill:
    """A filled shape: the points around which its rings wind."""

    rings: tuple[Ring, ...]
    colour: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through points, its ends and corners round."""

    points: tuple[Point, ...]
    width: float
    colour: str
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Disc:
    """A circle: filled, or a line of that width (0: filled)."""

    at: Point
    radius: float
    colour: str
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class Label:
    """A line of text around a point, capital letters centred on it; `size`: the em.

    `halo`: a colour around the letters, where hatching lies beneath them.
    `align`: -1 begins at the point, 0 is centred, 1 ends there.
    """

    at: Point
    text: str
    size: float
    colour: str
    bold: bool = False
    halo: str | None = None
    align: int = 0


Item = Fill | Stroke | Disc | Label


@dataclass(frozen=True, slots=True)
class Page:
    """What a writer draws.

    Attributes:
        title: one line.
        width, height: cells, margins included.
        items: in the order of drawing; the origin is the upper left corner.
        paper: the colour beneath everything.
        text: the same as text; empty: there is none.
    """

    title: str
    width: float
    height: float
    items: tuple[Item, ...]
    paper: str = "#FFFFFF"
    text: str = ""


def page_of(scene: Scene, look: Look = IN_COLOUR, margin: float = MARGIN) -> Page:
    """A scene with some paper around it."""
    items = moved(drawn(scene, look), margin, margin)
    width, height = scene.width + 2 * margin, scene.height + 2 * margin
    return Page(scene.title, width, height, tuple(items), look.paint(Role.PAPER), scene.text)


def drawn(scene: Scene, look: Look) -> list[Item]:
    """A scene's shapes as items; equal areas that follow each other become one fill."""
    return [item for layer in scene.layers for item in _of_layer(layer.shapes, look)]


def _of_layer(shapes: Sequence[Shape], look: Look) -> Iterator[Item]:
    start = 0
    while start < len(shapes):
        end = start
        while end < len(shapes) and isinstance(shapes[end], Area):
            end += 1
        yield from _fills([area for area in shapes[start:end] if isinstance(area, Area)], look)
        if end < len(shapes):
            yield from _items(shapes[end], look)
        start = end + 1


def _fills(areas: Sequence[Area], look: Look) -> Iterator[Item]:
    """Areas that nothing else lies between: those of one colour and name in one fill."""
    alike: dict[tuple[Colour, bool, str], list[Sequence[Point]]] = {}
    for area in areas:
        alike.setdefault((area.fill, area.hatched, area.name), []).append(area.points)
    for (colour, hatched, name), polygons in alike.items():
        rings = merged(polygons)
        yield Fill(tuple(rings), look.paint(colour), name)
        if (hatch := look.hatch(colour, hatched=hatched)) is not None:
            ink = look.on(colour) if hatched and not look.black else look.paint(Role.INK)
            for line in hatching(rings, hatch):
                yield Stroke(line, Weight.HAIR.value * 1.5, ink)


def _items(shape: Shape, look: Look) -> Iterator[Item]:
    match shape:
        case Line():
            yield Stroke(shape.points, shape.weight.value, look.line(shape.colour), shape.dashed)
        case Text():
            yield _label(shape, look)
        case Token():
            yield from _token(shape, look)
        case Arrow():
            yield from _arrow(shape, look)


def _label(text: Text, look: Look) -> Label:
    size = text.size
    if text.width is not None:
        size = min(size, text.width / max(breadth(text.text), 0.1))
    colour = look.on(text.on) if text.colour is None else look.line(text.colour)
    return Label(text.at, text.text, size, colour, text.bold, _halo(text.on, look))


def _halo(on: Colour | None, look: Look) -> str | None:
    hatched = look.black and isinstance(on, int) and look.hatch(on) is not None
    return look.paint(Role.PAPER) if hatched else None


def breadth(text: str) -> float:
    """About how wide a text is, in ems of a sans-serif font."""
    return sum(_breadth(character) for character in text)


def _breadth(character: str) -> float:
    if character in " .,:;'|!iljIt()[]/":
        return 0.32
    if character in "mwMW@%—" or ord(character) > 0x2E80:
        return 0.95
    return 0.7 if character.isupper() else 0.58


# --- signs ---------------------------------------------------------------------------------------

_QUEEN = (
    (-0.36, 0.36), (-0.46, -0.22), (-0.2, 0.02), (0, -0.4), (0.2, 0.02), (0.46, -0.22),
    (0.36, 0.36),
)  # fmt: skip
_BISHOP = (
    (-0.36, 0.42), (-0.36, 0.3), (-0.16, 0.24), (-0.26, 0.02), (-0.14, -0.26), (0, -0.42),
    (0.14, -0.26), (0.26, 0.02), (0.16, 0.24), (0.36, 0.3), (0.36, 0.42),
)  # fmt: skip
_LOCK = ((-0.36, -0.06), (0.36, -0.06), (0.36, 0.44), (-0.36, 0.44))


def _star() -> tuple[Point, ...]:
    return tuple(
        (radius * math.sin(math.pi * n / 5), -radius * math.cos(math.pi * n / 5))
        for n, radius in enumerate([0.5, 0.2] * 5)
    )


def _arc(radius: float, start: float, end: float, at: Point = (0, 0)) -> tuple[Point, ...]:
    steps = 12
    angles = [start + (end - start) * n / steps for n in range(steps + 1)]
    return tuple((at[0] + radius * math.cos(a), at[1] + radius * math.sin(a)) for a in angles)


def _token(token: Token, look: Look) -> Iterator[Item]:
    colour = look.on(token.on) if token.colour is None else look.line(token.colour)
    (x, y), size = token.at, token.size
    if _halo(token.on, look) is not None and token.sign is not Sign.DOT:
        yield Disc(token.at, 0.55 * size, look.paint(Role.PAPER))

    def here(points: Iterable[Point]) -> tuple[Point, ...]:
        return tuple((x + size * a, y + size * b) for a, b in points)

    match token.sign:
        case Sign.DISC:
            yield Disc(token.at, 0.5 * size, colour)
        case Sign.DOT:
            yield Disc(token.at, 0.15 * size, colour)
        case Sign.RING:
            yield Disc(token.at, 0.44 * size, colour, 0.12 * size)
        case Sign.STAR:
            yield Fill((here(_star()),), colour)
        case Sign.QUEEN:
            yield Fill((here(_QUEEN),), colour)
            for a, b in ((-0.46, -0.26), (0, -0.42), (0.46, -0.26)):
                yield Disc((x + size * a, y + size * b), 0.07 * size, colour)
        case Sign.BISHOP:
            yield Fill((here(_BISHOP),), colour)
            yield Disc((x, y - 0.45 * size), 0.07 * size, colour)
        case Sign.CROSS:
            for a in (-0.4, 0.4):
                yield Stroke(here([(-0.4, a), (0.4, -a)]), 0.14 * size, colour)
        case Sign.LOCK:
            yield Fill((here(_LOCK),), colour)
            shackle = ((-0.22, -0.06), *_arc(0.22, math.pi, 2 * math.pi, (0, -0.2)), (0.22, -0.06))
            yield Stroke(here(shackle), 0.1 * size, colour)


def _arrow(arrow: Arrow, look: Look) -> Iterator[Item]:
    (x1, y1), (x2, y2) = arrow.start, arrow.end
    length = math.hypot(x2 - x1, y2 - y1) or 1.0
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    head = min(4 * arrow.weight.value, length)
    colour = look.line(arrow.colour)
    neck = (x2 - head * ux, y2 - head * uy)
    yield Stroke((arrow.start, neck), arrow.weight.value, colour)
    half = head / 2
    wings = (
        (x2, y2),
        (neck[0] - half * uy, neck[1] + half * ux),
        (neck[0] + half * uy, neck[1] - half * ux),
    )
    yield Fill((wings,), colour)


# --- moving --------------------------------------------------------------------------------------


def moved(items: Iterable[Item], right: float, down: float, factor: float = 1.0) -> Iterator[Item]:
    """Items made larger by a factor, then shifted."""

    def at(point: Point) -> Point:
        return point[0] * factor + right, point[1] * factor + down

    for item in items:
        match item:
            case Fill():
                yield replace(item, rings=tuple(tuple(map(at, ring)) for ring in item.rings))
            case Stroke():
                points = tuple(map(at, item.points))
                yield replace(item, points=points, width=item.width * factor)
            case Disc():
                radius, width = item.radius * factor, item.width * factor
                yield replace(item, at=at(item.at), radius=radius, width=width)
            case Label():
                yield replace(item, at=at(item.at), size=item.size * factor)
