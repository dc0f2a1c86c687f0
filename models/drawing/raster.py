"""Pages as pixels: PNG files, and the frames of animations. Pillow is loaded when it is used."""

from __future__ import annotations

import itertools
import math
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from twostep.models.drawing.geometry import sides_of, spans
from twostep.models.drawing.page import Disc, Fill, Label, Page, Stroke
from twostep.models.drawing.pixels import png_bytes
from twostep.models.drawing.scene import Point
from twostep.models.errors import InputError

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

SCALE = 40
"""Pixels of a cell's side, where nothing else was asked for."""

MOST_PIXELS = 40_000_000
"""A picture with more is refused."""

_FINE_PIXELS = 48_000_000
"""Pixels of the finer drawing that is made small afterwards (3 bytes each)."""

_SIDE = 2400
"""A picture for which no scale was given is not larger, pixels, as long as a cell has three."""


def fitting(page: Page) -> int:
    """A scale at which a page is no larger than a screen or two."""
    return max(1, min(SCALE, math.floor(_SIDE / max(page.width, page.height, 1))))


def size_of(page: Page, scale: float) -> tuple[int, int]:
    """Width and height in pixels.

    Raises:
        InputError: too large.
    """
    wide, high = max(1, round(page.width * scale)), max(1, round(page.height * scale))
    if wide * high > MOST_PIXELS:
        raise InputError(f"a picture of {wide} x {high} pixels is too large: lower the scale")
    return wide, high


def png(page: Page, scale: float | None = None) -> bytes:
    """A page as a PNG file's bytes, `scale` pixels a cell.

    Raises:
        InputError: too large.
    """
    return png_bytes(image(page, scale), optimize=True)


def image(page: Page, scale: float | None = None) -> Image:
    """A page as an image: drawn several times as fine, and made small so that edges are smooth."""
    from PIL import Image, ImageDraw

    scale = fitting(page) if scale is None else scale
    wide, high = size_of(page, scale)
    fine = next((f for f in (4, 3, 2) if wide * high * f * f <= _FINE_PIXELS), 1)
    picture = Image.new("RGB", (wide * fine, high * fine), page.paper)
    pen = _Pen(ImageDraw.Draw(picture), picture, scale * fine, fine)
    for item in page.items:
        pen.draw(item)
    return picture.reduce(fine) if fine > 1 else picture


