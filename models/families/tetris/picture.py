"""Games as pictures: the final field, the sprite alone, an animation, numbered frames.

J, T and L pieces have the sprite's colours, as many as it has, whether they make squares of the
picture or vanish; the others have the colours of the classic game. No piece changes its colour.
The field is drawn with four more rows on top, darker, in which the pieces come in.
"""

from __future__ import annotations

import math
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from twostep.models.drawing.pixels import gif_bytes, png_bytes
from twostep.models.errors import InputError
from twostep.models.families.tetris.field import VANISHING, Drop, Field
from twostep.models.families.tetris.moves import entry_column
from twostep.models.families.tetris.pieces import (
    HEIGHT,
    WIDTH,
    Orientation,
    Placement,
    orientations,
)
from twostep.models.families.tetris.printfile import Program
from twostep.models.families.tetris.sprite import EMPTY, MARGIN, Colour, from_hexadecimal
from twostep.models.reading.files import write_atomically

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

BACKGROUNDS: tuple[Colour, ...] = ((24, 24, 32), (238, 238, 230), (112, 112, 120))
"""The field's colour is the first of these that differs enough from each colour of the sprite."""

CONTRAST = 100
"""How much two colours differ enough: the distance of their (red, green, blue)."""

FLASH: Colour = (255, 255, 255)

FALL_STEPS = 4
"""Frames of a fall, where falls are shown."""

DETAILED = 100
"""Up to so many pieces the falls are shown, unless asked otherwise."""

FRAMES = 1200
"""About so many frames a longer game gets, unless asked otherwise."""

MAX_FILM_BYTES = 400 * 2**20
"""What the frames of a GIF may take in memory, where they all are while it is written, bytes."""

HOLD = 2500
"""How long the finished picture is shown, ms."""

# The palette: background, sprite's colours, pieces' colours; then the same again, shaded; then
# the entry rows, the flash.
_BACK, _PIECE = 0, 4
_SHADED = _PIECE + len(VANISHING)
_ENTRY_BACK, _FLASH = 2 * _SHADED, 2 * _SHADED + 1


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture of the animation.

    Attributes:
        pixels: (rows, columns) indices into the palette, the top row first.
        ticks: for how many frames' time it is shown.
    """

    pixels: PixelArray
    ticks: int


@dataclass(frozen=True, slots=True)
class Style:
    """How games are drawn.

    Attributes:
        cell: side of a square, pixels.
        fps: frames per second.
        every: a frame for every so many pieces; 0: every piece, and its fall as well.
    """

    cell: int = 8
    fps: int = 20
    every: int = 0


def suggested_every(pieces: int) -> int:
    """Which of so many pieces should have a frame, so that a person can and will watch it."""
    return 0 if pieces <= DETAILED else -(-pieces // FRAMES)


def palette(program: Program) -> list[Colour]:
    """The colours that the pixels of frames point to."""
    sprite = [from_hexadecimal(colour) for colour in program.colours]
    back = max(
        BACKGROUNDS,
        key=lambda colour: min(CONTRAST, *(math.dist(colour, other) for other in sprite)),
    )
    sprite += [back] * (_PIECE - 1 - len(sprite))
    base = [back, *sprite, *(CLASSIC[letter] for letter in VANISHING)]
    shaded = [_towards(colour, (0, 0, 0), 0.3) for colour in base]
    # The lines between empty cells are only just to be seen, in a light field and in a dark one.
    opposite = (0, 0, 0) if sum(back) > 384 else (255, 255, 255)
    shaded[_BACK] = _towards(back, opposite, 0.08)
    return [*base, *shaded, _towards(back, opposite, 0.2), FLASH]


def _towards(colour: Colour, other: Colour, part: float) -> Colour:
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(colour, other, strict=True))
    return (red, green, blue)


def _index(value: int) -> int:
    """The palette's index of what a field holds."""
    return value if value >= EMPTY else _PIECE - 1 - value


