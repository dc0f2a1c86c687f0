"""A checker of answers: reads the contest's output, and believes nothing.

It knows no engine and no model: only the cases, the tiles' orientations, and the text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from twostep.models.errors import InputError
from twostep.models.families.polyomino.pieces import Cell, normalised
from twostep.models.families.two_tiling.contest import BLANK, LABELS, Case
from twostep.models.families.two_tiling.regions import Verdict
from twostep.models.families.two_tiling.tiles import BOARD, Tile
from twostep.models.reading.files import lines_of
from twostep.models.words import counted


@dataclass(frozen=True, slots=True)
class Output:
    """One case of an output, as it stands there.

    Attributes:
        number: the case's number.
        verdict: the word behind it.
        line: the line of that, from 1.
        left, right: the rows of both grids; empty unless POSSIBLE.
    """

    number: int
    verdict: Verdict
    line: int
    left: tuple[str, ...] = ()
    right: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """Why an answer is wrong.

    Attributes:
        case: the case's number.
        line: the line of the output, from 1.
        reason: what is wrong, in words.
    """

    case: int
    line: int
    reason: str

    def __str__(self) -> str:
        return f"case {self.case}: {self.reason}"


def parse_output(
    text: str, source: str | None = None, rows: int = BOARD, columns: int = BOARD
) -> list[Output]:
    """The cases of an output, whatever they claim.

    CR LF at the ends of lines is read, and so are blanks before, between and behind what is to
    stand in a line, and empty lines before a case.

    Raises:
        InputError: a line that has no place there; names it, its case, and what was expected.
    """
    lines = lines_of(text)
    while lines and not lines[-1].strip():
        lines.pop()
    found: list[Output] = []
    place = 0
    while place < len(lines):
        if not lines[place].strip():
            place += 1
            continue
        number = len(found) + 1
        output = Output(number, _verdict(lines[place], number, source, place + 1), place + 1)
        place += 1
        if output.verdict is Verdict.POSSIBLE:
            left, right = [], []
            for index in range(rows):
                if place == len(lines):
                    raise InputError(
                        f"case {number}: the file ends after {index} of {rows} rows",
                        source=source,
                        line=len(lines),
                    )
                parts = lines[place].split()
                if [len(part) for part in parts] != [columns, columns]:
                    raise InputError(
                        f"case {number}, row {index + 1}: expected two rows of {columns} characters"
                        f" with a space between, got {lines[place][: 2 * columns + 8]!r}",
                        source=source,
                        line=place + 1,
                    )
                left.append(parts[0])
                right.append(parts[1])
                place += 1
            output = replace(output, left=tuple(left), right=tuple(right))
        found.append(output)
    return found


def _verdict(line: str, number: int, source: str | None, place: int) -> Verdict:
    """The word of a case's head."""
    head = re.fullmatch(r"\s*Case\s+#(\S+):\s+(\S+)\s*", line)
    if head is None or head[1] != str(number) or head[2] not in Verdict.__members__:
        expected = f"'Case #{number}: POSSIBLE' or 'Case #{number}: IMPOSSIBLE'"
        raise InputError(
            f"case {number}: expected {expected}, got {line[:40]!r}", source=source, line=place
        )
    return Verdict[head[2]]


def faults(cases: Sequence[Case], outputs: Sequence[Output]) -> list[Fault]:
    """What is wrong with an output for these cases, in order; empty: all regions are right.

    That a case is IMPOSSIBLE cannot be checked here; UNKNOWN is no answer, so a fault.
    """
    wrong = []
    last = outputs[-1].line if outputs else 1
    for case, output in zip(cases, outputs, strict=False):
        if (reason := _reason(case, output)) is not None:
            wrong.append(Fault(case.number, output.line, reason))
    wrong += [Fault(case.number, last, "no answer") for case in cases[len(outputs) :]]
    wrong += [
        Fault(
            output.number,
            output.line,
            f"the input ends with case {len(cases)}",
        )
        for output in outputs[len(cases) :]
    ]
    return wrong


def different_verdicts(outputs: Sequence[Output], others: Sequence[Output]) -> list[Fault]:
    """The cases for which two outputs have different words."""
    wrong = [
        Fault(
            output.number, output.line, f"{output.verdict.value}, elsewhere {other.verdict.value}"
        )
        for output, other in zip(outputs, others, strict=False)
        if output.verdict is not other.verdict
    ]
    if len(outputs) != len(others):
        shared = min(len(outputs), len(others))
        line = next((output.line for output in outputs[shared:] or outputs[-1:]), 1)
        wrong.append(
            Fault(
                shared + 1, line, f"{counted(len(outputs), 'answer')} here, {len(others)} elsewhere"
            )
        )
    return wrong


def _reason(case: Case, output: Output) -> str | None:
    if output.verdict is Verdict.UNKNOWN:
        return "not answered"
    if output.verdict is Verdict.IMPOSSIBLE:
        return None
    sides = (("left", output.left, case.first), ("right", output.right, case.second))
    for name, grid, tile in sides:
        if (reason := _grid_fault(grid, tile)) is not None:
            return f"{name} grid: {reason}"
    covered = [
        {(r, c) for r, row in enumerate(grid) for c, mark in enumerate(row) if mark != BLANK}
        for _, grid, _ in sides
    ]
    if alone := sorted(covered[0] ^ covered[1]):
        row, column = alone[0]
        where = "left" if alone[0] in covered[0] else "right"
        return f"row {row + 1}, column {column + 1} is covered in the {where} grid only"
    if not covered[0]:
        return "the region is empty"
    return None


def _grid_fault(grid: Sequence[str], tile: Tile) -> str | None:
    """Why a grid is no tiling by the tile; None if it is one (the empty one is)."""
    cells: defaultdict[str, list[Cell]] = defaultdict(list)
    for row, line in enumerate(grid):
        for column, mark in enumerate(line):
            if mark != BLANK:
                cells[mark].append((row, column))
    shapes = set(tile.orientations)
    for mark, group in cells.items():
        row, column = group[0]
        where = f"row {row + 1}, column {column + 1}"
        # A board with more cells than the contest's can need more labels than the contest has.
        if mark not in LABELS and not (mark.isalpha() and len(cells) > len(LABELS)):
            return f"{where}: {mark!r} is no label, expected one of !?0-9a-zA-Z or {BLANK!r}"
        if normalised(group) not in shapes:
            return f"{where}: {mark!r} in {counted(len(group), 'cell')} is not the tile {tile.name}"
    return None
