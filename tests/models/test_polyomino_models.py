"""Polyominoes: models against brute force, symmetries, locks, obstacles, drawing.

Numbers without another source are exhaustive counts.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import numpy as np
import pytest
from helpers.oracle import all_solutions
from helpers.shapes import shapes_of_size

from twostep.models.errors import InputError
from twostep.models.families.polyomino.board import Board, board_from_rows, parse_board, rectangle
from twostep.models.families.polyomino.filling import read_filling
from twostep.models.families.polyomino.pieces import Kind, Piece, Shape, merged, parse_kinds
from twostep.models.families.polyomino.placement import Gap, Lock, Placement, check_placed
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle
from twostep.models.families.registry import named_puzzle
from twostep.models.language.model import Feature, Solution
from twostep.models.language.verify import fault

# --- brute force --------------------------------------------------------------------------------


def fillings(
    board: Board, kinds: list[Kind], empty: int | str
) -> set[frozenset[tuple[str, frozenset[tuple[int, int]]]]]:
    """All fillings, cell by cell, without a model; equal copies are not told apart."""
    shapes: dict[str, set[Shape]] = {}
    for kind in kinds:
        shape = kind.piece.shape
        turns = [shape]
        for face in (lambda r, c: (c, -r), lambda r, c: (-r, -c), lambda r, c: (-c, r)):
            turns += [tuple(face(r, c) for r, c in shape)] if kind.piece.may_turn else []
        if kind.piece.may_turn_over:
            turns += [tuple((r, -c) for r, c in turn) for turn in turns]
        shapes[kind.name] = {
            tuple(sorted((r - min(turn)[0], c - min(turn)[1]) for r, c in turn)) for turn in turns
        }  # the first cell at the origin
    found = set()

    def place(left: tuple[tuple[int, int], ...], placed: tuple, gaps: int) -> None:
        if not left:
            used = [name for name, _ in placed]
            enough = all(kind.low <= used.count(kind.name) for kind in kinds)
            if enough and empty in ("any", gaps):
                found.add(frozenset(placed))
            return
        row, column = left[0]
        if empty != 0:
            place(left[1:], placed, gaps + 1)
        for kind in kinds:
            if kind.high is not None and [n for n, _ in placed].count(kind.name) >= kind.high:
                continue
            for shape in shapes[kind.name]:
                cells = frozenset((row + r, column + c) for r, c in shape)
                if cells <= set(left):
                    rest = tuple(cell for cell in left if cell not in cells)
                    place(rest, (*placed, (kind.name, cells)), gaps)

    place(board.free, (), 0)
    return found


def as_fillings(made: PolyominoPuzzle) -> list[frozenset]:
    """The solutions of a puzzle's model in the form of :func:`fillings`."""
    labels = made.model.labels
    return [
        frozenset(
            (labels[o].piece, frozenset(labels[o].cells))
            for o in solution
            if isinstance(labels[o], Placement)
        )
        for solution in all_solutions(made.model)
    ]


# --- models ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "items", "options"),
    [
        ("pentomino:3x5:PUV", 18, 72),
        ("pentomino:3x20", 72, 1236),
        ("pentomino:6x10", 72, 2056),
        ("pentomino:8x8-center", 72, 1568),
        ("domino:8x8", 64, 112),
    ],
)
def test_models_have_as_many_items_and_options_as_known(name, items, options) -> None:
    model = named_puzzle(name).model
    assert (model.n_items, model.n_options) == (items, options)
    assert model.features == frozenset()


def test_3x5_has_40_placements_of_p_20_of_u_12_of_v() -> None:
    labels = named_puzzle("pentomino:3x5:PUV").model.labels
    assert [sum(label.piece == p for label in labels) for p in "PUV"] == [40, 20, 12]
    assert all(label.cells == tuple(sorted(label.cells)) for label in labels)


def test_3x5_is_filled_by_p_u_v_in_4_ways_in_the_known_picture() -> None:
    made = named_puzzle("pentomino:3x5:PUV")
    drawn = {made.draw(solution) for solution in all_solutions(made.model)}
    assert drawn == {
        "VPPUU\nVPPPU\nVVVUU",
        "UUPPV\nUPPPV\nUUVVV",
        "VVVUU\nVPPPU\nVPPUU",
        "UUVVV\nUPPPV\nUUPPV",
    }


