"""``twostep two-tiling``, its workers and the engines' agreement pair by pair."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from helpers.cli import Typed
from helpers.engines import DLX, finds_nothing
from helpers.tilings import region_of_area

from twostep.compare.command.shared.exits import Exit
from twostep.compare.parallel import pairs
from twostep.compare.parallel.pairs import Question, Report, reports
from twostep.compare.registry import ENGINES
from twostep.models.families.two_tiling.contest import Case, all_cases, format_cases, parse_cases
from twostep.models.families.two_tiling.family import parse_pair
from twostep.models.families.two_tiling.regions import Answer, Verdict, smallest_region
from twostep.models.families.two_tiling.tiles import parse_tile
from twostep.models.reading.files import SMALL
from twostep.models.search.engine import Counters, Limits, SearchResult, StopReason

# --- many pairs -----------------------------------------------------------------------------------


def test_two_workers_say_what_one_says() -> None:
    question = Question(("dlx",), True, 5, Limits(), 0)
    cases = all_cases()[::60]
    one, two = (
        [(r.case, r.verdict, r.region) for r in reports(question, cases, workers)]
        for workers in (1, 2)
    )
    assert one == two


def test_processes_are_only_started_for_work_that_needs_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[int] = []

    def in_order(function: Callable[[Any], Report], tasks: list[Any], workers: int) -> list[Report]:
        started.append(workers)
        return [function(task) for task in tasks]

    monkeypatch.setattr(pairs, "results_in_order", in_order)
    question = Question(("dlx",), True, 5, Limits(), 0)
    assert len(list(reports(question, all_cases()[::100], 8))) == 6
    assert started == [1]
    monkeypatch.setattr(pairs, "ALONE", 1e-9)
    assert len(list(reports(question, all_cases()[::100], 3))) == 6
    assert started == [1, 3]
    monkeypatch.undo()
    assert pairs._useful_workers(spent=2.5, done=500, left=95, workers=8) == 1
    assert pairs._useful_workers(spent=2.5, done=50, left=545, workers=8) == 8
    assert pairs._useful_workers(spent=2.5, done=200, left=395, workers=8) == 3


def said(verdict: Verdict, area: int = 0, least: int = 0) -> Answer:
    result = SearchResult("dlx", 0, StopReason.EXHAUSTED, Counters(), 0.0)
    return Answer(verdict, region_of_area(area) if area else None, least, (result,))


def test_engines_that_contradict_each_other_are_caught() -> None:
    def contradiction(*answers: Answer, smallest: bool) -> bool:
        return Report(all_cases()[0], answers).contradiction(smallest) is not None

    possible, impossible = said(Verdict.POSSIBLE, 8, 8), said(Verdict.IMPOSSIBLE)
    unknown = said(Verdict.UNKNOWN, 12, 12)
    for smallest in (False, True):
        assert contradiction(possible, impossible, smallest=smallest)
        assert not contradiction(possible, possible, smallest=smallest)
        assert not contradiction(impossible, said(Verdict.UNKNOWN, 0, 4), smallest=smallest)
        # A region found by a search for a smaller one that was cut short is a region all the same.
        assert contradiction(impossible, said(Verdict.UNKNOWN, 12, 4), smallest=smallest)
    assert contradiction(possible, said(Verdict.POSSIBLE, 12, 12), smallest=True)
    assert contradiction(possible, unknown, smallest=True)
    assert not contradiction(possible, said(Verdict.POSSIBLE, 12, 4), smallest=False)


# --- the command ----------------------------------------------------------------------------------


@pytest.fixture
def contest(tmp_path: Path) -> Path:
    """Three cases: possible, impossible, equal tiles."""
    path = tmp_path / "in.txt"
    names = [("L4", "O4"), ("U5", "X5"), ("Z5", "Z5")]
    cases = [Case(n, parse_tile(a), parse_tile(b)) for n, (a, b) in enumerate(names, 1)]
    path.write_text(format_cases(cases))
    return path


@pytest.mark.parametrize("backend", ["dlx", "cpsat", "both"])
@pytest.mark.parametrize("more", [[], ["--smallest"], ["--workers", "2"]], ids=str)
def test_the_command_writes_what_its_checker_accepts(
    contest: Path, backend: str, more: list[str], typed: Typed
) -> None:
    code, out, _ = typed("two-tiling", str(contest), "--backend", backend, *more)
    assert code == Exit.OK
    output = contest.with_name("out.txt")
    output.write_text(out)
    code, out, err = typed("two-tiling", "check", str(contest), str(output))
    assert (code, err) == (Exit.OK, "")
    assert out == "valid: 3 cases, 2 possible, 1 impossible\n"


def test_the_command_reads_standard_input(
    contest: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(contest.read_bytes())))
    code, out, _ = typed("two-tiling", "--quiet")
    assert code == Exit.OK
    assert [line for line in out.splitlines() if line.startswith("Case")] == [
        "Case #1: POSSIBLE", "Case #2: IMPOSSIBLE", "Case #3: POSSIBLE",
    ]  # fmt: skip


@pytest.mark.parametrize("file", ["-", "large.txt"])
def test_an_input_of_any_size_is_refused_beyond_a_megabyte(
    file: str, typed: Typed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    content = b"1\n" * SMALL
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(stream := io.BytesIO(content)))
    Path("large.txt").write_bytes(content)
    name = "standard input" if file == "-" else file
    said = f"twostep: {name}: too large: more than 1,048,576 bytes\n"
    assert typed("two-tiling", file) == (Exit.USAGE, "", said)
    assert stream.tell() <= SMALL + 1


def test_a_node_limit_gives_unknown_and_exit_code_30(contest: Path, typed: Typed) -> None:
    code, out, err = typed("two-tiling", str(contest), "--node-limit", "10")
    assert code == Exit.STOPPED
    assert "IMPOSSIBLE" not in out
    assert "Case #2: UNKNOWN" in out
    assert "case 2 (U5,X5): stopped (nodes)" in err


def test_the_command_tells_the_smallest_known_and_the_bound_where_it_was_stopped(
    typed: Typed,
) -> None:
    whole = smallest_region(DLX, parse_pair("V5,W5"))
    last_area = 5 * (len(whole.results) - 1)  # the search for it is cut short
    assert last_area > 5
    nodes = sum(result.counters.nodes for result in whole.results) - 1
    code, out, err = typed("two-tiling", "V5,W5", "--smallest", "--node-limit", str(nodes))
    assert (code, out) == (Exit.STOPPED, "Case #1: UNKNOWN\n")
    assert "there is a region of" in err
    assert f"none of fewer than {last_area}" in err


def test_the_command_gives_json(contest: Path, typed: Typed) -> None:
    said = typed("two-tiling", str(contest), "--smallest", "--json")
    content = said.json
    assert said.code == Exit.OK
    assert (content["outcome"], content["count"], content["complete"]) == ("found", 2, True)
    assert (content["possible"], content["impossible"], content["unknown"]) == (2, 1, 0)
    assert [each["area"] for each in content["cases"]] == [8, None, 5]
    assert [each["verdict"] for each in content["cases"]] == ["possible", "impossible", "possible"]


def test_the_command_draws(contest: Path, typed: Typed) -> None:
    folder = contest.with_name("pictures")
    code, _, _ = typed("two-tiling", str(contest), "--draw", str(folder))
    assert code == Exit.OK
    assert sorted(path.name for path in folder.iterdir()) == [
        "1-L4-O4.png", "2-U5-X5.png", "3-Z5-Z5.png", "all.png",
    ]  # fmt: skip


def test_bad_input_is_one_line_and_nothing_is_written(tmp_path: Path, typed: Typed) -> None:
    path = tmp_path / "in.txt"
    path.write_bytes(format_cases(all_cases()[:1]).replace("@", "#").encode())
    code, out, err = typed("two-tiling", str(path), "--draw", str(tmp_path / "pictures"))
    assert (code, out) == (Exit.USAGE, "")
    assert err.count("\n") == 1
    assert "case 1: row 1: expected 'xxx yyy'" in err
    assert [each.name for each in tmp_path.iterdir()] == ["in.txt"]


def test_a_wrong_output_is_told_with_its_line(contest: Path, typed: Typed) -> None:
    output = contest.with_name("out.txt")
    output.write_text("Case #1: IMPOSSIBLE\nCase #2: IMPOSSIBLE\nCase #3: IMPOSSIBLE\n")
    claimed = "IMPOSSIBLE, but there is a region; see twostep two-tiling L4,O4"
    tile = "IMPOSSIBLE, but there is a region; see twostep two-tiling Z5,Z5"
    other = contest.with_name("other.txt")
    other.write_text("Case #1: IMPOSSIBLE\nCase #2: IMPOSSIBLE\nCase #3: UNKNOWN\n")
    checking = ("two-tiling", "check", str(contest), str(output), "--against", str(other))
    code, out, err = typed(*checking)
    assert (code, err) == (Exit.NONE, "")
    assert out == (
        f"{output}:1: case 1: {claimed}\n"
        f"{output}:3: case 3: IMPOSSIBLE, elsewhere UNKNOWN\n"
        f"{output}:3: case 3: {tile}\nnot valid: 3 wrong answers\n"
    )
    said = typed(*checking, "--json")
    assert (said.code, said.json["valid"]) == (Exit.NONE, False)
    assert said.json["findings"] == [
        {"case": 1, "line": 1, "message": claimed},
        {"case": 3, "line": 3, "message": "IMPOSSIBLE, elsewhere UNKNOWN"},
        {"case": 3, "line": 3, "message": tile},
    ]


def valid_output(contest: Path, typed: Typed) -> str:
    return typed("two-tiling", str(contest), "--quiet").out


def in_grids(text: str, old: str, new: str, times: int = -1) -> str:
    """The text with a character replaced in the first case's grids."""
    lines = text.split("\n")
    grids = "\n".join(lines[1:9]).replace(old, new, times)
    return "\n".join([lines[0], grids, *lines[9:]])


