"""The checker finds every kind of fault, and nothing else."""

from __future__ import annotations

from random import Random

import pytest
from helpers.cases import FOLDER, case
from helpers.known_mazes import Plan

from twostep.models.families.maze import pattern42
from twostep.models.families.maze.board import Board, Kind, Side
from twostep.models.families.maze.check import Finding, Report, Rule, check
from twostep.models.families.maze.generator import MazeGenerator
from twostep.models.families.maze.grid import Grid
from twostep.models.families.maze.hexfile import MazeFile, from_text
from twostep.models.families.maze.spanning import Algorithm, carve, spanning_tree

VALID = [
    "913\nC46\n\n0,0\n2,1\nEES\n",
    "957\nA93\nC6E\n\n0,0\n2,2\nSSENES\n",
    "9153\nA812\nC6C6\n\n0,0\n3,2\nEEESS\n",
]


def report_on(rows: str, tail: str = "", kind: Kind | None = None) -> Report:
    """The report on a file, its rows separated by slashes."""
    return check(from_text(rows.replace("/", "\n") + "\n" + tail), kind)


def broken(report: Report) -> dict[Rule, tuple[int, int] | None]:
    """The broken rules, each with the first offending cell."""
    return {finding.rule: finding.place for finding in report.findings}


def about(report: Report, rule: Rule) -> Finding | None:
    """The finding about that rule; None if it holds."""
    return next((finding for finding in report.findings if finding.rule is rule), None)


@pytest.mark.parametrize("text", VALID)
def test_valid_files_have_no_finding(text: str) -> None:
    assert check(from_text(text)).findings == ()


def test_the_kinds_are_told_by_their_loops() -> None:
    assert [check(from_text(text)).kind for text in VALID] == [
        Kind.PACMAN, Kind.PERFECT, Kind.PACMAN,
    ]  # fmt: skip
    assert check(from_text(VALID[2])).loops == 3
    assert check(from_text(VALID[2])).dead_ends == ()


# The four that the field's own analyzer misses, as the project's issue names them.


def test_an_open_3x3_block_is_a_hall() -> None:
    report = report_on("913/802/C46", "\n0,0\n2,2\nEESS\n")
    assert broken(report) == {Rule.HALL: (0, 0)}


def test_an_open_outer_border_is_found() -> None:
    report = report_on("813/C46", "\n0,0\n2,1\nEES\n")
    assert broken(report) == {Rule.BORDER: (0, 0)}


@pytest.mark.parametrize(
    ("path", "place", "words"),
    [
        ("EE", (2, 0), "ends at 2,0, the exit is 2,1"),
        ("ESWNEES", (0, 0), "has 7 steps, a shortest one has 3"),
        ("NEES", (0, 0), "step 1 of the path, N from cell 0,0, is through a wall"),
        ("EEES", (2, 0), "step 3 of the path, E from cell 2,0, is through a wall"),
        ("EEs", (2, 0), "step 3 of the path is 's', expected N, E, S or W"),
        ("E ES", (1, 0), "step 2 of the path is ' '"),
        ("EESWE", (0, 0), "has 5 steps, a shortest one has 3"),
        ("", (0, 0), "the file has no path; a shortest one has 3 steps"),
    ],
)
def test_a_wrong_missing_or_illegal_path_is_found(
    path: str, place: tuple[int, int], words: str
) -> None:
    report = report_on("913/C46", f"\n0,0\n2,1\n{path}\n")
    assert broken(report) == {Rule.PATH: place}
    assert words in report.findings[0].message


def test_every_shortest_path_is_accepted() -> None:
    for path in ("EES", "ESE", "SEE"):
        assert report_on("913/C46", f"\n0,0\n2,1\n{path}\n").valid


def test_an_exit_on_a_closed_cell_that_is_no_part_of_a_42_is_found() -> None:
    report = report_on("9513/AF82/C546", "\n0,0\n1,1\nE\n")
    assert broken(report) == {Rule.REACHABLE: (1, 1), Rule.EXIT: (1, 1)}


# --- the other rules ------------------------------------------------------------------------------


def test_neighbours_that_disagree_are_named() -> None:
    report = report_on("9B/C6")
    finding = about(report, Rule.NEIGHBOURS)
    assert finding is not None
    assert finding.place == (0, 0)
    assert finding.message == "cells 0,0 and 1,0 disagree about their wall: open and closed"


