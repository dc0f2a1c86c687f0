"""The table of patterns and platforms: complete, minimal, and played.

Numbers without another source are those of the notes on printing pictures with Tetris (all
recomputed with other programs): 1872 patterns, 10 platforms, tilings by start.
"""

from __future__ import annotations

import random
from itertools import islice, product

import pytest
from helpers.tetris_prints import COLOURS, FOOT, game_of, squares

from twostep.models import InputError
from twostep.models.families.tetris.packing import Packer, order
from twostep.models.families.tetris.patterns import (
    PLATFORM_STARTS,
    all_bars,
    find_pattern,
    find_platform,
    find_table,
    from_text,
    pattern_task,
    platform_task,
    possible_rows,
    summaries,
    table,
    to_text,
)
from twostep.models.families.tetris.pieces import EMITTERS
from twostep.models.families.tetris.printfile import Block, Platform, Program

TABLE = [
    # squares, rows, pieces, patterns
    (1, 3, 16, 15),
    (1, 7, 37, 4),
    (2, 2, 11, 3),
    (2, 6, 32, 133),
    (3, 5, 27, 455),
    (4, 4, 22, 715),
    (5, 3, 17, 462),
    (6, 2, 12, 35),
    (6, 6, 33, 49),
    (7, 1, 7, 1),
]


def test_the_table_has_the_known_numbers_of_squares_rows_pieces_and_patterns() -> None:
    found = [(s.squares, s.rows, s.pieces, s.patterns) for s in summaries(table())]
    assert found == TABLE
    assert sum(entry[3] for entry in found) == 1872


def test_only_known_patterns_need_more_rows_than_their_number_of_squares_suggests() -> None:
    rows = {bars: pattern.rows for bars, pattern in table().patterns.items()}
    assert {bars for bars in rows if len(bars) == 1 and rows[bars] == 7} == {
        (3,), (7,), (11,), (15,),
    }  # fmt: skip
    assert {bars for bars in rows if len(bars) == 2 and rows[bars] == 2} == {
        (0, 17), (1, 17), (1, 18),
    }  # fmt: skip


def test_no_pattern_has_a_packing_in_fewer_rows() -> None:
    """By exhausting the tilings of all fewer rows that the numbers of cells allow."""
    for bars, pattern in table().patterns.items():
        for rows in possible_rows(len(bars)):
            if rows >= pattern.rows:
                break
            task = pattern_task(bars, rows)
            assert all(order(task, tiling) is None for tiling in Packer(task).tilings())


def test_patterns_and_platforms_of_the_file_are_found_again() -> None:
    rng = random.Random(1)
    for bars in islice(all_bars(), 19 + 20):
        assert find_pattern(bars, rng) == table().patterns[bars]


@pytest.mark.long
def test_the_whole_data_file_is_found_again() -> None:
    found = find_table(1)
    assert found == table()
    assert from_text(to_text(found)) == found


def test_a_damaged_data_file_is_refused() -> None:
    text = to_text(table())
    with pytest.raises(InputError, match="blocks, expected 1872 patterns"):
        from_text(text[: len(text) // 2])
    with pytest.raises(InputError, match="letter is missing"):
        from_text(text.replace("P", "?", 1))


@pytest.mark.parametrize("start", range(19))
def test_platforms_exist_exactly_from_even_columns(start: int) -> None:
    """3362 tilings each, 2870 if the T is at the far edge; none from odd columns."""
    task = platform_task(start)
    tilings = list(Packer(task).tilings())
    assert len(tilings) == (0 if start % 2 else 2870 if start == 18 else 3362)
    found = find_platform(start, random.Random(start))
    assert (found is not None) == (start in PLATFORM_STARTS)
    if found is not None:
        assert len(found) == 21
        assert found[0] == task.laid[0]
        assert found[-1] == task.closing


def pattern_block(bars: tuple[int, ...], letters: tuple[str, ...]) -> Block:
    pattern = table().patterns[bars]
    pieces = [
        tuple(sorted((*cells, (cells[0][0] + FOOT[letters[i]], -1)))) if i < len(bars) else cells
        for i, cells in enumerate(pattern.pieces)
    ]
    return Block(pattern.rows, tuple(pieces))


def test_every_pattern_leaves_exactly_its_squares_in_every_variant() -> None:
    """All variants of one and two squares; of more, all J, all T, all L and two mixtures."""
    rng = random.Random(5)
    plays = 0
    for bars in all_bars():
        if len(bars) <= 2:
            variants = list(product(EMITTERS, repeat=len(bars)))
        else:
            variants = [(letter,) * len(bars) for letter in EMITTERS]
            variants += [tuple(rng.choice(EMITTERS) for _ in bars) for _ in range(2)]
        for letters in variants:
            field, _ = game_of(Program(COLOURS, (pattern_block(bars, letters),)))
            expected = {
                (start + FOOT[letter], 0): 1 + EMITTERS.index(letter)
                for start, letter in zip(bars, letters, strict=True)
            }
            assert squares(field) == expected, (bars, letters)
            plays += 1
    assert plays > 8361


def test_every_platform_adds_a_row_and_vanishes() -> None:
    for start, pieces in table().platforms.items():
        for foot in {max(start, 2), start + 1, start + 2}:
            letter = "J" if foot >= 2 else "L"
            below = pattern_block((foot - FOOT[letter],), (letter,))
            above = pattern_block((8,), ("T",))
            platform = Platform(pieces[:-1], pieces[-1])
            field, moves = game_of(Program(COLOURS, (below, platform, above)))
            assert squares(field) == {(foot, 0): 1 + EMITTERS.index(letter), (9, 1): 2}
            assert len(moves[-1].full) == 3
