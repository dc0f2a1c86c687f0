"""Branches counted by themselves, dead ends seen ahead: the same numbers, in fewer states."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import numpy as np
import pytest
from helpers.oracle import all_solutions
from helpers.strategies import models
from hypothesis import given, settings
from hypothesis import strategies as st

from twostep.dlx_backend.engine import DlxEngine
from twostep.dlx_backend.links import Links
from twostep.dlx_backend.problem import Problem, prepare
from twostep.dlx_backend.roles import Roles
from twostep.dlx_backend.states import branches, frontier, loop
from twostep.dlx_backend.states.branches import Arrangement, arrange, least_fill
from twostep.dlx_backend.states.diagram import diagram
from twostep.dlx_backend.states.frontier import Frontier
from twostep.dlx_backend.states.layout import Layout
from twostep.dlx_backend.states.lookahead import Lookahead
from twostep.dlx_backend.states.stages import closable, field_bits, stages
from twostep.models.families.polyomino.boardfile import parse_board_text
from twostep.models.families.registry import named_puzzle
from twostep.models.language.builder import ModelBuilder
from twostep.models.language.model import UNLIMITED, Feature, Model
from twostep.models.search.engine import Limits, StopReason
from twostep.models.search.questions import count

LANGUAGE = frozenset(Feature) - {Feature.SIDE_CONDITION}
PLENTY = 1 << 30
NO_SOLUTIONS_WANTED = np.empty(0, dtype=np.int32)
Cells = set[tuple[int, int]]


@pytest.fixture
def forking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every branch that can be counted by itself, is."""
    monkeypatch.setattr(branches, "FORK_STATES", -1e300)


def _arrangement(problem: Problem, seed: int) -> Arrangement:
    """That of any order."""
    roles = Roles.of(problem)
    items = np.flatnonzero(closable(problem, roles)).astype(np.int32)
    order = np.random.default_rng(seed).permutation(items)
    return arrange(problem, roles, order, field_bits(problem))


def _counted(
    problem: Problem, found: Arrangement, memory: int, slice_: int, *, looking: bool
) -> int:
    """The count in slices; `looking`: ahead for dead ends, from the first state on."""
    plan = stages(problem, Roles.of(problem), found.order, found.forks)
    frontier = Frontier(plan, memory)
    if looking:
        frontier._ahead = Lookahead.of(plan)
    while not frontier.done:
        frontier.advance(slice_)
    return frontier.total


@pytest.mark.usefixtures("forking")
@settings(max_examples=400, deadline=None)
@given(
    model=models(LANGUAGE, max_options=11, max_items=9),
    memory=st.sampled_from([1, 3000, PLENTY]),
    slice_=st.integers(1, 20),
    looking=st.booleans(),
    seed=st.integers(0, 5),
)
def test_random_models_are_counted_as_by_brute_force(
    model: Model, memory: int, slice_: int, looking: bool, seed: int
) -> None:
    problem = prepare(model)
    if problem.possible:
        found = _arrangement(problem, seed)
        number = _counted(problem, found, memory, slice_, looking=looking)
        assert number == len(all_solutions(model))


def _thicket(rng: Random) -> Model:
    """Items in a random tree, covered along its edges: much falls apart; one solution at least.

    Some options have an item more, a secondary one, with or without a colour, or one with a
    multiplicity, or only such.
    """
    builder = ModelBuilder("thicket")
    n = rng.randrange(8, 17)
    for item in range(n):
        builder.item(f"p{item}")
        builder.secondary(f"s{item}")
    parent = [0] + [rng.randrange(max(0, item - 5), item) for item in range(1, n)]
    covered = [False] * n
    for item in range(n - 1, -1, -1):
        if not covered[item]:
            pair = {item} if item == 0 or covered[parent[item]] else {item, parent[item]}
            builder.option([f"p{x}" for x in sorted(pair)])
            for x in pair:
                covered[x] = True
    for _ in range(n):
        item = rng.randrange(1, n)
        extra = rng.choice([[], [f"s{item}"], [(f"s{parent[item]}", rng.choice("xy"))]])
        builder.option([f"p{item}", f"p{parent[item]}", *extra])
        builder.option([f"p{item}", *extra])
    several = rng.sample(range(n), 3)
    for item in several:
        builder.item(f"m{item}", 0, rng.choice([1, 2, UNLIMITED]))
    for item, other in pairwise(several):
        builder.option([f"p{item}", f"m{item}"])
        builder.option([f"m{item}", f"m{other}"])
        builder.option([f"m{item}", (f"s{item}", "x")])
    return builder.build()


