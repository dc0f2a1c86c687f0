"""Puzzles on paper: A4 or Letter, true millimetres, pieces to cut out, answers at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum

from twostep.models.drawing.page import Item, Label, Page
from twostep.models.drawing.palette import Look
from twostep.models.drawing.scene import Role, Spare
from twostep.models.drawing.sheet import Block, Card, best_tray, board, label_within
from twostep.models.errors import InputError


class Paper(Enum):
    """Width and height, mm."""

    A4 = (210.0, 297.0)
    LETTER = (215.9, 279.4)


GRIDS = {1: (1, 1), 2: (1, 2), 3: (1, 3), 4: (2, 2), 5: (2, 3), 6: (2, 3)}
"""Columns and rows of so many puzzles on a page."""

_ANSWERS = (4, 6)
"""Columns and rows of answers on a page."""

_EDGE = 15.0
"""Paper that printers leave white, mm, and a little more."""
_HEAD = 10.0
"""For the title, and for the number of the page."""
_GAP = 8.0
"""Between puzzles, and around their captions."""
_CAPTION = 4.0
_LARGEST = 20.0
"""A cell that may be as large as fits is no larger, mm."""
_MOST_PIECES = 500
"""Pieces to cut out for one puzzle."""


@dataclass(frozen=True, slots=True)
class Book:
    """What is printed.

    Attributes:
        cards: the puzzles.
        answers: their solutions; empty: none are printed.
        title: stands on each page; empty: nothing does.
        paper: what it is printed on.
        per_page: puzzles on a page, 1 to 6.
        cell: a cell's side, mm; None: what fits.
        cut_out: whether the pieces are printed, as large as the board's cells.
        look: in colour, or in black and white.
    """

    cards: Sequence[Card]
    answers: Sequence[Card] = ()
    title: str = ""
    paper: Paper = Paper.A4
    per_page: int = 1
    cell: float | None = None
    cut_out: bool = False
    look: Look = field(default_factory=Look)

    def pages(self) -> list[Page]:
        """The pages, their unit 1 mm: puzzles, pieces, answers.

        Raises:
            InputError: a cell of that size is too large for the page.
        """
        contents = [*self._puzzles(), *self._pieces(), *self._solutions()]
        return [self._page(items, n, len(contents)) for n, items in enumerate(contents, 1)]

    @property
    def _ink(self) -> str:
        return self.look.paint(Role.INK)

    @property
    def _room(self) -> tuple[float, float]:
        """Width and height of what can be printed on, without title and number."""
        width, height = self.paper.value
        return width - 2 * _EDGE, height - 2 * _EDGE - 2 * _HEAD

    def _page(self, items: list[Item], number: int, total: int) -> Page:
        width, height = self.paper.value
        if self.title:
            at = (width / 2, _EDGE)
            items = [*items, label_within(self.title, at, 6, width - 2 * _EDGE, self._ink)]
        if total > 1:
            items = [*items, Label((width / 2, height - _EDGE), f"{number}", 4, self._ink)]
        return Page(self.title or self.cards[0].scene.title, width, height, tuple(items))

    def _slots(self, columns: int, rows: int) -> list[tuple[float, float, float, float]]:
        """Left, top, width and height of the places on a page."""
        wide, high = self._room
        width = (wide - (columns - 1) * _GAP) / columns
        height = (high - (rows - 1) * _GAP) / rows
        return [
            (_EDGE + c * (width + _GAP), _EDGE + _HEAD + r * (height + _GAP), width, height)
            for r in range(rows)
            for c in range(columns)
        ]

    def _puzzles(self) -> Iterator[list[Item]]:
        slots = self._slots(*GRIDS[self.per_page])
        for first in range(0, len(self.cards), self.per_page):
            items: list[Item] = []
            for card, slot in zip(self.cards[first : first + self.per_page], slots, strict=False):
                items += self._puzzle(card, slot)
            yield items

    def cell_of(self, card: Card) -> float:
        """The side of a cell of that puzzle, mm.

        Raises:
            InputError: the one asked for is too large.
        """
        _, _, width, height = self._slots(*GRIDS[self.per_page])[0]
        block = board(card.scene, self.look)
        below = _CAPTION + _GAP if card.caption else 0.0
        below += 0.22 * height if card.parts else 0.0
        most = block.fitted(width, height - below)
        if self.cell is None:
            return min(most, _LARGEST)
        if self.cell > most + 1e-9:
            fewer = "" if self.per_page == 1 else ", or fewer puzzles on a page"
            raise InputError(
                f"{card.scene.title}: cells of {self.cell:g} mm do not fit on the page; at most"
                f" {int(10 * most) / 10:g} mm{fewer}"
            )
        return self.cell

    def _puzzle(self, card: Card, slot: tuple[float, float, float, float]) -> Iterator[Item]:
        left, top, width, height = slot
        block, cell = board(card.scene, self.look), self.cell_of(card)
        if card.caption:
            at = (left + width / 2, top + _CAPTION / 2)
            yield label_within(card.caption, at, _CAPTION * 1.2, width, self._ink, bold=True)
            top += _CAPTION + _GAP / 2
        yield from block.at(left + (width - block.width * cell) / 2, top, cell)
        if card.parts:
            top += block.height * cell + _GAP / 2
            room = slot[1] + height - top
            tray = best_tray(card.parts, self.look, width, room)
            small = min(tray.fitted(width, room), 0.6 * cell)
            yield from tray.at(left + (width - tray.width * small) / 2, top, small)

    def _pieces(self) -> Iterator[list[Item]]:
        """The pieces of all puzzles to cut out, each as large as the board's cells."""
        if not self.cut_out:
            return
        shelf = _Shelf(*self._room)
        for card in self.cards:
            blocks = [
                board(spare.scene, self.look) for spare in card.parts for _ in range(_copies(spare))
            ]
            if not blocks:
                continue
            name = card.caption or card.scene.title
            text = label_within(f"Pieces: {name}", (0, 2.5), 4.5, self._room[0], self._ink)
            shelf.line(Block(self._room[0], 5, (Label(text.at, text.text, text.size, text.colour,
                                                      align=-1),)), 1)  # fmt: skip
            for block in blocks:
                shelf.put(block, self.cell_of(card))
            shelf.new_row()
        for items in shelf.pages:
            if items:
                yield items

    def _solutions(self) -> Iterator[list[Item]]:
        slots = self._slots(*_ANSWERS)
        for first in range(0, len(self.answers), len(slots)):
            items: list[Item] = []
            cards = self.answers[first : first + len(slots)]
            for card, (left, top, width, height) in zip(cards, slots, strict=False):
                block = board(card.scene, self.look)
                factor = block.fitted(width, height - 5)
                items += block.at(left + (width - block.width * factor) / 2, top, factor)
                at = (left + width / 2, top + block.height * factor + 3)
                items.append(label_within(card.caption, at, 3, width, self._ink))
            yield items


