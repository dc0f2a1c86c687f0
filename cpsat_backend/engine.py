"""The CP-SAT engine: the whole model language, one worker, repeatable.

Units: a node is a branch or a conflict of CP-SAT, an update a propagation. A limit of N nodes
ends a search at the first solution by which N nodes were spent, or after N conflicts without
a solution in between; presolve is free. With one worker that is the same on every run. CP-SAT
tells its counters only with a solution, so `watch` sees those of the last one.

A limit of memory bounds how much the process grows while CP-SAT runs, as far as the system tells
(Linux); CP-SAT's own limit has no effect (9.15).
"""

from __future__ import annotations

import os
import time
from bisect import insort
from collections.abc import Callable
from pathlib import Path

from twostep.cpsat_backend.status import Question, Run, stop_reason
from twostep.models.errors import MissingPackage, UnsupportedFeature
from twostep.models.language.model import Feature, Model, Solution
from twostep.models.search.abilities import Conflict
from twostep.models.search.delivery import Delivery
from twostep.models.search.engine import (
    NO_LIMITS,
    Limits,
    Receiver,
    SearchResult,
    StopReason,
    Watch,
)

try:
    from twostep.cpsat_backend.encoding import Encoding, encode
    from twostep.cpsat_backend.running import Candidate, CpsatRun
except ModuleNotFoundError as missing:
    if (missing.name or "").partition(".")[0] != "ortools":
        raise
    raise MissingPackage(
        "the engine 'cpsat' needs OR-Tools, which is not installed: pip install ortools"
    ) from missing

_PULSE = 0.1
"""Seconds between two calls of `watch`."""

_COST_BOUND = 2**53
"""CP-SAT hands objectives around as doubles; below this they are exact."""


class CpsatEngine:
    """Engine ``cpsat``: CP-SAT, enumerating with exactly one worker."""

    name = "cpsat"
    features = frozenset(Feature)

    def search(
        self,
        model: Model,
        limits: Limits = NO_LIMITS,
        *,
        receive: Receiver | None = None,
        watch: Watch | None = None,
        seed: int = 0,
    ) -> SearchResult:
        """Enumerate the model's solutions: see :class:`twostep.models.search.engine.Engine`."""
        delivery = Delivery(model, limits, receive, watch)
        search = _Search(delivery, limits)
        # For the first solution nothing need be enumerated; unless there is a side condition,
        # which the first candidate may not pass.
        one = limits.solutions == 1 and model.side_condition is None
        question = Question.ONE if one else Question.ALL
        read = delivery.wants_solutions

        def offer(candidate: Candidate) -> bool:
            return delivery.offer(candidate.options) if read else delivery.add(1)

        try:
            if encoding := search.encode(model):
                search.run(encoding, question, offer, seed=seed, read=read)
        except KeyboardInterrupt:
            delivery.cancel()
        return delivery.result(self.name, search.nodes, search.updates)

    def conflict(self, model: Model, seconds: float | None = None) -> Conflict | None:
        """A smallest conflict of a model without solutions (see ``FindsConflicts``)."""
        from twostep.cpsat_backend.conflict import find_conflict

        return find_conflict(model, seconds)

    def best(
        self,
        model: Model,
        k: int,
        limits: Limits = NO_LIMITS,
        *,
        watch: Watch | None = None,
        below: int | None = None,
    ) -> tuple[tuple[Solution, ...], SearchResult]:
        """The `k` cheapest solutions: see :class:`twostep.models.search.engine.Optimises`.

        Where the limits end the search, the cheapest of all solutions seen on the way.

        Raises:
            UnsupportedFeature: costs too large to be added up exactly.
        """
        if sum(abs(cost) for cost in model.costs.tolist()) > _COST_BOUND:
            raise UnsupportedFeature(
                f"the engine {self.name!r} cannot do costs of over 2^53 in all"
            )
        if below is not None:  # what no cost can reach, CP-SAT need not be able to read
            below = max(-_COST_BOUND, min(below, _COST_BOUND + 1))
        delivery = Delivery(model, limits, None, watch)
        search = _Search(delivery, limits)
        ranking = _Ranking(model, k, search, below)
        try:
            if k > 0 and (encoding := search.encode(model)):
                ranking.fill(encoding)
        except KeyboardInterrupt:
            delivery.cancel()
        return ranking.cheapest(), delivery.result(self.name, search.nodes, search.updates)


