"""n queens that attack each other nowhere: ``queens:8``.

Rows and columns are primary items, diagonals secondary ones.
"""

from __future__ import annotations

import numpy as np

from twostep.models.families.classics.given import whole
from twostep.models.families.puzzle import Family, Puzzle
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
        board = np.arange(n * n, dtype=np.int32).reshape(n, n)
        turned = [np.rot90(side, quarter) for side in (board, board.T) for quarter in range(4)]
        builder.symmetries = np.unique([each.ravel() for each in turned], axis=0)
        return builder.build()

    def draw(self, solution: Solution) -> str:
        """The board, ``Q`` for a queen."""
        column_of = dict(divmod(option, self.n) for option in solution)
        return "\n".join(
            "".join("Q" if column_of[r] == c else "." for c in range(self.n)) for r in range(self.n)
        )


FAMILY = Family(
    "queens",
    "queens on an N x N board, none attacking another",
    f"queens:N (up to {MAX_QUEENS})",
    ("queens:8", "queens:12"),
    lambda text: Queens(whole(text, "queens", 0, MAX_QUEENS)),
)
