"""Is this set of options a solution? In plain Python, knowing no engine."""

from __future__ import annotations

from collections import Counter

from twostep.models.errors import EngineFault
from twostep.models.language.model import Model, Solution


def fault(model: Model, solution: Solution) -> str | None:
    """Why `solution` (option ids) is none of the model's solutions; None if it is one."""
    if list(solution) != sorted(set(solution)):
        return f"option ids {solution} are not strictly ascending"
    if solution and not 0 <= solution[0] <= solution[-1] < model.n_options:
        return f"option ids {solution}: there are {model.n_options} options"
    if missing := set(model.chosen) - set(solution):
        return f"chosen option {min(missing)} is missing"
    times: Counter[int] = Counter()
    colour_of: dict[int, int] = {}
    for option in solution:
        for item, colour in model.option(option):
            times[item] += 1
            if not model.primary[item] and times[item] > 1:
                name = model.items[item]
                if not colour or colour != colour_of[item]:
                    return f"secondary item {name!r} twice, not in one colour (option {option})"
            colour_of[item] = colour
    for item, name in enumerate(model.items):
        low, high = int(model.low[item]), int(model.high[item])
        if model.primary[item] and not low <= times[item] <= high:
            expected = f"{low}" if low == high else f"{low} to {high}"
            return f"item {name!r} is covered {times[item]} times, expected {expected}"
    if model.side_condition is not None and not model.side_condition.holds(solution):
        return f"side condition not fulfilled: {model.side_condition.name}"
    return None


def require(model: Model, solution: Solution, engine: str) -> None:
    """Raise :class:`EngineFault` if an engine's `solution` is none."""
    if (why := fault(model, solution)) is not None:
        raise EngineFault(
            f"engine {engine!r} gave a wrong solution of {model.name!r}: {why}", model
        )
