"""The printed GIF, replayed frame by frame by a test that shares no code with the printer."""

from __future__ import annotations

import itertools
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
    code, _, err = typed("tetris", "print", "s.png", "o.gif", "--every", "1", "--cell", "4")
    assert (code, err) == (Exit.OK, "")
    seen = replay(Path("o.gif"), 4)
    assert seen.settled[-1] == wanted
    pieces = typed("tetris", "convert", "s.png", "-o", "p.txt", "--json").json["pieces"]
    assert len(seen.settled) == pieces + 1, "every piece was seen to settle"


def test_j_t_and_l_have_the_colours_of_the_sprite_from_the_start(here: Path, typed: Typed) -> None:
    """Of three colours all three pieces; of one colour only J, and T and L have others."""
    save("s.png", "rgb")
    assert typed("tetris", "print", "s.png", "o.gif", "--every", "1", "--cell", "4")[0] == Exit.OK
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
    typed("tetris", "print", "s.png", "o.gif", "-o", "p.txt", *flags, "--every", "1", "--cell", "4")
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


UPRIGHT = {
    "I": {(8, 43), (9, 43), (10, 43), (11, 43)},
    "O": {(9, 42), (10, 42), (9, 43), (10, 43)},
    "S": {(9, 42), (10, 42), (10, 43), (11, 43)},
    "Z": {(9, 43), (10, 43), (10, 42), (11, 42)},
    "J": {(9, 43), (10, 43), (11, 43), (11, 42)},
    "L": {(9, 43), (10, 43), (11, 43), (9, 42)},
    "T": {(9, 43), (10, 43), (11, 43), (10, 42)},
}
"""Where pieces come in: column and row, the row above the field is 42."""


