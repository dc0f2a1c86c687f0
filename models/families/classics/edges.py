"""Squares with coloured edges, edge to edge of one colour.

``macmahon:2x3:2`` takes MacMahon's set, every square that can be made with 2 colours (up to
turning), ``edges:1x2:abab,aabb`` the squares that are listed (colours of the top, right, bottom
and left edge). A fourth part makes the rim of one colour: ``macmahon:4x6:3:a``; says that squares
may not be turned: ``fixed``, as in Tetravex; or lays squares down: ``r0c1=abab``. In the file of
``edges:FILE.txt`` the first line is the size and the words of that part, and each further line is
a square.

Squares may be turned if nothing else is said, never turned over. The edges of the grid are
secondary items, and the colours are exact-cover colours; equal squares are one item with a
multiplicity.

A symmetry turns or mirrors the board and may exchange colours, if both together map the squares
to themselves and keep the rim and what was laid down.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations, product

import numpy as np

from twostep.models.drawing.grid import borders, outlined, place, rectangle
from twostep.models.drawing.scene import (
    NO_MARKS,
    Area,
    Layer,
    Line,
    Marks,
    Point,
    Scene,
    Shape,
    Text,
    Weight,
    square,
)
from twostep.models.errors import InputError
from twostep.models.families.classics.given import (
    Row,
    check_size,
    is_file,
    misread,
    rows,
    same_size,
    size,
    whole,
)
from twostep.models.families.puzzle import Choice, Family, Puzzle
from twostep.models.language.builder import Entry, ModelBuilder
from twostep.models.language.model import Model, Solution
from twostep.models.words import counted

MAX_SIDE = 30
MAX_COLOURS = 6
MOST_IMAGES = 20_000_000
"""Where symmetries that exchange colours would be a larger table, only the board's are known."""

Tile = str
"""Colours of the top, right, bottom and left edge."""


def turns(tile: Tile) -> list[Tile]:
    """The different squares that `tile` is when turned, itself first."""
    return list(dict.fromkeys(tile[-k:] + tile[:-k] if k else tile for k in range(4)))


def macmahon(colours: int) -> list[Tile]:
    """Every square with edges of so many colours, up to turning: n(n + 1)(n^2 - n + 2)/4."""
    every = ("".join(edges) for edges in product("abcdef"[:colours], repeat=4))
    return [tile for tile in every if tile == min(turns(tile))]


_Label = tuple[int, int, Tile]


@dataclass(frozen=True, slots=True)
class Rules:
    """What is said besides the squares: see :class:`EdgeMatching`."""

    rim: str | None = None
    may_turn: bool = True
    laid: Mapping[tuple[int, int], Tile] = field(default_factory=dict)


