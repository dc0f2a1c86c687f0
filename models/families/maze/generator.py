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
from twostep.models.families.maze.board import Board, Kind, Maze, Place, check_size, spell
from twostep.models.families.maze.braid import (
    LEAST_LOOPS,
    Wishes,
    connected_board,
    loops_at_most,
    most_loops,
    pacman_board,
)
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
        wishes: loops, dead ends, halls: see there.
        kind: the kind of board; None: what `perfect` says.
        closed: further cells that are closed on all sides.

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
    kind: Kind | None = None
    closed: frozenset[Place] = pattern42.NO_CELLS

    def __post_init__(self) -> None:
        check_size(self.width, self.height)
        if not isinstance(self.seed, int) or self.seed < 0:
            raise InputError(f"seed {self.seed!r}: expected a whole number of at least 0")
        if self.algorithm not in list(Algorithm):
            known = ", ".join(str(each) for each in Algorithm)
            raise InputError(f"algorithm {self.algorithm!r}: expected one of {known}")
        if self.made_kind is Kind.PACMAN:
            check_pacman_size(self.width, self.height)
        check_closed(self.closed, self.width, self.height, self.made_kind, self.pattern)
        for name, place in (("entry", self.entry), ("exit", self.way_out)):
            check_place(name, place, self.width, self.height, self.pattern, self.closed)
        if self.entry == self.way_out:
            raise InputError(same_cell(self.entry, self.width, self.height))
        self.wishes.check(self.made_kind)
        check_loops(self.wishes, self.width, self.height, self.pattern | self.closed)

    @property
    def made_kind(self) -> Kind:
        """The kind of board."""
        if self.kind is not None:
            return self.kind
        return Kind.PERFECT if self.perfect else Kind.PACMAN

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
        grid = Grid.of(self.width, self.height, self.pattern | self.closed)
        random = Random(self.seed)
        if self.made_kind is Kind.PERFECT:
            openings = tuple(spanning_tree(grid, self.algorithm, random))
            walls = grid.closed_walls()
            for opening in openings:
                carve(walls, opening, self.width)
        else:
            make = pacman_board if self.made_kind is Kind.PACMAN else connected_board
            braided = make(grid, self.algorithm, random, self.wishes)
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
    name: str,
    place: Place,
    width: int,
    height: int,
    pattern: frozenset[Place],
    closed: frozenset[Place] = pattern42.NO_CELLS,
) -> None:
    """Raise :class:`InputError` if an entry or exit can't be at that place."""
    _check_inside(name, place, width, height)
    if place in pattern:
        raise InputError(f'{name} {spell(place)} is a closed cell of the "42"')
    if place in closed:
        raise InputError(f"{name} {spell(place)} is one of the CLOSED cells; choose another")


def _check_inside(name: str, place: Place, width: int, height: int) -> None:
    whole = isinstance(place, tuple) and all(isinstance(part, int) for part in place)
    if not whole or len(place) != 2:
        raise InputError(f"{name} {place!r}: expected a pair of whole numbers (x, y)")
    if not (0 <= place[0] < width and 0 <= place[1] < height):
        raise InputError(
            f"{name} {spell(place)} is outside the board of {width}x{height} (WIDTHxHEIGHT):"
            f" expected x,y from 0,0 to {width - 1},{height - 1}"
        )


def check_closed(
    closed: frozenset[Place], width: int, height: int, kind: Kind, pattern: frozenset[Place]
) -> None:
    """Raise :class:`InputError` if these cells can't be closed: outside, or they cut the board."""
    if not isinstance(closed, frozenset):
        raise InputError(f"closed cells: expected a frozenset of (x, y), got {closed!r:.60}")
    for place in sorted(closed):
        _check_inside("CLOSED", place, width, height)
    if kind is Kind.PACMAN:
        corners = {(x, y) for x in (0, width - 1) for y in (0, height - 1)}
        if key := sorted(closed & (corners | {(width // 2, height // 2)})):
            raise InputError(
                f"CLOSED {spell(key[0])}: the corners and the middle of a Pac-Man board are free"
            )
    if closed:
        _check_in_one_part(Grid.of(width, height, pattern | closed))


def _check_in_one_part(grid: Grid) -> None:
    if not grid.free:
        raise InputError("CLOSED leaves no free cell")
    seen = {grid.free[0]}
    waiting = [grid.free[0]]
    for cell in waiting:
        new = [there for _, there in grid.neighbours[cell] if there not in seen]
        seen.update(new)
        waiting += new
    if (cut := next((cell for cell in grid.free if cell not in seen), None)) is not None:
        raise InputError(
            f"CLOSED cuts the board: cell {spell(grid.place(cut))} cannot be reached from"
            f" {spell(grid.place(grid.free[0]))}; close it too, or open a way"
        )


def check_loops(wishes: Wishes, width: int, height: int, closed: frozenset[Place]) -> None:
    """Raise :class:`InputError` if no board of that size has so many loops."""
    if wishes.loops is None or wishes.loops <= 0:
        return
    most = loops_at_most(width, height, closed, halls=wishes.halls)
    if wishes.loops > most:
        without = "" if wishes.halls else " without an open hall of 3x3"
        raise InputError(
            f"{wishes.loops} loops asked for, but no board of {width}x{height}{without} has more"
            f" than {max(0, most)}"
        )


def same_cell(place: Place, width: int, height: int) -> str:
    """What is wrong with an entry that is the exit."""
    if width * height == 1:
        return (
            "a board of 1x1 has one cell, and entry and exit need two: the smallest boards are"
            " 2x1 and 1x2"
        )
    return f"entry and exit are the same cell {spell(place)}; choose another exit"
