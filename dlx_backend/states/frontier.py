"""Counting without visiting: equal sub-problems are counted together, independent ones apart.

The search goes over the states of the stages (:mod:`twostep.dlx_backend.states.stages`), not over
sets of options: the states of a stage are kept in a hash table with the number of ways to reach
each, and equal states, compared in full, are one entry. When the stages are through, that is the
count. It is the transfer-matrix method (Stanley, Enumerative Combinatorics 1, section 4.7), with an
order and states made for the model at hand, as in frontier-based search (Kawahara, Inoue, Iwashita,
Minato, IEICE Trans. Fundamentals E100-A, 2017, p. 1773).

An example: dominoes on 2x3 cells, taken in the order a d b e c f::

    a b c
    d e f

1. At a waits the empty state, with 1 way. Option ad leads to b with nothing covered: 1 way (d is
   covered, and stepped over). Option ab leads to d with b covered: 1 way.
2. At d, {b} has one option, de. What comes next, b and e, is covered: it leads to c with nothing
   covered: 1 way.
3. At b, {} leads by be to c with nothing covered: that state is there, and has 1 + 1 = 2 ways now.
   Option bc leads to e with c covered: 1 way.
4. At e, {c} leads by ef to the end: 1 way. At c, {} leads by cf to the end: 1 + 2 = 3 ways.

Five states were taken up, and there are 3 solutions.

* A covered item that comes next is stepped over at once; what expires on the way is checked
  (covered often enough?) and cleared, so that states equal for the future are equal.
* A branch (:mod:`twostep.dlx_backend.states.branches`) is counted by itself: what waits at its
  beginning is put aside, and is combined with what the branch leads to at its end.
* The numbers have as many 64-bit limbs as they need; a limb is added before one could overflow.
* When the memory allowed is full, states are taken up from the deepest stage first, one by one,
  as a depth-first search would: some equal states are then counted apart, which costs time and
  changes nothing else, since the ways to reach a state simply add up.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from twostep.dlx_backend.bits.table import WordArray
from twostep.dlx_backend.costs import (
    BARREN_FROM_STATES,
    BARREN_SHARE,
    FAR_STEP_NS,
    MOST_STATES,
    NEAR_STATES,
    STATE_BASE_NS,
    STATES_BYTES,
    STEP_NS,
    TRIED_NS,
    TRIED_WORD_NS,
    TURN_STATES,
)  # fmt: skip
from twostep.dlx_backend.kernel import NODES, Registered
from twostep.dlx_backend.states.lookahead import Lookahead
from twostep.dlx_backend.states.loop import (
    ARRIVED,
    BARREN,
    EDGES,
    FILLED,
    FIRST,
    FIRST_RESET,
    FREE,
    HEADROOM,
    LIVE,
    N_FREE,
    NEEDS_LIMB,
    NEEDS_ROOM,
    PAIRED,
    PORTION,
    REGISTERS,
    TRIED,
    USED,
    DeadEnds,
    Decisions,
    Meeting,
    Stored,
    rebuild,
    run,
)  # fmt: skip
from twostep.dlx_backend.states.stages import Stages
from twostep.models.language.model import IntArray, LongArray


@dataclass(frozen=True, slots=True)
class _States:
    """States that wait at one stage, and the ways to reach each; lowest limb first."""

    keys: WordArray
    counts: WordArray

    @property
    def size(self) -> int:
        """How many bytes they take."""
        return int(self.keys.nbytes + self.counts.nbytes)

    @property
    def bits(self) -> int:
        """How many bits there are in the largest of the numbers, or more."""
        limbs = int(self.counts.shape[1])
        return 64 * (limbs - 1) + int(self.counts[:, -1].max()).bit_length()


_NONE = _States(np.zeros((0, 1), dtype=np.uint64), np.zeros((0, 1), dtype=np.uint64))


@dataclass(slots=True)
class Frontier(Registered):
    """The counting of one problem, in slices; nodes are states taken up, updates are steps.

    Attributes:
        stages: the decisions.
        memory: bytes that the states may take; when they are full, the search goes depth first.
            If even so a branch leads to more states than there is room for, all starts again
            without any branches.
        record: keep all states, and the steps between them (see :attr:`edges`); when the memory is
            full, it ends. There must be no forks then.
        depth_first: whether the memory is full, and the deepest states are taken up first.
        full: whether the memory is full and it has ended for that.
    """

    register: LongArray = field(init=False)
    stages: Stages
    memory: int = STATES_BYTES
    record: bool = False
    depth_first: bool = field(default=False, init=False)
    full: bool = field(default=False, init=False)
    _keys: WordArray = field(init=False)
    _stage_of: IntArray = field(init=False)
    _after: IntArray = field(init=False)
    _counts: WordArray = field(init=False)
    _head: IntArray = field(init=False)
    _table: IntArray = field(init=False)
    _edges: IntArray = field(init=False)
    _turns: list[tuple[int, bool]] = field(init=False)
    """(stage, fork) where a branch begins or ends, the next one last."""
    _limit: int = field(init=False)
    _aside: list[_States] = field(init=False)
    """What waits for branches to be counted, the innermost last."""
    _pair: tuple[_States, _States] | None = field(init=False)
    """What is being combined at the stage `_at`."""
    _at: int = field(default=0, init=False)
    _ahead: Lookahead = field(default_factory=Lookahead.nothing, init=False)

    def __post_init__(self) -> None:
        self.register = np.zeros(REGISTERS, dtype=np.int64)
        self._begin(self.stages.forks)

    def _begin(self, forks: tuple[tuple[int, int], ...]) -> None:
        """Start; the work done before stays counted."""
        turns = [(begin, 1, -end) for begin, end in forks]
        turns += [(end, 0, -begin) for begin, end in forks]  # ends first, the innermost before all
        self._turns = [(stage, kind == 1) for stage, kind, _ in sorted(turns, reverse=True)]
        self._aside = []
        self._pair = None
        self._clear()
        self._edges = np.zeros((4 * len(self._keys) if self.record else 0, 3), dtype=np.int32)
        if self.stages.possible:
            self._root(0)
            self._turn()
        else:
            self._turns = []

    def _clear(self, limbs: int = 1) -> None:
        """Room for new states."""
        plan = self.stages
        capacity = 1 << 4
        while capacity < 4 * plan.largest_group or (capacity < 1 << 10 <= self.memory // 64):
            capacity *= 2
        self._keys = np.zeros((capacity, plan.words), dtype=np.uint64)
        self._stage_of = np.full(capacity, -1, dtype=np.int32)
        self._after = np.full(capacity, -1, dtype=np.int32)
        self._counts = np.zeros((capacity, limbs), dtype=np.uint64)
        self._head = np.full(plan.n_stages + 1, -1, dtype=np.int32)
        self._table = np.zeros(2 * capacity, dtype=np.int32)
        self.register[FIRST_RESET:] = 0
        self.register[FREE] = -1
        self._limit = self._turns[-1][0] if self._turns else plan.n_stages
        self.depth_first = False

    def _root(self, stage: int) -> None:
        """The empty state waits at that stage; one way leads to it."""
        self._counts[0, 0] = 1
        self._stage_of[0] = stage
        self._head[stage] = 0
        self.register[USED] = 1
        self.register[ARRIVED if stage == self._limit else LIVE] = 1
        self._rebuild()

    @property
    def done(self) -> bool:
        """Whether all was counted."""
        return bool(self.register[LIVE] == 0) and self._pair is None and not self._turns

    @property
    def cost(self) -> float:
        """What was spent so far, ns, by what was done: nothing is timed."""
        tried = int(self.register[TRIED]) * (TRIED_NS + TRIED_WORD_NS * self.stages.words)
        step = STEP_NS if len(self._keys) <= NEAR_STATES else FAR_STEP_NS
        return STATE_BASE_NS * self.nodes + tried + step * self.updates

    @property
    def total(self) -> int:
        """The solutions counted so far: all of them when done, else a lower bound."""
        end = int(self._head[-1])
        limbs = self._counts[end].tolist() if end >= 0 else []
        return sum(limb << 64 * place for place, limb in enumerate(limbs))

    @property
    def stage(self) -> int:
        """The first stage that has states waiting (as long as it doesn't go depth first)."""
        return int(self.register[FIRST])

    @property
    def states(self) -> int:
        """How many states were kept, if they are recorded. State 0 is the root."""
        return int(self.register[USED])

    @property
    def reached(self) -> WordArray:
        """(entries, limbs) the ways from the root to each state that was kept.

        64 bits to a limb, the lowest first.
        """
        return self._counts

    @property
    def edges(self) -> IntArray:
        """(steps, 3) state, rank of the option taken (-1: left), next state (-1: the end).

        The steps of a state stand together, and before those of the states it leads to.
        """
        return self._edges[: int(self.register[EDGES])]

    def advance(self, nodes: int) -> None:
        """Take up to `nodes` states."""
        plan = self.stages
        while nodes > 0 and not self.done and not self.full:
            before = self.nodes
            live = int(self.register[LIVE])
            if self.depth_first and live + self.register[ARRIVED] < len(self._keys) // 4:
                self.depth_first = False
                self.register[FIRST] = 0
            meeting = self._pair is not None and (live == 0 or not self.depth_first)
            left, right = self._pair or (_NONE, _NONE)
            limit = 4096 if self.depth_first else BARREN_FROM_STATES
            status = run(
                Stored(
                    self._keys, self._stage_of, self._after, self._counts, self._head, self._table,
                    self._edges,
                ),
                self.register,
                Decisions(
                    plan.item_word, plan.item_bit, plan.single, plan.group, plan.clear, plan.checks,
                    plan.check, plan.masks, plan.specials, plan.special,
                ),
                DeadEnds(self._ahead.starts, self._ahead.places, self._ahead.dead),
                Meeting(left.keys, left.counts, right.keys, right.counts),
                self._at if meeting else -1, self._limit, self.depth_first, min(nodes, limit),
            )  # fmt: skip
            self._look_ahead()
            portions = len(left.keys) * -(-len(right.keys) // PORTION)
            if meeting and self.register[PAIRED] == portions:
                self._pair = None
            nodes -= self.nodes - before
            if status == NEEDS_LIMB:
                self._counts = np.pad(self._counts, ((0, 0), (0, 1)))
            elif status == NEEDS_ROOM:
                self._make_room()
            self._turn()

    def advance_within(self, nodes: int, cost: float) -> None:
        """Take up to so many states, or until they have cost so much, ns."""
        limit = self.cost + cost
        while nodes > 0 and not self.done and not self.full and self.cost < limit:
            before = self.nodes
            each = max(self.cost / before, 1.0) if before else limit
            step = max(TURN_STATES, min((limit - self.cost) / each, 2 * before))
            self.advance(int(min(nodes, step)))
            nodes -= max(self.nodes - before, 1)

    def _look_ahead(self) -> None:
        """Look ahead from now on, if many states lead nowhere."""
        states, barren = int(self.register[NODES]), int(self.register[BARREN])
        if (
            states >= BARREN_FROM_STATES
            and barren > BARREN_SHARE * states
            and not len(self._ahead.dead)
        ):
            self._ahead = Lookahead.of(self.stages)

    def _turn(self) -> None:
        """Begin or end the branch whose turn it is, if all states have come that far."""
        while self.register[LIVE] == 0 and self._pair is None and self._turns:
            self._at, fork = self._turns.pop()
            here = self._stage_of == self._at
            counts = self._counts[here]
            while counts.shape[1] > 1 and not counts[:, -1].any():
                counts = counts[:, :-1].copy()
            states = _States(self._keys[here], counts)
            if not len(states.keys):
                self._turns = []  # no way leads on
                self._clear()
            elif fork:
                self._aside.append(states)
                self._clear()
                self._root(self._at)
            else:
                before = self._aside.pop()
                self._pair = before, states
                self._clear(-(-(before.bits + states.bits + HEADROOM) // 64))

    def _make_room(self) -> None:
        """Throw away what was taken up; if that isn't enough, grow; if that isn't allowed, dive."""
        capacity = len(self._keys)
        if self.record:
            self._make_room_to_record()
            return
        waiting = self.register[LIVE] + self.register[ARRIVED]
        if waiting > capacity // 2 or self._missing() > 0:
            aside = sum(states.size for states in (*self._aside, *(self._pair or ())))
            if self._fit(2 * capacity, aside):
                self._grow()
            elif not self.depth_first:
                self.depth_first = True
            elif self._missing() > 0 and (self._turns or aside):
                self._begin(())
            elif self._missing() > 0:  # not even room for the children of one state
                self._grow()
        self._rebuild()

    def _make_room_to_record(self) -> None:
        """Nothing is thrown away: grow what is short, or end."""
        capacity, room = len(self._keys), len(self._edges)
        if room - self.register[EDGES] <= self.stages.largest_group:
            if not self._fit(capacity, 2 * self._edges.nbytes):
                self.full = True
                return
            self._edges = np.pad(self._edges, ((0, room), (0, 0)))
        if self.register[USED] > capacity // 2 or self._missing() > 0:
            if not self._fit(2 * capacity, self._edges.nbytes):
                self.full = True
                return
            self._grow()
        self._rebuild()

    def _missing(self) -> int:
        """How many entries the next step may need beyond those that are free."""
        free = len(self._keys) - int(self.register[USED]) + int(self.register[N_FREE])
        most = max(self.stages.largest_group, PORTION if self._pair is not None else 0)
        return most + 1 - free

    def _fit(self, capacity: int, besides: int) -> bool:
        """Whether there may be room for so many states, with so many bytes taken by others."""
        words, limbs = self._keys.shape[1], self._counts.shape[1]
        size = capacity * (8 * words + 8 * limbs + 4 + 4 + 2 * 4)
        return capacity <= MOST_STATES and size + besides <= self.memory

    def _grow(self) -> None:
        """Twice the room."""
        more = len(self._keys)
        self._keys = np.pad(self._keys, ((0, more), (0, 0)))
        self._counts = np.pad(self._counts, ((0, more), (0, 0)))
        self._stage_of = np.pad(self._stage_of, (0, more), constant_values=-1)
        self._after = np.pad(self._after, (0, more), constant_values=-1)

    def _rebuild(self) -> None:
        """A new hash table with only what is waiting."""
        self._table = np.zeros(2 * len(self._keys), dtype=np.int32)
        rebuild(self._keys, self._stage_of, self._table, int(self.register[USED]))
        self.register[FILLED] = self.register[LIVE] + self.register[ARRIVED]