class EdgeMatching(Puzzle):
    """A rectangle to be filled with squares.

    Attributes:
        shape: rows and columns.
        copies: each square, in its smallest turn, with the number of its copies.
        rim: the colour of all outer edges, or None.
        may_turn: whether squares may be turned.
        laid: squares that lie on the board already, as they are turned, by row and column.
    """

    def __init__(
        self, name: str, shape: tuple[int, int], tiles: Iterable[Tile], rules: Rules | None = None
    ) -> None:
        """Check what is laid down.

        Raises:
            InputError: a square outside the board, of another kind, or against the rim.
        """
        rules = rules or Rules()
        self.name = name
        self.shape = shape
        self.rim = rules.rim
        self.may_turn = rules.may_turn
        self.laid = dict(rules.laid)
        self.copies = Counter(self._kind(tile) for tile in tiles)
        for (r, c), tile in self.laid.items():
            what = f"square {tile} at r{r}c{c}"
            if r >= shape[0] or c >= shape[1]:
                raise InputError(f"{what}: outside the board of {shape[0]}x{shape[1]}")
            if self._kind(tile) not in self.copies:
                raise InputError(f"{what}: it is none of the squares{self._as_turned()}")
            if not self._fits_the_rim(tile, r, c):
                raise InputError(f"{what}: its outer edges are not {self.rim}, the rim's colour")

    def _kind(self, tile: Tile) -> Tile:
        """Which square it is: one for all its turns, if squares may be turned."""
        return min(self._turns(tile))

    def _turns(self, tile: Tile) -> list[Tile]:
        return turns(tile) if self.may_turn else [tile]

    def _as_turned(self) -> str:
        return "" if self.may_turn else ", which may not be turned"

    def obstacle(self) -> str | None:
        """More or fewer squares than cells."""
        cells = self.shape[0] * self.shape[1]
        have = self.copies.total()
        return None if have == cells else f"{counted(have, 'square')} for {counted(cells, 'cell')}"

    def build(self) -> Model:
        """One option for each square, turn and cell; its label is (row, column, turned square)."""
        height, width = self.shape
        check_size(sum(len(self._turns(tile)) for tile in self.copies) * height * width, 6)
        builder = ModelBuilder(self.name)
        square = {
            tile: builder.item(f"square-{tile}", copies, copies)
            for tile, copies in self.copies.items()
        }
        cells = list(product(range(height), range(width)))
        option_of: dict[_Label, int] = {}
        cell = {(r, c): builder.item(f"cell-{r},{c}") for r, c in cells}
        # Above cell r, c; left of cell r, c.
        above = {
            (r, c): builder.secondary(f"above-{r},{c}")
            for r in range(height + 1)
            for c in range(width)
        }
        left = {
            (r, c): builder.secondary(f"left-{r},{c}")
            for r in range(height)
            for c in range(width + 1)
        }
        for tile in self.copies:
            for turned in self._turns(tile):
                for r, c in cells:
                    if not self._fits_the_rim(turned, r, c):
                        continue
                    edges = (above[r, c], left[r, c + 1], above[r + 1, c], left[r, c])
                    entries: list[Entry] = [square[tile], cell[r, c]]
                    entries += zip(edges, turned, strict=True)
                    option_of[r, c, turned] = builder.option(entries, label=(r, c, turned))
        builder.chosen = [option_of[r, c, tile] for (r, c), tile in self.laid.items()]
        builder.symmetries = np.array(
            [[option_of[image(label)] for label in option_of] for image, _, _ in self._images]
        ).reshape(-1, len(option_of))
        return builder.build()

    @cached_property
    def _images(self) -> list[tuple[_Image, bool, bool]]:
        """The symmetries, the identity first, and whether each moves cells and colours."""
        height, width = self.shape
        moves = [move for move in range(8) if height == width or move % 2 == 0]
        options = sum(len(self._turns(tile)) for tile in self.copies) * height * width
        exchanged = [dict(zip(self.colours, self.colours, strict=True))]
        if len(self.colours) <= MAX_COLOURS:
            every = permutations(self.colours)
            exchanged = [dict(zip(self.colours, colours, strict=True)) for colours in every]
        if len(exchanged) * len(moves) * options > MOST_IMAGES:
            exchanged = exchanged[:1]
        found = []
        for number, colours in enumerate(exchanged):
            for move in moves:
                image = _Image(move, self.shape, colours)
                laid = {image((r, c, tile)) for (r, c), tile in self.laid.items()}
                tiles = {self._kind(image.tile(tile)): n for tile, n in self.copies.items()}
                keeps_rim = self.rim is None or colours[self.rim] == self.rim
                keeps_laid = laid == {(r, c, tile) for (r, c), tile in self.laid.items()}
                if keeps_rim and keeps_laid and tiles == self.copies:
                    found.append((image, move > 0, number > 0))
        return found

    @property
    def symmetry(self) -> str:
        """How many of them are the board's, where colours may be exchanged, too."""
        boards = sum(not exchanged for _, _, exchanged in self._images)
        colours = sum(not moved for _, moved, _ in self._images)
        if boards == len(self._images):
            return ""
        if boards * colours == len(self._images):
            return f": {boards} of the board, {colours} of the colours"
        return " of the board and the colours"

    def move(self, option: int) -> str:
        """``square aabb in row 1, column 2``, as it is turned there."""
        r, c, _ = self.model.labels[option]
        return f"{self.piece(option)} in {place((r, c))}"

    def piece(self, option: int) -> str:
        """``square aabb``, as it is turned."""
        return f"square {self.model.labels[option][2]}"

    def need(self, item: int) -> str:
        """``square aabb``, ``row 1, column 2``, or an edge of a cell."""
        kind, _, rest = self.model.items[item].partition("-")
        if kind == "square":
            return f"square {rest}"
        r, c = map(int, rest.split(","))
        edge = {"above": "the edge above ", "left": "the edge left of "}.get(kind, "")
        return edge + place((r, c))

    def choice(self, item: int) -> Choice:
        """Of places for a square, of ways to fill a cell."""
        if self.model.items[item].startswith("square-"):
            return Choice("way", "to lie", "the squares", "one")
        return Choice("way", "to be filled")

    def read(self, rows: Sequence[str]) -> tuple[int, ...]:
        """The colours of the edges, ``.`` within the cells that are open."""
        height, width = self.shape
        option_of = {label: option for option, label in enumerate(self.model.labels)}
        at = {(r, c): char for r, c, char in same_size(rows, 2 * height + 1, 2 * width + 1)}
        found = []
        for r, c in product(range(height), range(width)):
            y, x = 2 * r + 1, 2 * c + 1
            if at[y, x] == ".":
                continue
            square = at[y - 1, x] + at[y, x + 1] + at[y + 1, x] + at[y, x - 1]
            if (option := option_of.get((r, c, square))) is None:
                what = f"{square!r} is no square that fits here"
                raise misread(f"{what}: put . within the cell if it is open", y, x)
            found.append(option)
        return tuple(found)

    def draw(self, solution: Solution) -> str:
        """The colours of the edges: horizontal ones, vertical ones, and so on."""
        height, width = self.shape
        lines = [list("+ " * width + "+") for _ in range(2 * height + 1)]
        for r in range(height):
            lines[2 * r + 1] = [" ", "."] * width + [" "]
        for option in solution:
            r, c, (top, right, bottom, left) = self.model.labels[option]
            lines[2 * r][2 * c + 1], lines[2 * r + 1][2 * c + 1] = top, " "
            lines[2 * r + 1][2 * c + 2] = right
            lines[2 * r + 2][2 * c + 1] = bottom
            lines[2 * r + 1][2 * c] = left
        return "\n".join("".join(line) for line in lines)

    def picture(self, placed: Iterable[int] = (), marks: Marks = NO_MARKS) -> Scene:
        """Each square as four triangles in the colours of its edges, with their letters."""
        height, width = self.shape
        laid = tuple(dict.fromkeys([*self.model.chosen, *placed]))
        number_of = {colour: number for number, colour in enumerate(self.colours)}
        cells = rectangle(height, width)
        board: list[Shape] = [Area(square(*cell), name=place(cell)) for cell in cells]
        if self.rim is not None:
            fill = number_of[self.rim]
            corners = ((0.0, 0.0), (width, 0), (width, height), (0, height), (0, 0))
            board.append(Line(corners, Weight.WALL, fill))
        squares: list[Shape] = []
        around: list[Shape] = []
        for option in laid:
            r, c, tile = self.model.labels[option]
            for side, colour in enumerate(tile):
                corner, at = _triangle((r, c), side)
                squares.append(Area(corner, number_of[colour], name=f"{place((r, c))}: {colour}"))
                squares.append(Text(at, colour, 0.28, on=number_of[colour]))
            if option in marks.options:
                around += outlined([(r, c)])
        first = len(self.copies)  # the items of the squares come first, then the cells
        for item in marks.items:
            if 0 <= item - first < len(cells):
                around += outlined([cells[item - first]])
        layers = (
            Layer("board", tuple(board)),
            Layer("squares", tuple(squares)),
            Layer("lines", tuple(borders({cell: cell for cell in cells}, Weight.THIN))),
            Layer("marks", tuple(around)),
        )
        return Scene(self.name, width, height, layers, self.draw(laid))

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours of the squares, sorted."""
        return tuple(sorted(set("".join(self.copies))))

    def _fits_the_rim(self, tile: Tile, r: int, c: int) -> bool:
        height, width = self.shape
        outer = (r == 0, c == width - 1, r == height - 1, c == 0)
        return self.rim is None or all(
            colour == self.rim for colour, at_rim in zip(tile, outer, strict=True) if at_rim
        )


@dataclass(frozen=True, slots=True)
class _Image:
    """Where a symmetry sends a square that lies on the board.

    Attributes:
        move: quarter turns, clockwise; 4 and more: mirrored before, left to right.
        shape: rows and columns of the board.
        colours: which colour each becomes.
    """

    move: int
    shape: tuple[int, int]
    colours: dict[str, str]

    def __call__(self, label: _Label) -> _Label:
        r, c, tile = label
        height, width = self.shape
        if self.move >= 4:
            c = width - 1 - c
        for _ in range(self.move % 4):
            r, c, height, width = c, height - 1 - r, width, height
        return r, c, self.tile(tile)

    def tile(self, tile: Tile) -> Tile:
        """The square, turned, mirrored, and with its new colours."""
        if self.move >= 4:
            tile = tile[0] + tile[3] + tile[2] + tile[1]
        start = -self.move % 4  # the side that comes to the top
        return "".join(self.colours[colour] for colour in tile[start:] + tile[:start])


def _triangle(cell: tuple[int, int], side: int) -> tuple[tuple[Point, ...], Point]:
    """The triangle at one side of a cell (top, right, bottom, left), and where its letter is."""
    corners = square(*cell)
    x, y = cell[1] + 0.5, cell[0] + 0.5
    right, down = ((0, -1), (1, 0), (0, 1), (-1, 0))[side]
    return (corners[side], corners[(side + 1) % 4], (x, y)), (x + 0.32 * right, y + 0.32 * down)


def _parse_macmahon(text: str) -> EdgeMatching:
    shape, *rest = text.split(":")
    if not 1 <= len(rest) <= 2:
        raise InputError(f"{text[:40]!r}: expected {MACMAHON.syntax}")
    tiles = macmahon(whole(rest[0], "colours", 1, MAX_COLOURS))
    rules = _rules(rest[1].split(","), tiles) if len(rest) == 2 else None
    return EdgeMatching(f"macmahon:{text}", size(shape, MAX_SIDE), tiles, rules)


def _parse_edges(text: str) -> EdgeMatching:
    name = f"edges:{text}"
    if is_file(text):
        first, *lines = rows(text)
        words = first.text.split()
        try:
            shape = size(words[0], MAX_SIDE)
            tiles = [_tile(line) for line in lines]
            rules = _rules(words[1:], tiles)
            return EdgeMatching(name, shape, tiles, rules)
        except InputError as error:
            if error.source is not None:
                raise
            raise first.refuse(error.message) from None
    parts = text.split(":")
    if not 2 <= len(parts) <= 3:
        raise InputError(f"{text[:40]!r}: expected {EDGES.syntax}")
    tiles = [_tile(Row(tile, number)) for number, tile in enumerate(parts[1].split(","), start=1)]
    given = parts[2].split(",") if len(parts) == 3 else []
    return EdgeMatching(name, size(parts[0], MAX_SIDE), tiles, _rules(given, tiles))


def _rules(words: Sequence[str], tiles: list[Tile]) -> Rules:
    """The rim's colour, ``fixed``, and squares laid down, in any order."""
    rim, may_turn = None, True
    laid: dict[tuple[int, int], Tile] = {}
    for word in words:
        if word == "fixed":
            may_turn = False
        elif at := _LAID.fullmatch(word):
            place = int(at[1]), int(at[2])
            if place in laid:
                raise InputError(f"{word[:20]!r}: a square lies there already")
            laid[place] = _tile(Row(at[3], 1))
        elif len(word) != 1:
            raise InputError(f"{word[:20]!r}: expected a rim's colour, fixed, or r0c1=abab")
        elif rim is not None:
            raise InputError(f"rim {word[:20]!r}: it is {rim} already")
        else:
            rim = _rim(word, tiles)
    return Rules(rim, may_turn, laid)


