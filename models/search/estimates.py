"""Estimates by random walks down a search tree, and how far they can be trusted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

WORTHLESS_ERROR = 0.5
"""A relative standard error of an estimate from which on it says next to nothing."""
DOMINANT = 0.25
"""An estimate of which a single walk makes up such a part is worthless, too."""
_SURE = 1.96
"""Standard deviations of a two-sided 95 % confidence interval."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean of random walks.

    Attributes:
        mean: the estimate, unbiased.
        error: the mean's standard error relative to the mean; infinity if it is unknown.
        dominant: the part of the sum that the largest walk makes up, if that was kept.
    """

    mean: float
    error: float = 0.0
    dominant: float = 0.0

    @property
    def low(self) -> float:
        """The lower end of the 95 % confidence interval, as far as the spread can tell."""
        return max(0.0, self.mean * (1 - _SURE * self.error)) if math.isfinite(self.error) else 0.0

    @property
    def high(self) -> float:
        """Its upper end."""
        return self.mean * (1 + _SURE * self.error) if math.isfinite(self.error) else math.inf

    @property
    def worthless(self) -> bool:
        """Whether the walks differ so much that the mean says next to nothing."""
        return self.error > WORTHLESS_ERROR or self.dominant > DOMINANT

    @classmethod
    def of(cls, values: Sequence[float]) -> Estimate:
        """The estimate from the walks' values."""
        walks, total = len(values), sum(values)
        if walks < 2 or total == 0 or math.isinf(total):
            return cls(total / walks if walks else 0.0, math.inf, 1.0)
        mean = total / walks
        # Scaled by the largest, lest the squares overflow.
        top = max(values)
        variance = math.fsum(((v - mean) / top) ** 2 for v in values) / (walks - 1)
        return cls(mean, math.sqrt(variance / walks) * top / mean, top / total)

    @classmethod
    def of_sums(cls, walks: int, total: float, squares: float) -> Estimate:
        """The estimate from the sums of the values and of their squares."""
        mean = total / walks
        variance = squares / walks - mean * mean  # not a number if they overflow
        if not variance < math.inf:
            return cls(mean, math.inf)
        return cls(mean, math.sqrt(max(variance, 0.0) / walks) / mean)


@dataclass(frozen=True, slots=True)
class TreeEstimate:
    """Estimates of the nodes of the search tree and of the solutions (candidates) in it.

    Attributes:
        nodes, solutions: the estimates.
        walks: how many walks they come from.
        reached: how many of the walks ended in a solution.
        exact: whether there was nothing to choose on any walk: then both are exact.
    """

    nodes: Estimate
    solutions: Estimate
    walks: int
    reached: int
    exact: bool
