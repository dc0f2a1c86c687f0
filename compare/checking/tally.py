"""What one engine finds out about one puzzle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from twostep.compare.agreement.digest import SetDigest
from twostep.compare.agreement.verdict import Claim, contradict
from twostep.models.families.puzzle import Puzzle
from twostep.models.language.model import Model, Solution
from twostep.models.search import questions
from twostep.models.search.engine import Engine, Limits, StopReason


@dataclass(frozen=True, slots=True)
class Tally:
    """What one engine found.

    Attributes:
        engine: its name.
        found: answers, counted up to the limit.
        complete: whether there are no others.
        stopped: why the search ended.
        digest: of the set of answers, the same for the same set; only if complete.
        seconds: of the search, s.
        classes: how many of the answers found are no images of each other under the symmetries
            that the model knows.
    """

    engine: str
    found: int
    complete: bool
    stopped: StopReason
    digest: str
    seconds: float
    classes: int = 0

    @property
    def finished(self) -> bool:
        """Whether time did not cut it short."""
        return self.complete or self.stopped is StopReason.SOLUTIONS

    @property
    def text(self) -> str:
        """The number in words."""
        if self.complete:
            return str(self.found)
        return f"{self.found}+" if self.stopped is StopReason.SOLUTIONS else f"{self.found}+?"


def tally(puzzle: Puzzle, engine: Engine, count_limit: int, seconds: float | None) -> Tally:
    """Count a puzzle's answers with an engine, up to a limit."""
    digest, classes = SetDigest(), _Classes(puzzle.model)

    def receive(solution: Solution) -> None:
        digest.add(solution)
        classes.add(solution)

    result = questions.solutions(
        engine, puzzle.model, Limits(solutions=count_limit, seconds=seconds), receive=receive
    )
    return Tally(
        engine.name,
        result.found,
        result.complete,
        result.stopped,
        str(digest) if result.complete else "",
        result.seconds,
        len(classes),
    )


def contradiction(tallies: Sequence[Tally]) -> str | None:
    """How tallies of one puzzle contradict each other; None: they do not."""
    claims = [Claim(t.engine, t.found, t.complete, t.digest or None) for t in tallies]
    if contradict(claims):
        return ", ".join(f"{tally.engine} {tally.text}" for tally in tallies)
    return None


class _Classes:
    """Solutions up to the symmetries of a model: the least image of each is kept."""

    def __init__(self, model: Model) -> None:
        self._symmetries = model.symmetries
        self._least: set[Solution] = set()

    def add(self, solution: Solution) -> None:
        """Add a solution's class."""
        if self._symmetries is None or not solution:
            self._least.add(solution)
            return
        images = np.sort(self._symmetries[:, list(solution)], axis=1)
        self._least.add(min(map(tuple, images.tolist())))

    def __len__(self) -> int:
        return len(self._least)
