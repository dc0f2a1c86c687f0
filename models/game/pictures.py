"""Levels and solutions as pictures: PNG, contact sheets, animated GIF, SVG, terminal blocks.

Pillow is imported where it is used, so that nothing else waits for it.
"""

from __future__ import annotations

import io
import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from twostep.models.errors import InputError
from twostep.models.families.polyomino.pieces import PENTOMINOES, Cell
from twostep.models.families.polyomino.placement import Placement
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle
from twostep.models.game.level import Level

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont
    from rich.color import ColorSystem
    from rich.text import Text

PALETTE = (
    "#F0EC83", "#0C83FF", "#900000", "#6AF4D0", "#F47B77", "#681D9C", "#B0FB01", "#7C7B99",
    "#FFA2FF", "#75283F", "#FF3A01", "#6504FB",
)  # fmt: skip
"""Colours for twelve pieces, found by random search so that any two differ well (30 in CIELAB)
to eyes with protanopia, deuteranopia or tritanopia too (Machado et al. 2009); a test holds that.
Further pieces begin again: the letters and the dark edges still tell them apart."""

_FIXED = dict(zip(PENTOMINOES, PALETTE, strict=True))

PAPER = "#FFFFFF"
EMPTY = "#E4E4E4"
INK = "#202020"
FAINT = "#B8B8B8"

MAX_PIXELS = 40_000_000
"""A picture, or an animation, with more in all its frames is refused."""


@dataclass(frozen=True, slots=True)
class View:
    """A board as it is to be seen.

    Attributes:
        puzzle: the level.
        placed: the pieces on the board, locked ones too.
    """

    puzzle: PolyominoPuzzle
    placed: tuple[Placement, ...]

    def colour(self, piece: str) -> str:
        """A piece's colour, a pentomino's being the same in every level."""
        return _colours(self.puzzle)[piece]

    def owners(self) -> dict[Cell, int]:
        """Which of `placed` lies on a cell."""
        return {cell: i for i, each in enumerate(self.placed) for cell in each.cells}

    def edges(self) -> list[tuple[Cell, Cell]]:
        """The lines between pieces and around the board, as pairs of corners (row, column)."""
        owner: dict[Cell, int] = dict.fromkeys(self.puzzle.board.free, -1) | self.owners()
        lines = []
        for row in range(-1, self.puzzle.board.rows):
            for column in range(-1, self.puzzle.board.columns):
                here = owner.get((row, column))
                if here != owner.get((row + 1, column)):
                    lines.append(((row + 1, column), (row + 1, column + 1)))
                if here != owner.get((row, column + 1)):
                    lines.append(((row, column + 1), (row + 1, column + 1)))
        return lines


def _colours(puzzle: PolyominoPuzzle) -> dict[str, str]:
    """Pentominoes keep their colour from level to level; other pieces get those that are left."""
    names = [kind.name for kind in puzzle.kinds]
    colours = {name: _FIXED[name] for name in names if name in _FIXED}
    left = [colour for colour in PALETTE if colour not in colours.values()] or PALETTE
    others = (name for name in names if name not in _FIXED)
    return colours | dict(zip(others, itertools.cycle(left), strict=False))


def start(puzzle: PolyominoPuzzle) -> View:
    """The board as the player gets it: locked pieces only."""
    return View(puzzle, puzzle.locked)


def solved(puzzle: PolyominoPuzzle, solution: Iterable[int]) -> View:
    """The board with a solution on it (option ids)."""
    labels = (puzzle.model.labels[option] for option in solution)
    return View(puzzle, tuple(label for label in labels if isinstance(label, Placement)))


# --- raster ---------------------------------------------------------------------------------