@pytest.mark.usefixtures("forking")
def test_models_that_fall_apart_are_counted_as_the_links_count_them() -> None:
    forks = 0
    for seed in range(250):
        problem = prepare(_thicket(Random(seed)))
        links = Links.of(problem).advance(1 << 60, 1 << 60, NO_SOLUTIONS_WANTED)
        found = _arrangement(problem, seed)
        memory = PLENTY if seed % 3 else 5000
        assert _counted(problem, found, memory, 99, looking=seed % 2 > 0) == links > 0
        forks += len(found.forks)
    assert forks > 500


@pytest.mark.usefixtures("forking")
@pytest.mark.parametrize("slice_", [1, 1 << 60])
@pytest.mark.parametrize("doublings", [0, 40, 70])  # factors of 1, 1, 2 limbs, sums of 1, 2, 3
def test_branches_of_many_states_and_large_numbers_are_combined_in_full(
    doublings: int, slice_: int
) -> None:
    """Two items take any disjoint sets of 7 others, which can do without: 3 ** 7 ways."""
    builder = ModelBuilder("subsets")
    branches: list[list[int]] = []
    for name in ("left", "right"):
        builder.secondary(name)  # holds a branch together: all its options give it one colour
        branches.append([builder.item(f"{name} {number}") for number in range(doublings + 1)])
    cells = [builder.item(f"cell {number}") for number in range(7)]
    for cell in cells:
        builder.option([cell])
    for name, (*twice, taker) in zip(("left", "right"), branches, strict=True):
        for item in (*twice, *twice):
            builder.option([item, (name, "x")])
        for bits in range(1 << 7):
            taken = (cell for place, cell in enumerate(cells) if bits >> place & 1)
            builder.option([taker, (name, "x"), *taken])
    problem = prepare(builder.build())
    order = np.arange(problem.n_primary, dtype=np.int32)
    found = arrange(problem, Roles.of(problem), order, field_bits(problem))
    assert len(found.forks) == 1
    assert loop.PORTION < 1 << 7
    counted = _counted(problem, found, PLENTY, slice_, looking=False)
    assert counted == 3**7 * 4**doublings


