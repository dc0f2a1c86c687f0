"""The search as a proof: the states and branches of a certificate, written as they are made.

A breadth-first search over the states of :mod:`twostep.models.certificate.states`, in layers by
the number of marks. A branch only adds marks, so all ways into a state are known when its layer
comes: equal states are followed once, with the sum of their ways. A state is given up at once if
some item has too few options left, and that item is named.

Which item to branch on decides how large the proof gets: in a narrow order equal states meet
often, elsewhere few branches matter more. The rules are tried in turn with a growing number of
states, so the whole costs little more than the best of them.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

import numba
import numpy as np
import numpy.typing as npt

from twostep.dlx_backend import orders
from twostep.dlx_backend.problem import Problem, branching_order, prepare
from twostep.models.certificate.states import States
from twostep.models.model import IntArray, LongArray, Model
from twostep.models.search import (
    NO_LIMITS,
    Counters,
    Limits,
    SearchResult,
    StopReason,
    Watch,
)

_FIRST_TRY = 1_000
_GROWTH = 10
_TRUST = 10
_TRUST_OURS = 5
"""How many times more states an order that the model suggests, or one of ours, gets than the other
rules."""
_RACE = 20_000
_RACERS = 6
"""Of so many orders the one is kept that gets deepest within `_RACE` states."""
_RACE_ENTRIES = 500_000
"""In larger models setting up takes longer than a race saves: the narrowest order is taken."""
_BLOCK = 1024
"""How many states are followed between two looks at the clock."""
_PULSE_SECONDS = 0.05
_BYTES_PER_STATE = 250
"""What a waiting state takes beside its marks, roughly, bytes."""

WordArray = npt.NDArray[np.uint64]

IN_ORDER, FORCED, FEWEST = range(3)
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
    began = time.perf_counter()
    search = _Search(model, limits, watch, began)
    with tempfile.TemporaryFile() as draft:
        stopped, found, states = search.run(draft)
        draft.seek(0)
        counters = Counters(found, search.nodes, search.branches)
        seconds = time.perf_counter() - began
        yield Proof(
            draft, search.order, states, SearchResult("prover", found, stopped, counters, seconds)
        )  # fmt: skip


class _Budget(Exception):
    """The rule that is being tried needs more states than it was given."""


class _Stop(Exception):
    """A limit ends the search."""

    def __init__(self, reason: StopReason) -> None:
        self.reason = reason


class _Search:
    def __init__(self, model: Model, limits: Limits, watch: Watch | None, began: float) -> None:
        self.nodes = self.branches = 0
        self._model = model
        self._limits, self._watch, self._began = limits, watch, began
        self._pulse_at = 0.0
        self._deepest = 0
        self._mark_in(None)

    def _mark_in(self, order: tuple[int, ...] | None) -> None:
        """Calculate with the items' marks in `order` from now on (None: the model's)."""
        self._states = States(self._model, order)
        self.order = list(self._states.rows)
        self._table = Table.of(self._model, self._states)

    def run(self, draft: IO[bytes]) -> tuple[StopReason, int, int]:
        """Write the lines; gives why it ended, the candidates found, and the states written."""
        if self._states.start is None:
            return StopReason.EXHAUSTED, 0, 0
        try:
            found, states = self._prove(draft)
        except _Stop as stop:
            reason = stop.reason
        except KeyboardInterrupt:
            reason = StopReason.CANCELLED
        else:
            return StopReason.EXHAUSTED, found, states
        draft.truncate(0)
        return reason, 0, 0

    def _prove(self, draft: IO[bytes]) -> tuple[int, int]:
        """Try the rules in turn until one comes to its end; gives candidates and states."""
        trust = _TRUST
        if self._model.order is None:
            trust = _TRUST_OURS
            if (done := self._try(FEWEST, _FIRST_TRY, draft) or self._race(draft)) is not None:
                return done
        budget = _FIRST_TRY
        while True:
            for rule, share in ((IN_ORDER, trust), (FEWEST, 1), (FORCED, 1)):
                if (done := self._try(rule, budget * share, draft)) is not None:
                    return done
            budget *= _GROWTH

    def _race(self, draft: IO[bytes]) -> tuple[int, int] | None:
        """Keep the order that gets deepest within some states; or come to the end with one."""
        deepest: tuple[int, tuple[int, ...]] | None = None
        for order in narrow_orders(self._model):
            self._mark_in(order)
            if (done := self._try(IN_ORDER, _RACE, draft)) is not None:
                return done
            if deepest is None or self._deepest > deepest[0]:
                deepest = self._deepest, order
        self._mark_in(None if deepest is None else deepest[1])
        return None

    def _try(self, rule: int, budget: int, draft: IO[bytes]) -> tuple[int, int] | None:
        """Search by one rule; None if that takes more than `budget` states."""
        draft.seek(0)
        draft.truncate()
        try:
            return self._attempt(rule, budget, draft)
        except _Budget:
            return None

    def _attempt(self, rule: int, budget: int, draft: IO[bytes]) -> tuple[int, int]:
        start, goal = self._states.start, self._states.goal
        assert start is not None
        if start & goal == goal:
            return 1, 0
        place, _ = self._table.choose(rule, [start])[0]
        # Number of marks -> state -> [ways that lead there, place of the item to branch on].
        layers: dict[int, dict[int, list[int]]] = {start.bit_count(): {start: [1, place]}}
        found = written = waiting = 0
        while layers:
            self._deepest = min(layers)
            layer = layers.pop(self._deepest)
            waiting -= len(layer)
            entries = list(layer.items())
            for begin in range(0, len(entries), _BLOCK):
                block = entries[begin : begin + _BLOCK]
                if written + len(block) > budget:
                    raise _Budget
                self._look(waiting + len(entries))
                ended, entered = self._follow(rule, block, layers, draft)
                found += ended
                waiting += entered
                written += len(block)
        return found, written

    def _follow(
        self,
        rule: int,
        block: list[tuple[int, list[int]]],
        layers: dict[int, dict[int, list[int]]],
        draft: IO[bytes],
    ) -> tuple[int, int]:
        """Follow the states of `block`; gives the ways into solutions, and the states added."""
        states, goal, items = self._states, self._states.goal, self.order
        found = 0
        moves: list[tuple[int, int, int, list[tuple[int, int]]]] = []
        fresh: dict[int, dict[int, list[int]]] = {}  # state -> the layer that it belongs to
        for state, (ways, place) in block:
            item = items[place]
            branches = states.branches(state, item)
            to = [(option, states.after(state, item, option)) for option in branches]
            for _, after in to:
                if after & goal != goal:
                    above = layers.setdefault(after.bit_count(), {})
                    if after not in above:
                        fresh[after] = above
            moves.append((state, ways, item, to))
            self.branches += len(to)
        self.nodes += len(block)
        dead: dict[int, str] = {}
        for (after, above), (place, hopeless) in zip(
            fresh.items(), self._table.choose(rule, list(fresh)), strict=True
        ):
            if hopeless:
                dead[after] = f"!{items[place]}"
            else:
                above[after] = [0, place]
        lines = []
        for state, ways, item, to in moves:
            words = [f"{state:x} {item} {ways}"]
            for option, after in to:
                if after in dead:
                    words.append(f"{option}{dead[after]}")
                    continue
                words.append(str(option))
                if after & goal == goal:
                    found += ways
                else:
                    layers[after.bit_count()][after][0] += ways
            lines.append(" ".join(words))
        draft.write(("\n".join(lines) + "\n").encode("ascii"))
        for marks in [marks for marks, layer in layers.items() if not layer]:
            del layers[marks]
        return found, len(fresh) - len(dead)

    def _look(self, waiting: int) -> None:
        """Look at the clock, the limits and the watcher."""
        limits = self._limits
        if limits.nodes is not None and self.nodes >= limits.nodes:
            raise _Stop(StopReason.NODES)
        weight = _BYTES_PER_STATE + 8 * self._table.words
        if limits.memory is not None and waiting * weight > limits.memory:
            raise _Stop(StopReason.MEMORY)
        seconds = time.perf_counter() - self._began
        if limits.seconds is not None and seconds >= limits.seconds:
            raise _Stop(StopReason.TIME)
        if self._watch is not None and seconds >= self._pulse_at:
            self._pulse_at = seconds + _PULSE_SECONDS
            if self._watch(Counters(0, self.nodes, self.branches)) is True:
                raise _Stop(StopReason.CANCELLED)


def narrow_orders(model: Model) -> list[tuple[int, ...]]:
    """Some orders of all primary items that have a narrow frontier, the narrowest first.

    See :mod:`twostep.dlx_backend.orders`. What the chosen options cover stands at the end.
    """
    problem, items = problem_and_items(model)
    closable = np.arange(problem.n_items) < problem.n_primary
    ranked = orders.ranked(problem, closable, np.ones(problem.n_items))
    number = _RACERS if len(model.entry_items) <= _RACE_ENTRIES else 1
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
        words: how many words a state has.
        minds: (entries, words) the marks that each option of each item minds.
        starts: (items + 1,) the item at place `p` has the rows ``starts[p]:starts[p + 1]``.
        low: (items,) how often the item must be covered.
        rows: (items, words) the item's marks, set one by one as it is covered.
        last: (items,) the place of the last of them: when it is set, the item is closed.
        witness: (items,) a row of `minds` that fitted lately: mostly it still does.
    """

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
                need -= _ones(states[s, w] & rows[place, w])
            begin = starts[place]
            end = starts[place + 1]
            # In order it is enough to know that some option fits.
            if rule == IN_ORDER and (
                need <= 0 or (begin < end and _fits(states[s], minds[witness[place]]))
            ):
                continue
            options = 0
            for row in range(begin, end):
                if _fits(states[s], minds[row]):
                    witness[place] = row
                    options += 1
                    if rule == IN_ORDER and options >= need:
                        break
            branches = options + 1 if need <= 0 else options - need + 1
            if branches <= 0:
                out_hopeless[s] = True
                best = place
                break
            if branches < fewest:
                fewest = branches
                best = place
        if not out_hopeless[s] and (rule == IN_ORDER or (rule == FORCED and fewest > 1)):
            best = first
        out_place[s] = best


@numba.njit(cache=True, inline="always")
def _fits(state, minds):  # type: ignore[no-untyped-def]
    for w in range(len(state)):  # noqa: SIM110 - Numba has no all()
        if state[w] & minds[w]:
            return False
    return True


@numba.njit(cache=True, inline="always")
def _ones(word):  # type: ignore[no-untyped-def]
    count = 0
    while word:
        word &= word - np.uint64(1)
        count += 1
    return count
