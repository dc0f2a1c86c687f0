"""How many solutions: by symmetry, by independent parts, by memory, or by visiting them all.

1. Where a group of symmetries is known and an item's options are only exchanged among themselves
   (a piece on a symmetric board), it is enough to count the solutions with one option out of each
   orbit, times the orbit's size.
2. Parts that share no item are counted apart and multiplied (parts that come apart only during
   the search: see :mod:`twostep.dlx_backend.states.branches`).
3. For each part the frontier (:mod:`twostep.dlx_backend.states.frontier`) runs against the kernel
   that would enumerate it; the first that is done gives the answer. Each turn is as long as it is
   expected to cost, in states and nodes, so that the same model takes the same steps everywhere.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from twostep.dlx_backend.bits.plain import plain_start
from twostep.dlx_backend.choose import Choice, by_probes, links, load_kernels, try_fewest
from twostep.dlx_backend.compiling import loading
from twostep.dlx_backend.costs import (
    BLIND_LEAD_NS,
    LINKS_NODE_NS,
    LINKS_TRIAL_NODES,
    LINKS_TRIAL_UPDATES,
    LOOK_FURTHER_NS,
    QUICK_NS,
    STATE_NS,
    TRY_ORDERS_NS,
    TURN_NS,
)  # fmt: skip
from twostep.dlx_backend.kernel import COUNT_ONLY, Kernel, next_budget
from twostep.dlx_backend.problem import Problem, prepare
from twostep.dlx_backend.roles import Roles
from twostep.models.language.model import BoolArray, LongArray, Model
from twostep.models.language.symmetry import stabiliser
from twostep.models.search.delivery import Delivery
from twostep.models.search.engine import Limits, SearchResult, Watch
from twostep.models.search.estimates import WORTHLESS_ERROR, Estimate

if TYPE_CHECKING:
    from twostep.dlx_backend.states.frontier import Frontier
    from twostep.dlx_backend.states.layout import Layout


def count(
    model: Model, limits: Limits, watch: Watch | None, engine: str, workers: int = 1
) -> SearchResult:
    """The number of solutions of a model without a side condition.

    `found` is exact if the search is complete, else a lower bound. Nodes are nodes or states.
    `workers` threads share what is enumerated.
    """
    delivery = Delivery(model, limits, None, watch)
    problem = prepare(model)
    known = _Known()
    if problem.possible and delivery.stopped is None:
        try:
            parts = list(representatives(model, problem))
            for each in parts:
                known.ahead = each.weight / sum(part.weight for part in parts)
                if not _count_part(each, delivery, limits, known, workers):
                    break
                known.share += known.ahead
        except KeyboardInterrupt:
            delivery.cancel()
    delivery.found = known.lower
    return delivery.result(engine, known.nodes, known.updates)


@dataclass(slots=True)
class _Known:
    """What is known so far: solutions of finished parts, and the work done.

    `share` is the part of all the work that is behind, `ahead` that of the part being counted.
    """

    total: int = 0
    lower: int = 0
    nodes: int = 0
    updates: int = 0
    share: float = 0.0
    ahead: float = 1.0


@dataclass(frozen=True, slots=True)
class Representative:
    """A problem whose count, times `factor`, is a part of the whole; `weight`: of the work."""

    factor: int
    problem: Problem
    weight: int = 1


def representatives(model: Model, problem: Problem) -> Iterator[Representative]:
    """Problems whose counts, times the factor of each, add up to the problem's count."""
    split = _orbits(model, problem)
    if split is None:
        yield Representative(1, problem)
        return
    item_options, size = split
    # Without np.unique, which imports numpy.ma: 20 ms.
    for orbit in np.flatnonzero(np.bincount(size[item_options & (size > 0)])).tolist():
        kept = item_options & (size == orbit)
        yield Representative(orbit, problem.part(~item_options | kept), int(kept.sum()))


def _orbits(model: Model, problem: Problem) -> tuple[BoolArray, LongArray] | None:
    """The options of the best item to use symmetry on, and the orbits' sizes.

    Gives (options,) whether it is one of the item's, and (options,) for the least option of each
    orbit the orbit's size, else 0. None: there is nothing to gain.
    """
    group = stabiliser(model)
    if len(group) < 2 or not problem.n_options:
        return None
    images = group[:, problem.option_ids]
    least = images.min(axis=0) == problem.option_ids
    ordered = np.sort(images, axis=0)
    size = 1 + (np.diff(ordered, axis=0) != 0).sum(axis=0)
    owner = np.repeat(np.arange(problem.n_options), np.diff(problem.starts))
    place = np.full(model.n_options, -1, dtype=np.int64)
    place[problem.option_ids] = np.arange(problem.n_options)
    best: tuple[float, BoolArray] | None = None
    for item in np.flatnonzero((problem.low == 1) & (problem.high == 1)).tolist():
        mine = np.zeros(problem.n_options, dtype=np.bool_)
        mine[owner[problem.items == item]] = True
        images_of_mine = place[images[:, mine]]
        if not mine.any() or (images_of_mine < 0).any() or not mine[images_of_mine].all():
            continue  # an image doesn't fit, or covers another item
        kept = int(least[mine].sum())
        gain = kept / int(mine.sum()) + 0.001 * kept
        if kept < mine.sum() and (best is None or gain < best[0]):
            best = gain, mine
    if best is None:
        return None
    return best[1], np.where(least, size, 0)


