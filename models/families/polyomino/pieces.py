"""Pieces: shapes of unit squares, how they may be turned, and the names people know them by.

A *shape* is a set of cells (row, column), moved so that its least row and its least column are
0, sorted. A *piece* is a shape with a name and with the permission to be turned by quarter turns
and to be turned over: with both it is a free polyomino, with turning alone a one-sided one, with
neither a fixed one. Turning over is left to right; a piece that may be turned over but not turned
has that one other face.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from twostep.models.errors import InputError, nearest
from twostep.models.words import counted

Cell = tuple[int, int]
"""(row, column), counted from 0, row 0 at the top."""

Shape = tuple[Cell, ...]
"""Cells, sorted, the least row and the least column 0."""

MAX_PIECE_CELLS = 1000
"""A larger piece is refused."""


def normalised(cells: Iterable[Cell]) -> Shape:
    """The shape of some cells, wherever they lie."""
    cells = tuple(cells)
    top = min(row for row, _ in cells)
    left = min(column for _, column in cells)
    return tuple(sorted((row - top, column - left) for row, column in cells))


def turned(cells: Iterable[Cell]) -> Shape:
    """A shape turned by a quarter, clockwise."""
    return normalised((column, -row) for row, column in cells)


def turned_over(cells: Iterable[Cell]) -> Shape:
    """A shape turned over, left to right."""
    return normalised((row, -column) for row, column in cells)


@lru_cache(1024)  # a file may name a piece very often
def orientations(
    shape: Shape, may_turn: bool = True, may_turn_over: bool = True
) -> tuple[Shape, ...]:
    """The different shapes that a piece takes, sorted."""
    faces = [shape, turned_over(shape)] if may_turn_over else [shape]
    seen = set(faces)
    if may_turn:
        for face in faces:
            for _ in range(3):
                face = turned(face)
                seen.add(face)
    return tuple(sorted(seen))


def representative(shape: Shape) -> Shape:
    """One shape for all that are turned or mirrored copies of each other."""
    return orientations(shape)[0]


def neighbours(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """The four cells that share an edge with a cell."""
    row, column = cell
    return (row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)


def regions(cells: Iterable[Cell]) -> list[list[Cell]]:
    """The connected parts of a set of cells, each sorted, in order of their first cell."""
    left = set(cells)
    parts = []
    for start in sorted(left):
        if start not in left:
            continue
        left.discard(start)
        part = [start]
        for cell in part:  # grows while it is walked
            for near in neighbours(cell):
                if near in left:
                    left.discard(near)
                    part.append(near)
        parts.append(sorted(part))
    return parts


@dataclass(frozen=True)
class Piece:
    """A named polyomino.

    Attributes:
        name: what it is called in messages; see :func:`check_name`.
        shape: the shape it was given in.
        may_turn: by quarter turns.
        may_turn_over: left to right.
    """

    name: str
    shape: Shape
    may_turn: bool = True
    may_turn_over: bool = True

    def __post_init__(self) -> None:
        check_name(self.name)
        if not self.shape:
            raise InputError(f"piece {self.name!r} has no cells")
        if len(self.shape) > MAX_PIECE_CELLS:
            raise InputError(f"piece {self.name!r}: more than {MAX_PIECE_CELLS} cells")
        if len(regions(self.shape)) > 1:
            raise InputError(f"piece {self.name!r} is not connected by edges")

    @property
    def size(self) -> int:
        """How many cells it covers."""
        return len(self.shape)

    @cached_property
    def orientations(self) -> tuple[Shape, ...]:
        """The different shapes it takes, sorted."""
        return orientations(self.shape, self.may_turn, self.may_turn_over)


def check_name(name: str) -> None:
    """Raise :class:`InputError` unless `name` can be a piece's name.

    It is 1 to 20 printable characters without spaces and without ``, : = * # . / " '``, which
    mean something where pieces are listed.
    """
    if not name or len(name) > 20 or not name.isprintable() or set(name) & set(" ,:=*#./\"'"):
        raise InputError(
            f"piece name {name[:30]!r}: expected 1 to 20 printable characters without spaces,"
            " commas, colons, quotes or any of = * # . /"
        )


@dataclass(frozen=True)
class Kind:
    """A piece and how many copies of it are placed: at least `low`, at most `high`.

    `high` None means any number. Equal copies are never told apart.
    """

    piece: Piece
    low: int = 1
    high: int | None = 1

    def __post_init__(self) -> None:
        if self.low < 0 or (self.high is not None and self.high < self.low):
            raise InputError(
                f"piece {self.name!r}: {self.low} to {self.high} copies, expected 0 <= low <= high"
            )
        if max(self.low, self.high or 0) > MAX_COPIES:
            raise InputError(f"piece {self.name!r}: more than {MAX_COPIES} copies")

    @property
    def name(self) -> str:
        """The piece's name."""
        return self.piece.name


