"""A model on which engines disagree is made small, so that a person can see why.

Delta debugging (Zeller and Hildebrandt 2002, "ddmin"): take away as many options as possible, then
items, while the engines still disagree. If a solution is known that only one engine found, its
options alone are tried first: often they are enough.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from twostep.compare.agreement.verdict import Agreement, ask, judge
from twostep.models.language.builder import Entry, ModelBuilder
from twostep.models.language.model import Model, SideCondition, Solution
from twostep.models.search.engine import Engine, Limits

SECONDS = 30.0
"""For how long to make a model smaller, s."""
SECONDS_PER_TRY = 5.0
"""How long an engine may take for a smaller model, s: what takes longer is not tried further."""


@dataclass(frozen=True, slots=True)
class Shrunk:
    """A model on which the engines still disagree, and how many smaller ones were tried."""

    model: Model
    tries: int


def shrink(
    engines: Sequence[Engine],
    model: Model,
    *,
    hint: Solution | None = None,
    seconds: float = SECONDS,
) -> Shrunk:
    """The smallest model found, by taking away from `model`, on which `engines` disagree.

    Args:
        engines: they disagree about `model`.
        model: what they disagree about.
        hint: a solution that one of them found and another did not.
        seconds: when to stop, s; the model so far is given.
    """
    deadline = time.monotonic() + seconds
    tries = 0

    def disagree(smaller: Model) -> bool:
        nonlocal tries
        left = deadline - time.monotonic()
        if left <= 0:
            return False
        tries += 1
        limits = Limits(seconds=min(left, SECONDS_PER_TRY))
        opinions = [ask(engine, smaller, limits) for engine in engines]
        return judge(opinions) is Agreement.DISAGREE

    def attempt(smaller: Model | None) -> bool:
        nonlocal model
        if smaller is not None and disagree(smaller):
            model = smaller
            return True
        return False

    attempt(replace(model, side_condition=None) if model.side_condition else None)
    if hint is not None:
        attempt(_reduced(model, sorted({*hint, *model.chosen}), range(model.n_items)))
    before = -1
    while before != (before := model.n_options + model.n_items + len(model.chosen)):
        _each_group(
            lambda: model.n_options,
            lambda keep: attempt(_reduced(model, keep, range(model.n_items))),
        )
        _each_group(
            lambda: model.n_items,
            lambda keep: attempt(_reduced(model, range(model.n_options), keep)),
        )
        for option in model.chosen:
            attempt(replace(model, chosen=tuple(o for o in model.chosen if o != option)))
    attempt(_plain(model))
    return Shrunk(replace(model, name=f"{model.name}, shrunk"), tries)


def _each_group(size: Callable[[], int], attempt: Callable[[list[int]], bool]) -> None:
    """Try to do without groups of things: half of them, then quarters, down to single ones."""
    length = size()
    while length > 1:
        length = (length + 1) // 2
        start = 0
        while start < size():
            keep = [i for i in range(size()) if not start <= i < start + length]
            if not attempt(keep):
                start += length
    if size() == 1:
        attempt([])


def _reduced(model: Model, options: Sequence[int], items: Sequence[int]) -> Model | None:
    """`model` with only some options and items; None if a chosen option would be lost.

    Options that would lose all their primary items are left out.
    """
    new_item = {item: place for place, item in enumerate(items)}
    builder = ModelBuilder(model.name)
    if model.order is not None:
        builder.order = [new_item[item] for item in model.order if item in new_item]
    for item in items:
        if model.primary[item]:
            builder.item(model.items[item], int(model.low[item]), int(model.high[item]))
        else:
            builder.secondary(model.items[item])
    ids: list[int] = []
    for option in options:
        entries = [(item, colour) for item, colour in model.option(option) if item in new_item]
        if not any(model.primary[item] for item, _ in entries):
            continue
        ids.append(option)
        builder.option(
            [_entry(new_item[item], model.colours[colour]) for item, colour in entries],
            label=model.labels[option],
            cost=int(model.costs[option]),
        )
    place = {option: new for new, option in enumerate(ids)}
    if not place.keys() >= set(model.chosen):
        return None
    builder.chosen = [place[option] for option in model.chosen]
    if model.side_condition is not None:
        builder.side_condition = _over(model.side_condition, ids)
    return builder.build()


def _over(condition: SideCondition, ids: Sequence[int]) -> SideCondition:
    def holds(solution: Solution) -> bool:
        return condition.holds(tuple(ids[option] for option in solution))

    return SideCondition(condition.name, holds)


def _entry(item: int, colour: str) -> Entry:
    return (item, colour) if colour else item


def _plain(model: Model) -> Model | None:
    """`model` without costs and suggested order; None if it has none."""
    if model.order is None and not model.costs.any():
        return None
    return replace(model, order=None, costs=model.costs * 0)
