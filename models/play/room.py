"""A puzzle on the table: what was placed so far, and what still fits.

A player makes *acts* (see :meth:`Puzzle.act`): each is one option of the model, or several that
look alike to him, of which a solution has one. Acts are numbered here; an option that is no act
is *quiet*: it comes by itself (a cell that stays empty).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from twostep.models.errors import InputError
from twostep.models.families.puzzle import Puzzle
from twostep.models.language.model import BoolArray, IntArray, LongArray, Model, Solution
from twostep.models.language.verify import fault


class Room:
    """A puzzle's options by what they mean to a player, found once for all positions of a game.

    Attributes:
        puzzle, model: what is played.
        act_of: (options,) the number of each option's act; quiet options have numbers, too.
        quiet: (options,) whether an option is no act of a player.
        single: whether no act has several options.
        any_quiet: whether some option is quiet.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.model = model = puzzle.model
        numbers: dict[Hashable, int] = {}
        self.quiet = np.zeros(model.n_options, dtype=np.bool_)
        self.act_of = np.zeros(model.n_options, dtype=np.int64)
        for option in range(model.n_options):
            act = puzzle.act(option)
            self.quiet[option] = act is None
            key = ("quiet", option) if act is None else ("act", act)
            self.act_of[option] = numbers.setdefault(key, len(numbers))
        self.any_quiet = bool(self.quiet.any())
        self.n_acts = len(numbers)
        self._sure: dict[int, dict[int, int]] = {}
        self.single = self.n_acts == model.n_options

    @cached_property
    def _options_of(self) -> list[list[int]]:
        found: list[list[int]] = [[] for _ in range(self.n_acts)]
        for option, act in enumerate(self.act_of.tolist()):
            found[act].append(option)
        return found

    def options_of(self, act: int) -> Sequence[int]:
        """The options of an act, ascending."""
        return self._options_of[act]

    @cached_property
    def owner(self) -> IntArray:
        """(entries,) the option of each entry."""
        lengths = np.diff(self.model.starts)
        return np.repeat(np.arange(self.model.n_options, dtype=np.int32), lengths)

    @cached_property
    def users(self) -> tuple[LongArray, IntArray]:
        """The options that cover item i: ``ids[starts[i]:starts[i + 1]]`` of (starts, ids)."""
        items = self.model.entry_items
        starts = np.zeros(self.model.n_items + 1, dtype=np.int64)
        np.cumsum(np.bincount(items, minlength=self.model.n_items), out=starts[1:])
        return starts, self.owner[np.argsort(items, kind="stable")]

    @cached_property
    def _piece_of(self) -> tuple[LongArray, int]:
        """(options,) the number of each option's piece, and how many there are."""
        numbers: dict[str, int] = {}
        pieces = [self.puzzle.piece(option) for option in range(self.model.n_options)]
        ids = [numbers.setdefault(piece, len(numbers)) for piece in pieces]
        return np.array(ids, dtype=np.int64), len(numbers)

    def pieces_at(self, item: int, options: BoolArray) -> int:
        """Of how many pieces the given options are that cover an item."""
        starts, ids = self.users
        covering = ids[starts[item] : starts[item + 1]]
        return len(np.unique(self._piece_of[0][covering[options[covering]]]))

    def acts_in(self, options: Iterable[int]) -> frozenset[int]:
        """The acts of some options, without quiet ones."""
        return frozenset(int(self.act_of[o]) for o in options if not self.quiet[o])

    def place(self, options: Iterable[int]) -> tuple[int, ...]:
        """What a player has placed, as acts in the order given, what was given left out.

        Raises:
            InputError: two that cannot both stand, in the puzzle's words.
        """
        placed: list[int] = []
        given = self.acts_in(self.model.chosen)
        holders: dict[int, list[int]] = {}
        for option in self.model.chosen:
            for item in self.sure(int(self.act_of[option])):
                holders.setdefault(item, []).append(option)
        for option in options:
            act = int(self.act_of[option])
            if self.quiet[option] or act in given or act in placed:
                continue
            placed.append(act)
            for item, colour in self.sure(act).items():
                others = holders.setdefault(item, [])
                if (other := self._clash(item, colour, others)) is not None:
                    one, two = self.puzzle.move(other), self.puzzle.move(option)
                    raise InputError(f"{one} and {two} clash: {self.puzzle.need(item)}")
                others.append(option)
        return tuple(placed)

    def _clash(self, item: int, colour: int, others: Sequence[int]) -> int | None:
        """The first of the options that cover an item which leaves no room for one more."""
        if self.model.primary[item]:
            return others[0] if others and len(others) >= self.model.high[item] else None
        return next(
            (o for o in others if not colour or self.sure(int(self.act_of[o]))[item] != colour),
            None,
        )

    def sure(self, act: int) -> dict[int, int]:
        """The items, with colours, that each option of an act covers."""
        if (known := self._sure.get(act)) is None:
            first, *others = self.options_of(act)
            known = dict(self.model.option(first))
            for other in others:
                theirs = dict(self.model.option(other))
                known = {item: c for item, c in known.items() if theirs.get(item) == c}
            self._sure[act] = known
        return known

    def restricted(self, placed: Sequence[int], *, given: Sequence[int] | None = None) -> Model:
        """The model whose solutions have these acts.

        Args:
            placed: acts.
            given: the options chosen besides; None: those of the model.
        """
        chosen = [self.options_of(act)[0] for act in placed if len(self.options_of(act)) == 1]
        several = [self.options_of(act) for act in placed if len(self.options_of(act)) > 1]
        model = self.model if given is None else replace(self.model, chosen=tuple(given))
        return with_one_of(model.with_chosen(chosen), several)

    def finished(self, position: Position) -> bool | None:
        """Whether its acts are a solution; None: not without a search for the quiet options."""
        open_items, placed = position.unmet, position.placed
        if self.single and not open_items.any():
            options = {*self.model.chosen, *(self.options_of(act)[0] for act in placed)}
            if fault(self.model, tuple(sorted(options))) is None:
                return True
        if self.single and not self.any_quiet:
            return False
        quiet = np.zeros(self.model.n_items, dtype=np.bool_)
        comes = self.quiet | np.isin(self.act_of, np.array(placed, dtype=np.int64))
        quiet[self.model.entry_items[comes[self.owner]]] = True
        return None if quiet[open_items].all() else False

    def quietly(self, placed: Sequence[int]) -> Model:
        """The model whose solutions have these acts and no other."""
        acts = {*placed, *self.act_of[list(self.model.chosen)].tolist()}
        kept = self.quiet | np.isin(self.act_of, np.array(sorted(acts), dtype=np.int64))
        return with_none_of(self.restricted(placed), np.flatnonzero(~kept))


