"""Dominoes whose pips fulfil a rule in each region, as the newspaper's Pips.

``pips:aab/.cb:12,30,11:a=3,b==,c>0``: the cells with a letter for each region, ``.`` for a cell
without rule and ``#`` for none; the dominoes; a rule for each region: ``a=3`` the pips have that
sum, ``a<3`` a smaller, ``a>3`` a greater one, ``a==`` all are equal, ``a!=`` all differ. In the
file of ``pips:FILE.txt`` the three parts stand below ``cells:``, ``dominoes:`` and ``rules:``.

Dominoes (with the number of equal ones) and cells are primary items. A region with a rule is one,
too: it chooses among the ways to give pips to its cells, and the pips of a cell are the colour of
a secondary item, in which the domino and the region agree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from twostep.models.drawing.grid import (
    Cell,
    areas,
    borders,
    hairlines,
    outlined,
    place,
    written,
)
from twostep.models.drawing.scene import (
    NO_MARKS,
    Colour,
    Layer,
    Line,
    Marks,
    Role,
    Scene,
    Shape,
    Text,
    Weight,
)
from twostep.models.errors import InputError
from twostep.models.families.classics.dominosa import domino_rim
from twostep.models.families.classics.given import (
    Row,
    is_file,
    misread,
    rows,
    same_length,
    same_size,
    whole,
)
from twostep.models.families.puzzle import Choice, Family, Puzzle
from twostep.models.language.builder import Entry, ModelBuilder
from twostep.models.language.model import Model, Solution
from twostep.models.words import counted

MAX_PIPS = 9
MAX_CELLS = 200
MOST_WAYS = 100_000
"""Ways to give pips to the cells of a region that a puzzle may have at most."""

Domino = tuple[int, int]
"""The pips of both ends, the fewer first."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What the pips of a region fulfil.

    Attributes:
        kind: ``=``, ``<``, ``>``, ``==`` or ``!=``.
        target: what their sum is compared with; 0 for ``==`` and ``!=``.
    """

    kind: str
    target: int

    def holds(self, pips: Sequence[int]) -> bool:
        """Whether they do."""
        total = sum(pips)
        return {
            "=": total == self.target,
            "<": total < self.target,
            ">": total > self.target,
            "==": len(set(pips)) == 1,
            "!=": len(set(pips)) == len(pips),
        }[self.kind]

    def __str__(self) -> str:
        return self.kind if self.kind in ("==", "!=") else f"{self.kind}{self.target}"

    def ways(self, size: int, values: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """The ways to give pips to so many cells; what can't be completed isn't begun."""
        least, most = values[0], values[-1]

        def fill(pips: tuple[int, ...], total: int) -> Iterator[tuple[int, ...]]:
            left = size - len(pips)
            low, high = total + left * least, total + left * most
            if self.kind in "=<" and self.kind != "==" and low > self.target - (self.kind == "<"):
                return
            if self.kind in ("=", ">") and high < self.target + (self.kind == ">"):
                return
            if not left:
                if self.holds(pips):
                    yield pips
                return
            for value in values:
                if (self.kind == "==" and pips and value != pips[0]) or (
                    self.kind == "!=" and value in pips
                ):
                    continue
                yield from fill((*pips, value), total + value)

        return fill((), 0)


class Pips(Puzzle):
    """One board.

    Attributes:
        region_of: the region of each cell, ``.`` if it has no rule.
        dominoes: how many there are of each.
        rules: by region.
    """

    def __init__(
        self, name: str, picture: list[Row], dominoes: list[Domino], rules: dict[str, Rule]
    ) -> None:
        """Check what was given.

        Raises:
            InputError: no cells, too many, or a rule for a region that isn't there.
        """
        self.name = name
        self.columns = same_length(picture)
        self.rows = len(picture)
        self.region_of = {
            (r, c): char
            for r, row in enumerate(picture)
            for c, char in enumerate(row.text)
            if char != "#"
        }
        for (r, c), char in self.region_of.items():
            if not (char == "." or char.isalnum()):
                raise picture[r].refuse(f"{char!r}, expected a region's letter, '.' or '#'", c)
            if char != "." and char not in rules:
                raise picture[r].refuse(f"region {char!r} has no rule: write '.' for none", c)
        if not 1 <= len(self.region_of) <= MAX_CELLS:
            raise InputError(f"{counted(len(self.region_of), 'cell')}, expected 1 to {MAX_CELLS}")
        for region, rule in rules.items():
            if region not in self.region_of.values():
                raise InputError(f"rule {region}{rule}: there is no region {region!r}")
        self.dominoes = Counter(dominoes)
        self.rules = rules

    def cells_of(self, region: str) -> list[Cell]:
        """The cells of a region."""
        return [cell for cell, name in self.region_of.items() if name == region]

    def obstacle(self) -> str | None:
        """More or fewer dominoes than fit."""
        cells, have = len(self.region_of), self.dominoes.total()
        if 2 * have != cells:
            return f"{_dominoes(have)} for {cells} cells"
        return None

    def build(self) -> Model:
        """Options of dominoes, label (cell, pips, cell, pips), then of regions: (region, pips)."""
        builder = ModelBuilder(self.name)
        domino_item = {
            each: builder.item(f"domino-{each[0]}-{each[1]}", number, number)
            for each, number in self.dominoes.items()
        }
        cell_item = {(r, c): builder.item(f"cell-{r},{c}") for r, c in self.region_of}
        region_item = {name: builder.item(f"region-{name}") for name in self.rules}
        pips_item = {
            (r, c): builder.secondary(f"pips-{r},{c}")
            for (r, c), name in self.region_of.items()
            if name != "."
        }
        for low, high in self.dominoes:
            for one, other in self._pairs():
                for ends in {(low, high), (high, low)}:
                    entries: list[Entry] = [
                        domino_item[low, high], cell_item[one], cell_item[other],
                    ]  # fmt: skip
                    for cell, pips in zip((one, other), ends, strict=True):
                        if cell in pips_item:
                            entries.append((pips_item[cell], f"{pips}"))
                    builder.option(entries, label=(one, ends[0], other, ends[1]))
        values = sorted({pips for each in self.dominoes for pips in each})
        number = 0
        for name, rule in self.rules.items():
            cells = self.cells_of(name)
            for way in rule.ways(len(cells), values) if values else ():
                number += 1
                if number > MOST_WAYS:
                    raise InputError(
                        f"region {name!r}: more than {MOST_WAYS:,} ways to give pips to"
                        f" {counted(len(cells), 'cell')}, too many for one rule"
                    )
                entries = [region_item[name]]
                pairs = zip(cells, way, strict=True)
                entries += [(pips_item[cell], f"{pips}") for cell, pips in pairs]
                builder.option(entries, label=(name, way))
        return builder.build()

    def _pairs(self) -> list[tuple[Cell, Cell]]:
        """Neighbouring cells."""
        return [
            ((r, c), near)
            for r, c in self.region_of
            for near in ((r, c + 1), (r + 1, c))
            if near in self.region_of
        ]

    def _is_domino(self, option: int) -> bool:
        return len(self.model.labels[option]) == 4

    def move(self, option: int) -> str:
        """``domino 1-5, 5 in row 1, column 2 and 1 in row 1, column 3``, or a region's pips."""
        if not self._is_domino(option):
            name, pips = self.model.labels[option]
            return f"pips {' '.join(map(str, pips))} in region {name}"
        one, first, other, second = self.model.labels[option]
        return f"{self.piece(option)}: {first} in {place(one)} and {second} in {place(other)}"

    def piece(self, option: int) -> str:
        """``domino 1-5``."""
        if not self._is_domino(option):
            return self.move(option)
        _, first, _, second = self.model.labels[option]
        return f"domino {min(first, second)}-{max(first, second)}"

    def act(self, option: int) -> int | None:
        """Laying a domino; which pips a region has is not laid."""
        return option if self._is_domino(option) else None

    def need(self, item: int) -> str:
        """``domino 1-5``, a cell, or a region with its rule."""
        kind, _, rest = self.model.items[item].partition("-")
        if kind == "domino":
            return f"domino {rest}"
        if kind == "region":
            return f"region {rest} ({self.rules[rest]})"
        r, c = map(int, rest.split(","))
        return place((r, c)) if kind == "cell" else f"the pips in {place((r, c))}"

    def choice(self, item: int) -> Choice:
        """Of places for a domino, of ways to cover a cell."""
        if self.model.items[item].startswith("domino"):
            return Choice("place", "", "the dominoes", "one of them")
        return Choice("way", "to be filled")

    def _pips(self, options: Iterable[int]) -> dict[Cell, int]:
        found: dict[Cell, int] = {}
        for option in options:
            if self._is_domino(option):
                one, first, other, second = self.model.labels[option]
                found.update({one: first, other: second})
        return found

    def draw(self, solution: Solution) -> str:
        """The pips, those of one domino joined by ``-`` or ``|``; ``.`` a cell that is open."""
        lines = [[" "] * (2 * self.columns - 1) for _ in range(2 * self.rows - 1)]
        pips = self._pips(solution)
        for r, c in self.region_of:
            lines[2 * r][2 * c] = f"{pips.get((r, c), '.')}"
        for option in solution:
            if self._is_domino(option):
                (r, c), _, (s, d), _ = self.model.labels[option]
                lines[r + s][c + d] = "-" if r == s else "|"
        return "\n".join("".join(line).rstrip() for line in lines)

    def read(self, rows: Sequence[str]) -> tuple[int, ...]:
        """The dominoes of a drawing, as :meth:`draw` makes it."""
        sign_of = {
            (r, c): char for r, c, char in same_size(rows, 2 * self.rows - 1, 2 * self.columns - 1)
        }
        option_of = {label: option for option, label in enumerate(self.model.labels)}
        found = []
        for one, other in self._pairs():
            if sign_of[one[0] + other[0], one[1] + other[1]] in "-|":
                ends = [sign_of[2 * r, 2 * c] for r, c in (one, other)]
                first, second = (int(end) if end in "0123456789" else -1 for end in ends)
                label = (one, first, other, second)
                if label not in option_of:
                    raise misread(f"no domino {ends[0]}-{ends[1]} here", 2 * one[0], 2 * one[1])
                found.append(option_of[label])
        return tuple(found)

    def picture(self, placed: Iterable[int] = (), marks: Marks = NO_MARKS) -> Scene:
        """The regions with their rules, and the dominoes with their pips."""
        laid = [option for option in placed if self._is_domino(option)]
        names = list(self.rules)
        fill: dict[Cell, Colour] = {
            cell: names.index(name) if name != "." else Role.CELL
            for cell, name in self.region_of.items()
        }
        pointed = self._pips(marks.options)
        fill.update(dict.fromkeys(pointed, Role.MARK))
        dominoes: list[Shape] = []
        for option in laid:
            one, _, other, _ = self.model.labels[option]
            corners = domino_rim((one, other))
            dominoes.append(Line((*corners, corners[0]), Weight.EDGE))
        numbers: list[Shape] = [
            written(cell, f"{pips}", fill[cell]) for cell, pips in self._pips(laid).items()
        ]
        for name, rule in self.rules.items():
            r, c = min(self.cells_of(name))
            numbers.append(Text((c + 0.28, r + 0.24), f"{rule}", 0.26, on=fill[r, c], width=0.5))
        cells = list(self.region_of)
        board = [*areas(cells, fill.__getitem__), *hairlines(cells), *borders(self.region_of)]
        marked: list[Shape] = []
        for item in marks.items:
            kind, _, rest = self.model.items[item].partition("-")
            if kind == "region":
                marked += outlined(self.cells_of(rest))
            elif kind in ("cell", "pips"):
                r, c = map(int, rest.split(","))
                marked += outlined([(r, c)])
        layers = (
            Layer("board", tuple(board)),
            Layer("dominoes", tuple(dominoes)),
            Layer("numbers", tuple(numbers)),
            Layer("marks", tuple(marked)),
        )
        return Scene(self.name, self.columns, self.rows, layers, self.draw(tuple(laid)))


