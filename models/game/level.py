"""A level of a puzzle game: a board, pieces, locked pieces, and what is known about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from twostep.models.families.likeness import Likeness
from twostep.models.families.polyomino.board import Board
from twostep.models.families.polyomino.likeness import likeness
from twostep.models.families.polyomino.pieces import Kind
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
    def likeness(self) -> Likeness:
        """Board, pieces and locked pieces, as :func:`likeness`; locks need not be legal."""
        return likeness(self.board, self.kinds, self.empty, self.locks)

    @property
    def outline_key(self) -> str:
        """The same for levels whose boards and pieces are copies, whatever is locked."""
        return dict(self.likeness.keys)["pieces"]


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
