"""The inputs with known answers in ``../shared/cases``, beside the checkout, if they are there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from twostep.models.families.polyomino.board import board_from_rows
from twostep.models.families.polyomino.pieces import Kind, Piece, merged, shape_from_rows
from twostep.models.families.polyomino.placement import Lock
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle
from twostep.models.language.builder import ModelBuilder
from twostep.models.language.model import Model

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "cases"


def case(name: str) -> dict[str, Any]:
    """The content of one case; skips the test where the cases aren't there."""
    path = FOLDER / f"{name}.json"
    if not path.exists():
        pytest.skip(f"{path} is not there: it comes with the project's cases, not with the code")
    content: dict[str, Any] = json.loads(path.read_text())
    return content


def exact_cover_model(content: dict[str, Any]) -> Model:
    """The model of a case of kind ``exact_cover``; option ids are the case's."""
    builder = ModelBuilder(content["name"])
    for name in content["items"]:
        builder.item(name)
    for name in content["secondary"]:
        builder.secondary(name)
    for entries in content["options"]:
        builder.option(entries)
    return builder.build()


def polyomino_puzzle(content: dict[str, Any]) -> PolyominoPuzzle:
    """The puzzle of a case of kind ``polyomino``.

    Raises:
        InputError: pieces or locks that cannot be.
    """
    faces = (content["rotate"], content["reflect"])
    kinds = []
    for piece in content["pieces"]:
        made = Piece(piece["name"], shape_from_rows(piece["cells"]), *faces)
        if piece["count"] == "any":
            kinds.append(Kind(made, 0, None))
        else:
            low = 0 if content["pieces_optional"] else piece["count"]
            kinds.append(Kind(made, low, piece["count"]))
    locks = tuple(
        Lock(lock["piece"], tuple((row, column) for row, column in lock["cells"]))
        for lock in content["locked"]
    )
    board = board_from_rows(content["board"])
    empty = content["empty_cells_left"]
    return PolyominoPuzzle(content["name"], board, tuple(merged(kinds)), empty, locks)
