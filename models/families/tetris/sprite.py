"""Sprites: small pictures of at most three colours, read from image files with care.

What may be done to an image that doesn't fit is in
:mod:`twostep.models.families.tetris.intake`. Opaque means alpha 255; anything
else is transparent. Colours are numbered from 1 by first appearance, top to bottom, left to
right.
"""

from __future__ import annotations

import importlib.resources
import os
from dataclasses import dataclass, replace
from importlib.resources.abc import Traversable

from twostep.models.errors import InputError, did_you_mean
from twostep.models.families.tetris.intake import MAX_PIXELS, PLAIN, Intake, Taken, decode, prepared
from twostep.models.families.tetris.pieces import MAX_COLOURS, WIDTH
from twostep.models.reading.files import read_bytes, source_name
from twostep.models.words import counted

MARGIN = 2
"""Columns of the field left of the picture: there not all three pieces can make a square."""

MAX_WIDTH = WIDTH - 2 * MARGIN
"""Columns of the widest picture."""

MAX_HEIGHT = 32
"""Rows of the highest picture: 31 of them, a platform of 3, the last, and a block of 7 are 42."""

MAX_FILE_BYTES = 16 * 2**20
"""What an image file may weigh: a photo that is to be fitted, but no more."""

SCALES = "--fit scales it down"
"""What to do about an image that is too large."""

EMPTY = 0
"""The number of the colour of a transparent pixel."""

Colour = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""


@dataclass(frozen=True, slots=True)
class Sprite:
    """A picture.

    Attributes:
        colours: one to three, in order of their numbers 1, 2, 3.
        pixels: (height, width), the *bottom* row first; numbers of colours, 0 is transparent.
        notes: what was taken otherwise than it may have been meant, in words.
    """

    colours: tuple[Colour, ...]
    pixels: tuple[tuple[int, ...], ...]
    notes: tuple[str, ...] = ()

    @property
    def width(self) -> int:
        """Columns."""
        return len(self.pixels[0])

    @property
    def height(self) -> int:
        """Rows."""
        return len(self.pixels)


def read_sprite(path: str | os.PathLike[str], how: Intake = PLAIN) -> Sprite:
    """Read an image file, ``-`` from standard input; `how` says what may be done to it.

    Raises:
        InputError: no image that can be read, truncated, too wide, too high, too many colours
            (names the first pixel of a colour too many), or nothing opaque.
    """
    source = os.fspath(path)
    try:
        return _decode(read_bytes(source, MAX_FILE_BYTES), how)
    except InputError as error:
        raise error.at(source_name(source)) from None


def read_large(path: str | os.PathLike[str], how: Intake, width: int, height: int) -> Taken:
    """Read an image that is to be cut into tiles, of at most `width` x `height` pixels.

    Raises:
        InputError: no image that can be read, or larger.
    """
    source = os.fspath(path)
    try:
        content = read_bytes(source, MAX_FILE_BYTES)
        taken = prepared(decode(content, how.frame, _check_pixels), how, width, height)
        high, wide = taken.pixels.shape[:2]
        if wide > width or high > height:
            raise InputError(
                f"{wide} x {high} pixels, expected at most {width} x {height} for so many tiles:"
                f" --grid {-(-wide // MAX_WIDTH)}x{-(-high // MAX_HEIGHT)} holds it, {SCALES}"
            )
    except InputError as error:
        raise error.at(source_name(source)) from None
    return taken


def own_sprites() -> dict[str, Traversable]:
    """The sprites that come with Twostep, drawn for it: name -> its image."""
    folder = importlib.resources.files(__package__) / "sprites"
    images = sorted(folder.iterdir(), key=lambda file: file.name)
    return {file.name.removesuffix(".png"): file for file in images if file.name.endswith(".png")}


def read_own_sprite(name: str, how: Intake = PLAIN) -> Sprite:
    """The sprite of our own of that name.

    Raises:
        InputError: there is none; names the nearest.
    """
    known = own_sprites()
    if name not in known:
        raise InputError(f"no sprite {name!r}{did_you_mean(name, known)}")
    return _decode(known[name].read_bytes(), how)


