"""Instruction files: what to drop, in which order, as text.

The first line has one to three colours, ``RRGGBB`` in hexadecimal, separated by spaces: of the
squares that J, T and L pieces make. Then come blocks, separated by blank lines, each of lines of
21 characters, the top line first. A character is the number of the piece in the order in which
the block's pieces are dropped: A is the first, after Z follow the next ASCII characters.

* A *block* packs its rows, which vanish; its last line is the new row of the picture, with a dot
  where the block makes no square.
* A *platform* has four lines. The dots in its top line, and below them, are the cells of its
  closing piece, which is dropped later. It stands in column 0 or 20.
* A *removal* has the same four lines with the closing piece alone, as A, and dots everywhere else.
  It comes right after the blocks that print the row on the platform. A file may leave it out: the
  piece is then dropped before the next platform, or at the end.

Lines that begin with ``# `` are comments. All places are counted from 1 in messages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from twostep.models.errors import InputError
from twostep.models.families.tetris.pieces import EMITTERS, MAX_COLOURS, WIDTH, Cell, Placement
from twostep.models.reading.files import lines_of
from twostep.models.words import counted

NEW_ROW = -1
"""The row of the picture that a block prints into, seen from the block."""

PLATFORM_ROWS = 4
"""Rows of a platform: one vanishes while it is built, three are its floor."""

FIRST_LABEL = ord("A")
"""The label of a block's first piece."""

MAX_PIECES = ord("~") - FIRST_LABEL + 1
"""How many pieces a block can have: as many as there are labels."""

Pieces = tuple[tuple[Cell, ...], ...]
"""Cells of pieces, in the order in which they are dropped; rows counted upwards."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block: its rows vanish, its squares in row -1 stay.

    Attributes:
        rows: how many rows it packs.
        pieces: its pieces in the order in which they are dropped; row -1 is the new row.
        line: where it begins in the file it was read from; 0: nowhere.
    """

    rows: int
    pieces: Pieces
    line: int = 0

    @property
    def squares(self) -> frozenset[int]:
        """Columns of the squares that it makes."""
        return frozenset(x for cells in self.pieces for x, y in cells if y == NEW_ROW)


@dataclass(frozen=True, slots=True)
class Platform:
    """A floor of three rows; `closing` makes them vanish.

    Attributes:
        pieces: its pieces without the closing one, in the order in which they are dropped.
        closing: cells of the last piece, dropped when the row on the platform is printed.
        line: where it begins in the file it was read from; 0: nowhere.
    """

    pieces: Pieces
    closing: tuple[Cell, ...]
    line: int = 0


@dataclass(frozen=True, slots=True)
class Removal:
    """The closing piece of the last platform is dropped: its rows vanish.

    Attributes:
        closing: cells of the piece, as in the platform.
        line: where it begins in the file it was read from; 0: nowhere.
    """

    closing: tuple[Cell, ...]
    line: int = 0


Step = Block | Platform | Removal
"""What a paragraph of an instruction file says."""


@dataclass(frozen=True, slots=True)
class Program:
    """What an instruction file says.

    Attributes:
        colours: one to three, six hexadecimal digits each.
        blocks: in the order in which they are played.
    """

    colours: tuple[str, ...]
    blocks: tuple[Step, ...]

    @property
    def pieces(self) -> int:
        """How many pieces are dropped."""
        return sum(pieces_of(block) for block in self.blocks)

    @property
    def platforms(self) -> int:
        """How many platforms are built."""
        return sum(isinstance(block, Platform) for block in self.blocks)

    @property
    def passes(self) -> int:
        """How many blocks make squares."""
        return sum(isinstance(block, Block) for block in self.blocks)


def pieces_of(step: Step) -> int:
    """How many pieces a step costs; a platform's closing piece is counted with it."""
    match step:
        case Block():
            return len(step.pieces)
        case Platform():
            return len(step.pieces) + 1
        case Removal():
            return 0


