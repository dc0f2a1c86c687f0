"""Many pairs of tiles, one or two engines, one or more processes: what they say, and agree on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import process_time

from twostep.compare.agreement.verdict import Claim, contradict
from twostep.compare.parallel.pool import results_in_order
from twostep.compare.registry import engine
from twostep.models.families.two_tiling.contest import Case
from twostep.models.families.two_tiling.cover import Pair, Region
from twostep.models.families.two_tiling.regions import (
    Answer,
    Verdict,
    common_region,
    smallest_region,
)
from twostep.models.search.engine import Counters, Limits, SearchResult, StopReason
from twostep.models.words import counted

ALONE = 2.0
"""What one process works before others are started, s of its processor: they take about as long
to begin."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked about every case.

    Attributes:
        engines: the names of the engines to ask.
        smallest: whether the smallest region is asked for, or any.
        side: the board's side, cells.
        limits: for each case and engine.
        seed: see :class:`twostep.models.search.engine.Engine`.
        most: only regions of at most so many cells; None: of any number.
        every: all smallest regions are asked for.
    """

    engines: tuple[str, ...]
    smallest: bool
    side: int
    limits: Limits
    seed: int
    most: int | None = None
    every: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """What the engines said about one case; `answers` is empty if none was asked any more."""

    case: Case
    answers: tuple[Answer, ...]

    @property
    def verdict(self) -> Verdict:
        """What all engines say; UNKNOWN where one does not know."""
        said = {answer.verdict for answer in self.answers}
        return said.pop() if len(said) == 1 else Verdict.UNKNOWN

    @property
    def best(self) -> Answer | None:
        """The answer with a region of fewest cells, the first engine's where they are equal."""
        found = [answer for answer in self.answers if answer.region is not None]
        return min(found, key=lambda answer: answer.area) if found else None

    @property
    def region(self) -> Region | None:
        """The region of fewest cells that was found, or None."""
        return self.best.region if self.best else None

    @property
    def area(self) -> int:
        """That region's number of cells; 0 without one."""
        return self.best.area if self.best else 0

    @property
    def least(self) -> int:
        """No region has fewer cells."""
        return max((answer.least for answer in self.answers), default=0)

    @property
    def stopped(self) -> StopReason | None:
        """What kept an engine from an answer."""
        if not self.answers:
            return StopReason.CANCELLED
        return next((a.stopped for a in self.answers if a.stopped is not None), None)

    def contradiction(self, smallest: bool) -> str | None:
        """How the engines contradict each other; None if they don't."""
        if not contradict([_claim(answer, smallest) for answer in self.answers]):
            return None
        if smallest and self.best is not None and self.area < self.least:
            return f"a region of {self.area} cells, and none of fewer than {self.least}"
        if all(answer.verdict is Verdict.POSSIBLE for answer in self.answers):
            numbers = sorted({len(answer.others) + 1 for answer in self.answers})
            return f"{' and '.join(map(str, numbers))} smallest regions"
        return ", ".join(
            f"{answer.results[0].engine}"
            f" {(Verdict.POSSIBLE if answer.region else answer.verdict).value}"
            for answer in self.answers
        )

    @property
    def others(self) -> tuple[Region, ...]:
        """The other smallest regions, where all were asked for."""
        return self.best.others if self.best else ()

    def how_many(self) -> str:
        """One line about a case of which all smallest regions were asked for."""
        regions = counted(len(self.others) + 1, "smallest region")
        return (
            f"case {self.case.number} ({self.case.names}): {regions} of"
            f" {counted(self.area, 'cell')}, turned and mirrored copies not counted"
        )

    def what_is_known(self, smallest: bool) -> str:
        """One line about an unknown case."""
        reason = f" ({self.stopped.value})" if self.stopped else ""
        known = f"case {self.case.number} ({self.case.names}): stopped{reason}"
        if self.region is not None:
            known += f"; there is a region of {counted(self.area, 'cell')}"
            if smallest:
                known += f", and none of fewer than {self.least}"
        return known


def _claim(answer: Answer, smallest: bool) -> Claim:
    """What an answer says about the regions, which cost their cells if `smallest` are wanted."""
    none = answer.verdict is Verdict.IMPOSSIBLE
    return Claim(
        answer.results[0].engine,
        0 if answer.region is None else 1 + len(answer.others),
        none or (smallest and answer.verdict is Verdict.POSSIBLE),
        costs=(answer.area,) if smallest and answer.region is not None else (),
        least=answer.least if smallest else None,
    )


def _ask(task: tuple[Question, Case]) -> Report:
    """Ask every engine about one case; runs in a worker's process."""
    question, case = task
    pair = Pair(case.first, case.second, question.side, question.side)
    if question.smallest:
        ask = partial(smallest_region, most=question.most, every=question.every)
    else:
        ask = partial(common_region)
    return Report(
        case,
        tuple(
            ask(engine(name), pair, question.limits, seed=question.seed)
            for name in question.engines
        ),
    )


def reports(question: Question, cases: Sequence[Case], workers: int = 1) -> Iterator[Report]:
    """What the engines say about each case, in order; after Ctrl-C the rest is not asked.

    Further processes are only started for what is left after :data:`ALONE`.
    """
    done = 0
    try:
        for report in _all_asked([(question, case) for case in cases], workers):
            done += 1
            yield report
            if report.stopped is StopReason.CANCELLED:
                break
    except KeyboardInterrupt:
        pass
    for case in cases[done:]:
        yield Report(case, ())


def _all_asked(tasks: Sequence[tuple[Question, Case]], workers: int) -> Iterator[Report]:
    began, done, useful = process_time(), 0, 1
    while done < len(tasks) and useful == 1:
        yield _ask(tasks[done])
        done += 1
        useful = _useful_workers(process_time() - began, done, len(tasks) - done, workers)
    yield from results_in_order(_ask, tasks[done:], workers=useful)


def _useful_workers(spent: float, done: int, left: int, workers: int) -> int:
    """How many processes are worth their start, after so many seconds for so many tasks."""
    rest = spent / done * left
    return min(workers, 1 + int(rest / ALONE)) if spent >= ALONE else 1


def totals(reports: Sequence[Report]) -> list[SearchResult]:
    """All searches of each engine as one: `found` counts the possible cases."""
    of_engine: dict[str, list[Answer]] = {}
    for report in reports:
        for answer in report.answers:
            of_engine.setdefault(answer.results[0].engine, []).append(answer)
    sums = []
    for name, answers in of_engine.items():
        results = [result for answer in answers for result in answer.results]
        stopped = next((a.stopped for a in answers if a.stopped is not None), None)
        if len(answers) < len(reports):
            stopped = StopReason.CANCELLED
        found = sum(answer.verdict is Verdict.POSSIBLE for answer in answers)
        counters = replace(sum((result.counters for result in results), Counters()), found=found)
        seconds = sum(result.seconds for result in results)
        sums.append(SearchResult(name, found, stopped or StopReason.EXHAUSTED, counters, seconds))
    return sums
