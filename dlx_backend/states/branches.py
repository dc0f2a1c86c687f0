"""Independent parts inside a search: where the order of items branches, and what that saves.

Covering items in an order, the rest of the search depends on the items that the options chosen so
far can have touched. Taken item by item, that makes a tree, the elimination tree of sparse matrices
(Liu, SIAM J. Matrix Anal. Appl. 11, 1990, p. 134): an item's *boundary* is what its options, and
those of the items below it, can touch that comes later; the first item of the boundary is its
parent. Two items of which neither is above the other are independent: what is chosen at one can
clash with what is chosen at the other only in items above both.

So a *branch*, an item with all that is below it, can be counted by itself, before its parent: how
many ways lead to each state of its boundary. Two branches are then combined state by state, the
numbers multiplied (nonserial dynamic programming: Bertele and Brioschi, 1972). That pays where the
rooms of a board meet at narrow doors: one frontier across all of it would hold the doors of
finished rooms open in every state of the next room.

An example: items a b c d e in this order, options a, ab, b, be, c, cd, d, de, e.

1. The options of a touch b, those of b touch e: a has the parent b, and b has e. In the same way c
   has the parent d, and d has e. So a-b and c-d are two branches that meet at e.
2. The first leads to e free in 2 ways (a and b; ab) and to e covered in 1 (a and be). The second,
   counted by itself from an empty state, leads to the same with 2 and 1 ways.
3. Combined: free and free, 2 * 2 = 4 ways; covered and free, 1 * 2 + 2 * 1 = 4; covered twice is a
   clash. At e, a free one is covered by the option e: there are 8 solutions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numba
import numpy as np

from twostep.dlx_backend.bits.table import lowest, population
from twostep.dlx_backend.costs import (
    BRANCH_ITEMS,
    FORK_STATES,
    FRONTIER_STARTS,
    FRUITLESS_TRIES,
    GREEDY_STEPS,
    PAIR_STATES,
    TRY_STATES,
    WIDEST_BITS,
)  # fmt: skip
from twostep.dlx_backend.orders import by_frontier, widths
from twostep.dlx_backend.problem import Problem
from twostep.dlx_backend.roles import Roles
from twostep.dlx_backend.states.stages import field_bits, owners
from twostep.models.language.model import BoolArray, IntArray, LongArray


@dataclass(frozen=True, slots=True)
class Arrangement:
    """An order of items in which every branch stands together, just before its parent.

    Attributes:
        order: the items.
        forks: (begin, end) the branches to be counted by themselves and then combined with what
            was counted before them: the items ``order[begin:end]``; nested or apart.
        cost: a bound on the states, and the pairs of states, on the way.
    """

    order: IntArray
    forks: tuple[tuple[int, int], ...]
    cost: float


def arrange(
    problem: Problem, roles: Roles, order: IntArray, bits: LongArray, *, forking: bool = True
) -> Arrangement:
    """The branches of an order, and which of them to count by themselves: none unless `forking`.

    `bits`: (items,) what it takes to remember an item's state. An item that isn't needed has no
    stage of its own; all options that touch it are put on one way up, by a link between them.
    """
    n = len(order)
    owner = np.repeat(owners(problem, roles, order), np.diff(problem.starts))
    place = np.full(problem.n_items, -1, dtype=np.int64)
    place[order] = np.arange(n)
    needed = roles.needed
    # Which later items an option is tied to: the needed ones; without any, all that are in order,
    # so that the first of them stays the first.
    tied = place[problem.items]
    tied[~needed[problem.items] & needed[order[owner]]] = -1
    lasting = np.where(~needed & (bits > 0), n + np.cumsum(~needed), -1)
    touched = np.concatenate([tied, lasting[problem.items]])
    above = [0] * n  # what the options of a place touch, as bits: places, and n + k for the others
    places: dict[int, int] = {}  # of these others: the places whose options touch it
    base = n + problem.n_items + 1
    pairs = np.unique((np.tile(owner, 2) * base + touched)[touched >= 0])
    for at, other in zip((pairs // base).tolist(), (pairs % base).tolist(), strict=True):
        if other > at:
            above[at] |= 1 << other
        if other >= n:
            places[other] = places.get(other, 0) | 1 << at
    expiring = [0] * n
    for other, touching in places.items():
        above[(touching & -touching).bit_length() - 1] |= touching & (touching - 1)
        expiring[touching.bit_length() - 1] |= 1 << other

    kinds: dict[int, int] = {}  # number of bits: the places of which it is the width
    for item in np.flatnonzero(bits).tolist():
        at = int(place[item] if needed[item] else lasting[item])
        kinds[int(bits[item])] = kinds.get(int(bits[item]), 0) | 1 << at

    def width(places: int) -> float:
        open_bits = sum(size * (places & kind).bit_count() for size, kind in kinds.items())
        return min(float(open_bits), WIDEST_BITS)

    boundary = [0] * n
    children: list[list[int]] = [[] for _ in range(n + 1)]
    trunk = [0.0] * (n + 1)  # the cost of what carries on, and of what branches off below
    aside = [0.0] * (n + 1)
    apart = [False] * n
    for at in range(n + 1):
        children[at].sort(key=lambda child: -trunk[child])
        reach = 0
        for number, child in enumerate(children[at]):
            here = width(reach)
            carried = 2.0**here * trunk[child]
            alone = (
                trunk[child] + FORK_STATES + PAIR_STATES * 2.0 ** (here + width(boundary[child]))
            )
            apart[child] = forking and number > 0 and alone < carried / 2
            if apart[child]:
                aside[at] += alone
            else:
                trunk[at] += carried
            aside[at] += aside[child]
            reach |= boundary[child]
        if at < n:
            boundary[at] = (reach | above[at]) & ~(1 << at) & ~expiring[at]
            trunk[at] += 2.0 ** width(boundary[at])
            parent = (boundary[at] & -boundary[at]).bit_length() - 1
            children[parent if 0 <= parent < n else n].append(at)

    arranged: list[int] = []
    forks: list[tuple[int, int]] = []
    begun: list[int] = [0] * n
    ahead = [(child, False) for child in reversed(children[n])]
    while ahead:
        at, finished = ahead.pop()
        if not finished:
            begun[at] = len(arranged)
            ahead.append((at, True))
            ahead += [(child, False) for child in reversed(children[at])]
            continue
        arranged.append(at)
        if apart[at]:
            forks.append((begun[at], len(arranged)))
    return Arrangement(order[arranged], tuple(forks), trunk[n] + aside[n])


def search(
    problem: Problem,
    roles: Roles,
    closable: BoolArray,
    order: IntArray,
    enough: float,
    *,
    forking: bool = True,
) -> Arrangement | None:
    """The cheapest arrangement that some tries find; None: none costs less than `enough`.

    Tried are the `order` at hand, one of least fill, and orders by a frontier that moves on from
    all over. These are good the other way round, too: what was reached last, the far ends of all
    ways, comes first then. The more the best costs, the more is tried.
    """
    if len(order) > BRANCH_ITEMS:
        return None
    bits = field_bits(problem)
    best = arrange(problem, roles, order, bits, forking=forking)
    for tries, another in enumerate(_orders(problem, roles, closable, order, bits), 1):
        found = arrange(problem, roles, another, bits, forking=forking)
        best = min(best, found, key=lambda arrangement: arrangement.cost)
        if best.cost < TRY_STATES * tries or (tries == FRUITLESS_TRIES and best.cost >= enough):
            break
    return best if best.cost < enough else None


def _orders(
    problem: Problem, roles: Roles, closable: BoolArray, order: IntArray, bits: LongArray
) -> Iterator[IntArray]:
    width = float(widths(problem, order, bits.astype(np.float64)).max(initial=0.0))
    narrow = least_fill(problem, roles, closable, bits, width)
    if narrow is not None:
        yield narrow
    items = np.flatnonzero(closable)
    if len(items) * len(problem.items) <= GREEDY_STEPS:
        for start in items[
            np.linspace(0, len(items) - 1, FRONTIER_STARTS, dtype=np.int64)
        ].tolist():
            for newest in (False, True):
                yield (order := by_frontier(problem, closable, start, newest=newest))[::-1].copy()
                yield order


def least_fill(
    problem: Problem, roles: Roles, closable: BoolArray, bits: LongArray, narrower: float
) -> IntArray | None:
    """An order of the closable items with boundaries of fewer than so many items; None: it fails.

    Step by step the item goes next whose neighbours, which become its boundary, lack the fewest
    links among each other (the least fill-in, as for sparse matrices).
    """
    items = np.flatnonzero(closable).astype(np.int32)
    if not 0 < len(items) * problem.n_options <= GREEDY_STEPS:
        return None
    place = np.full(problem.n_items, -1, dtype=np.int64)
    place[items] = np.arange(len(items))
    order = _least_fill(
        problem.starts, problem.items, place, ~roles.needed & (bits > 0), len(items), narrower
    )
    return items[order] if len(order) else None


@numba.njit(
    "int64[::1](int32[::1], int32[::1], int64[::1], boolean[::1], int64, float64)",
    cache=True,
    error_model="numpy",
)
def _least_fill(starts, items, place, linking, n, narrower):  # type: ignore[no-untyped-def]
    """The loop of :func:`least_fill`; nothing if a boundary is too wide.

    Args:
        starts, items: the problem's entries.
        place: (items,) the number of each item that is to be put in order; -1: it isn't.
        linking: (items,) whether all the items of all options that touch it become neighbours.
        n, narrower: how many items there are; how many neighbours are too many.
    """
    one = np.uint64(1)
    words = (n + 63) >> 6
    masks = np.zeros((len(starts) - 1, words), dtype=np.uint64)
    links = np.zeros((len(place), words), dtype=np.uint64)
    for option in range(len(starts) - 1):
        for entry in range(starts[option], starts[option + 1]):
            at = place[items[entry]]
            if at >= 0:
                masks[option, at >> 6] |= one << np.uint64(at & 63)
        for entry in range(starts[option], starts[option + 1]):
            for w in range(words):
                links[items[entry], w] |= masks[option, w]
    near = np.zeros((n, words), dtype=np.uint64)
    for item in range(len(place)):
        if place[item] >= 0:
            for w in range(words):
                near[place[item], w] |= links[item, w]
        if linking[item]:
            for w in range(words):
                rest = links[item, w]
                while rest:
                    at = (w << 6) + np.int64(lowest(rest))
                    rest &= rest - one
                    for x in range(words):
                        near[at, x] |= links[item, x]
    for at in range(n):
        near[at, at >> 6] &= ~(one << np.uint64(at & 63))

    order = np.empty(n, dtype=np.int64)
    degree = np.empty(n, dtype=np.int64)
    missing = np.full(n, -1, dtype=np.int64)  # twice the links missing; -1: to be counted
    gone = np.zeros(n, dtype=np.bool_)
    touched = np.empty(words, dtype=np.uint64)
    for step in range(n):
        best = -1
        for at in range(n):
            if gone[at]:
                continue
            if missing[at] < 0:
                degree[at] = 0
                missing[at] = 0
                for w in range(words):
                    rest = near[at, w]
                    degree[at] += np.int64(population(rest))
                    while rest:
                        other = (w << 6) + np.int64(lowest(rest))
                        rest &= rest - one
                        missing[at] -= 1  # itself
                        for x in range(words):
                            missing[at] += np.int64(population(near[at, x] & ~near[other, x]))
            if (
                best < 0
                or missing[at] < missing[best]
                or (missing[at] == missing[best] and degree[at] < degree[best])
            ):
                best = at
        if degree[best] >= narrower:
            return order[:0].copy()
        order[step] = best
        gone[best] = True
        for w in range(words):
            touched[w] = near[best, w]
        for w in range(words):
            rest = near[best, w]
            while rest:
                at = (w << 6) + np.int64(lowest(rest))
                bit = rest & (~rest + one)
                rest ^= bit
                missing[at] = -1
                for x in range(words):
                    if missing[best] > 0:
                        near[at, x] |= near[best, x]
                near[at, w] &= ~bit
                near[at, best >> 6] &= ~(one << np.uint64(best & 63))
                if missing[best] > 0:
                    for x in range(words):
                        touched[x] |= near[at, x]
        if missing[best] > 0:  # new links change what is missing around all their ends
            for w in range(words):
                rest = touched[w]
                while rest:
                    missing[(w << 6) + np.int64(lowest(rest))] = -1
                    rest &= rest - one
    return order
