"""Pictures: a pair with both tilings side by side, all pairs on one sheet, the table of areas.

The first tile is warm, the second cool, throughout. Tiles that touch have different shades.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from twostep.models.drawing.page import Disc, Fill, Item, Label, Page
from twostep.models.drawing.raster import png
from twostep.models.families.polyomino.pieces import Cell, Shape, extent, neighbours
from twostep.models.families.two_tiling.cover import Pair, Region
from twostep.models.families.two_tiling.regions import Verdict
from twostep.models.families.two_tiling.table import UNKNOWN, AreaTable
from twostep.models.families.two_tiling.tiles import BOARD
from twostep.models.words import counted

Colour = tuple[int, int, int]

PAPER: Colour = (255, 255, 255)
INK: Colour = (38, 42, 51)
FAINT: Colour = (140, 146, 158)
LINE: Colour = (226, 229, 235)
EMPTY: Colour = (247, 248, 250)
WARM: tuple[Colour, ...] = (
    (247, 178, 103),
    (244, 132, 95),
    (255, 211, 133),
    (226, 104, 80),
    (250, 225, 180),
    (201, 84, 70),
)
COOL: tuple[Colour, ...] = (
    (120, 190, 224),
    (76, 145, 201),
    (173, 221, 233),
    (54, 110, 166),
    (205, 235, 236),
    (70, 175, 174),
)
"""Six shades a side: four would do for any map, but the choice is greedy."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What a picture of a pair shows: `region` None where there is none, or none is known."""

    number: int
    pair: Pair
    verdict: Verdict
    region: Region | None


