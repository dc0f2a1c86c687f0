"""`twostep tetris` as its users meet it: sprites in, games out, one clear line on bad input."""

from __future__ import annotations

import io
import json
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.cli import Typed
from PIL import Image

from twostep.compare.command.shared.exits import Exit
from twostep.models import InputError
from twostep.models.families.tetris.intake import Intake
from twostep.models.families.tetris.sprite import (
    EMPTY,
    Sprite,
    own_sprites,
    read_own_sprite,
    read_sprite,
)

SPRITES = Path(__file__).resolve().parents[2] / "models" / "families" / "tetris" / "sprites"
RED, GREEN, BLUE, GREY = (255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 255, 255), (9, 9, 9, 255)
CLEAR = (0, 0, 0, 0)


def image(*lines: str) -> Image.Image:
    """An image from a drawing: r, g, b, k are colours, a dot is transparent, h is half so."""
    colour = {"r": RED, "g": GREEN, "b": BLUE, "k": GREY, ".": CLEAR, "h": (255, 0, 0, 128)}
    made = Image.new("RGBA", (len(lines[0]), len(lines)))
    for y, line in enumerate(lines):
        for x, character in enumerate(line):
            made.putpixel((x, y), colour[character])
    return made


def facts(typed: Typed, *arguments: str) -> dict[str, Any]:
    said = typed(*arguments, "--json")
    assert said.code == Exit.OK
    return said.json


# --- from sprite to picture -----------------------------------------------------------------------


def test_print_shows_the_sprite_at_the_end_of_the_animation(here: Path, typed: Typed) -> None:
    image("r.g", "bbb").save("s.png")
    code, out, err = typed("tetris", "print", "s.png", "out.gif", "--cell", "3")
    assert (code, err) == (Exit.OK, "")
    assert out.startswith("out.gif: printed exactly (")
    with Image.open("out.gif") as film:
        assert film.size == (21 * 3, 46 * 3)
        frames = getattr(film, "n_frames", 1)
        pieces = int(out.split("(")[1].split(" ")[0])
        assert frames > 5 * pieces / 2, "each piece comes in, falls and rests"
        film.seek(frames - 1)
        last = film.convert("RGB")
    assert film.info["duration"] >= 2000
    squares = {(x, y): last.getpixel((3 * x + 1, 3 * y + 1)) for x in range(21) for y in range(46)}
    background = squares[(0, 20)]
    coloured = {
        cell: value for cell, value in squares.items() if value != background and cell[1] > 3
    }
    assert coloured == {
        (2, 44): RED[:3], (4, 44): GREEN[:3],
        (2, 45): BLUE[:3], (3, 45): BLUE[:3], (4, 45): BLUE[:3],
    }  # fmt: skip


@pytest.mark.parametrize("name", sorted(path.stem for path in SPRITES.glob("*.png")))
def test_sprites_of_our_own_come_out_pixel_by_pixel(name: str, here: Path, typed: Typed) -> None:
    source = str(SPRITES / f"{name}.png")
    code, _, _ = typed("tetris", "convert", source, "-o", "p.txt", "--table-only")
    assert code == Exit.OK
    assert typed("tetris", "check", "p.txt", source)[0] == Exit.OK
    # `play` has not seen the sprite: what it leaves out are empty columns on the right.
    assert typed("tetris", "play", "p.txt", "o.png", "--bare")[0] == Exit.OK
    with Image.open(source) as wanted, Image.open("o.png") as got:
        expected, found = np.array(wanted.convert("RGBA")), np.array(got)
    assert np.array_equal(expected[:, : found.shape[1]], found)
    assert not expected[:, found.shape[1] :, 3].any()


def test_there_are_ten_sprites_and_all_need_fewer_pieces_with_the_real_time_search(
    here: Path, typed: Typed
) -> None:
    assert len(own_sprites()) == len(list(SPRITES.glob("*.png"))) == 10
    for source in ("fish", "cup"):
        searched = facts(typed, "tetris", "convert", source, "-o", "a.txt")
        by_table = facts(typed, "tetris", "convert", source, "-o", "b.txt", "--table-only")
        assert searched["pieces"] < 0.7 * by_table["pieces"]
        assert typed("tetris", "check", "a.txt", source)[0] == Exit.OK


@pytest.mark.usefixtures("here")
def test_one_pass_is_one_pass(typed: Typed) -> None:
    image("r").save("s.png")
    said = typed("tetris", "print", "s.png", "out.png")
    assert said.out == "out.png: printed exactly (16 pieces, 1 pass, 0 platforms)\n"


