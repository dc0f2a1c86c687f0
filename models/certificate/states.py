"""The states of a search as Python integers, and what can come after each.

A state is a set of *marks*, one bit each, and a search only ever adds marks:

- a primary item has a row of marks, which are set one by one as it is covered: as many as it may
  be covered times, so most items have one. When all are set, the item is *closed*;
- a secondary item has a mark for each colour that options give it, and one for no colour: *never
  again in this colour*;
- an option has a mark, *barred*, if it covers an item that may be covered more than once.

So an option fits as long as none of the marks that it minds is set, and two ways that lead to the
same set of marks have the same continuations.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from twostep.models.errors import InputError
from twostep.models.language.model import Model

LEAVE = -1
"""As a branch: the item is covered often enough, no further option covers it."""


class States:
    """A model's states and the moves between them.

    `order`: primary items, whose marks come first, in this order; those that it leaves out
    follow. By default the one that the model suggests. It only decides how fast this is.

    Attributes:
        rows: the marks of each primary item, in order.
        goal: the marks that make a state a solution: all primary items closed.
        start: the state in which only the model's chosen options are taken; None if these
            exclude each other.
        options: the options of each item, ascending.
        minds: the marks that each option minds.
        width: how many marks there are.
    """

    def __init__(self, model: Model, order: Sequence[int] | None = None) -> None:
        self._low, high = model.low.tolist(), model.high.tolist()
        covers = [model.option(option) for option in range(model.n_options)]
        self.options: list[list[int]] = [[] for _ in model.items]
        colours = [{0} for _ in model.items]
        for option, entries in enumerate(covers):
            for item, colour in entries:
                self.options[item].append(option)
                colours[item].add(colour)

        # All marks, from bit 0 on. An item that has fewer options than it may be covered times
        # gets one mark more than options: so it is never closed because it is covered.
        self.width = 0
        primary = [item for item in range(model.n_items) if model.primary[item]]
        places = dict.fromkeys([*(order or model.order or ()), *primary, *range(model.n_items)])
        marks = {
            (item, colour): self._marks(max(1, min(high[item], len(self.options[item]) + 1)))
            for item in places
            for colour in sorted(colours[item])
        }
        self.rows = {item: marks[item, 0] for item in places if model.primary[item]}
        often = {item for item, row in self.rows.items() if row.bit_count() > 1}
        self._often = [[item for item, _ in entries if item in often] for entries in covers]
        self._bar = [self._marks(1) if items else 0 for items in self._often]

        # What is set when an item is closed (or used up): its marks, and all its options barred.
        self._bars = {item: sum(self._bar[o] for o in self.options[item]) for item in self.rows}
        self._closing = [self._bars.get(item, 0) for item in range(model.n_items)]
        for (item, _), row in marks.items():
            self._closing[item] |= row

        self.minds, self._sets = list(self._bar), list(self._bar)
        for option, entries in enumerate(covers):
            for item, colour in entries:
                own = marks[item, colour]
                self.minds[option] |= own & ~(own >> 1)  # the last of the row
                if item not in often:
                    self._sets[option] |= self._closing[item] & ~(own if colour else 0)

        state, possible = sum(row for item, row in self.rows.items() if high[item] == 0), True
        for option in model.chosen:
            possible = possible and not state & self.minds[option]
            state = self._cover(state, option)
        self.start = state if possible else None
        self.goal = sum(self.rows.values())
        # Looked up again and again: this halves the time.
        self._candidates = lru_cache(10_000)(self._candidates_above)

    def _marks(self, number: int) -> int:
        """So many new marks, side by side."""
        self.width += number
        return ((1 << number) - 1) << (self.width - number)

    def branches(self, state: int, item: int) -> list[int]:
        """All that can happen to the open `item`: options, ascending, and perhaps LEAVE.

        Exactly one of them happens in each solution that `state` leads to: if the item may be
        covered more than once, an option stands for "this one, and none before it".

        Raises:
            InputError: `item` is closed, or is no primary item.
        """
        row = self.rows.get(item, 0)
        if not row & ~state:
            raise InputError(f"there is no item {item} to cover in this state")
        lowest = ~state & (state + 1)  # of the marks that are not set
        fitting = [o for o in self._candidates(item, lowest) if not state & self.minds[o]]
        need = self._low[item] - (state & row).bit_count()
        if need <= 0:
            return [*fitting, LEAVE]
        # After the option that is taken, enough others must be left for the rest.
        return fitting[: max(0, len(fitting) - need + 1)]

    def after(self, state: int, item: int, branch: int) -> int:
        """The state after a branch of `item`."""
        if branch == LEAVE:
            return state | self._closing[item]
        # The item's options up to this one are barred.
        return self._cover(state, branch) | self._bars[item] & (2 * self._bar[branch] - 1)

    def _cover(self, state: int, option: int) -> int:
        """The state after `option` is taken."""
        state |= self._sets[option]
        for item in self._often[option]:
            row = self.rows[item]
            state |= row & (state << 1) | row & -row  # the next mark of the row
            if state & row == row:
                state |= self._closing[item]
        return state

    def _candidates_above(self, item: int, lowest: int) -> list[int]:
        """The options of `item` that mind no mark below `lowest`.

        In a state in which all marks below `lowest` are set, no other option can fit.
        """
        return [option for option in self.options[item] if not self.minds[option] & (lowest - 1)]
