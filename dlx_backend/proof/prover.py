"""The search as a proof: the states and branches of a certificate, written as they are made.

A breadth-first search over the states of :mod:`twostep.models.certificate.states`, in layers by
the number of marks. A branch only adds marks, so all ways into a state are known when its layer
comes: equal states are followed once, with the sum of their ways. A state is given up at once if
some item has too few options left, and that item is named.

Which item to branch on decides how large the proof gets: in a narrow order equal states meet
often, elsewhere few branches matter more. The rules go on in turn, each to a growing number of
states, so the whole costs little more than the best of them.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import IO

import numba
import numpy as np

from twostep.dlx_backend import orders
from twostep.dlx_backend.bits.table import WordArray, population
from twostep.dlx_backend.costs import (
    PROOF_BLOCK,
    PROOF_FIRST_STATES,
    PROOF_GROWTH,
    PROOF_PULSE_SECONDS,
    PROOF_RACE_ENTRIES,
    PROOF_RACE_STATES,
    PROOF_RACERS,
    PROOF_STATE_BYTES,
    PROOF_TRUST_OURS,
    PROOF_TRUST_SUGGESTED,
)  # fmt: skip
from twostep.dlx_backend.problem import Problem, branching_order, prepare
from twostep.models.certificate.states import States
from twostep.models.errors import InputError
from twostep.models.language.model import IntArray, LongArray, Model
from twostep.models.search.clock import CLOCK
from twostep.models.search.engine import (
    NO_LIMITS,
    Counters,
    Limits,
    SearchResult,
    StopReason,
    Watch,
)
from twostep.models.words import TOO_LONG, TOO_LONG_TO_KEEP

BY_ORDER, BY_FORCED, BY_FEWEST = range(3)
"""Rules, which item a state is branched on: the first in order; the first in order unless one has
at most one branch; the one with the fewest branches, of several the first."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof's lines, to be read from the start, and what the search that wrote them found.

    Attributes:
        lines: the lines of the states; empty if the search was stopped by a limit.
        order: the order of the items' marks in the states.
        states: how many lines.
        result: `found` is the number of candidates: a side condition is not looked at.
    """

    lines: IO[bytes]
    order: list[int]
    states: int
    result: SearchResult


@contextmanager
def prove(
    model: Model, limits: Limits = NO_LIMITS, *, watch: Watch | None = None
) -> Iterator[Proof]:
    """Search `model` to its end and give the proof of the number of its candidates."""
    with ExitStack() as drafts:
        yield _Search(model, limits, watch, drafts).run()


class _Stop(Exception):
    """A limit ends the search."""

    def __init__(self, reason: StopReason) -> None:
        self.reason = reason


class _Search:
    """Attempts at a proof, which go on in turn until one comes to its end."""

    def __init__(
        self, model: Model, limits: Limits, watch: Watch | None, drafts: ExitStack
    ) -> None:
        self._began = CLOCK()
        self._pulse_at = 0.0
        self._model, self._limits, self._watch, self._drafts = model, limits, watch, drafts
        self._nodes = self._branches = 0
        self._going: list[_Attempt] = []

    def run(self) -> Proof:
        """The proof; without any lines if a limit ends the search."""
        stopped, done = StopReason.EXHAUSTED, None
        try:
            done = self._first_done()
            done.draft.seek(0)
        except _Stop as stop:
            stopped = stop.reason
        except KeyboardInterrupt:
            stopped = StopReason.CANCELLED
        counters = Counters(done.found if done else 0, self._nodes, self._branches)
        seconds = CLOCK() - self._began
        result = SearchResult("prover", counters.found, stopped, counters, seconds)
        if done is None:
            return Proof(io.BytesIO(), [], 0, result)
        return Proof(done.draft, list(done.table.states.rows), done.followed, result)

    def _first_done(self) -> _Attempt:
        """Go on with each rule in turn; gives the attempt that comes to its end."""
        table, trust = Table.of(self._model, States(self._model)), PROOF_TRUST_SUGGESTED
        first = self._attempt(table, BY_ORDER)
        if self._model.order is None:
            fewest = self._attempt(table, BY_FEWEST)
            if self._advance(fewest, PROOF_FIRST_STATES):
                return fewest
            first, trust = self._race() or first, PROOF_TRUST_OURS
        others = [self._attempt(first.table, rule) for rule in (BY_FEWEST, BY_FORCED)]
        self._going = [first, *others]
        budget = PROOF_FIRST_STATES
        while True:
            for attempt, share in zip(self._going, (trust, 1, 1), strict=True):
                if self._advance(attempt, budget * share):
                    return attempt
            budget *= PROOF_GROWTH

    def _race(self) -> _Attempt | None:
        """Of some narrow orders the one that gets deepest within some states."""
        deepest: _Attempt | None = None
        for order in narrow_orders(self._model):
            table = Table.of(self._model, States(self._model, order))
            attempt = self._attempt(table, BY_ORDER)
            if self._advance(attempt, PROOF_RACE_STATES):
                return attempt
            if deepest is None or attempt.deepest > deepest.deepest:
                deepest = attempt
        return deepest

    def _attempt(self, table: Table, rule: int) -> _Attempt:
        draft = tempfile.TemporaryFile()  # noqa: SIM115 - the stack closes it
        return _Attempt(table, rule, self._drafts.enter_context(draft))

    def _advance(self, attempt: _Attempt, states: int) -> bool:
        """Go on until so many states were followed, or all: gives whether it is all."""
        while attempt.waiting and attempt.followed < states:
            self._look(attempt)
            followed, branches = attempt.step()
            self._nodes += followed
            self._branches += branches
        return not attempt.waiting

    def _look(self, attempt: _Attempt) -> None:
        """Look at the clock, the limits and the watcher."""
        limits = self._limits
        if limits.nodes is not None and self._nodes >= limits.nodes:
            raise _Stop(StopReason.NODES)
        weight = PROOF_STATE_BYTES + 8 * attempt.table.words
        waiting = sum(len(each.waiting) for each in {attempt, *self._going})
        if limits.memory is not None and waiting * weight > limits.memory:
            raise _Stop(StopReason.MEMORY)
        seconds = CLOCK() - self._began
        if limits.seconds is not None and seconds >= limits.seconds:
            raise _Stop(StopReason.TIME)
        if self._watch is not None and seconds >= self._pulse_at:
            self._pulse_at = seconds + PROOF_PULSE_SECONDS
            if self._watch(Counters(0, self._nodes, self._branches)) is True:
                raise _Stop(StopReason.CANCELLED)


class _Attempt:
    """A proof by one rule, as far as it has come.

    Attributes:
        draft: the lines so far.
        found: the ways that ended in solutions so far.
        followed: how many states were followed.
        deepest: how many marks the states had that were followed last.
        waiting: the states to be followed: the ways that lead to each, and its item's place.
    """

    def __init__(self, table: Table, rule: int, draft: IO[bytes]) -> None:
        self.table, self.draft = table, draft
        self.found = self.followed = self.deepest = 0
        self.waiting: dict[int, list[int]] = {}
        self._rule = rule
        self._items = list(table.states.rows)
        self._layers: dict[int, list[int]] = {}  # number of marks -> the states waiting
        start, goal = table.states.start, table.states.goal
        if start is not None and start & goal == goal:
            self.found = 1
        elif start is not None:
            ((place, _),) = table.choose(rule, [start])
            self._enter(start, 1, place)

    def _enter(self, state: int, ways: int, place: int) -> None:
        self.waiting[state] = [ways, place]
        self._layers.setdefault(state.bit_count(), []).append(state)

    def step(self) -> tuple[int, int]:
        """Follow some states of the lowest layer; gives how many, and how many branches."""
        states, waiting = self.table.states, self.waiting
        self.deepest = min(self._layers)
        layer = self._layers[self.deepest]
        moves = []
        for state in layer[-PROOF_BLOCK:]:
            ways, place = waiting.pop(state)
            item = self._items[place]
            to = [(each, states.after(state, item, each)) for each in states.branches(state, item)]
            moves.append((state, ways, item, to))
        del layer[-PROOF_BLOCK:]
        if not layer:
            del self._layers[self.deepest]
        goal = states.goal
        fresh = list(
            dict.fromkeys(
                after
                for _, _, _, to in moves
                for _, after in to
                if after not in waiting and after & goal != goal
            )
        )
        dead: dict[int, str] = {}
        for state, (place, hopeless) in zip(
            fresh, self.table.choose(self._rule, fresh), strict=True
        ):
            if hopeless:
                dead[state] = f"!{self._items[place]}"
            else:
                self._enter(state, 0, place)
        lines = []
        for state, ways, item, to in moves:
            branches = []
            for branch, after in to:
                branches.append(f"{branch}{dead.get(after, '')}")
                if after in waiting:
                    waiting[after][0] += ways
                elif after not in dead:
                    self.found += ways
            if max(ways, self.found) >= TOO_LONG:
                raise InputError(TOO_LONG_TO_KEEP)
            lines.append(" ".join([f"{state:x} {item} {ways}", *branches]) + "\n")
        self.draft.write("".join(lines).encode("ascii"))
        self.followed += len(moves)
        return len(moves), sum(len(to) for _, _, _, to in moves)


def narrow_orders(model: Model) -> list[tuple[int, ...]]:
    """Some orders of all primary items that have a narrow frontier, the narrowest first.

    See :mod:`twostep.dlx_backend.orders`. What the chosen options cover stands at the end.
    """
    problem, items = problem_and_items(model)
    closable = np.arange(problem.n_items) < problem.n_primary
    ranked = orders.ranked(problem, closable, np.ones(problem.n_items))
    number = PROOF_RACERS if len(model.entry_items) <= PROOF_RACE_ENTRIES else 1
    everything = np.flatnonzero(model.primary).tolist()
    found = []
    for order in ranked[:number]:
        best = items[order].tolist()
        left = set(everything) - set(best)
        found.append((*best, *sorted(left)))
    return found


def problem_and_items(model: Model) -> tuple[Problem, IntArray]:
    """What is left of a model, and its primary items' ids in the model."""
    room = model.high.astype(np.int64)
    for option in model.chosen:
        for item, _ in model.option(option):
            room[item] -= 1
    items = branching_order(model)
    return prepare(model), items[room[items] > 0]


