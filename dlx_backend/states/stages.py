"""The decisions of a count in a fixed order, and what each does to the bits of a state.

Each *stage* is a decision. For a needed item: which of the options that have it as their first
needed item is taken (none if it is covered already). For an item that may be covered once and is in
no option with a needed item: which of the options that have it first is taken, if any. For any
other option: whether it is taken. The *state* after a stage is all that the rest depends on: of
each item that earlier options can have touched and later ones still can, whether it is covered, its
colour, how often it was covered.

A state is a few bits: an item has its field only from the first stage that can touch it until the
last, and the places of fields are used again, as registers are in a compiler (linear scan: Poletto
and Sarkar, ACM TOPLAS 21, 1999, p. 895). On a board of dominoes the state is one bit for each cell
of the short side.

An example: dominoes on 2x3 cells, taken in the order a d b e c f::

    a b c
    d e f

1. Stage 0 is cell a, with the options ad and ab; it has no field, since nothing earlier covers it.
   From here on b and d can be covered: b has bit 0, d bit 1.
2. Stage 1 is cell d, with the option de (ad is decided at stage 0). e gets bit 2.
3. Stage 2 is cell b, with be and bc. d is decided, so c gets bit 1, which is free again.
4. Stage 3 is cell e, with ef; f gets bit 0, which was b's. Stage 4 is cell c, with cf, and stage 5
   cell f, with no option of its own: it must be covered by then.

So a state has three bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from twostep.dlx_backend.bits.table import WordArray
from twostep.dlx_backend.costs import LOOKAHEAD_STAGES
from twostep.dlx_backend.problem import Problem
from twostep.dlx_backend.roles import Roles
from twostep.models.language.model import UNLIMITED, BoolArray, IntArray, LongArray

GIVE_COLOUR, TAKE, COUNT, COUNT_UP_TO = range(4)
"""What an option does to a field of more than one bit: give it its colour; take it if nobody has;
count once more, if there is room; count once more, but no further than enough."""


@dataclass(frozen=True, slots=True)
class Stages:
    """The order of decisions, and what each does to the bits of a state.

    Attributes:
        item_word, item_bit: (stages,) where stage `s` sees whether its item is covered; bit 0:
            nothing before can have covered it.
        single: (stages,) whether the stage may take none of its options.
        group: (stages + 1,) stage `s` decides about the ranks ``group[s] .. group[s + 1] - 1``.
        options: (ranks,) the problem's option at each rank.
        clear: (stages + 1, words) the fields that expire when the stage is entered.
        checks: (stages + 1,) into `check`: what must have been covered often enough by then.
        check: (checks, 4) word, shift, mask of the field, the least it must be.
        masks: (ranks, words) the one-bit fields that an option takes.
        specials: (ranks + 1,) into `special`: what it does to other fields.
        special: (specials, 5) word, shift, mask, one of GIVE_COLOUR ..., its value or upper bound.
        possible: False if some item can't be covered often enough at all.
        forks: (begin, end) the stages of a branch that is counted by itself, from an empty state,
            and then combined with the states that wait at `begin`; nested or apart.
        near: (ranks,) bit `x`: the option covers the item of the stage that is `x` later;
            0 < x < LOOKAHEAD_STAGES.
        fields: (fields, 4) of each needed item that has one: word and shift of its bit, the stage
            that can touch it first, and its own.
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
    forks: tuple[tuple[int, int], ...]
    near: LongArray
    fields: LongArray

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

    The needed items, the :func:`leavable` ones, and the primary items of options that have none of
    those.
    """
    chosen = roles.needed | leavable(problem, roles)
    has = np.zeros(problem.n_options, dtype=np.bool_)
    owner = np.repeat(np.arange(problem.n_options), np.diff(problem.starts))
    has[owner[chosen[problem.items]]] = True
    primary = problem.items < problem.n_primary
    chosen[problem.items[primary & ~has[owner]]] = True
    return chosen


def leavable(problem: Problem, roles: Roles) -> BoolArray:
    """(items,) items that have a stage of their own though they may stay uncovered.

    A cell that may stay empty: that is one more choice at its stage. They may be covered once, have
    no colour, and none of their options has a needed item (whose stage would decide about it).
    """
    owner = np.repeat(np.arange(problem.n_options), np.diff(problem.starts))
    decided = np.zeros(problem.n_options, dtype=np.bool_)
    decided[owner[roles.needed[problem.items]]] = True
    chosen = roles.limited & (roles.uses > 0)
    chosen[problem.items[decided[owner] | (problem.colours > 0)]] = False
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


def owners(problem: Problem, roles: Roles, order: IntArray) -> LongArray:
    """(options,) the place in the order of the item that decides about an option.

    That is its first needed item or, if it has none, its first item.
    """
    if not problem.n_options:
        return np.empty(0, dtype=np.int64)
    n = len(order)
    place = np.full(problem.n_items, n, dtype=np.int64)
    place[order] = np.arange(n)
    places = place[problem.items]
    needed = np.where(roles.needed[problem.items], places, n)
    first: LongArray = np.minimum.reduceat(needed, problem.starts[:-1])
    return np.where(first < n, first, np.minimum.reduceat(places, problem.starts[:-1]))


def stages(
    problem: Problem, roles: Roles, order: IntArray, forks: Sequence[tuple[int, int]] = ()
) -> Stages:
    """Lay out the decisions.

    `order`: the :func:`closable` items; `forks`: (begin, end) the branches of the order that are
    counted by themselves, see :mod:`twostep.dlx_backend.states.branches`.
    """
    n, n_items, n_primary = problem.n_options, problem.n_items, problem.n_primary
    starts, items = problem.starts.tolist(), problem.items.tolist()
    colours = problem.colours.tolist()
    may_stay = leavable(problem, roles)
    staged = (roles.needed | may_stay).tolist()
    owner = owners(problem, roles, order)
    options = np.argsort(owner, kind="stable").astype(np.int32)
    stage_item: list[int] = []  # -1: an option alone
    group = [0]
    begins = [0]  # for each place in the order, and the end
    for item, size in zip(order.tolist(), np.bincount(owner, minlength=len(order)), strict=True):
        if staged[item]:
            stage_item.append(item)
            group.append(group[-1] + int(size))
        else:
            stage_item += [-1] * int(size)
            group += range(group[-1] + 1, group[-1] + int(size) + 1)
        begins.append(len(stage_item))
    n_stages = len(stage_item)
    own = {item: stage for stage, item in enumerate(stage_item) if item >= 0}

    # When each item is touched first and last.
    stage_of = np.empty(n, dtype=np.int64)
    stage_of[options] = np.repeat(np.arange(n_stages), np.diff(group))
    touched = np.repeat(stage_of, np.diff(problem.starts))
    first_touch = np.full(n_items, n_stages, dtype=np.int64)
    last_touch = np.full(n_items, -1, dtype=np.int64)
    np.minimum.at(first_touch, problem.items, touched)
    np.maximum.at(last_touch, problem.items, touched)
    uses = np.bincount(problem.items, minlength=n_items)
    most, bounded = _bounds(problem, uses)
    low = problem.low.tolist()

    bits = field_bits(problem).tolist()
    opening: list[list[int]] = [[] for _ in range(n_stages + 1)]
    closing: list[list[int]] = [[] for _ in range(n_stages + 1)]
    for item in range(n_items):
        start = int(first_touch[item])
        end = own[item] if staged[item] else int(last_touch[item]) + 1
        if bits[item] == 0 or end <= start:
            continue
        once = end == start + 1 and stage_item[start] >= 0
        if not staged[item] and once and (item >= n_primary or low[item] == 0):
            continue  # at most one option touches it: nothing to remember
        opening[start].append(item)
        # The bit of an item with a stage is cleared when that is stepped over.
        closing[end + 1 if staged[item] else end].append(item)
    spot, width = _allocate(opening, closing, bits)

    words = max(1, width)
    clear = np.zeros((n_stages + 1, words), dtype=np.uint64)
    checks = [0]
    check: list[tuple[int, int, int, int]] = []
    for stage in range(n_stages + 1):
        for item in closing[stage]:
            if staged[item]:
                continue
            word, shift = spot[item]
            mask = (1 << bits[item]) - 1
            clear[stage, word] |= np.uint64(mask << shift)
            if item < n_primary and low[item] > 0:
                check.append((word, shift, mask, low[item]))
        checks.append(len(check))

    colour_value = _colour_values(problem)
    masks = np.zeros((n, words), dtype=np.uint64)
    specials = [0]
    special: list[tuple[int, int, int, int, int]] = []
    for rank, option in enumerate(options.tolist()):
        for entry in range(starts[option], starts[option + 1]):
            item = items[entry]
            if item not in spot or own.get(item) == stage_of[option]:
                continue
            word, shift = spot[item]
            mask = (1 << bits[item]) - 1
            if colours[entry]:
                value = colour_value[item, colours[entry]]
                special.append((word, shift, mask, GIVE_COLOUR, value))
            elif staged[item] or (bits[item] == 1 and (item >= n_primary or bounded[item])):
                masks[rank, word] |= np.uint64(1 << shift)
            elif item >= n_primary:
                special.append((word, shift, mask, TAKE, mask))
            else:
                kind = COUNT if bounded[item] else COUNT_UP_TO
                special.append((word, shift, mask, kind, int(most[item])))
        specials.append(len(special))
    own_stage = np.full(n_items, -1, dtype=np.int64)
    own_stage[list(own)] = list(own.values())
    later = own_stage[problem.items] - touched
    near = np.where(
        (later > 0) & (later < LOOKAHEAD_STAGES), 1 << np.clip(later, 0, LOOKAHEAD_STAGES), 0
    )
    fields = [(*spot[item], int(first_touch[item]), own[item]) for item in own if item in spot]
    item_word = np.zeros(n_stages, dtype=np.int64)
    item_bit = np.zeros(n_stages, dtype=np.uint64)
    for item, stage in own.items():
        if item in spot:
            word, shift = spot[item]
            item_word[stage], item_bit[stage] = word, np.uint64(1 << shift)
    return Stages(
        item_word=item_word,
        item_bit=item_bit,
        single=np.array([item < 0 or may_stay[item] for item in stage_item], dtype=np.bool_),
        group=np.array(group, dtype=np.int64),
        options=options,
        clear=clear,
        checks=np.array(checks, dtype=np.int64),
        check=np.array(check, dtype=np.int64).reshape(-1, 4),
        masks=masks,
        specials=np.array(specials, dtype=np.int64),
        special=np.array(special, dtype=np.int64).reshape(-1, 5),
        possible=bool((problem.low <= uses[:n_primary]).all()),
        forks=tuple(
            (begins[begin], begins[end]) for begin, end in forks if begins[begin] < begins[end]
        ),
        near=np.bitwise_or.reduceat(near, problem.starts[:-1])[options] if n else near,
        fields=np.array(fields, dtype=np.int64).reshape(-1, 4),
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
