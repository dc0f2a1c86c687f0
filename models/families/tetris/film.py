"""Games as films: every move of a piece, as animated GIF or PNG, as MP4, or as numbered frames.

A piece that is shown in full appears at the top centre, upright, is turned, shifted, lowered and
dropped; the rows that it fills light up and vanish. Of a long game only every so many-th piece is
shown so; the others lie there with the next one.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from twostep.models.drawing.pixels import apng_bytes, gif_bytes, png_bytes
from twostep.models.errors import InputError
from twostep.models.families.tetris.field import Drop, Field
from twostep.models.families.tetris.moves import Move, entry_column, move_to
from twostep.models.families.tetris.picture import (
    Falling,
    Look,
    Panel,
    PixelArray,
    consoled,
    draw,
    image,
    own_background,
    palette,
    size,
)
from twostep.models.families.tetris.pieces import HEIGHT, Cell, box_cells
from twostep.models.families.tetris.printfile import Program
from twostep.models.families.tetris.sprite import Colour, from_hexadecimal
from twostep.models.reading.files import write_atomically, written_atomically

SHIFTS = 3
"""Most frames in which a piece is shifted."""

FALLS = 3
"""Frames in which a piece is lowered."""

FULL = 10
"""Frames of a piece that is shown in full, roughly."""

FRAMES = 1500
"""Frames of a game unless asked otherwise, roughly."""

MAX_FILM_BYTES = 400 * 2**20
"""What the frames of a GIF or APNG may take in memory, where they all are while it is written."""

HOLD = 2500
"""How long the finished picture is shown, ms."""

FILMS = (".gif", ".apng", ".mp4")
"""The suffixes of films."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a game is shown.

    Attributes:
        look: how it is drawn.
        fps: frames per second.
        every: one piece in this many is shown in full.
    """

    look: Look = field(default_factory=Look)
    fps: int = 20
    every: int = 1


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture of a film.

    Attributes:
        pixels: (rows, columns) indices into the palette, the top row first.
        ticks: for how many frames' time it is shown.
    """

    pixels: PixelArray
    ticks: int


