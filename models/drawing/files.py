"""Pictures as files: the suffix of a name says which writer makes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from twostep.models.drawing.page import Page
from twostep.models.drawing.palette import IN_COLOUR, Look
from twostep.models.drawing.sheet import Card, sheets, single
from twostep.models.reading.suffixes import PICTURES, require_suffix, suffix_of


@dataclass(frozen=True, slots=True)
class Form:
    """How pictures are made.

    Attributes:
        look: in colour, or in black and white.
        scale: pixels of a cell's side; None: what fits.
        millimetres: of a cell's side in print; None: 10, or what fits.
        columns: of a contact sheet; None: what fits.
        title: of a contact sheet; empty: none.
        frame_ms: how long a frame of an animation stays.
    """

    look: Look = IN_COLOUR
    scale: int | None = None
    millimetres: float | None = None
    columns: int | None = None
    title: str = ""
    frame_ms: int = 500


def pictures(
    path: str, cards: Sequence[Card], form: Form = Form()
) -> list[tuple[str, str | bytes]]:
    """Files with their contents: one, or one for each contact sheet (``sheet-1.png``, ...).

    One card fills its picture; several make contact sheets, in a .gif one animation.

    Raises:
        InputError: too large; no suffix of a picture.
    """
    require_suffix(path, "a picture", *PICTURES)
    suffix = suffix_of(path)
    if suffix == ".gif":
        from twostep.models.drawing.gif import gif

        frames = [single(card, form.look) for card in cards]
        return [(path, gif(frames, form.scale, form.frame_ms))]
    pages = pages_of(cards, form)
    if suffix == ".pdf":
        from twostep.models.drawing.pdf import Leaf, pdf

        title = form.title or pages[0].title
        return [(path, pdf([Leaf(page, form.millimetres or 10.0) for page in pages], title))]
    names = [path]
    if len(pages) > 1:
        name = PurePath(path)
        names = [str(name.with_name(f"{name.stem}-{n}{name.suffix}"))
                 for n in range(1, len(pages) + 1)]  # fmt: skip
    return [(name, _one(suffix, page, form)) for name, page in zip(names, pages, strict=True)]


def pages_of(cards: Sequence[Card], form: Form) -> list[Page]:
    """One card on its page, several on contact sheets."""
    if len(cards) == 1 and not form.title:
        return [single(cards[0], form.look)]
    return sheets(cards, form.look, form.columns, form.title)


def _one(suffix: str, page: Page, form: Form) -> str | bytes:
    if suffix == ".svg":
        from twostep.models.drawing.svg import MILLIMETRES, svg

        return svg(page, form.millimetres or (form.scale / 4 if form.scale else MILLIMETRES))
    from twostep.models.drawing.raster import png

    return png(page, form.scale)
