"""The few solutions that a search in parts is for: so few that the checkpoint itself keeps them.

They may come from parts that were not searched to their end, so that a part which is searched
again finds them again: what counts is how many different ones are known.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from twostep.compare.stored import Members
from twostep.models.model import Model, Solution
from twostep.models.verify import fault


@dataclass(slots=True)
class Few:
    """The first solutions that come; when there are enough, the search is over.

    Attributes:
        number: how many are enough, also for each part.
        known: those that are known, in the order they came.
    """

    number: int
    known: list[Solution] = field(default_factory=list)
    verb: ClassVar[str] = "unique"

    def take(self, solution: Solution) -> bool:
        """Note a solution; gives True if there are enough now."""
        if solution not in self.known:
            self.known.append(solution)
        return self.enough

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
        return {"verb": self.verb, "number": self.number, "known": list(map(list, self.known))}

    def recall(self, members: Members, model: Model) -> None:
        """Take what :meth:`members` wrote.

        Raises:
            InputError: it is of another number, or no solution of the model; names the file.
        """
        if (number := members.whole("number")) != self.number:
            raise members.fault(f"a checkpoint of {number} solutions, not of {self.number}")
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
    verb: ClassVar[str] = "best"

    def take(self, solution: Solution) -> bool:
        """Note a solution, if it is one of the cheapest; there are never enough."""
        if solution not in self.known:
            self.known.append(solution)
            self.known.sort(key=lambda known: (self.model.cost(known), known))
            del self.known[self.number :]
        return False

    @property
    def enough(self) -> bool:
        """Never: another part may have a cheaper one."""
        return False

    @property
    def below(self) -> int | None:
        """What the dearest of them costs, if there are as many as wanted."""
        return self.model.cost(self.known[-1]) if len(self.known) == self.number else None
