"""What the end of a CP-SAT run means: one total table, knowing nothing of OR-Tools.

CP-SAT's OPTIMAL means three things: all solutions seen (enumerating), one solution found (not
enumerating, no objective), the cheapest one proven (objective). And a run that we stopped at
what happens to be the last solution says OPTIMAL too. So the status alone decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from twostep.models.errors import EngineFault
from twostep.models.search.engine import StopReason


class Status(Enum):
    """CP-SAT's words for the end of a run, by the names that CP-SAT gives them."""

    UNKNOWN = "stopped before anything was found"
    MODEL_INVALID = "the encoding is no valid CP-SAT model"
    FEASIBLE = "stopped after something was found"
    INFEASIBLE = "no solution"
    OPTIMAL = "finished: all seen, one found or cheapest proven, depending on the question"

    @classmethod
    def named(cls, name: str) -> Status:
        """The status of that name; an EngineFault if CP-SAT has learned a new word."""
        if name not in cls.__members__:
            raise EngineFault(f"CP-SAT ended with a status that Twostep doesn't know: {name}")
        return cls[name]


class Question(Enum):
    """What a CP-SAT run was asked to do."""

    ALL = "enumerate all solutions"
    ONE = "find one solution"
    CHEAPEST = "find the cheapest solution"


@dataclass(frozen=True, slots=True)
class Run:
    """The facts about a run that has ended.

    Attributes:
        question: what it was asked.
        status: CP-SAT's word for the end.
        candidates: how many solutions it had shown.
        stopped: why we stopped it; None: it ended by itself.
        node_limit: whether it had one, at which CP-SAT ends by itself.
    """

    question: Question
    status: Status
    candidates: int
    stopped: StopReason | None = None
    node_limit: bool = False


def stop_reason(run: Run) -> StopReason:
    """Why the run ended; EXHAUSTED: the question is answered, and nothing is left to see.

    Raises:
        EngineFault: an ending that a sound solver under our control cannot have.
    """
    if run.status is Status.MODEL_INVALID:
        raise _fault(run)
    if run.stopped is not None:
        # Our own reason wins: stopped at exactly the last solution, CP-SAT says OPTIMAL.
        return run.stopped
    match run.status, run.question, run.candidates > 0:
        case (Status.INFEASIBLE, _, False):
            return StopReason.EXHAUSTED
        case (Status.OPTIMAL, Question.ALL | Question.CHEAPEST, True):
            return StopReason.EXHAUSTED
        case (Status.UNKNOWN, _, False) | (Status.FEASIBLE, _, True) if run.node_limit:
            return StopReason.NODES
        case _:
            # Among these: OPTIMAL for one solution. Whoever asked for one had to stop at it, so
            # it never arrived.
            raise _fault(run)


def _fault(run: Run) -> EngineFault:
    return EngineFault(
        f"CP-SAT was asked to {run.question.value}, showed {run.candidates} and ended by itself"
        f" with {run.status.name} ({run.status.value})"
    )
