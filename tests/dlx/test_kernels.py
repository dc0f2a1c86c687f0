"""The three kernels: the same sets of solutions, in slices of any size, in a repeatable order."""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Callable

import numpy as np
import pytest
from helpers.oracle import all_solutions
from helpers.strategies import models
from hypothesis import given, settings
from hypothesis import strategies as st

from twostep.dlx_backend import orders
from twostep.dlx_backend.bits import probe
from twostep.dlx_backend.bits.fewest import Fewest
from twostep.dlx_backend.bits.inorder import InOrder
from twostep.dlx_backend.bits.table import BitTable
from twostep.dlx_backend.choose import Guarded, choose, try_fewest
from twostep.dlx_backend.costs import BEST_ORDER_WALKS, ORDER_WALK_WORDS
from twostep.dlx_backend.engine import DlxEngine
from twostep.dlx_backend.kernel import Kernel
from twostep.dlx_backend.links import Links
from twostep.dlx_backend.problem import Problem, prepare
from twostep.dlx_backend.roles import Roles
from twostep.models.families.registry import named_puzzle
from twostep.models.language.builder import ModelBuilder
from twostep.models.language.model import UNLIMITED, Feature, IntArray, Model, Solution
from twostep.models.search.engine import Limits, StopReason
from twostep.models.search.estimates import Estimate
from twostep.models.search.questions import listing

SIMPLE = frozenset({Feature.SECONDARY, Feature.COLOURS})

Maker = Callable[[Problem, IntArray], Kernel]


def _in_order(problem: Problem, order: IntArray) -> Kernel:
    return InOrder.of(BitTable.of(problem, Roles.of(problem), order))


def _fewest(problem: Problem, order: IntArray) -> Kernel:
    return Fewest.of(BitTable.of(problem, Roles.of(problem), order))


def _links(problem: Problem, _order: IntArray) -> Kernel:
    return Links.of(problem)


BITSETS = pytest.mark.parametrize("make", [_in_order, _fewest], ids=["in order", "fewest"])
KERNELS = pytest.mark.parametrize(
    "make", [_in_order, _fewest, _links], ids=["in order", "fewest", "links"]
)


def _needed(problem: Problem) -> IntArray:
    return np.flatnonzero(Roles.of(problem).needed).astype(np.int32)


def _solutions(kernel: Kernel, problem: Problem, slice_nodes: int) -> list[Solution]:
    """All solutions, the kernel stopped after every `slice_nodes` nodes and every third find."""
    out = np.empty(4 * (kernel.longest + 1), dtype=np.int32)
    found: list[Solution] = []
    while not kernel.done:
        place = 0
        for _ in range(kernel.advance(slice_nodes, 3, out)):
            length = int(out[place])
            options = problem.option_ids[out[place + 1 : place + 1 + length]].tolist()
            found.append(tuple(sorted((*options, *problem.chosen))))
            place += length + 1
    return found


def _suits_bits(problem: Problem) -> bool:
    return problem.possible and problem.n_options > 0 and Roles.of(problem).simple


@BITSETS
@settings(max_examples=300, deadline=None)
@given(model=models(SIMPLE, max_options=12), data=st.data())
def test_random_models_have_the_same_set_as_by_brute_force(
    make: Maker, model: Model, data: st.DataObject
) -> None:
    problem = prepare(model, data.draw(st.integers(0, 3), label="seed"))
    if not _suits_bits(problem):
        return
    order = np.array(data.draw(st.permutations(_needed(problem).tolist())), dtype=np.int32)
    found = _solutions(make(problem, order), problem, data.draw(st.integers(1, 5), label="slice"))
    assert len(set(found)) == len(found)
    assert set(found) == all_solutions(model)


@settings(max_examples=300, deadline=None)
@given(model=models(frozenset(Feature) - {Feature.SIDE_CONDITION}, max_options=11))
def test_the_chosen_kernel_has_the_same_set_as_by_brute_force(model: Model) -> None:
    problem = prepare(model)
    if problem.possible:
        assert set(_solutions(choose(problem), problem, 7)) == all_solutions(model)


