"""All polyominoes of a size, grown cell by cell."""

from __future__ import annotations

from functools import cache

from twostep.models.families.polyomino.pieces import Shape, neighbours, normalised, orientations


@cache
def fixed_shapes(cells: int) -> tuple[Shape, ...]:
    """All shapes of so many cells, told apart when turned or mirrored, sorted."""
    shapes: set[Shape] = {((0, 0),)}
    for _ in range(cells - 1):
        shapes = {
            normalised((*shape, near))
            for shape in shapes
            for cell in shape
            for near in neighbours(cell)
            if near not in shape
        }
    return tuple(sorted(shapes))


def shapes_of_size(cells: int, may_turn: bool = True, may_turn_over: bool = True) -> list[Shape]:
    """All pieces of so many cells, one shape for those that are orientations of each other."""
    return [
        shape
        for shape in fixed_shapes(cells)
        if shape == orientations(shape, may_turn, may_turn_over)[0]
    ]
