"""The game: a field of 21 x 42 in which an instruction file is played, move by move.

Written from the rules alone: it knows nothing of how packings and orders were found, and believes
nothing that an instruction file says.

A piece comes in just above the field, at the top centre, in its usual orientation; up there it
is turned and shifted, and is then dropped straight down until it meets a square or the floor. It
must come to rest wholly in the field. Full rows vanish, and what is above them moves down by as
many rows; nothing falls by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from twostep.models.errors import InputError
from twostep.models.families.tetris.pieces import (
    EMITTERS,
    HEIGHT,
    WIDTH,
    Cell,
    Orientation,
    Placement,
)
from twostep.models.families.tetris.printfile import (
    PLATFORM_ROWS,
    Block,
    Platform,
    Program,
    Removal,
    label,
)
from twostep.models.families.tetris.sprite import EMPTY, MARGIN, Sprite, hexadecimal

VANISHING = {letter: -1 - index for index, letter in enumerate("IOSZJLT")}
"""What the field holds where a piece lies that can make no square of the picture."""


def value_of(letter: str, colours: int) -> int:
    """What the squares of a piece hold, from when it comes in, in a picture of so many colours.

    The first pieces of :data:`EMITTERS`, one for each colour, have the picture's colours, whether
    they make squares of it or vanish; all others have colours of their own.
    """
    if letter in EMITTERS[:colours]:
        return 1 + EMITTERS.index(letter)
    return VANISHING[letter]


@dataclass(slots=True)
class Field:
    """The squares of a field; row 0 is the floor. 0 is empty, positive numbers are colours."""

    rows: list[list[int]] = field(default_factory=lambda: [[EMPTY] * WIDTH for _ in range(HEIGHT)])

    def resting_row(self, orientation: Orientation, column: int) -> int:
        """The row at which a piece dropped straight down comes to rest; may be above the top."""
        row = 0
        for x, rise in enumerate(orientation.underside):
            top = HEIGHT
            while top > 0 and self.rows[top - 1][column + x] == EMPTY:
                top -= 1
            row = max(row, top - rise)
        return row

    def put(self, orientation: Orientation, column: int, row: int, value: int) -> tuple[int, ...]:
        """Put a piece where it rests; gives the rows that became full and vanished, ascending."""
        for x, y in orientation.cells:
            self.rows[row + y][column + x] = value
        full = tuple(y for y in range(row, row + orientation.height) if EMPTY not in self.rows[y])
        if full:
            kept = [line for y, line in enumerate(self.rows) if y not in full]
            self.rows = kept + [[EMPTY] * WIDTH for _ in full]
        return full


@dataclass(frozen=True, slots=True)
class Drop:
    """One piece played.

    Attributes:
        number: which piece it is in the whole game, from 1.
        block: which block of the file it belongs to, from 1.
        label: its character in the block, or ``closing``.
        placement: where it came to rest in the field.
        value: what its squares hold in the field: a colour, or an entry of VANISHING.
        full: the rows that became full with it, ascending.
    """

    number: int
    block: int
    label: str
    placement: Placement
    value: int
    full: tuple[int, ...]


class Game:
    """Plays a program; :attr:`field` is the state after the last piece played."""

    def __init__(self, program: Program, start: Field | None = None) -> None:
        self.program = program
        self.field = start or Field()
        self._number = 0

    def play(self) -> Iterator[Drop]:
        """Play piece by piece.

        Raises:
            InputError: the first illegal move, by block, piece and column: it floats, has no
                room, rests above the top, or a block's rows don't vanish.
        """
        closing: tuple[int, Platform, int] | None = None
        for number, block in enumerate(self.program.blocks, start=1):
            if not isinstance(block, Block) and closing is not None:
                yield self._close(*closing, number if isinstance(block, Removal) else None)
                closing = None
            if isinstance(block, Removal):
                continue
            base, full = 0, 0
            for index, cells in enumerate(block.pieces):
                found = _checked(cells)
                drop, base = self._drop(
                    number, block.line, label(index), found, base - full if index else None
                )
                base, full = base + full, full + len(drop.full)
                yield drop
            if isinstance(block, Platform):
                # One of its rows has vanished, the others wait for the closing piece.
                closing = (number, block, base - full)
            elif full != block.rows:
                raise InputError(
                    f"block {number}: {full} of its {block.rows} rows vanished, expected all",
                    line=block.line or None,
                )
        if closing is not None:
            yield self._close(*closing)

    def _close(
        self, number: int, platform: Platform, base: int, removal: int | None = None
    ) -> Drop:
        """Drop a platform's closing piece; `removal` is the block that says so."""
        found = _checked(platform.closing)
        number = removal or number
        drop, _ = self._drop(number, platform.line, "closing", found, base)
        if len(drop.full) != PLATFORM_ROWS - 1:
            raise InputError(
                f"block {number}: {len(drop.full)} of the platform's {PLATFORM_ROWS - 1} rows"
                " vanished with its closing piece, expected all",
                line=platform.line or None,
            )
        return drop

    def _drop(
        self, number: int, line: int, name: str, wanted: Placement, base: int | None
    ) -> tuple[Drop, int]:
        """Drop a piece that should rest on row `base` + its own row (None: wherever it rests).

        Gives the drop and the field's row of the block's row 0.
        """
        orientation, column = wanted.orientation, wanted.column
        where = f"block {number}, piece {name} ({wanted.letter}), column {column + 1}"
        row = self.field.resting_row(orientation, column)
        if base is None:
            base = row - wanted.row
        expected = base + wanted.row
        if row < expected:
            raise InputError(
                f"{where}: it floats, nothing holds it on row {expected + 1};"
                f" it would fall to row {row + 1}",
                line=line or None,
            )
        if row > expected:
            raise InputError(
                f"{where}: no room on row {expected + 1}, it rests on row {row + 1}",
                line=line or None,
            )
        if row + orientation.height > HEIGHT:
            raise InputError(
                f"{where}: it rests above the top, on row {row + orientation.height} of {HEIGHT}",
                line=line or None,
            )
        value = value_of(wanted.letter, len(self.program.colours))
        full = self.field.put(orientation, column, row, value)
        self._number += 1
        resting = Placement(orientation, column, row)
        return Drop(self._number, number, name, resting, value, full), base


