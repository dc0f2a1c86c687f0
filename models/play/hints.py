"""Hints while a puzzle is played: the next step that is forced, with its reason in words.

What was placed so far is held fixed, and an engine is asked how the rest goes. While the player
follows the answer, the next hints come from memory. Of all steps of that solution the one with
the most convincing reason is told: nothing else is left, or everything else leaves a row, a
piece, a cell without anything. If nothing fits any more, the hint names the fewest things to
take back: a smallest set, each smaller one having been ruled out.
"""

from __future__ import annotations

import itertools
import math
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial

import numpy as np

from twostep.models.errors import EngineFault
from twostep.models.families.puzzle import Clue, Puzzle
from twostep.models.language.model import Model, Solution
from twostep.models.play.room import Position, Room, with_none_of
from twostep.models.search import questions
from twostep.models.search.clock import CLOCK
from twostep.models.search.engine import Engine, Limits, StopReason
from twostep.models.words import listed

FEW = 3
"""Ways left up to which their number is a reason."""

TRIED = 12
"""So many steps beside the solution's are looked at, whether they leave something without any."""

REMEMBERED = 64
"""How many solutions, and how many dead positions, a session keeps."""

MOST_SUBSETS = 400
"""So many sets of things to take back are tried one by one; for more the engine optimises."""


class Strength(Enum):
    """How much a hint tells."""

    WHERE = "where"
    """A place to look at."""
    PIECE = "piece"
    """What comes there: which piece, digit or word."""
    MOVE = "move"
    """The whole step."""


class State(Enum):
    """What a hint found."""

    MOVE = "move"
    """The rest fits; here is a next step."""
    SOLVED = "solved"
    """Nothing is left to do."""
    STUCK = "stuck"
    """Nothing fits any more, proven."""
    UNKNOWN = "unknown"
    """The time was over, or the hint was cancelled, before it was known."""


class Why(Enum):
    """The reason for a step, the most convincing first."""

    ONLY = "only"
    """Something has no more ways left than it needs."""
    PIECE = "piece"
    """Only one piece can reach a cell."""
    AHEAD = "ahead"
    """Each other step there leaves something without any."""
    STEP = "step"
    """It is a step of a solution; another may do as well."""


