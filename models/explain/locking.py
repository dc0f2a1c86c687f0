"""Which pieces to lock so that one answer is left."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence

from twostep.models.language.model import Solution

MOST_SUBSETS = 2_000_000
"""More subsets of solutions than this are not looked at: some 400 MB."""


def smallest_locks(
    solutions: Sequence[Solution], fixed: Sequence[int] = (), most: int | None = None
) -> list[tuple[int, ...]] | None:
    """The smallest sets of options that are together in one solution only.

    Exact: a set makes a solution unique if no other solution contains it, so the subsets of all
    solutions are counted, small ones first.

    Args:
        solutions: all solutions of a model.
        fixed: options in every solution, which lock nothing.
        most: the largest set looked for; None: any.

    Returns:
        All smallest sets, in order, each ascending; ``[()]`` for a single solution. None: there
        is none of at most `most`, or there are too many solutions to tell.
    """
    ignored = set(fixed)
    free = [tuple(option for option in s if option not in ignored) for s in solutions]
    longest = max((len(s) for s in free), default=0)
    for size in range(min(longest, longest if most is None else most) + 1):
        if sum(math.comb(len(s), size) for s in free) > MOST_SUBSETS:
            return None
        times: Counter[tuple[int, ...]] = Counter()
        for solution in free:
            times.update(itertools.combinations(solution, size))
        if single := sorted(subset for subset, number in times.items() if number == 1):
            return single
    return None


def nearest_pair(solutions: Sequence[Solution]) -> tuple[Solution, Solution] | None:
    """Two solutions that share as many options as any two do; None: fewer than two solutions.

    Where there are several such pairs, the first in the order given.
    """
    if len(solutions) < 2:
        return None
    # As sets of bits: two million pairs, of solutions of any length, take seconds and no memory.
    sets = [sum(1 << option for option in solution) for solution in solutions]
    i, j = max(
        itertools.combinations(range(len(sets)), 2),
        key=lambda pair: (sets[pair[0]] & sets[pair[1]]).bit_count(),
    )
    return solutions[i], solutions[j]
