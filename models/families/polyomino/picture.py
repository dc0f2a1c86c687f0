"""Boards of pieces as drawing primitives: the board, the pieces on it, and those of the tray."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from twostep.models.drawing.geometry import apart, merged
from twostep.models.drawing.palette import PIECES
from twostep.models.drawing.scene import (
    NO_MARKS,
    Area,
    Layer,
    Line,
    Marks,
    Role,
    Scene,
    Shape,
    Sign,
    Spare,
    Text,
    Token,
    Weight,
    square,
)
from twostep.models.families.polyomino.pieces import PENTOMINOES, Cell, extent
from twostep.models.families.polyomino.placement import Placement, cell_name

if TYPE_CHECKING:
    from twostep.models.families.polyomino.puzzle import PolyominoPuzzle


def colour_numbers(names: Sequence[str]) -> dict[str, int]:
    """Pentominoes keep their colour from level to level; other pieces get those that are left."""
    numbers = {name: PENTOMINOES.index(name) for name in names if name in set(PENTOMINOES)}
    left = [n for n in range(len(PIECES)) if n not in numbers.values()] or list(range(len(PIECES)))
    others = [name for name in names if name not in numbers]
    return numbers | {name: left[n % len(left)] for n, name in enumerate(others)}


def scene(puzzle: PolyominoPuzzle, placed: Sequence[Placement], marks: Marks = NO_MARKS) -> Scene:
    """The board with some pieces on it (locked ones too), in rising order of their cells."""
    placed = sorted(placed, key=lambda placement: placement.cells)
    shown = {
        label
        for option in marks.options
        if isinstance(label := puzzle.model.labels[option], Placement)
    }
    placed += sorted(shown.difference(placed), key=lambda placement: placement.cells)
    numbers = colour_numbers([kind.name for kind in puzzle.kinds])
    colours = apart([each.cells for each in placed], [numbers[each.piece] for each in placed])
    taken = {cell for each in placed for cell in each.cells}
    board = [Area(square(*cell)) for cell in puzzle.board.free if cell not in taken]
    grid = list(_grid(set(puzzle.board.free) - taken))
    pieces: list[Shape] = []
    letters: list[Shape] = []
    locked = set(puzzle.locked)
    for each, colour in zip(placed, colours, strict=True):
        name = f"{each.piece}, locked" if each in locked else each.piece
        pieces += [Area(square(*cell), colour, each in shown, name) for cell in each.cells]
        letters += _labels(each.cells, puzzle.letters[each.piece], colour, locked=each in locked)
    outlines: list[Shape] = [*_outline(puzzle.board.free)]
    for each in placed:
        outlines += _outline(each.cells)
    layers = [
        Layer("board", (*board, *grid)),
        Layer("pieces", (*pieces, *outlines, *letters)),
    ]
    pointed = [*_pointed(puzzle, marks, shown)]
    if pointed:
        layers.append(Layer("marks", tuple(pointed)))
    return Scene(
        puzzle.name, puzzle.board.columns, puzzle.board.rows, tuple(layers), puzzle.drawn(placed)
    )


def tray(puzzle: PolyominoPuzzle, placed: Iterable[Placement]) -> tuple[Spare, ...]:
    """The pieces that are still to be placed, and those that are locked."""
    used = Counter(each.piece for each in placed)
    locked = Counter(each.piece for each in puzzle.locked)
    numbers = colour_numbers([kind.name for kind in puzzle.kinds])
    found = []
    for kind in puzzle.kinds:
        low = max(0, kind.low - used[kind.name])
        high = None if kind.high is None else max(0, kind.high - used[kind.name])
        if high == 0 and not locked[kind.name]:
            continue
        shape = min(kind.piece.orientations, key=lambda each: (extent(each), each))
        rows, columns = extent(shape)
        colour = numbers[kind.name]
        drawing = (
            *(Area(square(*cell), colour, name=kind.name) for cell in shape),
            *_outline(shape),
            *_labels(shape, puzzle.letters[kind.name], colour, locked=False),
        )
        alone = Scene(kind.name, columns, rows, (Layer("piece", drawing),))
        found.append(Spare(kind.name, alone, low, high, locked[kind.name]))
    return tuple(found)


def _labels(cells: Sequence[Cell], letter: str, colour: int, *, locked: bool) -> Iterator[Shape]:
    """The letter in the cell nearest the middle, the lock in another: they never share a cell."""
    row, column = (sum(part) / len(cells) for part in zip(*cells, strict=True))
    here = min(cells, key=lambda cell: ((cell[0] - row) ** 2 + (cell[1] - column) ** 2, cell))
    yield Text((here[1] + 0.5, here[0] + 0.5), letter, 0.55, on=colour, width=0.8)
    if locked:
        others = [cell for cell in cells if cell != here]
        at = (others[0][1] + 0.5, others[0][0] + 0.5) if others else (here[1] + 0.8, here[0] + 0.25)
        yield Token(at, Sign.LOCK, 0.45 if others else 0.25, on=colour)


def _outline(cells: Iterable[Cell]) -> Iterator[Line]:
    for ring in merged(square(*cell) for cell in cells):
        yield Line((*ring, ring[0]))


def _grid(empty: set[Cell]) -> Iterator[Line]:
    """The lines between empty cells, those in a row in one."""
    for step in (0, 1):  # upright lines, level lines
        sides = sorted(
            (row, column) if step else (column, row)
            for row, column in empty
            if (row - step, column - (1 - step)) in empty
        )
        ends = [None, *sides, None]
        start = 0
        for before, (line, place), after in zip(ends, sides, ends[2:], strict=False):
            if before != (line, place - 1):
                start = place
            if after != (line, place + 1):
                a, b = (start, line), (place + 1, line)
                points = (a, b) if step else (a[::-1], b[::-1])
                yield Line(points, Weight.HAIR, Role.FAINT)


def _pointed(puzzle: PolyominoPuzzle, marks: Marks, shown: set[Placement]) -> Iterator[Shape]:
    """Marked cells and the outlines of marked pieces."""
    cell_of = {cell_name(cell): cell for cell in puzzle.board.free}
    for item in sorted(marks.items):
        if (cell := cell_of.get(puzzle.model.items[item])) is not None:
            ring = square(cell[0] + 0.08, cell[1] + 0.08, 0.84)
            yield Line((*ring, ring[0]), Weight.WALL, Role.WRONG)
    for each in sorted(shown, key=lambda placement: placement.cells):
        for line in _outline(each.cells):
            yield Line(line.points, Weight.WALL, Role.MARK, dashed=True)
