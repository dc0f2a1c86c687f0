"""Export to DIMACS CNF: a model's solutions as the satisfying assignments, one to one.

Variables 1 to n are the options. Where a multiplicity or a long list of options needs a counter,
the file has further variables; each is defined by the options in both directions, so that every
solution still is exactly one satisfying assignment, and a model counter gives the right number.
Costs cannot be said in CNF; the file says so where there are any.
"""

from __future__ import annotations

from itertools import combinations

from twostep.models.language.model import Model
from twostep.models.reading.formats.clauses import Conflict, demands, summary

_PAIRS_UP_TO = 30
"""Longest list of options whose "at most one" is said pair by pair."""

Clause = list[int]


def write(model: Model) -> str:
    """The model as text.

    Raises:
        InputError: a side condition.
    """
    clauses: list[Clause] = []
    variables = model.n_options
    for demand in demands(model):
        if isinstance(demand, Conflict):
            clauses.append([-demand.first - 1, -demand.second - 1])
            continue
        literals = [option + 1 for option in demand.options]
        if demand.high == 1 and 0 < len(literals) <= _PAIRS_UP_TO:
            if demand.low == 1:
                clauses.append(literals)
            clauses += [[-one, -other] for one, other in combinations(literals, 2)]
        elif demand.low == 1 and demand.high >= len(literals) > 0:
            clauses.append(literals)
        else:
            variables = _count(literals, demand.low, demand.high, variables, clauses)
    clauses += [[option + 1] for option in model.chosen]
    lines = [f"c {line}" for line in summary(model)]
    if variables > model.n_options:
        lines.append(
            f"c variables {model.n_options + 1} to {variables} are counters, determined by the"
            " options: solutions and satisfying assignments correspond one to one"
        )
    else:
        lines.append("c no further variables: solutions and satisfying assignments are the same")
    if model.costs.any():
        lines.append("c the options' costs are left out")
    lines.append(f"p cnf {variables} {len(clauses)}")
    lines += [" ".join(map(str, [*clause, 0])) for clause in clauses]
    return "\n".join(lines) + "\n"


def _count(literals: list[int], low: int, high: int, variables: int, clauses: list[Clause]) -> int:
    """Demand low to high of `literals`, by a counter; gives the number of variables now in use.

    Variable "i, j" says that at least j of the first i literals are true. It is equivalent to
    "i - 1, j" or (literal i and "i - 1, j - 1"), which makes it a function of the literals.
    """
    if low > len(literals):
        # Impossible. Not the empty clause: some readers pass over it.
        clauses += [[variables + 1], [-variables - 1]]
        return variables + 1
    columns = high + 1 if high < len(literals) else low  # up to the largest j that matters
    before: list[int] = []  # the variables "i - 1, 1", "i - 1, 2" ...
    for length, literal in enumerate(literals, start=1):
        now: list[int] = []
        for j in range(1, min(length, columns) + 1):
            variables += 1
            now.append(variables)
            more = variables
            kept = before[j - 1] if j <= len(before) else None  # None: false
            stepped = before[j - 2] if j > 1 else None  # None: true, for j = 1
            step = [] if stepped is None else [stepped]
            rest = [] if kept is None else [kept]
            if kept is not None:
                clauses.append([-kept, more])
            clauses.append([*(-variable for variable in step), -literal, more])
            clauses.append([-more, *rest, literal])
            if stepped is not None:
                clauses.append([-more, *rest, stepped])
        before = now
    if low > 0:
        clauses.append([before[low - 1]])
    if high < len(before):
        clauses.append([-before[high]])
    return variables
