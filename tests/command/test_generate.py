"""The verb generate, as its users meet it."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from helpers.cli import Typed, interrupted, started

from twostep.compare.command.shared.exits import Exit
from twostep.models.game.levelfile import parse_pack, read_pack

SHORT = ["generate", "--count", "3", "--pieces", "3..4", "--quiet"]


def test_a_pack_is_printed_or_written(tmp_path: Path, typed: Typed) -> None:
    path = tmp_path / "pack.json"
    arguments = [*SHORT, "--seed", "3", "--name", "Ducks", "--author", "A. N. Other"]
    said = typed(*arguments)
    assert said.code == Exit.OK
    assert typed(*arguments, "-o", str(path)).code == Exit.OK
    assert path.read_text() == said.out
    pack = parse_pack(said.out)
    assert (pack.name, pack.author, len(pack.levels)) == ("Ducks", "A. N. Other", 3)
    for level in pack.levels:
        assert level.seed == 3
        assert level.proof is not None
        assert [witness.engine for witness in level.proof.witnesses] == ["dlx", "cpsat"]
    assert typed("check", str(path), "--no-memory", "--workers", "1").code == Exit.OK


def test_levels_of_another_pack_do_not_come_again(tmp_path: Path, typed: Typed) -> None:
    first, second = str(tmp_path / "a.json"), str(tmp_path / "b.json")
    assert typed(*SHORT, "-o", first).code == Exit.OK
    assert typed(*SHORT, "--not-in", first, "-o", second).code == Exit.OK
    keys = [{level.outline_key for level in read_pack(path).levels} for path in (first, second)]
    assert keys[0].isdisjoint(keys[1])
    # Unlike two runs that know nothing of each other.
    assert typed(*SHORT, "-o", second).code == Exit.OK
    assert {level.outline_key for level in read_pack(second).levels} == keys[0]


@pytest.mark.parametrize(
    "flags",
    [["--count", "0"], ["--pieces", "2..4"], ["--pieces", "3..13"], ["--pieces", "5..4"],
     ["--pieces", "many"], ["--pieces", "3.."], ["--lock", "3"], ["--seed", "-1"],
     ["--not-in", "none.json"], ["--name", "a\x1b[2J"], ["--backend", "no"],
     ["-o", "no/such/folder/pack.json"]],
)  # fmt: skip
def test_bad_usage_is_one_line_and_writes_nothing(
    here: Path, typed: Typed, flags: list[str]
) -> None:
    said = typed(*SHORT, *flags)
    assert said.code == Exit.USAGE
    assert said.err.startswith("twostep: ")
    assert said.err.count("\n") == 1
    assert not any(here.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent as a POSIX signal")
def test_ctrl_c_keeps_the_levels_done_so_far(tmp_path: Path) -> None:
    path = tmp_path / "pack.json"
    process = started(
        "generate", "--count", "10000", "--pieces", "3..12", "--backend", "dlx", "-o", str(path)
    )
    time.sleep(3)  # some levels are done by then; if none is, nothing is written
    said = interrupted(process)
    assert said.code == Exit.STOPPED
    assert "Traceback" not in said.err
    if path.exists():
        done = len(json.loads(path.read_text())["levels"])
        assert f"interrupted: {done} of 10000 levels are done" in said.err
    else:
        assert said.err.strip() in (
            "twostep: interrupted",  # before it began
            "twostep: interrupted: 0 of 10000 levels are done",
        )
