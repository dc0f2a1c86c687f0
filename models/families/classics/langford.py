"""Langford's pairs: ``langford:7``.

The numbers 1 to n, each twice, in a line, with k numbers between the two k's.
"""

from __future__ import annotations

import numpy as np

from twostep.models.families.classics.given import whole
from twostep.models.families.puzzle import Family, Puzzle
from twostep.models.language.builder import ModelBuilder
from twostep.models.language.model import Model, Solution

MAX_PAIRS = 200


class Langford(Puzzle):
    """The pairs 1 to `n`. Both reading directions of a line are solutions."""

    def __init__(self, n: int) -> None:
        self.name = f"langford:{n}"
        self.n = n

    def build(self) -> Model:
        """One option for each number and place; its label is (number, first slot, second slot).

        The line read backwards is its one symmetry.
        """
        n = self.n
        builder = ModelBuilder(self.name)
        number = {k: builder.item(str(k)) for k in range(1, n + 1)}
        slot = [builder.item(f"slot{i}") for i in range(2 * n)]
        there: list[int] = []
        back: list[int] = []
        for k in range(1, n + 1):
            places = range(len(there), len(there) + 2 * n - k - 1)
            for i in range(len(places)):
                j = i + k + 1
                builder.option([number[k], slot[i], slot[j]], label=(k, i, j))
            there.extend(places)
            back.extend(reversed(places))
        builder.symmetries = np.array([there, back], dtype=np.int32)
        return builder.build()

    def obstacle(self) -> str | None:
        """The places of the pairs can't add up unless n or n + 1 is a multiple of 4."""
        # Sum of all slots: n(2n - 1). The pair k takes i + (i + k + 1). So the sum of the first
        # slots is n(2n - 1) - n(n + 1)/2 - n over 2 = n(3n - 5)/4: whole for n = 0, 3 mod 4.
        if self.n % 4 in (0, 3):
            return None
        return f"{self.n} is neither a multiple of 4 nor one less"

    def draw(self, solution: Solution) -> str:
        """The line of numbers."""
        line = [""] * (2 * self.n)
        for option in solution:
            k, i, j = self.model.labels[option]
            line[i] = line[j] = str(k)
        return " ".join(line)


FAMILY = Family(
    "langford",
    "the numbers 1 to N, each twice, with k numbers between the two k's",
    f"langford:N (up to {MAX_PAIRS})",
    ("langford:7", "langford:11"),
    lambda text: Langford(whole(text, "pairs", 1, MAX_PAIRS)),
)