def _dominoes(number: int) -> str:
    return f"{number} domino" if number == 1 else f"{number} dominoes"


def parse(text: str) -> Pips:
    """The board of ``CELLS:DOMINOES:RULES`` or of a file.

    Raises:
        InputError: names the part, and what was expected.
    """
    if is_file(text):
        picture, dominoes, rules = _sections(rows(text))
    else:
        parts = text.split(":")
        if len(parts) not in (2, 3):
            raise InputError(f"{text[:40]!r}: expected {FAMILY.syntax}")
        picture = [Row(row, number) for number, row in enumerate(parts[0].split("/"), 1)]
        dominoes, rules = (part.split(",") if part else [] for part in [*parts[1:], ""][:2])
    return Pips(
        f"pips:{text}", picture, [_domino(each) for each in dominoes], dict(map(_rule, rules))
    )


def _sections(lines: list[Row]) -> tuple[list[Row], list[str], list[str]]:
    found: dict[str, list[Row]] = {"cells": [], "dominoes": [], "rules": []}
    now = found["cells"]
    for row in lines:
        head, colon, rest = row.text.partition(":")
        if colon and head.strip() not in found:
            raise row.refuse(f"{head[:20]!r}: expected cells:, dominoes: or rules:")
        if colon:
            now = found[head.strip()]
            row = Row(rest.strip(), row.number, row.source)
        if row.text:
            now.append(row)
    if not found["cells"]:
        raise lines[0].refuse("no cells: draw them below cells:")
    dominoes, rules = (
        [word for row in found[key] for word in row.text.replace(",", " ").split()]
        for key in ("dominoes", "rules")
    )
    return found["cells"], dominoes, rules


def _domino(text: str) -> Domino:
    ends = text.replace("-", "")
    if len(ends) != 2 or not (ends.isascii() and ends.isdigit()):
        raise InputError(f"domino {text[:20]!r}: expected two digits, such as 35")
    low, high = sorted(map(int, ends))
    return low, high


def _rule(text: str) -> tuple[str, Rule]:
    region, kind = text[:1], text[1:]
    if region.isalnum() and kind in ("==", "!="):
        return region, Rule(kind, 0)
    if region.isalnum() and kind[:1] in ("=", "<", ">"):
        return region, Rule(kind[0], whole(kind[1:], f"rule {text[:20]!r}: number", 0, 999))
    raise InputError(f"rule {text[:20]!r}: expected such as a=11, a<3, a>3, a== or a!=")


FAMILY = Family(
    "pips",
    "dominoes whose pips fulfil a rule in each region",
    "pips:CELLS:DOMINOES:RULES, such as pips:aab/.cb:12,30,11:a=3,b==,c>0; or a file",
    ("pips:aab/.cb:13,12,12:a=3,b!=,c>0", "pips:aa/bb:01,11:a==,b<2"),
    parse,
)
