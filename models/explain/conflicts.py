"""What cannot be met together: a few clues, or a few items, of a puzzle without a solution.

A *conflict* is a set of items that cannot all be covered often enough, even if everything else
may stay uncovered; a conflict of clues is a set of clues with which there is no solution,
whatever else is given. Sets without a needless member are found by asking an engine about smaller
and smaller sets (U. Junker, "QuickXplain", AAAI 2004).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from twostep.models.families.polyomino.placement import cell_name
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle
from twostep.models.families.puzzle import Clue, Puzzle, Reason
from twostep.models.language.builder import Entry, ModelBuilder
from twostep.models.language.model import Model, Solution
from twostep.models.search import questions
from twostep.models.search.abilities import Conflict
from twostep.models.search.clock import CLOCK
from twostep.models.search.engine import Engine, Limits
from twostep.models.words import counted, listed

T = TypeVar("T")

MOST_NAMED = 6
"""Items or clues that a sentence names at most; of more, it gives the number."""


def conflict_model(model: Model, items: Sequence[int]) -> Model:
    """The question whether these items alone can be covered as often as they must.

    All upper bounds and colours hold; nothing else must be covered. Options already chosen are
    worked in; a side condition is left out. It has a solution unless the items conflict.
    """
    core = set(items)
    times = [0] * model.n_items
    colour_of = [0] * model.n_items
    for option in model.chosen:
        for item, colour in model.option(option):
            times[item] += 1
            colour_of[item] = colour
    builder = ModelBuilder(f"{model.name}: {len(core)} items")
    ids = []
    for item, name in enumerate(model.items):
        high = max(int(model.high[item]) - times[item], 0)
        if item in core:
            low = max(int(model.low[item]) - times[item], 0)
            ids.append(builder.item(name, low, max(low, high)))
        elif high == 1 or not model.primary[item]:
            ids.append(builder.secondary(name))
        else:
            ids.append(builder.item(name, 0, high))
    chosen = set(model.chosen)
    for option in range(model.n_options):
        covered = model.option(option)
        if option in chosen or core.isdisjoint(item for item, _ in covered):
            continue
        if any(
            not model.primary[item] and times[item] and not 0 < colour == colour_of[item]
            for item, colour in covered
        ):
            continue
        entries: list[Entry] = [
            (ids[item], model.colours[colour]) if colour else ids[item] for item, colour in covered
        ]
        builder.option(entries, option)
    return builder.build()


class OutOfTime(Exception):
    """The time was over before a question was answered."""


class Asker:
    """Asks an engine whether models have solutions, under one clock.

    Args:
        engine: is asked.
        seconds: for all questions together; None: no limit.
    """

    def __init__(self, engine: Engine, seconds: float | None) -> None:
        self._engine = engine
        self._seconds = seconds
        self._began = CLOCK()

    @property
    def limits(self) -> Limits:
        """What is left of the time."""
        if self._seconds is None:
            return Limits()
        return Limits(seconds=max(0.0, self._seconds - (CLOCK() - self._began)))

    def solutions(self, model: Model, most: int = 1) -> tuple[Solution, ...]:
        """So many solutions, or all there are.

        Raises:
            OutOfTime: fewer were found before the time was over.
        """
        found = questions.listing(self._engine, model, replace(self.limits, solutions=most))
        if len(found.solutions) < most and not found.result.complete:
            raise OutOfTime
        return found.solutions


def smallest_failing(things: Sequence[T], fails: Callable[[Sequence[T]], bool]) -> list[T]:
    """A set of things that fails, of which none can be left out; all of them fail.

    `fails` must be monotone: what fails does so with more things, too (QuickXplain).
    """

    def needed(base: list[T], changed: bool, rest: Sequence[T]) -> list[T]:
        if changed and fails(base):
            return []
        if len(rest) == 1:
            return list(rest)
        half = len(rest) // 2
        right = needed([*base, *rest[:half]], True, rest[half:])
        left = needed([*base, *right], bool(right), rest[:half])
        return left + right

    if not things or fails([]):
        return []
    return needed([], False, things)


def clue_conflict(puzzle: Puzzle, asker: Asker) -> tuple[Clue, ...]:
    """Clues with which there is no solution, none to be left out; empty: there is none anyway.

    Raises:
        OutOfTime: not known in time.
    """
    clues = [clue for clue in puzzle.clues() if clue.options]
    if not clues:
        return ()
    model = without_clues(puzzle, clues)
    if not asker.solutions(model):
        return ()

    def fails(kept: Sequence[Clue]) -> bool:
        chosen = {option for clue in kept for option in clue.options}
        return not asker.solutions(model.with_chosen(chosen))

    return tuple(smallest_failing(clues, fails))


def without_clues(puzzle: Puzzle, clues: Sequence[Clue]) -> Model:
    """The puzzle's model without some clues; symmetries are left out."""
    gone = {option for clue in clues for option in clue.options}
    kept = tuple(option for option in puzzle.model.chosen if option not in gone)
    return replace(puzzle.model, chosen=kept, symmetries=None)


