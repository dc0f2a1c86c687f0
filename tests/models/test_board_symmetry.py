"""Boards up to symmetry where pieces may not be turned over, against listing all fillings."""

from __future__ import annotations

import random

import pytest
from helpers.board_classes import classes, random_puzzle
from helpers.cases import case
from helpers.engines import CPSAT, DLX, every_engine

from twostep.models.families.registry import named_puzzle
from twostep.models.language.symmetry import count_classes
from twostep.models.search.engine import Engine

CASES = [
    "T2-15a-one-sided-234-square",
    "T2-15b-one-sided-3x5",
    "T2-15c-a-piece-never-used-changes-the-answer",
]


@pytest.mark.parametrize("name", CASES)
def test_cases(name: str) -> None:
    content = case(name)
    answer = count_classes(DLX, named_puzzle(content["twostep"]).model)
    expected = content["expected"]
    assert (answer.raw.found, answer.different) == (expected["count"], expected["up_to_symmetry"])


@every_engine
def test_small_cases_on_each_engine(engine: Engine) -> None:
    for name, raw, different in (
        ("polyomino:3x5:L4,J4,O4,I3:one-sided", 4, 1),
        ("polyomino:3x4:V3=any,U=any,L4-one-sided=0-0", 4, 2),
        ("polyomino:3x4:V3=any,U=any", 4, 2),
    ):
        answer = count_classes(engine, named_puzzle(name).model)
        assert (answer.raw.found, answer.different) == (raw, different)


def test_random_boards_as_by_listing_all_fillings() -> None:
    rng = random.Random(20)
    exchanged = nontrivial = 0
    for turn in range(300):
        puzzle = random_puzzle(rng)
        expected = classes(puzzle)
        answer = count_classes(DLX, puzzle.model)
        assert (answer.raw.found, answer.different) == expected, (turn, puzzle)
        if turn % 20 == 0:
            assert count_classes(CPSAT, puzzle.model).different == expected[1]
        nontrivial += expected[0] > expected[1]
        exchanged += bool(puzzle.symmetry) and expected[0] > 1
    assert nontrivial > 40
    assert exchanged > 15


def test_a_piece_that_cannot_be_used_changes_nothing() -> None:
    plain = named_puzzle("polyomino:3x4:V3=any,U=any").model
    for more in ("L4-one-sided=0-0", "I5-fixed=0-any", "L4=0-0"):
        model = named_puzzle(f"polyomino:3x4:V3=any,U=any,{more}").model
        assert model.symmetries is not None
        assert plain.symmetries is not None
        assert len(model.symmetries) == len(plain.symmetries)
