"""A fault in an engine is caught by comparing it with another one."""

from __future__ import annotations

import pytest
from helpers.engines import DLX, Distort, Wrong

from twostep.compare.agreement import verdict as agreement
from twostep.compare.agreement.digest import SetDigest
from twostep.compare.agreement.verdict import Agreement, Opinion, compare, conclude
from twostep.models import Limits, Model, ModelBuilder, Solution


def square() -> Model:
    """Two items, two options each: four solutions."""
    builder = ModelBuilder("square")
    for name in "ab":
        builder.item(name)
        builder.option([name])
        builder.option([name])
    return builder.build()


FAULTS: dict[str, Distort] = {
    "loses a solution": lambda _, found: found[1:],
    "finds one twice": lambda _, found: [*found, found[0]],
    "finds one twice and loses one": lambda _, found: [*found[1:], found[1]],
    "gives a wrong one": lambda _, found: [*found[1:], (0, 1)],
    "finds nothing": lambda _, found: [],
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("faulty_first", [True, False])
def test_a_planted_fault_is_caught(fault: str, faulty_first: bool) -> None:
    engines = [Wrong(FAULTS[fault]), DLX]
    comparison = compare(engines if faulty_first else engines[::-1], square())
    assert comparison.agreement is Agreement.DISAGREE


def test_the_first_differing_solution_is_shown() -> None:
    comparison = compare([DLX, Wrong(FAULTS["loses a solution"])], square())
    (difference,) = comparison.differences
    assert (difference.found_by, difference.missed_by) == ("dlx", "wrong")
    assert difference.solution == (0, 2)


def test_engines_without_fault_agree() -> None:
    comparison = compare([DLX, Wrong(lambda _, found: found[::-1])], square())
    assert comparison.agreement is Agreement.AGREE
    assert [opinion.result.found for opinion in comparison.opinions if opinion.result] == [4, 4]


def test_a_limit_leaves_the_agreement_unknown() -> None:
    comparison = compare([DLX, DLX], square(), Limits(solutions=3))
    assert comparison.agreement is Agreement.UNKNOWN


def test_an_incomplete_search_that_found_more_is_a_contradiction() -> None:
    whole = agreement.ask(Wrong(lambda _, found: found[:1]), square())
    part = agreement.ask(DLX, square(), Limits(solutions=3))
    assert agreement.judge([whole, part]) is Agreement.DISAGREE


def test_an_incomplete_search_that_found_no_more_leaves_the_agreement_unknown() -> None:
    whole = agreement.ask(DLX, square())
    for solutions in (1, 3, 4):
        part = agreement.ask(DLX, square(), Limits(solutions=solutions))
        assert agreement.judge([whole, part]) is Agreement.UNKNOWN


def test_it_takes_all_engines_to_agree_and_one_to_disagree() -> None:
    faulty = Wrong(FAULTS["gives a wrong one"])
    engines = [DLX, faulty]
    first = agreement.ask(DLX, square())
    assert agreement.judge([first]) is Agreement.AGREE
    assert conclude(engines, [first], square).agreement is Agreement.UNKNOWN
    opinions = [agreement.ask(faulty, square())]
    assert conclude(engines[::-1], opinions, square).agreement is Agreement.DISAGREE


def test_an_interrupted_engine_says_what_it_found_and_nothing_of_the_set() -> None:
    result = DLX.search(square(), Limits(solutions=3))
    assert agreement.late(result) == Opinion("dlx", result, "0" * 64)


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
