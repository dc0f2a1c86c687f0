"""How the answers of a puzzle differ, and what would leave one of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from twostep.models.explain.conflicts import Asker, without_clues
from twostep.models.explain.locking import nearest_pair, smallest_locks
from twostep.models.families.polyomino.pieces import Cell
from twostep.models.families.polyomino.placement import Placement
from twostep.models.families.puzzle import Clue, Puzzle
from twostep.models.language.model import Model, Solution
from twostep.models.language.symmetry import stabiliser
from twostep.models.play.room import Room
from twostep.models.search import questions
from twostep.models.search.engine import Engine, Limits, SearchResult, Watch

MOST_ANSWERS = 2000
"""So many answers are looked at to explain why there is more than one."""


@dataclass(frozen=True, slots=True)
class Variety:
    """How the answers of a puzzle differ.

    Attributes:
        answers: how many were looked at.
        result: of the search for them; complete if these are all.
        pair: two that differ least.
        only: the moves that only the first of the pair has, and only the second.
        mirrored: whether a symmetry of the puzzle sends one of the pair to the other.
        different: how many answers are different up to the symmetries; None: not all are known.
        common: moves in all of them.
        cells: on a board of pieces, those that the same piece covers in all of them, and it.
        locks: moves that only one answer has; None: none were found in time.
        fewest: whether no fewer moves would do, for any answer; else only: none can be left out.
    """

    answers: int
    result: SearchResult
    pair: tuple[Solution, Solution]
    only: tuple[tuple[int, ...], tuple[int, ...]]
    mirrored: bool
    different: int | None
    common: tuple[int, ...]
    cells: tuple[tuple[Cell, str], ...]
    locks: tuple[int, ...] | None
    fewest: bool


def variety(
    puzzle: Puzzle, engine: Engine, limits: Limits, *, watch: Watch | None = None
) -> Variety | None:
    """How the answers of a puzzle differ; None: fewer than two were found.

    Where there are more than MOST_ANSWERS, only the first ones are looked at.
    """
    asker = Asker(engine, limits.seconds)
    limits = Limits(MOST_ANSWERS, limits.seconds, limits.nodes, limits.memory)
    found = questions.listing(engine, puzzle.model, limits, watch=watch)
    pair = nearest_pair(found.solutions)
    if pair is None:
        return None
    room, model = Room(puzzle), puzzle.model
    one, other = (set(room.acts_in(solution)) for solution in pair)

    def moves(acts: Iterable[int]) -> tuple[int, ...]:
        return tuple(room.options_of(act)[0] for act in sorted(acts))

    known = [room.acts_in(solution) for solution in found.solutions]
    locks, fewest = None, False
    if found.result.complete:
        given = room.acts_in(model.chosen)
        sets = smallest_locks([tuple(sorted(acts)) for acts in known], tuple(given))
        if sets is not None:
            locks, fewest = moves(sets[0]), True
    if locks is None:
        locks = _few_locks(room, found.solutions[0], known, asker)
    group = stabiliser(model)
    classes = _classes(found.solutions, model) if found.result.complete else None
    return Variety(
        answers=len(found.solutions),
        result=found.result,
        pair=pair,
        only=(moves(one - other), moves(other - one)),
        mirrored=any(np.array_equal(np.sort(g[list(pair[0])]), pair[1]) for g in group),
        different=classes,
        common=moves(frozenset.intersection(*known)),
        cells=_common_cells(model, found.solutions),
        locks=locks,
        fewest=fewest,
    )


def _classes(solutions: Sequence[Solution], model: Model) -> int:
    """How many of all solutions are different up to symmetry."""
    group = stabiliser(model)
    if len(group) == 1:
        return len(solutions)
    return sum(
        all(list(s) <= image for image in np.sort(group[:, list(s)], axis=1).tolist())
        for s in solutions
    )


def _few_locks(
    room: Room, solution: Solution, known: Sequence[frozenset[int]], asker: Asker
) -> tuple[int, ...] | None:
    """Moves of a solution that no other has all of; None: not found in time.

    Not always the fewest: each time the move that excludes most known answers is taken, until a
    search finds no other; then those that are not needed are left out.
    """
    from twostep.models.explain.conflicts import OutOfTime

    acts = room.acts_in(solution)
    given = room.acts_in(room.model.chosen)
    others = [other for other in known if other != acts]
    locks: list[int] = []

    def another(kept: Sequence[int]) -> frozenset[int] | None:
        for found in asker.solutions(room.restricted(kept), 2):
            if room.acts_in(found) != acts:
                return room.acts_in(found)
        return None

    try:
        while True:
            left = [other for other in others if other >= set(locks)]
            if not left:
                if (further := another(locks)) is None:
                    break
                others.append(further)
                continue
            candidates = sorted(acts - given - set(locks))
            locks.append(min(candidates, key=lambda act: sum(act in other for other in left)))
        for act in list(locks):
            fewer = [lock for lock in locks if lock != act]
            if another(fewer) is None:
                locks = fewer
    except OutOfTime:
        return None
    return tuple(room.options_of(act)[0] for act in locks)


def _common_cells(model: Model, solutions: Sequence[Solution]) -> tuple[tuple[Cell, str], ...]:
    """The cells that one and the same piece covers in all answers."""
    common: dict[Cell, str] | None = None
    for solution in solutions:
        labels = (model.labels[option] for option in solution)
        here = {c: each.piece for each in labels if isinstance(each, Placement) for c in each.cells}
        if common is None:
            common = here
        else:
            common = {cell: piece for cell, piece in common.items() if here.get(cell) == piece}
    return tuple(sorted((common or {}).items()))


def needless(puzzle: Puzzle, asker: Asker) -> tuple[tuple[Clue, ...], tuple[Clue, ...]]:
    """Clues of a puzzle with one answer without which it still has one.

    Returns:
        Each that could be taken away alone; and a set, as large as it can be made, that could
        be taken away together.

    Raises:
        OutOfTime: not known in time.
    """
    clues = [clue for clue in puzzle.clues() if clue.options]

    def unique(gone: Sequence[Clue]) -> bool:
        return len(asker.solutions(without_clues(puzzle, gone), 2)) == 1

    alone = [clue for clue in clues if unique([clue])]
    together: list[Clue] = []
    for clue in alone:
        if not together or unique([*together, clue]):
            together.append(clue)
    return tuple(alone), tuple(together)
