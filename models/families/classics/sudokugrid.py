"""Reading the cells of a sudoku in the forms in which people write them down.

Rows of digits or all cells in one line; ``.``, ``0``, ``-``, ``_``, ``?`` and ``*`` for empty
cells; frames of ``| + - = :`` and of box-drawing characters; commas or tabs between cells, numbers
of two digits with blanks between; comments behind ``#`` or ``;``, headings in brackets.

No character that could be a cell is passed over. ``-`` and ``*`` are cells or parts of a frame: the
reading counts in which as many rows have as many cells. ``0`` is an empty cell, unless other
characters stand for those and the digits are 0 to F. Where two readings are left the file is
refused, with both of them named.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from twostep.models.errors import InputError
from twostep.models.families.classics.given import Row
from twostep.models.words import counted

MAX_SIDE = 25

FROM_1 = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
FROM_0 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

EMPTY = frozenset(".-_?*")
_FRAME = frozenset("|+=:! \t") | {chr(code) for code in range(0x2500, 0x2580)}
_EITHER = "-*"
"""These stand for an empty cell, or belong to a frame."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """What stands in a cell, in upper case, and where it was found."""

    text: str
    row: Row
    column: int

    def refuse(self, message: str) -> InputError:
        """An error at this place."""
        return self.row.refuse(message, self.column)


Grid = list[list[Symbol]]


@dataclass(frozen=True, slots=True)
class _Reading:
    """What the characters that are cells or frames are: those in `cells` are cells."""

    cells: frozenset[str]


def read_grid(rows: Sequence[Row], box: tuple[int, int] | None = None) -> list[Symbol]:
    """The n * n cells of a sudoku, row by row; `box`: the rows and columns of one, if said.

    Raises:
        InputError: no square of cells, or two of them; names the place.
    """
    rows = [row for row in map(_without_comment, _section(rows)) if row.text.strip()]
    if not rows:
        return _square([], box)
    if (fields := _fields(rows)) is not None:
        return _square(fields, box)
    found: dict[tuple[tuple[str, int, int], ...], Grid] = {}
    for cells in ("-*", "-", "*", ""):
        grid = _cells(rows, _Reading(frozenset(cells)))
        in_one_line = len(grid) == 1 and not set(grid[0][0].row.text) & set(_EITHER) <= set(cells)
        if _is_square(grid) and not in_one_line:  # there, nobody puts a frame
            key = tuple((each.text, each.row.number, each.column) for line in grid for each in line)
            found.setdefault(key, grid)
    if len(found) > 1:
        first, other = list(found.values())[:2]
        raise rows[0].refuse(
            f"can be read as {_size(first)} and as {_size(other)} cells, as '-' and '*' are cells"
            " or not; write '.' for an empty cell"
        )
    if found:
        return [each for line in next(iter(found.values())) for each in line]
    dotted = any(set(row.text) & set(".0_?") for row in rows)
    return _square(_cells(rows, _Reading(frozenset("" if dotted else _EITHER))), box)


def _section(rows: Sequence[Row]) -> Sequence[Row]:
    """The rows under the heading ``[Puzzle]``, if there are headings; up to the next one."""
    heads = [at for at, row in enumerate(rows) if re.fullmatch(r"\[.*\]", row.text.strip())]
    if not heads:
        return rows
    start = next((at for at in heads if rows[at].text.strip().lower() == "[puzzle]"), heads[0])
    end = next((at for at in heads if at > start), len(rows))
    return rows[start + 1 : end]


def _without_comment(row: Row) -> Row:
    """The row without what follows ``#`` or ``;``, and without a title behind all cells."""
    text = row.text
    if (found := re.match(r"\s*(\S+)\s+\S", text)) and _is_all(found[1]):
        text = text[: found.end(1)]
    if row.source is not None:
        text = re.split(r"[#;]", text, maxsplit=1)[0]
    return Row(text, row.number, row.source)


def _is_all(word: str) -> bool:
    side = math.isqrt(len(word))
    return side >= 4 and side * side == len(word) and "," not in word


def _fields(rows: Sequence[Row]) -> Grid | None:
    """The cells between commas or tabs, or numbers with blanks between; None: they stand close."""
    for mark in ",\t":
        if any(mark in row.text.strip() for row in rows):
            return [list(_split(row, mark)) for row in rows if set(row.text) - _FRAME - {"-"}]
    words = [
        [Symbol(word[0].upper(), row, word.start()) for word in re.finditer(r"[^\s|!]+", row.text)]
        for row in rows
        if set(row.text) - _FRAME - set(_EITHER)
    ]
    spaced = len(words) >= 4 and all(len(line) == len(words) for line in words)
    numbers = any(len(each.text) > 1 for line in words for each in line)
    return words if spaced and numbers else None


def _split(row: Row, mark: str) -> Iterator[Symbol]:
    at = 0
    for field in row.text.split(mark):
        inner = field.strip(" |\"'")
        yield Symbol(inner.upper() or ".", row, at)
        at += len(field) + 1


def _cells(rows: Sequence[Row], reading: _Reading) -> Grid:
    """The cells of each row that has any."""
    grid = []
    for row in rows:
        if _is_rule(row.text, reading):
            continue
        line = [
            Symbol(character.upper() if len(character.upper()) == 1 else character, row, column)
            for column, character in enumerate(row.text)
            if character not in _FRAME and (character not in _EITHER or character in reading.cells)
        ]
        if line:
            grid.append(line)
    return grid


