"""The classic families: known counts, both engines on the same set, and clear refusals."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.cases import case
from helpers.engines import CPSAT, DLX

from twostep.compare.agreement.verdict import Agreement, compare
from twostep.models.errors import InputError
from twostep.models.families.classics import (
    calendar,
    dominosa,
    edges,
    langford,
    queens,
    starbattle,
    sudoku,
)
from twostep.models.families.classics import words as words_family
from twostep.models.families.classics.sudoku import Sudoku
from twostep.models.families.puzzle import Puzzle
from twostep.models.families.registry import FAMILIES, family
from twostep.models.search import questions
from twostep.models.search.questions import Verdict

CLASSICS = [
    "queens", "starbattle", "langford", "sudoku", "macmahon", "edges", "dominosa", "calendar",
    "words",
]  # fmt: skip


def puzzle(name: str) -> Puzzle:
    kind, _, arguments = name.partition(":")
    return family(kind).parse(arguments)


def count(name: str) -> int:
    result = questions.count(DLX, puzzle(name).model)
    assert result.complete
    return result.found


def pictures(asked: Puzzle) -> list[str]:
    found = questions.listing(DLX, asked.model)
    assert found.result.complete
    return [asked.draw(solution) for solution in found.solutions]


# --- both engines ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "queens:7",
        "queens:8",
        "starbattle:ACDDDB/ACDDBB/CCDDDD/CCFDDD/CFFFDE/CFFFEE",
        "starbattle:AAAAA/ABBCA/DBBCC/DDBCC/DDEEE",
        "langford:7",
        "langford:6",
        "sudoku:..3..3.4..23..4.",
        "sudoku:53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
        "macmahon:2x3:2",
        "edges:2x2:aabb,abba,abab,abab",
        "dominosa:30021/22112/21030/31033",
        "dominosa:0000/0000/0000",
        "calendar:Oct-6",
        "words:3x3:tea,war,ore,two,ear,bar,era,ten,bet,are,ran",
    ],
)
def test_both_engines_find_the_same_set(name: str) -> None:
    assert compare([DLX, CPSAT], puzzle(name).model).agreement is Agreement.AGREE


@pytest.mark.long
@pytest.mark.parametrize("name", ["queens:9", "queens:10", "langford:8", "calendar:Jan-25"])
def test_both_engines_find_the_same_large_set(name: str) -> None:
    assert compare([DLX, CPSAT], puzzle(name).model).agreement is Agreement.AGREE


@pytest.mark.parametrize("kind", CLASSICS)
def test_every_example_is_what_it_is_called_and_can_be_drawn(kind: str) -> None:
    assert kind in FAMILIES
    for name in family(kind).examples:
        asked = puzzle(name)
        assert asked.name == name
        first = questions.first(DLX, asked.model)
        assert first.solutions, name
        assert asked.draw(first.solutions[0])
        assert asked.obstacle() is None


# --- queens ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "expected"),
    list(enumerate([1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200])),  # A000170
)
def test_queens(n: int, expected: int) -> None:
    assert count(f"queens:{n}") == expected


def test_a_board_of_queens_is_drawn() -> None:
    assert pictures(puzzle("queens:4")) == [".Q..\n...Q\nQ...\n..Q.", "..Q.\nQ...\n...Q\n.Q.."]


# --- coloured regions -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "expected"),
    list(enumerate([1, 0, 0, 2, 14, 90, 646, 5242], start=1)),  # A002464, Hertzsprung's problem
)
def test_with_the_rows_as_regions_it_is_hertzsprungs_problem(n: int, expected: int) -> None:
    board = "/".join("ABCDEFGH"[r] * n for r in range(n))
    assert count(f"starbattle:{board}") == expected


def test_regions_as_by_trying_all_permutations() -> None:
    for board in ("ACDDDB/ACDDBB/CCDDDD/CCFDDD/CFFFDE/CFFFEE", "AAAAA/ABBCA/DBBCC/DDBCC/DDEEE"):
        cells = board.split("/")
        n = len(cells)
        expected = {
            columns
            for columns in itertools.permutations(range(n))
            if len({cells[r][c] for r, c in enumerate(columns)}) == n
            and all(abs(columns[r] - columns[r + 1]) > 1 for r in range(n - 1))
        }
        asked = puzzle(f"starbattle:{board}")
        found = {
            tuple(next(c for c in range(n) if line[c] != ".") for line in picture.split("\n"))
            for picture in pictures(asked)
        }
        assert found == expected
    assert len(pictures(puzzle("starbattle:ACDDDB/ACDDBB/CCDDDD/CCFDDD/CFFFDE/CFFFEE"))) == 1


@pytest.mark.parametrize(
    ("board", "said"),
    [
        ("AAB/ACB", "2 rows of 3 cells: expected a square board"),
        ("AAB/AC/CCC", "row 2: 2 characters, expected 3"),
        ("0:AB/AB", "stars '0': expected a whole number from 1 to 9"),
        ("2:A:/BC", "row 1, column 2: ':', expected a letter or digit"),
        ("A B/CCC/CCC", "row 1, column 2: ' ', expected a letter or digit"),
        ("", "row 1: 0 characters, expected at least 1"),
    ],
)
def test_a_wrong_board_of_regions_is_refused(board: str, said: str) -> None:
    with pytest.raises(InputError) as error:
        starbattle.FAMILY.parse(board)
    assert said in str(error.value)


def test_too_few_regions_leave_no_solution_and_say_so() -> None:
    asked = puzzle("starbattle:AAA/ABB/BBB")
    assert asked.obstacle() == "3 rows and 2 regions: each needs 1 star"
    assert questions.count(DLX, asked.model).found == 0


def test_regions_come_from_a_file_with_line_and_column_in_errors(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text("# a game\n\nAABB\r\nAABB\nCCDD\nCCDD")
    assert len(pictures(starbattle.FAMILY.parse(str(path)))) == 2
    path.write_text("A A B B\nA A B B\nC C D D\nC C D D\n")
    assert len(pictures(starbattle.FAMILY.parse(str(path)))) == 2
    path.write_text("A A B B\nA A ! B\nC C D D\nC C D D\n")
    with pytest.raises(InputError, match=r"game\.txt:2:5: '!', expected a letter"):
        starbattle.FAMILY.parse(str(path))
    path.write_text("AABB\n    \nCCDD\nCCDD\n")
    with pytest.raises(InputError, match=r"game\.txt:2: a row of blanks"):
        starbattle.FAMILY.parse(str(path))
    path.write_text("# a game\nAAB\nA\nCCC\n")
    with pytest.raises(InputError, match=r"game\.txt:3: 1 character, expected 3"):
        starbattle.FAMILY.parse(str(path))


def test_a_region_in_several_parts_is_allowed_and_remarked() -> None:
    content = case("T2-02a-queens-region-in-several-parts")
    asked = puzzle(f"starbattle:{'/'.join(content['board'])}")
    assert asked.remark == (
        "region e is in 3 parts: one is at row 1, column 1, another at row 2, column 4"
    )
    for solver in (DLX, CPSAT):
        assert questions.count(solver, asked.model).found == content["expected"]["count"] == 1
    assert puzzle("starbattle:AABB/AABB/CCDD/CCDD").remark == ""


PUBLISHED = [
    "6/6/1/4ilbhgdnmhou",
    "6/6/1/2u9gn9c9jpmk",
    "10/10/2/5g252c2qkgbakk98igse7g88cp3730so000u",
    "10/10/2/l95las9vb5mmurbelo2m849c5gp068ci9029",
    "12/12/2/g0410igil9ck6q3l12glrcp12c081pu07do1ge6c0g0m0628gdkcn0",
    "13/13/2/40142jhssb4ij4491m8d6b0io4k8ab003vosuc02181v3e00o00fo3g00073phsg",
    "9/9/2/12a955kh37khi20fe0g13toea1c07g",
    "15/15/3/31g94h1gk30glmiuum28c52kl8mh0i10o51gh4i1go2h84a4802gt5hah8la6046hc9aign1ga18424a42h8",
]
"""Star battles with one answer, as on puzz.link: columns, rows, stars, and the borders, first
between neighbours in a row, then between rows, five to a digit of base 32."""


def from_borders(text: str) -> str:
    """The name of the star battle in one of :data:`PUBLISHED`."""
    columns, rows, stars, packed = text.split("/")
    n = int(columns)
    assert n == int(rows)
    digits = -(-n * (n - 1) // 5)  # of each part
    upright, level = (
        "".join(f"{int(digit, 32):05b}" for digit in part)
        for part in (packed[:digits], packed[digits:])
    )
    between = {(r, c): upright[r * (n - 1) + c] for r in range(n) for c in range(n - 1)}
    below = {(r, c): level[r * n + c] for r in range(n - 1) for c in range(n)}
    region: dict[tuple[int, int], str] = {}
    for start in itertools.product(range(n), range(n)):
        if start in region:
            continue
        letter = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[len(set(region.values()))]
        open_cells = [start]
        while open_cells:
            r, c = open_cells.pop()
            if region.setdefault((r, c), letter) == letter:
                near = {
                    (r, c + 1): between.get((r, c)), (r, c - 1): between.get((r, c - 1)),
                    (r + 1, c): below.get((r, c)), (r - 1, c): below.get((r - 1, c)),
                }  # fmt: skip
                open_cells += [cell for cell, b in near.items() if b == "0" and cell not in region]
    board = "/".join("".join(region[r, c] for c in range(n)) for r in range(n))
    return f"starbattle:{stars}:{board}"


@pytest.mark.parametrize("published", PUBLISHED)
@pytest.mark.parametrize("solver", [DLX, CPSAT], ids=["dlx", "cpsat"])
def test_published_star_battles_are_unique(published: str, solver: questions.Engine) -> None:
    answer = questions.unique(solver, puzzle(from_borders(published)).model)
    assert answer.verdict is Verdict.UNIQUE


@pytest.mark.parametrize("n", [7, 8])
def test_two_stars_as_by_trying_all_rows(n: int) -> None:
    pairs = [(c, d) for c in range(n) for d in range(c + 2, n)]

    def ways(row: int, above: tuple[int, ...], times: tuple[int, ...]) -> int:
        if row == n:
            return 1
        total = 0
        for pair in pairs:
            now = tuple(have + (c in pair) for c, have in enumerate(times))
            if max(now) <= 2 and all(abs(c - d) > 1 for c in pair for d in above):
                total += ways(row + 1, pair, now)
        return total

    board = "/".join("ABCDEFGH"[r] * n for r in range(n))
    expected = ways(0, (), (0,) * n)
    assert count(f"starbattle:2:{board}") == expected
    assert (expected > 0) == (n == 8)


def test_a_two_star_case() -> None:
    content = case("T2-06a-two-stars")
    asked = puzzle(f"starbattle:{content['stars']}:{'/'.join(content['board'])}")
    for solver in (DLX, CPSAT):
        assert questions.count(solver, asked.model).found == content["expected"]["count"] == 1


# --- Langford -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "expected"),
    [(3, 2), (4, 2), (5, 0), (6, 0), (7, 52), (8, 300), (9, 0), (10, 0), (11, 35584)],
)  # exhaustive counts, both reading directions; case LF-01
def test_langford(n: int, expected: int) -> None:
    assert count(f"langford:{n}") == expected
    assert (puzzle(f"langford:{n}").obstacle() is not None) == (expected == 0)


@pytest.mark.long
def test_langford_12() -> None:
    assert count("langford:12") == 216_288


def test_langford_lines_keep_their_distances() -> None:
    for picture in pictures(puzzle("langford:7")):
        line = picture.split()
        for k in map(str, range(1, 8)):
            places = [i for i, number in enumerate(line) if number == k]
            assert places[1] - places[0] == int(k) + 1


@pytest.mark.parametrize("text", ["", "x", "-1", "201", "1.5", "9" * 5000])
def test_a_number_that_is_none_is_refused(text: str) -> None:
    for known in (langford.FAMILY, queens.FAMILY):
        with pytest.raises(InputError, match="expected a whole number from"):
            known.parse(text)


# --- sudoku ---------------------------------------------------------------------------------------

SEVENTEEN = "000000010400000000020000000000050407008000300001090000300400200050100000000806000"
"""One of the 17-clue sudokus that Gordon Royle published."""


@pytest.mark.parametrize("solver", [DLX, CPSAT], ids=["dlx", "cpsat"])
def test_a_sudoku_with_17_clues_is_unique(solver: questions.Engine) -> None:
    answer = questions.unique(solver, puzzle(f"sudoku:{SEVENTEEN}").model)
    assert answer.verdict is Verdict.UNIQUE


@pytest.mark.parametrize(
    "name",
    [
        "SU-01-4x4-two-ways",
        "SU-02-six-cells-left-two-ways",
        "SU-03-eight-cells-left-four-ways",
        "SU-04-given-twice-in-a-line",
        "SU-04b-same-with-the-slip-removed",
        "SU-05-unique",
        "SU-05b-one-given-less",
    ],
)
@pytest.mark.parametrize("solver", [DLX, CPSAT], ids=["dlx", "cpsat"])
def test_sudoku_cases(name: str, solver: questions.Engine) -> None:
    content = case(name)
    box = "x".join(map(str, content["box"]))
    asked = puzzle(f"sudoku:{box}:{''.join(content['board'])}")
    result = questions.count(solver, asked.model)
    assert (result.found, result.complete) == (content["expected"]["count"], True)
    assert (asked.obstacle() is not None) == ("error" in content["expected"])


def test_a_given_that_stands_twice_is_the_reason_for_none() -> None:
    assert puzzle("sudoku:1..1" + "." * 12).obstacle() == (
        "1 is given twice in row 1: at row 1, column 1 and row 1, column 4"
    )
    assert puzzle("sudoku:1...1..........." + "").obstacle() == (
        "1 is given twice in column 1: at row 1, column 1 and row 2, column 1"
    )
    assert puzzle("sudoku:1....1.........." + "").obstacle() == (
        "1 is given twice in box 1: at row 1, column 1 and row 2, column 2"
    )


def test_there_are_288_sudokus_of_4x4() -> None:  # known: 288 grids of 2x2 boxes
    found = pictures(puzzle("sudoku:" + "." * 16))
    assert len(set(found)) == 288
    for picture in found:
        grid = picture.split("\n")
        for line in [*grid, *map("".join, zip(*grid, strict=True))]:
            assert sorted(line) == list("1234")
        for r, c in itertools.product((0, 2), (0, 2)):
            assert sorted(grid[r][c : c + 2] + grid[r + 1][c : c + 2]) == list("1234")


def test_the_box_is_as_square_as_it_can_be_and_lies_or_as_it_is_said() -> None:
    def box(name: str) -> tuple[int, int]:
        asked = puzzle(name)
        assert isinstance(asked, Sudoku)
        return asked.box_rows, asked.box_columns

    assert box("sudoku:" + "." * 36) == (2, 3)
    assert box("sudoku:3x2:" + "." * 36) == (3, 2)
    assert box("sudoku:" + "." * 144) == (3, 4)
    assert box("sudoku:" + "." * 256) == (4, 4)
    assert box("sudoku:" + "." * 25) == (1, 5)  # a Latin square: a box is a row


def test_digits_above_nine_are_letters() -> None:
    asked = puzzle("sudoku:g" + "." * 255)
    assert isinstance(asked, Sudoku)
    assert asked.givens[0] == 16


def test_a_sudoku_comes_from_a_file_in_any_dress(tmp_path: Path) -> None:
    path = tmp_path / "easy.txt"
    path.write_text(
        "# an easy one\n5 3 . | . 7 . | . . .\n6 . . | 1 9 5 | . . .\n. 9 8 | . . . | . 6 .\n"
        "------+-------+------\n"
        "8 . . | . 6 . | . . 3\n4 . . | 8 . 3 | . . 1\n7 . . | . 2 . | . . 6\n"
        "------+-------+------\n. 6 . | . . . | 2 8 .\n. . . | 4 1 9 | . . 5\n. . . | . 8 . | . 7 9"
    )
    asked = sudoku.parse(str(path))
    (grid,) = pictures(asked)
    assert grid.startswith("534678912\n672195348\n")
    path.write_text("12345678\n1234567x\n" + "........\n" * 6)
    with pytest.raises(InputError, match=r"easy\.txt:2:8: 'x', expected 1 to 8"):
        sudoku.parse(str(path))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("." * 80, "80 cells, expected a square number up to 625: 81 for 9x9"),
        ("." * 80 + "x", "row 1, column 81: 'x', expected 1 to 9, or '.' or 0 if empty"),
        ("." * 15 + "5", "column 16: '5', expected 1 to 4"),
        ("." * 100 + "", "100 cells"),
        ("", "0 cells"),
        ("3x3:" + "." * 80, "80 cells, expected 81 for boxes of 3x3"),
        ("0x3:" + "." * 81, "rows '0': expected a whole number from 1 to 25"),
        ("6x6:" + "." * 36, "a side of 36, expected at most 25"),
        ("missing.txt", "there is no such file"),
    ],
)
def test_what_is_no_sudoku_is_refused(text: str, said: str) -> None:
    if text == "." * 100:
        assert puzzle(f"sudoku:{text}").obstacle() is None  # 10x10, boxes of 2x5
        return
    with pytest.raises(InputError) as error:
        sudoku.parse(text)
    assert said in str(error.value)


# --- coloured edges -------------------------------------------------------------------------------


def test_macmahons_sets_have_their_numbers_of_squares() -> None:
    # n(n + 1)(n^2 - n + 2)/4 necklaces of four beads that may not be turned over
    assert [len(edges.macmahon(n)) for n in (1, 2, 3, 4, 5)] == [1, 6, 24, 70, 165]


@pytest.mark.parametrize(
    "name", ["EM-03-macmahon-2-colours-2x3", "EM-03b-macmahon-2-colours-2x3-border"]
)
@pytest.mark.parametrize("solver", [DLX, CPSAT], ids=["dlx", "cpsat"])
def test_edge_matching_cases(name: str, solver: questions.Engine) -> None:
    result = questions.count(solver, edge_case(name).model)
    assert result.complete
    assert result.found == case(name)["expected"]["count"]


def edge_case(name: str) -> edges.EdgeMatching:
    content = case(name)
    tiles = ",".join("".join("abc"[colour] for colour in tile) for tile in content["tiles"])
    rim = "" if content["border"] is None else ":" + "abc"[content["border"]]
    asked = edges.EDGES.parse(f"{content['height']}x{content['width']}:{tiles}{rim}")
    assert isinstance(asked, edges.EdgeMatching)
    return asked


def test_macmahons_24_squares_fill_4x6_with_a_rim_of_one_colour() -> None:
    asked = edge_case("EM-02-macmahon-3-colours")
    assert asked.copies == edges.MACMAHON.parse("4x6:3:a").copies  # type: ignore[attr-defined]
    (solution,) = questions.first(DLX, asked.model).solutions
    lines = asked.draw(solution).split("\n")
    assert set(lines[0]) == set(lines[-1]) == {"+", "a"}
    assert all(line[0] == line[-1] == "a" for line in lines[1::2])


def test_equal_squares_are_not_told_apart() -> None:
    # By hand: two of abab side by side lie with a-edges or b-edges together, or ...
    tiles = ["abab", "abab", "aabb", "aaab"]
    asked = edges.EdgeMatching("four", (2, 2), tiles)
    assert questions.count(DLX, asked.model).found == len(set(laid(tiles)))
    assert questions.count(CPSAT, asked.model).found == len(set(laid(tiles)))


def laid(tiles: list[str]) -> Iterator[tuple[str, ...]]:
    """All ways to lay four squares as 2x2, by trying everything."""
    for order in itertools.permutations(tiles):
        for a, b, c, d in itertools.product(*map(edges.turns, order)):
            if a[1] == b[3] and c[1] == d[3] and a[2] == c[0] and b[2] == d[0]:
                yield a, b, c, d


def test_edges_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "squares.txt"
    path.write_text("2x3 a\naaaa\naaab\naabb\nabab\nabbb\nbbbb\n")
    asked = edges.EDGES.parse(str(path))
    assert questions.count(DLX, asked.model).found == 0
    path.write_text("2x3\naaaa\naab\n")
    with pytest.raises(InputError, match=r"squares\.txt:3: square 'aab': expected four letters"):
        edges.EDGES.parse(str(path))
    path.write_text("2by3\naaaa\n")
    with pytest.raises(InputError, match=r"squares\.txt:1: size '2by3'"):
        edges.EDGES.parse(str(path))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("macmahon:2x3", "expected macmahon:ROWSxCOLUMNS"),
        ("macmahon:2x3:7", "colours '7': expected a whole number from 1 to 6"),
        ("macmahon:2x3:2:c", "rim 'c': expected one of the colours a, b"),
        ("edges:2x3", "expected edges:ROWSxCOLUMNS"),
        ("edges:1x1:abc", "square 'abc': expected four letters"),
        ("edges:x:abab", "rows '': expected a whole number"),
    ],
)
def test_wrong_squares_are_refused(text: str, said: str) -> None:
    with pytest.raises(InputError) as error:
        puzzle(text)
    assert said in str(error.value)


def test_too_few_squares_are_the_reason_for_none() -> None:
    assert puzzle("macmahon:4x4:2").obstacle() == "6 squares for 16 cells"


def test_squares_that_may_not_be_turned_and_squares_laid_down() -> None:
    tetravex = "edges:3x3:5684,1341,9221,2553,7009,3765,6896,4472,8110"
    assert pictures(puzzle(f"{tetravex}:fixed")) == [
        "+1+2+3+\n1 3 5 7\n+4+5+6+\n2 4 6 8\n+7+8+9+\n9 0 1 2\n+0+1+2+"
    ]
    assert count(f"{tetravex}:fixed,r1c1=5684") == 1
    assert count(f"{tetravex}:r1c1=5684,fixed") == 1
    assert count(f"{tetravex}:fixed,r1c1=1341") == 0
    laid = [
        count(f"edges:2x3:aaaa,aaab,aabb,abab,abbb,bbbb:r0c0={tile}")
        for kind in edges.macmahon(2)
        for tile in edges.turns(kind)
    ]
    assert sum(laid) == count("macmahon:2x3:2") == 416


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("edges:1x1:abab:r0c1=abab", "square abab at r0c1: outside the board of 1x1"),
        ("edges:1x1:abab:r0c0=aabb", "square aabb at r0c0: it is none of the squares"),
        ("edges:1x1:abab:fixed,r0c0=baba", "none of the squares, which may not be turned"),
        ("edges:1x1:abab:a,r0c0=abab", "its outer edges are not a, the rim's colour"),
        ("edges:1x1:abab:turned", "'turned': expected a rim's colour, fixed, or r0c1=abab"),
        ("edges:1x1:abab:a,b", "rim 'b': it is a already"),
        ("edges:1x1:abab:r0c0=abab,r0c0=abab", "a square lies there already"),
    ],
)
def test_a_wrong_rule_for_squares_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        puzzle(text)


# --- dominosa -------------------------------------------------------------------------------------


def layouts(
    numbers: tuple[tuple[int, ...], ...],
) -> Iterator[frozenset[frozenset[tuple[int, int]]]]:
    """All layouts of a set of dominoes over `numbers`: tile cell by cell, then look."""
    height, width = len(numbers), len(numbers[0])

    def tile(free: frozenset[tuple[int, int]]) -> Iterator[list[tuple[tuple[int, int], ...]]]:
        if not free:
            yield []
            return
        r, c = min(free)
        for other in ((r, c + 1), (r + 1, c)):
            if other in free:
                for rest in tile(free - {(r, c), other}):
                    yield [((r, c), other), *rest]

    for tiling in tile(frozenset(itertools.product(range(height), range(width)))):
        faces = {tuple(sorted(numbers[r][c] for r, c in domino)) for domino in tiling}
        if len(faces) == len(tiling):
            yield frozenset(map(frozenset, tiling))


def test_dominosa_as_by_trying_all_tilings() -> None:
    rng = random.Random(5)
    for highest in (1, 2, 2, 2, 3, 3):
        pool = [n for n in range(highest + 1) for _ in range(highest + 2)]
        rng.shuffle(pool)
        width = highest + 2
        board = ["".join(map(str, pool[i : i + width])) for i in range(0, len(pool), width)]
        asked = dominosa.FAMILY.parse("/".join(board))
        assert isinstance(asked, dominosa.Dominosa)
        found = questions.listing(DLX, asked.model)
        labels = {
            frozenset(frozenset(asked.model.labels[option]) for option in solution)
            for solution in found.solutions
        }
        assert labels == set(layouts(asked.numbers))


def test_dominosa_takes_no_letter_that_is_two_in_upper_case() -> None:
    board = ["0" * 17] * 15 + ["0" * 16 + "\ufb00"]
    with pytest.raises(InputError, match="row 16, column 17: '\ufb00', expected 0 to F"):
        puzzle("dominosa:" + "/".join(board))


def test_dominosa_shows_where_the_dominoes_lie() -> None:
    assert pictures(puzzle("dominosa:001/110")) == ["0-0 1\n    |\n1-1 0"]
    assert count("dominosa:30021/22112/21030/31033") == 1


def test_numbers_that_no_set_has_are_the_reason_for_none() -> None:
    reason = puzzle("dominosa:000/000").obstacle()
    assert reason == "0 stands 6 times, the dominoes have it 3 times"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("012/012/012", "3 x 3 = 9 cells: expected (n + 1)(n + 2)"),
        ("002/110", "row 1, column 3: '2', expected 0 to 1"),
        ("00/110", "row 2: 3 characters, expected 2"),
        ("", "0 characters"),
    ],
)
def test_a_wrong_dominosa_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError) as error:
        dominosa.FAMILY.parse(text)
    assert said in str(error.value)


# --- calendar -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("date", "expected"), [("Jan-25", 216), ("Oct-6", 7)])
def test_the_dates_with_most_and_fewest_solutions(date: str, expected: int) -> None:
    # published for the wooden puzzle: 25 January has the most, 6 October the fewest
    assert count(f"calendar:{date}") == expected


@pytest.mark.long
def test_no_date_has_more_or_fewer() -> None:
    counts = {
        f"{month}-{day}": count(f"calendar:{month}-{day}")
        for month, longest in zip(calendar.MONTHS, calendar._LONGEST, strict=True)
        for day in range(1, longest + 1)
    }
    assert max(counts, key=lambda date: counts[date]) == "Jan-25"
    assert min(counts, key=lambda date: counts[date]) == "Oct-6"


def test_a_calendar_shows_its_date() -> None:
    picture = pictures(puzzle("calendar:oct-06"))[0]
    assert picture.split("\n")[1].split()[3] == "Oct"
    assert picture.split("\n")[2].split()[5] == "6"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "expected MONTH-DAY"),
        ("Jan", "expected MONTH-DAY"),
        ("Jam-3", "did you mean 'Jan'"),
        ("Feb-30", "day 30: Feb has days 1 to 29"),
        ("Feb-0", "day 0"),
        ("Feb--1", "expected MONTH-DAY"),
        ("Apr-8-Thursday", "did you mean 'Thu'"),
        ("Apr-8-Thu:turned", "expected one-sided behind the date"),
    ],
)
def test_a_date_that_is_none_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError) as error:
        calendar.parse(text)
    assert said in str(error.value)


def test_a_calendar_with_weekdays() -> None:
    content = case("T2-12-calendar-with-weekday")
    asked = puzzle("calendar:Apr-8-Thu")
    assert count(asked.name) == content["expected"]["count"]
    first = questions.first(CPSAT, asked.model).solutions[0]
    rows = [row.split() for row in asked.draw(first).split("\n")]
    assert (rows[0][3], rows[3][0], rows[7][0]) == ("Apr", "8", "Thu")
    assert len({name for name, _ in asked.parts(first)}) == 10
    assert sorted(asked.read(asked.draw(first).split("\n"))) == sorted(first)


def test_pieces_of_a_calendar_that_are_not_turned_over() -> None:
    one_sided, free = puzzle("calendar:Jan-25:one-sided"), puzzle("calendar:Jan-25")
    shown = set(pictures(one_sided))
    assert len(shown) == count(one_sided.name) == 14
    assert shown < set(pictures(free))
    assert questions.count(CPSAT, one_sided.model).found == 14


# --- words ----------------------------------------------------------------------------------------

LIST = [
    "tea", "war", "ore", "two", "ear", "bar", "era", "ten", "bet", "are", "ran",
    "on", "at", "to", "an", "no", "it", "is", "as", "ox", "so",
    "bit", "one", "bo", "in", "te",
]  # fmt: skip


@pytest.mark.parametrize("shape", [(1, 2), (2, 2), (2, 3), (3, 2), (3, 3)])
def test_words_as_by_trying_all(shape: tuple[int, int]) -> None:
    height, width = shape
    list_ = [*LIST, *"abcdefghijklmnopqrstuvwxyz"] if height == 1 else LIST
    expected = {
        "\n".join(across)
        for across in itertools.permutations([w for w in list_ if len(w) == width], height)
        if (down := list(map("".join, zip(*across, strict=True))))
        and set(down) <= set(list_)
        and len({*across, *down}) == height + width
    }
    asked = puzzle(f"words:{height}x{width}:{','.join(list_)}")
    assert expected
    assert set(pictures(asked)) == expected
    assert len(pictures(asked)) == len(expected)


def test_words_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("Tea\nwar\n\nit's\nORE\ntwo\near\nare\n")
    assert pictures(puzzle(f"words:3x3:{path}")) == ["tea\nwar\nore", "two\near\nare"]
    path.write_text("123\n")
    with pytest.raises(InputError, match="no word in the file"):
        puzzle(f"words:3x3:{path}")


def test_too_few_words_are_the_reason_for_none() -> None:
    reason = puzzle("words:2x3:ten,ton").obstacle()
    assert reason == "0 words of 2 letters for 3 rows and columns"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("3x3", "expected words:ROWSxCOLUMNS"),
        ("3x3:", "expected words:ROWSxCOLUMNS"),
        ("3x3:ten,t1n", "word 't1n': expected letters"),
        ("3:ten", "size '3': expected ROWSxCOLS"),
        ("3x3:missing.txt", "there is no such file"),
    ],
)
def test_a_wrong_word_puzzle_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError) as error:
        words_family.parse(text)
    assert said in str(error.value)


SOME = ["".join(letters) for letters in itertools.product("abcdefghijklmnopqrstuvwxyz", repeat=4)]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (f"words:4x4:{','.join(SOME[:130_000])}", "a model of 1,040,000 options"),
        (f"edges:30x30:{','.join(SOME[26:926])}", r"a model of 3,\d+,\d+ options"),
    ],
    ids=["words", "edges"],
)
def test_a_model_that_is_too_large_is_refused_before_it_is_built(name: str, said: str) -> None:
    made = puzzle(name)
    assert made.obstacle() is None
    with pytest.raises(InputError, match=said):
        made.build()
