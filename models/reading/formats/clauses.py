"""What a model demands of its options, taken apart for the formats that know no items."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from twostep.models.language.model import NO_COLOUR, Model
from twostep.models.reading.formats.modelfile import refuse_side_condition


@dataclass(frozen=True, slots=True)
class Sum:
    """Between `low` and `high` of `options` are in a solution (0 <= low, low <= high)."""

    item: str
    options: tuple[int, ...]
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Conflict:
    """Not both of two options are in a solution: they give `item` different colours."""

    item: str
    first: int
    second: int


def demands(model: Model) -> Iterator[Sum | Conflict]:
    """What the model demands, in the order of its items; trivial demands are left out.

    A solution is a set of options that fulfils all of them and contains the chosen options.

    Raises:
        InputError: a side condition, which no such demand can express.
    """
    refuse_side_condition(model)
    users: list[list[tuple[int, int]]] = [[] for _ in model.items]
    for option in range(model.n_options):
        for item, colour in model.option(option):
            users[item].append((option, colour))
    for item, name in enumerate(model.items):
        options = tuple(option for option, _ in users[item])
        if not model.primary[item]:
            if all(colour == NO_COLOUR for _, colour in users[item]):
                if len(options) > 1:
                    yield Sum(name, options, 0, 1)
                continue
            for (first, one), (second, other) in combinations(users[item], 2):
                if one == NO_COLOUR or one != other:
                    yield Conflict(name, first, second)
            continue
        low, high = int(model.low[item]), min(int(model.high[item]), len(options))
        if low > 0 or high < len(options):
            yield Sum(name, options, low, max(high, low))


def summary(model: Model) -> list[str]:
    """The lines of a comment that says what is in the file."""
    return [
        f"{' '.join(model.name.split())} (written by twostep)",
        f"variables 1 to {model.n_options} are the model's options, in their order",
    ]
