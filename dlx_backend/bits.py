"""Options as bits: what the two bitset kernels and the probes share.

The options are sorted by their first item in a given order of the needed items, so that the
options whose first item is ``i`` are the consecutive ranks ``group[i] .. group[i + 1] - 1``. A set
of options is a bitset over these ranks, 64 to a word. ``compatible[r]`` holds the options that may
stand beside option `r` in a solution: no common item, or only coloured ones in the same colour.
Everything a conflict can be about (primary, secondary, colours) is in that table; a kernel then
needs only the needed items themselves, to know what is still to be covered.

A problem has this form if every primary item is to be covered exactly once, or at most once and
every option has another item that is needed. Items that can't be covered too often (as many
options as there are may cover them, or none needs to) are no items at all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np
import numpy.typing as npt
from numba.core import types
from numba.extending import intrinsic

from twostep.dlx_backend.problem import Problem
from twostep.models.model import BoolArray, IntArray, LongArray

WordArray = npt.NDArray[np.uint64]

LARGEST = 1 << 14
"""Beyond so many options the table of compatible options (n * n / 8 bytes) is not worth it."""

ALL_ONES = np.uint64(0xFFFFFFFFFFFFFFFF)


@intrinsic
def lowest(_typing, word):  # type: ignore[no-untyped-def]
    """The place of the lowest bit of a word that isn't 0, as an unsigned integer."""

    def generate(context, builder, _signature, arguments):  # type: ignore[no-untyped-def]
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.uint64(types.uint64), generate


@intrinsic
def population(_typing, word):  # type: ignore[no-untyped-def]
    """How many bits of a word are 1."""

    def generate(_context, builder, _signature, arguments):  # type: ignore[no-untyped-def]
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@dataclass(frozen=True, slots=True)
class Roles:
    """What each item of a problem asks for.

    Attributes:
        needed: (items,) exactly once.
        limited: (items,) at most once, or in one colour: the secondary items and those of
            low 0 and high 1.
        simple: whether that is all there is (items without any effect aside) and every option has
            a needed item.
    """

    needed: BoolArray
    limited: BoolArray
    simple: bool

    @classmethod
    def of(cls, problem: Problem) -> Roles:
        """Sort the items of a problem by their role."""
        n_primary, n_items = problem.n_primary, problem.n_items
        uses = np.bincount(problem.items, minlength=n_items)
        needed = np.zeros(n_items, dtype=np.bool_)
        limited = np.zeros(n_items, dtype=np.bool_)
        limited[n_primary:] = True
        needed[:n_primary] = (problem.low == 1) & (problem.high == 1)
        limited[:n_primary] = (problem.low == 0) & (problem.high == 1)
        free = (problem.low == 0) & (problem.high >= uses[:n_primary])
        limited[:n_primary] &= ~free
        simple = bool((needed | limited)[:n_primary][~free].all()) and _all_have(problem, needed)
        return cls(needed, limited, simple)


def _all_have(problem: Problem, kind: BoolArray) -> bool:
    """Whether every option has an item of that kind."""
    if not problem.n_options:
        return True
    return bool(np.logical_or.reduceat(kind[problem.items], problem.starts[:-1]).all())


@dataclass(frozen=True, slots=True)
class Halves:
    """What is still to be tried at a level, cut in two.

    Of mine, `mine` in the word `word` is tried, and then the words before `stop`; of theirs,
    `theirs` in the word `their_word`, and then all words from the next on that were to be tried.
    """

    word: int
    mine: int
    stop: int
    their_word: int
    theirs: int


