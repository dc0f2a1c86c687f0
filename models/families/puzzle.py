"""What a puzzle is to the rest: a name, a model, pictures, and words for its moves.

A *family* (polyominoes, queens, mazes ...) stands in one module: it parses what the user typed,
validates it, builds the model, draws it and says what its options and items mean. What passes
validation never fails later. Every verb works for every family through this protocol:

- ``draw``, ``picture``: a solution, or part of one, as text and as drawing primitives;
- ``move``: what choosing an option means to a player, for hints and explanations;
- ``act``, ``piece``: which options are one move to a player, and what he puts down;
- ``need``, ``choice``: what an item demands, as the subject of a sentence, and among what;
- ``clues``: what the maker has given, for explanations and repairs.

The defaults serve a raw model: a table of items by options, and the items' names.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from twostep.models.drawing.scene import NO_MARKS, Marks, Scene, Spare
from twostep.models.errors import InputError, did_you_mean
from twostep.models.language.model import Model, Solution
from twostep.models.reading.files import without_gc

if TYPE_CHECKING:
    from twostep.models.families.likeness import Likeness


@dataclass(frozen=True, slots=True)
class Clue:
    """Something that the maker has given.

    Attributes:
        text: in words, as in ``take away TEXT``: ``5 in row 1, column 2``.
        options: the options that it puts into every solution.
    """

    text: str
    options: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why there is no solution.

    Attributes:
        kind: what kind of reason: ``obstacle``, ``clues``, ``conflict``, ``condition``; on boards
            of pieces also ``area``, ``reach``, ``region``, ``colouring``.
        text: in words, one line.
        cells: the cells it is about, row and column, on boards of pieces.
        pieces: the pieces it is about, there.
        items: the model's items that it is about.
        clues: the clues that it is about.
    """

    kind: str
    text: str
    cells: tuple[tuple[int, int], ...] = ()
    pieces: tuple[str, ...] = ()
    items: tuple[int, ...] = ()
    clues: tuple[Clue, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """What an item chooses among, in the words of ``row 4 has 2 CELLs left REST``.

    Attributes:
        one: one of the things, singular: ``cell``, ``place``.
        rest: what follows: ``for its star``; empty: nothing.
        where: where to look, not telling what comes there: ``box 3``; empty: the item's own name.
        some: what has the things left there: ``a digit``.
    """

    one: str = "option"
    rest: str = ""
    where: str = ""
    some: str = "it"

    def left(self, number: int) -> str:
        """``2 cells left for its star``: how many of the things are left."""
        few = {0: f"no {self.one}", 1: f"only one {self.one}"}.get(number, f"{number} {self.one}s")
        return f"{few} left {self.rest}".rstrip()


Part = tuple[str, tuple[tuple[int, int], ...]]
"""A piece's name and the cells that it covers."""


class Puzzle(ABC):
    """One puzzle: an instance of a family, checked when it was made.

    >>> import twostep
    >>> puzzle = twostep.load("queens:6")
    >>> puzzle.name, puzzle.model.n_options
    ('queens:6', 36)
    >>> print(puzzle.draw((1, 9, 17, 18, 26, 34)))
    .Q....
    ...Q..
    .....Q
    Q.....
    ..Q...
    ....Q.
    """

    name: str
    """How the puzzle is called: what the user types to get it."""

    given: ClassVar[str] = "given"
    """What clues are called, before their texts: ``the given 5 in row 1, column 2``."""

    @cached_property
    def model(self) -> Model:
        """The exact-cover model, built once."""
        with without_gc():
            return self.build()

    @abstractmethod
    def build(self) -> Model:
        """Make the model; called at most once, by :attr:`model`."""

    @abstractmethod
    def draw(self, solution: Solution) -> str:
        """A solution as text, lines separated by newlines, none at the end."""

    def picture(self, placed: Iterable[int] = (), marks: Marks = NO_MARKS) -> Scene:
        """The puzzle with some options on it: a solution, a part of one, or none.

        What was given (the model's chosen options) is always shown, and looks given.
        """
        from twostep.models.drawing.table import table

        return table(self.name, self.model, [*self.model.chosen, *placed], marks)

    def _repr_svg_(self) -> str:
        """The puzzle in a notebook."""
        from twostep.models.drawing.svg import svg_of

        return svg_of(self.picture())

    def parts(self, solution: Solution) -> tuple[Part, ...]:
        """The pieces of a solution and where they lie, for who need not guess from letters.

        Empty where a solution is no set of pieces on cells.
        """
        return ()

    def tray(self, placed: Iterable[int] = ()) -> tuple[Spare, ...]:
        """The pieces that the player is still to place; none: the puzzle has no such thing."""
        return ()

    def move(self, option: int) -> str:
        """What choosing an option means to a player: ``a star in row 4, column 2``."""
        return f"option {option} ({self.model.describe(option)})"

    def act(self, option: int) -> Hashable | None:
        """What a player does by choosing an option; None: nothing that he sees.

        Options of one act are alike to him, and exclude each other: by default each is its own.
        """
        return option

    def piece(self, option: int) -> str:
        """What choosing an option puts down, without its place: ``a star``, ``5``, ``P``."""
        return f"option {option}"

    def need(self, item: int) -> str:
        """What an item is to a player, as the subject of a sentence: ``row 4``, ``piece P``."""
        return f"item {self.model.items[item]}"

    def choice(self, item: int) -> Choice:
        """What an item chooses among, to a player."""
        return Choice()

    def read(self, rows: Sequence[str]) -> tuple[int, ...]:
        """The options that a drawing shows, as :meth:`draw` makes it, with ``.`` where it is open.

        By default a line for each move, in the words of :meth:`move`.

        Raises:
            InputError: something that is no move; with the row as its line, from 1, and column.
        """
        known = {self.move(o): o for o in range(self.model.n_options) if self.act(o) is not None}
        found = []
        for number, row in enumerate(rows, 1):
            if row.strip() not in known:
                if row.strip():
                    near = did_you_mean(row.strip(), known)
                    raise InputError(f"{row.strip()!r} is no move here{near}", line=number)
                continue
            found.append(known[row.strip()])
        return tuple(found)

    def clues(self) -> tuple[Clue, ...]:
        """What the maker has given and could take away: by default each chosen option."""
        return tuple(Clue(self.move(option), (option,)) for option in self.model.chosen)

    @cached_property
    def likeness(self) -> Likeness:
        """By what copies of the puzzle are known: by default only equal models are copies."""
        from twostep.models.families.likeness import Likeness

        return Likeness((("model", self.model.fingerprint),))

    def heat(self, usage: Sequence[int]) -> str:
        """In how many solutions each option is (`usage`, by option), as text: a line for each."""
        width = max((len(f"{times}") for times in usage), default=1)
        model = self.model
        return "\n".join(
            f"{times:>{width}}  {model.describe(option)}" for option, times in enumerate(usage)
        )

    @property
    def symmetry(self) -> str:
        """What follows ``up to 4 symmetries``, such as `` of the board``; empty: nothing."""
        return ""

    @property
    def remark(self) -> str:
        """A warning about something odd that is allowed; empty: none."""
        return ""

    def reason(self) -> Reason | None:
        """Why there is no solution, if that is known without a search; None: unknown."""
        text = self.obstacle()
        return None if text is None else Reason("obstacle", text)

    def heat_maps(self, usage: Sequence[int]) -> tuple[Scene, ...]:
        """The same as pictures: by default a chart of the options in most solutions."""
        from twostep.models.drawing.heat import bars

        moves = [(self.move(option), times) for option, times in enumerate(usage)]
        return (bars(self.name, moves),)

    def obstacle(self) -> str | None:
        """A short reason, known without a search, why there is no solution; None: none known."""
        return None


@dataclass(frozen=True, slots=True)
class Family:
    """A kind of puzzle that the command knows by name.

    Attributes:
        name: what stands before the first colon: ``queens`` in ``queens:8``.
        summary: one line for ``twostep puzzles``.
        syntax: the arguments, for errors and help: ``queens:N``.
        examples: names that work, the first the best known.
        parse: makes the puzzle from the text after the first colon; raises InputError.

    >>> from twostep.models.families.registry import family
    >>> family("queens").parse("6").name
    'queens:6'
    """

    name: str
    summary: str
    syntax: str
    examples: tuple[str, ...]
    parse: Callable[[str], Puzzle]