WRONG = {
    "a region where there is none is denied": lambda text: (
        "Case #1: IMPOSSIBLE\n" + text[text.index("Case #2") :]
    ),
    "a region is claimed where there is none": lambda text: text.replace(
        "Case #2: IMPOSSIBLE\n", "Case #2: POSSIBLE\n" + GRID
    ),
    "a tile of another shape": lambda text: in_grids(text, "a", "b", 1),
    "a cell of one grid only": lambda text: in_grids(text, "a", ".", 1),
    "an empty region": lambda text: (
        "Case #1: POSSIBLE\n" + "........ ........\n" * 8 + text[text.index("Case #2") :]
    ),
    "a label that is none": lambda text: in_grids(text, "a", "#"),
    "a case left out": lambda text: text[: text.index("Case #3")],
    "a case given up": lambda text: text.replace("Case #2: IMPOSSIBLE", "Case #2: UNKNOWN"),
}
GRID = "aaa..... aaa.....\na.a..... a.a.....\n" + "........ ........\n" * 6
FORM = {
    "cases in another order": lambda text: text.replace("#1", "#2", 1),
    "a row left out": lambda text: text.replace("........ ........\n", "", 1),
    "a row too short": lambda text: text.replace("........ ........", "........ .......", 1),
}


@pytest.mark.parametrize("spoil", WRONG.values(), ids=WRONG)
def test_each_kind_of_wrong_answer_is_refused(
    contest: Path, spoil: Callable[[str], str], typed: Typed
) -> None:
    right = valid_output(contest, typed)
    output = contest.with_name("out.txt")
    output.write_text(spoiled := spoil(right))
    assert spoiled != right
    code, out, err = typed("two-tiling", "check", str(contest), str(output))
    assert (code, err) == (Exit.NONE, "")
    assert out.endswith("not valid: 1 wrong answer\n")


