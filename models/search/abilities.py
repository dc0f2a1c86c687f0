"""What an engine may be able to do besides searching; each is asked for with ``isinstance``.

The harness takes the first registered engine that has an ability
(:func:`twostep.compare.registry.that_can`); no engine is known by its name. Better ways of
counting, optimising and sharing work stand in :mod:`twostep.models.search.engine`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import IO, Protocol, runtime_checkable

from twostep.models.language.model import Model
from twostep.models.search.engine import NO_LIMITS, Limits, SearchResult, Watch
from twostep.models.search.estimates import TreeEstimate


@runtime_checkable
class Estimates(Protocol):
    """An engine that tells how large a search is before it is made."""

    def estimate(self, model: Model, *, seed: int = 0) -> TreeEstimate:
        """The size of the search tree and the number of solutions, by random walks."""

    def weights(self, model: Model, starts: Sequence[int], walks: int) -> list[float]:
        """For each state of a plan, the estimated nodes below it."""


class Proof(Protocol):
    """A search to its end, written as the states of a certificate."""

    @property
    def lines(self) -> IO[bytes]:
        """A line for each state, to be read once; none if a limit ended the search."""

    @property
    def order(self) -> list[int]:
        """The order of the items' marks in the states."""

    @property
    def states(self) -> int:
        """How many lines."""

    @property
    def result(self) -> SearchResult:
        """`found` is the number of candidates: a side condition is not looked at."""


@runtime_checkable
class Proves(Protocol):
    """An engine that writes a search as a proof that the small checker follows."""

    def prove(
        self, model: Model, limits: Limits = NO_LIMITS, *, watch: Watch | None = None
    ) -> AbstractContextManager[Proof]:
        """The proof of the number of candidates, kept on disk while the block lasts."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Items that cannot all be covered often enough, whatever is left uncovered besides.

    Attributes:
        items: ascending item ids.
        smallest: whether no smaller set conflicts; else only: no item can be left out.
        irreducible: whether each item was shown to be needed; False: time ran out before.
    """

    items: tuple[int, ...]
    smallest: bool
    irreducible: bool


@runtime_checkable
class FindsConflicts(Protocol):
    """An engine that says which items cannot be met together."""

    def conflict(self, model: Model, seconds: float | None = None) -> Conflict | None:
        """A smallest conflict of a model without solutions; None: none was found in time.

        Args:
            seconds: wall clock, s; when it is over, the best conflict so far is given.

        Raises:
            ValueError: the model has a solution.
            UnsupportedFeature: a side condition.
        """
