"""Stars in each row, column and coloured region, none touching another.

The newspaper game: ``starbattle:AABB/AABB/CCDD/CCDD`` or ``starbattle:FILE.txt``, a letter for
each region; ``starbattle:2:ROWS`` has two stars in each row, column and region. Stars touch at
edges and at corners. Rows, columns and regions are primary items, covered as often as they have
stars; two touching cells share a 2x2 block, and the blocks are secondary items.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from twostep.models.drawing.geometry import apart
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
from twostep.models.families.classics.given import (
    Row,
    close,
    misread,
    rows,
    same_length,
    same_size,
    square_symmetries,
    whole,
)
from twostep.models.families.likeness import Likeness, grid_key
from twostep.models.families.polyomino.pieces import regions
from twostep.models.families.puzzle import Choice, Family, Puzzle
from twostep.models.language.builder import ModelBuilder
from twostep.models.language.model import IntArray, Model, Solution
from twostep.models.words import counted

MAX_SIDE = 60
MAX_STARS = 9


class StarBattle(Puzzle):
    """One board of the game.

    Attributes:
        regions: the rows of the board, a character per region.
        stars: how many are in each row, column and region.
    """

    def __init__(self, name: str, picture: list[Row], stars: int = 1) -> None:
        """Check the picture.

        Raises:
            InputError: not square, or too large.
        """
        self.name = name
        self.stars = stars
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
        self._parts = {region: regions(where) for region, where in cells.items()}

    @property
    def remark(self) -> str:
        """A region in several parts, which is allowed, and rarely meant."""
        for region, parts in self._parts.items():
            if len(parts) > 1:
                return (
                    f"region {region} is in {len(parts)} parts: one is at {place(parts[0][0])},"
                    f" another at {place(parts[1][0])}"
                )
        return ""

    @cached_property
    def likeness(self) -> Likeness:
        """Turned and mirrored copies with other letters for the regions are the same board."""
        return Likeness((("regions", f"starbattle {self.stars} {grid_key(self.regions)}"),))

    def obstacle(self) -> str | None:
        """A number of regions other than that of the rows."""
        n, found = len(self.regions), len(self._names)
        return (
            None
            if n == found
            else f"{counted(n, 'row')} and {counted(found, 'region')}: each needs"
            f" {counted(self.stars, 'star')}"
        )

    def build(self) -> Model:
        """Option r * n + c is a star in row r, column c; its label is (r, c).

        The symmetries are those of the square that send each region to a region.
        """
        n, stars = len(self.regions), self.stars
        builder = ModelBuilder(self.name)
        for r in range(n):
            builder.item(f"r{r}", stars, stars)
        for c in range(n):
            builder.item(f"c{c}", stars, stars)
        region_item = {
            region: builder.item(f"region-{region}", stars, stars) for region in self._names
        }
        block = {
            (r, c): builder.secondary(f"block-{r},{c}") for r in range(n - 1) for c in range(n - 1)
        }
        for r in range(n):
            for c in range(n):
                corners = ((r + i, c + j) for i in (-1, 0) for j in (-1, 0))
                blocks = [block[corner] for corner in corners if corner in block]
                region = region_item[self.regions[r][c]]
                builder.option([r, n + c, region, *blocks], label=(r, c))
        region_of = np.array([self._names.index(name) for row in self.regions for name in row])
        builder.symmetries = np.array(
            [image for image in square_symmetries(n) if _keeps(image, region_of)]
        )
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
        return Choice("cell", "for its star" if self.stars == 1 else "for its stars")

    def read(self, rows: Sequence[str]) -> tuple[int, ...]:
        """A star by its region's letter or ``*``, ``.`` where a cell is open."""
        n = len(self.regions)
        found = []
        for r, c, char in same_size(rows, n, n):
            if char in ". ":
                continue
            if char not in ("*", self.regions[r][c]):
                raise misread(f"{char!r} is not a star: its region's letter, or *", r, c)
            found.append(r * n + c)
        return tuple(found)

    def draw(self, solution: Solution) -> str:
        """The board, where a star stands its region's letter."""
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
        groups = [[cell for cell in cells if region_of[cell] == k] for k in range(len(self._names))]
        colours = apart(groups)

        def fill(cell: Cell) -> Colour:
            return Role.MARK if cell in pointed else colours[region_of[cell]]

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
        taken = {divmod(option, n) for option in stars}
        text = "\n".join(
            "".join("*" if (r, c) in taken else self.regions[r][c] for c in range(n))
            for r in range(n)
        )
        return Scene(self.name, n, n, layers, text)

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


def _keeps(image: IntArray, region_of: npt.NDArray[np.int64]) -> bool:
    """Whether a symmetry sends each region to a region."""
    pairs = set(zip(region_of.tolist(), region_of[image].tolist(), strict=True))
    return len(pairs) == len({one for one, _ in pairs}) == len({other for _, other in pairs})


def parse(text: str) -> StarBattle:
    """The board of ``[STARS:]ROWS`` or ``[STARS:]FILE``.

    Raises:
        InputError: no such number of stars, or a board that is refused.
    """
    stars, board = 1, text
    if found := re.fullmatch(r"([0-9]+):(.*)", text, re.ASCII | re.DOTALL):
        stars, board = whole(found[1], "stars", 1, MAX_STARS), found[2]
    return StarBattle(f"starbattle:{text}", close(rows(board)), stars)


FAMILY = Family(
    "starbattle",
    "stars in each row, column and region, none touching another",
    "starbattle:[STARS:]ROWS, a letter per region, '/' between rows; or a file of such rows",
    (
        "starbattle:ACDDDB/ACDDBB/CCDDDD/CCFDDD/CFFFDE/CFFFEE",
        "starbattle:AABB/AABB/CCDD/CCDD",
        "starbattle:2:aaeeeeeeeg/aaeaaafeeg/aaaaffffgg/bbaaabffgf/bbbbbbbfgf/bbcchhhfff/"
        "cccchddfff/cccdddiiii/ddccdjjjjj/dddddddjjj",
    ),
    parse,
)
