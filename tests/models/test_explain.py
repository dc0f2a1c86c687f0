"""Explanations: a reason is never given without truth, and a conflict is one, and small."""

from __future__ import annotations

import itertools
import random
import signal
import threading
from _thread import interrupt_main

import pytest
from helpers.cases import FOLDER, case, polyomino_puzzle
from helpers.cli import Typed
from helpers.engines import CPSAT, DLX
from helpers.oracle import all_solutions
from helpers.shapes import shapes_of_size
from ortools.sat.python.cp_model import CpSolver

from twostep.compare.command.shared.exits import Exit
from twostep.cpsat_backend.conflict import _Search, find_conflict
from twostep.models import (
    Limits,
    Model,
    ModelBuilder,
    SideCondition,
    UnsupportedFeature,
    first,
    listing,
)
from twostep.models.errors import InputError
from twostep.models.explain.conflicts import Asker, conflict_model, conflict_reason, item_conflict
from twostep.models.explain.variety import variety
from twostep.models.families.polyomino.board import rectangle
from twostep.models.families.polyomino.pieces import Kind, Piece, merged, parse_kinds
from twostep.models.families.polyomino.placement import Lock
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle
from twostep.models.families.polyomino.reasons import COLOURINGS, _added, cheap_reason
from twostep.models.families.registry import named_puzzle
from twostep.models.language.builder import Entry


def puzzle(name: str) -> PolyominoPuzzle:
    made = named_puzzle(name)
    assert isinstance(made, PolyominoPuzzle)
    return made


def random_puzzle(rng: random.Random) -> PolyominoPuzzle | None:
    rows, columns = rng.choice([(2, 4), (3, 3), (3, 4), (4, 4), (2, 6)])
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    board = rectangle(rows, columns, rng.sample(cells, rng.randrange(4)))
    kinds = []
    for name in "ABCD"[: rng.randint(1, 4)]:
        shape = rng.choice(shapes_of_size(rng.randint(2, 5)))
        low = rng.randrange(3)
        high = rng.choice([low, low + 1, None])
        face = rng.choice([(True, True), (True, False), (False, False)])
        kinds.append(Kind(Piece(name, shape, *face), low, high))
    try:
        return PolyominoPuzzle(
            "random", board, tuple(merged(kinds)), rng.choice([0, 0, 0, 1, "any"])
        )
    except InputError:
        return None


# --- cheap reasons --------------------------------------------------------------------------


def test_no_reason_is_ever_given_for_a_level_that_has_an_answer() -> None:
    rng = random.Random(1)
    given = solvable = 0
    for _ in range(1200):
        made = random_puzzle(rng)
        if made is None:
            continue
        has_answer = bool(first(DLX, made.model).solutions)
        reason = cheap_reason(made)
        assert reason is None or not has_answer, (made, reason)
        given += reason is not None
        solvable += has_answer
    assert given > 100
    assert solvable > 50


def test_no_reason_is_given_for_locked_levels_that_have_an_answer() -> None:
    rng = random.Random(2)
    for name in ("pentomino:4x5:FLPU", "pentomino:5x6:LNPUVY", "polyomino:4x4:I4,L4=2,O4"):
        made = puzzle(name)
        for solution in listing(DLX, made.model, Limits(solutions=20)).solutions:
            labels = [made.model.labels[o] for o in rng.sample(solution, 2)]
            locks = tuple(Lock(label.piece, label.cells) for label in labels)
            locked = PolyominoPuzzle("locked", made.board, made.kinds, 0, locks)
            assert cheap_reason(locked) is None