@dataclass(frozen=True, slots=True)
class Falling:
    """A piece that is drawn though the field doesn't hold it."""

    placement: Placement
    value: int


def draw(field: Field, cell: int, falling: Sequence[Falling] = (), *, entry: bool) -> PixelArray:
    """The field as pixels, with or without the entry rows; (rows, columns), the top row first."""
    squares = np.array(field.rows, dtype=np.int16)
    squares = np.where(squares >= EMPTY, squares, _PIECE - 1 - squares)
    if entry:
        above = np.full((ENTRY, WIDTH), _ENTRY_BACK, dtype=np.int16)
        squares = np.vstack([squares, above])
    for piece in falling:
        for x, y in piece.placement.cells:
            if y < len(squares):
                squares[y, x] = _index(piece.value)
    return _enlarged(squares[::-1], cell)


def _enlarged(squares: npt.NDArray[np.int16], cell: int) -> PixelArray:
    pixels = np.repeat(np.repeat(squares, cell, axis=0), cell, axis=1)
    if cell >= 4:
        # A darker right and lower edge tells squares of one colour apart.
        edge = np.zeros(pixels.shape, dtype=np.bool_)
        edge[cell - 1 :: cell, :] = True
        edge[:, cell - 1 :: cell] = True
        pixels = np.where(edge & (pixels < _SHADED), pixels + _SHADED, pixels)
    return pixels.astype(np.uint8)


