"""The dancing links: Algorithms X, C and M of TAOCP 7.2.2.1 in one loop, without recursion.

The data structure, with Knuth's names. A node `x` has four fields in each of two arrays of 32-bit
integers, `node` for what is used all the time and `side` for the rest, and is named by the place
of the first. The first nodes are the headers of the items `i`; 0 is the root.

===========================  ==================================================================
``node[x + ULINK | DLINK]``  an item's options, in a circle through its header
``node[x + TOP]``            the item of node `x`
``node[x + NEXT]``           the nodes of an option, in a circle to the right, ...
``side[x + PREV]``           ... and to the left
``side[x + COLOUR]``         COLOR: 0 none, > 0 a colour, AGREED: one known to agree already
``side[x + OPTION]``         the number of the option
``side[i + LLINK | RLINK]``  the active primary items, in a circle with the root; a secondary item
                             is a circle of its own
``side[i + BOUND]``          how often item `i` may still be covered
``side[i + SLACK]``          ``need``, how often it must still be covered, is ``BOUND - SLACK``,
                             or 0 where that is negative
``node[i + BRANCHES]``       ``LEN - need + 1``, with LEN the length of the item's list: the
                             number of branches; for an item to be covered once simply LEN
===========================  ==================================================================

Invariants, whenever an item is to be chosen: a node is in its item's list exactly if its option
fits what was chosen (or its item is inactive); BRANCHES goes with the length of the list; an item
is in the circle exactly if it is primary and ``BOUND > 0``, and has a branch. Items that have lost
their last one are counted in LACKING: where that isn't 0 the search turns back at once, mostly
before all items of an option are covered. Every change is undone in exactly the reverse order.

An item to be covered exactly once is branched on as in Algorithm X: cover it, try each of its
options. Any other item is branched on by the *first* of its options that the solution uses: that
option is taken out of all lists and stays out when its subtree is done (so that a set of options
is found once, whatever the order), or, if enough are chosen, the item is left as it is.

The loop marks the steps of Algorithm C, and those of Algorithm M where they differ. Algorithm X is
Algorithm C without a colour.

An example, that of TAOCP 7.2.2.1, Table 1: items 1 to 7 (a to g); options, numbered from 0,
{3 5} {1 4 7} {2 3 6} {1 4 6} {2 7} {4 5 7}.

1. C3: BRANCHES are 2 2 2 3 2 2 3: item 1 is chosen, the first of those with 2. C4: it is covered,
   which hides options 1 and 3; item 4 now has 1 branch, 6 has 1, 7 has 2.
2. C5: option 1 is tried: items 4 and 7 are covered, which hides 5 and 4. Left are {3 5} and
   {2 3 6}, and all of 2, 3, 5, 6 have a branch.
3. C3: item 2, with 1 branch. C5: option 2 covers 3 and 6, which hides {3 5}: item 5 lacks a
   branch, LACKING is 1, and the search turns back (C8, C6, C7, C8).
4. C6: the next option of item 1 is 3. Items 4 and 6 are covered; left are {3 5} and {2 7}. C3 takes
   item 2, C5 option 4; C3 item 3, C5 option 0; C2: no item is left: {3, 4, 0} is a solution.

The loop is resumable: all its state is in arrays, so it can be left after any number of nodes
(for a clock, Ctrl-C, a full buffer) and entered again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np
import numpy.typing as npt

from twostep.dlx_backend.kernel import FIRST_REGISTER, NODES, UPDATES, Registered
from twostep.dlx_backend.problem import Problem
from twostep.models.errors import ModelError
from twostep.models.language.model import IntArray, LongArray

LinkArray = npt.NDArray[np.uint32]

# All indices are unsigned: Numba then leaves out the test for negative ones, which is a fifth of
# the time. An unsigned and a signed 64-bit integer would make a float: hence the unsigned fields.
_u = np.uint64

FIELDS = 4
"""Of a node in each array. Nodes are named 0, 4, 8, ...: so nothing is multiplied on the way."""
ULINK, DLINK, TOP, NEXT = map(_u, range(FIELDS))
BRANCHES = TOP
PREV, COLOUR, OPTION = map(_u, range(3))
LLINK, RLINK, BOUND, SLACK = map(_u, range(FIELDS))
AGREED = np.uint32(0xFFFFFFFF)

ITEM, CHOICE, BASE, LACKED, END, PATH_FIELDS = range(6)
"""What is kept of each level: the item branched on; the node of the chosen option, or NONE_TAKEN;
the trail's height on entry (-1: Algorithm X's way of branching); LACKING before the option was
chosen; where :func:`_commit` ended."""
NONE_TAKEN = 0
"""As a choice: no further option of the item."""

# The registers: the scalars of the loop, kept between two calls.
LEVEL, PHASE, TRAIL, SPENT, CEILING, LACKING, REGISTERS = range(FIRST_REGISTER, FIRST_REGISTER + 7)

HIGHEST = int(np.iinfo(np.int64).max)
"""As a ceiling: none. All costs that can be asked for are below (see :func:`demand_addable`)."""

SELECT, ADVANCE, RETREAT, DONE = range(4)

BY_FEWEST, BY_ORDER = range(2)
"""Which item to branch on: the one with the fewest branches, of several the first; or the first
in order unless some item has at most one branch."""

_jit = numba.njit(cache=True, error_model="numpy", nogil=True)


@_jit
def _unlink(node, x):  # type: ignore[no-untyped-def]
    """Take node `x` out of its item's list; gives whether the item now lacks a branch."""
    up, down, item = node[x + ULINK], node[x + DLINK], node[x + TOP]
    node[up + DLINK] = down
    node[down + ULINK] = up
    node[item + BRANCHES] -= 1
    return node[item + BRANCHES] == 0


