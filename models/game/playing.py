"""A level being played: the pieces placed so far, and what still fits."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from twostep.models.errors import InputError
from twostep.models.families.polyomino.filling import read_filling
from twostep.models.families.polyomino.pieces import Cell
from twostep.models.families.polyomino.placement import (
    Gap,
    Lock,
    Placement,
    cell_name,
)
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle
from twostep.models.game.levelfile import parse_locks
from twostep.models.language.model import IntArray, Solution
from twostep.models.language.verify import fault
from twostep.models.reading.files import SMALL, lines_of, parse_json, read_text
from twostep.models.words import counted


class Table:
    """A puzzle's options by what they mean, built once for all positions of a game."""

    def __init__(self, puzzle: PolyominoPuzzle) -> None:
        self.puzzle = puzzle
        self.model = puzzle.model
        self._gap_at: dict[Cell, int] = {}
        for option, label in enumerate(self.model.labels):
            if isinstance(label, Gap):
                self._gap_at[label.cell] = option

    @cached_property
    def item_of(self) -> dict[str, int]:
        """Item ids by name."""
        return {name: item for item, name in enumerate(self.model.items)}

    def place(self, placed: Sequence[Lock], word: str = "placed") -> tuple[int, ...]:
        """The options of pieces a player has placed, in the order given, locked ones left out.

        Raises:
            InputError: a wrong shape, an overlap, and so on: see :func:`check_placed`.
        """
        return self.puzzle.lay(placed, word)

    def whole(self, placed: Sequence[int]) -> Solution:
        """The pieces placed and locked, with all cells left empty that may be."""
        options = {*self.model.chosen, *placed}
        covered = {
            cell
            for option in options
            if isinstance(label := self.model.labels[option], Placement)
            for cell in label.cells
        }
        gaps = {option for cell, option in self._gap_at.items() if cell not in covered}
        return tuple(sorted(options | gaps))

    def finished(self, placed: Sequence[int]) -> bool:
        """Whether the pieces placed are a solution, cells that may stay empty being left so."""
        return fault(self.model, self.whole(placed)) is None

    def used(self, placed: Sequence[int]) -> IntArray:
        """How often each item is covered by the pieces placed and those locked."""
        times = np.zeros(self.model.n_items, dtype=np.int32)
        for option in {*self.model.chosen, *placed}:
            for item, _ in self.model.option(option):
                times[item] += 1
        return times


def read_placed(path: str | os.PathLike[str], puzzle: PolyominoPuzzle) -> tuple[Lock, ...]:
    """Pieces on the board, from a file: a picture, or JSON.

    A picture has a piece's letter in each of its cells, ``.`` where nothing lies and ``#`` where
    the board is blocked, row by row. JSON is a list of ``{"piece": ..., "cells": [[row, column],
    ...]}``, or an object with that list as ``placed``; its order is the order of play.

    Raises:
        InputError: names the file. Whether the pieces may lie so is for :meth:`Table.place`.
    """
    source = os.fspath(path)
    text = read_text(path, SMALL)
    try:
        if text.lstrip()[0] in "[{":
            return _placed_json(text)
        rows = [line.rstrip() for line in lines_of(text)]
        first = next(i for i, row in enumerate(rows) if row)
        while not rows[-1]:
            rows.pop()
        return read_filling(rows[first:], puzzle.board, puzzle.kinds, first + 1)
    except InputError as error:
        raise error.at(source) from None


def _placed_json(text: str) -> tuple[Lock, ...]:
    content = parse_json(text, "a list of placed pieces")
    if isinstance(content, dict):
        content = content.get("placed")
    return parse_locks(content, "placed")


def wrong_with(puzzle: PolyominoPuzzle, placed: Sequence[Lock]) -> str | None:
    """The first thing wrong with a filling: a piece or a cell; None: it is a solution.

    Any solution will do, not only the author's. Locked pieces may be among those placed or not.
    """
    table = Table(puzzle)
    try:
        options = table.place(placed)
    except InputError as error:
        return error.message
    if table.finished(options):
        return None
    times = table.used(options)
    model = puzzle.model
    for kind in puzzle.kinds:
        item = table.item_of.get(kind.name)
        if item is not None and times[item] < kind.low:
            missing = (
                "is not placed" if kind.low == 1 else f"is placed {counted(times[item], 'time')}"
            )
            more = "" if kind.low == 1 else f", at least {kind.low} times expected"
            return f"piece {kind.name} {missing}{more}"
    open_cells = [c for c in puzzle.board.free if not times[table.item_of[cell_name(c)]]]
    if puzzle.empty == 0 and open_cells:
        return f"cell ({cell_name(open_cells[0])}) is not covered"
    if isinstance(puzzle.empty, int) and len(open_cells) != puzzle.empty:
        return f"{counted(len(open_cells), 'empty cell')}, expected {puzzle.empty}"
    return fault(model, tuple(sorted({*model.chosen, *options})))