def _checked(cells: tuple[Cell, ...]) -> Placement:
    found = Placement.of(cells)
    if found is None:
        raise InputError(f"the cells {cells} are no tetromino")
    return found


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a final field and a picture differ.

    Attributes:
        difference: the first difference in words, or None if the picture stands there exactly.
        supports: squares beside the picture, one in each of its rows without an opaque pixel.
    """

    difference: str | None
    supports: int


def compare(final: Field, program: Program, sprite: Sprite) -> Comparison:
    """Compare a final field with a picture, whose lower left pixel is column 2 of the floor.

    A row without an opaque pixel cannot be left empty under one that has some: whatever comes to
    rest stands on something, and only full rows vanish. So one square in the margin is allowed in
    such a row, if there is something above it, and nothing else beside the picture.
    """
    colours = tuple(hexadecimal(colour) for colour in sprite.colours)
    if program.colours[: len(colours)] != colours:
        given = " ".join(program.colours)
        return Comparison(f"the colours are {given}, expected {' '.join(colours)}", 0)
    supports = 0
    top = max(y for y, row in enumerate(sprite.pixels) if any(row))
    for y, line in enumerate(final.rows):
        wanted = list(sprite.pixels[y]) if y < sprite.height else [EMPTY] * sprite.width
        inside = line[MARGIN : MARGIN + sprite.width]
        for x, (found, pixel) in enumerate(zip(inside, wanted, strict=True)):
            if found != pixel:
                return Comparison(
                    f"row {y + 1}, column {MARGIN + x + 1} of the field: {_square(found, program)},"
                    f" expected {_square(pixel, program)} (pixel {x + 1} of line"
                    f" {sprite.height - y} of the picture)",
                    supports,
                )
        outside = [
            x
            for x, found in enumerate(line)
            if found != EMPTY and not MARGIN <= x < MARGIN + sprite.width
        ]
        allowed = 1 if y < top and not any(wanted) else 0
        if len(outside) > allowed:
            return Comparison(
                f"row {y + 1}, column {outside[allowed] + 1} of the field:"
                f" {_square(line[outside[allowed]], program)}, expected nothing beside the picture",
                supports,
            )
        supports += len(outside)
    return Comparison(None, supports)


def _square(value: int, program: Program) -> str:
    if value == EMPTY:
        return "nothing"
    if value > 0:
        return program.colours[value - 1]
    letter = next(letter for letter, code in VANISHING.items() if code == value)
    return f"a left-over of a piece {letter}"