@dataclass(slots=True)
class Position:
    """What some acts leave.

    Attributes:
        room: the puzzle.
        placed: acts, in the order of play.
        times: (items,) how often each item is covered for sure.
        colour: (items,) the colour it has, 0: none.
        open: (options,) which options may be in a solution with these acts, as far as a look at
            each alone tells; not those that are sure to be in it.
    """

    room: Room
    placed: tuple[int, ...]
    times: IntArray
    colour: IntArray
    open: BoolArray

    def __init__(self, room: Room, placed: Sequence[int]) -> None:
        model = room.model
        self.room, self.placed = room, tuple(placed)
        self.times = np.zeros(model.n_items, dtype=np.int32)
        self.colour = np.zeros(model.n_items, dtype=np.int32)
        laid = [*model.chosen, *(o for act in placed for o in room.options_of(act)[:1])]
        for option in laid:
            if room.single:
                entries = slice(model.starts[option], model.starts[option + 1])
                self.times[model.entry_items[entries]] += 1
                self.colour[model.entry_items[entries]] = model.entry_colours[entries]
            else:
                for item, colour in room.sure(int(room.act_of[option])).items():
                    self.times[item] += 1
                    self.colour[item] = colour
        full = np.where(model.primary, self.times >= model.high, self.times > 0)
        self.open = self._without(full)
        self.open[laid] = False
        if not room.single:
            for act in placed:  # which of its options it is remains to be seen
                options = room.options_of(act)
                sure = room.sure(act)
                for option in options if len(options) > 1 else ():
                    rest = [item for item, _ in model.option(option) if item not in sure]
                    self.open[option] = not full[rest].any()

    def _without(self, full: BoolArray) -> BoolArray:
        """The options that cover no full item, but in its colour."""
        model = self.room.model
        if not model.n_options:
            return np.zeros(0, dtype=np.bool_)
        blocked = full[model.entry_items]
        if model.entry_colours.any():
            its = self.colour[model.entry_items]
            blocked &= (model.entry_colours == 0) | (model.entry_colours != its)
        fits: BoolArray = np.add.reduceat(blocked.astype(np.int32), model.starts[:-1]) == 0
        return fits

    @property
    def unmet(self) -> BoolArray:
        """(items,) which items must be covered more often."""
        model = self.room.model
        unmet: BoolArray = model.primary & (self.times < model.low)
        return unmet

    @property
    def needed(self) -> IntArray:
        """(items,) how often each must still be covered."""
        needed: IntArray = np.where(self.unmet, self.room.model.low - self.times, 0)
        return needed

    @property
    def ways(self) -> LongArray:
        """(items,) how many acts can cover each item, of those that are not placed.

        Where an act that is placed may be the one that covers it, there is one way more.
        """
        room, model = self.room, self.room.model
        entries = self.open[room.owner]
        items = model.entry_items[entries].astype(np.int64)
        if room.single:
            return np.bincount(items, minlength=model.n_items)
        pairs = np.unique(room.act_of[room.owner[entries]] * model.n_items + items)
        return np.bincount(pairs % model.n_items, minlength=model.n_items)

    def dead_item(self) -> int | None:
        """An item that can't be covered as often as it must; None: none is seen."""
        dead = np.flatnonzero(self.unmet & (self.ways < self.needed))
        return int(dead[0]) if len(dead) else None

    def acts_at(self, item: int) -> list[int]:
        """The acts that can cover an item, ascending."""
        starts, ids = self.room.users
        covering = ids[starts[item] : starts[item + 1]]
        return sorted(set(self.room.act_of[covering[self.open[covering]]].tolist()))

    def after(self, act: int) -> Position:
        """The position with one more act."""
        return Position(self.room, (*self.placed, act))


