"""What the questions of ``import twostep`` give: answers that show themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, overload

from twostep.compare.agreement.verdict import Comparison
from twostep.models.errors import TwostepError
from twostep.models.families.puzzle import Puzzle
from twostep.models.search.engine import SearchResult, StopReason
from twostep.models.search.questions import Verdict
from twostep.models.words import of_any_length


class Solution(tuple[int, ...]):  # noqa: SLOT001 - a tuple's length varies: no slots
    """A solution of a puzzle: the tuple of its option ids, ascending, that can show itself.

    Attributes:
        puzzle: what it solves.

    >>> solution = twostep.first("pentomino:3x5:PUV").solution
    >>> print(solution)
    VVVUU
    VPPPU
    VPPUU
    >>> tuple(solution)
    (4, 53, 60)
    >>> solution.options[0]
    'P 1,1 1,2 1,3 2,1 2,2'
    """

    puzzle: Puzzle

    def __new__(cls, options: Iterable[int], puzzle: Puzzle) -> Solution:
        """A solution of `puzzle` made of `options` (ids, ascending)."""
        made = super().__new__(cls, options)
        made.puzzle = puzzle
        return made

    def __getnewargs__(self) -> tuple[tuple[int, ...], Puzzle]:
        return tuple(self), self.puzzle

    @property
    def text(self) -> str:
        """The solution as the command prints it."""
        return self.puzzle.draw(self)

    @property
    def options(self) -> tuple[str, ...]:
        """Each option in words, as in a ``.dlx`` line."""
        return tuple(self.puzzle.model.describe(option) for option in self)

    @property
    def labels(self) -> tuple[Any, ...]:
        """What each option means in the puzzle; see :attr:`Model.labels`."""
        return tuple(self.puzzle.model.labels[option] for option in self)

    @property
    def cost(self) -> int:
        """The sum of the options' costs."""
        return self.puzzle.model.cost(self)

    def __str__(self) -> str:
        return self.text

    def _repr_svg_(self) -> str:
        """The solution in a notebook."""
        from twostep.models.drawing.svg import svg_of

        return svg_of(self.puzzle.picture(self))

    def __repr__(self) -> str:
        return f"<Solution of {self.puzzle.name!r}: {tuple(self)}>"


@dataclass(frozen=True, slots=True)
class Answer:
    """What all answers say besides their finding.

    Attributes:
        results: what each engine that ran has to say: its count, work and time.
        reason: why there is no solution, where that needed no search; else None.
    """

    results: tuple[SearchResult, ...]
    reason: str | None

    @property
    def stopped(self) -> StopReason:
        """Why the search ended: EXHAUSTED, or the first reason that ended one early."""
        early = (result.stopped for result in self.results if not result.complete)
        return next(early, StopReason.EXHAUSTED)


@dataclass(frozen=True, slots=True)
class Count(Answer):
    """How many solutions there are; as text ``8``, or ``at least 8`` if a limit ended the search.

    Attributes:
        found: the number; a lower bound where the answer is not complete.
        complete: whether it is exact.

    >>> print(twostep.count("pentomino:6x10", node_limit=1000))
    at least 0
    """

    found: int
    complete: bool

    def __str__(self) -> str:
        with of_any_length():
            return f"{self.found}" if self.complete else f"at least {self.found}"


@dataclass(frozen=True, slots=True)
class Listing(Answer):
    """Solutions, as a sequence.

    Attributes:
        solutions: in the order found, or the cheapest first.
        complete: whether there are no others: of :func:`best`, no cheaper ones.

    >>> found = twostep.listing("queens:4")
    >>> len(found), found.complete
    (2, True)
    >>> print(found[0])
    .Q..
    ...Q
    Q...
    ..Q.
    """

    solutions: tuple[Solution, ...]
    complete: bool

    @property
    def solution(self) -> Solution | None:
        """The first one; None: none was found (there is none, if the answer is complete)."""
        return self.solutions[0] if self.solutions else None

    def __len__(self) -> int:
        return len(self.solutions)

    def __iter__(self) -> Iterator[Solution]:
        return iter(self.solutions)

    @overload
    def __getitem__(self, place: int) -> Solution: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Solution, ...]: ...
    def __getitem__(self, place: int | slice) -> Solution | tuple[Solution, ...]:
        return self.solutions[place]


@dataclass(frozen=True, slots=True)
class Uniqueness(Answer):
    """Whether there is exactly one solution.

    Attributes:
        verdict: UNIQUE, MULTIPLE, NONE, or UNKNOWN if a limit came first.
        solutions: up to two; two are two different ones.

    >>> twostep.unique("pentomino:3x5:PUV").verdict
    <Verdict.MULTIPLE: 'multiple'>
    """

    verdict: Verdict
    solutions: tuple[Solution, ...]


class EnginesDisagree(TwostepError):
    """The engines contradict each other: one of them is wrong, and none is to be believed.

    Attributes:
        comparison: who said what, and solutions that one found and another did not.

    >>> try:
    ...     answer = twostep.count("queens:6", backend="both")
    ... except twostep.EnginesDisagree as error:
    ...     print(error, error.comparison.differences)
    >>> answer.found
    4
    """

    def __init__(self, puzzle: str, comparison: Comparison) -> None:
        self.comparison = comparison
        said = ", ".join(
            f"{opinion.engine} {_said(opinion.result)}" for opinion in comparison.opinions
        )
        super().__init__(f"the engines disagree about {puzzle} ({said})")


def _said(result: SearchResult | None) -> str:
    if result is None:
        return "a wrong solution"
    return str(Count((result,), None, result.found, result.complete))
