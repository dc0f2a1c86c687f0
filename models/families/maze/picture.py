"""Mazes as pictures: PNG, SVG, and a GIF of the making. Pillow is loaded only here, when used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from twostep.models.drawing.pixels import gif_bytes, png_bytes
from twostep.models.errors import InputError
from twostep.models.families.maze.board import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    Board,
    Maze,
    Place,
    Side,
    places_on,
    solid,
)
from twostep.models.families.maze.colours import Colours, Part
from twostep.models.families.maze.spanning import Opening

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

MOST_PIXELS = 80_000_000
"""The largest picture that is drawn."""
MOST_ANIMATED_PIXELS = 3_000_000
"""The largest animation that is drawn."""
FRAMES = 90
"""Most steps of an animation of the making."""
FRAME_MS, LAST_MS = 50, 3000
"""How long a step is shown, and the finished maze, ms."""

_INK = {part: number for number, part in enumerate(Part)}
"""The palette's colour of each part."""
_UNTOUCHED = len(Part)
"""The palette's colour of a cell that the making has not reached yet."""

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels, all inclusive."""


@dataclass(frozen=True, slots=True)
class _Scale:
    """Sizes in pixels: a cell with one of its walls, and a wall."""

    cell: int
    wall: int

    @classmethod
    def still(cls, width: int, height: int, cell: int | None) -> _Scale:
        """For a PNG of a board of that size in cells; `cell`: pixels, None: what fits."""
        return cls._of(width, height, 2000, MOST_PIXELS, cell)

    @classmethod
    def animated(cls, width: int, height: int, cell: int | None) -> _Scale:
        """For a GIF."""
        return cls._of(width, height, 800, MOST_ANIMATED_PIXELS, cell)

    @classmethod
    def _of(cls, width: int, height: int, longest: int, most: int, cell: int | None) -> _Scale:
        """Cells as large as a side of `longest` pixels allows, 3 to 24, unless a scale is given."""
        if cell is None:
            cell = max(3, min(24, longest // max(width, height)))
        wall = max(1, cell // 8)
        across, down = width * cell + wall, height * cell + wall
        if across * down > most or max(across, down) > 65_000:
            raise InputError(
                f"a board of {width}x{height} with {cell} pixels a cell is too large for this"
                " picture; draw a smaller one, choose a smaller --scale, or text or SVG"
            )
        return cls(cell, wall)

    def size(self, board: Board) -> tuple[int, int]:
        """Width and height of the picture."""
        return board.width * self.cell + self.wall, board.height * self.cell + self.wall

    def inside(self, place: Place) -> Box:
        """The floor of a cell."""
        left, top = place[0] * self.cell + self.wall, place[1] * self.cell + self.wall
        extent = self.cell - self.wall - 1
        return left, top, left + extent, top + extent

    def side(self, place: Place, bit: int) -> Box:
        """The wall on a side of a cell, without the posts at its ends."""
        left, top, right, bottom = self.inside(place)
        return {
            NORTH: (left, top - self.wall, right, top - 1),
            EAST: (right + 1, top, right + self.wall, bottom),
            SOUTH: (left, bottom + 1, right, bottom + self.wall),
            WEST: (left - self.wall, top, left - 1, bottom),
        }[bit]

    def posts(self, board: Board) -> Iterator[Box]:
        """The posts at which a closed wall ends."""
        for y in range(board.height + 1):
            for x in range(board.width + 1):
                if _has_wall(board, x, y):
                    left, top = x * self.cell, y * self.cell
                    yield left, top, left + self.wall - 1, top + self.wall - 1

    def middle(self, place: Place) -> tuple[int, int]:
        """The middle of a cell."""
        left, top, right, bottom = self.inside(place)
        return (left + right) // 2, (top + bottom) // 2

    def mark(self, place: Place) -> Box:
        """A square in a cell, for entry and exit."""
        left, top, right, bottom = self.inside(place)
        margin = (right - left) // 5
        return left + margin, top + margin, right - margin, bottom - margin


def _has_wall(board: Board, x: int, y: int) -> bool:
    """Whether a wall ends at the post at the top left of cell (x, y)."""
    touching = (
        ((x, y), NORTH | WEST),
        ((x - 1, y), NORTH | EAST),
        ((x, y - 1), SOUTH | WEST),
        ((x - 1, y - 1), SOUTH | EAST),
    )
    return any(board.inside(place) and board.at(place) & bits for place, bits in touching)


def check_size(width: int, height: int, cell: int | None = None, *, animated: bool) -> None:
    """Raise :class:`InputError` if a board of that size is too large for a PNG, or for a GIF."""
    if animated:
        _Scale.animated(width, height, cell)
    else:
        _Scale.still(width, height, cell)


def png(
    maze: Maze, *, path: bool = True, colours: Colours | None = None, cell: int | None = None
) -> bytes:
    """The maze as a PNG: thin walls, entry, exit, and (if `path`) the path.

    A cell is `cell` pixels wide (3 or more), or as many as fit.

    Raises:
        InputError: the board is too large for a picture.
    """
    scale = _Scale.still(maze.board.width, maze.board.height, cell)
    image = _blank(maze.board, scale, colours or Colours(), _INK[Part.FLOOR])
    pen = _pen(image)
    _draw_walls(pen, maze.board, scale)
    _draw_marks(pen, maze, scale, path=path)
    return png_bytes(image)


def gif(
    maze: Maze,
    making: Sequence[Opening],
    *,
    colours: Colours | None = None,
    cell: int | None = None,
) -> bytes:
    """An animation of the making of a maze: its walls are opened in that order, then the path.

    Raises:
        InputError: the board is too large for an animation.
    """
    board = maze.board
    scale = _Scale.animated(board.width, board.height, cell)
    image = _blank(board, scale, colours or Colours(), _INK[Part.WALL])
    pen = _pen(image)
    pattern = solid(board)
    for place in board.places():
        pen.rectangle(
            scale.inside(place), fill=_INK[Part.PATTERN] if place in pattern else _UNTOUCHED
        )
    batch = -(-len(making) // FRAMES) or 1

    def frames() -> Iterator[Image.Image]:
        for start in range(0, len(making), batch):
            for opened, bit in making[start : start + batch]:
                y, x = divmod(opened, board.width)
                there = Side(bit).step((x, y))
                for box in (
                    scale.inside((x, y)),
                    scale.side((x, y), bit),
                    scale.inside(there),
                ):
                    pen.rectangle(box, fill=_INK[Part.FLOOR])
            yield image.copy()
        image.paste(_INK[Part.FLOOR], (0, 0, *image.size))  # posts without walls, too
        _draw_walls(pen, board, scale)
        _draw_marks(pen, maze, scale, path=True)
        yield image.copy()

    first, rest = image.copy(), list(frames())
    return gif_bytes([first, *rest], [FRAME_MS] * len(rest) + [LAST_MS])


def svg(
    maze: Maze, *, path: bool = True, colours: Colours | None = None, cell: int | None = None
) -> str:
    """The maze as an SVG, a cell being 10 units wide, shown as `cell` pixels, or 20."""
    unit = (20 if cell is None else cell) / 10
    board, colours = maze.board, colours or Colours()
    ink = {part: "#{:02x}{:02x}{:02x}".format(*colours.of(part)) for part in Part}
    width, height = 10 * board.width, 10 * board.height
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -2 {width + 4} {height + 4}"'
        f' width="{unit * (width + 4):g}" height="{unit * (height + 4):g}" role="img">',
        f"<title>Maze of {board.width} by {board.height} cells</title>",
        f'<rect x="-2" y="-2" width="{width + 4}" height="{height + 4}" fill="{ink[Part.FLOOR]}"/>',
    ]
    lines += [
        f'<rect x="{10 * x}" y="{10 * y}" width="10" height="10" fill="{ink[Part.PATTERN]}"/>'
        for x, y in sorted(solid(board))
    ]
    lines += [
        f'<rect x="{10 * x + 2}" y="{10 * y + 2}" width="6" height="6" fill="{ink[part]}"/>'
        for part, (x, y) in ((Part.ENTRY, maze.entry), (Part.EXIT, maze.exit))
    ]
    if path and maze.path:
        points = " ".join(f"{10 * x + 5},{10 * y + 5}" for x, y in places_on(maze.path, maze.entry))
        lines.append(
            f'<polyline points="{points}" fill="none" stroke="{ink[Part.PATH]}" stroke-width="2"'
            ' stroke-linejoin="round" stroke-linecap="round"/>'
        )
    lines.append(
        f'<path d="{"".join(_runs(board))}" fill="none" stroke="{ink[Part.WALL]}"'
        ' stroke-width="1.5" stroke-linecap="square"/>'
    )
    lines.append("</svg>")
    return "\n".join(lines) + "\n"


def _runs(board: Board) -> Iterator[str]:
    """The walls as lines of an SVG path, those in a row in one."""
    for y in range(board.height + 1):
        walls = [board.wall_above(x, y) for x in range(board.width)]
        for start, end in _stretches(walls):
            yield f"M{10 * start} {10 * y}H{10 * end}"
    for x in range(board.width + 1):
        walls = [board.wall_left(x, y) for y in range(board.height)]
        for start, end in _stretches(walls):
            yield f"M{10 * x} {10 * start}V{10 * end}"


def _stretches(flags: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """The ranges `(start, end)` in which all flags are set, `end` not included."""
    start = None
    for place, flag in enumerate([*flags, False]):
        if flag and start is None:
            start = place
        elif not flag and start is not None:
            yield start, place
            start = None


def _blank(board: Board, scale: _Scale, colours: Colours, ink: int) -> Image.Image:
    from PIL import Image

    image = Image.new("P", scale.size(board), ink)
    faded = tuple((2 * a + b) // 3 for a, b in zip(colours.floor, colours.wall, strict=True))
    palette = [value for part in Part for value in colours.of(part)]
    image.putpalette([*palette, *faded])
    return image


def _pen(image: Image.Image) -> ImageDraw.ImageDraw:
    from PIL import ImageDraw

    return ImageDraw.Draw(image)


def _draw_walls(pen: ImageDraw.ImageDraw, board: Board, scale: _Scale) -> None:
    for place in board.places():
        walls = board.at(place)
        for bit in (NORTH, EAST, SOUTH, WEST):
            if walls & bit:
                pen.rectangle(scale.side(place, bit), fill=_INK[Part.WALL])
    for box in scale.posts(board):
        pen.rectangle(box, fill=_INK[Part.WALL])
    for place in solid(board):
        pen.rectangle(scale.inside(place), fill=_INK[Part.PATTERN])


def _draw_marks(pen: ImageDraw.ImageDraw, maze: Maze, scale: _Scale, *, path: bool) -> None:
    pen.rectangle(scale.mark(maze.entry), fill=_INK[Part.ENTRY])
    pen.rectangle(scale.mark(maze.exit), fill=_INK[Part.EXIT])
    if path and maze.path:
        points = [scale.middle(place) for place in places_on(maze.path, maze.entry)]
        pen.line(points, fill=_INK[Part.PATH], width=max(1, scale.cell // 8))
