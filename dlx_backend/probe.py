"""How large is the search tree? Random walks down it (Knuth 1975; TAOCP 7.2.2, formula (28)).

A walk that sees d1 children, takes one at random, sees d2 and so on, estimates the number of
nodes as d1 + d1 d2 + ...; the mean over many walks is unbiased. The walks use their own
little generator, seeded, so that the estimate (and the choice made by it) is always the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numba
import numpy as np

from twostep.dlx_backend.bits import BitTable, lowest, population

_u = np.uint64


WORTHLESS = 0.5
"""A relative error of the mean of some walks from which on it says next to nothing."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Expected size of a tree: its nodes, and how many options die in all of them together.

    `error`: the standard error of the nodes, relative to them; infinity if they are too many.
    """

    nodes: float
    died: float
    error: float

    @classmethod
    def of(cls, walks: int, nodes: float, squares: float, died: float = 0.0) -> Estimate:
        """The estimate from so many walks: the sums of nodes, of their squares, of deaths."""
        mean = nodes / walks
        variance = squares / walks - mean * mean  # not a number if they overflow
        error = math.sqrt(max(variance, 0.0) / walks) / mean if variance < math.inf else math.inf
        return cls(mean, died / walks, error)


def in_order(table: BitTable, walks: int) -> Estimate:
    """The tree of :mod:`twostep.dlx_backend.inorder`."""
    found = _in_order(table.masks, table.compatible, table.group, table.everything(), walks)
    return Estimate.of(walks, *found)


def fewest_first(table: BitTable, of_item: np.typing.NDArray[np.uint64], walks: int) -> Estimate:
    """The tree of :mod:`twostep.dlx_backend.fewest`."""
    found = _fewest(table.masks, table.compatible, of_item, table.everything(), walks)
    return Estimate.of(walks, *found)


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
    words = len(everything)
    item_words = masks.shape[1]
    n_needed = len(of_item)
    low = np.zeros(n_needed, dtype=np.int64)
    high = np.zeros(n_needed, dtype=np.int64)
    for item in range(n_needed):  # the words where the item's options are
        low[item] = words
        for w in range(words):
            if of_item[item, w] != _u(0):
                low[item] = min(low[item], w)
                high[item] = w + 1
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
                for w in range(low[item], high[item]):
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
