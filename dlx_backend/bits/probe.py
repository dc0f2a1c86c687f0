"""How large is the search tree? Random walks down it (Knuth 1975; TAOCP 7.2.2, formula (28)).

A walk that sees d1 children, takes one at random, sees d2 and so on, estimates the number of
nodes as d1 + d1 d2 + ...; the mean over many walks is unbiased. The walks use their own
little generator, seeded, so that the estimate (and the choice made by it) is always the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np

from twostep.dlx_backend.bits.table import BitTable, WordArray, lowest, population
from twostep.models.search.estimates import Estimate

_u = np.uint64


@dataclass(frozen=True, slots=True)
class Tree:
    """Expected size of a tree: its nodes, and how many options die in all of them together."""

    nodes: Estimate
    died: float


def in_order(table: BitTable, walks: int) -> Estimate:
    """The nodes of the tree of :mod:`twostep.dlx_backend.bits.inorder`."""
    found = _in_order(table.masks, table.compatible, table.group, table.everything(), walks)
    return Estimate.of_sums(walks, *found)


def fewest_first(table: BitTable, of_item: WordArray, walks: int) -> Tree:
    """The tree of :mod:`twostep.dlx_backend.bits.fewest`; `of_item`: see ``Fewest``."""
    nodes, squares, died = _fewest(
        table.masks, table.compatible, of_item, table.everything(), walks
    )
    return Tree(Estimate.of_sums(walks, nodes, squares), died / walks)


@numba.njit("uint64(uint64)", cache=True)
def _step(state):  # type: ignore[no-untyped-def]
    """Marsaglia's xorshift64."""
    state ^= state << _u(13)
    state ^= state >> _u(7)
    state ^= state << _u(17)
    return state


@numba.njit("int64(uint64[::1], uint64[::1], int64)", cache=True)
def _pick(alive, mask, k):  # type: ignore[no-untyped-def]
    """The place of the `k`-th (from 0) bit of ``alive & mask``."""
    for w in range(len(alive)):
        word = alive[w] & mask[w]
        count = np.int64(population(word))
        if k < count:
            for _ in range(k):
                word &= word - _u(1)
            return (w << 6) + np.int64(lowest(word))
        k -= count
    return -1


@numba.njit(
    "UniTuple(float64, 2)(uint64[:,::1], uint64[:,::1], int64[::1], uint64[::1], int64)",
    cache=True,
    error_model="numpy",
)
def _in_order(masks, compatible, group, everything, walks):  # type: ignore[no-untyped-def]
    """The sums, over so many walks, of the estimated nodes and of their squares.

    A step: the options to try are the live ones in the range of the first uncovered item; one is
    taken at random, `weight` is multiplied by their number, and `total` grows by it.

    Args:
        masks, compatible, group: see :class:`BitTable`.
        everything: the set of all options.
        walks: how many.
    """
    words = len(everything)
    item_words = masks.shape[1]
    n_needed = len(group) - 1
    live = np.empty(words, dtype=np.uint64)
    covered = np.empty(item_words, dtype=np.uint64)
    found = np.empty(compatible.shape[0], dtype=np.int64)
    state = _u(88172645463325252)
    nodes = 0.0
    squares = 0.0
    for _ in range(walks):
        for w in range(words):
            live[w] = everything[w]
        for x in range(item_words):
            covered[x] = _u(0)
        weight = 1.0
        total = 0.0
        item = np.int64(0)
        while item < n_needed:
            count = 0
            for w in range(group[item] >> 6, (group[item + 1] + 63) >> 6):
                word = live[w]
                while word != _u(0):
                    rank = (w << 6) + np.int64(lowest(word))
                    word &= word - _u(1)
                    if group[item] <= rank < group[item + 1]:
                        found[count] = rank
                        count += 1
            if count == 0:
                break
            weight *= count
            total += weight
            state = _step(state)
            rank = found[np.int64(state >> _u(33)) % count]
            for w in range(words):
                live[w] &= compatible[rank, w]
            item = np.int64(n_needed)
            for x in range(item_words):
                covered[x] |= masks[rank, x]
            for x in range(item_words):
                if covered[x] != ~_u(0):
                    item = (x << 6) + np.int64(lowest(~covered[x]))
                    break
        nodes += total
        squares += total * total
    return nodes, squares


@numba.njit(
    "UniTuple(float64, 3)(uint64[:,::1], uint64[:,::1], uint64[:,::1], uint64[::1], int64)",
    cache=True,
    error_model="numpy",
)
def _fewest(masks, compatible, of_item, everything, walks):  # type: ignore[no-untyped-def]
    """The sums, over so many walks, of the nodes, of their squares, and of the options that died.

    A step: of the uncovered items the one with the fewest live options is branched on, of several
    the first; one of its options is taken at random. The search itself keeps these numbers up to
    date; a walk visits few nodes and counts them anew, in the words where an item has options.

    Args:
        masks, compatible: see :class:`BitTable`.
        of_item: (needed, words) the options of each needed item.
        everything: the set of all options.
        walks: how many.
    """
    words = len(everything)
    item_words = masks.shape[1]
    n_needed = len(of_item)
    begin = np.full(n_needed, words, dtype=np.int64)  # the words where an item's options are
    end = np.zeros(n_needed, dtype=np.int64)
    for item in range(n_needed):
        for w in range(words):
            if of_item[item, w] != _u(0):
                begin[item] = min(begin[item], w)
                end[item] = w + 1
    live = np.empty(words, dtype=np.uint64)
    covered = np.empty(item_words, dtype=np.uint64)
    state = _u(88172645463325252)
    nodes = 0.0
    squares = 0.0
    died = 0.0
    for _ in range(walks):
        for w in range(words):
            live[w] = everything[w]
        for x in range(item_words):
            covered[x] = _u(0)
        weight = 1.0
        total = 0.0
        while True:
            best = -1
            fewest = np.int64(1 << 30)
            for item in range(n_needed):
                if (covered[item >> 6] >> _u(item & 63)) & _u(1):
                    continue
                size = np.int64(0)
                for w in range(begin[item], end[item]):
                    size += np.int64(population(live[w] & of_item[item, w]))
                    if size >= fewest:
                        break
                if size < fewest:
                    fewest = size
                    best = item
            if best < 0 or fewest == 0:
                break
            weight *= fewest
            total += weight
            state = _step(state)
            rank = _pick(live, of_item[best], np.int64(state >> _u(33)) % fewest)
            gone = np.int64(0)
            for w in range(words):
                after = live[w] & compatible[rank, w]
                gone += np.int64(population(live[w] ^ after))
                live[w] = after
            died += weight * gone
            for x in range(item_words):
                covered[x] |= masks[rank, x]
        nodes += total
        squares += total * total
    return nodes, squares, died
