"""In which order the pieces of a finished packing can be dropped, so that each is held.

A packing is played one piece at a time, straight down, and a row that becomes complete vanishes
at once. What has vanished holds nothing. Two rules come of it:

* in every column, what lies below is dropped before what lies above;
* a piece with a flat underside on row ``b`` is dropped before row ``b - 1`` is complete, unless
  something that never vanishes holds it.

A piece with an uneven underside needs no rule: it is held in its higher columns by a row in which
it has a cell itself, and which therefore isn't complete before it comes.

The second rule is a choice: which piece of row ``b - 1`` comes last. For every row with such a
flat piece above it one last piece is chosen, by backtracking; the choices are right when no piece
has to come before itself. (To drop first whatever completes no row is *not* the same: it chooses
the last pieces blindly.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from twostep.models.families.tetris.pieces import Cell


@dataclass(frozen=True, slots=True)
class Laid:
    """A piece of a packing, as far as the order is concerned.

    Attributes:
        cells: its cells in the rows of the packing and, as row -1, in the new row.
        deadline: the row that must not be complete before it is dropped; None: none.
    """

    cells: tuple[Cell, ...]
    deadline: int | None = None


def drop_order(
    pieces: Sequence[Laid], *, first: int = 0, last: int | None = None
) -> tuple[int, ...] | None:
    """Indices of `pieces` in an order in which every piece is held; None if there is none.

    Of the pieces that may be next, the one with the lowest index is. The `first` pieces have to
    come before all others, the piece `last` after all others. A complete search: None is a proof.
    """
    before = _from_below(pieces)
    for index in range(first, len(pieces)):
        before[index] |= (1 << first) - 1
    if last is not None:
        before[last] |= ((1 << len(pieces)) - 1) & ~(1 << last)
    ancestors = _closure(before)
    if ancestors is None:
        return None
    choices = _last_pieces(pieces, ancestors)
    if choices is None:
        return None
    for piece, earlier in choices:
        before[piece] |= earlier
    return _sequence(before)


def _from_below(pieces: Sequence[Laid]) -> list[int]:
    """Per piece, the pieces directly below it, as a set of bits."""
    owner = {cell: index for index, piece in enumerate(pieces) for cell in piece.cells}
    before = [0] * len(pieces)
    for (column, row), index in owner.items():
        below = owner.get((column, row - 1), index)
        if below != index:
            before[index] |= 1 << below
    return before


def _sequence(before: Sequence[int]) -> tuple[int, ...] | None:
    """An order that respects `before`, lowest index first where it is free; None: a cycle."""
    done = 0
    waiting = list(range(len(before)))
    found: list[int] = []
    while waiting:
        piece = next((index for index in waiting if not before[index] & ~done), None)
        if piece is None:
            return None
        waiting.remove(piece)
        found.append(piece)
        done |= 1 << piece
    return tuple(found)


def _closure(before: Sequence[int]) -> list[int] | None:
    """Per piece, all pieces that come earlier, as a set of bits; None: a cycle."""
    sequence = _sequence(before)
    if sequence is None:
        return None
    ancestors = [0] * len(before)
    for piece in sequence:
        found = before[piece]
        for earlier in _bits(before[piece]):
            found |= ancestors[earlier]
        ancestors[piece] = found
    return ancestors


def _last_pieces(pieces: Sequence[Laid], ancestors: list[int]) -> list[tuple[int, int]] | None:
    """For each row with a deadline its last piece and what comes before it; None: impossible."""
    groups: list[tuple[int, int]] = []  # the row's pieces; they and the pieces due before it ends
    for row in sorted({piece.deadline for piece in pieces if piece.deadline is not None}):
        members = due = 0
        for index, piece in enumerate(pieces):
            if any(y == row for _, y in piece.cells):
                members |= 1 << index
            if piece.deadline == row:
                due |= 1 << index
        groups.append((members, members | due))
    chosen: list[tuple[int, int]] = []

    def choose(depth: int, ancestors: list[int]) -> bool:
        # As deep as there are rows.
        if depth == len(groups):
            return True
        members, group = groups[depth]
        earlier = 0
        for piece in _bits(group):
            earlier |= ancestors[piece]
        for piece in _bits(members & ~earlier):
            others = group & ~(1 << piece)
            gained = others
            for other in _bits(others):
                gained |= ancestors[other]
            # `piece` is no ancestor of the group, so nothing can come before itself here.
            extended = [
                found | gained if index == piece or found >> piece & 1 else found
                for index, found in enumerate(ancestors)
            ]
            chosen.append((piece, others))
            if choose(depth + 1, extended):
                return True
            chosen.pop()
        return False

    return chosen if choose(0, ancestors) else None


def _bits(bits: int) -> list[int]:
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found
