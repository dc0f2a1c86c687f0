"""Sprites turned into programs, from the table and by the search in real time."""

from __future__ import annotations

import random
from itertools import product

import pytest
from helpers.tetris_prints import FOOT, check_printed, game_of, sprite

from twostep.models.families.tetris.convert import convert, needs_platform, rows_of, table_passes
from twostep.models.families.tetris.field import compare
from twostep.models.families.tetris.live import Strip
from twostep.models.families.tetris.packing import Ground, Packer, Task, allowed
from twostep.models.families.tetris.patterns import table
from twostep.models.families.tetris.pieces import EMITTERS, HEIGHT, WIDTH, Placement, orientations
from twostep.models.families.tetris.printfile import NEW_ROW
from twostep.models.families.tetris.sprite import Sprite


def random_sprite(rng: random.Random) -> Sprite:
    """Of any size, with 1 to 3 colours, 5 % to 100 % dense, some rows and columns empty."""
    while True:
        width, height = rng.randint(1, 17), rng.randint(1, 32)
        colours, density = rng.randint(1, 3), rng.choice((0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0))
        empty_row, empty_column = rng.choice((0.0, 0.0, 0.2)), rng.choice((0.0, 0.0, 0.2))
        hidden_rows = {y for y in range(height) if rng.random() < empty_row}
        hidden_columns = {x for x in range(width) if rng.random() < empty_column}
        lines = [
            "".join(
                str(rng.randint(1, colours))
                if rng.random() < density and x not in hidden_columns and y not in hidden_rows
                else "."
                for x in range(width)
            )
            for y in range(height)
        ]
        if any(character != "." for line in lines for character in line):
            return sprite(*lines)


def test_a_row_of_16_squares_can_take_one_pass_of_the_real_time_search() -> None:
    """With every seed it takes four rows of pieces, with some of them as one block."""
    row = sprite("1" * 16)
    by_table = convert(row, table())
    check_printed(by_table, row)
    assert by_table.passes == 3
    passes = []
    for seed in range(1, 5):
        searched = convert(row, table(), rng=random.Random(seed))
        check_printed(searched, row)
        assert searched.pieces == (21 * 4 + 16) // 4
        passes.append(searched.passes)
    assert min(passes) == 1


def test_three_equal_neighbours_can_be_made_by_one_piece_that_points_up() -> None:
    strip = Strip(
        3, Ground({9: "T", 10: "T", 11: "T", 2: "J", 18: "L"}, under=frozenset(range(21)))
    )
    block = strip.playable(random.Random(1))
    assert block is not None
    assert block.squares == {2, 9, 10, 11, 18}
    assert ((9, -1), (10, -1), (10, 0), (11, -1)) in block.pieces


def test_two_hundred_random_sprites_are_printed_exactly_from_the_table() -> None:
    rng = random.Random(2026)
    for _ in range(200):
        picture = random_sprite(rng)
        check_printed(convert(picture, table()), picture)


def test_random_sprites_are_printed_exactly_by_the_real_time_search() -> None:
    check_searched(random.Random(8), 5)


@pytest.mark.long
def test_two_hundred_random_sprites_are_printed_exactly_by_the_real_time_search() -> None:
    check_searched(random.Random(9), 200)


def check_searched(rng: random.Random, number: int) -> None:
    for index in range(number):
        picture = random_sprite(rng)
        searched = convert(picture, table(), rng=random.Random(index))
        check_printed(searched, picture)
        assert searched.pieces <= convert(picture, table()).pieces


def dense(rng: random.Random, width: int, height: int) -> Sprite:
    return sprite(*("".join(rng.choice("123") for _ in range(width)) for _ in range(height)))


def test_a_full_sprite_is_printed_with_about_3300_pieces_from_the_table() -> None:
    picture = dense(random.Random(4), 17, 32)
    program = convert(picture, table())
    check_printed(program, picture)
    assert 3000 < program.pieces < 3500
    searched = convert(picture, table(), rng=random.Random(4))
    check_printed(searched, picture)
    assert searched.pieces < 0.7 * program.pieces


