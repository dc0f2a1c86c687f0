"""The first nodes of a search in plain Python: most questions are small, and Numba loads slowly.

Importing Numba and its compiled loops takes 0.6 s of processor time, a node here some 10 to 40
microseconds. So a search begins here, and if it is through within :data:`PLAIN_NODES` that is the
answer; if not, the compiled kernel starts from the beginning. The steps are exactly those of
:mod:`twostep.dlx_backend.bits.fewest` and :mod:`twostep.dlx_backend.bits.inorder` (the same
solutions in the same order, the same nodes and updates), with a Python integer as a bitset. Where
these are loaded, or many such starts have cost as much as loading them, they are taken at once.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from twostep.dlx_backend.costs import (
    PLAIN_ENTRIES,
    PLAIN_NODES,
    PLAIN_STEPS,
    PLAIN_STEPS_IN_ALL,
    TRIAL_NUMBERS,
)
from twostep.dlx_backend.kernel import Replay
from twostep.dlx_backend.problem import Problem
from twostep.dlx_backend.roles import Roles

Level = tuple[int, int, int]
"""The live options, the covered items, the options still to be tried; the last 0: a dead end."""
Step = Callable[[int, int, int], Level | None]
"""From the live options, the covered items and a rank to the next level; None: a solution."""


def plain_start(problem: Problem, *, in_order: bool) -> Replay | None:
    """A search that is through soon, as what it found; None: it isn't, or has no such form.

    `in_order`: cover the needed items in the problem's order; else the fewest options first.
    """
    roles = Roles.of(problem)
    if _PURSE.empty or len(problem.items) > PLAIN_ENTRIES or not roles.tabular(problem):
        return None
    search = _Search.of(problem, roles)
    finished = search.in_order() if in_order else search.fewest_first()
    _PURSE.pay(2 * len(problem.items) + search.nodes * search.n_needed)
    if not finished:
        return None
    kept = np.array(search.out, dtype=np.int32)
    return Replay(search.found, kept, search.nodes, search.updates, search.n_needed)


class _Purse:
    """What all starts in plain Python may cost in this process, steps."""

    def __init__(self) -> None:
        self._left = PLAIN_STEPS_IN_ALL

    @property
    def empty(self) -> bool:
        """Whether it is spent, or the compiled kernels are loaded anyway."""
        return self._left <= 0 or "twostep.dlx_backend.bits.fewest" in sys.modules

    def pay(self, steps: int) -> None:
        """Spend some steps."""
        self._left -= steps


_PURSE = _Purse()


@dataclass(slots=True)
class _Search:
    """A problem with its options as bits, and what was found so far.

    Attributes:
        n_needed: how many needed items there are.
        options: the problem's option at each rank.
        covers: for each rank the needed items as bits.
        of_item: for each needed item its options as bits, by rank.
        conflicts: for each rank its entries: the options that each of them excludes.
        out: each solution as its length and its options.
    """

    n_needed: int
    options: list[int]
    covers: list[int]
    of_item: list[int]
    conflicts: list[list[int]]
    found: int = 0
    nodes: int = 0
    updates: int = 0
    out: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, problem: Problem, roles: Roles) -> _Search:
        needed = roles.in_turn(problem)
        n = len(needed)
        place = np.full(problem.n_items, n, dtype=np.int64)
        place[needed] = np.arange(n)
        first = np.minimum.reduceat(place[problem.items], problem.starts[:-1])
        options = first.argsort(kind="stable").tolist()
        places, items, colours = place.tolist(), problem.items.tolist(), problem.colours.tolist()
        starts = problem.starts.tolist()
        matters = (roles.needed | roles.limited).tolist()
        with_item: dict[int, int] = {}
        with_colour: dict[tuple[int, int], int] = {}
        covers = []
        for rank, option in enumerate(options):
            bit, mask = 1 << rank, 0
            for entry in range(starts[option], starts[option + 1]):
                item = items[entry]
                with_item[item] = with_item.get(item, 0) | bit
                if colours[entry]:
                    key = item, colours[entry]
                    with_colour[key] = with_colour.get(key, 0) | bit
                if places[item] < n:
                    mask |= 1 << places[item]
            covers.append(mask)
        conflicts = [
            [
                with_item[items[x]] & ~with_colour.get((items[x], colours[x]), 0)
                for x in range(starts[option], starts[option + 1])
                if matters[items[x]]
            ]
            for option in options
        ]
        of_item = [with_item.get(item, 0) for item in needed.tolist()]
        return cls(n, options, covers, of_item, conflicts)

    def _left(self, live: int, rank: int) -> int:
        """What of the live options fits beside an option."""
        for clash in self.conflicts[rank]:
            live &= ~clash
        return live

    def _solved(self, chosen: list[int]) -> None:
        self.found += 1
        self.out.append(len(chosen))
        self.out += [self.options[rank] for rank in chosen]

    def _search(self, live: int, covered: int, untried: int, step: Step) -> bool:
        """Search a tree; gives whether it is through."""
        levels = [(live, covered, untried)]
        chosen: list[int] = []
        limit = min(PLAIN_NODES, PLAIN_STEPS // self.n_needed)
        while levels:
            live, covered, untried = levels[-1]
            if not untried:
                levels.pop()
                if chosen:
                    chosen.pop()
                continue
            if self.nodes == limit or len(self.out) > TRIAL_NUMBERS:
                return False
            self.nodes += 1
            rank = (untried & -untried).bit_length() - 1
            levels[-1] = live, covered, untried & (untried - 1)
            child = step(live, covered | self.covers[rank], rank)
            if child is None:
                self._solved([*chosen, rank])
            elif child[2]:
                levels.append(child)
                chosen.append(rank)
        return True

    def fewest_first(self) -> bool:
        """Branch on the item with the fewest live options, of several the first."""
        everything = (1 << len(self.options)) - 1
        sizes = [mine.bit_count() for mine in self.of_item]
        fewest = min(sizes)
        if not fewest:
            return True
        return self._search(everything, 0, self.of_item[sizes.index(fewest)], self._step_fewest)

    def _step_fewest(self, live: int, covered: int, rank: int) -> Level | None:
        after = self._left(live, rank)
        died = live ^ after
        best, fewest, dead_word = -1, len(self.options) + 1, -1
        for item, mine in enumerate(self.of_item):
            if covered >> item & 1:
                continue
            size = (after & mine).bit_count()
            if not size:  # noticed in the word of its last option
                word = (live & mine).bit_length() - 1 >> 6
                dead_word = word if dead_word < 0 else min(dead_word, word)
            elif size < fewest:
                best, fewest = item, size
        if dead_word >= 0:
            self.updates += (died & ((1 << 64 * (dead_word + 1)) - 1)).bit_count()
            return 0, 0, 0
        self.updates += died.bit_count()
        return None if best < 0 else (after, covered, after & self.of_item[best])

    def in_order(self) -> bool:
        """Branch on the first uncovered item, whatever its options."""
        everything = (1 << len(self.options)) - 1
        return self._search(everything, 0, self._firsts()[0], self._step_in_order)

    def _firsts(self) -> list[int]:
        """For each needed item the options of which it is the first."""
        firsts = [0] * self.n_needed
        for rank, mask in enumerate(self.covers):
            firsts[(mask & -mask).bit_length() - 1] |= 1 << rank
        return firsts

    def _step_in_order(self, live: int, covered: int, rank: int) -> Level | None:
        free = ~covered
        item = (free & -free).bit_length() - 1
        if item >= self.n_needed:
            return None
        after = self._left(live, rank)
        alive = after & self.of_item[item]  # all earlier items are covered: it is their first
        if alive:
            words = len(self.options) + 63 >> 6
            self.updates += words - (self._begin(item) >> 6)
        return after, covered, alive

    def _begin(self, item: int) -> int:
        """The first rank of which `item` is the first item."""
        mine = self.of_item[item]
        while True:
            rank = (mine & -mine).bit_length() - 1
            mask = self.covers[rank]
            if (mask & -mask).bit_length() - 1 == item:
                return rank
            mine &= mine - 1
