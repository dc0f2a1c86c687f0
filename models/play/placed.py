"""Files of what was placed so far: a drawing as ``solve`` makes it, or JSON."""

from __future__ import annotations

import os

from twostep.models.errors import InputError, did_you_mean
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle
from twostep.models.families.puzzle import Puzzle
from twostep.models.game.levelfile import parse_locks
from twostep.models.reading.files import SMALL, lines_of, parse_json, read_text


def read_placed(path: str | os.PathLike[str], puzzle: Puzzle) -> tuple[int, ...]:
    """The options placed, from a file.

    A drawing is read by the puzzle: see :meth:`Puzzle.read`. JSON is a list, in the order of play,
    or an object with it as ``placed``: of options' numbers, of moves in words, or, on a board of
    pieces, of ``{"piece": ..., "cells": [[row, column], ...]}``.

    Raises:
        InputError: names the file, and the line if there is one.
    """
    source = os.fspath(path)
    text = read_text(path, SMALL)
    try:
        if text.lstrip()[:1] in ("[", "{"):
            return _json(text, puzzle)
        rows = [line.rstrip() for line in lines_of(text)]
        first = next((i for i, row in enumerate(rows) if row), None)
        if first is None:
            return ()
        while not rows[-1]:
            rows.pop()
        return _read(puzzle, rows[first:], first)
    except InputError as error:
        raise error.at(source) from None


def _read(puzzle: Puzzle, rows: list[str], before: int) -> tuple[int, ...]:
    try:
        return puzzle.read(rows)
    except InputError as error:
        line = None if error.line is None else error.line + before
        raise InputError(error.message, line=line, column=error.column) from None


def _json(text: str, puzzle: Puzzle) -> tuple[int, ...]:
    content = parse_json(text, "a list of placed pieces")
    if isinstance(content, dict):
        content = content.get("placed")
    if isinstance(puzzle, PolyominoPuzzle) and not _plain(content):
        return puzzle.lay(parse_locks(content, "placed"))
    if not isinstance(content, list) or not _plain(content):
        raise InputError("placed: expected a list of moves in words, or of options' numbers")
    options = range(puzzle.model.n_options)
    known = {puzzle.move(o): o for o in options if puzzle.act(o) is not None}
    found = []
    for each in content:
        option = known.get(each) if isinstance(each, str) else each
        if option is None:
            raise InputError(f"placed: {each!r} is no move here{did_you_mean(each, known)}")
        if option not in options:
            raise InputError(f"placed: option {option}: there are {len(options)} options")
        found.append(option)
    return tuple(found)


def _plain(content: object) -> bool:
    return (
        isinstance(content, list)
        and bool(content)
        and all(isinstance(each, str) or type(each) is int for each in content)
    )
