"""The benchmark measures what it says: right counts, all contenders alike, failures shown."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from helpers.cli import Typed

from twostep.compare.bench import suite
from twostep.compare.bench.contenders import CONTENDERS, Given
from twostep.compare.bench.measure import Run, measure, run_once, summarise
from twostep.compare.bench.report import seconds, table
from twostep.compare.bench.suite import SUITES, Case, edge_matching
from twostep.compare.command.shared.exits import Exit
from twostep.dlx_backend import DlxEngine
from twostep.models.errors import UnsupportedFeature
from twostep.models.families.registry import named_puzzle

QUICK = Case("3x5", ("pentomino:3x5:PUV", "domino:2x2"), 6, ("twostep",))


@pytest.mark.parametrize("name", list(CONTENDERS))
@pytest.mark.parametrize(
    ("puzzle", "count"),
    [
        ("pentomino:3x5:PUV", 4),
        ("domino:4x4", 36),
        ("queens:6", 4),
        (f"sudoku:{suite.SUDOKUS[2]}", 1),
        (edge_matching(3, 4, 1), None),
    ],
)
def test_every_contender_counts_right(name: str, puzzle: str, count: int | None) -> None:
    contender = CONTENDERS[name]
    if not contender.installed:
        pytest.skip(f"{contender.package} is not installed")
    model = named_puzzle(puzzle).model
    if count is None:
        count = DlxEngine().search(model).found
    if name == "exact-cover" and Given.of(model).n_primary < Given.of(model).n_items:
        with pytest.raises(UnsupportedFeature):
            contender.run(model)
        return
    contender.load()
    answer = contender.run(model)
    assert answer.count == count
    assert answer.seconds >= 0


def test_peers_get_no_multiplicities() -> None:
    with pytest.raises(UnsupportedFeature):
        Given.of(named_puzzle("polyomino:4x4:L4=4").model)


@pytest.mark.parametrize("name", list(SUITES))
def test_every_case_of_a_suite_is_a_puzzle_with_known_contenders(name: str) -> None:
    for case in SUITES[name]:
        assert set(case.contenders) <= set(CONTENDERS)
        for puzzle in case.puzzles:
            assert named_puzzle(puzzle).obstacle() is None


@pytest.mark.parametrize(
    "case", [case for case in suite.SMALL if case.contenders == suite.COUNT], ids=lambda c: c.name
)
def test_counts_of_the_small_suite_are_right(case: Case) -> None:
    found = sum(DlxEngine().count(named_puzzle(name).model).found for name in case.puzzles)
    assert found == case.count


def test_edge_matching_is_the_same_every_time_and_solvable() -> None:
    name = edge_matching(4, 5, 3)
    assert name == edge_matching(4, 5, 3) != edge_matching(4, 5, 4)
    assert DlxEngine().search(named_puzzle(name).model).found % 4 == 0


def test_a_run_in_a_process_of_its_own() -> None:
    ours = b"x" * (400 * 2**20)  # what the process has that starts the run must not count
    measured = run_once(QUICK, "twostep", 1, 1000)
    assert measured.right, measured.failure
    assert 0 < measured.seconds < measured.whole
    assert 10 * 2**20 < measured.memory < len(ours)


def test_a_run_that_takes_too_long_or_fails_has_no_answer() -> None:
    late = run_once(QUICK, "twostep", 1, 0.05)
    assert (late.count, late.failure) == (None, "over 0.05 s")
    broken = run_once(Case("none", ("queens:x",), 1, ("twostep",)), "twostep", 1, 60)
    assert broken.count is None
    assert "queens" in broken.failure
    runs = list(measure([Case("none", ("queens:x",), 1, ("twostep",))], 3, 60))
    assert len(runs) == 1  # what failed is not tried again


def _run(contender: str, span: float, count: int | None = 8, failure: str = "") -> Run:
    return Run("c", contender, "", 0, 1, 8, count, span, 0.5, span + 1, 2**20, failure)


def test_summaries_have_the_median_and_the_spread() -> None:
    runs = [_run("twostep", span) for span in (3.0, 1.0, 2.0)]
    runs += [_run("xcover", 8.0), _run("pyxcc", math.nan, None, "over 9 s")]
    ours, theirs, late = summarise(runs)
    assert (ours.median, ours.least, ours.most, ours.whole) == (2.0, 1.0, 3.0, 3.0)
    text = table([ours, theirs, late], {"date": "today"})
    assert "| 4.0 " in text  # 8 s are 4 times 2 s
    assert "over 9 s" in text
    (wrong,) = summarise([_run("twostep", 1.0, count=7)])
    assert not wrong.right
    assert "WRONG COUNT" in table([wrong], {})


@pytest.mark.parametrize(
    ("span", "text"),
    [(0.0001234, "0.123 ms"), (0.0456, "45.6 ms"), (1.234, "1.23 s"), (math.nan, "-")],
)
def test_spans_are_readable(span: float, text: str) -> None:
    assert seconds(span) == text


def test_the_verb_measures_draws_and_checks(
    typed: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(
        SUITES, "small", (QUICK, Case("grow", ("domino:2x2",), 2, ("twostep",), "g", 2))
    )
    said = typed("bench", "--json", "--quiet", "--runs", "1")
    assert said.code == Exit.OK
    lines = [json.loads(line) for line in said.out.splitlines()]
    assert [(line["case"], line["count"]) for line in lines] == [("3x5", 6), ("grow", 2)]
    picture = tmp_path / "times.png"
    pytest.importorskip("matplotlib")
    said = typed("bench", "--runs", "1", "--plot", str(picture))
    assert said.code == Exit.OK
    assert "Growth: g" in said.out
    assert "3x5: twostep, run 1" in said.err
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_wrong_count_is_exit_code_3(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Case("wrong", ("domino:2x2",), 3, ("twostep",))
    monkeypatch.setitem(SUITES, "small", (wrong,))
    said = typed("bench", "--runs", "1")
    assert said.code == Exit.DISAGREE
    assert "WRONG COUNT" in said.out
    assert typed("bench", "--only", "nothing").code == Exit.USAGE
