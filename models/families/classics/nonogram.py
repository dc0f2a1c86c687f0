"""Pictures from the lengths of their runs: ``nonogram:1,1/3/1:1/3/1``, clues of rows : of columns.

Each row and column says how long its runs of filled cells are, in order; between two runs is an
empty cell at least. Lines are primary items, an option for each way to lay a line's runs; cells
are secondary items, and their colours say whether they are filled. In a file the clues stand one
line below the other, under ``rows:`` and ``columns:``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from twostep.models.drawing.grid import Cell, areas, borders, hairlines, outlined, rectangle
from twostep.models.drawing.scene import (
    NO_MARKS,
    Area,
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
from twostep.models.errors import InputError
from twostep.models.families.classics.given import (
    Row,
    check_size,
    is_file,
    misread,
    rows,
    same_size,
    whole,
)
from twostep.models.families.puzzle import Choice, Family, Puzzle
from twostep.models.language.builder import Entry, ModelBuilder
from twostep.models.language.model import Model, Solution
from twostep.models.words import counted

MAX_SIDE = 60

Clue = tuple[int, ...]
"""The lengths of a line's runs, in order."""

FILLED, EMPTY = "#", "-"


def ways(clue: Clue, length: int) -> Iterator[str]:
    """The ways to lay runs in a line: ``#`` a filled cell, ``-`` an empty one."""
    if not clue:
        yield EMPTY * length
        return
    run, rest = clue[0], clue[1:]
    least = sum(rest) + len(rest)  # what the other runs take, with the gaps before them
    for start in range(length - least - run + 1):
        head = EMPTY * start + FILLED * run
        if not rest:
            yield head + EMPTY * (length - len(head))
        else:
            for tail in ways(rest, length - len(head) - 1):
                yield head + EMPTY + tail


def number_of_ways(clue: Clue, length: int) -> int:
    """How many :func:`ways` there are."""
    free = length - sum(clue) + 1
    return math.comb(free, len(clue)) if free >= len(clue) else 0


