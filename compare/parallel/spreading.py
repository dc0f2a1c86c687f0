"""Questions asked of one engine: whole, or in parts, by processes, a cluster, with a checkpoint."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from twostep.models.errors import InputError
from twostep.models.families.puzzle import Puzzle
from twostep.models.search import questions
from twostep.models.search.engine import (
    Engine,
    Limits,
    Receiver,
    SearchResult,
    Threaded,
    Watch,
)
from twostep.models.search.questions import Listing, Uniqueness

if TYPE_CHECKING:
    from twostep.compare.parallel.count import Progress
    from twostep.compare.parallel.output import Output
    from twostep.compare.parallel.questions import Way


@dataclass
class Spreading:
    """How a search is made: whole, or in parts if anything is given.

    Attributes:
        workers: so many processes search (threads, where they help as much).
        cluster: the address of a Dask cluster, or LOCAL.
        checkpoint: a file to resume from, and to keep up to date.
        parts: into how many parts the search is cut, at least.
        progress: told how far a search in parts has come.
    """

    workers: int | None = None
    cluster: str | None = None
    checkpoint: str | None = None
    parts: int | None = None
    progress: Callable[[Progress], object] | None = None

    @property
    def wanted(self) -> bool:
        """Whether the search is to be made in parts at all."""
        return self.workers is not None or not self._workers_only

    @property
    def _workers_only(self) -> bool:
        return (self.cluster, self.checkpoint, self.parts) == (None,) * 3

    def count(
        self, each: Engine, asked: Puzzle, limits: Limits, watch: Watch | None
    ) -> SearchResult:
        """Count with one engine, in parts if that is asked for."""
        if not self.wanted:
            return questions.count(each, asked.model, limits, watch=watch)
        if isinstance(each, Threaded) and self._workers_only and self.workers is not None:
            threaded = each.with_workers(self.workers, asked.model)
            if threaded is not None:
                return questions.count(threaded, asked.model, limits, watch=watch)
        from twostep.compare.parallel.count import spread_count

        return spread_count(each.name, asked.model, **self._way(asked, limits, watch)).result

    def solve(
        self,
        each: Engine,
        asked: Puzzle,
        limits: Limits,
        watch: Watch | None,
        receive: Receiver,
        output: Output | None,
        seed: int,
    ) -> SearchResult:
        """Search with one engine, in parts if that is asked for.

        `output`: what `receive` writes to; it knows what to cut off if there is a checkpoint.
        """
        if not self.wanted:
            return questions.solutions(
                each, asked.model, limits, receive=receive, watch=watch, seed=seed
            )
        from twostep.compare.parallel.count import spread_count
        from twostep.compare.parallel.questions import spread_listing

        number = limits.solutions
        way = self._way(asked, replace(limits, solutions=None), watch)
        if number is not None:
            return spread_listing(each.name, asked.model, number, receive=receive, **way).result
        return spread_count(each.name, asked.model, receive=receive, output=output, **way).result

    def unique(
        self, each: Engine, asked: Puzzle, limits: Limits, watch: Watch | None, seed: int
    ) -> Uniqueness:
        """Whether there is one solution, with one engine, in parts if that is asked for."""
        if not self.wanted:
            return questions.unique(each, asked.model, limits, watch=watch, seed=seed)
        from twostep.compare.parallel.questions import spread_unique

        return spread_unique(each.name, asked.model, **self._way(asked, limits, watch))

    def best(
        self, each: Engine, asked: Puzzle, k: int, limits: Limits, watch: Watch | None
    ) -> Listing:
        """The `k` cheapest solutions, with one engine, in parts if that is asked for."""
        if not self.wanted:
            return questions.best(each, asked.model, k, limits, watch=watch)
        from twostep.compare.parallel.questions import spread_best

        return spread_best(each.name, asked.model, k, **self._way(asked, limits, watch))

    def _way(self, asked: Puzzle, limits: Limits, watch: Watch | None) -> Way:
        from twostep.compare.parallel.cluster import LOCAL, Cluster
        from twostep.compare.parallel.count import PARTS, PARTS_PER_WORKER
        from twostep.compare.parallel.workers import Processes, Runner

        runner: Runner | None = None
        if self.cluster is not None:
            if self.workers is not None and self.cluster != LOCAL:
                raise InputError("--workers: a cluster has the workers that it has")
            runner = Cluster(self.cluster, self.workers or os.cpu_count() or 1)
        elif self.workers is not None:
            runner = Processes(self.workers)

        return {
            "runner": runner,
            "parts": self.parts or max(PARTS, PARTS_PER_WORKER * (self.workers or 1)),
            "checkpoint": self.checkpoint,
            "limits": limits,
            "watch": watch,
            "progress": self.progress,
            "puzzle": asked.name,
        }
