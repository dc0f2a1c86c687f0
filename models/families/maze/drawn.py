"""Partly drawn boards (``.maze`` files): some cells or walls are given, the rest is searched.

::

    # a Pac-Man board, one cell and one wall of it known
    PERFECT=False
    ????
    ?8??
    ????

    0,0
    3,2
    2,1 E closed

First ``PERFECT=True`` or ``PERFECT=False``, or ``KIND=`` perfect, pacman or connected (the last
also with ``HALLS=True``); if wanted ``CLOSED=``, cells that are closed besides the "42", and
``COORDINATES=row,column`` if cells are not to be ``x,y``. Then rows of hex digits as in a maze
file, with a ``?`` for each cell that is not known; then, after an empty line and if wanted, entry
and exit, and walls, each as a cell, a side, and ``open`` or ``closed``. So a maze file with some
cells replaced by ``?`` and ``PERFECT=`` put before it is such a file; its path is not read. The
board has the "42" if its eighteen cells are all given closed (``F``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from twostep.models.errors import InputError, did_you_mean
from twostep.models.families.maze import pattern42
from twostep.models.families.maze.board import CLOSED, EAST, SOUTH, Kind, Place, Side, spell
from twostep.models.families.maze.board import check_size as check_board_size
from twostep.models.families.maze.config import KINDS, ORDERS, YES_NO, places
from twostep.models.families.maze.cover import Drawn, Slot, check_size
from twostep.models.families.maze.family import MazePuzzle
from twostep.models.families.maze.generator import check_closed
from twostep.models.reading.files import SMALL, lines_of, read_text
from twostep.models.words import counted, listed

T = TypeVar("T")

UNKNOWN = "?"

_PERFECT = {"True": Kind.PERFECT, "False": Kind.PACMAN}


def read_drawn(path: str) -> MazePuzzle:
    """The puzzle of a ``.maze`` file.

    Raises:
        InputError: it can't be read or isn't such a file; names the line. A board that breaks
            the rules of mazes is no such error: it is a puzzle without a solution.
    """
    try:
        return from_text(read_text(path, 4 * SMALL), path)
    except InputError as error:
        raise error.at(path) from None


def from_text(text: str, name: str) -> MazePuzzle:
    """The puzzle of a ``.maze`` file of that text."""
    file = _File()
    for number, raw in enumerate(lines_of(text), start=1):
        file.read(raw.strip(), number)
    return file.puzzle(name)


@dataclass(slots=True)
class _File:
    """What has been read of a file so far, and what its walls say."""

    kind: Kind | None = None
    halls: bool = False
    rows_first: bool = False
    closed: frozenset[Place] = pattern42.NO_CELLS
    keys: dict[str, int] = field(default_factory=dict)  # those read, each with its line
    rows: list[str] = field(default_factory=list)
    rows_ended: bool = False
    entry: Place | None = None
    exit: Place | None = None
    walls: list[tuple[Place, Side, bool, int]] = field(default_factory=list)

    def read(self, line: str, number: int) -> None:
        """Take in a line."""
        if line.startswith("#"):
            return
        if not line:
            self.rows_ended = bool(self.rows)
        elif "=" in line:
            self._key(line, number)
        elif not self.rows_ended:
            self._row(line, number)
        else:
            self._after(line, number)

    def _key(self, line: str, number: int) -> None:
        key, _, value = (part.strip() for part in line.partition("="))
        known = ("PERFECT", "KIND", "HALLS", "CLOSED", "COORDINATES")
        if key not in known:
            raise InputError(f"unknown key {key!r}{did_you_mean(key.upper(), known)}", line=number)
        if key in self.keys:
            raise InputError(f"{key} stands twice; remove one", line=number)
        self.keys[key] = number
        if key == "PERFECT":
            self._set_kind(_value(value, key, _PERFECT, number), number)
        elif key == "KIND":
            self._set_kind(_value(value, key, KINDS, number), number)
        elif key == "HALLS":
            self.halls = _value(value, key, YES_NO, number)
        elif key == "COORDINATES":
            if "CLOSED" in self.keys:
                raise InputError("COORDINATES stands behind CLOSED; put it before", line=number)
            self.rows_first = _value(value, key, ORDERS, number)
        else:
            closed = places(value, rows_first=self.rows_first)
            if closed is None:
                raise InputError(f"CLOSED={value[:60]}: expected cells such as 3,4", line=number)
            self.closed = closed

    def _set_kind(self, kind: Kind, number: int) -> None:
        if self.kind is not None:
            raise InputError("KIND and PERFECT are both given; remove one", line=number)
        self.kind = kind

    def _row(self, line: str, number: int) -> None:
        if wrong := re.search(r"[^0-9A-Fa-f?]", line):
            remedy = "; put an empty line after the rows" if self.rows else ""
            raise InputError(
                f"expected hex digits and {UNKNOWN!r}, got {wrong[0]!r}{remedy}",
                line=number,
                column=wrong.start() + 1,
            )
        if self.rows and len(line) != len(self.rows[0]):
            raise InputError(
                f"the row has {counted(len(line), 'cell')}, the first has {len(self.rows[0])}",
                line=number,
            )
        self.rows.append(line.upper())

    def _after(self, line: str, number: int) -> None:
        found = re.fullmatch(r"([0-9]{1,9})\s*,\s*([0-9]{1,9})(?:\s+(\S+)\s+(\S+))?", line)
        if not found:
            if self.exit is not None and re.fullmatch("[NESW]+", line):
                return  # the path of a maze file
            raise InputError(
                "expected a cell x,y (entry, exit) or a wall such as 2,1 E closed, got"
                f" {line[:60]!r}",
                line=number,
            )
        first, second = int(found[1]), int(found[2])
        place = (second, first) if self.rows_first else (first, second)
        if not (place[0] < len(self.rows[0]) and place[1] < len(self.rows)):
            raise InputError(
                f"cell x,y {spell(place)} is outside the board of"
                f" {len(self.rows[0])}x{len(self.rows)} (WIDTHxHEIGHT)",
                line=number,
            )
        if found[3] is not None:
            self._wall(place, found[3], found[4], number)
        elif self.entry is None:
            self.entry = place
        elif self.exit is None:
            if place == self.entry:
                raise InputError(f"entry and exit are the same cell {spell(place)}", line=number)
            self.exit = place
        else:
            raise InputError("entry and exit are given already; expected a wall", line=number)

    def _wall(self, place: Place, side: str, state: str, number: int) -> None:
        if side not in Side.__members__:
            raise InputError(f"expected a side N, E, S or W, got {side!r}", line=number)
        if state not in ("open", "closed"):
            raise InputError(
                f"expected open or closed, got {state!r}{did_you_mean(state, ['open', 'closed'])}",
                line=number,
            )
        self.walls.append((place, Side[side], state == "open", number))

    def puzzle(self, name: str) -> MazePuzzle:
        """The puzzle, once all lines are read."""
        if self.kind is None:
            raise InputError(
                "expected a line PERFECT=True (a perfect maze) or PERFECT=False (a Pac-Man board),"
                " or KIND=connected"
            )
        if self.halls and self.kind is not Kind.CONNECTED:
            raise InputError("HALLS=True needs KIND=connected", line=self.keys["HALLS"])
        if not self.rows:
            raise InputError(f"expected rows of hex digits and {UNKNOWN!r}")
        drawn = self._drawn()
        check_size(drawn, self.kind)
        return MazePuzzle(name, self.kind, drawn, self.entry, self.exit, halls=self.halls)

    def _drawn(self) -> Drawn:
        width, height = len(self.rows[0]), len(self.rows)
        check_board_size(width, height)
        given = {
            (x, y): int(digit, 16)
            for y, row in enumerate(self.rows)
            for x, digit in enumerate(row)
            if digit != UNKNOWN
        }
        pattern = pattern42.cells(width, height)
        if not all(given.get(place) == CLOSED for place in pattern):
            pattern = pattern42.NO_CELLS
        if self.closed:
            asked = self.kind or Kind.CONNECTED
            try:
                check_closed(self.closed, width, height, asked, pattern)
            except InputError as error:
                raise InputError(error.message, line=self.keys["CLOSED"]) from None
        pattern |= self.closed
        said = [
            (place, side, not walls & side.value)
            for place, walls in given.items()
            for side in Side
        ]  # fmt: skip
        said += [(place, side, is_open) for place, side, is_open, _ in self.walls]
        drawn = Drawn(width, height, pattern)
        slots, quarrel = _slots(drawn, said)
        contradiction = quarrel or _sealed_cell(drawn, given) or self._closed_end(pattern)
        return replace(drawn, open_slots=slots, contradiction=contradiction)

    def _closed_end(self, pattern: frozenset[Place]) -> str | None:
        for what, end in (("entry", self.entry), ("exit", self.exit)):
            if end in pattern:
                where = "one of the CLOSED cells" if end in self.closed else 'on the "42"'
                return f"the {what} {spell(end)} is {where}"
        return None


def _slots(
    drawn: Drawn, walls: Iterable[tuple[Place, Side, bool]]
) -> tuple[dict[Slot, bool], str | None]:
    """The slots that are given, each with whether it is open; and what cannot be, if anything."""
    slots: dict[Slot, bool] = {}
    for place, side, is_open in walls:
        there = side.step(place)
        inside = 0 <= there[0] < drawn.width and 0 <= there[1] < drawn.height
        if not inside or place in drawn.closed or there in drawn.closed:
            if is_open:
                at_42 = {place, there} & drawn.closed <= pattern42.cells(drawn.width, drawn.height)
                what = "the border" if not inside else 'the "42"' if at_42 else "a closed cell"
                return slots, (
                    f"the wall on side {side.name} of cell {spell(place)} is open, but it is"
                    f" on {what}"
                )
            continue
        if side.value in (EAST, SOUTH):
            slot = (place[1] * drawn.width + place[0], side.value)
        else:
            slot = (there[1] * drawn.width + there[0], side.opposite.value)
        if slots.setdefault(slot, is_open) is not is_open:
            return slots, (
                f"the wall between cells {spell(place)} and {spell(there)} is given open and closed"
            )
    return slots, None


def _sealed_cell(drawn: Drawn, given: Mapping[Place, int]) -> str | None:
    """What is wrong with a cell that is given closed on all sides, if there is one."""
    for place, walls in given.items():
        if walls == CLOSED and place not in drawn.closed and drawn.width * drawn.height > 1:
            return (
                f"cell {spell(place)} is closed on all sides and no part of a whole"
                ' "42" in its place'
            )
    return None


def _value(text: str, key: str, known: Mapping[str, T], line: int) -> T:
    """What the value of a key means."""
    if text not in known:
        raise InputError(f"{key}={text[:60]}: expected {listed(list(known), 'or')}", line=line)
    return known[text]
