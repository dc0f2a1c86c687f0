"""Checks of levels: each rule found where it is broken, and nowhere else."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from helpers.cli import ROOT, Typed, interrupted, started

from twostep.compare.checking import run
from twostep.compare.checking.entries import Entry
from twostep.compare.checking.memory import Memory
from twostep.compare.checking.rules import Rule
from twostep.compare.checking.run import Demands, Report, check
from twostep.compare.checking.tally import Tally, contradiction
from twostep.compare.command.shared.exits import Exit
from twostep.models.errors import TwostepError
from twostep.models.families.polyomino.board import board_from_rows
from twostep.models.families.polyomino.pieces import parse_kinds
from twostep.models.families.polyomino.placement import Lock
from twostep.models.game.level import Level, Pack, Proof
from twostep.models.game.levelfile import pack_text, parse_pack, write_pack
from twostep.models.search.engine import StopReason

PACK = ROOT / "models" / "game" / "twostep-150.json"

V_AT_LEFT = Lock("V", ((0, 0), (1, 0), (2, 0), (2, 1), (2, 2)))


def level(rows: Sequence[str], pieces: str, *locks: Lock, grade: int | None = 1) -> Level:
    kinds = tuple(parse_kinds(pieces.split()))
    return Level(pieces, board_from_rows(rows), kinds, locks=locks, grade=grade)


GOOD = level(["....."] * 3, "P U V", V_AT_LEFT)
ALSO_GOOD = level(["#..", "..."], "P")
L_RIGHT = Lock("L", ((0, 0), (0, 1), (0, 2), (0, 3), (1, 0)))
THIRD = level(["....."] * 4, "F L P U", L_RIGHT)  # PO-19b


def checked(
    levels: Sequence[Level],
    *,
    required: Sequence[Rule] = (),
    memory: Memory | None = None,
    seconds: float | None = 60,
    workers: int = 1,
    engines: tuple[str, ...] = ("dlx", "cpsat"),
) -> list[Report]:
    demands = Demands(engines, 20, seconds, frozenset(required), workers)
    reports = list(check(entries("pack.json", *levels), demands, memory or Memory(None)))
    return sorted(reports, key=lambda report: report.entry.number)


def entries(source: str, *levels: Level) -> list[Entry]:
    return [Entry(source, number, each) for number, each in enumerate(levels, 1)]


def rules(report: Report) -> list[Rule]:
    return [finding.rule for finding in report.findings]


def test_good_levels_have_no_findings_and_both_engines_count_alike() -> None:
    reports = checked([GOOD, ALSO_GOOD, THIRD], required=[Rule.UNIQUE, Rule.GRADED, Rule.NAMED])
    assert [rules(report) for report in reports] == [[], [], []]
    assert [[t.text for t in report.tallies] for report in reports] == [["1", "1"]] * 3
    assert not any(report.disagreement or report.unfinished for report in reports)


def turned(given: Level) -> Level:
    """A copy, turned by a quarter and mirrored."""

    def flipped(cells):
        return tuple(sorted((column, row) for row, column in cells))

    board = given.board
    rows = [
        "".join("." if (row, column) in board else "#" for row in range(board.rows))
        for column in range(board.columns)
    ]
    locks = tuple(Lock(lock.piece, flipped(lock.cells)) for lock in given.locks)
    return replace(given, board=board_from_rows(rows), locks=locks, kinds=given.kinds[::-1])


SPOILED = [
    turned(GOOD),
    level(["....."] * 4, "F L P U", Lock("L", ((0, 0), (0, 1), (1, 0), (1, 1), (2, 0)))),
    level(["....."] * 3, "P U V"),
    level(["....."] * 4, "F L P U", Lock("L", ((0, 0), (1, 0), (2, 0), (3, 0), (3, 1)))),  # 19c
]


def test_a_copy_a_wrong_lock_two_answers_and_none_are_found_and_nothing_else() -> None:
    levels = [GOOD, SPOILED[0], ALSO_GOOD, SPOILED[1], SPOILED[2], THIRD, SPOILED[3]]
    reports = checked(levels, required=[Rule.UNIQUE])
    assert [rules(report) for report in reports] == [
        [], [Rule.DUPLICATE], [], [Rule.LOCKS], [Rule.UNIQUE], [], [Rule.SOLVABLE],
    ]  # fmt: skip
    messages = [f.message for report in reports for f in report.findings]
    assert messages == [
        "it is level 1 of pack.json, or a turned, mirrored or renamed copy of it",
        "the locked cells are a P, not an L",
        "it has 4 answers",
        "it has no answer",
    ]


@pytest.mark.parametrize(
    ("broken", "rule", "message"),
    [
        (level(["...."] * 4, "P U V"), Rule.AREA, "the pieces cover 15 cells, the board has 16"),
        (level(["..........", "....."+"#####"], "X I P"), Rule.AREA, "piece X fits nowhere"),
        (level(["....."] * 4, "F L P U", L_RIGHT,
               Lock("F", ((1, 0), (1, 1), (2, 1), (2, 2), (3, 1)))),
         Rule.LOCKS, "locked pieces L and F share cell (1,0)"),
        (level(["....."] * 4, "F L P U", Lock("L", ((0, 0), (0, 1), (0, 2), (0, 3), (9, 9)))),
         Rule.LOCKS, "cell (9,9) is outside the board"),
        (replace(GOOD, proof=Proof(2, True, ())), Rule.PROVEN, "its file says 2 answers, it has 1"),
        (replace(GOOD, proof=Proof(2, False, ())), Rule.PROVEN, "says at least 2 answers"),
        (replace(GOOD, grade=None), Rule.GRADED, "it has no grade"),
        (replace(GOOD, name=""), Rule.NAMED, "it has no name"),
    ],
)  # fmt: skip
def test_each_rule_is_found_where_it_is_broken(broken: Level, rule: Rule, message: str) -> None:
    (report,) = checked([broken], required=[Rule.GRADED, Rule.NAMED])
    assert rules(report) == [rule]
    assert message in report.findings[0].message


def test_grades_must_not_fall() -> None:
    levels = [replace(GOOD, grade=2), replace(ALSO_GOOD, grade=3), replace(THIRD, grade=1)]
    assert [rules(report) for report in checked(levels)] == [[], [], [Rule.ORDER]]


def test_true_proofs_are_no_findings() -> None:
    bare = level(["....."] * 3, "P U V")
    for proof in (Proof(4, True, ()), Proof(3, False, ()), Proof(4, False, ())):
        (report,) = checked([replace(bare, proof=proof)])
        assert not report.findings


def test_copies_are_found_across_packs() -> None:
    demands = Demands(("dlx",), 20, None, frozenset(), 1)
    packs = entries("a.json", GOOD) + entries("b.json", ALSO_GOOD, turned(GOOD))
    found = check(packs, demands, Memory(None))
    reports = {(r.entry.source, r.entry.number): r for r in found}
    assert rules(reports["b.json", 2]) == [Rule.DUPLICATE]
    assert "level 1 of a.json" in reports["b.json", 2].findings[0].message
    assert not reports["b.json", 1].findings


def test_a_level_stopped_by_time_is_unfinished_and_never_called_unsolvable() -> None:
    big = level(["." * 10] * 6, "F I L N P T U V W X Y Z")
    (report,) = checked([big], seconds=0.0)
    assert report.unfinished
    assert Rule.SOLVABLE not in rules(report)
    assert {tally.stopped for tally in report.tallies} == {StopReason.TIME}


@pytest.mark.usefixtures("cpsat_loses_one", "here")
def test_engines_that_differ_are_found(tmp_path: Path, typed: Typed) -> None:
    (report,) = checked([GOOD])
    assert report.disagreement == "dlx 1, cpsat 0"
    path = tmp_path / "p.json"
    write_pack(path, Pack((GOOD,)))
    said = typed("check", str(path), "--no-memory", "--workers", "1")
    assert said.code == Exit.DISAGREE
    assert "the engines disagree: dlx 1, cpsat 0" in said.out


def test_only_true_contradictions_are_disagreements() -> None:
    def found(number: int, stopped: StopReason, digest: str = "") -> Tally:
        return Tally("e", number, stopped is StopReason.EXHAUSTED, stopped, digest, 0.0)

    all_of, first, late = StopReason.EXHAUSTED, StopReason.SOLUTIONS, StopReason.TIME
    for same in (
        [found(4, all_of, "a"), found(4, all_of, "a")],
        [found(4, all_of, "a"), found(3, late)],
        [found(20, first), found(20, first)],
        [found(20, first), found(7, late)],
    ):
        assert contradiction(same) is None
    for other in (
        [found(4, all_of, "a"), found(4, all_of, "b")],  # as many, but not the same ones
        [found(4, all_of, "a"), found(5, late)],
        [found(20, first), found(19, all_of, "a")],
        [found(0, all_of), found(1, first)],
    ):
        assert contradiction(other) is not None


def test_several_processes_find_the_same() -> None:
    levels = [GOOD, *SPOILED, ALSO_GOOD]
    here, there = checked(levels), checked(levels, workers=2)
    assert [report.findings for report in here] == [report.findings for report in there]
    assert [[t.found for t in r.tallies] for r in here] == [
        [t.found for t in r.tallies] for r in there
    ]


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent as a POSIX signal")
def test_ctrl_c_tells_what_is_known_without_a_traceback(tmp_path: Path) -> None:
    endless = level(["." * 12] * 10, "I2=any")  # both engines would go on for years
    path = tmp_path / "pack.json"
    write_pack(path, Pack((GOOD, endless)))
    flags = ("--no-memory", "--time-limit", "1000000", "--count-limit", str(10**9))
    process = started("check", str(path), *flags)
    time.sleep(2)  # whatever is done by then
    said = interrupted(process)
    assert said.code == Exit.STOPPED, said.err
    assert "Traceback" not in said.err
    if said.err.strip() != "twostep: interrupted":  # it had begun
        numbers = re.search(r"(\d+) levels? checked, none with findings, (\d+) not", said.out)
        assert numbers is not None, said.out
        assert numbers.groups() in (("0", "2"), ("1", "1"))


# --- memory ---------------------------------------------------------------------------------


def test_a_second_check_searches_only_what_changed(tmp_path: Path) -> None:
    path = tmp_path / "memory.json"
    memory = Memory(path)
    checked([GOOD, THIRD], memory=memory)
    memory.save()
    again = checked([GOOD, ALSO_GOOD, THIRD], memory=Memory(path))
    assert [report.remembered for report in again] == [True, False, True]
    assert [[t.text for t in report.tallies] for report in again] == [["1", "1"]] * 3


def test_what_was_not_finished_is_not_remembered(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "memory.json")
    big = level(["." * 10] * 6, "F I L N P T U V W X Y Z")
    checked([big], memory=memory, seconds=0.0)
    memory.save()
    assert json.loads((tmp_path / "memory.json").read_text()) == {}


def test_what_was_checked_before_a_worker_was_killed_is_remembered(
    tmp_path: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack, memory = tmp_path / "p.json", tmp_path / "m.json"
    write_pack(pack, Pack((GOOD, THIRD)))
    count, done = run._count, []

    def killed_at_the_third(task: tuple[Entry, str, Demands]) -> Tally:
        if len(done) == 2:
            raise TwostepError("a worker process was killed")
        done.append(task)
        return count(task)

    monkeypatch.setattr(run, "_count", killed_at_the_third)
    said = typed("check", str(pack), "--memory", str(memory), "--workers", "1")
    assert (said.code, said.err) == (Exit.USAGE, "twostep: a worker process was killed\n")
    assert len(json.loads(memory.read_text())) == 2


@pytest.mark.parametrize("content", ["", "[1]", "{", '{"a": 3}', "\xff"])
def test_a_damaged_memory_counts_as_empty(tmp_path: Path, content: str) -> None:
    path = tmp_path / "memory.json"
    path.write_text(content, "latin-1")
    (report,) = checked([GOOD], memory=Memory(path))
    assert not report.remembered


def test_another_version_of_an_engine_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = Memory(tmp_path / "memory.json")
    checked([GOOD], memory=memory)
    monkeypatch.setattr(run, "engine_version", lambda name: "another")
    (report,) = checked([GOOD], memory=memory)
    assert not report.remembered


# --- the verb -------------------------------------------------------------------------------


def on_disk(folder: Path, *levels: Level) -> str:
    path = folder / "pack.json"
    write_pack(path, Pack(levels))
    return str(path)


@pytest.mark.parametrize(
    ("levels", "flags", "code"),
    [
        ([GOOD, ALSO_GOOD], ["--require", "unique"], Exit.OK),
        ([GOOD, SPOILED[0]], [], Exit.SEVERAL),
        ([GOOD, SPOILED[1]], [], Exit.NONE),
        ([SPOILED[2]], [], Exit.OK),
        ([SPOILED[2]], ["--require", "unique"], Exit.SEVERAL),
        ([SPOILED[3]], [], Exit.NONE),
        ([level(["." * 10] * 6, "F I L N P T U V W X Y Z")], ["--time-limit", "0"], Exit.STOPPED),
    ],
)
def test_the_exit_code_says_it_all(tmp_path: Path, typed: Typed, levels, flags, code) -> None:
    path = on_disk(tmp_path, *levels)
    said = typed("check", path, "--no-memory", "--workers", "1", *flags)
    assert said.code == code
    plural = "" if len(levels) == 1 else "s"
    assert f"{len(levels)} level{plural} checked" in said.out


def test_check_writes_json_and_junit(tmp_path: Path, typed: Typed) -> None:
    path = on_disk(tmp_path, GOOD, *SPOILED)
    report = tmp_path / "junit.xml"
    memory = str(tmp_path / "m.json")
    arguments = ["check", path, "--require", "unique", "--memory", memory, "--junit", str(report)]
    said = typed(*arguments, "--workers", "1", "--json")
    assert said.code == Exit.NONE
    assert [one["verdict"] for one in said.json["levels"]] == [
        "ok", "duplicate", "locks", "unique", "solvable",
    ]  # fmt: skip
    suites = ElementTree.parse(report).getroot()
    (suite,) = suites
    assert suite.attrib["tests"] == "5"
    assert suite.attrib["failures"] == "4"
    assert [case.find("failure") is None for case in suite] == [True, False, False, False, False]


@pytest.mark.parametrize(
    "arguments",
    [["check", "none.json"], ["check", "x.json", "x.json"], ["check"],
     ["check", "x.json", "--count-limit", "1"], ["check", "x.json", "--require", "nice"],
     ["check", "x.json", "--time-limit", "soon"]],
)  # fmt: skip
def test_bad_usage_is_one_line_and_2(here: Path, typed: Typed, arguments: list[str]) -> None:
    (here / "x.json").write_text(pack_text(Pack((GOOD,))))
    said = typed(*arguments)
    assert said.code == Exit.USAGE
    assert said.err.startswith("twostep: ")
    assert said.err.count("\n") == 1


# --- the pack -------------------------------------------------------------------------------


def test_the_pack_of_150_is_what_it_promises() -> None:
    pack = parse_pack(PACK.read_text("utf-8"))
    assert len(pack.levels) == 150
    assert len({level.outline_key for level in pack.levels}) == 150
    assert any(level.locks for level in pack.levels)
    assert max(len(level.locks) for level in pack.levels) == 2
    last = pack.levels[-1]
    assert (last.board.picture(), len(last.kinds)) == ("\n".join(["." * 10] * 6), 12)
    assert all(level.proof is not None and level.proof.solutions for level in pack.levels)
    for one in pack.levels:
        assert one.proof is not None
        assert {witness.engine for witness in one.proof.witnesses} == {"dlx", "cpsat"}


@pytest.mark.parametrize("part", range(5))
def test_each_level_of_the_pack_is_solved_from_scratch_by_both_engines(part: int) -> None:
    pack = parse_pack(PACK.read_text("utf-8"))
    for report in checked(pack.levels[part::5], required=[Rule.GRADED, Rule.NAMED]):
        assert not report.findings
        assert report.disagreement is None
        assert not report.unfinished
        assert all(tally.found >= 1 for tally in report.tallies)
        assert len(report.tallies) == 2
