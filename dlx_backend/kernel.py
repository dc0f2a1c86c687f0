"""What a kernel promises, and how a search is driven with one.

A kernel is a resumable search over one :class:`Problem`: all its state is in arrays, so that its
compiled loop can be left after any number of nodes and entered again.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from twostep.dlx_backend.costs import OUT_NUMBERS, SLICE_SECONDS
from twostep.dlx_backend.problem import Problem
from twostep.models.language.model import IntArray, LongArray, Solution
from twostep.models.search.delivery import Delivery
from twostep.models.search.engine import Limits

COUNT_ONLY: IntArray = np.empty(0, dtype=np.int32)
"""As `out` of :meth:`Kernel.advance`: solutions are only counted."""

NODES, UPDATES, FIRST_REGISTER = range(3)
"""The registers that all compiled searches have: what was done so far. Each has more of its own,
from FIRST_REGISTER on."""


class Kernel(Protocol):
    """A resumable search over one problem."""

    @property
    def done(self) -> bool:
        """Whether the whole search space was seen."""

    @property
    def nodes(self) -> int:
        """Search nodes so far."""

    @property
    def updates(self) -> int:
        """Elementary changes so far."""

    @property
    def longest(self) -> int:
        """The most options a solution can have."""

    def advance(self, nodes: int, wanted: int, out: IntArray) -> int:
        """Visit up to `nodes` nodes or find up to `wanted` solutions; gives the number found.

        `out` gets each solution as its length and its options (the problem's numbering); with an
        empty `out` they are only counted.
        """


@runtime_checkable
class Divisible(Kernel, Protocol):
    """A kernel that can give away a part of what it has to do."""

    def split(self) -> Divisible | None:
        """Another kernel, with about half of what this one still had to do; None: impossible."""


@dataclass(slots=True)
class Registered:
    """A compiled search whose counters are in its registers.

    Attributes:
        register: the scalars of its loop, kept between two calls: NODES, UPDATES, and others.
    """

    register: LongArray

    @property
    def nodes(self) -> int:
        """Nodes, or states, so far."""
        return int(self.register[NODES])

    @property
    def updates(self) -> int:
        """Elementary changes so far."""
        return int(self.register[UPDATES])


@dataclass(slots=True)
class Replay:
    """A search that is over, as a kernel: it hands out what was found."""

    left: int
    kept: IntArray
    nodes: int
    updates: int
    longest: int
    _place: int = 0

    @property
    def done(self) -> bool:
        """Whether all was handed out."""
        return self.left == 0

    def advance(self, nodes: int, wanted: int, out: IntArray) -> int:
        """Hand out up to `wanted` solutions, whatever `nodes` (see :class:`Kernel`)."""
        number = min(wanted, self.left)
        self.left -= number
        if len(out):
            start = self._place
            for _ in range(number):
                self._place += 1 + int(self.kept[self._place])
            out[: self._place - start] = self.kept[start : self._place]
        return number


class Companion(Protocol):
    """What goes on beside a search, and may end it."""

    @property
    def look(self) -> int:
        """At how many nodes of the search it has its next turn."""

    def see(self, solution: Solution) -> None:
        """Take note of a candidate that was found."""

    def settles(self, kernel: Kernel) -> bool:
        """Have a turn; gives whether the search is over, and all was delivered."""


def drive(
    kernel: Kernel,
    problem: Problem,
    delivery: Delivery,
    limits: Limits,
    batch: int = OUT_NUMBERS,
    companion: Companion | None = None,
) -> None:
    """Run `kernel` in slices until it is done or the delivery says to end.

    `batch`: the most solutions that are found before they are delivered.
    """
    out = COUNT_ONLY
    if delivery.wants_solutions:
        out = np.empty(OUT_NUMBERS + kernel.longest + 1, dtype=np.int32)
        batch = max(1, min(batch, len(out) // (kernel.longest + 1)))
    else:
        batch = np.iinfo(np.int64).max
    budget = 256
    try:
        while not kernel.done:
            if limits.nodes is not None:
                budget = min(budget, limits.nodes - kernel.nodes)
            wanted = batch if delivery.wanted is None else min(batch, delivery.wanted)
            if delivery.wants_solutions and delivery.found < 16:
                wanted = min(wanted, 1 + delivery.found)  # show the first ones at once
            began = time.perf_counter()
            before = kernel.nodes
            step = budget
            if companion is not None:
                step = min(budget, max(1, companion.look - before))
            found = kernel.advance(step, wanted, out)
            if delivery.wants_solutions:
                for solution in decode(out, found, problem):
                    if companion is not None:
                        companion.see(solution)
                    if delivery.offer(solution):
                        return
            elif delivery.add(found):
                return
            if not kernel.done and delivery.pulse(kernel.nodes, kernel.updates):
                return
            if companion is not None and not kernel.done and kernel.nodes >= companion.look:
                if companion.settles(kernel):
                    return
            elif kernel.nodes - before == budget:
                budget = next_budget(budget, began)
    except KeyboardInterrupt:
        delivery.cancel()


def next_budget(budget: int, began: float) -> int:
    """How many nodes make a slice, after `budget` of them that began at that time."""
    took = max(time.perf_counter() - began, 1e-6)
    return int(min(max(budget * min(SLICE_SECONDS / took, 8.0), 64), 1 << 40))


def decode(out: IntArray, found: int, problem: Problem) -> Iterator[Solution]:
    """The solutions in a kernel's buffer, in the model's numbering, ascending."""
    if not found:
        return
    width = int(out[0]) + 1
    block = out[: found * width].reshape(found, width) if found * width <= len(out) else out[:0]
    if len(block) and (block[:, 0] == width - 1).all():  # all of one length: at one go
        options = problem.option_ids[block[:, 1:]]
        if problem.chosen:
            chosen = np.tile(np.array(problem.chosen, dtype=np.int32), (found, 1))
            options = np.concatenate([options, chosen], axis=1)
        options.sort(axis=1)
        yield from map(tuple, options.tolist())
        return
    place = 0
    for _ in range(found):
        length = int(out[place])
        options = problem.option_ids[out[place + 1 : place + 1 + length]]
        yield tuple(sorted((*options.tolist(), *problem.chosen)))
        place += 1 + length
