"""The language means the same to every engine, and the same as to brute force."""

from __future__ import annotations

import pytest
from helpers.cases import FOLDER, case, exact_cover_model
from helpers.engines import Wrong, every_engine
from helpers.oracle import all_solutions, cheapest_costs
from helpers.strategies import models
from hypothesis import given, settings
from hypothesis import strategies as st

from twostep.models import (
    UNLIMITED,
    Engine,
    Feature,
    InputError,
    Limits,
    Model,
    ModelBuilder,
    ModelError,
    StopReason,
    UnsupportedFeature,
    Verdict,
    best,
    count,
    first,
    listing,
    unique,
)
from twostep.models.search.engine import Optimises

REFUSED = {"EC-01": "empty", "EC-09": "secondary items only", "EC-12": "twice"}
"""The cases that the model language refuses, and why."""

ANSWERED = sorted(p.stem for p in FOLDER.glob("EC-*.json") if p.stem[:5] not in REFUSED)


@every_engine
@settings(max_examples=300, derandomize=True, deadline=None)  # a thousand: fuzz/test_models.py
@given(model=models(), seed=st.integers(0, 2))
def test_random_models_have_the_same_set_as_by_brute_force(
    engine: Engine, model: Model, seed: int
) -> None:
    found = listing(engine, model, seed=seed)
    assert found.result.complete
    assert len(set(found.solutions)) == len(found.solutions)
    assert set(found.solutions) == all_solutions(model)
    assert count(engine, model).found == len(found.solutions)
    assert bool(first(engine, model, seed=seed).solutions) == bool(found.solutions)


@every_engine
@settings(max_examples=300, derandomize=True, deadline=None)
@given(model=models())
def test_random_models_have_the_cheapest_costs_of_brute_force(engine: Engine, model: Model) -> None:
    for k in (1, 3, 6):
        found = best(engine, model, k)
        assert found.result.complete
        assert len(set(found.solutions)) == len(found.solutions)
        priced = [(model.cost(solution), solution) for solution in found.solutions]
        assert priced == sorted(priced)
        assert [cost for cost, _ in priced] == cheapest_costs(model, k)


@every_engine
@settings(max_examples=300, derandomize=True, deadline=None)
@given(model=models(), k=st.integers(1, 3), below=st.integers(-6, 12))
def test_the_cheapest_below_a_bound_are_those_of_brute_force(
    engine: Engine, model: Model, k: int, below: int
) -> None:
    found = best(engine, model, k, below=below)
    assert found.result.complete
    right = [cost for cost in cheapest_costs(model, 2**9) if cost < below][:k]
    assert [model.cost(solution) for solution in found.solutions] == right


@every_engine
@pytest.mark.parametrize("large", [2**62, -(2**62), 2**63 - 1, -(2**63)])
def test_costs_that_cannot_be_added_up_are_refused(engine: Engine, large: int) -> None:
    # In 64 bits, twice the least of these is 0, and a solution of such a cost was lost.
    builder = ModelBuilder("dear")
    for item in ("a", "b"):
        builder.item(item)
        builder.option([item], cost=large)
    with pytest.raises(UnsupportedFeature, match="costs"):
        best(engine, builder.build())


@every_engine
@pytest.mark.parametrize("below", [2**70, -(2**70)])
def test_a_bound_may_be_of_any_size(engine: Engine, below: int) -> None:
    builder = ModelBuilder("cheap")
    builder.item("a")
    builder.option(["a"], cost=3)
    found = best(engine, builder.build(), below=below)
    assert found.result.complete
    assert found.solutions == (((0,),) if below > 0 else ())


@settings(max_examples=150, derandomize=True, deadline=None)
@given(model=models(), k=st.integers(1, 4), below=st.none() | st.integers(-6, 12))
def test_an_engine_that_only_searches_gives_the_cheapest_by_seeing_all(
    model: Model, k: int, below: int | None
) -> None:
    bare = Wrong(lambda _model, found: found)
    assert not isinstance(bare, Optimises)
    found = best(bare, model, k, below=below)
    priced = sorted((model.cost(solution), solution) for solution in all_solutions(model))
    right = [solution for cost, solution in priced if below is None or cost < below][:k]
    assert (list(found.solutions), found.result.complete) == (right, True)


def test_every_question_refuses_a_feature_that_the_engine_lacks() -> None:
    builder = ModelBuilder("coloured")
    builder.item("a")
    builder.secondary("s")
    builder.option(["a", ("s", "red")])
    poor = Wrong(lambda _model, found: found, features=frozenset({Feature.SECONDARY}))
    for ask in (listing, first, unique, count, best):
        with pytest.raises(UnsupportedFeature, match="the engine 'wrong' cannot do colours"):
            ask(poor, builder.build())


@every_engine
@pytest.mark.parametrize("high", [3, UNLIMITED])
def test_an_item_with_fewer_options_than_it_needs_leaves_no_solution(
    high: int, engine: Engine
) -> None:
    builder = ModelBuilder("too few")
    builder.item("a", 3, high)
    builder.item("b")
    builder.option(["a"])
    builder.option(["a", "b"])
    assert unique(engine, builder.build()).verdict is Verdict.NONE
    builder.option(["a"])
    assert unique(engine, builder.build()).solutions == ((0, 1, 2),)


