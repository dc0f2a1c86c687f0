"""Outlines for levels: pieces laid side by side at random, or regions grown with a symmetry."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from twostep.models.families.polyomino.board import Board
from twostep.models.families.polyomino.pieces import (
    Cell,
    Kind,
    Shape,
    extent,
    neighbours,
    normalised,
    regions,
)
from twostep.models.game import weights


@dataclass(frozen=True, slots=True)
class Outline:
    """A board that some pieces fill, one copy of each.

    Attributes:
        board: the board, in its bounding box, not higher than wide.
        kinds: the pieces, by name.
        holes: how many blocked regions it encloses.
        score: what the weights say of its form; more is better.
    """

    board: Board
    kinds: tuple[Kind, ...]
    holes: int
    score: float


def lay(kinds: Sequence[Kind], rng: random.Random, looks: int) -> list[tuple[Cell, ...]]:
    """Lay one copy of each piece beside those before; gives the cells of each.

    Of `looks` places at random the one with the longest common edge is taken, so few looks give
    odd outlines and many compact ones.
    """
    taken: set[Cell] = set()
    edge: list[Cell] = [(0, 0)]  # free cells beside those taken
    laid = []
    for kind in kinds:
        best: tuple[int, tuple[Cell, ...]] | None = None
        found = 0
        while found < looks:
            at = edge[rng.randrange(len(edge))]
            shapes = kind.piece.orientations
            shape = shapes[rng.randrange(len(shapes))]
            anchor = shape[rng.randrange(len(shape))]
            down, right = at[0] - anchor[0], at[1] - anchor[1]
            cells = tuple((row + down, column + right) for row, column in shape)
            if not taken.isdisjoint(cells):
                found += 1 if best is not None else 0
                continue
            found += 1
            contact = sum(near in taken for cell in cells for near in neighbours(cell))
            if best is None or contact > best[0]:
                best = (contact, cells)
        assert best is not None
        laid.append(best[1])
        taken.update(best[1])
        edge = sorted({near for cell in taken for near in neighbours(cell)} - taken)
    return laid


def grow_symmetric(cells: int, rng: random.Random) -> Shape | None:
    """A connected region of so many cells with a symmetry; None: it did not come out even."""
    odd_rows, odd_columns = rng.randrange(2), rng.randrange(2)
    half_turn = rng.random() < 0.3
    both = rng.random() < 0.3

    def orbit(cell: Cell) -> set[Cell]:
        row, column = cell
        # Doubled coordinates would say the same: the centre is at 0, or half a cell beside it.
        mirrored = (row, -column - odd_columns)
        turned = (-row - odd_rows, -column - odd_columns)
        flipped = (-row - odd_rows, column)
        if both:
            return {cell, mirrored, turned, flipped}
        return {cell, turned} if half_turn else {cell, mirrored}

    region = orbit((0, 0))
    for _ in range(4 * cells):
        missing = cells - len(region)
        if missing == 0:
            break
        edge = sorted({near for cell in region for near in neighbours(cell)} - region)
        looks = [edge[rng.randrange(len(edge))] for _ in range(rng.choice((1, 3, 6)))]
        cell = max(looks, key=lambda c: sum(near in region for near in neighbours(c)))
        if len(new := orbit(cell)) <= missing:
            region |= new
    if len(region) != cells or len(regions(region)) != 1:
        return None
    return normalised(region)


def outline_of(cells: Sequence[Cell], kinds: Sequence[Kind]) -> Outline:
    """The outline of some cells."""
    shape = normalised(cells)
    rows, columns = extent(shape)
    if rows > columns:
        shape = normalised((column, row) for row, column in shape)
        rows, columns = columns, rows
    board = Board(rows, columns, shape)
    holes = _holes(board)
    edge = sum(near not in board for cell in shape for near in neighbours(cell))
    shortest = 2 * (2 * len(shape) ** 0.5)
    score = (
        weights.COMPACT * (len(shape) / (rows * columns) + shortest / edge)
        + weights.SQUARE * rows / columns
        + weights.HOLE * holes
        + weights.SYMMETRY * (len(board.symmetries) - 1)
    )
    return Outline(board, tuple(sorted(kinds, key=lambda kind: kind.name)), holes, score)


def _holes(board: Board) -> int:
    """How many regions of blocked cells the free ones enclose."""
    around = {
        (row, column)
        for row in range(-1, board.rows + 1)
        for column in range(-1, board.columns + 1)
    }
    return len(regions(around - board.free_set)) - 1
