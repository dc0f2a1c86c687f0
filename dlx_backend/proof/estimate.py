"""How large is the search tree, and how many solutions has it? By random walks, before searching.

Knuth 1975, "Estimating the efficiency of backtrack programs" (TAOCP 7.2.2, formula (28)): a walk
that sees d1 branches, takes one at random, sees d2 and so on estimates the nodes (the root isn't
one, see ``Counters``) as d1 + d1 d2 + ..., and if it ends in a solution, the solutions as
d1 d2 d3 ...; the means over many walks are unbiased. But they may be worthless all the same: if
nearly everything is in a few branches that a walk rarely takes. The spread of the walks tells,
mostly.

The tree is that of a search that always branches on the item with the fewest branches.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from twostep.dlx_backend.costs import ESTIMATE_BATCH, ESTIMATE_WALKS
from twostep.dlx_backend.proof.prover import BY_FEWEST, Table
from twostep.models.certificate.states import LEAVE, States
from twostep.models.language.model import Model
from twostep.models.search.estimates import Estimate, TreeEstimate


def estimate(model: Model, walks: int = ESTIMATE_WALKS, *, seed: int = 0) -> TreeEstimate:
    """Estimate the search tree of `model` by so many random walks; a seed gives one result."""
    states = States(model)
    if states.start is None:
        return TreeEstimate(Estimate(0.0), Estimate(0.0), 0, 0, True)
    walker = _Walker(model, states, random.Random(seed))
    for begin in range(0, walks, ESTIMATE_BATCH):
        walker.walk([states.start] * min(ESTIMATE_BATCH, walks - begin))
    nodes, solutions = Estimate.of(walker.nodes), Estimate.of(walker.solutions)
    if not walker.chose:
        nodes, solutions = Estimate(walker.nodes[0]), Estimate(walker.solutions[0])
    reached = sum(value > 0 for value in walker.solutions)
    return TreeEstimate(nodes, solutions, walks, reached, not walker.chose)


def weights(model: Model, starts: Sequence[int], walks: int) -> list[float]:
    """For each state the estimated nodes below it, by so many walks: its share of the work."""
    walker = _Walker(model, States(model), random.Random(0))
    walker.walk([state for state in starts for _ in range(walks)])
    return [
        sum(walker.nodes[begin : begin + walks]) / walks
        for begin in range(0, len(walker.nodes), walks)
    ]


class _Walker:
    """Many walks at once, step by step: so that an item is chosen for all of them in one go.

    Attributes:
        nodes, solutions: what each walk estimates.
        chose: whether any walk ever had a choice.
    """

    def __init__(self, model: Model, states: States, rng: random.Random) -> None:
        self._states, self._rng = states, rng
        self._table = Table.of(model, states)
        self._items = list(states.rows)
        self.nodes: list[float] = []
        self.solutions: list[float] = []
        self.chose = False

    def walk(self, starts: Sequence[int]) -> None:
        """A walk from each state."""
        states, goal = self._states, self._states.goal
        base = len(self.nodes)
        self.nodes += [0.0] * len(starts)
        self.solutions += [0.0] * len(starts)
        now = [(base + place, state, 1.0) for place, state in enumerate(starts)]
        while now:
            going = []
            for walk, state, weight in now:
                if state & goal == goal:
                    self.solutions[walk] = weight
                else:
                    going.append((walk, state, weight))
            chosen = self._table.choose(BY_FEWEST, [state for _, state, _ in going])
            now = []
            for (walk, state, weight), (place, hopeless) in zip(going, chosen, strict=True):
                if hopeless:
                    continue
                item = self._items[place]
                branches = states.branches(state, item)
                self.chose |= len(branches) > 1
                weight *= len(branches)
                if branches != [LEAVE]:  # an item that only can be left is no node
                    self.nodes[walk] += weight
                option = branches[self._rng.randrange(len(branches))]
                now.append((walk, states.after(state, item, option), weight))