@_jit
def _relink(node, x):  # type: ignore[no-untyped-def]
    """Undo :func:`_unlink`."""
    node[node[x + ULINK] + DLINK] = x
    node[node[x + DLINK] + ULINK] = x
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
    x = node[item + DLINK]
    while x != item:
        _hide(node, register, x)
        x = node[x + DLINK]
    side[side[item + LLINK] + RLINK] = side[item + RLINK]
    side[side[item + RLINK] + LLINK] = side[item + LLINK]
    register[UPDATES] += 1


@_jit
def _uncover(node, side, item):  # type: ignore[no-untyped-def]
    """Undo :func:`_cover`."""
    side[side[item + LLINK] + RLINK] = item
    side[side[item + RLINK] + LLINK] = item
    x = node[item + ULINK]
    while x != item:
        _unhide(node, x)
        x = node[x + ULINK]


@_jit
def _purify(node, side, register, x):  # type: ignore[no-untyped-def]
    """Keep of the list of ``TOP(x)`` only the options of the colour of `x`."""
    colour = side[x + COLOUR]
    item = node[x + TOP]
    y = node[item + DLINK]
    while y != item:
        if side[y + COLOUR] == colour:
            side[y + COLOUR] = AGREED
        else:
            _hide(node, register, y)
        y = node[y + DLINK]
    register[UPDATES] += 1


@_jit
def _unpurify(node, side, x):  # type: ignore[no-untyped-def]
    """Undo :func:`_purify`."""
    colour = side[x + COLOUR]
    item = node[x + TOP]
    y = node[item + ULINK]
    while y != item:
        if side[y + COLOUR] == AGREED:
            side[y + COLOUR] = colour
        else:
            _unhide(node, y)
        y = node[y + ULINK]


@_jit
def _meet(node, side, register, item):  # type: ignore[no-untyped-def]
    """Count that `item` is covered once more.

    Without an `if`: it would make Numba count references to the arrays at each call from the loop,
    and many searches take twice as long.
    """
    side[item + BOUND] -= 1
    needed = side[item + BOUND] >= side[item + SLACK]
    node[item + BRANCHES] += needed
    register[LACKING] -= needed & (node[item + BRANCHES] == 1)


@_jit
def _unmeet(node, side, item):  # type: ignore[no-untyped-def]
    """Undo :func:`_meet`."""
    node[item + BRANCHES] -= side[item + BOUND] >= side[item + SLACK]
    side[item + BOUND] += 1


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
        elif side[item + BOUND] == 0:
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
        elif side[item + BOUND] == 0:
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
    item = side[RLINK]
    while item != 0:
        branches = node[item + BRANCHES]
        if best == 0 or (branches < fewest and (rule == BY_FEWEST or branches == 1)):
            if branches != 1:
                best, fewest = item, branches
            elif node[item + DLINK] != item:
                return item
        item = side[item + RLINK]
    return best


