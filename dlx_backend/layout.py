"""Which order of items the frontier takes, and where it branches.

1. The orders at hand (:mod:`twostep.dlx_backend.orders`), the narrowest frontier first.
2. If the bound on its states is high, others, and what branches save
   (:mod:`twostep.dlx_backend.branches`), are looked for.
3. If nothing better was found, a trial can show the best of the first few.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from twostep.dlx_backend import orders
from twostep.dlx_backend.bits import Roles
from twostep.dlx_backend.branches import Arrangement, search
from twostep.dlx_backend.frontier import DEFAULT_MEMORY, Frontier
from twostep.dlx_backend.problem import Problem
from twostep.dlx_backend.stages import closable, field_bits, stages
from twostep.models.language.model import IntArray

MANY = 75_000.0
"""A bound on the states from which on further orders, and branches, are looked for."""

CLEARLY = 2.0
"""So many times better than the best order at hand must another be."""

MOST = 200.0
"""No bound, as a logarithm (base 2), is taken for higher than this."""

TRIED = 6
TRIAL = 20_000
LONGER_TRIAL = 80_000
"""How many orders are tried on so many states each, and the best two on so many more."""


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
        states = 2.0 ** min(orders.states(problem, ranked[0], bits), MOST)
        found = None
        if searching and states > MANY:
            found = search(problem, roles, items, ranked[0], states / CLEARLY, forking=forking)
        return cls(problem, roles, ranked, found, states if found is None else found.cost)

    def frontier(
        self, memory: int | None = None, *, trying: bool = False, record: bool = False
    ) -> Frontier:
        """The frontier; `trying`: let a trial show the best order, if there is nothing better.

        `memory`: bytes for its states; None: :data:`DEFAULT_MEMORY`.
        """
        if self.arrangement is not None:
            order, forks = self.arrangement.order, self.arrangement.forks
        else:
            order, forks = self._best_by_trial() if trying else self.ranked[0], ()
        room = DEFAULT_MEMORY if memory is None else memory
        return Frontier(stages(self.problem, self.roles, order, forks), room, record)

    def _best_by_trial(self) -> IntArray:
        """The order that gets through its stages with the fewest states.

        The bound by which they are ranked counts states that can't occur; in a trial, an order
        that has come further with the same number of states is nearly always the one with fewer
        in all.
        """
        leading = [
            Frontier(stages(self.problem, self.roles, order)) for order in self.ranked[:TRIED]
        ]
        places = list(range(len(leading)))
        for states in (TRIAL, LONGER_TRIAL):
            for place in places:
                leading[place].advance(states)
                if leading[place].done:
                    return self.ranked[place]
            places.sort(key=lambda place: -leading[place].stage)
            places = places[:2]
        return self.ranked[places[0]]
