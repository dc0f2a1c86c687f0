"""What pictures of grids share: cells, lines between them, borders of regions, and marks."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping

from twostep.models.drawing.scene import (
    Area,
    Colour,
    Line,
    Point,
    Role,
    Shape,
    Text,
    Weight,
    square,
)

Cell = tuple[int, int]
"""Row and column, from 0."""


def place(cell: Cell) -> str:
    """A cell in words: ``row 2, column 3``, both from 1."""
    return f"row {cell[0] + 1}, column {cell[1] + 1}"


def middle(cell: Cell) -> Point:
    """The centre of a cell."""
    return cell[1] + 0.5, cell[0] + 0.5


def areas(
    cells: Iterable[Cell],
    fill: Callable[[Cell], Colour] = lambda _cell: Role.CELL,
    name: Callable[[Cell], str] = place,
) -> list[Shape]:
    """The cells, each in its colour and with its name."""
    return [Area(square(*cell), fill(cell), name=name(cell)) for cell in cells]


def hairlines(cells: Iterable[Cell]) -> list[Shape]:
    """Thin lines around each of the cells, each line once."""
    return strokes({cell: cell for cell in cells}, Weight.HAIR, Role.FAINT)


def borders(
    region_of: Mapping[Cell, Hashable], weight: Weight = Weight.EDGE, colour: Colour = Role.INK
) -> list[Shape]:
    """Lines around the regions: between cells of different ones, and around all of them."""
    return strokes(region_of, weight, colour)


def strokes(region_of: Mapping[Cell, Hashable], weight: Weight, colour: Colour) -> list[Shape]:
    """The borders between regions as straight lines, each as long as it can be."""
    nowhere = object()
    level: set[Cell] = set()
    upright: set[Cell] = set()
    for (r, c), region in region_of.items():
        for edges, edge, other in (
            (level, (r, c), (r - 1, c)),
            (level, (r + 1, c), (r + 1, c)),
            (upright, (r, c), (r, c - 1)),
            (upright, (r, c + 1), (r, c + 1)),
        ):
            if region_of.get(other, nowhere) != region:
                edges.add(edge)
    drawn: list[Shape] = [
        Line(((left, y), (right, y)), weight, colour) for y, left, right in _runs(level)
    ]
    turned = _runs({(x, y) for y, x in upright})
    return drawn + [Line(((x, top), (x, bottom)), weight, colour) for x, top, bottom in turned]


def _runs(edges: set[Cell]) -> list[tuple[int, int, int]]:
    """Unit edges joined: pairs (line, place) to (line, first, last + 1)."""
    joined: list[tuple[int, int, int]] = []
    for line, at in sorted(edges):
        if joined and joined[-1][0] == line and joined[-1][2] == at:
            joined[-1] = (line, joined[-1][1], at + 1)
        else:
            joined.append((line, at, at + 1))
    return joined


def outlined(cells: Iterable[Cell], colour: Colour = Role.MARK) -> list[Shape]:
    """A thick line around some cells, which a hint or an explanation points at."""
    return strokes(dict.fromkeys(cells, 0), Weight.WALL, colour)


def written(
    cell: Cell, text: str, on: Colour = Role.CELL, *, size: float = 0.6, bold: bool = False
) -> Text:
    """Letters or digits in the middle of a cell."""
    return Text(middle(cell), text, size, on=on, bold=bold, width=0.9)


def rectangle(rows: int, columns: int) -> list[Cell]:
    """The cells of a rectangle, row by row."""
    return [(r, c) for r in range(rows) for c in range(columns)]