@pytest.mark.parametrize(
    ("name", "kind", "text"),
    [
        ("pentomino:4x4:PUV", "area", "the pieces cover 15 cells, the board has 16: 1 too few"),
        ("pentomino:2x5:XI", "reach", "piece X fits nowhere"),
        ("polyomino:3x4-r0c1-r1c0:I2=any", "reach", "no piece reaches cell (0,0)"),
        ("polyomino:1x9-r0c3:I2=any,I5=0-1", "region",
         "do not add up to the 3 cells around (0,0), cut off"),
        ("domino:8x8-mutilated", "colouring", "30 cells have one colour (that of (0,2)), and"
         " the pieces always cover 31 of it"),
        ("polyomino:4x5:tetrominoes", "colouring", "colour the cells as a checkerboard: 10"),
        ("polyomino:8x8-r2c3:I3=any", "colouring", "in falling diagonals of three colours: 22"),
        ("polyomino:10x10:I4=any", "colouring", "four colours"),
        ("domino:100x100-mutilated", "colouring", "4998 cells have one colour (that of (0,2)), and"
         " the pieces always cover 4999 of it"),
        ("polyomino:8x8-r2c2:I3=any", None, ""),
        ("polyomino:80x80:I2=3200", None, ""),  # too many copies for this argument
        ("pentomino:3x5:PUV", None, ""),
        ("pentomino:3x20", None, ""),
    ],
)  # fmt: skip
def test_the_cheap_reasons(name: str, kind: str | None, text: str) -> None:
    reason = cheap_reason(puzzle(name))
    assert (reason and reason.kind) == kind
    assert reason is None or text in reason.text


