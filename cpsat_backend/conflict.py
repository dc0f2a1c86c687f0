"""Which items already conflict, by CP-SAT's assumptions.

A model without a solution has sets of items that cannot all be covered often enough, even if
everything else may stay uncovered. Here a smallest such set is found: by the hitting set duality
of unsatisfiable cores (Ignatiev, Previti, Liffiton, Marques-Silva, "Smallest MUS extraction with
minimal hitting set dualization", CP 2015). Every set of items that *can* be covered together
gives a demand: a conflict has an item outside of it. A smallest set that meets all demands
seen so far is either a conflict, then a smallest one, or gives a new demand.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from ortools.sat.python import cp_model

from twostep.cpsat_backend.running import solve
from twostep.cpsat_backend.status import Status
from twostep.models.errors import EngineFault, UnsupportedFeature
from twostep.models.language.model import NO_COLOUR, Feature, Model
from twostep.models.search.abilities import Conflict

_WIDEN_WORK = 1.0
"""How much CP-SAT works to widen a satisfiable set of items: its "deterministic time", which is
about seconds but the same on a busy machine; more gives stronger demands."""


def find_conflict(model: Model, seconds: float | None = None) -> Conflict | None:
    """A smallest conflict of a model without solutions; None: none was found in time.

    Args:
        model: without a side condition.
        seconds: wall clock, s; when it is over, the best conflict so far is given.

    Raises:
        ValueError: the model has a solution.
        UnsupportedFeature: a side condition.
    """
    if Feature.SIDE_CONDITION in model.features:
        raise UnsupportedFeature("conflicts are not sought in models with a side condition")
    return _Search(model, seconds).run()


class _Search:
    """One model, and the searches for its conflicts under a common clock."""

    def __init__(self, model: Model, seconds: float | None) -> None:
        self._deadline = None if seconds is None else time.monotonic() + seconds
        self._problem = cp_model.CpModel()
        self._options = [self._problem.new_bool_var("") for _ in range(model.n_options)]
        covering: list[list[Any]] = [[] for _ in model.items]
        colours: list[list[int]] = [[] for _ in model.items]
        for option, variable in enumerate(self._options):
            for item, colour in model.option(option):
                covering[item].append(variable)
                colours[item].append(colour)
        for item, variables in enumerate(covering):
            high = int(model.high[item])
            if not model.primary[item]:
                self._one_colour(zip(variables, colours[item], strict=True))
            elif high == 1:
                self._problem.add_at_most_one(variables)
            elif high < len(variables):
                self._problem.add(sum(variables) <= high)
        for option in model.chosen:
            self._problem.add_bool_or([self._options[option]])
        # One literal for each item that must be covered: if true, it is covered often enough.
        self._demand: dict[int, Any] = {}
        for item in range(model.n_items):
            low = int(model.low[item])
            if not model.primary[item] or low == 0:
                continue
            literal = self._problem.new_bool_var("")
            self._demand[item] = literal
            if low == 1:
                self._problem.add_bool_or([*covering[item], ~literal])
            else:
                enough = self._problem.add(sum(covering[item]) >= low)
                enough.only_enforce_if(literal)
        self._item_of = {literal.index: item for item, literal in self._demand.items()}

    def _one_colour(self, users: Iterable[tuple[Any, int]]) -> None:
        """Let a secondary item have one colour, or be covered once, by these options."""
        shared: dict[int, Any] = {}
        alone: list[Any] = []
        for variable, colour in users:
            if colour == NO_COLOUR:
                alone.append(variable)
                continue
            if colour not in shared:
                shared[colour] = self._problem.new_bool_var("")
            self._problem.add_implication(variable, shared[colour])
        self._problem.add_at_most_one([*alone, *shared.values()])

    def run(self) -> Conflict | None:
        """Find a conflict, drop what is needless, then look for a smaller one."""
        core = self._core(self._demand)
        if core is None:
            return None
        irreducible = True
        for item in sorted(core):
            if len(core) == 1 or item not in core:
                continue
            smaller = self._core(core - {item}, may_be_satisfiable=True)
            if smaller is None:
                irreducible = False
                break
            core = smaller or core
        smallest = self._smallest(core) if irreducible else None
        if smallest is not None:
            return Conflict(tuple(sorted(smallest)), smallest=True, irreducible=True)
        return Conflict(tuple(sorted(core)), smallest=False, irreducible=irreducible)

    def _smallest(self, upper: set[int]) -> set[int] | None:
        """A conflict with as few items as any; None: time ran out.

        `upper` is a conflict without a needless item.
        """
        demands: list[set[int]] = []
        while True:
            hitting = self._hitting_set(demands)
            if hitting is None:
                return None
            if len(hitting) >= len(upper):
                return upper  # no conflict is smaller than a smallest hitting set
            core = self._core(hitting, may_be_satisfiable=True)
            if core is None:
                return None
            if core:
                return core
            demands.append(set(self._demand) - self._widened(hitting))

    def _hitting_set(self, demands: list[set[int]]) -> set[int] | None:
        problem = cp_model.CpModel()
        taken = {item: problem.new_bool_var("") for item in sorted(self._demand)}
        for demand in demands:
            problem.add_bool_or([taken[item] for item in sorted(demand)])
        problem.minimize(sum(taken.values()))
        solver = self._solver()
        if solve(solver, problem) is not Status.OPTIMAL:
            return None
        return {item for item, variable in taken.items() if solver.value(variable)}

    def _core(self, items: Iterable[int], *, may_be_satisfiable: bool = False) -> set[int] | None:
        """Items among `items` that conflict; empty: they do not; None: time ran out."""
        problem = self._problem.clone()
        problem.add_assumptions([self._demand[item] for item in sorted(items)])
        solver = self._solver()
        status = solve(solver, problem)
        if status in (Status.OPTIMAL, Status.FEASIBLE):
            if may_be_satisfiable:
                return set()
            raise ValueError("the model has a solution: nothing conflicts")
        if status is not Status.INFEASIBLE:
            return None
        found = solver.sufficient_assumptions_for_infeasibility()
        if foreign := [index for index in found if index not in self._item_of]:
            raise EngineFault(f"CP-SAT's core names {foreign[0]}, which was not assumed")
        core = {self._item_of[index] for index in found}
        if not core <= set(items):
            raise EngineFault("CP-SAT's core names an item that was not assumed")
        return core or set(items)

    def _widened(self, items: set[int]) -> set[int]:
        """A set of items around `items`, which can be covered together, as large as time allows."""
        problem = self._problem.clone()
        for item in items:
            problem.add_bool_or([self._demand[item]])
        problem.maximize(sum(self._demand.values()))
        solver = self._solver()
        solver.parameters.max_deterministic_time = _WIDEN_WORK
        if solve(solver, problem) not in (Status.OPTIMAL, Status.FEASIBLE):
            return items
        return {item for item, literal in self._demand.items() if solver.value(literal)}

    def _solver(self) -> Any:
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1  # assumptions are not shared between workers
        solver.parameters.catch_sigint_signal = False
        if self._deadline is not None:
            left = max(0.0, self._deadline - time.monotonic())
            solver.parameters.max_time_in_seconds = left
        return solver
