"""Where were the dominoes? ``dominosa:001/110``.

A set of dominoes 0-0 to n-n was laid out as a rectangle and only the numbers were written down.
Find where each lies: every cell in one domino, every domino once.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

from twostep.models.drawing.geometry import apart
from twostep.models.drawing.grid import (
    areas,
    borders,
    hairlines,
    outlined,
    place,
    rectangle,
    written,
)
from twostep.models.drawing.scene import (
    NO_MARKS,
    Area,
    Colour,
    Layer,
    Line,
    Marks,
    Point,
    Role,
    Scene,
    Shape,
    Weight,
)
from twostep.models.errors import InputError
from twostep.models.families.classics.given import Row, close, misread, rows, same_length, same_size
from twostep.models.families.likeness import Likeness, grid_key
from twostep.models.families.puzzle import Choice, Family, Puzzle
from twostep.models.language.builder import ModelBuilder
from twostep.models.language.model import Model, Solution
from twostep.models.words import counted

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Dominosa(Puzzle):
    """One layout.

    Attributes:
        numbers: the rows of the rectangle, as numbers.
        highest: n of the set of dominoes 0-0 to n-n.
    """

    def __init__(self, name: str, picture: list[Row]) -> None:
        """Check the picture.

        Raises:
            InputError: no number, or not the size or the numbers of a set of dominoes.
        """
        self.name = name
        width = same_length(picture)
        cells = len(picture) * width
        # (n + 1)(n + 2) cells
        self.highest = (math.isqrt(4 * cells + 1) - 3) // 2
        if (self.highest + 1) * (self.highest + 2) != cells or self.highest >= len(DIGITS):
            raise InputError(
                f"{len(picture)} x {width} = {cells} cells: expected (n + 1)(n + 2), the cells of"
                " the dominoes 0-0 to n-n: 2, 6, 12, 20, 30 ..."
            )
        # Character by character: in upper case a text may be longer.
        number_of = {digit: number for number, digit in enumerate(DIGITS[: self.highest + 1])}
        for row in picture:
            for c, character in enumerate(row.text):
                if character.upper() not in number_of:
                    expected = f"0 to {DIGITS[self.highest]}"
                    raise row.refuse(f"{character!r}, expected {expected}", c)
        self.numbers = tuple(
            tuple(number_of[character.upper()] for character in row.text) for row in picture
        )

    @cached_property
    def likeness(self) -> Likeness:
        """Turned and mirrored copies with other numbers for the numbers are the same layout."""
        return Likeness((("numbers", f"dominosa {grid_key(self.numbers)}"),))

    def obstacle(self) -> str | None:
        """A number that doesn't stand as often as the set has it."""
        times = Counter(number for row in self.numbers for number in row)
        for number in range(self.highest + 1):
            if times[number] != self.highest + 2:
                return (
                    f"{DIGITS[number]} stands {counted(times[number], 'time')}, the dominoes have"
                    f" it {self.highest + 2} times"
                )
        return None

    def build(self) -> Model:
        """One option for each pair of neighbours; its label is the two cells."""
        builder = ModelBuilder(self.name)
        domino = {
            (low, high): builder.item(f"domino-{DIGITS[low]}-{DIGITS[high]}")
            for low in range(self.highest + 1)
            for high in range(low, self.highest + 1)
        }
        height, width = len(self.numbers), len(self.numbers[0])
        cell = [[builder.item(f"cell-{r},{c}") for c in range(width)] for r in range(height)]
        for r in range(height):
            for c in range(width):
                for s, d in ((r, c + 1), (r + 1, c)):
                    if s < height and d < width:
                        low, high = sorted((self.numbers[r][c], self.numbers[s][d]))
                        entries = [domino[low, high], cell[r][c], cell[s][d]]
                        builder.option(entries, label=((r, c), (s, d)))
        return builder.build()

    def move(self, option: int) -> str:
        """``domino 1-2 on row 1, column 2 and row 1, column 3``."""
        one, other = self.model.labels[option]
        return f"{self.piece(option)} on {place(one)} and {place(other)}"

    def piece(self, option: int) -> str:
        """``domino 1-2``."""
        low, high = sorted(self.numbers[r][c] for r, c in self.model.labels[option])
        return f"domino {DIGITS[low]}-{DIGITS[high]}"

    def need(self, item: int) -> str:
        """``domino 1-2``, or ``the 3 in row 1, column 2``."""
        if (cell := self._cell_of(item)) is None:
            return self.model.items[item].replace("domino-", "domino ")
        r, c = cell
        return f"the {DIGITS[self.numbers[r][c]]} in {place(cell)}"

    def choice(self, item: int) -> Choice:
        """Of places for a domino, of neighbours for a number."""
        if self._cell_of(item) is None:
            return Choice("place", "", "the dominoes", "one")
        return Choice("neighbour")

    def _cell_of(self, item: int) -> tuple[int, int] | None:
        """The cell that an item is; None: it is a domino."""
        dominoes = (self.highest + 1) * (self.highest + 2) // 2
        return None if item < dominoes else divmod(item - dominoes, len(self.numbers[0]))

    def read(self, rows: Sequence[str]) -> tuple[int, ...]:
        """The numbers, ``-`` or ``|`` between those of a domino that lies; blank or ``.``: open."""
        height, width = len(self.numbers), len(self.numbers[0])
        option_of = {label: option for option, label in enumerate(self.model.labels)}
        found = []
        for r, c, char in same_size(rows, 2 * height - 1, 2 * width - 1):
            if r % 2 == 0 and c % 2 == 0:
                number = DIGITS[self.numbers[r // 2][c // 2]]
                if char.upper() != number:
                    raise misread(f"{char!r}, expected the layout's number {number}", r, c)
            elif char not in " .":
                if char != ("-" if r % 2 == 0 else "|") or (r % 2 and c % 2):
                    raise misread(
                        f"{char!r}, expected - or | between the numbers of a domino", r, c
                    )
                ends = (r // 2, c // 2), ((r + 1) // 2, (c + 1) // 2)
                found.append(option_of[ends])
        return tuple(found)

    def draw(self, solution: Solution) -> str:
        """The numbers, those of one domino joined by ``-`` or ``|``."""
        height, width = len(self.numbers), len(self.numbers[0])
        lines = [[" "] * (2 * width - 1) for _ in range(2 * height - 1)]
        for r, row in enumerate(self.numbers):
            for c, number in enumerate(row):
                lines[2 * r][2 * c] = DIGITS[number]
        for option in solution:
            (r, c), (s, d) = self.model.labels[option]
            lines[r + s][c + d] = "-" if r == s else "|"
        return "\n".join("".join(line).rstrip() for line in lines)

    def picture(self, placed: Iterable[int] = (), marks: Marks = NO_MARKS) -> Scene:
        """The numbers, and the dominoes around theirs."""
        laid = tuple(placed)
        height, width = len(self.numbers), len(self.numbers[0])
        cells = rectangle(height, width)
        fill: dict[tuple[int, int], Colour] = dict.fromkeys(cells, Role.CELL)
        dominoes: list[Shape] = []
        numbers_of = [self.model.option(option)[0][0] for option in laid]  # the dominoes' items
        colours = apart([self.model.labels[option] for option in laid], numbers_of)
        for option, number, colour in zip(laid, numbers_of, colours, strict=True):
            pair = self.model.labels[option]
            fill.update(dict.fromkeys(pair, Role.MARK if option in marks.options else colour))
            corners = domino_rim(pair)
            dominoes.append(Area(corners, fill[pair[0]], name=self.model.items[number]))
            dominoes.append(Line((*corners, corners[0]), Weight.EDGE))
        numbers: list[Shape] = [
            written((r, c), DIGITS[self.numbers[r][c]], fill[r, c]) for r, c in cells
        ]
        first = math.comb(self.highest + 2, 2)  # the items of the dominoes come first
        around = [
            shape
            for item in marks.items
            if item >= first
            for shape in outlined([divmod(item - first, width)])
        ]
        layers = (
            Layer("board", (*areas(cells), *hairlines(cells), *borders(dict.fromkeys(cells, 0)))),
            Layer("dominoes", tuple(dominoes)),
            Layer("numbers", tuple(numbers)),
            Layer("marks", tuple(around)),
        )
        return Scene(self.name, width, height, layers, self.draw(laid))


def domino_rim(pair: tuple[tuple[int, int], tuple[int, int]]) -> tuple[Point, ...]:
    """The corners of a domino, which leaves a little room at the sides of its cells."""
    (r, c), (s, d) = pair
    top, left, bottom, right = r + _ROOM, c + _ROOM, s + 1 - _ROOM, d + 1 - _ROOM
    return (left, top), (right, top), (right, bottom), (left, bottom)


_ROOM = 0.08

FAMILY = Family(
    "dominosa",
    "find the dominoes 0-0 to N-N in a rectangle of their numbers",
    "dominosa:ROWS of digits, '/' between rows; or a file of such rows",
    ("dominosa:30021/22112/21030/31033", "dominosa:001/110"),
    lambda text: Dominosa(f"dominosa:{text}", close(rows(text))),
)