def item_conflict(model: Model, asker: Asker) -> Conflict:
    """A conflict of a model without solutions, none of its items to be left out.

    Raises:
        OutOfTime: not known in time.
        ValueError: the items can all be covered: a side condition is to blame.
    """
    needy = [item for item in range(model.n_items) if model.primary[item] and model.low[item]]

    def fails(items: Sequence[int]) -> bool:
        return not asker.solutions(conflict_model(model, items))

    if not fails(needy):
        raise ValueError("the items can all be covered")
    core = smallest_failing(needy, fails)
    return Conflict(tuple(sorted(core)), smallest=len(core) == 1, irreducible=True)


def told(names: Sequence[str]) -> str:
    """Names in a row, or only the first and how many there are."""
    shown = list(names[:MOST_NAMED])
    if len(names) > MOST_NAMED:
        shown.append(f"{len(names) - MOST_NAMED} more")
    # What has commas itself is set apart otherwise.
    return "; ".join(shown) if any("," in name for name in shown) else listed(shown)


def conflict_reason(puzzle: Puzzle, conflict: Conflict, clues: Sequence[Clue] = ()) -> Reason:
    """A conflict in words; `clues` are those of which it is true, where not all are needed."""
    needs = [puzzle.need(item) for item in conflict.items]
    if isinstance(puzzle, PolyominoPuzzle):
        reason = _of_pieces(puzzle, conflict)
    elif len(needs) == 1:
        choice = puzzle.choice(conflict.items[0])
        reason = Reason("conflict", f"{needs[0]} has {choice.left(0)}", items=conflict.items)
    else:
        text = f"{told(needs)} cannot all be met at once ({_how(conflict)})"
        reason = Reason("conflict", text, items=conflict.items)
    if not clues:
        return reason
    excluded = clue_reason(puzzle, clues)
    return replace(reason, kind="clues", text=f"{excluded.text}: {reason.text}", clues=tuple(clues))


def _of_pieces(puzzle: PolyominoPuzzle, conflict: Conflict) -> Reason:
    """A conflict of pieces and cells of a board."""
    cell_of = {cell_name(cell): cell for cell in puzzle.board.free}
    names = [puzzle.model.items[item] for item in conflict.items]
    cells = tuple(cell_of[name] for name in names if name in cell_of)
    pieces = tuple(name for name in names if name not in cell_of and "/" not in name)
    number = counted(len(cells), "cell")
    named = f"{'piece' if len(pieces) == 1 else 'pieces'} {' '.join(pieces)}"
    if not pieces:
        text = f"{number} cannot all be covered at once"
    elif not cells:
        text = f"{named} cannot all be placed at once"
    else:
        text = f"{number} cannot all be covered with {named} placed, too"
    return Reason("conflict", f"{text} ({_how(conflict)})", cells, pieces, conflict.items)


def _how(conflict: Conflict) -> str:
    if conflict.smallest:
        return "no smaller set conflicts"
    return (
        "none of them can be left out" if conflict.irreducible else "perhaps not all of them matter"
    )


def clue_reason(puzzle: Puzzle, clues: Sequence[Clue]) -> Reason:
    """Clues that exclude each other, in words."""
    given = [f"the {puzzle.given} {clue.text}" for clue in clues]
    if len(given) == 1:
        text = f"{given[0]} itself leaves no answer"
    else:
        text = f"{told(given)} cannot all be right (none of them can be left out)"
    return Reason("clues", text, clues=tuple(clues))


def condition_reason(model: Model) -> Reason:
    """All items can be covered, but never as a side condition asks."""
    name = "" if model.side_condition is None else model.side_condition.name
    return Reason("condition", f"all can be covered, but never so that {name}")
