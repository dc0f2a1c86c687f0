"""The flags of searches in parts, and what they ask for."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from twostep.compare.command.shared import options
from twostep.compare.command.shared.progress import time_left
from twostep.compare.parallel.output import Output
from twostep.compare.parallel.plan import MOST_PARTS
from twostep.compare.registry import BOTH
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
    from twostep.compare.parallel.questions import Way


@dataclass(frozen=True, slots=True)
class SpreadFlags:
    """``--workers``, ``--cluster``, ``--checkpoint`` and ``--parts``; None: not given."""

    workers: int | None = options.flag(
        "--workers",
        type=options.Whole(min=1, max=1024),
        help="Search with so many processes (threads, where they help as much).",
    )
    cluster: str | None = options.flag(
        "--cluster",
        metavar="ADDRESS",
        help="Search on a Dask cluster, such as tcp://HOST:8786; local: start one here.",
    )
    checkpoint: str | None = options.flag(
        "--checkpoint",
        metavar="FILE",
        help="Keep what is known in FILE, and go on from there if it exists.",
    )
    parts: int | None = options.flag(
        "--parts",
        type=options.Whole(min=1, max=MOST_PARTS),
        help="Cut the search into at least so many parts.",
    )


spread_flags = options.group("spread", SpreadFlags)


@dataclass(slots=True)
class Spreading:
    """How the flags want a search made: whole, or in parts.

    `shown`: whether there is a progress line, to which `note` adds how far the search has come.

    Raises:
        UsageError: a checkpoint is asked for, and several engines.
    """

    flags: SpreadFlags
    backend: str
    shown: bool = False
    note: str = ""

    def __post_init__(self) -> None:
        if self.flags.checkpoint is not None and self.backend == BOTH:
            raise click.UsageError("--checkpoint keeps the search of one engine, not of both")

    @property
    def wanted(self) -> bool:
        """Whether the search is to be made in parts at all."""
        return self.flags != SpreadFlags(None, None, None, None)

    @property
    def _workers_only(self) -> bool:
        return self.flags == SpreadFlags(self.flags.workers, None, None, None)

    def refuse(self, **given: object) -> None:
        """Refuse flags that are not for parts: see :func:`options.those_given`."""
        if self.wanted and (flags := options.those_given(**given)):
            raise click.UsageError(f"a search in parts takes no {flags[0]}")

    def count(
        self, each: Engine, asked: Puzzle, limits: Limits, watch: Watch | None
    ) -> SearchResult:
        """Count with one engine, in parts if a flag asks for it."""
        if not self.wanted:
            return questions.count(each, asked.model, limits, watch=watch)
        if self.flags.workers is not None and isinstance(each, Threaded) and self._workers_only:
            threaded = each.with_workers(self.flags.workers, asked.model)
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
        """Search with one engine, in parts if a flag asks for it.

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
        """Whether there is one solution, with one engine, in parts if a flag asks for it."""
        if not self.wanted:
            return questions.unique(each, asked.model, limits, watch=watch, seed=seed)
        from twostep.compare.parallel.questions import spread_unique

        return spread_unique(each.name, asked.model, **self._way(asked, limits, watch))

    def best(
        self, each: Engine, asked: Puzzle, k: int, limits: Limits, watch: Watch | None
    ) -> Listing:
        """The `k` cheapest solutions, with one engine, in parts if a flag asks for it."""
        if not self.wanted:
            return questions.best(each, asked.model, k, limits, watch=watch)
        from twostep.compare.parallel.questions import spread_best

        return spread_best(each.name, asked.model, k, **self._way(asked, limits, watch))

    def _way(self, asked: Puzzle, limits: Limits, watch: Watch | None) -> Way:
        from twostep.compare.parallel.cluster import LOCAL, Cluster
        from twostep.compare.parallel.count import PARTS, PARTS_PER_WORKER, Progress
        from twostep.compare.parallel.workers import Processes, Runner

        runner: Runner | None = None
        if self.flags.cluster is not None:
            if self.flags.workers is not None and self.flags.cluster != LOCAL:
                raise InputError("--workers: a cluster has the workers that it has")
            runner = Cluster(self.flags.cluster, self.flags.workers or os.cpu_count() or 1)
        elif self.flags.workers is not None:
            runner = Processes(self.flags.workers)

        def tell(now: Progress) -> None:
            self.note = f"{now.done} of {now.parts} parts{time_left(now.seconds_left)}"

        return {
            "runner": runner,
            "parts": self.flags.parts or max(PARTS, PARTS_PER_WORKER * (self.flags.workers or 1)),
            "checkpoint": self.flags.checkpoint,
            "limits": limits,
            "watch": watch,
            "progress": tell if self.shown else None,
            "puzzle": asked.name,
        }