def _rooms(k: int, size: int, door: int, seed: int) -> Cells:
    """Square rooms, k x k of them, joined by doors along a random spanning tree."""
    rng = Random(seed)
    cells: Cells = set()
    step = size + 1
    for r in range(k):
        for c in range(k):
            cells |= {(r * step + i, c * step + j) for i in range(size) for j in range(size)}
    walls = [(r, c, down) for r in range(k) for c in range(k) for down in (True, False)]
    rng.shuffle(walls)
    group = {(r, c): {(r, c)} for r in range(k) for c in range(k)}
    for r, c, down in walls:
        other = (r + 1, c) if down else (r, c + 1)
        if other not in group or other in group[r, c]:
            continue
        joined = group[r, c] | group[other]
        for room in joined:
            group[room] = joined
        for i in range((size - door) // 2, (size + door) // 2):
            cells.add((r * step + (size if down else i), c * step + (i if down else size)))
    return cells


def _model(cells: Cells, pieces: str) -> Model:
    width = 1 + max(c for _, c in cells)
    rows = [
        "".join("." if (r, c) in cells else "#" for c in range(width))
        for r in range(1 + max(r for r, _ in cells))
    ]
    return parse_board_text("\n".join([f"pieces: {pieces}", "board:", *rows]), "rooms").model


def _dominoes_modulo(cells: Cells, prime: int) -> int:
    """Plus or minus the domino coverings of a board without holes: Kasteleyn's determinant.

    Rows are the cells of one colour, columns those of the other; 1 for neighbours in a row, and
    in a column 1 or -1 by the column's number, so that the signs around each 2x2 multiply to -1.
    """
    black = sorted(cell for cell in cells if sum(cell) % 2 == 0)
    white = {cell: place for place, cell in enumerate(sorted(cells - set(black)))}
    if len(black) != len(white):
        return 0
    matrix = np.zeros((len(black), len(white)), dtype=np.int64)
    for row, (r, c) in enumerate(black):
        for cell, sign in (
            ((r, c - 1), 1),
            ((r, c + 1), 1),
            ((r - 1, c), (-1) ** c),
            ((r + 1, c), (-1) ** c),
        ):
            if cell in white:
                matrix[row, white[cell]] = sign % prime
    determinant = 1
    for at in range(len(matrix)):
        (rows,) = np.nonzero(matrix[at:, at])
        if not len(rows):
            return 0
        matrix[[at, at + rows[0]]] = matrix[[at + rows[0], at]]
        determinant = determinant * int(matrix[at, at]) % prime
        rows = at + rows[1:]
        factors = matrix[rows, at] * pow(int(matrix[at, at]), -1, prime) % prime
        matrix[rows, at:] = (matrix[rows, at:] - factors[:, None] * matrix[at, at:]) % prime
    return determinant


@pytest.mark.parametrize(("k", "size", "seed"), [(3, 2, 1), (8, 2, 8), (12, 2, 12), (3, 4, 1)])
def test_dominoes_in_rooms_as_by_a_determinant(k: int, size: int, seed: int) -> None:
    cells = _rooms(k, size, 2, seed)
    number = count(DlxEngine(), _model(cells, "I2=any")).found
    assert number > 0
    for prime in (2147483647, 2147483629):  # below 2 ** 31: products fit into 64 bits
        assert number % prime in (
            determinant := _dominoes_modulo(cells, prime),
            prime - determinant,
        )


MONO_TO_TROMINOES = "I1=any I2=any I3=any V3=any"


def test_rooms_joined_by_doors_branch_and_take_few_states() -> None:
    """One frontier through the 64 rooms needs 200 times the states, as was measured."""
    problem = prepare(_model(_rooms(8, 2, 2, 8), MONO_TO_TROMINOES))
    layout = Layout.of(problem, Roles.of(problem))
    assert layout.arrangement is not None
    assert len(layout.arrangement.forks) > 5
    assert layout.states < 1 << 14
    branching = layout.frontier()
    branching.advance(1 << 60)
    plain = Layout.of(problem, Roles.of(problem), forking=False).frontier()
    plain.advance(10 * branching.nodes)
    assert branching.done
    assert not plain.done


@pytest.mark.usefixtures("forking")
def test_what_branches_lead_to_is_given_up_if_memory_is_short() -> None:
    """With next to no memory there is no room for the states of a door: no branches then."""
    problem = prepare(_model(_rooms(2, 4, 2, 1), "L5=any P=any"))
    roles = Roles.of(problem)
    order = least_fill(problem, roles, roles.needed, field_bits(problem), 30)
    assert order is not None
    found = arrange(problem, roles, order, field_bits(problem))
    plan = stages(problem, roles, found.order, found.forks)
    plenty, little = Frontier(plan), Frontier(plan, memory=1)
    for each in (plenty, little):
        each.advance(1 << 60)
    assert len(found.forks) == 3
    links = Links.of(problem).advance(1 << 60, 1 << 60, NO_SOLUTIONS_WANTED)
    assert little.total == plenty.total == links > 0
    assert little.nodes > 2 * plenty.nodes


@pytest.mark.parametrize("n", [4, 8, 12])
def test_aztec_diamonds(n: int) -> None:
    """2 ** (n (n + 1) / 2): Elkies, Kuperberg, Larsen, Propp, 1992."""
    assert count(DlxEngine(), named_puzzle(f"domino:aztec{n}").model).found == 2 ** (
        n * (n + 1) // 2
    )


def test_orders_that_do_not_branch_pay_for_diagrams_too() -> None:
    """Twelve rows of an Aztec diamond: 23.5 million states by rows, 98,319 along a diagonal."""
    model = named_puzzle("domino:aztec12").model
    made, result = diagram(model, Limits(nodes=300_000), None, "dlx")
    assert made is not None
    assert result.stopped is StopReason.EXHAUSTED
    assert made.total == 2**78
    assert made.rank(made.solution(12345678901234567890)) == 12345678901234567890


@pytest.mark.parametrize(
    "name",
    ["pentomino:5x12", "polyomino:8x8:I4=any,L4=any,O4=any,S4=any,T4=any"],
)
def test_pockets_are_seen_ahead(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = prepare(named_puzzle(name).model)
    layout = Layout.of(problem, Roles.of(problem))
    looking = layout.frontier()
    looking.advance(1 << 60)
    monkeypatch.setattr(frontier, "BARREN_SHARE", 1.0)
    blind = layout.frontier()
    blind.advance(1 << 60)
    assert looking.total == blind.total > 1000
    assert looking.nodes < 0.75 * blind.nodes


def test_dominoes_are_not_looked_ahead_for() -> None:
    """Nearly every state of theirs leads on: 97 of 100 on 16x16, as was measured."""
    problem = prepare(named_puzzle("domino:16x16").model)
    blind = Layout.of(problem, Roles.of(problem)).frontier()
    blind.advance(1 << 60)
    assert not len(blind._ahead.dead)