def halve(word: int, untried: int, later: list[tuple[int, int]]) -> Halves | None:
    """Cut what is to be tried in two: `untried` bits of a word, and later words with their bits.

    None: fewer than two options are left.
    """
    if untried and later:
        return Halves(word, untried, word + 1, word, 0)
    if len(later) >= 2:
        middle = later[len(later) // 2][0]
        return Halves(word, 0, middle, middle - 1, 0)
    if later:
        ((word, untried),) = later
    if untried.bit_count() < 2:
        return None
    theirs = untried
    for _ in range(untried.bit_count() // 2):
        theirs &= theirs - 1  # the lowest stay here
    return Halves(word, untried ^ theirs, word + 1, word, theirs)


@dataclass(frozen=True, slots=True)
class BitTable:
    """The options of a problem as bits, in a given order of the needed items.

    Attributes:
        n_needed: the needed items, numbered 0 .. n_needed - 1 in that order.
        options: (options,) the problem's option at each rank.
        group: (needed + 1,) the ranks whose first item is ``i``.
        masks: (options, words) the needed items of each option.
        compatible: (options, words) the options that fit beside each option.
        starts, items: the needed items of each rank: ``items[starts[r]:starts[r + 1]]``.
    """

    n_needed: int
    options: IntArray
    group: LongArray
    masks: WordArray
    compatible: WordArray
    starts: LongArray
    items: IntArray

    @property
    def n_options(self) -> int:
        """How many options there are."""
        return len(self.options)

    @property
    def words(self) -> int:
        """How many words a set of options has."""
        return int(self.compatible.shape[1])

    @classmethod
    def of(cls, problem: Problem, roles: Roles, order: IntArray) -> BitTable:
        """Lay out a simple problem; `order`: its needed items, all of them."""
        place = np.full(problem.n_items, len(order), dtype=np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        kinds = np.full(len(problem.items), -1, dtype=np.int32)
        n_kinds = 0
        if problem.has_colours:
            coloured = np.flatnonzero(problem.colours > 0)
            pairs = problem.items[coloured].astype(np.int64) << 32 | problem.colours[coloured]
            known, kinds[coloured] = np.unique(pairs, return_inverse=True)
            n_kinds = len(known)
        return cls(
            len(order),
            *_lay_out(
                problem.starts, problem.items, kinds, place, roles.needed | roles.limited,
                len(order), n_kinds,
            ),
        )  # fmt: skip

    def everything(self) -> WordArray:
        """The set of all options."""
        row = np.full(self.words, ALL_ONES, dtype=np.uint64)
        if rest := self.n_options % 64:
            row[-1] = np.uint64((1 << rest) - 1)
        return row


@numba.njit(
    "Tuple((int32[::1], int64[::1], uint64[:,::1], uint64[:,::1], int64[::1], int32[::1]))"
    "(int32[::1], int32[::1], int32[::1], int32[::1], boolean[::1], int64, int64)",
    cache=True,
    error_model="numpy",
)
def _lay_out(starts, items, kinds, place, relevant, n_order, n_kinds):  # type: ignore[no-untyped-def]
    """The arrays of a :class:`BitTable`, from `options` on.

    Args:
        starts, items: the problem's entries.
        kinds: for an entry with a colour the number of its pair (item, colour), else -1.
        place: (items,) the place of each needed item in the order, `n_order` for all others.
        relevant: (items,) whether options can clash in the item.
        n_order, n_kinds: how many needed items and how many pairs there are.
    """
    n_options = len(starts) - 1
    n_items = len(place)
    words = (n_options + 63) >> 6
    # Sort by the first item, counting.
    first = np.empty(n_options, dtype=np.int32)
    group = np.zeros(n_order + 2, dtype=np.int64)
    for option in range(n_options):
        least = np.int32(n_order)
        for entry in range(starts[option], starts[option + 1]):
            least = min(least, place[items[entry]])
        first[option] = least
        group[least + 1] += 1
    for item in range(n_order + 1):
        group[item + 1] += group[item]
    following = group.copy()
    options = np.empty(n_options, dtype=np.int32)
    for option in range(n_options):
        options[following[first[option]]] = option
        following[first[option]] += 1

    of_item = np.zeros((n_items, words), dtype=np.uint64)
    of_kind = np.zeros((n_kinds, words), dtype=np.uint64)
    masks = np.zeros((n_options, (n_order + 63) >> 6), dtype=np.uint64)
    rank_starts = np.zeros(n_options + 1, dtype=np.int64)
    rank_items = np.empty(len(items), dtype=np.int32)
    fill = 0
    for rank in range(n_options):
        bit = np.uint64(1) << np.uint64(rank & 63)
        for entry in range(starts[options[rank]], starts[options[rank] + 1]):
            item = items[entry]
            of_item[item, rank >> 6] |= bit
            if kinds[entry] >= 0:
                of_kind[kinds[entry], rank >> 6] |= bit
            at = place[item]
            if at < n_order:
                masks[rank, at >> 6] |= np.uint64(1) << np.uint64(at & 63)
                rank_items[fill] = at
                fill += 1
        rank_starts[rank + 1] = fill
    compatible = np.zeros((n_options, words), dtype=np.uint64)
    for rank in range(n_options):
        for entry in range(starts[options[rank]], starts[options[rank] + 1]):
            item = items[entry]
            kind = kinds[entry]
            if not relevant[item]:
                continue
            if kind >= 0:
                for word in range(words):
                    compatible[rank, word] |= of_item[item, word] & ~of_kind[kind, word]
            else:
                for word in range(words):
                    compatible[rank, word] |= of_item[item, word]
        for word in range(words):
            compatible[rank, word] = ~compatible[rank, word]
    return (
        options, group[: n_order + 1].copy(), masks, compatible, rank_starts,
        rank_items[:fill].copy(),
    )  # fmt: skip
