"""Several workers: the parts cover the tree exactly once, so the answer is always the same."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from helpers.cli import Typed
from helpers.oracle import all_solutions
from helpers.strategies import models
from hypothesis import given, settings
from hypothesis import strategies as st

from twostep.compare.command.shared.exits import Exit
from twostep.dlx_backend.bits.fewest import Fewest
from twostep.dlx_backend.bits.inorder import InOrder
from twostep.dlx_backend.bits.search import Halves, halve
from twostep.dlx_backend.bits.table import BitTable
from twostep.dlx_backend.choose import choose
from twostep.dlx_backend.crew import Crew, shared
from twostep.dlx_backend.engine import DlxEngine
from twostep.dlx_backend.kernel import Divisible
from twostep.dlx_backend.problem import prepare
from twostep.dlx_backend.roles import Roles
from twostep.models.families.registry import named_puzzle
from twostep.models.language.model import Feature, IntArray, Model, Solution
from twostep.models.search.engine import Counters, Limits, StopReason

NOTHING: IntArray = np.empty(0, dtype=np.int32)


@settings(max_examples=300, deadline=None)
@given(
    model=models(frozenset({Feature.SECONDARY, Feature.COLOURS}), max_options=12),
    kind=st.sampled_from([InOrder, Fewest]),
    cuts=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 4)), max_size=12),
)
def test_parts_have_each_solution_once(
    model: Model, kind: type[InOrder] | type[Fewest], cuts: list[tuple[int, int]]
) -> None:
    """Cut anywhere, at any time: together the parts do what one search does, and no more."""
    problem = prepare(model)
    roles = Roles.of(problem)
    if not (problem.possible and problem.n_options and roles.simple):
        return
    table = BitTable.of(problem, roles, np.flatnonzero(roles.needed).astype(np.int32))
    parts: list[InOrder | Fewest] = [kind.of(table)]
    found: list[Solution] = []
    out = np.empty(64 * (table.n_needed + 1), dtype=np.int32)

    def go_on(part: InOrder | Fewest, nodes: int) -> None:
        place = 0
        for _ in range(part.advance(nodes, 60, out)):
            length = int(out[place])
            options = problem.option_ids[out[place + 1 : place + 1 + length]].tolist()
            found.append(tuple(sorted((*options, *problem.chosen))))
            place += length + 1

    for which, nodes in cuts:
        part = parts[which % len(parts)]
        go_on(part, nodes)
        other = part.split()
        if other is not None:
            parts.append(other)
    for part in parts:
        while not part.done:
            go_on(part, 1 << 40)
    assert len(found) == len(set(found))
    assert set(found) == all_solutions(model)
    whole = kind.of(table)
    whole.advance(sys.maxsize, sys.maxsize, NOTHING)
    assert sum(part.nodes for part in parts) == whole.nodes
    assert sum(part.updates for part in parts) == whole.updates


@settings(max_examples=300, deadline=None)
@given(
    here=st.integers(0, 2**64 - 1),
    more=st.lists(st.integers(0, 2**64 - 1), max_size=3),
)
def test_halves_are_disjoint_and_complete(here: int, more: list[int]) -> None:
    later = [(word, bits) for word, bits in enumerate(more, 8) if bits]
    halves = halve(7, here, later)
    everything = {(7, b) for b in range(64) if here >> b & 1}
    everything |= {(word, b) for word, bits in later for b in range(64) if bits >> b & 1}
    if halves is None:
        assert len(everything) < 2
        return

    def tried(word: int, bits: int, stop: int) -> set[tuple[int, int]]:
        first = {(word, b) for b in range(64) if bits >> b & 1}
        rest = {(w, b) for w, bits in later if word < w < stop for b in range(64) if bits >> b & 1}
        return first | rest

    assert isinstance(halves, Halves)
    mine = tried(halves.word, halves.mine, halves.stop)
    theirs = tried(halves.their_word, halves.theirs, 99)
    assert mine
    assert theirs
    assert not mine & theirs
    assert mine | theirs == everything


@pytest.mark.parametrize(
    ("name", "count"), [("pentomino:3x20", 8), ("queens:9", 352), ("langford:8", 300)]
)  # exhaustive counts
def test_any_number_of_workers_does_what_one_does(name: str, count: int) -> None:
    problem = prepare(named_puzzle(name).model)
    alone = choose(problem)
    assert alone.advance(sys.maxsize, sys.maxsize, NOTHING) == count
    for workers in (1, 2, 3, 7):
        kernel = choose(problem)
        assert isinstance(kernel, Divisible)
        crew = Crew.of(kernel, workers)
        found = 0
        while not crew.done:
            before = crew.nodes
            found += crew.advance(1234, sys.maxsize, NOTHING)
            assert crew.nodes - before <= 1234
        assert (found, crew.nodes, crew.updates) == (count, alone.nodes, alone.updates)


def test_what_cannot_be_cut_is_searched_by_one() -> None:
    kernel = choose(prepare(named_puzzle("polyomino:4x4:L4=4").model))
    assert shared(kernel, 4) is kernel


def test_a_crew_shows_no_solutions() -> None:
    kernel = choose(prepare(named_puzzle("domino:4x4").model))
    assert isinstance(kernel, Divisible)
    with pytest.raises(ValueError, match="counts"):
        Crew.of(kernel, 2).advance(10, 10, np.empty(100, dtype=np.int32))


def test_the_engine_with_workers() -> None:
    model = named_puzzle("pentomino:5x12").model
    engine = DlxEngine().with_workers(2, model)
    assert engine is not None
    assert engine.search(model).found == engine.count(model).found == 4040
    assert engine.search(model).counters.nodes == DlxEngine().search(model).counters.nodes
    assert DlxEngine().with_workers(2, named_puzzle("polyomino:4x4:L4=4").model) is None
    found: list[Solution] = []
    assert engine.search(model, Limits(solutions=3), receive=found.append).found == len(found) == 3
    assert engine.search(model, Limits(solutions=3)).found == 3
    assert engine.search(model, Limits(nodes=4321)).counters.nodes == 4321


def test_ctrl_c_ends_a_crew() -> None:
    model = named_puzzle("pentomino:6x10").model

    def interrupt(_counters: Counters) -> None:
        raise KeyboardInterrupt

    result = DlxEngine(workers=2).search(model, watch=interrupt)
    assert result.stopped is StopReason.CANCELLED


def test_the_flag_workers(typed: Typed) -> None:
    said = typed("count", "--workers", "2", "--quiet", "pentomino:4x15")
    assert said.code == Exit.OK
    assert said.out == "1472\n"
