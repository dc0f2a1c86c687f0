"""The compiled loop of a count state by state, over arrays alone (see ``frontier``).

Helper functions on the arrays would be as fast only where Numba inlines them: without that the
loop took 2 to 2.7 times as long (dominoes 16x16, polyominoes 8x8, interleaved runs). Its arrays
come in named tuples that are unpacked at its head, which costs nothing (0.084 to 0.235 s against
0.109 to 0.244 s); read from the tuples inside the loop, the fields took 3 to 6 times as long.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numba import types

from twostep.dlx_backend.bits.table import WordArray
from twostep.dlx_backend.kernel import FIRST_REGISTER, NODES, UPDATES
from twostep.dlx_backend.states.stages import COUNT, GIVE_COLOUR, TAKE
from twostep.models.language.model import BoolArray, IntArray, LongArray

# The registers: the scalars of the loops, kept between two calls.
BARREN, EDGES, TRIED, FIRST_RESET = range(FIRST_REGISTER, FIRST_REGISTER + 4)
"""States that led nowhere; steps that were noted; options, or pairs, that were tried at states.
Never set back, as NODES and UPDATES."""
USED, FREE, N_FREE, FILLED, FIRST, DEEPEST, LIVE, ARRIVED, PAIRED, REGISTERS = range(
    FIRST_RESET, FIRST_RESET + 10
)
"""Entries used so far; the first free one again (-1: none), and how many; entries in the hash
table; the first and the last stage with states; the states that wait, and those at the limit; the
portions of pairs done."""

PAUSED, NEEDS_ROOM, NEEDS_LIMB = range(3)
"""Why the loop came back: the budget or the end; more room is needed; another limb is needed."""

HEADROOM = 40
"""Bits of the highest limb that stay free before an addition: a stage has fewer options."""

PORTION = 64
"""So many pairs of states at a time, when branches are combined; they count as one node."""

_u = np.uint64


class Stored(NamedTuple):
    """The states that wait, in a hash table.

    Attributes:
        keys: (entries, words) the state.
        stage_of: (entries,) its stage; -1: taken up, or free.
        after: (entries,) the next entry of the stage, or the next free one; -1: none.
        counts: (entries, limbs) the ways to reach it, lowest limb first.
        head: (stages + 1,) the first entry of each stage; -1: none.
        table: (twice the entries,) the hash table: entry + 1; 0: empty. What was taken up stays
            until it is rebuilt.
        edges: (room, 3) if it has room, entries are kept and each step is noted: parent, rank (-1:
            none taken), child (-1: the end).
    """

    keys: WordArray
    stage_of: IntArray
    after: IntArray
    counts: WordArray
    head: IntArray
    table: IntArray
    edges: IntArray


class Decisions(NamedTuple):
    """What :class:`~twostep.dlx_backend.states.stages.Stages` says, as arrays."""

    item_word: LongArray
    item_bit: WordArray
    single: BoolArray
    group: LongArray
    clear: WordArray
    checks: LongArray
    check: LongArray
    masks: WordArray
    specials: LongArray
    special: LongArray


class DeadEnds(NamedTuple):
    """What :class:`~twostep.dlx_backend.states.lookahead.Lookahead` says, as arrays."""

    starts: LongArray
    places: LongArray
    dead: BoolArray


class Meeting(NamedTuple):
    """Two sets of states that meet at a stage, and the ways to each."""

    left: WordArray
    left_counts: WordArray
    right: WordArray
    right_counts: WordArray


_words, _longs, _ints, _bools = (
    types.Array(scalar, 1, "C")
    for scalar in (types.uint64, types.int64, types.int32, types.boolean)
)
_word_rows, _long_rows, _int_rows, _bool_rows = (
    types.Array(scalar, 2, "C")
    for scalar in (types.uint64, types.int64, types.int32, types.boolean)
)
_STORED = types.NamedTuple((_word_rows, _ints, _ints, _word_rows, _ints, _ints, _int_rows), Stored)
_DECISIONS = types.NamedTuple(
    (
        _longs,
        _words,
        _bools,
        _longs,
        _word_rows,
        _longs,
        _long_rows,
        _word_rows,
        _longs,
        _long_rows,
    ),
    Decisions,
)
_DEAD_ENDS = types.NamedTuple((_longs, _long_rows, _bool_rows), DeadEnds)
_MEETING = types.NamedUniTuple(_word_rows, 4, Meeting)


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
    types.int64(
        _STORED,
        _longs,
        _DECISIONS,
        _DEAD_ENDS,
        _MEETING,
        types.int64,
        types.int64,
        types.boolean,
        types.int64,
    ),
    cache=True,
    error_model="numpy",
)
def run(  # type: ignore[no-untyped-def]
    stored, register, decisions, dead_ends, meeting, meeting_at, limit, depth_first, budget,
):  # fmt: skip
    """Take up to `budget` states, or pairs of states, and add their ways to what they lead to.

    Gives why it came back: PAUSED, NEEDS_ROOM or NEEDS_LIMB.

    Args:
        stored: see :class:`Stored`.
        register: the scalars, see BARREN and following.
        decisions: see :class:`Decisions`.
        dead_ends: see :class:`DeadEnds`.
        meeting: see :class:`Meeting`.
        meeting_at: the stage where they meet; -1: they don't, states that wait are taken up.
        limit: the stage where states stay.
        depth_first: whether to take the deepest states first.
        budget: how many states, or portions of :data:`PORTION` pairs.
    """
    keys, stage_of, after, counts, head, table, edges = stored
    item_word, item_bit, single, group, clear, checks, check, masks, specials, special = decisions
    starts, places, dead = dead_ends
    left, left_counts, right, right_counts = meeting
    zero = _u(0)
    one = _u(1)
    n_stages = len(single)
    words = keys.shape[1]
    limbs = counts.shape[1]
    capacity = len(keys)
    lid = len(table) - len(table) // 3
    bits = _u(len(table) - 1)
    record = len(edges) > 0
    combining = meeting_at >= 0
    looking = len(dead) > 0
    portions = (len(right) + PORTION - 1) // PORTION
    state = np.empty(words, dtype=np.uint64)
    child = np.empty(words, dtype=np.uint64)
    number = np.empty(limbs, dtype=np.uint64)
    taken = 0
    entry = 0
    status = PAUSED
    while taken < budget and status == PAUSED:
        if combining:
            if register[PAIRED] == len(left) * portions:
                break
            stage = meeting_at
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
            status = NEEDS_ROOM
            break
        taken += 1
        rank = begin
        register[TRIED] += end - begin
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
                        if kind == GIVE_COLOUR:
                            if value == zero:
                                child[w] |= bound << shift
                            elif value != bound:
                                fits = False
                                break
                        elif kind == TAKE:
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
                    status = NEEDS_LIMB
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
def rebuild(keys, stage_of, table, used):  # type: ignore[no-untyped-def]
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
