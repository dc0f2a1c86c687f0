"""Searches in parts: the flags of verbs that can, and the verbs split, part and merge."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from twostep.compare.command import options
from twostep.compare.command.asking import in_time, read
from twostep.compare.command.exits import Exit
from twostep.compare.command.output import Answer, Outcome, at_least, statistics
from twostep.compare.command.progress import announce_compilation, time_left
from twostep.compare.registry import ENGINES, engine
from twostep.compare.spread.output import Output
from twostep.compare.spread.part import PartResult, summed
from twostep.compare.spread.plan import MOST_PARTS, parts_of, read_plan
from twostep.models import questions
from twostep.models.errors import InputError
from twostep.models.puzzle import Puzzle
from twostep.models.questions import Listing, Uniqueness
from twostep.models.reading import load_puzzle
from twostep.models.search import (
    Engine,
    Limits,
    Receiver,
    SearchResult,
    StopReason,
    Threaded,
    Watch,
)

if TYPE_CHECKING:
    from twostep.compare.spread.questions import Way

Command = TypeVar("Command", bound=Callable[..., Any])


def spread_flags(command: Command) -> Command:
    """``--workers``, ``--cluster``, ``--checkpoint`` and ``--parts``; see :class:`Spreading`."""
    for flag in (
        click.option(
            "--parts",
            type=options.Whole(min=1, max=MOST_PARTS),
            help="Cut the search into at least so many parts.",
        ),
        click.option(
            "--checkpoint",
            metavar="FILE",
            help="Keep what is known in FILE, and go on from there if it exists.",
        ),
        click.option(
            "--cluster",
            metavar="ADDRESS",
            help="Search on a Dask cluster, such as tcp://HOST:8786; local: start one here.",
        ),
        click.option(
            "--workers",
            type=options.Whole(min=1, max=1024),
            help="Search with so many processes (threads, where they help as much).",
        ),
    ):
        command = flag(command)
    return command


@dataclass(slots=True)
class Spreading:
    """What the flags of :func:`spread_flags` ask for; None: not given.

    `shown`: whether there is a progress line, to which `note` adds how far the search has come.

    Raises:
        UsageError: a checkpoint is asked for, and both engines.
    """

    workers: int | None
    cluster: str | None
    checkpoint: str | None
    parts: int | None
    backend: str
    shown: bool = False
    note: str = ""

    def __post_init__(self) -> None:
        if self.checkpoint is not None and self.backend == options.BOTH:
            raise click.UsageError("--checkpoint keeps the search of one engine, not of both")

    @property
    def wanted(self) -> bool:
        """Whether the search is to be made in parts at all."""
        return (self.workers, self.cluster, self.checkpoint, self.parts) != (None,) * 4

    @property
    def _workers_only(self) -> bool:
        return (self.cluster, self.checkpoint, self.parts) == (None,) * 3

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
        if self.workers is not None and isinstance(each, Threaded) and self._workers_only:
            threaded = each.with_workers(self.workers, asked.model)
            if threaded is not None:
                return questions.count(threaded, asked.model, limits, watch=watch)
        from twostep.compare.spread.count import spread_count

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
        from twostep.compare.spread.count import spread_count
        from twostep.compare.spread.questions import spread_listing

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
        from twostep.compare.spread.questions import spread_unique

        return spread_unique(each.name, asked.model, **self._way(asked, limits, watch))

    def best(
        self, each: Engine, asked: Puzzle, k: int, limits: Limits, watch: Watch | None
    ) -> Listing:
        """The `k` cheapest solutions, with one engine, in parts if a flag asks for it."""
        if not self.wanted:
            return questions.best(each, asked.model, k, limits, watch=watch)
        from twostep.compare.spread.questions import spread_best

        return spread_best(each.name, asked.model, k, **self._way(asked, limits, watch))

    def _way(self, asked: Puzzle, limits: Limits, watch: Watch | None) -> Way:
        from twostep.compare.spread.cluster import LOCAL, Cluster
        from twostep.compare.spread.count import PARTS, PARTS_PER_WORKER, Progress
        from twostep.compare.spread.workers import Processes, Runner

        runner: Runner | None = None
        if self.cluster is not None:
            if self.workers is not None and self.cluster != LOCAL:
                raise InputError("--workers: a cluster has the workers that it has")
            runner = Cluster(self.cluster, self.workers or os.cpu_count() or 1)
        elif self.workers is not None:
            runner = Processes(self.workers)

        def tell(now: Progress) -> None:
            self.note = f"{now.done} of {now.parts} parts{time_left(now.seconds_left)}"

        return {
            "runner": runner,
            "parts": self.parts or max(PARTS, PARTS_PER_WORKER * (self.workers or 1)),
            "checkpoint": self.checkpoint,
            "limits": limits,
            "watch": watch,
            "progress": tell if self.shown else None,
            "puzzle": asked.name,
        }


@click.command()
@click.argument("puzzle")
@click.argument("plan")
@click.option(
    "--parts", type=options.Whole(min=1, max=MOST_PARTS), default=64, show_default=True,
    help="At least so many, if the search tree has as many leaves.",
)  # fmt: skip
@options.as_json
def split(puzzle: str, plan: str, parts: int, as_json: bool) -> int:
    """Cut the search of PUZZLE into disjoint parts; write them to the file PLAN.

    Search each with `twostep part`, anywhere, in any order; add them up with `twostep merge`.
    """
    from twostep.compare.spread.plan import split as cut

    asked = load_puzzle(puzzle)
    made = cut(asked.model, parts, puzzle=asked.name)
    made.write(plan)
    number = len(parts_of(made, asked.model))
    if as_json:
        facts = [("plan_file", plan), ("parts", number)]
        click.echo(Answer(asked.name, "split", Outcome.FOUND, None, True, facts=facts).as_json())
        return Exit.OK
    click.echo(f"{plan}: {number} parts, 0 to {number - 1}" if number else f"{plan}: no parts")
    return Exit.OK


@click.command()
@click.argument("plan")
@click.argument("puzzle")
@click.argument("number", type=options.Whole(min=0))
@click.argument("result", required=False)
@click.option("--backend", type=click.Choice(list(ENGINES)), default="dlx", show_default=True)
@click.option(
    "--time-limit", callback=options.seconds, metavar="SECONDS", help="Stop after so many seconds."
)
@click.option("--digest", is_flag=True, help="List the solutions, for the digest of their set.")
@options.output
def part(
    plan: str, puzzle: str, number: int, result: str | None, backend: str,
    time_limit: float | None, digest: bool, as_json: bool, quiet: bool,
) -> int:  # fmt: skip
    """Search part NUMBER of PLAN to its end; write what it gives to the file RESULT.

    If RESULT (by default PLAN.NUMBER) has it already, nothing is done. Nothing is written if a
    limit ends the search.
    """
    from twostep.compare.spread.part import Stopped, read_result, search_part

    asked, limits = read(puzzle, Limits(seconds=time_limit))
    cut = read_plan(plan)
    parts = parts_of(cut, asked.model)
    if number >= len(parts):
        raise InputError(f"no part {number}: there are {len(parts)}, from 0", source=plan)
    target = result or f"{plan}.{number}"
    if os.path.exists(target):
        known = read_result(target)
        if (known.plan, known.part) != (cut.fingerprint, number):
            raise InputError(
                f"there is already another result, of part {known.part}", source=target
            )
        if known.digest is not None or not digest:
            return _tell_part(asked, target, known, known=True, as_json=as_json)
    if backend == "dlx":
        announce_compilation(quiet=quiet)
    found = in_time(
        asked,
        backend,
        f"part {number}",
        limits,
        lambda limits, watch: search_part(
            engine(backend), asked.model, cut.fingerprint, parts[number], limits,
            digest=digest, watch=watch,
        ),
        lambda late: Stopped(late.stopped),
        quiet=quiet,
    )  # fmt: skip
    if isinstance(found, Stopped):
        if as_json:
            facts = [("part", number)]
            click.echo(
                Answer(
                    asked.name, "part", Outcome.UNKNOWN, None, False, found.reason, facts=facts
                ).as_json()
            )
        why = found.reason.value
        click.echo(f"twostep: part {number}: stopped ({why}), nothing written", err=True)
        return Exit.STOPPED
    found.write(target)
    return _tell_part(asked, target, found, known=False, as_json=as_json)


def _tell_part(asked: Puzzle, file: str, part: PartResult, *, known: bool, as_json: bool) -> int:
    """Say what the search of a part has given, which is now in `file` (or was `known` already)."""
    if as_json:
        facts = [
            ("part", part.part), ("result_file", file), ("digest", part.digest),
            ("known_already", known),
        ]  # fmt: skip
        result = summed([part], StopReason.EXHAUSTED)
        answer = Answer(
            asked.name, "part", Outcome.COUNT, part.count, True, None, [result], facts=facts
        )
        click.echo(answer.as_json())
    else:
        click.echo(f"{file}: {part.count}{' (known already)' if known else ''}")
    return Exit.OK


@click.command()
@click.argument("plan")
@click.argument("puzzle")
@click.argument("results", nargs=-1)
@options.output
def merge(plan: str, puzzle: str, results: tuple[str, ...], as_json: bool, quiet: bool) -> int:
    """Add up the RESULTS of the parts of PLAN (by default all files PLAN.NUMBER).

    Refused unless there is exactly one for each part; that the parts cover the search exactly
    once is derived from the model.
    """
    from twostep.compare.spread.part import merge as add_up
    from twostep.compare.spread.part import read_result

    asked = load_puzzle(puzzle)
    read = read_plan(plan)
    parts = parts_of(read, asked.model)
    files = results or tuple(
        name for part in parts if Path(name := f"{plan}.{part.number}").exists()
    )
    whole = add_up(read, asked.model, [read_result(name) for name in files])
    if as_json:
        facts = [("parts", len(parts)), ("digest", whole.digest)]
        answer = Answer(
            asked.name, "merge", Outcome.COUNT, whole.result.found, True, None, [whole.result],
            facts=facts,
        )  # fmt: skip
        click.echo(answer.as_json())
        return Exit.OK
    click.echo(at_least(whole.result))
    statistics([whole.result], quiet=quiet)
    return Exit.OK