@KERNELS
@pytest.mark.parametrize(
    ("name", "count"),
    [("pentomino:3x20", 8), ("domino:6x6", 6728), ("pentomino:3x5:PUV", 4)],
)  # exhaustive counts
def test_known_counts(make: Maker, name: str, count: int) -> None:
    problem = prepare(named_puzzle(name).model)
    order = orders.by_frontier(problem, Roles.of(problem).needed)
    kernel = make(problem, order)
    nothing = np.empty(0, dtype=np.int32)
    assert kernel.advance(sys.maxsize, sys.maxsize, nothing) == count
    assert kernel.done


@KERNELS
@settings(max_examples=100, deadline=None)
@given(model=models(SIMPLE, max_options=12), slice_nodes=st.integers(1, 4))
def test_slices_change_neither_order_nor_nodes(make: Maker, model: Model, slice_nodes: int) -> None:
    problem = prepare(model)
    if not _suits_bits(problem):
        return
    whole, sliced = (make(problem, _needed(problem)) for _ in range(2))
    assert _solutions(whole, problem, 1 << 40) == _solutions(sliced, problem, slice_nodes)
    assert (whole.nodes, whole.updates) == (sliced.nodes, sliced.updates)


@KERNELS
def test_a_slice_never_exceeds_its_nodes(make: Maker) -> None:
    problem = prepare(named_puzzle("domino:4x4").model)
    kernel = make(problem, _needed(problem))
    nothing = np.empty(0, dtype=np.int32)
    while not kernel.done:
        before = kernel.nodes
        kernel.advance(5, sys.maxsize, nothing)
        assert kernel.nodes - before <= 5
        assert kernel.done or kernel.nodes - before == 5


@BITSETS
def test_two_words_of_items_and_of_options(make: Maker) -> None:
    """A chain of 150 forced items, each with a second option that leads nowhere."""
    builder = ModelBuilder("chain")
    items = [builder.item(f"i{i}") for i in range(150)]
    for i in range(0, 150, 2):
        builder.option([items[i], items[i + 1]])
    for i in range(1, 148, 2):
        builder.option([items[i], items[i + 1]])
    model = builder.build()
    problem = prepare(model)
    assert _solutions(make(problem, _needed(problem)), problem, 10**6) == [tuple(range(75))]


@KERNELS
@pytest.mark.parametrize("first", [1, 63, 64, 65, 128])
@pytest.mark.parametrize("second", [63, 64, 65, 127, 128, 129])
def test_options_that_fill_their_words_to_the_last_bit(
    make: Maker, first: int, second: int
) -> None:
    """Two items, each with options of its own: every pair of them is a solution."""
    builder = ModelBuilder("pairs")
    for item, options in (("a", first), ("b", second)):
        builder.item(item)
        for _ in range(options):
            builder.option([item])
    problem = prepare(builder.build())
    found = _solutions(make(problem, _needed(problem)), problem, 1000)
    assert len(found) == len(set(found)) == first * second


@KERNELS
@pytest.mark.parametrize("options", [63, 64, 127, 128, 191])
def test_the_last_bit_of_the_last_word_may_be_all_that_is_left(make: Maker, options: int) -> None:
    builder = ModelBuilder("the last one")
    builder.item("a")
    builder.item("b")
    builder.secondary("s")
    builder.option(["a", "s"])
    for _ in range(options - 1):
        builder.option(["b", "s"])
    builder.option(["b"])
    problem = prepare(builder.build())
    assert _solutions(make(problem, _needed(problem)), problem, 1000) == [(0, options)]


def test_at_most_once_is_simple_only_beside_a_needed_item() -> None:
    builder = ModelBuilder("at most once")
    builder.item("a")
    builder.item("b", 0, 1)
    builder.option(["a", "b"])
    assert Roles.of(prepare(builder.build())).simple
    builder.option(["b"])
    assert not Roles.of(prepare(builder.build())).simple


def test_an_item_without_effect_is_none() -> None:
    builder = ModelBuilder("any number")
    for name in ("a", "b"):
        builder.item(name)
    builder.item("any", 0, UNLIMITED)
    builder.item("few", 0, 2)
    builder.option(["a", "any", "few"])
    builder.option(["b", "any", "few"])
    builder.option(["a", "b", "any"])
    model = builder.build()
    problem = prepare(model)
    assert Roles.of(problem).simple
    kernel = Fewest.of(BitTable.of(problem, Roles.of(problem), _needed(problem)))
    assert set(_solutions(kernel, problem, 100)) == all_solutions(model) == {(0, 1), (2,)}


