"""Counting without visiting: equal sub-problems are counted together.

The decisions are put in a fixed order of *stages*: for a needed item, which of the options that
have it as their first needed item is taken (none if it is covered already); for an option without
any needed item, whether it is taken. After some stages, all that the rest depends on is the
*state* of the items that earlier options can have touched and later ones still can: whether it is
covered, its colour, how often it was covered. The search goes over states, not over sets of
options: the states of a stage are kept in a hash table with the number of ways to reach each, and
equal states, compared in full, are one entry. When the stages are through, that is the count.

* A state is a few bits: an item has its field only from the first stage that can touch it until
  the last, and the places of fields are used again, as registers are in a compiler. On a board of
  dominoes the state is one bit for each cell of the short side.
* A covered item that comes next is stepped over at once; what expires on the way is checked
  (covered often enough?) and cleared, so that states equal for the future are equal.
* The numbers have as many 64-bit limbs as they need; a limb is added before one could overflow.
* When the memory allowed is full, states are taken up from the deepest stage first, one by one,
  as a depth-first search would: some equal states are then counted apart, which costs time and
  changes nothing else, since the ways to reach a state simply add up.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numba
import numpy as np

from twostep.dlx_backend.bits import Roles, WordArray
from twostep.dlx_backend.problem import Problem
from twostep.models.model import UNLIMITED, BoolArray, IntArray, LongArray

COLOUR, BLOCK, COUNT, ENOUGH = range(4)
"""What an option does to a field of more than one bit: give it its colour; take it if nobody has;
count once more, if there is room; count once more, but no further than enough."""

# The registers: the scalars of the loop, kept between two calls.
USED, FREE, N_FREE, FILLED, FIRST, DEEPEST, LIVE, NODES, UPDATES, EDGES, REGISTERS = range(11)

FINE, ROOM, WIDEN = range(3)
"""Why a run came back: the budget or the end; more room is needed; another limb is needed."""

HEADROOM = 40
"""Bits of the highest limb that stay free before an addition: a stage has fewer options."""

_u = np.uint64


@dataclass(frozen=True, slots=True)
class Stages:
    """The order of decisions, and what each does to the bits of a state.

    Attributes:
        item_word, item_bit: (stages,) where stage `s` sees whether its item is covered; bit 0:
            nothing before can have covered it.
        single: (stages,) whether the stage takes or leaves one option.
        group: (stages + 1,) stage `s` decides about the ranks ``group[s] .. group[s + 1] - 1``.
        options: (ranks,) the problem's option at each rank.
        clear: (stages + 1, words) the fields that expire when the stage is entered.
        checks: (stages + 1,) into `check`: what must have been covered often enough by then.
        check: (checks, 4) word, shift, mask of the field, the least it must be.
        masks: (ranks, words) the one-bit fields that an option takes.
        specials: (ranks + 1,) into `special`: what it does to other fields.
        special: (specials, 5) word, shift, mask, one of COLOUR ..., its value or upper bound.
        possible: False if some item can't be covered often enough at all.
    """

    item_word: LongArray
    item_bit: WordArray
    single: BoolArray
    group: LongArray
    options: IntArray
    clear: WordArray
    checks: LongArray
    check: LongArray
    masks: WordArray
    specials: LongArray
    special: LongArray
    possible: bool

    @property
    def n_stages(self) -> int:
        """How many decisions there are."""
        return len(self.single)

    @property
    def words(self) -> int:
        """How many words a state has."""
        return int(self.masks.shape[1])

    @property
    def largest_group(self) -> int:
        """The most options that one stage decides about."""
        return int(np.diff(self.group).max(initial=0))


def closable(problem: Problem, roles: Roles) -> BoolArray:
    """(items,) what an order for :func:`stages` must hold.

    The needed items, and the primary items of options that have none of those.
    """
    chosen = roles.needed.copy()
    has = np.zeros(problem.n_options, dtype=np.bool_)
    owner = np.repeat(np.arange(problem.n_options), np.diff(problem.starts))
    has[owner[roles.needed[problem.items]]] = True
    primary = problem.items < problem.n_primary
    chosen[problem.items[primary & ~has[owner]]] = True
    return chosen


def field_bits(problem: Problem) -> LongArray:
    """(items,) how many bits it takes to remember an item's state; 0: nothing is to remember."""
    uses = np.bincount(problem.items, minlength=problem.n_items)
    bits = np.ones(problem.n_items, dtype=np.int64)
    most, _ = _bounds(problem, uses)
    for item in range(problem.n_primary):
        bits[item] = int(most[item]).bit_length()
    colours: dict[int, set[int]] = {}
    coloured = np.flatnonzero(problem.colours > 0)
    for entry in coloured.tolist():
        colours.setdefault(int(problem.items[entry]), set()).add(int(problem.colours[entry]))
    for item, known in colours.items():
        bits[item] = (len(known) + 1).bit_length()  # free, a colour, taken without one
    return bits


