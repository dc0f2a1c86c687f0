"""A fault in an engine is caught by comparing it with another one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from twostep.compare import agreement
from twostep.compare.agreement import Agreement, SetDigest, compare
from twostep.dlx_backend import DlxEngine
from twostep.models import Feature, Limits, Model, ModelBuilder, SearchResult, Solution
from twostep.models.search import NO_LIMITS


def square() -> Model:
    """Two items, two options each: four solutions."""
    builder = ModelBuilder("square")
    for name in "ab":
        builder.item(name)
        builder.option([name])
        builder.option([name])
    return builder.build()


@dataclass
class Faulty:
    """The DLX engine with a planted fault: `distort` changes the list of its solutions."""

    distort: Callable[[list[Solution]], list[Solution]]
    name: str = "faulty"
    features: frozenset[Feature] = frozenset(Feature)

    def search(
        self, model: Model, limits: Limits = NO_LIMITS, *, receive: Any = None, **rest: Any
    ) -> SearchResult:
        kept: list[Solution] = []
        right = DlxEngine().search(model, limits, receive=kept.append)
        given = self.distort(kept)
        for solution in given:
            receive(solution)
        return SearchResult(self.name, len(given), right.stopped, right.counters, right.seconds)


FAULTS: dict[str, Callable[[list[Solution]], list[Solution]]] = {
    "loses a solution": lambda found: found[1:],
    "finds one twice": lambda found: [*found, found[0]],
    "finds one twice and loses one": lambda found: [*found[1:], found[1]],
    "gives a wrong one": lambda found: [*found[1:], (0, 1)],
    "finds nothing": lambda found: [],
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("faulty_first", [True, False])
def test_a_planted_fault_is_caught(fault: str, faulty_first: bool) -> None:
    engines = [Faulty(FAULTS[fault]), DlxEngine()]
    comparison = compare(engines if faulty_first else engines[::-1], square())
    assert comparison.agreement is Agreement.DISAGREE


def test_the_first_differing_solution_is_shown() -> None:
    comparison = compare([DlxEngine(), Faulty(FAULTS["loses a solution"])], square())
    (difference,) = comparison.differences
    assert (difference.found_by, difference.missed_by) == ("dlx", "faulty")
    assert difference.solution == (0, 2)


def test_engines_without_fault_agree() -> None:
    comparison = compare([DlxEngine(), Faulty(lambda found: found[::-1])], square())
    assert comparison.agreement is Agreement.AGREE
    assert [opinion.result.found for opinion in comparison.opinions if opinion.result] == [4, 4]


def test_a_limit_leaves_the_agreement_unknown() -> None:
    comparison = compare([DlxEngine(), DlxEngine()], square(), Limits(solutions=3))
    assert comparison.agreement is Agreement.UNKNOWN


def test_an_incomplete_search_that_found_more_is_a_contradiction() -> None:
    whole = agreement.ask(Faulty(lambda found: found[:1]), square())
    part = agreement.ask(DlxEngine(), square(), Limits(solutions=3))
    assert agreement.judge([whole, part]) is Agreement.DISAGREE


def test_the_digest_does_not_depend_on_the_order_but_on_every_solution() -> None:
    def digest(*solutions: Solution) -> str:
        made = SetDigest()
        for solution in solutions:
            made.add(solution)
        return str(made)

    assert digest((1, 2), (3,)) == digest((3,), (1, 2))
    different = {
        digest(),
        digest(()),
        digest((1,)),
        digest((1,), ()),
        digest((12,)),
        digest((1, 2)),
    }
    assert len(different) == 6
