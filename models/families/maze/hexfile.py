"""The maze file: rows of hex digits, an empty line, entry, exit, a shortest path as letters.

For example, the only Pac-Man board of 3x2::

    913
    C46

    0,0
    2,1
    EES
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from twostep.models.errors import InputError
from twostep.models.families.maze.board import Board, Maze, Place, spell
from twostep.models.reading.files import SMALL, lines_of, read_text


@dataclass(frozen=True, slots=True)
class MazeFile:
    """What stands in a maze file; whether it is a legal maze is another question.

    `entry`, `exit` and `path` are None where the file ends before them. `path` may hold any
    characters.
    """

    board: Board
    entry: Place | None = None
    exit: Place | None = None
    path: str | None = None

    @classmethod
    def of(cls, maze: Maze) -> MazeFile:
        """What the file of that maze says."""
        return cls(maze.board, maze.entry, maze.exit, maze.path)


def to_text(maze: Maze) -> str:
    """The text of the file: digits in upper case, every line ends with a newline."""
    lines = [*maze.board.rows, "", spell(maze.entry), spell(maze.exit), maze.path]
    return "\n".join(lines) + "\n"


def read_maze(path: str | os.PathLike[str]) -> MazeFile:
    """Read a maze file; digits in lower case, CRLF and a byte-order mark are accepted.

    Raises:
        InputError: it can't be read, or isn't such a file; names the line.
    """
    try:
        return from_text(read_text(path, 4 * SMALL))
    except InputError as error:
        raise error.at(os.fspath(path)) from None


def from_text(text: str) -> MazeFile:
    """What a maze file of that text says.

    Raises:
        InputError: as :func:`read_maze`, without the file's name.
    """
    lines = [line.rstrip() for line in lines_of(text)]
    while lines and not lines[-1]:
        lines.pop()
    end = lines.index("") if "" in lines else len(lines)
    for number, line in enumerate(lines[:end]):
        if "," in line and number:
            raise InputError(
                "expected an empty line between the rows and the entry", line=number + 1
            )
    board = Board.from_rows(lines[:end])
    tail = lines[end + 1 :]
    if len(tail) > 3:
        raise InputError(
            "expected nothing after the path; the order is entry, exit, path", line=end + 5
        )
    places = [
        _place(line, name, end + 2 + i)
        for i, (line, name) in enumerate(zip(tail, ("entry", "exit"), strict=False))
    ]
    entry, exit, *_ = [*places, None, None]
    return MazeFile(board, entry, exit, tail[2] if len(tail) == 3 else None)


def _place(line: str, name: str, number: int) -> Place:
    found = re.fullmatch(r"\s*(-?[0-9]{1,100})\s*,\s*(-?[0-9]{1,100})", line)
    if not found:
        raise InputError(f"expected the {name} as x,y, got {line[:60]!r}", line=number)
    return int(found[1]), int(found[2])
