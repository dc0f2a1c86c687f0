"""``solve --sample`` and ``--index``, ``count --heatmap`` and ``--up-to-symmetry``."""

from __future__ import annotations

import json

import pytest

from twostep.compare.command import run


def test_the_heat_map_sums_to_the_cells_times_the_solutions(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["count", "--heatmap", "--quiet", "pentomino:3x20"]) == 0
    head, *tables = capsys.readouterr().out.strip().split("\n\n")
    assert head == "8"
    assert [table.split("\n")[0] for table in tables] == [f"{piece}:" for piece in "FILNPTUVWXYZ"]
    heat = [[int(n) for row in t.split("\n")[1:] for n in row.split()] for t in tables]
    assert sum(map(sum, heat)) == 60 * 8
    assert all(sum(of_cell) == 8 for of_cell in zip(*heat, strict=True))
    assert all(sum(of_piece) == 5 * 8 for of_piece in heat)


def test_a_heat_map_of_a_puzzle_without_a_board(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["count", "--heatmap", "--quiet", "queens:4"]) == 0
    lines = capsys.readouterr().out.strip().split("\n")
    assert lines[0] == "2"
    assert sum(int(line.split()[0]) for line in lines[2:]) == 2 * 4


def test_samples_are_solutions_and_a_seed_repeats_them(capsys: pytest.CaptureFixture[str]) -> None:
    texts = []
    for seed in ("5", "5", "6"):
        assert run(["solve", "--sample", "6", "--seed", seed, "--quiet", "domino:6x6"]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1] != texts[2]
    assert len(texts[0].strip().split("\n\n")) == 6


def test_every_index_is_another_solution(capsys: pytest.CaptureFixture[str]) -> None:
    boards = set()
    for index in range(4):
        assert run(["solve", "--index", str(index), "--quiet", "pentomino:3x5:PUV"]) == 0
        boards.add(capsys.readouterr().out.strip())
    assert len(boards) == 4
    assert "VPPUU\nVPPPU\nVVVUU" in boards
    assert run(["solve", "--index", "4", "--quiet", "pentomino:3x5:PUV"]) == 2
    assert "there are 4" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
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
def test_what_cannot_be_answered(
    arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*arguments, "--quiet"]) == code
    output = capsys.readouterr()
    assert said in output.out + output.err


@pytest.mark.parametrize("backend", ["dlx", "cpsat"])
def test_classes_as_json(backend: str, capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["--up-to-symmetry", "--json", "--backend", backend]
    assert run(["count", *flags, "pentomino:3x5:PUV"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["count"], answer["up_to_symmetry"], answer["symmetries"]) == (4, 1, 4)


def test_classes_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["count", "--up-to-symmetry", "--quiet", "pentomino:3x20"]) == 0
    assert capsys.readouterr().out == "8\n2 up to 4 symmetries\n"
