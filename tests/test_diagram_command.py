"""``solve --sample`` and ``--index``, ``count --heatmap`` and ``--up-to-symmetry``."""

from __future__ import annotations

import json

import pytest
from said import Typed

from twostep.compare.command.exits import Exit


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


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (["solve", "--sample", "1", "--index", "1", "queens:4"], 2, "give one of them"),
        (["solve", "--sample", "1", "--backend", "cpsat", "queens:4"], 2, "use dlx"),
        (["solve", "--sample", "1", "--backend", "both", "queens:4"], 2, "--backend dlx"),
        (["solve", "--sample", "1", "queens:3"], 20, "no solution"),
        (["solve", "--sample", "1", "--node-limit", "3", "queens:6"], 30, "stopped (nodes)"),
        (["count", "--heatmap", "--node-limit", "3", "queens:6"], 30, "at least 0"),
        (["count", "--up-to-symmetry", "queens:6"], 2, "no symmetries are known"),
        (["count", "--up-to-symmetry", "--backend", "both", "domino:2x2"], 2, "choose one engine"),
        (["count", "--up-to-symmetry", "--node-limit", "2", "pentomino:3x20"], 30, "unknown up to"),
    ],
)
def test_what_cannot_be_answered(arguments: list[str], code: int, text: str, typed: Typed) -> None:
    said = typed(*arguments, "--quiet")
    assert said.code == code
    assert text in said.out + said.err


@pytest.mark.parametrize("backend", ["dlx", "cpsat"])
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
