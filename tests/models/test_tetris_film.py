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