def image(view: View, scale: int = 40) -> Image:
    """A picture with `scale` pixels for a cell's side, half a cell of paper around.

    Raises:
        InputError: too large.
    """
    from PIL import Image, ImageDraw

    wide, high = _size(view, scale)
    if wide * high > MAX_PIXELS:
        raise InputError(f"a picture of {wide} x {high} pixels is too large: lower the scale")
    picture = Image.new("RGB", (wide, high), PAPER)
    _paint(view, ImageDraw.Draw(picture), scale, scale // 2, scale // 2)
    return picture


def _size(view: View, scale: int) -> tuple[int, int]:
    """Width and height of a picture, with half a cell of paper around."""
    board, paper = view.puzzle.board, scale // 2 * 2
    return board.columns * scale + paper, board.rows * scale + paper


def _paint(view: View, draw: ImageDraw, scale: int, left: int, top: int) -> None:
    owner = view.owners()
    locked = set(view.puzzle.locked)
    for cell in view.puzzle.board.free:
        x, y = left + cell[1] * scale, top + cell[0] * scale
        box = (x, y, x + scale - 1, y + scale - 1)
        if cell in owner:
            draw.rectangle(box, fill=view.colour(view.placed[owner[cell]].piece))
        else:
            draw.rectangle(box, fill=EMPTY, outline=FAINT if scale >= 8 else None)
    width = max(1, scale // 12)
    for (row, column), (row2, column2) in view.edges():
        line = (
            left + column * scale,
            top + row * scale,
            left + column2 * scale,
            top + row2 * scale,
        )
        draw.line(line, fill=INK, width=width)
    if scale < 12:
        return
    font = _font(scale // 2)
    for placement in view.placed:
        colour = _contrast(view.colour(placement.piece))
        # The letter in the middle cell, the lock in the first: they never share a cell.
        row, column = placement.cells[len(placement.cells) // 2]
        at = (left + column * scale + scale // 2, top + row * scale + scale // 2)
        draw.text(at, view.puzzle.letters[placement.piece], fill=colour, font=font, anchor="mm")
        if placement in locked:
            row, column = placement.cells[0]
            at = (left + column * scale + scale // 2, top + row * scale + scale // 2)
            _padlock(draw, at, scale, colour)


def _padlock(draw: ImageDraw, at: tuple[int, int], scale: int, colour: str) -> None:
    x, y = at
    unit = max(2, scale // 8)
    top = y - unit // 2
    draw.rectangle((x - 2 * unit, top, x + 2 * unit, y + 2 * unit), fill=colour)
    draw.arc(
        (x - unit - unit // 2, top - 2 * unit, x + unit + unit // 2, top + 2 * unit),
        180, 360, fill=colour, width=max(1, unit // 2),
    )  # fmt: skip


def _font(size: int) -> FreeTypeFont | ImageFont:
    from PIL import ImageFont

    return ImageFont.load_default(size=max(8, size))


def _contrast(colour: str) -> str:
    """Dark or light, whichever reads better on a colour: the greater contrast ratio (WCAG 2)."""
    light, here, dark = map(_luminance, (PAPER, colour, INK))
    return INK if (here + 0.05) / (dark + 0.05) > (light + 0.05) / (here + 0.05) else PAPER


def _luminance(colour: str) -> float:
    """The relative luminance of an sRGB colour, 0 to 1."""
    shares = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares)
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def png(view: View, scale: int = 40) -> bytes:
    """The picture as a PNG file's bytes."""
    return _bytes(image(view, scale))


def _bytes(picture: Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG", optimize=True)
    return out.getvalue()


_FRAME = 500
"""How long a frame of an animation stays, ms."""


def gif(view: View, scale: int = 40) -> bytes:
    """An animation's bytes: the locked pieces, then the others one after the other, for ever.

    The last frame stays four times as long.

    Raises:
        InputError: too many pixels in all.
    """
    locked = view.puzzle.locked
    others = [each for each in view.placed if each not in locked]
    steps = [View(view.puzzle, (*locked, *others[:n])) for n in range(len(others) + 1)]
    wide, high = _size(view, scale)
    if len(steps) * wide * high > MAX_PIXELS:
        raise InputError(
            f"{len(steps)} pictures of {wide} x {high} pixels are too many: lower the scale, or"
            " draw a .png"
        )
    frames = [image(step, scale).quantize(64) for step in steps]
    out = io.BytesIO()
    frames[0].save(
        out, "GIF", save_all=True, append_images=frames[1:], loop=0, disposal=1,
        duration=[_FRAME] * (len(frames) - 1) + [4 * _FRAME],
    )  # fmt: skip
    return out.getvalue()


_COLUMNS, _ROWS = 5, 6
"""Of levels on a contact sheet."""
_CELL = 12
"""The side of a cell on a contact sheet, pixels."""
_WIDEST = 1000
"""What a level may take of a contact sheet across and down, pixels; then its cells are smaller."""


def sheets(
    levels: Sequence[Level],
    show: Callable[[Level], View] = lambda level: start(level.puzzle),
    title: str = "",
) -> list[bytes]:
    """Contact sheets as PNG files' bytes: levels side by side, with name and grade.

    `show` gives what is to be seen of a level; by default the board as the player gets it.

    All levels are drawn to one scale, so small that the largest board fits.

    Raises:
        InputError: a page is too large even with a pixel for a cell.
    """
    from PIL import Image, ImageDraw

    widest = max(level.board.columns for level in levels)
    highest = max(level.board.rows for level in levels)
    scale = max(1, min(_CELL, _WIDEST // max(widest, highest)))
    gap, text = 16, 18
    box = (max(widest * scale, 130) + gap, highest * scale + text + gap)
    head = 28 if title else 0
    pages = []
    for first in range(0, len(levels), _COLUMNS * _ROWS):
        page = levels[first : first + _COLUMNS * _ROWS]
        size = (_COLUMNS * box[0] + gap, -(-len(page) // _COLUMNS) * box[1] + gap + head)
        if size[0] * size[1] > MAX_PIXELS:
            raise InputError(
                f"a sheet of {size[0]} x {size[1]} pixels is too large: draw level by level"
            )
        picture = Image.new("RGB", size, PAPER)
        draw = ImageDraw.Draw(picture)
        if title:
            draw.text((gap, 8), title, fill=INK, font=_font(16))
        for place, level in enumerate(page):
            left = gap + place % _COLUMNS * box[0]
            top = gap + head + place // _COLUMNS * box[1]
            grade = f" (grade {level.grade})" if level.grade is not None else ""
            name = level.name or str(first + place + 1)
            draw.text((left, top - 4), f"{name[:14]}{grade}", fill=INK, font=_font(12))
            _paint(show(level), draw, scale, left, top + text - 4)
        pages.append(_bytes(picture))
    return pages


# --- vector and terminal --------------------------------------------------------------------


def svg(view: View, millimetres: float = 10.0) -> str:
    """The picture as an SVG document for print; a cell's side is so many millimetres."""
    board = view.puzzle.board
    owner = view.owners()
    wide, high = board.columns + 1, board.rows + 1
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide * millimetres:g}mm"'
        f' height="{high * millimetres:g}mm" viewBox="-0.5 -0.5 {wide} {high}">',
        f"<title>{escape(view.puzzle.name)}</title>",
    ]
    for row, column in board.free:
        i = owner.get((row, column))
        fill = EMPTY if i is None else view.colour(view.placed[i].piece)
        stroke = f' stroke="{FAINT}" stroke-width="0.02"' if i is None else ""
        parts.append(f'<rect x="{column}" y="{row}" width="1" height="1" fill="{fill}"{stroke}/>')
    path = " ".join(f"M{c} {r}L{c2} {r2}" for (r, c), (r2, c2) in view.edges())
    parts.append(
        f'<path d="{path}" stroke="{INK}" stroke-width="0.08" stroke-linecap="round" fill="none"/>'
    )
    for placement in view.placed:
        row, column = placement.cells[len(placement.cells) // 2]
        colour = _contrast(view.colour(placement.piece))
        letter = escape(view.puzzle.letters[placement.piece])
        parts.append(
            f'<text x="{column + 0.5}" y="{row + 0.68}" font-size="0.5" text-anchor="middle"'
            f' font-family="sans-serif" fill="{colour}">{letter}</text>'
        )
        if placement in view.puzzle.locked:
            row, column = placement.cells[0]
            parts.append(
                f'<path d="M{column + 0.28} {row + 0.45}h0.44v0.33h-0.44z" fill="{colour}"/>'
                f'<path d="M{column + 0.36} {row + 0.45}v-0.08a0.14 0.14 0 0 1 0.28 0v0.08"'
                f' fill="none" stroke="{colour}" stroke-width="0.06"/>'
            )
    return "\n".join([*parts, "</svg>"]) + "\n"


def text(view: View) -> str:
    """The board as plain letters."""
    return view.puzzle.drawn(view.placed)


def blocks(view: View, system: ColorSystem) -> Text:
    """The board as coloured blocks for a terminal, two characters a cell, letters on them.

    `system` says which colours the terminal has: a letter is to be read on what is shown.
    """
    from rich.color import Color
    from rich.text import Text

    owner = view.owners()
    drawing = Text()
    for row, line in enumerate(text(view).split("\n")):
        for column, character in enumerate(line):
            cell = (row, column)
            if cell in owner:
                colour = view.colour(view.placed[owner[cell]].piece)
                shown = Color.parse(colour).downgrade(system).get_truecolor()
                drawing.append(f"{character} ", style=f"{_contrast(shown.hex)} on {colour}")
            else:
                drawing.append("  ", style=f"on {EMPTY}" if cell in view.puzzle.board else "")
        drawing.append("\n")
    return drawing
