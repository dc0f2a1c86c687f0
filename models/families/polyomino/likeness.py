"""When two boards with pieces are the same, turned or mirrored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from twostep.models.families.likeness import Likeness
from twostep.models.families.polyomino.board import Board
from twostep.models.families.polyomino.pieces import TRANSFORMS, Cell, Kind, Transform, normalised
from twostep.models.families.polyomino.placement import Lock


def likeness(
    board: Board, kinds: Sequence[Kind], empty: int | str, locks: Sequence[Lock]
) -> Likeness:
    """Keys of the outline, of outline and pieces, and of all with the locked pieces.

    The names of the pieces do not matter, nor does their order.
    """
    images = [_image(board, kinds, empty, locks, transform) for transform in TRANSFORMS]
    outline, pieces, locked = (min(keys) for keys in zip(*images, strict=True))
    return Likeness((("outline", outline), ("pieces", pieces), ("locked pieces", locked)))


def _image(
    board: Board, kinds: Sequence[Kind], empty: int | str, locks: Sequence[Lock], turn: Transform
) -> tuple[str, str, str]:
    """The three keys of the puzzle as it lies after a transform."""
    cells, shift = _moved(board.free, turn)
    forms = {
        kind.name: repr(sorted(normalised(map(turn, shape)) for shape in kind.piece.orientations))
        for kind in kinds
    }
    bounds = sorted((forms[kind.name], kind.low, str(kind.high)) for kind in kinds)
    lying = sorted(
        (forms.get(lock.piece, lock.piece), _shifted(map(turn, lock.cells), shift))
        for lock in locks
    )
    outline = repr(cells)
    return outline, repr((outline, bounds, empty)), repr((outline, bounds, empty, lying))


def _moved(cells: Iterable[Cell], turn: Transform) -> tuple[list[Cell], Cell]:
    """Cells turned or mirrored, their least row and column brought to 0; and the shift."""
    images = [turn(cell) for cell in cells]
    shift = (-min(row for row, _ in images), -min(column for _, column in images))
    return _shifted(images, shift), shift


def _shifted(cells: Iterable[Cell], shift: Cell) -> list[Cell]:
    return sorted((row + shift[0], column + shift[1]) for row, column in cells)
