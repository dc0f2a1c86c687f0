"""Replays a printed GIF from its pixels alone; shares no code with the printer.

A frame is the settled squares and at most one piece more, of one colour. Settled squares never
change: they leave in full rows, and those above move down by as many rows. Nothing else is
believed, so a piece that changed its colour, or a square that moved, fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageSequence

WIDTH, HEIGHT, ENTRY = 21, 42, 4
FLASH = (255, 255, 255)

Square = tuple[int, int]
Colour = tuple[int, int, int]
Squares = dict[Square, Colour]
PixelArray = npt.NDArray[np.uint8]


@dataclass
class Replay:
    """What was seen.

    Attributes:
        settled: column and row (0 is the floor) -> colour, after every piece that settled.
        ways: where each piece was, frame by frame.
        frames: how many frames were replayed.
    """

    settled: list[Squares] = field(default_factory=lambda: [{}])
    ways: list[list[frozenset[Square]]] = field(default_factory=lambda: [[]])
    frames: int = 0


def frames_of(path: Path, cell: int, left: int = 0, top: int = 0) -> Iterator[Squares]:
    """The squares of every frame that are not empty; the entry rows are above row 41."""
    empty: PixelArray | None = None
    with Image.open(path) as film:
        for frame in ImageSequence.Iterator(film):
            pixels = np.array(frame.convert("RGB"))[top:, left:]
            middle = pixels[cell // 2 :: cell, cell // 2 :: cell]
            rows = middle[: HEIGHT + ENTRY, :WIDTH][::-1]
            if empty is None:  # the first frame has nothing in its lowest and topmost corners
                empty = np.broadcast_to(rows[0, 0], rows.shape).copy()
                empty[HEIGHT:] = rows[-1, 0]
            there = np.argwhere((rows != empty).any(axis=2)).tolist()
            yield {(x, y): _rgb(rows[y, x].tolist()) for y, x in there}


def _rgb(parts: list[int]) -> Colour:
    red, green, blue = parts
    return red, green, blue


def replay(path: Path, cell: int, left: int = 0, top: int = 0) -> Replay:
    """Replay a GIF whose every piece is shown in full.

    Raises:
        AssertionError: names the frame that no game shows.
    """
    seen = Replay()
    piece: Squares = {}
    for number, frame in enumerate(frames_of(path, cell, left, top)):
        seen.frames += 1
        now = _piece(frame, seen.settled[-1])
        if now is not None and _same_piece(piece, now):
            piece = now
            seen.ways[-1] += [frozenset(now)] * bool(now)
            continue
        settled = _settled(seen.settled[-1], piece)
        assert settled is not None, f"frame {number}: a settled square changed"
        now = _piece(frame, settled)
        assert now is not None, f"frame {number}: a settled square changed"
        seen.settled.append(settled)
        piece = now
        seen.ways.append([frozenset(now)] if now else [])
    assert not piece, "the last piece never settled"
    return seen


def _piece(frame: Squares, settled: Squares) -> Squares | None:
    """What a frame shows besides the settled squares; None if those are not all there."""
    lit = {y for y in range(HEIGHT) if all(frame.get((x, y)) == FLASH for x in range(WIDTH))}
    if any(
        frame.get(square) != colour for square, colour in settled.items() if square[1] not in lit
    ):
        return None
    more = {s: c for s, c in frame.items() if s not in settled and s[1] not in lit}
    colours = set(more.values())
    if lit:
        # The piece is partly in the rows that light up: their free squares are its own.
        free = {(x, y) for y in lit for x in range(WIDTH)} - settled.keys()
        more |= dict.fromkeys(free, next(iter(colours), FLASH))
    return more if len(more) <= 4 and len(colours) <= 1 else None


def _same_piece(before: Squares, now: Squares) -> bool:
    """Whether it may be one piece on its way: of one colour, and never upwards in the field."""
    if not before or not now:
        return not before
    colours = {*before.values(), *now.values()} - {FLASH}
    low, lower = min(y for _, y in before), min(y for _, y in now)
    return len(colours) <= 1 and (lower <= low or lower >= HEIGHT)


def _settled(settled: Squares, piece: Squares) -> Squares | None:
    """The squares after a piece settles and full rows leave; None if nothing holds it."""
    if len(piece) != 4 or any(y >= HEIGHT for _, y in piece):
        return None
    if not any(y == 0 or (x, y - 1) in settled for x, y in piece):
        return None
    together = settled | piece
    full = [y for y in range(HEIGHT) if all((x, y) in together for x in range(WIDTH))]
    return {
        (x, y - sum(row < y for row in full)): colour
        for (x, y), colour in together.items()
        if y not in full
    }