def _count_part(
    each: Representative, delivery: Delivery, limits: Limits, known: _Known, workers: int
) -> bool:
    """Add the solutions of a part, times its factor, to what is known; False: stopped before."""
    part = each.problem
    if (part.low > np.bincount(part.items, minlength=part.n_items)[: part.n_primary]).any():
        return True
    components = part.components()
    product = each.factor
    for component in components:
        race = _race(component, limits, workers)
        budget = 2000
        nodes, updates = known.nodes, known.updates
        while not race.done:
            if limits.nodes is not None:
                budget = min(budget, limits.nodes - known.nodes)
            began = time.perf_counter()
            race.advance(budget)
            known.nodes, known.updates = nodes + race.nodes, updates + race.updates
            if component is components[-1]:
                known.lower = known.total + product * race.lower
            delivery.found = known.lower
            share = race.share if len(components) == 1 else None
            if share is not None:
                share = known.share + known.ahead * share
            if not race.done and delivery.pulse(known.nodes, known.updates, share):
                return False
            budget = next_budget(budget, began)
        known.nodes, known.updates = nodes + race.nodes, updates + race.updates
        product *= race.lower
        if product == 0:
            break
    known.total += product
    known.lower = known.total
    return True


def _race(problem: Problem, limits: Limits, workers: int) -> Race:
    """The ways to count an independent part; only one if it is small."""
    plain = plain_start(problem, in_order=False) if limits.nodes is None else None
    if plain is not None:
        return Race([Entrant(Enumeration(plain), 1.0)])
    load_kernels()
    return Race.of(problem, limits.memory, workers)


class Counting(Protocol):
    """Something that counts solutions, step by step."""

    @property
    def done(self) -> bool:
        """Whether the count is complete."""

    @property
    def nodes(self) -> int:
        """Nodes or states so far."""

    @property
    def updates(self) -> int:
        """Elementary changes so far."""

    @property
    def total(self) -> int:
        """The solutions counted so far."""

    def advance(self, nodes: int) -> object:
        """Go on for up to so many nodes."""


@dataclass(slots=True)
class Enumeration:
    """Counting by visiting every solution."""

    kernel: Kernel
    total: int = 0

    @property
    def done(self) -> bool:
        """Whether all were visited."""
        return self.kernel.done

    @property
    def nodes(self) -> int:
        """Nodes so far."""
        return self.kernel.nodes

    @property
    def updates(self) -> int:
        """Elementary changes so far."""
        return self.kernel.updates

    def advance(self, nodes: int) -> None:
        """Visit up to so many nodes."""
        self.total += self.kernel.advance(nodes, sys.maxsize, COUNT_ONLY)


@dataclass(slots=True)
class Later:
    """A frontier that is laid out only when it gets its first turn."""

    make: Callable[[], Frontier]
    way: Frontier | None = None

    @property
    def done(self) -> bool:
        """Whether all was counted."""
        return self.way is not None and self.way.done

    @property
    def nodes(self) -> int:
        """States so far."""
        return 0 if self.way is None else self.way.nodes

    @property
    def updates(self) -> int:
        """Steps so far."""
        return 0 if self.way is None else self.way.updates

    @property
    def total(self) -> int:
        """The solutions counted so far."""
        return 0 if self.way is None else self.way.total

    def advance(self, nodes: int) -> None:
        """Take up to so many states."""
        if self.way is None:
            self.way = self.make()
        self.way.advance(nodes)


@dataclass(slots=True)
class Entrant:
    """One way of counting in a race: what a node costs, ns, and what it has spent, ns.

    It starts below 0 if it is given a lead. `expected`: how many nodes it takes in all.
    """

    way: Counting
    price: float
    spent: float = 0.0
    expected: Estimate | None = None