SETS = [
    "I1=any,I2=any,I3=any,V3=any",
    "I2=3",
    "I2=0-2,I1=any",
    "I3=0-1,V3=0-1,I2=0-1,L4=0-1",
    "V3-fixed=any,I2-fixed=any,I1=0-2",
    "L4-one-sided=0-1,V3=1,I2=0-2",
    "I1=2,I3=1-2,V3",
]
GRID = [
    *itertools.product(["1x5", "2x3", "3x3-center"], SETS, [0, 1, 2, "any"]),
    *itertools.product(["2x5", "2x6-mutilated", "3x4", "3x5-r1c2"], SETS, [0]),
    *itertools.product(["2x5", "2x6-mutilated"], SETS[1:3] + SETS[5:], [1, 2, 3]),
]


@pytest.mark.parametrize(("board", "pieces", "empty"), GRID)
def test_a_model_has_exactly_the_fillings_found_cell_by_cell(board, pieces, empty) -> None:
    made = named_puzzle(f"polyomino:{board}:{pieces}:empty={empty}")
    known = fillings(made.board, list(made.kinds), empty)
    found = as_fillings(made)
    assert len(found) == len(set(found)), "a filling is counted twice"
    assert set(found) == known
    if made.obstacle() is not None:
        assert not known


def test_random_pieces_on_random_boards_have_the_fillings_found_cell_by_cell() -> None:
    rng = random.Random(20)
    solved = 0
    for _ in range(150):
        rows, columns = rng.choice([(2, 4), (3, 3), (2, 5), (3, 4)])
        cells = [(r, c) for r in range(rows) for c in range(columns)]
        board = rectangle(rows, columns, rng.sample(cells, rng.randrange(3)))
        kinds = []
        for name in "ABC"[: rng.randint(1, 3)]:
            shape = rng.choice(shapes_of_size(rng.randint(1, 5)))
            low = rng.randrange(2)
            high = rng.choice([low, low + 1, 3, None])
            face = rng.choice([(True, True), (True, False), (False, True), (False, False)])
            kinds.append(Kind(Piece(name, shape, *face), low, high))
        empty = rng.choice([0, 0, 1, 2, "any"])
        try:
            made = PolyominoPuzzle("random", board, tuple(merged(kinds)), empty)
        except InputError as error:
            assert "same piece" in str(error)  # noqa: PT017 - the only one that may happen
            continue
        known = fillings(board, kinds, empty)
        found = as_fillings(made)
        assert len(found) == len(set(found))
        assert set(found) == known
        assert made.obstacle() is None or not known
        solved += bool(known)
    assert solved > 40


def test_equal_copies_are_not_told_apart() -> None:
    assert len(all_solutions(named_puzzle("polyomino:2x3:I2=3").model)) == 3


def test_cells_are_secondary_where_the_areas_say_how_many_stay_empty() -> None:
    implied = named_puzzle("polyomino:2x5:T4,S4:empty=2").model
    assert implied.features == {Feature.SECONDARY}
    free = named_puzzle("polyomino:2x5:T4=0-1,S4:empty=2").model
    assert Feature.MULTIPLICITIES in free.features
    assert [label for label in free.labels if isinstance(label, Gap)]


# --- symmetries -----------------------------------------------------------------------------


def closed(group: np.ndarray) -> bool:
    rows = {tuple(row) for row in group.tolist()}
    return all(tuple(np.array(a)[list(b)]) in rows for a, b in itertools.product(rows, rows))


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("pentomino:3x5:PUV", 4),
        ("pentomino:3x5:PUV:one-sided", 2),
        ("pentomino:3x5:PUV:fixed", 1),
        ("domino:4x4", 8),
        ("polyomino:4x4:T4=any:one-sided", 8),  # T is its own mirror image
        ("polyomino:4x4:L4-one-sided=any", 4),
        ("polyomino:2x6:I2-fixed=any", 4),
        ("polyomino:4x4:I2-fixed=any", 4),
        ("polyomino:3x3:V3=2:empty=3", 8),
        ("polyomino:3x3:V3=0-2:empty=3", 8),
        ("polyomino:1x4:I2=any,I1=any", 2),
    ],
)
def test_symmetries_are_a_group_that_maps_solutions_to_solutions(name, order) -> None:
    model = named_puzzle(name).model
    group = model.symmetries
    assert group is not None
    assert len(group) == order
    assert len({tuple(row) for row in group.tolist()}) == order
    assert closed(group)
    solutions = all_solutions(model)
    for row in group:
        assert {tuple(sorted(row[list(s)].tolist())) for s in solutions} == solutions


