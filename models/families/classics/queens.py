"""n queens that attack each other nowhere: ``queens:8``.

Rows and columns are primary items, diagonals secondary ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
from twostep.models.families.classics.given import misread, same_size, square_symmetries, whole
from twostep.models.families.puzzle import Choice, Family, Puzzle
from twostep.models.language.builder import ModelBuilder
from twostep.models.language.model import Model, Solution

MAX_QUEENS = 200


class Queens(Puzzle):
    """`n` queens on an n x n board."""

    def __init__(self, n: int) -> None:
        self.name = f"queens:{n}"
        self.n = n

    def build(self) -> Model:
        """Option r * n + c is the queen in row r, column c; its label is (r, c).

        The symmetries are the square's; the identity, in ascending order, is the first.
        """
        n = self.n
        builder = ModelBuilder(self.name)
        for r in range(n):
            builder.item(f"r{r}")
        for c in range(n):
            builder.item(f"c{c}")
        # The four corner diagonals have one cell each, and forbid nothing.
        rising = {d: builder.secondary(f"rising{d}") for d in range(1, 2 * n - 2)}
        falling = {d: builder.secondary(f"falling{d}") for d in range(2 - n, n - 1)}
        for r in range(n):
            for c in range(n):
                diagonals = (rising.get(r + c), falling.get(r - c))
                builder.option(
                    [r, n + c, *(item for item in diagonals if item is not None)], label=(r, c)
                )
        builder.symmetries = square_symmetries(n)
        return builder.build()

    def move(self, option: int) -> str:
        """``a queen in row 4, column 2``."""
        return f"a queen in {place(divmod(option, self.n))}"

    def piece(self, option: int) -> str:
        """A queen."""
        return "a queen"

    def need(self, item: int) -> str:
        """``row 4``, ``column 2``, or a diagonal by one of its cells."""
        if item < 2 * self.n:
            return f"{'row' if item < self.n else 'column'} {item % self.n + 1}"
        name = self.model.items[item]
        kind = "rising" if name.startswith("rising") else "falling"
        d = int(name.removeprefix(kind))
        if kind == "rising":
            r, c = min(d, self.n - 1), max(0, d - self.n + 1)
        else:
            r, c = max(d, 0), max(-d, 0)
        return f"the {kind} diagonal of {place((r, c))}"

    def choice(self, item: int) -> Choice:
        """Of cells."""
        return Choice("cell", "for its queen")

    def read(self, rows: Sequence[str]) -> tuple[int, ...]:
        """A queen by ``Q``, ``.`` where a cell is open."""
        n = self.n
        found = []
        for r, c, char in same_size(rows, n, n):
            if char in ". ":
                continue
            if char not in "Qq":
                raise misread(f"{char!r} is not a queen: Q", r, c)
            found.append(r * n + c)
        return tuple(found)

    def draw(self, solution: Solution) -> str:
        """The board, ``Q`` for a queen."""
        n, taken = self.n, set(solution)
        return "\n".join(
            "".join("Q" if r * n + c in taken else "." for c in range(n)) for r in range(n)
        )

    def picture(self, placed: Iterable[int] = (), marks: Marks = NO_MARKS) -> Scene:
        """A chessboard with queens."""
        n, queens = self.n, tuple(placed)
        cells = rectangle(n, n)
        pointed = {divmod(option, n) for option in marks.options}

        def fill(cell: Cell) -> Colour:
            dark = Role.FAINT if sum(cell) % 2 else Role.CELL
            return Role.MARK if cell in pointed else dark

        board = areas(cells, fill) + borders(dict.fromkeys(cells, 0))
        tokens: list[Shape] = [
            Token(middle(cell), Sign.QUEEN, on=fill(cell))
            for cell in (divmod(option, n) for option in queens)
        ]
        around = [shape for item in marks.items for shape in outlined(self._cells(item))]
        layers = (
            Layer("board", tuple(board)),
            Layer("queens", tuple(tokens)),
            Layer("marks", tuple(around)),
        )
        return Scene(self.name, n, n, layers, self.draw(queens))

    def _cells(self, item: int) -> list[Cell]:
        """The cells of an item: those whose options cover it."""
        model = self.model
        return [
            label
            for option, label in enumerate(model.labels)
            if item in (covered for covered, _ in model.option(option))
        ]


def parse(text: str) -> Puzzle:
    """The board of ``N``, or of ``N:WALLS[:NUMBER]``: see the module of guards.

    Raises:
        InputError: no size, or something that is no wall.
    """
    size, colon, _ = text.partition(":")
    if not colon:
        return Queens(whole(size, "queens", 0, MAX_QUEENS))
    from twostep.models.families.classics.guards import MAX_SIDE, guards

    return guards("queen", text, whole(size, "queens", 1, MAX_SIDE))


FAMILY = Family(
    "queens",
    "queens on an N x N board, none attacking another",
    f"queens:N (up to {MAX_QUEENS}), or queens:N[:r0c1,...][:NUMBER], r0c1 being walls",
    ("queens:8", "queens:12", "queens:6:r1c2:7", "queens:5:4"),
    parse,
)
