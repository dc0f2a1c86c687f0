"""Random draws that are the same on every machine and every Python.

Of :class:`random.Random` only ``random()`` is promised to give the same sequence for a seed in
all versions (its documentation, "Notes on Reproducibility"); so everything is made from that.
"""

from __future__ import annotations

from random import Random
from typing import TypeVar

T = TypeVar("T")


def below(random: Random, n: int) -> int:
    """A whole number of ``range(n)``, each equally likely as far as 53 bits go; `n` >= 1."""
    return int(random.random() * n)


def shuffle(random: Random, things: list[T]) -> None:
    """Put a list into a random order, each order equally likely (Fisher and Yates)."""
    draw = random.random
    for last in range(len(things) - 1, 0, -1):
        other = int(draw() * (last + 1))
        things[last], things[other] = things[other], things[last]


def take(random: Random, things: list[T]) -> T:
    """Remove one of the things and give it; the order of the rest changes. Constant time."""
    place = below(random, len(things))
    things[place], things[-1] = things[-1], things[place]
    return things.pop()