@pytest.mark.parametrize(("low", "high"), [(0, 0), (0, 3), (1, 1), (2, 4), (0, None), (2, None)])
@pytest.mark.parametrize("shares", [(), (1,), (0, 2)])
def test_shares_add_up_as_by_trying_all(
    shares: tuple[int, ...], low: int, high: int | None
) -> None:
    size, cells = 2, 9
    begun = [0b101, 0b10] + [0] * (cells - 1)  # 0 cells with 0 or 2 coloured, 1 cell with 1
    expected = [0] * (cells + 1)
    for copies in range(low, (cells // size if high is None else high) + 1):
        for each in itertools.product(shares, repeat=copies):
            for area in range(cells + 1 - size * copies):
                expected[area + size * copies] |= begun[area] << sum(each)
    assert _added(begun, size, shares, low, high) == expected


def test_colourings_use_all_their_colours() -> None:
    for colouring in COLOURINGS:
        colours = {colouring.of((row, column)) for row in range(10) for column in range(10)}
        assert colours == set(range(colouring.colours))


# --- conflicts ------------------------------------------------------------------------------


def can_cover(model: Model, items: tuple[int, ...]) -> bool:
    """By brute force: can these items be covered often enough, the others as they like?"""
    builder = ModelBuilder("relaxed", chosen=model.chosen)
    for item, name in enumerate(model.items):
        high = int(model.high[item])
        builder.item(name, int(model.low[item]) if item in items else 0, high)
    for option in range(model.n_options):
        builder.option([item for item, _ in model.option(option)])
    return bool(all_solutions(builder.build()))


SMALL = [
    "polyomino:2x3:I3,V3", "polyomino:2x4:T4=2", "polyomino:2x4:S4,O4", "polyomino:3x3:V3=2,I3",
    "polyomino:2x4:L4,S4", "polyomino:1x6-r0c2:I2=2,I1=1:empty=0", "polyomino:2x3:V3=1,I2=1:fixed",
]  # fmt: skip


@pytest.mark.parametrize("name", SMALL)
def test_a_conflict_is_a_smallest_set_that_cannot_be_covered(name: str) -> None:
    model = puzzle(name).model
    if first(DLX, model).solutions:
        with pytest.raises(ValueError, match="the model has a solution"):
            find_conflict(model)
        return
    conflict = find_conflict(model)
    assert conflict is not None
    assert conflict.smallest
    assert not can_cover(model, conflict.items)
    needy = [i for i in range(model.n_items) if model.primary[i] and model.low[i]]
    for fewer in range(len(conflict.items)):
        for subset in itertools.combinations(needy, fewer):
            assert can_cover(model, subset)
    assert not first(DLX, conflict_model(model, conflict.items)).solutions
    for item in conflict.items:
        rest = tuple(other for other in conflict.items if other != item)
        assert first(DLX, conflict_model(model, rest)).solutions


def test_conflicts_of_random_models_are_smallest() -> None:
    rng = random.Random(4)
    sizes = set()
    while len(sizes) < 4 or rng.random() < 0.97:
        builder = ModelBuilder("random")
        items = [
            builder.item(f"i{n}", rng.choice([0, 1, 1, 1, 2])) for n in range(rng.randint(3, 7))
        ]
        for _ in range(rng.randint(2, 7)):
            builder.option(rng.sample(items, rng.randint(1, 3)))
        model = builder.build()
        if first(DLX, model).solutions:
            continue
        needy = [item for item in items if model.low[item]]
        fewest = next(
            size
            for size in range(len(needy) + 1)
            if not all(can_cover(model, subset) for subset in itertools.combinations(needy, size))
        )
        conflict = find_conflict(model)
        assert conflict is not None
        assert conflict.smallest
        assert not can_cover(model, conflict.items)
        assert len(conflict.items) == fewest
        sizes.add(fewest)


def test_a_conflict_without_needless_items_gives_way_to_a_smaller_one() -> None:
    builder = ModelBuilder("two conflicts")
    a, b, c, d = (builder.item(name) for name in "abcd")
    builder.option([a, b])
    builder.option([b, c])
    builder.option([a, c])  # two of a, b, c can be covered, not all three; d not at all
    search = _Search(builder.build(), None)
    assert search._core({a, b, c}, may_be_satisfiable=True) == {a, b, c}
    assert search._smallest({a, b, c}) == {d}


def test_the_small_puzzles_are_of_both_kinds() -> None:
    unsolvable = [name for name in SMALL if not first(DLX, puzzle(name).model).solutions]
    assert 3 <= len(unsolvable) < len(SMALL)


def test_conflicts_with_locked_pieces_are_confirmed_by_dlx() -> None:
    dead = Lock("L", ((0, 0), (1, 0), (2, 0), (3, 0), (3, 1)))  # PO-19c
    made = PolyominoPuzzle("19c", rectangle(4, 5), tuple(parse_kinds("FLPU")), 0, (dead,))
    conflict = find_conflict(made.model)
    assert conflict is not None
    assert conflict.smallest
    assert not first(DLX, conflict_model(made.model, conflict.items)).solutions
    text = conflict_reason(made, conflict).text
    assert "no smaller set conflicts" in text


def test_conflicts_are_refused_where_they_mean_nothing() -> None:
    builder = ModelBuilder("with a condition")
    builder.item("a")
    builder.option(["a"])
    builder.side_condition = SideCondition("never", lambda _: False)
    with pytest.raises(UnsupportedFeature, match="side condition"):
        find_conflict(builder.build())


def test_conflicts_of_coloured_models_are_the_same_by_deletion() -> None:
    """Both ways give sets that conflict, of which nothing can be left out."""
    rng = random.Random(5)
    seen = 0
    while seen < 12:
        builder = ModelBuilder("coloured")
        items = [builder.item(f"i{n}") for n in range(rng.randint(2, 5))]
        shared = [builder.secondary(f"x{n}") for n in range(2)]
        for _ in range(rng.randint(2, 8)):
            entries: list[Entry] = [*rng.sample(items, rng.randint(1, 2))]
            entries += [
                x if rng.random() < 0.2 else (x, rng.choice("ab"))
                for x in rng.sample(shared, rng.randint(0, 2))
            ]
            builder.option(entries)
        model = builder.build()
        if first(DLX, model).solutions:
            continue
        seen += 1
        by_solver = find_conflict(model)
        assert by_solver is not None
        by_deletion = item_conflict(model, Asker(DLX, None))
        assert len(by_solver.items) <= len(by_deletion.items)
        for found in (by_solver, by_deletion):
            for engine in (DLX, CPSAT):
                assert not first(engine, conflict_model(model, found.items)).solutions
                for item in found.items:
                    rest = [other for other in found.items if other != item]
                    assert first(engine, conflict_model(model, rest)).solutions


def test_no_time_is_no_conflict() -> None:
    assert find_conflict(puzzle("domino:8x8-mutilated").model, seconds=0.0) is None


def test_ctrl_c_stops_the_solver_that_seeks_a_conflict(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = threading.Event()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's & ignores it

    def solve_until_stopped(_solver: object, _problem: object) -> None:
        interrupt_main()
        assert stopped.wait(60)

    monkeypatch.setattr(CpSolver, "solve", solve_until_stopped)
    monkeypatch.setattr(CpSolver, "stop_search", lambda _solver: stopped.set())
    try:
        with pytest.raises(KeyboardInterrupt):
            find_conflict(puzzle("domino:4x4-mutilated").model)
    finally:
        signal.signal(signal.SIGINT, before)
    assert stopped.is_set()


# --- more than one answer -------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["pentomino:3x5:PUV", "polyomino:3x4:I2=any", "pentomino:5x4:some"]
)
def test_variety_is_that_of_all_answers(name: str) -> None:
    made = puzzle(name)
    how = variety(made, DLX, Limits())
    answers = [set(s) for s in listing(CPSAT, made.model).solutions]
    assert how is not None
    assert how.result.complete
    assert how.answers == len(answers)
    a, b = (set(solution) for solution in how.pair)
    assert len(a & b) == max(len(x & y) for x, y in itertools.combinations(answers, 2))
    common = set.intersection(*answers)
    assert set(how.common) == common
    drawn = [made.draw(tuple(sorted(answer))).split() for answer in answers]
    if made.letters.keys() == {"P", "U", "V"}:  # letters tell the pieces apart
        for row, column in made.board.free:
            letters = {rows[row][column] for rows in drawn}
            piece = dict(how.cells).get((row, column))
            assert letters == {piece} if piece else len(letters) > 1
    assert how.locks is not None
    locked = set(how.locks)
    assert how.fewest
    assert sum(locked <= answer for answer in answers) == 1
    for subset in itertools.combinations(range(made.model.n_options), len(locked) - 1):
        assert sum(set(subset) <= answer for answer in answers) != 1


def test_one_answer_has_no_variety() -> None:
    assert variety(puzzle("polyomino:2x2:O4"), DLX, Limits()) is None


# --- the verb -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (["pentomino:4x4:PUV"], Exit.NONE, "no solution: the pieces cover 15 cells"),
        (["pentomino:4x5:FLPT"], Exit.NONE, "no solution: pieces F L P T cannot all be placed"),
        (["domino:4x4-mutilated"], Exit.NONE, "no solution: colour the cells as a checkerboard"),
        (["domino:4x4-mutilated", "--conflict"], Exit.NONE, "no solution: 7 cells cannot all"),
        (["polyomino:2x2:O4"], Exit.OK, "exactly one solution:\nOO\nOO"),
        (["pentomino:3x5:PUV"], Exit.SEVERAL, "4 solutions; two that differ least:\n"),
        (["pentomino:6x10", "--time-limit", "0"], Exit.STOPPED, "not known in time"),
        (["queens:6"], Exit.SEVERAL, "4 solutions; two that differ least:\n.Q....   ..Q...\n"),
    ],
)
def test_the_verb_explain(typed: Typed, arguments: list[str], code: Exit, text: str) -> None:
    said = typed("explain", *arguments, "--quiet")
    assert said.code == code
    assert said.out.startswith(text)


