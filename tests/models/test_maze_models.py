"""Mazes as exact covers: three ways of counting agree, and every cover is a legal board.

The numbers stand in the project's maze facts; here each is found again by a determinant (perfect
mazes) or by going through all sets of walls (Pac-Man boards).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from helpers.engines import CPSAT, DLX, every_engine
from helpers.known_mazes import Plan, spanning_trees

from twostep.compare.registry import engine
from twostep.models import Engine, InputError, Limits, Verdict, count, listing, unique
from twostep.models.families.maze import pattern42
from twostep.models.families.maze.board import Board, Kind
from twostep.models.families.maze.braid import Wishes
from twostep.models.families.maze.check import check
from twostep.models.families.maze.drawn import from_text, read_drawn
from twostep.models.families.maze.family import MazePuzzle
from twostep.models.families.maze.generator import MazeGenerator
from twostep.models.families.maze.hexfile import MazeFile
from twostep.models.families.registry import named_puzzle as puzzle
from twostep.models.reading.load import load_puzzle as puzzle_or_file

PERFECT = {
    (1, 1): 1, (1, 5): 1, (2, 2): 4, (3, 3): 192, (4, 3): 2415,
    (2, 1): 1, (2, 3): 15, (2, 4): 56, (2, 5): 209, (2, 6): 780, (6, 2): 780,
}  # fmt: skip
PACMAN = {(3, 2): 1, (4, 2): 11, (2, 4): 11, (5, 2): 79, (3, 3): 70, (4, 3): 1522}


def maze(name: str) -> MazePuzzle:
    made = puzzle(name)
    assert isinstance(made, MazePuzzle)
    return made


def boards(engine: Engine, asked: MazePuzzle) -> list[Board]:
    """All boards of a puzzle."""
    found = listing(engine, asked.model)
    assert found.result.complete
    return [asked.board(solution) for solution in found.solutions]


def with_ends(board: Board) -> MazeFile:
    """The board as a file with entry, exit and a path, for the checker."""
    from twostep.models.families.maze.path import shortest_path

    exit = (board.width - 1, board.height - 1)
    return MazeFile(board, (0, 0), exit, shortest_path(board, (0, 0), exit))


@every_engine
@pytest.mark.parametrize("size", PERFECT)
def test_perfect_mazes_are_as_many_as_the_determinant_says(
    engine: Engine, size: tuple[int, int]
) -> None:
    result = count(engine, maze(f"maze:{size[0]}x{size[1]}").model)
    assert result.complete
    assert result.found == PERFECT[size] == spanning_trees(*size)


def test_the_determinant_gives_the_larger_numbers_of_the_facts() -> None:
    assert spanning_trees(5, 5) == 557568000
    assert spanning_trees(6, 6) == 32565539635200
    assert spanning_trees(7, 7) == 19872369301840986112
    assert spanning_trees(9, 7, pattern42.cells(9, 7)) == 9812736
    assert spanning_trees(11, 9, pattern42.cells(11, 9)) == 4575983711514334850163840


def test_perfect_4x4_are_100352_by_dancing_links() -> None:
    result = count(DLX, maze("maze:4x4").model)
    assert (result.complete, result.found) == (True, 100352)


@pytest.mark.parametrize(
    ("name", "number"),
    [("pacman:5x3", 22874), pytest.param("pacman:4x4", 79728, marks=pytest.mark.long)],
)
def test_larger_numbers_of_pacman_boards_by_dancing_links(name: str, number: int) -> None:
    result = count(DLX, maze(name).model)
    assert (result.complete, result.found) == (True, number)


@pytest.mark.parametrize("size", [6, 8])
def test_a_first_pacman_board_is_found_at_once_on_larger_boards(size: int) -> None:
    # The options' order decides this: with long distances first it takes hours.
    asked = maze(f"pacman:{size}x{size}")
    (solution,) = listing(DLX, asked.model, Limits(solutions=1, nodes=20_000)).solutions
    assert check(with_ends(asked.board(solution)), Kind.PACMAN).valid


@pytest.mark.long
def test_perfect_4x4_are_100352_by_cpsat() -> None:
    result = count(CPSAT, maze("maze:4x4").model)
    assert (result.complete, result.found) == (True, 100352)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("maze:5x5", 557568000), ("maze:6x6", 32565539635200),
        ("maze:7x7", 19872369301840986112), ("maze:9x7:42", 9812736),
        ("maze:11x9:42", 4575983711514334850163840), ("maze:7x5", None), ("maze:5x7", None),
    ],
)  # fmt: skip
def test_large_numbers_of_perfect_mazes_by_memoised_counting(name: str, number: int | None) -> None:
    asked = maze(name)
    result = count(DLX, asked.model)
    assert result.complete
    expected = spanning_trees(asked.drawn.width, asked.drawn.height, asked.drawn.closed)
    assert result.found == expected
    assert number in (None, expected)


@every_engine
@pytest.mark.parametrize("size", PACMAN)
def test_pacman_boards_are_those_of_plain_enumeration(
    engine: Engine, size: tuple[int, int]
) -> None:
    plan = Plan(*size)
    expected = {plan.board(opened) for opened in plan.pacman()}
    found = boards(engine, maze(f"pacman:{size[0]}x{size[1]}"))
    assert len(found) == len(set(found)) == PACMAN[size]
    assert set(found) == expected


@every_engine
@pytest.mark.parametrize("size", [(1, 4), (2, 3), (3, 3), (4, 2)])
def test_perfect_mazes_are_those_of_plain_enumeration(
    engine: Engine, size: tuple[int, int]
) -> None:
    plan = Plan(*size)
    expected = {plan.board(opened) for opened in plan.perfect()}
    found = boards(engine, maze(f"maze:{size[0]}x{size[1]}"))
    assert len(found) == len(expected)
    assert set(found) == expected


@pytest.mark.parametrize("name", ["maze:4x3", "pacman:4x3", "pacman:6x2", "maze:1x6"])
def test_every_decoded_board_passes_the_checker(name: str) -> None:
    asked = maze(name)
    kind = Kind.PERFECT if name.startswith("maze") else Kind.PACMAN
    for board in boards(DLX, asked):
        assert check(with_ends(board), kind).findings == ()


@pytest.mark.parametrize(
    ("backend", "name"),
    [
        ("dlx", "maze:9x7:42"), ("cpsat", "maze:9x7:42"), ("dlx", "maze:11x8:42"),
        ("dlx", "pacman:9x7:42"), ("dlx", "pacman:10x8:42"),
        pytest.param("cpsat", "pacman:9x7:42", marks=pytest.mark.long),  # presolving takes its time
    ],
)  # fmt: skip
def test_boards_round_the_42_pass_the_checker(backend: str, name: str) -> None:
    asked = maze(name)
    kind = Kind.PERFECT if name.startswith("maze") else Kind.PACMAN
    found = listing(engine(backend), asked.model, Limits(solutions=5))
    assert len(found.solutions) == 5
    for solution in found.solutions:
        report = check(with_ends(asked.board(solution)), kind)
        assert report.findings == ()
        assert report.has_42


@every_engine
@pytest.mark.parametrize("size", [(1, 1), (1, 10), (2, 2), (10, 1)])
def test_a_board_too_small_for_two_loops_is_no_pacman_board(
    engine: Engine, size: tuple[int, int]
) -> None:
    asked = maze(f"pacman:{size[0]}x{size[1]}")
    assert "needs 2 loops" in (asked.obstacle() or "")
    result = count(engine, asked.model)
    assert (result.complete, result.found) == (True, 0)


def test_the_suggested_order_changes_no_count() -> None:
    for name in ("maze:4x3", "pacman:4x3"):
        model = maze(name).model
        assert count(DLX, model).found == count(DLX, replace(model, order=None)).found


def test_the_models_are_small() -> None:
    # The options of the perfect maze are at most four per wall; of the Pac-Man boards the facts'
    # own attempt needed 450, 1128, 2603, 2102 and 6250.
    sizes = [maze(f"pacman:{size}").model.n_options for size in ("3x2", "4x2", "3x3", "5x2", "4x3")]
    assert sizes == [43, 119, 254, 252, 743]
    assert maze("maze:4x4").model.n_options <= 4 * 24


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("maze:", "expected maze:WIDTHxHEIGHT"),
        ("maze:4", "expected maze:WIDTHxHEIGHT"),
        ("maze:4x4:43", "expected maze:WIDTHxHEIGHT"),
        ("maze:-4x4", "expected maze:WIDTHxHEIGHT"),
        ("maze:0x4", "has no cells"),
        ("maze:8x7:42", "at least 9x7"),
        ("pacman:9x6:42", "at least 9x7"),
        ("maze:3000x3000", "too large"),
        ("maze:900x900", "more than 1,000,000 options"),
        ("pacman:30x30", "more than 1,000,000 options"),
        ("pacman:200x200", "more than 1,000,000 options"),
        ("pacman:2000x2000", "too large"),
    ],
)
def test_names_that_mean_no_board_are_refused_in_one_line(name: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        puzzle(name)
    assert words in str(caught.value)
    assert str(caught.value).startswith(f"{name}: ")
    assert f"{name}: {name}" not in str(caught.value)
    assert "\n" not in str(caught.value)


# --- partly drawn boards --------------------------------------------------------------------------

KNOWN = """# one cell and one wall known
PERFECT=False
????
?8??
????

