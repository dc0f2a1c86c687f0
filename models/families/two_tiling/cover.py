"""The exact-cover model of two tiles and one region.

For every cell c there are two primary items, ``Ac`` and ``Bc`` ("the first tiling, the second,
has dealt with c"), and a secondary item ``xc`` with the colours *in* and *out*: whether the
region has the cell. An option deals with a cell by leaving it out (x is *out*) or with several by
laying a tile (their x are *in*), each for one side. That the region is not empty, and has no
copies shifted up or down, is one more item, ``first``: the first cell of the region in the top
row, those before it being out. (Any region can be shifted up until it touches the top row.)

The suggested order goes through the cells row by row, A next to B: what one side lays, the other
must fill at once. An option that lays a tile of the first side costs its number of cells, so that
a solution costs the region's area.

With an area given, the number of tiles of each side is fixed by two items with multiplicity,
``A-tiles`` and ``B-tiles``: once a side has laid them all, no other fits. They stand last in the
order, because they are never a good place to branch.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from math import lcm

from twostep.models.errors import InputError
from twostep.models.families.polyomino.board import Board
from twostep.models.families.polyomino.pieces import Cell, Shape, extent
from twostep.models.families.polyomino.placement import cell_name, places
from twostep.models.families.two_tiling.tiles import BOARD, Tile
from twostep.models.language.builder import Entry, ModelBuilder
from twostep.models.language.model import Model, Solution
from twostep.models.words import counted

MAX_SIDE = 20
"""The largest board: 20 x 20."""

IN, OUT = "in", "out"


class Side(Enum):
    """One of the two tilings; the value begins its items' names."""

    FIRST = "A"
    SECOND = "B"


@dataclass(frozen=True, slots=True)
class Start:
    """The label of an option: the region's first cell in the top row."""

    cell: Cell

    def __str__(self) -> str:
        return f"first {cell_name(self.cell)}"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The label of an option: one side leaves the cell out of the region."""

    side: Side
    cell: Cell

    def __str__(self) -> str:
        return f"{self.side.value} without {cell_name(self.cell)}"


@dataclass(frozen=True, slots=True)
class Laid:
    """The label of an option: one side lays its tile on these cells (sorted)."""

    side: Side
    cells: tuple[Cell, ...]

    def __str__(self) -> str:
        return f"{self.side.value} at {' '.join(map(cell_name, self.cells))}"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two tiles and the size of the board on which their region must lie.

    Raises:
        InputError: the board is no larger than nothing, or larger than :data:`MAX_SIDE`.
    """

    first: Tile
    second: Tile
    rows: int = BOARD
    columns: int = BOARD

    def __post_init__(self) -> None:
        if not (1 <= self.rows <= MAX_SIDE and 1 <= self.columns <= MAX_SIDE):
            raise InputError(
                f"board {self.rows}x{self.columns} (ROWSxCOLUMNS): expected 1 to {MAX_SIDE} cells a"
                " side"
            )

    @property
    def sides(self) -> tuple[tuple[Side, Tile], tuple[Side, Tile]]:
        """Each side with its tile."""
        return (Side.FIRST, self.first), (Side.SECOND, self.second)

    @property
    def step(self) -> int:
        """The area of every region is a multiple of this: the least common one of the sizes."""
        return lcm(self.first.size, self.second.size)

    @property
    def areas(self) -> range:
        """The areas that a region may have, ascending."""
        return range(self.step, self.rows * self.columns + 1, self.step)

    def obstacle(self) -> str | None:
        """Why there is no region, if that is plain without a search."""
        for _, tile in self.sides:
            if not any(self._fits(shape) for shape in tile.orientations):
                return f"tile {tile.name} does not fit the board of {self.rows}x{self.columns}"
        if not self.areas:
            return (
                f"the area is a multiple of {self.first.size} and of {self.second.size}, so of"
                f" {self.step}, and the board has {counted(self.rows * self.columns, 'cell')}"
            )
        return None

    def _fits(self, shape: Shape) -> bool:
        high, wide = extent(shape)
        return high <= self.rows and wide <= self.columns


