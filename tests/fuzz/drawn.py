"""Random small models without Hypothesis: fifty times as fast, for millions of them.

The same seed gives the same model. What fails is shrunk by hand or by delta debugging
(:mod:`twostep.compare.agreement.shrink`); the drawing itself shrinks nothing.
"""

from __future__ import annotations

from collections import Counter
from random import Random

from helpers.strategies import SIDE_CONDITIONS

from twostep.models.language.builder import Entry, ModelBuilder
from twostep.models.language.model import UNLIMITED, Model

MAX_ITEMS = 6
MAX_OPTIONS = 11

_COLOURS = ("", "x", "y")


def drawn(rng: Random) -> Model:
    """A model with any features of the language; brute force is done with it in a millisecond.

    In three of four models the multiplicities are laid around a planted set of options, since
    most random models have no solution.
    """
    n_primary, n_secondary = rng.randint(1, MAX_ITEMS), rng.choice((0, 0, 1, 2, 3))
    colours = rng.choice((_COLOURS[:1], _COLOURS))
    options = [
        (
            rng.sample(range(n_primary), min(n_primary, rng.randint(1, 3))),
            {
                item: rng.choice(colours)
                for item in rng.sample(range(n_secondary), min(n_secondary, rng.randint(0, 2)))
            },
        )
        for _ in range(rng.randint(0, MAX_OPTIONS))
    ]
    everyone = range(len(options))
    planted = [option for option in everyone if rng.random() < 0.4]
    times = Counter(item for option in planted for item in options[option][0])
    builder = ModelBuilder("drawn")
    multiplicities = rng.random() < 0.6
    for item in range(n_primary):
        builder.item(f"p{item}", *(_bounds(rng, times[item]) if multiplicities else (1, 1)))
    for item in range(n_secondary):
        builder.secondary(f"s{item}")
    costs = rng.random() < 0.5
    for primaries, secondaries in options:
        entries: list[Entry] = [f"p{item}" for item in primaries]
        entries += [(f"s{i}", colour) if colour else f"s{i}" for i, colour in secondaries.items()]
        rng.shuffle(entries)
        builder.option(entries, cost=rng.randint(-3, 5) if costs else 0)
    if options and rng.random() < 0.2:
        builder.chosen = rng.sample(everyone, min(len(options), rng.randint(1, 2)))
    if rng.random() < 0.3:
        builder.order = rng.sample(range(n_primary), rng.randint(0, n_primary))
    if rng.random() < 0.1:
        builder.side_condition = rng.choice(SIDE_CONDITIONS)
    return builder.build()


def _bounds(rng: Random, times: int) -> tuple[int, int]:
    """Bounds of a multiplicity that allow `times`."""
    match rng.choice(("plain", "exact", "range", "any")):
        case "plain" if times == 1:
            return 1, 1
        case "range":
            return max(0, times - rng.randint(0, 2)), times + rng.randint(0, 2)
        case "any":
            return rng.randint(0, times), UNLIMITED
    return times, max(1, times) if rng.random() < 0.5 and times <= 1 else times
