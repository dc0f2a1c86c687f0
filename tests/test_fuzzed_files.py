"""Files with random damage: either they can be read and used, or one clear line says why not."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from twostep.models.errors import InputError
from twostep.models.levels.levelfile import parse_pack
from twostep.models.levels.playing import Table, read_placed
from twostep.models.levels.silhouette import read_silhouette
from twostep.models.polyomino.boardfile import parse_board_text
from twostep.models.reading import load_puzzle

BOARD = """; a board
pieces: P U L4=2 T4-one-sided=0-3
faces: one-sided
empty: any
piece: H-fixed=1
#.#
###

locked:
PP...
PP.#.
P....

board:
.....
...#.
.....
"""

LEVEL = json.dumps(
    {
        "schema": "twostep-level/1", "name": "L", "author": "A", "seed": 3, "grade": 2,
        "board": [".....", ".....", "....."], "empty": 0,
        "pieces": ["P", "U", {"name": "V", "cells": ["#..", "#..", "###"], "copies": "0-2"}],
        "locked": [{"piece": "P", "cells": [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0]]}],
        "proven": {"solutions": 1, "complete": True, "engines": [{"engine": "dlx"}]},
    }
)  # fmt: skip

SPICE = [
    "",
    "9" * 30,
    "-1",
    "null",
    "[",
    "]",
    "{",
    "}",
    '"',
    ":",
    "#",
    ".",
    "\n",
    "\x00",
    "é",
    "1e9",
]


def damaged(text: str, rng: random.Random) -> str:
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(text))
        cut = rng.choice([0, 1, 1, 2, 5, 30])
        text = text[:at] + rng.choice(SPICE) + text[at + cut :]
        if not text:
            return " "
    return text


def refusal(use: Callable[[], object]) -> str:
    """The line that refuses what is used; empty if nothing is wrong."""
    try:
        use()
    except InputError as error:
        return str(error)
    return ""


def use_board(text: str) -> None:
    made = parse_board_text(text, "b.txt")
    assert made.model.n_options >= 0
    made.obstacle()


def use_level(text: str) -> None:
    for level in parse_pack(text).levels:
        assert level.key
        level.puzzle.obstacle()


@pytest.mark.parametrize(("text", "use"), [(BOARD, use_board), (LEVEL, use_level)])
def test_damaged_files_are_refused_in_one_line_or_used(
    text: str, use: Callable[[str], None]
) -> None:
    rng = random.Random(9)
    use(text)
    lines = [refusal(lambda: use(damaged(text, rng))) for _ in range(4000)]
    assert sum(not line for line in lines) > 20
    assert sum(bool(line) for line in lines) > 200
    assert all("\n" not in line and len(line) < 500 for line in lines)


def test_damaged_placed_pieces_are_refused_in_one_line_or_used(tmp_path: Path) -> None:
    rng = random.Random(10)
    path = tmp_path / "placed.txt"
    made = load_puzzle("pentomino:3x5:PUV")
    table = Table(made)  # type: ignore[arg-type]
    texts = [
        "V....\nV....\nVVV..\n",
        '{"placed": [{"piece": "V", "cells": [[0,0],[1,0],[2,0],[2,1],[2,2]]}]}',
    ]
    for number in range(800):
        path.write_text(damaged(texts[number % 2], rng))
        assert "\n" not in refusal(lambda: table.place(read_placed(path, table.puzzle)))


def test_damaged_pictures_are_refused_in_one_line_or_used(tmp_path: Path) -> None:
    rng = random.Random(11)
    picture = io.BytesIO()
    Image.new("L", (40, 24)).save(picture, "PNG")
    path = tmp_path / "s.png"
    for _ in range(400):
        data = bytearray(picture.getvalue())
        for _ in range(rng.randint(1, 5)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        path.write_bytes(data[: rng.choice([len(data), rng.randrange(1, len(data))])])
        assert "\n" not in refusal(lambda: read_silhouette(path))
