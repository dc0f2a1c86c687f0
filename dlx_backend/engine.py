"""The engine: chooses a kernel, drives it in slices, and delivers what it finds."""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from twostep.dlx_backend import compiling as _compiling  # noqa: F401 - compiling stops the clock
from twostep.dlx_backend.problem import Problem, demand_addable, prepare
from twostep.models.language.model import Feature, IntArray, Model, Solution
from twostep.models.search.clock import CLOCK
from twostep.models.search.delivery import Delivery
from twostep.models.search.engine import NO_LIMITS, Limits, Receiver, SearchResult, Watch, demand

if TYPE_CHECKING:
    from twostep.dlx_backend.diagram import Diagram

SLICE_SECONDS = 0.03
"""How long a kernel runs before the engine looks at the clock, the watcher and Ctrl-C."""

_BUFFER = 1 << 16
COUNT_ONLY: IntArray = np.empty(0, dtype=np.int32)
"""As `out` of :meth:`Kernel.advance`: solutions are only counted."""


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

        `out` gets each solution as its length and its options; empty: they are only counted.
        """


@dataclass(frozen=True, slots=True)
class DlxEngine:
    """Dancing links: all of the language, solutions in a fixed order.

    Attributes:
        workers: threads that share a search which only counts; solutions are shown by one.
    """

    name: str = "dlx"
    features: frozenset[Feature] = frozenset(Feature)
    workers: int = 1

    def with_workers(self, workers: int, model: Model) -> DlxEngine | None:
        """The engine with several threads; None: they don't help with this model."""
        from twostep.dlx_backend.bits import Roles

        return replace(self, workers=workers) if Roles.of(prepare(model)).simple else None

    def search(
        self,
        model: Model,
        limits: Limits = NO_LIMITS,
        *,
        receive: Receiver | None = None,
        watch: Watch | None = None,
        seed: int = 0,
    ) -> SearchResult:
        """Enumerate the solutions (see :class:`twostep.models.search.engine.Engine`)."""
        demand(self, model.features)
        _load_kernels()
        delivery = Delivery(model, limits, receive, watch)
        kernel = enumerate_into(delivery, prepare(model, seed), limits, self.workers)
        return delivery.result(self.name, kernel.nodes, kernel.updates)

    def count(
        self, model: Model, limits: Limits = NO_LIMITS, *, watch: Watch | None = None
    ) -> SearchResult:
        """The number of solutions, without visiting them where that is faster (see ``Counts``)."""
        demand(self, model.features)
        if model.side_condition is not None or limits.solutions is not None:
            return self.search(model, limits, watch=watch)
        _load_kernels()
        with CLOCK.standing():
            from twostep.dlx_backend.counting import count
        return count(model, limits, watch, self.name, self.workers)

    def diagram(
        self, model: Model, limits: Limits = NO_LIMITS, *, watch: Watch | None = None
    ) -> tuple[Diagram | None, SearchResult]:
        """All solutions as a decision diagram; None if a limit ended it (see ``Diagrams``)."""
        with CLOCK.standing():
            from twostep.dlx_backend.diagram import diagram
        return diagram(model, limits, watch, self.name)

    def best(
        self,
        model: Model,
        k: int,
        limits: Limits = NO_LIMITS,
        *,
        watch: Watch | None = None,
        below: int | None = None,
    ) -> tuple[tuple[Solution, ...], SearchResult]:
        """The `k` cheapest solutions, by branch and bound (see ``Optimises``)."""
        with CLOCK.standing():
            from twostep.dlx_backend.links import Links
        demand(self, model.features | {Feature.COSTS})
        demand_addable(model)
        kept: list[tuple[int, Solution]] = []  # minus the costs; a heap, the dearest on top
        problem = prepare(model, cheapest_first=True)
        base = model.cost(model.chosen)
        kernel = Links.of(problem, bounded=True)
        if below is not None:
            kernel.set_ceiling(below - base)

        def keep(solution: Solution) -> bool:
            heapq.heappush(kept, (-model.cost(solution), solution))
            if len(kept) > k:
                heapq.heappop(kept)
            if len(kept) == k:
                kernel.set_ceiling(-kept[0][0] - base)
            return False

        delivery = Delivery(model, limits, keep, watch)
        if problem.possible and delivery.stopped is None and k > 0:
            _drive(kernel, problem, delivery, limits, batch=1)
        ordered = sorted((-less, solution) for less, solution in kept)
        cheapest = tuple(solution for _, solution in ordered)
        return cheapest, delivery.result(self.name, kernel.nodes, kernel.updates)


def _load_kernels() -> None:
    """Import what nearly every search takes, while no clock runs: compiled, or read from disk.

    What is only needed now and then is imported when it is, the clock standing still again.
    """
    with CLOCK.standing():
        import numpy.ma  # noqa: F401  Numba needs it for the first array that it is given.

        from twostep.dlx_backend import choose, crew, fewest, inorder, orders, probe  # noqa: F401


def enumerate_into(
    delivery: Delivery, problem: Problem, limits: Limits = NO_LIMITS, workers: int = 1
) -> Kernel:
    """Search a problem with the kernel that suits it; gives the kernel, for its counters."""
    from twostep.dlx_backend.choose import choose
    from twostep.dlx_backend.crew import shared

    kernel = choose(problem, replay=limits.nodes is None)
    if not delivery.wants_solutions and limits.solutions is None:
        kernel = shared(kernel, workers)
    if problem.possible and delivery.stopped is None:
        _drive(kernel, problem, delivery, limits)
    return kernel


def _drive(
    kernel: Kernel, problem: Problem, delivery: Delivery, limits: Limits, batch: int = _BUFFER
) -> None:
    """Run `kernel` in slices until it is done or the delivery says to end."""
    out = COUNT_ONLY
    if delivery.wants_solutions:
        out = np.empty(_BUFFER + kernel.longest + 1, dtype=np.int32)
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
            found = kernel.advance(budget, wanted, out)
            if delivery.wants_solutions:
                for solution in _decode(out, found, problem):
                    if delivery.offer(solution):
                        return
            elif delivery.add(found):
                return
            if not kernel.done and delivery.pulse(kernel.nodes, kernel.updates):
                return
            if kernel.nodes - before == budget:
                budget = next_budget(budget, began)
    except KeyboardInterrupt:
        delivery.cancel()


def next_budget(budget: int, began: float) -> int:
    """How many nodes make a slice, after `budget` of them that began at that time."""
    took = max(time.perf_counter() - began, 1e-6)
    return int(min(max(budget * min(SLICE_SECONDS / took, 8.0), 64), 1 << 40))


def _decode(out: IntArray, found: int, problem: Problem) -> Iterator[Solution]:
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
