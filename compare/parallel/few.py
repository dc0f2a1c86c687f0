"""The few solutions that a search in parts is for: so few that the checkpoint itself keeps them.

They may come from parts that were not searched to their end, so that a part which is searched
again finds them again: what counts is how many different ones are known.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from twostep.models.errors import InputError
from twostep.models.language.model import Model, Solution
from twostep.models.language.verify import fault
from twostep.models.reading.members import Members


@dataclass(slots=True)
class Few:
    """The first solutions that come; when there are enough, the search is over.

    Attributes:
        number: how many are enough, also for each part.
        question: as it is asked on the command line: a checkpoint is of one question.
        known: those that are known, in the order they came.

    Raises:
        InputError: `number` is less than 1: such a search would prove nothing, not even "none".
    """

    number: int
    question: str
    known: dict[Solution, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.number < 1:
            raise InputError(f"{self.number} solutions: expected a number of at least 1")

    def take(self, solution: Solution) -> bool:
        """Note a solution; gives True if it was not known."""
        new = solution not in self.known
        self.known[solution] = None
        return new

    @property
    def enough(self) -> bool:
        """Whether no further solution is wanted."""
        return len(self.known) >= self.number

    @property
    def below(self) -> int | None:
        """A solution is of use only if it costs less than that; None: whatever it costs."""
        return None

    def members(self) -> dict[str, object]:
        """What is known, as members of a JSON object."""
        return {"number": self.number, "known": list(map(list, self.known))}

    def most_bytes(self, model: Model) -> int:
        """What it may take in a file when `number` solutions are known, at most."""
        primary = np.add.reduceat(model.primary[model.entry_items], model.starts[:-1], dtype=int)
        covered = int(model.high[model.primary].sum(dtype=np.int64))
        options = min(model.n_options, covered // int(primary.min(initial=covered or 1)))
        return self.number * (options * len(f"{model.n_options}, ") + len("[], "))

    def recall(self, members: Members, model: Model) -> None:
        """Take what :meth:`members` wrote.

        Raises:
            InputError: it is of more solutions, or no solution of the model; names the file.
        """
        if (number := members.whole("number")) > self.number:
            raise members.fault(f"a checkpoint of {number} solutions: ask for at least as many")
        for options in members.items("known"):
            if not isinstance(options, list) or any(type(option) is not int for option in options):
                raise members.fault("known: expected lists of options")
            if (why := fault(model, solution := tuple(options))) is not None:
                raise members.fault(f"known: not a solution: {why}")
            self.take(solution)


@dataclass(slots=True, kw_only=True)
class Cheapest(Few):
    """The cheapest solutions, cheapest first, ties in ascending order of options.

    Attributes:
        model: knows what they cost.
    """

    model: Model

    def take(self, solution: Solution) -> bool:
        """Note a solution; gives True if it was not known and is one of the cheapest."""
        if solution in self.known:
            return False
        ordered = sorted([*self.known, solution], key=lambda known: (self.model.cost(known), known))
        self.known = dict.fromkeys(ordered[: self.number])
        return solution in self.known

    @property
    def enough(self) -> bool:
        """Never: another part may have a cheaper one."""
        return False

    @property
    def below(self) -> int | None:
        """What the dearest of them costs, if there are as many as wanted."""
        full = len(self.known) == self.number
        return self.model.cost(next(reversed(self.known))) if full else None
