"""What the two bitset kernels share: their arrays, and how a search is cut in two.

Both keep, for each level, the live options as a bitset, the word of it that is being tried with
its bits still to be tried, and where the trying ends. Nothing else says what is left to do, so
that a part of a search can be given away at any moment.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, fields, replace
from typing import ClassVar, Self

import numpy as np

from twostep.dlx_backend.bits.table import BitTable, WordArray
from twostep.dlx_backend.kernel import FIRST_REGISTER, Registered
from twostep.models.language.model import IntArray, LongArray

LEVEL, REGISTERS = range(FIRST_REGISTER, FIRST_REGISTER + 2)
"""The level is -1 when all is done."""


@dataclass(slots=True)
class BitSearch(Registered):
    """A search over one simple problem, as a kernel that the engine drives slice by slice.

    Attributes:
        table: the options.
    """

    table: BitTable
    _live: WordArray
    _word: LongArray
    _bits: WordArray
    _stop: LongArray
    _choice: IntArray

    _stops_per_word: ClassVar[int]

    @property
    def done(self) -> bool:
        """Whether the whole search space was seen."""
        return bool(self.register[LEVEL] < 0)

    @property
    def longest(self) -> int:
        """The most options a solution can have."""
        return self.table.n_needed

    @abstractmethod
    def advance(self, nodes: int, wanted: int, out: IntArray) -> int:
        """See :meth:`twostep.dlx_backend.kernel.Kernel.advance`."""

    @abstractmethod
    def _later(self, level: int) -> list[tuple[int, int]]:
        """The words after the one being tried, with the options there, if there are any."""

    def split(self) -> Self | None:
        """Give away about half of what is still to be tried, at the lowest level that has two.

        What stays and what is given away are disjoint, and together all that was there before:
        every option is tried by exactly one of the two. None: there is nothing to give.
        """
        for level in range(int(self.register[LEVEL]) + 1):
            halves = halve(int(self._word[level]), int(self._bits[level]), self._later(level))
            if halves is None:
                continue
            other = self._from(level)
            other._word[level] = halves.their_word
            other._bits[level] = np.uint64(halves.theirs)
            self._word[level] = halves.word
            self._bits[level] = np.uint64(halves.mine)
            stop = halves.stop * self._stops_per_word
            self._stop[level] = min(int(self._stop[level]), stop)
            return other
        return None

    def _from(self, level: int) -> Self:
        """A search of its own that begins at a level, with nothing to try at those below it."""
        arrays = {field.name: getattr(self, field.name) for field in fields(self)}
        del arrays["table"]
        other = replace(self, **{name: array.copy() for name, array in arrays.items()})
        other._bits[:level] = 0
        other._stop[:level] = 0
        other.register[:] = 0
        other.register[LEVEL] = level
        return other


@dataclass(frozen=True, slots=True)
class Halves:
    """What is still to be tried at a level, cut in two.

    Of mine, `mine` in the word `word` is tried, and then the words before `stop`; of theirs,
    `theirs` in the word `their_word`, and then all words from the next on that were to be tried.
    """

    word: int
    mine: int
    stop: int
    their_word: int
    theirs: int


def halve(word: int, untried: int, later: list[tuple[int, int]]) -> Halves | None:
    """Cut what is to be tried in two: `untried` bits of a word, and later words with their bits.

    None: fewer than two options are left.
    """
    if untried and later:
        return Halves(word, untried, word + 1, word, 0)
    if len(later) >= 2:
        middle = later[len(later) // 2][0]
        return Halves(word, 0, middle, middle - 1, 0)
    if later:
        ((word, untried),) = later
    if untried.bit_count() < 2:
        return None
    theirs = untried
    for _ in range(untried.bit_count() // 2):
        theirs &= theirs - 1  # the lowest stay here
    return Halves(word, untried ^ theirs, word + 1, word, theirs)
