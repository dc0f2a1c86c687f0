"""The states of a search as Python integers: what a certificate's checker calculates with.

A state is a set of *marks*, one bit each, and a search only ever adds marks:

- a primary item has the mark *closed*: no further option may cover it;
- a secondary item has a mark *used*, and for each colour that the model gives it a mark
  *not in this colour*;
- a primary item that may be covered more than once also has a row of marks that are set one by
  one as it is covered, and a mark for each of its options, *not this one*.

So an option still fits exactly if none of the marks that it minds are set; it is taken by
setting its marks; and two ways that lead to the same set of marks have the same continuations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from twostep.models.model import Model

LEAVE = -1
"""As a branch: the item is covered often enough, no further option covers it."""

_CACHED = 100_000


@dataclass(frozen=True, slots=True)
class _Row:
    """The marks of an item that may be covered more than once.

    Attributes:
        times: how many marks count how often the item is covered; the first is ``1 << shift``.
        shift: where those marks begin; the marks of the options follow them.
        rank: option -> its place among the item's options, ascending.
        full: how often the item may be covered, if its options suffice for that.
    """

    times: int
    shift: int
    rank: dict[int, int]
    full: int

    @property
    def counting(self) -> int:
        """All marks that count."""
        return ((1 << self.times) - 1) << self.shift

    @property
    def marks(self) -> int:
        """All marks of the row."""
        return ((1 << (self.times + len(self.rank))) - 1) << self.shift

    def barred(self, options: int) -> int:
        """The marks that bar the first `options` of the item's options."""
        return ((1 << options) - 1) << (self.shift + self.times)


class States:
    """A model's states and the moves between them.

    `order`: primary items, none twice, the order of whose marks only matters for how fast this is;
    by default the one that the model suggests. Those that it leaves out follow.

    Attributes:
        start: the state in which only the model's chosen options are taken; None if these
            exclude each other.
        goal: the marks that make a state a solution: all primary items closed.
        closed: the mark of each primary item, in order.
        minds: the marks that each option minds.
        options: the options of each item, ascending, without the chosen ones.
        width: how many marks there are.
    """

    def __init__(self, model: Model, order: Sequence[int] | None = None) -> None:
        self._low: list[int] = model.low.tolist()
        order = list(order if order is not None else model.order or ())
        named = set(order)
        order += [i for i in range(model.n_items) if model.primary[i] and i not in named]
        self.closed: dict[int, int] = {item: 1 << place for place, item in enumerate(order)}
        self.goal = (1 << len(order)) - 1
        self.width = len(order)

        entries = [model.option(option) for option in range(model.n_options)]
        options_of: list[list[int]] = [[] for _ in range(model.n_items)]
        colours: dict[int, set[int]] = {}
        for option, covers in enumerate(entries):
            for item, colour in covers:
                options_of[item].append(option)
                if not model.primary[item]:
                    colours.setdefault(item, set()).add(colour)
        self._rows: dict[int, _Row] = {}
        for item in order:
            high = int(model.high[item])
            if high > 1:
                ranks = {option: rank for rank, option in enumerate(options_of[item])}
                times = min(high, len(ranks))
                row = _Row(times, self._claim(times + len(ranks)), ranks, high)
                self._rows[item] = row
        used = {item: 1 << self._claim(1) for item in colours}
        unlike = {
            (item, colour): 1 << self._claim(1)
            for item, known in colours.items()
            for colour in sorted(known - {0})
        }
        all_of = {
            item: used[item] | sum(unlike[item, colour] for colour in known - {0})
            for item, known in colours.items()
        }

        self.minds = [0] * model.n_options
        self._sets = [0] * model.n_options
        self._counted: list[tuple[int, ...]] = []
        for option, covers in enumerate(entries):
            for item, colour in covers:
                if item in self._rows:
                    row = self._rows[item]
                    self.minds[option] |= self.closed[item]
                    self.minds[option] |= 1 << (row.shift + row.times + row.rank[option])
                elif item in self.closed:
                    self.minds[option] |= self.closed[item]
                    self._sets[option] |= self.closed[item]
                elif colour:
                    self.minds[option] |= unlike[item, colour]
                    self._sets[option] |= all_of[item] & ~unlike[item, colour]
                else:
                    self.minds[option] |= used[item]
                    self._sets[option] |= all_of[item]
            self._counted.append(tuple(item for item, _ in covers if item in self._rows))

        chosen = set(model.chosen)
        self.options = [[o for o in options if o not in chosen] for options in options_of]
        self._groups: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self.start: int | None = sum(m for i, m in self.closed.items() if model.high[i] == 0)
        for option in model.chosen:
            if self.start is None or self.start & self.minds[option]:
                self.start = None
            else:
                self.start = self.take(self.start, option, None)

    def _claim(self, marks: int) -> int:
        """Set so many marks aside; gives the place of the first."""
        self.width += marks
        return self.width - marks

    def is_open(self, state: int, item: int) -> bool:
        """Whether `item` is a primary item, and not closed."""
        closed = self.closed.get(item)
        return closed is not None and not state & closed

    def fitting(self, state: int, item: int) -> list[int]:
        """The options of `item` that still fit, ascending."""
        # All marks below the lowest one that is not set are set: an option that minds one of
        # those does not fit, and need not be looked at.
        low = ~state & (state + 1)
        group = self._groups.get((item, low))
        if group is None:
            if len(self._groups) >= _CACHED:
                self._groups.clear()
            minds = self.minds
            group = [(minds[o], o) for o in self.options[item] if not minds[o] & (low - 1)]
            self._groups[item, low] = group
        return [option for minded, option in group if not state & minded]

    def need(self, state: int, item: int) -> int:
        """How many more times `item` must be covered; it may be less than nothing."""
        return self._low[item] - (state & self.counting(item)).bit_count()

    def counting(self, item: int) -> int:
        """The marks that count how often `item` is covered; none if it is closed at once."""
        row = self._rows.get(item)
        return 0 if row is None else row.counting

    def branches(self, state: int, item: int) -> list[int]:
        """All that can happen to the open `item`: options, and perhaps LEAVE.

        Exactly one of them happens in each solution that `state` leads to: if the item may be
        covered more than once, an option stands for "this one, and none before it".
        """
        options = self.fitting(state, item)
        need = self.need(state, item)
        if need <= 0:
            return [*options, LEAVE]
        # The options after this one must suffice for the rest.
        return options[: max(0, len(options) - need + 1)]

    def hopeless(self, state: int, item: int) -> bool:
        """Whether `item` is open, and too few options are left for it."""
        if not self.is_open(state, item):
            return False
        return len(self.fitting(state, item)) < self.need(state, item)

    def take(self, state: int, option: int, item: int | None) -> int:
        """The state after a branch of `item` (None: the option was chosen beforehand)."""
        if option == LEAVE:
            assert item is not None
            return self._close(state, item)
        state |= self._sets[option]
        for covered in self._counted[option]:
            row = self._rows[covered]
            counting = state & row.counting
            state |= (counting + (1 << row.shift)) & row.counting | counting
            if (state & row.counting).bit_count() >= row.full:
                state = self._close(state, covered)
            elif covered == item:
                state |= row.barred(row.rank[option] + 1)
        return state

    def _close(self, state: int, item: int) -> int:
        row = self._rows.get(item)
        return state | self.closed[item] | (0 if row is None else row.marks)