def test_frames_and_moves_are_written(here: Path, typed: Typed) -> None:
    image("r").save("s.png")
    printed = facts(
        typed, "tetris", "print", "s.png", "film-frames/", "--every", "1", "--fps", "10",
        "--moves", "moves.json", "-o", "p.txt",
    )  # fmt: skip
    frames = sorted(Path("film-frames").iterdir())
    assert [path.name for path in frames[:2]] == ["frame-00001.png", "frame-00002.png"]
    assert len(frames) == printed["frames"] > printed["pieces"] + 20, "25 frames of the end"
    moves = json.loads(Path("moves.json").read_text(encoding="utf-8"))
    assert len(moves["moves"]) == printed["pieces"] == 16
    assert {"piece", "turns", "shift", "column", "row"} == moves["moves"][0].keys()
    assert typed("tetris", "play", "p.txt", "o.png", "--moves", "moves.txt")[0] == Exit.OK
    lines = Path("moves.txt").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 17
    assert lines[1].split()[0] in "IJLOSTZ"
    # A folder with something in it is not touched.
    code, _, err = typed("tetris", "play", "p.txt", "film-frames/")
    assert (code, err) == (
        Exit.USAGE,
        "twostep: film-frames/: expected a new or empty folder for the frames\n",
    )


def test_the_same_seed_prints_the_same_pieces(here: Path, typed: Typed) -> None:
    image("rgbrg", "grrbb").save("s.png")
    one, two, other = (
        typed("tetris", "convert", "s.png", "--seed", seed)[1] for seed in ("4", "4", "5")
    )
    assert one == two != other


def test_patterns_prints_the_table(typed: Typed) -> None:
    code, out, _ = typed("tetris", "patterns")
    assert code == Exit.OK
    lines = [line.split() for line in out.splitlines()]
    assert lines[0] == ["squares", "rows", "pieces", "patterns"]
    assert lines[2] == ["1", "7", "37", "4"]
    assert lines[8] == ["6", "2", "12", "35"]
    assert lines[-1][:2] == ["1872", "patterns;"]
    assert "10 platforms, from 0, 2, 4, 6, 8, 10, 12, 14, 16, 18" in out


@pytest.mark.parametrize(
    ("flags", "line"),
    [
        ("--squares 1 --height 3", "21 x 3, 16 pieces each: 15 of 19 patterns of"),
        ("--squares 6 --height 2", "21 x 2, 12 pieces each: 35 of 84 patterns of"),
        ("--squares 1 --height 1 --width 3", "3 x 1, 1 piece each: 1 of 1 pattern of 1 square\n"),
        ("--squares 2 --height 6 --attempts 40", "21 x 6, 32 pieces each: 136 of 136"),
    ],
)
def test_patterns_are_searched_for_by_size(flags: str, line: str, typed: Typed) -> None:
    """Known: 15 of 19, 35 of 84, all of 136 (the table of patterns)."""
    said = typed("tetris", "patterns", *flags.split())
    assert (said.code, said.err) == (Exit.OK, "")
    assert said.out.startswith(f"packed in {line}")


def test_patterns_of_another_width_are_packed_whole(here: Path, typed: Typed) -> None:
    flags = ["--squares", "2", "--height", "3", "--width", "10", "-o", "w.txt"]
    assert typed("tetris", "patterns", *flags).out.count("15 of 15 patterns") == 1
    for block in Path("w.txt").read_text(encoding="utf-8").strip().split("\n\n"):
        lines = block.split("\n")
        assert [len(line) for line in lines] == [10, 10, 10]
        letters = "".join(lines)
        assert [letters.count(letter) for letter in "ABCDEFGH"] == [3, 3, 4, 4, 4, 4, 4, 4]


@pytest.mark.parametrize(
    ("flags", "complaint"),
    [
        ("--squares 1 --height 4", "85, which is not divisible by 4; heights that are: 3, 7, 11"),
        ("--squares 8 --height 4", "8 squares in 21 columns: expected at most 7"),
        ("--width 9", "by --squares and --height: give both"),
        ("--squares 4 --height 12 --width 40", "121 pieces, expected at most 62"),
    ],
)
def test_searches_that_make_no_sense_are_refused(flags: str, complaint: str, typed: Typed) -> None:
    code, _, err = typed("tetris", "patterns", *flags.split())
    assert code == Exit.USAGE
    assert complaint in err


def test_workers_give_the_same_pieces(here: Path, typed: Typed) -> None:
    image("rgb.r", "grrbb", "r.bb.").save("s.png")
    one = typed("tetris", "convert", "s.png").out
    assert typed("tetris", "convert", "s.png", "--workers", "2").out == one


def test_a_search_without_time_prints_from_the_table(here: Path, typed: Typed) -> None:
    image("rgb.r", "grrbb").save("s.png")
    said = typed("tetris", "convert", "s.png", "--time-limit", "0")
    assert said.out == typed("tetris", "convert", "s.png", "--table-only").out
    assert said.err == "twostep: note: time limit: 2 rows were printed from the table\n"
    code, _, err = typed("tetris", "convert", "s.png", "--table-only", "--effort", "low")
    assert code == Exit.USAGE
    assert err.startswith("twostep: --effort: of the real-time search, without --table-only")