0,0
3,2
2,1 E closed
"""


def test_a_partly_drawn_board_is_completed_to_all_that_agree_with_it() -> None:
    plan = Plan(4, 3)
    expected = {
        board
        for board in map(plan.board, plan.pacman())
        if board.at((1, 1)) == 8 and board.at((2, 1)) & 2
    }
    assert 0 < len(expected) < 1522
    assert set(boards(DLX, from_text(KNOWN, "known"))) == expected


@every_engine
def test_a_perfect_maze_with_gaps_has_its_completions(engine: Engine) -> None:
    plan = Plan(3, 3)
    text = "PERFECT=True\nD??\n???\n??E\n\n0,0\n2,2\n0,1 S open\n"
    expected = {
        board
        for board in map(plan.board, plan.perfect())
        if (board.at((0, 0)), board.at((2, 2))) == (13, 14) and not board.at((0, 1)) & 4
    }
    assert len(expected) > 1
    assert set(boards(engine, from_text(text, "gaps"))) == expected


@every_engine
def test_a_whole_board_is_its_only_completion(engine: Engine) -> None:
    legal = from_text("PERFECT=False\n913\nc46\n", "legal")  # lower case as well
    assert unique(engine, legal.model).verdict is Verdict.UNIQUE
    assert [board.rows for board in boards(engine, legal)] == [("913", "C46")]
    # A perfect maze it is not: it has two loops.
    assert unique(engine, from_text("PERFECT=True\n913\nC46\n", "x").model).verdict is Verdict.NONE


@every_engine
@pytest.mark.parametrize(
    ("rows", "walls", "words"),
    [
        ("8??\n???", "", "wall on side N of cell 0,0 is open, but it is on the border"),
        ("9??\nB??", "", "wall between cells 0,1 and 0,0 is given open and closed"),
        ("???\n???", "1,0 E open\n2,0 W closed", "given open and closed"),
        ("???\n???", "0,1 S open", "side S of cell 0,1 is open"),
        ("F??\n???", "", 'cell 0,0 is closed on all sides and no part of a whole "42"'),
    ],
)
def test_a_board_that_breaks_a_rule_has_no_completion_and_says_why(
    engine: Engine, rows: str, walls: str, words: str
) -> None:
    asked = from_text(f"PERFECT=True\n{rows}\n\n{walls}\n", "bad")
    assert words in (asked.obstacle() or "")
    assert unique(engine, asked.model).verdict is Verdict.NONE


def test_an_entry_on_the_42_leaves_no_board() -> None:
    rows = ["?" * 9 for _ in range(7)]
    for x, y in pattern42.cells(9, 7):
        rows[y] = rows[y][:x] + "F" + rows[y][x + 1 :]
    drawn = "\n".join(rows)
    legal = from_text(f"PERFECT=True\n{drawn}\n\n0,0\n8,6\n", "with 42")
    assert legal.obstacle() is None
    (solution,) = listing(DLX, legal.model, Limits(solutions=1)).solutions
    assert check(MazeFile(legal.board(solution))).has_42
    for text in ("1,1\n8,6\n", "0,0\n1,1\n"):
        asked = from_text(f"PERFECT=True\n{drawn}\n\n{text}", "on the 42")
        assert 'on the "42"' in (asked.obstacle() or "")
        assert unique(DLX, asked.model).verdict is Verdict.NONE
    shut = from_text(f"PERFECT=True\n{drawn}\n\n0,1 E open\n", "a wall of the 42")
    assert 'on the "42"' in (shut.obstacle() or "")


@pytest.mark.parametrize("perfect", [True, False])
def test_what_the_maker_makes_is_the_only_completion_of_itself(perfect: bool) -> None:
    # With two dead ends kept, besides the notches of the "42", which must not count.
    wishes = Wishes() if perfect else Wishes(dead_ends=2)
    for seed, (width, height) in enumerate([(4, 3), (9, 7), (10, 8)]):
        maker = MazeGenerator(width, height, seed, perfect, wishes=wishes)
        rows = "\n".join(maker.board.rows)
        asked = from_text(f"PERFECT={perfect}\n{rows}\n", "made")
        assert boards(DLX, asked) == [maker.board]


@every_engine
def test_no_hall_can_be_completed(engine: Engine) -> None:
    # 4x3, every inner wall of the left 3x3 block open.
    asked = from_text(
        "PERFECT=False\n91??\n80??\nC4??\n\n2,0 S open\n2,1 S open\n2,1 W open\n", "h"
    )
    assert unique(engine, asked.model).verdict is Verdict.NONE


def test_a_maze_file_with_gaps_and_its_path_is_read() -> None:
    text = "\ufeffPERFECT=True\r\n957\r\nA?3\r\nC6E\r\n\r\n0,0\r\n2,2\r\nSSENES\r\n"
    asked = from_text(text.lstrip("\ufeff"), "gaps")
    assert (asked.kind, asked.entry, asked.exit) == (Kind.PERFECT, (0, 0), (2, 2))
    (board,) = boards(DLX, asked)
    assert board.rows == ("957", "A93", "C6E")
    (solution,) = listing(DLX, asked.model).solutions
    assert asked.draw(solution).split("\n") == [
        "┌───────────┐",
        "│in         │  957",
        "│   ┌───────┤",
        "│ • │ •   • │  A93",
        "│   ╵   ╷   │",
        "│ •   • │out│  C6E",
        "└───────┴───┘",
    ]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("913\nC46\n", None, "expected a line PERFECT=True"),
        ("PERFECT=False\n", None, "expected rows"),
        ("PERFECT=maybe\n913\nC46\n", 1, "expected True or False"),
        ("PERFECT=True\nPERFECT=True\n9?\nC?\n", 2, "stands twice"),
        ("PERFEKT=True\n9?\nC?\n", 1, "did you mean 'PERFECT'?"),
        ("PERFECT=True\n9?\nC?3\n", 3, "the row has 3 cells, the first has 2"),
        ("PERFECT=True\n9x\nC?\n", 2, "got 'x'"),
        ("PERFECT=True\n9?\nC?\n0,0\n", 4, "put an empty line after the rows"),
        ("PERFECT=True\n9?\nC?\n\n0,2\n", 5, "outside the board of 2x2"),
        ("PERFECT=True\n9?\nC?\n\n0,0\n0,0\n", 6, "same cell"),
        ("PERFECT=True\n9?\nC?\n\n0,0\n1,1\n1,0\n", 7, "given already"),
        ("PERFECT=True\n9?\nC?\n\n0,0 X open\n", 5, "expected a side"),
        ("PERFECT=True\n9?\nC?\n\n0,0 E opened\n", 5, "did you mean 'open'?"),
        ("PERFECT=True\n9?\nC?\n\nhello\n", 5, "expected a cell x,y"),
        ("PERFECT=True\n9?\nC?\n\nEES\n", 5, "expected a cell x,y"),
    ],
)
def test_a_bad_maze_file_is_refused_with_its_line(
    tmp_path: Path, text: str, line: int | None, words: str
) -> None:
    path = tmp_path / "board.maze"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        puzzle_or_file(str(path))
    assert (caught.value.source, caught.value.line) == (str(path), line)
    assert words in caught.value.message


def test_a_maze_file_is_a_puzzle_for_the_command(tmp_path: Path) -> None:
    path = tmp_path / "board.maze"
    path.write_text(KNOWN, encoding="utf-8")
    assert puzzle_or_file(str(path)).name == read_drawn(str(path)).name == str(path)


# --- connected boards -----------------------------------------------------------------------------


def connected_by_force(width: int, height: int, *, halls: bool) -> int:
    plan = Plan(width, height)
    return sum(
        plan.connected(opened) and (halls or not plan.has_hall(opened)) for opened in plan.every()
    )


@pytest.mark.parametrize(("width", "height"), [(1, 2), (2, 2), (3, 2), (2, 4), (3, 3)])
@pytest.mark.parametrize("halls", [False, True])
def test_connected_boards_are_counted_as_by_brute_force(
    width: int, height: int, halls: bool
) -> None:
    asked = maze(f"connected:{width}x{height}{':halls' if halls else ''}")
    known = connected_by_force(width, height, halls=halls)
    assert count(DLX, asked.model).found == known
    assert width * height > 8 or count(CPSAT, asked.model).found == known
