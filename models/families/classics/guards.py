"""A number of queens or bishops, none attacking another, with walls that they do not see across.

``bishops:8`` has the most bishops that there can be, 2n - 2, ``bishops:8:5`` five of them.
``queens:6:r1c2`` has a wall: nothing stands there, and queens on both sides of one do not
attack each other; ``queens:6:r1c2:7`` has seven queens. Each stretch of a line of sight
between walls is a secondary item; how many pieces there are is the multiplicity of the one
primary item.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np

from twostep.models.drawing.grid import Cell, areas, borders, middle, outlined, place, rectangle
from twostep.models.drawing.scene import (
    NO_MARKS,
    Colour,
    Layer,
    Marks,
    Role,
    Scene,
    Shape,
    Sign,
    Token,
)
from twostep.models.errors import InputError
from twostep.models.families.classics.given import misread, same_size, square_symmetries, whole
from twostep.models.families.puzzle import Choice, Family, Puzzle
from twostep.models.language.builder import ModelBuilder
from twostep.models.language.model import Model, Solution
from twostep.models.words import counted

MAX_SIDE = 60

_LINES = {"row": (0, 1), "column": (1, 0), "falling diagonal": (1, 1), "rising diagonal": (-1, 1)}
"""The lines of sight, each with its step."""

_SEES = {"queen": tuple(_LINES), "bishop": ("falling diagonal", "rising diagonal")}
_SIGNS = {"queen": Sign.QUEEN, "bishop": Sign.BISHOP}


class Guards(Puzzle):
    """Pieces on a square board.

    Attributes:
        piece_name: ``queen`` or ``bishop``.
        n: rows and columns.
        number: how many pieces there are.
        walls: cells on which nothing stands.
    """

    def __init__(
        self, name: str, piece_name: str, n: int, number: int, walls: Iterable[Cell] = ()
    ) -> None:
        """Check the walls.

        Raises:
            InputError: a wall outside the board.
        """
        self.name = name
        self.piece_name, self.n, self.number = piece_name, n, number
        self.walls = frozenset(walls)
        for r, c in sorted(self.walls):
            if r >= n or c >= n:
                raise InputError(f"wall r{r}c{c} is outside the board of {n}x{n}")
        self._cells = [cell for cell in rectangle(n, n) if cell not in self.walls]

    @cached_property
    def sights(self) -> list[tuple[str, list[Cell]]]:
        """The stretches of two cells and more along which pieces attack, and their lines."""
        return [
            (line, stretch)
            for line in _SEES[self.piece_name]
            for stretch in self._stretches(*_LINES[line])
            if len(stretch) > 1
        ]

    def _stretches(self, down: int, right: int) -> Iterator[list[Cell]]:
        free = set(self._cells)
        for r, c in self._cells:
            if (r - down, c - right) not in free:
                stretch = []
                while (r, c) in free:
                    stretch.append((r, c))
                    r, c = r + down, c + right
                yield stretch

    def obstacle(self) -> str | None:
        """Fewer cells than pieces."""
        if self.number <= len(self._cells):
            return None
        return f"{self.number} {self.piece_name}s for {counted(len(self._cells), 'cell')}"

    def build(self) -> Model:
        """An option for each cell that is no wall; its label is (row, column)."""
        builder = ModelBuilder(self.name)
        if self.number or self._cells:
            builder.item(f"{self.piece_name}s", self.number, self.number)
        seen_by: dict[Cell, list[int]] = {cell: [0] for cell in self._cells}
        for line, stretch in self.sights:
            item = builder.secondary(f"{line.replace(' ', '-')}-{stretch[0][0]},{stretch[0][1]}")
            for cell in stretch:
                seen_by[cell].append(item)
        option_of = {cell: builder.option(seen_by[cell], label=cell) for cell in self._cells}
        images = []
        for image in square_symmetries(self.n):
            at = [divmod(int(image[r * self.n + c]), self.n) for r, c in self._cells]
            if self.walls.isdisjoint(at):
                images.append([option_of[cell] for cell in at])
        builder.symmetries = np.array(images).reshape(-1, len(self._cells))
        return builder.build()

    def move(self, option: int) -> str:
        """``a bishop in row 4, column 2``."""
        return f"{self.piece(option)} in {place(self.model.labels[option])}"

    def piece(self, option: int) -> str:
        """``a bishop``."""
        return f"a {self.piece_name}"

    def need(self, item: int) -> str:
        """The number of pieces, or a line of sight by its ends."""
        if item == 0:
            return f"the board, with {self.number} {self.piece_name}s,"
        line, stretch = self.sights[item - 1]
        return f"the {line} from {place(stretch[0])} to {place(stretch[-1])}"

    def choice(self, item: int) -> Choice:
        """Of cells."""
        return Choice("cell", f"for {self.piece_name}s")

    def read(self, rows: Sequence[str]) -> tuple[int, ...]:
        """A piece by its initial, ``#`` a wall, ``.`` where a cell is open."""
        found = []
        initial = self.piece_name[0].upper()
        for r, c, char in same_size(rows, self.n, self.n):
            if char in ". " or (char == "#" and (r, c) in self.walls):
                continue
            if char.upper() != initial or (r, c) in self.walls:
                raise misread(f"{char!r} is not a {self.piece_name}: {initial}", r, c)
            found.append(self._cells.index((r, c)))
        return tuple(found)

    def draw(self, solution: Solution) -> str:
        """The board: a piece's initial, ``#`` a wall."""
        taken = {self._cells[option] for option in solution}
        signs = dict.fromkeys(self.walls, "#") | dict.fromkeys(taken, self.piece_name[0].upper())
        return "\n".join(
            "".join(signs.get((r, c), ".") for c in range(self.n)) for r in range(self.n)
        )

    def picture(self, placed: Iterable[int] = (), marks: Marks = NO_MARKS) -> Scene:
        """A chessboard with walls and pieces."""
        laid = tuple(placed)
        cells = rectangle(self.n, self.n)
        pointed = {self._cells[option] for option in marks.options}

        def fill(cell: Cell) -> Colour:
            if cell in self.walls:
                return Role.BLOCKED
            dark = Role.FAINT if sum(cell) % 2 else Role.CELL
            return Role.MARK if cell in pointed else dark

        tokens: list[Shape] = [
            Token(middle(cell), _SIGNS[self.piece_name], on=fill(cell))
            for cell in (self._cells[option] for option in laid)
        ]
        around = [
            shape
            for item in marks.items
            for shape in outlined(self.sights[item - 1][1] if item else self._cells)
        ]
        layers = (
            Layer("board", (*areas(cells, fill), *borders(dict.fromkeys(cells, 0)))),
            Layer("pieces", tuple(tokens)),
            Layer("marks", tuple(around)),
        )
        return Scene(self.name, self.n, self.n, layers, self.draw(laid))


