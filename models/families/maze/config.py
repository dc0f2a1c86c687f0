"""The maze configuration file: one ``KEY=VALUE`` per line.

Sizes are WIDTH and HEIGHT, cells ``x,y`` from 0,0 at the top left, unless the file says
``COORDINATES=row,column``: then each cell in it is row and column, from 0, too.

Every fault ends in an :class:`InputError` that names the file, the line where there is one, and
what was expected; a :class:`MazeConfig` can always be made into a maze.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

from twostep.models.errors import InputError, did_you_mean
from twostep.models.families.maze import pattern42
from twostep.models.families.maze.board import Kind, Place, check_size
from twostep.models.families.maze.braid import Wishes
from twostep.models.families.maze.generator import (
    check_closed,
    check_loops,
    check_pacman_size,
    check_place,
    same_cell,
)
from twostep.models.families.maze.spanning import Algorithm
from twostep.models.reading.files import (
    SMALL,
    lines_of,
    read_text,
    source_name,
    whole_number,
    writing_fault,
)
from twostep.models.reading.suffixes import refuse_suffix
from twostep.models.words import listed

MANDATORY = ("WIDTH", "HEIGHT", "ENTRY", "EXIT", "OUTPUT_FILE", "PERFECT")
OPTIONAL = (
    "SEED", "KIND", "ALGORITHM", "LOOPS", "KEEP_DEAD_ENDS", "HALLS", "WITH_42", "CLOSED",
    "COORDINATES",
)  # fmt: skip
EXAMPLES = {
    "WIDTH": "20",
    "HEIGHT": "15",
    "ENTRY": "0,0",
    "EXIT": "19,14",
    "OUTPUT_FILE": "maze.txt",
    "PERFECT": "True",
    "SEED": "42",
    "KIND": "connected",
    "ALGORITHM": "dfs",
    "LOOPS": "5",
    "KEEP_DEAD_ENDS": "1",
    "HALLS": "True",
    "WITH_42": "False",
    "CLOSED": "3,4 3,5",
    "COORDINATES": "row,column",
}
KINDS = {kind.name.lower(): kind for kind in Kind}
YES_NO = {"True": True, "False": False}
ORDERS = {"x,y": False, "row,column": True}
"""Value of COORDINATES -> whether the row comes first."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class MazeConfig:
    """What a configuration file asks for, checked.

    Attributes:
        source: the file's name.
        width, height: cells.
        entry, exit: `(x, y)`.
        output_file: relative to the current folder, as it stands in the file.
        kind: the kind of board.
        seed: at least 0; None: not given.
        with_42: whether a "42" is asked for (and drawn, where there is room).
        algorithm: what the (underlying) perfect maze is made with.
        wishes: loops, dead ends, halls.
        closed: further cells that are closed.
    """

    source: str
    width: int
    height: int
    entry: Place
    exit: Place
    output_file: Path
    kind: Kind
    seed: int | None
    with_42: bool = True
    algorithm: Algorithm = Algorithm.DFS
    wishes: Wishes = field(default_factory=Wishes)
    closed: frozenset[Place] = pattern42.NO_CELLS

    @property
    def perfect(self) -> bool:
        """Whether a perfect maze is asked for."""
        return self.kind is Kind.PERFECT


def read_config(path: str | os.PathLike[str], *, with_42: bool | None = None) -> MazeConfig:
    """Read and check a configuration file; ``-`` is standard input.

    A byte-order mark and CRLF line ends are accepted. `with_42` goes before the file's WITH_42;
    False leaves out the "42", so that entry and exit may lie on its cells.

    Raises:
        InputError: see the module's text.
    """
    source = source_name(path)
    text = read_text(path, SMALL)
    try:
        return _Entries(text).config(source, with_42)
    except InputError as error:
        raise error.at(source) from None