def draw_pair(answered: Answered) -> bytes:
    """A PNG: both tiles, and below each its tiling of the region on the board."""
    pair, region = answered.pair, answered.region
    unit, margin, head, gap = 44, 28, 132, 44
    wide = 2 * pair.columns * unit + gap + 2 * margin
    high = head + pair.rows * unit + margin + 36
    canvas = _Canvas(wide, high)
    tilings = (region.first, region.second) if region else ((), ())
    for (_, tile), shades, tiling, left in zip(
        pair.sides,
        (WARM, COOL),
        tilings,
        (margin, margin + pair.columns * unit + gap),
        strict=True,
    ):
        icon = min(26, 84 // max(extent(tile.shape)))
        canvas.tile(left, margin + 84 - icon * extent(tile.shape)[0], icon, tile.shape, shades[0])
        text_left = left + icon * extent(tile.shape)[1] + 16
        canvas.text(text_left, margin + 44, tile.name, 26, INK)
        how_many = f"{counted(len(tiling), 'tile')} of " if tiling else ""
        canvas.text(text_left, margin + 76, how_many + counted(tile.size, "cell"), 17, FAINT)
        canvas.board(left, head, unit, pair.rows, pair.columns)
        canvas.tiling(left, head, unit, tiling, shades)
    if region is None:
        for left in (margin, margin + pair.columns * unit + gap):
            canvas.text(
                left + pair.columns * unit / 2,
                head + pair.rows * unit / 2,
                _words(answered),
                22,
                FAINT,
                anchor="mm",
            )
    else:
        canvas.text(wide / 2, high - 30, _words(answered), 20, INK, anchor="mm")
    return canvas.png()


def draw_sheet(answers: Sequence[Answered]) -> bytes:
    """A PNG with all pairs, in order: names, area, both tilings; grey where there is no region."""
    columns = max(1, min(20, round((1.6 * len(answers)) ** 0.5)))
    rows = -(-len(answers) // columns)
    boards = [(each.pair.rows, each.pair.columns) for each in answers] or [(BOARD, BOARD)]
    high, wide = max(r for r, _ in boards), max(c for _, c in boards)
    unit = max(3, 72 // max(high, wide))
    gap, margin, head = 6, 30, 58
    card_wide = 2 * wide * unit + gap + 18
    card_high = high * unit + 36
    canvas = _Canvas(columns * card_wide + 2 * margin - 18, rows * card_high + margin + head + 6)
    possible = sum(each.verdict is Verdict.POSSIBLE for each in answers)
    impossible = sum(each.verdict is Verdict.IMPOSSIBLE for each in answers)
    words = [f"{possible} possible", f"{impossible} impossible"]
    if unknown := len(answers) - possible - impossible:
        words.append(f"{unknown} unknown")
    canvas.text(margin, margin + 10, "Two tiles, one region", 24, INK)
    told = f"{counted(len(answers), 'pair')}: {', '.join(words)}"
    canvas.text(canvas.wide - margin, margin + 10, told, 16, FAINT, anchor="rm")
    for index, each in enumerate(answers):
        row, column = divmod(index, columns)
        left, top = margin + column * card_wide, head + margin - 6 + row * card_high
        _card(canvas, each, left, top, unit, gap)
    return canvas.png()


def draw_table(table: AreaTable) -> bytes:
    """A PNG of the table of smallest areas, the tiles drawn at its edges, areas as shades."""
    unit, edge, margin, head, foot = 40, 84, 36, 64, 76
    size = len(table.tiles)
    side = edge + size * unit
    canvas = _Canvas(max(side + 2 * margin, 640), head + side + foot)
    canvas.text(margin, head / 2 + 6, "The smallest region that both tile", 26, INK)
    most = max((area for row in table.areas for area in row if area), default=1)
    for index, tile in enumerate(table.tiles):
        x, y = margin + edge + index * unit, head + edge + index * unit
        for left, top, shade in ((x, head + 40, COOL[1]), (margin + 40, y, WARM[1])):
            icon = min(11, 33 // max(extent(tile.shape)))
            tall, broad = extent(tile.shape)
            canvas.tile(
                left + (unit - broad * icon) / 2, top + (unit - tall * icon) / 2, icon,
                tile.shape, shade, line=1,
            )  # fmt: skip
        canvas.text(x + unit / 2, head + 26, tile.name, 14, FAINT, anchor="mm")
        canvas.text(margin + 20, y + unit / 2, tile.name, 14, FAINT, anchor="mm")
    for row, areas in enumerate(table.areas):
        for column, area in enumerate(areas):
            x, y = margin + edge + column * unit, head + edge + row * unit
            box = (x + 1, y + 1, x + unit - 1, y + unit - 1)
            if row == column:
                canvas.box(box, LINE)
                canvas.text(x + unit / 2, y + unit / 2, str(area), 15, FAINT, anchor="mm")
            elif area is UNKNOWN:
                canvas.box(box, EMPTY)
                canvas.text(x + unit / 2, y + unit / 2, "?", 15, INK, anchor="mm")
            elif area == 0:
                canvas.box(box, EMPTY)
                canvas.dot(x + unit / 2, y + unit / 2, 2, (196, 201, 210))
            else:
                shade = _shade(area, most)
                canvas.box(box, shade)
                ink = PAPER if sum(shade) < 380 else INK
                canvas.text(x + unit / 2, y + unit / 2, str(area), 16, ink, anchor="mm")
    _legend(canvas, table, margin + edge, head + side + 26, most)
    return canvas.png()


def shades_of(tiling: Sequence[Sequence[Cell]], shades: int) -> list[int]:
    """A shade for each tile, different from those of the tiles it touches if there are enough."""
    owner = {cell: index for index, tile in enumerate(tiling) for cell in tile}
    chosen: list[int] = []
    uses = [0] * shades
    for index, tile in enumerate(tiling):
        touched = {owner[near] for cell in tile for near in neighbours(cell) if near in owner}
        taken = {chosen[other] for other in touched if other < index}
        # The least used of the first four free ones: variety, and the rest for tight places.
        free = [shade for shade in range(shades) if shade not in taken] or [0]
        pick = min(free[:4], key=lambda shade: (uses[shade], shade))
        chosen.append(pick)
        uses[pick] += 1
    return chosen


def _words(answered: Answered) -> str:
    pair, region = answered.pair, answered.region
    if region is not None:
        known = "" if answered.verdict is Verdict.POSSIBLE else " (perhaps not the smallest)"
        return counted(region.area, "cell") + known
    if answered.verdict is Verdict.IMPOSSIBLE:
        return f"no region on {pair.rows} x {pair.columns}"
    return "not known"


def _card(canvas: _Canvas, each: Answered, left: float, top: float, unit: int, gap: int) -> None:
    """One pair on the sheet."""
    pair, region = each.pair, each.region
    ink = INK if region else FAINT
    canvas.text(left, top + 8, f"{pair.first.name} {pair.second.name}", 13, ink)
    across = 2 * pair.columns * unit + gap
    note = str(region.area) if region else "none" if each.verdict is Verdict.IMPOSSIBLE else "?"
    canvas.text(left + across, top + 8, note, 13, ink, anchor="rm")
    tilings = (region.first, region.second) if region else ((), ())
    for (_, tile), tiling, shades, x in zip(
        pair.sides,
        tilings,
        (WARM, COOL),
        (left, left + pair.columns * unit + gap),
        strict=True,
    ):
        frame = (x, top + 18, x + pair.columns * unit, top + 18 + pair.rows * unit)
        canvas.box(frame, EMPTY)
        if tiling:
            right, down = _to_the_middle(pair, tiling)
            canvas.tiling(x + right * unit, top + 18 + down * unit, unit, tiling, shades, line=1)
        else:
            tall, broad = extent(tile.shape)
            down = top + 18 + (pair.rows - tall) * unit / 2
            canvas.tile(x + (pair.columns - broad) * unit / 2, down, unit, tile.shape, LINE, line=0)


def _to_the_middle(pair: Pair, tiling: Sequence[Sequence[Cell]]) -> tuple[float, float]:
    """How far, in cells, to move a region right and down to the middle of its board."""
    rows = [row for tile in tiling for row, _ in tile]
    columns = [column for tile in tiling for _, column in tile]
    return (
        (pair.columns - 1 - min(columns) - max(columns)) / 2,
        (pair.rows - 1 - min(rows) - max(rows)) / 2,
    )


def _legend(canvas: _Canvas, table: AreaTable, left: float, top: float, most: int) -> None:
    """A bar of the areas that occur, each with its shade and its number of pairs."""
    spread = table.distribution
    areas = sorted(area for area in spread if area)
    x = left
    canvas.text(x, top + 8, "area", 14, FAINT)
    canvas.text(x, top + 32, "pairs", 14, FAINT)
    x += 58
    step = min(46, (canvas.wide - x - 180) / max(1, len(areas)))
    for area in areas:
        shade = _shade(area, most)
        canvas.box((x, top - 4, x + step - 2, top + 20), shade)
        ink = PAPER if sum(shade) < 380 else INK
        canvas.text(x + step / 2 - 1, top + 8, str(area), 14, ink, anchor="mm")
        canvas.text(x + step / 2 - 1, top + 32, str(spread[area]), 14, FAINT, anchor="mm")
        x += step
    canvas.box((x + 10, top - 4, x + 10 + step, top + 20), EMPTY)
    canvas.dot(x + 10 + step / 2, top + 8, 2, (196, 201, 210))
    canvas.text(x + 10 + step / 2, top + 32, str(spread[0]), 14, FAINT, anchor="mm")
    canvas.text(x + 18 + step, top + 8, "no region", 14, FAINT)


_RAMP: tuple[Colour, ...] = (
    (255, 243, 201),
    (253, 203, 127),
    (244, 140, 92),
    (205, 73, 88),
    (128, 38, 98),
    (59, 20, 78),
)
"""From small areas to large ones."""


def _shade(area: int, most: int) -> Colour:
    # The root spreads the small areas, which are most of them.
    place = (area / most) ** 0.7 * (len(_RAMP) - 1)
    low = min(int(place), len(_RAMP) - 2)
    part = place - low
    red, green, blue = (
        round(a + (b - a) * part) for a, b in zip(_RAMP[low], _RAMP[low + 1], strict=True)
    )
    return red, green, blue


class _Canvas:
    """A page with coordinates in pixels, from the upper left corner."""

    def __init__(self, wide: float, high: float) -> None:
        self.wide, self.high = round(wide), round(high)
        self._items: list[Item] = []

    def png(self) -> bytes:
        """The page as a PNG."""
        return png(Page("", self.wide, self.high, tuple(self._items), _hex(PAPER)), scale=1)

    def box(self, corners: tuple[float, float, float, float], colour: Colour) -> None:
        left, top, right, bottom = corners
        ring = ((left, top), (right, top), (right, bottom), (left, bottom))
        self._items.append(Fill((ring,), _hex(colour)))

    def dot(self, x: float, y: float, radius: float, colour: Colour) -> None:
        self._items.append(Disc((x, y), radius, _hex(colour)))

    def text(
        self, x: float, y: float, words: str, size: int, colour: Colour, anchor: str = "lm"
    ) -> None:
        align = {"l": -1, "m": 0, "r": 1}[anchor[0]]
        self._items.append(Label((x, y), words, size, _hex(colour), align=align))

    def board(self, left: float, top: float, unit: float, rows: int, columns: int) -> None:
        """An empty board: light cells between thin lines."""
        self.box((left, top, left + columns * unit, top + rows * unit), LINE)
        for row in range(rows):
            for column in range(columns):
                x, y = left + column * unit, top + row * unit
                self.box((x + 0.5, y + 0.5, x + unit - 0.5, y + unit - 0.5), EMPTY)

    def tile(
        self, left: float, top: float, unit: float, shape: Shape, colour: Colour, line: float = 2
    ) -> None:
        """One tile with its outline."""
        self._cells(left, top, unit, shape, colour)
        self._outline(left, top, unit, shape, line)

    def tiling(
        self,
        left: float,
        top: float,
        unit: float,
        tiling: Sequence[Sequence[Cell]],
        shades: Sequence[Colour],
        line: float = 3,
    ) -> None:
        """A region with its tiles in shades."""
        for tile, shade in zip(tiling, shades_of(tiling, len(shades)), strict=True):
            self._cells(left, top, unit, tile, shades[shade])
        for tile in tiling:
            self._outline(left, top, unit, tile, line)

    def _cells(
        self, left: float, top: float, unit: float, cells: Iterable[Cell], colour: Colour
    ) -> None:
        for row, column in cells:
            x, y = left + column * unit, top + row * unit
            self.box((x, y, x + unit, y + unit), colour)

    def _outline(
        self, left: float, top: float, unit: float, cells: Sequence[Cell], line: float
    ) -> None:
        if not line:
            return
        inside = set(cells)
        half = line / 2
        for row, column in cells:
            x, y = left + column * unit, top + row * unit
            ends = {
                (row - 1, column): (x - half, y - half, x + unit + half, y + half),
                (row + 1, column): (x - half, y + unit - half, x + unit + half, y + unit + half),
                (row, column - 1): (x - half, y - half, x + half, y + unit + half),
                (row, column + 1): (x + unit - half, y - half, x + unit + half, y + unit + half),
            }
            for near, corners in ends.items():
                if near not in inside:
                    self.box(corners, INK)


def _hex(colour: Colour) -> str:
    return "#" + bytes(colour).hex().upper()
