"""Larger pictures, printed as tiles side by side."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from helpers.cli import Typed
from helpers.own_pictures import blob, disc
from helpers.tetris_replay import replay
from PIL import Image

from twostep.compare.command.shared.exits import Exit


def test_a_larger_picture_is_printed_as_tiles(here: Path, typed: Typed) -> None:
    picture = blob(random.Random(5), 30, 6)
    picture.save("s.png")
    said = typed("tetris", "tiles", "s.png", "o.png", "--bare", "--table-only", "-o", "p.txt")
    assert (said.code, said.err) == (Exit.OK, "")
    assert said.out.startswith("o.png: 2 tiles printed")
    with Image.open("o.png") as printed:
        assert np.array_equal(np.array(printed), np.array(picture))
    for column, box in ((1, (0, 0, 15, 6)), (2, (15, 0, 30, 6))):
        picture.crop(box).save("tile.png")
        assert typed("tetris", "check", f"p-1-{column}.txt", "tile.png").code == Exit.OK


def test_the_film_of_tiles_shows_all_games_at_once(here: Path, typed: Typed) -> None:
    """Each of two fields, replayed from the pixels of its part of the film."""
    image = Image.new("RGBA", (18, 1), (0, 0, 0, 0))
    for x, colour in ((0, (200, 0, 0)), (1, (0, 120, 0)), (17, (90, 90, 250))):
        image.putpixel((x, 0), (*colour, 255))
    image.save("s.png")
    flags = ["--table-only", "--cell", "4", "--every", "1"]
    assert typed("tetris", "tiles", "s.png", "o.gif", *flags).code == Exit.OK
    left = replay(Path("o.gif"), 4).settled[-1]
    right = replay(Path("o.gif"), 4, 21 * 4).settled[-1]
    assert left == {(2, 0): (200, 0, 0), (3, 0): (0, 120, 0)}
    assert right == {(10, 0): (90, 90, 250)}


def test_an_image_is_fitted_to_a_grid_of_tiles(here: Path, typed: Typed) -> None:
    disc(60).save("s.png")
    flags = ["--fit", "--grid", "2x1", "--table-only", "--bare"]
    assert typed("tetris", "tiles", "s.png", "o.png", *flags).code == Exit.OK
    with Image.open("o.png") as printed:
        assert printed.size == (32, 32)
        assert len(printed.getcolors() or ()) == 3


@pytest.mark.parametrize(
    ("flags", "complaint"),
    [
        (
            ["--grid", "1x1"],
            "30 x 6 pixels, expected at most 17 x 32 for so many tiles: --grid 2x1",
        ),
        (["--grid", "5x4"], "5 x 4 tiles, expected at most 16 in all"),
        (["--grid", "2"], "expected columns x rows, such as 3x2, got '2'"),
        (["--moves", "m.txt"], "--moves: play the instruction file of a tile with it"),
    ],
)
def test_tiles_that_cannot_be_are_refused(
    flags: list[str], complaint: str, here: Path, typed: Typed
) -> None:
    blob(random.Random(5), 30, 6).save("s.png")
    code, _, err = typed("tetris", "tiles", "s.png", "o.png", *flags)
    assert code == Exit.USAGE
    assert complaint in err
    assert err.count("\n") == 1


def test_a_tile_with_too_many_colours_is_named(here: Path, typed: Typed) -> None:
    image = Image.new("RGB", (34, 1), (9, 9, 9))
    for x in range(4):
        image.putpixel((20 + x, 0), (50 * x, 0, 0))
    image.save("s.png")
    code, _, err = typed("tetris", "tiles", "s.png", "o.png")
    assert code == Exit.USAGE
    assert err.startswith("twostep: s.png: tile 1-2: more than 3 opaque colours")
