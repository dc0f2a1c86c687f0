"""The rules of mazes as exact covers: every solution is a board, every board is one solution.

**Perfect mazes** (Temperley's trees and matchings, in the form of R. Kenyon, J. Propp and
D. Wilson, "Trees and matchings", 2000). Items: every free cell but the root; every face of the
grid graph but the outer one (a face is an inner wall post, or the posts round a hole together);
every slot between two free cells. A slot is covered together with one of its cells (a passage:
that cell's way to its parent) or with one of its faces (a wall: that face's way to its parent in
the tree of walls, which grows from the border). As the root lies on the outer face, the covers
are the spanning trees, one to one.

**Pac-Man boards** have colours and multiplicities. Each cell is covered by one option: the shape
of its walls, its distance from the root, and for each open side whether the neighbour is one
nearer or one farther (a grid is bipartite: never equally far). All but the root need a nearer
one, so that every cell is reached; as distances are unique, a board is counted once. Colours make
neighbours agree on walls and distances. Each slot is open or closed; the open ones are counted by
an item of multiplicity, for the loops; dead ends by another. Each 3x3 block is covered by its
first closed wall in a fixed order, of which there is none in a hall.

**Connected boards** are the same without loops and dead ends to count, and, if halls are allowed,
without the blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations
from typing import TypeVar

from twostep.models.errors import InputError
from twostep.models.families.maze import pattern42
from twostep.models.families.maze.board import EAST, SOUTH, Board, Kind, Place, Side, spell
from twostep.models.families.maze.braid import LEAST_LOOPS, MOST_DEAD_ENDS
from twostep.models.families.maze.grid import OPPOSITE, Grid
from twostep.models.families.maze.spanning import carve
from twostep.models.language.builder import Entry, ModelBuilder
from twostep.models.language.model import UNLIMITED, Model, Solution

Way = tuple[int, int]
"""(side bit, neighbour's number): a side of a cell."""

Slot = tuple[int, int]
"""(cell number, EAST or SOUTH): a place between two free cells where a wall may stand."""

T = TypeVar("T")

MOST_OPTIONS = 1_000_000
"""The largest model that is built; beyond it no engine gets anywhere."""


@dataclass(frozen=True, slots=True)
class SlotState:
    """What an option says about a slot: the label of the options that say it."""

    slot: Slot
    is_open: bool


@dataclass(frozen=True, slots=True)
class Drawn:
    """A partly drawn board: the size, the closed cells, and the slots that are decided.

    Attributes:
        width, height: cells.
        closed: the closed cells (the "42", or none).
        open_slots: the slots given, each with whether it is open.
        contradiction: why no board can look like that, as far as a look tells; None: nothing
            seen. The models then have no solution.
    """

    width: int
    height: int
    closed: frozenset[Place] = pattern42.NO_CELLS
    open_slots: Mapping[Slot, bool] = field(default_factory=dict)
    contradiction: str | None = None

    @property
    def grid(self) -> Grid:
        """The graph of the free cells."""
        return Grid.of(self.width, self.height, self.closed)

    def may_be(self, slot: Slot, is_open: bool) -> bool:
        """Whether the slot can be in that state."""
        return self.open_slots.get(slot, is_open) is is_open


def decode(drawn: Drawn, model: Model, solution: Solution) -> Board:
    """The board that a solution of one of the models below means."""
    walls = drawn.grid.closed_walls()
    for option in solution:
        label = model.labels[option]
        if isinstance(label, SlotState) and label.is_open:
            carve(walls, label.slot, drawn.width)
    return Board(drawn.width, drawn.height, bytes(walls))


def perfect_model(drawn: Drawn, name: str) -> Model:
    """The perfect mazes on the board, one solution each.

    The suggested order goes through the board along its long side, so that few items at a time
    are half done: what a search remembers stays small.
    """
    grid = drawn.grid
    builder = ModelBuilder(name)
    width, height = drawn.width, drawn.height
    face_of = _faces(grid)
    outer = face_of[0]
    # All cells before the first free one are closed, so that it lies on the outer face.
    root = grid.free[0]
    placed: list[tuple[Place, int]] = []  # where an item lies, in half cells, and its id
    cells: dict[int, int] = {}
    for cell in grid.free:
        if cell != root:
            x, y = grid.place(cell)
            cells[cell] = builder.item(f"c{x},{y}")
            placed.append(((2 * x + 1, 2 * y + 1), cells[cell]))
    faces: dict[int, int] = {}
    for face in sorted(set(face_of) - {outer}):
        y, x = divmod(face, width + 1)
        faces[face] = builder.item(f"f{x},{y}")
        placed.append(((2 * x, 2 * y), faces[face]))
    for cell, bit, there in grid.slots:
        slot = (cell, bit)
        x, y = grid.place(cell)
        item = builder.item(f"w{_spell(grid, slot)}")
        placed.append(((2 * x + 2, 2 * y + 1) if bit == EAST else (2 * x + 1, 2 * y + 2), item))
        if drawn.may_be(slot, True):
            for end in (cell, there):
                if end != root:
                    builder.option([item, cells[end]], SlotState(slot, True))
        if drawn.may_be(slot, False):
            a, b = (face_of[post] for post in _posts(slot, width))
            # A wall with one face at both its ends would cut the board in two.
            if a != b:
                for face in (a, b):
                    if face != outer:
                        builder.option([item, faces[face]], SlotState(slot, False))
    along_x = width >= height
    placed.sort(key=lambda entry: entry[0] if along_x else (entry[0][1], entry[0][0]))
    builder.order = [item for _, item in placed]
    return _built(builder, drawn)


def _built(builder: ModelBuilder, drawn: Drawn) -> Model:
    if drawn.contradiction is not None:
        builder.item("contradiction")  # covered by no option
    return builder.build()


def _posts(slot: Slot, width: int) -> tuple[int, int]:
    """The two wall posts at the ends of a slot; post (x, y) has the number y * (width + 1) + x."""
    cell, bit = slot
    y, x = divmod(cell, width)
    far = (y + 1) * (width + 1) + x + 1
    return (far - width - 1, far) if bit == EAST else (far - 1, far)


def _faces(grid: Grid) -> list[int]:
    """(posts,) For each wall post its face, by the face's first post; post 0 is on the outer one.

    Two posts lie on one face if a wall joins them that is no slot: the border, or round a closed
    cell.
    """
    width, height = grid.width, grid.height
    slots = {_posts((cell, bit), width) for cell, bit, _ in grid.slots}
    posts = range((width + 1) * (height + 1))
    walls = [(post, post + 1) for post in posts if (post + 1) % (width + 1)]
    walls += [(post, post + width + 1) for post in posts[: -width - 1]]
    first = list(posts)

    def find(post: int) -> int:
        while first[post] != post:
            first[post] = post = first[first[post]]
        return post

    for a, b in walls:
        if (a, b) not in slots:
            low, high = sorted((find(a), find(b)))
            first[high] = low
    return [find(post) for post in posts]


def pacman_model(drawn: Drawn, name: str) -> Model:
    """The Pac-Man boards on the board, one solution each."""
    return _ReachedModel(drawn, name, _PACMAN).build()


def connected_model(drawn: Drawn, name: str, *, halls: bool) -> Model:
    """The boards of which every cell can be reached, one each; `halls`: also with halls."""
    return _ReachedModel(drawn, name, _Rules(halls=halls)).build()


@dataclass(frozen=True, slots=True)
class _Rules:
    """What is asked of a board besides that every cell can be reached; None: nothing."""

    loops: int = 0
    dead_ends: int | None = None
    halls: bool = False


_PACMAN = _Rules(LEAST_LOOPS, MOST_DEAD_ENDS)


def check_size(drawn: Drawn, kind: Kind) -> None:
    """Raise :class:`InputError` if the model would be too large for any engine."""
    if kind is not Kind.PERFECT:
        rules = _PACMAN if kind is Kind.PACMAN else _Rules()
        small = drawn.width * drawn.height < 10_000
        size = _ReachedModel(drawn, "", rules).size() if small else None
    else:
        size = 4 * 2 * drawn.width * drawn.height
    if size is None or size > MOST_OPTIONS:
        raise InputError(
            f"the model of a board of {drawn.width}x{drawn.height} would have more than"
            f" {MOST_OPTIONS:,} options; choose a smaller board"
        )


class _ReachedModel:
    """Makes the model of boards of which every cell can be reached, step by step."""

    def __init__(self, drawn: Drawn, name: str, rules: _Rules) -> None:
        self.drawn = drawn
        self.rules = rules
        self.grid = grid = drawn.grid
        self.builder = builder = ModelBuilder(name)
        self.root = grid.free[0]
        self.least = _distances(grid, self.root)
        # Cells at one distance are joined only to those at the next. With one cell at each
        # distance that is a path; one cell more makes one loop at most. So a board with two
        # loops has at least two cells more than its longest distance needs.
        self.most = len(grid.free) - 1 - rules.loops
        cells = {cell: spell(grid.place(cell)) for cell in grid.free}
        slots = {(cell, bit): _spell(grid, (cell, bit)) for cell, bit, _ in grid.slots}
        self.slot_at = {slot: slot for slot in slots}  # (cell, any side) -> the slot there
        self.slot_at |= {(there, OPPOSITE[bit]): (cell, bit) for cell, bit, there in grid.slots}
        # Away from the root, cell by cell; all else follows from the cells' shapes.
        by_distance = sorted(self.least, key=lambda cell: (self.least[cell], cell))
        self.cell_items = {cell: builder.item(f"c{cells[cell]}") for cell in by_distance}
        builder.order = list(self.cell_items.values())
        self.slot_items = {slot: builder.item(f"w{slots[slot]}") for slot in slots}
        self.passages: list[Entry] = []  # where they are counted
        if rules.loops:
            least = len(grid.free) - 1 + rules.loops
            self.passages = [builder.item("passages", least, UNLIMITED)]
        self.dead_ends: list[Entry] = []
        if rules.dead_ends is not None:
            self.dead_ends = [builder.item("ends", 0, rules.dead_ends)]
        self.states = {slot: builder.secondary(f"s{slots[slot]}") for slot in slots}
        self.distances = {cell: builder.secondary(f"d{cells[cell]}") for cell in grid.free}

    def build(self) -> Model:
        for cell in self.cell_items:
            for option in self._shapes(cell):
                self.builder.option(option)
        for slot, item in self.slot_items.items():
            state = self.states[slot]
            if self.drawn.may_be(slot, True):
                self.builder.option([item, *self.passages, (state, _OPEN)], SlotState(slot, True))
            if self.drawn.may_be(slot, False):
                self.builder.option([item, (state, _CLOSED)], SlotState(slot, False))
        for corner, block in self._blocks():
            item = self.builder.item(f"b{spell(self.grid.place(corner))}")
            for first, slot in enumerate(block):
                before = [(self.states[other], _OPEN) for other in block[:first]]
                self.builder.option([item, *before, (self.states[slot], _CLOSED)])
        return _built(self.builder, self.drawn)

    def _shapes(self, cell: int) -> Iterator[list[Entry]]:
        """The options of a cell: each shape of its walls with each distance it can have.

        Short distances and open shapes come first: tried in this order, cells are reached soon,
        and a first board is found without wandering among long distances that don't come true.
        """
        sides = self.grid.neighbours[cell]
        must, may = self._ways(cell)
        shapes = [[*must, *chosen] for chosen in _subsets(may)]
        for distance in self._range(cell):
            for ways in reversed(shapes):
                opened = {bit for bit, _ in ways}
                entries: list[Entry] = [
                    self.cell_items[cell],
                    (self.distances[cell], str(distance)),
                ]
                if len(ways) == 1 and len(sides) > 1:
                    entries += self.dead_ends
                entries += [
                    (self.states[self.slot_at[cell, bit]], _OPEN if bit in opened else _CLOSED)
                    for bit, _ in sides
                ]
                there = [neighbour for _, neighbour in ways]
                for nearer in _subsets(there):
                    # All but the root have a way to a nearer cell.
                    if bool(nearer) is (cell == self.root):
                        continue
                    at = {n: distance - 1 if n in nearer else distance + 1 for n in there}
                    if all(at[n] in self._range(n) for n in there):
                        yield [*entries, *((self.distances[n], str(at[n])) for n in there)]

    def _ways(self, cell: int) -> tuple[list[Way], list[Way]]:
        """The sides of a cell that must be open, and those that may be open or closed."""
        must, may = [], []
        for way in self.grid.neighbours[cell]:
            slot = self.slot_at[cell, way[0]]
            if not self.drawn.may_be(slot, False):
                must.append(way)
            elif self.drawn.may_be(slot, True):
                may.append(way)
        return must, may

    def size(self) -> int:
        """At most so many options; found without making them."""
        shapes = 0
        for cell in self.cell_items:
            must, may = self._ways(cell)
            # The sum of (2^open - 1) ways to be nearer, over the subsets of the open sides.
            ways = 2 ** len(must) * 3 ** len(may) - 2 ** len(may)
            shapes += ways * len(self._range(cell))
        return shapes + 2 * len(self.slot_items) + 12 * len(self.cell_items)

    def _range(self, cell: int) -> range:
        """The distances that a cell can have from the root."""
        if cell == self.root:
            return range(1)
        return range(self.least[cell], self.most + 1, 2)

    def _blocks(self) -> Iterator[tuple[int, list[Slot]]]:
        """The 3x3 blocks of free cells: the top left cell, and the twelve slots inside.

        None where halls are allowed.
        """
        if self.rules.halls:
            return
        width, height = self.grid.width, self.grid.height
        for y in range(height - 2):
            for x in range(width - 2):
                corner = y * width + x
                rows = [corner + row * width for row in range(3)]
                inner = [(row + column, EAST) for row in rows for column in range(2)]
                inner += [(row + column, SOUTH) for row in rows[:2] for column in range(3)]
                # Where a cell of the block is closed, so are walls of it, always.
                if all(slot in self.slot_items for slot in inner):
                    yield corner, inner


_OPEN, _CLOSED = "open", "closed"


def _subsets(things: Sequence[T]) -> Iterator[tuple[T, ...]]:
    return chain.from_iterable(combinations(things, n) for n in range(len(things) + 1))


def _distances(grid: Grid, root: int) -> dict[int, int]:
    """The distance of each free cell from the root on the board without any inner wall."""
    found = {root: 0}
    waiting = [root]
    for cell in waiting:
        for _, there in grid.neighbours[cell]:
            if there not in found:
                found[there] = found[cell] + 1
                waiting.append(there)
    return found


def _spell(grid: Grid, slot: Slot) -> str:
    """A slot as items name it: ``2,0E``."""
    return f"{spell(grid.place(slot[0]))}{Side(slot[1]).name}"
