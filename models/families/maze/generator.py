"""The maze maker, for reuse: parameters in, a board and its shortest path out.

::

    from twostep.models.families.maze.generator import MazeGenerator

    maker = MazeGenerator(width=20, height=15, seed=42, perfect=False)
    maker.board.rows          # ('9555...', ...): hex digits, see twostep.models.families.maze.board
    maker.solution            # 'EESSEN...': a shortest path from entry to exit
    maker.maze                # board, entry, exit and path in one
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from random import Random

from twostep.models.errors import InputError
from twostep.models.families.maze import pattern42
from twostep.models.families.maze.board import Board, Maze, Place, check_size, spell
from twostep.models.families.maze.braid import LEAST_LOOPS, Wishes, most_loops, pacman_board
from twostep.models.families.maze.grid import Grid
from twostep.models.families.maze.path import shortest_path
from twostep.models.families.maze.spanning import Algorithm, Opening, carve, spanning_tree


@dataclass(frozen=True)
class MazeGenerator:
    """Makes one maze, the same for the same parameters on every machine.

    The maze is made when it is first asked for.

    Attributes:
        width, height: cells.
        seed: at least 0.
        perfect: True: one way between any two cells. False: a Pac-Man board, with loops and
            at most two dead ends.
        entry, exit: `(x, y)`; by default the top left and the bottom right cell.
        algorithm: what the (underlying) perfect maze is made with.
        with_42: draw the "42" if the board has room for it.
        wishes: loops and dead ends of a Pac-Man board.

    Raises:
        InputError: when it is made, for parameters that make no sense.
    """

    width: int
    height: int
    seed: int = 0
    perfect: bool = True
    entry: Place = (0, 0)
    exit: Place | None = None
    algorithm: Algorithm = Algorithm.DFS
    with_42: bool = True
    wishes: Wishes = field(default_factory=Wishes)

    def __post_init__(self) -> None:
        check_size(self.width, self.height)
        if self.seed < 0:
            raise InputError(f"seed {self.seed}: expected a number of at least 0")
        if not self.perfect:
            check_pacman_size(self.width, self.height)
        for name, place in (("entry", self.entry), ("exit", self.way_out)):
            check_place(name, place, self.width, self.height, self.pattern)
        if self.entry == self.way_out:
            raise InputError(f"entry and exit are the same cell {spell(self.entry)}")

    @property
    def way_out(self) -> Place:
        """The exit, also where none was given."""
        return (self.width - 1, self.height - 1) if self.exit is None else self.exit

    @property
    def pattern(self) -> frozenset[Place]:
        """The cells of the "42"; none if it is not drawn."""
        return pattern42.cells(self.width, self.height) if self.with_42 else pattern42.NO_CELLS

    @cached_property
    def _made(self) -> tuple[Board, tuple[Opening, ...]]:
        grid = Grid.of(self.width, self.height, self.pattern)
        random = Random(self.seed)
        if self.perfect:
            openings = tuple(spanning_tree(grid, self.algorithm, random))
            walls = grid.closed_walls()
            for opening in openings:
                carve(walls, opening, self.width)
        else:
            braided = pacman_board(grid, self.algorithm, random, self.wishes)
            walls, openings = braided.walls, braided.openings
        return grid.board(walls), openings

    @property
    def board(self) -> Board:
        """The board.

        Raises:
            InputError: a Pac-Man board with these wishes did not come out in 20 attempts.
        """
        return self._made[0]

    @property
    def making(self) -> tuple[Opening, ...]:
        """The walls opened to make it, in order: pairs of a cell's number and a side bit."""
        return self._made[1]

    @cached_property
    def solution(self) -> str:
        """A shortest path from entry to exit, as letters N, E, S, W."""
        # Every free cell can be reached, so there is one.
        return shortest_path(self.board, self.entry, self.way_out) or ""

    @property
    def maze(self) -> Maze:
        """The board, its entry and exit, and the solution."""
        return Maze(self.board, self.entry, self.way_out, self.solution)


def check_pacman_size(width: int, height: int) -> None:
    """Raise :class:`InputError` if a board of that size has too few loops for Pac-Man."""
    if most_loops(width, height) < LEAST_LOOPS:
        raise InputError(
            f"PERFECT=False needs (WIDTH - 1) x (HEIGHT - 1) >= {LEAST_LOOPS} for a Pac-Man board,"
            f" got {width}x{height}"
        )


def check_place(
    name: str, place: Place, width: int, height: int, pattern: frozenset[Place]
) -> None:
    """Raise :class:`InputError` if an entry or exit can't be at that place."""
    if not (0 <= place[0] < width and 0 <= place[1] < height):
        raise InputError(
            f"{name} {spell(place)} is outside the board of {width}x{height}: expected"
            f" 0,0 to {width - 1},{height - 1}"
        )
    if place in pattern:
        raise InputError(f'{name} {spell(place)} is a closed cell of the "42"')
