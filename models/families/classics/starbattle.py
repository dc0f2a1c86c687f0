"""A queen in each row, column and coloured region, none touching another.

The newspaper game: ``starbattle:AABB/AABB/CCDD/CCDD`` or ``starbattle:FILE.txt``, a letter for
each region. Diagonals are free except for neighbours. Rows, columns and regions are primary
items; two touching cells share a 2x2 block, and the blocks are secondary items.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from twostep.models.drawing.grid import (
    Cell,
    areas,
    borders,
    hairlines,
    middle,
    outlined,
    place,
    rectangle,
)
from twostep.models.drawing.scene import (
    NO_MARKS,
    Colour,
    Layer,
    Marks,
    Role,
    Scene,
    Shape,
    Sign,
    Token,
)
from twostep.models.errors import InputError
from twostep.models.families.classics.given import Row, rows, same_length
from twostep.models.families.likeness import Likeness, grid_key
from twostep.models.families.polyomino.pieces import regions
from twostep.models.families.puzzle import Choice, Family, Puzzle
from twostep.models.language.builder import ModelBuilder
from twostep.models.language.model import Model, Solution
from twostep.models.words import counted

MAX_SIDE = 60


class StarBattle(Puzzle):
    """One board of the game.

    Attributes:
        regions: the rows of the board, a character per region.
    """

    def __init__(self, name: str, picture: list[Row]) -> None:
        """Check the picture.

        Raises:
            InputError: not square, too large, or a region in two parts.
        """
        self.name = name
        n = same_length(picture)
        if len(picture) != n:
            raise InputError(
                f"{counted(len(picture), 'row')} of {counted(n, 'cell')}: expected a square board"
            )
        if n > MAX_SIDE:
            raise InputError(f"a board of {n} x {n}: expected at most {MAX_SIDE} x {MAX_SIDE}")
        self.regions = tuple(row.text for row in picture)
        cells: dict[str, list[tuple[int, int]]] = {}
        for r, row in enumerate(picture):
            for c, region in enumerate(row.text):
                if not region.isalnum():
                    raise row.refuse(f"{region!r}, expected a letter or digit for a region", c)
                cells.setdefault(region, []).append((r, c))
        self._names = tuple(cells)
        for region, where in cells.items():
            parts = regions(where)
            if len(parts) > 1:
                r, c = parts[1][0]
                raise picture[r].refuse(f"region {region!r} is in {len(parts)} parts", c)

    @cached_property
    def likeness(self) -> Likeness:
        """Turned and mirrored copies with other letters for the regions are the same board."""
        return Likeness((("regions", f"starbattle {grid_key(self.regions)}"),))

    def obstacle(self) -> str | None:
        """A number of regions other than that of the rows."""
        n, found = len(self.regions), len(self._names)
        return (
            None
            if n == found
            else f"{counted(n, 'row')} and {counted(found, 'region')}: each needs one queen"
        )

    def build(self) -> Model:
        """Option r * n + c is the queen in row r, column c; its label is (r, c)."""
        n = len(self.regions)
        builder = ModelBuilder(self.name)
        for r in range(n):
            builder.item(f"r{r}")
        for c in range(n):
            builder.item(f"c{c}")
        region_item = {region: builder.item(f"region-{region}") for region in self._names}
        block = {
            (r, c): builder.secondary(f"block-{r},{c}") for r in range(n - 1) for c in range(n - 1)
        }
        for r in range(n):
            for c in range(n):
                corners = ((r + i, c + j) for i in (-1, 0) for j in (-1, 0))
                blocks = [block[corner] for corner in corners if corner in block]
                region = region_item[self.regions[r][c]]
                builder.option([r, n + c, region, *blocks], label=(r, c))
        return builder.build()

    def move(self, option: int) -> str:
        """``a star in row 4, column 2``."""
        return f"a star in {place(divmod(option, len(self.regions)))}"

    def piece(self, option: int) -> str:
        """A star."""
        return "a star"

    def need(self, item: int) -> str:
        """``row 4``, ``column 2``, ``region A``, or the block whose cells touch each other."""
        n = len(self.regions)
        if item < 2 * n:
            return f"{'row' if item < n else 'column'} {item % n + 1}"
        if item < 2 * n + len(self._names):
            return f"region {self._names[item - 2 * n]}"
        r, c = divmod(item - 2 * n - len(self._names), n - 1)
        return f"the 2 x 2 block at {place((r, c))}"

    def choice(self, item: int) -> Choice:
        """Of cells."""
        return Choice("cell", "for its star")

    def draw(self, solution: Solution) -> str:
        """The board, where a queen stands its region's letter."""
        n = len(self.regions)
        taken = set(solution)
        return "\n".join(
            "".join(self.regions[r][c] if r * n + c in taken else "." for c in range(n))
            for r in range(n)
        )

    def picture(self, placed: Iterable[int] = (), marks: Marks = NO_MARKS) -> Scene:
        """The regions in their colours, and the stars."""
        n, stars = len(self.regions), tuple(placed)
        cells = rectangle(n, n)
        region_of = {(r, c): self._names.index(self.regions[r][c]) for r, c in cells}
        pointed = {divmod(option, n) for option in marks.options}

        def fill(cell: Cell) -> Colour:
            return Role.MARK if cell in pointed else region_of[cell]

        board = areas(cells, fill) + hairlines(cells) + borders(region_of)
        tokens: list[Shape] = [
            Token(middle(cell), Sign.STAR, on=fill(cell))
            for cell in (divmod(option, n) for option in stars)
        ]
        around = [shape for item in marks.items for shape in outlined(self._cells(item))]
        layers = (
            Layer("board", tuple(board)),
            Layer("stars", tuple(tokens)),
            Layer("marks", tuple(around)),
        )
        return Scene(self.name, n, n, layers, self.draw(stars))

    def _cells(self, item: int) -> list[Cell]:
        """The cells that an item speaks of: a row, a column, a region, a block of four."""
        n, found = len(self.regions), len(self._names)
        cells = rectangle(n, n)
        if item < 2 * n:
            return [cell for cell in cells if cell[item // n] == item % n]
        if item < 2 * n + found:
            name = self._names[item - 2 * n]
            return [(r, c) for r, c in cells if self.regions[r][c] == name]
        r, c = divmod(item - 2 * n - found, n - 1)
        return [(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)]


FAMILY = Family(
    "starbattle",
    "a queen in each row, column and region, none touching another",
    "starbattle:ROWS, a letter per region, '/' between rows; or a file of such rows",
    ("starbattle:ACDDDB/ACDDBB/CCDDDD/CCFDDD/CFFFDE/CFFFEE", "starbattle:AABB/AABB/CCDD/CCDD"),
    lambda text: StarBattle(f"starbattle:{text}", rows(text)),
)