def test_a_lone_square_on_top_of_32_rows_needs_the_field_to_its_last_row() -> None:
    """31 rows printed, 3 of the platform, the new row, 7 rows of the pattern: 42."""
    top = "...1" + "." * 13  # column 5 of the field, a J whose bar starts at 3: 7 rows
    below = "1" + "." * 16
    picture = sprite(top, *[below] * 31)
    program = convert(picture, table())
    assert needs_platform(rows_of(picture)[31], rows_of(picture)[30])
    check_printed(program, picture)
    highest = max(y for drop in game_of(program)[1] for _, y in drop.placement.cells)
    assert highest == HEIGHT - 1


@pytest.mark.parametrize(
    ("lines", "supports"),
    [
        (("1", "."), 1),
        ((".", "1", ".", ".", "2", "."), 3),
        ((".", ".", "1"), 0),
        (("12", "..", "..", "21", ".."), 3),
    ],
)
@pytest.mark.parametrize("searching", [False, True])
def test_rows_without_an_opaque_pixel_get_a_square_beside_the_picture(
    lines: tuple[str, ...], supports: int, searching: bool
) -> None:
    picture = sprite(*lines)
    program = convert(picture, table(), rng=random.Random(1) if searching else None)
    field, _ = game_of(program)
    comparison = compare(field, program, picture)
    assert (comparison.difference, comparison.supports) == (None, supports)


def test_passes_of_a_row_are_shared_out_without_overlaps() -> None:
    rng = random.Random(3)
    for _ in range(100):
        row = {x: rng.choice(EMITTERS) for x in range(2, 19) if rng.random() < 0.8}
        if not row:
            continue
        blocks = table_passes(row, table())
        made = [x for block in blocks for x in block.squares]
        assert sorted(made) == sorted(row)
        starts = [x - FOOT[letter] for x, letter in row.items()]
        depth = max(sum(start <= x < start + 3 for start in starts) for x in range(WIDTH))
        assert len(blocks) == depth, "no fewer passes are possible"


def test_strips_leave_out_no_more_squares_than_they_must() -> None:
    """Against all choices of squares, each packed exactly."""
    rng = random.Random(6)
    everywhere = frozenset(range(WIDTH))
    for rows in (1, 2):
        for _ in range(4):
            create = {x: rng.choice(EMITTERS) for x in range(7, 13) if rng.random() < 0.9}
            strip = Strip(rows, Ground(create, under=everywhere))
            possible = []
            for chosen in product((False, True), repeat=len(create)):
                made = {x: create[x] for x, c in zip(create, chosen, strict=True) if c}
                # What is not made now may stand later: pieces over it are held as if it did.
                ground = Ground(made, frozenset(create.keys() - made.keys()), everywhere)
                if any(True for _ in Packer(Task(rows, ground=ground)).tilings()):
                    possible.append(len(create) - len(made))
            found = strip.draw(rng)
            left_out = None
            if found is not None:
                made = {x for piece in found for x, y in piece.cells if y == NEW_ROW}
                left_out = len(create.keys() - made)
            assert left_out == min(possible, default=None)


def test_a_piece_that_nothing_holds_is_not_allowed() -> None:
    flat = next(o for o in orientations() if o.letter == "O")
    assert not allowed(Placement(flat, 4, 0), Ground())
    assert allowed(Placement(flat, 4, 0), Ground(standing=frozenset({5})))
    assert not allowed(Placement(flat, 4, -1), Ground({4: "O", 5: "O"}, under=frozenset())), (
        "colour"
    )
    tee = next(o for o in orientations() if o.letter == "T" and not any(o.underside))
    create = {4: "T", 5: "T", 6: "T"}
    assert allowed(Placement(tee, 4, -1), Ground(create, under=frozenset({6})))
    assert not allowed(Placement(tee, 4, -1), Ground(create, under=frozenset({7})))
    assert not allowed(Placement(tee, 4, -1), Ground({4: "T", 5: "T"}, under=frozenset({4})))