def label(index: int) -> str:
    """The character of the piece dropped as number `index` (from 0) of its block."""
    return chr(FIRST_LABEL + index)


def block_text(pieces: Pieces, rows: int, bottom: int = 0, width: int = WIDTH) -> str:
    """Lines of `width` characters for the rows `bottom` up to below `rows`, the top line first."""
    labels = {cell: label(index) for index, cells in enumerate(pieces) for cell in cells}
    return "\n".join(
        "".join(labels.get((x, y), ".") for x in range(width))
        for y in range(rows - 1, bottom - 1, -1)
    )


def to_text(program: Program) -> str:
    """The instruction file."""
    parts = [" ".join(program.colours)]
    for block in program.blocks:
        match block:
            case Block():
                parts.append(block_text(block.pieces, block.rows, NEW_ROW))
            case Platform():
                parts.append(block_text(block.pieces, PLATFORM_ROWS))
            case Removal():
                parts.append(block_text((block.closing,), PLATFORM_ROWS))
    return "\n\n".join(parts) + "\n"


def from_text(text: str) -> Program:
    """Read an instruction file.

    Raises:
        InputError: with the line, the column where it is known, and what was expected.
    """
    paragraphs = _paragraphs(text)
    colours: tuple[str, ...] | None = None
    blocks: list[Step] = []
    open_platform: Platform | None = None
    for first, lines in paragraphs:
        if colours is None:
            colours = _colours(lines[0], first)
            first, lines = first + 1, lines[1:]
            if not lines:
                continue
        block = _read_block(lines, first, len(blocks) + 1, len(colours))
        if isinstance(block, Removal):
            _check_removal(block, open_platform, f"block {len(blocks) + 1}")
        if not isinstance(block, Block):
            open_platform = block if isinstance(block, Platform) else None
        blocks.append(block)
    if colours is None:
        raise InputError("nothing in it, expected a line of colours and then blocks")
    if not blocks:
        raise InputError("no block, expected at least one after the colours")
    return Program(colours, tuple(blocks))


def _paragraphs(text: str) -> Iterator[tuple[int, list[str]]]:
    """Runs of lines without a blank one, each with the number of its first line."""
    run: list[str] = []
    first = 1
    for number, raw in enumerate([*lines_of(text), ""], start=1):
        line = raw.rstrip()
        if line.startswith("# ") or line == "#":
            if run:
                raise InputError("a comment inside a block", line=number)
        elif line:
            if not run:
                first = number
            run.append(line)
        elif run:
            yield first, run
            run = []


def _colours(line: str, number: int) -> tuple[str, ...]:
    found = line.split()
    for colour in found:
        if not re.fullmatch("[0-9A-Fa-f]{6}", colour):
            raise InputError(
                f"{colour[:20]!r} is no colour, expected six hexadecimal digits such as FF8000",
                line=number,
                column=line.index(colour) + 1,
            )
    if len(found) > MAX_COLOURS:
        raise InputError(f"{len(found)} colours, expected 1 to {MAX_COLOURS}", line=number)
    return tuple(colour.upper() for colour in found)


def _check_removal(removal: Removal, platform: Platform | None, where: str) -> None:
    """Refuse a removal that closes no platform, or another than the last."""
    if platform is None:
        raise InputError(
            f"{where}: removes a platform, but none stands: expected a block with four lines that"
            " builds one, somewhere before",
            line=removal.line,
        )
    if removal.closing != platform.closing:
        raise InputError(
            f"{where}: its piece does not fill the dots of the platform in line {platform.line}",
            line=removal.line,
        )


