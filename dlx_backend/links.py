"""The dancing links: Algorithms X, C and M of TAOCP 7.2.2.1 in one loop, without recursion.

The data structure, with Knuth's names. A node `x` has four fields in each of two arrays of 32-bit
integers, `node` for what is used all the time and `side` for the rest, and is named by the place
of the first. The first nodes are the headers of the items `i`; 0 is the root.

===========================  ==================================================================
``node[x + UP | DOWN]``      ULINK, DLINK: an item's options, in a circle through its header
``node[x + TOP]``            TOP: the item of node `x`
``node[x + NEXT]``           the nodes of an option, in a circle to the right, ...
``side[x + PREV]``           ... and to the left
``side[x + COLOUR]``         COLOR: 0 none, > 0 a colour, AGREED: one known to agree already
``side[x + OPTION]``         the number of the option
``side[i + LEFT | RIGHT]``   LLINK, RLINK: the active primary items, in a circle with the root;
                             a secondary item is a circle of its own
``side[i + ROOM]``           BOUND: how often item `i` may still be covered
``side[i + SLACK]``          SLACK: ``need``, how often it must still be covered, is
                             ``ROOM - SLACK``, or 0 where that is negative
``node[i + BRANCHES]``       ``LEN - need + 1``, with LEN the length of the item's list: the
                             number of branches; for an item to be covered once simply LEN
===========================  ==================================================================

Invariants, whenever an item is to be chosen: a node is in its item's list exactly if its option
fits what was chosen (or its item is inactive); BRANCHES goes with the length of the list; an item
is in the circle exactly if it is primary and ``ROOM > 0``, and has a branch. Items that have lost
their last one are counted in LACKING: where that isn't 0 the search turns back at once, mostly
before all items of an option are covered. Every change is undone in exactly the reverse order.

An item to be covered exactly once is branched on as in Algorithm X: cover it, try each of its
options. Any other item is branched on by the *first* of its options that the solution uses: that
option is taken out of all lists and stays out when its subtree is done (so that a set of options
is found once, whatever the order), or, if enough are chosen, the item is left as it is.

The loop is resumable: all its state is in arrays, so it can be left after any number of nodes
(for a clock, Ctrl-C, a full buffer) and entered again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np
import numpy.typing as npt

from twostep.dlx_backend.problem import Problem
from twostep.models.errors import ModelError
from twostep.models.language.model import IntArray, LongArray

LinkArray = npt.NDArray[np.uint32]

# All indices are unsigned: Numba then leaves out the test for negative ones, which is a fifth of
# the time. An unsigned and a signed 64-bit integer would make a float: hence the unsigned fields.
_u = np.uint64

FIELDS = 4
"""Of a node in each array. Nodes are named 0, 4, 8, ...: so nothing is multiplied on the way."""
UP, DOWN, TOP, NEXT = map(_u, range(FIELDS))
BRANCHES = TOP
PREV, COLOUR, OPTION = map(_u, range(3))
LEFT, RIGHT, ROOM, SLACK = map(_u, range(FIELDS))
AGREED = np.uint32(0xFFFFFFFF)

ITEM, CHOICE, BASE, LACKED, END, KEPT = range(6)
"""What is kept of each level: the item branched on; the node of the chosen option, or LEAVE; the
trail's height on entry (-1: Algorithm X's way of branching); LACKING before the option was chosen;
where :func:`_commit` ended."""
LEAVE = 0
"""As a choice: no further option of the item."""

# The registers: the scalars of the loop, kept between two calls.
LEVEL, PHASE, TRAIL, NODES, UPDATES, SPENT, CEILING, LACKING, REGISTERS = range(9)

HIGHEST = int(np.iinfo(np.int64).max)
"""As a ceiling: none. All costs that can be asked for are below (see :func:`demand_addable`)."""

SELECT, ADVANCE, RETREAT, DONE = range(4)

FEWEST, IN_ORDER = range(2)
"""Which item to branch on: the one with the fewest branches, of several the first; or the first
in order unless some item has at most one branch."""

_jit = numba.njit(cache=True, error_model="numpy", nogil=True)


@_jit
def _unlink(node, x):  # type: ignore[no-untyped-def]
    """Take node `x` out of its item's list; gives whether the item now lacks a branch."""
    up, down, item = node[x + UP], node[x + DOWN], node[x + TOP]
    node[up + DOWN] = down
    node[down + UP] = up
    node[item + BRANCHES] -= 1
    return node[item + BRANCHES] == 0


