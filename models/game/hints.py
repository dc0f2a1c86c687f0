"""Hints while a level is played: the next piece of a solution, with a reason where one is short.

The pieces placed so far are held fixed, and an engine is asked how the rest fits. While the
player follows the answer, the next hints come from memory. If nothing fits any more, the hint
names the fewest pieces to take back: a smallest set, each smaller one having been ruled out.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial

from twostep.models.families.polyomino.pieces import Cell
from twostep.models.families.polyomino.placement import Lock, Placement, cell_name
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle
from twostep.models.game.playing import Table
from twostep.models.language.model import Solution
from twostep.models.search import questions
from twostep.models.search.clock import CLOCK
from twostep.models.search.engine import Engine, Limits, StopReason

FEW = 3
"""With at most so many ways to cover a cell, their number is a reason worth telling."""

REMEMBERED = 64
"""How many solutions, and how many dead positions, a session keeps."""


class Strength(Enum):
    """How much a hint tells."""

    WHERE = "where"
    """A place to look at."""
    PIECE = "piece"
    """Which piece goes there."""
    MOVE = "move"
    """How it lies."""


class State(Enum):
    """What a hint found."""

    MOVE = "move"
    """The rest fits; here is a next piece."""
    SOLVED = "solved"
    """Nothing is left to do."""
    STUCK = "stuck"
    """Nothing fits any more, proven."""
    UNKNOWN = "unknown"
    """The time was over, or the hint was cancelled, before it was known."""


@dataclass(frozen=True, slots=True)
class Hint:
    """An answer to "what next?".

    Attributes:
        state: what was found.
        placement: the next piece; only with MOVE.
        cell: the cell to look at, one of the placement's; None where a piece is the reason.
        ways: how many placements cover that cell, or how many the piece has.
        one_piece: whether no other piece can cover that cell.
        take_back: with STUCK, a smallest set of placed pieces without which the rest fits; None:
            there was no time to find it, or the level has no solution at all.
        hopeless: with STUCK, the level has no solution even without the placed pieces.
        stopped: with UNKNOWN, and with STUCK where there was no time for `take_back`: what ended
            the search.
        searched: whether an engine was asked; False: the answer came from memory.
        seconds: how long it took, s.
    """

    state: State
    placement: Placement | None = None
    cell: Cell | None = None
    ways: int = 0
    one_piece: bool = False
    take_back: tuple[Placement, ...] | None = None
    hopeless: bool = False
    stopped: StopReason | None = None
    searched: bool = False
    seconds: float = 0.0

    def text(self, strength: Strength = Strength.MOVE) -> str:
        """The hint in words, one line."""
        match self.state:
            case State.SOLVED:
                return "solved: nothing is left to do"
            case State.UNKNOWN:
                return "no answer in time: the rest may fit or not"
            case State.STUCK:
                return self._stuck()
        assert self.placement is not None
        piece = self.placement.piece
        if self.cell is None:
            places = "in one place only" if self.ways == 1 else f"in {self.ways} places only"
            reason = f"it fits {places}"
            if strength is Strength.WHERE:
                return f"think of a piece that fits {places}"
            told = piece if strength is Strength.PIECE else str(self.placement)
            return f"{told}: {reason}"
        where = f"cell ({cell_name(self.cell)})"
        if strength is Strength.WHERE:
            if self.one_piece:
                return f"look at {where}: only one piece can reach it"
            return f"look at {where}: {_ways(self.ways)} to cover it, nowhere are there fewer"
        told = piece if strength is Strength.PIECE else str(self.placement)
        if strength is Strength.MOVE and self.ways == 1:
            return f"{told}: {where} can be covered in one way only"
        if self.one_piece:
            return f"{told}: no other piece can reach {where}"
        at = f", at {where}" if strength is Strength.PIECE else ""
        return f"{told}{at}" if self.ways > FEW else f"{told}{at}: {where} has {_ways(self.ways)}"

    def _stuck(self) -> str:
        if self.hopeless:
            return "nothing fits any more: the level itself has no solution"
        if self.take_back is None:
            return "nothing fits any more; no time to find out which pieces to take back"
        pieces = " and ".join(str(placement) for placement in self.take_back)
        number = len(self.take_back)
        few = "" if number == 1 else f" (fewer than {number} are not enough)"
        return f"nothing fits any more: take back {pieces}{few}"


def _ways(number: int) -> str:
    return "one way" if number == 1 else f"{number} ways"


@dataclass(slots=True)
class _Asking:
    """One hint being worked out: since when, whether it was cancelled, its searches so far."""

    began: float
    cancelled: threading.Event
    searches: int = 0
    stopped: StopReason | None = None


class HintSession:
    """Hints for one game of one level.

    Args:
        puzzle: the level.
        engine: finds how the rest fits.
        seconds: for one hint; None: no limit.
    """

    def __init__(
        self, puzzle: PolyominoPuzzle, engine: Engine, seconds: float | None = None
    ) -> None:
        self._table = Table(puzzle)
        self._engine = engine
        self._seconds = seconds
        self._solutions: list[frozenset[int]] = []
        self._dead: list[frozenset[int]] = []
        self._lock = threading.Lock()

    def hint(self, placed: Sequence[Lock]) -> Hint:
        """What next, with these pieces on the board (in the order of play)?

        Raises:
            InputError: pieces that cannot lie so.
        """
        return self._hint(self._table.place(placed), threading.Event())

    def ask(self, placed: Sequence[Lock]) -> PendingHint:
        """The same in the background: at once gives what can be waited for and cancelled.

        Raises:
            InputError: pieces that cannot lie so.
        """
        return PendingHint(partial(self._hint, self._table.place(placed)))

    def _hint(self, options: tuple[int, ...], cancelled: threading.Event) -> Hint:
        asking = _Asking(CLOCK(), cancelled)
        with self._lock:  # one search at a time; a cancelled one leaves soon
            answer = self._answer(options, asking)
        return replace(
            answer, stopped=asking.stopped, searched=asking.searches > 0,
            seconds=CLOCK() - asking.began,
        )  # fmt: skip

    def _answer(self, options: tuple[int, ...], asking: _Asking) -> Hint:
        if self._table.finished(options):
            return Hint(State.SOLVED)
        fits = self._completion(frozenset(options), asking)
        if fits is None:
            return Hint(State.UNKNOWN)
        if fits:
            return self._next(options, fits)
        # The last placed are the first to be taken back, where there is a choice.
        latest = options[::-1]
        for size in range(1, len(latest) + 1):
            for subset in itertools.combinations(latest, size):
                fits = self._completion(frozenset(options) - set(subset), asking)
                if fits is None:
                    return Hint(State.STUCK)
                if fits:
                    return Hint(
                        State.STUCK, take_back=tuple(self._table.placement(o) for o in subset)
                    )
        return Hint(State.STUCK, hopeless=True)

    def _completion(self, placed: frozenset[int], asking: _Asking) -> frozenset[int] | None:
        """A solution with these options; empty: there is none; None: not known in time."""
        for known in reversed(self._solutions):
            if placed <= known:
                return known
        if any(dead <= placed for dead in self._dead):
            return frozenset()
        seconds = self._seconds
        if seconds is not None:
            seconds = max(0.0, seconds - (CLOCK() - asking.began))
        asking.searches += 1
        found: list[Solution] = []
        result = questions.solutions(
            self._engine, self._table.model.with_chosen(placed),
            Limits(solutions=1, seconds=seconds),
            receive=found.append, watch=lambda _: asking.cancelled.is_set(),
        )  # fmt: skip
        if found:
            solution = frozenset(found[0])
            self._solutions = [*self._solutions[1 - REMEMBERED :], solution]
            return solution
        if result.stopped is StopReason.EXHAUSTED:
            self._dead = [*self._dead[1 - REMEMBERED :], placed]
            return frozenset()
        asking.stopped = result.stopped
        return None

    def _next(self, options: tuple[int, ...], solution: frozenset[int]) -> Hint:
        """The next piece of a solution that has the best reason."""
        table, model = self._table, self._table.model
        times = table.used(options)
        fitting = table.fitting(times)
        left = set(table.placements_in(tuple(solution))) - {*options, *model.chosen}
        ways, pieces = table.reach(fitting)
        best: tuple[tuple[int, int, int], Hint] | None = None
        for option in sorted(left):
            placement = table.placement(option)
            for cell in placement.cells:
                item = table.item_of[cell_name(cell)]
                if not model.primary[item]:
                    continue  # it may stay empty: that few pieces reach it says little
                number = int(ways[item])
                one_piece = pieces[item] == 1
                rank = (0 if number == 1 else 1 if one_piece else 3, number, item)
                if best is None or rank < best[0]:
                    hint = Hint(State.MOVE, placement, cell, number, one_piece=bool(one_piece))
                    best = (rank, hint)
            piece_item = table.item_of.get(placement.piece)
            if piece_item is not None and times[piece_item] < model.low[piece_item]:
                number = int(ways[piece_item])
                rank = (0 if number == 1 else 2 if number <= FEW else 4, number, piece_item)
                if best is None or rank < best[0]:
                    best = (rank, Hint(State.MOVE, placement, None, number))
        if best is not None:
            return best[1]
        placement = table.placement(min(left))
        return Hint(State.MOVE, placement, placement.cells[0], int(ways.max()))


class PendingHint:
    """A hint being worked out in the background by `work`, which looks whether it is cancelled."""

    def __init__(self, work: Callable[[threading.Event], Hint]) -> None:
        self._cancelled = threading.Event()
        self._hint: Hint | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(work,), name="hint", daemon=True)
        self._thread.start()

    def _run(self, work: Callable[[threading.Event], Hint]) -> None:
        try:
            self._hint = work(self._cancelled)
        except BaseException as error:  # handed to whoever waits
            self._error = error

    @property
    def done(self) -> bool:
        """Whether :meth:`result` would answer at once."""
        return not self._thread.is_alive()

    def cancel(self) -> None:
        """End the search soon; the hint is then UNKNOWN, unless it was found before."""
        self._cancelled.set()

    def result(self, seconds: float | None = None) -> Hint | None:
        """The hint; None: not there after so many seconds (None: wait until it is).

        Raises:
            EngineFault: the engine gave a wrong solution.
        """
        self._thread.join(seconds)
        if self._error is not None:
            raise self._error
        return self._hint