def test_an_island_cannot_be_reached() -> None:
    report = report_on("93B/C6E", "\n0,0\n1,1\nES\n")
    assert broken(report) == {Rule.REACHABLE: (2, 0), Rule.LOOPS: (1, 1)}
    assert (report.components, report.passages) == (2, 5)


def test_one_loop_is_neither_kind_and_the_asked_kind_decides() -> None:
    tail = "\n0,0\n1,1\nES\n"
    assert broken(report_on("93/C6", tail)) == {Rule.LOOPS: (1, 1)}
    assert broken(report_on("93/C6", tail, Kind.PERFECT)) == {Rule.LOOPS: (1, 1)}
    assert broken(report_on("93/C6", tail, Kind.PACMAN)) == {Rule.LOOPS: None}
    assert broken(check(from_text(VALID[1]), Kind.PACMAN)) == {Rule.LOOPS: None}
    assert Rule.LOOPS in broken(check(from_text(VALID[0]), Kind.PERFECT))


def test_more_than_two_dead_ends_are_too_many_for_pacman() -> None:
    # 5x3 with two loops at the left and a comb of three dead ends at the right.
    plan = Plan(5, 3)
    found = [
        opened
        for opened in random_sets(plan, 4000)
        if plan.connected(opened)
        and plan.loops(opened) >= 2
        and plan.dead_ends(opened) == 3
        and not plan.has_hall(opened)
    ]
    assert found
    for opened in found:
        report = check(MazeFile(plan.board(opened)))
        assert len(report.dead_ends) == 3
        finding = about(report, Rule.DEAD_ENDS)
        assert finding is not None
        assert finding.place == report.dead_ends[0]


def random_sets(plan: Plan, number: int) -> list[int]:
    random = Random(6)
    return [random.randrange(1 << len(plan.slots)) for _ in range(number)]


@pytest.mark.parametrize(
    ("tail", "rule", "place"),
    [
        ("", Rule.ENTRY, None),
        ("\n3,0\n2,1\nEES\n", Rule.ENTRY, (3, 0)),
        ("\n-1,0\n2,1\nEES\n", Rule.ENTRY, (-1, 0)),
        ("\n0,0\n", Rule.EXIT, None),
        ("\n0,0\n2,2\nEES\n", Rule.EXIT, (2, 2)),
        ("\n0,0\n0,0\n\n", Rule.EXIT, (0, 0)),
        ("\n0,0\n2,1\n", Rule.PATH, (0, 0)),
    ],
)
def test_bad_ends_are_found(tail: str, rule: Rule, place: tuple[int, int] | None) -> None:
    report = report_on("913/C46", tail)
    assert broken(report)[rule] == place


def test_notches_of_the_42_do_not_count_as_dead_ends() -> None:
    for seed in range(20):
        maker = MazeGenerator(9, 7, seed, perfect=False)
        report = check(MazeFile.of(maker.maze))
        assert report.valid
        assert report.has_42
        # Offsets (5,1) and (5,3) of the pattern, whose origin is 1,1.
        assert report.excused == ((6, 2), (6, 4))


def test_entry_and_exit_on_the_42_are_found() -> None:
    maze = MazeGenerator(9, 7, 1).maze
    for place in pattern42.cells(9, 7):
        assert Rule.ENTRY in broken(check(MazeFile(maze.board, place, (0, 0), "N")))
        assert Rule.EXIT in broken(check(MazeFile(maze.board, (0, 0), place, "N")))


def test_a_42_with_a_hole_is_none() -> None:
    maze = MazeGenerator(9, 7, 1, perfect=False).maze
    walls = bytearray(maze.board.walls)
    walls[1 * 9 + 1] &= ~Side.N.value  # the pattern's top left cell, opened to the north
    walls[0 * 9 + 1] &= ~Side.S.value
    report = check(MazeFile(Board(9, 7, bytes(walls)), maze.entry, maze.exit, maze.path))
    assert not report.has_42
    finding = about(report, Rule.REACHABLE)
    assert finding is not None
    assert 'no part of a "42"' in finding.message