def _read_block(lines: list[str], first: int, number: int, n_colours: int) -> Step:
    where = f"block {number}"
    for offset, line in enumerate(lines):
        if len(line) != WIDTH:
            raise InputError(
                f"{where}: {counted(len(line), 'character')}, expected {WIDTH}", line=first + offset
            )
        for column, character in enumerate(line):
            if character != "." and not FIRST_LABEL <= ord(character) <= ord("~"):
                raise InputError(
                    f"{where}: unknown letter {character!r}, expected A to Z and the characters"
                    " after it up to '~', or a dot",
                    line=first + offset,
                    column=column + 1,
                )
    if "." in lines[0]:
        if {*"".join(lines)} <= {".", "A"} and len(lines) == PLATFORM_ROWS:
            return Removal(_pieces(lines, PLATFORM_ROWS - 1, first, where)[0], first)
        return _platform(lines, first, where)
    if len(lines) < 2:
        raise InputError(
            f"{where}: 1 line, expected the packed rows and under them the new row", line=first
        )
    rows = len(lines) - 1
    for offset, line in enumerate(lines[:-1]):
        if "." in line:
            raise InputError(
                f"{where}: a dot in a packed row; only the last line of a block may have dots,"
                " and a platform has its dots in the top line",
                line=first + offset,
                column=line.index(".") + 1,
            )
    pieces = _pieces(lines, rows - 1, first, where)
    for index, cells in enumerate(pieces):
        if all(y != NEW_ROW for _, y in cells):
            continue
        made_by = _tetromino(cells, label(index), lines, first, where).letter
        column = next(x for x, y in cells if y == NEW_ROW)
        if made_by not in EMITTERS[:n_colours]:
            known = ", ".join(EMITTERS[:n_colours])
            raise InputError(
                f"{where}: piece {label(index)} is {made_by} and makes a square of the picture,"
                f" but with {counted(n_colours, 'colour')} only {known} may",
                line=first + rows,
                column=column + 1,
            )
    return Block(rows, pieces, first)


def _platform(lines: list[str], first: int, where: str) -> Platform:
    if len(lines) != PLATFORM_ROWS:
        raise InputError(
            f"{where}: {counted(len(lines), 'line')} with dots in the top line, expected"
            f" {PLATFORM_ROWS} for a platform",
            line=first,
        )
    dots = tuple(
        sorted(
            (x, PLATFORM_ROWS - 1 - offset)
            for offset, line in enumerate(lines)
            for x, character in enumerate(line)
            if character == "."
        )
    )
    closing = Placement.of(dots) if len(dots) == 4 else None
    edges = (0, WIDTH - 1)
    if closing is None or closing.orientation.width != 2 or not any(x in edges for x, _ in dots):
        raise InputError(
            f"{where}: the dots are not the cells of a closing piece, expected a standing"
            " tetromino in column 1 or 21",
            line=first,
        )
    return Platform(_pieces(lines, PLATFORM_ROWS - 1, first, where), dots, first)


def _pieces(lines: list[str], top: int, first: int, where: str) -> Pieces:
    """The pieces by label, each checked to be a tetromino."""
    cells_of: dict[str, list[Cell]] = {}
    for offset, line in enumerate(lines):
        for x, character in enumerate(line):
            if character != ".":
                cells_of.setdefault(character, []).append((x, top - offset))
    labels = sorted(cells_of)
    for index, found in enumerate(labels):
        if found != label(index):
            raise InputError(
                f"{where}: there is a piece {found} but no piece {label(index)}; the pieces are"
                " lettered A, B, ... in the order in which they are dropped",
                line=first,
            )
    pieces = tuple(tuple(sorted(cells_of[found])) for found in labels)
    for cells, found in zip(pieces, labels, strict=True):
        _tetromino(cells, found, lines, first, where)
    return pieces


def _tetromino(
    cells: Iterable[Cell], name: str, lines: list[str], first: int, where: str
) -> Placement:
    cells = tuple(cells)
    found = Placement.of(cells) if len(cells) == 4 else None
    if found is None:
        offset = next(offset for offset, line in enumerate(lines) if name in line)
        reason = (
            counted(len(cells), "cell") if len(cells) != 4 else "its cells do not hang together"
        )
        raise InputError(
            f"{where}: piece {name} is no tetromino: {reason}",
            line=first + offset,
            column=lines[offset].index(name) + 1,
        )
    return found