MAX_COPIES = 10_000
"""More copies of one piece are refused."""


def shape_from_rows(rows: Sequence[str], what: str = "piece", line: int | None = None) -> Shape:
    """The shape of a picture: ``#`` a cell, ``.`` none.

    Args:
        rows: the picture's lines, all of one length.
        what: how messages call the piece.
        line: the number of the first row's line in its file, for messages.

    Raises:
        InputError: ragged, an unknown character, no cell at all.
    """
    cells = cells_marked(rows, "#", "'#' (a cell) or '.'", what, line)
    if not cells:
        raise InputError(f"{what} has no cells", line=line)
    return normalised(cells)


def cells_marked(
    rows: Sequence[str], mark: str, expected: str, what: str, line: int | None
) -> list[Cell]:
    """The cells that have this one of the two marks ``#`` and ``.`` in a picture, row by row.

    Args:
        rows: the picture's lines, all of one length.
        mark: the mark of the cells.
        expected: both marks in words, for messages.
        what: how messages call what is drawn.
        line: the number of the first row's line in its file, for messages.

    Raises:
        InputError: ragged, an unknown character.
    """
    cells = []
    for index, row in enumerate(rows):
        at = None if line is None else line + index
        place = f"{what}, row {index + 1}" if line is None else what
        if len(row) != len(rows[0]):
            raise InputError(
                f"{place}: {counted(len(row), 'character')}, the rows above have {len(rows[0])}",
                line=at,
            )
        for column, character in enumerate(row):
            if character == mark:
                cells.append((index, column))
            elif character not in "#.":
                raise InputError(
                    f"{place}: unknown character {character!r}, expected {expected}",
                    line=at,
                    column=column + 1,
                )
    return cells


def picture(shape: Shape) -> tuple[str, ...]:
    """A shape's picture, row by row: ``#`` a cell, ``.`` none."""
    cells = set(shape)
    high, wide = extent(shape)
    return tuple(
        "".join("#" if (row, column) in cells else "." for column in range(wide))
        for row in range(high)
    )


def extent(shape: Shape) -> tuple[int, int]:
    """Rows and columns of a shape's bounding box."""
    return 1 + max(row for row, _ in shape), 1 + max(column for _, column in shape)


_PICTURES = {
    "I1": "#",
    "I2": "##",
    "I3": "###",
    "V3": "##/#.",
    "I4": "####",
    "L4": "###/#..",
    "O4": "##/##",
    "S4": ".##/##.",
    "T4": "###/.#.",
    "J4": "###/..#",
    "Z4": "##./.##",
    "F5": ".##/##./.#.",
    "I5": "#####",
    "L5": "####/#...",
    "N5": "###./..##",
    "P5": "##/##/#.",
    "T5": "###/.#./.#.",
    "U5": "#.#/###",
    "V5": "#../#../###",
    "W5": "#../##./.##",
    "X5": ".#./###/.#.",
    "Y5": "####/.#..",
    "Z5": "##./.#./.##",
    "G5": "##./.##/.#.",
    "J5": "####/...#",
    "M5": ".###/##..",
    "Q5": "##/##/.#",
    "H5": "####/..#.",
    "S5": ".##/.#./##.",
}
"""The pieces of one to five cells by letter and size; see :data:`MIRRORED`."""

MIRRORED = {
    "L4": "J4", "S4": "Z4",
    "F5": "G5", "L5": "J5", "N5": "M5", "P5": "Q5", "Y5": "H5", "Z5": "S5",
}  # fmt: skip
"""What a piece is when it is turned over, where that is another piece as long as pieces may not be
turned over: there are 7 one-sided tetrominoes and 18 one-sided pentominoes."""

PENTOMINOES = "FILNPTUVWXYZ"

SETS = {
    "monominoes": ("I1",),
    "dominoes": ("I2",),
    "trominoes": ("I3", "V3"),
    "tetrominoes": ("I4", "L4", "O4", "S4", "T4"),
    "pentominoes": tuple(f"{letter}5" for letter in PENTOMINOES),
}
"""All free pieces of one size, by the set's name."""


