"""Which order of items the frontier takes, and where it branches.

1. The orders at hand (:mod:`twostep.dlx_backend.orders`), the narrowest frontier first.
2. If the bound on its states is high, others, and what branches save
   (:mod:`twostep.dlx_backend.states.branches`), are looked for.
3. If nothing better was found, a trial can show the best of the first few.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from twostep.dlx_backend import orders
from twostep.dlx_backend.compiling import loading
from twostep.dlx_backend.costs import (
    CLEARLY_BETTER,
    LAYOUT_ENTRY_NS,
    LONGER_TRIAL_STATES,
    MOST_BITS,
    SEEK_ORDERS_STATES,
    STATES_BYTES,
    TRIAL_STATES,
    TRIED_ORDERS,
)  # fmt: skip
from twostep.dlx_backend.problem import Problem
from twostep.dlx_backend.roles import Roles
from twostep.dlx_backend.states.frontier import Frontier
from twostep.dlx_backend.states.stages import closable, field_bits, stages
from twostep.models.language.model import IntArray

if TYPE_CHECKING:
    from twostep.dlx_backend.states.branches import Arrangement


@dataclass(frozen=True, slots=True)
class Layout:
    """How a problem may be laid out for the frontier.

    Attributes:
        problem, roles: the problem.
        ranked: the orders at hand, the narrowest first.
        arrangement: something better than all of them, if it was found.
        states: a bound on the states of the best.
    """

    problem: Problem
    roles: Roles
    ranked: list[IntArray]
    arrangement: Arrangement | None
    states: float

    @classmethod
    def of(
        cls, problem: Problem, roles: Roles, *, searching: bool = True, forking: bool = True
    ) -> Layout:
        """Rank the orders at hand.

        `searching`: look for others, too, if these are bad; `forking`: branches may be counted by
        themselves.
        """
        bits = field_bits(problem).astype(np.float64)
        items = closable(problem, roles)
        ranked = orders.ranked(problem, items, bits)
        states = 2.0 ** min(orders.states(problem, ranked[0], bits), MOST_BITS)
        found = None
        if searching and states > SEEK_ORDERS_STATES:
            with loading():
                from twostep.dlx_backend.states.branches import search
            found = search(
                problem, roles, items, ranked[0], states / CLEARLY_BETTER, forking=forking
            )
        return cls(problem, roles, ranked, found, states if found is None else found.cost)

    def frontier(
        self, memory: int | None = None, *, trial: float = 0.0, record: bool = False
    ) -> Frontier:
        """The frontier; `trial`: what a trial may cost that shows the best order, ns.

        `memory`: bytes for its states; None: :data:`STATES_BYTES`.
        """
        if self.arrangement is not None:
            order, forks = self.arrangement.order, self.arrangement.forks
        else:
            order, forks = self._best_by_trial(trial) if trial else self.ranked[0], ()
        room = STATES_BYTES if memory is None else memory
        return Frontier(stages(self.problem, self.roles, order, forks), room, record)

    def _best_by_trial(self, budget: float) -> IntArray:
        """The order that gets through its stages with the fewest states.

        The bound by which they are ranked counts states that can't occur; in a trial, an order
        that has come further with the same number of states is nearly always the one with fewer
        in all. `budget`: for all of it, ns.
        """
        setting_up = LAYOUT_ENTRY_NS * len(self.problem.items)
        tried = int(min(TRIED_ORDERS, budget / 2 / max(setting_up, 1.0)))
        if tried < 2:
            return self.ranked[0]
        leading = [
            Frontier(stages(self.problem, self.roles, order)) for order in self.ranked[:tried]
        ]
        places = list(range(len(leading)))
        first, longer = budget / 4 / tried, budget / 8
        for states, cost in ((TRIAL_STATES, first), (LONGER_TRIAL_STATES, longer)):
            for place in places:
                leading[place].advance_within(states, cost)
                if leading[place].done:
                    return self.ranked[place]
            places.sort(key=lambda place: -leading[place].stage)
            places = places[:2]
        return self.ranked[places[0]]
