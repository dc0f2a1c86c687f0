"""Pieces with all the ways in which they may lie, as text and as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from twostep.models.drawing.grid import Cell, areas, borders, hairlines
from twostep.models.drawing.scene import Area, Layer, Line, Scene, Shape, Text
from twostep.models.families.polyomino.pieces import Piece, extent, picture
from twostep.models.families.polyomino.pieces import Shape as PieceShape
from twostep.models.words import counted

_NAMES = 2.5
"""Cells that a piece's name takes, at the left."""


def told(pieces: Sequence[Piece]) -> str:
    """A paragraph for each piece: its name, and its orientations side by side."""
    return "\n\n".join(_told(piece) for piece in pieces)


def _told(piece: Piece) -> str:
    head = f"{piece.name}: {counted(piece.size, 'cell')}, lies in {_ways(piece)}"
    pictures = [picture(shape) for shape in piece.orientations]
    widths = [len(rows[0]) for rows in pictures]
    lines = [head]
    for rows in zip_longest(*pictures):
        cells = ((row or "").replace(".", " ") for row in rows)
        lines.append(
            "   ".join(
                cell.ljust(width) for cell, width in zip(cells, widths, strict=True)
            ).rstrip()
        )
    return "\n".join(lines)


def _ways(piece: Piece) -> str:
    number = len(piece.orientations)
    return f"{number} way" if number == 1 else f"{number} ways"


def drawn(pieces: Sequence[Piece], title: str) -> Scene:
    """A row for each piece: its name, then its orientations."""
    shapes: list[Shape] = []
    names: list[Shape] = []
    top, wide = 0.0, _NAMES
    for number, piece in enumerate(pieces):
        high = max(extent(shape)[0] for shape in piece.orientations)
        names.append(Text((_NAMES / 2 - 0.3, top + high / 2), piece.name, 0.8, width=_NAMES - 0.6))
        left = _NAMES
        for shape in piece.orientations:
            shapes += _moved(shape, number, int(top), int(left * 2))
            left += extent(shape)[1] + 0.5
        wide = max(wide, left - 0.5)
        top += high + 1
    layers = Layer("names", tuple(names)), Layer("pieces", tuple(shapes))
    return Scene(title, wide, max(top - 1, 1), layers, told(pieces))


def _moved(shape: PieceShape, colour: int, top: int, half: int) -> list[Shape]:
    """A piece's shape, `half` half cells from the left."""
    cells: list[Cell] = [(top + row, column) for row, column in shape]
    plain = areas(cells, lambda _cell: colour) + hairlines(cells) + borders(dict.fromkeys(cells, 0))
    return [
        replace(each, points=tuple((x + half / 2, y) for x, y in each.points))
        for each in plain
        if isinstance(each, Area | Line)
    ]