def test_a_42_in_another_place_is_told_with_both_places() -> None:
    # A perfect maze of 10x7 round the "42" of 9x7, which is one column too far to the left there.
    grid = Grid.of(10, 7, pattern42.cells(9, 7))
    walls = grid.closed_walls()
    for opening in spanning_tree(grid, Algorithm.DFS, Random(1)):
        carve(walls, opening, 10)
    report = check(MazeFile(grid.board(walls)))
    assert not report.has_42
    finding = about(report, Rule.REACHABLE)
    assert finding is not None
    assert "(its origin is 1,1, expected 2,1)" in finding.message


def test_a_closed_corner_or_middle_is_named_on_a_pacman_board() -> None:
    report = report_on("F93/9AE/C46", "", Kind.PACMAN)
    assert broken(report)[Rule.KEY_CELLS] == (0, 0)


def test_a_board_is_valid_exactly_if_plain_enumeration_says_so() -> None:
    for plan in (Plan(3, 3), Plan(4, 2)):
        for opened in plan.every():
            file = MazeFile(plan.board(opened))
            ends = {Rule.ENTRY, Rule.EXIT, Rule.PATH}
            perfect = plan.loops(opened) == 0 and plan.connected(opened)
            pacman = (
                plan.loops(opened) >= 2
                and plan.dead_ends(opened) <= 2
                and not plan.has_hall(opened)
                and plan.connected(opened)
            )
            assert (not broken(check(file)).keys() - ends) is (perfect or pacman)
            if perfect or pacman or opened % 8 == 0:
                assert (not broken(check(file, Kind.PERFECT)).keys() - ends) is perfect
                assert (not broken(check(file, Kind.PACMAN)).keys() - ends) is pacman


def test_any_changed_digit_of_a_valid_file_is_found() -> None:
    # One digit alone can't change a wall: its neighbour, or the border, disagrees.
    for text in VALID:
        head, tail = text.split("\n\n")
        for i, old in enumerate(head):
            for new in "0123456789ABCDEF":
                if old not in ("\n", new):
                    changed = f"{head[:i]}{new}{head[i + 1 :]}\n\n{tail}"
                    assert broken(check(from_text(changed))).keys() & {
                        Rule.BORDER, Rule.NEIGHBOURS,
                    }  # fmt: skip


@pytest.mark.skipif(not FOLDER.exists(), reason="../shared/cases is not there")
@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("MZ-01-closed-room", Rule.HALL),
        ("MZ-02-south-wall-in-window", None),
        ("MZ-02b-wall-under-third-row", Rule.HALL),
        ("MZ-03-loop-and-island", Rule.REACHABLE),
        ("MZ-03b-ring", Rule.LOOPS),
        ("MZ-05-neighbours-disagree", Rule.NEIGHBOURS),
        ("MZ-05b-hole-in-the-border", Rule.BORDER),
    ],
)
def test_cases(name: str, rule: Rule | None) -> None:
    content = case(name)
    report = check(MazeFile(Board.from_rows(content["board"])))
    expected = content["expected"]
    rules = set(broken(report)) - {Rule.ENTRY, Rule.EXIT}
    assert (rule in rules) if rule else not rules
    if "has_3x3_open_room" in expected:
        assert (Rule.HALL in rules) is expected["has_3x3_open_room"]
    if "connected" in expected:
        assert (Rule.REACHABLE not in rules) is expected["connected"]
        assert (report.components == 1) is expected["connected"]
        assert (
            not broken(check(MazeFile(Board.from_rows(content["board"])), Kind.PERFECT)).keys()
            - {Rule.ENTRY, Rule.EXIT}
        ) is expected["perfect"]
    if "passages" in expected:
        assert report.passages == expected["passages"]


@pytest.mark.parametrize("name", ["MZ-04-count-3x3", "MZ-04b-count-3x4"])
def test_counts_of_connected_boards_with_and_without_a_hall(name: str) -> None:
    content = case(name)
    plan = Plan(content["width"], content["height"])
    counts = {"perfect": 0, "connected": 0, "connected_without_3x3_room": 0}
    for opened in plan.every():
        if not plan.connected(opened) and opened % 16:
            continue  # of the boards in several parts a sample is enough
        report = check(MazeFile(plan.board(opened)))
        if report.components == 1:
            counts["connected"] += 1
            counts["connected_without_3x3_room"] += Rule.HALL not in broken(report)
            counts["perfect"] += report.kind is Kind.PERFECT
    assert counts == content["expected"]
