"""Why a board cannot be filled with its pieces, told without a search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from twostep.models.families.polyomino.pieces import Cell, Kind, regions
from twostep.models.families.polyomino.placement import Placement, cell_name
from twostep.models.families.polyomino.puzzle import ANY, PolyominoPuzzle, sums_to
from twostep.models.families.puzzle import Reason
from twostep.models.play.room import Position, Room
from twostep.models.words import counted

MOST_SUMS = 100_000
"""Cells times copies of pieces: for more, no colouring is tried, which would take seconds."""


def cheap_reason(puzzle: PolyominoPuzzle) -> Reason | None:
    """A reason that needs no search; None: none of the kinds known here applies."""
    if (text := puzzle.obstacle()) is not None:
        return Reason("area" if "cover" in text else "reach", text)
    position = _Position(puzzle)
    return position.region_reason() or position.colouring_reason()


@dataclass(frozen=True, slots=True)
class Colouring:
    """Cells in colours; `of` gives a cell's colour, from 0."""

    name: str
    colours: int
    of: Callable[[Cell], int]


COLOURINGS = (
    Colouring("as a checkerboard", 2, lambda c: (c[0] + c[1]) % 2),
    Colouring("in rows of two colours", 2, lambda c: c[0] % 2),
    Colouring("in columns of two colours", 2, lambda c: c[1] % 2),
    Colouring("in falling diagonals of three colours", 3, lambda c: (c[1] - c[0]) % 3),
    Colouring("in rising diagonals of three colours", 3, lambda c: (c[0] + c[1]) % 3),
    Colouring("in rows of three colours", 3, lambda c: c[0] % 3),
    Colouring("in columns of three colours", 3, lambda c: c[1] % 3),
    Colouring("in four colours, two by two", 4, lambda c: c[0] % 2 * 2 + c[1] % 2),
    Colouring("in falling diagonals of four colours", 4, lambda c: (c[1] - c[0]) % 4),
    Colouring("in rising diagonals of four colours", 4, lambda c: (c[0] + c[1]) % 4),
    Colouring("in rising diagonals of five colours", 5, lambda c: (c[0] + c[1]) % 5),
    Colouring("in knight's moves of five colours", 5, lambda c: (c[0] + 2 * c[1]) % 5),
)
"""The colourings tried: with each, how many cells of one colour the pieces can cover in all."""


class _Position:
    """What is left of a puzzle when its locked pieces lie."""

    def __init__(self, puzzle: PolyominoPuzzle) -> None:
        self._puzzle = puzzle
        fits = Position(Room(puzzle), ()).open
        taken = {cell for placement in puzzle.locked for cell in placement.cells}
        self._open = [cell for cell in puzzle.board.free if cell not in taken]
        self._gaps = len(self._open) if puzzle.empty == ANY else int(puzzle.empty)
        used = Counter(placement.piece for placement in puzzle.locked)
        self._left: list[Kind] = []
        self._places: dict[str, list[tuple[Cell, ...]]] = {}
        for kind in puzzle.kinds:
            high = None if kind.high is None else kind.high - used[kind.name]
            if high is not None and high >= len(self._open) // kind.piece.size > 0:
                high = None  # no more have room
            if high != 0:
                self._left.append(Kind(kind.piece, max(kind.low - used[kind.name], 0), high))
        for option in np.flatnonzero(fits).tolist():
            label = puzzle.model.labels[option]
            if isinstance(label, Placement):
                self._places.setdefault(label.piece, []).append(label.cells)

    def region_reason(self) -> Reason | None:
        """A connected part of the open cells whose size no choice of the pieces makes up."""
        if self._gaps:
            return None
        parts = regions(self._open)
        if len(parts) < 2:
            return None
        for part in parts:
            if not sums_to([replace(kind, low=0) for kind in self._left], len(part)):
                sizes = sorted({kind.piece.size for kind in self._left})
                return Reason(
                    "region",
                    f"the pieces left, of {_listed(sizes)} cells, do not add up to the"
                    f" {counted(len(part), 'cell')} around ({cell_name(part[0])}), cut off from"
                    " the rest",
                    tuple(part),
                )
        return None

    def colouring_reason(self) -> Reason | None:
        """A colour of whose cells the pieces cannot cover as many as there are."""
        copies = sum(kind.low if kind.high is None else kind.high for kind in self._left)
        copies += 0 if self._puzzle.empty == ANY else self._gaps
        if copies * len(self._open) > MOST_SUMS:
            return None
        for colouring in COLOURINGS:
            for colour in range(colouring.colours):
                coloured = tuple(c for c in self._open if colouring.of(c) == colour)
                possible = self._coverable(frozenset(coloured))
                if not possible:
                    return None  # the areas alone do not fit; not this argument's business
                if len(coloured) not in possible:
                    have = counted(len(coloured), "cell has", "cells have")
                    of_one = cell_name((coloured or self._open)[0])
                    return Reason(
                        "colouring",
                        f"colour the cells {colouring.name}: {have} one colour (that of"
                        f" ({of_one})), and the pieces always cover {_spans(possible)} of it",
                        coloured,
                    )
        return None

    def _coverable(self, coloured: frozenset[Cell]) -> list[int]:
        """How many coloured cells the pieces and gaps can take when all cells are taken."""
        area = len(self._open)
        # sums[a]: bit n is set if a cells can be taken, n of them coloured.
        sums = [1] + [0] * area
        for kind in self._left:
            size = kind.piece.size
            shares = sorted(
                {
                    sum(cell in coloured for cell in cells)
                    for cells in self._places.get(kind.name, ())
                }
            )
            sums = _added(sums, size, shares, kind.low, kind.high)
        if self._puzzle.empty == ANY:
            sums = _added(sums, 1, [0, 1], 0, None)
        elif self._gaps:
            sums = _added(sums, 1, [0, 1], self._gaps, self._gaps)
        return [n for n in range(len(coloured) + area + 1) if sums[area] >> n & 1]


def _added(
    sums: list[int], size: int, shares: Sequence[int], low: int, high: int | None
) -> list[int]:
    """The sums with `low` to `high` more parts of `size` cells, each with one of the shares."""
    for _ in range(low):
        sums = _one_more([0] * len(sums), sums, size, shares)
    if high is None:  # read and written at once: to what has a part already, another is added
        total = sums.copy()
        return _one_more(total, total, size, shares)
    total = sums
    for _ in range(high - low):
        sums = _one_more([0] * len(sums), sums, size, shares)
        total = [a | b for a, b in zip(total, sums, strict=True)]
    return total


def _one_more(to: list[int], sums: list[int], size: int, shares: Sequence[int]) -> list[int]:
    """Adds the sums with one more part to those in `to`."""
    for area in range(len(sums) - size):
        if bits := sums[area]:
            for share in shares:
                to[area + size] |= bits << share
    return to


def _listed(numbers: Sequence[int]) -> str:
    return " or ".join(map(str, numbers))


def _spans(numbers: Sequence[int]) -> str:
    """``3``, ``3 or 5``, ``3 to 9``."""
    if len(numbers) > 3 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]} to {numbers[-1]}"
    return _listed(numbers)