def with_one_of(model: Model, groups: Sequence[Sequence[int]]) -> Model:
    """The model whose solutions have just one option of each group; symmetries are left out."""
    if not groups:
        return model
    n = len(groups)
    options = [option for group in groups for option in group]
    order = np.argsort(options, kind="stable")
    added = np.repeat(np.arange(n) + model.n_items, [len(group) for group in groups])[order]
    at = model.starts[np.array(options)[order] + 1]
    more = np.bincount(options, minlength=model.n_options)
    ones = np.ones(n, dtype=np.int32)
    return replace(
        model,
        items=(*model.items, *(f"one of group {number}" for number in range(n))),
        primary=np.append(model.primary, np.ones(n, dtype=np.bool_)),
        low=np.append(model.low, ones),
        high=np.append(model.high, ones),
        starts=(model.starts + np.append(0, np.cumsum(more))).astype(np.int32),
        entry_items=np.insert(model.entry_items, at, added).astype(np.int32),
        entry_colours=np.insert(model.entry_colours, at, 0).astype(np.int32),
        symmetries=None,
    )


def with_none_of(model: Model, options: Iterable[int]) -> Model:
    """The model whose solutions have none of these options; symmetries are left out.

    They stay options, each under a further item that must not be covered.
    """
    without = np.array(sorted(options), dtype=np.int64)
    if not len(without):
        return model
    return replace(
        model,
        items=(*model.items, "left out"),
        primary=np.append(model.primary, True),
        low=np.append(model.low, np.int32(0)),
        high=np.append(model.high, np.int32(0)),
        starts=(model.starts + np.searchsorted(without, np.arange(model.n_options + 1))).astype(
            np.int32
        ),
        entry_items=np.insert(model.entry_items, model.starts[without + 1], model.n_items).astype(
            np.int32
        ),
        entry_colours=np.insert(model.entry_colours, model.starts[without + 1], 0).astype(np.int32),
        symmetries=None,
    )


def whole(model: Model, options: Iterable[int]) -> Solution:
    """Options as a solution, with those that are chosen."""
    return tuple(sorted({*model.chosen, *options}))
