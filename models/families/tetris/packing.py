"""Packing the rows of one block: which pieces may lie where, and random playable packings.

A block fills `rows` rows of 21 (a search of one's own: of its `width`), numbered from 0 upwards.
Under them, as row -1, lies the row of the picture that is being printed. Pieces are laid
beforehand (the bars of a pattern, the first and the last piece of a platform), the others are
searched for.

A piece must be held when it is dropped, see :mod:`twostep.models.families.tetris.order`. Some
placements are never held and are left out from the start: a flat underside on row 0 with nothing
of the picture under it, for instance.

The search lays the pieces column by column: always the lowest free cell of the leftmost column
with one, in random order of the pieces, and it remembers the sets of cells that it could not
complete. So few rows make so few of these that a tiling is found, or proven not to exist, in
milliseconds; whether it can be played is tested afterwards, and another one drawn if not.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from twostep.models.families.tetris.order import Laid, drop_order
from twostep.models.families.tetris.pieces import EMITTERS, WIDTH, Cell, Placement, orientations
from twostep.models.families.tetris.printfile import NEW_ROW


@dataclass(frozen=True, slots=True)
class Ground:
    """What lies under a block's row 0.

    Attributes:
        create: column -> letter of the piece that makes the square, for the squares of the new
            row that the block makes.
        standing: columns of the squares that the new row has already.
        under: columns in which the row below the new row is filled.
    """

    create: dict[int, str] = field(default_factory=dict)
    standing: frozenset[int] = frozenset()
    under: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Task:
    """A block to be packed.

    Attributes:
        rows: rows of the block.
        laid: cells of the pieces laid beforehand, in the order in which they are dropped.
        ground: what lies under the block.
        closing: cells of a piece laid beforehand that is dropped after all others, or None.
        width: columns of the field.
    """

    rows: int
    laid: tuple[tuple[Cell, ...], ...] = ()
    ground: Ground = Ground()
    closing: tuple[Cell, ...] | None = None
    width: int = WIDTH


def bar(start: int) -> tuple[Cell, ...]:
    """The three cells in row 0 of a piece whose foot makes a square of the new row."""
    return tuple((start + x, 0) for x in range(3))


def always_held(placement: Placement, ground: Ground) -> bool:
    """Whether something holds the placement that cannot vanish before it is dropped."""
    solid = ground.standing | ground.create.keys()
    for x, rise in enumerate(placement.orientation.underside):
        column, bottom = placement.column + x, placement.row + rise
        if bottom == NEW_ROW and column in ground.under:
            return True
        if bottom == 0 and column in solid:
            return True
        if bottom > max(placement.row, 0):
            # Its own lower cells keep the row under this column from being complete.
            return True
    return False


def deadline(placement: Placement, ground: Ground) -> int | None:
    """The row that must not be complete before the placement, which can be held, is dropped."""
    return None if always_held(placement, ground) else placement.row - 1


def allowed(placement: Placement, ground: Ground) -> bool:
    """Whether the placement can be held, and makes no wrong square in the new row."""
    if any(
        row == NEW_ROW and ground.create.get(column) != placement.letter
        for column, row in placement.cells
    ):
        return False
    # Above row 0, other pieces of the block hold it: in good time, if its underside is flat.
    return placement.row > 0 or always_held(placement, ground)


@cache
def _plain(rows: int, row: int, width: int) -> tuple[Placement, ...]:
    """Placements with their lowest cells on a row above 0, where the ground plays no part."""
    return tuple(
        Placement(orientation, column, row)
        for orientation in orientations()
        if row + orientation.height <= rows
        for column in range(width - orientation.width + 1)
    )


def placements(task: Task) -> Iterator[Placement]:
    """All placements that a packing of the task may use, besides the pieces laid beforehand."""
    taken = {cell for piece in _beforehand(task) for cell in piece}
    for row in range(NEW_ROW if task.ground.create else 0, task.rows):
        for placement in _on_row(task, row):
            if taken.isdisjoint(placement.cells):
                yield placement


def _on_row(task: Task, row: int) -> Iterator[Placement]:
    if row > 0:
        yield from _plain(task.rows, row, task.width)
        return
    for orientation in orientations():
        if row + orientation.height > task.rows:
            continue
        if row == NEW_ROW and orientation.letter not in EMITTERS:
            continue
        for column in range(task.width - orientation.width + 1):
            placement = Placement(orientation, column, row)
            if allowed(placement, task.ground):
                yield placement


def _beforehand(task: Task) -> tuple[tuple[Cell, ...], ...]:
    return task.laid if task.closing is None else (*task.laid, task.closing)


def order(task: Task, found: list[Placement]) -> tuple[tuple[Cell, ...], ...] | None:
    """The cells of the packing's pieces in an order in which they can be dropped, or None.

    The pieces laid beforehand are held by what the caller knows, and are dropped first.
    """
    pieces = [Laid(cells) for cells in task.laid]
    for placement in found:
        if not allowed(placement, task.ground):
            return None
        pieces.append(Laid(placement.cells, deadline(placement, task.ground)))
    if task.closing is not None:
        pieces.append(Laid(task.closing))
    last = None if task.closing is None else len(pieces) - 1
    sequence = drop_order(pieces, first=len(task.laid), last=last)
    return None if sequence is None else tuple(pieces[index].cells for index in sequence)


class Packer:
    """Draws random packings of a task."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self._base = NEW_ROW if task.ground.create else 0
        self._span = task.rows - self._base
        self._full = (1 << (task.width * self._span)) - 1
        self._start = self._filled_beforehand()
        self._dead: set[int] = set()  # sets of filled cells that no packing completes
        self._at: list[list[tuple[int, Placement]]] = [[] for _ in range(task.width * self._span)]
        for placement in placements(task):
            bits = self._bits(placement.cells)
            self._at[(bits & -bits).bit_length() - 1].append((bits, placement))

    def _bit(self, cell: Cell) -> int:
        return 1 << (cell[0] * self._span + cell[1] - self._base)

    def _bits(self, cells: tuple[Cell, ...]) -> int:
        return sum(self._bit(cell) for cell in cells)

    def _filled_beforehand(self) -> int:
        filled = sum(
            self._bits(tuple(cell for cell in piece if cell[1] >= self._base))
            for piece in _beforehand(self.task)
        )
        if self._base == NEW_ROW:
            empty = [x for x in range(self.task.width) if x not in self.task.ground.create]
            filled |= self._bits(tuple((x, NEW_ROW) for x in empty))
        return filled

    def tilings(self, rng: random.Random | None = None) -> Iterator[list[Placement]]:
        """Every tiling once, in random order or, without `rng`, in a fixed one."""
        full, dead = self._full, self._dead
        if self._start == full:
            yield []
            return
        if self._start in dead:
            return
        path: list[Placement] = []
        # Per level: the filled cells, what is still to be tried, whether a tiling was found.
        levels: list[tuple[int, Iterator[tuple[int, Placement]]]] = [
            (self._start, self._candidates(self._start, rng))
        ]
        fruitful = [False]
        while levels:
            filled, tries = levels[-1]
            for bits, placement in tries:
                after = filled | bits
                if after == full:
                    fruitful[-1] = True
                    yield [*path, placement]
                elif after not in dead:
                    path.append(placement)
                    levels.append((after, self._candidates(after, rng)))
                    fruitful.append(False)
                    break
            else:
                levels.pop()
                found = fruitful.pop()
                if not found:
                    dead.add(filled)
                if levels:
                    path.pop()
                    fruitful[-1] |= found

    def _candidates(
        self, filled: int, rng: random.Random | None
    ) -> Iterator[tuple[int, Placement]]:
        free = ~filled & (filled + 1)  # the lowest free cell of the leftmost column with one
        fitting = [entry for entry in self._at[free.bit_length() - 1] if not entry[0] & filled]
        if rng is not None:
            rng.shuffle(fitting)
        return iter(fitting)

    def playable(self, rng: random.Random, tries: int) -> tuple[tuple[Cell, ...], ...] | None:
        """The pieces of a random packing in the order in which they are dropped.

        None if none was found in `tries` independent draws, or if there is no tiling at all.
        """
        for _ in range(tries):
            tiling = next(self.tilings(rng), None)
            if tiling is None:
                return None
            pieces = order(self.task, tiling)
            if pieces is not None:
                return pieces
        return None
