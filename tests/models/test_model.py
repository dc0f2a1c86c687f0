"""The model language: what is refused, what is not, and what a built model holds."""

from __future__ import annotations

import numpy as np
import pytest

from twostep.models import UNLIMITED, Feature, ModelBuilder, ModelError, SideCondition, fault


def builder_with(*primary: str, secondary: tuple[str, ...] = ()) -> ModelBuilder:
    builder = ModelBuilder("m")
    for name in primary:
        builder.item(name)
    for name in secondary:
        builder.secondary(name)
    return builder


def test_an_empty_option_is_refused() -> None:
    builder = builder_with("a")
    builder.option(["a"])
    builder.option([], label="nothing")
    with pytest.raises(ModelError, match=r"option 1 is empty \(label 'nothing'\)"):
        builder.build()


@pytest.mark.parametrize(
    ("entries", "cost", "message"),
    [
        (["a"], 1.5, r"option 1: cost 1.5, expected a whole number \(label 'half'\)"),
        (["a"], "7", r"option 1: cost '7', expected a whole number"),
        (["a"], 2**63, "a cost does not fit 64 bits"),
        ([0.5], 0, "option 1: unknown item 0.5"),
    ],
)
def test_a_number_is_never_rounded_in_silence(entries, cost, message) -> None:
    builder = builder_with("a")
    builder.option(["a"], cost=np.int64(3))
    builder.option(entries, label="half", cost=cost)
    with pytest.raises(ModelError, match=message):
        builder.build()


def test_an_option_of_secondary_items_only_is_refused() -> None:
    builder = builder_with("a", secondary=("s",))
    builder.option(["a", "s"])
    builder.option(["s"])
    with pytest.raises(ModelError, match=r"option 1: secondary items only \(first: 's'\)"):
        builder.build()


def test_an_item_twice_in_one_option_is_refused_with_its_name() -> None:
    builder = builder_with("a", "b")
    builder.option(["a"])
    builder.option(["b", "a", "b"])
    with pytest.raises(ModelError, match="option 1: item 'b' twice"):
        builder.build()


@pytest.mark.parametrize("entry", ["nobody", 2, -1])
def test_an_unknown_item_is_refused(entry: int | str) -> None:
    builder = builder_with("a", "b")
    builder.option(["a"])
    builder.option(["b", entry])
    with pytest.raises(ModelError, match=f"option 1: unknown item {entry!r}"):
        builder.build()


def test_two_items_of_one_name_are_refused() -> None:
    with pytest.raises(ModelError, match="two items are named 'a'"):
        builder_with("a", "b", secondary=("a",)).build()


def test_a_colour_on_a_primary_item_is_refused() -> None:
    builder = builder_with("a")
    builder.option([("a", "red")])
    with pytest.raises(ModelError, match="option 0: a colour on the primary item 'a'"):
        builder.build()


@pytest.mark.parametrize(("low", "high"), [(2, 1), (-1, 1), (-2, -1)])
def test_impossible_bounds_are_refused(low: int, high: int) -> None:
    with pytest.raises(ModelError, match=f"item 'a': low {low} and high {high}"):
        ModelBuilder().item("a", low, high)


def test_a_cost_beyond_64_bits_is_refused() -> None:
    builder = builder_with("a")
    builder.option(["a"], cost=2**63)
    with pytest.raises(ModelError, match="64 bits"):
        builder.build()


@pytest.mark.parametrize("order", [[2], [0, 0], [9]])
def test_a_suggested_order_is_of_primary_items_once_each(order: list[int]) -> None:
    builder = builder_with("a", "b", secondary=("s",))
    builder.order = order
    with pytest.raises(ModelError, match="suggested order"):
        builder.build()


def test_a_chosen_option_must_exist() -> None:
    builder = builder_with("a")
    builder.option(["a"])
    builder.chosen = [1]
    with pytest.raises(ModelError, match="chosen option 1: there are 1 options"):
        builder.build()


@pytest.mark.parametrize("group", [[[1, 0]], [[0, 1], [0, 0]], [[0]], [0, 1]])
def test_symmetries_are_permutations_the_identity_first(group: list[list[int]]) -> None:
    builder = builder_with("a")
    builder.option(["a"])
    builder.option(["a"])
    builder.symmetries = np.array(group, dtype=np.int32)
    with pytest.raises(ModelError, match="symmetries"):
        builder.build()


