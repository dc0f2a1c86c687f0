"""Remembering spends no more than its share, and gives the same counts as visiting."""

from __future__ import annotations

import pytest
from helpers.oracle import all_solutions
from helpers.strategies import models
from hypothesis import given, settings

from twostep.dlx_backend.choose import try_fewest
from twostep.dlx_backend.costs import FREE_NS, MEMORY_SHARE, TURN_NS
from twostep.dlx_backend.links import Links
from twostep.dlx_backend.problem import prepare
from twostep.dlx_backend.race import Race, Remembering, Visiting
from twostep.dlx_backend.roles import Roles
from twostep.models.families.registry import named_puzzle
from twostep.models.language.model import Model


def _finished(race: Race) -> int:
    while not race.done:
        race.advance(5000)
    return race.lower


@pytest.mark.parametrize("name", ["pentomino:6x10", "langford:10", "queens:9"])
def test_remembering_spends_its_share_at_most(name: str) -> None:
    race = Race.of(prepare(named_puzzle(name).model))
    assert race.remembering is not None
    while not race.done:
        race.advance(5000)
        most = FREE_NS + MEMORY_SHARE * max(race.surely, race.visiting.cost)
        assert race.remembering.cost <= most + 2 * TURN_NS


def test_nothing_is_laid_out_before_it_may_be_paid_for() -> None:
    problem = prepare(named_puzzle("pentomino:6x10").model)
    first = try_fewest(problem, Roles.of(problem))
    assert first is not None
    race = Race(Visiting(first.again(), 100.0), Remembering(problem, Roles.of(problem), None))
    race.advance(1000)
    assert race.remembering is not None
    assert race.remembering.cost == 0
    assert race.visiting.kernel.nodes == 1000


@given(models())
@settings(deadline=None, max_examples=200)
def test_both_ways_count_what_brute_force_counts(model: Model) -> None:
    problem = prepare(model)
    if not problem.possible or not problem.n_options:
        return
    expected = len(all_solutions(model)) if model.side_condition is None else None
    for surely in (0.0, 1e30):  # visiting first; remembering first
        race = Race(
            Visiting(Links.of(problem)), Remembering(problem, Roles.of(problem), None), surely
        )
        found = _finished(race)
        assert expected is None or found == expected


def test_a_board_without_solutions_is_left_to_remembering() -> None:
    race = Race.of(prepare(named_puzzle("domino:10x10-mutilated").model))
    assert _finished(race) == 0
    assert race.nodes < 100_000


@pytest.mark.parametrize(
    ("name", "expected"),
    [  # matchings of grid graphs: OEIS A028420
        ("domino:2x2:empty=any", 7),
        ("domino:3x3:empty=any", 131),
        ("domino:4x4:empty=any", 10012),
        ("domino:8x8:empty=any", 179788343101980135),
        ("domino:12x12:empty=any", 5270137993816086266962874395450234534887),
    ],
)
def test_boards_whose_cells_may_stay_empty_are_counted_state_by_state(
    name: str, expected: int
) -> None:
    race = Race.of(prepare(named_puzzle(name).model))
    assert _finished(race) == expected
    assert race.nodes < 400_000
