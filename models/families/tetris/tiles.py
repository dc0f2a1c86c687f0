"""Pictures larger than a field: cut into tiles, each printed in a field of its own."""

from __future__ import annotations

import itertools

from twostep.models.errors import InputError
from twostep.models.families.tetris.intake import Pixels
from twostep.models.families.tetris.sprite import MAX_HEIGHT, MAX_WIDTH, Sprite, from_pixels

MOST = 16
"""Most tiles of a picture."""

Grid = tuple[tuple[Sprite | None, ...], ...]
"""Rows of tiles, the top row first; None: a tile without an opaque pixel."""


def limits(columns: int, rows: int) -> tuple[int, int]:
    """Width and height of the largest picture of so many tiles, pixels.

    Raises:
        InputError: too many tiles.
    """
    if columns * rows > MOST:
        raise InputError(f"{columns} x {rows} tiles, expected at most {MOST} in all")
    return columns * MAX_WIDTH, rows * MAX_HEIGHT


def cut(pixels: Pixels, columns: int, rows: int) -> Grid:
    """A picture in tiles of about the same size; each stands on the floor of its own field.

    Raises:
        InputError: a tile has too many colours (names the tile), or there is nothing at all.
    """
    high, wide = pixels.shape[:2]
    across = _bounds(wide, min(columns, wide))
    down = _bounds(high, min(rows, high))
    grid = tuple(
        tuple(
            _tile(pixels[top:bottom, left:right], f"tile {number}-{place}")
            for place, (left, right) in enumerate(across, start=1)
        )
        for number, (top, bottom) in enumerate(down, start=1)
    )
    if not any(any(row) for row in grid):
        raise InputError("no opaque pixel in the image: nothing to print")
    return grid


def _bounds(length: int, parts: int) -> list[tuple[int, int]]:
    return list(itertools.pairwise(length * n // parts for n in range(parts + 1)))


def _tile(pixels: Pixels, name: str) -> Sprite | None:
    if not (pixels[:, :, 3] == 255).any():
        return None
    try:
        return from_pixels([[tuple(p) for p in row] for row in pixels.tolist()], trim=False)
    except InputError as error:
        raise InputError(f"{name}: {error.message}") from None
