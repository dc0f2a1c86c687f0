"""The diagram: counts, draws, numbers, weighs and prices exactly the solutions."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from helpers.oracle import all_solutions
from helpers.strategies import models
from hypothesis import given, settings

from twostep.dlx_backend import DlxEngine
from twostep.dlx_backend.states.diagram import Diagram
from twostep.models.errors import InputError, UnsupportedFeature
from twostep.models.families.registry import named_puzzle
from twostep.models.language.builder import ModelBuilder
from twostep.models.language.model import Feature, Model, SideCondition
from twostep.models.search.engine import Limits, StopReason

LANGUAGE = frozenset(Feature) - {Feature.SIDE_CONDITION}


def _diagram(model: Model) -> Diagram:
    made, result = DlxEngine().diagram(model)
    assert made is not None
    assert result.complete
    assert result.found == made.total
    return made


@settings(max_examples=400, deadline=None)
@given(model=models(LANGUAGE, max_options=10))
def test_random_models_as_by_brute_force(model: Model) -> None:
    made = _diagram(model)
    expected = all_solutions(model)
    listed = list(made)
    assert len(listed) == len(expected) == made.total
    assert set(listed) == expected
    assert [made.rank(solution) for solution in listed] == list(range(made.total))
    uses = Counter(option for solution in expected for option in solution)
    assert made.usage() == tuple(uses[option] for option in range(model.n_options))
    cheapest = made.cheapest()
    if expected:
        assert cheapest in expected
        assert model.cost(cheapest) == min(map(model.cost, expected))
    else:
        assert cheapest is None


@settings(max_examples=100, deadline=None)
@given(model=models(LANGUAGE, max_options=8))
def test_only_solutions_have_a_rank(model: Model) -> None:
    made = _diagram(model)
    expected = all_solutions(model)
    for bits in range(1 << model.n_options):
        options = tuple(o for o in range(model.n_options) if bits >> o & 1)
        if options in expected:
            assert made.solution(made.rank(options)) == options
        else:
            with pytest.raises(InputError):
                made.rank(options)


def test_numbers_outside_are_refused() -> None:
    made = _diagram(named_puzzle("domino:2x2").model)
    for number in (-1, 2, 10**30):
        with pytest.raises(InputError, match="there are 2"):
            made.solution(number)


def test_no_solution_has_nothing_to_draw() -> None:
    made = _diagram(named_puzzle("domino:8x8-mutilated").model)
    assert made.total == 0
    assert made.cheapest() is None
    assert not any(made.usage())
    with pytest.raises(InputError, match="no solution"):
        made.sample(Random(1))


def test_the_empty_model_has_its_one_solution() -> None:
    made = _diagram(ModelBuilder("empty").build())
    assert list(made) == [()]
    assert made.rank(()) == 0
    assert made.cheapest() == ()


def test_costs_that_cannot_be_added_up_are_refused() -> None:
    builder = ModelBuilder("dear")
    for item in ("a", "b"):
        builder.item(item)
        builder.option([item], cost=-(2**63))  # twice that is 0, in 64 bits
        builder.option([item], cost=-1)
    made = _diagram(builder.build())
    assert made.total == 4
    with pytest.raises(UnsupportedFeature, match="costs"):
        made.cheapest()


def test_a_side_condition_is_refused() -> None:
    builder = ModelBuilder("x", side_condition=SideCondition("never", lambda _s: False))
    with pytest.raises(UnsupportedFeature, match="side condition"):
        DlxEngine().diagram(builder.build())


def test_limits_end_it_without_a_diagram() -> None:
    model = named_puzzle("pentomino:5x12").model
    for limits, reason in (
        (Limits(nodes=1000), StopReason.NODES),
        (Limits(memory=100_000), StopReason.MEMORY),
        (Limits(seconds=0.0), StopReason.TIME),
    ):
        made, result = DlxEngine().diagram(model, limits)
        assert made is None
        assert result.stopped is reason


def test_the_same_seed_draws_the_same() -> None:
    made = _diagram(named_puzzle("domino:8x8").model)
    draws = [[made.sample(rng) for _ in range(20)] for rng in (Random(5), Random(5), Random(6))]
    assert draws[0] == draws[1] != draws[2]


def test_numbers_of_many_limbs() -> None:
    made = _diagram(named_puzzle("domino:16x16").model)
    number = made.total * 2 // 3
    assert made.total == 2444888770250892795802079170816  # closed formula, see test_dlx_counting
    assert made.rank(made.solution(number)) == number
    assert sum(made.usage()) == 128 * made.total


def test_a_carry_runs_through_all_limbs() -> None:
    """The first item's options leave 1, 2, 4, ..., 2 ** 127 ways, and 1: 2 ** 128 in all."""
    builder = ModelBuilder("a sum of 2 ** 128", order=range(129))
    builder.item("first")
    for item in range(128):
        builder.item(f"i{item}")
    for item in range(128):
        builder.secondary(f"s{item}")
    for ways in (0, *reversed(range(128))):
        builder.option(["first", *((f"s{item}", "y") for item in range(ways, 128))])
    for item in range(128):
        builder.option([f"i{item}"])
        builder.option([f"i{item}", (f"s{item}", "x")])
    made = _diagram(builder.build())
    assert made.total == 2**128
    for number in (0, 1, 2**64, 2**127, 2**128 - 1):
        assert made.rank(made.solution(number)) == number


def _chi_square(counts: Counter[int], cells: int, draws: int) -> float:
    expected = draws / cells
    return sum((counts[cell] - expected) ** 2 / expected for cell in range(cells))


def test_draws_over_1472_fillings_of_4x15_are_uniform() -> None:
    """Chi-square with 1471 degrees of freedom, standard deviation 54; the seed is fixed."""
    made = _diagram(named_puzzle("pentomino:4x15").model)
    rng = Random(2024)
    draws = 30_000
    counts = Counter(made.rank(made.sample(rng)) for _ in range(draws))
    assert abs(_chi_square(counts, 1472, draws) - 1471) < 4 * 54.3


@pytest.mark.long
def test_100000_draws_over_9356_fillings_of_6x10_are_uniform() -> None:
    """Chi-square with 9355 degrees of freedom, standard deviation 137; the seed is fixed."""
    made = _diagram(named_puzzle("pentomino:6x10").model)
    assert made.total == 9356  # exhaustive count
    rng = Random(1)
    counts = Counter(made.rank(made.sample(rng)) for _ in range(100_000))
    assert abs(_chi_square(counts, 9356, 100_000) - 9355) < 4 * 136.8
    # 12 pieces of 5 cells in every filling
    assert 5 * sum(made.usage()) == 60 * 9356
