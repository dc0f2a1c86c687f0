"""The contest's two formats: the input with the cases, the output with the answers.

Input: the number of cases; per case three lines ``xxx yyy``, the two tiles in frames of 3 x 3
(``@`` a cell, ``.`` none), and an empty line, which may be missing behind the last case. Output:
``Case #1: POSSIBLE`` or ``IMPOSSIBLE``, and if possible the board's rows, each twice, with a
space between: the two tilings, ``.`` outside the region, each tile one character of its own.

Files that other programs wrote are read, too: with CR LF at the ends of lines, with blanks before,
between and behind what is to stand in a line, with more empty lines than one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from string import ascii_lowercase, ascii_uppercase, digits

from twostep.models.errors import InputError
from twostep.models.families.polyomino.pieces import Cell, normalised, regions
from twostep.models.families.two_tiling.cover import Region
from twostep.models.families.two_tiling.regions import Verdict
from twostep.models.families.two_tiling.tiles import BOX, Tile, all_pairs, tile_of
from twostep.models.reading.files import lines_of, whole_number
from twostep.models.words import counted

BLANK = "."
LABELS = ascii_lowercase + ascii_uppercase + digits + "!?"
"""The contest's 64 characters for tiles: one for each cell of its board."""

_CELL = "@"
_FRAME_LINE = "'xxx yyy', three of '@' and '.', a space, three of '@' and '.'"


@dataclass(frozen=True, slots=True)
class Case:
    """One pair of tiles; `number` counts from 1."""

    number: int
    first: Tile
    second: Tile

    @property
    def names(self) -> str:
        """Both tiles' names, as the puzzle family takes them: ``U5,L4``."""
        return f"{self.first.name},{self.second.name}"


def all_cases() -> list[Case]:
    """The contest's 595 pairs, in the order of the tiles."""
    return [Case(number, *pair) for number, pair in enumerate(all_pairs(), 1)]


def parse_cases(text: str, source: str | None = None) -> list[Case]:
    """The cases of an input.

    Raises:
        InputError: names the line, the case, and what was expected there.
    """
    lines = lines_of(text)
    while lines and not lines[-1].strip():
        lines.pop()
    total = _number_of_cases(lines[0] if lines else "", source)
    cases = []
    place = 1
    for number in range(1, total + 1):
        while place < len(lines) and not lines[place].strip():
            place += 1
        if place + BOX > len(lines):
            raise InputError(
                f"case {number}: the file ends before it is whole; the first line says"
                f" {counted(total, 'case')}",
                source=source,
                line=len(lines),
            )
        cases.append(_case(lines[place : place + BOX], _Place(number, source, place + 1)))
        place += BOX
        if number < total and place < len(lines) and (line := lines[place]).strip():
            at = _Place(number, source, place + 1)
            raise at.error(f"expected an empty line behind the tiles, got {line[:20]!r}")
    for index, line in enumerate(lines[place:], place):
        if line.strip():
            at = _Place(total + 1, source, index + 1)
            raise at.error(f"more than the {counted(total, 'case')} that the first line says")
    return cases


def format_cases(cases: Sequence[Case]) -> str:
    """An input with these cases; :func:`parse_cases` reads it back.

    Raises:
        InputError: a tile does not fit the frame.
    """
    lines = [str(len(cases))]
    for case in cases:
        frames = [_frame(tile) for tile in (case.first, case.second)]
        lines += [f"{left} {right}" for left, right in zip(*frames, strict=True)]
        lines.append("")
    return "\n".join(lines) + "\n"


def format_answer(
    number: int, verdict: Verdict, region: Region | None, rows: int, columns: int
) -> str:
    """One case's lines of the output, a newline behind each; the grids only if POSSIBLE."""
    lines = [f"Case #{number}: {verdict.value}"]
    if verdict is Verdict.POSSIBLE and region is not None:
        left, right = grids(region, rows, columns)
        lines += [f"{one} {other}" for one, other in zip(left, right, strict=True)]
    return "\n".join(lines) + "\n"


def grids(region: Region, rows: int, columns: int) -> tuple[list[str], list[str]]:
    """Both tilings of a region as rows of text, each tile a character of its own."""
    return (
        grid(region.first, rows, columns),
        grid(region.second, rows, columns),
    )


def grid(tiles: Iterable[Sequence[Cell]], rows: int, columns: int) -> list[str]:
    """One tiling as rows of text.

    Tiles take the contest's characters; a tiling of more than 64 tiles, which only boards larger
    than the contest's can hold, goes on with letters of other alphabets.
    """
    label_of = {cell: label for tile, label in zip(tiles, _labels(), strict=False) for cell in tile}
    return [
        "".join(label_of.get((row, column), BLANK) for column in range(columns))
        for row in range(rows)
    ]


def _labels() -> Iterator[str]:
    yield from LABELS
    yield from (chr(code) for code in count(0xC0) if chr(code).isalpha())


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in the input something stands."""

    case: int
    source: str | None
    line: int

    def below(self, lines: int) -> _Place:
        """The place so many lines further down."""
        return replace(self, line=self.line + lines)

    def error(self, message: str, column: int | None = None) -> InputError:
        return InputError(
            f"case {self.case}: {message}", source=self.source, line=self.line, column=column
        )


def _number_of_cases(line: str, source: str | None) -> int:
    if not (number := whole_number(line.strip())):
        raise InputError(
            f"before case 1: expected the number of cases, got {line[:20]!r}",
            source=source,
            line=1,
        )
    return number


def _case(lines: Sequence[str], at: _Place) -> Case:
    """The case of three lines, of which the first is at that place."""
    frames: tuple[list[Cell], list[Cell]] = ([], [])
    for row, line in enumerate(lines):
        _read_frame_line(line, row, frames, at.below(row))
    tiles = [
        _tile(frame, which, at) for frame, which in zip(frames, ("first", "second"), strict=True)
    ]
    return Case(at.case, *tiles)


def _read_frame_line(
    line: str, row: int, frames: tuple[list[Cell], list[Cell]], at: _Place
) -> None:
    """Add the cells of one row of both frames."""
    parts = list(re.finditer(r"[^ \t]+", line))
    if [len(part[0]) for part in parts] != [BOX, BOX]:
        raise at.error(f"row {row + 1}: expected {_FRAME_LINE}, got {line[:20]!r}")
    for part, frame in zip(parts, frames, strict=True):
        for column, character in enumerate(part[0]):
            if character not in _CELL + BLANK:
                raise at.error(
                    f"row {row + 1}: expected {_FRAME_LINE}, got {character!r}",
                    part.start() + column + 1,
                )
            if character == _CELL:
                frame.append((row, column))


def _tile(frame: list[Cell], which: str, at: _Place) -> Tile:
    if not frame:
        raise at.error(f"the {which} tile is empty, expected at least one '@'")
    if (parts := len(regions(frame))) > 1:
        raise at.error(f"the {which} tile is in {parts} parts, expected cells that touch by edges")
    return tile_of(normalised(frame))


def _frame(tile: Tile) -> list[str]:
    rows = tile.rows
    if max(len(rows), len(rows[0])) > BOX:
        raise InputError(f"tile {tile.name} does not fit the contest's frame of {BOX}x{BOX}")
    filled = [row.replace("#", _CELL).ljust(BOX, BLANK) for row in rows]
    return filled + [BLANK * BOX] * (BOX - len(rows))