def frames(drops: Sequence[Drop], style: Style) -> Iterator[Frame]:
    """Show a game; ends with the finished picture.

    With every piece at rest, the next one waits above the column into which it will be dropped.
    """
    field = Field()
    for drop, following in zip(drops, [*drops[1:], None], strict=True):
        if style.every == 0:
            yield from _fall(field, drop, style.cell)
        in_view = style.every == 0 or drop.number % style.every == 0
        if in_view:
            waiting = following if style.every == 1 else None
            yield Frame(_at_rest(field, drop, waiting, style.cell), 2 if drop.full else 1)
        placement = drop.placement
        field.put(placement.orientation, placement.column, placement.row, drop.value)
        if drop.full and in_view and style.every <= 1:
            yield Frame(draw(field, style.cell, entry=True), 2)
    yield Frame(draw(field, style.cell, entry=True), max(1, HOLD * style.fps // 1000))


def _most_frames(pieces: int, style: Style) -> int:
    """No fewer frames than such a game has."""
    if style.every == 0:
        return pieces * (FALL_STEPS + 3) + 1
    return pieces // style.every * (2 if style.every == 1 else 1) + 1


def _fall(before: Field, drop: Drop, cell: int) -> Iterator[Frame]:
    """The piece as it comes in, turned and shifted, and on its way down."""
    placement, value = drop.placement, drop.value
    orientation = placement.orientation
    comes_in = Placement(_upright(orientation), entry_column(orientation.letter), HEIGHT)
    yield Frame(draw(before, cell, [Falling(comes_in, value)], entry=True), 1)
    for step in range(FALL_STEPS):
        row = HEIGHT - (HEIGHT - placement.row) * step // FALL_STEPS
        there = Placement(orientation, placement.column, row)
        yield Frame(draw(before, cell, [Falling(there, value)], entry=True), 1)


def _upright(orientation: Orientation) -> Orientation:
    return next(each for each in orientations() if each.letter == orientation.letter)


def _at_rest(before: Field, drop: Drop, waiting: Drop | None, cell: int) -> PixelArray:
    """The piece at rest, with the rows that it fills lit up, and the next one above the field."""
    pieces = [Falling(drop.placement, drop.value)]
    if waiting is not None:
        orientation, column = waiting.placement.orientation, waiting.placement.column
        pieces.append(Falling(Placement(orientation, column, HEIGHT), waiting.value))
    pixels = draw(before, cell, pieces, entry=True)
    for row in drop.full:
        top = (HEIGHT + ENTRY - 1 - row) * cell
        pixels[top : top + cell] = _FLASH
    return pixels


def _image(pixels: PixelArray, colours: list[Colour]) -> Image:
    from PIL import Image

    image = Image.fromarray(pixels)
    image.putpalette([part for colour in colours for part in colour])
    return image


def field_png(field: Field, program: Program, cell: int) -> bytes:
    """The field as a PNG."""
    return png_bytes(_image(draw(field, cell, entry=False), palette(program)))


def bare_png(field: Field, program: Program, width: int, height: int) -> bytes:
    """The picture alone, `width` x `height`: a pixel per square, transparent where it is empty."""
    from PIL import Image

    pixels = np.zeros((height, width, 4), dtype=np.uint8)
    for y in range(height):
        for x in range(width):
            value = field.rows[y][MARGIN + x]
            if value > EMPTY:
                colour = from_hexadecimal(program.colours[value - 1])
                pixels[height - 1 - y, x] = (*colour, 255)
    return png_bytes(Image.fromarray(pixels))


def extent(field: Field) -> tuple[int, int]:
    """Width and height of the smallest sprite that holds all the picture's squares."""
    filled = [(x, y) for y, row in enumerate(field.rows) for x, v in enumerate(row) if v > EMPTY]
    inside = [(x, y) for x, y in filled if MARGIN <= x < WIDTH - MARGIN]
    return (
        max((x for x, _ in inside), default=MARGIN) - MARGIN + 1,
        max((y for _, y in inside), default=0) + 1,
    )


Watch = Callable[[int], object]
"""Told how many frames are done."""


def write_gif(
    path: str | os.PathLike[str],
    program: Program,
    drops: Sequence[Drop],
    style: Style,
    watch: Watch = lambda done: None,
) -> int:
    """Write the game as an animated GIF; gives the number of frames.

    Raises:
        InputError: the file cannot be written, or the frames would fill the memory.
    """
    size = WIDTH * (HEIGHT + ENTRY) * style.cell**2
    if (number := _most_frames(len(drops), style)) * size > MAX_FILM_BYTES:
        raise InputError(
            f"about {number:,} frames are too many for a GIF with squares of {style.cell} pixels:"
            " use a larger --every, a smaller --cell, or a folder of frames",
            source=os.fspath(path),
        )
    colours = palette(program)
    durations: list[int] = []

    def images() -> Iterator[Image]:
        for frame in frames(drops, style):
            # A GIF counts hundredths of a second; browsers slow down below two of them.
            durations.append(max(20, round(100 * frame.ticks / style.fps) * 10))
            watch(len(durations))
            yield _image(frame.pixels, colours)

    made = list(images())
    write_atomically(path, gif_bytes(made, durations))
    return len(durations)


def write_frames(
    folder: str | os.PathLike[str],
    program: Program,
    drops: Sequence[Drop],
    style: Style,
    watch: Watch = lambda done: None,
) -> int:
    """Write the game as PNGs ``frame-00001.png`` ... for a film; gives their number.

    Each stands for the same time, 1/fps s. The folder appears when it is complete.

    Raises:
        InputError: a folder that isn't empty, or cannot be written.
    """
    target = Path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise InputError("expected a new or empty folder for the frames", source=os.fspath(folder))
    colours = palette(program)
    number = 0
    temporary: Path | None = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
        for frame in frames(drops, style):
            content = png_bytes(_image(frame.pixels, colours))
            for _ in range(frame.ticks):
                number += 1
                (temporary / f"frame-{number:05}.png").write_bytes(content)
            watch(number)
        temporary.chmod(0o755)
        if target.exists():
            target.rmdir()
        temporary.rename(target)
        temporary = None
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"cannot be written: {reason}", source=os.fspath(folder)) from None
    finally:
        if temporary is not None:
            shutil.rmtree(temporary, ignore_errors=True)
    return number
