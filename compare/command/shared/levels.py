"""What the verbs for one level share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twostep.models.errors import InputError
from twostep.models.families.polyomino.placement import Placement
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle
from twostep.models.game.level import Level
from twostep.models.reading.load import load_puzzle


def level_puzzle(text: str) -> PolyominoPuzzle:
    """The puzzle that `text` names, which must be a board filled with pieces.

    Raises:
        InputError: it is another kind of puzzle, or none.
    """
    puzzle = load_puzzle(text)
    if not isinstance(puzzle, PolyominoPuzzle):
        raise InputError(f"{text!r} is no board filled with pieces")
    return puzzle


def placements_json(placed: Sequence[Placement]) -> list[dict[str, Any]]:
    """Placed pieces as JSON members: piece and cells."""
    return [{"piece": each.piece, "cells": each.cells} for each in placed]


def most_pieces(level: Level) -> int:
    """How many pieces a level has at most."""
    return sum(kind.high or 0 for kind in level.kinds)
