"""The families ``maze``, ``pacman``, ``connected``: the boards that obey the rules, as puzzles.

Their sizes are WIDTHxHEIGHT and their cells x,y from 0, as in maze files; those of all other
families are ROWSxCOLUMNS and row, column.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence

from twostep.models.drawing.scene import NO_MARKS, Marks, Scene
from twostep.models.errors import InputError
from twostep.models.families.classics.given import misread
from twostep.models.families.maze import pattern42, text
from twostep.models.families.maze.board import EAST, SOUTH, Board, Kind, Place
from twostep.models.families.maze.board import check_size as check_board_size
from twostep.models.families.maze.braid import LEAST_LOOPS, most_loops
from twostep.models.families.maze.cover import (
    Drawn,
    Slot,
    SlotState,
    check_size,
    connected_model,
    decode,
    pacman_model,
    perfect_model,
)
from twostep.models.families.maze.grid import OPPOSITE
from twostep.models.families.maze.path import shortest_path
from twostep.models.families.maze.scene import maze_scene
from twostep.models.families.maze.spanning import carve
from twostep.models.families.puzzle import Choice, Family, Puzzle
from twostep.models.language.model import Model, Solution

_HEX = frozenset("0123456789abcdefABCDEF.?")
_SLOTS = {"w": "the place between ", "s": "the state between "}
_CELLS = {"c": "cell", "f": "the wall post", "b": "the 3x3 block at", "d": "the distance of"}
_COUNTED = {
    "passages": "the number of passages",
    "ends": "the number of dead ends",
    "contradiction": "what is drawn",
}


class MazePuzzle(Puzzle):
    """The mazes of a kind that agree with a partly drawn board: each is one solution."""

    def __init__(
        self,
        name: str,
        kind: Kind,
        drawn: Drawn,
        entry: Place | None = None,
        exit: Place | None = None,
        *,
        halls: bool = False,
    ) -> None:
        self.name = name
        self.kind = kind
        self.drawn = drawn
        self.entry = entry
        self.exit = exit
        self.halls = halls

    def build(self) -> Model:
        """The model: see :mod:`twostep.models.families.maze.cover`."""
        if self.kind is Kind.CONNECTED:
            return connected_model(self.drawn, self.name, halls=self.halls)
        maker = perfect_model if self.kind is Kind.PERFECT else pacman_model
        return maker(self.drawn, self.name)

    def act(self, option: int) -> Hashable | None:
        """Opening or closing a place for a wall; the rest follows from that."""
        label = self.model.labels[option]
        return label if isinstance(label, SlotState) else None

    def move(self, option: int) -> str:
        """``a passage between (0,0) and (1,0)``; cells are called (column,row) as in maze files."""
        label = self.model.labels[option]
        if not isinstance(label, SlotState):
            return super().move(option)
        return f"{self.piece(option)} between {self._ends(label.slot)}"

    def piece(self, option: int) -> str:
        """``a passage`` or ``a wall``."""
        label = self.model.labels[option]
        if not isinstance(label, SlotState):
            return super().piece(option)
        return "a passage" if label.is_open else "a wall"

    def need(self, item: int) -> str:
        """A place for a wall, a cell, a wall post, or what is counted."""
        name = self.model.items[item]
        kind, rest = name[0], name[1:]
        if name in _COUNTED:
            return _COUNTED[name]
        if kind in _SLOTS and rest[-1] in "ES":
            x, y = map(int, rest[:-1].split(","))
            cell = self.drawn.grid.width * y + x
            return _SLOTS[kind] + self._ends((cell, EAST if rest[-1] == "E" else SOUTH))
        return f"{_CELLS[kind]} ({rest})" if kind in _CELLS else f"item {name}"

    def choice(self, item: int) -> Choice:
        """Of ways, for all."""
        kind = self.model.items[item][0]
        return Choice("way", {"c": "to be reached", "f": "to be joined to the walls"}.get(kind, ""))

    def _ends(self, slot: Slot) -> str:
        """The two cells at a place for a wall: ``(0,0) and (1,0)``."""
        cell, side = slot
        x, y = self.drawn.grid.place(cell)
        there = (x + 1, y) if side == EAST else (x, y + 1)
        return f"({x},{y}) and ({there[0]},{there[1]})"

    def read(self, rows: Sequence[str]) -> tuple[int, ...]:
        """Rows of hex digits, ``.`` or ``?`` for a cell that is open; or a board as it is drawn."""
        grid = self.drawn.grid
        hexes = [row.split()[-1] for row in rows if row.strip() and set(row.split()[-1]) <= _HEX]
        if len(hexes) != grid.height or any(len(row) != grid.width for row in hexes):
            size = f"{grid.height} rows of {grid.width} hex digits"
            raise InputError(f"expected {size}, . for a cell that is open")
        option_of = {each: o for o, each in enumerate(self.model.labels) if each is not None}
        found: dict[Slot, int] = {}
        for cell, bit, there in grid.slots:
            for at, side in ((cell, bit), (there, OPPOSITE[bit])):
                y, x = divmod(at, grid.width)
                if hexes[y][x] in ".?":
                    continue
                state = SlotState((cell, bit), not int(hexes[y][x], 16) & side)
                option = option_of.get(state)
                if option is None or found.get((cell, bit), option) != option:
                    ends = self._ends((cell, bit))
                    raise misread(f"{hexes[y][x]!r}: the wall between {ends} cannot be so", y, x)
                found[cell, bit] = option
        return tuple(found.values())

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

    def picture(self, placed: Iterable[int] = (), marks: Marks = NO_MARKS) -> Scene:
        """The walls that are given (broad) and placed, the ways, and thin what is not known.

        Pac-Man boards have a dot on each cell.
        """
        options = [*self.model.chosen, *placed]
        labels = [self.model.labels[option] for option in options]
        states = {label.slot: label.is_open for label in labels if isinstance(label, SlotState)}
        known = {**states, **self.drawn.open_slots}
        whole = len(known) == len(self.drawn.grid.slots)
        path = ""
        if whole and self.entry is not None and self.exit is not None:
            path = shortest_path(self.board(tuple(options)), self.entry, self.exit) or ""
        text = self.draw(tuple(options)) if whole else self._partly(known)
        slots = set()
        items = set(marks.items)
        for option in marks.options:
            if isinstance(label := self.model.labels[option], SlotState):
                slots.add(label.slot)
            else:
                items.add(self.model.option(option)[0][0])  # a cell or a block with its shape
        cells = set()
        for item in items:
            if found := re.fullmatch("([wscdfb])([0-9]+),([0-9]+)([ES]?)", self.model.items[item]):
                place = int(found[2]), int(found[3])
                if found[4]:
                    side = EAST if found[4] == "E" else SOUTH
                    slots.add((self.drawn.width * place[1] + place[0], side))
                else:
                    cells.add(place)
        ends = (self.entry, self.exit)
        pointed_at = (slots, cells)
        return maze_scene(self.name, self.kind, self.drawn, states, ends, path, pointed_at, text)

    def _partly(self, known: Mapping[Slot, bool]) -> str:
        """Rows of hex digits, ``?`` for a cell of which a wall is not known."""
        grid = self.drawn.grid
        walls = grid.closed_walls()
        unknown = set()
        for cell, bit, there in grid.slots:
            state = known.get((cell, bit))
            if state is None:
                unknown |= {cell, there}
            elif state:
                carve(walls, (cell, bit), grid.width)
        digits = ["?" if cell in unknown else f"{wall:X}" for cell, wall in enumerate(walls)]
        rows = range(0, len(digits), grid.width)
        return "\n".join("".join(digits[row : row + grid.width]) for row in rows)

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
    family = _NAME[kind]
    halls = kind is Kind.CONNECTED and arguments.endswith(":halls")
    found = re.fullmatch(
        "([0-9]{1,9})x([0-9]{1,9})(:42)?", arguments.removesuffix(":halls" if halls else "")
    )
    if not found:
        raise InputError(
            f"expected {family}:WIDTHxHEIGHT, such as {family}:4x3 (4 wide, 3 high), or"
            f' {family}:9x7:42 for boards with the "42"'
        )
    width, height = int(found[1]), int(found[2])
    name = f"{family}:{width}x{height}{found[3] or ''}{':halls' if halls else ''}"
    check_board_size(width, height)
    if found[3] and not pattern42.fits(width, height):
        raise InputError(
            f'the "42" needs a board of at least {pattern42.LEAST_WIDTH}x{pattern42.LEAST_HEIGHT}'
        )
    closed = pattern42.cells(width, height) if found[3] else pattern42.NO_CELLS
    drawn = Drawn(width, height, closed)
    check_size(drawn, kind)
    return MazePuzzle(name, kind, drawn, halls=halls)


_NAME = {Kind.PERFECT: "maze", Kind.PACMAN: "pacman", Kind.CONNECTED: "connected"}

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
CONNECTED = Family(
    name="connected",
    summary='boards of which every cell can be reached; with ":halls" also with open 3x3 halls',
    syntax="connected:WIDTHxHEIGHT[:42][:halls]",
    examples=("connected:3x3", "connected:3x3:halls"),
    parse=lambda arguments: _parse(Kind.CONNECTED, arguments),
)
