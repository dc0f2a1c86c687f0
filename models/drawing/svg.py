"""Pages as SVG: areas of one piece in one path, so that no paper shows between its cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape, quoteattr

from twostep.models.drawing.page import Disc, Fill, Label, Page, Stroke, page_of
from twostep.models.drawing.scene import Point, Scene

MILLIMETRES = 10.0
"""Of a cell's side, where nothing else was asked for."""

_FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"


def svg_of(scene: Scene) -> str:
    """A scene alone on a page, in colour."""
    return svg(page_of(scene))


def svg(page: Page, millimetres: float = MILLIMETRES) -> str:
    """A page as an SVG document; a cell's side is so many millimetres in print."""
    wide, high = page.width, page.height
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(wide * millimetres)}mm"'
        f' height="{_n(high * millimetres)}mm" viewBox="0 0 {_n(wide)} {_n(high)}" role="img"'
        f" font-family={quoteattr(_FONT)}"
        f" aria-label={quoteattr(_legal(page.title))}>",
        f"<title>{_text(page.title)}</title>",
    ]
    if page.text:
        head.append(f"<desc>{_text(page.text)}</desc>")
    head.append(f'<rect width="{_n(wide)}" height="{_n(high)}" fill="{page.paper}"/>')
    return "\n".join([*head, *_elements(page), "</svg>"]) + "\n"


def _elements(page: Page) -> Iterator[str]:
    """The items; strokes of one kind that follow each other are one path."""
    run: list[Stroke] = []
    for item in page.items:
        if isinstance(item, Stroke) and (not run or _like(run[0], item)):
            run.append(item)
            continue
        yield from _path(run)
        run = []
        match item:
            case Stroke():
                run = [item]
            case Fill():
                yield _fill(item)
            case Disc():
                yield _disc(item)
            case Label():
                yield _label(item)
    yield from _path(run)


def _like(one: Stroke, other: Stroke) -> bool:
    return (one.width, one.colour, one.dashed) == (other.width, other.colour, other.dashed)


def _path(run: list[Stroke]) -> Iterator[str]:
    if not run:
        return
    d = "".join(_way(stroke.points) for stroke in run)
    width = run[0].width
    dash = f' stroke-dasharray="{_n(2 * width)} {_n(3 * width)}"' if run[0].dashed else ""
    yield (
        f'<path d="{d}" fill="none" stroke="{run[0].colour}" stroke-width="{_n(width)}"'
        f' stroke-linecap="round" stroke-linejoin="round"{dash}/>'
    )


def _fill(fill: Fill) -> str:
    d = "".join(_way(ring) + "Z" for ring in fill.rings)
    straight = all(
        a[0] == b[0] or a[1] == b[1]
        for ring in fill.rings
        for a, b in zip(ring, [*ring[1:], ring[0]], strict=True)
    )
    crisp = ' shape-rendering="crispEdges"' if straight else ""
    start = f'<path d="{d}" fill="{fill.colour}"{crisp}'
    return f"{start}><title>{_text(fill.name)}</title></path>" if fill.name else f"{start}/>"


def _disc(disc: Disc) -> str:
    where = f'<circle cx="{_n(disc.at[0])}" cy="{_n(disc.at[1])}" r="{_n(disc.radius)}"'
    if disc.width:
        return f'{where} fill="none" stroke="{disc.colour}" stroke-width="{_n(disc.width)}"/>'
    return f'{where} fill="{disc.colour}"/>'


def _label(label: Label) -> str:
    x, y = label.at[0], label.at[1] + label.size / 2.8  # capital letters are 5/7 em high
    anchor = {-1: "start", 0: "middle", 1: "end"}[label.align]
    bold = ' font-weight="bold"' if label.bold else ""
    where = (
        f'<text x="{_n(x)}" y="{_n(y)}" font-size="{_n(label.size)}" text-anchor="{anchor}"{bold}'
    )
    text = f' fill="{label.colour}">{_text(label.text)}</text>'
    if label.halo is None:
        return where + text
    # Two texts, as not every reader knows paint-order.
    line = f' stroke="{label.halo}" stroke-width="{_n(label.size / 3)}" stroke-linejoin="round"'
    return f'{where} aria-hidden="true"{line}{text}\n{where}{text}'


def _way(points: Iterable[Point]) -> str:
    """Moves along a line: M, then H, V or L."""
    parts: list[str] = []
    last: Point | None = None
    for x, y in points:
        if last is None:
            parts.append(f"M{_n(x)} {_n(y)}")
        elif y == last[1]:
            parts.append(f"H{_n(x)}")
        elif x == last[0]:
            parts.append(f"V{_n(y)}")
        else:
            parts.append(f"L{_n(x)} {_n(y)}")
        last = (x, y)
    return "".join(parts)


def _n(number: float) -> str:
    return f"{round(number, 4):g}" if abs(number) < 1e5 else f"{number:.1f}"


def _text(text: str) -> str:
    return escape(_legal(text))


def _legal(text: str) -> str:
    """A text without the characters that XML can't hold."""
    return "".join(c for c in text if c >= " " or c in "\n\t")
