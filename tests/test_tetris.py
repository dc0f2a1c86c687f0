"""The Tetris printer: packings, orders, patterns, conversion and the game, against known numbers.

Numbers without another source are those of the notes on printing pictures with Tetris (all
recomputed with other programs): 1872 patterns, 10 platforms, tilings by start.
"""

from __future__ import annotations

import random
from itertools import islice, pairwise, product
from math import comb

import pytest
from test_both_engines import every_engine

from twostep.models import Engine, InputError, StopReason, count, first, listing
from twostep.models.families import named_puzzle
from twostep.models.tetris.convert import convert, needs_platform, rows_of, table_passes
from twostep.models.tetris.field import Drop, Field, Game, compare
from twostep.models.tetris.live import Strip
from twostep.models.tetris.moves import entry_column, moves_of
from twostep.models.tetris.order import Laid, drop_order
from twostep.models.tetris.packing import Ground, Packer, Task, allowed, deadline, order
from twostep.models.tetris.patterns import (
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
from twostep.models.tetris.pieces import (
    EMITTERS,
    HEIGHT,
    WIDTH,
    Cell,
    Placement,
    box_cells,
    drops,
    orientations,
)
from twostep.models.tetris.printfile import Block, Platform, Program
from twostep.models.tetris.printfile import from_text as program_from_text
from twostep.models.tetris.printfile import to_text as program_to_text
from twostep.models.tetris.sprite import EMPTY, MARGIN, Sprite

COLOURS = ("FF0000", "00FF00", "0000FF")
RGB = ((255, 0, 0), (0, 255, 0), (0, 0, 255))
FOOT = {"J": 2, "T": 1, "L": 0}

TILINGS_BY_START = (2, 3, 6, 0, 4, 1, 4, 0, 4, 1)
"""Tilings of 3 rows beside one bar, no flat piece on the floor, by the bar's first column."""

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


def sprite(*lines: str) -> Sprite:
    """A sprite from a drawing, the top line first: 1, 2, 3 are colours, a dot is transparent."""
    seen: dict[str, int] = {}
    pixels = []
    for line in lines:
        for character in line:
            if character != ".":
                seen.setdefault(character, len(seen) + 1)
        pixels.append(tuple(seen.get(character, EMPTY) for character in line))
    return Sprite(RGB[: len(seen)], tuple(reversed(pixels)))


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


def printed_exactly(program: Program, picture: Sprite) -> bool:
    game = Game(program)
    for _ in game.play():
        pass
    comparison = compare(game.field, program, picture)
    assert comparison.difference is None, comparison.difference
    return True


# --- pieces ---------------------------------------------------------------------------------------


def test_there_are_19_orientations_and_371_ways_to_drop_one() -> None:
    assert len(orientations()) == 19
    assert len(drops()) == 371


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


def test_a_packing_is_drawn_in_an_order_that_can_be_played(engine_dlx: Engine) -> None:
    puzzle = named_puzzle("tetris:3:7")
    (solution,) = first(engine_dlx, puzzle.model).solutions
    lines = puzzle.draw(solution).split("\n")
    # The bar is A, in columns 3 to 5; its foot as a J is in column 5.
    new_row = "." * 5 + "A" + "." * 15
    program = program_from_text("\n".join([COLOURS[0], "", *lines, new_row]))
    field, _ = game_of(program)
    assert squares(field) == {(5, 0): 1}


@pytest.fixture
def engine_dlx() -> Engine:
    from twostep.compare.registry import engine

    return engine("dlx")


def game_of(program: Program) -> tuple[Field, list[Drop]]:
    game = Game(program)
    moves = list(game.play())
    return game.field, moves


def squares(field: Field) -> dict[Cell, int]:
    return {(x, y): v for y, row in enumerate(field.rows) for x, v in enumerate(row) if v != EMPTY}


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


# --- patterns and platforms -----------------------------------------------------------------------


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


# --- conversion -----------------------------------------------------------------------------------


def test_a_row_of_16_squares_takes_one_pass_of_the_real_time_search() -> None:
    row = sprite("1" * 16)
    by_table = convert(row, table())
    searched = convert(row, table(), rng=random.Random(1))
    assert printed_exactly(by_table, row)
    assert printed_exactly(searched, row)
    assert by_table.passes == 3
    assert searched.passes == 1
    assert searched.pieces == (21 * 4 + 16) // 4


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
        assert printed_exactly(convert(picture, table()), picture)


def test_random_sprites_are_printed_exactly_by_the_real_time_search() -> None:
    check_searched(random.Random(8), 5)


@pytest.mark.long
def test_two_hundred_random_sprites_are_printed_exactly_by_the_real_time_search() -> None:
    check_searched(random.Random(9), 200)


def check_searched(rng: random.Random, number: int) -> None:
    for index in range(number):
        picture = random_sprite(rng)
        searched = convert(picture, table(), rng=random.Random(index))
        assert printed_exactly(searched, picture)
        assert searched.pieces <= convert(picture, table()).pieces


def dense(rng: random.Random, width: int, height: int) -> Sprite:
    return sprite(*("".join(rng.choice("123") for _ in range(width)) for _ in range(height)))


def test_a_full_sprite_is_printed_with_about_3300_pieces_from_the_table() -> None:
    picture = dense(random.Random(4), 17, 32)
    program = convert(picture, table())
    assert printed_exactly(program, picture)
    assert 3000 < program.pieces < 3500
    searched = convert(picture, table(), rng=random.Random(4))
    assert printed_exactly(searched, picture)
    assert searched.pieces < 0.7 * program.pieces


def test_a_lone_square_on_top_of_32_rows_needs_the_field_to_its_last_row() -> None:
    """31 rows printed, 3 of the platform, the new row, 7 rows of the pattern: 42."""
    top = "...1" + "." * 13  # column 5 of the field, a J whose bar starts at 3: 7 rows
    below = "1" + "." * 16
    picture = sprite(top, *[below] * 31)
    program = convert(picture, table())
    assert needs_platform(rows_of(picture)[31], rows_of(picture)[30])
    assert printed_exactly(program, picture)
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
            assert strip.left_out == min(possible, default=None)


def test_a_piece_that_nothing_holds_is_not_allowed() -> None:
    flat = next(o for o in orientations() if o.letter == "O")
    assert not allowed(Placement(flat, 4, 0), Ground())
    assert allowed(Placement(flat, 4, 0), Ground(standing=frozenset({5})))
    assert not allowed(Placement(flat, 4, -1), Ground({4: "O", 5: "O"}, under=frozenset())), (
        "colour"
    )
    tee = next(o for o in orientations() if o.letter == "T" and o.flat)
    create = {4: "T", 5: "T", 6: "T"}
    assert allowed(Placement(tee, 4, -1), Ground(create, under=frozenset({6})))
    assert not allowed(Placement(tee, 4, -1), Ground(create, under=frozenset({7})))
    assert not allowed(Placement(tee, 4, -1), Ground({4: "T", 5: "T"}, under=frozenset({4})))


# --- the game -------------------------------------------------------------------------------------


def test_moves_lead_to_the_same_field_in_a_game_that_knows_only_moves() -> None:
    """Turns in the box, shifts of the box, a fall step by step: another game than ours."""
    picture = sprite("1.2.3", "11233", "1.2..")
    program = convert(picture, table(), rng=random.Random(2))
    field, moves = game_of(program)
    stack: set[Cell] = set()
    for move in moves_of(moves):
        boxed, _ = box_cells(move.piece, 0)
        side = {"I": 4, "O": 2}.get(move.piece, 3)
        cells = set(boxed)
        for _ in range(move.turns):
            cells = {(y, side - 1 - x) for x, y in cells}
        corner = entry_column(move.piece)
        for step in range(abs(move.shift) + 1):
            column = corner + step * (1 if move.shift > 0 else -1)
            assert all(0 <= column + x < WIDTH for x, _ in cells), "through a wall"
        there = {(corner + move.shift + x, HEIGHT + y) for x, y in cells}
        while all(y > 0 and (x, y - 1) not in stack for x, y in there):
            there = {(x, y - 1) for x, y in there}
        assert min(x for x, _ in there) == move.column
        assert min(y for _, y in there) == move.row
        stack |= there
        for row in sorted({y for _, y in there}, reverse=True):
            if all((x, row) in stack for x in range(WIDTH)):
                stack = {(x, y - (y > row)) for x, y in stack if y != row}
    assert stack == squares(field).keys()


def test_instruction_files_are_read_as_they_were_written() -> None:
    picture = sprite("1.2.3", "....3", "1.2..")
    program = convert(picture, table(), rng=random.Random(2))
    text = program_to_text(program)
    again = program_from_text(text)
    assert program_to_text(again) == text
    assert printed_exactly(again, picture)
    assert all(len(line) in (0, WIDTH) for line in text.splitlines()[1:])
    commented = "# a comment\n" + text.replace("\n", "\r\n")
    assert program_to_text(program_from_text(commented)) == text


GOOD = (
    "FF0000 00FF00\n\n"
    "BBEEEEHHHHKKKKNNNNOPP\nBBCCDDFFGGIIJJLLMMOOP\nAAACCDDFFGGIIJJLLMMOP\n..A..................\n"
)


def test_the_good_file_below_is_good() -> None:
    field, _ = game_of(program_from_text(GOOD))
    assert squares(field) == {(2, 0): 1}


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("FF0000", "FF00", "1:1: 'FF00' is no colour"),
        ("FF0000 00FF00", "FF0000 00FF00 0000FF 000000", "1: 4 colours, expected 1 to 3"),
        ("BBEEEE", "bbEEEE", "3: block 1: there is a piece b but no piece"),
        ("BBEEEE", "BBéEEE", "3:3: block 1: unknown letter 'é'"),
        ("BBEEEE", "BB1EEE", "3:3: block 1: unknown letter '1'"),
        ("BBEEEE", "BBEEE", "3: block 1: 20 characters, expected 21"),
        ("BBCCDD", "BBCC.DD", "4: block 1: 22 characters, expected 21"),
        ("BBCCDDFF", "BBCC.DFF", "4:5: block 1: a dot in a packed row"),
        ("BBEEEE", "..EEEE", "4 lines with dots in the top line|not the cells of a closing piece"),
        ("BBEEEEHHHH", "BBEEEHHHHH", "3:3: block 1: piece E is no tetromino: 3 cells"),
        ("BBCCDDFFGG", "BBCCFDDFGG", "piece F is no tetromino: its cells do not hang together"),
        ("..A....", ".......", "piece A is no tetromino: 3 cells"),
        ("\nBBCCDDFFGGIIJJLLMMOOP\nAAACCDDFFGGIIJJLLMMOP\n..A..................", "", "1 line"),
        ("FF0000 00FF00\n\n", "FF0000 00FF00\n\nno\n\n", "3: block 1: 2 characters"),
        (GOOD[15:], "", "no block"),
        (GOOD, "# nothing\n", "expected a line of colours"),
    ],
)
def test_bad_instruction_files_are_refused_with_line_and_column(
    old: str, new: str, complaint: str
) -> None:
    assert old in GOOD
    with pytest.raises(InputError, match=complaint):
        program_from_text(GOOD.replace(old, new, 1))


