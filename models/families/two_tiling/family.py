"""Two tiles, one region, as a puzzle: ``two-tiling:U5,L4``."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence

from twostep.models.drawing.grid import (
    Cell,
    areas,
    borders,
    hairlines,
    outlined,
    place,
    rectangle,
)
from twostep.models.drawing.scene import NO_MARKS, Colour, Layer, Marks, Role, Scene, Text
from twostep.models.errors import InputError
from twostep.models.families.classics.given import misread, same_size
from twostep.models.families.polyomino.placement import cell_name
from twostep.models.families.puzzle import Choice, Family, Puzzle
from twostep.models.families.two_tiling.contest import grids
from twostep.models.families.two_tiling.cover import MAX_SIDE, Laid, Pair, Side, cover, region_of
from twostep.models.families.two_tiling.tiles import BOARD, parse_tile
from twostep.models.language.model import Model, Solution

_TILINGS = {Side.FIRST: "the first tiling", Side.SECOND: "the second tiling"}

SYNTAX = "two-tiling:TILE,TILE[:SIDE|ROWSxCOLS]"


class TwoTiling(Puzzle):
    """Two tiles and the board (8x8 unless it says otherwise) that their region must lie on.

    A solution is a region that touches the top row, with both its tilings.
    """

    def __init__(self, name: str, pair: Pair) -> None:
        self.name = name
        self.pair = pair

    def build(self) -> Model:
        """The model, of regions of any area."""
        return cover(self.pair)

    def act(self, option: int) -> Hashable | None:
        """Laying a tile; that a cell is left out follows from that."""
        return option if isinstance(self.model.labels[option], Laid) else None

    def move(self, option: int) -> str:
        """``a U5 on 0,0 0,1 0,2 1,0 1,2 in the first tiling``."""
        label = self.model.labels[option]
        if not isinstance(label, Laid):
            return str(label)
        where = " ".join(map(cell_name, label.cells))
        return f"{self.piece(option)} on {where} in {_TILINGS[label.side]}"

    def piece(self, option: int) -> str:
        """``a U5``."""
        label = self.model.labels[option]
        if not isinstance(label, Laid):
            return "nothing"
        tile = self.pair.first if label.side is Side.FIRST else self.pair.second
        return f"tile {tile.name}"

    def need(self, item: int) -> str:
        """``cell (0,1) of the first tiling``, or ``the region's first cell``."""
        name = self.model.items[item]
        if name == "first":
            return "the region's first cell"
        where = {side.value: f" of {tiling}" for side, tiling in _TILINGS.items()}
        return f"cell ({name[1:]}){where.get(name[0], '')}"

    def choice(self, item: int) -> Choice:
        """Of ways, for all."""
        return Choice("way", "to be chosen" if item == 0 else "to be covered or left out")

    def read(self, rows: Sequence[str]) -> tuple[int, ...]:
        """Both tilings side by side, a sign for each tile, ``.`` where nothing lies."""
        height, width = self.pair.rows, self.pair.columns
        cells: dict[tuple[Side, str], list[tuple[int, int]]] = {}
        for r, c, char in same_size(rows, height, 2 * width + 1):
            if char not in ". ":
                side = Side.FIRST if c < width else Side.SECOND
                at = (r, c if c < width else c - width - 1)
                cells.setdefault((side, char), []).append(at)
        option_of = {
            (each.side, each.cells): option
            for option, each in enumerate(self.model.labels)
            if isinstance(each, Laid)
        }
        found = []
        for (side, char), its in cells.items():
            if (option := option_of.get((side, tuple(sorted(its))))) is None:
                row, column = its[0]
                at_column = column if side is Side.FIRST else column + width + 1
                raise misread(f"the cells of {char!r} are not the tile", row, at_column)
            found.append(option)
        return tuple(found)

    def draw(self, solution: Solution) -> str:
        """Both tilings side by side, as in the contest's output."""
        rows, columns = self.pair.rows, self.pair.columns
        left, right = grids(region_of(self.model, solution), rows, columns)
        return "\n".join(f"{one} {other}" for one, other in zip(left, right, strict=True))

    def picture(self, placed: Iterable[int] = (), marks: Marks = NO_MARKS) -> Scene:
        """Both tilings side by side, each below its tile's name."""
        options = [*self.model.chosen, *placed]
        rows, columns = self.pair.rows, self.pair.columns
        shift = {Side.FIRST: (1, 0), Side.SECOND: (1, columns + 1)}
        owner: dict[Cell, int] = {}
        for option in options:
            if isinstance(label := self.model.labels[option], Laid):
                down, right = shift[label.side]
                owner |= {(r + down, c + right): option for r, c in label.cells}
        number = {option: order for order, option in enumerate(sorted(set(owner.values())))}
        cells = [
            (r + down, c + right)
            for down, right in shift.values()
            for r, c in rectangle(rows, columns)
        ]

        def fill(cell: Cell) -> Colour:
            if (option := owner.get(cell)) is None:
                return Role.CELL
            return Role.MARK if option in marks.options else number[option]

        def name(cell: Cell) -> str:
            first = cell[1] < columns
            at = place((cell[0] - 1, cell[1] if first else cell[1] - columns - 1))
            what = f": {self.piece(owner[cell])}" if cell in owner else ""
            return f"{_TILINGS[Side.FIRST if first else Side.SECOND]}, {at}{what}"

        heads = [
            Text((right + columns / 2, 0.5), tile.name, 0.6, bold=True, width=float(columns))
            for (_, right), (_, tile) in zip(shift.values(), self.pair.sides, strict=True)
        ]
        edges = hairlines(cells) + borders(owner)
        pointed = set(marks.items)
        for option in marks.options:
            if not isinstance(self.model.labels[option], Laid):
                pointed |= {item for item, _ in self.model.option(option)}  # a cell left out
        around = [s for item in sorted(pointed) for s in outlined(self._cells_of(item, shift))]
        layers = (
            Layer("board", tuple(areas(cells, fill, name))),
            Layer("tiles", tuple(edges)),
            Layer("names", tuple(heads)),
            Layer("marks", tuple(around)),
        )
        return Scene(self.name, 2 * columns + 1, rows + 1, layers, self.draw(tuple(options)))

    def _cells_of(self, item: int, shift: Mapping[Side, Cell]) -> list[Cell]:
        """Where the cell of an item lies in the picture; in both tilings if it is of none."""
        found = re.fullmatch("([ABx])([0-9]+),([0-9]+)", self.model.items[item])
        if found is None:
            return []
        of = [shift[side] for side in Side if found[1] in (side.value, "x")]
        return [(int(found[2]) + down, int(found[3]) + right) for down, right in of]

    def obstacle(self) -> str | None:
        """A tile that does not fit, or areas that never agree."""
        return self.pair.obstacle()


