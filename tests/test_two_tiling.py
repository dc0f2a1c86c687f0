"""Two tiles, one region: tiles, model, verdicts, smallest regions, formats, checker, command.

Known numbers are those of the contest's official answers and of exhaustive counts; the brute
force here unites placements and knows nothing of exact cover.
"""

from __future__ import annotations

import io
import itertools
import json
import random
from collections import Counter
from functools import cache, lru_cache
from math import lcm
from pathlib import Path

import pytest
from cases import case
from PIL import Image

from twostep.compare import pool, registry
from twostep.compare.command import run
from twostep.compare.command.exits import Exit
from twostep.compare.registry import engine
from twostep.compare.two_tiling import Question, Report, reports
from twostep.models import questions
from twostep.models.errors import InputError, TwostepError
from twostep.models.families import named_puzzle
from twostep.models.model import Model
from twostep.models.polyomino.pieces import (
    Cell,
    Shape,
    neighbours,
    normalised,
    regions,
    representative,
)
from twostep.models.search import (
    Counters,
    Limits,
    SearchResult,
    StopReason,
)
from twostep.models.two_tiling import picture
from twostep.models.two_tiling.check import different_verdicts, faults, parse_output
from twostep.models.two_tiling.contest import (
    LABELS,
    Case,
    all_cases,
    format_answer,
    format_cases,
    grid,
    grids,
    parse_cases,
)
from twostep.models.two_tiling.cover import Pair, Region, cover, region_of
from twostep.models.two_tiling.family import parse_pair
from twostep.models.two_tiling.regions import Answer, Verdict, common_region, smallest_region
from twostep.models.two_tiling.table import AreaTable
from twostep.models.two_tiling.tiles import Tile, all_pairs, all_tiles, parse_tile, tile_from_rows

DLX = engine("dlx")
CPSAT = engine("cpsat")
DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "two_tiling"

Mask = int


def data(name: str) -> Path:
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{path} is not there: it comes with the project's data, not with the code")
    return path


# --- brute force: all unions of placements, as bit masks ------------------------------------------


def placements(shape: Shape, side: int) -> list[Mask]:
    """Every way to lay a shape on the board, turned and mirrored by hand, as bit masks."""
    images = set()
    for turns, mirrored in itertools.product(range(4), (False, True)):
        cells = [(r, -c) if mirrored else (r, c) for r, c in shape]
        for _ in range(turns):
            cells = [(c, -r) for r, c in cells]
        images.add(normalised(cells))
    masks = []
    for image in images:
        for down, right in itertools.product(range(side), repeat=2):
            moved = [(r + down, c + right) for r, c in image]
            if all(r < side and c < side for r, c in moved):
                masks.append(sum(1 << (r * side + c) for r, c in moved))
    return masks


@cache
def tilings(shape: Shape, side: int) -> dict[Mask, int]:
    """Each set of cells that copies of the shape tile, with its number of tilings."""
    by_lowest: dict[int, list[Mask]] = {}
    for mask in placements(shape, side):
        by_lowest.setdefault((mask & -mask).bit_length() - 1, []).append(mask)
    # In the order of each tile's lowest cell, so that every tiling is built once.
    ways = {0: 1}
    for lowest in range(side * side):
        for united, number in list(ways.items()):
            if not united >> lowest & 1:
                for mask in by_lowest.get(lowest, []):
                    if not united & mask:
                        ways[united | mask] = ways.get(united | mask, 0) + number
    return ways


def smallest_by_force(first: Tile, second: Tile, side: int) -> int:
    common = tilings(first.shape, side).keys() & tilings(second.shape, side).keys()
    return min((mask.bit_count() for mask in common if mask), default=0)


def touches_the_top(mask: Mask, side: int) -> bool:
    return bool(mask & ((1 << side) - 1))


def test_the_brute_force_counts_the_36_domino_tilings_of_4x4() -> None:
    assert tilings(((0, 0), (0, 1)), 4)[(1 << 16) - 1] == 36


# --- tiles ----------------------------------------------------------------------------------------


def test_there_are_35_tiles_of_these_sizes() -> None:
    sizes = Counter(tile.size for tile in all_tiles())
    assert [sizes[size] for size in range(1, 10)] == [1, 1, 2, 4, 8, 8, 7, 3, 1]
    assert len({tile.shape for tile in all_tiles()}) == len({t.name for t in all_tiles()}) == 35
    assert len(all_pairs()) == 595


