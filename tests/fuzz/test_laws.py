"""Laws between counts, where no oracle reaches: what is renamed, turned, split or doubled.

Each law compares counts of different models by both ways of counting (visiting none, or all), so
that a fault in a model, a kernel or a memory breaks it.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from helpers.engines import CPSAT, DLX

from twostep.models.language.builder import ModelBuilder
from twostep.models.language.model import UNLIMITED, Model
from twostep.models.reading.load import load_puzzle
from twostep.models.search.questions import count

PUZZLES = (
    "pentomino:4x10:some",
    "pentomino:5x6:some",
    "domino:8x8",
    "polyomino:6x6:I2=any,V3=any",
    "polyomino:5x8:tetrominoes=2",
    "polyomino:6x5:L4=any,I3=any:empty=2",
    "queens:8",
    "langford:8",
    "macmahon:2x3:2",
    "sudoku:1......2........",
    "dominosa:30021/22112/21030/31033",
)


MODELS = {name: load_puzzle(name).model for name in PUZZLES}

every_model = pytest.mark.parametrize("name", MODELS)


def counted(model: Model) -> int:
    result = count(DLX, model)
    assert result.complete
    return result.found


def rebuilt(
    model: Model,
    items: list[int],
    options: list[int],
    doubled: int | None = None,
    idle: bool = False,
) -> Model:
    """The model with items and options in another order, under other names.

    The order in which items are covered stays: another one can take hours.

    Args:
        items, options: the old ids in their new order.
        doubled: the old id of an option that is added once more at the end.
        idle: whether an item is added that nothing must cover, in every third option.
    """
    builder = ModelBuilder("rebuilt")
    for item in items:
        if model.primary[item]:
            high = int(model.high[item])
            builder.item(f"x{item}", int(model.low[item]), high)
        else:
            builder.secondary(f"x{item}")
    if idle:
        builder.item("idle", 0, UNLIMITED)
    for place, option in enumerate([*options, *([] if doubled is None else [doubled])]):
        entries = [
            (f"x{item}", f"c{colour}") if colour else f"x{item}"
            for item, colour in model.option(option)
        ]
        builder.option([*entries, "idle"] if idle and place % 3 == 0 else entries)
    suggested = range(model.n_items) if model.order is None else model.order
    at = {item: place for place, item in enumerate(items)}
    builder.order = [at[item] for item in suggested if model.primary[item]]
    where = {option: place for place, option in enumerate(options)}
    builder.chosen = [where[option] for option in model.chosen]
    return builder.build()


@every_model
def test_names_and_orders_do_not_matter(name: str) -> None:
    model, rng = MODELS[name], Random(1)
    right = counted(model)
    assert counted(replace(model, symmetries=None)) == right
    items = rng.sample(range(model.n_items), model.n_items)
    options = rng.sample(range(model.n_options), model.n_options)
    assert counted(rebuilt(model, items, options)) == right


@every_model
def test_an_item_that_nothing_must_cover_changes_nothing(name: str) -> None:
    model = MODELS[name]
    same = rebuilt(model, list(range(model.n_items)), list(range(model.n_options)), idle=True)
    assert counted(same) == counted(model)


@every_model
def test_the_branches_of_an_item_add_up(name: str) -> None:
    model = MODELS[name]
    taken = {i for o in model.chosen for i, _ in model.option(o)}
    plain_items = [
        item
        for item in range(model.n_items)
        if model.primary[item] and (model.low[item], model.high[item]) == (1, 1)
    ]
    item = next(i for i in plain_items if i not in taken)
    options = [o for o in range(model.n_options) if any(i == item for i, _ in model.option(o))]
    parts = [counted(model.with_chosen([option])) for option in options]
    assert sum(parts) == counted(model)


@every_model
def test_a_doubled_option_counts_its_solutions_twice(name: str) -> None:
    model, rng = MODELS[name], Random(2)
    free = [
        option
        for option in range(model.n_options)
        if option not in model.chosen
        and any(
            model.primary[i] and (model.low[i], model.high[i]) == (1, 1)
            for i, _ in model.option(option)
        )
    ]
    option = rng.choice(free)
    everything = list(range(model.n_items)), list(range(model.n_options))
    twice = rebuilt(model, *everything, doubled=option)
    assert counted(twice) == counted(model) + counted(model.with_chosen([option]))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("pentomino:4x10:some", "pentomino:10x4:some"),
        ("domino:7x6", "domino:6x7"),
        ("polyomino:5x8:tetrominoes=2", "polyomino:8x5:tetrominoes=2"),
        ("polyomino:4x6:L4=any:one-sided", "polyomino:4x6:J4=any:one-sided"),
        ("polyomino:6x6:I2=any,V3=any", "polyomino:6x6:V3=any,I2=any,I5=0-0"),
        ("polyomino:4x5:I2=any,I3=any", "polyomino:4x5:I2=any,I3=any,U=0-0"),
        ("queens:7", "queens:7"),
    ],
)
def test_turned_mirrored_and_never_used_pieces_change_nothing(one: str, other: str) -> None:
    assert counted(load_puzzle(one).model) == counted(load_puzzle(other).model)


@pytest.mark.parametrize("name", ["queens:7", "dominosa:30021/22112/21030/31033", "langford:7"])
def test_the_laws_hold_for_cpsat_too(name: str) -> None:
    model = load_puzzle(name).model
    items, options = list(range(model.n_items)), list(range(model.n_options))
    right = count(CPSAT, model).found
    assert count(CPSAT, rebuilt(model, items[::-1], options[::-1])).found == right
    first = [o for o in options if any(item == 0 for item, _ in model.option(o))]
    if (model.low[0], model.high[0]) == (1, 1):
        assert sum(count(CPSAT, model.with_chosen([o])).found for o in first) == right
