"""A count beside a search ends it, and changes nothing else."""

from __future__ import annotations

import pytest
from helpers.cli import Typed
from helpers.oracle import all_solutions
from helpers.strategies import models
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from twostep.dlx_backend import DlxEngine, beside
from twostep.models.families.registry import named_puzzle
from twostep.models.language.model import Model
from twostep.models.search import questions
from twostep.models.search.engine import Limits, StopReason
from twostep.models.search.questions import Verdict


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the count begin with the first nodes, and get ahead of the search."""
    monkeypatch.setattr(beside, "BESIDE_FROM_NODES", 1)
    monkeypatch.setattr(beside, "BESIDE_FROM_NS", 0)
    monkeypatch.setattr(beside, "BESIDE_SHARE", 1e9)
    monkeypatch.setattr(beside, "BESIDE_SHARE_LATER", 1e9)


_SETTINGS = settings(
    deadline=None, max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@given(models(), st.integers(0, 2))
@_SETTINGS
@pytest.mark.usefixtures("at_once")
def test_all_solutions_come_once_each(model: Model, seed: int) -> None:
    found = questions.listing(DlxEngine(), model, seed=seed)
    assert sorted(found.solutions) == sorted(all_solutions(model))
    assert found.result.complete


@given(models(), st.integers(1, 4))
@_SETTINGS
@pytest.mark.usefixtures("at_once")
def test_as_many_as_asked_for_come(model: Model, wanted: int) -> None:
    expected = all_solutions(model)
    found = questions.listing(DlxEngine(), model, Limits(solutions=wanted))
    assert len(set(found.solutions)) == len(found.solutions) == min(wanted, len(expected))
    assert found.result.complete is (len(expected) < wanted)


@given(models(), st.integers(1, 3), st.one_of(st.none(), st.integers(-5, 5)))
@_SETTINGS
@pytest.mark.usefixtures("at_once")
def test_the_cheapest_are_the_cheapest(model: Model, k: int, below: int | None) -> None:
    found = questions.best(DlxEngine(), model, k, below=below)
    costs = sorted(map(model.cost, all_solutions(model)))
    fitting = [cost for cost in costs if below is None or cost < below]
    assert [model.cost(solution) for solution in found.solutions] == fitting[:k]
    assert found.result.complete


def test_that_a_board_has_no_solution_is_known_at_once() -> None:
    model = named_puzzle("domino:10x10-mutilated").model
    engine = DlxEngine()
    found = questions.unique(engine, model)
    assert found.verdict is Verdict.NONE
    assert found.result.counters.nodes < 3_000_000  # visiting takes 1.6 billion and more
    assert questions.best(engine, model, 2).result.complete


def test_a_limit_of_nodes_ends_the_search_where_it_did() -> None:
    model = named_puzzle("domino:10x10-mutilated").model
    found = questions.first(DlxEngine(), model, Limits(nodes=3_000_000))
    assert found.result.stopped is StopReason.NODES
    assert found.result.counters.nodes == 3_000_000


def test_a_puzzle_without_solution_is_told_apart_on_the_command_line(typed: Typed) -> None:
    assert typed("unique", "domino:10x10-mutilated", "--quiet").code == 20