def named_shape(name: str) -> Shape:
    """The shape of a piece known by name: ``L4``; a letter alone is the pentomino, ``L``.

    ``R2x3`` is the rectangle of 2 rows and 3 columns. The mirror partners of pentominoes have
    their number in their names: ``J5``, not ``J``, which people might mean for a tetromino.

    Raises:
        InputError: there is no such piece; tells which there are.
    """
    if found := _RECTANGLE.fullmatch(name):
        rows, columns = int(found[1]), int(found[2])
        if rows * columns > MAX_PIECE_CELLS:
            raise InputError(f"piece {name!r}: more than {MAX_PIECE_CELLS} cells")
        return tuple((row, column) for row in range(rows) for column in range(columns))
    key = f"{name}5" if name in PENTOMINOES else name
    if key not in _PICTURES:
        raise InputError(f"unknown piece {name[:30]!r}{_known_like(name)}")
    return shape_from_rows(_PICTURES[key].split("/"))


_RECTANGLE = re.compile(r"R([1-9][0-9]{0,2})x([1-9][0-9]{0,2})", re.ASCII)


def name_of_shape(shape: Shape) -> str | None:
    """What people call a shape, a pentomino by its letter alone; None: it has no name."""
    found = _NAME_OF.get(representative(shape))
    return found[0] if found is not None and found.endswith("5") else found


def _known_like(name: str) -> str:
    letter, size = name[:1].upper(), name[1:]
    if re.fullmatch(r"[1-5]", size):
        known = ", ".join(key for key in _PICTURES if key[1] == size)
        return f"; of {size} cells there are {known}"
    if len(name) > 3 and (near := nearest(name, SETS)) is not None:
        return f"; did you mean {near!r}?"
    if same := [key for key in _PICTURES if key[0] == letter]:
        return f"; with this letter there are {', '.join(same)}"
    return f"; pieces are named by letter and cells: {', '.join(_PICTURES)}"


_NAME_OF = {
    representative(shape_from_rows(picture.split("/"))): name
    for name, picture in reversed(_PICTURES.items())
}

_COPIES = re.compile(r"(?P<low>[0-9]{1,9})(?:-(?P<high>[0-9]{1,9}|any))?|any")

FACES = {"one-sided": (True, False), "fixed": (False, False)}
"""How a piece may be turned, where it may not be both turned and turned over: (may turn, may turn
over)."""


@dataclass(frozen=True, slots=True)
class PieceToken:
    """``L4-one-sided=2`` taken apart: the name; may turn, may turn over; how many copies."""

    name: str
    may_turn: bool
    may_turn_over: bool
    low: int
    high: int | None

    def kind(self, shape: Shape) -> Kind:
        """A kind of piece of that shape."""
        return Kind(Piece(self.name, shape, self.may_turn, self.may_turn_over), self.low, self.high)


def parse_copies(text: str) -> tuple[int, int | None]:
    """The least and the greatest number of copies: ``2``, ``0-3``, ``1-any``, ``any``.

    Raises:
        InputError: none of these.
    """
    match = _COPIES.fullmatch(text)
    if match is None:
        raise InputError(
            f"{text[:20]!r} copies: expected a number, a range such as 0-3 or 1-any, or 'any'"
        )
    if text == "any":
        return 0, None
    low = int(match["low"])
    if match["high"] is None:
        return low, low
    return low, None if match["high"] == "any" else int(match["high"])


def parse_token(text: str, faces: tuple[bool, bool] = (True, True)) -> PieceToken:
    """Read ``NAME[-one-sided|-fixed][=COPIES]``.

    COPIES is as in :func:`parse_copies`, and 1 if it isn't given; ``*`` may stand for ``=``.

    Args:
        text: the token.
        faces: may turn, may turn over, where the token does not say.

    Raises:
        InputError: names the token and what was expected.
    """
    head, equals, copies = text.replace("*", "=", 1).partition("=")
    try:
        low, high = parse_copies(copies) if equals else (1, 1)
    except InputError as error:
        raise InputError(f"pieces {text[:40]!r}: {error.message}") from None
    name = head
    for word, allowed in FACES.items():
        if head.endswith(f"-{word}"):
            name, faces = head.removesuffix(f"-{word}"), allowed
    check_name(name)
    return PieceToken(name, *faces, low, high)


