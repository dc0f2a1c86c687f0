"""Pages as PDF: vectors, true millimetres. fpdf2 is loaded when it is used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from twostep.models.drawing.page import Disc, Fill, Item, Label, Page, Stroke
from twostep.models.drawing.palette import rgb
from twostep.models.drawing.raster import plain

if TYPE_CHECKING:
    from fpdf import FPDF
    from fpdf.drawing import PaintedPath

_POINTS = 72 / 25.4
"""Points of a millimetre."""


def pdf(pages: Sequence[Page], title: str) -> bytes:
    """A document's bytes: pages whose unit is 1 mm."""
    from fpdf import FPDF

    document = FPDF(unit="mm")
    document.set_auto_page_break(auto=False)
    document.set_title(title)
    document.set_creator("Twostep")
    document.set_lang("en")
    for page in pages:
        document.add_page(orientation="portrait", format=(page.width, page.height))
        _paper(document, page.paper, (page.width, page.height))
        for item in page.items:
            _draw(document, item)
    return bytes(document.output())


def _paper(document: FPDF, colour: str, size: tuple[float, float]) -> None:
    if colour.upper() != "#FFFFFF":
        document.set_fill_color(*rgb(colour))
        document.rect(0, 0, *size, style="F")


def _draw(document: FPDF, item: Item) -> None:
    match item:
        case Label():
            _label(document, item)
        case Disc():
            x, y = item.at[0], item.at[1]
            if item.width:
                document.set_draw_color(*rgb(item.colour))
                document.set_line_width(item.width)
            else:
                document.set_fill_color(*rgb(item.colour))
            document.circle(x, y, item.radius, style="D" if item.width else "F")
        case _:
            with document.new_path() as path:
                _path(path, item)


def _path(path: PaintedPath, item: Fill | Stroke) -> None:
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
        path.style.stroke_width = item.width
        path.style.stroke_cap_style = StrokeCapStyle.ROUND
        path.style.stroke_join_style = StrokeJoinStyle.ROUND
        if item.dashed:
            path.style.stroke_dash_pattern = (2 * item.width, 3 * item.width)
        lines, close = (item.points,), False
    for line in lines:
        path.move_to(line[0][0], line[0][1])
        for x, y in line[1:]:
            path.line_to(x, y)
        if close:
            path.close()


def _label(document: FPDF, label: Label) -> None:
    from fpdf.enums import TextMode

    text = "".join(_known(character) for character in label.text)
    size = label.size * _POINTS
    document.set_font("helvetica", style="B" if label.bold else "", size=size)
    wide = document.get_string_width(text)
    x = label.at[0] - wide * {-1: 0, 0: 0.5, 1: 1}[label.align]
    y = label.at[1] + label.size / 2.8
    if label.halo is not None:
        width = label.size / 3
        with document.local_context(
            text_mode=TextMode.STROKE, draw_color=rgb(label.halo), line_width=width
        ):
            document.text(x, y, text)
    document.set_text_color(*rgb(label.colour))
    document.text(x, y, text)


def _known(character: str) -> str:
    """A character as the standard fonts of PDF have it: Latin-1, else the nearest letter."""
    return character if ord(character) < 256 else plain(character)
