"""The verbs split, part and merge, and the flags of count, as they are typed."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest
from helpers.cli import Typed

PUZZLE = "pentomino:3x5:PUV"


pytestmark = pytest.mark.usefixtures("here")


def test_parts_are_searched_by_either_engine_and_add_up(typed: Typed) -> None:
    code, out, _ = typed("split", PUZZLE, "plan", "--parts", "4")
    assert code == 0
    parts = int(out.split()[1])
    assert parts >= 4
    for number in range(parts):
        backend = ("dlx", "cpsat")[number % 2]
        assert typed("part", "plan", PUZZLE, str(number), "--backend", backend, "--digest")[0] == 0
    code, out, _ = typed("merge", "plan", PUZZLE, "--json")
    merged = json.loads(out)
    assert (code, merged["count"], merged["complete"]) == (0, 4, True)
    assert merged["backends"][0]["name"] == "cpsat+dlx"
    code, out, _ = typed("compare", PUZZLE, "--json")
    assert merged["digest"] in json.loads(out)["digests"]


def test_a_part_is_searched_once_and_no_other_result_is_overwritten(typed: Typed) -> None:
    typed("split", PUZZLE, "plan", "--parts", "4")
    assert typed("part", "plan", PUZZLE, "0")[0] == 0
    before = Path("plan.0").read_bytes()
    code, out, _ = typed("part", "plan", PUZZLE, "0")
    assert (code, "known already" in out) == (0, True)
    assert Path("plan.0").read_bytes() == before
    code, _, err = typed("part", "plan", PUZZLE, "1", "plan.0")
    assert (code, err) == (2, "twostep: plan.0: there is already another result, of part 0\n")
    code, _, err = typed("part", "plan", PUZZLE, "99")
    assert code == 2
    assert "no part 99" in err


def test_a_limit_leaves_no_result_of_a_part(typed: Typed) -> None:
    typed("split", "pentomino:6x10", "plan", "--parts", "1")
    code, out, err = typed("part", "plan", "pentomino:6x10", "0", "--time-limit", "0", "--quiet")
    assert (code, out) == (30, "")
    assert "nothing written" in err
    assert not Path("plan.0").exists()


def test_a_plan_of_another_puzzle_is_refused(typed: Typed) -> None:
    typed("split", PUZZLE, "plan")
    for verb in (("merge", "plan", "queens:4"), ("part", "plan", "queens:4", "0")):
        code, _, err = typed(*verb)
        assert code == 2
        assert f"a plan for another model (of {PUZZLE!r})" in err


def test_flags_that_do_not_go_together_are_refused(typed: Typed) -> None:
    for flags, what in (
        (("--checkpoint", "c", "--backend", "both"), "one engine"),
        (("--workers", "2", "--heatmap"), "takes no --heatmap"),
        (("--workers", "2", "--cluster", "tcp://x:1"), "--workers"),
        (("--parts", "2", "--node-limit", "5"), "time and memory only"),
    ):
        code, _, err = typed("count", PUZZLE, *flags)
        assert code == 2
        assert what in err
        assert not Path("c").exists()
    for flags, what in (
        (("--checkpoint", "c"), "-o FILE"),
        (("--checkpoint", "c", "-o", "./c"), "./c: cannot be written: something else is"),
        (("--checkpoint", "c", "-o", "f", "--backend", "both"), "one engine"),
        (("--workers", "2", "--seed", "3"), "takes no --seed"),
        (("--sample", "1", "-o", "f"), "give one of them"),
    ):
        code, _, err = typed("solve", PUZZLE, "-n", "0", *flags)
        assert code == 2
        assert what in err
        assert not Path("c").exists()
        assert not Path("f").exists()
    for flags in (("--sample", "2"), ("--index", "0"), ("--cheapest",)):
        code, _, err = typed("solve", PUZZLE, "--parts", "2", *flags)
        assert (code, f"takes no {flags[0]}" in err) == (2, True)


@pytest.mark.parametrize("flags", [(), ("--workers", "2"), ("--parts", "5"), ("--checkpoint", "c")])
def test_solve_writes_all_boards_to_a_file(typed: Typed, flags: tuple[str, ...]) -> None:
    Path("all").write_text("what was there before\n" * 100)
    printed = typed("solve", PUZZLE, "-n", "0").out.rstrip("\n")
    assert typed("solve", PUZZLE, "-n", "0", "-o", "all", *flags)[:2] == (0, "all: 4\n")
    boards = Path("all").read_text().removesuffix("\n").split("\n\n")
    assert sorted(boards) == sorted(printed.split("\n\n"))
    if flags:  # in parts, and to standard output
        flags = flags if flags[0] != "--checkpoint" else ("--parts", "3")
        printed = typed("solve", PUZZLE, "-n", "0", *flags).out.rstrip("\n")
        assert sorted(printed.split("\n\n")) == sorted(boards)


@pytest.mark.parametrize(
    "flags",
    [
        ("-n", "0", "--parts", "2", "--node-limit", "9"),
        ("-n", "100000", "--checkpoint", "c"),
        ("-n", "0", "--checkpoint", "wrong"),
        ("-n", "2", "--checkpoint", "wrong"),
    ],
)
def test_what_is_refused_leaves_the_file_of_boards_as_it_was(
    typed: Typed, flags: tuple[str, ...]
) -> None:
    Path("wrong").write_text("{}")
    Path("f").write_text("what was there before\n")
    said = typed("solve", PUZZLE.replace("3x5:PUV", "6x10"), "-o", "f", *flags)
    assert (said.code, said.out) == (2, "")
    assert Path("f").read_text() == "what was there before\n"
    assert not Path("c").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no such devices")
def test_boards_go_into_devices_and_pipes_too_but_no_search_is_resumed_with_one(
    typed: Typed,
) -> None:
    os.mkfifo("pipe")
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(Path("pipe").read_text()))
    reader.start()
    assert typed("solve", "queens:6", "-n", "0", "-o", "pipe").code == 0
    reader.join()
    assert got[0].count("Q") == 6 * 4
    for puzzle in ("queens:6", "queens:10"):  # 10: more than a buffer holds
        for flags in ((), ("--parts", "3")):
            assert typed("solve", puzzle, "-n", "0", "-o", "/dev/null", *flags).code == 0
            said = typed("solve", puzzle, "-n", "0", "-o", "/dev/full", "--quiet", *flags)
            assert said.code == 2
            assert said.err == "twostep: /dev/full: cannot be written: No space left on device\n"
    said = typed("solve", "queens:6", "-n", "0", "-o", "/dev/null", "--checkpoint", "c")
    assert "no file that a search can be resumed with" in said.err


def test_a_puzzle_without_solutions_leaves_an_empty_file_of_boards(typed: Typed) -> None:
    for flags in ((), ("--parts", "3"), ("-n", "0", "--checkpoint", "c")):
        Path("f").write_text("what was there before\n")
        assert typed("solve", "queens:3", "-o", "f", *flags).code == 20
        assert not Path("f").read_text()
    Path("f").write_text("what was there before\n")
    assert "too few" in typed("solve", "pentomino:8x8", "-o", "f").out  # needs no search
    assert not Path("f").read_text()


def test_certify_writes_what_verify_accepts(typed: Typed) -> None:
    assert typed("certify", PUZZLE, "c.gz", "--quiet")[:2] == (0, "4\n")
    code, out, _ = typed("verify", "c.gz", PUZZLE, "--json")
    assert code == 0
    assert json.loads(out)["count"] == 4
    assert typed("solve", PUZZLE, "--certificate", "one.gz", "--quiet")[0] == 0
    assert "at least 1 solution" in typed("verify", "one.gz", PUZZLE)[1]
    assert typed("unique", PUZZLE, "--certificate", "two.gz", "--quiet")[0] == 10
    assert "at least 2 solutions" in typed("verify", "two.gz", PUZZLE)[1]
    assert typed("count", "pentomino:3x6", "--certificate", "none.gz", "--quiet")[0] == 0
    assert "exactly 0 solutions" in typed("verify", "none.gz", "pentomino:3x6")[1]
    code, _, err = typed("certify", "pentomino:6x10", "c2.gz", "--node-limit", "100")
    assert code == 30
    assert "no certificate was written" in err
    assert not Path("c2.gz").exists()


def test_a_memory_limit_ends_a_solve_in_parts_with_whole_parts(typed: Typed) -> None:
    said = typed(
        "solve", "domino:6x6", "-n", "0", "--parts", "50", "--memory-limit", "40K", "--json"
    )
    assert said.code == 30
    assert said.json["stopped_by"] == "memory"
    assert said.json["count"] == len(said.json.get("solutions", []))
