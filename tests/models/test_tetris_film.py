"""The printed GIF, replayed frame by frame by a test that shares no code with the printer."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.cli import Typed
from helpers.tetris_replay import replay
from PIL import Image

from twostep.compare.command.shared.exits import Exit

COLOURS = {"r": (200, 30, 40, 255), "g": (90, 160, 60, 255), "b": (70, 90, 250, 255)}


def save(name: str, *lines: str) -> dict[tuple[int, int], tuple[int, int, int]]:
    """Write a drawing as an image; gives where its squares are at the end of the game."""
    image = Image.new("RGBA", (len(lines[0]), len(lines)))
    squares = {}
    for y, line in enumerate(lines):
        for x, character in enumerate(line):
            if character != ".":
                image.putpixel((x, y), COLOURS[character])
                squares[x + 2, len(lines) - 1 - y] = COLOURS[character][:3]
    image.save(name)
    return squares


@pytest.mark.parametrize(
    "drawing", [("rgbrg", "b.r.b"), ("r",), (".rr", "g..", ".g.")], ids=["three", "one", "hole"]
)
def test_no_settled_square_ever_changes_its_colour(
    drawing: tuple[str, ...], here: Path, typed: Typed
) -> None:
    wanted = save("s.png", *drawing)
    code, _, err = typed("tetris", "print", "s.png", "o.gif", "--every", "0", "--cell", "4")
    assert (code, err) == (Exit.OK, "")
    seen = replay(Path("o.gif"), 4)
    assert seen.settled[-1] == wanted
    pieces = typed("tetris", "convert", "s.png", "-o", "p.txt", "--json").json["pieces"]
    assert len(seen.settled) == pieces + 1, "every piece was seen to settle"


def test_j_t_and_l_have_the_colours_of_the_sprite_from_the_start(here: Path, typed: Typed) -> None:
    """Of three colours all three pieces; of one colour only J, and T and L have others."""
    save("s.png", "rgb")
    assert typed("tetris", "print", "s.png", "o.gif", "--every", "0", "--cell", "4")[0] == Exit.OK
    seen = {colour for settled in replay(Path("o.gif"), 4).settled for colour in settled.values()}
    assert {colour[:3] for colour in COLOURS.values()} <= seen
    assert len(seen) <= 7


def paragraphs(text: str) -> list[list[str]]:
    return [part.split("\n") for part in text.strip().split("\n\n")][1:]


@pytest.mark.parametrize("table_only", [False, True])
def test_every_platform_is_gone_right_after_its_rows(
    table_only: bool, here: Path, typed: Typed
) -> None:
    """After a removal nothing stands but the lowest rows of the picture."""
    wanted = save("s.png", "r.b.r", ".g.b.", "r...r", "..b..")
    flags = ["--table-only"] if table_only else []
    typed("tetris", "print", "s.png", "o.gif", "-o", "p.txt", *flags, "--every", "0", "--cell", "4")
    settled = replay(Path("o.gif"), 4).settled
    dropped, removals, standing = 0, 0, False
    for lines in paragraphs(Path("p.txt").read_text(encoding="utf-8")):
        letters = {*"".join(lines)} - {"."}
        dropped += len(letters)
        if letters == {"A"}:
            assert standing
            standing = False
            removals += 1
            rows = {y for _, y in settled[dropped]}
            assert settled[dropped] == {s: c for s, c in wanted.items() if s[1] in rows}
            assert rows == set(range(len(rows)))
        elif "." in lines[0]:
            assert not standing
            standing = True
    assert removals > 0
    assert not standing
    assert dropped == len(settled) - 1
    assert settled[-1] == wanted
