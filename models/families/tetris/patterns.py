"""The table: all 1872 patterns of bars and the 10 platforms, each with a playable packing.

A *pattern* is a set of disjoint bars in row 0, three cells each, under which the feet of J, T or
L pieces make single squares. It is packed in the fewest rows in which it can be played. The table
is the data file beside this module; ``twostep tetris patterns`` finds it again from nothing.
"""

from __future__ import annotations

import importlib.resources
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from twostep.models.errors import EngineFault, InputError
from twostep.models.families.tetris.packing import Ground, Packer, Task, bar, order
from twostep.models.families.tetris.pieces import WIDTH, Cell
from twostep.models.families.tetris.printfile import (
    MAX_PIECES,
    PLATFORM_ROWS,
    Pieces,
    block_text,
    label,
)
from twostep.models.words import counted

MAX_BARS = WIDTH // 3
"""How many bars have room side by side."""

MAX_ROWS = 7
"""The most rows that any pattern needs."""

CLOSING: tuple[Cell, ...] = ((0, 1), (0, 2), (0, 3), (1, 3))
"""The piece that closes a platform: a J on end at the left edge."""

PLATFORM_STARTS = tuple(range(0, WIDTH - 2, 2))
"""Where the T that carries a platform may begin; from an odd column no platform can be packed."""

TRIES = 40
"""Random tilings that are tried before all of them are gone through in order."""

DATA = "patterns.txt"
"""The data file, in the folder ``data`` beside this module."""

