"""A run of CP-SAT in a thread of its own, waited for or read by the thread that started it.

That one stays free to look at the clock and to be interrupted: Python delivers Ctrl-C to the
main thread only, and not while that sits inside the solver.
"""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import numpy as np
from ortools.sat.python import cp_model

from twostep.cpsat_backend.encoding import Encoding
from twostep.cpsat_backend.status import Question, Status
from twostep.models.language.model import Solution

_AHEAD = 256
"""How many candidates the solver may be ahead of the reader."""

_PATIENCE = 0.05
"""Seconds between two looks whether the other side has given up."""

_NO_LIMIT_OF_MEMORY = 2**40
"""MB. CP-SAT's own default, 10 GB, would be an end that nobody asked for."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A solution of the encoding, and the work done by the time it was found.

    `nodes` are CP-SAT's branches and conflicts, `updates` its propagations.
    """

    options: Solution
    nodes: int
    updates: int


class CpsatRun:
    """A run as a context: starts on entry; on exit it is stopped, if need be, and has ended.

    The run has one worker. That is not for want of cores: with two or more, CP-SAT's
    enumeration silently loses solutions and still says OPTIMAL (9.15: queens 8 gave 82 of 92).
    For one solution and for the cheapest it keeps the run repeatable.
    """

    def __init__(
        self,
        encoding: Encoding,
        question: Question,
        *,
        node_limit: int | None = None,
        seed: int = 0,
        read: bool = True,
    ) -> None:
        """Prepare a run.

        Without `read`, candidates come without their options. `node_limit` ends it at the first
        candidate by which so many nodes are spent, or after so many conflicts without one.
        """
        self._encoding = encoding
        self._read = read
        self._node_limit = node_limit
        self._candidates: queue.Queue[Candidate | None] = queue.Queue(_AHEAD)  # None: the end
        self._ending = threading.Event()
        self._error: BaseException | None = None
        self._out_of_nodes = False
        self._ended = False
        self._solver = _solver(question, node_limit, seed)
        # A daemon, so that a second Ctrl-C can leave a solver that doesn't listen.
        self._thread = threading.Thread(target=self._solve, name="cpsat", daemon=True)

    def __enter__(self) -> CpsatRun:
        try:
            self._thread.start()
        except BaseException:  # an alarm or Ctrl-C: it may run all the same
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._ending.set()
        _end(self._thread, self._solver)

    def next(self, seconds: float) -> Candidate | None:
        """The next candidate; None: none within `seconds`, or none will come (see `ended`)."""
        try:
            candidate = self._candidates.get(timeout=seconds)
        except queue.Empty:
            return None
        self._ended = candidate is None
        return candidate

    @property
    def ended(self) -> bool:
        """Whether the run is over and its candidates are all taken."""
        return self._ended

    @property
    def status(self) -> Status:
        """CP-SAT's word for the end of a run that has ended."""
        if self._error is not None:
            raise self._error
        return Status.named(self._solver.response_proto.status.name)

    @property
    def out_of_nodes(self) -> bool:
        """Whether the run stopped itself at a candidate, the limit of nodes being reached."""
        return self._out_of_nodes

    @property
    def last(self) -> Candidate:
        """After the end: the solver's final solution (empty if none) and all the work done."""
        return self._candidate(self._solver.response_proto, self._read)

    def _solve(self) -> None:
        try:
            self._solver.solve(self._encoding.problem, _Callback(self._found))
        except BaseException as error:
            self._error = error
        self._hand_over(None)

    def _hand_over(self, candidate: Candidate | None) -> None:
        while not self._ending.is_set():
            try:
                self._candidates.put(candidate, timeout=_PATIENCE)
            except queue.Full:
                continue
            return

    def _found(self, response: Any) -> bool:
        """Hand a solution to the reader; True: go on searching."""
        if self._ending.is_set() or self._out_of_nodes or self._error is not None:
            return False  # the solver may show a few more after it was told to stop
        try:
            candidate = self._candidate(response, self._read)
            self._hand_over(candidate)
            if self._node_limit is not None and candidate.nodes >= self._node_limit:
                self._out_of_nodes = True
        except BaseException as error:  # must not unwind through the solver
            self._error = error
        return not self._out_of_nodes and self._error is None

    def _candidate(self, response: Any, read: bool) -> Candidate:
        options: Solution = ()
        if read and len(response.solution):
            values = np.array(response.solution)[: len(self._encoding.options)]
            options = tuple(np.flatnonzero(values).tolist())
        return Candidate(
            options,
            response.num_branches + response.num_conflicts,
            response.num_binary_propagations + response.num_integer_propagations,
        )


class _Callback(cp_model.CpSolverSolutionCallback):  # type: ignore[misc]
    """Passes what CP-SAT shows to `found`, until that says False."""

    def __init__(self, found: Any) -> None:
        super().__init__()
        self._found = found

    def on_solution_callback(self) -> None:
        if not self._found(self.response_proto):
            self.stop_search()


def solve(solver: Any, problem: Any) -> Status:
    """Let `solver` solve `problem`, in a thread of its own; Ctrl-C or an alarm ends it at once."""
    thread = threading.Thread(target=solver.solve, args=(problem,), name="cpsat", daemon=True)
    try:
        thread.start()
        while thread.is_alive():
            thread.join(_PATIENCE)
    finally:
        _end(thread, solver)
    return Status.named(solver.response_proto.status.name)


def _end(thread: threading.Thread, solver: Any) -> None:
    """Stop the solver that runs in the thread, and wait until it has ended."""
    while thread.is_alive():
        # Again and again: a stop before the solver has quite begun is lost on it.
        solver.stop_search()
        thread.join(_PATIENCE)


def _solver(question: Question, node_limit: int | None, seed: int) -> Any:
    solver = cp_model.CpSolver()
    parameters = solver.parameters
    parameters.num_workers = 1  # see CpsatRun: more would lose solutions
    parameters.enumerate_all_solutions = question is Question.ALL
    parameters.catch_sigint_signal = False  # Ctrl-C is the reader's
    parameters.random_seed = seed % 2**31
    parameters.permute_variable_randomly = seed != 0  # the seed alone hardly moves the order
    parameters.max_memory_in_mb = _NO_LIMIT_OF_MEMORY
    if node_limit is not None:
        # Counts conflicts from one solution to the next only; the rest is done in `_found`.
        parameters.max_number_of_conflicts = min(node_limit, 2**63 - 1)
    return solver