class Nonogram(Puzzle):
    """One picture.

    Attributes:
        across, down: the clues of the rows and of the columns.
    """

    def __init__(self, name: str, across: Sequence[Clue], down: Sequence[Clue]) -> None:
        self.name = name
        self.across, self.down = tuple(across), tuple(down)

    @property
    def _lines(self) -> list[tuple[str, Clue, list[Cell]]]:
        """Name, clue and cells of each line, rows first."""
        height, width = len(self.across), len(self.down)
        found = [
            (f"row {r + 1}", clue, [(r, c) for c in range(width)])
            for r, clue in enumerate(self.across)
        ]
        return found + [
            (f"column {c + 1}", clue, [(r, c) for r in range(height)])
            for c, clue in enumerate(self.down)
        ]

    def obstacle(self) -> str | None:
        """A line that is too short for its runs, or other sums of rows and columns."""
        for name, clue, cells in self._lines:
            if not number_of_ways(clue, len(cells)):
                return f"{name} is too short for its runs: {_said(clue)} in {len(cells)} cells"
        across, down = (sum(map(sum, clues)) for clues in (self.across, self.down))
        if across != down:
            return f"the rows have {counted(across, 'filled cell')}, the columns {down}"
        return None

    def build(self) -> Model:
        """An option for each line and way to lay its runs; its label is (line, way)."""
        lines = self._lines
        options = sum(number_of_ways(clue, len(cells)) for _, clue, cells in lines)
        check_size(options, 1 + max(len(self.across), len(self.down)))
        builder = ModelBuilder(self.name)
        line_items = [builder.item(name.replace(" ", "-")) for name, _, _ in lines]
        cell = {
            (r, c): builder.secondary(f"cell-{r},{c}")
            for r, c in rectangle(len(self.across), len(self.down))
        }
        for number, (_, clue, cells) in enumerate(lines):
            for way in ways(clue, len(cells)):
                entries: list[Entry] = [line_items[number]]
                entries += [(cell[at], sign) for at, sign in zip(cells, way, strict=True)]
                builder.option(entries, label=(number, way))
        return builder.build()

    def move(self, option: int) -> str:
        """``row 2 as #-##-``."""
        return f"{self._lines[self.model.labels[option][0]][0]} as {self.piece(option)}"

    def piece(self, option: int) -> str:
        """The cells of the line."""
        way: str = self.model.labels[option][1]
        return way

    def need(self, item: int) -> str:
        """``row 2``, ``column 3``, or a cell."""
        lines = self._lines
        if item < len(lines):
            return lines[item][0]
        r, c = self._cell(item)
        return f"the cell in row {r + 1}, column {c + 1}"

    def choice(self, item: int) -> Choice:
        """Of ways to lay its runs."""
        return Choice("way", "to lay its runs")

    def _cell(self, item: int) -> Cell:
        return divmod(item - len(self.across) - len(self.down), len(self.down))

    def _signs(self, options: Iterable[int]) -> dict[Cell, str]:
        """What some lines say of their cells."""
        lines = self._lines
        found: dict[Cell, str] = {}
        for option in options:
            number, way = self.model.labels[option]
            found.update(zip(lines[number][2], way, strict=True))
        return found

    @cached_property
    def _option_of(self) -> dict[tuple[int, str], int]:
        return {label: option for option, label in enumerate(self.model.labels)}

    def read(self, rows: Sequence[str]) -> tuple[int, ...]:
        """The lines that are filled in: ``#`` filled, ``-`` empty, ``.`` open."""
        height, width = len(self.across), len(self.down)
        sign_of: dict[Cell, str] = {}
        for r, c, char in same_size(rows, height, width):
            if char not in "#-. ":
                raise misread(f"{char!r}, expected # (filled), - (empty) or . (open)", r, c)
            sign_of[r, c] = char
        found = []
        for number, (name, clue, cells) in enumerate(self._lines):
            line = "".join(sign_of[cell] for cell in cells)
            if set(line) <= {FILLED, EMPTY}:
                if (number, line) not in self._option_of:
                    raise misread(f"{name} has other runs than {_said(clue)}", cells[0][0])
                found.append(self._option_of[number, line])
        return tuple(found)

    def draw(self, solution: Solution) -> str:
        """The picture: ``#`` a filled cell, ``-`` an empty one, ``.`` one that is open."""
        signs = self._signs(solution)
        return "\n".join(
            "".join(signs.get((r, c), ".") for c in range(len(self.down)))
            for r in range(len(self.across))
        )

    def picture(self, placed: Iterable[int] = (), marks: Marks = NO_MARKS) -> Scene:
        """The picture with the clues beside it; a dot in a cell that stays empty."""
        laid = tuple(placed)
        left = 0.6 * max(1, *map(len, self.across))
        top = 0.6 * max(1, *map(len, self.down))
        signs, pointed = self._signs(laid), self._signs(marks.options)

        def fill(cell: Cell) -> Colour:
            if cell in pointed:
                return Role.MARK
            return Role.INK if signs.get(cell) == FILLED else Role.CELL

        height, width = len(self.across), len(self.down)
        cells = rectangle(height, width)
        clues: list[Shape] = []
        for r, clue in enumerate(self.across):
            for place, run in enumerate(reversed(clue or (0,))):
                clues.append(Text((left - 0.3 - 0.6 * place, top + r + 0.5), f"{run}", 0.5))
        for c, clue in enumerate(self.down):
            for place, run in enumerate(reversed(clue or (0,))):
                clues.append(Text((left + c + 0.5, top - 0.3 - 0.6 * place), f"{run}", 0.5))
        board = areas(cells, fill) + hairlines(cells)
        board += borders({(r, c): (r // 5, c // 5) for r, c in cells}, Weight.THIN)
        board += borders(dict.fromkeys(cells, 0))
        lines = self._lines
        for item in marks.items:
            its = lines[item][2] if item < len(lines) else [self._cell(item)]
            board += outlined(its)
        moved = tuple(_moved(shape, left, top) for shape in board)
        layers = Layer("board", moved), Layer("clues", tuple(clues))
        return Scene(self.name, left + width, top + height, layers, self.draw(laid))


def _moved(shape: Shape, right: float, down: float) -> Shape:
    """An area or a line, moved."""
    if isinstance(shape, Area | Line):
        return replace(shape, points=tuple((x + right, y + down) for x, y in shape.points))
    return shape


def _said(clue: Clue) -> str:
    return " ".join(map(str, clue or (0,)))


def parse(text: str) -> Nonogram:
    """The picture of ``ROWS:COLUMNS`` or of a file.

    Raises:
        InputError: no clues, or something that is no number.
    """
    name = f"nonogram:{text}"
    if is_file(text):
        across, down = _sections(rows(text))
    else:
        parts = text.split(":")
        if len(parts) != 2:
            raise InputError(f"{text[:40]!r}: expected {FAMILY.syntax}")
        across, down = (
            [Row(clue, number) for number, clue in enumerate(part.split("/"), 1)] for part in parts
        )
    clues = [[_clue(row) for row in lines] for lines in (across, down)]
    for what, lines in zip(("rows", "columns"), clues, strict=True):
        if not 1 <= len(lines) <= MAX_SIDE:
            raise InputError(f"{counted(len(lines), 'clue')} for {what}, expected 1 to {MAX_SIDE}")
    return Nonogram(name, *clues)


def _sections(lines: list[Row]) -> tuple[list[Row], list[Row]]:
    found: dict[str, list[Row]] = {"rows": [], "columns": []}
    now: list[Row] | None = None
    for row in lines:
        head, colon, rest = row.text.partition(":")
        if colon:
            if head.strip() not in found or rest.strip():
                raise row.refuse("expected rows: or columns: alone on the line, clues below")
            now = found[head.strip()]
        elif now is None:
            raise row.refuse("expected rows: or columns: before the clues")
        else:
            now.append(row)
    return found["rows"], found["columns"]


def _clue(row: Row) -> Clue:
    words = row.text.replace(",", " ").split()
    try:
        runs = tuple(whole(word, "run", 0, MAX_SIDE) for word in words)
    except InputError as error:
        raise row.refuse(error.message) from None
    if not runs or (0 in runs and len(runs) > 1):
        raise row.refuse("expected the lengths of runs such as 1,3, or 0 for none")
    return () if runs == (0,) else runs


FAMILY = Family(
    "nonogram",
    "a picture from the lengths of the runs in its rows and columns",
    "nonogram:ROWS:COLUMNS, clues with '/' between lines and ',' between runs; or a file",
    (
        "nonogram:1,1/5/5/3/1:2/4/4/4/2",
        "nonogram:1/1:1/1",
    ),
    parse,
)