class _Entries:
    """The keys of a file with their values and lines."""

    def __init__(self, text: str) -> None:
        self.values: dict[str, str] = {}
        self.lines: dict[str, int] = {}
        for number, raw in enumerate(lines_of(text), start=1):
            line = raw.strip()
            if line and not line.startswith("#"):
                self._add(line, number)
        needed = [key for key in MANDATORY if key != "PERFECT" or "KIND" not in self.values]
        if missing := [key for key in needed if key not in self.values]:
            remedy = ", ".join(f"{key}={EXAMPLES[key]}" for key in missing)
            raise InputError(f"missing {', '.join(missing)}; add for example {remedy}")

    def _add(self, line: str, number: int) -> None:
        key, equals, value = (part.strip() for part in line.partition("="))
        if not equals:
            raise InputError(f"expected KEY=VALUE, got {_shown(line)}", line=number)
        known = (*MANDATORY, *OPTIONAL)
        if key not in known:
            raise InputError(
                f"unknown key {_shown(key)}{did_you_mean(key.upper(), known)}", line=number
            )
        if key in self.values:
            raise InputError(
                f"{key} stands twice, first in line {self.lines[key]}; remove one", line=number
            )
        if not value:
            raise InputError(
                f"{key} has no value; expected for example {key}={EXAMPLES[key]}", line=number
            )
        self.values[key] = value
        self.lines[key] = number

    def _read(self, key: str, parse: Callable[[str], T | None], expected: str) -> T:
        parsed = parse(self.values[key])
        if parsed is None:
            raise InputError(
                f"{key}={_shown(self.values[key])[1:-1]}: expected {expected}, such as"
                f" {key}={EXAMPLES[key]}",
                line=self.lines[key],
            )
        return parsed

    def _given(self, key: str, parse: Callable[[str], T | None], expected: str) -> T | None:
        """The value of an optional key; None where it isn't there."""
        return self._read(key, parse, expected) if key in self.values else None

    def _at(self, keys: Sequence[str], check: Callable[[], object]) -> None:
        """Check something; a fault is at the first of these keys that is there."""
        try:
            check()
        except InputError as error:
            line = next((self.lines[key] for key in keys if key in self.lines), None)
            raise InputError(error.message, line=line) from None

    def _kind(self) -> Kind:
        perfect = self._given("PERFECT", YES_NO.get, "True or False")
        kind = self._given("KIND", KINDS.get, listed(list(KINDS), "or"))
        if kind is None:
            return Kind.PERFECT if perfect else Kind.PACMAN
        if perfect is not None and perfect is not (kind is Kind.PERFECT):
            raise InputError(
                f"KIND={kind.name.lower()} and PERFECT={perfect} contradict each other; remove one",
                line=self.lines["KIND"],
            )
        return kind

    def _wishes(self) -> Wishes:
        number = "a whole number of at least 0"
        return Wishes(
            self._given("LOOPS", whole_number, number),
            self._given("KEEP_DEAD_ENDS", whole_number, number),
            bool(self._given("HALLS", YES_NO.get, "True or False")),
        )

    def config(self, source: str, with_42: bool | None) -> MazeConfig:
        cells = "a whole number of at least 1"
        width = self._read("WIDTH", lambda text: whole_number(text) or None, cells)
        height = self._read("HEIGHT", lambda text: whole_number(text) or None, cells)
        rows_first = bool(self._given("COORDINATES", ORDERS.get, listed(list(ORDERS), "or")))
        place, cell = (_turned, "a cell row,column") if rows_first else (_place, "a cell x,y")
        entry = self._read("ENTRY", place, cell)
        exit = self._read("EXIT", place, cell)
        kind = self._kind()
        seed = self._given("SEED", whole_number, "a whole number of at least 0")
        algorithms = {each.value: each for each in Algorithm}
        algorithm = self._given("ALGORITHM", algorithms.get, listed(list(algorithms), "or"))
        cells = f"{cell}, or several with blanks between"
        closed = self._given("CLOSED", partial(places, rows_first=rows_first), cells)
        closed = closed or frozenset()
        wishes = self._wishes()
        if with_42 is None:
            with_42 = self._given("WITH_42", YES_NO.get, "True or False") is not False
        check_size(width, height)
        if kind is Kind.PACMAN:
            check_pacman_size(width, height)
        pattern = pattern42.cells(width, height) if with_42 else pattern42.NO_CELLS
        self._at(["CLOSED"], lambda: check_closed(closed, width, height, kind, pattern))
        for key, end in (("ENTRY", entry), ("EXIT", exit)):
            self._at([key], partial(check_place, key, end, width, height, pattern, closed))
        if entry == exit:
            raise InputError(same_cell(exit, width, height), line=self.lines["EXIT"])
        self._at(["LOOPS", "KEEP_DEAD_ENDS", "HALLS"], lambda: wishes.check(kind))
        self._at(["LOOPS"], lambda: check_loops(wishes, width, height, pattern | closed))
        output = self._output_file(source)
        return MazeConfig(
            source, width, height, entry, exit, output, kind, seed, with_42,
            algorithm or Algorithm.DFS, wishes, closed,
        )  # fmt: skip

    def _output_file(self, source: str) -> Path:
        value = self.values["OUTPUT_FILE"]
        self._at(["OUTPUT_FILE"], lambda: refuse_suffix(value, "a maze", ".txt"))
        if (fault := output_fault(Path(value), source)) is not None:
            raise InputError(
                f"OUTPUT_FILE={_shown(value)[1:-1]} cannot be written: {fault}",
                line=self.lines["OUTPUT_FILE"],
            )
        return Path(value)


def output_fault(path: Path, source: str) -> str | None:
    """Why a maze of the configuration file `source` can't be written to `path`; None if it can."""
    if (fault := writing_fault(path)) is not None:
        return fault
    if not path.exists():
        return None
    if os.path.exists(source) and path.samefile(source):
        return "it is the configuration file itself"
    return None if path.is_file() else "it is no regular file"


def _place(text: str) -> Place | None:
    found = re.fullmatch(r"(-?[0-9]{1,100})[ \t]*,[ \t]*(-?[0-9]{1,100})", text)
    return (int(found[1]), int(found[2])) if found else None


def _turned(text: str) -> Place | None:
    """The place of ``row,column``."""
    found = _place(text)
    return None if found is None else (found[1], found[0])


def places(text: str, *, rows_first: bool) -> frozenset[Place] | None:
    """The places of several cells with blanks between; None if one of them is none."""
    place = _turned if rows_first else _place
    found = [place(cell) for cell in re.sub(r"[ \t]*,[ \t]*", ",", text).split()]
    whole = frozenset(cell for cell in found if cell is not None)
    return None if None in found else whole


def _shown(text: str) -> str:
    """A text for an error line: quoted, unprintable characters escaped, not too long."""
    return repr(text if len(text) <= 60 else text[:57] + "...")
