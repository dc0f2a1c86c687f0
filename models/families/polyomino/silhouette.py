"""Boards from silhouettes: a PNG whose opaque or dark areas are the cells.

Any whole number of pixels may be the side of a cell, as long as every edge of the picture lies
on that grid. Where the picture has transparent pixels, the opaque ones are cells; else the dark
ones. The picture alone does not always fix the scale (a plain rectangle could be any): of the
scales that fit, the largest is taken at which the pieces fill the board, else the largest.
"""

from __future__ import annotations

import io
import math
import os
import warnings

import numpy as np

from twostep.models.errors import InputError
from twostep.models.families.polyomino.board import Board
from twostep.models.families.polyomino.pieces import PENTOMINOES, pentominoes_for
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle
from twostep.models.language.model import BoolArray
from twostep.models.reading.files import read_bytes

MAX_SIDE = 5000
"""Pixels: a wider or higher picture is refused before it is unpacked."""

MOST_CELLS = 2500
"""A silhouette with more cells, blocked ones counted too, is taken for a picture without a grid."""

AREA = 5 * len(PENTOMINOES)
"""Cells that the twelve pentominoes fill."""


def read_silhouette(path: str | os.PathLike[str]) -> PolyominoPuzzle:
    """The puzzle of a silhouette, to be filled with the twelve pentominoes, each once.

    On a board of fewer than 60 cells each may be used once or not. The puzzle's name is the
    file's path.

    Raises:
        InputError: no PNG, too large, or no grid; says why.
    """
    source = os.fspath(path)
    try:
        board = board_of(_mask(read_bytes(path)), AREA)
    except InputError as error:
        raise error.at(source) from None
    kinds = pentominoes_for(board.size)
    return PolyominoPuzzle(source, board, tuple(kinds))


def _mask(data: bytes) -> BoolArray:
    """Which pixels belong to the silhouette."""
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow's own bound on the size; ours is below it
            picture = Image.open(io.BytesIO(data), formats=["PNG"])
            if max(picture.size) > MAX_SIDE:
                raise InputError(
                    f"a picture of {picture.width} x {picture.height} pixels is too large,"
                    f" expected at most {MAX_SIDE} x {MAX_SIDE}"
                )
            pixels = np.asarray(picture.convert("RGBA").convert("LA"))
    except InputError:
        raise
    except UnidentifiedImageError:
        raise InputError("not a PNG picture") from None
    except Image.DecompressionBombError:
        raise InputError(f"too large, expected at most {MAX_SIDE} x {MAX_SIDE} pixels") from None
    except Exception as error:  # Pillow raises many kinds for damaged files
        raise InputError(f"a damaged PNG picture: {error}") from None
    opaque: BoolArray = pixels[..., 1] >= 128
    dark: BoolArray = pixels[..., 0] < 128
    return dark if opaque.all() else opaque


def board_of(mask: BoolArray, area: int | None = None) -> Board:
    """The board of a silhouette (rows x columns, True: a cell), at the largest scale that fits.

    `area` is the wished number of cells: a smaller scale is taken if it has that many.

    Raises:
        InputError: nothing is there, or too many cells: the edges lie on no coarse grid.
    """
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not rows.size:
        raise InputError("the picture is empty: neither opaque nor dark areas")
    mask = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    # Every edge between inside and outside lies on the grid, counted from the bounding box.
    down = np.flatnonzero((mask[1:] != mask[:-1]).any(axis=1)) + 1
    right = np.flatnonzero((mask[:, 1:] != mask[:, :-1]).any(axis=0)) + 1
    scale = math.gcd(mask.shape[0], mask.shape[1], *down.tolist(), *right.tolist())
    pixels = int(mask.sum())
    if area is not None and pixels % area == 0:
        side = math.isqrt(pixels // area)
        if side * side * area == pixels and scale % side == 0:
            scale = side
    cells = mask[::scale, ::scale]
    if cells.size > MOST_CELLS:
        raise InputError(
            f"no grid: the edges at pixel rows {_some(down)} and columns {_some(right)} of the"
            f" silhouette have no common step larger than {scale}, which makes"
            f" {cells.shape[0]} x {cells.shape[1]} cells, more than {MOST_CELLS:,}"
        )
    free = tuple((row, column) for row, column in np.argwhere(cells).tolist())
    return Board(cells.shape[0], cells.shape[1], free)


def _some(places: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> str:
    """The first few numbers."""
    return ", ".join(map(str, places[:4].tolist())) + (" ..." if len(places) > 4 else "")
