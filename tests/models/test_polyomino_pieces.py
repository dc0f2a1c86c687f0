"""Polyominoes: pieces, boards and puzzles by name.

Numbers without another source are exhaustive counts.
"""

from __future__ import annotations

import pytest
from helpers.shapes import shapes_of_size

from twostep.models.errors import InputError
from twostep.models.families.polyomino.board import board_from_rows, parse_board, rectangle
from twostep.models.families.polyomino.pieces import (
    PENTOMINOES,
    Piece,
    letters,
    name_of_shape,
    named_shape,
    parse_kinds,
    parse_token,
    regions,
    representative,
    shape_from_rows,
)
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle
from twostep.models.families.registry import named_puzzle

# --- pieces ---------------------------------------------------------------------------------


def test_the_twelve_pentominoes_have_63_orientations() -> None:
    count = {kind.name: len(kind.piece.orientations) for kind in parse_kinds(list(PENTOMINOES))}
    assert count == dict(zip(PENTOMINOES, [8, 2, 8, 8, 8, 4, 4, 4, 4, 1, 8, 4], strict=True))
    assert sum(count.values()) == 63


@pytest.mark.parametrize(
    ("may_turn", "may_turn_over", "counts"),
    [
        (True, True, [1, 1, 2, 5, 12, 35, 108, 369]),
        (True, False, [1, 1, 2, 7, 18, 60, 196, 704]),
        (False, False, [1, 2, 6, 19, 63, 216, 760, 2725]),
    ],
    ids=["free", "one-sided", "fixed"],
)
def test_there_are_as_many_polyominoes_as_known(may_turn, may_turn_over, counts) -> None:
    found = [len(shapes_of_size(n, may_turn, may_turn_over)) for n in range(1, 9)]
    assert found == counts


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_the_named_pieces_are_all_free_polyominoes_up_to_five_cells(size: int) -> None:
    sets = ["monominoes", "dominoes", "trominoes", "tetrominoes", "pentominoes"]
    shapes = [representative(kind.piece.shape) for kind in parse_kinds([sets[size - 1]])]
    assert sorted(shapes) == sorted(representative(s) for s in shapes_of_size(size))


def test_j_and_z_are_l_and_s_turned_over() -> None:
    assert name_of_shape(named_shape("J4")) == "L4"
    assert name_of_shape(named_shape("Z4")) == "S4"
    one_sided = parse_kinds(["J4-one-sided", "L4-one-sided", "Z4-one-sided", "S4-one-sided"])
    assert len({kind.piece.orientations for kind in one_sided}) == 4


@pytest.mark.parametrize(
    ("face", "orientations"),
    [((True, True), 8), ((True, False), 4), ((False, True), 2), ((False, False), 1)],
)
def test_each_permission_is_its_own(face, orientations) -> None:
    assert len(Piece("F", named_shape("F"), *face).orientations) == orientations


def test_regions_are_the_connected_parts() -> None:
    assert regions([(0, 0), (1, 1), (0, 1), (3, 0)]) == [[(0, 0), (0, 1), (1, 1)], [(3, 0)]]
    snake = [(0, column) for column in range(10_000)]
    assert regions(snake) == [snake]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("L4", ("L4", True, True, 1, 1)),
        ("L4=2", ("L4", True, True, 2, 2)),
        ("L4*2", ("L4", True, True, 2, 2)),
        ("L4=0-3", ("L4", True, True, 0, 3)),
        ("L4=any", ("L4", True, True, 0, None)),
        ("L4-one-sided=2", ("L4", True, False, 2, 2)),
        ("L4-fixed", ("L4", False, False, 1, 1)),
    ],
)
def test_a_piece_token_says_name_faces_and_copies(text, read) -> None:
    token = parse_token(text)
    assert (token.name, token.may_turn, token.may_turn_over, token.low, token.high) == read


def test_copies_of_a_piece_listed_twice_are_added() -> None:
    (kind,) = parse_kinds(["L4=2", "L4=0-3"])
    assert (kind.low, kind.high) == (2, 5)
    (kind,) = parse_kinds(["L4=2", "L4=any"])
    assert (kind.low, kind.high) == (2, None)


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (["Q"], "unknown piece 'Q'"),
        (["Q4"], "of 4 cells there are I4, L4"),
        (["L9"], "with this letter there are L4, L5"),
        (["L4=-1"], "copies: expected"),
        (["L4="], "copies: expected"),
        (["L4=3-2"], "0 <= low <= high"),
        (["L4=99999999"], "more than 10000 copies"),
        (["L4", "L4-fixed"], "two different pieces are named 'L4'"),
        (["L4", "J4"], "'L4' and 'J4' are the same piece"),
        (["L", "L5"], "'L' and 'L5' are the same piece"),
        (["tetrominoes-fixed"], "free or one-sided pieces"),
        ([""], "piece name"),
        (["a b"], "piece name"),
        (["x" * 50], "piece name"),
    ],
)
def test_bad_pieces_give_one_clear_line(tokens, message) -> None:
    with pytest.raises(InputError, match=message) as caught:
        parse_kinds(tokens)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["##", "#"], "row 2: 1 character, the rows above have 2"),
        (["#x"], "unknown character 'x'"),
        (["..", ".."], "no cells"),
    ],
)
def test_a_bad_picture_of_a_piece_names_the_row(rows, message) -> None:
    with pytest.raises(InputError, match=message):
        shape_from_rows(rows)


