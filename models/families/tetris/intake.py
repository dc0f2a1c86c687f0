"""Users' images made fit to print: enlarged pixels, a colour that is transparent, too many colours.

An image is a (height, width, 4) array of red, green, blue, alpha, the top row first. What is done
to it is told in notes.
"""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from twostep.models.errors import InputError
from twostep.models.words import counted

if TYPE_CHECKING:
    from PIL.Image import Image

    from twostep.models.families.tetris.sprite import Colour

Pixels = npt.NDArray[np.uint8]

FORMATS = ("PNG", "GIF", "BMP", "TIFF", "WEBP", "JPEG")
"""What is read. Pillow knows more, among them one that is a program (EPS)."""

MAX_PIXELS = 4096 * 4096
"""Images with more are refused before they are decoded."""

HALF = 128
"""Where an image is fitted, pixels of at least this alpha are opaque."""


@dataclass(frozen=True, slots=True)
class Intake:
    """What a user wants done to an image.

    Attributes:
        fit: scale it down to the largest picture, with few colours.
        colours: how many colours it may then have.
        transparent: a colour that is taken as transparent.
        frame: which picture of an animation, from 1; None: the first, with a note.
        background: the field's colour, which shows where nothing is printed.
    """

    fit: bool = False
    colours: int = 3
    transparent: Colour | None = None
    frame: int | None = None
    background: Colour | None = None


PLAIN = Intake()
"""An image as it stands."""


@dataclass(frozen=True, slots=True)
class Taken:
    """An image that was read.

    Attributes:
        pixels: its pixels.
        notes: what was done to it, in words.
    """

    pixels: Pixels
    notes: tuple[str, ...] = ()


def decode(content: bytes, frame: int | None, check: Callable[[int, int], None]) -> Taken:
    """The pixels of an image file.

    Args:
        content: the file's bytes.
        frame: which picture of an animation, from 1; None: the first.
        check: refuses a width and a height before pixels are decoded.

    Raises:
        InputError: none of :data:`FORMATS`, damaged, too large, or without such a frame.
    """
    from PIL import Image

    def opened() -> Image.Image:
        return Image.open(io.BytesIO(content), formats=FORMATS)

    with warnings.catch_warnings():
        # Pillow warns of giant images; they are refused here, by the same header.
        warnings.simplefilter("ignore")
        try:
            image = opened()
        except Image.DecompressionBombError:
            raise InputError(f"far too large, expected at most {MAX_PIXELS:,} pixels") from None
        except Exception as error:
            # Decoders of broken files raise whatever they stumble over.
            known = ", ".join(FORMATS)
            raise InputError(f"no image that can be read, one of {known}{_reason(error)}") from None
        with image:
            check(*image.size)
            if image.mode.startswith(("I", "F")):
                raise InputError(
                    "more than 8 bits per colour, expected 8 (of red, green, blue): save it as an"
                    " RGB image"
                )
            number = getattr(image, "n_frames", 1)
        if frame is not None and not 1 <= frame <= number:
            raise InputError(f"frame {frame}: the image has {counted(number, 'frame')}")
        try:
            # Checks what decoding would not miss: the end of a truncated PNG.
            opened().verify()
            picture = opened()
            picture.seek((frame or 1) - 1)
            pixels = np.array(picture.convert("RGBA"))
        except Exception as error:
            raise InputError(f"the image is damaged or truncated{_reason(error)}") from None
    several = frame is None and number > 1
    return Taken(pixels, (f"frame 1 of {number}; --frame chooses another",) if several else ())


def _reason(error: Exception) -> str:
    text = " ".join(str(error).split())
    # Pillow's text for an unknown format shows our buffer, which says nothing to the user.
    return "" if not text or "BytesIO" in text else f": {text[:120]}"


def prepared(taken: Taken, how: Intake, width: int, height: int) -> Taken:
    """The image with transparent pixels cleared, made as small as its pixels allow, or fitted.

    Enlarged pixels and transparent borders are taken away where it is larger than `width` x
    `height`; where it is to be fitted, it is scaled as well.
    """
    pixels, notes = taken.pixels.copy(), [*taken.notes]
    if how.transparent is not None:
        chosen = (pixels[:, :, :3] == how.transparent).all(axis=2)
        pixels[chosen, 3] = 0
        if not chosen.any():
            notes.append("no pixel has the colour of --transparent")
    if how.background is not None:
        pixels[(pixels[:, :, :3] == how.background).all(axis=2), 3] = 0
    pixels[pixels[:, :, 3] == 0] = 0
    if _too_large(pixels, width, height) and (side := enlargement(pixels)) > 1:
        pixels = pixels[::side, ::side]
        notes.append(f"enlarged pixels of {side} x {side} are taken as one")
    if how.fit or _too_large(pixels, width, height):
        whole, pixels = pixels, cropped(pixels)
        if pixels.shape != whole.shape:
            notes.append("the transparent border is left out")
    if how.fit:
        before = pixels.shape
        pixels = fitted(pixels, how.colours, width, height)
        if pixels.shape != before:
            notes.append(f"scaled to {pixels.shape[1]} x {pixels.shape[0]} pixels")
    return Taken(pixels, tuple(notes))


def _too_large(pixels: Pixels, width: int, height: int) -> bool:
    rows, columns = pixels.shape[:2]
    return bool(columns > width or rows > height)


def enlargement(pixels: Pixels) -> int:
    """The side of the squares of equal pixels of which an image consists; 1: none larger."""
    side = math.gcd(*pixels.shape[:2])
    for axis in (0, 1):
        others = tuple({0, 1, 2} - {axis})
        changes = (np.diff(pixels.astype(np.int16), axis=axis) != 0).any(axis=others)
        side = math.gcd(side, *(np.flatnonzero(changes) + 1).tolist())
    return side


def cropped(pixels: Pixels) -> Pixels:
    """Without the transparent border; whole if there is nothing else."""
    rows, columns = (np.flatnonzero((pixels[:, :, 3] > 0).any(axis=axis)) for axis in (1, 0))
    if not len(rows):
        return pixels
    return pixels[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def fitted(pixels: Pixels, colours: int, width: int, height: int) -> Pixels:
    """Scaled down to at most `width` x `height`, every pixel opaque or not, with few colours."""
    from PIL import Image

    image = Image.fromarray(pixels)
    part = min(1.0, width / image.width, height / image.height)
    if part < 1:
        size = (max(1, round(image.width * part)), max(1, round(image.height * part)))
        # With colours multiplied by alpha, so that transparent pixels have no say in them.
        image = image.convert("RGBa").resize(size, Image.Resampling.BOX).convert("RGBA")
    found = np.array(image)
    opaque = found[:, :, 3] >= HALF
    found[~opaque] = 0
    if opaque.any():
        found[opaque, :3] = _few(found[opaque, :3], colours)
        found[opaque, 3] = 255
    return found


def _few(pixels: Pixels, colours: int) -> Pixels:
    """A list of pixels, (n, 3), in so many colours: by median cut, improved by k-means.

    A group of pixels of which most have one colour gets that colour, not the mean.
    """
    from PIL import Image

    image: Image.Image = Image.fromarray(pixels[np.newaxis])
    few = image.quantize(
        colours, Image.Quantize.MEDIANCUT, kmeans=colours, dither=Image.Dither.NONE
    )
    groups = np.array(few)[0]
    found: Pixels = np.array(few.convert("RGB"))[0]
    for group in np.unique(groups):
        members = pixels[groups == group]
        known, counts = np.unique(members, axis=0, return_counts=True)
        if 2 * counts.max() > len(members):
            found[groups == group] = known[counts.argmax()]
    return found