def test_an_item_without_an_upper_bound_has_an_effect_if_it_is_needed() -> None:
    builder = ModelBuilder("two at least")
    builder.item("two", 2, UNLIMITED)
    for name in ("a", "b"):
        builder.item(name)
        builder.option([name])
        builder.option([name, "two"])
    problem = prepare(builder.build())
    assert not Roles.of(problem).simple
    assert _solutions(choose(problem), problem, 100) == [(1, 3)]


@pytest.mark.parametrize("slots", [1, 2, 9, 20])
def test_multiplicities_go_to_the_links(slots: int) -> None:
    builder = ModelBuilder("twice")
    builder.item("a", 2, 2)
    for _ in range(slots):
        builder.option(["a"])
    assert isinstance(choose(prepare(builder.build())), Links)


def test_boards_go_to_the_fixed_order_and_sudokus_to_the_fewest() -> None:
    board = choose(prepare(named_puzzle("pentomino:6x10").model))
    assert isinstance(board, Guarded)
    assert isinstance(board.kernel, InOrder)
    assert isinstance(choose(prepare(named_puzzle("pentomino:3x5:PUV").model)), Fewest)


def test_an_order_whose_tree_is_too_large_for_a_float_is_not_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    endless = Estimate(math.inf, math.inf)  # as for domino:64x64
    monkeypatch.setattr(probe, "in_order", lambda table, walks: endless)
    assert isinstance(choose(prepare(named_puzzle("pentomino:6x10").model)), Fewest)


def test_the_walks_that_choose_a_kernel_look_at_a_bounded_number_of_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def in_order(table: BitTable, walks: int) -> Estimate:
        asked.append((walks, walks * table.n_needed * table.words))
        return Estimate(1e9)

    monkeypatch.setattr(probe, "in_order", in_order)
    for name, bounded in (("domino:40x40", True), ("pentomino:6x10", False)):
        asked.clear()
        choose(prepare(named_puzzle(name).model))
        assert asked
        assert all(words <= ORDER_WALK_WORDS for _, words in asked)
        assert ((BEST_ORDER_WALKS + 1) not in [walks for walks, _ in asked]) is bounded


def test_a_suggested_order_is_taken_where_it_soon_leads_somewhere() -> None:
    # Nothing but the suggestion tells fewest-first, which these tiny problems else get, from it.
    builder = ModelBuilder("two of four")
    items = [builder.item(name) for name in "abcd"]
    for left, right in itertools.combinations(items, 2):
        builder.option([left, right])
    assert isinstance(choose(prepare(builder.build())), Fewest)
    builder.order = items[::-1]
    kernel = choose(prepare(builder.build()))
    assert isinstance(kernel, InOrder)
    assert kernel.nodes == 0  # at its start: the trial has left no trace
    assert _solutions(kernel, prepare(builder.build()), 7) == [(2, 3), (1, 4), (0, 5)]


def test_a_suggested_order_that_leads_nowhere_is_left() -> None:
    # Two pigeons too many, but the suggestion begins with 40 items that have nothing to do with it.
    builder = ModelBuilder("pigeons last")
    free = [builder.item(f"free{i}") for i in range(40)]
    pigeons = [builder.item(f"pigeon{i}") for i in range(4)]
    holes = [builder.secondary(f"hole{i}") for i in range(2)]
    for item in free:
        for _ in range(3):
            builder.option([item])
    for pigeon, hole in itertools.product(pigeons, holes):
        builder.option([pigeon, hole])
    builder.order = [*free, *pigeons]
    kernel = choose(prepare(builder.build()))
    assert isinstance(kernel, Fewest)
    assert kernel.nodes == 0
    assert listing(DlxEngine(), builder.build()).solutions == ()


def test_the_order_found_for_a_board_goes_along_its_short_side() -> None:
    problem = prepare(named_puzzle("pentomino:6x10").model)
    best = min(
        orders.sweeps(problem, Roles.of(problem).needed),
        key=lambda order: orders.widths(problem, order, np.ones(problem.n_items)).max(),
    )
    cells = best[best >= 12].tolist()  # the twelve pieces come first in the model
    columns = [(cell - 12) % 10 for cell in cells]
    assert columns in (sorted(columns), sorted(columns, reverse=True))