@dataclass(frozen=True, slots=True)
class Table:
    """What each option minds, item by item, in 64-bit words.

    Attributes:
        states: the states, and the moves between them.
        words: how many words a state has.
        minds: (entries, words) the marks that each option of each item minds.
        starts: (items + 1,) the item at place `p` has the rows ``starts[p]:starts[p + 1]``.
        low: (items,) how often the item must be covered.
        rows: (items, words) the item's marks, set one by one as it is covered.
        last: (items,) the place of the last of them: when it is set, the item is closed.
        witness: (items,) a row of `minds` that fitted lately: mostly it still does.
    """

    states: States
    words: int
    minds: WordArray
    starts: LongArray
    low: LongArray
    rows: WordArray
    last: LongArray
    witness: LongArray

    @classmethod
    def of(cls, model: Model, states: States) -> Table:
        """The table of a model."""
        words = max(1, -(-states.width // 64))
        items = list(states.rows)
        # Late options first: they fit longest.
        minds = [[states.minds[o] for o in reversed(states.options[item])] for item in items]
        starts = np.zeros(len(items) + 1, dtype=np.int64)
        np.cumsum([len(options) for options in minds], out=starts[1:])
        return cls(
            states,
            words,
            _pack([each for options in minds for each in options], words),
            starts,
            model.low[items].astype(np.int64),
            _pack(list(states.rows.values()), words),
            np.array([row.bit_length() - 1 for row in states.rows.values()], dtype=np.int64),
            starts[:-1].copy(),
        )

    def choose(self, rule: int, states: list[int]) -> list[tuple[int, bool]]:
        """For each state the place of an item, and whether that item makes it hopeless."""
        place = np.zeros(len(states), dtype=np.int64)
        hopeless = np.zeros(len(states), dtype=np.bool_)
        _choose(
            _pack(states, self.words), self.minds, self.starts, self.low, self.rows, self.last,
            self.witness, rule, place, hopeless,
        )  # fmt: skip
        return list(zip(place.tolist(), hopeless.tolist(), strict=True))


def _pack(marks: list[int], words: int) -> WordArray:
    raw = b"".join([each.to_bytes(8 * words, "little") for each in marks])
    return np.frombuffer(raw, dtype="<u8").astype(np.uint64).reshape(len(marks), words)


@numba.njit(cache=True, error_model="numpy")
def _choose(  # type: ignore[no-untyped-def]
    states, minds, starts, low, rows, last, witness, rule, out_place, out_hopeless
):
    """The loop of :meth:`Table.choose`; `out_hopeless` is False everywhere before."""
    words = states.shape[1]
    for s in range(len(states)):
        best = -1
        fewest = 2**62
        first = -1
        for place in range(len(low)):
            if states[s, last[place] >> 6] >> np.uint64(last[place] & 63) & np.uint64(1):
                continue
            if first < 0:
                first = place
            need = low[place]
            for w in range(words):
                need -= np.int64(population(states[s, w] & rows[place, w]))
            branches = 1 - max(need, 0)  # and one more for each option that fits
            begin = starts[place]
            end = starts[place + 1]
            if rule == BY_ORDER and begin < end and branches == 0:
                branches += _fits(states[s], minds[witness[place]])
            # Whether there are more than these need not be known.
            enough = fewest if rule == BY_FEWEST else 1 if rule == BY_ORDER else 2
            for row in range(begin, end):
                if branches >= enough:
                    break
                if _fits(states[s], minds[row]):
                    witness[place] = row
                    branches += 1
            if branches <= 0:
                out_hopeless[s] = True
                best = place
                break
            if branches < fewest:
                fewest = branches
                best = place
        if not out_hopeless[s] and (rule == BY_ORDER or (rule == BY_FORCED and fewest > 1)):
            best = first
        out_place[s] = best


@numba.njit(cache=True, inline="always")
def _fits(state, minds):  # type: ignore[no-untyped-def]
    for w in range(len(state)):  # noqa: SIM110 - Numba has no all()
        if state[w] & minds[w]:
            return False
    return True
