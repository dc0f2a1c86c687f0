"""The solutions of a small model, by trying all subsets of its options.

Written from the table of the language's meaning, and sharing nothing with the engines or with
:mod:`twostep.models.language.verify`: it goes through the options in the order of their lowest
items, takes or leaves each, and drops a branch only when an item is over its upper bound, a colour
clash has happened, or the last option of an item is behind and the item is under its lower bound.
"""

from __future__ import annotations

from twostep.models.language.model import Model, Solution


def all_solutions(model: Model) -> set[Solution]:
    """Every solution, as ascending option ids."""
    entries = [model.option(option) for option in range(model.n_options)]
    order = sorted(range(model.n_options), key=lambda option: min(entries[option]))
    last = {item: place for place, option in enumerate(order) for item, _ in entries[option]}
    # Behind so many options, nothing more can cover these items.
    settled: list[list[int]] = [[] for _ in range(len(order) + 1)]
    for item in range(model.n_items):
        if model.primary[item]:
            settled[last.get(item, -1) + 1].append(item)
    chosen = set(model.chosen)
    found: set[Solution] = set()
    # (options decided, options taken, times each item is covered, colours in use)
    open_branches: list[tuple[int, Solution, tuple[int, ...], dict[int, int]]] = [
        (0, (), (0,) * model.n_items, {})
    ]
    while open_branches:
        place, taken, times, colour_of = open_branches.pop()
        if any(times[item] < model.low[item] for item in settled[place]):
            continue
        if place == len(order):
            solution = tuple(sorted(taken))
            if model.side_condition is None or model.side_condition.holds(solution):
                found.add(solution)
            continue
        option = order[place]
        if option not in chosen:
            open_branches.append((place + 1, taken, times, colour_of))
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
            open_branches.append((place + 1, (*taken, option), tuple(more), colours))
    return found


def cheapest_costs(model: Model, k: int) -> list[int]:
    """The costs of the `k` cheapest solutions, ascending; fewer if there are fewer."""
    return sorted(model.cost(solution) for solution in all_solutions(model))[:k]
