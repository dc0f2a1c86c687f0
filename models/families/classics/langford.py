"""Langford's pairs: ``langford:7``.

The numbers 1 to n, each twice, in a line, with k numbers between the two k's.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from twostep.models.drawing.scene import (
    NO_MARKS,
    Area,
    Layer,
    Line,
    Marks,
    Point,
    Role,
    Scene,
    Shape,
    Text,
    Weight,
)
from twostep.models.errors import InputError
from twostep.models.families.classics.given import whole
from twostep.models.families.puzzle import Choice, Family, Puzzle
from twostep.models.language.builder import ModelBuilder
from twostep.models.language.model import Model, Solution
from twostep.models.words import counted, listed

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

    def move(self, option: int) -> str:
        """``the 4s in places 1 and 6``."""
        k, i, j = self.model.labels[option]
        return f"the {k}s in places {i + 1} and {j + 1}"

    def piece(self, option: int) -> str:
        """``the 4s``."""
        return f"the {self.model.labels[option][0]}s"

    def need(self, item: int) -> str:
        """``the pair of 4s``, or ``place 3``."""
        return f"the pair of {item + 1}s" if item < self.n else f"place {item - self.n + 1}"

    def choice(self, item: int) -> Choice:
        """Of places for a pair, of ways to fill a place."""
        if item < self.n:
            return Choice("way", "to lie in the line", "the numbers", "one pair")
        return Choice("way", "to be filled")

    def read(self, rows: Sequence[str]) -> tuple[int, ...]:
        """The line of numbers, ``.`` where a place is open; a pair is there or not."""
        words = " ".join(rows).split()
        if len(words) != 2 * self.n:
            raise InputError(f"{counted(len(words), 'number')}, expected {2 * self.n}: . if open")
        where: dict[str, list[int]] = {}
        for i, word in enumerate(words):
            if word != ".":
                where.setdefault(word, []).append(i)
        option_of = {label: option for option, label in enumerate(self.model.labels)}
        found = []
        for word, places in where.items():
            k = whole(word, "number", 1, self.n)
            option = option_of.get((k, *places))
            if option is None:
                at = listed([f"{i + 1}" for i in places])
                raise InputError(f"{k} in place {at}: expected two of it, {k + 1} places apart")
            found.append(option)
        return tuple(found)

    def draw(self, solution: Solution) -> str:
        """The line of numbers."""
        line = ["."] * (2 * self.n)
        for option in solution:
            k, i, j = self.model.labels[option]
            line[i] = line[j] = str(k)
        return " ".join(line)

    def picture(self, placed: Iterable[int] = (), marks: Marks = NO_MARKS) -> Scene:
        """The line, an arc from each number to its twin."""
        n, pairs = self.n, tuple(placed)
        top = (n + 1) * _RISE + 0.3  # room for the longest arc
        board: list[Shape] = [
            Area(((i, top), (i + 1, top), (i + 1, top + 1), (i, top + 1)), name=f"place {i + 1}")
            for i in range(2 * n)
        ]
        arcs: list[Shape] = []
        for option in pairs:
            k, i, j = self.model.labels[option]
            fill = Role.MARK if option in marks.options else k
            for slot in (i, j):
                corners = ((slot, top), (slot + 1, top), (slot + 1, top + 1), (slot, top + 1))
                arcs.append(Area(corners, fill, name=f"place {slot + 1}: {k}"))
                arcs.append(Text((slot + 0.5, top + 0.5), f"{k}", on=fill, width=0.9))
            arcs.append(Line(_arc(i, j, top), Weight.EDGE, fill))
        walls: list[Shape] = [Line(((i, top), (i, top + 1)), Weight.THIN) for i in range(2 * n + 1)]
        walls += [Line(((0, y), (2 * n, y)), Weight.EDGE) for y in (top, top + 1)]
        walls += [
            Line(((i, top), (i + 1, top), (i + 1, top + 1), (i, top + 1), (i, top)),
                 Weight.WALL, Role.MARK)
            for i in (item - n for item in marks.items if item >= n)
        ]  # fmt: skip
        layers = (
            Layer("board", tuple(board)),
            Layer("pairs", tuple(arcs)),
            Layer("lines", tuple(walls)),
        )
        return Scene(self.name, 2 * n, top + 1, layers, self.draw(pairs))


_RISE = 0.35
"""How high an arc is, for each place that it goes to the right."""


def _arc(first: int, second: int, bottom: float) -> tuple[Point, ...]:
    """Half an ellipse from one slot to another."""
    radius = (second - first) / 2
    return tuple(
        (
            first + 0.5 + radius * (1 - math.cos(math.pi * step / 24)),
            bottom - _RISE * (second - first) * math.sin(math.pi * step / 24),
        )
        for step in range(25)
    )


FAMILY = Family(
    "langford",
    "the numbers 1 to N, each twice, with k numbers between the two k's",
    f"langford:N (up to {MAX_PAIRS})",
    ("langford:7", "langford:11"),
    lambda text: Langford(whole(text, "pairs", 1, MAX_PAIRS)),
)
