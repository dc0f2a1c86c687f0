"""How many solutions: by symmetry, by independent parts, by memory, or by visiting them all.

1. Where a group of symmetries is known and an item's options are only exchanged among themselves
   (a piece on a symmetric board), it is enough to count the solutions with one option out of each
   orbit, times the orbit's size.
2. Parts that share no item are counted apart and multiplied (parts that come apart only during
   the search: see :mod:`twostep.dlx_backend.states.branches`).
3. For each part the frontier (:mod:`twostep.dlx_backend.states.frontier`) runs against the kernel
   that would enumerate it (:mod:`twostep.dlx_backend.race`); the first that is done gives the
   answer.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from twostep.dlx_backend.bits.plain import plain_start
from twostep.dlx_backend.choose import load_kernels
from twostep.dlx_backend.kernel import next_budget
from twostep.dlx_backend.problem import Problem, prepare
from twostep.dlx_backend.race import Race, Visiting
from twostep.models.language.model import BoolArray, LongArray, Model
from twostep.models.language.symmetry import stabiliser
from twostep.models.search.delivery import Delivery
from twostep.models.search.engine import Limits, SearchResult, Watch


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
        return Race(Visiting(plain))
    load_kernels()
    return Race.of(problem, limits.memory, workers)