_WALL = re.compile(r"r([0-9]{1,3})c([0-9]{1,3})", re.ASCII)


def guards(piece_name: str, text: str, most: int) -> Guards:
    """The pieces of ``N[:WALLS][:NUMBER]``; `most`: how many there are on a board of `N`, if any.

    Raises:
        InputError: no size, no number, or something that is no wall.
    """
    size, *rest = text.split(":")
    n = whole(size, "rows and columns", 1, MAX_SIDE)
    walls: list[Cell] = []
    if rest and rest[0].startswith("r"):
        for word in rest.pop(0).split(","):
            if (found := _WALL.fullmatch(word)) is None:
                raise InputError(f"wall {word[:20]!r}: expected row and column, such as r0c3")
            walls.append((int(found[1]), int(found[2])))
    if len(rest) > 1:
        raise InputError(f"{text[:40]!r}: expected {piece_name}s:N[:r0c1,...][:NUMBER]")
    number = whole(rest[0], f"{piece_name}s", 0, n * n) if rest else most
    return Guards(f"{piece_name}s:{text}", piece_name, n, number, walls)


def _bishops(text: str) -> Guards:
    size = text.partition(":")[0]
    n = whole(size, "rows and columns", 1, MAX_SIDE)
    return guards("bishop", text, max(1, 2 * n - 2))


BISHOPS = Family(
    "bishops",
    "bishops on an N x N board, none attacking another: 2N - 2, or so many",
    f"bishops:N[:r0c1,...][:NUMBER] (up to {MAX_SIDE}), r0c1 being walls",
    ("bishops:8", "bishops:5:r1c1,r2c3:8", "bishops:4:3"),
    _bishops,
)
