"""What the tests of two tiles share: all unions of placements, and the contest's own data.

The unions are bit masks made without any idea of exact cover.
"""

from __future__ import annotations

import itertools
from functools import cache, lru_cache
from pathlib import Path

import pytest
from helpers.engines import CPSAT, DLX

from twostep.models.families.polyomino.pieces import Shape, normalised
from twostep.models.families.two_tiling.check import faults, parse_output
from twostep.models.families.two_tiling.contest import Case, format_answer
from twostep.models.families.two_tiling.cover import Pair, Region
from twostep.models.families.two_tiling.regions import Answer, Verdict, smallest_region
from twostep.models.families.two_tiling.tiles import all_pairs
from twostep.models.language.model import Model
from twostep.models.search import questions

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "two_tiling"

Mask = int


def data(name: str) -> Path:
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{path} is not there: it comes with the project's data, not with the code")
    return path


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


def count_on(model: Model) -> set[int]:
    found = []
    for each in (DLX, CPSAT):
        result = questions.count(each, model)
        assert result.complete
        found.append(result.found)
    return set(found)


def check_region(pair: Pair, region: Region) -> None:
    """The region passes the checker, as its user would see it."""
    text = format_answer(1, Verdict.POSSIBLE, region, pair.rows, pair.columns)
    outputs = parse_output(text, rows=pair.rows, columns=pair.columns)
    assert faults([Case(1, pair.first, pair.second)], outputs) == []


@lru_cache(maxsize=1)
def smallest_on_dlx() -> dict[tuple[int, int], Answer]:
    return {
        (first.code, second.code): smallest_region(DLX, Pair(first, second))
        for first, second in all_pairs()
    }


def region_of_area(area: int) -> Region:
    tiles = tuple(((0, column),) for column in range(area))
    return Region(tiles, tiles)
