"""Checks of lists and of puzzles of any family; symmetry, fields, outlines."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from helpers.cli import Typed

from twostep.compare.checking.entries import read_entries
from twostep.compare.checking.memory import Memory
from twostep.compare.checking.rules import Rule, counts
from twostep.compare.checking.run import Demands, Report, check
from twostep.compare.checking.tally import Tally
from twostep.compare.command.shared.exits import Exit
from twostep.models.search.engine import StopReason

SEVENTEEN = "000000010400000000020000000000050407008000300001090000300400200050100000000806000"
"""A sudoku of 17 clues with one answer (G. Royle's collection)."""

ENGINES = ("dlx", "cpsat")


def reports(*sources: str, required: tuple[Rule, ...] = (), limit: int = 20) -> list[Report]:
    demands = Demands(ENGINES, limit, 60, frozenset(required), 1)
    found = list(check(read_entries(sources), demands, Memory(None)))
    return sorted(found, key=lambda report: report.entry.number)


def listed(folder: Path, *lines: str) -> str:
    path = folder / "list.txt"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def shuffled(grid: str, rng: random.Random) -> str:
    """The same sudoku with rows, columns, bands, stacks and digits exchanged."""

    def order() -> list[int]:
        bands = rng.sample(range(3), 3)
        return [3 * band + line for band in bands for line in rng.sample(range(3), 3)]

    rows, columns = order(), order()
    digits = dict(zip("123456789", rng.sample("123456789", 9), strict=True)) | {"0": "."}
    return "".join(digits[grid[9 * row + column]] for row in rows for column in columns)


def given_at(grid: str) -> int:
    return next(i for i, digit in enumerate(grid) if digit not in ".0")


def test_wrong_sudokus_in_a_list_are_found_and_no_others(tmp_path: Path) -> None:
    rng = random.Random(1)
    grids = [shuffled(SEVENTEEN, rng) for _ in range(40)]
    place = given_at(grids[7])
    grids[7] = grids[7][:place] + "." + grids[7][place + 1 :]
    grids[11] = grids[3][::-1]
    grids[20], grids[30] = grids[20][:-1], "." * 81
    found = reports(listed(tmp_path, *grids), required=(Rule.UNIQUE,))
    wrong = {r.entry.number: [f.rule for f in r.findings] for r in found if r.findings}
    assert wrong == {
        8: [Rule.UNIQUE],
        12: [Rule.DUPLICATE],
        21: [Rule.READABLE],
        31: [Rule.UNIQUE],
    }
    right = [r for r in found if r.entry.number not in (8, 21, 31)]
    assert all([t.found for t in r.tallies] == [1, 1] for r in right)


def test_a_line_that_is_refused_is_a_finding_and_ends_nothing(tmp_path: Path) -> None:
    path = listed(tmp_path, "queens:6", "queens:many", "langford:4")
    found = reports(path)
    assert [[f.rule for f in r.findings] for r in found] == [[], [Rule.READABLE], []]
    assert "queens" in found[1].findings[0].message
    assert found[1].entry.title == f"{path}: line 2"


def test_answers_that_are_images_of_one_are_unique_up_to_symmetry() -> None:
    (four,) = reports("queens:4", required=(Rule.CLASSES,))
    assert not four.findings
    assert {tally.classes for tally in four.tallies} == {1}
    (five,) = reports("queens:5", required=(Rule.CLASSES,))
    assert [f.message for f in five.findings] == ["it has 10 answers, 2 of them up to symmetry"]


@pytest.mark.parametrize(("n", "fundamental"), [(4, 1), (5, 2), (6, 1), (7, 6), (8, 12)])
def test_classes_of_queens_are_the_fundamental_solutions(n: int, fundamental: int) -> None:
    """A002562."""
    (report,) = reports(f"queens:{n}", limit=100)
    assert {tally.classes for tally in report.tallies} == {fundamental}


def level(**members: object) -> dict[str, object]:
    return {"board": ["....."] * 3, "pieces": ["P", "U", "V"], **members}


def pack(folder: Path, *levels: dict[str, object]) -> str:
    path = folder / "pack.json"
    path.write_text(json.dumps({"schema": "twostep-level/1", "levels": levels}))
    return str(path)


def test_a_field_that_is_nearly_a_known_one_is_reported_and_a_games_own_is_not(
    tmp_path: Path,
) -> None:
    path = pack(tmp_path, level(lockd=[], note="mine", theme="sea", id=3, Name="Sea"))
    (found,) = reports(path)
    assert [(f.rule, f.message) for f in found.findings] == [
        (Rule.FIELDS, "unknown field 'lockd': did you mean 'locked'?"),
        (Rule.FIELDS, "unknown field 'Name': did you mean 'name'?"),
    ]


def test_one_outline_with_other_pieces_or_locks_is_said_to_be_that(tmp_path: Path) -> None:
    v_left = {"piece": "V", "cells": [[0, 0], [1, 0], [2, 0], [2, 1], [2, 2]]}
    path = pack(tmp_path, level(), level(pieces=["P", "L", "V"]), level(locked=[v_left]), level())
    found = reports(path, required=(Rule.OUTLINE,))
    messages = [[f.message for f in report.findings] for report in found]
    here = f"level 1 of {path}"
    assert messages[:3] == [
        [],
        [f"it has the outline of {here}, with other pieces"],
        [f"it has the outline of {here}, with other locked pieces"],
    ]
    assert messages[3] == [f"it is {here}, or a turned, mirrored or renamed copy of it"]
    assert not any(report.findings for report in reports(path)[:3])


def test_rows_are_checked_as_a_family_asked_for(tmp_path: Path, typed: Typed) -> None:
    path = listed(
        tmp_path, "ACDDDB/ACDDBB/CCDDDD/CCFDDD/CFFFDE/CFFFEE first", "AABB/AABB/CCDD/CCDD"
    )
    flags = ("--as", "starbattle", "--no-memory", "--workers", "1", "--require", "unique")
    said = typed("check", path, *flags)
    assert said.code == Exit.SEVERAL
    assert f"{path}: line 2: unique: it has 2 answers" in said.out
    assert "2 puzzles checked, 1 with findings" in said.out


def test_names_and_files_are_checked_together(tmp_path: Path, typed: Typed) -> None:
    said = typed("check", "queens:3", pack(tmp_path, level()), "--no-memory", "--workers", "1")
    assert said.code == Exit.NONE
    assert "queens:3: solvable: it has no answer" in said.out
    assert said.out.splitlines()[-1] == "2 puzzles checked, 1 with findings"


def test_a_puzzle_shown_to_have_none_is_not_called_unfinished_too() -> None:
    none = Tally("dlx", 0, True, StopReason.EXHAUSTED, "", 0.0)
    late = Tally("cpsat", 0, False, StopReason.TIME, "", 0.0)
    (entry,) = read_entries(["queens:3"])
    findings = tuple(counts(entry, [none, late], ()))
    assert [finding.rule for finding in findings] == [Rule.SOLVABLE]
    assert not Report(entry, (none, late), findings).unfinished
    assert Report(entry, (late, late)).unfinished
