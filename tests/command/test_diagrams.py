"""``solve`` with ``--sample`` and such, ``count --heatmap`` and ``--up-to-symmetry``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers.cli import Typed

from twostep.compare.command.shared.exits import Exit


def test_the_heat_map_sums_to_the_cells_times_the_solutions(
    typed: Typed,
) -> None:
    said = typed("count", "--heatmap", "--quiet", "pentomino:3x20")
    assert said.code == Exit.OK
    head, *tables = said.out.strip().split("\n\n")
    assert head == "8"
    assert [table.split("\n")[0] for table in tables] == [f"{piece}:" for piece in "FILNPTUVWXYZ"]
    heat = [[int(n) for row in t.split("\n")[1:] for n in row.split()] for t in tables]
    assert sum(map(sum, heat)) == 60 * 8
    assert all(sum(of_cell) == 8 for of_cell in zip(*heat, strict=True))
    assert all(sum(of_piece) == 5 * 8 for of_piece in heat)


def test_a_heat_map_of_a_puzzle_without_a_board(typed: Typed) -> None:
    said = typed("count", "--heatmap", "--quiet", "queens:4")
    assert said.code == Exit.OK
    lines = said.out.strip().split("\n")
    assert lines[0] == "2"
    assert sum(int(line.split()[0]) for line in lines[2:]) == 2 * 4


def test_samples_are_solutions_and_a_seed_repeats_them(typed: Typed) -> None:
    texts = []
    for seed in ("5", "5", "6"):
        said = typed("solve", "--sample", "6", "--seed", seed, "--quiet", "domino:6x6")
        assert said.code == Exit.OK
        texts.append(said.out)
    assert texts[0] == texts[1] != texts[2]
    assert len(texts[0].strip().split("\n\n")) == 6


def test_json_holds_the_samples_and_their_numbers(typed: Typed) -> None:
    sampled = ("solve", "--sample", "6", "--seed", "5", "--quiet", "domino:6x6")
    answer = json.loads(typed(*sampled, "--json").out)
    boards = typed(*sampled).out.removesuffix("\n").split("\n\n")
    assert ["\n".join(rows) for rows in answer["solutions"]] == boards
    assert answer["count"] == 6728
    assert len(answer["numbers"]) == 6
    assert all(0 <= number < 6728 for number in answer["numbers"])


def test_json_holds_the_heat_map(typed: Typed) -> None:
    answer = json.loads(typed("count", "--heatmap", "--json", "queens:4").out)
    assert (answer["count"], sum(answer["heatmap"])) == (2, 2 * 4)
    cut = typed("count", "--heatmap", "--json", "--node-limit", "3", "queens:6")
    assert cut.code == Exit.STOPPED
    assert json.loads(cut.out)["heatmap"] is None


def test_every_index_is_another_solution(typed: Typed) -> None:
    boards = set()
    for index in range(4):
        said = typed("solve", "--index", str(index), "--quiet", "pentomino:3x5:PUV")
        assert said.code == Exit.OK
        boards.add(said.out.strip())
    assert len(boards) == 4
    assert "VPPUU\nVPPPU\nVVVUU" in boards
    said = typed("solve", "--index", "4", "--quiet", "pentomino:3x5:PUV")
    assert said.code == Exit.USAGE
    assert "there are 4" in said.err


PRICED = """a b c d
a b |3
c d |4
a c |1
b d |9
a |1
a |1
b |1
"""
"""Options that look alike; solutions at 7, 10 and, twice each, 6 and 12."""


@pytest.mark.parametrize(("puzzle", "total"), [("pentomino:3x5:PUV", 4), ("domino:3x4", 11)])
def test_the_rank_of_a_board_is_its_index(
    puzzle: str, total: int, typed: Typed, tmp_path: Path
) -> None:
    board = tmp_path / "board.txt"
    for index in range(total):
        board.write_text(typed("solve", puzzle, "--index", str(index), "--quiet").out)
        said = typed("solve", puzzle, "--rank", str(board), "--quiet")
        assert (said.code, said.out) == (Exit.OK, f"{index}\n")


def test_the_rank_of_options_a_line_each(typed: Typed, tmp_path: Path) -> None:
    puzzle, lines = tmp_path / "priced.dlx", tmp_path / "lines.txt"
    puzzle.write_text(PRICED)
    alike = 0
    for index in range(4):
        shown = typed("solve", str(puzzle), "--index", str(index), "--quiet").out
        # Neither the order of the lines nor that of the items matters.
        rows = [" ".join(reversed(row.split())) for row in reversed(shown.splitlines())]
        lines.write_text("\n".join(rows))
        rank = int(typed("solve", str(puzzle), "--rank", str(lines), "--quiet").out)
        assert typed("solve", str(puzzle), "--index", str(rank), "--quiet").out == shown
        alike += rank != index
    assert alike == 1  # c d, b and one of the two a's: told in the same words
    answer = typed("solve", str(puzzle), "--rank", str(lines), "--json").json
    assert answer["numbers"] == [rank]
    assert answer["solutions"] == [shown.splitlines()]


def test_only_line_ends_end_the_line_of_an_option(typed: Typed, tmp_path: Path) -> None:
    puzzle, lines = tmp_path / "separated.dlx", tmp_path / "lines.txt"
    puzzle.write_text("a\u2028b c\na\u2028b\nc\n", "utf-8")
    lines.write_text(typed("solve", str(puzzle), "--quiet").out, "utf-8")
    said = typed("solve", str(puzzle), "--rank", str(lines), "--quiet")
    assert (said.code, said.out) == (Exit.OK, "0\n")


def test_the_cheapest_of_the_diagram_is_as_cheap_as_the_best(typed: Typed, tmp_path: Path) -> None:
    puzzle = tmp_path / "priced.dlx"
    puzzle.write_text(PRICED)
    best = typed("best", str(puzzle), "--quiet").out
    assert best == "cost 6\nc d\na\nb\n"
    assert typed("solve", str(puzzle), "--cheapest", "--quiet").out == "c d\na\nb\n"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("c d\na\n", "item 'b' is covered 0 times, expected 1"),
        ("c d\nb\na\na\na\n", "lines.txt:5: 'a' is no option"),
        ("c d\n\nb x\n", "lines.txt:3: 'b x' is no option"),
        ("", "lines.txt: the file is empty"),
    ],
)
def test_what_is_no_solution_has_no_rank(
    content: str, why: str, typed: Typed, tmp_path: Path
) -> None:
    puzzle, lines = tmp_path / "priced.dlx", tmp_path / "lines.txt"
    puzzle.write_text(PRICED)
    lines.write_text(content)
    said = typed("solve", str(puzzle), "--rank", str(lines))
    assert said.code == Exit.USAGE
    assert why in said.err
    assert said.err.count("\n") == 1


def test_a_board_that_is_no_solution_has_no_rank(typed: Typed, tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text("VPPUU\nVPPPU\nVVV.U\n")
    said = typed("solve", "pentomino:3x5:PUV", "--rank", str(board))
    assert said.code == Exit.USAGE
    assert said.err.startswith(f"twostep: {board}: ")


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (["solve", "--sample", "1", "--index", "1", "queens:4"], 2, "give one of them"),
        (["solve", "--cheapest", "--rank", "x", "queens:4"], 2, "give one of them"),
        (["solve", "--rank", "/no/such/file", "queens:4"], 2, "/no/such/file"),
        (["solve", "--cheapest", "--workers", "2", "queens:4"], 2, "in parts"),
        (["solve", "--sample", "1", "--backend", "cpsat", "queens:4"], 2, "use dlx"),
        (["solve", "--sample", "1", "--backend", "both", "queens:4"], 2, "--backend dlx"),
        (["solve", "--sample", "1", "queens:3"], 20, "no solution"),
        (["solve", "--sample", "1", "--node-limit", "3", "queens:6"], 30, "stopped (nodes)"),
        (["count", "--heatmap", "--node-limit", "3", "queens:6"], 30, "at least 0"),
        (["count", "--up-to-symmetry", "sudoku:1"], 2, "no symmetries are known"),
        (["count", "--up-to-symmetry", "--node-limit", "2", "pentomino:3x20"], 30, "unknown up to"),
    ],
)
def test_what_cannot_be_answered(arguments: list[str], code: int, text: str, typed: Typed) -> None:
    said = typed(*arguments, "--quiet")
    assert said.code == code
    assert text in said.out + said.err


@pytest.mark.parametrize("backend", ["dlx", "cpsat", "both"])
def test_classes_as_json(backend: str, typed: Typed) -> None:
    flags = ["--up-to-symmetry", "--json", "--backend", backend]
    said = typed("count", *flags, "pentomino:3x5:PUV")
    assert said.code == Exit.OK
    answer = said.json
    assert (answer["count"], answer["up_to_symmetry"], answer["symmetries"]) == (4, 1, 4)


def test_classes_as_text(typed: Typed) -> None:
    said = typed("count", "--up-to-symmetry", "--quiet", "pentomino:3x20")
    assert said.code == Exit.OK
    assert said.out == "8\n2 up to 4 symmetries\n"


def test_pieces_that_change_places_are_named(typed: Typed) -> None:
    name = "polyomino:3x5:L4,J4,O4,I3:one-sided"
    said = typed("count", "--up-to-symmetry", "--quiet", name)
    assert said.out == "4\n1 up to 4 symmetries of the board; J4 and L4 change places\n"
    answer = typed("count", "--up-to-symmetry", "--json", name).json
    assert answer["symmetry"] == "of the board; J4 and L4 change places"


def test_members_stand_in_answers_that_need_no_search(typed: Typed) -> None:
    for name, symmetries in (("langford:5", 2), ("pentomino:6x12", 4)):
        answer = typed("count", "--up-to-symmetry", "--json", name).json
        assert (answer["up_to_symmetry"], answer["symmetries"]) == (0, symmetries)
        assert answer["reason"]
        heat = typed("count", "--heatmap", "--json", name).json["heatmap"]
        assert heat
        assert set(heat) == {0}
