"""Random walks estimate what a search then finds."""

from __future__ import annotations

import math

import numpy as np
import pytest
from fuzz.models import LinksEngine
from helpers.cli import Typed
from helpers.oracle import all_solutions
from helpers.strategies import ALL, models
from hypothesis import given, settings

from twostep.compare.parallel.count import Progress
from twostep.compare.parallel.plan import parts_of, split
from twostep.dlx_backend import DlxEngine
from twostep.dlx_backend.kernel import Replay
from twostep.dlx_backend.proof.estimate import estimate, weights
from twostep.dlx_backend.race import Visiting
from twostep.models import Counters, Feature, Model
from twostep.models.families.registry import named_puzzle
from twostep.models.search.estimates import Estimate


@pytest.mark.parametrize(
    ("name", "count"),
    [("queens:8", 92), ("langford:8", 300), ("domino:6x6", 6728)],  # A000170, A014552, A004003
)
def test_known_counts_are_near_the_estimate(name: str, count: int) -> None:
    found = estimate(named_puzzle(name).model, 3000)
    # Four standard errors: the walks are the same ones each time, so this cannot flicker.
    assert abs(found.solutions.mean - count) < 4 * found.solutions.error * found.solutions.mean
    assert not found.solutions.worthless
    assert found.solutions.error < 0.2


@settings(max_examples=100, derandomize=True, deadline=None)
@given(model=models(ALL - {Feature.SIDE_CONDITION}))
def test_the_mean_of_many_walks_is_the_count(model: Model) -> None:
    count = len(all_solutions(model))
    found = estimate(model, 400)
    if found.exact:
        assert found.solutions.mean == count
        if count:  # else it depends on the order in which the items run out
            assert found.nodes.mean == LinksEngine().search(model).counters.nodes
    elif count == 0:
        assert found.reached == 0
    elif found.reached >= 40:
        assert abs(found.solutions.mean - count) <= 6 * found.solutions.error * count + 1e-9


def test_the_same_seed_gives_the_same_estimate_and_another_another() -> None:
    model = named_puzzle("queens:8").model
    assert estimate(model, 100, seed=5) == estimate(model, 100, seed=5)
    assert estimate(model, 100, seed=5) != estimate(model, 100, seed=6)


def test_an_estimate_that_hangs_on_one_walk_is_called_worthless() -> None:
    found = estimate(named_puzzle("pentomino:6x10").model, 500)
    assert found.reached < 20  # of 9356 solutions, deep down
    assert found.solutions.worthless


def test_huge_trees_overflow_into_infinity_not_into_an_error() -> None:
    assert Estimate.of([1e308, 1e308]).mean == math.inf
    assert Estimate.of([1e308, 1e308]).worthless
    assert Estimate.of([0.0, 0.0]).mean == 0.0
    assert Estimate.of([4.0, 4.0]) == Estimate(4.0, 0.0, 0.5)


def test_the_weights_of_parts_tell_large_from_small() -> None:
    model = named_puzzle("domino:6x6").model
    states = [part.state for part in parts_of(split(model, 10), model)]
    sizes = weights(model, states, 200)
    whole = estimate(model, 3000).nodes.mean
    assert len(sizes) == len(states)
    assert 0.5 * whole < sum(sizes) < 1.5 * whole


def test_the_time_left_follows_from_the_share_of_the_work() -> None:
    assert Progress(1, 10, 0.25, 5.0).seconds_left == pytest.approx(15.0)
    assert Progress(0, 10, 0.0, 5.0).seconds_left is None


@pytest.mark.parametrize("name", ["pentomino:6x10", "pentomino:5x12"])  # 5x12: three orbits of X
def test_a_count_tells_what_share_of_it_is_done(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Slices of one size, not of one time: else a fast machine is done before it tells much.
    monkeypatch.setattr("twostep.dlx_backend.count.next_budget", lambda _budget, _began: 2000)
    shares: list[float] = []

    def watch(now: Counters) -> None:
        if now.share is not None:
            shares.append(now.share)

    result = DlxEngine().count(named_puzzle(name).model, watch=watch)
    assert result.complete
    assert result.counters.share is None
    assert shares == sorted(shares)
    assert 0 <= shares[0] < 0.4
    assert 0.6 < shares[-1] < 1


def test_no_share_is_told_of_an_estimate_that_is_worthless_or_too_low() -> None:
    kernel = Replay(0, np.zeros(0, dtype=np.int32), nodes=100, updates=0, longest=1)

    def share(*tree: float) -> float | None:
        return Visiting(kernel, 1.0, Estimate(*tree)).share

    assert share(400.0, 0.1) == 0.25
    assert share(400.0, 0.9) is None
    assert share(90.0, 0.1) is None
    assert Visiting(kernel, 1.0).share is None


def test_the_error_of_a_probe_is_that_of_its_mean() -> None:
    # Walks of 1, 2, 3 and 6 nodes: mean 3, variance 3.5, of the mean of four 0.875.
    found = Estimate.of_sums(4, 12.0, 50.0)
    assert (found.mean, found.error) == (3.0, pytest.approx(0.875**0.5 / 3))
    assert Estimate.of_sums(4, 1e300, math.inf).error == math.inf
    assert Estimate.of_sums(4, math.inf, math.inf).error == math.inf


def test_count_estimates_on_the_command_line(typed: Typed) -> None:
    assert typed("count", "queens:8", "--estimate").out.startswith("nodes: about 1,")
    assert "no idea" in typed("count", "pentomino:3x20", "--estimate").out
    answer = typed("count", "pentomino:6x10", "--estimate", "--json").json
    assert answer["outcome"] == "unknown"
    assert answer["solutions_estimate"]["worthless"]
    exact = typed("count", "polyomino:3x1:I3=1", "--estimate").out
    assert exact.endswith(", solutions: 1 (exact: there is nothing to choose)\n")