@dataclass(frozen=True, slots=True)
class Hint:
    """An answer to "what next?".

    Attributes:
        puzzle: what is played; its words are the hint's.
        state: what was found.
        why: the reason for the step.
        option: the next step, one of the model's options; only with MOVE.
        item: what the reason is about.
        ways: how many ways that item has left.
        needed: how often it must still be covered.
        fewest: whether nothing has fewer ways.
        ahead: with AHEAD, each other step there and the item that it leaves without any.
        take_back: with STUCK, a smallest set of options placed without which the rest fits; None:
            there was no time to find it, or the puzzle has no solution at all.
        hopeless: with STUCK, the puzzle has no solution even without what was placed.
        take_away: with `hopeless`, a smallest set of clues without which it has one; None: none
            is known.
        dead: with STUCK, an item that nothing can cover any more, if that is seen at once.
        stopped: with UNKNOWN, and with STUCK where there was no time for `take_back`: what ended
            the search.
        searched: whether an engine was asked; False: the answer came from memory.
        confirmed: whether a second engine was asked and agreed.
        seconds: how long it took, s.
    """

    puzzle: Puzzle = field(repr=False)
    state: State
    why: Why = Why.STEP
    option: int | None = None
    item: int | None = None
    ways: int = 0
    needed: int = 1
    fewest: bool = False
    ahead: tuple[tuple[int, int], ...] = ()
    take_back: tuple[int, ...] | None = None
    hopeless: bool = False
    take_away: tuple[Clue, ...] | None = None
    dead: int | None = None
    stopped: StopReason | None = None
    searched: bool = False
    confirmed: bool = False
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
        assert self.option is not None
        if strength is Strength.WHERE:
            return self._where()
        told = self.puzzle.piece(self.option)
        if strength is Strength.MOVE:
            told = self.puzzle.move(self.option)
        elif self.why in (Why.AHEAD, Why.STEP):
            told += self._near()
        reason = self._reason(moves=strength is Strength.MOVE)
        return f"{told}: {reason}" if reason else told

    def _where(self) -> str:
        if self.item is None:
            return "look anywhere: no place is better than another"
        choice = self.puzzle.choice(self.item)
        where = choice.where or self.puzzle.need(self.item)
        if self.why is Why.PIECE:
            return f"look at {where}: only one piece can reach it"
        left = choice.left(self.ways) + self._more()
        if self.why is Why.AHEAD:
            left += ", and all but one lead nowhere"
        elif self.fewest and self.why is Why.STEP:
            left += ", nowhere are there fewer"
        return f"look at {where}: {choice.some} has {left}"

    def _near(self) -> str:
        """Where the step is, roughly."""
        if self.item is None or self.puzzle.choice(self.item).where:
            return ""
        return f", at {self.puzzle.need(self.item)}"

    def _reason(self, *, moves: bool) -> str:
        """Why the step is right; with `moves`, naming other steps."""
        if self.item is None:
            return "a step of a solution"
        need, choice = self.puzzle.need(self.item), self.puzzle.choice(self.item)
        has = f"{need} has {choice.left(self.ways)}"
        match self.why:
            case Why.ONLY:
                return has + self._more()
            case Why.PIECE:
                return f"no other piece can reach {need}"
            case Why.AHEAD if moves:
                return "; ".join(
                    f"{self.puzzle.move(option)} would leave {self._without(item)}"
                    for option, item in self.ahead
                )
            case Why.AHEAD:
                return f"{has}, and all but one lead nowhere"
        return "a step of a solution" + (f"; {has}" if self.ways <= FEW else "")

    def _more(self) -> str:
        return f", and needs {self.needed}" if self.needed > 1 else ""

    def _without(self, item: int) -> str:
        choice = self.puzzle.choice(item)
        return f"{self.puzzle.need(item)} no {choice.one} {choice.rest}".rstrip()

    def _stuck(self) -> str:
        if self.hopeless:
            return f"nothing fits any more: {self._hopeless()}"
        if self.take_back is None:
            return "nothing fits any more; no time to find out what to take back"
        number = len(self.take_back)
        back = listed([self.puzzle.move(option) for option in self.take_back])
        few = "" if number == 1 else f" (fewer than {number} are not enough)"
        seen = ""
        if self.dead is not None:
            left = self.puzzle.choice(self.dead).left(0)
            seen = f"; as it is, {self.puzzle.need(self.dead)} has {left}"
        return f"nothing fits any more: take back {back}{few}{seen}"

    def _hopeless(self) -> str:
        if not self.take_away:
            return "the puzzle itself has no solution"
        given = [f"the {self.puzzle.given} {clue.text}" for clue in self.take_away]
        if len(given) == 1:
            return f"{given[0]} itself leaves no answer"
        return (
            "the puzzle has no solution as it was given; it has one without"
            f" {listed(given)} (fewer than {len(given)} are not enough)"
        )


@dataclass(slots=True)
class _Asking:
    """One hint being worked out: since when, whether it was cancelled, its searches so far."""

    began: float
    cancelled: threading.Event
    searches: int = 0
    stopped: StopReason | None = None


