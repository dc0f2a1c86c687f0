"""Heat maps: in how many solutions a piece covers a cell, or an option is chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from twostep.models.drawing.grid import Cell, borders, hairlines, written
from twostep.models.drawing.palette import heat
from twostep.models.drawing.scene import Area, Layer, Scene, Text, square
from twostep.models.words import of_any_length

MOST_BARS = 60
"""Options that a chart shows: those in most solutions."""

_NAME, _BAR = 14.0, 8.0
"""Widths of a row's name and of the longest bar."""


def cells(title: str, times: Mapping[Cell, int], most: int) -> Scene:
    """A board whose cells are the darker the more often they are covered; `most` is darkest."""
    shown = {cell: heat(number / most if most else 0.0) for cell, number in times.items()}
    with of_any_length():
        areas = [Area(square(*cell), fill, name=f"{times[cell]}") for cell, fill in shown.items()]
        numbers = [
            written(cell, f"{times[cell]}", on=fill, size=0.4) for cell, fill in shown.items()
        ]
        rows = max((row for row, _ in times), default=0) + 1
        columns = max((column for _, column in times), default=0) + 1
        text = "\n".join(
            " ".join(f"{times.get((r, c), '#')}" for c in range(columns)) for r in range(rows)
        )
    lines = hairlines(times) + borders(dict.fromkeys(times, 0))
    return Scene(title, columns, rows, (Layer("board", (*areas, *lines, *numbers)),), text)


def bars(title: str, usage: Sequence[tuple[str, int]]) -> Scene:
    """A chart: for each name a bar and its number; those with the largest numbers."""
    rows = sorted(usage, key=lambda pair: -pair[1])[:MOST_BARS]
    most = max((number for _, number in rows), default=0)
    shapes: list[Area | Text] = []
    for row, (name, number) in enumerate(rows):
        with of_any_length():
            figure = f"{number}"
        share = number / most if most else 0.0
        y = row + 0.5
        shapes.append(Text((_NAME / 2, y), name, 0.5, width=_NAME - 0.5))
        wide = max(share * _BAR, 0.02)
        corners = ((_NAME, row + 0.2), (_NAME + wide, row + 0.2), (_NAME + wide, row + 0.8),
                   (_NAME, row + 0.8))  # fmt: skip
        shapes.append(Area(corners, heat(0.25 + 0.75 * share), name=f"{name}: {figure}"))
        shapes.append(Text((_NAME + _BAR + 1.5, y), figure, 0.5, width=2.8))
    left = len(usage) - len(rows)
    if left > 0:
        shapes.append(Text((_NAME, len(rows) + 0.5), f"{left} more options", 0.4))
    height = len(rows) + (1 if left > 0 else 0)
    return Scene(title, _NAME + _BAR + 3, max(height, 1), (Layer("bars", tuple(shapes)),))
