"""Pages as PDF: vectors, true millimetres. fpdf2 is loaded when it is used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from twostep.models.drawing.page import Disc, Fill, Item, Label, Page, Stroke
from twostep.models.drawing.palette import rgb

if TYPE_CHECKING:
    from fpdf import FPDF
    from fpdf.drawing import PaintedPath

_POINTS = 72 / 25.4
"""Points of a millimetre."""

_UNKNOWN = str.maketrans({"\u2026": "...", "\u2013": "-", "\u2014": "-", "\u2019": "'"})
"""What the standard fonts of PDF lack, and what stands for it."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A page of a document: a drawing with so many millimetres to its unit."""

    page: Page
    millimetres: float = 1.0


def pdf(leaves: Sequence[Leaf], title: str) -> bytes:
    """A document's bytes, a page for each leaf, each as large as its drawing."""
    from fpdf import FPDF

    document = FPDF(unit="mm")
    document.set_auto_page_break(auto=False)
    document.set_title(title)
    document.set_creator("Twostep")
    document.set_lang("en")
    for leaf in leaves:
        factor = leaf.millimetres
        size = (leaf.page.width * factor, leaf.page.height * factor)
        document.add_page(orientation="portrait", format=size)
        _paper(document, leaf.page.paper, size)
        for item in leaf.page.items:
            _draw(document, item, factor)
    return bytes(document.output())


def _paper(document: FPDF, colour: str, size: tuple[float, float]) -> None:
    if colour.upper() != "#FFFFFF":
        document.set_fill_color(*rgb(colour))
        document.rect(0, 0, *size, style="F")


def _draw(document: FPDF, item: Item, factor: float) -> None:
    match item:
        case Label():
            _label(document, item, factor)
        case Disc():
            x, y = item.at[0] * factor, item.at[1] * factor
            if item.width:
                document.set_draw_color(*rgb(item.colour))
                document.set_line_width(item.width * factor)
            else:
                document.set_fill_color(*rgb(item.colour))
            document.circle(x, y, item.radius * factor, style="D" if item.width else "F")
        case _:
            with document.new_path() as path:
                _path(path, item, factor)


def _path(path: PaintedPath, item: Fill | Stroke, factor: float) -> None:
    from fpdf.drawing_primitives import DeviceRGB
    from fpdf.enums import IntersectionRule, PathPaintRule, StrokeCapStyle, StrokeJoinStyle

    colour = DeviceRGB(*(part / 255 for part in rgb(item.colour)))
    path.style.auto_close = False
    if isinstance(item, Fill):
        path.style.fill_color, path.style.stroke_color = colour, None
        path.style.paint_rule = PathPaintRule.FILL_NONZERO
        path.style.intersection_rule = IntersectionRule.NONZERO
        lines, close = item.rings, True
    else:
        path.style.stroke_color, path.style.fill_color = colour, None
        path.style.paint_rule = PathPaintRule.STROKE
        path.style.stroke_width = item.width * factor
        path.style.stroke_cap_style = StrokeCapStyle.ROUND
        path.style.stroke_join_style = StrokeJoinStyle.ROUND
        if item.dashed:
            path.style.stroke_dash_pattern = (2 * item.width * factor, 3 * item.width * factor)
        lines, close = (item.points,), False
    for line in lines:
        path.move_to(line[0][0] * factor, line[0][1] * factor)
        for x, y in line[1:]:
            path.line_to(x * factor, y * factor)
        if close:
            path.close()


def _label(document: FPDF, label: Label, factor: float) -> None:
    from fpdf.enums import TextMode

    text = label.text.translate(_UNKNOWN).encode("latin-1", "replace").decode("latin-1")
    size = label.size * factor * _POINTS
    document.set_font("helvetica", style="B" if label.bold else "", size=size)
    wide = document.get_string_width(text)
    x = label.at[0] * factor - wide * {-1: 0, 0: 0.5, 1: 1}[label.align]
    y = (label.at[1] + label.size / 2.8) * factor
    if label.halo is not None:
        width = label.size * factor / 3
        with document.local_context(
            text_mode=TextMode.STROKE, draw_color=rgb(label.halo), line_width=width
        ):
            document.text(x, y, text)
    document.set_text_color(*rgb(label.colour))
    document.text(x, y, text)
