"""What every engine promises: one protocol, limits in, separate facts out.

An engine turns a :class:`Model` into a stream of solutions. Everything else (first, count,
unique, best) is written once, on top of it, in :mod:`twostep.models.search.questions`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import Protocol, runtime_checkable

from twostep.models.errors import InputError, UnsupportedFeature
from twostep.models.language.model import Feature, Model, Solution

Receiver = Callable[[Solution], object]
"""Gets each solution as it is found. Ends the search by returning True (the value itself, so
that ``list.append`` is a receiver that never ends it)."""


class StopReason(Enum):
    """Why a search ended. Only EXHAUSTED allows the words none, unique, and "exactly N".

    >>> import twostep
    >>> twostep.count("pentomino:6x10", time_limit=0).stopped
    <StopReason.TIME: 'time'>
    """

    EXHAUSTED = "exhausted"
    """The whole search space was seen."""
    SOLUTIONS = "solutions"
    """As many solutions as asked for were found; there may be more."""
    TIME = "time"
    """The wall clock ran out."""
    NODES = "nodes"
    """The limit of search nodes was reached."""
    MEMORY = "memory"
    """The limit of memory was reached."""
    CANCELLED = "cancelled"
    """The receiver, the watcher or Ctrl-C ended it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on a search; None: none. Reaching one never raises.

    Attributes:
        solutions: solutions after which the search stops.
        seconds: wall clock, s.
        nodes: an engine's own unit of work (search nodes; CP-SAT: conflicts and branches), the
            same on every run.
        memory: bytes an engine may take for what it remembers.
    """

    solutions: int | None = None
    seconds: float | None = None
    nodes: int | None = None
    memory: int | None = None

    def __post_init__(self) -> None:
        for name in ("solutions", "seconds", "nodes", "memory"):
            value = getattr(self, name)
            if value is None:
                continue
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if not number or not (math.isfinite(value) and value >= 0):
                raise InputError(f"limit of {name}: expected a number of at least 0, got {value!r}")
            if name != "seconds" and value != int(value):
                raise InputError(f"limit of {name}: expected a whole number, got {value!r}")


NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Counters:
    """Work done, in the engine's own units; the same on every machine.

    Attributes:
        found: solutions so far, side condition fulfilled.
        nodes: nodes of the search tree visited, without the root: options tried, or states looked
            at (CP-SAT: branches and conflicts).
        updates: elementary changes of the data structure (DLX: links; CP-SAT: propagations).
        rejected: candidates that failed the side condition.
        share: what part of the search is done, 0 to 1, as estimated; None: unknown.
    """

    found: int = 0
    nodes: int = 0
    updates: int = 0
    rejected: int = 0
    share: float | None = None

    def __add__(self, other: Counters) -> Counters:
        """The work of two searches; the share of the sum is unknown."""
        return Counters(
            self.found + other.found,
            self.nodes + other.nodes,
            self.updates + other.updates,
            self.rejected + other.rejected,
        )


_TOLD_FROM = 0.02


def seconds_left(seconds: float, share: float | None) -> float | None:
    """How long the rest takes if a share of the work took so long, s; None: too early to tell."""
    return None if share is None or share < _TOLD_FROM else seconds * (1 - share) / share


Watch = Callable[[Counters], object]
"""Called a few times a second while a search runs. Ends the search by returning True."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found, why it ended, and what it took: separate facts.

    Attributes:
        engine: the engine's name.
        found: how many solutions were found (counted, not necessarily listed).
        stopped: why the search ended.
        counters: work done.
        seconds: wall clock of the search alone, s.

    >>> import twostep
    >>> (result,) = twostep.count("queens:6").results
    >>> result.engine, result.found, result.complete
    ('dlx', 4, True)
    """

    engine: str
    found: int
    stopped: StopReason
    counters: Counters
    seconds: float

    @property
    def complete(self) -> bool:
        """Whether `found` is the exact number of solutions."""
        return self.stopped is StopReason.EXHAUSTED


class Engine(Protocol):
    """A search engine."""

    @property
    def name(self) -> str:
        """The name that ``--backend`` takes."""

    @property
    def features(self) -> frozenset[Feature]:
        """The parts of the language that it can do."""

    def search(
        self,
        model: Model,
        limits: Limits = NO_LIMITS,
        *,
        receive: Receiver | None = None,
        watch: Watch | None = None,
        seed: int = 0,
    ) -> SearchResult:
        """Enumerate the model's solutions, each exactly once, into `receive`.

        Without a receiver the solutions are only counted. `seed` 0 is the engine's natural
        order; any other seed another order; the same seed the same order. Ctrl-C ends the search
        with what is known (CANCELLED).

        Raises:
            UnsupportedFeature: before the search starts.
        """


@runtime_checkable
class Counts(Protocol):
    """An engine that counts in a better way than by visiting solutions."""

    def count(
        self, model: Model, limits: Limits = NO_LIMITS, *, watch: Watch | None = None
    ) -> SearchResult:
        """The number of solutions; `found` is a lower bound where the search isn't complete."""


@runtime_checkable
class Optimises(Protocol):
    """An engine that finds cheapest solutions in a better way than by seeing them all."""

    def best(
        self,
        model: Model,
        k: int,
        limits: Limits = NO_LIMITS,
        *,
        watch: Watch | None = None,
        below: int | None = None,
    ) -> tuple[tuple[Solution, ...], SearchResult]:
        """The `k` cheapest solutions known, cheapest first, proven if the result is complete.

        Ties stand in ascending order of options.

        With `below`, solutions of cost >= below are ignored.

        Here EXHAUSTED means: no solution that isn't listed is cheaper than one that is, and if
        fewer than `k` are listed there are no others.
        """


@runtime_checkable
class Threaded(Protocol):
    """An engine that can count with several threads."""

    def with_workers(self, workers: int, model: Model) -> Engine | None:
        """The engine with `workers` threads; None: they don't help with this model."""


class SolutionDiagram(Protocol):
    """All solutions of a model in one compact whole; numbered from 0, in an order of its own."""

    @property
    def total(self) -> int:
        """The number of solutions."""

    def solution(self, number: int) -> Solution:
        """The solution of that number; raises InputError if there is none."""

    def rank(self, solution: Solution) -> int:
        """The number of a solution; raises InputError if it is none."""

    def sample(self, rng: Random) -> Solution:
        """A solution, each with the same probability; raises InputError if there is none."""

    def usage(self) -> tuple[int, ...]:
        """(options,) how many solutions have each option."""

    def cheapest(self) -> Solution | None:
        """The cheapest solution; None: there is none; UnsupportedFeature: costs too large."""


@runtime_checkable
class Diagrams(Protocol):
    """An engine that makes diagrams."""

    def diagram(
        self, model: Model, limits: Limits = NO_LIMITS, *, watch: Watch | None = None
    ) -> tuple[SolutionDiagram | None, SearchResult]:
        """The diagram, None if a limit ended the search; raises UnsupportedFeature as `search`."""


def demand(engine: Engine, needed: frozenset[Feature]) -> None:
    """Raise :class:`UnsupportedFeature` if the engine lacks one of the features."""
    missing = sorted(feature.value for feature in needed - engine.features)
    if missing:
        raise UnsupportedFeature(f"the engine {engine.name!r} cannot do {', '.join(missing)}")
