"""In which order to cover the items: candidates, and how wide the frontier of each is.

Covering items in a fixed order, an option is chosen for the first of its items. After some items
the *frontier* is what these choices can have touched among the later items: all that the rest of
the search depends on. A narrow frontier means few different sub-problems, and dead ends that show
early. On boards it is narrow along the short side, with the pieces (which everything touches) at
the end; :func:`by_frontier` finds such orders for any model without knowing what a board is.
"""

from __future__ import annotations

import numba
import numpy as np
import numpy.typing as npt

from twostep.dlx_backend.costs import GREEDY_STEPS, LIKENESS, SWEEP_CORNERS, SWEEP_PAIRS
from twostep.dlx_backend.problem import Problem
from twostep.models.language.model import BoolArray, IntArray, LongArray


def ranked(
    problem: Problem,
    closable: BoolArray,
    bits: npt.NDArray[np.float64],
    *,
    sweeping: bool = True,
) -> list[IntArray]:
    """The candidates, those of the narrowest frontier first; `bits`: see :func:`widths`."""
    return sorted(
        candidates(problem, closable, sweeping=sweeping),
        key=lambda order: states(problem, order, bits),
    )


def states(problem: Problem, order: IntArray, bits: npt.NDArray[np.float64]) -> float:
    """The logarithm (base 2) of a bound on the number of different states on the way."""
    return float(np.logaddexp2.reduce(widths(problem, order, bits), initial=0.0))


def candidates(problem: Problem, closable: BoolArray, *, sweeping: bool = True) -> list[IntArray]:
    """Orders of the `closable` items of a problem, none twice, the model's own order first.

    `sweeping`: with those of :func:`sweeps`, which take longer to work out.
    """
    natural = np.flatnonzero(closable).astype(np.int32)
    uses = np.bincount(problem.items, minlength=problem.n_items)
    found = [
        natural,
        natural[np.argsort(uses[natural], kind="stable")],
        _few_first(natural, uses),
    ]
    if len(natural) * len(problem.items) <= GREEDY_STEPS:
        found += [order := by_frontier(problem, closable), order[::-1].copy()]
        if sweeping:
            found += sweeps(problem, closable)
    distinct: dict[bytes, IntArray] = {}
    for order in found:
        distinct.setdefault(order.tobytes(), order)
    return list(distinct.values())


def _few_first(natural: IntArray, uses: LongArray) -> IntArray:
    """The natural order, but items with far more options than most (pieces) at the end."""
    if not len(natural):
        return natural
    hub = uses[natural] > 2 * np.median(uses[natural])
    return np.concatenate([natural[~hub], natural[hub]])


def by_frontier(
    problem: Problem, closable: BoolArray, start: int = -1, *, newest: bool = False
) -> IntArray:
    """An order made step by step: next comes the open item that opens the fewest others.

    Of several, the one that has been open longest, or the `newest`. `start`: the item to begin
    with; -1: one that has few neighbours.
    """
    owner = np.repeat(np.arange(problem.n_options, dtype=np.int32), np.diff(problem.starts))
    by_item = np.argsort(problem.items, kind="stable")
    heads = np.zeros(problem.n_items + 1, dtype=np.int64)
    np.cumsum(np.bincount(problem.items, minlength=problem.n_items), out=heads[1:])
    order: IntArray = _by_frontier(
        problem.starts.astype(np.int64),
        problem.items,
        heads,
        owner[by_item],
        closable,
        start,
        newest,
    )
    return order


@numba.njit(
    "int32[::1](int64[::1], int32[::1], int64[::1], int32[::1], boolean[::1], int64, boolean)",
    cache=True,
    error_model="numpy",
)
def _by_frontier(  # type: ignore[no-untyped-def]
    starts, items, heads, options, closable, start, newest
):
    """The loop of :func:`by_frontier`; `options` by item, item `i` from ``heads[i]`` on."""
    n_items = len(heads) - 1
    n_order = 0
    for item in range(n_items):
        if closable[item]:
            n_order += 1
    order = np.empty(n_order, dtype=np.int32)
    taken = np.zeros(len(starts) - 1, dtype=np.bool_)  # options whose first item is known
    closed = np.zeros(n_items, dtype=np.bool_)
    opened = np.zeros(n_items, dtype=np.int64)  # when, from 1; 0: not yet
    stamp = np.zeros(n_items, dtype=np.int64)
    marks = 0
    for step in range(n_order):
        best = start if step == 0 else -1
        best_new = 0
        best_age = 0
        for item in range(n_items):
            if not closable[item] or closed[item] or opened[item] == 0:
                continue
            marks += 1
            new = 0
            for place in range(heads[item], heads[item + 1]):
                option = options[place]
                if taken[option]:
                    continue
                for entry in range(starts[option], starts[option + 1]):
                    other = items[entry]
                    if opened[other] == 0 and stamp[other] != marks:
                        stamp[other] = marks
                        new += 1
                if best >= 0 and new > best_new:
                    break
            age = -opened[item] if newest else opened[item]
            if best < 0 or new < best_new or (new == best_new and age < best_age):
                best = item
                best_new = new
                best_age = age
        if best < 0:  # a new part: start with an item that has few neighbours
            for item in range(n_items):
                if closable[item] and not closed[item]:
                    marks += 1
                    new = 0
                    for place in range(heads[item], heads[item + 1]):
                        option = options[place]
                        for entry in range(starts[option], starts[option + 1]):
                            if stamp[items[entry]] != marks:
                                stamp[items[entry]] = marks
                                new += 1
                    if best < 0 or new < best_new:
                        best = item
                        best_new = new
        order[step] = best
        closed[best] = True
        opened[best] = step + 1
        for place in range(heads[best], heads[best + 1]):
            option = options[place]
            if not taken[option]:
                taken[option] = True
                for entry in range(starts[option], starts[option + 1]):
                    if opened[items[entry]] == 0:
                        opened[items[entry]] = step + 1
    return order


