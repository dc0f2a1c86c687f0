"""``twostep two-tiling``, its workers and the engines' agreement pair by pair."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from helpers.cli import Typed
from helpers.engines import DLX, finds_nothing
from helpers.tilings import region_of_area

from twostep.compare.command.shared.exits import Exit
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
    other = contest.with_name("other.txt")
    other.write_text("Case #1: IMPOSSIBLE\nCase #2: IMPOSSIBLE\nCase #3: UNKNOWN\n")
    checking = ("two-tiling", "check", str(contest), str(output), "--against", str(other))
    code, out, err = typed(*checking)
    assert (code, err) == (Exit.NONE, "")
    assert out == (
        f"{output}:3: case 3: IMPOSSIBLE, elsewhere UNKNOWN\nnot valid: 1 wrong answer\n"
    )
    said = typed(*checking, "--json")
    assert (said.code, said.json["valid"]) == (Exit.NONE, False)
    assert said.json["findings"] == [
        {"case": 3, "line": 3, "message": "IMPOSSIBLE, elsewhere UNKNOWN"}
    ]
    code, out, _ = typed("two-tiling", "check", str(contest), str(output))
    assert (code, out) == (Exit.OK, "valid: 3 cases, 0 possible, 3 impossible\n")


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