def test_a_colour_that_the_file_does_not_have_is_refused() -> None:
    program = convert(sprite("123"), table())
    text = program_to_text(program)
    fewer = text.replace("FF0000 00FF00 0000FF", "FF0000 00FF00", 1)
    with pytest.raises(InputError, match=r"is L and makes a square .* only J, T may"):
        program_from_text(fewer)


def relabelled(text: str, swaps: dict[str, str]) -> str:
    head, _, body = text.partition("\n\n")
    return head + "\n\n" + body.translate(str.maketrans(swaps))


def test_a_piece_that_floats_is_named_by_block_piece_and_column() -> None:
    # B, on the floor of the block, comes after E, which lies on it.
    with pytest.raises(InputError, match=r"block 1, piece B .*column 3: it floats") as caught:
        game_of(program_from_text(relabelled(GOOD, {"B": "E", "E": "B"})))
    assert caught.value.line == 3


def test_a_piece_without_room_is_named() -> None:
    # C lies under E. It comes last, when everything is in its way.
    swaps = dict(zip("CDEFGHIJKLMNOP", "PCDEFGHIJKLMNO", strict=True))
    with pytest.raises(InputError, match=r"block 1, piece [A-Z] .*: (no room|it floats)"):
        game_of(program_from_text(relabelled(GOOD, swaps)))


