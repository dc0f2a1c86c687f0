"""The packings of a pattern as an exact-cover problem: ``tetris:0``, ``tetris:3:7``.

Items are the cells of the rows; options are the bars, which are chosen, and all placements of
tetrominoes that can be held. That there is an order in which the pieces can be dropped is the
model's side condition.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from twostep.models.drawing.grid import areas, borders, hairlines, outlined, rectangle, written
from twostep.models.drawing.scene import NO_MARKS, Colour, Layer, Marks, Role, Scene, Shape
from twostep.models.errors import InputError
from twostep.models.families.classics.given import misread, same_size
from twostep.models.families.puzzle import Choice, Family, Puzzle
from twostep.models.families.tetris.order import Laid, drop_order
from twostep.models.families.tetris.packing import bar, deadline, placements
from twostep.models.families.tetris.patterns import MAX_BARS, pattern_task, table
from twostep.models.families.tetris.pieces import LETTERS, WIDTH, Cell, Placement
from twostep.models.families.tetris.printfile import MAX_PIECES, block_text
from twostep.models.language.builder import ModelBuilder
from twostep.models.language.model import Model, SideCondition, Solution
from twostep.models.reading.files import whole_number
from twostep.models.words import listed

SYNTAX = "tetris:BARS[:ROWS[:tilings]]"
MAX_ROWS = (4 * MAX_PIECES - MAX_BARS) // WIDTH
"""So that each piece of a packing has a letter."""

CONDITION = "the pieces can be dropped in an order in which each is held"


class TetrisPuzzle(Puzzle):
    """Pack `rows` rows of 21 around bars, so that it can be played or, with `tilings`, at all."""

    def __init__(self, bars: tuple[int, ...], rows: int, *, tilings: bool = False) -> None:
        """`bars` are the first columns of the bars, ascending; see :func:`parse` for the checks."""
        self.bars = bars
        self.rows = rows
        self.tilings = tilings
        starts = ",".join(str(start) for start in bars)
        self.name = f"tetris:{starts}:{rows}" + (":tilings" if tilings else "")

    def obstacle(self) -> str | None:
        """The number of cells, where whole pieces cannot fill them."""
        cells = WIDTH * self.rows - 3 * len(self.bars)
        if cells % 4:
            return f"{cells} cells beside the bars, not a multiple of 4"
        return None

    def build(self) -> Model:
        """Cells as items, bars and placements as options."""
        task = pattern_task(self.bars, self.rows)
        builder = ModelBuilder(self.name)
        # Column by column: in a strip of few rows a cell that cannot be filled is then met soon,
        # while the usual choice, the cell with the fewest placements, scatters pieces over it.
        cells = [(column, row) for column in range(WIDTH) for row in range(self.rows)]
        builder.order = [builder.item(_name(cell)) for cell in cells]
        builder.chosen = [
            builder.option([_name(cell) for cell in bar(start)], label=bar(start))
            for start in self.bars
        ]
        for placement in placements(task):
            builder.option([_name(cell) for cell in placement.cells], label=placement.cells)
        if not self.tilings:
            builder.side_condition = SideCondition(CONDITION, self._playable)
        return builder.build()

    def _pieces(self, solution: Solution) -> list[tuple[Cell, ...]]:
        """Cells of the solution's pieces; the bars are the first options, so they come first."""
        labels: tuple[tuple[Cell, ...], ...] = self.model.labels
        return [labels[option] for option in solution]

    def _sequence(self, solution: Solution, *, bars_first: bool) -> tuple[int, ...] | None:
        ground = pattern_task(self.bars, self.rows).ground
        laid = []
        for index, cells in enumerate(self._pieces(solution)):
            found = Placement.of(cells) if index >= len(self.bars) else None
            laid.append(Laid(cells, None if found is None else deadline(found, ground)))
        return drop_order(laid, first=len(self.bars) if bars_first else 0)

    def _playable(self, solution: Solution) -> bool:
        return self._sequence(solution, bars_first=False) is not None

    def move(self, option: int) -> str:
        """``T on row 1, columns 3, 4 and 5 and row 2, column 4``; rows count upwards."""
        columns: dict[int, list[str]] = {}
        for column, row in self.model.labels[option]:
            columns.setdefault(row, []).append(f"{column + 1}")
        where = (
            f"row {row + 1}, column{'s' if len(its) > 1 else ''} {listed(its)}"
            for row, its in sorted(columns.items())
        )
        return f"{self.piece(option)} on {' and '.join(where)}"

    def piece(self, option: int) -> str:
        """The tetromino's letter, or ``the bar``."""
        found = Placement.of(self.model.labels[option])
        return "the bar" if found is None else found.letter

    def need(self, item: int) -> str:
        """``row 1, column 3``; rows count upwards."""
        return f"row {item % self.rows + 1}, column {item // self.rows + 1}"

    def choice(self, item: int) -> Choice:
        """Of ways to cover a cell."""
        return Choice("way", "to be covered")

    def read(self, rows: Sequence[str]) -> tuple[int, ...]:
        """A letter for each piece in its cells, ``.`` where nothing lies; the top row first."""
        cells: dict[str, list[Cell]] = {}
        for r, c, char in same_size(rows, self.rows, WIDTH):
            if char not in ". ":
                cells.setdefault(char, []).append((c, self.rows - 1 - r))
        option_of = {tuple(sorted(label)): o for o, label in enumerate(self.model.labels)}
        found = []
        for char, its in cells.items():
            if (option := option_of.get(tuple(sorted(its)))) is None:
                column, row = its[0]
                message = f"the cells of {char!r} are no piece that can be dropped there"
                raise misread(message, self.rows - 1 - row, column)
            found.append(option)
        return tuple(found)

    def draw(self, solution: Solution) -> str:
        """Letters in the order of dropping; in any order where there is none to be held in."""
        return block_text(self._dropped(solution), self.rows)

    def _dropped(self, solution: Solution) -> tuple[tuple[Cell, ...], ...]:
        """The pieces in the order of dropping; in any order where there is none."""
        pieces = self._pieces(solution)
        sequence = self._sequence(solution, bars_first=True)
        if sequence is None:
            sequence = self._sequence(solution, bars_first=False) or tuple(range(len(pieces)))
        return tuple(pieces[index] for index in sequence)

    def picture(self, placed: Iterable[int] = (), marks: Marks = NO_MARKS) -> Scene:
        """The rows, the pieces by their shapes' colours, numbered as they are dropped.

        A bar is the part of a piece that lies in these rows; its colour is that of blocked cells.
        """
        laid = tuple(sorted({*self.model.chosen, *placed}))
        pieces = self._dropped(laid)
        cells = rectangle(self.rows, WIDTH)
        pointed = {self.model.labels[option] for option in marks.options}
        piece_at: dict[Cell, int] = {}
        fill: dict[Cell, Colour] = dict.fromkeys(cells, Role.CELL)
        numbers: list[Shape] = []
        for index, piece in enumerate(pieces):
            its = [self._turned(cell) for cell in piece]
            found = Placement.of(piece)
            colour = Role.BLOCKED if found is None else LETTERS.index(found.letter)
            fill.update(dict.fromkeys(its, Role.MARK if piece in pointed else colour))
            piece_at.update(dict.fromkeys(its, index))
            numbers.append(written(its[1], f"{index + 1}", fill[its[1]], size=0.45))
        around = [
            shape
            for item in marks.items
            for shape in outlined([self._turned((item // self.rows, item % self.rows))])
        ]
        board = areas(cells, fill.__getitem__) + hairlines(cells)
        layers = (
            Layer("board", tuple(board)),
            Layer("pieces", tuple(borders({cell: piece_at.get(cell) for cell in cells}))),
            Layer("numbers", tuple(numbers)),
            Layer("marks", tuple(around)),
        )
        return Scene(self.name, WIDTH, self.rows, layers, self.draw(laid))

    def _turned(self, cell: Cell) -> Cell:
        """Row from the top and column of a cell, whose row counts upwards."""
        return self.rows - 1 - cell[1], cell[0]


def _name(cell: Cell) -> str:
    return f"r{cell[1] + 1}c{cell[0] + 1}"


def parse(arguments: str) -> TetrisPuzzle:
    """The puzzle of ``0``, ``3:7``, ``0,17:2`` or ``0:3:tilings``.

    Without rows: the fewest in which the pattern can be played.

    Raises:
        InputError: bars that overlap or leave the field, or a wrong number of rows.
    """
    parts = arguments.split(":")
    if not parts[0] or len(parts) > 3 or parts[2:] not in ([], ["tilings"]):
        raise InputError(f"{arguments[:60]!r}: expected {SYNTAX}, such as tetris:0,17:2")
    bars = tuple(sorted(_number(text, "the first column of a bar", 0, WIDTH - 3)
                        for text in parts[0].split(",")))  # fmt: skip
    for left, right in pairwise(bars):
        if right < left + 3:
            raise InputError(f"the bars at {left} and {right} overlap: each is 3 columns wide")
    rows = _number(parts[1], "rows", 1, MAX_ROWS) if len(parts) > 1 else table().patterns[bars].rows
    return TetrisPuzzle(bars, rows, tilings=len(parts) == 3)


def _number(text: str, what: str, low: int, high: int) -> int:
    if (number := whole_number(text)) is None or not low <= number <= high:
        raise InputError(f"{text[:20]!r}: expected {what}, a number from {low} to {high}")
    return number


TETRIS = Family(
    "tetris",
    "pack rows of 21 with tetrominoes around bars, so that they can be dropped as in Tetris",
    f"{SYNTAX}, BARS being first columns such as 0,17",
    ("tetris:0", "tetris:0,17:2", "tetris:3:3", "tetris:8:3:tilings"),
    parse,
)