@_jit
def _floor(node, side, share):  # type: ignore[no-untyped-def]
    """A lower bound on the cost of what is still to be chosen.

    Each list is sorted by the share of the option's cost that its item bears: the first is the
    least that covering the item once more can cost.
    """
    total = np.int64(0)
    item = side[RLINK]
    while item != 0:
        least = share[node[item + DLINK] // FIELDS]
        room = np.int64(side[item + BOUND])
        need = max(room - np.int64(side[item + SLACK]), np.int64(0))
        if least >= 0:
            total += need * least
        else:
            total += min(room, np.int64(node[item + BRANCHES]) - 1 + need) * least
        item = side[item + RLINK]
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
        path: (levels, PATH_FIELDS) see ITEM and following.
        trail: the options that were tried and dropped.
        costs, share: cost of each option; per node its item's share of the option's cost.
        register: the scalars, see LEVEL and following.
        out: each solution as its length and its options; empty: only count.
        rule: BY_FEWEST or BY_ORDER.
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
            # C2, C3: enter the level; choose an item.
            item = _u(_select(node, side, rule))
            if bounded and spent + _floor(node, side, share) >= register[CEILING]:
                phase = RETREAT
            elif item == 0:
                # C2: nothing is left to cover: visit the solution.
                found += 1
                if len(out):
                    length = fill
                    for depth in range(level):
                        if path[depth, CHOICE] != NONE_TAKEN:
                            fill += 1
                            out[fill] = side[_u(path[depth, CHOICE]) + OPTION]
                    out[length] = fill - length
                    fill += 1
                phase = RETREAT
            else:
                # C4: cover the item. M4: one that may be covered more often, or not at all, waits
                # until an option is taken.
                path[level, ITEM] = item
                path[level, BASE] = top
                if side[item + BOUND] == 1 and side[item + SLACK] == 0:
                    path[level, BASE] = -1
                    path[level, CHOICE] = node[item + DLINK]
                    _meet(node, side, register, item)
                    _cover(node, side, register, item)
                path[level, LACKED] = register[LACKING]
                phase = ADVANCE
        elif phase == ADVANCE:
            if nodes >= node_budget or found >= wanted:
                break
            item = _u(path[level, ITEM])
            base = path[level, BASE]
            x = _u(path[level, CHOICE]) if base < 0 else _u(node[item + DLINK])
            if x != item and node[item + BRANCHES] > 0:
                # C5: commit the option's other items. M5 (tweak) before: the option stays out of
                # all lists from here on; M4: the item may be covered once less.
                if base >= 0:
                    _drop(node, register, x)
                    trail[top] = x
                    top += 1
                    path[level, CHOICE] = x
                    path[level, LACKED] = register[LACKING]
                    _meet(node, side, register, item)
                    if side[item + BOUND] == 0:
                        _cover(node, side, register, item)
                path[level, END] = _commit(node, side, register, x)
                spent += costs[side[x + OPTION]]
            elif base >= 0 and side[item + BOUND] <= side[item + SLACK]:
                # M6: the item is covered often enough, and no further option of it is taken.
                _cover(node, side, register, item)
                path[level, CHOICE] = NONE_TAKEN
            else:
                # C7: uncover the item. M8: put back what was tweaked.
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
            phase = DONE  # C8: all was seen.
        else:
            # C8: leave the level. C6, M7: undo the option, and try the next.
            level -= 1
            item = _u(path[level, ITEM])
            x = _u(path[level, CHOICE])
            base = path[level, BASE]
            if x == NONE_TAKEN:
                _uncover(node, side, item)
                top = _undrop(node, trail, top, base)
                register[LACKING] = 0
            else:
                _uncommit(node, side, x, _u(path[level, END]))
                spent -= costs[side[x + OPTION]]
                if base < 0:
                    path[level, CHOICE] = node[x + DLINK]
                else:
                    if side[item + BOUND] == 0:
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
class Links(Registered):
    """The search over one problem, as a kernel that the engine drives slice by slice.

    Updates are links taken out; each is put back once.

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
            register,
            problem,
            node.ravel(),
            side.ravel(),
            longest,
            np.zeros((longest + problem.n_primary + 1, PATH_FIELDS), dtype=np.int64),
            np.zeros(problem.n_options, dtype=np.uint32),
            np.ascontiguousarray(problem.costs, dtype=np.int64),
            np.concatenate([np.zeros(problem.n_items + 1, dtype=np.int64), shares]),
            BY_ORDER if problem.ordered else BY_FEWEST,
            bounded,
        )

    @property
    def done(self) -> bool:
        """Whether the whole search space was seen."""
        return bool(self.register[PHASE] == DONE)

    def set_ceiling(self, cost: int) -> None:
        """Cut off everything that costs `cost` or more from now on."""
        self.register[CEILING] = max(-HIGHEST, min(cost, HIGHEST))

    def advance(self, nodes: int, wanted: int, out: IntArray) -> int:
        """See :meth:`twostep.dlx_backend.kernel.Kernel.advance`."""
        return int(
            run(
                self.node, self.side, self._path, self._trail, self._costs, self._share,
                self.register, out, self._rule, int(self._bounded), nodes, wanted,
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
    _circle(node, DLINK, node, ULINK, order, items[order])
    _circle(node, NEXT, side, PREV, entries, options)
    _circle(side, RLINK, side, LLINK, headers, np.maximum(headers - n_primary, 0))
    node[entries, TOP] = FIELDS * items[entries]
    side[entries, COLOUR] = problem.colours
    side[entries, OPTION] = options
    node[headers, BRANCHES] = np.bincount(problem.items + 1, minlength=n_items + 1) - low + 1
    side[headers, BOUND] = high
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
