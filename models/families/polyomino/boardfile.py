"""Board files: a board as text, with pieces.

The simplest file is a picture: ``.`` a cell to fill, ``#`` a blocked one; the pieces are the
twelve pentominoes, each once, or some of them where the board has fewer than 60 cells::

    ...##
    .....
    ##...

Lines before the picture may say more, each ``key: value``::

    pieces: P U V L4=2 I2=0-3 T4-one-sided
    faces: one-sided
    empty: 2

``pieces``
    names of letter and cells (a letter alone is a pentomino), or a set such as ``tetrominoes``,
    each with ``=COPIES`` (a number, a range, ``any``) and ``-one-sided`` or ``-fixed`` behind the
    name. The line may stand more than once.
``faces``
    how pieces may be turned that do not say so themselves: ``free`` (turned and turned over, the
    default), ``one-sided`` (turned only), ``fixed``.
``empty``
    how many cells stay empty, or ``any``; 0 by default.
``apart``
    ``yes``: copies of one piece may not share an edge; ``no`` by default.
``cells``
    the board as a list of cells in the place of its picture, row and column of each, of any sign:
    ``-1,0 0,0 0,1``. The line may stand more than once.

Sections hold pictures; each begins with its heading and ends at the next heading::

    piece: H=2
    #.#
    ###
    #.#

    locked:
    VVV..
    V....
    V....

    board:
    .....
    .....
    .....

``piece: NAME[-one-sided|-fixed][=COPIES]`` gives a piece of any shape, its cells as ``#``.
``locked:`` shows pieces that lie on the board already, by their letters, in a picture of the
whole board. ``board:`` may stand before the board's picture, and must where another section
comes first. Blank lines and lines that begin with ``;`` mean nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from twostep.models.errors import InputError, did_you_mean
from twostep.models.families.polyomino.board import Board, board_from_cells, board_from_rows
from twostep.models.families.polyomino.filling import read_filling
from twostep.models.families.polyomino.pieces import (
    FACES,
    Cell,
    Kind,
    merged,
    parse_kinds,
    parse_token,
    pentominoes_for,
    shape_from_rows,
)
from twostep.models.families.polyomino.placement import check_placed
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle, parse_empty
from twostep.models.reading.files import SMALL, lines_of, read_text

_CELL = re.compile(r"(-?[0-9]{1,6}),(-?[0-9]{1,6})", re.ASCII)
_FACES = {"free": (True, True), **FACES}
_SECTIONS = ("board", "piece", "locked")
_KEYS = ("pieces", "faces", "empty", "apart", "cells", *_SECTIONS)


@dataclass(slots=True)
class _Section:
    """A heading and the picture below it."""

    key: str
    value: str
    line: int
    rows: list[str] = field(default_factory=list)
    first_row: int = 0

    def add(self, row: str, line: int) -> None:
        """Add a picture row, which must stand right below the one before it."""
        if not self.rows:
            self.first_row = line
        elif line != self.first_row + len(self.rows):
            raise InputError("a blank line inside a picture", line=line)
        self.rows.append(row)


def read_board(path: str | os.PathLike[str]) -> PolyominoPuzzle:
    """The puzzle in a board file; its name is the file's path.

    Raises:
        InputError: names the file, and the line where it can.
    """
    source = os.fspath(path)
    try:
        return parse_board_text(read_text(path, SMALL), source)
    except InputError as error:
        raise error.at(source) from None


def parse_board_text(text: str, name: str) -> PolyominoPuzzle:
    """The puzzle that a board file's text describes.

    Raises:
        InputError: names the line where it can.
    """
    sections = _sections(text)
    faces = (True, True)
    empty: int | str = 0
    apart = False
    tokens: list[tuple[str, int]] = []
    said: set[str] = set()
    for section in sections:
        value = section.value
        if section.key in ("faces", "empty", "apart"):
            if section.key in said:
                raise InputError(f"{section.key!r} is said already", line=section.line)
            said.add(section.key)
        if section.key == "faces":
            if value not in _FACES:
                raise InputError(
                    f"faces {value[:20]!r}{did_you_mean(value, _FACES)}", line=section.line
                )
            faces = _FACES[value]
        elif section.key == "empty":
            if (cells := parse_empty(value)) is None:
                raise InputError(
                    f"empty {value[:20]!r}: expected a number or 'any'", line=section.line
                )
            empty = cells
        elif section.key == "apart":
            if value not in ("yes", "no"):
                raise InputError(f"apart {value[:20]!r}: expected yes or no", line=section.line)
            apart = value == "yes"
        elif section.key == "pieces":
            tokens += [(token, section.line) for token in value.replace(",", " ").split()]
    board = _board(sections)
    kinds = _kinds(sections, tokens, faces, board)
    locks = [
        lock
        for section in sections
        if section.key == "locked"
        for lock in read_filling(section.rows, board, kinds, section.first_row)
    ]
    with _on_line(next((s.line for s in sections if s.key == "locked"), None)):
        check_placed(board, kinds, locks)
    return PolyominoPuzzle(name, board, tuple(kinds), empty, tuple(locks), apart)


@contextmanager
def _on_line(line: int | None) -> Iterator[None]:
    """Inside, an :class:`InputError` without a line gets this one."""
    try:
        yield
    except InputError as error:
        if error.line is None:
            error.line = line
        raise


def _sections(text: str) -> list[_Section]:
    """The file taken apart, in order."""
    sections: list[_Section] = []
    current: _Section | None = None
    for line, raw in enumerate(lines_of(text), 1):
        row = raw.rstrip()
        if (
            raw
            and not row
            and current is not None
            and len(raw) >= len("".join(current.rows[:1])) > 0
        ):
            raise InputError(
                "a row of blanks in a picture: write '.' and '#', or leave the line empty",
                line=line,
            )
        if not row or row.startswith(";"):
            continue
        if ":" in row:
            key, _, value = (part.strip() for part in row.partition(":"))
            if key not in _KEYS:
                raise InputError(f"unknown key {key[:30]!r}{did_you_mean(key, _KEYS)}", line=line)
            current = _Section(key, value, line)
            sections.append(current)
            continue
        if current is None or current.key not in _SECTIONS:
            if " " in row:
                expected = "a row of '.' and '#', or a line such as 'pieces: P U V'"
                raise InputError(f"expected {expected}, got {row[:30]!r}", line=line)
            current = _Section("board", "", line)
            sections.append(current)
        current.add(row, line)
    return sections


def _board(sections: Sequence[_Section]) -> Board:
    found = [section for section in sections if section.key == "board"]
    listed = [section for section in sections if section.key == "cells"]
    if found and listed:
        raise InputError("the board is given as a picture, too", line=listed[0].line)
    if listed:
        with _on_line(listed[0].line):
            return board_from_cells(cell for section in listed for cell in _listed(section))
    if not found:
        raise InputError("no picture of a board")
    if len(found) > 1:
        raise InputError("a second board", line=found[1].line)
    section = found[0]
    if section.value:
        raise InputError("board: expected the picture on the lines below", line=section.line)
    return board_from_rows(section.rows, section.first_row or section.line)


def _listed(section: _Section) -> Iterator[Cell]:
    """The cells of a line such as ``cells: 0,0 0,1 -1,1``."""
    for text in section.value.split():
        if (cell := _CELL.fullmatch(text)) is None:
            raise InputError(
                f"cell {text[:20]!r}: expected row,column, such as 0,3 or -1,0", line=section.line
            )
        yield int(cell[1]), int(cell[2])


def _kinds(
    sections: Sequence[_Section],
    tokens: Sequence[tuple[str, int]],
    faces: tuple[bool, bool],
    board: Board,
) -> list[Kind]:
    kinds: list[Kind] = []
    for text, line in tokens:
        with _on_line(line):
            kinds += parse_kinds([text], faces)
    last = None
    for section in sections:
        if section.key == "piece":
            with _on_line(section.line):
                token = parse_token(section.value, faces)
                if not section.rows:
                    raise InputError(f"piece {token.name!r} has no picture")
            shape = shape_from_rows(section.rows, f"piece {token.name!r}", section.first_row)
            with _on_line(section.line):
                kinds.append(token.kind(shape))
            last = section.line
    if not kinds and not any(section.key in ("piece", "pieces") for section in sections):
        kinds = pentominoes_for(board.size, faces)
    with _on_line(last or (tokens[-1][1] if tokens else None)):
        if not kinds:
            raise InputError("no pieces")
        return merged(kinds)
