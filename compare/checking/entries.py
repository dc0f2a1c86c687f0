"""What ``check`` checks: the levels of packs, the lines of lists, puzzles by name."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from twostep.models.errors import InputError
from twostep.models.families.puzzle import Puzzle
from twostep.models.game.level import Level
from twostep.models.game.levelfile import SCHEMA, near_misses, read_pack
from twostep.models.reading.lists import SUFFIXES, Listed, is_list, read_list
from twostep.models.reading.load import load_puzzle, schema_of


@dataclass(frozen=True, slots=True)
class Entry:
    """A puzzle to be checked.

    Attributes:
        source: the file it is in, or its name as typed.
        number: its place there, from 1.
        what: a level of a pack, a line of a list, or what the command takes as a puzzle.
        fields: names of unknown fields of its level, each with the known field it resembles.
    """

    source: str
    number: int
    what: Level | Listed | str
    fields: tuple[tuple[str, str], ...] = ()

    @property
    def level(self) -> Level | None:
        """The level; None: it is another puzzle."""
        return self.what if isinstance(self.what, Level) else None

    @property
    def name(self) -> str:
        """What people call it; empty: nothing."""
        match self.what:
            case Level(name=name):
                return name
            case Listed(title=title):
                return title
        return ""

    @property
    def title(self) -> str:
        """How messages call it."""
        match self.what:
            case Level(name=name):
                quoted = f" {name!r}" if name else ""
                return f"{self.source}: level {self.number}{quoted}"
            case Listed(line=line, title=title):
                quoted = f" {title!r}" if title else ""
                return f"{self.source}: line {line}{quoted}"
        return self.source

    @property
    def here(self) -> str:
        """How messages about another puzzle call it."""
        match self.what:
            case Level():
                return f"level {self.number} of {self.source}"
            case Listed(line=line):
                return f"line {line} of {self.source}"
        return self.source

    def puzzle(self) -> Puzzle:
        """The puzzle, read anew for lists, so that thousands need not be kept.

        Raises:
            InputError: it is refused.
        """
        match self.what:
            case Level():
                return self.what.puzzle
            case Listed():
                return self.what.load()
        return load_puzzle(self.what)

    def bare(self) -> Entry:
        """A copy without what the level has cached, its model above all: less is pickled."""
        return self if self.level is None else replace(self, what=replace(self.level))


def read_entries(sources: Sequence[str], family: str | None = None) -> list[Entry]:
    """The puzzles of files and names, in order.

    Args:
        sources: level files, lists, other files with a puzzle, or names of puzzles.
        family: the family whose names' arguments the lines of the lists are; None: lines say it.

    Raises:
        InputError: a file that cannot be read; names it. What is wrong with a single line of a
            list, or with a level's locks, comes out when the puzzle is asked for.
    """
    return [entry for source in sources for entry in _entries(source, family)]


def _entries(source: str, family: str | None) -> Iterator[Entry]:
    suffix = PurePath(source).suffix.lower()
    is_file = os.path.isfile(source)
    if suffix == ".json" and _is_pack(source):
        for number, level in enumerate(read_pack(source).levels, 1):
            yield Entry(source, number, level, near_misses(level))
    elif is_file and (family is not None or (suffix in SUFFIXES and is_list(source))):
        for number, listed in enumerate(read_list(source, family), 1):
            yield Entry(source, number, listed)
    else:
        load_puzzle(source)  # refused now, and not after the others have been searched
        yield Entry(source, 1, source)


def _is_pack(path: str) -> bool:
    try:
        return schema_of(path) == SCHEMA
    except InputError as error:
        raise error.at(path) from None
