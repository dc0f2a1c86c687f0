"""What the search of one part gives, whole or cut short."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.oracle import all_solutions

from twostep.compare.parallel.count import spread_count
from twostep.compare.parallel.part import PartResult, Stopped, merge, search_part
from twostep.compare.parallel.plan import PART, Part, parts_of, read_plan, split
from twostep.compare.parallel.workers import InProcess, Job
from twostep.compare.registry import engine
from twostep.models import InputError, Limits, Model, ModelBuilder, SideCondition, StopReason
from twostep.models.families.registry import named_puzzle
from twostep.models.search import questions
from twostep.models.search.engine import NO_LIMITS, Counters

DLX = engine("dlx")


@pytest.fixture(scope="module")
def prices() -> Model:
    """Two items, together or each by itself; the search doesn't come upon the cheapest first."""
    builder = ModelBuilder("prices")
    for item in ("a", "b"):
        builder.item(item)
    for cost in range(9):
        builder.option(["a", "b"], cost=8 - cost)
        builder.option(["a"], cost=cost)
        builder.option(["b"], cost=-3 * cost)
    return builder.build()


def cheapest_two(model: Model, limits: Limits = NO_LIMITS) -> PartResult | Stopped:
    """Of the only part of a plan of one part."""
    plan = split(model, 1)
    (part,) = parts_of(plan, model)
    return search_part(DLX, model, plan.fingerprint, part, limits, cheapest=2)


def test_a_part_counts_the_cheapest_that_it_gives_and_not_all_it_saw(prices: Model) -> None:
    assert questions.best(DLX, prices, 2).result.found > 2
    given = cheapest_two(prices)
    assert isinstance(given, PartResult)
    assert given.count == len(given.solutions) == 2


def test_a_part_that_is_cut_short_gives_the_cheapest_it_has_seen(prices: Model) -> None:
    stopped = cheapest_two(prices, Limits(nodes=4))
    assert isinstance(stopped, Stopped)
    assert (stopped.reason, stopped.work.nodes) == (StopReason.NODES, 4)
    assert 0 < len(stopped.solutions) <= 2
    assert set(stopped.solutions) <= all_solutions(prices)


class OneThenTheEnd:
    """Searches one part; the next is ended after so much work."""

    work = Counters(nodes=7, updates=11, rejected=13)

    def run(self, job: Job, parts: Sequence[Part]) -> Iterator[PartResult | Stopped | None]:
        for answer in InProcess().run(job, parts[:1]):
            assert isinstance(answer, PartResult)
            self.first = answer
            yield answer
        yield Stopped(StopReason.TIME, self.work)


def test_the_work_of_an_unfinished_part_is_added_to_that_of_the_others() -> None:
    runner = OneThenTheEnd()
    condition = SideCondition("no multiple of 3", lambda solution: sum(solution) % 3 != 0)
    model = replace(named_puzzle("domino:4x4").model, side_condition=condition)
    result = spread_count("dlx", model, parts=5, runner=runner).result
    first, work, now = runner.first, runner.work, result.counters
    assert (result.stopped, result.found) == (StopReason.TIME, first.count)
    assert first.rejected > 0
    assert now.nodes == first.nodes + work.nodes
    assert now.updates == first.updates + work.updates
    assert now.rejected == first.rejected + work.rejected


@pytest.mark.parametrize(("missing", "named"), [(5, "0, 1, 2, 3, 4"), (6, "0, 1, 2, 3, 4 ...")])
def test_the_first_five_missing_parts_are_named(missing: int, named: str) -> None:
    model = named_puzzle("domino:4x4").model
    plan = split(model, 10)
    results = [
        search_part(DLX, model, plan.fingerprint, part) for part in parts_of(plan, model)[missing:]
    ]
    whole = [result for result in results if isinstance(result, PartResult)]
    with pytest.raises(InputError, match=f"{missing} of .* parts are missing: {named}$"):
        merge(plan, model, whole)


@pytest.mark.parametrize("parts", range(1, 20))
def test_a_plan_has_hardly_more_parts_than_are_asked_for(parts: int) -> None:
    model = named_puzzle("domino:4x4").model  # 36 solutions; an item has two branches at most
    assert len(parts_of(split(model, parts), model)) == parts


@pytest.mark.parametrize("node", ["0", 1.0, True, None, PART - 1])
def test_a_plan_whose_tree_is_not_of_items_is_refused(node: object, tmp_path: Path) -> None:
    members = split(named_puzzle("domino:2x2").model, 2).members()
    (tmp_path / "plan").write_text(json.dumps({**members, "tree": [node]}))
    with pytest.raises(InputError, match="plan: tree: expected a list of items"):
        read_plan(tmp_path / "plan")