@settings(max_examples=200, deadline=None)
@given(model=models(SIMPLE, max_options=12))
def test_every_candidate_order_has_each_item_once(model: Model) -> None:
    problem = prepare(model)
    needed = Roles.of(problem).needed
    for order in orders.candidates(problem, needed):
        assert sorted(order.tolist()) == np.flatnonzero(needed).tolist()


def test_the_width_of_a_frontier_by_hand() -> None:
    """Three dominoes on 1x4: after cell 0, cell 1 is touched; after cell 1, cell 2; ..."""
    problem = prepare(named_puzzle("domino:1x4").model)
    natural = np.arange(4, dtype=np.int32)
    assert orders.widths(problem, natural, np.ones(4)).tolist() == [1, 1, 1, 0]
    inside_first = np.array([1, 2, 0, 3], dtype=np.int32)
    assert orders.widths(problem, inside_first, np.ones(4)).tolist() == [2, 2, 1, 0]


def test_probes_come_near_the_size_of_the_tree() -> None:
    problem = prepare(named_puzzle("domino:6x6").model)
    table = BitTable.of(problem, Roles.of(problem), _needed(problem))
    nothing = np.empty(0, dtype=np.int32)
    in_order, fewest = InOrder.of(table), Fewest.of(table)
    for kernel in (in_order, fewest):
        kernel.advance(sys.maxsize, sys.maxsize, nothing)
    assert probe.in_order(table, 4000).mean == pytest.approx(in_order.nodes, rel=0.15)
    estimate = probe.fewest_first(table, fewest.of_item, 4000)
    assert estimate.nodes.mean == pytest.approx(fewest.nodes, rel=0.15)
    assert estimate.died == pytest.approx(fewest.updates, rel=0.3)


@pytest.mark.parametrize("name", ["pentomino:3x20", "domino:6x6"])
def test_a_seed_gives_an_order_and_all_seeds_the_same_set(name: str) -> None:
    model = named_puzzle(name).model
    engine = DlxEngine()
    natural, again, other = (listing(engine, model, seed=seed).solutions for seed in (7, 7, 8))
    assert natural == again
    assert natural != other
    assert set(natural) == set(other)


@pytest.mark.parametrize("nodes", [0, 1, 2, 100, 4321])
def test_the_limit_of_nodes_is_exact(nodes: int) -> None:
    model = named_puzzle("pentomino:3x20").model
    result = DlxEngine().search(model, Limits(nodes=nodes))
    assert result.stopped is StopReason.NODES
    assert result.counters.nodes == nodes


def test_solutions_of_several_lengths_are_decoded() -> None:
    model = named_puzzle("polyomino:3x4:I1=any,I2=any,I3=any").model
    result = listing(DlxEngine(), model)
    assert len({len(solution) for solution in result.solutions}) > 3
    assert len(set(result.solutions)) == result.result.found


@settings(max_examples=200, deadline=None)
@given(
    model=models(SIMPLE, max_options=12), allowed=st.integers(0, 6), slice_nodes=st.integers(1, 5)
)
def test_a_fixed_order_given_up_loses_and_doubles_nothing(
    model: Model, allowed: int, slice_nodes: int
) -> None:
    problem = prepare(model)
    if not _suits_bits(problem):
        return
    roles = Roles.of(problem)
    first = try_fewest(problem, roles)
    assert first is not None
    table = BitTable.of(problem, roles, _needed(problem))
    found = _solutions(Guarded(InOrder.of(table), allowed, first), problem, slice_nodes)
    assert len(found) == len(set(found))
    assert set(found) == all_solutions(model)


def test_a_fixed_order_that_finds_nothing_for_long_is_given_up() -> None:
    problem = prepare(named_puzzle("pentomino:3x20").model)
    roles = Roles.of(problem)
    first = try_fewest(problem, roles)
    assert first is not None
    # Row by row, along the long side, the search would take days.
    table = BitTable.of(problem, roles, _needed(problem))
    guarded = Guarded(InOrder.of(table), 10_000, first)
    nothing = np.empty(0, dtype=np.int32)
    assert guarded.advance(sys.maxsize, sys.maxsize, nothing) == 8
    assert isinstance(guarded.kernel, Fewest)
    assert guarded.nodes == 10_000 + guarded.kernel.nodes
