"""The end of an engine's pipe: side condition, counting, receiver, limits of a search."""

from __future__ import annotations

from twostep.models.language.model import Model, Solution
from twostep.models.search.clock import CLOCK
from twostep.models.search.engine import Counters, Limits, Receiver, SearchResult, StopReason, Watch


class Delivery:
    """The end of an engine's pipe: side condition, counting, receiver, limits of a search.

    An engine offers every candidate it finds, and asks now and then whether to go on. The
    clock starts when the delivery is made.
    """

    def __init__(
        self,
        model: Model,
        limits: Limits,
        receive: Receiver | None,
        watch: Watch | None,
    ) -> None:
        self._condition = model.side_condition
        self._receive = receive
        self._watch = watch
        self._limits = limits
        self._began = CLOCK()
        self.found = 0
        self.rejected = 0
        self.stopped: StopReason | None = None
        for limit, reason in (
            (limits.solutions, StopReason.SOLUTIONS),
            (limits.seconds, StopReason.TIME),
            (limits.nodes, StopReason.NODES),
        ):
            if limit == 0:
                self.stopped = reason

    @property
    def wants_solutions(self) -> bool:
        """Whether candidates must be offered one by one; else :meth:`add` is enough."""
        return self._condition is not None or self._receive is not None

    @property
    def wanted(self) -> int | None:
        """How many more solutions are asked for; None: all."""
        return None if self._limits.solutions is None else self._limits.solutions - self.found

    @property
    def seconds(self) -> float:
        """Wall clock since the start, s."""
        return CLOCK() - self._began

    @property
    def seconds_left(self) -> float | None:
        """Wall clock until the limit, s, not below 0; None: no limit."""
        limit = self._limits.seconds
        return None if limit is None else max(0.0, limit - self.seconds)

    def offer(self, candidate: Solution) -> bool:
        """Deliver a candidate (ascending option ids); gives True if the search must end."""
        if self.stopped is not None:
            return True
        if self._condition is not None and not self._condition.holds(candidate):
            self.rejected += 1
            return False
        self.found += 1
        if self._receive is not None and self._receive(candidate) is True:
            self.stopped = StopReason.CANCELLED
        elif self.seconds_left == 0:  # a receiver may be slow, and many candidates come at once
            self.stopped = StopReason.TIME
        if self.wanted == 0:
            self.stopped = StopReason.SOLUTIONS
        return self.stopped is not None

    def add(self, solutions: int) -> bool:
        """Count solutions without listing them; gives True if the search must end."""
        self.found += solutions
        if self.wanted is not None and self.wanted <= 0:
            self.stopped = StopReason.SOLUTIONS
        return self.stopped is not None

    def pulse(self, nodes: int, updates: int, share: float | None = None) -> bool:
        """Report work done; gives True if the search must end (time, nodes or the watcher)."""
        if self.stopped is None:
            limits = self._limits
            if limits.seconds is not None and self.seconds >= limits.seconds:
                self.stopped = StopReason.TIME
            elif limits.nodes is not None and nodes >= limits.nodes:
                self.stopped = StopReason.NODES
            elif (
                self._watch is not None
                and self._watch(self.counters(nodes, updates, share)) is True
            ):
                self.stopped = StopReason.CANCELLED
        return self.stopped is not None

    def cancel(self) -> None:
        """Note that the user ended the search."""
        if self.stopped is None:
            self.stopped = StopReason.CANCELLED

    def counters(self, nodes: int, updates: int, share: float | None = None) -> Counters:
        """The counters as of now."""
        return Counters(self.found, nodes, updates, self.rejected, share)

    def result(self, engine: str, nodes: int, updates: int) -> SearchResult:
        """The search's result; it was exhausted if nothing ended it before."""
        stopped = self.stopped or StopReason.EXHAUSTED
        counters = self.counters(nodes, updates)
        return SearchResult(engine, self.found, stopped, counters, self.seconds)
