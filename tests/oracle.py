"""The solutions of a small model, by trying all subsets of its options.

Written from the table of the language's meaning, and sharing nothing with the engines or with
:mod:`twostep.models.verify`: it goes through the options in order, takes or leaves each, and
drops a branch only when an item is over its upper bound or a colour clash has happened.
"""

from __future__ import annotations

from twostep.models.model import Model, Solution


def all_solutions(model: Model) -> set[Solution]:
    """Every solution, as ascending option ids."""
    found: set[Solution] = set()
    entries = [model.option(option) for option in range(model.n_options)]
    chosen = set(model.chosen)
    # (option to decide next, options taken, times each item is covered, colours in use)
    open_branches: list[tuple[int, Solution, tuple[int, ...], dict[int, int]]] = [
        (0, (), (0,) * model.n_items, {})
    ]
    while open_branches:
        option, taken, times, colour_of = open_branches.pop()
        if option == model.n_options:
            if _all_covered(model, times) and _passes(model, taken):
                found.add(taken)
            continue
        if option not in chosen:
            open_branches.append((option + 1, taken, times, colour_of))
        more, colours = list(times), dict(colour_of)
        for item, colour in entries[option]:
            more[item] += 1
            if model.primary[item]:
                if more[item] > model.high[item]:
                    break
            elif more[item] > 1 and (colour == 0 or colour != colours[item]):
                break
            else:
                colours[item] = colour
        else:
            open_branches.append((option + 1, (*taken, option), tuple(more), colours))
    return found


def cheapest_costs(model: Model, k: int) -> list[int]:
    """The costs of the `k` cheapest solutions, ascending; fewer if there are fewer."""
    return sorted(model.cost(solution) for solution in all_solutions(model))[:k]


def _all_covered(model: Model, times: tuple[int, ...]) -> bool:
    return all(
        model.low[item] <= times[item] <= model.high[item]
        for item in range(model.n_items)
        if model.primary[item]
    )


def _passes(model: Model, solution: Solution) -> bool:
    return model.side_condition is None or model.side_condition.holds(solution)