def test_a_lock_keeps_only_the_symmetries_that_keep_it() -> None:
    board = rectangle(4, 5)
    kinds = tuple(parse_kinds(["F", "L", "P", "U"]))
    lock = Lock("L", ((0, 0), (0, 1), (0, 2), (0, 3), (1, 0)))
    model = PolyominoPuzzle("locked", board, kinds, 0, (lock,)).model
    assert model.symmetries is not None
    assert len(model.symmetries) == 1
    bar = Lock("I", tuple((1, column) for column in range(5)))
    kinds = tuple(parse_kinds(["I", "P=2"]))
    model = PolyominoPuzzle("bar", rectangle(3, 5), kinds, 0, (bar,)).model
    assert model.symmetries is not None
    assert len(model.symmetries) == 4


# --- locks ----------------------------------------------------------------------------------

F, L, P, U = parse_kinds(["F", "L", "P", "U"])


@pytest.mark.parametrize(
    ("locks", "message"),
    [
        ([Lock("Q", ((0, 0),))], "'Q' is no piece here; known: F, L, P, U"),
        ([Lock("L", ())], "no cells"),
        ([Lock("L", ((0, 0), (0, 1), (0, 2), (0, 3), (4, 0)))], r"cell \(4,0\) is outside"),
        ([Lock("L", ((0, 0), (0, 1), (0, 2), (0, 2), (1, 0)))], "given twice"),
        (
            [Lock("L", ((0, 0), (0, 1), (1, 0), (1, 1), (2, 0)))],
            "the locked cells are a P, not an L",
        ),
        ([Lock("L", ((0, 0), (0, 1), (1, 0), (1, 1)))], "the locked cells are an? O4, not an L"),
        ([Lock("L", ((0, 0), (0, 1), (3, 3)))], "the locked cells are not an L"),
        (
            [
                Lock("L", ((0, 0), (0, 1), (0, 2), (0, 3), (1, 0))),
                Lock("F", ((1, 0), (1, 1), (2, 1), (2, 2), (3, 1))),
            ],
            r"locked pieces L and F share cell \(1,0\)",
        ),
        (
            [
                Lock("L", ((0, 0), (0, 1), (0, 2), (0, 3), (1, 0))),
                Lock("L", ((3, 0), (3, 1), (3, 2), (3, 3), (2, 0))),
            ],
            "lies there 2 times, expected at most 1",
        ),
    ],
)
def test_locks_that_cannot_be_are_input_errors(locks, message) -> None:
    with pytest.raises(InputError, match=message):
        check_placed(rectangle(4, 5), [F, L, P, U], locks)


def test_a_lock_turned_over_against_the_rules_says_so() -> None:
    kinds = parse_kinds(["L-one-sided"])
    lock = Lock("L", ((0, 0), (0, 1), (0, 2), (0, 3), (1, 3)))
    with pytest.raises(InputError, match="an L turned over, which this piece may not be"):
        check_placed(rectangle(4, 5), kinds, [lock])


def test_a_lock_on_a_blocked_cell_says_so() -> None:
    with pytest.raises(InputError, match=r"cell \(0,0\) is blocked"):
        check_placed(parse_board("2x2-r0c0"), parse_kinds(["V3"]), [Lock("V3", ((0, 0),))])


def test_locks_are_chosen_options() -> None:
    lock = Lock("V", ((0, 0), (1, 0), (2, 0), (2, 1), (2, 2)))
    made = PolyominoPuzzle("V locked", rectangle(3, 5), tuple(parse_kinds("PUV")), 0, (lock,))
    (solution,) = all_solutions(made.model)
    assert fault(made.model, solution) is None
    assert made.draw(solution) == "VPPUU\nVPPPU\nVVVUU"


@pytest.mark.parametrize(
    ("kinds", "empty", "message"),
    [
        ([], 0, "no pieces"),
        ([*parse_kinds("P"), *parse_kinds("P")], 0, "a piece is listed twice"),
        (parse_kinds("P"), "some", "empty 'some': expected a number or 'any'"),
        (parse_kinds("P"), 16, "empty 16: the board has 15 cells"),
    ],
)
def test_a_puzzle_that_cannot_be_is_an_input_error(kinds, empty, message) -> None:
    with pytest.raises(InputError, match=message):
        PolyominoPuzzle("none", rectangle(3, 5), tuple(kinds), empty)


