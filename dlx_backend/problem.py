"""A model as the kernels see it: chosen options applied, items and options renumbered.

Kernels know only a :class:`Problem`. What the chosen options cover is gone, and so are the
options that no longer fit; what is left has the primary items first, in the order in which the
kernel is to prefer them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from twostep.models.errors import UnsupportedFeature
from twostep.models.language.model import NO_COLOUR, BoolArray, IntArray, LongArray, Model, Solution


@dataclass(frozen=True, slots=True)
class Problem:
    """What is left to solve.

    Attributes:
        n_primary: the primary items are 0 .. n_primary - 1, the secondary ones follow.
        n_items: how many items there are.
        low, high: (n_primary,) how often an item must and may still be covered; high >= 1.
        starts: (options + 1,) option `o` has the entries ``starts[o]:starts[o + 1]``.
        items, colours: (entries,) item ids and colour indices (0: none).
        costs: (options,) the options' costs.
        option_ids: (options,) the options' ids in the model.
        chosen: the model's chosen options: part of every solution.
        possible: False if the chosen options exclude each other.
        ordered: whether the order of the primary items was suggested by the model.
    """

    n_primary: int
    n_items: int
    low: IntArray
    high: IntArray
    starts: IntArray
    items: IntArray
    colours: IntArray
    costs: LongArray
    option_ids: IntArray
    chosen: Solution
    possible: bool
    ordered: bool

    @property
    def n_options(self) -> int:
        """How many options are left."""
        return len(self.option_ids)

    def part(self, options: BoolArray, items: BoolArray | None = None) -> Problem:
        """The problem of some of the options, in the same order, and some of the items.

        Items are renumbered if `items` (items,) is given; it must hold all that the options cover.
        """
        lengths = np.diff(self.starts)
        entries = np.repeat(options, lengths)
        starts = np.zeros(int(options.sum()) + 1, dtype=np.int32)
        np.cumsum(lengths[options], out=starts[1:])
        if items is None:
            items = np.ones(self.n_items, dtype=np.bool_)
        new_id = (np.cumsum(items) - 1).astype(np.int32)
        primary = items[: self.n_primary]
        return replace(
            self,
            n_primary=int(primary.sum()),
            n_items=int(items.sum()),
            low=self.low[primary],
            high=self.high[primary],
            starts=starts,
            items=new_id[self.items[entries]],
            colours=self.colours[entries],
            costs=self.costs[options],
            option_ids=self.option_ids[options],
        )

    def components(self) -> list[Problem]:
        """The problem's independent parts: what shares no item, even by way of others.

        The solutions of the problem are all combinations of a solution of each.
        """
        leader = np.arange(self.n_items)
        firsts = self.items[self.starts[:-1]]
        owner = np.repeat(firsts, np.diff(self.starts))
        while True:  # every item takes the least leader around it, until nothing changes
            least = leader.copy()
            np.minimum.at(least, owner, leader[self.items])
            np.minimum.at(least, self.items, least[owner])
            least = least[least]
            if (least == leader).all():
                break
            leader = least
        option_leader = leader[firsts]
        return [
            self.part(option_leader == item, leader == item)
            for item in np.flatnonzero(leader == np.arange(self.n_items)).tolist()
        ]

    @property
    def is_plain(self) -> bool:
        """Whether every primary item is to be covered exactly once."""
        return bool((self.low == 1).all() and (self.high == 1).all())

    @property
    def has_colours(self) -> bool:
        """Whether any entry has a colour."""
        return bool(self.colours.any())


def prepare(model: Model, seed: int = 0, *, cheapest_first: bool = False) -> Problem:
    """The problem of a model.

    Args:
        model: the model.
        seed: 0 keeps the options in the model's order; any other value shuffles them, always in
            the same way.
        cheapest_first: sort the options by cost (stable).
    """
    low = np.where(model.primary, model.low, 0).astype(np.int32)
    high = model.high.copy()
    lengths = np.diff(model.starts)
    owner = np.repeat(np.arange(model.n_options, dtype=np.int32), lengths)
    live = np.ones(model.n_options, dtype=np.bool_)
    colour_of = np.full(model.n_items, -1, dtype=np.int32)  # -1: a secondary item still free
    possible = True
    if model.chosen:
        live[list(model.chosen)] = False
        entries = np.flatnonzero(~live[owner])  # of the chosen options
        items, colours = model.entry_items[entries], model.entry_colours[entries]
        to_cover = model.primary[items]
        np.subtract.at(low, items[to_cover], 1)
        np.subtract.at(high, items[to_cover], 1)
        possible = bool((high >= 0).all())
        for item, colour in zip(
            items[~to_cover].tolist(), colours[~to_cover].tolist(), strict=True
        ):
            if colour_of[item] < 0:
                colour_of[item] = colour
            else:
                possible &= colour != NO_COLOUR and colour == colour_of[item]
    fixed = colour_of[model.entry_items]
    agrees = (fixed == model.entry_colours) & (fixed > NO_COLOUR)
    clash = np.where(
        model.primary[model.entry_items], high[model.entry_items] <= 0, (fixed >= 0) & ~agrees
    )
    live[owner[clash]] = False
    gone = ~model.primary & (colour_of >= 0)

    used_secondary = np.zeros(model.n_items, dtype=np.bool_)
    kept = live[owner] & ~gone[model.entry_items]
    used_secondary[model.entry_items[kept]] = True
    new_id = np.full(model.n_items, -1, dtype=np.int32)
    primary = branching_order(model)
    primary = primary[high[primary] > 0]
    # A covered item that must still be covered can't be (low <= high): no special case.
    secondary = np.flatnonzero(~model.primary & ~gone & used_secondary)
    new_id[primary] = np.arange(len(primary))
    new_id[secondary] = len(primary) + np.arange(len(secondary))

    option_ids = np.flatnonzero(live).astype(np.int32)
    if seed:
        option_ids = np.random.default_rng(seed).permutation(option_ids)
    if cheapest_first:
        option_ids = option_ids[np.argsort(model.costs[option_ids], kind="stable")]
    entries = np.flatnonzero(kept)
    counts = np.bincount(owner[entries], minlength=model.n_options)[option_ids]
    if seed or cheapest_first:
        place = np.full(model.n_options, -1, dtype=np.int64)
        place[option_ids] = np.arange(len(option_ids))
        entries = entries[np.argsort(place[owner[entries]], kind="stable")]
    starts = np.zeros(len(option_ids) + 1, dtype=np.int32)
    np.cumsum(counts, out=starts[1:])
    return Problem(
        n_primary=len(primary),
        n_items=len(primary) + len(secondary),
        low=np.maximum(low[primary], 0),
        high=high[primary],
        starts=starts,
        items=new_id[model.entry_items[entries]],
        colours=model.entry_colours[entries].copy(),
        costs=model.costs[option_ids],
        option_ids=option_ids,
        chosen=model.chosen,
        possible=possible,
        ordered=model.order is not None,
    )


def branching_order(model: Model) -> IntArray:
    """All primary items, those of the suggested order first."""
    suggested = np.array(model.order or (), dtype=np.int64)
    rest = model.primary.copy()
    rest[suggested] = False
    return np.concatenate([suggested, np.flatnonzero(rest)]).astype(np.int32)


_ADDABLE = 2**62
"""Bound on the largest cost times the entries, so that spent + lower bound fits int64."""


def demand_addable(model: Model) -> None:
    """Refuse costs of which as many as there are entries might not add up in 64 bits.

    Raises:
        UnsupportedFeature: the largest cost times the entries is too much.
    """
    most = max(int(model.costs.max(initial=0)), -int(model.costs.min(initial=0)))
    if most * len(model.entry_items) >= _ADDABLE:
        raise UnsupportedFeature(
            f"the engine 'dlx' cannot add up costs as large as {most} in a model of this size"
        )
