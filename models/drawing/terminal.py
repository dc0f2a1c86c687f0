"""Scenes on a terminal: coloured blocks, two columns a cell, where that shows what there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twostep.models.drawing.palette import IN_COLOUR, Look, contrast
from twostep.models.drawing.scene import Area, Colour, Role, Scene, Sign, Text, Token

if TYPE_CHECKING:
    from rich.color import ColorSystem
    from rich.text import Text as RichText

_SIGNS = {
    Sign.DISC: "●",
    Sign.RING: "○",
    Sign.STAR: "★",
    Sign.QUEEN: "♛",
    Sign.BISHOP: "♝",
    Sign.CROSS: "✕",
    Sign.LOCK: "▣",
    Sign.DOT: "·",
}

_PLAIN = (Role.PAPER, Role.CELL, Role.BLOCKED)

Grid = list[list[Colour | None]]
"""The colour of each cell, row by row; None: nothing lies there."""


def grid_of(scene: Scene) -> Grid | None:
    """The cells of a scene whose areas are squares of a board; None: it is no such scene."""
    rows, columns = round(scene.height), round(scene.width)
    grid: Grid = [[None] * columns for _ in range(rows)]
    for shape in scene.shapes:
        if not isinstance(shape, Area):
            continue
        xs, ys = {x for x, _ in shape.points}, {y for _, y in shape.points}
        whole = all(float(value).is_integer() for value in (*xs, *ys))
        if not whole or (len(xs), len(ys), len(shape.points)) != (2, 2, 4):
            return None
        for row in range(int(min(ys)), min(int(max(ys)), rows)):
            for column in range(int(min(xs)), min(int(max(xs)), columns)):
                grid[row][column] = shape.fill
    return grid


def letters_of(scene: Scene) -> list[list[str]]:
    """A character for each cell: from the text, if it has one for each, else from the shapes."""
    rows, columns = round(scene.height), round(scene.width)
    lines = scene.text.split("\n")
    if len(lines) == rows and all(len(line) == columns for line in lines):
        return [list(line) for line in lines]
    letters = [[" "] * columns for _ in range(rows)]
    for shape in scene.shapes:
        if isinstance(shape, Text | Token):
            column, row = int(shape.at[0]), int(shape.at[1])
            if 0 <= row < rows and 0 <= column < columns:
                what = shape.text if isinstance(shape, Text) else _SIGNS[shape.sign]
                letters[row][column] = what[:2]
    return letters


def blocks(scene: Scene, system: ColorSystem, look: Look = IN_COLOUR) -> RichText | None:
    """The scene as coloured blocks with letters on them; None: they would show less than its text.

    `system` says which colours the terminal has: a letter is to be read on what is shown.
    """
    from rich.color import Color
    from rich.text import Text as RichText

    grid = grid_of(scene)
    if grid is None or all(cell is None or cell in _PLAIN for row in grid for cell in row):
        return None
    drawing = RichText()
    for fills, letters in zip(grid, letters_of(scene), strict=True):
        for fill, letter in zip(fills, letters, strict=True):
            if fill is None or fill is Role.BLOCKED:
                drawing.append("  ")
                continue
            colour = look.paint(fill)
            shown = Color.parse(colour).downgrade(system).get_truecolor()
            letter = " " if letter in (".", "#") else letter
            drawing.append(f"{letter:<2}", style=f"{contrast(shown.hex)} on {colour}")
        drawing.append("\n")
    return drawing


def show(scene: Scene, look: Look = IN_COLOUR) -> str | RichText:
    """What a terminal of this process shows: coloured blocks if it has colours, else the text."""
    import sys

    if sys.stdout.isatty() and not look.black:
        from rich.console import COLOR_SYSTEMS, Console

        console = Console()
        if console.color_system is not None and not console.no_color:
            coloured = blocks(scene, COLOR_SYSTEMS[console.color_system], look)
            if coloured is not None:
                return coloured
    return scene.text
