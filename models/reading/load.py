"""From what the user typed to a puzzle: a name such as ``queens:8``, or a file.

The list of file types; a reader is imported when it is used.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import PurePath
from pkgutil import resolve_name

from twostep.models.errors import InputError, did_you_mean
from twostep.models.families import registry
from twostep.models.families.puzzle import Puzzle
from twostep.models.reading.files import parse_json, read_text, without_gc

READERS: dict[str, str] = {
    ".txt": "twostep.models.reading.load:read_plain",
    ".sdm": "twostep.models.reading.load:read_listed",
    ".dlx": "twostep.models.reading.formats.dlx:read_puzzle",
    ".json": "twostep.models.reading.load:read_json",
    ".png": "twostep.models.families.polyomino.silhouette:read_silhouette",
    ".maze": "twostep.models.families.maze.drawn:read_drawn",
    ".sdk": "twostep.models.families.classics.sudoku:read_sudoku",
    ".ss": "twostep.models.families.classics.sudoku:read_sudoku",
}
"""File suffix -> ``module:function``, which makes a puzzle from a path."""

SCHEMAS: dict[str, str] = {
    "twostep-level/1": "twostep.models.game.levelfile:read_level",
    "twostep-model/1": "twostep.models.reading.formats.json_model:read_puzzle",
}
"""The ``schema`` of a ``.json`` file -> ``module:function``, which makes a puzzle from a path."""


def load_puzzle(text: str) -> Puzzle:
    """The puzzle that `text` names: a family's name with arguments, or a file.

    Raises:
        InputError: neither, or the puzzle is refused; names the nearest known name.
    """
    kind, colon, _ = text.partition(":")
    if kind in registry.FAMILIES:
        return registry.named_puzzle(text)
    suffix = PurePath(file_of(text)).suffix.lower()
    looks_like_a_file = suffix in READERS or os.sep in text or os.path.exists(text)
    if colon and not looks_like_a_file:
        return registry.named_puzzle(text)
    if not looks_like_a_file:
        known = did_you_mean(text, registry.FAMILIES)
        raise InputError(f"{text!r} is neither a puzzle's name nor a file{known}")
    if suffix not in READERS:
        if not os.path.isfile(text):
            raise InputError(_why_no_file(text), source=text)
        known = ", ".join(READERS)
        raise InputError(f"unknown kind of file {suffix!r}, expected {known}", source=text)
    read: Callable[[str], Puzzle] = resolve_name(READERS[suffix])
    with without_gc():
        return read(text)


def read_plain(text: str) -> Puzzle:
    """A puzzle from a ``.txt`` file: a board, or ``FILE#NUMBER`` of a list of puzzles.

    Raises:
        InputError: it is neither; names the file and the line.
    """
    from twostep.models.reading import lists

    path = file_of(text)
    if lists.is_list(path):
        return lists.pick(path, text[len(path) + 1 :])
    from twostep.models.families.polyomino.boardfile import read_board

    return read_board(path)


def read_listed(text: str) -> Puzzle:
    """The puzzle ``FILE#NUMBER`` of a list of puzzles."""
    from twostep.models.reading import lists

    path = file_of(text)
    return lists.pick(path, text[len(path) + 1 :])


def read_json(path: str) -> Puzzle:
    """A puzzle from a ``.json`` file, by its ``schema``.

    Raises:
        InputError: no JSON object, or an unknown schema; names file, line and column.
    """
    try:
        # The content goes with this line: the reader reads the file anew, and both can be large.
        read: Callable[[str], Puzzle] = resolve_name(SCHEMAS[schema_of(file_of(path))])
    except InputError as error:
        raise error.at(path) from None
    return read(path)


def schema_of(path: str) -> str:
    """The ``schema`` of a ``.json`` file.

    Raises:
        InputError: it has none that is known.
    """
    content = parse_json(read_text(path), "a puzzle")
    schema = content.get("schema") if isinstance(content, dict) else None
    expected = " or ".join(repr(name) for name in SCHEMAS)
    if not isinstance(schema, str):
        raise InputError(f'expected an object with "schema": {expected}')
    if schema not in SCHEMAS:
        raise InputError(f"unknown schema {schema!r}, expected {expected}")
    return schema


def file_of(text: str) -> str:
    """The file in ``FILE#LEVEL``; a file that has this very name is meant itself."""
    return text if "#" not in text or os.path.exists(text) else text.rpartition("#")[0]


def _why_no_file(path: str) -> str:
    return "this is a folder, expected a file" if os.path.isdir(path) else "there is no such file"
