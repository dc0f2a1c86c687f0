"""Every ``PO-*`` and ``CP-07*`` case: boards and pieces that tools got wrong, or known answers."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.cases import FOLDER, case, polyomino_puzzle

from twostep.compare.registry import engine
from twostep.models import InputError, Limits, SearchResult, Solution, StopReason, count, listing
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle

NAMES = sorted(path.stem for pattern in ("PO-*", "CP-07*") for path in FOLDER.glob(pattern))

REFUSED = {"PO-19d-locks-overlap", "PO-19e-lock-of-the-wrong-shape"}
"""Cases that are errors; all others have a count."""

SLOW_FOR_CPSAT = {
    "PO-01b-scott-centre-hole", "PO-02-needs-turning-over", "PO-03-ten-tetrominoes-5x8",
    "PO-03b-one-J-too-many", "PO-03c-two-free-sets-5x8", "PO-10-20x3", "PO-10-4x15",
    "PO-10-5x12", "PO-10-6x10", "PO-12-some-of-twelve-5x6", "PO-19f-6x10-X-locked",
}  # fmt: skip
"""Cases whose enumeration takes CP-SAT more than some seconds."""

NOT_BY_LISTING = {"CP-07-mutilated-10x10", "CP-07-mutilated-12x12"}
"""Cases without a filling but with a great many partial ones, which plain search must visit."""

pytestmark = pytest.mark.skipif(not NAMES, reason="../shared/cases is not there")


def orbits(made: PolyominoPuzzle, solutions: tuple[Solution, ...]) -> int:
    """How many solutions there are up to the model's symmetries."""
    group = made.model.symmetries
    assert group is not None
    return len({min(tuple(sorted(row.tolist())) for row in group[:, list(s)]) for s in solutions})


def check(name: str, backend: str) -> None:
    content = case(name)
    expected = content["expected"]
    made = polyomino_puzzle(content)
    found = listing(engine(backend), made.model)
    assert found.result.complete
    assert len(set(found.solutions)) == len(found.solutions) == expected["count"]
    assert len({made.draw(s) for s in found.solutions}) == expected["count"]
    # One-sided pieces with their mirror partners: turning the board over exchanges the two.
    for key in ("up_to_symmetry", "up_to_rotation_and_flip"):
        if key in expected:
            assert orbits(made, found.solutions) == expected[key]
    if "placements" in expected:
        assert made.model.n_options == expected["placements"]


def slow(names: set[str], without: set[str]) -> list[object]:
    return [
        pytest.param(name, marks=[pytest.mark.long] if name in names else [])
        for name in NAMES
        if name not in without
    ]


@pytest.mark.parametrize("name", slow(set(), REFUSED | NOT_BY_LISTING))
def test_dlx_finds_exactly_the_known_fillings(name: str) -> None:
    check(name, "dlx")


@pytest.mark.parametrize("name", sorted(NOT_BY_LISTING & set(NAMES)))
def test_dlx_counts_what_it_could_not_list(name: str) -> None:
    content = case(name)
    result = count(engine("dlx"), polyomino_puzzle(content).model)
    assert result.complete
    assert result.found == content["expected"]["count"]


@pytest.mark.parametrize("name", slow(SLOW_FOR_CPSAT, REFUSED))
def test_cpsat_finds_exactly_the_known_fillings(name: str) -> None:
    check(name, "cpsat")


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_locks_that_cannot_be_are_refused_with_the_known_words(name: str) -> None:
    content = case(name)
    with pytest.raises(InputError) as caught:
        polyomino_puzzle(content)
    assert content["expected"]["error"] in str(caught.value)


@pytest.mark.parametrize("name", ["PO-03b-one-J-too-many", "PO-04c-T-and-Z-exact"])
def test_areas_that_do_not_fit_are_told_without_a_search(name: str) -> None:
    made = polyomino_puzzle(case(name))
    reason = made.obstacle()
    assert reason is not None
    for number in (word for word in case(name)["expected"]["error"].split() if word.isdigit()):
        assert number in reason


def test_a_search_that_a_limit_stops_is_no_proof() -> None:
    """CP-07: INFEASIBLE, or UNKNOWN at a time limit."""
    made = polyomino_puzzle(case("CP-07-mutilated-12x12"))
    for backend in ("dlx", "cpsat"):
        result: SearchResult = listing(engine(backend), made.model, Limits(seconds=0.3)).result
        assert result.found == 0
        assert result.stopped in (StopReason.TIME, StopReason.EXHAUSTED)


def test_every_case_but_the_refused_has_a_group_of_symmetries_with_the_identity_first() -> None:
    for name in NAMES:
        if name not in REFUSED:
            model = polyomino_puzzle(case(name)).model
            assert model.symmetries is not None
            assert (model.symmetries[0] == np.arange(model.n_options)).all()
