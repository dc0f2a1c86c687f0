"""Counting without visiting: right whatever the features, the memory, the size of the number."""

from __future__ import annotations

import math
from decimal import Decimal, getcontext, localcontext

import numpy as np
import pytest
from helpers.oracle import all_solutions
from helpers.strategies import models
from hypothesis import given, settings
from hypothesis import strategies as st

from twostep.dlx_backend import orders
from twostep.dlx_backend.count import representatives
from twostep.dlx_backend.engine import DlxEngine
from twostep.dlx_backend.links import Links
from twostep.dlx_backend.problem import Problem, prepare
from twostep.dlx_backend.race import Race
from twostep.dlx_backend.roles import Roles
from twostep.dlx_backend.states import frontier
from twostep.dlx_backend.states.frontier import Frontier
from twostep.dlx_backend.states.layout import Layout
from twostep.dlx_backend.states.stages import closable, stages
from twostep.models.families.registry import named_puzzle
from twostep.models.language.builder import ModelBuilder
from twostep.models.language.model import Feature, Model
from twostep.models.search.engine import Counters, Limits, StopReason
from twostep.models.search.questions import count

LANGUAGE = frozenset(Feature) - {Feature.SIDE_CONDITION}
TINY = 1
"""A limit of memory that is reached at once."""


def _frontier(problem: Problem, memory: int = 1 << 30, seed: int | None = None) -> Frontier:
    roles = Roles.of(problem)
    items = np.flatnonzero(closable(problem, roles)).astype(np.int32)
    if seed is not None:
        items = np.random.default_rng(seed).permutation(items)
    return Frontier(stages(problem, roles, items), memory)


@settings(max_examples=600, deadline=None)
@given(
    model=models(LANGUAGE, max_options=11),
    memory=st.sampled_from([TINY, 1 << 30]),
    slice_=st.integers(1, 20),
    seed=st.integers(0, 5),
)
def test_random_models_are_counted_as_by_brute_force(
    model: Model, memory: int, slice_: int, seed: int
) -> None:
    problem = prepare(model)
    if not problem.possible:
        return
    frontier = _frontier(problem, memory, seed)
    while not frontier.done:
        frontier.advance(slice_)
    assert frontier.total == len(all_solutions(model))


@settings(max_examples=300, deadline=None)
@given(model=models(max_options=11))
def test_the_engine_counts_random_models_as_by_brute_force(model: Model) -> None:
    result = count(DlxEngine(), model)
    assert result.complete
    assert result.found == len(all_solutions(model))


@settings(max_examples=200, deadline=None)
@given(model=models(LANGUAGE, max_options=11))
def test_components_multiply(model: Model) -> None:
    problem = prepare(model)
    if not problem.possible:
        return
    product = 1
    for component in problem.components():
        frontier = _frontier(component)
        frontier.advance(1 << 30)
        product *= frontier.total
    assert product == len(all_solutions(model))


def test_parts_far_apart_cost_what_one_costs() -> None:
    """Twelve boards of 6x6 dominoes, side by side: 6728 ** 12 (exhaustive count of one)."""
    one = named_puzzle("domino:6x6").model
    builder = ModelBuilder("twelve boards")
    for board in range(12):
        for name in one.items:
            builder.item(f"{board} {name}")
        for option in range(one.n_options):
            builder.option([board * one.n_items + item for item, _ in one.option(option)])
    result = count(DlxEngine(), builder.build())
    assert result.found == 6728**12
    assert result.counters.nodes < 12 * 40_000  # 33,094 visit one board in a fixed order


def _pi(digits: int) -> Decimal:
    """Machin's formula."""
    with localcontext() as context:
        context.prec = digits + 10

        def arctan_of_inverse(x: int) -> Decimal:
            total = term = Decimal(1) / x
            n = 1
            while abs(term) > Decimal(10) ** -(digits + 8):
                term /= -x * x
                n += 2
                total += term / n
            return total

        return 4 * (4 * arctan_of_inverse(5) - arctan_of_inverse(239))


def _cos(x: Decimal) -> Decimal:
    total = term = Decimal(1)
    n = 0
    while abs(term) > Decimal(10) ** -(getcontext().prec + 5):
        n += 2
        term *= -x * x / (n * (n - 1))
        total += term
    return total


