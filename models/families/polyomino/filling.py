"""Fillings as text: a board's picture with a piece's letter in each of its cells."""

from __future__ import annotations

from collections.abc import Sequence

from twostep.models.errors import InputError
from twostep.models.families.polyomino.board import Board
from twostep.models.families.polyomino.pieces import Cell, Kind, letters, regions
from twostep.models.families.polyomino.placement import Lock, cell_name, placement_of
from twostep.models.words import counted


def read_filling(
    rows: Sequence[str], board: Board, kinds: Sequence[Kind], line: int | None = None
) -> tuple[Lock, ...]:
    """The pieces in a picture, such as ``VPPUU`` ``VPPPU`` ``VVVUU``; some may be missing.

    ``.`` is an empty cell, ``#`` a blocked one. A connected region of one letter is one piece: the
    one whose letter it is, or another whose name begins with it, as the region's shape says.
    Where copies of one piece touch, they have different characters: any that is no other
    piece's letter will do, and the region's shape says which piece it is.

    Args:
        rows: the picture.
        board: the board; the picture must have its size and its blocked cells.
        kinds: the puzzle's pieces, whose letters are those of :func:`pieces.letters`.
        line: the number of the first row's line in its file, for messages.

    Raises:
        InputError: another size, blocked cells elsewhere, a letter of no piece. Whether the
            regions have the pieces' shapes is for :func:`placement.check_placed`.
    """
    names = [kind.name for kind in kinds]
    letter_of = dict(zip(names, letters(names), strict=True))
    name_of = {letter: name for name, letter in letter_of.items()}
    if len(rows) != board.rows:
        raise InputError(
            f"the filling has {counted(len(rows), 'row')}, the board {board.rows}", line=line
        )
    cells: dict[str, list[Cell]] = {}
    for row, text in enumerate(rows):
        at = None if line is None else line + row
        if len(text) != board.columns:
            raise InputError(
                f"the filling's row {row + 1} has {counted(len(text), 'character')}, the board"
                f" {counted(board.columns, 'column')}",
                line=at,
            )
        for column, character in enumerate(text):
            if (character == "#") != ((row, column) not in board):
                state = "free" if (row, column) in board else "blocked"
                raise InputError(
                    f"cell ({cell_name((row, column))}) is {state} on the board,"
                    f" {character!r} in the filling",
                    line=at,
                    column=column + 1,
                )
            if character not in ".#":
                cells.setdefault(character, []).append((row, column))
    found = []
    for character, its in cells.items():
        for region in regions(its):
            name = _named_by_shape(character, region, kinds, letter_of)
            if name is None:
                raise InputError(
                    f"{character!r} at ({cell_name(region[0])}) is no piece's letter; known:"
                    f" {' '.join(name_of)}",
                    line=None if line is None else line + region[0][0],
                    column=region[0][1] + 1,
                )
            found.append(Lock(name, tuple(region)))
    return tuple(sorted(found, key=lambda lock: lock.cells))


def _named_by_shape(
    character: str, region: Sequence[Cell], kinds: Sequence[Kind], letter_of: dict[str, str]
) -> str | None:
    """Which piece a region is: that of its letter, unless its shape is that of a namesake.

    A further copy has its letter's other case, or a digit.
    """
    own = [kind for kind in kinds if character == letter_of[kind.name]]
    initial = character.casefold()
    namesakes = [kind for kind in kinds if initial == kind.name[0].casefold()]
    copies = [
        kind
        for kind in kinds
        if kind.high != 1 and (character.isdigit() or character.swapcase() == letter_of[kind.name])
    ]
    near = own + namesakes + ([] if own else copies)
    fitting = [kind for kind in near if placement_of(kind.piece, region) is not None]
    return next((kind.name for kind in fitting + near), None)
