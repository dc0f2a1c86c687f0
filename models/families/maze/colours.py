"""The colours that mazes are drawn in."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum

from twostep.models.drawing.palette import rgb
from twostep.models.errors import InputError, did_you_mean

Rgb = tuple[int, int, int]
"""Red, green, blue, each 0..255."""

NAMED: dict[str, Rgb] = {
    "black": (0, 0, 0),
    "white": (255, 255, 255),
    "grey": (128, 128, 128),
    "red": (214, 48, 49),
    "orange": (230, 126, 34),
    "yellow": (241, 196, 15),
    "green": (39, 174, 96),
    "cyan": (26, 188, 200),
    "blue": (41, 98, 214),
    "purple": (130, 60, 190),
    "magenta": (214, 51, 132),
    "brown": (121, 85, 72),
}


class Part(Enum):
    """What a piece of a drawing shows; the value is its name for people."""

    FLOOR = "floor"
    WALL = "wall"
    PATTERN = "42"
    PATH = "path"
    ENTRY = "entry"
    EXIT = "exit"


@dataclass(frozen=True, slots=True)
class Colours:
    """A colour for each :class:`Part` of a drawing, under its name."""

    floor: Rgb = (255, 255, 255)
    wall: Rgb = (33, 37, 41)
    pattern: Rgb = (84, 110, 140)
    path: Rgb = NAMED["red"]
    entry: Rgb = NAMED["green"]
    exit: Rgb = NAMED["blue"]

    def of(self, part: Part) -> Rgb:
        """The colour of that part."""
        colour: Rgb = getattr(self, part.name.lower())
        return colour

    def changed(self, text: str) -> Colours:
        """These colours with the changes of `text`: ``cyan``, or ``wall=cyan,path=#ff8800``.

        A colour alone is that of the walls.

        Raises:
            InputError: an unknown part or colour.
        """
        colours = self
        for piece in text.split(","):
            name, equals, value = (word.strip() for word in piece.partition("="))
            part = Part(_part(name)) if equals else Part.WALL
            colour = _colour(value if equals else name)
            colours = replace(colours, **{part.name.lower(): colour})
        return colours


def _part(name: str) -> str:
    known = [part.value for part in Part]
    if name not in known:
        raise InputError(f"unknown part {name!r} of a drawing{did_you_mean(name, known)}")
    return name


def _colour(name: str) -> Rgb:
    if name.lower() in NAMED:
        return NAMED[name.lower()]
    if re.fullmatch("#[0-9A-Fa-f]{6}", name):
        return rgb(name)
    raise InputError(f"unknown colour {name!r}{did_you_mean(name.lower(), NAMED)} (or #rrggbb)")