def _copies(spare: Spare) -> int:
    """How many of a piece are cut out: as many as may be needed; of any number, one."""
    wanted = spare.low if spare.high is None else spare.high
    if wanted > _MOST_PIECES:
        raise InputError(f"{wanted} pieces {spare.name} to cut out: at most {_MOST_PIECES}")
    return max(wanted, 0 if spare.high == 0 else 1)


class _Shelf:
    """Blocks side by side in rows, row below row, page after page; in mm."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.pages: list[list[Item]] = [[]]
        self._x = self._y = self._high = 0.0

    def new_row(self) -> None:
        """Begin a new row."""
        if self._x:
            self._y += self._high + _GAP / 2
        self._x = self._high = 0.0

    def line(self, block: Block, factor: float) -> None:
        """A block in a row of its own, not the last of a page."""
        self.new_row()
        if self._y + 40 > self.height and self._y:
            self._new_page()
        self.put(block, factor)
        self.new_row()

    def put(self, block: Block, factor: float) -> None:
        """A block beside the last, or below."""
        wide, high = block.width * factor, block.height * factor
        if self._x and self._x + wide > self.width:
            self.new_row()
        if self._y and self._y + high > self.height:
            self._new_page()
        self.pages[-1] += block.at(_EDGE + self._x, _EDGE + _HEAD + self._y, factor)
        self._x += wide + _GAP / 2
        self._high = max(self._high, high)

    def _new_page(self) -> None:
        self.pages.append([])
        self._x = self._y = self._high = 0.0
