"""The maze configuration file: one ``KEY=VALUE`` per line.

Every fault ends in an :class:`InputError` that names the file, the line where there is one, and
what was expected; whoever gets a :class:`MazeConfig` can make the maze.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from twostep.models.errors import InputError, did_you_mean
from twostep.models.families.maze import pattern42
from twostep.models.families.maze.board import Place, check_size, spell
from twostep.models.families.maze.generator import check_pacman_size, check_place
from twostep.models.reading.files import SMALL, lines_of, read_text, whole_number, writing_fault

MANDATORY = ("WIDTH", "HEIGHT", "ENTRY", "EXIT", "OUTPUT_FILE", "PERFECT")
OPTIONAL = ("SEED",)
EXAMPLES = {
    "WIDTH": "20",
    "HEIGHT": "15",
    "ENTRY": "0,0",
    "EXIT": "19,14",
    "OUTPUT_FILE": "maze.txt",
    "PERFECT": "True",
    "SEED": "42",
}

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class MazeConfig:
    """What a configuration file asks for, checked.

    Attributes:
        source: the file's name.
        width, height: cells.
        entry, exit: `(x, y)`.
        output_file: relative to the current folder, as it stands in the file.
        perfect: a perfect maze, else a Pac-Man board.
        seed: at least 0; None: not given.
        with_42: whether a "42" is asked for (and drawn, where there is room).
    """

    source: str
    width: int
    height: int
    entry: Place
    exit: Place
    output_file: Path
    perfect: bool
    seed: int | None
    with_42: bool = True


def read_config(path: str | os.PathLike[str], *, with_42: bool = True) -> MazeConfig:
    """Read and check a configuration file.

    A byte-order mark and CRLF line ends are accepted. `with_42` False leaves out the "42", so
    that entry and exit may lie on its cells.

    Raises:
        InputError: see the module's text.
    """
    source = os.fspath(path)
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
        if missing := [key for key in MANDATORY if key not in self.values]:
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

    def config(self, source: str, with_42: bool) -> MazeConfig:
        cells = "a whole number of at least 1"
        width = self._read("WIDTH", lambda text: whole_number(text) or None, cells)
        height = self._read("HEIGHT", lambda text: whole_number(text) or None, cells)
        entry = self._read("ENTRY", _place, "a cell x,y")
        exit = self._read("EXIT", _place, "a cell x,y")
        perfect = self._read("PERFECT", {"True": True, "False": False}.get, "True or False")
        seed = None
        if "SEED" in self.values:
            seed = self._read("SEED", whole_number, "a whole number of at least 0")
        check_size(width, height)
        if not perfect:
            check_pacman_size(width, height)
        pattern = pattern42.cells(width, height) if with_42 else pattern42.NO_CELLS
        for key, place in (("ENTRY", entry), ("EXIT", exit)):
            try:
                check_place(key, place, width, height, pattern)
            except InputError as error:
                raise InputError(error.message, line=self.lines[key]) from None
        if entry == exit:
            raise InputError(
                f"EXIT {spell(exit)} is the same cell as ENTRY; choose another",
                line=self.lines["EXIT"],
            )
        output = self._output_file(source)
        return MazeConfig(source, width, height, entry, exit, output, perfect, seed, with_42)

    def _output_file(self, source: str) -> Path:
        value = self.values["OUTPUT_FILE"]
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
    if path.samefile(source):
        return "it is the configuration file itself"
    return None if path.is_file() else "it is no regular file"


def _place(text: str) -> Place | None:
    found = re.fullmatch(r"(-?[0-9]{1,100})[ \t]*,[ \t]*(-?[0-9]{1,100})", text)
    return (int(found[1]), int(found[2])) if found else None


def _shown(text: str) -> str:
    """A text for an error line: quoted, unprintable characters escaped, not too long."""
    return repr(text if len(text) <= 60 else text[:57] + "...")
