"""Which kernel for which problem: by its shape, and by random probes of the search trees.

All is counted, nothing is timed: the same problem always gets the same kernel, so that a seed
gives one order of solutions on every machine.

1. A problem that isn't simple (multiplicities), or too large for tables of bits: the links.
2. If the model suggests an order, a trial of that order of :data:`SUGGESTED_TRIAL_NODES` nodes; if
   the search ends or finds a solution within it, the suggested order is used.
3. A short trial of fewest-first; if the search ends within it, that kernel.
4. Else the trees are estimated (expected nodes x cost of a node): fewest-first, and covering in a
   fixed order for the candidate orders with the narrowest frontiers. The cheapest is taken.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from twostep.dlx_backend.compiling import loading
from twostep.dlx_backend.costs import (
    BEST_ORDER_WALKS,
    FEWEST_DEATH_NS,
    FEWEST_ITEM_NS,
    FEWEST_NODE_NS,
    FEWEST_TRIAL_NODES,
    FEWEST_TRIAL_WORDS,
    FEWEST_WALK_WORDS,
    FEWEST_WORD_NS,
    FULL_EFFORT_NS,
    GUARD_NODES,
    GUARD_TRUST,
    ORDER_CAUTION,
    ORDER_NODE_NS,
    ORDER_WALK_WORDS,
    ORDER_WALKS,
    ORDER_WORD_NS,
    PROBE_FROM_NS,
    PROBED_ORDERS,
    SUGGESTED_TRIAL_NODES,
    SURE_PRICE,
    SWEEP_FROM_NS,
    TRIAL_NUMBERS,
)  # fmt: skip
from twostep.dlx_backend.kernel import COUNT_ONLY, Kernel, Replay
from twostep.dlx_backend.problem import Problem
from twostep.dlx_backend.roles import Roles
from twostep.models.language.model import IntArray

if TYPE_CHECKING:
    from twostep.dlx_backend.bits.fewest import Fewest
    from twostep.dlx_backend.bits.inorder import InOrder
    from twostep.dlx_backend.bits.table import BitTable
    from twostep.models.search.estimates import Estimate


@dataclass(frozen=True, slots=True)
class Choice:
    """A kernel at its start, its expected nodes (by a probe), and what one of them costs, ns."""

    kernel: Kernel
    nodes: Estimate
    price: float

    @property
    def cost(self) -> float:
        """What the whole search is expected to cost, ns."""
        return self.nodes.mean * self.price

    @property
    def surely(self) -> float:
        """What it costs at least, ns, as far as the walks can tell.

        A mean of values that are never negative is ten times too high in one of ten cases at most
        (Markov's inequality), however far the walks differ.
        """
        return SURE_PRICE * self.price * max(self.nodes.low, self.nodes.mean / 10)


def load_kernels() -> None:
    """Import what nearly every search takes, while no clock runs: compiled, or read from disk.

    What is only needed now and then is imported when it is, the clock standing still again.
    """
    with loading():
        import numpy.ma  # noqa: F401  Numba needs it for the first array that it is given.

        from twostep.dlx_backend import orders  # noqa: F401
        from twostep.dlx_backend.bits import fewest, inorder, probe  # noqa: F401


def choose(problem: Problem, *, replay: bool = False) -> Kernel:
    """The kernel for a problem, at its start.

    `replay`: a search that its trial has finished may be given as what the trial found; its nodes
    are then all spent at once, and no limit of them can be kept.
    """
    roles = Roles.of(problem)
    if problem.ordered and (suggested := try_suggested(problem, roles)) is not None:
        return suggested
    first = try_fewest(problem, roles)
    if first is None:
        return links(problem)
    if first.trial.done:
        return first.replay() if replay and first.kept is not None else first.again()
    return by_probes(problem, roles, first).kernel


@dataclass(slots=True)
class Guarded:
    """A fixed order that was chosen by an estimate, and what to do if that was far too low.

    If `allowed` nodes have not led to a single solution, nor to the end, the search starts again
    with fewest-first. No solution was given out by then, so that none comes twice.
    """

    kernel: InOrder | Fewest
    allowed: int
    first: Trial | None
    _nodes: int = 0
    _updates: int = 0

    @property
    def done(self) -> bool:
        """Whether the whole search space was seen."""
        return self.kernel.done

    @property
    def nodes(self) -> int:
        """Search nodes so far, those of a search given up among them."""
        return self._nodes + self.kernel.nodes

    @property
    def updates(self) -> int:
        """Elementary changes so far, likewise."""
        return self._updates + self.kernel.updates

    @property
    def longest(self) -> int:
        """The most options a solution can have."""
        return self.kernel.longest

    def advance(self, nodes: int, wanted: int, out: IntArray) -> int:
        """See :class:`Kernel`."""
        found = 0
        if self.first is not None:
            step = min(nodes, self.allowed - self.kernel.nodes)
            found = self.kernel.advance(step, wanted, out)
            nodes -= step
            if found or self.done:
                self.first = None
            elif self.kernel.nodes >= self.allowed:
                self._nodes, self._updates = self.kernel.nodes, self.kernel.updates
                self.kernel = self.first.again()
                self.first = None
        if not found and nodes > 0:
            found = self.kernel.advance(nodes, wanted, out)
        return found

    def split(self) -> InOrder | Fewest | None:
        """See :class:`twostep.dlx_backend.kernel.Divisible`; from then on, no starting again."""
        other = self.kernel.split()
        if other is not None:
            self.first = None
        return other


def links(problem: Problem) -> Kernel:
    """The kernel that can do everything."""
    with loading():
        from twostep.dlx_backend.links import Links
    return Links.of(problem)


@dataclass(frozen=True, slots=True)
class Trial:
    """Fewest-first on trial: its table, and the kernel after a few thousand nodes."""

    table: BitTable
    trial: Fewest
    found: int
    kept: IntArray | None
    """The solutions found, as :meth:`Kernel.advance` gives them; None: too many."""

    def replay(self) -> Replay:
        """What the trial found, as a kernel."""
        kept = COUNT_ONLY if self.kept is None else self.kept
        return Replay(self.found, kept, self.trial.nodes, self.trial.updates, self.trial.longest)

    def again(self) -> Fewest:
        """The same kernel at its start."""
        from twostep.dlx_backend.bits.fewest import Fewest

        return Fewest.of(self.table)

    def choice(self) -> Choice:
        """The kernel at its start, with estimates by probes."""
        from twostep.dlx_backend.bits import probe

        table = self.table
        walks = max(16, min(256, FEWEST_WALK_WORDS // (table.n_needed * table.words)))
        tree = probe.fewest_first(table, self.trial.of_item, walks)
        price = (
            FEWEST_NODE_NS
            + FEWEST_WORD_NS * table.words
            + FEWEST_ITEM_NS * table.n_needed
            + FEWEST_DEATH_NS * tree.died / tree.nodes.mean
        )
        return Choice(self.again(), tree.nodes, price)


def try_suggested(problem: Problem, roles: Roles) -> InOrder | None:
    """The suggested order at its start; None: its trial led nowhere, or tables of bits can't."""
    from twostep.dlx_backend.bits.inorder import InOrder

    table = _table(problem, roles)
    if table is None:
        return None
    trial = InOrder.of(table)
    found = trial.advance(SUGGESTED_TRIAL_NODES, 1, COUNT_ONLY)
    return InOrder.of(table) if found or trial.done else None


def suggested(problem: Problem, roles: Roles) -> Choice | None:
    """The suggested order, with an estimate, if :func:`choose` takes it; else None."""
    kernel = try_suggested(problem, roles) if problem.ordered else None
    if kernel is None:
        return None
    from twostep.dlx_backend.bits import probe

    table = kernel.table
    most = max(16, ORDER_WALK_WORDS // (table.n_needed * table.words))
    nodes = probe.in_order(table, min(ORDER_WALKS, most))
    return Choice(kernel, nodes, ORDER_NODE_NS + ORDER_WORD_NS * table.words)


def try_fewest(problem: Problem, roles: Roles) -> Trial | None:
    """Put fewest-first on trial; None: the problem isn't one for tables of bits."""
    from twostep.dlx_backend.bits.fewest import Fewest

    table = _table(problem, roles)
    if table is None:
        return None
    trial = Fewest.of(table)
    kept = np.empty(TRIAL_NUMBERS + trial.longest + 1, dtype=np.int32)
    least, most = FEWEST_TRIAL_NODES
    nodes = min(max(FEWEST_TRIAL_WORDS // table.words, least), most)
    found = trial.advance(nodes, TRIAL_NUMBERS // (trial.longest + 1), kept)
    if trial.done or trial.nodes == nodes:
        return Trial(table, trial, found, kept)
    found += trial.advance(nodes - trial.nodes, sys.maxsize, COUNT_ONLY)
    return Trial(table, trial, found, None)


def _table(problem: Problem, roles: Roles) -> BitTable | None:
    """The table of bits, in the suggested order if there is one; None: the problem has none."""
    if not roles.tabular(problem):
        return None
    from twostep.dlx_backend.bits.table import BitTable

    return BitTable.of(problem, roles, roles.in_turn(problem))


def by_probes(problem: Problem, roles: Roles, first: Trial) -> Choice:
    """Fewest-first, or a fixed order if that looks cheaper."""
    from twostep.dlx_backend import orders
    from twostep.dlx_backend.bits import probe
    from twostep.dlx_backend.bits.inorder import InOrder
    from twostep.dlx_backend.bits.table import BitTable

    fewest = first.choice()
    if fewest.cost < PROBE_FROM_NS:
        return fewest
    effort = min(1.0, fewest.cost / FULL_EFFORT_NS)
    bits = np.ones(problem.n_items)
    ranked = orders.ranked(problem, roles.needed, bits, sweeping=fewest.cost > SWEEP_FROM_NS)
    best: tuple[Estimate, BitTable] | None = None
    for order in ranked[: 2 + int(effort * (PROBED_ORDERS - 2))]:
        table = BitTable.of(problem, roles, order)
        most = max(16, ORDER_WALK_WORDS // (table.n_needed * table.words))
        nodes = probe.in_order(table, min(300 + int(effort * ORDER_WALKS), most))
        if best is None or nodes.mean < best[0].mean:
            best = nodes, table
    if best is None:
        return fewest
    nodes, table = best
    again = probe.in_order(table, min(int(effort * BEST_ORDER_WALKS) + 1, most))
    nodes = max(nodes, again, key=lambda nodes: nodes.mean)
    price = ORDER_NODE_NS + ORDER_WORD_NS * table.words
    # Not more than fewest-first is expected to take at most; an estimate may be infinite.
    allowed = int(min(GUARD_TRUST * nodes.mean, fewest.cost / price, sys.maxsize))
    kernel = Guarded(InOrder.of(table), max(GUARD_NODES, allowed), first)
    in_order = Choice(kernel, nodes, price)
    return in_order if ORDER_CAUTION * in_order.cost < fewest.cost else fewest