def test_a_piece_in_two_parts_or_without_cells_is_refused() -> None:
    with pytest.raises(InputError, match="not connected"):
        Piece("H", shape_from_rows(["#.", ".#"]))
    with pytest.raises(InputError, match="no cells"):
        Piece("H", ())


def test_letters_are_different_characters_and_the_names_first_where_free() -> None:
    assert letters(["V", "L4", "L5", "L6", "x"]) == ["V", "L", "l", "A", "x"]
    assert letters(["L4", "L"]) == ["l", "L"]
    many = letters([f"P{i}" for i in range(369)])
    assert len(set(many)) == 369
    assert all(len(c) == 1 and c.isprintable() and c not in ".#" for c in many)


# --- boards ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "rows", "columns", "size"),
    [
        ("3x20", 3, 20, 60),
        ("8x8-center", 8, 8, 60),
        ("7x7-center", 7, 7, 48),
        ("7x8-center", 7, 8, 54),
        ("8x8-mutilated", 8, 8, 62),
        ("3x3-r0c1-r2c2", 3, 3, 7),
        ("aztec1", 2, 2, 4),
        ("aztec4", 8, 8, 40),
    ],
)
def test_boards_by_name(name, rows, columns, size) -> None:
    board = parse_board(name)
    assert (board.rows, board.columns, board.size) == (rows, columns, size)


def test_the_named_holes_are_where_they_should_be() -> None:
    assert parse_board("4x4-center").picture() == "....\n.##.\n.##.\n...."
    assert parse_board("2x3-mutilated").picture() == "#..\n..#"
    assert parse_board("aztec2").picture() == "#..#\n....\n....\n#..#"


@pytest.mark.parametrize(
    "name",
    ["", "3", "3x", "3y4", "0x5", "999999999x0", "-3x4", "3x4-", "3x4-corner", "2x2-r5c5",
     "100x101", "10000x10000", "99999999999x1", "aztec0", "aztec51", "aztec", "１x2", "1x1-center"],
)  # fmt: skip
def test_bad_board_names_give_one_clear_line(name: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_board(name)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("rows", "message", "line"),
    [
        (["...", ".."], "2 characters, the rows above have 3", 8),
        (["...", ".x."], "unknown character 'x'", 8),
        (["###", "###"], "no free cell", 7),
        ([], "no free cell", 7),
    ],
)
def test_a_bad_picture_of_a_board_names_the_line(rows, message, line) -> None:
    with pytest.raises(InputError, match=message) as caught:
        board_from_rows(rows, line=7)
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("board", "order"),
    [("3x5", 4), ("4x4", 8), ("1x6", 2), ("1x1", 1), ("8x8-mutilated", 4), ("2x3-r0c0", 1),
     ("3x3-r0c0", 2), ("4x4-r0c1-r1c3-r3c2-r2c0", 4), ("3x4-r0c0", 1)],
)  # fmt: skip
def test_a_boards_symmetries(board: str, order: int) -> None:
    assert len(parse_board(board).symmetries) == order


def test_symmetry_does_not_depend_on_blocked_cells_around() -> None:
    assert len(board_from_rows(["####", "#..#", "#..#"]).symmetries) == 8


# --- names ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("pentomino:", "expected pentomino:BOARD"),
        ("pentomino:3x5:PUQ", "unknown pentomino 'Q'"),
        ("pentomino:3x5:PUV:upside", "unknown option 'upside'"),
        ("pentomino:3x5:PUV:empty=-1", "expected empty=N or empty=any"),
        ("pentomino:3x5:PUV:empty=16", "15 cells"),
        ("pentomino:3x5:PUV:fixed:more", "expected pentomino:BOARD"),
        ("domino:8x8:one", "did you mean 'one-sided'"),
        ("polyomino:5x8", "no pieces"),
        ("polyomino:5x8:,", "piece name"),
        ("pentomnio:5x8", "did you mean 'pentomino'"),
    ],
)
def test_bad_names_give_one_clear_line(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        named_puzzle(name)
    assert "\n" not in str(caught.value)


def test_a_piece_listed_twice_is_refused_as_its_copies_would_be_told_apart() -> None:
    kind = parse_kinds(["I2=any"])[0]
    with pytest.raises(InputError, match="listed twice"):
        PolyominoPuzzle("twice", rectangle(2, 2), (kind, kind))


def test_a_puzzle_with_too_many_placements_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("twostep.models.families.polyomino.placement.MAX_PLACEMENTS", 111)
    with pytest.raises(InputError, match="more than 111 placements"):
        _ = named_puzzle("domino:8x8").model


def test_every_example_of_a_family_is_a_puzzle() -> None:
    from twostep.models.families.polyomino.family import DOMINO, PENTOMINO, POLYOMINO

    for family in (PENTOMINO, DOMINO, POLYOMINO):
        for example in family.examples:
            made = named_puzzle(example)
            assert made.name == example
            assert made.model.n_options