class _Search:
    """A search of one or more CP-SAT runs under common limits.

    Attributes:
        nodes, updates: work of all runs so far.
    """

    def __init__(self, delivery: Delivery, limits: Limits) -> None:
        self.delivery = delivery
        self.nodes = 0
        self.updates = 0
        self._limits = limits
        self._resident_before = _resident_bytes()

    def encode(self, model: Model) -> Encoding | None:
        """The encoding; None if a limit of 0 forbids to begin, or time runs out on the way."""
        if self._pulse():
            return None
        return encode(model, self._pulse)

    def run(
        self,
        encoding: Encoding,
        question: Question,
        offer: Callable[[Candidate], bool],
        *,
        seed: int = 0,
        read: bool = True,
    ) -> None:
        """Run CP-SAT, its solutions into `offer` until that says True.

        If the delivery isn't stopped afterwards, the question was answered in full, or `offer`
        had enough.
        """
        if self._pulse():
            return
        delivery, limits, nodes, updates = self.delivery, self._limits, self.nodes, self.updates

        def note(candidate: Candidate) -> None:
            self.nodes, self.updates = nodes + candidate.nodes, updates + candidate.updates

        nodes_left = None if limits.nodes is None else limits.nodes - nodes
        shown = 0
        with CpsatRun(encoding, question, node_limit=nodes_left, seed=seed, read=read) as run:
            pulse_due = time.perf_counter() + _PULSE
            while not run.ended:
                left = delivery.seconds_left
                candidate = run.next(_PULSE if left is None else min(left, _PULSE))
                if candidate is not None:
                    shown += 1
                    note(candidate)
                    if offer(candidate):
                        return
                if time.perf_counter() >= pulse_due or delivery.seconds_left == 0:
                    if self._pulse():
                        return
                    pulse_due = time.perf_counter() + _PULSE
        reason = stop_reason(
            Run(
                question,
                run.status,
                shown,
                stopped=StopReason.NODES if run.out_of_nodes else None,
                node_limit=limits.nodes is not None,
            )
        )
        if not run.out_of_nodes:  # else the work is that of the last candidate, repeatably
            note(run.last)
        if question is Question.CHEAPEST and shown:
            offer(run.last)  # the proven one, should it not have been shown
        if reason is not StopReason.EXHAUSTED:
            delivery.stopped = reason

    def _pulse(self) -> bool:
        memory = self._limits.memory
        if self.delivery.stopped is None and memory is not None:
            grown = _resident_bytes() - self._resident_before
            self.delivery.stopped = StopReason.MEMORY if grown > memory else None
        return self.delivery.pulse(self.nodes, self.updates)


class _Ranking:
    """The `k` cheapest solutions: minimise over what has not been seen, again and again.

    What was seen is excluded one by one, which keeps the problem as easy as the first one; a
    bound "cost >= c" would not. Only where a cost comes up a second time (or a side condition
    rejects much) all solutions up to that cost are enumerated, and then the bound is used.
    """

    def __init__(self, model: Model, k: int, search: _Search, below: int | None) -> None:
        self._model = model
        self._k = k
        self._below = below
        self._search = search
        self._costs: list[int] = model.costs.tolist()
        self._seen: dict[Solution, int] = {}  # candidates with their costs: none counts twice
        self._kept: list[tuple[int, Solution]] = []  # those that are solutions, as a sorted list

    def cheapest(self) -> tuple[Solution, ...]:
        """The `k` cheapest of all seen, by cost, then by options."""
        return tuple(solution for _, solution in self._kept[: max(self._k, 0)])

    def fill(self, encoding: Encoding) -> None:
        """Search until the `k` cheapest are proven or a limit is reached."""
        least: int | None = None
        before: int | None = None
        while True:
            bound = self._kept[self._k - 1][0] if len(self._kept) >= self._k else self._below
            most = None if bound is None else bound - 1
            if least is not None and most is not None and most < least:
                return
            level = self._lowest_cost(self._unseen(encoding, least, most, minimise=True))
            if level is None:
                return
            if level == before:
                self._enumerate(self._unseen(encoding, least, level, minimise=False), level)
                if self._search.delivery.stopped is not None:
                    return
                least = level + 1
            before = level

    def _unseen(
        self, encoding: Encoding, least: int | None, most: int | None, *, minimise: bool
    ) -> Encoding:
        without = [
            solution
            for solution, cost in self._seen.items()
            if (least is None or cost >= least) and (most is None or cost <= most)
        ]
        return encoding.narrowed(
            self._costs, least=least, most=most, without=without, minimise=minimise
        )

    def _lowest_cost(self, encoding: Encoding) -> int | None:
        """The lowest cost of a candidate; None: there is none, or a limit was reached."""
        costs: list[int] = []

        def offer(candidate: Candidate) -> bool:
            costs.append(self._model.cost(candidate.options))
            return self._offer(candidate)

        self._search.run(encoding, Question.CHEAPEST, offer)
        return min(costs, default=None) if self._search.delivery.stopped is None else None

    def _enumerate(self, encoding: Encoding, level: int) -> None:
        """See all solutions up to that cost, or as many as are wanted."""

        def offer(candidate: Candidate) -> bool:
            ended = self._offer(candidate)
            return ended or (len(self._kept) >= self._k and self._kept[self._k - 1][0] <= level)

        self._search.run(encoding, Question.ALL, offer)

    def _offer(self, candidate: Candidate) -> bool:
        if candidate.options in self._seen:
            return False
        cost = self._model.cost(candidate.options)
        self._seen[candidate.options] = cost
        delivery = self._search.delivery
        found = delivery.found
        ended = delivery.offer(candidate.options)
        if delivery.found > found:
            insort(self._kept, (cost, candidate.options))
        return ended


def _resident_bytes() -> int:
    """How much memory the process has in use; 0 where the system doesn't tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