def _bounds(problem: Problem, uses: LongArray) -> tuple[LongArray, BoolArray]:
    """The largest count to tell apart of each primary item, and whether it may not be exceeded."""
    low = problem.low.astype(np.int64)
    high = problem.high.astype(np.int64)
    bounded = high < np.minimum(uses[: problem.n_primary], UNLIMITED)
    # Covered exactly once: nothing after the first; that is what one bit says.
    return np.where(bounded, high, low), bounded


def stages(problem: Problem, roles: Roles, order: IntArray) -> Stages:
    """Lay out the decisions; `order`: the :func:`closable` items."""
    n, n_items = problem.n_options, problem.n_items
    starts, items = problem.starts.tolist(), problem.items.tolist()
    colours = problem.colours.tolist()
    needed = roles.needed.tolist()
    place = [len(order)] * n_items
    for position, item in enumerate(order.tolist()):
        place[item] = position
    groups: list[list[int]] = [[] for _ in order]
    alone: list[list[int]] = [[] for _ in order]
    for option in range(n):
        entries = items[starts[option] : starts[option + 1]]
        first = min((place[item] for item in entries if needed[item]), default=-1)
        if first >= 0:
            groups[first].append(option)
        else:
            alone[min(place[item] for item in entries)].append(option)

    # The stages in order; an option alone is decided before its item (if that is needed) is.
    stage_item: list[int] = []
    group = [0]
    options: list[int] = []
    for position, item in enumerate(order.tolist()):
        for option in alone[position]:
            stage_item.append(-1)
            options.append(option)
            group.append(len(options))
        if needed[item]:
            stage_item.append(item)
            options += groups[position]
            group.append(len(options))
    n_stages = len(stage_item)
    own = {item: stage for stage, item in enumerate(stage_item) if item >= 0}

    # When each item is touched first and last.
    first_touch = [n_stages] * n_items
    last_touch = [-1] * n_items
    for stage in range(n_stages):
        for option in options[group[stage] : group[stage + 1]]:
            for item in items[starts[option] : starts[option + 1]]:
                first_touch[item] = min(first_touch[item], stage)
                last_touch[item] = stage
    uses = np.bincount(problem.items, minlength=n_items)
    most, bounded = _bounds(problem, uses)
    low = problem.low.tolist()
    possible = bool((problem.low <= uses[: problem.n_primary]).all())

    bits = field_bits(problem).tolist()
    opening: list[list[int]] = [[] for _ in range(n_stages + 1)]
    closing: list[list[int]] = [[] for _ in range(n_stages + 1)]
    for item in range(n_items):
        start = first_touch[item]
        end = own[item] if needed[item] else last_touch[item] + 1
        once = end == start + 1 and stage_item[start] >= 0 if end > start else True
        if bits[item] == 0 or end <= start:
            continue
        if not needed[item] and once and (item >= problem.n_primary or low[item] == 0):
            continue  # at most one option touches it: nothing to remember
        opening[start].append(item)
        # The bit of a needed item is cleared when its stage is stepped over.
        closing[end + 1 if needed[item] else end].append(item)
    spot, width = _allocate(opening, closing, bits)

    words = max(1, width)
    clear = np.zeros((n_stages + 1, words), dtype=np.uint64)
    checks = [0]
    check: list[tuple[int, int, int, int]] = []
    for stage in range(n_stages + 1):
        for item in closing[stage]:
            if needed[item]:
                continue
            word, shift = spot[item]
            mask = (1 << bits[item]) - 1
            clear[stage, word] |= np.uint64(mask << shift)
            if item < problem.n_primary and low[item] > 0:
                check.append((word, shift, mask, low[item]))
        checks.append(len(check))

    colour_value = _colour_values(problem)
    masks = np.zeros((n, words), dtype=np.uint64)
    specials = [0]
    special: list[tuple[int, int, int, int, int]] = []
    rank = 0
    for stage in range(n_stages):
        for option in options[group[stage] : group[stage + 1]]:
            for entry in range(starts[option], starts[option + 1]):
                item = items[entry]
                if item not in spot or item == stage_item[stage]:
                    continue
                word, shift = spot[item]
                mask = (1 << bits[item]) - 1
                if item < problem.n_primary and not (bits[item] == 1 and bounded[item]):
                    kind = COUNT if bounded[item] else ENOUGH
                    if needed[item]:
                        masks[rank, word] |= np.uint64(1 << shift)
                    else:
                        special.append((word, shift, mask, kind, int(most[item])))
                elif colours[entry]:
                    value = colour_value[item, colours[entry]]
                    special.append((word, shift, mask, COLOUR, value))
                elif bits[item] > 1:
                    special.append((word, shift, mask, BLOCK, mask))
                else:
                    masks[rank, word] |= np.uint64(1 << shift)
            specials.append(len(special))
            rank += 1
    item_word = np.zeros(n_stages, dtype=np.int64)
    item_bit = np.zeros(n_stages, dtype=np.uint64)
    for stage, item in enumerate(stage_item):
        if item >= 0 and item in spot:
            word, shift = spot[item]
            item_word[stage], item_bit[stage] = word, np.uint64(1 << shift)
    return Stages(
        item_word=item_word,
        item_bit=item_bit,
        single=np.array([item < 0 for item in stage_item], dtype=np.bool_),
        group=np.array(group, dtype=np.int64),
        options=np.array(options, dtype=np.int32),
        clear=clear,
        checks=np.array(checks, dtype=np.int64),
        check=np.array(check, dtype=np.int64).reshape(-1, 4),
        masks=masks,
        specials=np.array(specials, dtype=np.int64),
        special=np.array(special, dtype=np.int64).reshape(-1, 5),
        possible=possible,
    )