def test_the_verb_explain_as_json(typed: Typed) -> None:
    said = typed("explain", "pentomino:3x5:PUV", "--json")
    assert said.code == Exit.SEVERAL
    content = said.json
    assert (content["count"], content["complete"]) == (4, True)
    assert len(content["locks"]) == 1
    assert len(content["solutions"]) == 2
    said = typed("explain", "domino:4x4-mutilated", "--json")
    assert said.code == Exit.NONE
    content = said.json
    assert (content["kind"], content["outcome"]) == ("colouring", "none")


@pytest.mark.skipif(not FOLDER.exists(), reason="../shared/cases is not there")
def test_the_known_unsolvable_cases_have_a_reason() -> None:
    for name in (
        "PO-03b-one-J-too-many", "PO-04c-T-and-Z-exact", "PO-06-level-that-cannot-be-solved",
        "PO-07b-straight-trominoes-bad-cell", "CP-07-mutilated-8x8", "CP-07-mutilated-12x12",
    ):  # fmt: skip
        assert cheap_reason(polyomino_puzzle(case(name))) is not None
    for name in ("PO-01-P-in-a-P-shaped-hole", "PO-06b-level-that-can", "PO-19b-locked-right"):
        assert cheap_reason(polyomino_puzzle(case(name))) is None


def test_explain_as_json_counts_what_is_proven_and_no_more(
    typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = typed("explain", "polyomino:2x2:O4", "--json").json
    assert (content["outcome"], content["count"], content["complete"]) == ("unique", 1, True)
    said = typed("explain", "pentomino:6x10", "--time-limit", "0", "--json")
    assert (said.code, said.json["stopped_by"]) == (Exit.STOPPED, "time")
    monkeypatch.setattr("twostep.models.explain.variety.MOST_ANSWERS", 3)
    assert "at least 3 solutions; two that" in typed("explain", "pentomino:3x5:PUV").out
