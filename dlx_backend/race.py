"""Two ways to count the same: visiting every solution, and remembering states.

Either can be far faster than the other, and no bound tells beforehand which. Visiting runs in any
case; remembering may spend a share of what visiting has spent so far, or surely will spend (by
random walks down its tree). So a count takes at most that share longer than visiting, and where
visiting would take very long, remembering has as much time as it needs. What is spent is worked out
from what was done, not timed, so that every machine takes the same steps.
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from twostep.dlx_backend.choose import Choice, by_probes, links, suggested, try_fewest
from twostep.dlx_backend.compiling import loading
from twostep.dlx_backend.costs import (
    FREE_NS,
    FREE_WALKS,
    LAYOUT_ENTRY_NS,
    LINKS_TRIAL_NODES,
    LINKS_TRIAL_UPDATES,
    LOOK_FURTHER_NS,
    MEMORY_SHARE,
    MOST_WALKED,
    QUICK_NS,
    RANK_ENTRY_NS,
    STATE_NS,
    SUPER_NARROW,
    SURE_PRICE,
    TRIAL_SHARE,
    TRY_ORDERS_NS,
    TURN_NS,
    TURN_STATES,
    UPDATE_NS,
    VISIT_NS,
)  # fmt: skip
from twostep.dlx_backend.kernel import COUNT_ONLY, Kernel
from twostep.dlx_backend.problem import Problem
from twostep.dlx_backend.roles import Roles
from twostep.models.search.estimates import WORTHLESS_ERROR

if TYPE_CHECKING:
    from twostep.dlx_backend.states.frontier import Frontier
    from twostep.dlx_backend.states.layout import Layout
    from twostep.models.search.estimates import Estimate


@dataclass(slots=True)
class Visiting:
    """Counting by visiting every solution.

    Attributes:
        kernel: what visits them.
        price: what a node costs at most, ns; 0: by its updates.
        expected: how many nodes it takes in all, if that was estimated.
        total: the solutions counted so far.
    """

    kernel: Kernel
    price: float = 0.0
    expected: Estimate | None = None
    total: int = 0

    @property
    def cost(self) -> float:
        """What was spent so far, ns."""
        if self.price:
            return SURE_PRICE * self.price * self.kernel.nodes
        return VISIT_NS * self.kernel.nodes + UPDATE_NS * self.kernel.updates

    @property
    def share(self) -> float | None:
        """The part that is done, as estimated; None: there is no telling."""
        nodes = self.expected
        if nodes is None or nodes.error >= WORTHLESS_ERROR or self.kernel.nodes >= nodes.mean:
            return None
        return self.kernel.nodes / nodes.mean

    def advance(self, nodes: int) -> None:
        """Visit up to so many nodes."""
        self.total += self.kernel.advance(nodes, sys.maxsize, COUNT_ONLY)


@dataclass(slots=True)
class Remembering:
    """Counting state by state; set up only when it may spend what that takes.

    Attributes:
        problem, roles: the problem.
        memory: bytes for the states; None: the default.
        cost: what was spent so far, ns.
    """

    problem: Problem
    roles: Roles
    memory: int | None
    _set_up: float = 0.0
    _layout: Layout | None = None
    _frontier: Frontier | None = field(default=None)

    @property
    def cost(self) -> float:
        """What was spent so far, ns."""
        return self._set_up + (0.0 if self._frontier is None else self._frontier.cost)

    @property
    def next_cost(self) -> float:
        """What the next step takes at least, ns."""
        if self._frontier is None:
            return (LAYOUT_ENTRY_NS + RANK_ENTRY_NS) * len(self.problem.items)
        states = max(self._frontier.nodes, 1)
        return min(TURN_NS / 5, TURN_STATES * self._frontier.cost / states)

    @property
    def done(self) -> bool:
        """Whether all was counted."""
        return self._frontier is not None and self._frontier.done

    @property
    def nodes(self) -> int:
        """States so far."""
        return 0 if self._frontier is None else self._frontier.nodes

    @property
    def updates(self) -> int:
        """Steps so far."""
        return 0 if self._frontier is None else self._frontier.updates

    @property
    def total(self) -> int:
        """The solutions counted so far."""
        return 0 if self._frontier is None else self._frontier.total

    def layout(self, allowed: float) -> Layout:
        """The orders for it; further ones are looked for where it may spend much."""
        if self._layout is None:
            with loading():
                from twostep.dlx_backend.states.layout import Layout
            searching = allowed > MEMORY_SHARE * LOOK_FURTHER_NS
            self._layout = Layout.of(self.problem, self.roles, searching=searching)
            self._set_up += RANK_ENTRY_NS * len(self.problem.items)
        return self._layout

    def advance(self, nodes: int, allowed: float) -> None:
        """Take up to so many states, or until its cost is what is allowed."""
        frontier = self._frontier
        if frontier is None:
            frontier = self._begin(allowed)
        frontier.advance_within(nodes, allowed - self.cost)

    def _begin(self, allowed: float) -> Frontier:
        layout = self.layout(allowed)
        setting_up = LAYOUT_ENTRY_NS * len(self.problem.items)
        trial = 0.0
        if min(STATE_NS * layout.states, allowed / MEMORY_SHARE) > TRY_ORDERS_NS:
            trial = TRIAL_SHARE * allowed
        self._frontier = layout.frontier(self.memory, trial=trial)
        self._set_up += setting_up + trial
        return self._frontier


@dataclass(slots=True)
class Race:
    """Both ways to count the same; the first that is done has the answer.

    Attributes:
        visiting, remembering: the two; None: there is only one, or it is over.
        surely: what visiting costs at the least, ns, as far as walks can tell.
    """

    visiting: Visiting
    remembering: Remembering | None = None
    surely: float = 0.0

    @classmethod
    def of(cls, problem: Problem, memory: int | None = None, workers: int = 1) -> Race:
        """Choose how to visit, and say how much that takes at least."""
        roles = Roles.of(problem)
        first = try_fewest(problem, roles)
        if first is None:
            return cls._blind(problem, roles, memory)
        if first.trial.done:
            return cls(Visiting(first.again()))
        choice = first.choice()
        remembering = Remembering(problem, roles, memory)
        narrow = False
        if choice.surely > QUICK_NS:
            layout = remembering.layout(MEMORY_SHARE * choice.surely)
            narrow = STATE_NS * layout.states < SUPER_NARROW * choice.surely
        if not narrow:  # visiting as a search for solutions would
            choice = suggested(problem, roles) or by_probes(problem, roles, first)
        kernel = _shared(choice, workers)
        visiting = Visiting(kernel, choice.price / workers, choice.nodes)
        return cls(visiting, remembering, choice.surely)

    @classmethod
    def _blind(cls, problem: Problem, roles: Roles, memory: int | None) -> Race:
        """With the links, of whose tree nothing is known; alone if that is small."""
        trial = links(problem)
        while (
            not trial.done
            and trial.nodes < LINKS_TRIAL_NODES
            and trial.updates < LINKS_TRIAL_UPDATES
        ):
            trial.advance(16, sys.maxsize, COUNT_ONLY)
        # From its start again: only so a limit of nodes ends the count where it should.
        visiting = Visiting(links(problem))
        if trial.done:
            return cls(visiting)
        surely = VISIT_NS * _solutions_at_least(problem, roles) / 10
        return cls(visiting, Remembering(problem, roles, memory), surely)

    @property
    def done(self) -> bool:
        """Whether one of them is through."""
        return self.visiting.kernel.done or (self.remembering is not None and self.remembering.done)

    @property
    def share(self) -> float | None:
        """The part of visiting that is done, as estimated; None: there is no telling.

        Remembering may be through long before.
        """
        return self.visiting.share

    @property
    def lower(self) -> int:
        """The count if it is done, else what is known to be there."""
        if self.visiting.kernel.done or self.remembering is None:
            return self.visiting.total
        if self.remembering.done:
            return self.remembering.total
        return max(self.visiting.total, self.remembering.total)

    @property
    def nodes(self) -> int:
        """What both have done together."""
        return self.visiting.kernel.nodes + (self.remembering.nodes if self.remembering else 0)

    @property
    def updates(self) -> int:
        """What both have done together."""
        other = self.remembering.updates if self.remembering else 0
        return self.visiting.kernel.updates + other

    def advance(self, nodes: int) -> None:
        """Go on for `nodes` nodes and states together."""
        visiting, other = self.visiting, self.remembering
        while nodes > 0 and not self.done:
            before = self.nodes
            if other is None:
                visiting.advance(nodes)
            else:
                allowed = FREE_NS + MEMORY_SHARE * max(self.surely, visiting.cost)
                needed = other.cost + other.next_cost
                if needed <= allowed:
                    other.advance(nodes, allowed)
                else:
                    visiting.advance(min(nodes, self._until((needed - FREE_NS) / MEMORY_SHARE)))
            nodes -= max(self.nodes - before, 1)

    def _until(self, cost: float) -> int:
        """For how many nodes visiting goes on until it has cost so much, or for a turn."""
        kernel = self.visiting.kernel
        price = self.visiting.cost / kernel.nodes if kernel.nodes else self.visiting.price
        turn = max(cost - self.visiting.cost, TURN_NS)
        return int(min(max(turn / max(price, VISIT_NS), 1.0), sys.maxsize))


def _shared(choice: Choice, workers: int) -> Kernel:
    """The kernel, for several threads if there are."""
    if workers == 1:
        return choice.kernel
    with loading():
        from twostep.dlx_backend.crew import shared
    return shared(choice.kernel, workers)


def _solutions_at_least(problem: Problem, roles: Roles) -> float:
    """How many solutions there are where nothing must be covered, by random walks; else 0.

    Each set of options that fit together is a solution then. A walk takes or leaves each option
    that still fits, and has a weight of 2 for each; the mean is unbiased.
    """
    free = (problem.low == 0) & (problem.high >= roles.uses[: problem.n_primary])
    known = free | roles.limited[: problem.n_primary]
    n = problem.n_options
    if problem.low.any() or problem.has_colours or not known.all() or n > MOST_WALKED:
        return 0.0
    matters = roles.limited.tolist()
    starts, items = problem.starts.tolist(), problem.items.tolist()
    walker = random.Random(0)
    total = 0.0
    for _ in range(FREE_WALKS):
        covered: set[int] = set()
        fitting = 0
        for option in range(n):
            mine = [x for x in items[starts[option] : starts[option + 1]] if matters[x]]
            if covered.isdisjoint(mine):
                fitting += 1
                if walker.getrandbits(1):
                    covered.update(mine)
        total += 2.0 ** min(fitting, 1000)
    return total / FREE_WALKS