def _colour_values(problem: Problem) -> dict[tuple[int, int], int]:
    """For each item and colour the value of the item's field, from 1."""
    values: dict[tuple[int, int], int] = {}
    known: dict[int, int] = {}
    for entry in np.flatnonzero(problem.colours > 0).tolist():
        key = int(problem.items[entry]), int(problem.colours[entry])
        if key not in values:
            values[key] = known[key[0]] = known.get(key[0], 0) + 1
    return values


def _allocate(
    opening: list[list[int]], closing: list[list[int]], bits: list[int]
) -> tuple[dict[int, tuple[int, int]], int]:
    """A place (word, shift) for each field while it is open, and how many words that takes."""
    spot: dict[int, tuple[int, int]] = {}
    taken: list[int] = []  # per word, the bits in use
    for stage in range(len(opening)):
        for item in closing[stage]:
            word, shift = spot[item]
            taken[word] &= ~(((1 << bits[item]) - 1) << shift)
        for item in opening[stage]:
            mask = (1 << bits[item]) - 1
            for word in range(len(taken) + 1):
                if word == len(taken):
                    taken.append(0)
                free = [s for s in range(65 - bits[item]) if not taken[word] & mask << s]
                if free:
                    spot[item] = word, free[0]
                    taken[word] |= mask << free[0]
                    break
    return spot, len(taken)


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
    "int64(uint64[:,::1], int32[::1], int32[::1], uint64[:,::1], int32[::1], int32[::1],"
    " int64[::1], uint64[::1], int32[:,::1],"
    " int64[::1], uint64[::1], boolean[::1], int64[::1], uint64[:,::1], int64[::1],"
    " int64[:,::1], uint64[:,::1], int64[::1], int64[:,::1], int64, int64)",
    cache=True,
    error_model="numpy",
)
def run(  # type: ignore[no-untyped-def]
    keys, stage_of, after, counts, head, table, register, total, edges,
    item_word, item_bit, single, group, clear, checks, check, masks, specials, special,
    depth_first, budget,
):  # fmt: skip
    """Take up to `budget` states and add their ways to their children; gives why it came back.

    Args:
        keys, stage_of, after, counts: per entry its state, its stage (-1: taken up or free), the
            next entry of the stage (or free one), and the ways to reach it, lowest limb first.
        head: (stages,) the first entry of each stage; -1: none.
        table: the hash table: entry + 1; 0: empty. What was taken up stays until it is rebuilt.
        register: the scalars, see USED and following.
        total: the ways to the end of all stages, lowest limb first.
        edges: (room, 3) if it has room, entries are kept and each step is noted: parent, rank (-1:
            left), child (-1: the end).
        item_word ... special: see :class:`Stages`.
        depth_first: whether to take the deepest states first.
        budget: how many states.
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
    state = np.empty(words, dtype=np.uint64)
    child = np.empty(words, dtype=np.uint64)
    taken = 0
    status = FINE
    while taken < budget and register[LIVE] > 0 and status == FINE:
        if depth_first:
            stage = register[DEEPEST]
            while head[stage] < 0:
                stage -= 1
            register[DEEPEST] = stage
        else:
            stage = register[FIRST]
            while head[stage] < 0:
                stage += 1
            register[FIRST] = stage
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
        entry = head[stage]
        head[stage] = after[entry]
        stage_of[entry] = -1
        register[LIVE] -= 1
        taken += 1
        for w in range(words):
            state[w] = keys[entry, w]

        rank = begin - 1 if single[stage] else begin  # first: leave it
        while rank < end:
            if rank >= begin and state[0] & masks[rank, 0]:
                rank += 1
                continue
            fits = True
            if rank < begin:
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
            at = stage + 1
            while fits:
                for x in range(checks[at], checks[at + 1]):
                    value = (child[check[x, 0]] >> _u(check[x, 1])) & _u(check[x, 2])
                    if value < _u(check[x, 3]):
                        fits = False
                for w in range(words):
                    child[w] &= ~clear[at, w]
                if at == n_stages or child[item_word[at]] & item_bit[at] == zero:
                    break
                child[item_word[at]] ^= item_bit[at]
                at += 1
            if not fits:
                rank += 1
                continue

            register[UPDATES] += 1
            target = -1
            if at == n_stages:
                carry = zero
                for x in range(limbs):
                    old = total[x]
                    new = old + counts[entry, x]
                    over = new < old
                    new += carry
                    carry = one if over or new < carry else zero
                    total[x] = new
                if total[limbs - 1] >> _u(64 - HEADROOM) != zero:
                    status = WIDEN
            else:
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
                        new = old + counts[entry, x]
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
                        counts[target, x] = counts[entry, x]
                    stage_of[target] = at
                    after[target] = head[at]
                    head[at] = target
                    table[slot] = target + 1
                    register[FILLED] += 1
                    register[LIVE] += 1
                    if at > register[DEEPEST]:
                        register[DEEPEST] = at
            if record:
                edge = register[EDGES]
                edges[edge, 0] = entry
                edges[edge, 1] = rank if rank >= begin else -1
                edges[edge, 2] = target
                register[EDGES] += 1
            rank += 1
        if not record:
            after[entry] = register[FREE]
            register[FREE] = entry
            register[N_FREE] += 1
    register[NODES] += taken
    return status


@numba.njit(
    "void(uint64[:,::1], int32[::1], int32[::1], int64, int32[::1])",
    cache=True,
    error_model="numpy",
)
def _rebuild(keys, stage_of, table, used, _head):  # type: ignore[no-untyped-def]
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


@dataclass(slots=True)
class Frontier:
    """The counting of one problem, in slices.

    Attributes:
        stages: the decisions.
        memory: bytes that the states may take; when they are full, the search goes depth first.
        record: keep all states, and the steps between them (see :attr:`edges`); when the memory is
            full, it ends.
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
    _register: LongArray = field(init=False)
    _total: WordArray = field(init=False)
    _edges: IntArray = field(init=False)

    def __post_init__(self) -> None:
        plan = self.stages
        capacity = 1 << 4
        while capacity < 4 * plan.largest_group or (capacity < 1 << 10 <= self.memory // 64):
            capacity *= 2
        self._keys = np.zeros((capacity, plan.words), dtype=np.uint64)
        self._stage_of = np.full(capacity, -1, dtype=np.int32)
        self._after = np.full(capacity, -1, dtype=np.int32)
        self._counts = np.zeros((capacity, 1), dtype=np.uint64)
        self._head = np.full(plan.n_stages, -1, dtype=np.int32)
        self._table = np.zeros(2 * capacity, dtype=np.int32)
        self._register = np.zeros(REGISTERS, dtype=np.int64)
        self._register[FREE] = -1
        self._total = np.zeros(1, dtype=np.uint64)
        room = 4 * capacity if self.record else 0
        self._edges = np.zeros((room, 3), dtype=np.int32)
        if not plan.possible:
            return
        if plan.n_stages == 0:
            self._total[0] = 1
            return
        self._counts[0, 0] = 1
        self._stage_of[0] = 0
        self._head[0] = 0
        self._register[[USED, LIVE]] = 1
        self._rebuild(len(self._table))

    @property
    def done(self) -> bool:
        """Whether all was counted."""
        return bool(self._register[LIVE] == 0)

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
        return sum(int(limb) << 64 * place for place, limb in enumerate(self._total))

    @property
    def stage(self) -> int:
        """The first stage that has states waiting (as long as it doesn't go depth first)."""
        return int(self._register[FIRST])

    @property
    def states(self) -> int:
        """How many states were kept, if they are recorded. State 0 is the root."""
        return int(self._register[USED])

    @property
    def limbs(self) -> WordArray:
        """The total, 64 bits to a limb, lowest first."""
        return self._total

    @property
    def reached(self) -> WordArray:
        """(entries, limbs) the ways from the root to each state that was kept."""
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
            if self.depth_first and self._register[LIVE] < len(self._keys) // 4:
                self.depth_first = False
                self._register[FIRST] = 0
            step = min(nodes, 4096) if self.depth_first else nodes
            status = run(
                self._keys, self._stage_of, self._after, self._counts, self._head, self._table,
                self._register, self._total, self._edges,
                plan.item_word, plan.item_bit, plan.single, plan.group, plan.clear, plan.checks,
                plan.check, plan.masks, plan.specials, plan.special,
                int(self.depth_first), step,
            )  # fmt: skip
            nodes -= self.nodes - before
            if status == WIDEN:
                self._widen()
            elif status == ROOM:
                self._make_room()

    def _widen(self) -> None:
        """One limb more for every number."""
        self._counts = np.pad(self._counts, ((0, 0), (0, 1)))
        self._total = np.pad(self._total, (0, 1))

    def _make_room(self) -> None:
        """Throw away what was taken up; if that isn't enough, grow; if that isn't allowed, dive."""
        capacity = len(self._keys)
        if self.record:
            self._make_room_to_record()
            return
        if self._register[LIVE] > capacity // 2 or self._missing() > 0:
            if self._size(2 * capacity) <= self.memory or self._must_grow():
                self._grow(2 * capacity)
            else:
                self.depth_first = True
        self._rebuild(len(self._table) if len(self._table) == 2 * len(self._keys) else 0)

    def _make_room_to_record(self) -> None:
        """Nothing is thrown away: grow what is short, or end."""
        capacity, room = len(self._keys), len(self._edges)
        if room - self._register[EDGES] <= self.stages.largest_group:
            if self._size(capacity) + 12 * 2 * room > self.memory:
                self.full = True
                return
            self._edges = np.pad(self._edges, ((0, room), (0, 0)))
        if self._register[USED] > capacity // 2 or self._missing() > 0:
            if self._size(2 * capacity) + 12 * len(self._edges) > self.memory:
                self.full = True
                return
            self._grow(2 * capacity)
        self._rebuild(2 * len(self._keys))

    def _missing(self) -> int:
        """How many entries the next step may need beyond those that are free."""
        free = len(self._keys) - int(self._register[USED]) + int(self._register[N_FREE])
        return int(self.stages.largest_group + 1 - free)

    def _must_grow(self) -> bool:
        """Whether even a depth-first search has no room for the children of one state."""
        return self._missing() > 0 and self.depth_first

    def _size(self, capacity: int) -> int:
        """Bytes of everything at that capacity."""
        words, limbs = self._keys.shape[1], self._counts.shape[1]
        return capacity * (8 * int(words) + 8 * int(limbs) + 4 + 4 + 2 * 4)

    def _grow(self, capacity: int) -> None:
        more = capacity - len(self._keys)
        self._keys = np.pad(self._keys, ((0, more), (0, 0)))
        self._counts = np.pad(self._counts, ((0, more), (0, 0)))
        self._stage_of = np.pad(self._stage_of, (0, more), constant_values=-1)
        self._after = np.pad(self._after, (0, more), constant_values=-1)

    def _rebuild(self, size: int) -> None:
        """A new hash table with only what is waiting."""
        size = size or 2 * len(self._keys)
        self._table = np.zeros(size, dtype=np.int32)
        used = int(self._register[USED])
        _rebuild(self._keys, self._stage_of, self._table, used, self._head)
        self._register[FILLED] = self._register[LIVE]


TRIED = 6
TRIAL = 20_000
LONGER_TRIAL = 80_000
"""How many orders are tried on so many states each, and the best two on so many more."""


def best_order(problem: Problem, roles: Roles, ranked: list[IntArray]) -> IntArray:
    """The order that gets through its stages with the fewest states, by a trial of the first few.

    The bound by which they are ranked counts states that can't occur; in a trial, an order that
    has come further with the same number of states is nearly always the one with fewer in all.
    """
    leading = [Frontier(stages(problem, roles, order)) for order in ranked[:TRIED]]
    places = list(range(len(leading)))
    for states in (TRIAL, LONGER_TRIAL):
        for place in places:
            leading[place].advance(states)
            if leading[place].done:
                return ranked[place]
        places.sort(key=lambda place: -leading[place].stage)
        places = places[:2]
    return ranked[places[0]]
