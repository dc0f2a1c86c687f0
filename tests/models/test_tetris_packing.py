"""Tetris packings and the order of dropping, against brute force, on both engines.

Numbers without another source are those of the notes on printing pictures with Tetris (all
recomputed with other programs): 1872 patterns, 10 platforms, tilings by start.
"""

from __future__ import annotations

import random
from itertools import islice, pairwise
from math import comb

import pytest
from helpers.engines import DLX, every_engine
from helpers.tetris_prints import COLOURS, game_of, squares

from twostep.models import Engine, InputError, StopReason, count, first, listing
from twostep.models.families.registry import named_puzzle
from twostep.models.families.tetris.order import Laid, drop_order
from twostep.models.families.tetris.packing import Packer, deadline, order
from twostep.models.families.tetris.patterns import all_bars, pattern_task
from twostep.models.families.tetris.pieces import WIDTH, Cell, orientations
from twostep.models.families.tetris.printfile import from_text as program_from_text

TILINGS_BY_START = (2, 3, 6, 0, 4, 1, 4, 0, 4, 1)
"""Tilings of 3 rows beside one bar, no flat piece on the floor, by the bar's first column."""


# --- pieces ---------------------------------------------------------------------------------------


def test_there_are_19_orientations_and_371_ways_to_drop_one() -> None:
    assert len(orientations()) == 19
    assert sum(WIDTH - orientation.width + 1 for orientation in orientations()) == 371


def test_bars_of_a_pattern_number_c_21_2n_n() -> None:
    bars = list(all_bars())
    assert len(bars) == len(set(bars)) == 1872
    for n in range(1, 8):
        assert sum(len(starts) == n for starts in bars) == comb(21 - 2 * n, n)
    for starts in bars:
        assert all(right >= left + 3 for left, right in pairwise(starts))


# --- packings, on both engines --------------------------------------------------------------------


@every_engine
@pytest.mark.parametrize("start", range(19))
def test_tilings_of_three_rows_by_start(engine: Engine, start: int) -> None:
    expected = TILINGS_BY_START[min(start, 18 - start)]
    found = count(engine, named_puzzle(f"tetris:{start}:3:tilings").model)
    assert (found.found, found.stopped) == (expected, StopReason.EXHAUSTED)


@every_engine
@pytest.mark.parametrize("start", [3, 7, 11, 15])
def test_three_rows_are_proven_impossible(engine: Engine, start: int) -> None:
    found = count(engine, named_puzzle(f"tetris:{start}:3").model)
    assert (found.found, found.stopped) == (0, StopReason.EXHAUSTED)


@every_engine
@pytest.mark.parametrize("bars", [(0, 17), (1, 17), (1, 18), (0, 18), (0, 3), (4, 11), (9, 15)])
def test_two_bars_fit_two_rows_only_in_three_places(engine: Engine, bars: tuple[int, int]) -> None:
    puzzle = named_puzzle(f"tetris:{bars[0]},{bars[1]}:2")
    found = count(engine, puzzle.model)
    assert found.complete
    assert (found.found > 0) == (bars in {(0, 17), (1, 17), (1, 18)})


@every_engine
@pytest.mark.parametrize("name", ["tetris:0:3", "tetris:1:3", "tetris:2,5,8,12,15:3"])
def test_engines_find_the_playable_packings_of_our_own_search(engine: Engine, name: str) -> None:
    puzzle = named_puzzle(name)
    found = listing(engine, puzzle.model)
    assert found.result.complete
    bars = tuple(int(start) for start in name.split(":")[1].split(","))
    task = pattern_task(bars, 3)
    ours = {
        frozenset([*task.laid, *(p.cells for p in tiling)])
        for tiling in Packer(task).tilings()
        if order(task, tiling) is not None
    }
    theirs = {
        frozenset(puzzle.model.labels[option] for option in solution)
        for solution in found.solutions
    }
    assert theirs == ours
    assert len(theirs) == len(found.solutions)


