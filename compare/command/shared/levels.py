"""What the verbs for one level share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from twostep.models.errors import InputError
from twostep.models.families.polyomino.placement import Placement
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle
from twostep.models.families.puzzle import Puzzle
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


def moves_json(puzzle: Puzzle, options: Iterable[int]) -> list[dict[str, Any]]:
    """Moves as JSON members: move and option, of pieces on a board also piece and cells."""
    told = []
    for option in options:
        each: dict[str, Any] = {"move": puzzle.move(option), "option": option}
        if isinstance(label := puzzle.model.labels[option], Placement):
            each |= {"piece": label.piece, "cells": label.cells}
        told.append(each)
    return told


def most_pieces(level: Level) -> int:
    """How many pieces a level has at most."""
    return sum(kind.high or 0 for kind in level.kinds)