_LAID = re.compile(r"r([0-9]{1,2})c([0-9]{1,2})=(.*)", re.ASCII)


def _tile(row: Row) -> Tile:
    if len(row.text) == 4 and row.text.isalnum():
        return row.text
    message = f"square {row.text[:20]!r}: expected four letters or digits, top right bottom left"
    raise row.refuse(message) if row.source else InputError(message)


def _rim(text: str, tiles: list[Tile]) -> str:
    if len(text) == 1 and any(text in tile for tile in tiles):
        return text
    known = ", ".join(sorted(set("".join(tiles))))
    raise InputError(f"rim {text[:20]!r}: expected one of the colours {known}")


MACMAHON = Family(
    "macmahon",
    "MacMahon's squares, one of each colouring, edges of one colour together",
    "macmahon:ROWSxCOLUMNS:COLOURS[:RIM,fixed,r0c1=SQUARE]"
    f" (up to {MAX_COLOURS} colours: a, b ...)",
    ("macmahon:2x3:2", "macmahon:4x6:3:a"),
    _parse_macmahon,
)

EDGES = Family(
    "edges",
    "squares with coloured edges, edges of one colour together",
    "edges:ROWSxCOLUMNS:SQUARE,...[:RIM,fixed,r0c1=SQUARE], a square being its colours top right"
    " bottom left; or a file",
    (
        "edges:2x2:aabb,abba,abab,aaaa",
        "edges:3x3:5684,1341,9221,2553,7009,3765,6896,4472,8110:fixed",
        "edges:2x3:aaaa,aaab,aabb,abab,abbb,bbbb:r0c0=aabb",
    ),
    _parse_edges,
)
