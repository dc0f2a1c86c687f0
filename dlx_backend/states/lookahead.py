"""Dead ends of a count, seen some stages ahead.

Whether the next stages can be got through at all depends on few bits of a state: which of *their*
items are covered. With all else left aside (items further on, pieces that are used up, colours) it
is tried out for each pattern of these bits, once for all states. A state whose pattern can't lead
on is dropped when it is reached, not some stages, and many states, later. On boards these are
pockets: holes that no piece fits into, or whose number of cells isn't a sum of pieces' sizes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np

from twostep.dlx_backend.costs import LOOKAHEAD_STAGES
from twostep.dlx_backend.states.stages import Stages
from twostep.models.language.model import BoolArray, LongArray


@dataclass(frozen=True, slots=True)
class Lookahead:
    """Which states are dead ends.

    Attributes:
        starts: (stages + 2,) a state that waits at stage `s` is looked at in the places
            ``starts[s] .. starts[s + 1] - 1``.
        places: (places, 3) word and shift of a bit of the state, and its bit in the pattern.
        dead: (stages + 1, patterns) whether a pattern leads nowhere; (0, 0): nothing is known.
    """

    starts: LongArray
    places: LongArray
    dead: BoolArray

    @classmethod
    def nothing(cls) -> Lookahead:
        """Not to look ahead."""
        none = np.zeros((0, 0), dtype=np.bool_)
        return cls(np.zeros(1, dtype=np.int64), np.zeros((0, 3), dtype=np.int64), none)

    @classmethod
    def of(cls, plan: Stages) -> Lookahead:
        """Try out all patterns of the next stages at each stage of a plan."""
        n_stages = plan.n_stages
        horizon = np.minimum(np.arange(n_stages + 1) + LOOKAHEAD_STAGES, n_stages)
        for begin, end in plan.forks:  # what another branch covers beyond its end isn't known
            horizon[begin:end] = np.minimum(horizon[begin:end], end)
        looked: list[list[tuple[int, int, int]]] = [[] for _ in range(n_stages + 1)]
        for word, shift, first, own in plan.fields.tolist():
            for at in range(max(first + 1, own - LOOKAHEAD_STAGES + 1), own + 1):
                if own < horizon[at]:
                    looked[at].append((word, shift, own - at))
        # Options that cover the same of what is near are one.
        distinct = np.unique(np.repeat(np.arange(n_stages), np.diff(plan.group)) << 32 | plan.near)
        group = np.searchsorted(distinct, np.arange(n_stages + 1) << 32)
        return cls(
            np.cumsum([0, *map(len, looked)]),
            np.array([place for at in looked for place in at], dtype=np.int64).reshape(-1, 3),
            _dead_ends(group, distinct & 0xFFFFFFFF, plan.single, horizon, LOOKAHEAD_STAGES),
        )


@numba.njit(
    "boolean[:,::1](int64[::1], int64[::1], boolean[::1], int64[::1], int64)",
    cache=True,
    error_model="numpy",
)
def _dead_ends(group, near, single, horizon, depth):  # type: ignore[no-untyped-def]
    """(stages + 1, patterns) whether a pattern of covered items leads nowhere.

    Args:
        group: stage `s` has the distinct options ``group[s] .. group[s + 1] - 1``.
        near: bit `x`: the option covers the item of the stage that is `x` later.
        single: (stages,) whether the stage takes or leaves one option.
        horizon: up to which stage to look from each.
        depth: how far that is at most.
    """
    n_stages = len(single)
    dead = np.zeros((n_stages + 1, 1 << depth), dtype=np.bool_)
    later = np.empty(1 << depth, dtype=np.bool_)  # of each pattern from the next stage on
    now = np.empty(1 << depth, dtype=np.bool_)
    for stage in range(n_stages):
        end = horizon[stage]
        later[0] = False
        for at in range(end - 1, stage - 1, -1):
            for pattern in range(1 << (end - at)):
                rest = pattern >> 1
                if single[at] or pattern & 1:
                    now[pattern] = later[rest]
                    continue
                now[pattern] = True
                for x in range(group[at], group[at + 1]):
                    more = (near[x] & ((1 << (end - at)) - 1)) >> 1
                    if rest & more == 0 and not later[rest | more]:
                        now[pattern] = False
                        break
            now, later = later, now
        for pattern in range(1 << (end - stage)):
            dead[stage, pattern] = later[pattern]
    return dead
