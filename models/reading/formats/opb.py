"""Export to OPB (pseudo-Boolean): a model's solutions as the satisfying assignments, one to one.

Variables x1 to xn are the options, and there are no others. The costs are the objective.
"""

from __future__ import annotations

from collections.abc import Iterable

from twostep.models.language.model import Model
from twostep.models.reading.formats.clauses import Conflict, demands, summary


def write(model: Model) -> str:
    """The model as text.

    Raises:
        InputError: a side condition.
    """
    constraints: list[str] = []
    for demand in demands(model):
        if isinstance(demand, Conflict):
            constraints.append(f"{_sum(-1, (demand.first, demand.second))} >= -1 ;")
        elif demand.low > len(demand.options):
            # Written with the options there are; with none, as "0 >= 1" over the first variable.
            terms = _sum(1, demand.options) if demand.options else "+1 x1 -1 x1"
            constraints.append(f"{terms} >= {demand.low} ;")
        elif demand.low == demand.high:
            constraints.append(f"{_sum(1, demand.options)} = {demand.low} ;")
        else:
            if demand.low > 0:
                constraints.append(f"{_sum(1, demand.options)} >= {demand.low} ;")
            if demand.high < len(demand.options):
                constraints.append(f"{_sum(-1, demand.options)} >= {-demand.high} ;")
    constraints += [f"+1 x{option + 1} >= 1 ;" for option in model.chosen]
    variables = max(model.n_options, 1 if constraints else 0)
    lines = [f"* #variable= {variables} #constraint= {len(constraints)}"]
    lines += [f"* {line}" for line in summary(model)]
    lines.append("* no further variables: solutions and satisfying assignments are the same")
    if model.costs.any():
        costs = ((option + 1, int(cost)) for option, cost in enumerate(model.costs) if cost)
        lines.append("min: " + " ".join(f"{cost:+d} x{option}" for option, cost in costs) + " ;")
    return "\n".join(lines + constraints) + "\n"


def _sum(sign: int, options: Iterable[int]) -> str:
    return " ".join(f"{sign:+d} x{option + 1}" for option in options)