# --- obstacles ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (
            "polyomino:4x4:tetrominoes",
            "the pieces cover 20 cells, the board has 16: 4 too many",
        ),
        ("pentomino:4x4:PUV", "the pieces cover 15 cells, the board has 16: 1 too few"),
        ("pentomino:4x4:PUV:empty=1", None),
        (
            "pentomino:4x4:PUV:empty=2",
            "the pieces cover 15 cells, the board has 16, 2 of them to stay empty: 1 too many",
        ),
        ("domino:3x3", "no choice of the pieces covers 9 cells"),
        ("polyomino:8x8:I3=any", "no choice of the pieces covers 64 cells"),
        ("polyomino:8x8-r2c2:I3=any", None),
        ("polyomino:2x2:I3:empty=any", "piece I3 fits nowhere"),
        ("polyomino:1x2:I3=1:empty=any", "the pieces cover 3 cells, the board has 2: 1 too many"),
        ("pentomino:2x5:XI", "piece X fits nowhere"),
        ("polyomino:3x4-r0c1-r1c0:I2=any", "no piece reaches cell (0,0)"),
        ("polyomino:3x3:I2=0-4,I1=0-1", None),
        ("polyomino:5x5:I2=0-11,I3=0-1", None),
        ("polyomino:5x5:I2=0-10,I3=0-1", "no choice of the pieces covers 25 cells"),
    ],
)
def test_a_short_reason_why_there_is_no_solution(name: str, reason: str | None) -> None:
    found = named_puzzle(name).obstacle()
    assert (found is None) == (reason is None)
    assert found is None or found.startswith(str(reason))


# --- drawing and reading --------------------------------------------------------------------


def tilings(name: str, wanted: int) -> Iterator[tuple[PolyominoPuzzle, Solution]]:
    made = named_puzzle(name)
    assert isinstance(made, PolyominoPuzzle)
    for solution in itertools.islice(sorted(all_solutions(made.model)), wanted):
        yield made, solution


@pytest.mark.parametrize(
    "name",
    [
        "pentomino:3x5:PUV",
        "domino:4x4",
        "polyomino:3x4:I1=any,I2=any",
        "polyomino:3x3:V3=0-2,I2=0-2:empty=any",
        "polyomino:4x4-center:I2=0-6,I3=0-4,V3=0-4",
    ],
)
def test_what_is_drawn_can_be_read_again(name: str) -> None:
    for made, solution in tilings(name, 60):
        labels = [made.model.labels[o] for o in solution]
        placed = {Lock(p.piece, p.cells) for p in labels if isinstance(p, Placement)}
        rows = made.draw(solution).splitlines()
        assert set(read_filling(rows, made.board, made.kinds)) == placed


def test_touching_copies_have_different_characters() -> None:
    assert {made.draw(s) for made, s in tilings("domino:2x2", 9)} == {"II\nii", "Ii\nIi"}


def test_many_copies_still_have_characters() -> None:
    made = named_puzzle("polyomino:40x40:I1=any")
    drawn = made.draw(tuple(range(1600)))
    assert "?" not in drawn
    assert set(drawn) == {"I", "i", "\n"}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["VPPUU", "VPPPU"], "2 rows, the board 3"),
        (["VPPUU", "VPPP", "VVVUU"], "row 2 has 4 characters"),
        (["VPPUU", "VPPPU", "VVVU#"], r"cell \(2,4\) is free on the board, '#' in the filling"),
        (["VPPUU", "VPPPU", "VVVUX"], r"'X' at \(2,4\) is no piece's letter; known: P U V"),
    ],
)
def test_a_bad_filling_says_where(rows, message) -> None:
    made = named_puzzle("pentomino:3x5:PUV")
    with pytest.raises(InputError, match=message):
        read_filling(rows, made.board, made.kinds)


def test_a_heat_map_shows_the_whole_board() -> None:
    board = board_from_rows(["..#", "###"])
    puzzle = PolyominoPuzzle("two rows", board, tuple(parse_kinds(["I2"])))
    assert puzzle.heat([7]) == "I2:\n7 7 #\n# # #"
