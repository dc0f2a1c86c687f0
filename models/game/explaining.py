"""Why a level has no answer, or more than one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from twostep.models.families.polyomino.pieces import Cell, Kind, regions
from twostep.models.families.polyomino.placement import Placement, cell_name
from twostep.models.families.polyomino.puzzle import ANY, PolyominoPuzzle, sums_to
from twostep.models.game.locking import nearest_pair, smallest_locks
from twostep.models.game.playing import Table
from twostep.models.language.builder import ModelBuilder
from twostep.models.language.model import Model, Solution
from twostep.models.search import questions
from twostep.models.search.engine import Engine, Limits, SearchResult, Watch
from twostep.models.words import counted

MOST_ANSWERS = 2000
"""So many answers are looked at to explain why there is more than one."""


MOST_SUMS = 100_000
"""Cells times copies of pieces: for more, no colouring is tried, which would take seconds."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why there is no answer.

    Attributes:
        kind: ``area``, ``reach``, ``region``, ``colouring`` or ``conflict``.
        text: in words, one line.
        cells: the cells it is about.
        pieces: the pieces it is about.
    """

    kind: str
    text: str
    cells: tuple[Cell, ...] = ()
    pieces: tuple[str, ...] = ()


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
        table = Table(puzzle)
        times = table.used(())
        fits = table.fitting(times)
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


# --- conflicts ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Conflict:
    """Items that cannot all be covered often enough, whatever is left uncovered besides.

    Attributes:
        items: ascending item ids.
        smallest: whether no smaller set conflicts; else only: no item can be left out.
        irreducible: whether each item was shown to be needed; False: time ran out before.
    """

    items: tuple[int, ...]
    smallest: bool
    irreducible: bool


def conflict_reason(puzzle: PolyominoPuzzle, conflict: Conflict) -> Reason:
    """A conflict in words."""
    cell_of = {cell_name(cell): cell for cell in puzzle.board.free}
    names = [puzzle.model.items[item] for item in conflict.items]
    cells = tuple(cell_of[name] for name in names if name in cell_of)
    pieces = tuple(name for name in names if name not in cell_of and "/" not in name)
    number = counted(len(cells), "cell")
    named = f"{'piece' if len(pieces) == 1 else 'pieces'} {' '.join(pieces)}"
    if not pieces:
        told = f"{number} cannot all be covered at once"
    elif not cells:
        told = f"{named} cannot all be placed at once"
    else:
        told = f"{number} cannot all be covered with {named} placed, too"
    how = (
        "no smaller set conflicts"
        if conflict.smallest
        else "none of them can be left out"
        if conflict.irreducible
        else "perhaps not all of them matter"
    )
    return Reason("conflict", f"{told} ({how})", cells, pieces)


def conflict_model(model: Model, items: Sequence[int]) -> Model:
    """The question whether these items alone can be covered as often as they must.

    All upper bounds hold; nothing else must be covered. Options already chosen are worked in.
    It has a solution unless the items conflict.
    """
    core = set(items)
    times = [0] * model.n_items
    for option in model.chosen:
        for item, _ in model.option(option):
            times[item] += 1
    builder = ModelBuilder(f"{model.name}: {len(core)} items")
    ids = []
    for item, name in enumerate(model.items):
        high = max(int(model.high[item]) - times[item], 0)
        if item in core:
            low = max(int(model.low[item]) - times[item], 0)
            ids.append(builder.item(name, low, max(low, high)))
        elif high == 1:
            ids.append(builder.secondary(name))
        else:
            ids.append(builder.item(name, 0, high))
    chosen = set(model.chosen)
    for option in range(model.n_options):
        covered = [item for item, _ in model.option(option)]
        if option not in chosen and core.intersection(covered):
            builder.option([ids[item] for item in covered], option)
    return builder.build()


# --- more than one answer -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Variety:
    """How the answers of a level differ.

    Attributes:
        answers: how many were looked at.
        result: of the search for them; complete if these are all.
        pair: two that differ least.
        common: placements in all of them.
        cells: the cells that the same piece covers in all of them, and that piece.
        locks: a smallest set of placements that only one answer has; None: not all answers are
            known, or they are too many to tell.
    """

    answers: int
    result: SearchResult
    pair: tuple[Solution, Solution]
    common: tuple[Placement, ...]
    cells: tuple[tuple[Cell, str], ...]
    locks: tuple[Placement, ...] | None


def variety(
    puzzle: PolyominoPuzzle, engine: Engine, limits: Limits, *, watch: Watch | None = None
) -> Variety | None:
    """How the answers of a level differ; None: fewer than two were found.

    Engines: those that can enumerate the model. Where there are more than MOST_ANSWERS, only
    the first ones are looked at.
    """
    limits = Limits(MOST_ANSWERS, limits.seconds, limits.nodes, limits.memory)
    found = questions.listing(engine, puzzle.model, limits, watch=watch)
    pair = nearest_pair(found.solutions)
    if pair is None:
        return None
    labels = puzzle.model.labels

    def placements(options: Sequence[int]) -> Iterator[Placement]:
        return (each for o in options if isinstance(each := labels[o], Placement))

    everywhere = frozenset(found.solutions[0]).intersection(*found.solutions[1:])
    locks = None
    if found.result.complete:
        sets = smallest_locks(found.solutions, puzzle.model.chosen)
        locks = None if sets is None else tuple(placements(sets[0]))
    return Variety(
        answers=len(found.solutions),
        result=found.result,
        pair=pair,
        common=tuple(placements(sorted(everywhere))),
        cells=_common_cells([list(placements(solution)) for solution in found.solutions]),
        locks=locks,
    )


def _common_cells(answers: Sequence[Sequence[Placement]]) -> tuple[tuple[Cell, str], ...]:
    """The cells that one and the same piece covers in all answers."""
    common: dict[Cell, str] | None = None
    for answer in answers:
        here = {cell: placement.piece for placement in answer for cell in placement.cells}
        if common is None:
            common = here
        else:
            common = {cell: piece for cell, piece in common.items() if here.get(cell) == piece}
    return tuple(sorted((common or {}).items()))
