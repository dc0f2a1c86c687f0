"""The model as a CP-SAT problem whose solutions are the model's, one to one.

One Boolean per option. Every further Boolean is a function of these: with a free one, an
enumeration would show solutions several times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from ortools.sat.python import cp_model

from twostep.models.language.model import NO_COLOUR, Model, Solution

_CHUNK = 4096
"""Options, or entries of items, between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """A CP-SAT problem; its first variables are the model's options, in their order.

    `rigid`: every primary item has low = high, so that no solution contains another.
    """

    problem: Any
    options: list[Any]
    rigid: bool

    def narrowed(
        self,
        costs: Sequence[int],
        *,
        least: int | None,
        most: int | None,
        without: Iterable[Solution],
        minimise: bool,
    ) -> Encoding:
        """A copy for the solutions of cost `least` to `most`, except for those in `without`."""
        problem = self.problem.clone()
        cost = cp_model.LinearExpr.weighted_sum(self.options, costs)
        if least is not None:
            problem.add(cost >= least)
        if most is not None:
            problem.add(cost <= most)
        for solution in without:
            taken = set(solution)
            others = () if self.rigid else (i for i in range(len(costs)) if i not in taken)
            problem.add_bool_or(
                [
                    *(~self.options[option] for option in solution),
                    *(self.options[i] for i in others),
                ]
            )
        if minimise:
            problem.minimize(cost)
        return Encoding(problem, self.options, self.rigid)


def encode(model: Model, interrupted: Callable[[], bool] = lambda: False) -> Encoding | None:
    """Encode `model`; None as soon as `interrupted`, asked now and then, says so.

    - primary item: exactly one of its options, or a sum from low to high;
    - secondary item without colours: at most one of its options;
    - secondary item with colours: at most one colour is in use, and an uncoloured entry counts
      as a colour of its own, so that it excludes everything else on the item;
    - chosen options: true.
    """
    problem = cp_model.CpModel()
    options: list[Any] = []
    for option in range(model.n_options):
        if option % _CHUNK == 0 and interrupted():
            return None
        options.append(problem.new_bool_var(""))

    # The entries grouped by item: item i has those from bounds[i] to bounds[i + 1].
    by_item = np.argsort(model.entry_items, kind="stable")
    owners = np.repeat(np.arange(model.n_options), np.diff(model.starts))[by_item].tolist()
    colours = model.entry_colours[by_item].tolist()
    bounds = np.searchsorted(model.entry_items[by_item], np.arange(model.n_items + 1)).tolist()
    looked = 0
    for item in range(model.n_items):
        entries = slice(bounds[item], bounds[item + 1])
        if entries.stop - looked >= _CHUNK:
            looked = entries.stop
            if interrupted():
                return None
        literals = [options[owner] for owner in owners[entries]]
        if model.primary[item]:
            _add_primary(problem, literals, int(model.low[item]), int(model.high[item]))
        else:
            _add_secondary(problem, literals, colours[entries])
    for option in model.chosen:
        problem.add_bool_or([options[option]])
    rigid = bool((model.low == model.high)[model.primary].all())
    return Encoding(problem, options, rigid)


def _add_primary(problem: Any, literals: list[Any], low: int, high: int) -> None:
    if (low, high) == (1, 1):
        problem.add_exactly_one(literals)
    elif low > len(literals):
        problem.add_bool_or([])  # false; a sum would ask for more than it can reach
    elif low > 0 or high < len(literals):
        problem.add_linear_constraint(sum(literals), low, min(high, len(literals)))


def _add_secondary(problem: Any, literals: list[Any], colours: list[int]) -> None:
    users: dict[int, list[Any]] = {}
    exclusive = []
    for literal, colour in zip(literals, colours, strict=True):
        if colour == NO_COLOUR:
            exclusive.append(literal)
        else:
            users.setdefault(colour, []).append(literal)
    if len(users) + len(exclusive) > 1:
        problem.add_at_most_one(exclusive + [_any_of(problem, same) for same in users.values()])


def _any_of(problem: Any, literals: list[Any]) -> Any:
    """A literal that is true exactly if one of `literals` is."""
    if len(literals) == 1:
        return literals[0]
    some = problem.new_bool_var("")
    for literal in literals:
        problem.add_implication(literal, some)
    problem.add_bool_or([*literals, ~some])
    return some