def test_any_two_pieces_swapped_are_played_to_the_same_end_or_refused() -> None:
    """The game believes nothing: a file in a wrong order never ends in another picture."""
    refused = 0
    letters = "ABCDEFGHIJKLMNOP"
    for i, one in enumerate(letters):
        for other in letters[i + 1 :]:
            try:
                field, _ = game_of(program_from_text(relabelled(GOOD, {one: other, other: one})))
            except InputError:
                refused += 1
            else:
                assert squares(field) == {(2, 0): 1}
    assert 20 < refused < 120


def test_spoilt_instruction_files_are_refused_or_print_what_they_say() -> None:
    """Whatever is in a file, it is played by the rules or refused with one clear error."""
    text = program_to_text(convert(sprite("1.2.3", "...3.", "1.2.."), table()))
    rng = random.Random(12)
    refused = 0
    for _ in range(600):
        spoilt = list(text)
        for _ in range(rng.choice((1, 1, 2, 5))):
            place = rng.randrange(len(spoilt))
            what = rng.choice(("replace", "drop", "double", "swap"))
            if what == "replace":
                spoilt[place] = rng.choice("ABCDEFGHIJ.\n \0é~")
            elif what == "drop":
                spoilt[place] = ""
            elif what == "double":
                spoilt[place] *= 2
            else:
                other = rng.randrange(len(spoilt))
                spoilt[place], spoilt[other] = spoilt[other], spoilt[place]
        try:
            field, _ = game_of(program_from_text("".join(spoilt)))
        except InputError:
            refused += 1
        else:
            assert all(value > EMPTY for value in squares(field).values())
    assert refused > 400


