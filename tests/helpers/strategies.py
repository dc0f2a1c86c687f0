"""Hypothesis strategies for small models with all features of the language."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import strategies as st

from twostep.models.language.builder import Entry, ModelBuilder
from twostep.models.language.model import UNLIMITED, Feature, Model, SideCondition

ALL = frozenset(Feature)

SIDE_CONDITIONS = (
    SideCondition("an even number of options", lambda solution: len(solution) % 2 == 0),
    SideCondition("the ids don't sum to a multiple of 3", lambda solution: sum(solution) % 3 != 0),
)


@st.composite
def models(
    draw: st.DrawFn, features: frozenset[Feature] = ALL, max_options: int = 9, max_items: int = 5
) -> Model:
    """A model that uses no more than `features`; small enough for :mod:`oracle`.

    In three of four models one set of options is a solution up to colours and side condition:
    the multiplicities are laid around how often it covers each item. Without that, most random
    models have no solution, and would test little.
    """
    n_primary = draw(st.integers(0, max_items), label="primary items")
    n_secondary = draw(st.integers(0, 3)) if Feature.SECONDARY in features else 0
    colours = ("", "x", "y") if Feature.COLOURS in features else ("",)
    options: list[tuple[set[int], dict[int, str]]] = []
    if n_primary:
        primary = st.sets(st.integers(0, n_primary - 1), min_size=1, max_size=3)
        secondary: st.SearchStrategy[dict[int, str]] = st.just({})
        if n_secondary:
            secondary = st.dictionaries(
                st.integers(0, n_secondary - 1), st.sampled_from(colours), max_size=2
            )
        options = draw(st.lists(st.tuples(primary, secondary), max_size=max_options))
    everyone = range(len(options))
    some = st.sets(st.sampled_from(everyone)) if options else st.just(set[int]())

    builder = ModelBuilder("random")
    planted = draw(some)
    times = Counter(item for option in planted for item in options[option][0])
    around_planted = Feature.MULTIPLICITIES in features and draw(st.integers(0, 3)) > 0
    for item in range(n_primary):
        low, high = draw(_bounds(times[item])) if around_planted else (1, 1)
        builder.item(f"p{item}", low, high)
    for item in range(n_secondary):
        builder.secondary(f"s{item}")
    for primaries, secondaries in options:
        entries: list[Entry] = [f"p{item}" for item in sorted(primaries)]
        for item, colour in sorted(secondaries.items()):
            entries.append((f"s{item}", colour) if colour else f"s{item}")
        builder.option(entries, cost=draw(_costs) if Feature.COSTS in features else 0)
    if options and draw(st.integers(0, 4)) == 0:
        builder.chosen = draw(st.sets(st.sampled_from(everyone), max_size=2))
    if n_primary and draw(st.booleans()):
        order = draw(st.permutations(range(n_primary)))
        builder.order = order[: draw(st.integers(0, n_primary))]
    if Feature.SIDE_CONDITION in features and draw(st.integers(0, 3)) == 0:
        builder.side_condition = draw(st.sampled_from(SIDE_CONDITIONS))
    return builder.build()


@st.composite
def symmetric_models(draw: st.DrawFn) -> Model:
    """A model that a rotation of order 2 or 3 maps to itself: with that group of symmetries.

    There are one or as many copies of each item, and of each option, as the order is: the rotation
    sends each to the next.
    """
    order = draw(st.integers(2, 3))
    copies = st.sampled_from((1, order))
    builder = ModelBuilder("symmetric", chosen=())
    firsts: list[tuple[int, int]] = []  # the first copy of an item, and how many there are
    n_primary = draw(st.integers(1, 3))
    for number in range(n_primary + draw(st.integers(0, 2))):
        bounds = draw(st.sampled_from(((1, 1),) * 4 + ((0, 1), (0, 2), (1, 2), (0, UNLIMITED))))
        firsts.append((len(builder.ids), draw(copies)))
        for copy in range(firsts[-1][1]):
            name = f"{number}.{copy}"
            if number < n_primary:
                builder.item(name, *bounds)
            else:
                builder.secondary(name)
    image: list[int] = []
    entry = st.tuples(st.integers(0, len(firsts) - 1), st.integers(0, order - 1))
    for drawn in draw(
        st.lists(st.dictionaries(entry, st.sampled_from(("", "x", "y")), min_size=1), max_size=4)
    ):
        option = {(item, copy % firsts[item][1]): colour for (item, copy), colour in drawn.items()}
        if all(item >= n_primary for item, _ in option):
            continue
        turned = [
            {(item, (copy + turn) % firsts[item][1]): c for (item, copy), c in option.items()}
            for turn in range(order)
        ]
        if turned[1] == turned[0]:
            turned = turned[: draw(copies)]
        first = len(image)
        for turn, entries in enumerate(turned):
            builder.option(
                (firsts[item][0] + copy, colour) if colour and item >= n_primary
                else firsts[item][0] + copy
                for (item, copy), colour in entries.items()
            )  # fmt: skip
            image.append(first + (turn + 1) % len(turned))
    group = [np.arange(len(image))]
    for _ in range(order - 1):
        group.append(np.array(image, dtype=np.int64)[group[-1]])
    builder.symmetries = np.array(group, dtype=np.int32)
    if image and draw(st.integers(0, 3)) == 0:
        builder.chosen = draw(st.sets(st.integers(0, len(image) - 1), max_size=order))
    if draw(st.integers(0, 7)) == 0:
        builder.side_condition = SIDE_CONDITIONS[0]
    return builder.build()


_costs = st.integers(-3, 5)


@st.composite
def _bounds(draw: st.DrawFn, times: int) -> tuple[int, int]:
    """Bounds of a multiplicity that allow `times`, plain (1, 1) if possible more often."""
    kind = draw(st.sampled_from(("plain", "exact", "range", "any")))
    if kind == "plain" and times == 1:
        return 1, 1
    if kind == "range":
        return max(0, times - draw(st.integers(0, 2))), times + draw(st.integers(0, 2))
    return (0, UNLIMITED) if kind == "any" else (times, times)
