"""When two puzzles are the same puzzle, turned, mirrored or with other names.

A :class:`Likeness` holds keys from coarse to fine: puzzles with equal keys up to some place are
alike in what is named up to there. ``check`` reports duplicates by it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass

Rows = tuple[tuple[Hashable, ...], ...]
"""A rectangle of symbols, row by row."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """What a puzzle has in common with others.

    Attributes:
        keys: pairs of a part's name and its key, coarse to fine; a key includes those before it.
    """

    keys: tuple[tuple[str, str], ...]

    @property
    def whole(self) -> str:
        """The same for puzzles that are copies of each other."""
        return self.keys[-1][1]

    def first_difference(self, other: Likeness) -> str | None:
        """The coarsest part in which two puzzles differ; None: they are copies."""
        for (name, mine), (_, theirs) in zip(self.keys, other.keys, strict=True):
            if mine != theirs:
                return name
        return None


def turned(rows: Rows) -> Iterator[Rows]:
    """The eight images of a rectangle under turning and mirroring, itself first."""
    for _ in range(4):
        yield rows
        yield tuple(row[::-1] for row in rows)
        rows = tuple(zip(*rows[::-1], strict=True))


def renamed(rows: Rows) -> Rows:
    """The symbols numbered in the order in which they come first; None stays."""
    numbers: dict[Hashable, int] = {}
    return tuple(
        tuple(None if each is None else numbers.setdefault(each, len(numbers)) for each in row)
        for row in rows
    )


def grid_key(
    rows: Sequence[Sequence[Hashable]],
    rename: Callable[[Rows], Rows] = renamed,
    *,
    same_shape: bool = False,
) -> str:
    """The same for rectangles that are turned, mirrored and renamed copies of each other.

    Args:
        rows: the symbols; None: nothing.
        rename: what makes copies with other names equal.
        same_shape: images that exchange rows and columns don't count.
    """
    first: Rows = tuple(map(tuple, rows))
    images = enumerate(turned(first))
    return min(repr(rename(each)) for n, each in images if not (same_shape and n % 4 >= 2))
