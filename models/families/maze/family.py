"""The families ``maze`` and ``pacman``: the boards that obey the rules, as puzzles."""

from __future__ import annotations

import re

from twostep.models.errors import InputError
from twostep.models.families.maze import pattern42, text
from twostep.models.families.maze.board import Board, Kind, Place
from twostep.models.families.maze.board import check_size as check_board_size
from twostep.models.families.maze.braid import LEAST_LOOPS, most_loops
from twostep.models.families.maze.cover import (
    Drawn,
    check_size,
    decode,
    pacman_model,
    perfect_model,
)
from twostep.models.families.maze.path import shortest_path
from twostep.models.families.puzzle import Family, Puzzle
from twostep.models.language.model import Model, Solution


class MazePuzzle(Puzzle):
    """The mazes of a kind that agree with a partly drawn board: each is one solution."""

    def __init__(
        self,
        name: str,
        kind: Kind,
        drawn: Drawn,
        entry: Place | None = None,
        exit: Place | None = None,
    ) -> None:
        self.name = name
        self.kind = kind
        self.drawn = drawn
        self.entry = entry
        self.exit = exit

    def build(self) -> Model:
        """The model: see :mod:`twostep.models.families.maze.cover`."""
        maker = perfect_model if self.kind is Kind.PERFECT else pacman_model
        return maker(self.drawn, self.name)

    def board(self, solution: Solution) -> Board:
        """The board that a solution means."""
        return decode(self.drawn, self.model, solution)

    def draw(self, solution: Solution) -> str:
        """The board in box-drawing characters, beside it its rows in hex digits."""
        board = self.board(solution)
        path = ""
        if self.entry is not None and self.exit is not None:
            path = shortest_path(board, self.entry, self.exit) or ""
        lines = text.draw(board, self.entry, self.exit, path).split("\n")
        for y, row in enumerate(board.rows):
            lines[2 * y + 1] += f"  {row}"
        return "\n".join(lines)

    def obstacle(self) -> str | None:
        """What a look at the given walls, or at the size, tells."""
        if self.drawn.contradiction is not None:
            return self.drawn.contradiction
        width, height = self.drawn.width, self.drawn.height
        if self.kind is Kind.PACMAN and most_loops(width, height) < LEAST_LOOPS:
            return (
                f"a Pac-Man board needs {LEAST_LOOPS} loops, {width}x{height} has room for"
                f" {most_loops(width, height)}"
            )
        return None


def _parse(kind: Kind, arguments: str) -> MazePuzzle:
    family = "maze" if kind is Kind.PERFECT else "pacman"
    found = re.fullmatch("([0-9]{1,9})x([0-9]{1,9})(:42)?", arguments)
    if not found:
        raise InputError(
            f"expected {family}:WIDTHxHEIGHT, such as {family}:4x3, or"
            f' {family}:9x7:42 for boards with the "42"'
        )
    width, height = int(found[1]), int(found[2])
    name = f"{family}:{width}x{height}{found[3] or ''}"
    check_board_size(width, height)
    if found[3] and not pattern42.fits(width, height):
        raise InputError(
            f'the "42" needs a board of at least {pattern42.LEAST_WIDTH}x{pattern42.LEAST_HEIGHT}'
        )
    closed = pattern42.cells(width, height) if found[3] else pattern42.NO_CELLS
    drawn = Drawn(width, height, closed)
    check_size(drawn, kind)
    return MazePuzzle(name, kind, drawn)


MAZE = Family(
    name="maze",
    summary='perfect mazes: exactly one way between any two cells; with ":42" round the "42"',
    syntax="maze:WIDTHxHEIGHT or maze:WIDTHxHEIGHT:42",
    examples=("maze:4x4", "maze:9x7:42"),
    parse=lambda arguments: _parse(Kind.PERFECT, arguments),
)
PACMAN = Family(
    name="pacman",
    summary="Pac-Man boards: two loops or more, two dead ends or fewer, no open 3x3 hall",
    syntax="pacman:WIDTHxHEIGHT or pacman:WIDTHxHEIGHT:42",
    examples=("pacman:4x3", "pacman:3x3"),
    parse=lambda arguments: _parse(Kind.PACMAN, arguments),
)
