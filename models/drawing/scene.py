"""A picture as drawing primitives: every puzzle gives one, every writer draws it.

Coordinates are in cells: x grows to the right, y downwards, the side of a square cell is 1.
Shapes are drawn in order, layer after layer. Colours are roles or numbers; only the palette
(:mod:`twostep.models.drawing.palette`) knows what they look like, so that one scene can be shown
in colour, in black and white, or on a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

Point = tuple[float, float]
"""x and y, cells."""


class Role(Enum):
    """What a colour is for."""

    PAPER = "paper"
    """What the picture lies on."""
    CELL = "cell"
    """A cell that nothing lies on."""
    BLOCKED = "blocked"
    """A cell that nothing may lie on."""
    INK = "ink"
    """Text, borders and tokens."""
    FAINT = "faint"
    """Lines between cells."""
    MARK = "mark"
    """What a hint or an explanation points at."""
    WRONG = "wrong"
    """What contradicts the rules, or a conflict."""


Colour = Role | int | str
"""A role; a number, the palette's colour of that number for a piece or a region, any number of
them; or ``#RRGGBB``, just that colour."""


class Weight(Enum):
    """How wide a line is, in cells."""

    HAIR = 0.02
    """Between cells."""
    THIN = 0.04
    """Inside a piece, between boxes of one kind."""
    EDGE = 0.08
    """Around pieces, regions and the board."""
    WALL = 0.14
    """Walls of mazes."""


@dataclass(frozen=True, slots=True)
class Area:
    """A filled polygon: a cell, or a part of one.

    Attributes:
        points: the corners, in order.
        fill: its colour.
        hatched: whether thin lines cross it, for what must be told apart without colour.
        name: what it is, for readers that cannot see it: ``row 2, column 3: P``; empty: nothing.
    """

    points: tuple[Point, ...]
    fill: Colour = Role.CELL
    hatched: bool = False
    name: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points; closed if the last is the first."""

    points: tuple[Point, ...]
    weight: Weight = Weight.EDGE
    colour: Colour = Role.INK
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """Letters or digits centred at a point.

    Attributes:
        at: the centre.
        text: one line.
        size: the height of a capital letter times 1.4, cells; shrunk where `width` is less.
        on: the colour beneath, from which the text is dark or light; None: the paper.
        bold: whether it is a given, or stands out otherwise.
        width: cells that it has at most; None: no bound.
        colour: its own colour; None: what reads best on `on`.
    """

    at: Point
    text: str
    size: float = 0.5
    on: Colour | None = None
    bold: bool = False
    width: float | None = None
    colour: Colour | None = None


class Sign(Enum):
    """The form of a token."""

    DISC = "disc"
    RING = "ring"
    STAR = "star"
    QUEEN = "queen"
    BISHOP = "bishop"
    CROSS = "cross"
    LOCK = "lock"
    DOT = "dot"


@dataclass(frozen=True, slots=True)
class Token:
    """A sign centred at a point, `size` cells wide; `on` as for :class:`Text`."""

    at: Point
    sign: Sign
    size: float = 0.7
    on: Colour | None = None
    colour: Colour | None = None


@dataclass(frozen=True, slots=True)
class Arrow:
    """A line with a head at its end."""

    start: Point
    end: Point
    weight: Weight = Weight.EDGE
    colour: Colour = Role.INK


Shape = Area | Line | Text | Token | Arrow


@dataclass(frozen=True, slots=True)
class Layer:
    """Shapes that belong together: ``board``, ``pieces``, ``marks``."""

    name: str
    shapes: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture.

    Attributes:
        title: what it shows, one line.
        width, height: of the drawing, cells, without margins.
        layers: what is drawn, from the bottom up.
        text: the same as plain text, for terminals and readers; empty: there is none.
    """

    title: str
    width: float
    height: float
    layers: tuple[Layer, ...]
    text: str = ""

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """All shapes, in the order of drawing."""
        return tuple(shape for layer in self.layers for shape in layer.shapes)


@dataclass(frozen=True, slots=True)
class Marks:
    """What a picture points at.

    Attributes:
        options: options drawn so that they stand out (a hint's move, a difference).
        items: items drawn so that they stand out (the cell to look at, a conflict).
    """

    options: frozenset[int] = frozenset()
    items: frozenset[int] = frozenset()


NO_MARKS = Marks()


def square(row: float, column: float, side: float = 1.0) -> tuple[Point, ...]:
    """The corners of a square cell on a board of rows and columns."""
    return (
        (column, row),
        (column + side, row),
        (column + side, row + side),
        (column, row + side),
    )


def centre(points: Iterable[Point]) -> Point:
    """The mean of some points."""
    xs, ys = zip(*points, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


@dataclass(frozen=True, slots=True)
class Spare:
    """A piece that the player gets, as pictures show it beside the board.

    Attributes:
        name: the piece's name.
        scene: the piece alone; its size is the size of its bounding box.
        low, high: how many are still to be placed; None: any number.
        locked: how many lie on the board from the start.
    """

    name: str
    scene: Scene
    low: int = 1
    high: int | None = 1
    locked: int = 0

    @property
    def copies(self) -> str:
        """How many, as it stands beside the piece; empty: one, or none but locked ones."""
        if self.high is None:
            return "any" if not self.low else f"{self.low} or more"
        if self.low == self.high:
            return "" if self.high <= 1 else f"x{self.high}"
        return f"{self.low}-{self.high}"
