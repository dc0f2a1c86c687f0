"""The questions about a pair: is there a region, and which is the smallest? On any engine.

Every verdict rests on searches: POSSIBLE on a region found, IMPOSSIBLE on a search of the whole
board that was exhausted, and "smallest" on one exhausted search for each smaller area. A limit
gives UNKNOWN.

Two things keep large boards from being slow. Most regions are small, so boards larger than the
contest's are searched for on smaller boards first. And an area bounds the board: once no smaller
area is left a region of so many cells is connected (each part of it would be a region), so that
its height and width together are at most one more than its number of cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

from twostep.models.families.polyomino.pieces import Shape, normalised, representative
from twostep.models.families.two_tiling.cover import Pair, Region, cover, region_of
from twostep.models.families.two_tiling.tiles import BOARD
from twostep.models.language.model import Solution
from twostep.models.search import questions
from twostep.models.search.engine import (
    NO_LIMITS,
    Counters,
    Engine,
    Limits,
    SearchResult,
    StopReason,
    Watch,
)

_NODES_AHEAD = 20_000_000
"""What a smaller board, searched first, may take: a second or so."""


class Verdict(Enum):
    """Whether there is a region, as far as the searches can tell. The contest's words."""

    POSSIBLE = "POSSIBLE"
    IMPOSSIBLE = "IMPOSSIBLE"
    UNKNOWN = "UNKNOWN"
    """A limit ended the search; where the smallest region was asked for, one may be known."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is known about a pair.

    Attributes:
        verdict: the answer to the question that was asked.
        region: a region, or None.
        least: no region has fewer cells than this, proven.
        results: the searches, in order.
        others: where all smallest regions were asked for, those besides `region`.
    """

    verdict: Verdict
    region: Region | None
    least: int
    results: tuple[SearchResult, ...]
    others: tuple[Region, ...] = ()

    @property
    def area(self) -> int:
        """The region's number of cells; 0 without a region."""
        return self.region.area if self.region else 0

    @property
    def stopped(self) -> StopReason | None:
        """What ended the last search before it could tell; None where nothing did."""
        return self.results[-1].stopped if self.verdict is Verdict.UNKNOWN else None


def common_region(
    engine: Engine,
    pair: Pair,
    limits: Limits = NO_LIMITS,
    *,
    watch: Watch | None = None,
    seed: int = 0,
) -> Answer:
    """A region that both tiles tile, or the proof that there is none.

    Of two equal tiles it is one tile. `limits` holds for all searches together.
    """
    asked = _Asked(engine, limits, watch, seed)
    if pair.first == pair.second and pair.areas:
        return asked.answer(asked.region(bounded(pair, pair.step), pair.step), pair.step)
    for smaller in _smaller_boards(pair):
        if (region := asked.region(smaller, None, _NODES_AHEAD)) is not None:
            return asked.answer(region, pair.step)
    return asked.answer(asked.region(pair, None), pair.step)


def smallest_region(
    engine: Engine,
    pair: Pair,
    limits: Limits = NO_LIMITS,
    *,
    watch: Watch | None = None,
    seed: int = 0,
    most: int | None = None,
    every: bool = False,
) -> Answer:
    """A region of the fewest cells, proven to be so, or the proof that there is none.

    First any region; then, in ascending order, one search for each area that is smaller: the
    first that finds a region has found a smallest one.

    Args:
        engine, pair, watch, seed: see :func:`common_region`.
        limits: for all searches together.
        most: only regions of at most so many cells; IMPOSSIBLE then says that there is none of
            these. The areas are tried from the first on, without any region to begin with.
        every: find all smallest regions; turned and mirrored copies are one.
    """
    asked = _Asked(engine, limits, watch, seed)
    if most is None:
        answer = common_region(engine, pair, limits, watch=watch, seed=seed)
        asked.results += answer.results
        if answer.region is None:
            return answer
        best, bound = answer.region, answer.area
    else:
        best, bound = None, most + 1
    least = pair.step
    for area in pair.areas:
        if area >= bound:
            break
        region = asked.region(bounded(pair, area), area)
        if region is not None:
            best = region
            break
        if not asked.results[-1].complete:
            return Answer(Verdict.UNKNOWN, best, area, tuple(asked.results))
        least = area + pair.step
    if best is None:
        return Answer(Verdict.IMPOSSIBLE, None, least, tuple(asked.results or [asked.nothing()]))
    answer = Answer(Verdict.POSSIBLE, best, best.area, tuple(asked.results))
    if not every:
        return answer
    others = asked.others(best, pair)
    verdict = Verdict.POSSIBLE if asked.results[-1].complete else Verdict.UNKNOWN
    return replace(answer, verdict=verdict, results=tuple(asked.results), others=others)


