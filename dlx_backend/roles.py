"""What each item of a problem asks for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from twostep.dlx_backend.costs import COPIES_BYTES, TABLE_OPTIONS
from twostep.dlx_backend.problem import Problem
from twostep.models.language.model import BoolArray, IntArray, LongArray


@dataclass(frozen=True, slots=True)
class Roles:
    """What each item of a problem asks for.

    Attributes:
        needed: (items,) exactly once.
        limited: (items,) at most once, or in one colour: the secondary items and those of
            low 0 and high 1.
        uses: (items,) how many options there are.
        simple: whether that is all there is (items without any effect aside) and every option has
            a needed item.
    """

    needed: BoolArray
    limited: BoolArray
    uses: LongArray
    simple: bool

    @classmethod
    def of(cls, problem: Problem) -> Roles:
        """Sort the items of a problem by their role."""
        n_primary = problem.n_primary
        uses = np.bincount(problem.items, minlength=problem.n_items)
        needed = np.zeros(problem.n_items, dtype=np.bool_)
        limited = np.ones(problem.n_items, dtype=np.bool_)
        needed[:n_primary] = (problem.low == 1) & (problem.high == 1)
        free = (problem.low == 0) & (problem.high >= uses[:n_primary])
        limited[:n_primary] = (problem.low == 0) & (problem.high == 1) & ~free
        has_needed = np.zeros(problem.n_options, dtype=np.bool_)
        owner = np.repeat(np.arange(problem.n_options), np.diff(problem.starts))
        has_needed[owner[needed[problem.items]]] = True
        known = (needed[:n_primary] | limited[:n_primary] | free).all()
        return cls(needed, limited, uses, bool(known and has_needed.all()))

    def tabular(self, problem: Problem) -> bool:
        """Whether the options of the problem can be bits in a table, and it is worth it."""
        levels = int(self.needed.sum()) + 1
        words = -(-problem.n_options // 64)
        return (
            self.simple
            and 0 < problem.n_options <= TABLE_OPTIONS
            and levels > 1
            and levels * (8 * words + 4 * levels) <= COPIES_BYTES
        )

    def in_turn(self, problem: Problem) -> IntArray:
        """The needed items: in the suggested order if there is one, else rare ones first."""
        needed = np.flatnonzero(self.needed).astype(np.int32)
        return needed if problem.ordered else needed[self.uses[needed].argsort(kind="stable")]