def parse_pair(text: str, rows: int = BOARD, columns: int = BOARD) -> Pair:
    """The pair that ``U5,L4`` or ``##./.##,###/#.#`` names, on a board of that size.

    Raises:
        InputError: not two tiles, or an unknown one.
    """
    names = text.split(",")
    if len(names) != 2:
        raise InputError(
            f"{text[:60]!r}: expected two tiles with a comma between, such as U5,L4 or"
            f" ##./.##,###/#.#; got {len(names) if text else 0}"
        )
    return Pair(parse_tile(names[0]), parse_tile(names[1]), rows, columns)


def parse(arguments: str) -> TwoTiling:
    """The puzzle of ``TILE,TILE`` or ``TILE,TILE:BOARD``."""
    tiles, colon, board = arguments.partition(":")
    rows = columns = BOARD
    if colon:
        match = re.fullmatch(r"([0-9]{1,3})(?:x([0-9]{1,3}))?", board)
        if match is None:
            raise InputError(
                f"board {board[:20]!r}: expected a side such as 6, or ROWSxCOLUMNS such as"
                f" 5x8 (5 high, 8 wide), up to {MAX_SIDE}"
            )
        rows, columns = int(match[1]), int(match[2] or match[1])
    return TwoTiling(f"two-tiling:{arguments}", parse_pair(tiles, rows, columns))


FAMILY = Family(
    name="two-tiling",
    summary="a region that two given tiles both tile (Code Jam 2018)",
    syntax=SYNTAX,
    examples=("two-tiling:U5,L4", "two-tiling:##./.##,###/#.#", "two-tiling:I2,X5:6"),
    parse=parse,
)
