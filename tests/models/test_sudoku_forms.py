"""Sudokus as people write them down, and variants: diagonals, regions, cages."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest
from helpers.cases import case
from helpers.engines import CPSAT, DLX

from twostep.models.errors import InputError
from twostep.models.families.classics import sudoku
from twostep.models.families.classics.sudoku import Sudoku
from twostep.models.reading.load import load_puzzle
from twostep.models.search import questions

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = [EASY[start : start + 9] for start in range(0, 81, 9)]


def read(tmp_path: Path, text: str, name: str = "a.txt", parts: str = "") -> Sudoku:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return sudoku.parse(f"{parts}{path}")


def counts(asked: Sudoku) -> set[int]:
    return {questions.count(engine, asked.model).found for engine in (DLX, CPSAT)}


def test_a_hexadoku_from_0_to_f(tmp_path: Path) -> None:
    content = case("T2-04a-hexadoku-0-to-F")
    asked = read(tmp_path, "\n".join(content["cells"]))
    assert asked.digits == "0123456789ABCDEF"
    assert counts(asked) == {content["expected"]["count"]} == {1}
    wrong = read(tmp_path, "\n".join(content["cells"]), parts="digits=1-G:")
    assert counts(wrong) == {content["wrong_reading"]["if 0 is taken as empty"]}


def test_a_hexadoku_from_1_to_g_and_in_numbers(tmp_path: Path) -> None:
    content = case("T2-04a-hexadoku-0-to-F")
    digits = content["digits"]
    one = str.maketrans(digits, "123456789ABCDEFG")
    by_letters = read(tmp_path, "\n".join(row.translate(one) for row in content["cells"]))
    zeros = "\n".join(row.translate(one).replace(".", "0") for row in content["cells"])
    by_zeros = read(tmp_path, zeros)
    numbers = "\n".join(
        " ".join("." if c == "." else str(digits.index(c) + 1) for c in row)
        for row in content["cells"]
    )
    by_numbers = read(tmp_path, numbers)
    assert by_letters.givens == by_zeros.givens == by_numbers.givens
    assert by_letters.givens == read(tmp_path, "\n".join(content["cells"])).givens


def test_dashes_are_empty_cells(tmp_path: Path) -> None:
    content = case("T2-04c-4x4-dashes-for-empty")
    for text in ("\n".join(content["cells"]), "".join(content["cells"])):
        asked = read(tmp_path, text)
        assert asked.side == 4
        assert counts(asked) == {content["expected"]["count"]} == {0}


@pytest.mark.parametrize("empty", ["0", "-", "_", "*", "?"])
def test_any_sign_for_empty_cells(tmp_path: Path, empty: str) -> None:
    expected = sudoku.parse(EASY).givens
    for text in (EASY, "\n".join(ROWS), "\n".join(" ".join(row) for row in ROWS)):
        assert read(tmp_path, text.replace(".", empty)).givens == expected


def framed(across: str, cross: str, down: str, close: str = "") -> str:
    lines = []
    for r, row in enumerate(ROWS):
        if r in (3, 6):
            lines.append(cross.join([across * 3] * 3))
        lines.append(close + down.join(row[c : c + 3] for c in (0, 3, 6)) + close)
    return "\n".join(lines)


@pytest.mark.parametrize(
    "text",
    [
        framed("-", "+", "|"),
        framed("-", "-", "|"),
        framed("=", "=", " "),
        framed("─", "┼", "│"),  # box-drawing characters
        framed("-", "+", "|").replace(".", "-"),
        framed("-", "+", "|").replace(".", "*"),
        "*-----------*\n" + framed("-", "+", "|", "|") + "\n*-----------*\n",
        "# an easy one\n; from a book\n" + "\n".join(ROWS),
        EASY + "   # easy",
        EASY + " ; easy",
        EASY + " An easy one",
        "\n".join(",".join("" if c == "." else c for c in row) for row in ROWS),
        "\n".join("\t".join(row) for row in ROWS),
        "[Puzzle]\n" + "\n".join(ROWS) + "\n[State]\n" + "\n".join(["1" * 9] * 9),
        "#A Someone\n#D easy\n" + "\n".join(ROWS),
        "box: 3x3\ncells:\n" + "\n".join(ROWS),
    ],
)
def test_dresses_of_one_sudoku(tmp_path: Path, text: str) -> None:
    for name in ("a.txt", "a.sdk", "a.ss"):
        assert read(tmp_path, text, name).givens == sudoku.parse(EASY).givens
    asked = load_puzzle(str(tmp_path / "a.sdk"))
    assert isinstance(asked, Sudoku)
    assert asked.givens == sudoku.parse(EASY).givens


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Grid 01\n" + "\n".join(ROWS), r"a\.txt:1: 6 cells, expected 9 .* remark begins with #"),
        ("\n".join(ROWS[:8]), r"a\.txt:8: 8 rows of 9 cells: expected as many rows"),
        ("\n".join([*ROWS[:4], ROWS[4][:8], *ROWS[5:]]), r"a\.txt:5: 8 cells, expected 9"),
        ("\n".join([*ROWS[:4], "x" + ROWS[4][1:], *ROWS[5:]]), r"a\.txt:5:1: 'x', expected 1 to 9"),
        (f"{EASY}\n{EASY}", r"a\.txt:2: a second sudoku: .* list\.txt#2"),
        ("level: hard\n" + EASY, r"a\.txt:1: unknown key 'level'.* remark begins with #"),
        (
            "1.0.\n.2..\n..3.\n....",
            r"a\.txt:1:3: '0' can be an empty cell \(digits=1-4\) or a digit",
        ),
        ("boxes: 3x3\n" + EASY, r"did you mean 'box'"),
    ],
)
def test_what_cannot_be_read_or_in_two_ways_names_the_place(
    tmp_path: Path, text: str, said: str
) -> None:
    with pytest.raises(InputError, match=said):
        read(tmp_path, text)


def test_what_is_ambiguous_can_be_said(tmp_path: Path) -> None:
    text = "1.0.\n.2..\n..3.\n...."
    one, zero = (read(tmp_path, text, parts=f"digits={each}:") for each in ("1-4", "0-3"))
    assert (one.givens[2], zero.givens[2], zero.givens[0]) == (0, 1, 2)
    with pytest.raises(InputError, match="digits '1-5': expected one of 1-4, 0-3, A-D"):
        read(tmp_path, text, parts="digits=1-5:")


# --- variants -------------------------------------------------------------------------------------


def test_a_diagonal_case(tmp_path: Path) -> None:
    content = case("T2-05a-diagonal-sudoku")
    text = "\n".join(content["cells"])
    assert counts(read(tmp_path, "diagonal: yes\n" + text)) == {content["expected"]["count"]}
    assert counts(read(tmp_path, text, parts="diagonal:")) == {1}
    assert not read(tmp_path, "diagonal: no\n" + text).rules.diagonal
    with pytest.raises(InputError, match=r"a\.txt:1: diagonal 'maybe': expected yes or no"):
        read(tmp_path, "diagonal: maybe\n" + text)
    assert counts(read(tmp_path, text)) == {content["expected"]["count_without_diagonals"]}


def squares() -> list[tuple[tuple[int, ...], ...]]:
    """All latin squares of order 4, by trying everything."""
    rows = list(itertools.permutations(range(1, 5)))
    return [
        four
        for four in itertools.product(rows, repeat=4)
        if all(len(set(column)) == 4 for column in zip(*four, strict=True))
    ]


def different(square: tuple[tuple[int, ...], ...], cells: list[tuple[int, int]]) -> bool:
    return len({square[r][c] for r, c in cells}) == len(cells)


def test_variants_of_4x4_as_by_trying_all_squares() -> None:
    known = squares()
    assert len(known) == 576
    places = list(itertools.product(range(4), range(4)))
    boxes = [[(r, c) for r, c in places if (r // 2, c // 2) == b] for b in set(
        itertools.product(range(2), range(2)))]  # fmt: skip
    plain = [each for each in known if all(different(each, box) for box in boxes)]
    diagonals = [[(i, i) for i in range(4)], [(i, 3 - i) for i in range(4)]]
    expected = sum(all(different(each, line) for line in diagonals) for each in plain)
    assert counts(sudoku.parse("diagonal:" + "." * 16)) == {expected}
    for board in ("aaabacbbccbdcddd", "aabbaabbccddccdd", "aaaabbbbccccdddd"):
        regions = [[p for p, name in zip(places, board, strict=True) if name == n] for n in "abcd"]
        expected = sum(all(different(each, region) for region in regions) for each in known)
        assert counts(sudoku.parse(f"regions={board}:" + "." * 16)) == {expected}, board
    rng = random.Random(3)
    for _ in range(6):
        board = "".join(rng.choice("abcdef..") for _ in places)
        cages = {
            name: [p for p, other in zip(places, board, strict=True) if other == name]
            for name in sorted(set(board) - {"."})
        }
        solution = rng.choice(plain)
        cages = {name: cells for name, cells in cages.items() if different(solution, cells)}
        board = "".join(name if name in cages else "." for name in board)
        total = {n: sum(solution[r][c] for r, c in cells) for n, cells in cages.items()}
        total.pop(next(iter(total)))  # one cage without a sum
        expected = sum(
            all(different(each, cells) for cells in cages.values())
            and all(sum(each[r][c] for r, c in cages[n]) == total[n] for n in total)
            for each in plain
        )
        sums = ",".join(f"{name}={value}" for name, value in total.items())
        asked = sudoku.parse(f"cages={board}:sums={sums}:" + "." * 16)
        assert counts(asked) == {expected}, (board, sums)


def test_a_killer_comes_from_a_file(tmp_path: Path) -> None:
    text = "cages:\naabb\ncddb\nceef\ncgff\nsums: a=3 b=9 c=9\nsums: d=5\ncells:\n" + "....\n" * 4
    asked = read(tmp_path, text)
    assert [cage.total for cage in asked.rules.cages] == [3, 9, 9, 5, None, None, None]
    assert asked.need(asked.model.items.index("cage-0")) == "the cage at row 1, column 1"
    impossible = read(tmp_path, text.replace("a=3", "a=2"))
    assert "2 digits from 1 to 4 that differ have no sum of 2" in str(impossible.obstacle())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("regions=aaab:" + "." * 16, "regions: 4 cells, expected 16"),
        ("regions=aaaaabbbccccdddd:" + "." * 16, "'a' has 5 cells; expected 4 regions of 4"),
        ("sums=a=3:" + "." * 16, "sums without cages"),
        ("cages=aa..............:sums=b=3:" + "." * 16, "there is no cage 'b'"),
        ("cages=aaaaa...........:" + "." * 16, "cage 'a' has 5 cells, but there are 4 digits"),
        ("cages=aa..............:sums=a=3:digits=0-3:" + "." * 16, "sums are of digits from 1"),
        ("diagonals:" + "." * 16, "'diagonals': expected sudoku:"),
    ],
)
def test_a_wrong_variant_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        sudoku.parse(text)


def test_regions_in_parts_are_remarked() -> None:
    assert sudoku.parse("regions=aaabacbbccbdcddd:" + "." * 16).remark == ""
    asked = sudoku.parse("regions=abcdabcdabcdabcd:" + "." * 16)
    assert asked.remark == ""  # columns
    odd = sudoku.parse("regions=aabbccddbbaaddcc:" + "." * 16)
    assert odd.remark.startswith("a region is in 2 parts: one is at row 1, column 1")