def dominoes(n: int) -> int:
    """Domino coverings of n x n, n even, by the formula of Kasteleyn, Temperley and Fisher."""
    with localcontext() as context:
        context.prec = 120
        pi = _pi(130)
        squares = [4 * _cos(pi * j / (n + 1)) ** 2 for j in range(1, n // 2 + 1)]
        product = math.prod((a + b for a in squares for b in squares), start=Decimal(1))
        return int(product.to_integral_value())


@pytest.mark.parametrize("n", [2, 4, 6, 8, 10, 12, 16, 20])
def test_dominoes_as_by_the_closed_formula(n: int) -> None:
    assert count(DlxEngine(), named_puzzle(f"domino:{n}x{n}").model).found == dominoes(n)


@pytest.mark.parametrize(
    ("board", "number"),
    [
        ("5x6", 22120274147),
        ("6x6", 3621843440108),
        ("5x7", 1485011091210),
        ("8x8", 92109458286284989468604),
    ],
)  # exhaustive counts
def test_coverings_with_one_to_three_cells(board: str, number: int) -> None:
    model = named_puzzle(f"polyomino:{board}:I1=any,I2=any,I3=any,V3=any").model
    assert count(DlxEngine(), model).found == number


def perfect_mazes(n: int) -> Model:
    """The spanning trees of an n x n grid: each wall slot belongs to a cell or a post.

    Temperley; Kenyon, Propp, Wilson, "Trees and matchings", 2000.
    """
    builder = ModelBuilder(f"perfect mazes {n}x{n}")
    cells = {(r, c) for r in range(n) for c in range(n)} - {(0, 0)}
    posts = {(r, c) for r in range(n - 1) for c in range(n - 1)}
    for r, c in sorted(cells):
        builder.item(f"cell {r} {c}")
    for r, c in sorted(posts):
        builder.item(f"post {r} {c}")
    for r in range(n):
        for c in range(n):
            for down, right in ((0, 1), (1, 0)):
                if r + down >= n or c + right >= n:
                    continue
                slot = f"slot {r} {c} {down}"
                builder.item(slot)
                for cell in ((r, c), (r + down, c + right)):
                    if cell in cells:
                        builder.option([slot, f"cell {cell[0]} {cell[1]}"])
                for post in ((r, c), (r - right, c - down)):
                    if post in posts:
                        builder.option([slot, f"post {post[0]} {post[1]}"])
    return builder.build()


@pytest.mark.parametrize(
    ("n", "number"), [(2, 4), (3, 192), (4, 100352), (5, 557568000), (6, 32565539635200)]
)  # determinants of the reduced Laplacian
def test_perfect_mazes(n: int, number: int) -> None:
    assert count(DlxEngine(), perfect_mazes(n)).found == number


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("pentomino:3x20", 8),
        ("pentomino:4x15", 1472),
        ("pentomino:5x12", 4040),
        ("pentomino:6x10", 9356),
        ("domino:8x8", 12988816),
    ],
)  # exhaustive counts
def test_boards(name: str, number: int) -> None:
    result = count(DlxEngine(), named_puzzle(name).model)
    assert (result.found, result.stopped) == (number, StopReason.EXHAUSTED)


@pytest.mark.parametrize(
    "name",
    [
        "polyomino:4x5:L4=any,I2=any,T4=2",
        "polyomino:4x4:I2=4,I1=8",
        "polyomino:4x5:V3=any,I2=2,I1=any",
        "pentomino:3x5:PUV",
    ],
)
def test_copies_are_counted_as_the_links_count_them(name: str) -> None:
    problem = prepare(named_puzzle(name).model)
    expected = Links.of(problem).advance(1 << 60, 1 << 60, np.empty(0, dtype=np.int32))
    for seed in range(3):
        frontier = _frontier(problem, seed=seed)
        frontier.advance(1 << 60)
        assert frontier.total == expected


def test_a_carry_runs_through_all_limbs() -> None:
    """2 ** 128 - 1 ways with s in colour x, and 1 without: two limbs full of ones, and 1."""
    builder = ModelBuilder("a sum of 2 ** 128")
    builder.secondary("s")
    for item in range(128):
        builder.item(f"i{item}")
        builder.option([f"i{item}"])
        builder.option([f"i{item}", ("s", "x")])
    frontier = _frontier(prepare(builder.build()))
    frontier.advance(1 << 60)
    assert (frontier.done, frontier.total) == (True, 2**128)


