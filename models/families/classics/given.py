"""What the families of this folder share in reading what was typed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from twostep.models.errors import InputError
from twostep.models.language.model import IntArray
from twostep.models.reading.files import SMALL, lines_of, read_text, whole_number
from twostep.models.words import counted

MOST_ENTRIES = 6_000_000
"""The largest model that is built of what was given: some 700 MB."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a picture, and where it stands: `source` is None if it was typed in the name."""

    text: str
    number: int
    source: str | None = None
    step: int = 1
    """In the file, characters from one cell to the next."""

    def refuse(self, message: str, column: int | None = None) -> InputError:
        """An error in this row; `column` counts from 0."""
        column = None if column is None else column * self.step
        if self.source is not None:
            place = None if column is None else column + 1
            return InputError(message, source=self.source, line=self.number, column=place)
        place_text = "" if column is None else f", column {column + 1}"
        return InputError(f"row {self.number}{place_text}: {message}")


def whole(text: str, what: str, least: int, most: int) -> int:
    """The number that `text` spells.

    Raises:
        InputError: none from `least` to `most`.
    """
    if (number := whole_number(text)) is not None and least <= number <= most:
        return number
    raise InputError(f"{what} {text[:40]!r}: expected a whole number from {least} to {most}")


def size(text: str, most: int) -> tuple[int, int]:
    """Rows and columns from ``ROWSxCOLS``.

    Raises:
        InputError: no such text, or more than `most` of either.
    """
    rows, cross, columns = text.partition("x")
    if not cross:
        raise InputError(f"size {text[:40]!r}: expected ROWSxCOLS, such as 2x3")
    return whole(rows, "rows", 1, most), whole(columns, "columns", 1, most)


def is_file(text: str) -> bool:
    """Whether what was typed is rather the name of a file than a picture."""
    return os.path.isfile(text) or text.lower().endswith((".txt", ".sdk", ".ss"))


def rows(text: str) -> list[Row]:
    """The rows of a picture: typed with ``/`` between them, or the lines of the file `text`.

    In a file, blank lines and lines that start with ``#`` or ``;`` are passed over.

    Raises:
        InputError: the file cannot be read, or no line is left.
    """
    if not is_file(text):
        return [Row(row, number) for number, row in enumerate(text.split("/"), start=1)]
    lines = lines_of(read_text(text, SMALL))
    found = [
        Row(line.strip(), number, text)
        for number, line in enumerate(lines, start=1)
        if line.strip() and not line.lstrip().startswith(("#", ";"))
    ]
    if not found:
        raise InputError("nothing but comments", source=text)
    for number, line in enumerate(lines, start=1):
        if line and not line.strip() and len(line) >= len(found[0].text):
            raise InputError(
                "a row of blanks: write what stands in its cells, or leave the line empty",
                source=text,
                line=number,
            )
    return found


def close(picture: list[Row]) -> list[Row]:
    """The rows without the blanks between their cells, if all are written so: ``A A B``."""
    if not all(len(row.text) > 1 and not row.text[1::2].strip() for row in picture):
        return picture
    return [Row(row.text[::2], row.number, row.source, 2) for row in picture]


def same_length(picture: list[Row]) -> int:
    """The length of each row.

    Raises:
        InputError: rows of different lengths, or empty ones.
    """
    length = len(picture[0].text)
    for row in picture:
        if len(row.text) != length or not length:
            raise row.refuse(
                f"{counted(len(row.text), 'character')}, expected {length or 'at least 1'}"
            )
    return length


def check_size(options: int, entries: int) -> None:
    """Refuse a model of so many options with so many entries each, before it is built.

    Raises:
        InputError: it is too large.
    """
    if options * entries > MOST_ENTRIES:
        raise InputError(
            f"too large: a model of {options:,} options that cover {entries} items each, expected"
            f" at most {MOST_ENTRIES // entries:,}"
        )


def square_symmetries(n: int) -> IntArray:
    """(8 or fewer, n * n) where each way to turn and mirror a square sends its cells, row by row.

    The identity comes first.
    """
    board = np.arange(n * n, dtype=np.int32).reshape(n, n)
    turned = [np.rot90(side, quarter) for side in (board, board.T) for quarter in range(4)]
    return np.unique([each.ravel() for each in turned], axis=0)


def misread(message: str, row: int, column: int | None = None) -> InputError:
    """An error in what was placed; `row` and `column` count from 0."""
    return InputError(message, line=row + 1, column=None if column is None else column + 1)


def same_size(drawing: Sequence[str], height: int, width: int) -> list[tuple[int, int, str]]:
    """Row, column and character of a drawing of that size; blanks at the ends may be missing.

    Raises:
        InputError: another size.
    """
    if len(drawing) != height:
        raise InputError(f"{counted(len(drawing), 'row')}, expected {height}")
    for r, row in enumerate(drawing):
        if len(row) > width:
            raise misread(f"{counted(len(row), 'character')}, expected {width}", r)
    return [
        (r, c, char) for r, row in enumerate(drawing) for c, char in enumerate(row.ljust(width))
    ]
