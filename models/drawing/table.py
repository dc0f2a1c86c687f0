"""A model as a table of items by options: the picture of what has no picture of its own."""

from __future__ import annotations

from collections.abc import Iterable

from twostep.models.drawing.grid import borders, hairlines
from twostep.models.drawing.scene import (
    NO_MARKS,
    Area,
    Colour,
    Layer,
    Marks,
    Role,
    Scene,
    Shape,
    Text,
    Weight,
    square,
)
from twostep.models.language.model import Model

MOST_ITEMS = 60
MOST_OPTIONS = 60
"""Items and options that a table shows at most; a line below says what is left out."""

_NAMES = 4.0
"""Cells that the numbers of options take, to the left."""
_HEAD = 1.0
"""Cells that the names of items take, on top."""


def table(title: str, model: Model, placed: Iterable[int] = (), marks: Marks = NO_MARKS) -> Scene:
    """A row for each option and a column for each item: filled where the option covers the item.

    Options in `placed` come first, in their own order, in the text with a star; an item's colour
    stands in its cell.
    """
    first = list(dict.fromkeys(placed))
    rows = [*first, *(o for o in range(model.n_options) if o not in set(first))][:MOST_OPTIONS]
    shown = min(model.n_items, MOST_ITEMS)
    board: list[Shape] = [
        Text((_NAMES + item + 0.5, _HEAD / 2), model.items[item], 0.4, width=0.9)
        for item in range(shown)
    ]
    filled: list[Shape] = []
    for row, option in enumerate(rows):
        y = _HEAD + row
        board.append(Text((_NAMES / 2, y + 0.5), f"option {option}", 0.4, width=_NAMES - 0.2))
        covered = dict(model.option(option))
        for item in range(shown):
            fill = _fill(option, item, covered, set(first), marks)
            filled.append(Area(square(y, _NAMES + item), fill))
            if covered.get(item):
                at = (_NAMES + item + 0.5, y + 0.5)
                name = model.colours[covered[item]]
                filled.append(Text(at, name, 0.4, on=fill, width=0.9))
    cells = [(row + int(_HEAD), item + int(_NAMES)) for row in range(len(rows))
             for item in range(shown)]  # fmt: skip
    filled += [*hairlines(cells), *borders(dict.fromkeys(cells, 0), Weight.THIN)]
    left = [
        f"{number - most} more {what}"
        for number, most, what in (
            (model.n_items, shown, "items"),
            (model.n_options, len(rows), "options"),
        )
        if number > most
    ]
    height = _HEAD + len(rows) + (1.0 if left else 0.0)
    if left:
        board.append(Text(((_NAMES + shown) / 2, height - 0.5), ", ".join(left), 0.4))
    layers = (Layer("board", tuple(board)), Layer("options", tuple(filled)))
    text = [f"{'*' if o in set(first) else ' '} {model.describe(o)}" for o in rows]
    return Scene(title, _NAMES + max(shown, 1), height, layers, "\n".join([*text, *left]))


def _fill(
    option: int, item: int, covered: dict[int, int], placed: set[int], marks: Marks
) -> Colour:
    if item not in covered:
        return Role.MARK if item in marks.items else Role.CELL
    if option in marks.options:
        return Role.MARK
    return 0 if option in placed else Role.INK