@dataclass(frozen=True, slots=True)
class Region:
    """A set of cells in both its tilings.

    Attributes:
        first, second: the tiles of each tiling, each as its cells, sorted; by first cell.
    """

    first: tuple[tuple[Cell, ...], ...]
    second: tuple[tuple[Cell, ...], ...]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The region, sorted."""
        return tuple(sorted(cell for tile in self.first for cell in tile))

    @property
    def area(self) -> int:
        """How many cells it has."""
        return sum(map(len, self.first))


def cover(pair: Pair, area: int | None = None, *, half: bool = False) -> Model:
    """The model of a pair; see the module's text.

    Args:
        pair: the tiles and the board.
        area: only regions of so many cells; None: of any number.
        half: of a region and its mirror image only the one with fewer cells out before its first
            cell in the top row than behind its last (both if there are as many): all that is
            needed to tell whether there is a region.

    Raises:
        InputError: `area` is none of the pair's areas.
    """
    if area is not None and area not in pair.areas:
        raise InputError(f"area {area}: expected a multiple of {pair.step} that fits the board")
    rows, columns = pair.rows, pair.columns
    builder = ModelBuilder(f"two tiles {pair.first.name}, {pair.second.name} on {rows}x{columns}")
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    start = builder.item("first")
    dealt: dict[Side, dict[Cell, int]] = {side: {} for side in Side}
    for cell in cells:
        for side, items in dealt.items():
            items[cell] = builder.item(f"{side.value}{cell_name(cell)}")
    tally = {} if area is None else {
        side: builder.item(f"{side.value}-tiles", low=area // tile.size)
        for side, tile in pair.sides
    }  # fmt: skip
    builder.order = range(1 + len(Side) * len(cells) + len(tally))
    state = {cell: builder.secondary(f"x{cell_name(cell)}") for cell in cells}
    is_in = {cell: (x, IN) for cell, x in state.items()}
    is_out = {cell: (x, OUT) for cell, x in state.items()}

    top = cells[:columns]
    for place, cell in enumerate(top[: (columns + 1) // 2] if half else top):
        out = [*top[:place], *(top[columns - place :] if half else ())]
        builder.option([start, *(is_out[other] for other in out), is_in[cell]], Start(cell))
    # To leave out comes first: so a region, once closed, is not made larger without need.
    for side, items in dealt.items():
        for cell in cells:
            builder.option([items[cell], is_out[cell]], LeftOut(side, cell))
    for side, tile in pair.sides:
        items = dealt[side]
        cost = tile.size if side is Side.FIRST else 0
        counted = [tally[side]] if tally else []
        for laid in _places(tile, rows, columns):
            entries: list[Entry] = [items[cell] for cell in laid]
            entries += counted
            entries += [is_in[cell] for cell in laid]
            builder.option(entries, Laid(side, laid), cost)
    return builder.build()


@lru_cache(maxsize=64)
def _places(tile: Tile, rows: int, columns: int) -> tuple[tuple[Cell, ...], ...]:
    """The cells of every placement of a tile, orientation by orientation, row by row."""
    board = Board(rows, columns, tuple((r, c) for r in range(rows) for c in range(columns)))
    return tuple(laid for shape in tile.orientations for laid in places(board, shape))


def region_of(model: Model, solution: Solution) -> Region:
    """The region that a solution of :func:`cover` means."""
    laid: dict[Side, list[tuple[Cell, ...]]] = {side: [] for side in Side}
    for option in solution:
        label = model.labels[option]
        if isinstance(label, Laid):
            laid[label.side].append(label.cells)
    return Region(tuple(sorted(laid[Side.FIRST])), tuple(sorted(laid[Side.SECOND])))