def test_a_packing_is_drawn_in_an_order_that_can_be_played() -> None:
    puzzle = named_puzzle("tetris:3:7")
    (solution,) = first(DLX, puzzle.model).solutions
    lines = puzzle.draw(solution).split("\n")
    # The bar is A, in columns 3 to 5; its foot as a J is in column 5.
    new_row = "." * 5 + "A" + "." * 15
    program = program_from_text("\n".join([COLOURS[0], "", *lines, new_row]))
    field, _ = game_of(program)
    assert squares(field) == {(5, 0): 1}


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("tetris:", "expected tetris:BARS"),
        ("tetris:19", "number from 0 to 18"),
        ("tetris:x", "number from 0 to 18"),
        ("tetris:0,2", "overlap"),
        ("tetris:0:0", "rows, a number from 1"),
        ("tetris:0:12", "rows, a number from 1 to 11"),
        ("tetris:0:3:tiling", "expected tetris:BARS"),
    ],
)
def test_names_that_mean_nothing_are_refused(name: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        named_puzzle(name)


def test_a_number_of_cells_that_no_pieces_fill_is_known_without_a_search() -> None:
    assert named_puzzle("tetris:0:2").obstacle() is not None
    assert named_puzzle("tetris:0:3").obstacle() is None
    assert named_puzzle("tetris:3").name == "tetris:3:7"
    assert named_puzzle("tetris:17,0").name == "tetris:0,17:2"


# --- the order of dropping ------------------------------------------------------------------------


def can_be_played(pieces: list[tuple[Cell, ...]]) -> bool:
    """Whether some order of dropping keeps every piece held: by trying all, with real line clears.

    Written from the rules of the game alone. The bars, of three cells, are held by their feet in
    row -1; nothing else is held from there.
    """
    rows = 1 + max(y for cells in pieces for _, y in cells)
    of_row = [
        sum(1 << i for i, cells in enumerate(pieces) if any(y == row for _, y in cells))
        for row in range(rows)
    ]
    bars = {i for i, cells in enumerate(pieces) if len(cells) == 3}
    seen = {0}
    waiting = [0]
    everything = (1 << len(pieces)) - 1
    while waiting:
        done = waiting.pop()
        if done == everything:
            return True
        filled = {cell for i, cells in enumerate(pieces) if done >> i & 1 for cell in cells}
        complete = {row for row in range(rows) if of_row[row] & ~done == 0}
        for i, cells in enumerate(pieces):
            if done >> i & 1:
                continue
            above = any((x, y2) in filled for x, y in cells for y2 in range(y + 1, rows))
            if above:
                continue
            # What is below a cell must be filled, or the piece would fall on, or leave a gap.
            below = {(x, y - 1) for x, y in cells} - set(cells)
            gap = any(cell not in filled for cell in below if cell[1] >= 0)
            held = i in bars or any(y >= 0 and y not in complete for _, y in below & filled)
            if not gap and held and (after := done | 1 << i) not in seen:
                seen.add(after)
                waiting.append(after)
    return False


@pytest.mark.parametrize(
    ("bars", "rows", "most"),
    [((start,), 3, 10) for start in range(19)]
    + [((0, 17), 2, 10), ((1, 17), 2, 10), ((1, 18), 2, 10)]
    + [((0, 3, 8, 11, 18), 3, 60), ((2, 5, 8, 12, 15), 3, 30), ((0, 3, 7, 10, 14, 17), 2, 30)],
)
def test_the_order_is_found_exactly_when_there_is_one(
    bars: tuple[int, ...], rows: int, most: int
) -> None:
    task = pattern_task(bars, rows)
    for tiling in islice(Packer(task).tilings(random.Random(7)), most):
        pieces = [*task.laid, *(p.cells for p in tiling)]
        laid = [Laid(cells) for cells in task.laid]
        laid += [Laid(p.cells, deadline(p, task.ground)) for p in tiling]
        brute = can_be_played(pieces)
        assert (drop_order(laid) is not None) == brute
        assert (order(task, tiling) is not None) == brute, "bars first changes nothing"


def test_both_kinds_of_tilings_occur_in_the_test_above() -> None:
    task = pattern_task((0, 3, 8, 11, 18), 3)
    some = islice(Packer(task).tilings(random.Random(7)), 60)
    assert {order(task, tiling) is None for tiling in some} == {True, False}


def test_dropping_first_what_completes_no_row_is_not_a_valid_test() -> None:
    """Blindly chosen last pieces miss orders; the choice of last pieces finds them."""
    missed = 0
    task = pattern_task((0, 3, 8, 11, 18), 3)
    for tiling in islice(Packer(task).tilings(random.Random(7)), 200):
        laid = [Laid(cells) for cells in task.laid]
        laid += [Laid(p.cells, deadline(p, task.ground)) for p in tiling]
        missed += drop_order(laid) is not None and not greedy(laid, 3)
    assert missed > 0


def greedy(pieces: list[Laid], rows: int) -> bool:
    """The wrong test: whatever completes no row first, else the first that fits."""
    left = list(range(len(pieces)))
    filled: set[Cell] = set()
    count_of = [0] * rows
    while left:
        ready = []
        for i in left:
            cells = pieces[i].cells
            below = {(x, y - 1) for x, y in cells} - set(cells)
            until = pieces[i].deadline
            if all(c in filled for c in below if c[1] >= 0) and (
                until is None or count_of[until] < WIDTH
            ):
                completes = any(
                    count_of[y] + sum(y2 == y for _, y2 in cells) == WIDTH for _, y in cells
                )
                ready.append((completes, i))
        if not ready:
            return False
        _, piece = min(ready)
        left.remove(piece)
        filled |= set(pieces[piece].cells)
        for _, y in pieces[piece].cells:
            count_of[y] += 1
    return True
