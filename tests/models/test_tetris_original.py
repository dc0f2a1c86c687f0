"""Instruction files of the original form: a platform, its rows, and a block that removes it.

They are put together here from the text of the table alone, row by row, the first squares that
have room side by side in one pass, with lower-case colours.
"""

from __future__ import annotations

import random
from importlib.resources import files
from pathlib import Path

import pytest
from helpers.cli import Typed
from PIL import Image

from twostep.compare.command.shared.exits import Exit
from twostep.models import InputError
from twostep.models.families.tetris.printfile import Removal, from_text, to_text

COLOURS = ((224, 40, 40), (250, 200, 120), (80, 60, 20))
WIDTH = 21


def texts() -> tuple[dict[tuple[int, ...], list[str]], dict[int, list[str]]]:
    """Patterns by their bars' first columns, and platforms by their T's, as lines."""
    content = (files("twostep.models.families.tetris") / "data" / "patterns.txt").read_text("ascii")
    body = "\n".join(line for line in content.splitlines() if not line.startswith("#"))
    blocks = [block.split("\n") for block in body.strip().split("\n\n")]
    patterns = {}
    for lines in blocks[:-10]:
        bars, letter = [], "A"
        while "".join(lines).count(letter) == 3:
            bars.append(lines[-1].index(letter))
            letter = chr(ord(letter) + 1)
        patterns[tuple(bars)] = lines
    return patterns, {lines[-1].index("AAA"): lines for lines in blocks[-10:]}


def original(picture: list[list[int | None]]) -> str:
    """The file of a picture, whose top row comes first: 0, 1, 2 are colours."""
    patterns, platforms = texts()
    out = [" ".join(bytes(colour).hex() for colour in COLOURS)]
    below: list[int | None] | None = None
    for row in reversed(picture):
        removal = None
        if below is not None and any(
            pixel is not None and under is None for pixel, under in zip(row, below, strict=True)
        ):
            lines = platforms[2 * ((2 + [p is not None for p in below].index(True)) // 2)]
            last = max("".join(lines))
            out.append("\n".join(line.replace(last, ".") for line in lines))
            removal = "\n".join(
                "".join("A" if character == last else "." for character in line) for line in lines
            )
        left = {2 + x: colour for x, colour in enumerate(row) if colour is not None}
        while left:
            bars: list[int] = []
            new = ["."] * WIDTH
            for column, colour in sorted(left.items()):
                start = column - (2, 1, 0)[colour]
                if not bars or start >= bars[-1] + 3:
                    new[column] = chr(ord("A") + len(bars))
                    bars.append(start)
                    del left[column]
            out.append("\n".join([*patterns[tuple(bars)], "".join(new)]))
        if removal is not None:
            out.append(removal)
        below = row
    return "\n\n".join(out) + "\n"


def drawn(rng: random.Random, width: int, height: int) -> list[list[int | None]]:
    picture: list[list[int | None]] = [
        [rng.choice((None, None, 0, 1, 2)) for _ in range(width)] for _ in range(height)
    ]
    for row in picture:
        row[rng.randrange(width)] = 0
    picture[0][:3] = [0, 1, 2]  # so colours appear in their order
    return picture


@pytest.mark.parametrize("seed", range(4))
def test_files_of_the_original_form_play_to_the_right_picture(
    seed: int, here: Path, typed: Typed
) -> None:
    rng = random.Random(seed)
    picture = drawn(rng, rng.randint(4, 17), rng.randint(3, 12))
    image = Image.new("RGBA", (len(picture[0]), len(picture)))
    for y, row in enumerate(picture):
        for x, colour in enumerate(row):
            if colour is not None:
                image.putpixel((x, y), (*COLOURS[colour], 255))
    image.save("s.png")
    text = original(picture)
    Path("p.txt").write_text(text, encoding="utf-8")
    assert any(isinstance(block, Removal) for block in from_text(text).blocks)
    said = typed("tetris", "check", "p.txt", "s.png")
    assert (said.code, said.err) == (Exit.OK, "")
    # The same without removals, as files were written before: the piece then comes later.
    older = "\n\n".join(p for p in text.split("\n\n") if {*p} - {"\n"} != {"A", "."}) + "\n"
    Path("older.txt").write_text(older, encoding="utf-8")
    assert older != text
    assert typed("tetris", "check", "older.txt", "s.png").code == Exit.OK
    assert to_text(from_text(text)).lower() == text.lower()


def test_a_removal_must_close_the_platform_that_stands() -> None:
    text = original([[0, 1, 2], [None, 0, None]])
    parts = text.strip().split("\n\n")
    platform = next(n for n, part in enumerate(parts) if n and "." in part.split("\n")[0])
    removal = parts[-1]
    with pytest.raises(InputError, match="removes a platform, but none stands"):
        from_text("\n\n".join([*parts[:platform], removal, *parts[platform:]]))
    with pytest.raises(InputError, match="removes a platform, but none stands"):
        from_text("\n\n".join([*parts, removal]))
    mirrored = "\n".join(line[::-1] for line in removal.split("\n"))
    with pytest.raises(InputError, match="does not fill the dots of the platform in line"):
        from_text("\n\n".join([*parts[:-1], mirrored]))
