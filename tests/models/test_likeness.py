"""Copies of a puzzle are known, whatever was turned, mirrored or renamed; others are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twostep.models.families.likeness import grid_key, turned
from twostep.models.families.registry import named_puzzle

SUDOKU = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
WIDE = "1.....2.....3.....4.....5.....6....."  # boxes of 2 x 3


def whole(name: str) -> str:
    return named_puzzle(name).likeness.whole


def transposed(cells: str, side: int) -> str:
    return "".join(cells[row * side + column] for column in range(side) for row in range(side))


@given(st.lists(st.text("abc", min_size=3, max_size=3), min_size=1, max_size=4), st.data())
def test_the_key_of_a_grid_is_the_same_for_its_eight_images_renamed(
    rows: list[str], data: st.DataObject
) -> None:
    image = data.draw(st.sampled_from(list(turned(tuple(map(tuple, rows))))))
    names = dict(zip("abc", data.draw(st.permutations("xyz")), strict=True))
    assert grid_key([[names[str(each)] for each in row] for row in image]) == grid_key(rows)


def test_eight_images_of_a_rectangle_without_symmetry_differ() -> None:
    assert len(set(turned((("a", "b"), ("c", "d"))))) == 8


def test_a_sudoku_with_renamed_digits_turned_is_a_copy() -> None:
    other = transposed(SUDOKU.translate(str.maketrans("123456789", "912345678")), 9)
    assert whole(f"sudoku:{other}") == whole(f"sudoku:{SUDOKU}")
    assert whole(f"sudoku:{SUDOKU[::-1]}") == whole(f"sudoku:{SUDOKU}")
    assert whole(f"sudoku:{SUDOKU.replace('5', '.', 1)}") != whole(f"sudoku:{SUDOKU}")


def test_a_sudoku_with_wide_boxes_is_no_copy_of_its_transposed_cells() -> None:
    assert whole(f"sudoku:2x3:{WIDE[::-1]}") == whole(f"sudoku:2x3:{WIDE}")
    assert whole(f"sudoku:2x3:{transposed(WIDE, 6)}") != whole(f"sudoku:2x3:{WIDE}")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("starbattle:AABB/AABB/CCDD/CCDD", "starbattle:XXYY/XXYY/AACC/AACC"),
        ("dominosa:001/110", "dominosa:110/001"),
        ("dominosa:30021/22112/21030/31033", "dominosa:12003/21122/03012/33013"),
        ("pentomino:3x5:PUV", "polyomino:5x3:V,P,U"),
    ],
)
def test_copies_have_equal_keys(one: str, other: str) -> None:
    assert whole(one) == whole(other)


def test_equal_outlines_with_other_pieces_differ_in_the_pieces() -> None:
    one, other = named_puzzle("pentomino:3x5:PUV"), named_puzzle("pentomino:5x3:PLV")
    assert one.likeness.first_difference(other.likeness) == "pieces"
    assert one.likeness.first_difference(named_puzzle("pentomino:5x3:PUV").likeness) is None