def test_more_effort_needs_fewer_pieces(here: Path, typed: Typed) -> None:
    pieces = [
        facts(typed, "tetris", "convert", "fish", "-o", "p.txt", "--effort", effort)["pieces"]
        for effort in ("low", "normal")
    ]
    assert pieces[0] > pieces[1]


# --- images ---------------------------------------------------------------------------------------


def test_our_own_sprites_go_by_name_unless_there_is_such_a_file(here: Path, typed: Typed) -> None:
    help_text = typed("tetris", "--help")[1]
    assert all(f"{name}," in help_text or f"{name}." in help_text for name in own_sprites())
    assert read_own_sprite("key") == read_sprite(SPRITES / "key.png")
    with pytest.raises(InputError, match="did you mean 'tower'"):
        read_own_sprite("towel")
    image("r").save("key", "PNG")
    assert facts(typed, "tetris", "convert", "key", "-o", "p.txt")["pieces"] == 16


@pytest.mark.parametrize(
    ("suffix", "mode"),
    [("png", "RGBA"), ("png", "P"), ("png", "LA"), ("png", "L"), ("png", "1"), ("gif", "P"),
     ("bmp", "RGB"), ("tiff", "RGB"), ("webp", "RGBA"), ("jpeg", "RGB")],
)  # fmt: skip
def test_images_of_many_kinds_are_read(suffix: str, mode: str, here: Path) -> None:
    options = {"lossless": True} if suffix == "webp" else {}
    image("kk", "kk").convert(mode).save(f"s.{suffix}", **options)
    found = read_sprite(f"s.{suffix}")
    assert (found.width, found.height) == (2, 2)
    assert sum(pixel != EMPTY for row in found.pixels for pixel in row) == 4


def test_an_image_that_is_a_program_is_not_run(here: Path) -> None:
    """Pillow hands an EPS file, which is PostScript, to an interpreter."""
    image("kk").convert("RGB").save("s.eps")
    with pytest.raises(InputError, match="no image that can be read, one of PNG, "):
        read_sprite("s.eps")


def test_of_a_moving_gif_the_first_frame_counts(here: Path) -> None:
    image("r.", "..").save("s.gif", save_all=True, append_images=[image("gg", "gg")])
    found = read_sprite("s.gif")
    assert found.colours == ((255, 0, 0),)
    assert found.pixels == ((1, 0),), "the empty row below is left out"
    assert found.notes[0] == "frame 1 of 2; --frame chooses another"
    assert read_sprite("s.gif", Intake(frame=2)).colours == ((0, 255, 0),)
    with pytest.raises(InputError, match=r"s\.gif: frame 3: the image has 2 frames"):
        read_sprite("s.gif", Intake(frame=3))


def test_colours_are_numbered_by_first_appearance_from_the_top(here: Path) -> None:
    image(".b", "rg").save("s.png")
    found = read_sprite("s.png")
    assert found.colours == (BLUE[:3], RED[:3], GREEN[:3])
    assert found.pixels == ((2, 3), (0, 1))


def test_a_half_transparent_pixel_is_transparent_with_a_note(here: Path, typed: Typed) -> None:
    image("rr", "rh").save("s.png")
    code, _, err = typed("tetris", "print", "s.png", "out.png", "--bare")
    assert code == Exit.OK
    assert err == (
        "twostep: note: s.png: 1 half-transparent pixel is taken as transparent,"
        " the first is pixel 2 of line 2\n"
    )
    with Image.open("out.png") as got:
        assert got.getpixel((1, 1)) == CLEAR
        assert got.getpixel((0, 1)) == RED