def test_the_tiles_and_pairs_are_the_official_ones() -> None:
    official = parse_cases(data("input.txt").read_text())
    assert [each.number for each in official] == list(range(1, 596))
    assert {frozenset((each.first, each.second)) for each in official} == {
        frozenset(pair) for pair in all_pairs()
    }


def test_codes_are_those_of_the_table_of_smallest_areas() -> None:
    lines = data("smallest_area.tsv").read_text().splitlines()[1:]
    codes = {int(code) for line in lines for code in line.split("\t")[:2]}
    assert codes == {tile.code for tile in all_tiles()}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("U5", "U5"), ("u5", "U5"), ("U", "U5"), ("#.#/###", "U5"), ("##/#./##", "U5"),
        ("###/#.#/###", "C8"), ("#", "I1"), ("I4", "I4"), ("####", "I4"), ("J4", "L4"),
        ("##.#/####", "####/##.#"),
    ],
)  # fmt: skip
def test_a_tile_is_named_or_drawn(text: str, name: str) -> None:
    assert parse_tile(text).name == name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an empty tile: expected a name such as U5"),
        ("Q5", "unknown tile 'Q5'; of 5 cells there are P5, U5"),
        ("nonsense", "expected a letter and a size such as U5"),
        ("#.#", "in 2 parts"),
        ("##/#", "1 characters, the rows above have 2"),
        ("...", "has no cells"),
        ("#?", "unknown character '?'"),
    ],
)
def test_a_bad_tile_is_one_clear_line(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_tile(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


# --- the model ------------------------------------------------------------------------------------

SMALL_PAIRS = ["I1,I2", "I2,V3", "I2,L4", "I3,V3", "L4,S4", "V3,P5", "O4,T4", "I2,C8", "U5,F7"]


def count_on(model: Model) -> set[int]:
    found = []
    for each in (DLX, CPSAT):
        result = questions.count(each, model)
        assert result.complete
        found.append(result.found)
    return set(found)


@pytest.mark.parametrize("names", SMALL_PAIRS)
def test_solutions_are_the_regions_at_the_top_times_both_tilings(names: str) -> None:
    pair = parse_pair(names, 3, 3)
    one, other = (tilings(tile.shape, 3) for _, tile in pair.sides)
    top = [mask for mask in one.keys() & other.keys() if touches_the_top(mask, 3)]
    assert count_on(cover(pair)) == {sum(one[mask] * other[mask] for mask in top)}


@pytest.mark.parametrize("names", SMALL_PAIRS)
def test_an_area_keeps_just_the_regions_of_that_area(names: str) -> None:
    pair = parse_pair(names, 3, 3)
    one, other = (tilings(tile.shape, 3) for _, tile in pair.sides)
    for area in pair.areas:
        expected = sum(
            one[mask] * other[mask]
            for mask in one.keys() & other.keys()
            if touches_the_top(mask, 3) and mask.bit_count() == area
        )
        assert count_on(cover(pair, area)) == {expected}


@pytest.mark.parametrize("names", SMALL_PAIRS)
def test_half_the_model_keeps_one_of_each_region_and_its_mirror_image(names: str) -> None:
    pair = parse_pair(names, 4, 4)
    seen: dict[bool, set[Shape]] = {}
    for half in (False, True):
        model = cover(pair, pair.step if pair.areas else None, half=half)
        found = questions.listing(DLX, model)
        assert found.result.complete
        cells = [region_of(model, solution).cells for solution in found.solutions]
        seen[half] = {min(row(each, False), row(each, True)) for each in cells}
        if half:
            for each in cells:
                top = [column for r, column in each if r == 0]
                assert min(top) <= 3 - max(top)
    assert seen[True] == seen[False]


def row(cells: tuple[Cell, ...], mirrored: bool) -> Shape:
    """A region, mirrored or not, where it lies on a board of four columns."""
    return tuple(sorted((r, 3 - c if mirrored else c) for r, c in cells))


def test_a_solution_costs_the_cells_of_its_region() -> None:
    model = cover(parse_pair("L4,P5", 5, 5))
    found = questions.best(DLX, model)
    assert found.result.complete
    region = region_of(model, found.solutions[0])
    assert model.cost(found.solutions[0]) == region.area == 20


def test_the_suggested_order_is_row_by_row_both_sides_side_by_side() -> None:
    model = cover(parse_pair("I2,I3", 2, 2), area=None)
    assert model.order is not None
    assert [model.items[item] for item in model.order] == [
        "first", "A0,0", "B0,0", "A0,1", "B0,1", "A1,0", "B1,0", "A1,1", "B1,1",
    ]  # fmt: skip


def test_an_area_that_cannot_be_is_refused() -> None:
    with pytest.raises(InputError, match="multiple of 20"):
        cover(parse_pair("L4,U5"), 24)


@pytest.mark.parametrize("side", [0, 17])
def test_a_board_of_no_size_or_too_large_is_refused(side: int) -> None:
    with pytest.raises(InputError, match="1 to 16"):
        parse_pair("L4,U5", side, side)


# --- verdicts -------------------------------------------------------------------------------------


def check_region(pair: Pair, region: Region) -> None:
    """The region passes the checker, as its user would see it."""
    text = format_answer(1, Verdict.POSSIBLE, region, pair.rows, pair.columns)
    outputs = parse_output(text, rows=pair.rows, columns=pair.columns)
    assert faults([Case(1, pair.first, pair.second)], outputs) == []


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
    [(5, 147), (6, 233), (7, 280), pytest.param(9, 351, marks=pytest.mark.long), (8, 318)],
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


@lru_cache(maxsize=1)
def smallest_on_dlx() -> dict[tuple[int, int], Answer]:
    return {
        (first.code, second.code): smallest_region(DLX, Pair(first, second))
        for first, second in all_pairs()
    }


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


@pytest.mark.parametrize("each", [DLX, CPSAT], ids=lambda e: e.name)
def test_of_two_equal_tiles_the_region_is_one_tile(each) -> None:  # type: ignore[no-untyped-def]
    for tile in all_tiles():
        answer = common_region(each, Pair(tile, tile))
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


@pytest.mark.parametrize("each", [DLX, CPSAT], ids=lambda e: e.name)
def test_a_search_cut_short_is_unknown_and_never_impossible(each) -> None:  # type: ignore[no-untyped-def]
    pair = parse_pair("A7,C6")  # impossible
    for limits in (Limits(nodes=0), Limits(nodes=10), Limits(seconds=0.0)):
        for ask in (common_region, smallest_region):
            answer = ask(each, pair, limits)
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


# --- the contest's formats ------------------------------------------------------------------------


def test_cases_are_read_back_as_written() -> None:
    assert parse_cases(format_cases(all_cases())) == all_cases()


def test_a_tile_may_sit_anywhere_in_its_frame() -> None:
    text = "2\n... ...\n... ..@\n@@. ..@\n\n@.. @@.\n@.. ...\n... ...\n"
    assert [(c.first.name, c.second.name) for c in parse_cases(text)] == [("I2", "I2")] * 2


GOOD = "2\n@@. @..\n... @@.\n... ...\n\n@@@ .@.\n... @@@\n... .@.\n\n"


def edited(line: int, text: str) -> str:
    lines = GOOD.split("\n")
    lines[line - 1] = text
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", 1, "before case 1: expected the number of cases, got ''"),
        (edited(1, "two"), 1, "before case 1: expected the number of cases, got 'two'"),
        (edited(1, "-1"), 1, "expected the number of cases"),
        (edited(1, "0"), 1, "expected the number of cases"),
        (edited(1, "9" * 5000), 1, "expected the number of cases"),
        (edited(1, "3"), 8, "case 3: the file ends before it is whole; the first line says 3"),
        (edited(1, "1"), 6, "case 2: more than the 1 case that the first line says"),
        (GOOD + "\n\nmore\n", 12, "case 3: more than the 2 cases"),
        (edited(3, "... @@"), 3, "case 1: row 2: expected 'xxx yyy'"),
        (edited(3, "... @@.."), 3, "case 1: row 2: expected 'xxx yyy'"),
        (edited(7, "... @#@"), 7, "case 2: row 2: expected 'xxx yyy'"),
        (edited(7, "....@@@"), 7, "case 2: row 2: expected 'xxx yyy'"),
        (edited(6, "... .@."), 6, "case 2: the first tile is empty"),
        (edited(6, "@.@ .@."), 6, "case 2: the first tile is in 2 parts"),
        (edited(6, "... @.@"), 6, "case 2: the first tile is empty"),
        (edited(7, "... ...").replace(".@.\n", "@.@\n"), 6, "the second tile is in 4 parts"),
        (GOOD.replace("\n\n", "\n", 1), 5, "case 1: expected an empty line behind the tiles"),
        (GOOD.replace("\n", "\r\n"), 1, "case 1: the line ends with CR LF, expected LF alone"),
        (edited(7, "... @@@\r"), 7, "case 2: the line ends with CR LF, expected LF alone"),
        (edited(5, "\r"), 5, "case 1: the line ends with CR LF, expected LF alone"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_with_the_case_number(text: str, place: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_cases(text, "in.txt")
    assert str(caught.value).startswith(f"in.txt:{place}:")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_last_empty_line_may_be_missing() -> None:
    assert len(parse_cases(GOOD.rstrip("\n"))) == 2


def test_random_damage_is_refused_or_read_but_never_a_crash() -> None:
    rng = random.Random(7)
    for _ in range(2000):
        text = list(GOOD)
        for _ in range(rng.randint(1, 3)):
            text[rng.randrange(len(text))] = rng.choice(["@", ".", " ", "\n", "", "x", "\r", "é"])
        try:
            outcome = f"{len(parse_cases(''.join(text)))} cases"
        except InputError as error:
            outcome = str(error)
        assert "case" in outcome


def test_every_tile_has_its_own_label_even_where_the_contests_run_out() -> None:
    cells = [((row, column),) for row in range(16) for column in range(16)]
    rows = grid(cells, 16, 16)
    assert len(set("".join(rows))) == 256
    assert "".join(rows)[:64] == LABELS


# --- the checker ----------------------------------------------------------------------------------

PAIR = [Case(1, parse_tile("L4"), parse_tile("O4"))]
RIGHT = "Case #1: POSSIBLE\naaab abbc\nabbb abbc\n.... ....\n.... ....\n"
"""Right in form only: two L tiles; and three columns that are no squares."""

VALID = "Case #1: POSSIBLE\naaab aabb\nabbb aabb\n.... ....\n.... ....\n"


def check4(text: str, cases: list[Case] = PAIR) -> list[str]:
    return [str(fault) for fault in faults(cases, parse_output(text, rows=4, columns=4))]


def test_a_valid_answer_has_no_fault() -> None:
    assert check4(VALID) == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (RIGHT, "case 1: right grid: row 1, column 1: the 2 cells 'a' are not the tile O4"),
        (VALID.replace("aaab", "aaaa"), "left grid: row 1, column 1: the 5 cells 'a'"),
        (VALID.replace("abbb aabb", "abbb aaab"), "right grid: row 1, column 1: the 5 cells 'a'"),
        (VALID.replace("aabb", "aaaa"), "right grid: row 1, column 1: the 8 cells 'a'"),
        (VALID.replace("b", "*"), "left grid: row 1, column 4: '*' is no label"),
        (
            "Case #1: POSSIBLE\naaab .aa.\nabbb .aa.\n.... ....\n.... ....\n",
            "row 1, column 1 is covered in the left grid only",
        ),
        (
            "Case #1: POSSIBLE\n.... .aa.\n.... .aa.\n.... ....\n.... ....\n",
            "row 1, column 2 is covered in the right grid only",
        ),
        (
            "Case #1: POSSIBLE\n.... ....\n.... ....\n.... ....\n.... ....\n",
            "the region is empty",
        ),
        ("Case #1: UNKNOWN\n", "not answered"),
        (
            VALID + "Case #2: IMPOSSIBLE\n",
            "case 2: the input ends with case 1",
        ),
        ("\n", "case 1: no answer"),
    ],
)
def test_the_checker_says_what_is_wrong(text: str, reason: str) -> None:
    (fault,) = check4(text)
    assert reason in fault


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("Case #2: POSSIBLE\n", 1, "case 1: expected 'Case #1: POSSIBLE'"),
        ("Case #1: possible\n", 1, "case 1: expected 'Case #1: POSSIBLE'"),
        ("Case #1: IMPOSSIBLE\r\n", 1, "case 1: expected 'Case #1: POSSIBLE'"),
        ("Case #1: POSSIBLE\naaab aab\n", 2, "case 1, row 1: expected two rows of 4"),
        ("Case #1: POSSIBLE\naaab.aabb\n", 2, "case 1, row 1: expected two rows of 4"),
        ("Case #1: POSSIBLE\naaab aabb\n", 2, "case 1: the file ends after 1 of 4 rows"),
        (VALID + "....\n", 6, "case 2: expected 'Case #2: POSSIBLE'"),
    ],
)
def test_an_output_of_another_form_is_refused(text: str, line: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_output(text, "out.txt", 4, 4)
    assert str(caught.value).startswith(f"out.txt:{line}:")
    assert message in str(caught.value)


def test_the_official_answers_pass_the_checker() -> None:
    cases = parse_cases(data("input.txt").read_text())
    assert faults(cases, parse_output(data("official_answers.txt").read_text())) == []


def test_no_official_region_is_left_valid_by_taking_a_cell_away() -> None:
    cases = parse_cases(data("input.txt").read_text())
    rng = random.Random(1)
    for each, output in zip(
        cases, parse_output(data("official_answers.txt").read_text()), strict=True
    ):
        if output.verdict is not Verdict.POSSIBLE:
            continue
        filled = [(r, c) for r, line in enumerate(output.left) for c in range(8) if line[c] != "."]
        r, c = rng.choice(filled)
        left = list(output.left)
        left[r] = left[r][:c] + "." + left[r][c + 1 :]
        text = "\n".join(f"{one} {other}" for one, other in zip(left, output.right, strict=True))
        damaged = parse_output(f"Case #1: POSSIBLE\n{text}\n")
        assert len(faults([Case(1, each.first, each.second)], damaged)) == 1


def test_different_verdicts_are_found() -> None:
    here = parse_output("Case #1: IMPOSSIBLE\nCase #2: UNKNOWN\n")
    there = parse_output("Case #1: IMPOSSIBLE\nCase #2: IMPOSSIBLE\nCase #3: IMPOSSIBLE\n")
    assert [str(fault) for fault in different_verdicts(here, there)] == [
        "case 2: UNKNOWN, elsewhere IMPOSSIBLE",
        "case 3: 2 answers here, 3 elsewhere",
    ]
    assert different_verdicts(here, here) == []
    assert [fault.line for fault in different_verdicts([], there)] == [1]


# --- the puzzle family ----------------------------------------------------------------------------


@pytest.mark.parametrize("each", [DLX, CPSAT], ids=lambda e: e.name)
def test_a_puzzle_is_drawn_as_the_contest_writes_it(each) -> None:  # type: ignore[no-untyped-def]
    puzzle = named_puzzle("two-tiling:I2,X5:6")
    found = questions.first(each, puzzle.model)
    text = "Case #1: POSSIBLE\n" + puzzle.draw(found.solutions[0])
    cases = [Case(1, parse_tile("I2"), parse_tile("X5"))]
    assert faults(cases, parse_output(text, rows=6, columns=6)) == []


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("two-tiling:A8,A9", "of 72, and the board has 64 cells"),
        ("two-tiling:I5,U5:4", "tile I5 does not fit the board of 4x4"),
        ("two-tiling:I5,I1:1x5", None),
        ("two-tiling:U5,X5", None),
    ],
)
def test_a_short_reason_is_given_where_no_search_is_needed(name: str, reason: str | None) -> None:
    puzzle = named_puzzle(name)
    said = puzzle.obstacle()
    assert said is None if reason is None else said is not None and reason in said
    if reason is not None:
        assert count_on(puzzle.model) == {0}


