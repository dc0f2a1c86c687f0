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
from twostep.dlx_backend.roles import Roles
from twostep.models.language.model import IntArray, LongArray

WordArray = npt.NDArray[np.uint64]

ALL_ONES = np.uint64(0xFFFFFFFFFFFFFFFF)

_NO_KINDS: IntArray = np.empty(0, dtype=np.int32)


@intrinsic
def lowest(_typing, _word):  # type: ignore[no-untyped-def]
    """The place of the lowest bit of a word that isn't 0, as an unsigned integer."""

    def generate(context, builder, _signature, arguments):  # type: ignore[no-untyped-def]
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.uint64(types.uint64), generate


@intrinsic
def population(_typing, _word):  # type: ignore[no-untyped-def]
    """How many bits of a word are 1."""

    def generate(_context, builder, _signature, arguments):  # type: ignore[no-untyped-def]
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


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
        kinds, n_kinds = _NO_KINDS, 0
        if problem.has_colours:
            kinds = np.full(len(problem.items), -1, dtype=np.int32)
            coloured = np.flatnonzero(problem.colours > 0)
            pairs = problem.items[coloured].astype(np.int64) << 32 | problem.colours[coloured]
            known, kinds[coloured] = np.unique(pairs, return_inverse=True)
            n_kinds = len(known)
        return cls(
            len(order),
            *_lay_out(
                problem.starts, problem.items, kinds, n_kinds, order, roles.needed, roles.limited
            ),
        )

    def everything(self) -> WordArray:
        """The set of all options."""
        row = np.full(self.words, ALL_ONES, dtype=np.uint64)
        if rest := self.n_options % 64:
            row[-1] = np.uint64((1 << rest) - 1)
        return row


@numba.njit(
    "Tuple((int32[::1], int64[::1], uint64[:,::1], uint64[:,::1], int64[::1], int32[::1]))"
    "(int32[::1], int32[::1], int32[::1], int64, int32[::1], boolean[::1], boolean[::1])",
    cache=True,
    error_model="numpy",
)
def _lay_out(starts, items, kinds, n_kinds, order, needed, limited):  # type: ignore[no-untyped-def]
    """The arrays of a :class:`BitTable`, from `options` on.

    Args:
        starts, items: the problem's entries.
        kinds: for an entry with a colour the number of its pair (item, colour), else -1; empty if
            no entry has one.
        n_kinds: how many such pairs there are.
        order: the needed items, in the table's order.
        needed, limited: see :class:`Roles`.
    """
    n_options = len(starts) - 1
    n_items = len(needed)
    n_order = len(order)
    place = np.full(n_items, n_order, dtype=np.int32)
    for at in range(n_order):
        place[order[at]] = at
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
            if len(kinds) and kinds[entry] >= 0:
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
            if not needed[item] and not limited[item]:
                continue
            if len(kinds) and kinds[entry] >= 0:
                for word in range(words):
                    clash = of_item[item, word] & ~of_kind[kinds[entry], word]
                    compatible[rank, word] |= clash
            else:
                for word in range(words):
                    compatible[rank, word] |= of_item[item, word]
        for word in range(words):
            compatible[rank, word] = ~compatible[rank, word]
    return (
        options, group[: n_order + 1].copy(), masks, compatible, rank_starts,
        rank_items[:fill].copy(),
    )  # fmt: skip
