"""What a puzzle is to the rest: a name, a model, and a way to draw a solution.

A *family* (polyominoes, queens, mazes ...) stands in one module: it parses what the user typed,
validates it, builds the model and draws solutions. What passes validation never fails later.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from twostep.models.language.model import Model, Solution
from twostep.models.reading.files import without_gc


class Puzzle(ABC):
    """One puzzle: an instance of a family, checked when it was made."""

    name: str
    """How the puzzle is called: what the user types to get it."""

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

    def heat(self, usage: Sequence[int]) -> str:
        """In how many solutions each option is (`usage`, by option), as text: a line for each."""
        width = max((len(f"{times}") for times in usage), default=1)
        model = self.model
        return "\n".join(
            f"{times:>{width}}  {model.describe(option)}" for option, times in enumerate(usage)
        )

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
    """

    name: str
    summary: str
    syntax: str
    examples: tuple[str, ...]
    parse: Callable[[str], Puzzle]
