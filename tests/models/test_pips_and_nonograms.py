"""Pips and nonograms: known numbers, everything tried by hand, clear refusals."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.cases import case
from helpers.engines import CPSAT, DLX

from twostep.models.errors import InputError
from twostep.models.families.classics import nonogram, pips
from twostep.models.families.classics.nonogram import number_of_ways, ways
from twostep.models.families.registry import named_puzzle
from twostep.models.search import questions
from twostep.models.search.questions import Verdict

ENGINES = pytest.mark.parametrize("solver", [DLX, CPSAT], ids=["dlx", "cpsat"])


def count(name: str, solver: questions.Engine = DLX) -> int:
    result = questions.count(solver, named_puzzle(name).model)
    assert result.complete
    return result.found


# --- nonograms ------------------------------------------------------------------------------------


def name_of(across: list[list[int]], down: list[list[int]]) -> str:
    return "nonogram:" + ":".join(
        "/".join(",".join(map(str, clue)) for clue in clues) for clues in (across, down)
    )


@ENGINES
def test_a_nonogram_of_20_by_20_has_one_picture(solver: questions.Engine) -> None:
    content = case("T2-07-nonogram-20x20-5")
    puzzle = named_puzzle(name_of(content["rows"], content["columns"]))
    assert questions.unique(solver, puzzle.model).verdict is Verdict.UNIQUE


def runs(line: str) -> list[int]:
    return [len(run) for run in line.replace("-", " ").split()] or [0]


def test_ways_are_all_lines_with_the_runs() -> None:
    for length in range(1, 8):
        lines = ["".join(signs) for signs in itertools.product("#-", repeat=length)]
        for clue in {tuple(runs(line)) for line in lines} | {(length, 1)}:
            expected = {line for line in lines if tuple(runs(line)) == clue}
            real = () if clue == (0,) else clue
            found = list(ways(real, length))
            assert set(found) == expected
            assert len(found) == len(expected) == number_of_ways(real, length)


def test_nonograms_as_by_trying_all_pictures() -> None:
    def clues(picture: tuple[str, ...]) -> tuple[list[list[int]], list[list[int]]]:
        columns = map("".join, zip(*picture, strict=True))
        return [runs(row) for row in picture], [runs(column) for column in columns]

    rows = ["".join(signs) for signs in itertools.product("#-", repeat=4)]
    known = Counter(name_of(*clues(each)) for each in itertools.product(rows, repeat=3))
    rng = random.Random(2)
    several = [name for name, number in sorted(known.items()) if number > 1]
    for name in rng.sample(sorted(known), 20) + rng.sample(several, 20):
        assert count(name) == known[name]
    for name in rng.sample(several, 3):
        assert count(name, CPSAT) == known[name]


def test_a_drawing_is_read_back_line_by_line() -> None:
    puzzle = named_puzzle("nonogram:1,1/5/5/3/1:2/4/4/4/2")
    (solution,) = questions.listing(DLX, puzzle.model).solutions
    drawn = puzzle.draw(solution)
    assert drawn == "-#-#-\n#####\n#####\n-###-\n--#--"
    assert sorted(puzzle.read(drawn.split("\n"))) == sorted(solution)
    assert puzzle.read(["-#-#-", *["....."] * 4]) == solution[:1]
    with pytest.raises(InputError, match="row 1 has other runs than 1 1"):
        puzzle.read(["##---", *["....."] * 4])


def test_a_nonogram_comes_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "heart.txt"
    path.write_text("# a heart\nrows:\n1 1\n5\n5\n3\n1\n\ncolumns:\n2\n4\n4\n4\n2\n")
    assert nonogram.parse(str(path)).across == ((1, 1), (5,), (5,), (3,), (1,))
    path.write_text("rows:\n1 x\ncolumns:\n1\n")
    with pytest.raises(InputError, match=r"heart\.txt:2: run 'x': expected a whole number"):
        nonogram.parse(str(path))
    path.write_text("1 1\n")
    with pytest.raises(InputError, match=r"heart\.txt:1: expected rows: or columns:"):
        nonogram.parse(str(path))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("nonogram:3/1:1/1", "row 1 is too short for its runs: 3 in 2 cells"),
        ("nonogram:1/1:1/0", "the rows have 2 filled cells, the columns 1"),
    ],
)
def test_a_nonogram_without_picture_says_why(name: str, reason: str) -> None:
    assert named_puzzle(name).obstacle() == reason
    assert count(name) == 0


@pytest.mark.parametrize("text", ["1/1", "1/:1", "1,0/1:1/1", "x:1", ":"])
def test_wrong_clues_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="expected"):
        nonogram.parse(text)


# --- pips -----------------------------------------------------------------------------------------


@ENGINES
def test_a_hard_pips(solver: questions.Engine) -> None:
    content = case("T2-13-pips-hard")
    cells = {tuple(cell): "." for region in content["regions"] for cell in region["indices"]}
    rules = []
    for letter, region in zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", content["regions"], strict=False):
        if region["type"] == "empty":
            continue
        cells.update({tuple(cell): letter for cell in region["indices"]})
        sign = {"sum": "=", "less": "<", "greater": ">", "equals": "==", "unequal": "!="}
        rules.append(f"{letter}{sign[region['type']]}{region.get('target', '')}")
    high, wide = (1 + max(cell[axis] for cell in cells) for axis in (0, 1))
    board = "/".join("".join(cells.get((r, c), "#") for c in range(wide)) for r in range(high))
    dominoes = ",".join(f"{a}{b}" for a, b in content["dominoes"])
    found = count(f"pips:{board}:{dominoes}:{','.join(rules)}", solver)
    assert found == content["expected"]["count"]


def laid(cells: frozenset[tuple[int, int]], left: Counter[tuple[int, int]]) -> Iterator[frozenset[
    tuple[tuple[int, int], int]]]:  # fmt: skip
    """All ways to lay dominoes, as pips by cell, with repetitions."""
    if not cells:
        yield frozenset()
        return
    r, c = min(cells)
    for near in ((r, c + 1), (r + 1, c)):
        if near not in cells:
            continue
        for a, b in [each for each, number in left.items() if number]:
            for ends in {(a, b), (b, a)}:
                for rest in laid(cells - {(r, c), near}, left - Counter([(a, b)])):
                    yield rest | {((r, c), ends[0]), (near, ends[1])}


def test_pips_as_by_laying_all_dominoes() -> None:
    rng = random.Random(4)
    some = 0
    for _ in range(25):
        board = ["".join(rng.choice("aabbc..") for _ in range(3)) for _ in range(2)]
        dominoes = [tuple(sorted(rng.choices(range(4), k=2))) for _ in range(3)]
        region_of = {(r, c): board[r][c] for r in range(2) for c in range(3)}
        rules = {}
        for name in sorted(set(region_of.values()) - {"."}):
            kind = rng.choice(["=", "<", ">", "==", "!="])
            rules[name] = pips.Rule(kind, 0 if kind in ("==", "!=") else rng.randint(1, 5))
        expected = sum(
            all(
                rule.holds([value for cell, value in pips_of if region_of[cell] == name])
                for name, rule in rules.items()
            )
            for pips_of in laid(frozenset(region_of), Counter(dominoes))
        )
        name = "pips:{}:{}:{}".format(
            "/".join(board),
            ",".join(f"{a}{b}" for a, b in dominoes),
            ",".join(f"{region}{rule}" for region, rule in rules.items()),
        )
        assert count(name) == expected, name
        some += expected > 0
    assert some > 5


def test_the_ways_of_a_rule_are_those_that_hold() -> None:
    for kind, target, size in itertools.product(["=", "<", ">", "==", "!="], range(6), (1, 2, 3)):
        rule = pips.Rule(kind, target)
        every = itertools.product([0, 2, 3], repeat=size)
        assert list(rule.ways(size, [0, 2, 3])) == [each for each in every if rule.holds(each)]


def test_pips_come_from_a_file_and_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "p.txt"
    path.write_text("cells:\naab\n.cb\ndominoes: 13 12\n12\nrules: a=3 b!= c>0\n")
    from_file = pips.parse(str(path))
    by_name = named_puzzle("pips:aab/.cb:13,12,12:a=3,b!=,c>0")
    assert from_file.model.fingerprint == by_name.model.fingerprint
    for solution in questions.listing(DLX, by_name.model).solutions[:5]:
        dominoes = [option for option in solution if by_name.act(option) is not None]
        assert sorted(by_name.read(by_name.draw(solution).split("\n"))) == dominoes
    path.write_text("cells:\naa\nrule: a=3\n")
    with pytest.raises(InputError, match=r"p\.txt:3: 'rule': expected cells:, dominoes: or rules:"):
        pips.parse(str(path))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("aa", "expected pips:CELLS:DOMINOES:RULES"),
        ("ab:12:a=3", "row 1, column 2: region 'b' has no rule"),
        ("aa:12:a=3,b=1", "rule b=1: there is no region 'b'"),
        ("aa:123:a=3", "domino '123': expected two digits"),
        ("aa:12:a~3", "rule 'a~3': expected such as a=11"),
        ("a!:12:a=3", "row 1, column 2: '!', expected a region's letter"),
        ("##:12:", "0 cells, expected 1 to 200"),
    ],
)
def test_a_wrong_pips_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        pips.parse(text)


def test_too_few_dominoes_are_the_reason_for_none() -> None:
    assert named_puzzle("pips:...:12").obstacle() == "1 domino for 3 cells"
