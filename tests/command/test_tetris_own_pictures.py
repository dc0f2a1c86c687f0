"""Pictures as users bring them are printed, or refused in one line that says what to do."""

from __future__ import annotations

import io
import random
from pathlib import Path

import numpy as np
import pytest
from helpers.cli import Typed
from helpers.own_pictures import Brought, blob, brought, enlarged, framed, on
from PIL import Image

from twostep.compare.command.shared.exits import Exit

PICTURES = list(brought())
FEW = {"sprite-1", "enlarged-wide", "white-0", "smooth-0", "photo-0", "text-2", "one", "nothing"}


def check(picture: Brought, typed: Typed, *flags: str) -> None:
    picture.image.save("own.png")
    code, out, err = typed("tetris", "print", "own.png", "o.png", *picture.flags, *flags, "--bare")
    if picture.refused is not None:
        assert (code, out) == (Exit.USAGE, "")
        assert err.startswith("twostep: own.png: ")
        assert picture.refused in err
        assert err.count("\n") == 1
        return
    assert code == Exit.OK, err
    assert out.startswith("o.png: printed")
    assert all(line.startswith("twostep: note: own.png: ") for line in err.splitlines())
    with Image.open("o.png") as printed:
        assert printed.width <= 17
        assert printed.height <= 32
        found = np.array(printed)
    opaque = found[found[:, :, 3] == 255]
    assert 1 <= len(np.unique(opaque, axis=0)) <= 3


def test_there_are_fifty_pictures() -> None:
    assert len({picture.name for picture in PICTURES}) == len(PICTURES) == 50


@pytest.mark.parametrize("picture", [p for p in PICTURES if p.name in FEW], ids=lambda p: p.name)
def test_some_pictures_are_printed_or_refused(picture: Brought, here: Path, typed: Typed) -> None:
    check(picture, typed, "--table-only")


@pytest.mark.long
@pytest.mark.parametrize("picture", PICTURES, ids=lambda p: p.name)
def test_all_pictures_are_printed_or_refused(picture: Brought, here: Path, typed: Typed) -> None:
    check(picture, typed)


def printed(typed: Typed, *flags: str) -> Image.Image:
    assert (
        typed("tetris", "print", "s.png", "o.png", "--bare", "--table-only", *flags)[0] == Exit.OK
    )
    with Image.open("o.png") as image:
        return image.copy()


def test_enlarged_pixels_are_printed_as_one(here: Path, typed: Typed) -> None:
    small = blob(random.Random(3), 16, 7)
    enlarged(small, 4).save("s.png")
    code, _, err = typed("tetris", "convert", "s.png", "-o", "p.txt", "--table-only")
    assert (code, err) == (
        Exit.OK, "twostep: note: s.png: enlarged pixels of 4 x 4 are taken as one\n",
    )  # fmt: skip
    assert np.array_equal(np.array(printed(typed)), np.array(small))


def test_a_colour_can_be_taken_as_transparent(here: Path, typed: Typed) -> None:
    small = blob(random.Random(4), 9, 6)
    on((1, 2, 3), small).save("s.png")
    wanted = np.array(small)
    for colour in ("010203", "#010203", "rgb(1, 2, 3)"):
        assert np.array_equal(np.array(printed(typed, "--transparent", colour)), wanted)
    code, _, err = typed("tetris", "convert", "s.png", "--transparent", "blak")
    assert code == Exit.USAGE
    assert "expected a colour such as FF8000 or white, got 'blak'" in err


def test_fitted_pictures_have_the_colours_that_matter(here: Path, typed: Typed) -> None:
    """Two flat halves with one stray pixel each: of two colours, the two flat ones come out."""
    image = Image.new("RGB", (40, 20), (250, 240, 10))
    image.paste((10, 20, 200), (20, 0, 40, 20))
    image.putpixel((3, 3), (90, 90, 90))
    image.save("s.png")
    found = np.array(printed(typed, "--fit", "--colours", "2"))
    assert found.shape == (8, 17, 4)
    assert found[0, 0].tolist() == [250, 240, 10, 255]
    assert found[-1, -1].tolist() == [10, 20, 200, 255]
    code, _, err = typed("tetris", "convert", "s.png", "--colours", "2")
    assert code == Exit.USAGE
    assert err.startswith("twostep: --colours: give --fit as well, which finds that many")


def test_empty_rows_below_are_left_out_and_the_rest_is_told(here: Path, typed: Typed) -> None:
    framed(17, 32).save("s.png")
    said = typed("tetris", "print", "s.png", "o.png", "--table-only")
    assert said.out.startswith("o.png: printed exactly (")
    assert "15 empty rows below the picture are left out" in said.err
    image = framed(5, 5)
    image.putpixel((2, 4), (1, 2, 3, 255))
    image.save("s.png")
    said = typed("tetris", "print", "s.png", "o.png", "--table-only")
    assert said.out.startswith("o.png: printed, with 1 square beside the picture (")


def test_an_image_comes_from_standard_input(
    here: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    buffer = io.BytesIO()
    framed(3, 2).save(buffer, "PNG")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(buffer.getvalue())))
    said = typed("tetris", "convert", "-", "--table-only")
    assert (said.code, said.err) == (Exit.OK, "")
    assert said.out.startswith("887000\n")