@_jit
def _relink(node, x):  # type: ignore[no-untyped-def]
    """Undo :func:`_unlink`."""
    node[node[x + UP] + DOWN] = x
    node[node[x + DOWN] + UP] = x
    node[node[x + TOP] + BRANCHES] += 1


@_jit
def _hide(node, register, x):  # type: ignore[no-untyped-def]
    """Take the option of node `x` out of all lists but the one of ``TOP(x)``."""
    updates = 0
    lacking = 0
    y = node[x + NEXT]
    while y != x:
        lacking += _unlink(node, y)
        updates += 1
        y = node[y + NEXT]
    register[UPDATES] += updates
    register[LACKING] += lacking


@_jit
def _unhide(node, x):  # type: ignore[no-untyped-def]
    """Undo :func:`_hide`. (The lists are different ones: it may go to the right, too.)"""
    y = node[x + NEXT]
    while y != x:
        _relink(node, y)
        y = node[y + NEXT]


@_jit
def _cover(node, side, register, item):  # type: ignore[no-untyped-def]
    """Make `item` inactive and hide every option in its list."""
    x = node[item + DOWN]
    while x != item:
        _hide(node, register, x)
        x = node[x + DOWN]
    side[side[item + LEFT] + RIGHT] = side[item + RIGHT]
    side[side[item + RIGHT] + LEFT] = side[item + LEFT]
    register[UPDATES] += 1


@_jit
def _uncover(node, side, item):  # type: ignore[no-untyped-def]
    """Undo :func:`_cover`."""
    side[side[item + LEFT] + RIGHT] = item
    side[side[item + RIGHT] + LEFT] = item
    x = node[item + UP]
    while x != item:
        _unhide(node, x)
        x = node[x + UP]


@_jit
def _purify(node, side, register, x):  # type: ignore[no-untyped-def]
    """Keep of the list of ``TOP(x)`` only the options of the colour of `x`."""
    colour = side[x + COLOUR]
    item = node[x + TOP]
    y = node[item + DOWN]
    while y != item:
        if side[y + COLOUR] == colour:
            side[y + COLOUR] = AGREED
        else:
            _hide(node, register, y)
        y = node[y + DOWN]
    register[UPDATES] += 1


@_jit
def _unpurify(node, side, x):  # type: ignore[no-untyped-def]
    """Undo :func:`_purify`."""
    colour = side[x + COLOUR]
    item = node[x + TOP]
    y = node[item + UP]
    while y != item:
        if side[y + COLOUR] == AGREED:
            side[y + COLOUR] = colour
        else:
            _unhide(node, y)
        y = node[y + UP]


@_jit
def _meet(node, side, register, item):  # type: ignore[no-untyped-def]
    """Count that `item` is covered once more.

    Without an `if`: it would make Numba count references to the arrays at each call from the loop,
    and many searches take twice as long.
    """
    side[item + ROOM] -= 1
    needed = side[item + ROOM] >= side[item + SLACK]
    node[item + BRANCHES] += needed
    register[LACKING] -= needed & (node[item + BRANCHES] == 1)


@_jit
def _unmeet(node, side, item):  # type: ignore[no-untyped-def]
    """Undo :func:`_meet`."""
    node[item + BRANCHES] -= side[item + ROOM] >= side[item + SLACK]
    side[item + ROOM] += 1


@_jit
def _commit(node, side, register, x):  # type: ignore[no-untyped-def]
    """Choose the option of node `x`: cover its other items, or give them its colours.

    It ends as soon as an item lacks a branch; gives the node where it ended, `x` if at the end.
    """
    y = node[x + NEXT]
    while y != x:
        if side[y + COLOUR] == 0:
            _meet(node, side, register, node[y + TOP])
        y = node[y + NEXT]
    y = node[x + NEXT]
    while y != x and register[LACKING] == 0:
        item = node[y + TOP]
        if side[y + COLOUR] != 0:
            if side[y + COLOUR] != AGREED:
                _purify(node, side, register, y)
        elif side[item + ROOM] == 0:
            _cover(node, side, register, item)
        y = node[y + NEXT]
    return y


