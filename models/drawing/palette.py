"""The one palette: what the colours of a scene look like, in colour or in black and white."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from twostep.models.drawing.scene import Colour, Role

PIECES = (
    "#C1FD97", "#0887FF", "#920105", "#19E2C4", "#E46F6A", "#5A0A9C", "#FFCE38", "#9C609C",
    "#C8B0FF", "#873145", "#E84107", "#6113FE",
)  # fmt: skip
"""Colours for twelve pieces, found by random search so that any two differ well to eyes with
protanopia, deuteranopia or tritanopia (Machado et al. 2009), and in grey too; a test holds that."""

DARK, LIGHT = "#000000", "#FFFFFF"
"""What is written on a colour: of the two, the one that reads better has a contrast of 4.5."""

_IN_COLOUR = {
    Role.PAPER: "#FFFFFF",
    Role.CELL: "#ECECEC",
    Role.BLOCKED: "#8A8A8A",
    Role.INK: "#202020",
    Role.FAINT: "#B8B8B8",
    Role.MARK: "#FFD84D",
    Role.WRONG: "#E02020",
}
_IN_BLACK = _IN_COLOUR | {
    Role.CELL: "#FFFFFF",
    Role.BLOCKED: "#8A8A8A",
    Role.INK: "#000000",
    Role.FAINT: "#9A9A9A",
    Role.MARK: "#D8D8D8",
    Role.WRONG: "#4A4A4A",
}

_COLD, _HOT = (0xFF, 0xFF, 0xFF), (0x08, 0x30, 0x6B)


@dataclass(frozen=True, slots=True)
class Hatch:
    """Parallel lines that fill a shape.

    Attributes:
        angle: of the lines, degrees, 0 is horizontal.
        gap: between two lines, cells.
        crossed: whether a second set crosses the first at a right angle.
    """

    angle: float
    gap: float
    crossed: bool = False


HATCHES = (
    None,
    Hatch(45, 0.25),
    Hatch(135, 0.25),
    Hatch(0, 0.25),
    Hatch(90, 0.25),
    Hatch(45, 0.3, crossed=True),
    Hatch(0, 0.3, crossed=True),
    Hatch(45, 0.125),
    Hatch(135, 0.125),
    Hatch(0, 0.125),
    Hatch(90, 0.125),
    Hatch(22.5, 0.2, crossed=True),
)
"""How pieces are told apart without colour, by their number."""

MARKED = Hatch(45, 0.2)
"""What an area that is to be hatched gets besides its colour."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a scene is shown: in colour, or in black and white."""

    black: bool = False

    def paint(self, colour: Colour) -> str:
        """A colour as ``#RRGGBB``."""
        if isinstance(colour, Role):
            return (_IN_BLACK if self.black else _IN_COLOUR)[colour]
        if isinstance(colour, str):
            return _grey(colour) if self.black else colour
        return LIGHT if self.black else PIECES[colour % len(PIECES)]

    def line(self, colour: Colour) -> str:
        """The colour of lines, signs and text: without colours, those of pieces are ink."""
        return self.paint(Role.INK if self.black and isinstance(colour, int) else colour)

    def on(self, colour: Colour | None) -> str:
        """What reads best on a colour; None: on the paper."""
        return contrast(self.paint(Role.PAPER if colour is None else colour))

    def hatch(self, colour: Colour, *, hatched: bool = False) -> Hatch | None:
        """The lines that fill a shape of that colour; `hatched`: it is to be crossed by some."""
        if hatched:
            return MARKED
        if self.black and isinstance(colour, int):
            return HATCHES[colour % len(HATCHES)]
        return None


IN_COLOUR = Look()
IN_BLACK = Look(black=True)


def contrast(colour: str) -> str:
    """Dark or light, whichever reads better on a colour: the greater contrast ratio (WCAG 2)."""
    here = luminance(colour)
    dark, light = (here + 0.05) / 0.05, 1.05 / (here + 0.05)
    return DARK if dark >= light else LIGHT


def luminance(colour: str) -> float:
    """The relative luminance of an sRGB colour, 0 to 1."""
    shares = (part / 255 for part in rgb(colour))
    linear = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares)
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of ``#RRGGBB``, 0 to 255."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return red, green, blue


def heat(share: float) -> str:
    """A colour between white (0) and dark blue (1), for heat maps; in grey it darkens evenly."""
    share = min(max(share, 0.0), 1.0)
    return _hex([round(a + (b - a) * share) for a, b in zip(_COLD, _HOT, strict=True)])


def _grey(colour: str) -> str:
    return _hex(
        [round(0.299 * rgb(colour)[0] + 0.587 * rgb(colour)[1] + 0.114 * rgb(colour)[2])] * 3
    )


def _hex(parts: Sequence[int]) -> str:
    return "#" + "".join(f"{part:02X}" for part in parts)
