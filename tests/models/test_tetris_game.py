"""The game that plays a program, its instruction files, and the checker of the picture."""

from __future__ import annotations

import random

import pytest
from helpers.tetris_prints import check_printed, game_of, sprite, squares

from twostep.models import InputError
from twostep.models.families.tetris.convert import convert
from twostep.models.families.tetris.field import compare
from twostep.models.families.tetris.moves import entry_column, moves_of
from twostep.models.families.tetris.patterns import table
from twostep.models.families.tetris.pieces import HEIGHT, WIDTH, Cell, box_cells
from twostep.models.families.tetris.printfile import from_text as program_from_text
from twostep.models.families.tetris.printfile import to_text as program_to_text
from twostep.models.families.tetris.sprite import EMPTY, MARGIN


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
    check_printed(again, picture)
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