@_jit
def _uncommit(node, side, x, end):  # type: ignore[no-untyped-def]
    """Undo :func:`_commit`, which ended at node `end`."""
    y = side[end + PREV]
    while y != x:
        item = node[y + TOP]
        if side[y + COLOUR] != 0:
            if side[y + COLOUR] != AGREED:
                _unpurify(node, side, y)
        elif side[item + ROOM] == 0:
            _uncover(node, side, item)
        y = side[y + PREV]
    y = side[x + PREV]
    while y != x:
        if side[y + COLOUR] == 0:
            _unmeet(node, side, node[y + TOP])
        y = side[y + PREV]


@_jit
def _drop(node, register, x):  # type: ignore[no-untyped-def]
    """Take the option of node `x` out of all lists, that of ``TOP(x)`` too."""
    _hide(node, register, x)
    register[LACKING] += _unlink(node, x)
    register[UPDATES] += 1


@_jit
def _undrop(node, trail, top, base):  # type: ignore[no-untyped-def]
    """Undo :func:`_drop` for the options on the trail from `base` on; gives `base`."""
    while top > base:
        top -= 1
        x = _u(trail[top])
        _relink(node, x)
        _unhide(node, x)
    return base


@_jit
def _select(node, side, rule):  # type: ignore[no-untyped-def]
    """Step C3/M3: the item to branch on; 0: all is covered.

    An item that needs no more and has no option left is passed over.
    """
    best = np.uint32(0)
    fewest = np.uint32(0)
    item = side[RIGHT]
    while item != 0:
        branches = node[item + BRANCHES]
        if best == 0 or (branches < fewest and (rule == FEWEST or branches == 1)):
            if branches != 1:
                best, fewest = item, branches
            elif node[item + DOWN] != item:
                return item
        item = side[item + RIGHT]
    return best


