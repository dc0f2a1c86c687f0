"""From a sprite to an instruction file: rows from the bottom up, platforms, passes.

Two ways to print a row. From the *table*: its squares are shared out among passes, each a pattern
of single squares; if one of them has nothing below it, the row is printed on a platform. By the
*real-time search* (:mod:`twostep.models.families.tetris.live`): passes that make as many squares
as their rows allow, held by whatever stands there, so that a row with any square above another
needs no platform; where it finds nothing better, the table decides.

A row without an opaque pixel gets one square in the right margin, where the picture never
reaches: left empty, nothing could come to rest above it (``field.compare`` says why).
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from twostep.models.families.tetris.live import Strip
from twostep.models.families.tetris.packing import Ground
from twostep.models.families.tetris.patterns import Table
from twostep.models.families.tetris.patterns import table as own_table
from twostep.models.families.tetris.pieces import EMITTERS, WIDTH, Cell
from twostep.models.families.tetris.printfile import (
    NEW_ROW,
    Block,
    Platform,
    Program,
    Removal,
    Step,
    pieces_of,
)
from twostep.models.families.tetris.sprite import EMPTY, MARGIN, Sprite, hexadecimal

FOOT = {"J": 2, "T": 1, "L": 0}
"""Column of the foot under the bar of a piece, from the bar's first."""

SUPPORT = {WIDTH - MARGIN: EMITTERS[0]}
"""What is printed in a row without an opaque pixel: one square of the first colour."""

FEW = 4
"""Up to so many squares are few."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard the real-time search tries for a row, before it falls back on the table.

    Attributes:
        strips: how many strips it may work out.
        rows: most rows of a block; one more where it wants few squares. Each row more multiplies
            the time by five; a fifth row everywhere saves 3 % of the pieces.
    """

    strips: int = 160
    rows: int = 4


NORMAL = Effort()
EFFORTS = {"low": Effort(40, 3), "normal": NORMAL, "high": Effort(640, 5)}
"""Efforts by their names."""

Row = Mapping[int, str]
"""A row of the picture: column of the field -> letter of the piece that makes the square."""

Watch = Callable[[int], object]
"""Told how many rows are done."""


@dataclass(frozen=True, slots=True)
class RowTask:
    """A row to be printed.

    Attributes:
        row: what it is to hold.
        below: the row below it; None: the floor.
        seed: of the real-time search; None: the table alone.
        effort: of the real-time search.
        until: when it has to end, by the monotonic clock; None: no limit.
    """

    row: Row
    below: Row | None
    seed: int | None
    effort: Effort = NORMAL
    until: float | None = None


@dataclass(frozen=True, slots=True)
class RowDone:
    """How a row is printed; `cut`: the time was over, so that the table decided."""

    steps: tuple[Step, ...]
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Conversion:
    """The instructions for a sprite; `cut`: how many rows had no time left for a search."""

    program: Program
    cut: int = 0


Spread = Callable[[Callable[[RowTask], RowDone], Sequence[RowTask]], Iterator[RowDone]]
"""Does tasks, perhaps in several processes, and gives their results in order."""


def convert(
    sprite: Sprite,
    table: Table,
    *,
    rng: random.Random | None = None,
    watch: Watch = lambda done: None,
) -> Program:
    """The instructions that print `sprite`: by the table alone, or with `rng` searching as well."""
    return converted(sprite, table, rng=rng, watch=watch).program


def converted(
    sprite: Sprite,
    table: Table,
    *,
    rng: random.Random | None = None,
    effort: Effort = NORMAL,
    seconds: float | None = None,
    spread: Spread | None = None,
    watch: Watch = lambda done: None,
) -> Conversion:
    """As :func:`convert`, with an effort, a time limit, and several processes.

    Args:
        sprite: what is to be printed.
        table: of patterns; with `spread` the one that comes with the package.
        rng: of the real-time search, which gives every row a seed; None: the table alone.
        effort: of the real-time search.
        seconds: when it has to end; the rows that are left are then printed from the table.
        spread: does the rows in several processes; the result is the same.
        watch: is told how many rows are done.
    """
    until = None if seconds is None else time.monotonic() + seconds
    rows = rows_of(sprite)
    tasks = [
        RowTask(row, below, None if rng is None else rng.getrandbits(63), effort, until)
        for row, below in zip(rows, [None, *rows], strict=False)
    ]
    found = map(partial(print_row, table), tasks) if spread is None else spread(do_row, tasks)
    steps: list[Step] = []
    cut = 0
    for number, done in enumerate(found, start=1):
        steps += done.steps
        cut += done.cut
        watch(number)
    program = Program(tuple(hexadecimal(colour) for colour in sprite.colours), tuple(steps))
    return Conversion(program, cut)


def do_row(task: RowTask) -> RowDone:
    """Print a row with the table that comes with the package."""
    return print_row(own_table(), task)


def rows_of(sprite: Sprite) -> list[Row]:
    """The rows to print, from the bottom up to the last with an opaque pixel."""
    rows: list[Row] = [
        {MARGIN + x: EMITTERS[pixel - 1] for x, pixel in enumerate(line) if pixel != EMPTY}
        for line in sprite.pixels
    ]
    while rows and not rows[-1]:
        rows.pop()
    return [row or SUPPORT for row in rows]


def needs_platform(row: Row, below: Row | None) -> bool:
    """Whether a square of `row` has nothing below it; the floor (None) is below everything."""
    return below is not None and not row.keys() <= below.keys()


