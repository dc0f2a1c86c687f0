"""Counts up to symmetry: by fixed points, against canonical forms of all solutions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from helpers.cases import case
from helpers.engines import every_engine
from helpers.oracle import all_solutions
from helpers.strategies import symmetric_models
from hypothesis import given, settings

from twostep.cpsat_backend import CpsatEngine
from twostep.dlx_backend import DlxEngine
from twostep.models.errors import InputError
from twostep.models.families.registry import named_puzzle
from twostep.models.language.builder import ModelBuilder
from twostep.models.language.model import Model, SideCondition
from twostep.models.language.symmetry import count_classes, fixed_model, stabiliser
from twostep.models.search.engine import NO_LIMITS, Engine, Limits, SearchResult, StopReason
from twostep.models.search.questions import listing


@pytest.mark.parametrize(
    ("name", "raw", "different"),
    [
        ("pentomino:3x5:PUV", 4, 1),
        ("pentomino:3x20", 8, 2),
        ("pentomino:4x15", 1472, 368),
        ("pentomino:5x12", 4040, 1010),
        ("pentomino:6x10", 9356, 2339),
        ("pentomino:8x8-center", 520, 65),
    ],
)  # exhaustive counts, known since 1960
def test_pentomino_boards(name: str, raw: int, different: int) -> None:
    answer = count_classes(DlxEngine(), named_puzzle(name).model)
    assert (answer.raw.found, answer.different) == (raw, different)


def _canonical(model: Model) -> int:
    """The number of classes, by the least image of every solution."""
    found: list[tuple[int, ...]] = []
    DlxEngine().search(model, receive=found.append)
    group = stabiliser(model)
    return len({min(tuple(sorted(image)) for image in group[:, list(s)].tolist()) for s in found})


@pytest.mark.parametrize(
    "name",
    [
        "domino:4x4",  # 36 and 9
        "domino:5x6",
        "domino:1x2",
        "polyomino:3x3:I3=3",  # both solutions are symmetric, and images of each other
        "polyomino:4x4:L4=4",
        "polyomino:4x4:L4-one-sided=4",
        "polyomino:4x4:L4-fixed=2,I2=any",
        "polyomino:3x4:I1=any,I2=any,V3=2",
        "polyomino:5x5-center:I2=any,V3=any",
        "pentomino:5x5:some",
        "polyomino:5x5:X5=1,V3=1,I1=17",
        "pentomino:3x5:PUV:empty=0",
    ],
)
def test_boards_as_by_canonical_forms(name: str) -> None:
    model = named_puzzle(name).model
    answer = count_classes(DlxEngine(), model)
    assert answer.different == _canonical(model)


@every_engine
@settings(max_examples=120, derandomize=True, deadline=None)
@given(model=symmetric_models())
def test_random_symmetric_models_as_by_canonical_forms(engine: Engine, model: Model) -> None:
    answer = count_classes(engine, model)
    group = stabiliser(model)
    solutions = all_solutions(model)
    classes = {min(tuple(sorted(image[list(s)].tolist())) for image in group) for s in solutions}
    assert (answer.raw.found, answer.different) == (len(solutions), len(classes))


@every_engine
def test_queens_and_langford_pairs_up_to_symmetry(engine: Engine) -> None:
    queens = [1, 0, 0, 1, 2, 1, 6, 12]  # A002562: n = 1 to 8
    pairs = {3: 1, 4: 1, 7: 26}  # A014552
    for n, different in enumerate(queens, 1):
        answer = count_classes(engine, named_puzzle(f"queens:{n}").model)
        assert (answer.different, answer.symmetries) == (different, 1 if n == 1 else 8)
    for n, different in pairs.items():
        answer = count_classes(engine, named_puzzle(f"langford:{n}").model)
        assert (answer.raw.found, answer.different) == (2 * different, different)


@pytest.mark.parametrize(
    "name",
    ["queens:0", "queens:5", "queens:6", "langford:1", "langford:7",
     "starbattle:AABB/AABB/CCDD/CCDD", "macmahon:2x3:2", "edges:2x2:aabb,abba,abab,aaaa",
     "edges:2x2:abcd,bcda,cbad,dcba:fixed", "edges:2x2:aabb,aabb,abab,aaab:a",
     "edges:2x2:abab,abab,abab,abab", "edges:2x3:aaaa,aaab,aabb,abab,abbb,bbbb:r0c0=aaab",
     "starbattle:AAAAA/BBBBB/CCCCC/DDDDD/EEEEE", "starbattle:AAB/ACB/CCB"],
)  # fmt: skip
def test_symmetries_of_classics_map_solutions_to_solutions(name: str) -> None:
    model = named_puzzle(name).model
    found = set(listing(DlxEngine(), model).solutions)
    assert model.symmetries is not None
    for image in model.symmetries:
        assert {tuple(sorted(image[list(each)].tolist())) for each in found} == found


def test_a_square_of_dominoes_has_eight_symmetries() -> None:
    model = named_puzzle("domino:6x6").model
    answer = count_classes(DlxEngine(), model)
    assert (answer.raw.found, answer.symmetries) == (6728, 8)
    assert answer.different == _canonical(model)


def test_a_locked_piece_keeps_only_the_symmetries_that_keep_it() -> None:
    model = named_puzzle("pentomino:3x20").model
    locked = model.with_chosen([an_option_of_a_solution(model)])
    answer = count_classes(DlxEngine(), locked)
    assert answer.symmetries == len(stabiliser(locked)) < 4
    assert answer.different == _canonical(locked)


def an_option_of_a_solution(model: Model) -> int:
    """An option of the first solution."""
    found: list[tuple[int, ...]] = []
    DlxEngine().search(model, Limits(solutions=1), receive=found.append)
    return found[0][0]


def test_the_other_engine_agrees() -> None:
    model = named_puzzle("pentomino:3x5:PUV").model
    assert count_classes(CpsatEngine(), model).different == 1


def test_the_fixed_solutions_are_the_fixed_solutions() -> None:
    model = named_puzzle("domino:4x4").model
    assert model.symmetries is not None
    for image in model.symmetries:
        fixed = fixed_model(model, image)
        assert fixed is not None
        by_hand = {s for s in all_solutions_of(model) if tuple(sorted(image[list(s)])) == s}
        found: list[tuple[int, ...]] = []
        DlxEngine().search(fixed, receive=found.append)
        spelled = {
            tuple(sorted(option for orbit in s for option in fixed.labels[orbit])) for s in found
        }
        assert spelled == by_hand


def test_a_locked_pair_is_fixed_only_where_its_image_is_chosen_too() -> None:
    swap = np.array([2, 3, 0, 1])
    for chosen, expected in (({0}, {(0, 2)}), ({0, 2}, {(0, 2)}), ({0, 3}, set())):
        model = _swap(chosen=chosen)
        fixed = fixed_model(model, swap)
        assert fixed is not None
        spelled = {
            tuple(sorted(option for orbit in s for option in fixed.labels[orbit]))
            for s in all_solutions_of(fixed)
        }
        assert spelled == expected, chosen


def all_solutions_of(model: Model) -> set[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    DlxEngine().search(model, receive=found.append)
    return set(found)


def _swap(**more: object) -> Model:
    """Two items, two options each; the symmetry swaps everything."""
    builder = ModelBuilder("swap", symmetries=np.array([[0, 1, 2, 3], [2, 3, 0, 1]]), **more)  # type: ignore[arg-type]
    for name in ("a", "b"):
        builder.item(name)
        builder.option([name])
        builder.option([name])
    return builder.build()


def test_a_side_condition_is_counted_by_listing() -> None:
    condition = SideCondition("not both the first or both the second", lambda s: s[1] != s[0] + 2)
    model = _swap(side_condition=condition)
    assert all_solutions(model) == {(0, 3), (1, 2)}  # the image of each is the other
    answer = count_classes(DlxEngine(), model)
    assert (answer.raw.found, answer.different) == (2, 1)
    plain = count_classes(DlxEngine(), _swap())
    assert (plain.raw.found, plain.different) == (4, 3)


def test_a_stopped_count_claims_no_number_of_classes() -> None:
    answer = count_classes(DlxEngine(), named_puzzle("pentomino:6x10").model, Limits(nodes=100))
    assert answer.different is None
    assert not answer.raw.complete


def test_the_watcher_ends_a_listing() -> None:
    condition = SideCondition("any", lambda _solution: True)
    model = replace(named_puzzle("domino:8x8").model, side_condition=condition)
    answer = count_classes(DlxEngine(), model, watch=lambda _now: True)
    assert (answer.raw.stopped, answer.different) == (StopReason.CANCELLED, None)


def test_a_time_limit_holds_for_all_counts_together() -> None:
    left: list[float | None] = []

    class Timed(CpsatEngine):
        def search(self, model: Model, limits: Limits = NO_LIMITS, **more: Any) -> SearchResult:
            left.append(limits.seconds)
            return super().search(model, limits, **more)

    answer = count_classes(Timed(), _swap(), Limits(seconds=1000))
    assert answer.different == 3
    assert left[0] == 1000
    assert left[1] is not None
    assert 0 < left[1] < 1000


def test_a_model_without_known_symmetries_is_refused() -> None:
    builder = ModelBuilder("bare")
    builder.item("a")
    builder.option(["a"])
    with pytest.raises(InputError, match="no symmetries are known"):
        count_classes(DlxEngine(), builder.build())


@every_engine
def test_macmahons_squares_up_to_symmetry(engine: Engine) -> None:
    names = ["macmahon:2x3:2", "edges:2x2:aabb,abba,abab,aaaa", "edges:2x2:abab,abab,abab,abab"]
    for name in names:
        model = named_puzzle(name).model
        assert count_classes(engine, model).different == _canonical(model), name


def test_macmahons_24_squares_up_to_symmetry() -> None:
    content = case("T2-14-macmahon-4x6-up-to-symmetry")["expected"]
    puzzle = named_puzzle("macmahon:4x6:3:a")
    answer = count_classes(DlxEngine(), puzzle.model)
    assert (answer.raw.found, answer.different) == (content["count"], content["up_to_symmetry"])
    assert puzzle.symmetry == ": 4 of the board, 2 of the colours"