@pytest.mark.parametrize("spoil", FORM.values(), ids=FORM)
def test_an_output_of_another_form_is_no_output(
    contest: Path, spoil: Callable[[str], str], typed: Typed
) -> None:
    output = contest.with_name("out.txt")
    output.write_text(spoil(valid_output(contest, typed)))
    code, out, err = typed("two-tiling", "check", str(contest), str(output))
    assert (code, out, err.count("\n")) == (Exit.USAGE, "", 1)


@pytest.mark.parametrize("more", [["--regions-only"], ["--node-limit", "0"]], ids=str)
def test_an_impossible_that_was_not_judged_is_not_called_valid(
    contest: Path, more: list[str], typed: Typed
) -> None:
    output = contest.with_name("out.txt")
    output.write_text(valid_output(contest, typed))
    check = ("two-tiling", "check", str(contest), str(output), *more)
    code, out, _ = typed(*check)
    assert code == Exit.STOPPED
    assert out == "not judged: 1 IMPOSSIBLE (case 2); all other answers are right\n"
    content = typed(*check, "--json").json
    assert (content["outcome"], content["valid"], content["not_judged"]) == ("unknown", False, [2])


def test_any_one_file_of_a_check_may_be_standard_input(
    contest: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = contest.with_name("out.txt")
    output.write_text(valid_output(contest, typed))
    for place in range(3):
        files = [contest, output, output]
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(files[place].read_bytes())))
        cases, answers, other = ("-" if each == place else str(files[each]) for each in range(3))
        assert typed("two-tiling", "check", cases, answers, "--against", other).code == Exit.OK
    code, _, err = typed("two-tiling", "check", "-", "-")
    assert (code, err.count("\n")) == (Exit.USAGE, 1)
    assert "only one file can be standard input" in err