def parse_kinds(tokens: Iterable[str], faces: tuple[bool, bool] = (True, True)) -> list[Kind]:
    """Kinds of named pieces, from tokens such as ``L4``, ``I2=any``, ``tetrominoes=2``.

    A piece listed twice is there twice.

    Raises:
        InputError: an unknown piece, or a token that cannot be read.
    """
    return merged(kind for text in tokens for kind in _named(text, faces))


@lru_cache(1024)  # a file may list a piece very often
def _named(text: str, faces: tuple[bool, bool]) -> tuple[Kind, ...]:
    """The kinds that one token names: one, or those of a set."""
    token = parse_token(text, faces)
    if token.name not in SETS:
        return (token.kind(named_shape(token.name)),)
    if not token.may_turn:
        raise InputError(
            f"pieces {text[:40]!r}: the set holds free or one-sided pieces; list pieces that may"
            " not be turned by their own names"
        )
    names = names_of_set(token.name, one_sided=not token.may_turn_over)
    return tuple(replace(token, name=name).kind(named_shape(name)) for name in names)


def names_of_set(name: str, *, one_sided: bool = False) -> list[str]:
    """The pieces of a set: the free ones, or the one-sided ones, mirror partners side by side."""
    found = []
    for key in SETS[name]:
        found.append(key[0] if key[1] == "5" else key)
        if one_sided and key in MIRRORED:
            found.append(MIRRORED[key])
    return found


def pentominoes_for(cells: int, faces: tuple[bool, bool] = (True, True)) -> list[Kind]:
    """The pieces of a board for which none are named: the twelve, or some where it is smaller."""
    copies = "" if cells >= 5 * len(PENTOMINOES) else "=0-1"
    return parse_kinds([letter + copies for letter in PENTOMINOES], faces)


def merged(kinds: Iterable[Kind]) -> list[Kind]:
    """Kinds in which each piece stands once: copies of equal pieces are added up.

    Raises:
        InputError: two different pieces of one name, or two names for one piece (their copies
            would be told apart).
    """
    pieces: dict[str, Piece] = {}
    low: dict[str, int] = {}
    high: dict[str, int | None] = {}
    for kind in kinds:
        name = kind.name
        if (piece := pieces.setdefault(name, kind.piece)) is not kind.piece and piece != kind.piece:
            raise InputError(f"two different pieces are named {name!r}")
        low[name] = low.get(name, 0) + kind.low
        most = high.get(name, 0)
        high[name] = None if most is None or kind.high is None else most + kind.high
    by_name = {name: Kind(piece, low[name], high[name]) for name, piece in pieces.items()}
    seen: dict[tuple[Shape, ...], str] = {}
    for name, kind in by_name.items():
        first = seen.setdefault(kind.piece.orientations, name)
        if first != name:
            raise InputError(
                f"pieces {first!r} and {name!r} are the same piece: list one of them, with its"
                " number of copies"
            )
    return list(by_name.values())


def letters(names: Sequence[str], avoid: str = ".#") -> list[str]:
    """One character for each name, all different: the name's first where it is still free.

    Names of one character come first: of L4 and L, ``L`` is the latter. Else it is the other case,
    else the next free one of A-Z, a-z, 0-9 and further alphabets.
    """
    taken = {*avoid, *(name for name in names if len(name) == 1)}
    chosen: list[str | None] = []
    for name in names:
        pair = (name[0], name[0].swapcase())
        found = name if len(name) == 1 else _first_free(pair, taken)
        if found is not None:
            taken.add(found)
        chosen.append(found)
    pool = _alphabet()
    return [found or next(c for c in pool if c not in taken) for found in chosen]


def _first_free(characters: Iterable[str], taken: set[str]) -> str | None:
    return next((c for c in characters if len(c) == 1 and c not in taken), None)


def _alphabet() -> Iterable[str]:
    ascii_characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    further = (chr(code) for code in itertools.count(0x391) if chr(code).isalpha())
    return itertools.chain(ascii_characters, further)


Transform = Callable[[Cell], Cell]

TRANSFORMS: tuple[Transform, ...] = (
    lambda cell: cell,
    lambda cell: (cell[1], -cell[0]),
    lambda cell: (-cell[0], -cell[1]),
    lambda cell: (-cell[1], cell[0]),
    lambda cell: (cell[0], -cell[1]),
    lambda cell: (cell[1], cell[0]),
    lambda cell: (-cell[0], cell[1]),
    lambda cell: (-cell[1], -cell[0]),
)
"""The eight ways to turn and mirror the plane, the identity first, then the turns."""
