"""What a question is about: a puzzle, a model, or what the command takes."""

from __future__ import annotations

import os

from twostep.models.errors import InputError
from twostep.models.families.puzzle import Puzzle
from twostep.models.language.model import Model
from twostep.models.reading.load import load_puzzle

PuzzleLike = Puzzle | Model | str | os.PathLike[str]
"""A puzzle, a model, or what the command takes: a name, ``queens:8``, or a file, ``pack.json#2``.

>>> from pathlib import Path
>>> def names(puzzles: list[twostep.PuzzleLike]) -> list[str]:
...     return [twostep.load(puzzle).name for puzzle in puzzles]
>>> names(["queens:8", twostep.load("queens:8").model])
['queens:8', 'queens:8']
"""


def load(puzzle: PuzzleLike) -> Puzzle:
    """The puzzle of a name such as ``pentomino:3x20``, or in a file.

    A model becomes a puzzle that shows its options by their items. A puzzle is given back.

    Raises:
        InputError: no such name or file, or the puzzle is refused; names the nearest known name.

    >>> twostep.load("pentomino:3x20").model
    <Model 'pentomino:3x20': 72 items, 1236 options>
    >>> twostep.load("quens:8")
    Traceback (most recent call last):
    ...
    twostep.models.errors.InputError: unknown puzzle family 'quens'; did you mean 'queens'?
    """
    if isinstance(puzzle, Puzzle):
        return puzzle
    if isinstance(puzzle, Model):
        from twostep.models.reading.formats.modelfile import ModelPuzzle

        return ModelPuzzle(puzzle.name, puzzle)
    if isinstance(puzzle, (str, os.PathLike)):
        return load_puzzle(os.fspath(puzzle))
    raise InputError(
        "expected a puzzle, a model, a name such as 'queens:8', or a file, got a value of type"
        f" {type(puzzle).__name__}"
    )
