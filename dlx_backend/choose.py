"""Which kernel for which problem: by its shape, and by random probes of the search trees.

All is counted, nothing is timed: the same problem always gets the same kernel, so that a seed
gives one order of solutions on every machine.

1. A problem that isn't simple (multiplicities), or too large for tables of bits: the links.
2. A trial of fewest-first of :data:`TRIAL_NODES` nodes; if the search ends within it, that kernel.
3. Else the trees are estimated (expected nodes x cost of a node): fewest-first, and covering in a
   fixed order for the candidate orders with the narrowest frontiers. The cheapest is taken.
"""

from __future__ import annotations

import sys

import numpy as np

from twostep.dlx_backend.bits import LARGEST, BitTable, Roles
from twostep.dlx_backend.engine import Kernel
from twostep.dlx_backend.problem import Problem
from twostep.models.model import IntArray

TRIAL_NODES = 4000

CHEAP = 3e6
"""An expected cost, ns, below which no better order is looked for."""

WORK = 1_000_000
"""Words that the walks of fewest-first may look at, for each level."""

DEAR = 2e8
"""An expected cost, ns, from which on all the effort below is made; before, a part of it."""

WALKS = 3000
MORE_WALKS = 10000
"""Walks for each order, and again for the best."""

TRIED = 6
"""How many orders are probed, those with the narrowest frontiers."""

CAUTION = 1.5
"""How much cheaper a fixed order must look: its estimates are the less certain ones."""

MEMORY = 1 << 28
"""Bytes that the copies at all levels of a bitset kernel may take."""

_COUNT_ONLY: IntArray = np.empty(0, dtype=np.int32)


def choose(problem: Problem) -> Kernel:
    """The kernel for a problem, at its start."""
    roles = Roles.of(problem)
    levels = int(roles.needed.sum()) + 1
    words = -(-problem.n_options // 64)
    if (
        not roles.simple
        or not problem.n_options
        or levels == 1
        or problem.n_options > LARGEST
        or levels * (8 * words + 4 * levels) > MEMORY
    ):
        from twostep.dlx_backend.links import Links

        return Links.of(problem)

    from twostep.dlx_backend.fewest import Fewest

    needed = np.flatnonzero(roles.needed).astype(np.int32)
    if not problem.ordered:
        uses = np.bincount(problem.items, minlength=problem.n_items)
        needed = needed[np.argsort(uses[needed], kind="stable")]
    table = BitTable.of(problem, roles, needed)
    trial = Fewest.of(table)
    trial.advance(TRIAL_NODES, sys.maxsize, _COUNT_ONLY)
    if trial.done:
        return Fewest.of(table)
    return _by_probes(problem, roles, table)


def _by_probes(problem: Problem, roles: Roles, table: BitTable) -> Kernel:
    from twostep.dlx_backend import orders, probe
    from twostep.dlx_backend.fewest import Fewest
    from twostep.dlx_backend.inorder import InOrder

    kernel = Fewest.of(table)
    walks = max(16, min(512, WORK // (table.n_needed * table.words)))
    tree = probe.fewest_first(table, kernel.of_item, walks)
    cost = tree.nodes * (30 + table.words + table.n_needed / 4) + tree.died * 9
    if cost < CHEAP:
        return kernel
    effort = min(1.0, cost / DEAR)
    bits = np.ones(problem.n_items)
    ranked = sorted(
        orders.candidates(problem, roles.needed),
        key=lambda order: float(np.logaddexp2.reduce(orders.widths(problem, order, bits))),
    )
    best: tuple[float, BitTable] | None = None
    for order in ranked[: 2 + int(effort * (TRIED - 2))]:
        other = BitTable.of(problem, roles, order)
        nodes = probe.in_order(other, 300 + int(effort * WALKS)).nodes
        if best is None or nodes < best[0]:
            best = nodes, other
    if best is None:
        return kernel
    nodes = max(best[0], probe.in_order(best[1], int(effort * MORE_WALKS) + 1).nodes)
    if CAUTION * nodes * (12 + 0.35 * table.words) < cost:
        return InOrder.of(best[1])
    return kernel
