"""The engines that tests ask, and one that is wrong on purpose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from helpers.oracle import all_solutions

from twostep.compare.registry import ENGINES, engine
from twostep.models.language.model import Feature, Model, Solution
from twostep.models.search.delivery import Delivery
from twostep.models.search.engine import NO_LIMITS, Limits, Receiver, SearchResult, Watch

DLX, CPSAT = engine("dlx"), engine("cpsat")

every_engine = pytest.mark.parametrize("engine", [engine(name) for name in ENGINES], ids=ENGINES)


Distort = Callable[[Model, list[Solution]], list[Solution]]


@dataclass(frozen=True, slots=True)
class Wrong:
    """DLX with a planted fault: `distort` changes the list of a model's solutions."""

    distort: Distort
    name: str = "wrong"
    features: frozenset[Feature] = DLX.features

    def search(
        self,
        model: Model,
        limits: Limits = NO_LIMITS,
        *,
        receive: Receiver | None = None,
        watch: Watch | None = None,
        seed: int = 0,
    ) -> SearchResult:
        kept: list[Solution] = []
        right = DLX.search(model, receive=kept.append, seed=seed).counters
        delivery = Delivery(model, limits, receive, watch)
        for solution in self.distort(model, kept):
            if delivery.offer(solution):
                break
        return delivery.result(self.name, right.nodes, right.updates)


def loses_one() -> Wrong:
    """In the place of CP-SAT, an engine that loses its first solution."""
    return Wrong(lambda _model, found: found[1:], "cpsat")


def finds_nothing() -> Wrong:
    """In the place of CP-SAT, an engine that says of everything that there is no solution."""
    return Wrong(lambda _model, _found: [], "cpsat")


@dataclass(frozen=True, slots=True)
class BruteForce:
    """A third engine, which tries all subsets of the options."""

    name: str = "third"
    features: frozenset[Feature] = frozenset(Feature)

    def search(
        self,
        model: Model,
        limits: Limits = NO_LIMITS,
        *,
        receive: Receiver | None = None,
        watch: Watch | None = None,
        seed: int = 0,
    ) -> SearchResult:
        delivery = Delivery(model, limits, receive, watch)
        for solution in sorted(all_solutions(model)):
            if delivery.offer(solution):
                break
        return delivery.result(self.name, 0, 0)
