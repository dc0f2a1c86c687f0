"""Boards with what belongs to them: trays of pieces, captions, contact sheets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from twostep.models.drawing.page import (
    MARGIN,
    Item,
    Label,
    Page,
    breadth,
    drawn,
    moved,
    page_of,
)
from twostep.models.drawing.palette import IN_COLOUR, Look
from twostep.models.drawing.scene import Layer, Role, Scene, Sign, Spare, Token

COLUMNS, MOST_ROWS = 5, 6
"""Of cards on a contact sheet, where nothing else was asked for; then comes another page."""

_GAP = 0.7
"""Between the pieces of a tray, cells of the pieces."""


@dataclass(frozen=True, slots=True)
class Card:
    """One picture among others.

    Attributes:
        scene: the board.
        parts: the pieces of its tray; none: no tray.
        caption: its name, and what else stands below it.
    """

    scene: Scene
    parts: tuple[Spare, ...] = ()
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """Items with their size; the origin is the upper left corner."""

    width: float
    height: float
    items: tuple[Item, ...] = ()

    def at(self, x: float, y: float, factor: float = 1.0) -> list[Item]:
        """The items, shifted and made larger."""
        return list(moved(self.items, x, y, factor))

    def fitted(self, width: float, height: float) -> float:
        """The factor by which it just fits into a box."""
        return min(width / max(self.width, 1e-9), height / max(self.height, 1e-9))


def board(scene: Scene, look: Look) -> Block:
    """A scene without paper around."""
    return Block(scene.width, scene.height, tuple(drawn(scene, look)))


def one_part(part: Spare, look: Look) -> Block:
    """A piece of a tray, with its number of copies and a lock for each that is locked."""
    block = board(part.scene, look)
    items = list(block.items)
    x = block.width + 0.15
    ink = look.paint(Role.INK)
    if part.copies:
        size = 0.75
        items.append(Label((x, block.height / 2), part.copies, size, ink, align=-1))
        x += breadth(part.copies) * size + 0.15
    if part.locked:
        sign = Token((x + 0.3, block.height / 2), Sign.LOCK, 0.7)
        items += drawn(_alone(sign), look)
        x += 0.7
        if part.locked > 1:
            size = 0.75
            text = f"x{part.locked}"
            items.append(Label((x, block.height / 2), text, size, ink, align=-1))
            x += breadth(text) * size + 0.15
    return Block(x - 0.15, block.height, tuple(items))


def _alone(token: Token) -> Scene:
    return Scene("", 1, 1, (Layer("sign", (token,)),))


def tray(parts: Sequence[Spare], look: Look, width: float) -> Block:
    """Pieces in rows no wider than `width`, in cells of the pieces (a wide piece may be wider)."""
    blocks = [one_part(part, look) for part in parts]
    rows: list[list[Block]] = [[]]
    x = 0.0
    for block in blocks:
        if rows[-1] and x + block.width > width:
            rows.append([])
            x = 0.0
        rows[-1].append(block)
        x += block.width + _GAP
    items: list[Item] = []
    widest = max((sum(b.width + _GAP for b in row) - _GAP for row in rows if row), default=0.0)
    y = 0.0
    for row in rows:
        high = max((block.height for block in row), default=0.0)
        x = (widest - sum(b.width + _GAP for b in row) + _GAP) / 2
        for block in row:
            items += block.at(x, y + (high - block.height) / 2)
            x += block.width + _GAP
        y += high + _GAP
    return Block(widest, max(y - _GAP, 0.0), tuple(items))


def best_tray(parts: Sequence[Spare], look: Look, width: float, height: float) -> Block:
    """The tray whose rows are broken so that it fills a box best."""
    total = sum(one_part(part, look).width + _GAP for part in parts)
    tries = [tray(parts, look, total / rows + 1) for rows in range(1, 9)]
    return max(tries, key=lambda each: each.fitted(width, height))


def single(card: Card, look: Look = IN_COLOUR, margin: float = MARGIN) -> Page:
    """One board on a page, its tray below, half as large."""
    if not card.parts:
        return page_of(card.scene, look, margin)
    block = board(card.scene, look)
    factor = max(0.5, block.width / 50)
    below = tray(card.parts, look, max(block.width, 5.0) / factor)
    width = max(block.width, below.width * factor)
    items = [
        *block.at((width - block.width) / 2 + margin, margin),
        *below.at((width - below.width * factor) / 2 + margin, block.height + 2 * margin, factor),
    ]
    height = block.height + below.height * factor + 3 * margin
    page = page_of(card.scene, look, margin)
    return replace(page, width=width + 2 * margin, height=height, items=tuple(items))


def sheets(
    cards: Sequence[Card],
    look: Look = IN_COLOUR,
    columns: int | None = None,
    title: str = "",
    rows: int = MOST_ROWS,
) -> list[Page]:
    """Contact sheets: each board fills its place, below it its tray and its caption.

    A page is some 25 cells wide, of which one is 40 pixels or 10 mm.
    """
    columns = columns or min(COLUMNS, _even(len(cards)))
    per_page = columns * rows
    return [
        _sheet(cards[first : first + per_page], look, columns, title)
        for first in range(0, len(cards), per_page)
    ]


def _even(number: int) -> int:
    """How many columns give a sheet that is about as wide as high."""
    return max(1, round(math.sqrt(number) + 0.2))


_WIDE = 5.0
"""The width of a card, in cells of the page."""
_BETWEEN = 0.6
_TRAY = 1.7
"""The greatest height of a tray on a card."""


def _sheet(cards: Sequence[Card], look: Look, columns: int, title: str) -> Page:
    blocks = [board(card.scene, look) for card in cards]
    shapes = sorted(block.height / max(block.width, 1e-9) for block in blocks)
    # Most boards fill their width; those much higher than the others fill the height.
    high = _WIDE * min(max(shapes[len(shapes) * 3 // 4], 0.25), 1.3)
    trays = [best_tray(card.parts, look, _WIDE, _TRAY) if card.parts else None for card in cards]
    tray_high = max(
        (min(_TRAY, each.height * each.fitted(_WIDE, _TRAY)) for each in trays if each), default=0.0
    )
    tray_high += 0.25 if tray_high else 0.0
    caption_high = 0.7 if any(card.caption for card in cards) else 0.0
    head = 1.0 if title else 0.0
    items: list[Item] = []
    ink = look.paint(Role.INK)
    step = (_WIDE + _BETWEEN, high + tray_high + caption_high + _BETWEEN)
    for place, (card, block, below) in enumerate(zip(cards, blocks, trays, strict=True)):
        left = _BETWEEN + place % columns * step[0]
        top = _BETWEEN + head + place // columns * step[1]
        factor = block.fitted(_WIDE, high)
        items += block.at(
            left + (_WIDE - block.width * factor) / 2,
            top + (high - block.height * factor) / 2,
            factor,
        )
        if below is not None:
            small = min(below.fitted(_WIDE, tray_high - 0.25), 0.75 * factor)
            items += below.at(
                left + (_WIDE - below.width * small) / 2,
                top + high + 0.25 + (tray_high - 0.25 - below.height * small) / 2,
                small,
            )
        if card.caption:
            at = (left + _WIDE / 2, top + high + tray_high + 0.4)
            items.append(label_within(card.caption, at, 0.38, _WIDE, ink))
    rows = -(-len(cards) // columns)
    width = _BETWEEN + columns * step[0]
    height = _BETWEEN + head + rows * step[1]
    if title:
        at = (width / 2, _BETWEEN + 0.3)
        items.append(label_within(title, at, 0.55, width - 2 * _BETWEEN, ink, bold=True))
    text = "\n\n".join(
        "\n".join(part for part in (card.caption, card.scene.text) if part) for card in cards
    )
    name = title or (cards[0].scene.title if cards else "")
    return Page(name, width, height, tuple(items), look.paint(Role.PAPER), text)


def label_within(
    text: str,
    at: tuple[float, float],
    size: float,
    width: float,
    colour: str,
    *,
    bold: bool = False,
) -> Label:
    """A text no wider than that: a little smaller, and then cut short."""
    least = 0.7 * size
    while breadth(text) * least > width and len(text) > 4:
        text = text.removesuffix("...")[:-1].rstrip() + "..."
    return Label(at, text, min(size, width / max(breadth(text), 1e-9)), colour, bold)