def platform(below: Row, table: Table) -> Platform:
    """The platform on a row: its T stands on the row's leftmost square."""
    start = min(2 * (min(below) // 2), WIDTH - 3)
    pieces = table.platforms[start]
    return Platform(pieces[:-1], pieces[-1])


def on_platform(floor: Platform, steps: Iterable[Step]) -> list[Step]:
    """A row printed on a platform, which is removed right after it."""
    return [floor, *steps, Removal(floor.closing)]


def print_row(table: Table, task: RowTask) -> RowDone:
    """How a row is printed, on a platform if it has to be."""
    row, below = task.row, task.below
    from_table: list[Step] = list(table_passes(row, table))
    if below is not None and needs_platform(row, below):
        from_table = on_platform(platform(below, table), from_table)
    if task.seed is None:
        return RowDone(tuple(from_table))
    planner = _Planner(task, table)
    found = planner.best(_cost(from_table))
    return RowDone(tuple(from_table if found is None else found), found is None and planner.late)


def _cost(blocks: Iterable[Step]) -> int:
    return sum(pieces_of(block) for block in blocks)


def table_passes(row: Row, table: Table) -> list[Block]:
    """The row as patterns of the table, with few pieces."""
    # Two pieces may want the same bar: J at column 4 and T at column 3. So bars are pairs.
    bars = sorted((column - FOOT[letter], column) for column, letter in row.items())
    shared = min(
        (_share_out(bars), _share_out([(-start, column) for start, column in reversed(bars)])),
        key=lambda passes: sum(
            len(table.patterns[_starts(columns, row)].pieces) for columns in passes
        ),
    )
    return [_from_pattern(columns, row, table) for columns in shared]


def _share_out(bars: list[tuple[int, int]]) -> list[list[int]]:
    """Columns by pass, with as few passes as possible: each bar goes to the first with room.

    `bars` are pairs of the bar's place along the row and the square's column, ascending.
    """
    passes: list[list[int]] = []
    ends: list[int] = []
    for start, column in bars:
        for index, end in enumerate(ends):
            if end <= start:
                passes[index].append(column)
                ends[index] = start + 3
                break
        else:
            passes.append([column])
            ends.append(start + 3)
    return passes


def _starts(columns: Iterable[int], row: Row) -> tuple[int, ...]:
    return tuple(sorted(column - FOOT[row[column]] for column in columns))


def _from_pattern(columns: Iterable[int], row: Row, table: Table) -> Block:
    feet = {column - FOOT[row[column]]: column for column in columns}
    pattern = table.patterns[tuple(sorted(feet))]
    pieces: list[tuple[Cell, ...]] = []
    for index, cells in enumerate(pattern.pieces):
        if index < len(pattern.bars):
            cells = (*cells, (feet[pattern.bars[index]], NEW_ROW))
        pieces.append(tuple(sorted(cells)))
    return Block(pattern.rows, tuple(pieces))


@dataclass(frozen=True, slots=True)
class _State:
    """Where a row stands: what is to be made yet, and what stands already."""

    wanted: frozenset[int]
    standing: frozenset[int]


class _Planner:
    """Searches passes for one row, in few rows altogether.

    The pieces of the passes number (21 rows + squares) / 4, so only the sum of the rows counts,
    and it is known up to a multiple of four. A platform costs as much as four rows.
    """

    def __init__(self, task: RowTask, table: Table) -> None:
        self._row = task.row
        self._below = task.below
        self._table = table
        self._rng = random.Random(task.seed)
        self._effort = task.effort
        self._until = task.until
        self._strips = 0
        self.late = False
        self._known: dict[tuple[_State, int], Block | None] = {}

    def _may_go_on(self) -> bool:
        """Whether there are strips and time left."""
        self.late = self._until is not None and time.monotonic() >= self._until
        return self._strips < self._effort.strips and not self.late

    def best(self, cost: int) -> list[Step] | None:
        """Passes with fewer than `cost` pieces, or None if none were found."""
        squares = len(self._row)
        everywhere = frozenset(range(MARGIN, WIDTH))
        under = everywhere if self._below is None else frozenset(self._below)
        start = _State(frozenset(self._row), frozenset())
        rows = -squares % 4 or 4
        while (WIDTH * rows + squares) // 4 < cost and self._may_go_on():
            if under & start.wanted:
                found = self._passes(start, under, rows)
                if found is not None:
                    return list(found)
            if self._below is not None and rows > 4 and needs_platform(self._row, self._below):
                found = self._passes(start, everywhere, rows - 4)
                if found is not None:
                    return on_platform(platform(self._below, self._table), found)
            rows += 4
        return None

    def _passes(self, start: _State, under: frozenset[int], rows: int) -> list[Block] | None:
        """Blocks of `rows` rows together that make all wanted squares, or None."""
        self._known.clear()
        # Depth first; as deep as there are rows.
        path: list[tuple[list[Block], _State, int]] = [([], start, rows)]
        while path and self._may_go_on():
            done, state, left = path.pop()
            if not state.wanted:
                return done
            further = []
            most = self._effort.rows + (len(state.wanted) <= FEW)
            for height in range(1, min(left, most) + 1):
                block = self._block(state, under, height)
                if block is None:
                    continue
                if height == left and block.squares != state.wanted:
                    continue
                after = _State(state.wanted - block.squares, state.standing | block.squares)
                further.append((len(block.squares), ([*done, block], after, left - height)))
            # The one with the most squares for its rows comes off the stack first.
            further.sort(key=lambda entry: entry[0] - 4 * (left - entry[1][2]))
            path += [entry for _, entry in further]
        return None

    def _block(self, state: _State, under: frozenset[int], height: int) -> Block | None:
        key = (state, height)
        if key not in self._known:
            self._strips += 1
            create = {column: self._row[column] for column in state.wanted}
            ground = Ground(create, state.standing, under)
            block = Strip(height, ground).playable(self._rng)
            if block is None:
                block = Strip(height, ground, sure=True).playable(self._rng)
            self._known[key] = block
        return self._known[key]