def giant(width: int, height: int) -> bytes:
    """A PNG of giant size with no pixels in it: to decode it would fail, or fill the memory."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")


def as_png(made: Image.Image) -> bytes:
    buffer = io.BytesIO()
    made.save(buffer, "PNG")
    return buffer.getvalue()


WHOLE = as_png(image("rgb", "bgr"))


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (as_png(image("r" * 18)), "18 pixels wide, expected at most 17"),
        (as_png(image(*["r"] * 33)), "33 pixels high, expected at most 32"),
        (as_png(image("rgb", "rkb")), "pixel 2 of line 2 is 090909, after FF0000, 00FF00, 0000FF"),
        (as_png(image("...", "...")), "no opaque pixel"),
        (as_png(image("h")), "no opaque pixel in the image, only transparent and half-transparent"),
        (b"not an image at all", "no image that can be read"),
        (b"", "the file is empty"),
        (WHOLE[:40], "damaged or truncated|no image that can be read"),
        (WHOLE[:-20], "damaged or truncated"),
        (WHOLE[:45] + b"\xff" * 6 + WHOLE[51:], "damaged or truncated"),
        (giant(5000, 4000), "5000 x 4000 pixels, expected at most 16,777,216 in all"),
        (giant(200_000, 200_000), "far too large"),
        (b"\x89PNG\r\n\x1a\n" + bytes(17_000_000), "too large: more than 16,777,216 bytes"),
        (as_png(Image.new("I;16", (3, 3), 300)), "more than 8 bits per colour"),
    ],
)
def test_bad_images_are_refused_and_nothing_is_written(
    content: bytes, complaint: str, here: Path, typed: Typed
) -> None:
    Path("s.png").write_bytes(content)
    with pytest.raises(InputError, match=f"^s.png: .*({complaint})"):
        read_sprite("s.png")
    code, out, err = typed("tetris", "print", "s.png", "out.gif", "-o", "p.txt")
    assert (code, out) == (Exit.USAGE, "")
    assert err.startswith("twostep: s.png: ")
    assert err.count("\n") == 1
    assert [path.name for path in here.iterdir()] == ["s.png"]


def test_every_cut_of_an_image_is_refused_or_read_whole(here: Path) -> None:
    whole = read_of(WHOLE)
    found = [read_of(WHOLE[:length]) for length in range(1, len(WHOLE))]
    assert set(found) <= {whole, None}
    assert found.count(None) > 0.9 * len(found)


def read_of(content: bytes) -> Sprite | None:
    """The sprite, or None if it is refused (any other error fails the test)."""
    Path("cut.png").write_bytes(content)
    try:
        return read_sprite("cut.png")
    except InputError:
        return None


def test_a_file_that_prints_something_else_is_exit_20(here: Path, typed: Typed) -> None:
    image("r").save("s.png")
    image("g").save("other.png")
    image("rr").save("wider.png")
    assert typed("tetris", "convert", "s.png", "-o", "p.txt", "--table-only")[0] == Exit.OK
    for sprite, difference in (("other.png", "the colo"), ("wider.png", "row 1, co")):
        code, out, err = typed("tetris", "check", "p.txt", sprite)
        assert (code, err) == (Exit.NONE, "")
        assert out.startswith(f"p.txt prints something else than {sprite}: {difference}")
        said = typed("tetris", "check", "p.txt", sprite, "--json")
        assert (said.code, said.json["outcome"], said.json["valid"]) == (Exit.NONE, "none", False)
        assert said.json["difference"].startswith(difference)


# --- bad files and flags --------------------------------------------------------------------------


def test_errors_name_the_file_the_block_the_piece_and_the_column(here: Path, typed: Typed) -> None:
    image("r").save("s.png")
    assert typed("tetris", "convert", "s.png", "-o", "p.txt", "--table-only")[0] == 0
    text = Path("p.txt").read_text(encoding="utf-8")
    swapped = text[:8] + text[8:].translate(str.maketrans("BE", "EB"))
    Path("swapped.txt").write_text(swapped, encoding="utf-8")
    Path("bad.txt").write_text(text.replace("B", "?", 1).replace("?", "*"), encoding="utf-8")
    Path("half.txt").write_bytes(b"\xff\xfe")
    bad = "twostep: swapped.txt:3: block 1, piece B ("
    for arguments in (["check", "swapped.txt", "s.png"], ["play", "swapped.txt", "o.png"]):
        code, _, err = typed("tetris", *arguments)
        assert code == Exit.USAGE
        assert err.startswith(bad)
        assert "it floats" in err
        assert not Path("o.png").exists()
    for arguments, complaint in [
        (["play", "bad.txt", "o.png"], "bad.txt:"),
        (["play", "missing.txt", "o.png"], "missing.txt: there is no such file"),
        (["play", "half.txt", "o.png"], "half.txt:1: not UTF-8 text"),
        (
            ["play", "p.txt", "o.avi"],
            "o.avi: expected a name that ends in .gif, .apng, .mp4 or .png, or a",
        ),
        (["play", "p.txt", "no/o.png"], "no/o.png: cannot be written"),
        (["print", "s.png", "o.gif", "--fps", "0"], "Invalid value for '--fps'"),
        (["print", "s.png", "o.gif", "--every", "0"], "Invalid value for '--every'"),
        (["print", "s.png", "o.gif", "--seed", "-1"], "Invalid value for '--seed'"),
        (["print", "s.png"], "Missing argument 'OUT'"),
        (["prnt", "s.png"], "No such command 'prnt'"),
    ]:
        code, out, err = typed("tetris", *arguments)
        assert (code, out) == (Exit.USAGE, ""), arguments
        assert err.startswith(f"twostep: {complaint}"), err
        assert err.count("\n") == 1
