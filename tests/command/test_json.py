"""What ``--json`` prints, and that docs/scripts.md tells it all."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers.cli import ROOT, Typed

from twostep.compare.command import VERBS
from twostep.compare.command.shared.exits import Exit
from twostep.compare.command.shared.output import Outcome

COMMON = {
    "schema", "puzzle", "verb", "outcome", "count", "complete", "stopped_by", "backends",
}  # fmt: skip
SOMETIMES = {"solutions", "reason"}

ASKED = {
    "solve": [
        "solve queens:6 -o boards.txt", "solve queens:6 --sample 2", "solve queens:6 -o q.png",
        "solve pentomino:3x5:PUV",
    ],
    "count": [
        "count queens:6", "count queens:6 --heatmap", "count queens:6 --heatmap -o h.png",
        "count domino:4x4 --up-to-symmetry",
    ],
    "estimate": ["count queens:6 --estimate"],
    "unique": ["unique queens:6"],
    "best": ["best queens:6"],
    "compare": ["compare queens:6"],
    "convert": ["convert queens:4 q.dlx"],
    "split": ["split queens:6 plan --parts 2"],
    "part": ["part plan queens:6 0", "part plan queens:6 0", "part plan queens:6 1 --time-limit 0"],
    "merge": ["merge few queens:4"],
    "certify": ["certify queens:4 c.gz", "certify queens:6 none.gz --time-limit 0"],
    "verify": [
        "verify c.gz queens:4", "verify r.json queens:4", "verify filling.txt pentomino:3x5:PUV",
    ],
    "generate": [
        "generate --count 2 --pieces 3 --backend dlx",
        "generate --count 2 --pieces 3 --backend dlx -o pack.json",
    ],
    "check": ["check pack.json --no-memory --workers 1"],
    "hint": ["hint pentomino:3x5:PUV", "hint pentomino:6x10 --time-limit 0"],
    "explain": ["explain pentomino:3x5:PUV", "explain domino:4x4-mutilated"],
    "draw": [
        "draw pentomino:3x5:PUV --solution", "draw pentomino:3x5:PUV -o p.png",
        "draw pack.json -o sheet.png", "draw pentomino:6x10 --solution --time-limit 0",
    ],
    "maze": ["maze config.txt"],
    "maze check": ["maze check maze.txt", "maze check hall.txt"],
    "two-tiling": ["two-tiling U5,L4"],
    "two-tiling table": ["two-tiling table --board 2"],
    "two-tiling check": ["two-tiling check cases.txt answers.txt"],
    "tetris print": ["tetris print heart h.png -o h.txt"],
    "tetris convert": ["tetris convert heart --table-only"],
    "tetris tiles": ["tetris tiles h.png t.png --fit --grid 2x1 --table-only"],
    "tetris play": ["tetris play h.txt i.png"],
    "tetris check": ["tetris check h.txt heart", "tetris check h.txt fish"],
    "tetris patterns": ["tetris patterns"],
}  # fmt: skip
"""For each line of the page, what makes it; in an order in which files are there when needed."""


def described() -> dict[str, set[str]]:
    """The members that the page gives each verb, besides those of all."""
    page = (ROOT / "docs" / "scripts.md").read_text(encoding="utf-8")
    table = page.partition("| verb | members | |\n|---|---|---|\n")[2].partition("\n\n")[0]
    rows = [row.split("|")[1:3] for row in table.splitlines()]
    return {verb.strip(" `"): set(re.findall(r"\w+", members)) for verb, members in rows}


def test_every_verb_is_asked_and_on_the_page() -> None:
    assert {verb.split()[0] for verb in ASKED} == set(VERBS) - {"puzzles", "bench"} | {"estimate"}
    assert set(described()) == set(ASKED) - {"unique"}  # which has the members of all, no others


def test_each_verb_prints_the_members_that_the_page_tells(here: Path, typed: Typed) -> None:
    Path("filling.txt").write_text("UUVVV\nUPPPV\nUUPPV\n")
    Path("config.txt").write_text(
        "WIDTH=4\nHEIGHT=3\nENTRY=0,0\nEXIT=3,2\nOUTPUT_FILE=maze.txt\nPERFECT=False\nSEED=42\n"
    )
    Path("hall.txt").write_text("913\n802\nC46\n\n0,0\n2,2\nEESE\n")
    Path("cases.txt").write_text(typed("two-tiling", "cases").out)
    Path("answers.txt").write_text(typed("two-tiling", "U5,L4").out)
    assert typed("compare", "queens:4", "--record", "r.json").code == Exit.OK
    for part in range(typed("split", "queens:4", "few", "--parts", "2", "--json").json["parts"]):
        assert typed("part", "few", "queens:4", str(part)).code == Exit.OK
    page = described()
    for verb, commands in ASKED.items():
        members: set[str] = set()
        for command in commands:
            said = typed(*command.split(), "--json")
            answer = said.json
            assert answer.keys() >= COMMON, command
            assert (answer["schema"], answer["verb"]) == ("twostep-answer/1", verb)
            assert Outcome(answer["outcome"])
            assert (answer["stopped_by"] == "time") == (said.code == Exit.STOPPED), command
            members |= answer.keys() - COMMON - SOMETIMES
        assert members == page.get(verb, set()), verb


@pytest.mark.parametrize(
    "command",
    [
        "solve pentomino:6x10", "count pentomino:6x10", "unique pentomino:6x10",
        "best pentomino:6x10", "compare pentomino:6x10", "hint pentomino:6x10",
        "explain pentomino:6x10", "draw pentomino:6x10 --solution", "two-tiling U5,L4",
        "check pack.json --no-memory --workers 1", "part plan pentomino:6x10 0",
        "certify pentomino:6x10 c.gz",
    ],
)  # fmt: skip
def test_every_verb_names_the_limit_that_stopped_it(command: str, here: Path, typed: Typed) -> None:
    assert typed("split", "pentomino:6x10", "plan", "--parts", "2").code == Exit.OK
    Path("pack.json").write_text(
        '{"schema": "twostep-level/1", "board": [' + ", ".join(['"' + "." * 10 + '"'] * 6) + "],"
        ' "pieces": ["F","I","L","N","P","T","U","V","W","X","Y","Z"]}'
    )
    said = typed(*command.split(), "--time-limit", "0", "--json")
    assert (said.code, said.json["outcome"]) == (Exit.STOPPED, "unknown")
    assert (said.json["stopped_by"], said.json["complete"]) == ("time", False)
    assert not Path("c.gz").exists()