class _Pen:
    """Draws items on a fine image."""

    def __init__(self, draw: ImageDraw, picture: Image, unit: float, fine: int) -> None:
        self.pen, self.picture, self.unit, self.fine = draw, picture, unit, fine

    def draw(self, item: Fill | Stroke | Disc | Label) -> None:
        match item:
            case Fill():
                self._fill(item)
            case Stroke():
                self._stroke(item)
            case Disc():
                self._disc(item)
            case Label():
                self._label(item)

    def _at(self, point: Point) -> tuple[int, int]:
        return round(point[0] * self.unit), round(point[1] * self.unit)

    def _width(self, width: float) -> int:
        """Of a line, fine pixels: not less than half a pixel of the picture."""
        return max(round(width * self.unit), -(-self.fine // 2))

    def _fill(self, fill: Fill) -> None:
        """Band by band, so that neighbours neither overlap nor leave a gap."""
        for top, bottom, left, right in _bands([[*map(self._at, ring)] for ring in fill.rings]):
            self.pen.rectangle((left, top, right - 1, bottom - 1), fill=fill.colour)

    def _stroke(self, stroke: Stroke) -> None:
        width = self._width(stroke.width)
        points = [self._at(point) for point in stroke.points]
        for start, end in itertools.pairwise(points):
            for a, b in _dashes(start, end, 4 * width) if stroke.dashed else ((start, end),):
                self._segment(a, b, width, stroke.colour)
        if width > 2 and not stroke.dashed:
            for x, y in points:
                self._dot(x, y, width / 2, stroke.colour)

    def _segment(self, a: tuple[int, int], b: tuple[int, int], width: int, colour: str) -> None:
        (x1, y1), (x2, y2) = a, b
        low, high = width // 2, width - width // 2 - 1
        if x1 == x2:
            self.pen.rectangle((x1 - low, min(y1, y2), x1 + high, max(y1, y2)), fill=colour)
        elif y1 == y2:
            self.pen.rectangle((min(x1, x2), y1 - low, max(x1, x2), y1 + high), fill=colour)
        else:
            self.pen.line((a, b), fill=colour, width=width)

    def _dot(self, x: float, y: float, radius: float, colour: str) -> None:
        self.pen.ellipse((x - radius, y - radius, x + radius - 1, y + radius - 1), fill=colour)

    def _disc(self, disc: Disc) -> None:
        x, y = self._at(disc.at)
        radius = disc.radius * self.unit
        if not disc.width:
            self._dot(x, y, radius, disc.colour)
            return
        width = self._width(disc.width)
        outer = radius + width / 2
        box = (x - outer, y - outer, x + outer, y + outer)
        self.pen.ellipse(box, outline=disc.colour, width=width)

    def _label(self, label: Label) -> None:
        size = label.size * self.unit
        if size < 4 * self.fine:  # nobody reads letters of four pixels
            return
        x, y = label.at[0] * self.unit, label.at[1] * self.unit + size / 2.8
        halo = 0 if label.halo is None else max(1, round(size / 6))
        bold = max(1, round(size / 40)) if label.bold else 0
        anchor = {-1: "ls", 0: "ms", 1: "rs"}[label.align]
        text, font = _written(label.text, round(size))
        if halo:
            self.pen.text((x, y), text, label.halo, font, anchor, stroke_width=halo)
        self.pen.text((x, y), text, label.colour, font, anchor, stroke_width=bold)


def _bands(rings: list[list[tuple[int, int]]]) -> Iterator[tuple[int, int, int, int]]:
    """A shape as boxes: top, bottom, left, right, the second and the fourth not included.

    Upright sides give one box for many rows of pixels; others a box for each row.
    """
    sides = sides_of(rings)
    levels = sorted({point[1] for side in sides for point in side})
    for top, bottom in itertools.pairwise(levels):
        across = [(a, b) for a, b in sides if min(a[1], b[1]) <= top and bottom <= max(a[1], b[1])]
        step = int(bottom - top) if all(a[0] == b[0] for a, b in across) else 1
        for row in range(int(top), int(bottom), step):
            for start, end in spans(across, row + step / 2):
                if (left := round(start)) < (right := round(end)):
                    yield row, row + step, left, right


def _dashes(
    start: tuple[int, int], end: tuple[int, int], length: int
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """A line in pieces with gaps between them."""
    whole = math.hypot(end[0] - start[0], end[1] - start[1])
    count = max(1, round(whole / (2 * length)))

    def at(share: float) -> tuple[int, int]:
        return (
            round(start[0] + (end[0] - start[0]) * share),
            round(start[1] + (end[1] - start[1]) * share),
        )

    for n in range(count):
        yield at((n + 0.25) / count), at((n + 0.75) / count)


_SYSTEM_FONTS = (
    "NotoSans-Regular.ttf",
    "DejaVuSans.ttf",
    "LiberationSans-Regular.ttf",
    "Arial.ttf",
    "arial.ttf",
    "Helvetica.ttc",
)
"""Fonts with more than ASCII; the one that Pillow brings has no more."""


def _written(text: str, size: int) -> tuple[str, FreeTypeFont | ImageFont]:
    """A text with a font for it; without a font for its letters, those nearest to them."""
    from PIL import ImageFont

    if text.isascii():
        return text, _font(size)
    for name in _SYSTEM_FONTS:
        try:
            return text, ImageFont.truetype(name, size)
        except OSError:
            continue
    return plain(text), _font(size)


def plain(text: str) -> str:
    """A text in ASCII: letters without their accents, ``?`` for what has no such letter."""
    bare = unicodedata.normalize("NFKD", text)
    return "".join(c if c.isascii() else "?" for c in bare if not unicodedata.combining(c))


@cache
def _font(size: int) -> FreeTypeFont | ImageFont:
    from PIL import ImageFont

    return ImageFont.load_default(size=size)