def _decode(content: bytes, how: Intake = PLAIN) -> Sprite:
    taken = prepared(decode(content, how.frame, _check_pixels), how, MAX_WIDTH, MAX_HEIGHT)
    raw = taken.pixels.tolist()
    sprite = from_pixels([[tuple(pixel) for pixel in row] for row in raw])
    return replace(sprite, notes=(*taken.notes, *sprite.notes))


def _check_pixels(width: int, height: int) -> None:
    """Refuse, by its header, an image that is too large to be scaled."""
    if width * height > MAX_PIXELS:
        raise InputError(
            f"{width} x {height} pixels, expected at most {MAX_PIXELS:,} in all: make it smaller"
        )


def _limits() -> str:
    return f"{MAX_WIDTH} x {MAX_HEIGHT} pixels"


def _check_size(width: int, height: int) -> None:
    if width < 1 or height < 1:
        raise InputError(f"the image is {width} x {height} pixels: nothing in it")
    if width > MAX_WIDTH:
        raise InputError(
            f"{width} pixels wide, expected at most {MAX_WIDTH} (of {_limits()}); {SCALES},"
            " `tetris tiles` prints it in parts"
        )
    if height > MAX_HEIGHT:
        raise InputError(
            f"{height} pixels high, expected at most {MAX_HEIGHT} (of {_limits()}); {SCALES},"
            " `tetris tiles` prints it in parts"
        )


def from_pixels(rows: list[list[tuple[int, ...]]], *, trim: bool = True) -> Sprite:
    """A sprite from rows of (red, green, blue, alpha), the *top* row first.

    With `trim` empty rows below are left out, so that the picture stands on the floor.

    Raises:
        InputError: too wide, too high, too many colours, or nothing opaque.
    """
    _check_size(len(rows[0]) if rows else 0, len(rows))
    numbers: dict[Colour, int] = {}
    half: list[tuple[int, int]] = []
    pixels: list[tuple[int, ...]] = []
    for y, row in enumerate(rows):
        line = []
        for x, (red, green, blue, alpha) in enumerate(row):
            if alpha < 255:
                line.append(EMPTY)
                if alpha > 0:
                    half.append((x, y))
                continue
            colour = (red, green, blue)
            if colour not in numbers and len(numbers) == MAX_COLOURS:
                raise InputError(
                    f"more than {MAX_COLOURS} opaque colours: pixel {x + 1} of line {y + 1} is"
                    f" {hexadecimal(colour)}, after"
                    f" {', '.join(hexadecimal(known) for known in numbers)}; --fit finds"
                    f" {MAX_COLOURS} for all, --transparent takes one away"
                )
            line.append(numbers.setdefault(colour, len(numbers) + 1))
        pixels.append(tuple(line))
    if not numbers:
        why = ", only transparent and half-transparent ones" if half else ""
        how = "--fit takes those at least half opaque" if half else "choose another image"
        raise InputError(f"no opaque pixel in the image{why}: nothing to print; {how}")
    notes = []
    while trim and not any(pixels[-1]):
        pixels.pop()
    if below := len(rows) - len(pixels):
        left_out = counted(below, "empty row", "empty rows")
        notes.append(f"{left_out} below the picture {'is' if below == 1 else 'are'} left out")
    if half:
        x, y = half[0]
        some = counted(len(half), "half-transparent pixel is", "half-transparent pixels are")
        notes.append(f"{some} taken as transparent, the first is pixel {x + 1} of line {y + 1}")
    return Sprite(tuple(numbers), tuple(reversed(pixels)), tuple(notes))


def hexadecimal(colour: Colour) -> str:
    """A colour as six hexadecimal digits."""
    return "".join(f"{part:02X}" for part in colour)


def from_hexadecimal(text: str) -> Colour:
    """The colour of six hexadecimal digits."""
    return (int(text[0:2], 16), int(text[2:4], 16), int(text[4:6], 16))