@every_engine
def test_the_zero_cheapest_are_refused(engine: Engine) -> None:
    with pytest.raises(InputError, match="the 0 cheapest solutions"):
        best(engine, ModelBuilder("empty").build(), 0)


@pytest.mark.skipif(not ANSWERED, reason="../shared/cases is not there")
@every_engine
@pytest.mark.parametrize("name", ANSWERED)
def test_exact_cover_cases(engine: Engine, name: str) -> None:
    content = case(name)
    found = listing(engine, exact_cover_model(content))
    assert found.result.complete
    assert len(found.solutions) == content["expected"]["count"]
    if "solutions" in content["expected"]:
        assert set(found.solutions) == {tuple(s) for s in content["expected"]["solutions"]}


@pytest.mark.parametrize("prefix", REFUSED)
def test_exact_cover_cases_that_are_refused(prefix: str) -> None:
    (name,) = [path.stem for path in FOLDER.glob(f"{prefix}-*.json")] or [f"{prefix}-missing"]
    with pytest.raises(ModelError, match=REFUSED[prefix]):
        exact_cover_model(case(name))


def chain(length: int, *, broken: bool = False) -> Model:
    """Items in a row, covered by dominoes, all forced; one item is left over if broken."""
    builder = ModelBuilder("chain")
    n_items = 2 * length - (1 if broken else 0)
    for item in range(n_items):
        builder.item(str(item))
    for item in range(n_items - 1):
        builder.option([item, item + 1])
    return builder.build()


@every_engine
def test_a_forced_chain_of_10000_options_has_its_one_solution(engine: Engine) -> None:
    model = chain(5001)
    assert model.n_options == 10_001
    answer = unique(engine, model)
    assert answer.verdict is Verdict.UNIQUE
    assert answer.solutions == (tuple(range(0, 10_001, 2)),)
    assert unique(engine, chain(5001, broken=True)).verdict is Verdict.NONE


@every_engine
def test_the_empty_model_has_the_empty_solution_only(engine: Engine) -> None:
    answer = unique(engine, ModelBuilder().build())
    assert (answer.verdict, answer.solutions) == (Verdict.UNIQUE, ((),))


@every_engine
def test_an_item_without_option_leaves_no_solution(engine: Engine) -> None:
    builder = ModelBuilder()
    builder.item("a")
    builder.item("b")
    builder.option(["a"])
    assert unique(engine, builder.build()).verdict is Verdict.NONE


def many(n: int) -> Model:
    """`n` items with three options each: 3 ** n solutions."""
    builder = ModelBuilder(f"3^{n}")
    for item in range(n):
        builder.item(str(item))
        for _ in range(3):
            builder.option([item])
    return builder.build()


@every_engine
def test_a_limit_is_its_own_answer(engine: Engine) -> None:
    model = many(30)
    for limits in (Limits(solutions=5), Limits(seconds=0.2), Limits(nodes=100)):
        found = listing(engine, model, limits)
        assert not found.result.complete
        assert found.result.found == len(found.solutions)
    assert listing(engine, model, Limits(solutions=5)).result.found == 5


@every_engine
@pytest.mark.parametrize("limit", [1, 2, 8, 9, 10])
def test_a_limit_of_solutions_is_exact_also_at_the_last_one(engine: Engine, limit: int) -> None:
    reached = StopReason.SOLUTIONS if limit <= 9 else StopReason.EXHAUSTED
    for result in (
        listing(engine, many(2), Limits(solutions=limit)).result,
        count(engine, many(2), Limits(solutions=limit)),
    ):
        assert (result.found, result.stopped) == (min(limit, 9), reached)


@every_engine
def test_a_limit_of_zero_begins_no_search(engine: Engine) -> None:
    for limits, reason in (
        (Limits(solutions=0), StopReason.SOLUTIONS),
        (Limits(seconds=0.0), StopReason.TIME),
        (Limits(nodes=0), StopReason.NODES),
    ):
        for model in (many(3), ModelBuilder().build()):
            for result in (count(engine, model, limits), engine.search(model, limits)):
                assert (result.found, result.stopped) == (0, reason)


@every_engine
def test_a_receiver_ends_the_search_by_returning_true(engine: Engine) -> None:
    seen = []

    def receive(solution: tuple[int, ...]) -> bool:
        seen.append(solution)
        return len(seen) == 3

    result = engine.search(many(5), receive=receive)
    assert len(seen) == result.found == 3
    assert result.stopped is StopReason.CANCELLED


@every_engine
def test_a_seed_gives_the_same_order_again(engine: Engine) -> None:
    model = many(4)
    orders = [listing(engine, model, seed=seed).solutions for seed in (0, 0, 7, 7)]
    assert orders[0] == orders[1]
    assert orders[2] == orders[3]
    assert set(orders[0]) == set(orders[2])


@every_engine
def test_first_gives_one_solution_or_none(engine: Engine) -> None:
    assert len(first(engine, many(4)).solutions) == 1
    assert first(engine, chain(3, broken=True)).solutions == ()