@dataclass(slots=True)
class Race:
    """Several ways to count the same; the first that is done has the answer."""

    entrants: list[Entrant]

    @classmethod
    def of(cls, problem: Problem, memory: int | None = None, workers: int = 1) -> Race:
        """Choose who runs, and who gets a lead."""
        roles = Roles.of(problem)
        first = try_fewest(problem, roles)
        if first is None:
            return cls._blind(problem, roles, memory)
        if first.trial.done:
            return cls([Entrant(Enumeration(first.again()), 1.0)])
        choice = first.choice()
        if choice.cost < QUICK_NS:
            choice = by_probes(problem, roles, first)
            way, lead = _enumeration(choice, workers), 4 * choice.cost
            later = Later(lambda: _layout(problem, roles).frontier(memory))
            return cls([Entrant(way, choice.price, -lead, choice.nodes), Entrant(later, STATE_NS)])
        layout = _layout(problem, roles, searching=choice.cost > LOOK_FURTHER_NS)
        expected = STATE_NS * layout.states
        narrow = expected <= choice.cost / 4
        if not narrow:
            choice = by_probes(problem, roles, first, layout.ranked)
        trying = min(expected, choice.cost) > TRY_ORDERS_NS
        frontier = layout.frontier(memory, trying=trying)
        if narrow:
            entrant = Entrant(frontier, STATE_NS, -4 * expected)
        else:
            # The bound on the states is often far too high: a short run to see, then a fifth.
            entrant = Entrant(frontier, 4 * STATE_NS, -choice.cost / 2)
        way = _enumeration(choice, workers)
        return cls([entrant, Entrant(way, choice.price / workers, expected=choice.nodes)])

    @classmethod
    def _blind(cls, problem: Problem, roles: Roles, memory: int | None) -> Race:
        """The links, of whose tree nothing is known; the frontier, too, unless that is small."""
        trial = links(problem)
        while (
            not trial.done
            and trial.nodes < LINKS_TRIAL_NODES
            and trial.updates < LINKS_TRIAL_UPDATES
        ):
            trial.advance(16, sys.maxsize, COUNT_ONLY)
        # From its start again: only so a limit of nodes ends the count where it should.
        enumeration = Entrant(Enumeration(links(problem)), LINKS_NODE_NS)
        if trial.done:
            return cls([enumeration])
        layout = _layout(problem, roles)
        expected = STATE_NS * layout.states
        frontier = layout.frontier(memory, trying=expected > TRY_ORDERS_NS)
        return cls([Entrant(frontier, STATE_NS, -min(4 * expected, BLIND_LEAD_NS)), enumeration])

    @property
    def done(self) -> bool:
        """Whether one of them is through."""
        return any(entrant.way.done for entrant in self.entrants)

    @property
    def share(self) -> float | None:
        """The part of an enumeration that is done, as estimated; None: there is no telling.

        The frontier may be through long before.
        """
        for entrant in self.entrants:
            nodes = entrant.expected
            if (
                nodes is not None
                and nodes.error < WORTHLESS_ERROR
                and entrant.way.nodes < nodes.mean
            ):
                return entrant.way.nodes / nodes.mean
        return None

    @property
    def lower(self) -> int:
        """The count if it is done, else what is known to be there."""
        for entrant in self.entrants:
            if entrant.way.done:
                return entrant.way.total
        return max(entrant.way.total for entrant in self.entrants)

    @property
    def nodes(self) -> int:
        """What all have done together."""
        return sum(entrant.way.nodes for entrant in self.entrants)

    @property
    def updates(self) -> int:
        """What all have done together."""
        return sum(entrant.way.updates for entrant in self.entrants)

    def advance(self, nodes: int) -> None:
        """Go on for `nodes` nodes and states together; who has spent least, has the turn."""
        while nodes > 0 and not self.done:
            who, *others = sorted(self.entrants, key=lambda entrant: entrant.spent)
            step = nodes
            if others:
                turn = max(others[0].spent - who.spent, TURN_NS)
                step = int(min(nodes, max(turn / who.price, 1.0)))
            before = who.way.nodes
            who.way.advance(step)
            used = who.way.nodes - before
            who.spent += max(used, 1) * who.price
            nodes -= max(used, 1)


def _layout(problem: Problem, roles: Roles, *, searching: bool = True) -> Layout:
    """How to lay out a frontier; what that takes is loaded, or compiled, only where wanted."""
    with loading():
        from twostep.dlx_backend.states.layout import Layout
    return Layout.of(problem, roles, searching=searching)


def _enumeration(choice: Choice, workers: int) -> Enumeration:
    if workers == 1:
        return Enumeration(choice.kernel)
    with loading():
        from twostep.dlx_backend.crew import shared
    return Enumeration(shared(choice.kernel, workers))