HEADER = "# Made by `twostep tetris patterns`: packings of all patterns, then of all platforms.\n"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A packed pattern.

    Attributes:
        bars: first columns of the bars, ascending.
        rows: how many rows it packs.
        pieces: cells of the pieces as they are dropped; the bars, which lack their feet, first.
    """

    bars: tuple[int, ...]
    rows: int
    pieces: Pieces


@dataclass(frozen=True, slots=True)
class Table:
    """All patterns, by their bars, and all platforms, by the first column of their T.

    A platform's pieces stand as they are dropped, the closing one last.
    """

    patterns: dict[tuple[int, ...], Pattern]
    platforms: dict[int, Pieces]


@dataclass(frozen=True, slots=True)
class Summary:
    """One line of the table of squares, rows, pieces and patterns."""

    squares: int
    rows: int
    pieces: int
    patterns: int


def all_bars() -> Iterator[tuple[int, ...]]:
    """The bars of all patterns: fewer bars first, then ascending. C(21 - 2n, n) with n bars."""
    for n in range(1, MAX_BARS + 1):
        yield from bars_of(n)


def bars_of(n: int, width: int = WIDTH) -> Iterator[tuple[int, ...]]:
    """The bars of all patterns of `n` squares, ascending."""
    # Bars of three that don't overlap are single columns once two are taken out for each.
    for chosen in combinations(range(width - 2 * n), n):
        yield tuple(column + 2 * index for index, column in enumerate(chosen))


def possible_rows(n: int) -> range:
    """The numbers of rows in which `n` bars and whole tetrominoes can fill the cells."""
    return range(-n % 4 or 4, MAX_ROWS + 1, 4)


def pattern_task(bars: tuple[int, ...], rows: int) -> Task:
    """The packing of a pattern, as a task."""
    return Task(rows, tuple(bar(start) for start in bars))


def platform_task(start: int) -> Task:
    """The packing of a platform whose T begins at column `start`, as a task."""
    carrier = ((start, 0), (start + 1, 0), (start + 1, 1), (start + 2, 0))
    return Task(PLATFORM_ROWS, (carrier,), Ground(), CLOSING)


@dataclass(frozen=True, slots=True)
class Search:
    """A search for patterns of one's own.

    Attributes:
        squares: how many squares the patterns make.
        rows: how many rows they pack.
        width: columns of the field.
        attempts: random tilings that are tried for a pattern; None: until it is proven that it
            has none.
    """

    squares: int
    rows: int
    width: int = WIDTH
    attempts: int | None = None

    def check(self) -> None:
        """Refuse what no tetrominoes can fill, or what has more pieces than letters.

        Raises:
            InputError: says which numbers would do.
        """
        if self.width < 3 * self.squares:
            raise InputError(
                f"{counted(self.squares, 'square')} in {self.width} columns: expected at most"
                f" {self.width // 3}, a bar has three columns"
            )
        cells = self.width * self.rows + self.squares
        if cells % 4:
            fits = [h for h in range(1, 13) if (self.width * h + self.squares) % 4 == 0]
            known = ", ".join(map(str, fits)) if fits else "none for this width"
            raise InputError(
                f"{self.width} x {self.rows} cells and {counted(self.squares, 'square')} are"
                f" {cells}, which is not divisible by 4; heights that are: {known}"
            )
        if cells // 4 > MAX_PIECES:
            raise InputError(
                f"{cells // 4} pieces, expected at most {MAX_PIECES}: lower the width or the height"
            )


def search(what: Search, seed: int) -> Iterator[tuple[tuple[int, ...], Pieces | None]]:
    """Every pattern of a search, by its bars, with a playable packing or None.

    Without `attempts` None proves that there is none; otherwise it was only not found.
    """
    what.check()
    for bars in bars_of(what.squares, what.width):
        rng = random.Random(f"{seed} {bars}")
        task = Task(what.rows, tuple(bar(start) for start in bars), width=what.width)
        if what.attempts is None:
            yield bars, _pack(task, rng)
        else:
            yield bars, Packer(task).playable(rng, what.attempts)


def _pack(task: Task, rng: random.Random) -> Pieces | None:
    """A playable packing; None proves that there is none."""
    packer = Packer(task)
    pieces = packer.playable(rng, TRIES)
    if pieces is not None:
        return pieces
    return next((found for t in packer.tilings() if (found := order(task, t)) is not None), None)


def find_pattern(bars: tuple[int, ...], rng: random.Random) -> Pattern:
    """A packing of the pattern in the fewest rows: fewer are proven impossible on the way."""
    for rows in possible_rows(len(bars)):
        pieces = _pack(pattern_task(bars, rows), rng)
        if pieces is not None:
            return Pattern(bars, rows, pieces)
    raise EngineFault(f"no packing of the bars {bars} in {MAX_ROWS} rows")


def find_platform(start: int, rng: random.Random) -> Pieces | None:
    """A packing of the platform; None proves that there is none."""
    return _pack(platform_task(start), rng)


def find_table(seed: int, watch: Callable[[int], object] = lambda done: None) -> Table:
    """Find every pattern and platform; `watch` is told after each how many are done."""
    rng = random.Random(seed)
    patterns: dict[tuple[int, ...], Pattern] = {}
    for bars in all_bars():
        patterns[bars] = find_pattern(bars, rng)
        watch(len(patterns))
    platforms: dict[int, Pieces] = {}
    for start in range(WIDTH - 2):
        pieces = find_platform(start, rng)
        if pieces is not None:
            platforms[start] = pieces
            watch(len(patterns) + len(platforms))
    return Table(patterns, platforms)


def summaries(table: Table) -> tuple[Summary, ...]:
    """How many patterns there are, by squares and rows."""
    counts: dict[tuple[int, int], int] = {}
    for pattern in table.patterns.values():
        key = (len(pattern.bars), pattern.rows)
        counts[key] = counts.get(key, 0) + 1
    return tuple(
        Summary(squares, rows, (WIDTH * rows + squares) // 4, patterns)
        for (squares, rows), patterns in sorted(counts.items())
    )


def to_text(table: Table) -> str:
    """The data file."""
    blocks = [block_text(pattern.pieces, pattern.rows) for pattern in table.patterns.values()]
    blocks += [block_text(pieces, PLATFORM_ROWS) for pieces in table.platforms.values()]
    return HEADER + "\n" + "\n\n".join(blocks) + "\n"


def _cells(lines: list[str]) -> dict[str, list[Cell]]:
    found: dict[str, list[Cell]] = {}
    for offset, line in enumerate(lines):
        for x, character in enumerate(line):
            found.setdefault(character, []).append((x, len(lines) - 1 - offset))
    return found


def _read(text: str, laid: tuple[tuple[Cell, ...], ...]) -> tuple[int, Pieces]:
    """Rows and pieces of a block of the data file, whose first pieces must be those laid."""
    lines = text.split("\n")
    if not 0 < len(lines) <= MAX_ROWS or any(len(line) != WIDTH for line in lines):
        raise InputError(f"1 to {MAX_ROWS} lines of {WIDTH} letters expected, got {text!r}")
    cells = _cells(lines)
    labels = [label(index) for index in range(len(cells))]
    if sorted(cells) != labels:
        raise InputError(f"a letter is missing or unknown in {text!r}")
    pieces = tuple(tuple(sorted(cells[name])) for name in labels)
    if pieces[: len(laid)] != tuple(tuple(sorted(piece)) for piece in laid):
        raise InputError(f"the first pieces are not the expected ones in {text!r}")
    return len(lines), pieces


def from_text(text: str) -> Table:
    """Read a data file.

    Raises:
        InputError: it is not a table of all patterns and platforms.
    """
    body = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    blocks = body.strip().split("\n\n")
    bars = list(all_bars())
    if len(blocks) != len(bars) + len(PLATFORM_STARTS):
        raise InputError(
            f"{len(blocks)} blocks, expected {len(bars)} patterns and"
            f" {len(PLATFORM_STARTS)} platforms; make it anew with `twostep tetris patterns`"
        )
    patterns = {}
    for starts, block in zip(bars, blocks, strict=False):
        rows, pieces = _read(block, tuple(bar(start) for start in starts))
        patterns[starts] = Pattern(starts, rows, pieces)
    platforms = {
        start: _read(block, platform_task(start).laid)[1]
        for start, block in zip(PLATFORM_STARTS, blocks[len(bars) :], strict=True)
    }
    return Table(patterns, platforms)


@cache
def table() -> Table:
    """The table that comes with the package."""
    source = importlib.resources.files(__package__) / "data" / DATA
    try:
        return from_text(source.read_text(encoding="ascii"))
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", source=DATA) from None
    except InputError as error:
        raise error.at(DATA) from None
