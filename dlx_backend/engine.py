"""The engine: chooses a kernel, drives it in slices, and delivers what it finds."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from twostep.dlx_backend.bits.plain import plain_start
from twostep.dlx_backend.compiling import loading
from twostep.dlx_backend.costs import BESIDE_BYTES
from twostep.dlx_backend.kernel import Kernel, drive
from twostep.dlx_backend.problem import Problem, demand_addable, prepare
from twostep.models.language.model import Feature, Model, Solution
from twostep.models.search.delivery import Delivery
from twostep.models.search.engine import NO_LIMITS, Limits, Receiver, SearchResult, Watch, demand

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from twostep.dlx_backend.proof.prover import Proof
    from twostep.dlx_backend.states.diagram import Diagram
    from twostep.models.search.estimates import TreeEstimate


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
        from twostep.dlx_backend.roles import Roles

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
        delivery = Delivery(model, limits, receive, watch)
        kernel = enumerate_into(delivery, prepare(model, seed), limits, self.workers, model)
        return delivery.result(self.name, kernel.nodes, kernel.updates)

    def count(
        self, model: Model, limits: Limits = NO_LIMITS, *, watch: Watch | None = None
    ) -> SearchResult:
        """The number of solutions, without visiting them where that is faster (see ``Counts``)."""
        demand(self, model.features)
        if model.side_condition is not None or limits.solutions is not None:
            return self.search(model, limits, watch=watch)
        from twostep.dlx_backend.count import count

        return count(model, limits, watch, self.name, self.workers)

    def estimate(self, model: Model, *, seed: int = 0) -> TreeEstimate:
        """Size and solutions of the search tree, by random walks (see ``Estimates``)."""
        from twostep.dlx_backend.proof.estimate import estimate

        return estimate(model, seed=seed)

    def weights(self, model: Model, starts: Sequence[int], walks: int) -> list[float]:
        """The estimated nodes below each state of a plan (see ``Estimates``)."""
        from twostep.dlx_backend.proof.estimate import weights

        return weights(model, starts, walks)

    def prove(
        self, model: Model, limits: Limits = NO_LIMITS, *, watch: Watch | None = None
    ) -> AbstractContextManager[Proof]:
        """A search written as the states of a certificate (see ``Proves``)."""
        from twostep.dlx_backend.proof.prover import prove

        return prove(model, limits, watch=watch)

    def diagram(
        self, model: Model, limits: Limits = NO_LIMITS, *, watch: Watch | None = None
    ) -> tuple[Diagram | None, SearchResult]:
        """All solutions as a decision diagram; None if a limit ended it (see ``Diagrams``)."""
        with loading():
            from twostep.dlx_backend.states.diagram import diagram
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
        with loading():
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
            if below is not None and model.cost(solution) >= below:
                return False
            heapq.heappush(kept, (-model.cost(solution), solution))
            if len(kept) > k:
                heapq.heappop(kept)
            if len(kept) == k:
                kernel.set_ceiling(-kept[0][0] - base)
            return False

        delivery = Delivery(model, limits, keep, watch)
        if problem.possible and delivery.stopped is None and k > 0:
            companion = None
            if limits.nodes is None:
                room = limits.memory or BESIDE_BYTES
                from twostep.dlx_backend.beside import BesideBest

                companion = BesideBest(model, problem, delivery, room, single=k == 1)
            drive(kernel, problem, delivery, limits, batch=1, companion=companion)
        ordered = sorted((-less, solution) for less, solution in kept)
        cheapest = tuple(solution for _, solution in ordered)
        return cheapest, delivery.result(self.name, kernel.nodes, kernel.updates)


def enumerate_into(
    delivery: Delivery,
    problem: Problem,
    limits: Limits = NO_LIMITS,
    workers: int = 1,
    model: Model | None = None,
) -> Kernel:
    """Search a problem with the kernel that suits it; gives the kernel, for its counters.

    With a model, what a count knows may end the search, too, unless its nodes are limited.
    """
    companion = None
    kernel: Kernel | None = None
    if limits.nodes is None:
        kernel = plain_start(problem, in_order=problem.ordered)
    if kernel is None:
        kernel = _compiled(problem, delivery, limits, workers)
        if model is not None and limits.nodes is None and delivery.wants_solutions:
            from twostep.dlx_backend.beside import Beside

            companion = Beside(model, problem, delivery, limits.memory or BESIDE_BYTES)
    if problem.possible and delivery.stopped is None:
        drive(kernel, problem, delivery, limits, companion=companion)
    return kernel


def _compiled(problem: Problem, delivery: Delivery, limits: Limits, workers: int) -> Kernel:
    """The compiled kernel for a problem."""
    from twostep.dlx_backend.choose import choose, load_kernels

    load_kernels()
    kernel = choose(problem, replay=limits.nodes is None)
    if workers == 1 or delivery.wants_solutions or limits.solutions is not None:
        return kernel
    from twostep.dlx_backend.crew import shared

    return shared(kernel, workers)
