"""Hypothesis strategies for small models with all features of the language."""

from __future__ import annotations

from collections import Counter

from hypothesis import strategies as st

from twostep.models.model import UNLIMITED, Entry, Feature, Model, ModelBuilder, SideCondition

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