def _is_rule(text: str, reading: _Reading) -> bool:
    """Whether a row is a line of the frame: it has a sign of one beside what could be cells."""
    marks = set(text) - {" ", "\t"}
    if not marks <= _FRAME | set(_EITHER):
        return False
    return bool(marks & (_FRAME - {"|"})) or not marks & reading.cells or "*-" in text


def _is_square(grid: Grid) -> bool:
    n = len(grid)
    if n == 1:
        side = math.isqrt(len(grid[0]))
        return side * side == len(grid[0])
    return n > 0 and all(len(line) == n for line in grid)


def _size(grid: Grid) -> str:
    side = math.isqrt(len(grid[0])) if len(grid) == 1 else len(grid)
    return f"{side} x {side}"


def _square(grid: Grid, box: tuple[int, int] | None) -> list[Symbol]:
    """The cells, all in one row or as many rows as columns.

    Raises:
        InputError: neither; names the row.
    """
    cells = [each for line in grid for each in line]
    if not grid or len(grid) == 1:
        side = math.isqrt(len(cells))
        if not cells or side * side != len(cells) or side > MAX_SIDE:
            expected = f"a square number up to {MAX_SIDE**2}: 81 for 9x9"
            if box is not None:
                expected = f"{(box[0] * box[1]) ** 2} for boxes of {box[0]}x{box[1]}"
            raise InputError(f"{counted(len(cells), 'cell')}, expected {expected}")
        return cells
    lengths = Counter(map(len, grid))
    usual = lengths.most_common(1)[0][0]
    if usual >= 16 and usual != len(grid) and math.isqrt(usual) ** 2 == usual:
        raise grid[1][0].row.refuse(
            "a second sudoku: one is expected; of a list, name one by its number, as in list.txt#2"
        )
    for line in grid:
        if len(line) != usual:
            raise line[0].row.refuse(
                f"{counted(len(line), 'cell')}, expected {usual} as in the other rows; an empty"
                " cell is '.' or 0, a remark begins with #"
            )
    if usual != len(grid):
        raise grid[-1][0].row.refuse(
            f"{counted(len(grid), 'row')} of {counted(usual, 'cell')}: expected as many rows as"
            " cells in each, or all cells in one line"
        )
    return cells


def alphabet(cells: Sequence[Symbol], side: int) -> tuple[str, bool]:
    """The digits of a sudoku, and whether ``0`` is an empty cell: see the module's text.

    Raises:
        InputError: there are two readings; names them.
    """
    used = Counter(each.text for each in cells if each.text not in EMPTY)
    others_empty = any(each.text in EMPTY for each in cells)
    names = set(used) - {"0"}
    from_a = names <= set(LETTERS[:side]) and not names <= set(FROM_1[:side])
    if side > 9 and from_a and not used["0"]:
        return LETTERS[:side], False
    if used["0"] and used.keys() <= set(FROM_0[:side]):
        full = not others_empty and all(used[digit] == side for digit in FROM_0[:side])
        if full or (others_empty and side <= 9):
            last, top = FROM_1[side - 1], FROM_0[side - 1]
            how = "with the others" if others_empty else "or a digit"
            zero = next(each for each in cells if each.text == "0")
            raise zero.refuse(
                f"'0' can be an empty cell (digits=1-{last}) or a digit (digits=0-{top}),"
                f" {how}: say which, as in sudoku:digits=1-{last}:FILE"
            )
        if others_empty:
            return FROM_0[:side], False
    return FROM_1[:side], True


def digits_named(text: str, side: int) -> str:
    """The digits that ``1-9``, ``0-F`` or ``A-P`` spells.

    Raises:
        InputError: another number of them than the side.
    """
    first, _, last = text.upper().partition("-")
    for known in (FROM_0, FROM_1, LETTERS):
        if known[0] == first and known[side - 1 : side] == last:
            return known[:side]
    choices = ", ".join(f"{k[0]}-{k[side - 1]}" for k in (FROM_1, FROM_0, LETTERS))
    raise InputError(f"digits {text[:20]!r}: expected one of {choices} for {side} x {side} cells")


def givens(cells: Sequence[Symbol], digits: str, *, zero_is_empty: bool) -> tuple[int, ...]:
    """(cells,) the digit that stands in each, from 1, or 0.

    Raises:
        InputError: something that is neither a digit nor an empty cell; names the place.
    """
    found = []
    for each in cells:
        text = each.text
        if len(text) > 1 and text.isascii() and text.isdigit() and int(text) <= len(digits):
            found.append(int(text))
        elif text in EMPTY or (text == "0" and zero_is_empty):
            found.append(0)
        elif len(text) == 1 and text in digits:
            found.append(digits.index(text) + 1)
        else:
            last = digits[-1] if len(digits) <= 9 else f"9, A to {digits[-1]}"
            first = digits[0] if digits[0] != "A" else "A"
            empty = "'.' or 0" if zero_is_empty else "'.'"
            found_text = each.row.text[each.column] if len(text) == 1 else text[:20]
            raise each.refuse(f"{found_text!r}, expected {first} to {last}, or {empty} if empty")
    return tuple(found)


def sums_of(size: int, total: int, most: int) -> Iterator[tuple[int, ...]]:
    """The sets of so many different digits from 1 to `most` with that sum."""
    return (
        digits
        for digits in itertools.combinations(range(1, most + 1), size)
        if sum(digits) == total
    )
