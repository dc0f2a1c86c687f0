"""Tiles by name and drawing, and the model of a pair, against all unions of placements."""

from __future__ import annotations

from collections import Counter

import pytest
from helpers.engines import DLX, every_engine
from helpers.tilings import Mask, count_on, data, tilings

from twostep.models.errors import InputError
from twostep.models.families.polyomino.pieces import Cell, Shape
from twostep.models.families.registry import named_puzzle
from twostep.models.families.two_tiling.check import faults, parse_output
from twostep.models.families.two_tiling.contest import Case, parse_cases
from twostep.models.families.two_tiling.cover import cover, region_of
from twostep.models.families.two_tiling.family import parse_pair
from twostep.models.families.two_tiling.tiles import all_pairs, all_tiles, parse_tile
from twostep.models.search import questions
from twostep.models.search.engine import Engine

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
        ("E5", "unknown tile 'E5'; of 5 cells there are P5, U5"),
        ("nonsense", "expected a letter and a size such as U5"),
        ("#.#", "in 2 parts"),
        ("##/#", "1 character, the rows above have 2"),
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


def touches_the_top(mask: Mask, side: int) -> bool:
    return bool(mask & ((1 << side) - 1))


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


@pytest.mark.parametrize("side", [0, 21])
def test_a_board_of_no_size_or_too_large_is_refused(side: int) -> None:
    with pytest.raises(InputError, match="1 to 20"):
        parse_pair("L4,U5", side, side)


# --- the puzzle family ----------------------------------------------------------------------------


@every_engine
def test_a_puzzle_is_drawn_as_the_contest_writes_it(engine: Engine) -> None:
    puzzle = named_puzzle("two-tiling:I2,X5:6")
    found = questions.first(engine, puzzle.model)
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
        ("two-tiling:U5,L4:0", "expected 1 to 20"),
        ("two-tiling:U5,L4:8x99", "expected 1 to 20"),
        ("two-tiling:U5,L4:8:8", "board '8:8'"),
    ],
)
def test_bad_names_are_one_clear_line(name: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        named_puzzle(name)
    assert message in str(caught.value)
