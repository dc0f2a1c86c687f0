"""Pictures as files: the suffix of a name says which writer makes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from twostep.models.drawing.book import Book, Paper
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
        paper, per_page: of a .pdf; pictures on a page: 1 to 6, None: one alone, else six.
        cut_out: whether a .pdf has the pieces to cut out.
    """

    look: Look = IN_COLOUR
    scale: int | None = None
    millimetres: float | None = None
    columns: int | None = None
    title: str = ""
    frame_ms: int = 500
    paper: Paper = Paper.A4
    per_page: int | None = None
    cut_out: bool = False


def pictures(
    path: str, cards: Sequence[Card], form: Form = Form(), answers: Sequence[Card] = ()
) -> list[tuple[str, str | bytes]]:
    """Files with their contents: one, or one for each contact sheet (``sheet-1.png``, ...).

    One card fills its picture; several make contact sheets, in a .gif one animation, in a .pdf
    pages with `answers` at the end.

    Raises:
        InputError: too large; no suffix of a picture.
    """
    require_suffix(path, "a picture", *PICTURES)
    suffix = suffix_of(path)
    if suffix == ".gif":
        from twostep.models.drawing.gif import gif

        frames = [single(card, form.look) for card in cards]
        return [(path, gif(frames, form.scale, form.frame_ms))]
    if suffix == ".pdf":
        return [(path, _printed(cards, form, answers))]
    pages = pages_of(cards, form)
    names = [path]
    if len(pages) > 1:
        name = PurePath(path)
        names = [str(name.with_name(f"{name.stem}-{n}{name.suffix}"))
                 for n in range(1, len(pages) + 1)]  # fmt: skip
    return [(name, _one(suffix, page, form)) for name, page in zip(names, pages, strict=True)]


def _printed(cards: Sequence[Card], form: Form, answers: Sequence[Card]) -> bytes:
    from twostep.models.drawing.pdf import pdf

    per_page = form.per_page or (1 if len(cards) == 1 else 6)
    book = Book(
        cards,
        answers,
        form.title,
        form.paper,
        per_page,
        form.millimetres,
        form.cut_out,
        form.look,
    )
    return pdf(book.pages(), form.title or cards[0].scene.title)


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