def test_a_tile_larger_than_the_contests_is_tiled_too() -> None:
    puzzle = named_puzzle("two-tiling:####/#..#,##:4x5")
    assert questions.first(DLX, puzzle.model).solutions


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("two-tiling:", "expected two tiles with a comma between"),
        ("two-tiling:U5", "expected two tiles with a comma between"),
        ("two-tiling:U5,L4,I2", "got 3"),
        ("two-tiling:U5,", "an empty tile"),
        ("two-tiling:U5,Q9", "of 9 cells there are A9"),
        ("two-tiling:U5,L4:", "board ''"),
        ("two-tiling:U5,L4:x", "board 'x'"),
        ("two-tiling:U5,L4:0", "expected 1 to 16"),
        ("two-tiling:U5,L4:8x99", "expected 1 to 16"),
        ("two-tiling:U5,L4:8:8", "board '8:8'"),
    ],
)
def test_bad_names_are_one_clear_line(name: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        named_puzzle(name)
    assert message in str(caught.value)


# --- many pairs -----------------------------------------------------------------------------------


def test_two_workers_say_what_one_says() -> None:
    question = Question(("dlx",), True, 5, Limits(), 0)
    cases = all_cases()[::60]
    one, two = (
        [(r.case, r.verdict, r.region) for r in reports(question, cases, workers)]
        for workers in (1, 2)
    )
    assert one == two


def test_results_come_in_the_order_of_the_tasks() -> None:
    assert list(pool.results_in_order(abs, [-3, 2, -1], 2)) == [3, 2, 1]
    assert list(pool.results_in_order(abs, [], 2)) == []


def test_a_killed_worker_is_one_clear_error() -> None:
    import os

    with pytest.raises(TwostepError, match="worker process was killed"):
        list(pool.results_in_order(os._exit, [1, 1], 2))


def region_of_area(area: int) -> Region:
    tiles = tuple(((0, column),) for column in range(area))
    return Region(tiles, tiles)


def said(verdict: Verdict, area: int = 0, least: int = 0) -> Answer:
    result = SearchResult("dlx", 0, StopReason.EXHAUSTED, Counters(), 0.0)
    return Answer(verdict, region_of_area(area) if area else None, least, (result,))


def test_engines_that_contradict_each_other_are_caught() -> None:
    def contradiction(*answers: Answer, smallest: bool) -> bool:
        return Report(PAIR[0], answers).contradiction(smallest) is not None

    possible, impossible = said(Verdict.POSSIBLE, 8, 8), said(Verdict.IMPOSSIBLE)
    unknown = said(Verdict.UNKNOWN, 12, 12)
    for smallest in (False, True):
        assert contradiction(possible, impossible, smallest=smallest)
        assert not contradiction(possible, possible, smallest=smallest)
        assert not contradiction(impossible, said(Verdict.UNKNOWN, 0, 4), smallest=smallest)
        # A region found by a search for a smaller one that was cut short is a region all the same.
        assert contradiction(impossible, said(Verdict.UNKNOWN, 12, 4), smallest=smallest)
    assert contradiction(possible, said(Verdict.POSSIBLE, 12, 12), smallest=True)
    assert contradiction(possible, unknown, smallest=True)
    assert not contradiction(possible, said(Verdict.POSSIBLE, 12, 4), smallest=False)


# --- table and pictures ---------------------------------------------------------------------------


def small_table() -> AreaTable:
    tiles = [parse_tile(name) for name in ("I1", "I2", "X5")]
    areas: dict[tuple[Tile, Tile], int | None] = {
        (tiles[0], tiles[1]): 2,
        (tiles[2], tiles[0]): None,
        (tiles[1], tiles[2]): 0,
    }
    return AreaTable.of(tiles, areas)


def test_a_table_is_symmetric_with_each_tiles_own_size_in_the_diagonal() -> None:
    table = small_table()
    assert table.areas == ((1, 2, None), (2, 2, 0), (None, 0, 5))
    assert table.as_text().split("\n") == [
        "   I1 I2 X5",
        "I1  1  2  ?",
        "I2  2  2  .",
        "X5  ?  .  5",
    ]
    assert table.as_csv() == "tile,I1,I2,X5\nI1,1,2,\nI2,2,2,0\nX5,,0,5\n"
    assert table.distribution == {2: 1, None: 1, 0: 1}


def pixels(png: bytes) -> tuple[tuple[int, int], set[tuple[int, ...]]]:
    image = Image.open(io.BytesIO(png)).convert("RGB")
    colours = image.getcolors(1 << 24)
    assert colours is not None
    return image.size, {colour for _, colour in colours if isinstance(colour, tuple)}


def test_a_picture_shows_warm_tiles_left_and_cool_tiles_right() -> None:
    pair = parse_pair("L4,O4")
    region = common_region(DLX, pair).region
    png = picture.draw_pair(picture.Answered(1, pair, Verdict.POSSIBLE, region))
    image = Image.open(io.BytesIO(png)).convert("RGB")
    halves = [image.crop((0, 140, image.width // 2, image.height)),
              image.crop((image.width // 2, 140, image.width, image.height))]  # fmt: skip
    for half, own, foreign in zip(
        halves, (picture.WARM, picture.COOL), (picture.COOL, picture.WARM), strict=True
    ):
        _, colours = pixels(_png(half))
        assert set(own[:2]) <= colours
        assert not set(foreign) & colours


def _png(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def test_a_picture_of_an_impossible_pair_has_no_tiling() -> None:
    pair = parse_pair("U5,X5")
    png = picture.draw_pair(picture.Answered(1, pair, Verdict.IMPOSSIBLE, None))
    (_, high), colours = pixels(png)
    assert high > 0
    assert not set(picture.WARM[1:]) & colours


def test_tiles_that_touch_have_different_shades() -> None:
    for answer in list(smallest_on_dlx().values())[::7]:
        if answer.region is None:
            continue
        for tiling in (answer.region.first, answer.region.second):
            shades = picture.shades_of(tiling, 6)
            shade_of = {
                cell: shade for tile, shade in zip(tiling, shades, strict=True) for cell in tile
            }
            tile_of_cell = {cell: tile for tile in tiling for cell in tile}
            for cell, near in ((c, n) for c in shade_of for n in neighbours(c) if n in shade_of):
                if tile_of_cell[cell] != tile_of_cell[near]:
                    assert shade_of[cell] != shade_of[near]


def test_the_sheet_and_the_table_are_pictures() -> None:
    answers = [
        picture.Answered(1, parse_pair("L4,O4"), Verdict.POSSIBLE, region_of_area(8)),
        picture.Answered(2, parse_pair("U5,X5"), Verdict.IMPOSSIBLE, None),
        picture.Answered(3, parse_pair("U5,L4"), Verdict.UNKNOWN, None),
    ]
    for png in (picture.draw_sheet(answers), picture.draw_table(small_table())):
        (wide, high), colours = pixels(png)
        assert min(wide, high) > 100
        assert len(colours) > 8


# --- the command ----------------------------------------------------------------------------------


def answer_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run(["two-tiling", *arguments])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


@pytest.fixture
def contest(tmp_path: Path) -> Path:
    """Three cases: possible, impossible, equal tiles."""
    path = tmp_path / "in.txt"
    names = [("L4", "O4"), ("U5", "X5"), ("Z5", "Z5")]
    cases = [Case(n, parse_tile(a), parse_tile(b)) for n, (a, b) in enumerate(names, 1)]
    path.write_text(format_cases(cases))
    return path


@pytest.mark.parametrize("backend", ["dlx", "cpsat", "both"])
@pytest.mark.parametrize("more", [[], ["--smallest"], ["--workers", "2"]], ids=str)
def test_the_command_writes_what_its_checker_accepts(
    contest: Path, backend: str, more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = answer_of(capsys, str(contest), "--backend", backend, *more)
    assert code == Exit.OK
    output = contest.with_name("out.txt")
    output.write_text(out)
    code, out, err = answer_of(capsys, "check", str(contest), str(output))
    assert (code, err) == (Exit.OK, "")
    assert out == "valid: 3 cases, 2 possible, 1 impossible\n"


def test_the_command_reads_standard_input(
    contest: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(contest.read_bytes())))
    code, out, _ = answer_of(capsys, "--quiet")
    assert code == Exit.OK
    assert [line for line in out.splitlines() if line.startswith("Case")] == [
        "Case #1: POSSIBLE", "Case #2: IMPOSSIBLE", "Case #3: POSSIBLE",
    ]  # fmt: skip


def test_a_node_limit_gives_unknown_and_exit_code_30(
    contest: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = answer_of(capsys, str(contest), "--node-limit", "10")
    assert code == Exit.STOPPED
    assert "IMPOSSIBLE" not in out
    assert "Case #2: UNKNOWN" in out
    assert "case 2 (U5,X5): stopped (nodes)" in err


def test_the_command_tells_the_smallest_known_and_the_bound_where_it_was_stopped(
    capsys: pytest.CaptureFixture[str],
) -> None:
    whole = smallest_region(DLX, parse_pair("V5,W5"))
    last_area = 5 * (len(whole.results) - 1)  # the search for it is cut short
    assert last_area > 5
    nodes = sum(result.counters.nodes for result in whole.results) - 1
    code, out, err = answer_of(capsys, "V5,W5", "--smallest", "--node-limit", str(nodes))
    assert (code, out) == (Exit.STOPPED, "Case #1: UNKNOWN\n")
    assert "there is a region of" in err
    assert f"none of fewer than {last_area}" in err


def test_the_command_gives_json(contest: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = answer_of(capsys, str(contest), "--smallest", "--json")
    content = json.loads(out)
    assert code == Exit.OK
    assert (content["outcome"], content["count"], content["complete"]) == ("found", 2, True)
    assert (content["possible"], content["impossible"], content["unknown"]) == (2, 1, 0)
    assert [each["area"] for each in content["cases"]] == [8, None, 5]
    assert [each["verdict"] for each in content["cases"]] == ["possible", "impossible", "possible"]


def test_the_command_draws(contest: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = contest.with_name("pictures")
    code, _, _ = answer_of(capsys, str(contest), "--draw", str(folder))
    assert code == Exit.OK
    assert sorted(path.name for path in folder.iterdir()) == [
        "1-L4-O4.png", "2-U5-X5.png", "3-Z5-Z5.png", "all.png",
    ]  # fmt: skip


def test_bad_input_is_one_line_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "in.txt"
    path.write_bytes(GOOD.replace("\n", "\r\n").encode())
    code, out, err = answer_of(capsys, str(path), "--draw", str(tmp_path / "pictures"))
    assert (code, out) == (Exit.USAGE, "")
    assert err.count("\n") == 1
    assert "case 1: the line ends with CR LF" in err
    assert [each.name for each in tmp_path.iterdir()] == ["in.txt"]


def test_a_wrong_output_is_told_with_its_line(
    contest: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = contest.with_name("out.txt")
    output.write_text("Case #1: IMPOSSIBLE\nCase #2: IMPOSSIBLE\nCase #3: IMPOSSIBLE\n")
    other = contest.with_name("other.txt")
    other.write_text("Case #1: IMPOSSIBLE\nCase #2: IMPOSSIBLE\nCase #3: UNKNOWN\n")
    code, _, err = answer_of(capsys, "check", str(contest), str(output), "--against", str(other))
    assert code == Exit.USAGE
    assert err == f"twostep: {output}:3: case 3: IMPOSSIBLE, elsewhere UNKNOWN\n"
    code, out, _ = answer_of(capsys, "check", str(contest), str(output))
    assert (code, out) == (Exit.OK, "valid: 3 cases, 0 possible, 3 impossible\n")


class LyingEngine:
    """Says of everything that there is no solution."""

    name = "liar"
    features = DLX.features

    def search(self, model, limits=None, *, receive=None, watch=None, seed=0):  # type: ignore[no-untyped-def]
        return SearchResult(self.name, 0, StopReason.EXHAUSTED, Counters(), 0.0)


def test_engines_that_differ_are_exit_code_3_and_the_model_is_saved(
    contest: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(contest.parent)
    liar = f"{__name__}:LyingEngine"
    monkeypatch.setitem(registry.ENGINES, "cpsat", liar)
    monkeypatch.setattr(
        "twostep.compare.two_tiling._engine", lambda n: {"dlx": DLX}.get(n) or LyingEngine()
    )
    code, _, err = answer_of(capsys, str(contest), "--backend", "both", "--board", "4")
    assert code == Exit.DISAGREE
    assert "case 1 (L4,O4): the engines disagree (dlx POSSIBLE, liar IMPOSSIBLE)" in err
    assert list(contest.parent.glob("disagreement-*.dlx"))


def test_the_table_of_a_small_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, drawn = tmp_path / "areas.csv", tmp_path / "areas.png"
    code, out, _ = answer_of(
        capsys, "table", "--board", "3", "--csv", str(table), "--draw", str(drawn)
    )
    assert code == Exit.OK
    lines = out.splitlines()
    assert len(lines) == 36
    areas = [line.split()[1:] for line in lines[1:]]
    assert sum(area != "." for row in areas for area in row) == 35 + 2 * 53
    assert len(table.read_text().splitlines()) == 36
    assert drawn.read_bytes().startswith(b"\x89PNG")


def test_the_command_makes_the_contests_input(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = answer_of(capsys, "cases")
    assert code == Exit.OK
    assert parse_cases(out) == all_cases()


def test_help_tells_of_the_other_verbs(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = answer_of(capsys, "--help")
    assert code == Exit.OK
    assert all(word in out for word in ("--smallest", "--draw", "check", "table", "cases"))


def test_grids_of_a_region_cover_the_same_cells() -> None:
    left, right = grids(region_of_area(5), 2, 6)
    assert left == right == ["abcde.", "......"]
