"""Tiles and their names: the 35 that fit a box of 3 x 3, and any other connected shape.

A tile may be turned and turned over. It is called by a letter and its number of cells. Up to
five cells the letters are those in general use (``L4``, ``U5``); from six on nobody agreed on
any, so there they follow the alphabet, in ascending order of :attr:`Tile.code`: ``A6`` .. ``H6``,
``A7`` .. ``G7``, ``A8`` .. ``C8``, ``A9``. A tile without such a name is called by its picture,
``##./.##,###/#.#`` being two.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from twostep.models.errors import InputError
from twostep.models.families.polyomino.pieces import (
    Shape,
    name_of_shape,
    named_shape,
    normalised,
    orientations,
    picture,
    regions,
    representative,
    shape_from_rows,
)

BOX = 3
"""Side of the square that the contest's tiles fit, cells."""

BOARD = 8
"""Side of the contest's board, cells."""

_FIRST_SIZE_WITHOUT_LETTERS = 6


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile: two that are turned or mirrored copies of each other are equal.

    Attributes:
        name: letter and size, or the picture if it has no such name.
        shape: one shape for all its orientations.
    """

    name: str
    shape: Shape

    @property
    def size(self) -> int:
        """How many cells it has."""
        return len(self.shape)

    @property
    def orientations(self) -> tuple[Shape, ...]:
        """The different shapes that it takes, sorted."""
        return orientations(self.shape)

    @property
    def code(self) -> int:
        """A number for tiles that fit the box of 3 x 3, the same for every orientation.

        Cell (row, column) in the box's corner counts ``2 ** (3 * row + column)``; the least sum
        of all orientations.
        """
        return min(sum(1 << (BOX * r + c) for r, c in shape) for shape in self.orientations)

    @property
    def rows(self) -> tuple[str, ...]:
        """Its picture: ``#`` a cell, ``.`` none."""
        return picture(self.shape)


def tile_of(shape: Shape) -> Tile:
    """The tile of a connected shape, in any orientation.

    Raises:
        InputError: the shape is in several parts.
    """
    if (parts := len(regions(shape))) > 1:
        raise InputError(f"the tile is in {parts} parts, expected cells that touch by edges")
    shape = representative(shape)
    return _by_shape().get(shape) or Tile(_common_name(shape) or "/".join(picture(shape)), shape)


def tile_from_rows(rows: Sequence[str], what: str = "tile") -> Tile:
    """The tile of a picture.

    Raises:
        InputError: ragged, an unknown character, no cell, several parts.
    """
    return tile_of(shape_from_rows(rows, what))


@lru_cache(maxsize=1)
def all_tiles() -> tuple[Tile, ...]:
    """The 35 tiles that fit the box, by size, then by code (exhaustive: all sets of its cells)."""
    box = [(row, column) for row in range(BOX) for column in range(BOX)]
    shapes = set()
    for cells in range(1, len(box) + 1):
        for chosen in itertools.combinations(box, cells):
            if len(regions(chosen)) == 1:
                shapes.add(representative(normalised(chosen)))
    ordered = sorted((Tile("", shape) for shape in shapes), key=lambda tile: (tile.size, tile.code))
    tiles = []
    for size, group in itertools.groupby(ordered, key=lambda tile: tile.size):
        for index, tile in enumerate(group):
            letter = chr(ord("A") + index)
            invented = f"{letter}{size}" if size >= _FIRST_SIZE_WITHOUT_LETTERS else None
            name = invented or _common_name(tile.shape) or ""
            tiles.append(Tile(name, tile.shape))
    return tuple(tiles)


def all_pairs() -> list[tuple[Tile, Tile]]:
    """The 595 pairs of different tiles, in the order of :func:`all_tiles`."""
    return list(itertools.combinations(all_tiles(), 2))


def parse_tile(text: str) -> Tile:
    """The tile that `text` names, by letter and size, or draws: ``U5``, ``##./.##``.

    Raises:
        InputError: no such name (tells the nearest), or a picture that is no tile.
    """
    if not text:
        raise InputError("an empty tile: expected a name such as U5, or rows such as ##./.##")
    if not re.search(r"[A-Za-z0-9]", text):
        return tile_from_rows(text.split("/"), f"tile {text[:40]!r}")
    name = text.upper()
    for tile in all_tiles():
        if tile.name == name:
            return tile
    try:
        return tile_of(named_shape(name))
    except InputError:
        raise InputError(f"unknown tile {text[:40]!r}{_known_like(name)}") from None


def _known_like(name: str) -> str:
    """The tiles of the size that `name` ends in; else what a name looks like."""
    same = [tile.name for tile in all_tiles() if tile.name[1:] == name[1:]]
    if same:
        return f"; of {name[1:]} cells there are {', '.join(same)}"
    return "; expected a letter and a size such as U5, or rows such as ##./.##"


def _common_name(shape: Shape) -> str | None:
    """The name in general use, with the size also where a letter alone would do."""
    name = name_of_shape(shape)
    return f"{name}5" if name is not None and len(name) == 1 else name


@lru_cache(maxsize=1)
def _by_shape() -> dict[Shape, Tile]:
    return {tile.shape: tile for tile in all_tiles()}
