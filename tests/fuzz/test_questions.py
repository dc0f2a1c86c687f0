"""Every question about random puzzles is answered as brute force answers it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from fuzz import questions
from fuzz.questions import QUESTIONS, complaint, draw_case

from twostep.models.language import symmetry
from twostep.models.search import questions as asked

FEW = 560
"""Questions in every run of the tests: forty of each kind."""


@pytest.mark.parametrize("part", range(4))
def test_questions_with_flags_in_combination(part: int) -> None:
    wrong = [said for seed in range(part, FEW, 4) if (said := complaint(seed)) is not None]
    assert not wrong


@pytest.mark.long
def test_ten_minutes_of_questions(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert questions.main(["--seconds", "600", "--first", "1000", "--log", str(log)]) == 0


def test_puzzles_have_none_one_and_several_solutions(tmp_path: Path) -> None:
    cases = [case for seed in range(120) if (case := draw_case(seed, tmp_path)) is not None]
    kinds = Counter(min(len(case.solutions), 2) for case in cases)
    assert min(kinds[0], kinds[1], kinds[2]) >= 5


def test_a_seed_asks_the_same_again(tmp_path: Path) -> None:
    for seed in range(20):
        one, two = draw_case(seed, tmp_path), draw_case(seed, tmp_path)
        assert (one and one.solutions) == (two and two.solutions)


def complaints_of(question: object) -> int:
    """How many of the first seeds of a question are complained of."""
    kind = next(i for i, each in enumerate(QUESTIONS) if each is question)
    return sum(complaint(seed) is not None for seed in range(kind, FEW, len(QUESTIONS)))


def test_a_forgotten_second_solution_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    right = asked.verdict_on

    def wrong(found: asked.Listing) -> asked.Uniqueness:
        return right(asked.Listing(found.solutions[:1], found.result))

    monkeypatch.setattr(asked, "verdict_on", wrong)
    assert complaints_of(questions.ask_unique)


def test_a_symmetry_too_few_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    right = symmetry.stabiliser
    monkeypatch.setattr(symmetry, "stabiliser", lambda model: right(model)[:1])
    assert complaints_of(questions.ask_classes)
