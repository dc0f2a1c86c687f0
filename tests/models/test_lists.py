"""Lists of puzzles: a line each, by name or as a sudoku, refused with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from twostep.models.errors import InputError
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle
from twostep.models.reading.lists import is_list, read_list
from twostep.models.reading.load import load_puzzle

SUDOKU = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def written(path: Path, *lines: str) -> str:
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_names_and_sudokus_are_read_with_line_and_title(tmp_path: Path) -> None:
    path = written(
        tmp_path / "a.txt", "# first chapter", "", "queens:6  the sixth", f"{SUDOKU}\tnewspaper"
    )
    found = [(each.line, each.puzzle, each.title) for each in read_list(path)]
    assert found == [(3, "queens:6", "the sixth"), (4, f"sudoku:{SUDOKU}", "newspaper")]


def test_a_puzzle_of_a_list_is_named_by_its_number(tmp_path: Path) -> None:
    path = written(tmp_path / "a.txt", "queens:6", "langford:3")
    assert load_puzzle(f"{path}#2").name == "langford:3"
    with pytest.raises(InputError, match=r"a list of 2 puzzles: name one, as in .*#1"):
        load_puzzle(path)
    with pytest.raises(InputError, match="no puzzle '3'; there are 1 to 2"):
        load_puzzle(f"{path}#3")


def test_the_only_puzzle_of_a_list_needs_no_number(tmp_path: Path) -> None:
    assert load_puzzle(written(tmp_path / "a.sdm", SUDOKU)).name == f"sudoku:{SUDOKU}"


def test_a_board_is_no_list(tmp_path: Path) -> None:
    board = written(tmp_path / "a.txt", "pieces: P U V", "", ".....", ".....", ".....")
    assert not is_list(board)
    assert isinstance(load_puzzle(board), PolyominoPuzzle)
    assert not is_list(written(tmp_path / "b.txt", "....", "....", "....", "...."))


def test_with_a_family_lines_are_its_arguments(tmp_path: Path) -> None:
    path = written(tmp_path / "stars", "AABB/AABB/CCDD/CCDD", "starbattle:AB/AB")
    names = [each.puzzle for each in read_list(path, "starbattle")]
    assert names == ["starbattle:AABB/AABB/CCDD/CCDD", "starbattle:AB/AB"]
    with pytest.raises(InputError, match="unknown puzzle family 'starbatle'; did you mean"):
        read_list(path, "starbatle")


def test_a_line_that_is_no_puzzle_is_refused_with_its_place_and_the_remedy(tmp_path: Path) -> None:
    path = written(tmp_path / "a.txt", "queens:4", "AABB/AABB")
    with pytest.raises(InputError, match=r"neither a puzzle's name.*--as FAMILY") as refused:
        read_list(path)
    assert (refused.value.source, refused.value.line) == (path, 2)
    path = written(tmp_path / "b.txt", "# nothing", "; at all")
    with pytest.raises(InputError, match="no puzzle"):
        read_list(path)


def test_a_puzzle_that_its_family_refuses_names_list_and_line(tmp_path: Path) -> None:
    path = written(tmp_path / "a.txt", "", "queens:x")
    with pytest.raises(InputError) as refused:
        read_list(path)[0].load()
    assert (refused.value.source, refused.value.line) == (path, 2)
