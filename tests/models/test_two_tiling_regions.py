"""Verdicts and smallest regions of two tiles, against brute force and the contest's answers.

Numbers without another source are exhaustive counts.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import lcm

import pytest
from helpers.cases import case
from helpers.engines import CPSAT, DLX, every_engine
from helpers.tilings import check_region, data, smallest_on_dlx, tilings

from twostep.models.families.polyomino.pieces import Shape, normalised, regions, representative
from twostep.models.families.two_tiling.check import parse_output
from twostep.models.families.two_tiling.contest import parse_cases
from twostep.models.families.two_tiling.cover import Pair, cover, region_of
from twostep.models.families.two_tiling.family import parse_pair
from twostep.models.families.two_tiling.regions import (
    Answer,
    Verdict,
    common_region,
    smallest_region,
)
from twostep.models.families.two_tiling.tiles import (
    Tile,
    all_pairs,
    all_tiles,
    parse_tile,
    tile_from_rows,
)
from twostep.models.search import questions
from twostep.models.search.engine import Engine, Limits, StopReason


def smallest_by_force(first: Tile, second: Tile, side: int) -> int:
    common = tilings(first.shape, side).keys() & tilings(second.shape, side).keys()
    return min((mask.bit_count() for mask in common if mask), default=0)


def test_the_brute_force_counts_the_36_domino_tilings_of_4x4() -> None:
    assert tilings(((0, 0), (0, 1)), 4)[(1 << 16) - 1] == 36


# --- verdicts -------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def regions_on_dlx(side: int) -> dict[Pair, Answer]:
    pairs = [Pair(first, second, side, side) for first, second in all_pairs()]
    return {pair: common_region(DLX, pair) for pair in pairs}


@pytest.mark.parametrize(("side", "possible"), [(3, 53), (4, 95)])
def test_small_boards_agree_with_brute_force_pair_by_pair(side: int, possible: int) -> None:
    found = 0
    for first, second in all_pairs():
        pair = Pair(first, second, side, side)
        answer = smallest_region(DLX, pair)
        assert answer.area == smallest_by_force(first, second, side), (first.name, second.name)
        assert answer.verdict is (Verdict.POSSIBLE if answer.area else Verdict.IMPOSSIBLE)
        if answer.region is not None:
            check_region(pair, answer.region)
        found += answer.verdict is Verdict.POSSIBLE
    assert found == possible  # exhaustive count


@pytest.mark.parametrize(
    ("side", "possible"),
    [
        (5, 147),
        *(pytest.param(*known, marks=pytest.mark.long) for known in ((6, 233), (7, 280), (9, 351))),
        (8, 318),
    ],
)
def test_as_many_pairs_are_possible_as_known(side: int, possible: int) -> None:
    answers = regions_on_dlx(side)
    for pair, answer in answers.items():
        assert answer.verdict is not Verdict.UNKNOWN
        if answer.region is not None:
            check_region(pair, answer.region)
    found = sum(answer.region is not None for answer in answers.values())
    assert found == possible  # exhaustive count


def official_verdicts() -> dict[int, Verdict]:
    outputs = parse_output(data("official_answers.txt").read_text())
    return {output.number: output.verdict for output in outputs}


def test_every_verdict_is_the_official_one() -> None:
    official = official_verdicts()
    assert Counter(official.values()) == {Verdict.POSSIBLE: 318, Verdict.IMPOSSIBLE: 277}
    answers = {
        frozenset((pair.first, pair.second)): answer for pair, answer in regions_on_dlx(8).items()
    }
    for each in parse_cases(data("input.txt").read_text()):
        assert answers[frozenset((each.first, each.second))].verdict is official[each.number]


@pytest.mark.parametrize(
    "part", [range(0, 595, 40), pytest.param(range(595), marks=pytest.mark.long)]
)
def test_cpsat_gives_the_official_verdicts(part: range) -> None:
    official = official_verdicts()
    official_cases = parse_cases(data("input.txt").read_text())
    for index in part:
        each = official_cases[index]
        pair = Pair(each.first, each.second)
        answer = common_region(CPSAT, pair)
        assert answer.verdict is official[each.number]
        if answer.region is not None:
            check_region(pair, answer.region)


# --- the smallest region --------------------------------------------------------------------------

# Proven by exhaustive search elsewhere; 0: impossible on 8x8.
NAMED = (
    "L4-O4 8, L4-S4 8, L4-T4 8, L4-F5 20, L4-X5 0, O4-S4 16, O4-T4 16, O4-P5 20, O4-V5 20,"
    " O4-Z5 20, O4-A9 36, S4-T5 0, S4-X5 0, T4-U5 40, T4-X5 20, I3-X5 0, I3-F5 30, F5-P5 10,"
    " F5-U5 20, P5-X5 20, V5-W5 30, U5-X5 0, V5-X5 0, T5-W5 0, W5-X5 0, X5-Z5 0"
)
DISTRIBUTION = {
    2: 1, 3: 2, 4: 7, 5: 8, 6: 20, 7: 7, 8: 11, 9: 2, 10: 21, 12: 43, 14: 12, 15: 10, 16: 8,
    18: 5, 20: 29, 21: 9, 24: 40, 28: 15, 30: 30, 32: 2, 35: 15, 36: 1, 40: 6, 42: 13, 48: 1,
}  # fmt: skip
"""Smallest area -> number of the 318 pairs."""


def area_of_code() -> dict[tuple[int, int], int]:
    lines = data("smallest_area.tsv").read_text().splitlines()[1:]
    fields = [list(map(int, line.split("\t"))) for line in lines]
    return {(min(f[0], f[1]), max(f[0], f[1])): f[5] for f in fields}


def test_the_smallest_regions_have_the_known_distribution() -> None:
    spread = Counter(answer.area for answer in smallest_on_dlx().values())
    assert spread.pop(0) == 277
    assert spread == DISTRIBUTION


@pytest.mark.parametrize("known", NAMED.split(", "))
def test_named_pairs_have_their_smallest_area(known: str) -> None:
    names, area = known.split(" ")
    first, second = (parse_tile(name) for name in names.split("-"))
    answers = smallest_on_dlx()
    key = (first.code, second.code)
    assert answers[key if key in answers else key[::-1]].area == int(area)


def test_all_smallest_areas_are_those_of_the_table() -> None:
    known = area_of_code()
    assert len(known) == 595
    for (one, other), answer in smallest_on_dlx().items():
        assert answer.area == known[min(one, other), max(one, other)]


def test_a_smallest_region_is_connected_and_proven_search_by_search() -> None:
    for (first, second), answer in zip(all_pairs(), smallest_on_dlx().values(), strict=True):
        assert answer.verdict is not Verdict.UNKNOWN
        if answer.region is None:
            assert answer.results[-1].complete
            continue
        assert len(regions(answer.region.cells)) == 1
        check_region(Pair(first, second), answer.region)
        assert answer.least == answer.area
        refuted = [result for result in answer.results if result.found == 0]
        step = lcm(first.size, second.size)
        assert all(result.complete for result in refuted)
        # One exhausted search for every smaller multiple of the step.
        assert len(refuted) == answer.area // step - 1


@pytest.mark.parametrize(
    "part", [range(0, 595, 40), pytest.param(range(595), marks=pytest.mark.long)]
)
def test_cpsat_finds_the_same_smallest_areas(part: range) -> None:
    known = area_of_code()
    for index in part:
        first, second = all_pairs()[index]
        answer = smallest_region(CPSAT, Pair(first, second))
        one, other = sorted((first.code, second.code))
        assert answer.area == known[one, other]
        if answer.region is not None:
            check_region(Pair(first, second), answer.region)


def test_the_largest_smallest_region_has_48_cells() -> None:
    answer = smallest_region(DLX, parse_pair("###/#.#/#..,###/###/##."))
    assert answer.area == 48


@pytest.mark.parametrize(
    "name",
    [
        "CT-01-domino-and-X", "CT-02-domino-and-I3", "CT-03-I3-and-V3", "CT-04-T-and-I",
        "CT-05-T-and-square",
    ],
)  # fmt: skip
def test_the_known_smallest_regions_up_to_symmetry(name: str) -> None:
    content = case(name)
    expected = content["expected"]
    pair = Pair(tile_from_rows(content["tile_a"]), tile_from_rows(content["tile_b"]))
    answer = smallest_region(DLX, pair)
    assert answer.area == expected["smallest_area"]
    model = cover(pair, answer.area)
    shapes: set[Shape] = set()
    result = questions.solutions(
        DLX,
        model,
        receive=lambda s: shapes.add(representative(normalised(region_of(model, s).cells))),
    )
    assert result.complete
    assert len(shapes) == expected["shapes_of_that_area"]
    if "example" in expected:
        assert tile_from_rows(expected["example"]).shape in shapes
    if "area_10" in expected:
        assert questions.count(DLX, cover(pair, 10)).found == expected["area_10"]


@every_engine
def test_of_two_equal_tiles_the_region_is_one_tile(engine: Engine) -> None:
    for tile in all_tiles():
        answer = common_region(engine, Pair(tile, tile))
        assert answer.region is not None
        assert answer.region.first == answer.region.second
        assert len(answer.region.first) == 1


def test_an_engine_without_luck_still_tries_smaller_areas_in_order() -> None:
    pair = parse_pair("L4,S4")
    answers = [
        smallest_region(each, pair, seed=seed) for each in (DLX, CPSAT) for seed in (0, 1, 2)
    ]
    assert {answer.area for answer in answers} == {8}


# --- limits ---------------------------------------------------------------------------------------


@every_engine
def test_a_search_cut_short_is_unknown_and_never_impossible(engine: Engine) -> None:
    pair = parse_pair("A7,C6")  # impossible
    for limits in (Limits(nodes=0), Limits(nodes=10), Limits(seconds=0.0)):
        for ask in (common_region, smallest_region):
            answer = ask(engine, pair, limits)
            assert answer.verdict is Verdict.UNKNOWN
            assert answer.stopped in (StopReason.NODES, StopReason.TIME)


def test_limits_hold_for_all_searches_of_a_smallest_region_together() -> None:
    pair = parse_pair("V5,W5")
    whole = smallest_region(DLX, pair)
    nodes = [result.counters.nodes for result in whole.results]
    assert len(nodes) > 2
    for limit in range(0, sum(nodes), max(1, sum(nodes) // 40)):
        answer = smallest_region(DLX, pair, Limits(nodes=limit))
        assert sum(result.counters.nodes for result in answer.results) <= limit
        assert answer.verdict is Verdict.UNKNOWN
        # What is known is true all the same.
        assert answer.least <= whole.area
        assert answer.region is None or answer.area >= whole.area


# --- large boards, bounds, and all smallest regions -----------------------------------------------


@pytest.mark.parametrize("tiles", ["U5,L4", "S4,O4", "L4,F5"])
def test_the_smallest_region_of_a_large_board_is_that_of_the_contests(tiles: str) -> None:
    large = smallest_region(DLX, parse_pair(tiles, 20, 20), Limits(nodes=2_000_000))
    assert (large.verdict, large.area) == (
        Verdict.POSSIBLE,
        smallest_region(DLX, parse_pair(tiles)).area,
    )


def test_a_region_larger_than_the_contests_board_is_found_on_a_larger_one() -> None:
    answer = common_region(DLX, parse_pair("P5,F7", 10, 10))
    assert (answer.verdict, answer.area) == (Verdict.POSSIBLE, 70)
    assert [result.found for result in answer.results] == [0, 1]


def canonical_masks(tiles: str, side: int) -> set[Shape]:
    """All smallest regions of a board, by unions of placements, one for all copies."""
    first, second = (parse_tile(name) for name in tiles.split(","))
    common = tilings(first.shape, side).keys() & tilings(second.shape, side).keys()
    least = min(mask.bit_count() for mask in common if mask)
    return {
        representative(normalised([divmod(i, side) for i in range(side * side) if mask >> i & 1]))
        for mask in common
        if mask.bit_count() == least
    }


@every_engine
@pytest.mark.parametrize("tiles", ["L4,O4", "L4,S4", "I2,V3", "I3,V3", "O4,T4", "I1,Z5", "L4,L4"])
def test_all_smallest_regions_are_those_of_brute_force(engine: Engine, tiles: str) -> None:
    answer = smallest_region(engine, parse_pair(tiles, 4, 4), every=True)
    assert answer.region is not None
    found = [answer.region, *answer.others]
    for region in found:
        check_region(parse_pair(tiles, 4, 4), region)
    forms = {representative(normalised(region.cells)) for region in found}
    assert len(forms) == len(found)
    assert forms == canonical_masks(tiles, 4)


def test_a_search_for_all_that_is_cut_short_is_unknown_and_keeps_what_it_found() -> None:
    answer = smallest_region(DLX, parse_pair("L4,F5"), Limits(nodes=100_000), every=True)
    assert answer.verdict is Verdict.UNKNOWN
    assert answer.area == 20
    assert answer.stopped is StopReason.NODES


@pytest.mark.parametrize(("most", "area"), [(3, 0), (19, 0), (20, 20), (64, 20), (10_000, 20)])
def test_a_bound_on_the_area_gives_the_smallest_or_the_proof_that_none_is_that_small(
    most: int, area: int
) -> None:
    answer = smallest_region(DLX, parse_pair("U5,L4"), most=most)
    assert answer.area == area
    assert answer.verdict is (Verdict.POSSIBLE if area else Verdict.IMPOSSIBLE)
    assert answer.results