@pytest.mark.parametrize("doublings", range(60, 66))
def test_a_limb_is_added_before_many_equal_options_can_fill_one(doublings: int) -> None:
    builder = ModelBuilder("nothing to remember")
    for item in range(doublings + 1):
        builder.item(f"i{item}")
        for _ in range(2 if item < doublings else 100):
            builder.option([f"i{item}"])
    frontier = _frontier(prepare(builder.build()))
    frontier.advance(1 << 60)
    assert frontier.total == 100 * 2**doublings


def test_little_memory_costs_time_only() -> None:
    problem = prepare(named_puzzle("domino:8x8").model)
    roles = Roles.of(problem)
    order = orders.ranked(problem, roles.needed, np.ones(problem.n_items))[0]
    plan = stages(problem, roles, order)
    plenty, little = Frontier(plan), Frontier(plan, memory=2_000)
    plenty.advance(1 << 60)
    little.advance(1 << 60)
    assert little.total == plenty.total == 12988816
    assert little.nodes > 2 * plenty.nodes  # what was forgotten is counted again
    assert len(little._keys) <= 64 < len(plenty._keys)


def test_too_many_states_for_their_numbers_cost_time_only(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = prepare(named_puzzle("domino:8x8").model)
    layout = Layout.of(problem, Roles.of(problem), searching=False)
    memory = 60_000  # less than what a count begins with, and room enough
    plenty = layout.frontier(memory)
    plenty.advance(1 << 60)
    monkeypatch.setattr(frontier, "MOST_STATES", 64)
    few, recording = layout.frontier(memory), layout.frontier(memory, record=True)
    few.advance(1 << 60)
    recording.advance(1 << 60)
    assert few.total == plenty.total == 12988816
    assert recording.full
    assert len(few._keys) == len(recording._keys) == 64 < len(plenty._keys)


def test_symmetry_counts_a_part_of_each_board() -> None:
    model = named_puzzle("pentomino:6x10").model
    problem = prepare(model)
    parts = list(representatives(model, problem))
    assert [(part.factor, part.weight) for part in parts] == [(4, 8)]
    # X lies at 32 places, in 8 orbits of 4; all other options stay.
    assert parts[0].problem.n_options == problem.n_options - 24


@pytest.mark.parametrize("name", ["pentomino:3x5:PUV", "polyomino:5x5:I5=5", "polyomino:3x3:I3=3"])
def test_symmetry_is_right_for_solutions_that_are_symmetric(name: str) -> None:
    model = named_puzzle(name).model
    assert model.symmetries is not None
    visited = DlxEngine().search(model)
    assert count(DlxEngine(), model).found == visited.found > 0


def test_symmetry_with_orbits_of_several_sizes() -> None:
    """V, X and 16 single cells on 5x5: X may lie in the middle, a place that is its own image."""
    model = named_puzzle("polyomino:5x5:X5=1,V3=1,I1=17").model
    problem = prepare(model)
    assert len(list(representatives(model, problem))) > 1
    assert count(DlxEngine(), model).found == DlxEngine().search(model).found


def test_symmetry_respects_chosen_options() -> None:
    model = named_puzzle("pentomino:3x20").model
    for option in (0, 400, 1235):
        chosen = model.with_chosen([option])
        assert count(DlxEngine(), chosen).found == DlxEngine().search(chosen).found


@pytest.mark.parametrize("nodes", [0, 1, 10, 999, 5000])
def test_the_limit_of_nodes_is_exact_and_the_count_a_lower_bound(nodes: int) -> None:
    result = count(DlxEngine(), named_puzzle("pentomino:6x10").model, Limits(nodes=nodes))
    assert result.stopped is StopReason.NODES
    assert result.counters.nodes == nodes
    assert result.found <= 9356


def test_the_watcher_and_ctrl_c_end_a_count() -> None:
    model = named_puzzle("domino:20x20").model

    def interrupt(_counters: Counters) -> None:
        raise KeyboardInterrupt

    for watch in (lambda _counters: True, interrupt):
        result = DlxEngine().count(model, watch=watch)
        assert result.stopped is StopReason.CANCELLED


def test_a_race_is_the_same_in_slices() -> None:
    problem = prepare(named_puzzle("pentomino:3x20").model)
    whole, sliced = Race.of(problem), Race.of(problem)
    whole.advance(1 << 60)
    while not sliced.done:
        sliced.advance(1000)
    assert whole.lower == sliced.lower == 8


def test_a_limit_of_solutions_is_kept() -> None:
    result = count(DlxEngine(), named_puzzle("domino:8x8").model, Limits(solutions=5))
    assert (result.found, result.stopped) == (5, StopReason.SOLUTIONS)