def test_messages_show_the_blanks_that_matter(contest: Path, typed: Typed) -> None:
    output = contest.with_name("out.txt")
    output.write_text("Case  # 1: POSSIBLE\n")
    _, _, err = typed("two-tiling", "check", str(contest), str(output))
    assert err.endswith("got 'Case  # 1: POSSIBLE'\n")


def test_all_smallest_regions_are_printed_and_counted(typed: Typed) -> None:
    code, out, err = typed("two-tiling", "F5,U5", "--smallest", "--all")
    assert code == Exit.OK
    assert out.count("\n\n") == 1
    assert "case 1 (F5,U5): 2 smallest regions of 20 cells" in err
    content = typed("two-tiling", "F5,U5", "--smallest", "--all", "--json").json
    assert len(content["cases"][0]["others"]) == 1
    for flag in (["--all"], ["--max-area", "9"]):
        code, _, err = typed("two-tiling", "F5,U5", *flag)
        assert (code, "needs --smallest" in err) == (Exit.USAGE, True)


def test_a_proof_that_no_region_is_that_small_is_no_impossible(typed: Typed) -> None:
    code, out, _ = typed("two-tiling", "U5,L4", "--smallest", "--max-area", "19")
    assert (code, out) == (Exit.OK, "Case #1: NONE of at most 19 cells\n")
    code, out, _ = typed("two-tiling", "U5,L4", "--smallest", "--max-area", "20")
    assert (code, out.splitlines()[0]) == (Exit.OK, "Case #1: POSSIBLE")


def test_engines_that_differ_are_exit_code_3_and_the_model_is_saved(
    contest: Path, here: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ENGINES, "cpsat", f"{finds_nothing.__module__}:{finds_nothing.__name__}")
    code, _, err = typed("two-tiling", str(contest), "--backend", "both", "--board", "4")
    assert code == Exit.DISAGREE
    assert "case 1 (L4,O4): the engines disagree (dlx POSSIBLE, cpsat IMPOSSIBLE)" in err
    assert list(here.glob("disagreement-*.dlx"))


def test_the_table_of_a_small_board(tmp_path: Path, typed: Typed) -> None:
    table, drawn = tmp_path / "areas.csv", tmp_path / "areas.png"
    code, out, _ = typed(
        "two-tiling", "table", "--board", "3", "--csv", str(table), "--draw", str(drawn)
    )
    assert code == Exit.OK
    lines = out.splitlines()
    assert len(lines) == 36
    areas = [line.split()[1:] for line in lines[1:]]
    assert sum(area != "." for row in areas for area in row) == 35 + 2 * 53
    assert len(table.read_text().splitlines()) == 36
    assert drawn.read_bytes().startswith(b"\x89PNG")


def test_the_command_makes_the_contests_input(typed: Typed) -> None:
    code, out, _ = typed("two-tiling", "cases")
    assert code == Exit.OK
    assert parse_cases(out) == all_cases()


def test_help_tells_of_the_other_verbs(typed: Typed) -> None:
    code, out, _ = typed("two-tiling", "--help")
    assert code == Exit.OK
    assert all(word in out for word in ("--smallest", "--draw", "check", "table", "cases"))