def suggested_every(pieces: int) -> int:
    """Which of so many pieces are shown in full, so that a person can and will watch it."""
    return max(1, -(-pieces * FULL // FRAMES))


def least_every(pieces: int, look: Look, fields: int = 1) -> int:
    """The smallest `every` with which so many pieces fit in the memory as a GIF or APNG."""
    width, height = size(look)
    return max(1, -(-pieces * FULL * width * height * fields // MAX_FILM_BYTES))


def frames(drops: Sequence[Drop], style: Style) -> Iterator[Frame]:
    """Show a game; ends with the finished picture."""
    game, lines, look = Field(), 0, style.look

    def shown(panel: Panel, falling: Falling | None = None, lit: Sequence[int] = ()) -> PixelArray:
        pixels = draw(game, look.cell, falling, entry=True, lit=lit)
        return consoled(pixels, panel, look.cell) if look.console else pixels

    for drop, following in zip(drops, [*drops[1:], None], strict=True):
        panel = Panel(lines=lines)
        if following is not None:
            panel = Panel(following.placement.letter, following.value, lines)
        placement, in_full = drop.placement, (drop.number - 1) % style.every == 0
        if in_full:
            for cells in way(drop):
                yield Frame(shown(panel, Falling(cells, drop.value)), 1)
            at_rest = Falling(placement.cells, drop.value)
            yield Frame(shown(panel, at_rest, drop.full), 2 if drop.full else 1)
        game.put(placement.orientation, placement.column, placement.row, drop.value)
        lines += len(drop.full)
    yield Frame(shown(Panel(lines=lines)), hold(style))


def hold(style: Style) -> int:
    """How many ticks the finished picture is shown; more than any other."""
    return max(3, HOLD * style.fps // 1000)


def way(drop: Drop) -> Iterator[tuple[Cell, ...]]:
    """Where a piece is until it is dropped: upright at the top, turned, shifted, lowered."""
    move = move_to(drop.placement)
    for turns in range(move.turns + 1):
        yield _boxed(move, turns, 0, HEIGHT)
    steps = min(SHIFTS, abs(move.shift))
    for step in range(1, steps + 1):
        yield _boxed(move, move.turns, round(move.shift * step / steps), HEIGHT)
    lowest = min(y for _, y in box_cells(move.piece, move.turns)[0])
    bottom = move.row - lowest
    for row in sorted({HEIGHT - (HEIGHT - bottom) * step // (FALLS + 1) for step in (1, 2, 3)})[
        ::-1
    ]:
        if bottom < row < HEIGHT:
            yield _boxed(move, move.turns, move.shift, row)


def _boxed(move: Move, turns: int, shift: int, bottom: int) -> tuple[Cell, ...]:
    """The cells of a piece in its box, whose lowest row is `bottom`."""
    cells, _ = box_cells(move.piece, turns)
    left = entry_column(move.piece) + shift
    return tuple((left + x, bottom + y) for x, y in cells)


@dataclass(frozen=True, slots=True)
class Shown:
    """A game that is shown."""

    program: Program
    drops: Sequence[Drop]


class Stage:
    """Games side by side and one below the other, as one film; None: an empty field.

    Attributes:
        colours: what pixels point to.
        size: width and height, pixels.
        pieces: of the longest game.
    """

    def __init__(self, grid: Sequence[Sequence[Shown | None]], style: Style) -> None:
        self.style = style
        self._grid = grid
        games = [game for row in grid for game in row if game is not None]
        sprites = [from_hexadecimal(text) for game in games for text in game.program.colours]
        asked = style.look.background
        self._back = own_background(sprites) if asked is None else asked
        width, height = size(style.look)
        self.size = (width * len(grid[0]), height * len(grid))
        self.pieces = max(len(game.drops) for game in games)
        numbers: dict[Colour, int] = {}
        self._tables = {id(game): self._table(game.program, numbers) for game in [*games, _NOTHING]}
        self.colours = list(numbers)

    def _table(self, program: Program, numbers: dict[Colour, int]) -> PixelArray:
        """From a game's own palette to the one of all."""
        own = palette(program, self._back)
        return np.array([numbers.setdefault(c, len(numbers)) for c in own], dtype=np.uint8)

    def frames(self) -> Iterator[Frame]:
        """All games at once; those that have ended wait for the others."""
        films = [[self._film(game or _NOTHING) for game in row] for row in self._grid]
        flat = [film for row in films for film in row]
        now = [next(film) for film in flat]
        across = len(films[0])
        while True:
            # The last frame of a game stays as long as it has to.
            ends = [n for n, frame in enumerate(now) if frame.ticks < self._hold]
            ticks = min((now[n].ticks for n in ends), default=self._hold)
            rows = [now[n : n + across] for n in range(0, len(now), across)]
            yield Frame(np.block([[frame.pixels for frame in row] for row in rows]), ticks)
            if not ends:
                return
            for n in ends:
                left = now[n].ticks - ticks
                now[n] = Frame(now[n].pixels, left) if left else next(flat[n])

    @property
    def _hold(self) -> int:
        return hold(self.style)

    def _film(self, game: Shown) -> Iterator[Frame]:
        table = self._tables[id(game)]
        for frame in frames(game.drops, self.style):
            yield Frame(table[frame.pixels], frame.ticks)


_NOTHING = Shown(Program((), ()), ())
"""An empty field."""

Watch = Callable[[int], object]
"""Told how many frames are done."""


def write_film(path: str | os.PathLike[str], stage: Stage, watch: Watch = lambda done: None) -> int:
    """Write games as a film, by the suffix of its name; gives the number of frames.

    Raises:
        InputError: the file cannot be written, or the program for MP4 is missing or fails.
    """
    suffix = Path(path).suffix.lower()
    if suffix == ".mp4":
        return _write_mp4(path, stage, watch)
    images, durations = [], []
    for frame in stage.frames():
        # A GIF counts hundredths of a second; browsers slow down below two of them.
        durations.append(max(20, round(100 * frame.ticks / stage.style.fps) * 10))
        images.append(image(frame.pixels, stage.colours))
        watch(len(images))
    write = gif_bytes if suffix == ".gif" else apng_bytes
    write_atomically(path, write(images, durations))
    return len(images)


def require_mp4(path: str | os.PathLike[str]) -> str:
    """The program that writes MP4.

    Raises:
        InputError: there is none.
    """
    found = shutil.which("ffmpeg")
    if found is None:
        raise InputError(
            "an MP4 is written by the program ffmpeg, which is not installed: choose a name that"
            " ends in .gif or .apng, or a folder for frames",
            source=os.fspath(path),
        )
    return found


def _write_mp4(path: str | os.PathLike[str], stage: Stage, watch: Watch) -> int:
    """Hand the frames to ffmpeg one after the other; each stands for 1/fps s."""
    colours = np.array(stage.colours, dtype=np.uint8)
    width, height = stage.size
    number = 0
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "film.mp4"
        command = [
            require_mp4(path), "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24",
            "-s", f"{width}x{height}", "-r", str(stage.style.fps), "-i", "-", "-pix_fmt", "yuv420p",
            "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-movflags", "+faststart", str(made),
        ]  # fmt: skip
        with tempfile.TemporaryFile() as said:
            run = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=said, stderr=said)
            pipe = run.stdin or said
            try:
                for frame in stage.frames():
                    number += frame.ticks
                    pipe.write(colours[frame.pixels].tobytes() * frame.ticks)
                    watch(number)
            except BrokenPipeError:
                pass  # it ended early: its words say why
            finally:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()
            if run.wait() != 0 or not made.exists():
                said.seek(0)
                reason = " ".join(said.read().decode("utf-8", "replace").split())[:200]
                raise InputError(f"ffmpeg failed: {reason}", source=os.fspath(path))
        with made.open("rb") as source, written_atomically(path) as target:
            shutil.copyfileobj(source, target)
    return number


def require_new_folder(folder: str | os.PathLike[str]) -> Path:
    """The folder, which may not hold anything.

    Raises:
        InputError: there is something in it, or it is a file.
    """
    target = Path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise InputError("expected a new or empty folder for the frames", source=os.fspath(folder))
    return target


def write_frames(
    folder: str | os.PathLike[str], stage: Stage, watch: Watch = lambda done: None
) -> int:
    """Write games as PNGs ``frame-00001.png`` ... for a film; gives their number.

    Each stands for the same time, 1/fps s. The folder appears when it is complete.

    Raises:
        InputError: a folder that isn't empty, or cannot be written.
    """
    target = require_new_folder(folder)
    number = 0
    temporary: Path | None = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
        for frame in stage.frames():
            content = png_bytes(image(frame.pixels, stage.colours))
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
