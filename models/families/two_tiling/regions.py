"""The questions about a pair: is there a region, and which is the smallest? On any engine.

Every verdict rests on searches: POSSIBLE on a region found, IMPOSSIBLE on a search that was
exhausted, and "smallest" on one exhausted search for each smaller area. A limit gives UNKNOWN.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from twostep.models.families.two_tiling.cover import Pair, Region, cover, region_of
from twostep.models.search import questions
from twostep.models.search.engine import NO_LIMITS, Engine, Limits, SearchResult, StopReason, Watch


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
    """

    verdict: Verdict
    region: Region | None
    least: int
    results: tuple[SearchResult, ...]

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

    Of two equal tiles it is one tile.
    """
    area = pair.step if pair.first == pair.second and pair.areas else None
    region, result = _search(engine, pair, area, limits, watch, seed)
    return Answer(_verdict(region, result), region, pair.step, (result,))


def smallest_region(
    engine: Engine,
    pair: Pair,
    limits: Limits = NO_LIMITS,
    *,
    watch: Watch | None = None,
    seed: int = 0,
) -> Answer:
    """A region of the fewest cells, proven to be so, or the proof that there is none.

    First any region; then, in ascending order, one search for each area that is smaller: the
    first that finds a region has found a smallest one. `limits` holds for all of them together.
    """
    answer = common_region(engine, pair, limits, watch=watch, seed=seed)
    if answer.region is None:
        return answer
    results = list(answer.results)
    for area in pair.areas:
        if area == answer.area:
            break
        left = _left(limits, results)
        region, result = _search(engine, pair, area, left, watch, seed)
        results.append(result)
        if region is not None:
            answer = replace(answer, region=region)
            break
        if not result.complete:
            return Answer(Verdict.UNKNOWN, answer.region, area, tuple(results))
    return Answer(Verdict.POSSIBLE, answer.region, answer.area, tuple(results))


def _search(
    engine: Engine, pair: Pair, area: int | None, limits: Limits, watch: Watch | None, seed: int
) -> tuple[Region | None, SearchResult]:
    model = cover(pair, area, half=True)
    found = questions.first(engine, model, limits, watch=watch, seed=seed)
    region = region_of(model, found.solutions[0]) if found.solutions else None
    return region, found.result


def _verdict(region: Region | None, result: SearchResult) -> Verdict:
    if region is not None:
        return Verdict.POSSIBLE
    return Verdict.IMPOSSIBLE if result.complete else Verdict.UNKNOWN


def _left(limits: Limits, results: list[SearchResult]) -> Limits:
    """What is left of the limits after some searches."""
    seconds, nodes = limits.seconds, limits.nodes
    if seconds is not None:
        seconds = max(0.0, seconds - sum(result.seconds for result in results))
    if nodes is not None:
        nodes = max(0, nodes - sum(result.counters.nodes for result in results))
    return replace(limits, seconds=seconds, nodes=nodes)
