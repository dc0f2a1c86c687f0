"""A level of a puzzle game: a board, pieces, locked pieces, and what is known about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from twostep.models.families.polyomino.board import Board
from twostep.models.families.polyomino.pieces import TRANSFORMS, Cell, Kind, Transform, normalised
from twostep.models.families.polyomino.placement import Lock
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle

MAX_GRADE = 10


@dataclass(frozen=True, slots=True)
class Witness:
    """An engine that proved something, and its version."""

    engine: str
    version: str


@dataclass(frozen=True, slots=True)
class Proof:
    """What was proven about a level.

    Attributes:
        solutions: how many answers it has, at least or exactly.
        complete: whether that is exact.
        witnesses: the engines that found the same.
    """

    solutions: int
    complete: bool
    witnesses: tuple[Witness, ...]


@dataclass(frozen=True, eq=False)
class Level:
    """One level, as its file says; whether its locks are legal is checked by :attr:`puzzle`.

    Attributes:
        name: shown to people.
        board, kinds, empty, locks: as in :class:`PolyominoPuzzle`.
        author: who made it; empty: unknown.
        seed: what the generator was given; None: not generated, or unknown.
        grade: 1 (easy) to 10; None: not graded.
        proof: what was proven; None: nothing.
        extra: fields of the file that Twostep does not know, kept as they are.
    """

    name: str
    board: Board
    kinds: tuple[Kind, ...]
    empty: int | str = 0
    locks: tuple[Lock, ...] = ()
    author: str = ""
    seed: int | None = None
    grade: int | None = None
    proof: Proof | None = None
    extra: Mapping[str, object] = field(default_factory=dict)

    @cached_property
    def puzzle(self) -> PolyominoPuzzle:
        """The level as a puzzle; its locked pieces are already chosen.

        Raises:
            InputError: the locks or the empty cells cannot be.
        """
        return PolyominoPuzzle(self.name, self.board, self.kinds, self.empty, self.locks)

    @cached_property
    def outline_key(self) -> str:
        """The same for levels whose boards and pieces are turned or mirrored copies."""
        return min(self._keys(with_locks=False))

    @cached_property
    def key(self) -> str:
        """The same for levels that are turned or mirrored copies, locked pieces included.

        Names of levels and of pieces do not matter, nor does the order of pieces.
        """
        return min(self._keys(with_locks=True))

    def _keys(self, *, with_locks: bool) -> Iterable[str]:
        for transform in TRANSFORMS:
            cells, shift = _moved(self.board.free, transform)
            kinds = {
                kind.name: repr(
                    sorted(normalised(map(transform, shape)) for shape in kind.piece.orientations)
                )
                for kind in self.kinds
            }
            bounds = sorted((kinds[kind.name], kind.low, str(kind.high)) for kind in self.kinds)
            locks = sorted(
                (kinds.get(lock.piece, lock.piece), _shifted(map(transform, lock.cells), shift))
                for lock in (self.locks if with_locks else ())
            )
            yield repr((cells, bounds, self.empty, locks))


@dataclass(frozen=True, eq=False)
class Pack:
    """The levels of one file.

    Attributes:
        levels: in the order of play.
        name, author: of the pack; empty: unknown.
        single: whether the file holds one level without a list around it.
        extra: fields of the file that Twostep does not know, kept as they are.
    """

    levels: tuple[Level, ...]
    name: str = ""
    author: str = ""
    single: bool = False
    extra: Mapping[str, object] = field(default_factory=dict)


def _moved(cells: Iterable[Cell], transform: Transform) -> tuple[list[Cell], Cell]:
    """Cells turned or mirrored, their least row and column brought to 0; and the shift."""
    images = [transform(cell) for cell in cells]
    shift = (-min(row for row, _ in images), -min(column for _, column in images))
    return _shifted(images, shift), shift


def _shifted(cells: Iterable[Cell], shift: Cell) -> list[Cell]:
    return sorted((row + shift[0], column + shift[1]) for row, column in cells)
