"""Games as pictures: a field with a piece, the final field, the sprite alone.

J, T and L pieces have the sprite's colours, as many as it has, whether they make squares of the
picture or vanish; the others have the colours of the classic game. No piece changes its colour.
The field is drawn with four more rows on top, darker, in which the pieces come in.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from twostep.models.drawing.pixels import png_bytes
from twostep.models.errors import InputError
from twostep.models.families.tetris.field import VANISHING, Field, value_of
from twostep.models.families.tetris.pieces import HEIGHT, WIDTH, Cell, box_cells
from twostep.models.families.tetris.printfile import Program
from twostep.models.families.tetris.sprite import (
    EMPTY,
    MARGIN,
    Colour,
    from_hexadecimal,
    hexadecimal,
)

if TYPE_CHECKING:
    from PIL.Image import Image

PixelArray = npt.NDArray[np.uint8]

ENTRY = 4
"""Rows drawn above the field, where pieces come in."""

CLASSIC: dict[str, Colour] = {
    "I": (0, 200, 220),
    "O": (235, 200, 0),
    "S": (60, 185, 60),
    "Z": (220, 50, 50),
    "J": (50, 90, 225),
    "L": (240, 140, 20),
    "T": (160, 60, 200),
}
"""Colours of the pieces that make no square."""

BACKGROUNDS: tuple[Colour, ...] = (
    (24, 24, 32),
    (238, 238, 230),
    (112, 112, 120),
    (70, 20, 60),
)
"""The field's colour is the first of these that differs enough from each colour of the sprite.

They are more than a sprite has colours, so that one of them is none of these.
"""

_GREYS: tuple[Colour, ...] = tuple((grey, grey, grey) for grey in range(8, 256, 8))

CONTRAST = 100
"""How much two colours differ enough: the distance of their (red, green, blue)."""

FLASH: Colour = (255, 255, 255)
FRAME: Colour = (96, 96, 112)

PANEL = 9
"""Columns of a console's panel, its frame among them."""

LINES_PER_LEVEL = 10
"""So many rows that vanish make a level."""

# The palette: background, sprite's colours, pieces' colours; then the same again, shaded; then
# the entry rows, the flash.
_BACK, _PIECE = 0, 4
_SHADED = _PIECE + len(VANISHING)
_ENTRY_BACK, _FLASH, _FRAME = 2 * _SHADED, 2 * _SHADED + 1, 2 * _SHADED + 2


@dataclass(frozen=True, slots=True)
class Look:
    """How games are drawn.

    Attributes:
        cell: side of a square, pixels.
        background: the field's colour; None: one that differs from the sprite's.
        console: whether there is a frame, with the next piece, the level and the lines beside it.
    """

    cell: int = 8
    background: Colour | None = None
    console: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """What a console says beside the field.

    Attributes:
        following: the letter of the next piece; None: there is none.
        value: what that piece's squares hold in the field.
        lines: how many rows have vanished.
    """

    following: str | None = None
    value: int = EMPTY
    lines: int = 0


def require_visible(colours: Sequence[str], asked: Colour | None) -> None:
    """Refuse a field's colour that is one of the sprite's, or of the pieces beside them.

    Raises:
        InputError: names the pieces that nobody could see.
    """
    if asked is None:
        return
    for letter in VANISHING:
        value = value_of(letter, len(colours))
        drawn = from_hexadecimal(colours[value - 1]) if value > EMPTY else CLASSIC[letter]
        if asked == drawn:
            raise InputError(
                f"--background: {hexadecimal(asked)} is the colour of the pieces {letter}, which"
                " could not be seen: choose another"
            )


def own_background(sprite: Sequence[Colour]) -> Colour:
    """The first background that differs enough from the sprite's colours, or the best."""
    return max(
        (*BACKGROUNDS, *_GREYS),
        key=lambda colour: min([CONTRAST, *(math.dist(colour, other) for other in sprite)]),
    )


def palette(program: Program, asked: Colour | None = None) -> list[Colour]:
    """The colours that pixels point to; `asked` is the field's."""
    sprite = [from_hexadecimal(colour) for colour in program.colours]
    back = own_background(sprite) if asked is None else asked
    sprite += [back] * (_PIECE - 1 - len(sprite))
    base = [back, *sprite, *(CLASSIC[letter] for letter in VANISHING)]
    shaded = [_towards(colour, (0, 0, 0), 0.3) for colour in base]
    # The lines between empty cells are only just to be seen, in a light field and in a dark one.
    opposite = (0, 0, 0) if sum(back) > 384 else (255, 255, 255)
    shaded[_BACK] = _towards(back, opposite, 0.08)
    return [*base, *shaded, _towards(back, opposite, 0.2), FLASH, FRAME]


def _towards(colour: Colour, other: Colour, part: float) -> Colour:
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(colour, other, strict=True))
    return (red, green, blue)


def _index(value: int) -> int:
    """The palette's index of what a field holds."""
    return value if value >= EMPTY else _PIECE - 1 - value


@dataclass(frozen=True, slots=True)
class Falling:
    """A piece that is drawn though the field doesn't hold it: its cells in the field's columns."""

    cells: tuple[Cell, ...]
    value: int


def draw(
    field: Field, cell: int, falling: Falling | None = None, *, entry: bool, lit: Sequence[int] = ()
) -> PixelArray:
    """The field as pixels, with or without the entry rows; (rows, columns), the top row first.

    The rows `lit` flash.
    """
    squares = np.array(field.rows, dtype=np.int16)
    squares = np.where(squares >= EMPTY, squares, _PIECE - 1 - squares)
    if entry:
        above = np.full((ENTRY, WIDTH), _ENTRY_BACK, dtype=np.int16)
        squares = np.vstack([squares, above])
    if falling is not None:
        for x, y in falling.cells:
            if y < len(squares):
                squares[y, x] = _index(falling.value)
    squares[[*lit]] = _FLASH
    return _enlarged(squares[::-1], cell)


