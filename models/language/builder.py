"""Collects items and options, checks them, and makes a :class:`Model`."""

from __future__ import annotations

import bisect
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import index
from typing import Any, NoReturn, TypeVar

import numpy as np
import numpy.typing as npt

from twostep.models.errors import ModelError
from twostep.models.language.model import (
    NO_COLOUR,
    UNLIMITED,
    BoolArray,
    IntArray,
    LongArray,
    Model,
    SideCondition,
    _checked_chosen,
)

_A = TypeVar("_A", bound=npt.NDArray[Any])


Entry = int | str | tuple[int | str, str]
"""What an option covers: an item, by id or name, or a pair of a secondary item and a colour."""


_ENTRY_BYTES = 100


_OPTION_BYTES = 500
"""What an entry and an option take while a model is built and then searched, roughly, bytes."""


@dataclass(slots=True)
class ModelBuilder:
    """Collects items and options; :meth:`build` checks them all and gives the model.

    >>> b = ModelBuilder("two ways")
    >>> a, c = b.item("a"), b.item("c")
    >>> b.option([a, c], label="both"), b.option(["a"]), b.option(["c"])
    (0, 1, 2)
    >>> b.build()
    <Model 'two ways': 2 items, 3 options>
    """

    name: str = "model"
    order: Sequence[int] | None = None
    chosen: Iterable[int] = ()
    side_condition: SideCondition | None = None
    symmetries: IntArray | None = None
    _ids: dict[str, int] = field(default_factory=dict)
    _primary: list[bool] = field(default_factory=list)
    _bounds: list[tuple[int, int]] = field(default_factory=list)
    _entries: list[Entry] = field(default_factory=list)
    _starts: array[int] = field(default_factory=lambda: array("q", [0]))
    _costs: list[int] = field(default_factory=list)
    _labels: list[Any] = field(default_factory=list)
    _look_at: int = 1 << 18

    @property
    def ids(self) -> Mapping[str, int]:
        """The items so far, in order: each name's id."""
        return self._ids

    def item(self, name: str, low: int = 1, high: int | None = None) -> int:
        """Add a primary item, covered between `low` and `high` times; gives its id.

        `high` is 1 by default, or `low` where that is more; UNLIMITED for no upper bound.

        Raises:
            ModelError: there is an item of this name; low > high.
        """
        return self._add(name, True, low, max(low, 1) if high is None else high)

    def secondary(self, name: str) -> int:
        """Add a secondary item: covered at most once, or often in one colour; gives its id.

        Raises:
            ModelError: there is an item of this name.
        """
        return self._add(name, False, 0, 1)

    def option(self, entries: Iterable[Entry], label: Any = None, cost: int = 0) -> int:
        """Add an option that covers `entries`; gives its id."""
        self._entries.extend(entries)
        self._starts.append(len(self._entries))
        self._costs.append(cost)
        self._labels.append(label)
        if len(self._entries) >= self._look_at:
            self._check_size()
        return len(self._labels) - 1

    def options(self, lengths: LongArray, entries: Iterable[Entry], costs: Iterable[int]) -> None:
        """Add many options without labels: each takes the next of `entries`, as its length says."""
        self._starts.frombytes((self._starts[-1] + np.cumsum(lengths)).astype(np.int64).tobytes())
        self._entries.extend(entries)
        self._costs.extend(costs)
        self._labels.extend([None] * len(lengths))
        if len(self._entries) >= self._look_at:
            self._check_size()

    def build(self) -> Model:
        """The checked model.

        Raises:
            ModelError: see the module's text; names the option and the item.
        """
        starts = np.array(self._starts, dtype=np.int32)
        items, colours, colour_names = self._resolve(_Codes(self._ids))
        primary = np.array(self._primary, dtype=np.bool_)
        self._check_options(starts, items, colours, primary)
        low, high = np.array(self._bounds, dtype=np.int32).reshape(-1, 2).T
        return Model(
            name=self.name,
            items=tuple(self._ids),
            primary=_frozen(primary),
            low=_frozen(low.copy()),
            high=_frozen(high.copy()),
            colours=colour_names,
            starts=_frozen(starts),
            entry_items=_frozen(items),
            entry_colours=_frozen(colours),
            costs=_frozen(self._checked_costs()),
            labels=tuple(self._labels),
            order=self._checked_order(primary),
            chosen=_checked_chosen(self.chosen, len(self._labels)),
            side_condition=self.side_condition,
            symmetries=self._checked_symmetries(),
        )

    def _add(self, name: str, primary: bool, low: int, high: int) -> int:
        if not 0 <= low <= high:
            raise ModelError(f"item {name!r}: low {low} and high {high}, expected 0 <= low <= high")
        if (item := self._ids.setdefault(name, len(self._primary))) < len(self._primary):
            raise ModelError(f"two items are named {name!r}")
        self._primary.append(primary)
        self._bounds.append(
            (min(low, UNLIMITED), min(high, UNLIMITED)) if high > 1 else (low, high)
        )
        return item

    def _check_size(self) -> None:
        """Refuse to grow twice as large if that would not fit the machine."""
        from twostep.models.language.memory import demand_memory

        self._look_at = 2 * len(self._entries)
        entries, options = 2 * len(self._entries), 2 * len(self._labels)
        demand_memory(
            _ENTRY_BYTES * entries + _OPTION_BYTES * options,
            f"{self.name}: too large: a model of {options:,} options and more",
        )

    def _resolve(self, codes: _Codes) -> tuple[IntArray, IntArray, tuple[str, ...]]:
        """Entries as arrays of item ids and colour indices, and the colours' names."""
        try:
            found = np.fromiter(map(codes.__getitem__, self._entries), np.int64, len(self._entries))
        except _UnknownItem as unknown:
            self._refuse(self._entries.index(unknown.entry), str(unknown))
        colours = found & _COLOUR
        return (found >> _BITS).astype(np.int32), colours.astype(np.int32), tuple(codes.colours)

    def _check_options(
        self, starts: IntArray, items: IntArray, colours: IntArray, primary: BoolArray
    ) -> None:
        lengths = np.diff(starts)
        if (empty := np.flatnonzero(lengths == 0)).size:
            option = int(empty[0])
            raise ModelError(f"option {option} is empty{self._label(option)}", option=option)
        if not len(lengths):
            return
        entry_primary = primary[items]
        with_primary = np.add.reduceat(entry_primary.astype(np.int32), starts[:-1])
        if (free := np.flatnonzero(with_primary == 0)).size:
            self._refuse(
                int(starts[free[0]]),
                f"secondary items only (first: {self._name(items[starts[free[0]]])!r});"
                " such an option would be free and double every count",
            )
        if (wrong := np.flatnonzero(entry_primary & (colours != NO_COLOUR))).size:
            name = self._name(items[wrong[0]])
            self._refuse(int(wrong[0]), f"a colour on the primary item {name!r}")
        owner = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
        keys = owner * len(self._ids) + items
        keys.sort()
        if (twice := np.flatnonzero(keys[1:] == keys[:-1])).size:
            option, item = divmod(int(keys[twice[0]]), len(self._ids))
            self._refuse(self._starts[option], f"item {self._name(item)!r} twice")

    def _refuse(self, entry: int, what: str) -> NoReturn:
        option = bisect.bisect_right(self._starts, entry) - 1
        raise ModelError(f"option {option}: {what}{self._label(option)}", option=option)

    def _name(self, item: int) -> str:
        return list(self._ids)[item]

    def _label(self, option: int) -> str:
        label = self._labels[option]
        return "" if label is None else f" (label {label!r})"

    def _checked_costs(self) -> LongArray:
        try:
            return np.fromiter(map(index, self._costs), np.int64, len(self._costs))
        except OverflowError:
            raise ModelError("a cost does not fit 64 bits") from None
        except TypeError:
            wrong = next(i for i, cost in enumerate(self._costs) if not hasattr(cost, "__index__"))
            raise ModelError(
                f"option {wrong}: cost {self._costs[wrong]!r}, expected a whole number"
                f"{self._label(wrong)}"
            ) from None

    def _checked_order(self, primary: BoolArray) -> tuple[int, ...] | None:
        if self.order is None:
            return None
        order = tuple(self.order)
        for item in order:
            if not (0 <= item < len(self._ids) and primary[item]):
                raise ModelError(f"suggested order: {item} is no primary item")
        if len(set(order)) < len(order):
            raise ModelError("suggested order: an item stands twice")
        return order

    def _checked_symmetries(self) -> IntArray | None:
        if self.symmetries is None:
            return None
        group = np.ascontiguousarray(self.symmetries, dtype=np.int32)
        identity = np.arange(len(self._labels), dtype=np.int32)
        if group.ndim != 2 or group.shape[1] != len(identity) or not len(group):
            raise ModelError(f"symmetries: expected rows of {len(identity)} option ids")
        if not (np.sort(group, axis=1) == identity).all() or (group[0] != identity).any():
            raise ModelError("symmetries: permutations expected, the identity first")
        return _frozen(group)


class _Codes(dict[Entry, int]):
    """The item and the colour of each entry as one number, looked up once for each that differs."""

    def __init__(self, ids: dict[str, int]) -> None:
        super().__init__()
        self.colours = {"": NO_COLOUR}
        self._ids = ids

    def __missing__(self, entry: Entry) -> int:
        item, colour = entry if isinstance(entry, tuple) else (entry, "")
        number = self._ids.get(item, -1) if isinstance(item, str) else item
        if not hasattr(number, "__index__") or not 0 <= number < len(self._ids):
            raise _UnknownItem(entry, f"unknown item {item!r}")
        code = index(number) << _BITS | self.colours.setdefault(colour, len(self.colours))
        self[entry] = code
        return code


_BITS = 32


_COLOUR = (1 << _BITS) - 1


class _UnknownItem(Exception):
    """An entry of no item."""

    def __init__(self, entry: Entry, what: str) -> None:
        super().__init__(what)
        self.entry = entry


def _frozen(array: _A) -> _A:
    array.setflags(write=False)
    return array
