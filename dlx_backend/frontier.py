"""Counting without visiting: equal sub-problems are counted together, independent ones apart.

The search goes over the states of the stages (:mod:`twostep.dlx_backend.stages`), not over sets of
options: the states of a stage are kept in a hash table with the number of ways to reach each, and
equal states, compared in full, are one entry. When the stages are through, that is the count.

* A covered item that comes next is stepped over at once; what expires on the way is checked
  (covered often enough?) and cleared, so that states equal for the future are equal.
* A branch (:mod:`twostep.dlx_backend.branches`) is counted by itself: what waits at its beginning
  is put aside, and is combined with what the branch leads to at its end.
* The numbers have as many 64-bit limbs as they need; a limb is added before one could overflow.
* When the memory allowed is full, states are taken up from the deepest stage first, one by one,
  as a depth-first search would: some equal states are then counted apart, which costs time and
  changes nothing else, since the ways to reach a state simply add up.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numba
import numpy as np

from twostep.dlx_backend.bits import WordArray
from twostep.dlx_backend.lookahead import Lookahead
from twostep.dlx_backend.stages import BLOCK, COLOUR, COUNT, Stages
from twostep.models.language.model import IntArray, LongArray

# The registers: the scalars of the loops, kept between two calls.
USED, FREE, N_FREE, FILLED, FIRST, DEEPEST, LIVE, ARRIVED, PAIRED = range(9)
NODES, UPDATES, BARREN, EDGES, REGISTERS = range(9, 14)  # never set back

FINE, ROOM, WIDEN = range(3)
"""Why a loop came back: the budget or the end; more room is needed; another limb is needed."""

HEADROOM = 40
"""Bits of the highest limb that stay free before an addition: a stage has fewer options."""

PORTION = 64
"""So many pairs of states at a time, when branches are combined; they count as one node."""

ENOUGH = 1 << 16
BARREN_SHARE = 0.25
"""After so many states the search looks ahead, if this share of them had nothing to lead to."""

_u = np.uint64


@numba.njit("uint64(uint64)", cache=True)
def _mix(h):  # type: ignore[no-untyped-def]
    """The finaliser of MurmurHash3: spreads all bits over all bits."""
    h ^= h >> _u(33)
    h *= _u(0xFF51AFD7ED558CCD)
    h ^= h >> _u(33)
    h *= _u(0xC4CEB9FE1A85EC53)
    h ^= h >> _u(33)
    return h


@numba.njit(
    "void(uint64[::1], uint64[:,::1], int64, uint64[:,::1], int64)",
    cache=True,
    error_model="numpy",
)
def _multiply(product, left, i, right, j):  # type: ignore[no-untyped-def]
    """Fill in the product of two numbers, which must have room for it."""
    low = _u(0xFFFFFFFF)
    half = _u(32)
    room = 2 * len(product)
    product[:] = _u(0)
    for x in range(2 * left.shape[1]):
        a = (left[i, x >> 1] >> (half * _u(x & 1))) & low
        carry = _u(0)
        for y in range(x, room):
            at = half * _u(y & 1)
            carry += (product[y >> 1] >> at) & low
            if y - x < 2 * right.shape[1]:
                carry += a * ((right[j, (y - x) >> 1] >> (half * _u((y - x) & 1))) & low)
            product[y >> 1] = (product[y >> 1] & ~(low << at)) | (carry & low) << at
            carry >>= half


@numba.njit(
    "int64(uint64[:,::1], int32[::1], int32[::1], uint64[:,::1], int32[::1], int32[::1],"
    " int64[::1], int32[:,::1],"
    " int64[::1], uint64[::1], boolean[::1], int64[::1], uint64[:,::1], int64[::1],"
    " int64[:,::1], uint64[:,::1], int64[::1], int64[:,::1],"
    " int64[::1], int64[:,::1], boolean[:,::1],"
    " uint64[:,::1], uint64[:,::1], uint64[:,::1], uint64[:,::1],"
    " int64, int64, boolean, int64)",
    cache=True,
    error_model="numpy",
)
def run(  # type: ignore[no-untyped-def]
    keys, stage_of, after, counts, head, table, register, edges,
    item_word, item_bit, single, group, clear, checks, check, masks, specials, special,
    starts, places, dead, left, left_counts, right, right_counts,
    meeting, limit, depth_first, budget,
):  # fmt: skip
    """Take up to `budget` states, or pairs of states, and add their ways to what they lead to.

    Gives why it came back. One loop for both, since calls from it would cost as much as it does.

    Args:
        keys, stage_of, after, counts: per entry its state, its stage (-1: taken up or free), the
            next entry of the stage (or free one), and the ways to reach it, lowest limb first.
        head: (stages + 1,) the first entry of each stage; -1: none.
        table: the hash table: entry + 1; 0: empty. What was taken up stays until it is rebuilt.
        register: the scalars, see USED and following.
        edges: (room, 3) if it has room, entries are kept and each step is noted: parent, rank (-1:
            left), child (-1: the end).
        item_word ... special: see :class:`Stages`.
        starts, places, dead: see :class:`Lookahead`.
        left, left_counts, right, right_counts: two sets of states that meet, and the ways to each.
        meeting: the stage where they meet; -1: they don't, states that wait are taken up.
        limit: the stage where states stay.
        depth_first: whether to take the deepest states first.
        budget: how many states, or portions of :data:`PORTION` pairs.
    """
    zero = _u(0)
    one = _u(1)
    n_stages = len(single)
    words = keys.shape[1]
    limbs = counts.shape[1]
    capacity = len(keys)
    lid = len(table) - len(table) // 3
    bits = _u(len(table) - 1)
    record = len(edges) > 0
    combining = meeting >= 0
    looking = len(dead) > 0
    portions = (len(right) + PORTION - 1) // PORTION
    state = np.empty(words, dtype=np.uint64)
    child = np.empty(words, dtype=np.uint64)
    number = np.empty(limbs, dtype=np.uint64)
    taken = 0
    entry = 0
    status = FINE
    while taken < budget and status == FINE:
        if combining:
            if register[PAIRED] == len(left) * portions:
                break
            stage = meeting
            entry = register[PAIRED] // portions
            begin = register[PAIRED] % portions * PORTION
            end = min(begin + PORTION, len(right))
        elif register[LIVE] == 0:
            break
        elif depth_first:
            stage = register[DEEPEST]
            while head[stage] < 0:
                stage -= 1
            register[DEEPEST] = stage
        else:
            stage = register[FIRST]
            while head[stage] < 0:
                stage += 1
            register[FIRST] = stage
        if not combining:
            begin = group[stage]
            end = group[stage + 1]
        most = end - begin + 1
        if (
            capacity - register[USED] + register[N_FREE] < most
            or register[FILLED] + most > lid
            or (record and register[EDGES] + most > len(edges))
        ):
            status = ROOM
            break
        taken += 1
        rank = begin
        updates = register[UPDATES]
        if combining:
            register[PAIRED] += 1
            for w in range(words):
                state[w] = left[entry, w]
        else:
            entry = head[stage]
            head[stage] = after[entry]
            stage_of[entry] = -1
            register[LIVE] -= 1
            for w in range(words):
                state[w] = keys[entry, w]
            for x in range(limbs):
                number[x] = counts[entry, x]
            if single[stage]:
                rank -= 1  # first: leave it
        while rank < end:
            fits = True
            at = stage
            if combining:
                for w in range(words):
                    if state[w] & right[rank, w]:
                        fits = False
                        break
                    child[w] = state[w] | right[rank, w]
                if fits:
                    _multiply(number, left_counts, entry, right_counts, rank)
            elif rank < begin:
                for w in range(words):
                    child[w] = state[w]
            else:
                for w in range(words):
                    if state[w] & masks[rank, w]:
                        fits = False
                        break
                    child[w] = state[w] | masks[rank, w]
                if fits:
                    for x in range(specials[rank], specials[rank + 1]):
                        w = special[x, 0]
                        shift = _u(special[x, 1])
                        mask = _u(special[x, 2])
                        kind = special[x, 3]
                        bound = _u(special[x, 4])
                        value = (child[w] >> shift) & mask
                        if kind == COLOUR:
                            if value == zero:
                                child[w] |= bound << shift
                            elif value != bound:
                                fits = False
                                break
                        elif kind == BLOCK:
                            if value != zero:
                                fits = False
                                break
                            child[w] |= bound << shift
                        elif value < bound:
                            child[w] += one << shift
                        elif kind == COUNT:
                            fits = False
                            break
            entering = not combining  # what meets has entered its stage before
            while fits:
                if entering:
                    at += 1
                    for x in range(checks[at], checks[at + 1]):
                        value = (child[check[x, 0]] >> _u(check[x, 1])) & _u(check[x, 2])
                        if value < _u(check[x, 3]):
                            fits = False
                    for w in range(words):
                        child[w] &= ~clear[at, w]
                if at == limit or child[item_word[at]] & item_bit[at] == zero:
                    break
                child[item_word[at]] ^= item_bit[at]
                entering = True
            if fits and looking and at < limit:
                pattern = zero
                for x in range(starts[at], starts[at + 1]):
                    bit = (child[places[x, 0]] >> _u(places[x, 1])) & one
                    pattern |= bit << _u(places[x, 2])
                fits = not dead[at, pattern]
            if not fits:
                rank += 1
                continue

            register[UPDATES] += 1
            h = _u(at)
            for w in range(words):
                h = _mix(h * _u(0x9E3779B97F4A7C15) ^ child[w])
            slot = h & bits
            while True:
                target = table[slot] - 1
                if target < 0:
                    break
                if stage_of[target] == at:
                    same = True
                    for w in range(words):
                        if keys[target, w] != child[w]:
                            same = False
                            break
                    if same:
                        break
                slot = (slot + one) & bits
            if target >= 0:
                carry = zero
                for x in range(limbs):
                    old = counts[target, x]
                    new = old + number[x]
                    over = new < old
                    new += carry
                    carry = one if over or new < carry else zero
                    counts[target, x] = new
                if counts[target, limbs - 1] >> _u(64 - HEADROOM) != zero:
                    status = WIDEN
            else:
                if register[FREE] >= 0:
                    target = register[FREE]
                    register[FREE] = after[target]
                    register[N_FREE] -= 1
                else:
                    target = register[USED]
                    register[USED] += 1
                for w in range(words):
                    keys[target, w] = child[w]
                for x in range(limbs):
                    counts[target, x] = number[x]
                stage_of[target] = at
                after[target] = head[at]
                head[at] = target
                table[slot] = target + 1
                register[FILLED] += 1
                if at == limit:
                    register[ARRIVED] += 1
                else:
                    register[LIVE] += 1
                    if at > register[DEEPEST]:
                        register[DEEPEST] = at
            if record:
                edge = register[EDGES]
                edges[edge, 0] = entry
                edges[edge, 1] = rank if rank >= begin else -1
                edges[edge, 2] = target if at < n_stages else -1
                register[EDGES] += 1
            rank += 1
        if register[UPDATES] == updates and not combining:
            register[BARREN] += 1
        if not record and not combining:
            after[entry] = register[FREE]
            register[FREE] = entry
            register[N_FREE] += 1
    register[NODES] += taken
    return status


@numba.njit("void(uint64[:,::1], int32[::1], int32[::1], int64)", cache=True, error_model="numpy")
def _rebuild(keys, stage_of, table, used):  # type: ignore[no-untyped-def]
    """Fill the hash table `table` (all 0) with the entries that are waiting."""
    bits = _u(len(table) - 1)
    for entry in range(used):
        if stage_of[entry] >= 0:
            h = _u(stage_of[entry])
            for w in range(keys.shape[1]):
                h = _mix(h * _u(0x9E3779B97F4A7C15) ^ keys[entry, w])
            slot = h & bits
            while table[slot] != 0:
                slot = (slot + _u(1)) & bits
            table[slot] = entry + 1


DEFAULT_MEMORY = 1 << 31
"""Bytes for the states, where no limit of memory is given."""


MOST_STATES = 1 << 30
"""So many have room at most, whatever the memory: their numbers are of 32 bits."""


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
class Frontier:
    """The counting of one problem, in slices.

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

    stages: Stages
    memory: int = DEFAULT_MEMORY
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
    _register: LongArray = field(init=False)
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
        self._register = np.zeros(REGISTERS, dtype=np.int64)
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
        self._register[:NODES] = 0
        self._register[FREE] = -1
        self._limit = self._turns[-1][0] if self._turns else plan.n_stages
        self.depth_first = False

    def _root(self, stage: int) -> None:
        """The empty state waits at that stage; one way leads to it."""
        self._counts[0, 0] = 1
        self._stage_of[0] = stage
        self._head[stage] = 0
        self._register[USED] = 1
        self._register[ARRIVED if stage == self._limit else LIVE] = 1
        self._rebuild()

    @property
    def done(self) -> bool:
        """Whether all was counted."""
        return bool(self._register[LIVE] == 0) and self._pair is None and not self._turns

    @property
    def nodes(self) -> int:
        """States taken up so far."""
        return int(self._register[NODES])

    @property
    def updates(self) -> int:
        """Steps from a state to another so far."""
        return int(self._register[UPDATES])

    @property
    def total(self) -> int:
        """The solutions counted so far: all of them when done, else a lower bound."""
        end = int(self._head[-1])
        limbs = self._counts[end].tolist() if end >= 0 else []
        return sum(limb << 64 * place for place, limb in enumerate(limbs))

    @property
    def stage(self) -> int:
        """The first stage that has states waiting (as long as it doesn't go depth first)."""
        return int(self._register[FIRST])

    @property
    def states(self) -> int:
        """How many states were kept, if they are recorded. State 0 is the root."""
        return int(self._register[USED])

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
        return self._edges[: int(self._register[EDGES])]

    def advance(self, nodes: int) -> None:
        """Take up to `nodes` states."""
        plan = self.stages
        while nodes > 0 and not self.done and not self.full:
            before = self.nodes
            live = int(self._register[LIVE])
            if self.depth_first and live + self._register[ARRIVED] < len(self._keys) // 4:
                self.depth_first = False
                self._register[FIRST] = 0
            meeting = self._pair is not None and (live == 0 or not self.depth_first)
            left, right = self._pair or (_NONE, _NONE)
            status = run(
                self._keys, self._stage_of, self._after, self._counts, self._head, self._table,
                self._register, self._edges,
                plan.item_word, plan.item_bit, plan.single, plan.group, plan.clear, plan.checks,
                plan.check, plan.masks, plan.specials, plan.special,
                self._ahead.starts, self._ahead.places, self._ahead.dead,
                left.keys, left.counts, right.keys, right.counts,
                self._at if meeting else -1, self._limit, self.depth_first,
                min(nodes, 4096) if self.depth_first else min(nodes, ENOUGH),
            )  # fmt: skip
            self._look_ahead()
            portions = len(left.keys) * -(-len(right.keys) // PORTION)
            if meeting and self._register[PAIRED] == portions:
                self._pair = None
            nodes -= self.nodes - before
            if status == WIDEN:
                self._counts = np.pad(self._counts, ((0, 0), (0, 1)))
            elif status == ROOM:
                self._make_room()
            self._turn()

    def _look_ahead(self) -> None:
        """Look ahead from now on, if many states lead nowhere."""
        states, barren = int(self._register[NODES]), int(self._register[BARREN])
        if states >= ENOUGH and barren > BARREN_SHARE * states and not len(self._ahead.dead):
            self._ahead = Lookahead.of(self.stages)

    def _turn(self) -> None:
        """Begin or end the branch whose turn it is, if all states have come that far."""
        while self._register[LIVE] == 0 and self._pair is None and self._turns:
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
        waiting = self._register[LIVE] + self._register[ARRIVED]
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
        if room - self._register[EDGES] <= self.stages.largest_group:
            if not self._fit(capacity, 2 * self._edges.nbytes):
                self.full = True
                return
            self._edges = np.pad(self._edges, ((0, room), (0, 0)))
        if self._register[USED] > capacity // 2 or self._missing() > 0:
            if not self._fit(2 * capacity, self._edges.nbytes):
                self.full = True
                return
            self._grow()
        self._rebuild()

    def _missing(self) -> int:
        """How many entries the next step may need beyond those that are free."""
        free = len(self._keys) - int(self._register[USED]) + int(self._register[N_FREE])
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
        _rebuild(self._keys, self._stage_of, self._table, int(self._register[USED]))
        self._register[FILLED] = self._register[LIVE] + self._register[ARRIVED]