class HintSession:
    """Hints for one game of one puzzle.

    Args:
        puzzle: what is played.
        engine: finds how the rest fits.
        seconds: for one hint; None: no limit.
        judge: another engine, which must agree with each hint; None: none is asked.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        engine: Engine,
        seconds: float | None = None,
        judge: Engine | None = None,
    ) -> None:
        self.room = Room(puzzle)
        self._engine = engine
        self._judge = judge
        self._seconds = seconds
        self._solutions: list[tuple[frozenset[int], Solution]] = []
        self._dead: list[frozenset[int]] = []
        self._lock = threading.Lock()

    def hint(self, placed: Iterable[int]) -> Hint:
        """What next, with these options placed (in the order of play)?

        Raises:
            InputError: options that cannot stand together.
            EngineFault: the engine gave a wrong solution, or the judge disagrees.
        """
        return self._hint(self.room.place(placed), threading.Event())

    def ask(self, placed: Iterable[int]) -> PendingHint:
        """The same in the background: at once gives what can be waited for and cancelled.

        Raises:
            InputError: options that cannot stand together.
        """
        return PendingHint(partial(self._hint, self.room.place(placed)))

    def _hint(self, placed: tuple[int, ...], cancelled: threading.Event) -> Hint:
        asking = _Asking(CLOCK(), cancelled)
        with self._lock:  # one search at a time; a cancelled one leaves soon
            answer = self._answer(placed, asking)
            confirmed = self._judge is not None and self._confirmed(placed, answer, asking)
        return replace(
            answer,
            stopped=asking.stopped,
            searched=asking.searches > 0,
            confirmed=confirmed,
            seconds=CLOCK() - asking.began,
        )

    def _answer(self, placed: tuple[int, ...], asking: _Asking) -> Hint:
        puzzle = self.room.puzzle
        position = Position(self.room, placed)
        done = self._finished(position, asking)
        if done is None:
            return Hint(puzzle, State.UNKNOWN)
        if done:
            return Hint(puzzle, State.SOLVED)
        solution = self._completion(placed, asking)
        if solution is None:
            return Hint(puzzle, State.UNKNOWN)
        if solution:
            return self._next(position, solution)
        return self._stuck(placed, asking)

    def _finished(self, position: Position, asking: _Asking) -> bool | None:
        """Whether these acts are a solution, what comes by itself being added."""
        done = self.room.finished(position)
        if done is not None:
            return done
        found = self._ask(self._engine, self.room.quietly(position.placed), asking)
        return None if found is None else found != ()

    def _completion(
        self, placed: Sequence[int], asking: _Asking, given: Solution | None = None
    ) -> Solution | None:
        """A solution with these acts; empty: there is none; None: not known in time.

        Where `given` takes the place of the model's chosen options, nothing is remembered.
        """
        wanted = frozenset(placed)
        if given is not None:
            return self._ask(self._engine, self.room.restricted(placed, given=given), asking)
        for acts, solution in reversed(self._solutions):
            if wanted <= acts:
                return solution
        if any(dead <= wanted for dead in self._dead):
            return ()
        found = self._ask(self._engine, self.room.restricted(placed), asking)
        if found:
            self._keep(found)
        elif found is not None:
            self._dead = [*self._dead[1 - REMEMBERED :], wanted]
        return found

    def _keep(self, solution: Solution) -> None:
        kept = self._solutions[1 - REMEMBERED :]
        self._solutions = [*kept, (self.room.acts_in(solution), solution)]

    def _limits(self, asking: _Asking) -> Limits:
        seconds = self._seconds
        if seconds is not None:
            seconds = max(0.0, seconds - (CLOCK() - asking.began))
        return Limits(solutions=1, seconds=seconds)

    def _ask(self, engine: Engine, model: Model, asking: _Asking) -> Solution | None:
        """A solution; empty: there is none; None: not known in time."""
        asking.searches += 1
        found: list[Solution] = []
        result = questions.solutions(
            engine,
            model,
            self._limits(asking),
            receive=found.append,
            watch=lambda _: asking.cancelled.is_set(),
        )
        if found:
            return found[0]
        if result.stopped is StopReason.EXHAUSTED:
            return ()
        asking.stopped = result.stopped
        return None

    # --- the next step ----------------------------------------------------------------------

    def _next(self, position: Position, solution: Solution) -> Hint:
        """The step of a solution that has the best reason."""
        room, model, placed = self.room, self.room.model, position.placed
        done = {*placed, *(int(room.act_of[option]) for option in model.chosen)}
        left = [o for o in solution if not room.quiet[o] and int(room.act_of[o]) not in done]
        ways, needed, unmet = position.ways, position.needed, position.unmet
        # With an act that is placed, and may or may not cover an item, nothing is sure.
        vague = _vague(position, placed)
        least = int(ways[unmet].min()) if unmet.any() else 0
        steps = [
            (int(ways[item]), item, option)
            for option in left
            for item, _ in model.option(option)
            if unmet[item] and item not in vague
        ]
        if not steps:
            return Hint(room.puzzle, State.MOVE, option=min(left))

        def hint(why: Why, number: int, item: int, option: int) -> Hint:
            return Hint(
                room.puzzle,
                State.MOVE,
                why,
                option,
                item,
                number,
                int(needed[item]),
                fewest=number == least,
            )

        steps.sort(key=lambda step: (step[0] - needed[step[1]], *step))
        number, item, option = steps[0]
        if number <= needed[item]:
            return hint(Why.ONLY, number, item, option)
        if (found := self._one_piece(position, steps)) is not None:
            return hint(Why.PIECE, *found)
        tried = 0
        for number, item, option in steps:
            tried += number - 1
            if number > FEW + 1 or tried > TRIED:
                break
            if needed[item] == 1 and (others := _others_fail(position, item, option)):
                return replace(hint(Why.AHEAD, number, item, option), ahead=others)
        return hint(Why.STEP, *steps[0])

    def _one_piece(
        self, position: Position, steps: Sequence[tuple[int, int, int]]
    ) -> tuple[int, int, int] | None:
        """The step at an item that only one piece can cover, of those that several ever can."""
        room = self.room
        every = np.ones(room.model.n_options, dtype=np.bool_)
        for number, item, option in steps:
            if number > ONE_PIECE_UP_TO:
                return None
            if room.puzzle.choice(item).where:
                continue  # it is a piece
            if room.pieces_at(item, position.open) == 1 and room.pieces_at(item, every) > 1:
                return number, item, option
        return None

    # --- nothing fits -----------------------------------------------------------------------

    def _stuck(self, placed: tuple[int, ...], asking: _Asking) -> Hint:
        room = self.room
        stuck = Hint(room.puzzle, State.STUCK, dead=Position(room, placed).dead_item())
        if (possible := self._completion((), asking)) is None:
            return stuck
        if not possible:
            return replace(stuck, hopeless=True, take_away=self._take_away(asking))
        back = self._smallest(
            len(placed),
            lambda kept: self._completion([placed[n] for n in kept], asking),
            lambda: self._most_kept(placed, asking),
        )
        if back is None:
            return stuck
        return replace(stuck, take_back=tuple(room.options_of(placed[n])[0] for n in back))

    def _take_away(self, asking: _Asking) -> tuple[Clue, ...] | None:
        """A smallest set of clues without which the puzzle has a solution."""
        clues = [clue for clue in self.room.puzzle.clues() if clue.options]
        other = set(self.room.model.chosen) - {o for clue in clues for o in clue.options}

        def without(kept: Sequence[int]) -> Solution | None:
            options = {*other, *(o for n in kept for o in clues[n].options)}
            return self._completion((), asking, given=tuple(sorted(options)))

        if not clues or not without(()):
            return None
        away = self._smallest(len(clues), without, lambda: None)
        return None if away is None else tuple(clues[n] for n in away)

    @staticmethod
    def _smallest(
        number: int,
        completion: Callable[[Sequence[int]], Solution | None],
        most_kept: Callable[[], Sequence[int] | None],
    ) -> tuple[int, ...] | None:
        """The smallest set of things from 0 to `number` without which there is a solution.

        The last are the first to go, where there is a choice. None: not known in time.

        Args:
            number: how many there are.
            completion: a solution with those kept; empty: none; None: not known in time.
            most_kept: as many as can be kept together; None: not known.
        """
        things = range(number)
        for size in range(1, number + 1):
            if math.comb(number, size) > MOST_SUBSETS:
                kept = most_kept()
                return None if kept is None else tuple(n for n in things if n not in set(kept))
            for gone in itertools.combinations(reversed(things), size):
                found = completion([n for n in things if n not in gone])
                if found is None:
                    return None
                if found:
                    return gone
        return None

    def _most_kept(self, placed: Sequence[int], asking: _Asking) -> list[int] | None:
        """The places in `placed` of as many acts as any solution has; the first rather."""
        room = self.room
        number = len(placed)
        costs = np.zeros(room.model.n_options, dtype=np.int64)
        for n, act in enumerate(placed):
            costs[list(room.options_of(act))] = -(number * number + number - n)
        model = replace(room.model, costs=costs)
        asking.searches += 1
        found = questions.best(
            self._engine,
            model,
            1,
            replace(self._limits(asking), solutions=None),
            watch=lambda _: asking.cancelled.is_set(),
        )
        if not found.result.complete or not found.solutions:
            asking.stopped = found.result.stopped
            return None
        self._keep(found.solutions[0])
        acts = room.acts_in(found.solutions[0])
        return [n for n, act in enumerate(placed) if act in acts]

    # --- the judge --------------------------------------------------------------------------

    def _confirmed(self, placed: tuple[int, ...], hint: Hint, asking: _Asking) -> bool:
        """Whether the judge agrees; False: it ran out of time.

        Each check is one yes or no about a model made for it, so that the rule about two answers
        to one question (`agreement.verdict`, which `models` cannot import) has nothing to compare.

        Raises:
            EngineFault: it does not.
        """
        judge, room = self._judge, self.room
        assert judge is not None
        checks: list[tuple[Model, bool]] = []  # a model, and whether it has a solution
        if hint.state is State.SOLVED:
            checks = [(room.quietly(placed), True)]
        elif hint.state is State.MOVE and hint.option is not None:
            act = int(room.act_of[hint.option])
            checks = [(room.restricted((*placed, act)), True)]
            if hint.why in (Why.ONLY, Why.AHEAD):
                without = with_none_of(room.restricted(placed), room.options_of(act))
                checks.append((without, False))
        elif hint.state is State.STUCK:
            checks = [(room.restricted(() if hint.hopeless else placed), False)]
            if hint.take_back is not None:
                back = {int(room.act_of[option]) for option in hint.take_back}
                checks.append((room.restricted([a for a in placed if a not in back]), True))
        for model, expected in checks:
            found = self._ask(judge, model, asking)
            if found is None:
                return False
            if bool(found) is not expected:
                raise EngineFault(
                    f"{judge.name} finds {'a' if found else 'no'} solution where"
                    f" {self._engine.name} finds {'one' if expected else 'none'}:"
                    f" {hint.text()}",
                    model,
                )
        return bool(checks)


ONE_PIECE_UP_TO = 20
"""Ways of an item up to which a hint looks whether one piece only reaches it."""


def _vague(position: Position, placed: Sequence[int]) -> set[int]:
    """The items that an act which is placed may cover, or not."""
    room = position.room
    if room.single:
        return set()
    vague: set[int] = set()
    for act in placed:
        sure = room.sure(act)
        for option in room.options_of(act):
            vague.update(item for item, _ in room.model.option(option) if item not in sure)
    return vague


def _others_fail(position: Position, item: int, option: int) -> tuple[tuple[int, int], ...]:
    """Each other act at an item, as an option, and an item that it leaves without any way.

    Empty: there is one that leaves none so.
    """
    room = position.room
    acts = [act for act in position.acts_at(item) if act != int(room.act_of[option])]
    found = []
    for act in acts:
        dead = position.after(act).dead_item()
        if dead is None or room.quiet[room.options_of(act)[0]]:
            return ()
        found.append((room.options_of(act)[0], dead))
    return tuple(found)


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
            EngineFault: the engine gave a wrong solution, or the judge disagrees.
        """
        self._thread.join(seconds)
        if self._error is not None:
            raise self._error
        return self._hint
