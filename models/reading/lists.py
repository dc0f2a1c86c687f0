"""Lists of puzzles: a text file with a puzzle on each line.

A line is a puzzle's name, as the command takes it, or a sudoku, its cells row by row::

    # levels of the first chapter
    pentomino:3x5:PUV      the first one
    queens:8
    53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79

What follows the first blank on a line is what people call the puzzle. Blank lines and lines that
begin with ``#`` or ``;`` mean nothing. With a family's name, each line is what stands behind the
colon of that family's names: rows of letters for ``starbattle``, of digits for ``dominosa``.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass

from twostep.models.errors import InputError
from twostep.models.families import registry
from twostep.models.families.puzzle import Puzzle
from twostep.models.reading.files import lines_of, read_text, whole_number

MAX_LISTED = 1_000_000
"""A longer list is refused."""

MAX_LIST_BYTES = 200_000_000
"""So are larger files, bytes."""

SUFFIXES = (".txt", ".sdm", ".lst")
"""How names of lists end; a ``.txt`` file may be a board, too."""

_CELLS = frozenset("0123456789ABCDEFGHIJKLMNOPabcdefghijklmnop.")
"""What a line that is a sudoku is made of."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A puzzle of a list.

    Attributes:
        source: the list's file.
        line: where it stands there, from 1.
        puzzle: its name, as the command takes it.
        title: what people call it; empty: nothing.
    """

    source: str
    line: int
    puzzle: str
    title: str = ""

    def load(self) -> Puzzle:
        """The puzzle.

        Raises:
            InputError: it is refused; names the list and the line.
        """
        try:
            return registry.named_puzzle(self.puzzle)
        except InputError as error:
            raise InputError(error.message, source=self.source, line=self.line) from None


def read_list(path: str | os.PathLike[str], family: str | None = None) -> tuple[Listed, ...]:
    """The puzzles of a list, in order; see the module's text.

    Args:
        family: the family whose names' arguments the lines are; None: lines say it themselves.

    Raises:
        InputError: a line that is neither a puzzle's name nor a sudoku, or nothing but comments.
    """
    source = os.fspath(path)
    if family is not None:
        registry.family(family)
    found = []
    for line, text in _lines(read_text(path, MAX_LIST_BYTES)):
        name, _, title = text.partition(" ")
        found.append(Listed(source, line, _named(name, family, source, line), _title(title)))
        if len(found) > MAX_LISTED:
            raise InputError(f"more than {MAX_LISTED:,} puzzles; split the file", source=source)
    if not found:
        raise InputError("no puzzle: nothing but comments and blank lines", source=source)
    return tuple(found)


def is_list(path: str | os.PathLike[str]) -> bool:
    """Whether a text file is a list rather than one board: most lines are plainly puzzles.

    Not all need be: one spoilt line of a thousand is a fault of that line.
    """
    words = [text.partition(" ")[0] for _, text in _lines(read_text(path, MAX_LIST_BYTES))]
    return 2 * sum(_has_family(word) or _is_sudoku(word) for word in words) > len(words)


def pick(path: str, which: str) -> Puzzle:
    """The puzzle of a list with that number, from 1.

    Raises:
        InputError: there is none; says how many there are.
    """
    listed = read_list(path)
    if not which and len(listed) == 1:
        return listed[0].load()
    if not which:
        count = len(listed)
        raise InputError(f"a list of {count} puzzles: name one, as in {path}#1", source=path)
    number = whole_number(which)
    if number is None or not 1 <= number <= len(listed):
        raise InputError(f"no puzzle {which[:40]!r}; there are 1 to {len(listed)}", source=path)
    return listed[number - 1].load()


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that mean something, tabs and commas after the first word as blanks; numbers."""
    for number, line in enumerate(lines_of(text), 1):
        stripped = line.strip()
        if stripped and not stripped.startswith(("#", ";")):
            yield number, stripped.replace("\t", " ", 1)


def _named(word: str, family: str | None, source: str, line: int) -> str:
    if family is not None:
        return word if word.startswith(f"{family}:") else f"{family}:{word}"
    if _has_family(word):
        return word
    if _CELLS.issuperset(word):  # how many cells it has, and which, the sudoku reader says
        return f"sudoku:{word}"
    raise InputError(
        f"{word[:40]!r} is neither a puzzle's name, such as queens:8, nor a sudoku; for rows of a"
        " family say which with --as FAMILY",
        source=source,
        line=line,
    )


def _has_family(word: str) -> bool:
    kind, colon, _ = word.partition(":")
    return bool(colon) and kind in registry.FAMILIES


def _is_sudoku(word: str) -> bool:
    """A square number of cells of a square number of digits, one of them given at least."""
    side = math.isqrt(len(word))
    box = math.isqrt(side)
    square = side * side == len(word) and box * box == side and side >= 4
    return square and _CELLS.issuperset(word) and any(c not in "0." for c in word)


def _title(text: str) -> str:
    return text.strip().removeprefix("#").strip()