def sweeps(problem: Problem, closable: BoolArray) -> list[IntArray]:
    """Orders that move across the items from one corner to another, line by line.

    Neighbours are items that are nearly as alike (by the options they share, out of those that
    either has) as either is to any other; corners are items with few neighbours, apart from each
    other. The items are sorted by their distance from one corner less that from another: on a
    board with the corners of a long side, these are lines along the short side. What has no
    neighbours comes at the end.
    """
    n = problem.n_items
    lengths = np.diff(problem.starts)
    if not problem.n_options or (lengths.astype(np.int64) ** 2).sum() + n * n > SWEEP_PAIRS:
        return []
    left = np.repeat(np.arange(len(problem.items)), np.repeat(lengths, lengths))
    heads = np.repeat(problem.starts[:-1], lengths)[left]
    ends = np.cumsum(np.repeat(lengths, lengths))
    right = (
        heads
        + np.arange(len(left))
        - np.repeat(ends - np.repeat(lengths, lengths), np.repeat(lengths, lengths))
    )
    pairs = problem.items[left].astype(np.int64) * n + problem.items[right]
    shared = np.bincount(pairs, minlength=n * n).reshape(n, n)
    uses = shared.diagonal().copy()
    np.fill_diagonal(shared, 0)
    likeness = shared / np.maximum(uses[:, None] + uses - shared, 1)
    most = likeness.max(axis=1)
    near = (likeness > LIKENESS * most) & (likeness > LIKENESS * most[:, None])
    near &= closable[:, None] & closable
    degree = near.sum(axis=1)
    reach = (shared > 0).sum(axis=1)
    places = np.flatnonzero(closable & (degree > 0))
    chosen: list[IntArray] = []  # the corners' distances to all items
    order = places[np.lexsort((places, reach[places], degree[places]))]
    for item in order:
        if len(chosen) < SWEEP_CORNERS and all(distance[item] > 2 for distance in chosen):
            chosen.append(_distances(near, int(item)))
    found = []
    rest = np.flatnonzero(closable & (degree == 0))
    for start in range(len(chosen)):
        for end in range(len(chosen)):
            if start != end:
                a, b = chosen[start][places], chosen[end][places]
                line = places[np.lexsort((places, a, a - b))]
                found.append(np.concatenate([line, rest]).astype(np.int32))
    return found


def _distances(near: BoolArray, start: int) -> IntArray:
    """How many steps each item is from `start`; what can't be reached is farther than all."""
    n = len(near)
    distance = np.full(n, n, dtype=np.int32)
    edge = np.zeros(n, dtype=np.bool_)
    edge[start] = True
    steps = 0
    while edge.any():
        distance[edge] = steps
        edge = near[edge].any(axis=0) & (distance == n)
        steps += 1
    return distance


def widths(
    problem: Problem, order: IntArray, bits: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """(len(order),) the frontier's width after each item of the order is covered.

    An item counts, with its `bits` (that it takes to remember its state), from the first option
    that can touch it until it is covered itself or, if it is none of the order, until the last
    option that can touch it.
    """
    n = len(order)
    place = np.full(problem.n_items, n, dtype=np.int64)
    place[order] = np.arange(n)
    result: npt.NDArray[np.float64] = _widths(problem.starts, problem.items, place, n, bits)
    return result


@numba.njit(
    "float64[::1](int32[::1], int32[::1], int64[::1], int64, float64[::1])",
    cache=True,
    error_model="numpy",
)
def _widths(starts, items, place, n, bits):  # type: ignore[no-untyped-def]
    """The loop of :func:`widths`; `place`: of each item in the order, `n` if it is none of it."""
    n_items = len(place)
    first = np.full(n_items, n, dtype=np.int64)
    last = np.full(n_items, -1, dtype=np.int64)
    for option in range(len(starts) - 1):
        when = np.int64(n)
        for entry in range(starts[option], starts[option + 1]):
            when = min(when, place[items[entry]])
        for entry in range(starts[option], starts[option + 1]):
            item = items[entry]
            first[item] = min(first[item], when)
            last[item] = max(last[item], when)
    change = np.zeros(n + 1, dtype=np.float64)
    for item in range(n_items):
        end = place[item] if place[item] < n else last[item]
        if first[item] < end:
            change[first[item]] += bits[item]
            change[end] -= bits[item]
    width = np.empty(n, dtype=np.float64)
    total = 0.0
    for at in range(n):
        total += change[at]
        width[at] = total
    return width
