"""A count beside a search for solutions: what the one proves ends the other.

Visiting is fast where solutions are, and slow where it must prove that there are none, or no
others; a count state by state needs no time for that on narrow models (a board of 10x10 cells
without two opposite corners has 1.6 billion nodes, and a thousand states). So when a search has
lasted a while, states are counted in turns with it. If the count comes to its end first, it knows
how many solutions there are: when all of them were found, the search is over; when only some are
asked for, the rest is drawn from a decision diagram (:mod:`twostep.dlx_backend.states.diagram`).

The turns are counted in nodes and states, not timed, so that every machine takes the same steps.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from twostep.dlx_backend.compiling import loading
from twostep.dlx_backend.costs import (
    BESIDE_BYTES,
    BESIDE_FROM_NODES,
    BESIDE_FROM_NS,
    BESIDE_SHARE,
    BESIDE_SHARE_LATER,
    BESIDE_SOLUTIONS,
    BESIDE_STATES,
    LAYOUT_ENTRY_NS,
    NEVER,
    UPDATE_NS,
    VISIT_NS,
)  # fmt: skip
from twostep.dlx_backend.kernel import Kernel
from twostep.dlx_backend.problem import Problem
from twostep.dlx_backend.roles import Roles
from twostep.models.language.model import Model, Solution
from twostep.models.search.delivery import Delivery

if TYPE_CHECKING:
    from twostep.dlx_backend.states.diagram import Diagram
    from twostep.dlx_backend.states.frontier import Frontier
    from twostep.dlx_backend.states.layout import Layout


@dataclass(slots=True)
class Beside:
    """The count of one problem, beside a search of the same; a companion of ``drive``.

    Attributes:
        model, problem: what is searched.
        delivery: where its solutions go.
        memory: bytes that the states may take; the count is given up where they are full.
        look: at how many nodes of the search it has its next turn.
    """

    model: Model
    problem: Problem
    delivery: Delivery
    memory: int = BESIDE_BYTES
    look: int = field(init=False)
    _seen: set[Solution] = field(default_factory=set)
    _frontier: Frontier | None = None
    _spent: float = 0.0

    def __post_init__(self) -> None:
        self.look = BESIDE_FROM_NODES

    def see(self, solution: Solution) -> None:
        """Take note of a candidate that was found, as long as they are few."""
        if len(self._seen) <= BESIDE_SOLUTIONS:
            self._seen.add(solution)

    def settles(self, kernel: Kernel) -> bool:
        """Count for a while; gives whether the search is over."""
        total = self._turn(kernel)
        if total is None:
            return self.delivery.stopped is not None
        self.look = NEVER
        seen = self.delivery.found + self.delivery.rejected
        if seen == total:
            return True
        if seen > len(self._seen) or not self._drawing(total, seen):
            return False
        diagram = self._diagram(kernel)
        if diagram is None:
            return self.delivery.stopped is not None
        for solution in self._rest(diagram):
            if solution not in self._seen and self.delivery.offer(solution):
                break
        return True

    def _drawing(self, total: int, seen: int) -> bool:
        """Whether the rest is drawn from a diagram, of so many solutions in all."""
        wanted = self.delivery.wanted
        return seen == 0 or (wanted is not None and wanted <= BESIDE_SOLUTIONS)

    def _rest(self, diagram: Diagram) -> Iterable[Solution]:
        """The solutions to deliver, unless they were seen."""
        return diagram

    def _turn(self, kernel: Kernel) -> int | None:
        """Spend a share of what the search has spent; gives the number of solutions if known."""
        self.look = 2 * kernel.nodes
        cost = VISIT_NS * kernel.nodes + UPDATE_NS * kernel.updates
        allowed = cost * (BESIDE_SHARE if self.delivery.found < 2 else BESIDE_SHARE_LATER)
        if cost < BESIDE_FROM_NS or self._spent >= allowed:
            return None
        frontier = self._frontier
        if frontier is None:
            setting_up = LAYOUT_ENTRY_NS * len(self.problem.items)
            if setting_up > allowed:
                return None
            self._spent += setting_up
            frontier = self._frontier = self._layout().frontier(self._room)
        while not frontier.done and self._spent < allowed:
            before = frontier.cost
            frontier.advance(BESIDE_STATES if before else 100)
            self._spent += frontier.cost - before
            if frontier.depth_first:
                self.look = NEVER
                return None
            if self.delivery.pulse(kernel.nodes, kernel.updates):
                return None
        return frontier.total if frontier.done else None

    def _diagram(self, kernel: Kernel) -> Diagram | None:
        """All solutions as a diagram; None: it is too large, or a limit ends it."""
        frontier = self._layout(forking=False).frontier(self._room, record=True)
        while not frontier.done:
            frontier.advance(BESIDE_STATES)
            if frontier.full or self.delivery.pulse(kernel.nodes, kernel.updates):
                return None
        from twostep.dlx_backend.states.diagram import recorded

        return recorded(self.model, frontier, self.problem.option_ids)

    @property
    def _room(self) -> int:
        return min(self.memory, BESIDE_BYTES)

    def _layout(self, *, forking: bool = True) -> Layout:
        with loading():
            from twostep.dlx_backend.states.layout import Layout
        roles = Roles.of(self.problem)
        return Layout.of(self.problem, roles, searching=False, forking=forking)


@dataclass(slots=True)
class BesideBest(Beside):
    """The count beside a search for the cheapest solutions.

    Attributes:
        single: whether only the cheapest is asked for.
    """

    single: bool = False

    def _drawing(self, total: int, seen: int) -> bool:
        one = self.single and self.model.side_condition is None
        return one or total <= BESIDE_SOLUTIONS

    def _rest(self, diagram: Diagram) -> Iterable[Solution]:
        if diagram.total <= BESIDE_SOLUTIONS:
            return diagram
        cheapest = diagram.cheapest()
        return () if cheapest is None else (cheapest,)