def size(look: Look) -> tuple[int, int]:
    """Width and height of a game's pictures with the entry rows, pixels."""
    if look.console:
        return (WIDTH + 1 + PANEL) * look.cell, (HEIGHT + ENTRY + 2) * look.cell
    return WIDTH * look.cell, (HEIGHT + ENTRY) * look.cell


def consoled(pixels: PixelArray, panel: Panel, cell: int) -> PixelArray:
    """A frame around a game, and the panel on its right."""
    high = pixels.shape[0] + 2 * cell
    whole = np.full((high, (WIDTH + 1 + PANEL) * cell), _FRAME, dtype=np.uint8)
    left, right = WIDTH + 2, WIDTH + PANEL
    whole[cell:-cell, cell : (WIDTH + 1) * cell] = pixels
    whole[cell:-cell, left * cell : right * cell] = _ENTRY_BACK
    if panel.following is not None:
        cells, side = box_cells(panel.following, 0)
        value = _index(panel.value)
        squares = np.full((4, 4), _ENTRY_BACK, dtype=np.int16)
        for x, y in cells:
            squares[(4 + side) // 2 - 1 - y, x + (4 - side) // 2] = value
        whole[4 * cell : 8 * cell, (left + 1) * cell : (left + 5) * cell] = _enlarged(squares, cell)
    level = panel.lines // LINES_PER_LEVEL
    words = ("NEXT", "LEVEL", str(level), "LINES", str(panel.lines))
    for text, row in zip(words, (2, 10, 12, 16, 18), strict=True):
        ink = _lettering(text, cell)
        wide = min(ink.shape[1], (right - left) * cell)
        top, start = row * cell, left * cell + ((right - left) * cell - wide) // 2
        spot = whole[top : top + ink.shape[0], start : start + wide]
        spot[ink[:, :wide]] = _FLASH
    return whole


@cache
def _lettering(text: str, cell: int) -> npt.NDArray[np.bool_]:
    """Where a line of text has ink, (rows, columns) of pixels."""
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.load_default(size=1.5 * cell)
    box = font.getbbox(text)
    image = Image.new("L", (round(box[2]) + 1, round(box[3]) + 1))
    ImageDraw.Draw(image).text((0, 0), text, fill=255, font=font)
    return np.array(image) >= 128


def _enlarged(squares: npt.NDArray[np.int16], cell: int) -> PixelArray:
    pixels = np.repeat(np.repeat(squares, cell, axis=0), cell, axis=1)
    if cell >= 4:
        # A darker right and lower edge tells squares of one colour apart.
        edge = np.zeros(pixels.shape, dtype=np.bool_)
        edge[cell - 1 :: cell, :] = True
        edge[:, cell - 1 :: cell] = True
        pixels = np.where(edge & (pixels < _SHADED), pixels + _SHADED, pixels)
    return pixels.astype(np.uint8)


def image(pixels: PixelArray, colours: list[Colour]) -> Image:
    """Pixels that point to a palette, as an image."""
    from PIL import Image

    drawn = Image.fromarray(pixels)
    drawn.putpalette([part for colour in colours for part in colour])
    return drawn


def field_png(field: Field, program: Program, look: Look, lines: int = 0) -> bytes:
    """The field as a PNG; on a console with `lines` rows that have vanished."""
    pixels = draw(field, look.cell, entry=look.console)
    if look.console:
        pixels = consoled(pixels, Panel(lines=lines), look.cell)
    return png_bytes(image(pixels, palette(program, look.background)))


def bare(
    field: Field, program: Program, width: int, height: int, background: Colour | None = None
) -> Image:
    """The picture alone, `width` x `height`: a pixel per square.

    Where it is empty it is transparent, or has the background that was asked for.
    """
    from PIL import Image

    pixels = np.zeros((height, width, 4), dtype=np.uint8)
    if background is not None:
        pixels[:] = (*background, 255)
    for y in range(height):
        for x in range(width):
            value = field.rows[y][MARGIN + x]
            if value > EMPTY:
                colour = from_hexadecimal(program.colours[value - 1])
                pixels[height - 1 - y, x] = (*colour, 255)
    drawn: Image.Image = Image.fromarray(pixels)
    return drawn


def together(tiles: Sequence[Sequence[Image | None]], background: Colour | None) -> Image:
    """A picture put together from its tiles, the top row first; None: nothing in it."""
    from PIL import Image

    wide = [max(tile.width if tile else 0 for tile in each) for each in zip(*tiles, strict=True)]
    high = [max(tile.height if tile else 0 for tile in row) for row in tiles]
    back = (0, 0, 0, 0) if background is None else (*background, 255)
    made = Image.new("RGBA", (sum(wide), sum(high)), back)
    for r, row in enumerate(tiles):
        for c, tile in enumerate(row):
            if tile is not None:
                made.paste(tile, (sum(wide[:c]), sum(high[:r])))
    return made


def extent(field: Field) -> tuple[int, int]:
    """Width and height of the smallest sprite that holds all the picture's squares."""
    filled = [(x, y) for y, row in enumerate(field.rows) for x, v in enumerate(row) if v > EMPTY]
    inside = [(x, y) for x, y in filled if MARGIN <= x < WIDTH - MARGIN]
    return (
        max((x for x, _ in inside), default=MARGIN) - MARGIN + 1,
        max((y for _, y in inside), default=0) + 1,
    )