def shape(cells: frozenset[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    left, low = min(x for x, _ in cells), min(y for _, y in cells)
    return frozenset((x - left, y - low) for x, y in cells)


def turned(cells: frozenset[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    return shape(frozenset((y, -x) for x, y in cells))


def test_a_piece_appears_upright_is_turned_shifted_lowered_and_dropped(
    here: Path, typed: Typed
) -> None:
    """By default, and in this order; a shift is sideways, a fall straight down."""
    save("s.png", "rgbrg")
    assert typed("tetris", "print", "s.png", "o.gif", "--cell", "4")[0] == Exit.OK
    ways = [way for way in replay(Path("o.gif"), 4).ways if way]
    assert len(ways) > 10
    orders = []
    for way in ways:
        assert way[0] in UPRIGHT.values(), "it comes in upright, at the top centre"
        order = ""
        for before, after in itertools.pairwise(way):
            rows = min(y for _, y in before), min(y for _, y in after)
            if shape(after) != shape(before):
                assert shape(after) == turned(before)
                order += "turn "
            elif rows[0] == rows[1] and after != before:
                order += "shift "
            elif after != before:
                assert rows[1] < rows[0]
                assert min(x for x, _ in before) == min(x for x, _ in after)
                order += "fall "
        assert order.split() == sorted(order.split(), key=("turn", "shift", "fall").index)
        orders.append(order)
    text = " ".join(orders)
    assert all(word in text for word in ("turn", "shift", "fall fall"))


def test_long_games_are_thinned_before_they_fill_the_memory() -> None:
    from twostep.models.families.tetris.film import FULL, MAX_FILM_BYTES, least_every
    from twostep.models.families.tetris.picture import Look, size

    for pieces, cell in ((100, 8), (3300, 8), (3300, 40), (1, 1)):
        look = Look(cell)
        width, height = size(look)
        every = least_every(pieces, look)
        assert pieces * FULL * width * height / every <= MAX_FILM_BYTES
        fewer = pieces * FULL * width * height / max(1, every - 1)
        assert every == 1 or fewer > MAX_FILM_BYTES


def test_a_long_game_has_a_film_that_a_person_watches(here: Path, typed: Typed) -> None:
    """826 pieces: 1500 frames or so, and the picture at their end."""
    flags = ["--table-only", "--cell", "1"]
    said = typed("tetris", "print", "heart", "o.gif", *flags, "--json")
    assert said.json["pieces"] == 826
    assert 750 < said.json["frames"] < 2000
    assert typed("tetris", "print", "heart", "o.png", "--bare", *flags).code == Exit.OK
    with Image.open("o.gif") as film, Image.open("o.png") as picture:
        film.seek(getattr(film, "n_frames", 1) - 1)
        left = film.convert("RGB").crop((2, 46 - picture.height, 2 + picture.width, 46))
        opaque = picture.getchannel("A").point(lambda alpha: alpha == 255 and 255, "1")
        empty = Image.new("RGB", picture.size)
        assert (
            Image.composite(left, empty, opaque).tobytes()
            == Image.composite(picture.convert("RGB"), empty, opaque).tobytes()
        )


def test_a_console_stands_around_the_same_game(here: Path, typed: Typed) -> None:
    wanted = save("s.png", "rg")
    flags = ["--cell", "6", "--console", "--background", "101018"]
    assert typed("tetris", "print", "s.png", "o.gif", *flags)[0] == Exit.OK
    assert replay(Path("o.gif"), 6, 6, 6).settled[-1] == wanted
    with Image.open("o.gif") as film:
        assert film.size == ((21 + 1 + 9) * 6, (46 + 2) * 6)
        film.seek(getattr(film, "n_frames", 1) - 1)
        last = film.convert("RGB")
    assert typed("tetris", "print", "s.png", "o.png", *flags)[0] == Exit.OK
    with Image.open("o.png") as picture:
        assert picture.convert("RGB").tobytes() == last.tobytes()


def test_an_animated_png_shows_the_same_frames(here: Path, typed: Typed) -> None:
    save("s.png", "r")
    for name in ("o.gif", "o.apng"):
        assert typed("tetris", "print", "s.png", name, "--cell", "4")[0] == Exit.OK
    with Image.open("o.gif") as gif, Image.open("o.apng") as png:
        assert png.format == "PNG"
        assert getattr(gif, "n_frames", 1) == getattr(png, "n_frames", 1) > 40
        for frame in (0, 11, 23):
            gif.seek(frame)
            png.seek(frame)
            assert gif.convert("RGB").tobytes() == png.convert("RGB").tobytes()


def test_an_mp4_is_handed_to_ffmpeg_frame_by_frame(
    here: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stand-in of the program keeps what it is given; without it the name is refused."""
    save("s.png", "r")
    monkeypatch.setenv("PATH", str(here))
    code, _, err = typed("tetris", "print", "s.png", "o.mp4")
    assert code == Exit.USAGE
    assert err.startswith("twostep: o.mp4: an MP4 is written by the program ffmpeg, which is not")
    script = Path("ffmpeg")
    script.write_text('#!/bin/sh\nfor last; do :; done\n/bin/cat > "$last"\n', encoding="utf-8")
    script.chmod(0o755)
    said = typed("tetris", "print", "s.png", "o.mp4", "--cell", "2", "--json")
    assert said.code == Exit.OK, said.err
    assert Path("o.mp4").stat().st_size == said.json["frames"] * 3 * (21 * 2) * (46 * 2)
    script.write_text("#!/bin/sh\necho no codec >&2\nexit 1\n", encoding="utf-8")
    code, _, err = typed("tetris", "print", "s.png", "o.mp4")
    assert (code, err) == (Exit.USAGE, "twostep: o.mp4: ffmpeg failed: no codec\n")


def test_the_background_can_be_a_colour_of_the_picture(here: Path, typed: Typed) -> None:
    """Four colours, one of them the field's; it is never one of a sprite by accident."""
    image = Image.new("RGB", (3, 2), (0, 0, 0))
    for x, colour in enumerate(COLOURS.values()):
        image.putpixel((x, 0), colour[:3])
    image.putpixel((0, 1), COLOURS["r"][:3])
    image.save("s.png")
    assert typed("tetris", "print", "s.png", "o.png")[0] == Exit.USAGE
    flags = ["--background", "black", "--table-only"]
    assert typed("tetris", "print", "s.png", "o.png", "--bare", *flags)[0] == Exit.OK
    with Image.open("o.png") as printed:
        assert printed.convert("RGB").tobytes() == image.tobytes()
    assert typed("tetris", "print", "s.png", "o.png", "--cell", "3", *flags)[0] == Exit.OK
    with Image.open("o.png") as printed:
        assert printed.convert("RGB").getpixel((3 * 3 + 1, 41 * 3 + 1)) == (0, 0, 0)


@pytest.mark.parametrize("colour", ["C81E28", "DC3232"])
def test_a_background_in_which_pieces_could_not_be_seen_is_refused(
    colour: str, here: Path, typed: Typed
) -> None:
    save("s.png", "rg")
    assert typed("tetris", "convert", "s.png", "-o", "p.txt")[0] == Exit.OK
    code, _, err = typed("tetris", "play", "p.txt", "o.png", "--background", colour)
    assert code == Exit.USAGE
    assert f"--background: {colour} is the colour of the pieces" in err


def test_no_field_has_a_colour_of_the_sprite_by_accident() -> None:
    from twostep.models.families.tetris.picture import BACKGROUNDS, palette
    from twostep.models.families.tetris.printfile import Program
    from twostep.models.families.tetris.sprite import hexadecimal

    for colours in itertools.permutations(BACKGROUNDS, 3):
        back = palette(Program(tuple(hexadecimal(colour) for colour in colours), ()))[0]
        assert back not in colours
