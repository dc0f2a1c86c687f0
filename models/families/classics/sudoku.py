"""Sudoku of any box size: ``sudoku:53..7....6..195...`` or ``sudoku:FILE.txt``.

The cells row by row; ``.`` and ``0`` are empty, ``1`` to ``9``, then ``A``, ``B`` ... are digits.
From the number of cells follows the size, and from that the box: as square as it can be, not
higher than wide (6x6 has boxes of 2 rows and 3 columns). ``sudoku:3x2:...`` has boxes of 3 rows
and 2 columns. In a file, spaces and the characters ``| - +`` between boxes are passed over, and so
are blank lines and lines that start with ``#``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from twostep.models.drawing.grid import (
    Cell,
    areas,
    borders,
    hairlines,
    outlined,
    place,
    rectangle,
    written,
)
from twostep.models.drawing.scene import NO_MARKS, Colour, Layer, Marks, Role, Scene, Shape
from twostep.models.errors import InputError
from twostep.models.families.classics.given import Row, misread, rows, same_size, size
from twostep.models.families.likeness import Likeness, grid_key
from twostep.models.families.puzzle import Choice, Family, Puzzle
from twostep.models.language.builder import ModelBuilder
from twostep.models.language.model import Model, Solution
from twostep.models.words import counted

DIGITS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
EMPTY = ".0"
_LINES = ("row", "column", "box")
MAX_SIDE = 25

_BOX = re.compile(r"([0-9]+x[0-9]+):(.*)", re.ASCII | re.DOTALL)


class Sudoku(Puzzle):
    """A sudoku with its givens.

    Attributes:
        box_rows, box_columns: the shape of a box; the side is their product.
        givens: (side * side,) a digit from 1, or 0, row by row.
    """

    def __init__(self, name: str, box: tuple[int, int], givens: tuple[int, ...]) -> None:
        self.name = name
        self.box_rows, self.box_columns = box
        self.side = self.box_rows * self.box_columns
        self.givens = givens

    def build(self) -> Model:
        """Option (r * side + c) * side + d - 1 is digit d in row r, column c: label (r, c, d).

        The givens are chosen options.
        """
        n = self.side
        builder = ModelBuilder(self.name)
        for kind in ("cell", "row", "column", "box"):
            for line in range(n):
                for value in range(n):
                    builder.item(f"{kind}-{line},{value if kind == 'cell' else DIGITS[value]}")
        for r in range(n):
            for c in range(n):
                for d in range(n):
                    row, column, box = (n * (n + line) for line in self._lines(r, c))
                    builder.option([n * r + c, row + d, column + d, box + d], label=(r, c, d + 1))
        builder.chosen = [cell * n + digit - 1 for cell, digit in enumerate(self.givens) if digit]
        return builder.build()

    @cached_property
    def likeness(self) -> Likeness:
        """Turned and mirrored copies with the digits renamed are the same sudoku."""
        n = self.side
        rows = [[d or None for d in self.givens[r * n : (r + 1) * n]] for r in range(n)]
        box = (self.box_rows, self.box_columns)
        key = grid_key(rows, same_shape=self.box_rows != self.box_columns)
        return Likeness((("givens", f"sudoku {box} {key}"),))

    def obstacle(self) -> str | None:
        """A digit given twice in a row, column or box."""
        n = self.side
        seen: dict[tuple[int, int], tuple[int, int]] = {}
        for cell, digit in enumerate(self.givens):
            if not digit:
                continue
            r, c = divmod(cell, n)
            for line in self._lines(r, c):
                if (before := seen.setdefault((line, digit), (r, c))) != (r, c):
                    kind = _LINES[line // n]
                    return (
                        f"{DIGITS[digit - 1]} is given twice in {kind} {line % n + 1}: at row"
                        f" {before[0] + 1}, column {before[1] + 1} and row {r + 1}, column {c + 1}"
                    )
        return None

    def draw(self, solution: Solution) -> str:
        """The digits, a line per row."""
        n = self.side
        digit_of = dict(divmod(option, n) for option in solution)
        text = "".join(DIGITS[digit_of[c]] if c in digit_of else "." for c in range(n * n))
        return "\n".join(text[start : start + n] for start in range(0, n * n, n))

    def picture(self, placed: Iterable[int] = (), marks: Marks = NO_MARKS) -> Scene:
        """The grid, the givens bold, thick lines around the boxes."""
        n = self.side
        digit_of = {divmod(cell, n): digit - 1 for cell, digit in enumerate(self.givens) if digit}
        given = set(digit_of)
        for option in placed:
            cell, digit = divmod(option, n)
            digit_of.setdefault(divmod(cell, n), digit)
        pointed = {divmod(option // n, n) for option in marks.options}
        cells = rectangle(n, n)

        def fill(cell: Cell) -> Colour:
            return Role.MARK if cell in pointed else Role.CELL

        digits: list[Shape] = [
            written(cell, DIGITS[digit], fill(cell), bold=cell in given)
            for cell, digit in digit_of.items()
        ]
        box_of = {cell: self._lines(*cell)[2] for cell in cells}
        around = [shape for item in marks.items for shape in outlined(self._cells(item))]
        board = areas(cells, fill) + hairlines(cells) + borders(box_of)
        layers = Layer("board", tuple(board)), Layer("digits", tuple(digits))
        text = self.draw(tuple((r * n + c) * n + digit for (r, c), digit in digit_of.items()))
        return Scene(self.name, n, n, (*layers, Layer("marks", tuple(around))), text)

    def move(self, option: int) -> str:
        """``5 in row 4, column 2``."""
        cell, _ = divmod(option, self.side)
        return f"{self.piece(option)} in {place(divmod(cell, self.side))}"

    def piece(self, option: int) -> str:
        """The digit."""
        return DIGITS[option % self.side]

    def need(self, item: int) -> str:
        """``row 4, column 2``, or ``5 in box 3``."""
        n = self.side
        kind, number = divmod(item, n * n)
        line, digit = divmod(number, n)
        if kind == 0:
            return place((line, digit))
        return f"{DIGITS[digit]} in {_LINES[kind - 1]} {line + 1}"

    def choice(self, item: int) -> Choice:
        """Of digits for a cell, of cells for a digit."""
        n = self.side
        kind, number = divmod(item, n * n)
        if kind == 0:
            return Choice("digit")
        return Choice("cell", "", f"{_LINES[kind - 1]} {number // n + 1}", "a digit")

    def read(self, rows: Sequence[str]) -> tuple[int, ...]:
        """Digits in a grid, ``.`` or ``0`` where a cell is open; the givens may be there or not."""
        n = self.side
        packed = ["".join(c for c in row if c not in " |-+") for row in rows]
        found = []
        for r, c, char in same_size([row for row in packed if row], n, n):
            if char in EMPTY:
                continue
            digit = DIGITS.find(char.upper())
            if not 0 <= digit < n:
                raise misread(f"{char!r} is no digit here, expected 1 to {DIGITS[n - 1]}", r, c)
            given = self.givens[r * n + c]
            if given not in (0, digit + 1):
                raise misread(f"{char!r} where {DIGITS[given - 1]} is given", r, c)
            found.append((r * n + c) * n + digit)
        return tuple(found)

    def _cells(self, item: int) -> list[Cell]:
        """The cells that an item speaks of: one, or a row, column or box."""
        n = self.side
        kind, place = divmod(item // n, n)
        if kind == 0:
            return [divmod(item, n)]
        line = (kind - 1) * n + place
        return [cell for cell in rectangle(n, n) if line in self._lines(*cell)]

    def _lines(self, r: int, c: int) -> tuple[int, int, int]:
        """The row, column and box of a cell, numbered one after the other from 0."""
        n = self.side
        box = r // self.box_rows * self.box_rows + c // self.box_columns
        return r, n + c, 2 * n + box


def parse(text: str) -> Sudoku:
    """The sudoku of ``[BOX:]CELLS`` or ``[BOX:]FILE``.

    Raises:
        InputError: a number of cells that no sudoku has, or something that is no digit of it.
    """
    name = f"sudoku:{text}"
    box = None
    if boxed := _BOX.fullmatch(text):
        box = size(boxed.group(1), MAX_SIDE)
        text = boxed.group(2)
    cells: list[tuple[Row, int]] = []
    for row in rows(text):
        skipped = " |-+" if row.source is not None else ""
        cells += [(row, c) for c, character in enumerate(row.text) if character not in skipped]
    side = math.isqrt(len(cells))
    expected = box[0] * box[1] if box else side
    if box is None and (side * side != len(cells) or not 1 <= side <= MAX_SIDE):
        raise InputError(
            f"{counted(len(cells), 'cell')}, expected a square number up to {MAX_SIDE**2}:"
            " 81 for 9x9"
        )
    if not 1 <= expected <= MAX_SIDE:
        raise InputError(f"a side of {expected}, expected at most {MAX_SIDE}")
    if len(cells) != expected**2:
        boxes = f" for boxes of {boxed.group(1)}" if boxed else ""
        raise InputError(f"{counted(len(cells), 'cell')}, expected {expected**2}{boxes}")
    digits = DIGITS[:expected]
    givens: list[int] = []
    for row, c in cells:
        character = row.text[c].upper()
        if character in EMPTY:
            givens.append(0)
        elif character in digits:
            givens.append(digits.index(character) + 1)
        else:
            last = digits[-1] if expected <= 9 else f"9, A to {digits[-1]}"
            raise row.refuse(f"{row.text[c]!r}, expected 1 to {last}, or '.' or 0 if empty", c)
    return Sudoku(name, box or _usual_box(expected), tuple(givens))


def _usual_box(side: int) -> tuple[int, int]:
    high = next(rows for rows in range(math.isqrt(side), 0, -1) if side % rows == 0)
    return high, side // high


FAMILY = Family(
    "sudoku",
    "a sudoku with boxes of any size",
    "sudoku:[BOXROWSxBOXCOLS:]CELLS row by row, '.' or 0 if empty; or a file",
    (
        "sudoku:53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
        "sudoku:..3..3.4..23..4.",
    ),
    parse,
)
