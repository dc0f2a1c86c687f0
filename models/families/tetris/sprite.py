"""Sprites: small pictures of at most three colours, read from image files with care.

An image is refused by its size before its pixels are decoded. Opaque means alpha 255; anything
else is transparent. Colours are numbered from 1 by first appearance, top to bottom, left to
right.
"""

from __future__ import annotations

import importlib.resources
import io
import os
import warnings
from dataclasses import dataclass
from importlib.resources.abc import Traversable

from twostep.models.errors import InputError, did_you_mean
from twostep.models.families.tetris.pieces import MAX_COLOURS, WIDTH
from twostep.models.reading.files import read_bytes
from twostep.models.words import counted

MARGIN = 2
"""Columns of the field left of the picture: there not all three pieces can make a square."""

MAX_WIDTH = WIDTH - 2 * MARGIN
"""Columns of the widest picture."""

MAX_HEIGHT = 32
"""Rows of the highest picture: 31 of them, a platform of 3, the last, and a block of 7 are 42."""

MAX_FILE_BYTES = 4 * 2**20
"""What an image file may weigh: 1000 times what the largest sprite needs."""

FORMATS = ("PNG", "GIF", "BMP", "TIFF", "WEBP")
"""What is read. Pillow knows more, among them one that is a program (EPS)."""

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


def read_sprite(path: str | os.PathLike[str]) -> Sprite:
    """Read an image file, of a GIF its first frame.

    Raises:
        InputError: none of :data:`FORMATS`, truncated, too wide, too high, too many colours
            (names the first pixel of a colour too many), or nothing opaque.
    """
    source = os.fspath(path)
    try:
        return _decode(read_bytes(source, MAX_FILE_BYTES))
    except InputError as error:
        raise error.at(source) from None


def own_sprites() -> dict[str, Traversable]:
    """The sprites that come with Twostep, drawn for it: name -> its image."""
    folder = importlib.resources.files(__package__) / "sprites"
    images = sorted(folder.iterdir(), key=lambda file: file.name)
    return {file.name.removesuffix(".png"): file for file in images if file.name.endswith(".png")}


def read_own_sprite(name: str) -> Sprite:
    """The sprite of our own of that name.

    Raises:
        InputError: there is none; names the nearest.
    """
    known = own_sprites()
    if name not in known:
        raise InputError(f"no sprite {name!r}{did_you_mean(name, known)}")
    return _decode(known[name].read_bytes())


def _decode(content: bytes) -> Sprite:
    from PIL import Image

    def opened() -> Image.Image:
        return Image.open(io.BytesIO(content), formats=FORMATS)

    with warnings.catch_warnings():
        # Pillow warns of giant images; they are refused here, by the same header.
        warnings.simplefilter("ignore")
        try:
            image = opened()
        except Image.DecompressionBombError:
            raise InputError(f"far too large, expected at most {_limits()}") from None
        except Exception as error:
            # Decoders of broken files raise whatever they stumble over.
            known = ", ".join(FORMATS)
            raise InputError(f"no image that can be read, one of {known}{_reason(error)}") from None
        with image:
            width, height = image.size
            _check_size(width, height)
            if image.mode.startswith(("I", "F")):
                raise InputError("more than 8 bits per colour, expected 8 (of red, green, blue)")
        try:
            # Checks what decoding would not miss: the end of a truncated PNG.
            opened().verify()
            raw = opened().convert("RGBA").tobytes()
        except Exception as error:
            raise InputError(f"the image is damaged or truncated{_reason(error)}") from None
    pixels = [tuple(raw[place : place + 4]) for place in range(0, len(raw), 4)]
    return from_pixels([pixels[y * width : (y + 1) * width] for y in range(height)])


def _limits() -> str:
    return f"{MAX_WIDTH} x {MAX_HEIGHT} pixels"


def _reason(error: Exception) -> str:
    text = " ".join(str(error).split())
    # Pillow's text for an unknown format shows our buffer, which says nothing to the user.
    return "" if not text or "BytesIO" in text else f": {text[:120]}"


def _check_size(width: int, height: int) -> None:
    if width < 1 or height < 1:
        raise InputError(f"the image is {width} x {height} pixels: nothing in it")
    if width > MAX_WIDTH:
        raise InputError(f"{width} pixels wide, expected at most {MAX_WIDTH} (of {_limits()})")
    if height > MAX_HEIGHT:
        raise InputError(f"{height} pixels high, expected at most {MAX_HEIGHT} (of {_limits()})")


def from_pixels(rows: list[list[tuple[int, ...]]]) -> Sprite:
    """A sprite from rows of (red, green, blue, alpha), the *top* row first.

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
                    f" {', '.join(hexadecimal(known) for known in numbers)}"
                )
            line.append(numbers.setdefault(colour, len(numbers) + 1))
        pixels.append(tuple(line))
    if not numbers:
        why = ", only transparent and half-transparent ones" if half else ""
        raise InputError(f"no opaque pixel in the image{why}: nothing to print")
    notes = []
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