def bounded(pair: Pair, area: int) -> Pair:
    """The pair on the part of its board that a connected region of so many cells needs.

    Its shorter side is at most half the area, rounded up; on a square board it may be turned so
    that this is its height.
    """
    square = pair.rows == pair.columns
    rows = min(pair.rows, (area + 1) // 2 if square else area)
    return replace(pair, rows=rows, columns=min(pair.columns, area))


def _smaller_boards(pair: Pair) -> Iterator[Pair]:
    """The contest's board, then those with two cells a side more, as long as they are smaller."""
    for side in range(BOARD, max(pair.rows, pair.columns), 2):
        smaller = replace(pair, rows=min(pair.rows, side), columns=min(pair.columns, side))
        if smaller.obstacle() is None:
            yield smaller


class _Asked:
    """One engine, the searches that it has made, and what they have left of the limits."""

    def __init__(self, engine: Engine, limits: Limits, watch: Watch | None, seed: int) -> None:
        self.engine, self.limits, self.watch, self.seed = engine, limits, watch, seed
        self.results: list[SearchResult] = []

    def region(self, pair: Pair, area: int | None, nodes: int | None = None) -> Region | None:
        """A region of that area (None: any), if a search finds one; `nodes` limits just that."""
        model = cover(pair, area, half=True)
        limits = self.left()
        if nodes is not None:
            limits = replace(
                limits, nodes=min(nodes, nodes if limits.nodes is None else limits.nodes)
            )
        found = questions.first(self.engine, model, limits, watch=self.watch, seed=self.seed)
        self.results.append(found.result)
        return region_of(model, found.solutions[0]) if found.solutions else None

    def answer(self, region: Region | None, least: int) -> Answer:
        """The answer, by the last search."""
        if region is not None:
            verdict = Verdict.POSSIBLE
        else:
            verdict = Verdict.IMPOSSIBLE if self.results[-1].complete else Verdict.UNKNOWN
        return Answer(verdict, region, least, tuple(self.results))

    def others(self, smallest: Region, pair: Pair) -> tuple[Region, ...]:
        """All other regions of that area, the smallest, turned and mirrored copies left out."""
        model = cover(bounded(pair, smallest.area), smallest.area, half=True)
        found = {_form(smallest): smallest}

        def receive(solution: Solution) -> None:
            region = region_of(model, solution)
            found.setdefault(_form(region), region)

        limits, watch, seed = self.left(), self.watch, self.seed
        self.results.append(
            questions.solutions(self.engine, model, limits, receive=receive, watch=watch, seed=seed)
        )
        return tuple(found.values())[1:]

    def nothing(self) -> SearchResult:
        """The result where no area is left to search for."""
        return SearchResult(self.engine.name, 0, StopReason.EXHAUSTED, Counters(), 0.0)

    def left(self) -> Limits:
        """What the searches have left of the limits."""
        seconds, nodes = self.limits.seconds, self.limits.nodes
        if seconds is not None:
            seconds = max(0.0, seconds - sum(result.seconds for result in self.results))
        if nodes is not None:
            nodes = max(0, nodes - sum(result.counters.nodes for result in self.results))
        return replace(self.limits, seconds=seconds, nodes=nodes)


def _form(region: Region) -> Shape:
    """One shape for all copies of a region."""
    return representative(normalised(region.cells))
