"""Sudoku of any box size: ``sudoku:53..7....6..195...`` or ``sudoku:FILE.txt``.

The cells row by row; ``.`` and ``0`` are empty, ``1`` to ``9``, then ``A``, ``B`` ... are digits
(:mod:`twostep.models.families.classics.sudokugrid` tells all forms in which a file may be). From
the number of cells follows the size, and from that the box: as square as it can be, not higher
than wide (6x6 has boxes of 2 rows and 3 columns). ``sudoku:3x2:...`` has boxes of 3 rows and 2
columns.

Variants are parts of the name before the cells, or lines ``key: value`` in a file: ``diagonal``
(both diagonals have each digit once), ``regions`` (a letter for each cell, in the place of boxes),
``cages`` (a letter for each cell in a cage, ``.`` for others; no digit twice in a cage) and
``sums`` (``a=10 b=12``), ``digits`` (``0-F``).

Cells, and digits in rows, columns and boxes, are the items. A cage with a sum chooses among the
sets of digits with that sum: an option for each set covers the cage, and those of the cage's
digits that are not in the set; the cells must then cover the others.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
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
from twostep.models.drawing.scene import (
    NO_MARKS,
    Colour,
    Layer,
    Line,
    Marks,
    Role,
    Scene,
    Shape,
    Text,
    Weight,
)
from twostep.models.errors import InputError, did_you_mean
from twostep.models.families.classics.given import (
    Row,
    is_file,
    misread,
    rows,
    same_size,
    size,
    whole,
)
from twostep.models.families.classics.sudokugrid import (
    EMPTY,
    FROM_1,
    MAX_SIDE,
    Symbol,
    alphabet,
    digits_named,
    givens,
    read_grid,
    sums_of,
)
from twostep.models.families.likeness import Likeness, grid_key
from twostep.models.families.polyomino.pieces import regions as connected
from twostep.models.families.puzzle import Choice, Family, Puzzle
from twostep.models.language.builder import ModelBuilder
from twostep.models.language.model import Model, Solution
from twostep.models.words import counted

_LINES = ("row", "column", "box", "diagonal")
MOST_SETS = 50_000
"""Sets of digits, of all cages together, that a killer sudoku may have at most."""


@dataclass(frozen=True, slots=True)
class Cage:
    """Cells of different digits, with their sum if it is known."""

    cells: tuple[Cell, ...]
    total: int | None


@dataclass(frozen=True, slots=True)
class Rules:
    """What a sudoku demands besides rows and columns.

    Attributes:
        box: rows and columns of a box.
        regions: (side * side,) the region of each cell in the place of its box, from 0; or None.
        diagonal: whether each digit is once in both diagonals.
        cages: of a killer sudoku.
        digits: what the digits are called.
    """

    box: tuple[int, int]
    regions: tuple[int, ...] | None = None
    diagonal: bool = False
    cages: tuple[Cage, ...] = ()
    digits: str = FROM_1

    @property
    def plain(self) -> bool:
        """Whether it is a sudoku like any other."""
        return self.regions is None and not self.diagonal and not self.cages


class Sudoku(Puzzle):
    """A sudoku with its givens.

    Attributes:
        box_rows, box_columns: the shape of a box; the side is their product.
        givens: (side * side,) a digit from 1, or 0, row by row.
        rules: what is demanded.
        digits: what the digits are called.
    """

    def __init__(self, name: str, rules: Rules, givens: tuple[int, ...]) -> None:
        self.name = name
        self.rules = rules
        self.box_rows, self.box_columns = rules.box
        self.side = self.box_rows * self.box_columns
        self.digits = rules.digits[: self.side]
        self.givens = givens

    def build(self) -> Model:
        """Option (r * side + c) * side + d - 1 is digit d in row r, column c: label (r, c, d).

        The givens are chosen options. Sets of digits for cages follow: label (cage, digits).
        """
        n = self.side
        builder = ModelBuilder(self.name)
        kinds = ["cell", *_LINES] if self.rules.diagonal else ["cell", *_LINES[:-1]]
        for kind in kinds:
            for line in range(2 if kind == "diagonal" else n):
                for value in range(n):
                    builder.item(f"{kind}-{line},{value if kind == 'cell' else self.digits[value]}")
        in_cage = self._cage_items(builder)
        for r in range(n):
            for c in range(n):
                for d in range(n):
                    lines = [n * (n + line) + d for line in self._lines(r, c)]
                    cages = [first + d for first in in_cage.get((r, c), ())]
                    builder.option([n * r + c, *lines, *cages], label=(r, c, d + 1))
        for number, cage in enumerate(self.rules.cages):
            if cage.total is not None:
                (first,) = in_cage[cage.cells[0]]
                for digits in sums_of(len(cage.cells), cage.total, n):
                    left = [first + d for d in range(n) if d + 1 not in digits]
                    builder.option([f"cage-{number}", *left], label=(number, digits))
        builder.chosen = [cell * n + digit - 1 for cell, digit in enumerate(self.givens) if digit]
        return builder.build()

    def _cage_items(self, builder: ModelBuilder) -> dict[Cell, tuple[int, ...]]:
        """The item of the least digit in each cell's cage; those of other digits follow it."""
        first_of: dict[Cell, tuple[int, ...]] = {}
        for number, cage in enumerate(self.rules.cages):
            if cage.total is not None:
                builder.item(f"cage-{number}")
            add = builder.secondary if cage.total is None else builder.item
            items = [add(f"cage-{number},{digit}") for digit in self.digits]
            first_of.update(dict.fromkeys(cage.cells, (items[0],)))
        return first_of

    @property
    def remark(self) -> str:
        """A region in several parts, which is allowed, and rarely meant."""
        if self.rules.regions is None:
            return ""
        for region in range(self.side):
            parts = connected(c for c in rectangle(self.side, self.side) if self._box(*c) == region)
            if len(parts) > 1:
                return (
                    f"a region is in {len(parts)} parts: one is at {place(parts[0][0])}, another"
                    f" at {place(parts[1][0])}"
                )
        return ""

    @cached_property
    def likeness(self) -> Likeness:
        """Turned and mirrored copies with the digits renamed are the same sudoku."""
        if not self.rules.plain:
            return super().likeness
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
                        f"{self.digits[digit - 1]} is given twice in {kind} {line % n + 1}: at row"
                        f" {before[0] + 1}, column {before[1] + 1} and row {r + 1}, column {c + 1}"
                    )
        for cage in self.rules.cages:
            if cage.total is not None and not any(sums_of(len(cage.cells), cage.total, n)):
                return (
                    f"the cage at {place(cage.cells[0])}: {counted(len(cage.cells), 'digit')} from"
                    f" 1 to {n} that differ have no sum of {cage.total}"
                )
        return None

    def draw(self, solution: Solution) -> str:
        """The digits, a line per row."""
        n = self.side
        digit_of = dict(divmod(option, n) for option in solution if option < n**3)
        text = "".join(self.digits[digit_of[c]] if c in digit_of else "." for c in range(n * n))
        return "\n".join(text[start : start + n] for start in range(0, n * n, n))

    def picture(self, placed: Iterable[int] = (), marks: Marks = NO_MARKS) -> Scene:
        """The grid, the givens bold, thick lines around the boxes."""
        n = self.side
        digit_of = {divmod(cell, n): digit - 1 for cell, digit in enumerate(self.givens) if digit}
        given = set(digit_of)
        for option in (each for each in placed if each < n**3):
            cell, digit = divmod(option, n)
            digit_of.setdefault(divmod(cell, n), digit)
        pointed = {divmod(option // n, n) for option in marks.options if option < n**3}
        cells = rectangle(n, n)

        def fill(cell: Cell) -> Colour:
            return Role.MARK if cell in pointed else Role.CELL

        digits: list[Shape] = [
            written(cell, self.digits[digit], fill(cell), bold=cell in given)
            for cell, digit in digit_of.items()
        ]
        box_of = {cell: self._box(*cell) for cell in cells}
        drawn: list[Shape] = []
        if self.rules.diagonal:
            drawn += [
                Line(((0, 0), (n, n)), Weight.THIN, Role.FAINT),
                Line(((n, 0), (0, n)), Weight.THIN, Role.FAINT),
            ]
        for cage in self.rules.cages:
            drawn += _cage(cage)
        around = [shape for item in marks.items for shape in outlined(self._cells(item))]
        board = areas(cells, fill) + hairlines(cells) + borders(box_of)
        layers = Layer("board", (*board, *drawn)), Layer("digits", tuple(digits))
        text = self.draw(tuple((r * n + c) * n + digit for (r, c), digit in digit_of.items()))
        return Scene(self.name, n, n, (*layers, Layer("marks", tuple(around))), text)

    def move(self, option: int) -> str:
        """``5 in row 4, column 2``, or the digits of a cage."""
        if option >= self.side**3:
            return f"{self.piece(option)} in the cage at {self._cage_name(option)}"
        cell, _ = divmod(option, self.side)
        return f"{self.piece(option)} in {place(divmod(cell, self.side))}"

    def piece(self, option: int) -> str:
        """The digit, or the digits of a cage."""
        if option >= self.side**3:
            return " ".join(self.digits[digit - 1] for digit in self.model.labels[option][1])
        return self.digits[option % self.side]

    def act(self, option: int) -> Hashable | None:
        """Writing a digit; which digits a cage has is not written down."""
        return option if option < self.side**3 else None

    def _cage_name(self, option: int) -> str:
        return place(self.rules.cages[self.model.labels[option][0]].cells[0])

    def _cage_of(self, item: int) -> tuple[Cage, str] | None:
        """The cage that an item is of, and the digit, if it is of one."""
        name, _, rest = self.model.items[item].partition("-")
        if name != "cage":
            return None
        number, _, digit = rest.partition(",")
        return self.rules.cages[int(number)], digit

    def need(self, item: int) -> str:
        """``row 4, column 2``, or ``5 in box 3``."""
        n = self.side
        if (caged := self._cage_of(item)) is not None:
            where = f"the cage at {place(caged[0].cells[0])}"
            return f"{caged[1]} in {where}" if caged[1] else where
        kind, number = divmod(item, n * n)
        line, digit = divmod(number, n)
        if kind == 0:
            return place((line, digit))
        return f"{self.digits[digit]} in {_LINES[kind - 1]} {line + 1}"

    def choice(self, item: int) -> Choice:
        """Of digits for a cell, of cells for a digit."""
        n = self.side
        if (caged := self._cage_of(item)) is not None:
            where = f"the cage at {place(caged[0].cells[0])}"
            return Choice("way" if caged[1] else "set", "" if caged[1] else "of digits", where)
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
            if char in EMPTY or (char == "0" and "0" not in self.digits):
                continue
            digit = self.digits.find(char.upper())
            if digit < 0:
                expected = f"{self.digits[0]} to {self.digits[-1]}"
                raise misread(f"{char!r} is no digit here, expected {expected}", r, c)
            given = self.givens[r * n + c]
            if given not in (0, digit + 1):
                raise misread(f"{char!r} where {self.digits[given - 1]} is given", r, c)
            found.append((r * n + c) * n + digit)
        return tuple(found)

    def _cells(self, item: int) -> list[Cell]:
        """The cells that an item speaks of: one, or a row, column or box."""
        n = self.side
        if (caged := self._cage_of(item)) is not None:
            return list(caged[0].cells)
        kind, number = divmod(item // n, n)
        if kind == 0:
            return [divmod(item, n)]
        line = (kind - 1) * n + number
        return [cell for cell in rectangle(n, n) if line in self._lines(*cell)]

    def _box(self, r: int, c: int) -> int:
        """The box or region of a cell, from 0."""
        if self.rules.regions is not None:
            return self.rules.regions[r * self.side + c]
        return r // self.box_rows * self.box_rows + c // self.box_columns

    def _lines(self, r: int, c: int) -> list[int]:
        """The row, column, box and diagonals of a cell, numbered one after the other from 0."""
        n = self.side
        lines = [r, n + c, 2 * n + self._box(r, c)]
        if self.rules.diagonal:
            lines += [3 * n] * (r == c) + [3 * n + 1] * (r + c == n - 1)
        return lines


def _cage(cage: Cage) -> list[Shape]:
    """A dashed line inside a cage's rim, and its sum."""
    cells = set(cage.cells)
    drawn: list[Shape] = []
    for r, c in cage.cells:
        top, bottom, left, right = r + _INSET, r + 1 - _INSET, c + _INSET, c + 1 - _INSET
        for near, line in (
            ((r - 1, c), ((left, top), (right, top))),
            ((r + 1, c), ((left, bottom), (right, bottom))),
            ((r, c - 1), ((left, top), (left, bottom))),
            ((r, c + 1), ((right, top), (right, bottom))),
        ):
            if near not in cells:
                drawn.append(Line(line, Weight.HAIR, dashed=True))
    if cage.total is not None:
        r, c = min(cage.cells)
        drawn.append(Text((c + 0.24, r + 0.22), f"{cage.total}", 0.26, on=Role.CELL, width=0.4))
    return drawn


_INSET = 0.07
_KEYS = ("box", "diagonal", "digits", "regions", "cages", "sums")
_PICTURES = ("regions", "cages")


def parse(text: str) -> Sudoku:
    """The sudoku of ``[BOX:][VARIANT:]...CELLS`` or the same with a file.

    Raises:
        InputError: a number of cells that no sudoku has, something that is no digit of it, or that
            can be read in two ways.
    """
    *parts, last = text.split(":")
    said: dict[str, list[Row]] = {}
    for part in parts:
        key, equals, value = part.partition("=")
        if not equals and re.fullmatch(r"[0-9]+x[0-9]+", part, re.ASCII):
            key, value = "box", part
        if key not in _KEYS or (key == "diagonal") == bool(value):
            raise InputError(f"{part[:40]!r}: expected {FAMILY.syntax}")
        said[key] = [Row(value, 1)]
    given = rows(last)
    if is_file(last):
        given = _headed(given, said)
    box = _box_said(said)
    return Sudoku(f"sudoku:{text}", *_checked(read_grid(given, box), said, box))


def read_sudoku(path: str) -> Sudoku:
    """The sudoku in a file of any name."""
    return parse(path)


def _headed(lines: list[Row], said: dict[str, list[Row]]) -> list[Row]:
    """The lines of the grid; those of a variant, ``key: value`` and pictures, go into `said`."""
    grid: list[Row] = []
    target = grid
    for row in lines:
        key, colon, value = (part.strip() for part in row.text.partition(":"))
        if colon and key.isalpha() and len(key) > 1:
            if key not in (*_KEYS, "cells"):
                more = did_you_mean(key, _KEYS)
                raise row.refuse(f"unknown key {key[:20]!r}{more}; a remark begins with #")
            if key in said and key != "sums":
                raise row.refuse(f"{key!r} is said already")
            target = grid if key == "cells" else said.setdefault(key, [])
            if value:
                target.append(Row(value, row.number, row.source))
            if key not in _PICTURES:
                target = grid
        elif target is not grid and len(target) >= len(target[0].text if target else row.text):
            target = grid
            grid.append(row)
        else:
            target.append(row)
    return grid


def _box_said(said: dict[str, list[Row]]) -> tuple[int, int] | None:
    if "box" not in said:
        return None
    box = size(said["box"][0].text, MAX_SIDE)
    if box[0] * box[1] > MAX_SIDE:
        raise InputError(f"a side of {box[0] * box[1]}, expected at most {MAX_SIDE}")
    return box


def _checked(
    cells: list[Symbol], said: dict[str, list[Row]], box: tuple[int, int] | None
) -> tuple[Rules, tuple[int, ...]]:
    side = math.isqrt(len(cells))
    if box is None:
        box = _usual_box(side)
    elif box[0] * box[1] != side:
        expected = (box[0] * box[1]) ** 2
        raise InputError(
            f"{counted(len(cells), 'cell')}, expected {expected} for boxes of {box[0]}x{box[1]}"
        )
    if "digits" in said:
        digits = digits_named(said["digits"][0].text, side)
        zero_is_empty = "0" not in digits
    else:
        digits, zero_is_empty = alphabet(cells, side)
    if "sums" in said and digits[0] != FROM_1[0]:
        raise InputError(f"sums are of digits from 1, not from {digits[0]}: say digits=1-...")
    rules = Rules(
        box,
        _regions(said["regions"], side) if "regions" in said else None,
        _is_diagonal(said),
        _cages(said, side),
        digits,
    )
    return rules, givens(cells, digits, zero_is_empty=zero_is_empty)


def _is_diagonal(said: dict[str, list[Row]]) -> bool:
    if "diagonal" not in said:
        return False
    row = said["diagonal"][0] if said["diagonal"] else Row("", 1)
    if row.text not in ("", "yes", "no"):
        raise row.refuse(f"diagonal {row.text[:20]!r}: expected yes or no")
    return row.text != "no"


def _symbols(picture: list[Row], side: int, what: str) -> list[Symbol]:
    found = [
        Symbol(character, row, column)
        for row in picture
        for column, character in enumerate(row.text)
        if character not in " /"
    ]
    if len(found) != side * side:
        raise InputError(f"{what}: {counted(len(found), 'cell')}, expected {side * side}")
    return found


def _regions(picture: list[Row], side: int) -> tuple[int, ...]:
    found = _symbols(picture, side, "regions")
    names = list(dict.fromkeys(each.text for each in found))
    for name in names:
        have = sum(each.text == name for each in found)
        if have != side or len(names) != side:
            raise InputError(
                f"regions: {counted(len(names), 'region')}, {name!r} has {counted(have, 'cell')};"
                f" expected {side} regions of {side} cells"
            )
    return tuple(names.index(each.text) for each in found)


def _cages(said: dict[str, list[Row]], side: int) -> tuple[Cage, ...]:
    if "cages" not in said:
        if "sums" in said:
            raise InputError("sums without cages: draw the cages, a letter for each")
        return ()
    cells: dict[str, list[Cell]] = {}
    for number, each in enumerate(_symbols(said["cages"], side, "cages")):
        if each.text not in ".-":
            cells.setdefault(each.text, []).append(divmod(number, side))
    total: dict[str, int] = {}
    for row in said.get("sums", []):
        for word in row.text.replace(",", " ").split():
            name, _, text = word.partition("=")
            if name not in cells:
                raise InputError(f"sum {word[:20]!r}: there is no cage {name[:10]!r}")
            total[name] = whole(text, f"the sum of cage {name}", 1, side * (side + 1) // 2)
    cages = tuple(Cage(tuple(where), total.get(name)) for name, where in cells.items())
    for name, where in cells.items():
        if len(where) > side:
            raise InputError(f"cage {name!r} has {len(where)} cells, but there are {side} digits")
    sets = sum(math.comb(side, len(cage.cells)) for cage in cages if cage.total is not None)
    if sets > MOST_SETS * side:
        raise InputError(f"cages of too many sets of digits: {sets:,}")
    return cages


def _usual_box(side: int) -> tuple[int, int]:
    high = next(rows for rows in range(math.isqrt(side), 0, -1) if side % rows == 0)
    return high, side // high


FAMILY = Family(
    "sudoku",
    "a sudoku with boxes of any size, diagonals, regions or cages",
    "sudoku:[BOXROWSxBOXCOLS:][diagonal:][regions=LETTERS:][cages=LETTERS:sums=a=10,b=7:]"
    "[digits=0-F:]CELLS row by row, '.' or 0 if empty; or a file",
    (
        "sudoku:53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
        "sudoku:diagonal:1...............",
        "sudoku:regions=aaabacbbccbdcddd:1...........4...",
        "sudoku:cages=aabbcddbceefcgff:sums=a=3,b=9,c=9,d=5,e=5,f=6,g=3:................",
        "sudoku:..3..3.4..23..4.",
    ),
    parse,
)