@_jit
def _floor(node, side, share):  # type: ignore[no-untyped-def]
    """A lower bound on the cost of what is still to be chosen.

    Each list is sorted by the share of the option's cost that its item bears: the first is the
    least that covering the item once more can cost.
    """
    total = np.int64(0)
    item = side[RIGHT]
    while item != 0:
        least = share[node[item + DOWN] // FIELDS]
        room = np.int64(side[item + ROOM])
        need = max(room - np.int64(side[item + SLACK]), np.int64(0))
        if least >= 0:
            total += need * least
        else:
            total += min(room, np.int64(node[item + BRANCHES]) - 1 + need) * least
        item = side[item + RIGHT]
    return total


@numba.njit(
    "int64(uint32[::1], uint32[::1], int64[:,::1], uint32[::1], int64[::1], int64[::1],"
    " int64[::1], int32[::1], int64, int64, int64, int64)",
    cache=True,
    error_model="numpy",
    nogil=True,
)
def run(  # type: ignore[no-untyped-def]
    node, side, path, trail, costs, share, register, out, rule, bounded, node_budget, wanted,
):  # fmt: skip
    """Go on with the search; gives the number of solutions found in this call.

    Args:
        node, side: the data structure (see the module's text).
        path: (levels, KEPT) see ITEM and following.
        trail: the options that were tried and dropped.
        costs, share: cost of each option; per node its item's share of the option's cost.
        register: the scalars, see LEVEL and following.
        out: each solution as its length and its options; empty: only count.
        rule: FEWEST or IN_ORDER.
        bounded: whether to cut off what can't cost less than register CEILING.
        node_budget: return after so many nodes.
        wanted: return after so many solutions; `out` has room for them.
    """
    level = register[LEVEL]
    phase = register[PHASE]
    top = register[TRAIL]
    spent = register[SPENT]
    nodes = 0
    found = 0
    fill = 0
    while phase != DONE:
        if phase == SELECT:
            item = _u(_select(node, side, rule))
            if bounded and spent + _floor(node, side, share) >= register[CEILING]:
                phase = RETREAT
            elif item == 0:
                found += 1
                if len(out):
                    length = fill
                    for depth in range(level):
                        if path[depth, CHOICE] != LEAVE:
                            fill += 1
                            out[fill] = side[_u(path[depth, CHOICE]) + OPTION]
                    out[length] = fill - length
                    fill += 1
                phase = RETREAT
            else:
                path[level, ITEM] = item
                path[level, BASE] = top
                if side[item + ROOM] == 1 and side[item + SLACK] == 0:
                    path[level, BASE] = -1
                    path[level, CHOICE] = node[item + DOWN]
                    _meet(node, side, register, item)
                    _cover(node, side, register, item)
                path[level, LACKED] = register[LACKING]
                phase = ADVANCE
        elif phase == ADVANCE:
            if nodes >= node_budget or found >= wanted:
                break
            item = _u(path[level, ITEM])
            base = path[level, BASE]
            x = _u(path[level, CHOICE]) if base < 0 else _u(node[item + DOWN])
            if x != item and node[item + BRANCHES] > 0:
                if base >= 0:
                    _drop(node, register, x)
                    trail[top] = x
                    top += 1
                    path[level, CHOICE] = x
                    path[level, LACKED] = register[LACKING]
                    _meet(node, side, register, item)
                    if side[item + ROOM] == 0:
                        _cover(node, side, register, item)
                path[level, END] = _commit(node, side, register, x)
                spent += costs[side[x + OPTION]]
            elif base >= 0 and side[item + ROOM] <= side[item + SLACK]:
                _cover(node, side, register, item)
                path[level, CHOICE] = LEAVE
            else:
                if base < 0:
                    _uncover(node, side, item)
                    _unmeet(node, side, item)
                else:
                    top = _undrop(node, trail, top, base)
                register[LACKING] = 0
                phase = RETREAT
                continue
            nodes += 1
            level += 1
            phase = SELECT if register[LACKING] == 0 else RETREAT
        elif level == 0:
            phase = DONE
        else:
            level -= 1
            item = _u(path[level, ITEM])
            x = _u(path[level, CHOICE])
            base = path[level, BASE]
            if x == LEAVE:
                _uncover(node, side, item)
                top = _undrop(node, trail, top, base)
                register[LACKING] = 0
            else:
                _uncommit(node, side, x, _u(path[level, END]))
                spent -= costs[side[x + OPTION]]
                if base < 0:
                    path[level, CHOICE] = node[x + DOWN]
                else:
                    if side[item + ROOM] == 0:
                        _uncover(node, side, item)
                    _unmeet(node, side, item)
                register[LACKING] = path[level, LACKED]
                phase = ADVANCE
    register[LEVEL] = level
    register[PHASE] = phase
    register[TRAIL] = top
    register[SPENT] = spent
    register[NODES] += nodes
    return found


@dataclass(slots=True)
class Links:
    """The search over one problem, as a kernel that the engine drives slice by slice.

    Attributes:
        problem: what is searched.
        node, side: the data structure.
        longest: the most options a solution can have.
    """

    problem: Problem
    node: LinkArray
    side: LinkArray
    longest: int
    _path: LongArray
    _trail: LinkArray
    _costs: LongArray
    _share: LongArray
    _register: LongArray
    _rule: int
    _bounded: bool

    @classmethod
    def of(cls, problem: Problem, *, bounded: bool = False) -> Links:
        """Set up the links; `bounded`: only solutions below :meth:`set_ceiling`, if that is set."""
        shares = _shares(problem) if bounded else np.zeros(len(problem.items), dtype=np.int64)
        node, side = _linked(problem, shares)
        longest = min(problem.n_options, int(problem.high.sum(dtype=np.int64)))
        lengths = np.bincount(problem.items, minlength=problem.n_items)[: problem.n_primary]
        register = np.zeros(REGISTERS, dtype=np.int64)
        register[PHASE] = DONE if (lengths < problem.low).any() else SELECT
        register[CEILING] = HIGHEST
        return cls(
            problem,
            node.ravel(),
            side.ravel(),
            longest,
            np.zeros((longest + problem.n_primary + 1, KEPT), dtype=np.int64),
            np.zeros(problem.n_options, dtype=np.uint32),
            np.ascontiguousarray(problem.costs, dtype=np.int64),
            np.concatenate([np.zeros(problem.n_items + 1, dtype=np.int64), shares]),
            register,
            IN_ORDER if problem.ordered else FEWEST,
            bounded,
        )

    @property
    def done(self) -> bool:
        """Whether the whole search space was seen."""
        return bool(self._register[PHASE] == DONE)

    @property
    def nodes(self) -> int:
        """Search nodes so far."""
        return int(self._register[NODES])

    @property
    def updates(self) -> int:
        """Links taken out so far (each is put back once)."""
        return int(self._register[UPDATES])

    def set_ceiling(self, cost: int) -> None:
        """Cut off everything that costs `cost` or more from now on."""
        self._register[CEILING] = max(-HIGHEST, min(cost, HIGHEST))

    def advance(self, nodes: int, wanted: int, out: IntArray) -> int:
        """Visit up to `nodes` nodes or find up to `wanted` solutions; gives how many were found.

        `out` gets each solution as its length and its options (the problem's numbering); with an
        empty `out` they are only counted.
        """
        return int(
            run(
                self.node, self.side, self._path, self._trail, self._costs, self._share,
                self._register, out, self._rule, int(self._bounded), nodes, wanted,
            )
        )  # fmt: skip


def _linked(problem: Problem, shares: LongArray) -> tuple[LinkArray, LinkArray]:
    """(nodes, FIELDS) each: `node` and `side`, first the headers, then option after option.

    Each item's list is sorted by `shares`, then by option.
    """
    n_items, n_primary, n_entries = problem.n_items, problem.n_primary, len(problem.items)
    headers = np.arange(n_items + 1)
    entries = n_items + 1 + np.arange(n_entries)
    if FIELDS * (n_items + 1 + n_entries) > np.iinfo(np.uint32).max:
        raise ModelError(f"{n_entries:,} entries in options are too many for the links")
    low = np.zeros(n_items + 1, dtype=np.int64)
    high = np.ones(n_items + 1, dtype=np.int64)
    low[1 : n_primary + 1] = problem.low
    high[1 : n_primary + 1] = problem.high
    node = np.zeros((n_items + 1 + n_entries, FIELDS), dtype=np.uint32)
    side = np.zeros_like(node)

    items = np.concatenate([headers, problem.items + 1])
    lowest = np.full(n_items + 1, np.iinfo(np.int64).min)
    order = np.lexsort((np.concatenate([lowest, shares]), items))
    options = np.repeat(np.arange(problem.n_options), np.diff(problem.starts))
    _circle(node, DOWN, node, UP, order, items[order])
    _circle(node, NEXT, side, PREV, entries, options)
    _circle(side, RIGHT, side, LEFT, headers, np.maximum(headers - n_primary, 0))
    node[entries, TOP] = FIELDS * items[entries]
    side[entries, COLOUR] = problem.colours
    side[entries, OPTION] = options
    node[headers, BRANCHES] = np.bincount(problem.items + 1, minlength=n_items + 1) - low + 1
    side[headers, ROOM] = high
    side[headers, SLACK] = high - low
    return node, side


def _circle(
    there: LinkArray, next_: np.uint64, back: LinkArray, previous: np.uint64,
    members: LongArray, groups: LongArray,
) -> None:  # fmt: skip
    """Link the members of each group into a circle, both ways; a group stands together."""
    following = np.roll(members, -1)
    following[np.diff(groups, append=-1) != 0] = members[np.diff(groups, prepend=-1) != 0]
    there[members, next_] = FIELDS * following
    back[following, previous] = FIELDS * members


def _shares(problem: Problem) -> LongArray:
    """(entries,) what each item bears of its option's cost, in whole numbers that add up to it.

    The cost is split evenly over the items that are covered a fixed number of times, if the
    option has any, else over all its primary items: an item that may be covered more or less
    often bounds nothing.
    """
    owner = np.repeat(np.arange(problem.n_options), np.diff(problem.starts))
    primary = problem.items < problem.n_primary
    fixed = primary.copy()
    fixed[primary] = (problem.low == problem.high)[problem.items[primary]]
    has_fixed = np.bincount(owner[fixed], minlength=problem.n_options) > 0
    bears = np.where(has_fixed[owner], fixed, primary)
    count = np.bincount(owner[bears], minlength=problem.n_options)
    before = np.cumsum(bears) - bears
    rank = before - before[problem.starts[:-1]][owner] if len(owner) else before
    whole, rest = np.divmod(problem.costs, np.maximum(count, 1))
    return np.where(bears, whole[owner] + (rank < rest[owner]), 0).astype(np.int64)
