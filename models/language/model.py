"""The model language: items, options, colours, multiplicities, costs (TAOCP 7.2.2.1).

A :class:`ModelBuilder` collects items and options and is the only maker of a :class:`Model`,
which is checked, immutable, and laid out in flat arrays that every engine reads.

What is refused when a model is built: an empty option; an option of secondary items only (it
would be free, and double every count); an item twice in one option; an unknown item; two items
of one name; a colour on a primary item; low > high. What is *not* an error: a primary item that
no option covers (no solution), and a model without items and options (one solution, the empty
one). Two equal options are different options.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt

from twostep.models.errors import ModelError
from twostep.models.words import counted

IntArray = npt.NDArray[np.int32]
LongArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

Solution = tuple[int, ...]
"""Option ids, ascending. A solution is a set of options; this is its one spelling."""


NO_COLOUR = 0
UNLIMITED = 2**31 - 1
"""`high` of an item that may be covered any number of times."""


class Feature(Enum):
    """A part of the language that an engine may lack."""

    SECONDARY = "secondary items"
    COLOURS = "colours"
    MULTIPLICITIES = "multiplicities"
    COSTS = "costs"
    SIDE_CONDITION = "a side condition"


@dataclass(frozen=True, slots=True)
class SideCondition:
    """A predicate on whole solutions that no set of items expresses; engines apply it.

    `name` says what is demanded, in words; it is part of the model's content. `holds` gets a
    solution (option ids, ascending) and must be a pure function of it.

    >>> import twostep
    >>> builder = twostep.ModelBuilder()
    >>> builder.item("a"), builder.option(["a"]), builder.option(["a"])
    (0, 0, 1)
    >>> builder.side_condition = twostep.SideCondition("not option 0", lambda ids: 0 not in ids)
    >>> twostep.listing(builder.build()).solutions
    (<Solution of 'model': (1,)>,)
    """

    name: str
    holds: Callable[[Solution], bool]


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """An exact-cover problem. Item ids and option ids count from 0, in the order of addition.

    Attributes:
        name: what the problem is called in messages.
        items: the items' names.
        primary: (items,) whether an item is primary.
        low, high: (items,) how often an item must and may be covered: 1, 1 for a plain primary
            item, 0, 1 for a secondary one (with colours: any number of times in one colour).
        colours: colour names; ``colours[0]`` is "" and stands for "no colour".
        starts: (options + 1,) option `o` has the entries ``starts[o]:starts[o + 1]``.
        entry_items, entry_colours: (entries,) item ids and indices into `colours`.
        costs: (options,) integers, of any sign.
        labels: (options,) what each option means in the puzzle.
        order: item ids, the order in which the model suggests to branch on its primary items
            (a prefix is allowed); None: none suggested.
        chosen: option ids, ascending, that are part of every solution (locked pieces).
        side_condition: what a solution must fulfil besides, or None.
        symmetries: (group, options) a group of permutations of the options, each mapping
            solutions to solutions, the identity first; None: none known.

    >>> import twostep
    >>> model = twostep.load("queens:6").model
    >>> model
    <Model 'queens:6': 30 items, 36 options>
    >>> model.labels[9], model.describe(9)
    ((1, 3), 'r1 c3 rising4 falling-2')
    """

    name: str
    items: tuple[str, ...]
    primary: BoolArray
    low: IntArray
    high: IntArray
    colours: tuple[str, ...]
    starts: IntArray
    entry_items: IntArray
    entry_colours: IntArray
    costs: LongArray
    labels: tuple[Any, ...]
    order: tuple[int, ...] | None = None
    chosen: Solution = ()
    side_condition: SideCondition | None = None
    symmetries: IntArray | None = None

    @property
    def n_items(self) -> int:
        """How many items there are."""
        return len(self.items)

    @property
    def n_options(self) -> int:
        """How many options there are."""
        return len(self.starts) - 1

    def option(self, option: int) -> tuple[tuple[int, int], ...]:
        """The entries of an option: pairs of item id and colour index (0: no colour)."""
        entries = slice(self.starts[option], self.starts[option + 1])
        return tuple(
            zip(
                self.entry_items[entries].tolist(),
                self.entry_colours[entries].tolist(),
                strict=True,
            )
        )

    def describe(self, option: int) -> str:
        """An option in words, as in a ``.dlx`` line: ``A 3 x:red``."""
        return " ".join(
            f"{self.items[item]}:{self.colours[colour]}" if colour else self.items[item]
            for item, colour in self.option(option)
        )

    def cost(self, solution: Solution) -> int:
        """The sum of the options' costs."""
        return sum(int(self.costs[option]) for option in solution)

    @property
    def features(self) -> frozenset[Feature]:
        """The parts of the language that an enumeration of this model needs.

        Costs are not among them: only the question for the cheapest solution needs those.
        """
        plain = np.where(self.primary, (self.low == 1) & (self.high == 1), True)
        used = {
            Feature.SECONDARY: not self.primary.all(),
            Feature.COLOURS: bool(self.entry_colours.any()),
            Feature.MULTIPLICITIES: not plain.all(),
            Feature.SIDE_CONDITION: self.side_condition is not None,
        }
        return frozenset(feature for feature, needed in used.items() if needed)

    def with_chosen(self, options: Iterable[int]) -> Model:
        """The same model with `options` chosen besides those that are already."""
        return replace(self, chosen=_checked_chosen({*self.chosen, *options}, self.n_options))

    @property
    def fingerprint(self) -> str:
        """SHA-256 (hex) of all that decides which sets are solutions and what they cost.

        The name, the labels, the suggested order and the symmetries are no part of it.
        """
        digest = hashlib.sha256(b"twostep-model/1")
        condition = self.side_condition.name if self.side_condition else None
        digest.update(repr((self.items, self.colours, self.chosen, condition)).encode())
        for part in (
            self.primary.astype("<i4"), self.low.astype("<i4"), self.high.astype("<i4"),
            self.starts.astype("<i4"), self.entry_items.astype("<i4"),
            self.entry_colours.astype("<i4"), self.costs.astype("<i8"),
        ):  # fmt: skip
            digest.update(part.tobytes() + b"|")
        return digest.hexdigest()

    def __eq__(self, other: object) -> bool:
        """Equal content, in every attribute (of side conditions, the names)."""
        if not isinstance(other, Model):
            return NotImplemented
        return (
            self.fingerprint == other.fingerprint
            and (self.name, self.labels, self.order) == (other.name, other.labels, other.order)
            and np.array_equal(_rows(self.symmetries), _rows(other.symmetries))
        )

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def _repr_html_(self) -> str:
        """The model in a notebook."""
        from twostep.models.language.show import MOST, table

        return table(
            f"{self.name}: {counted(self.n_items, 'item')}, {counted(self.n_options, 'option')}",
            [(self.items[item], self._bounds(item)) for item in range(min(self.n_items, MOST))],
            [(self.describe(o), self._told(o)) for o in range(min(self.n_options, MOST))],
        )

    def _bounds(self, item: int) -> str:
        """How often an item is covered, in words."""
        low, high = int(self.low[item]), int(self.high[item])
        if not self.primary[item]:
            return "at most once, or in one colour"
        if low == high:
            return "once" if low == 1 else f"{low} times"
        return f"at least {low} times" if high == UNLIMITED else f"{low} to {high} times"

    def _told(self, option: int) -> str:
        """An option's label and cost, where it has them."""
        label, cost = self.labels[option], int(self.costs[option])
        told = [] if label is None else [str(label)]
        return ", ".join([*told, f"cost {cost}"] if cost else told)

    def __repr__(self) -> str:
        return f"<Model {self.name!r}: {self.n_items} items, {self.n_options} options>"


def _checked_chosen(options: Iterable[int], n_options: int) -> Solution:
    chosen = tuple(sorted(set(options)))
    for option in chosen:
        if not 0 <= option < n_options:
            raise ModelError(f"chosen option {option}: there are {n_options} options")
    return chosen


def _rows(group: IntArray | None) -> IntArray:
    return np.empty((0, 0), dtype=np.int32) if group is None else group
