"""The table from CP-SAT's ending to ours (``CP-03``: how the status of a search must be read)."""

from __future__ import annotations

import itertools

import pytest

from twostep.cpsat_backend.status import Question, Run, Status, stop_reason
from twostep.models.errors import EngineFault
from twostep.models.search.engine import StopReason

ENDINGS = [
    Run(*facts)
    for facts in itertools.product(Question, Status, (0, 1, 8), (None, *StopReason), (False, True))
]


def test_every_ending_has_a_reason_or_is_a_fault_and_nothing_else_is_raised() -> None:
    for run in ENDINGS:
        assert _reason(run) in (None, *StopReason)


def test_exhausted_is_said_exactly_for_these_endings() -> None:
    exhausted = {
        (run.question, run.status, run.candidates > 0)
        for run in ENDINGS
        if run.stopped is None and _reason(run) is StopReason.EXHAUSTED
    }
    assert exhausted == {
        (Question.ALL, Status.INFEASIBLE, False),
        (Question.ONE, Status.INFEASIBLE, False),
        (Question.CHEAPEST, Status.INFEASIBLE, False),
        (Question.ALL, Status.OPTIMAL, True),
        (Question.CHEAPEST, Status.OPTIMAL, True),
    }


def test_our_own_reason_wins_over_any_status() -> None:
    for run in ENDINGS:
        if run.stopped is not None and run.status is not Status.MODEL_INVALID:
            assert stop_reason(run) is run.stopped


def test_an_ending_by_itself_without_a_limit_is_answered_or_a_fault() -> None:
    for run in ENDINGS:
        if run.stopped is None and not run.node_limit:
            assert _reason(run) in (StopReason.EXHAUSTED, None)


def test_an_unfinished_run_with_a_node_limit_ended_there() -> None:
    assert _reason(Run(Question.ALL, Status.UNKNOWN, 0, node_limit=True)) is StopReason.NODES
    assert _reason(Run(Question.ALL, Status.FEASIBLE, 3, node_limit=True)) is StopReason.NODES


@pytest.mark.parametrize(
    "run",
    [
        Run(Question.ALL, Status.INFEASIBLE, 3),
        Run(Question.ALL, Status.OPTIMAL, 0),
        Run(Question.ONE, Status.OPTIMAL, 1),
        Run(Question.ALL, Status.FEASIBLE, 3),
        Run(Question.ALL, Status.UNKNOWN, 0),
        Run(Question.ALL, Status.MODEL_INVALID, 0, StopReason.TIME),
    ],
    ids=str,
)
def test_a_contradiction_is_a_fault(run: Run) -> None:
    with pytest.raises(EngineFault, match="CP-SAT"):
        stop_reason(run)


def test_the_statuses_are_those_of_ortools() -> None:
    cp_model = pytest.importorskip("ortools.sat.python.cp_model")
    assert {status.name for status in Status} == set(cp_model.CpSolverStatus.__members__)


def test_a_new_status_of_ortools_is_a_fault() -> None:
    with pytest.raises(EngineFault, match="TIRED"):
        Status.named("TIRED")


def _reason(run: Run) -> StopReason | None:
    try:
        return stop_reason(run)
    except EngineFault:
        return None
