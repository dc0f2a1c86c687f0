"""Pieces by name: mirror partners, rectangles, namesakes, copies apart; lists of cells."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest
from helpers.cases import case
from helpers.cli import Typed
from helpers.engines import CPSAT, DLX, every_engine
from PIL import Image

from twostep.models.errors import InputError
from twostep.models.families.polyomino.board import Board, board_from_cells
from twostep.models.families.polyomino.boardfile import parse_board_text, read_board
from twostep.models.families.polyomino.pieces import (
    MIRRORED,
    SETS,
    named_shape,
    names_of_set,
    orientations,
    turned_over,
)
from twostep.models.families.polyomino.placement import Placement
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle
from twostep.models.families.registry import FAMILIES, family, named_puzzle
from twostep.models.language.symmetry import count_classes
from twostep.models.reading.load import load_puzzle
from twostep.models.search import questions
from twostep.models.search.engine import Engine


def count(name: str) -> int:
    return questions.count(DLX, named_puzzle(name).model).found


# --- names ---------------------------------------------------------------------------------------


def test_mirror_partners_are_what_their_names_say() -> None:
    for name, partner in MIRRORED.items():
        faces = {orientations(named_shape(each), True, False) for each in (name, partner)}
        assert len(faces) == 2
        assert turned_over(named_shape(name)) in orientations(named_shape(partner), True, False)


def test_the_one_sided_sets_have_their_sizes() -> None:  # A000988: 1, 1, 2, 7, 18
    sizes = [len(names_of_set(name, one_sided=True)) for name in SETS]
    assert sizes == [1, 1, 2, 7, 18]


def test_18_one_sided_pentominoes_fill_3x30_in_184_ways() -> None:  # known; 46 up to symmetry
    puzzle = named_puzzle("polyomino:3x30:pentominoes:one-sided")
    answer = count_classes(DLX, puzzle.model)
    assert (answer.raw.found, answer.different, answer.symmetries) == (184, 46, 4)
    assert puzzle.symmetry == (
        " of the board; F and G5, J5 and L, M5 and N, P and Q5, H5 and Y, S5 and Z change places"
    )


def test_a_letter_that_is_no_pentomino_alone_is_refused_with_what_there_is() -> None:
    with pytest.raises(InputError, match=r"unknown piece 'J'; .* J4, J5"):
        named_puzzle("polyomino:2x2:J")


def test_rectangles_are_pieces() -> None:
    assert count("polyomino:6x6:R2x3=6") == 2  # all lie, or all stand: a corner decides it
    assert count("polyomino:2x6:R2x3-fixed=2") == 1
    assert count("polyomino:6x2:R2x3-fixed=2") == 0
    with pytest.raises(InputError, match="the same piece"):
        named_puzzle("polyomino:6x6:R2x3=3,R3x2=3")
    with pytest.raises(InputError, match="more than 1000 cells"):
        named_puzzle("polyomino:6x6:R50x50")


# --- namesakes -----------------------------------------------------------------------------------


def test_a_locked_region_is_the_namesake_whose_shape_it_has() -> None:
    content = case("T2-11a-two-pieces-of-one-letter")
    puzzle = parse_board_text(content["file"], "calendar")
    assert [lock.piece for lock in puzzle.locks] == ["L"]
    for engine in (DLX, CPSAT):
        assert questions.count(engine, puzzle.model).found == content["expected"]["count"]
    small = parse_board_text(content["file"].replace("LLLL", "llll").replace(".L.", ".l."), "small")
    assert [lock.piece for lock in small.locks] == ["L"]


def test_a_legend_names_the_letters_that_are_no_initials() -> None:
    puzzle = named_puzzle("polyomino:3x3:L4,L")
    assert isinstance(puzzle, PolyominoPuzzle)
    assert (puzzle.legend, puzzle.remark) == ({"l": "L4"}, "l is L4")
    (solution,) = questions.first(DLX, puzzle.model).solutions or ((),)
    for name, cells in puzzle.parts(solution):
        assert len(cells) == {"L4": 4, "L": 5}[name]


# --- copies apart --------------------------------------------------------------------------------


@every_engine
@pytest.mark.parametrize(
    "name",
    [
        "polyomino:4x4:I1=any,I2=any,I3=any,L4=any",
        "polyomino:3x4:I2=any,V3=any,O4=any",
        "polyomino:2x5:I1=any,I2=any,I3=0-1",
        "polyomino:3x3:I1=any,I2=any",
    ],
)
def test_copies_apart_as_by_looking_at_all_fillings(engine: Engine, name: str) -> None:
    puzzle = named_puzzle(name)
    expected = sum(
        not _touching([puzzle.model.labels[option] for option in solution])
        for solution in questions.listing(DLX, puzzle.model).solutions
    )
    assert questions.count(engine, named_puzzle(f"{name}:apart").model).found == expected


def _touching(placed: list[Placement]) -> bool:
    """Whether two equal pieces share an edge."""
    return any(
        one.piece == other.piece
        and any(abs(r - s) + abs(c - d) == 1 for r, c in one.cells for s, d in other.cells)
        for one, other in itertools.combinations(placed, 2)
    )


def test_apart_stands_in_a_file() -> None:
    text = "pieces: I1=any I2=any\napart: {}\nboard:\n...\n...\n"
    plain, apart = (parse_board_text(text.format(word), word) for word in ("no", "yes"))
    assert (plain.apart, apart.apart) == (False, True)
    assert count("polyomino:2x3:I1=any,I2=any:apart") == questions.count(DLX, apart.model).found
    assert plain.likeness.whole != apart.likeness.whole
    with pytest.raises(InputError, match="apart 'maybe': expected yes or no"):
        parse_board_text(text.format("maybe"), "wrong")


# --- boards of cells -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cells", [((-1, -1), (-1, 0)), ((0, 0), (2, 0)), ((0, 1),), ((0, 0), (0, -1))]
)
def test_a_board_refuses_cells_outside(cells: tuple[tuple[int, int], ...]) -> None:
    with pytest.raises(InputError, match="is outside the board of 2x1"):
        Board(2, 1, cells)


def test_a_board_takes_its_cells_in_any_order_and_each_once() -> None:
    assert Board(1, 2, ((0, 1), (0, 0))).free == ((0, 0), (0, 1))
    with pytest.raises(InputError, match="given twice"):
        Board(1, 2, ((0, 0), (0, 0)))


def test_a_list_of_cells_lies_where_it_lies() -> None:
    rng = random.Random(1)
    cells = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 1)]
    for _ in range(20):
        down, right = rng.randint(-9, 9), rng.randint(-9, 9)
        moved = [(r + down, c + right) for r, c in rng.sample(cells, 5)]
        assert board_from_cells(moved) == board_from_cells(cells)
    with pytest.raises(InputError, match="no free cell"):
        board_from_cells([])


def test_a_file_gives_a_board_as_cells() -> None:
    puzzle = parse_board_text("pieces: I2=2\ncells: -1,-1 -1,0\ncells: 0,-1 0,0\n", "cells")
    assert questions.count(DLX, puzzle.model).found == 2
    for text, said in (
        ("cells: 0,0 0;1\n", "cell '0;1': expected row,column"),
        ("cells: 0,0\nboard:\n..\n", "the board is given as a picture, too"),
    ):
        with pytest.raises(InputError, match=said):
            parse_board_text(text, "wrong")


def test_a_row_of_blanks_does_not_vanish() -> None:
    with pytest.raises(InputError, match="a row of blanks in a picture") as error:
        parse_board_text("....\n....\n    \n....\n", "blank")
    assert error.value.line == 3
    assert parse_board_text("....\n....\n\n  \n", "blank lines").board.rows == 2


HEART = [".##.##.", "#######", "#######", ".#####.", "..###..", "...#..."]


def test_a_picture_and_a_text_of_one_outline_have_the_same_pieces(tmp_path: Path) -> None:
    picture = Image.new("LA", (7, 6))
    for r, c in itertools.product(range(6), range(7)):
        picture.putpixel((c, r), (0, 255 if HEART[r][c] == "#" else 0))
    picture.save(tmp_path / "heart.png")
    rows = [row.translate(str.maketrans("#.", ".#")) for row in HEART]
    (tmp_path / "heart.txt").write_text("\n".join(rows) + "\n")
    from_picture, from_text = (
        load_puzzle(str(tmp_path / name)) for name in ("heart.png", "heart.txt")
    )
    assert isinstance(from_picture, PolyominoPuzzle)
    assert isinstance(from_text, PolyominoPuzzle)
    assert (from_picture.board, from_picture.kinds) == (from_text.board, from_text.kinds)
    assert read_board(tmp_path / "heart.txt").kinds[0].low == 0


# --- what the help suggests ----------------------------------------------------------------------


def test_options_may_stand_right_behind_the_board() -> None:
    for short, long in (("one-sided", ":one-sided"), ("fixed,empty=any", ":fixed,empty=any")):
        one, other = (named_puzzle(f"pentomino:6x10:{each}") for each in (short, long))
        assert isinstance(one, PolyominoPuzzle)
        assert isinstance(other, PolyominoPuzzle)
        assert (one.kinds, one.empty) == (other.kinds, other.empty)


SPELLED = {
    "BOARD": "4x5", "LETTERS": "FILP", "PIECE": "L4", "COPIES": "2", "N": "4", "ROWS": "2",
}  # fmt: skip


@pytest.mark.parametrize("name", ["pentomino", "domino", "polyomino"])
def test_every_form_that_the_syntax_names_parses(name: str) -> None:
    forms = {
        "pentomino": ["BOARD", "BOARD:LETTERS", "BOARD:some", "BOARD:one-sided", "BOARD:fixed",
                      "BOARD:LETTERS:one-sided", "BOARD:some:fixed,empty=any",
                      "BOARD:empty=N", "BOARD:LETTERS:one-sided,empty=N"],
        "domino": ["BOARD", "BOARD:fixed", "BOARD:empty=N", "BOARD:fixed,empty=any"],
        "polyomino": ["BOARD:PIECE", "BOARD:PIECE-one-sided", "BOARD:PIECE-fixed=COPIES",
                      "BOARD:PIECE=COPIES,I2:one-sided", "BOARD:PIECE:fixed,empty=N",
                      "BOARD:PIECE=any:empty=any,apart"],
    }[name]  # fmt: skip
    assert name in FAMILIES
    for form in forms:
        for word, value in SPELLED.items():
            form = form.replace(word, value)
        family(name).parse(form)
    words = set("".join(c if c.isalpha() or c == "-" else " " for c in family(name).syntax).split())
    tried = set("".join(c if c.isalpha() or c == "-" else " " for c in " ".join(forms)).split())
    assert {word.strip("-") for word in words} - {name} <= {word.strip("-") for word in tried} | {
        "one-sided", "apart", "any", "some",
    }  # fmt: skip


# --- listed pieces --------------------------------------------------------------------------------


def test_pieces_are_listed_with_all_the_ways_in_which_they_lie(
    typed: Typed, tmp_path: Path
) -> None:
    said = typed("puzzles", "--pieces", "I3,V3-fixed")
    assert said.out == (
        "I3: 3 cells, lies in 2 ways\n###   #\n      #\n      #\n\n"
        "V3: 3 cells, lies in 1 way\n##\n#\n"
    )
    listed = typed("puzzles", "--pieces", "pentominoes", "--json").json["pieces"]
    assert sum(len(each["orientations"]) for each in listed) == 63  # the fixed pentominoes
    one_sided = typed("puzzles", "--pieces", "pentominoes-one-sided", "--json").json["pieces"]
    assert len(one_sided) == 18
    assert sum(len(each["orientations"]) for each in one_sided) == 63
    path = tmp_path / "all.png"
    assert typed("puzzles", "--pieces", "tetrominoes-one-sided", "-o", str(path)).code == 0
    with Image.open(path) as picture:
        assert min(picture.size) > 100
    assert "unknown piece 'Q'" in typed("puzzles", "--pieces", "Q").err