def test_a_stack_above_the_top_is_refused() -> None:
    lines = GOOD.partition("\n\n")[2].rstrip("\n")
    tower = "FF0000\n\n" + "\n\n".join([lines] * 60)
    with pytest.raises(InputError, match=r"block 40, piece . .*: it rests above the top"):
        game_of(program_from_text(tower))


def test_the_checker_sees_every_wrong_pixel() -> None:
    picture = sprite("1.2", "313", "12.")
    program = convert(picture, table())
    field, _ = game_of(program)
    assert compare(field, program, picture).difference is None
    for y in range(HEIGHT):
        for x in range(WIDTH):
            old = field.rows[y][x]
            for new in (EMPTY, 1, 2, 3, -1):
                if new == old:
                    continue
                field.rows[y][x] = new
                assert compare(field, program, picture).difference is not None, (x, y, new)
            field.rows[y][x] = old
    assert compare(field, program, sprite("1.2", "313", "13.")).difference is not None


def test_no_square_beside_the_picture_is_allowed_in_a_row_with_pixels_or_on_top() -> None:
    picture = sprite(".", "1", ".", "1")
    program = convert(picture, table())
    field, _ = game_of(program)
    assert compare(field, program, picture).supports == 1
    for x, y in [(0, 0), (19, 2), (19, 3), (20, 1)]:
        field.rows[y][x] = 1
        assert compare(field, program, picture).difference is not None
        field.rows[y][x] = EMPTY


def test_the_picture_starts_in_the_third_column() -> None:
    field, _ = game_of(convert(sprite("1"), table()))
    assert squares(field) == {(MARGIN, 0): 1}
    field, _ = game_of(convert(sprite("1" * 17), table()))
    assert squares(field).keys() == {(x, 0) for x in range(2, 19)}