def test_an_item_without_option_and_an_empty_model_are_no_errors() -> None:
    assert builder_with("a").build().n_options == 0
    empty = ModelBuilder().build()
    assert (empty.n_items, empty.n_options) == (0, 0)
    assert fault(empty, ()) is None


def test_features_are_those_that_are_used() -> None:
    builder = builder_with("a", "b", secondary=("s",))
    builder.option(["a", "b"])
    assert builder.build().features == {Feature.SECONDARY}
    builder.option(["a", ("s", "red")])
    builder.item("many", 0, UNLIMITED)
    builder.side_condition = SideCondition("never", lambda solution: False)
    assert builder.build().features == set(Feature) - {Feature.COSTS}


def test_a_model_cannot_be_changed() -> None:
    builder = builder_with("a")
    builder.option(["a"])
    model = builder.build()
    with pytest.raises(ValueError, match="read-only"):
        model.entry_items[0] = 1


def test_the_fingerprint_is_of_the_content_and_equality_of_everything() -> None:
    def made(name: str = "m", cost: int = 0, label: str = "x", high: int = 1) -> ModelBuilder:
        builder = ModelBuilder(name)
        builder.item("a", 1, high)
        builder.option(["a"], label=label, cost=cost)
        return builder

    model = made().build()
    assert model == made().build()
    assert hash(model) == hash(made().build())
    for other in (made(name="n"), made(label="y")):
        assert other.build().fingerprint == model.fingerprint
        assert other.build() != model
    for other in (made(cost=1), made(high=2)):
        assert other.build().fingerprint != model.fingerprint
    assert model.with_chosen([0]).fingerprint != model.fingerprint


def test_the_fingerprint_is_the_same_on_every_machine() -> None:
    builder = builder_with("a", "b", secondary=("s",))
    builder.option(["a", ("s", "red")], cost=-3)
    builder.option(["b"])
    assert builder.build().fingerprint == (
        "40d8f31526639cc7d90925526b3f337741bd71aad54aa7036779d8f4c79fcda4"
    )


@pytest.mark.parametrize(
    ("solution", "why"),
    [
        ((0,), "item 'b' is covered 0 times, expected 1"),
        ((0, 1), "secondary item 's' twice, not in one colour (option 1)"),
        ((1, 0), "option ids (1, 0) are not strictly ascending"),
        ((0, 0), "option ids (0, 0) are not strictly ascending"),
        ((0, 4), "option ids (0, 4): there are 4 options"),
        ((-1, 0), "option ids (-1, 0): there are 4 options"),
        ((0, 2, 3), "item 'b' is covered 2 times, expected 1"),
        ((0, 2), "secondary item 's' twice, not in one colour (option 2)"),
        ((0, 3), None),
    ],
)
def test_verify_says_what_is_wrong(solution: tuple[int, ...], why: str | None) -> None:
    builder = builder_with("a", "b", secondary=("s", "t"))
    builder.option(["a", ("s", "red")])
    builder.option(["b", ("s", "blue")])
    builder.option(["b", "s"])
    builder.option(["b", ("s", "red"), "t"])
    if solution == (0, 2, 3):
        builder = builder_with("a", "b")
        builder.option(["a"])
        builder.option(["a"])
        builder.option(["b"])
        builder.option(["b"])
    assert fault(builder.build(), solution) == why


def test_verify_knows_chosen_options_bounds_and_the_side_condition() -> None:
    builder = ModelBuilder()
    builder.item("a", 1, 2)
    for _ in range(3):
        builder.option(["a"])
    builder.chosen = [1]
    model = builder.build()
    assert fault(model, (0,)) == "chosen option 1 is missing"
    assert fault(model, (0, 1)) is None
    assert fault(model, (0, 1, 2)) == "item 'a' is covered 3 times, expected 1 to 2"
    builder.side_condition = SideCondition("option 2 is there", lambda solution: 2 in solution)
    assert fault(builder.build(), (0, 1)) == "side condition not fulfilled: option 2 is there"
