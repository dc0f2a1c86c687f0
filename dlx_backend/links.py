"""The dancing links: Algorithms X, C and M of TAOCP 7.2.2.1 in one loop, without recursion.

The data structure, with Knuth's names (32-bit integers):

========================  =====================================================================
``node[x, UP | DOWN]``    ULINK, DLINK: the circular list of the options of item ``TOP(x)``
``node[x, TOP]``          TOP: the item of node ``x``; in a spacer SPACER + the number of the option
                          before it (from 1); in the header ``i`` of an item LEN: its list's length
``node[x, COLOUR]``       COLOR: 0 none, > 0 a colour, AGREED: one known to agree already
``left[i]``, ``right[i]`` LLINK, RLINK: the active primary items, in a circle with the root 0
``need[i]``, ``room[i]``  how often item ``i`` must (if positive) and may still be covered:
                          Knuth's BOUND is `room`, his SLACK is ``room - need``
========================  =====================================================================

Items are 1 .. N, the primary ones first; the nodes of one option are consecutive, with a spacer
before and after (its UP is the first node of the option before, its DOWN the last of the next).

Invariants, at every step: a node is in its item's list exactly if its option fits what was
chosen (or its item is inactive); LEN counts that list; an item is in the circle exactly if it is
primary and ``room > 0``. Every change is undone in exactly the reverse order.

An item with need = room = 1 is branched on as in Algorithm X: cover it, try each of its options.
Any other item is branched on by the *first* of its options that the solution uses: that option
is taken out of all lists and stays out when its subtree is done (so that a set of options is
found once, whatever the order), or, if enough are chosen, the item is left as it is.

The loop is resumable: all its state is in arrays, so it can be left after any number of nodes
(for a clock, Ctrl-C, a full buffer) and entered again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np
import numpy.typing as npt

from twostep.dlx_backend.problem import Problem
from twostep.models.model import IntArray, LongArray

CountArray = npt.NDArray[np.uint32]

UP, DOWN, TOP, COLOUR = 0, 1, 2, 3
LEN = TOP
SPACER = np.uint32(1 << 31)
"""In TOP of a spacer, added to the number of the option before it (from 1)."""
AGREED = np.uint32(0xFFFFFFFF)
LEAVE = 0
"""As a choice: no further option of the item."""

# The registers: the scalars of the loop, kept between two calls.
LEVEL, PHASE, TRAIL, NODES, UPDATES, SPENT, CEILING, REGISTERS = range(8)

SELECT, ADVANCE, RETREAT, DONE = range(4)

FEWEST, IN_ORDER = range(2)
"""Which item to branch on: the one with the fewest branches, of several the first; or the first
in order unless some item has at most one branch."""

# All indices are unsigned: Numba then leaves out the test for negative ones, which is a fifth of
# the time. An unsigned and a signed 64-bit integer would make a float: hence this 1.
_u = np.uint64
_ONE = np.uint64(1)

_jit = numba.njit(cache=True, error_model="numpy", nogil=True)
_inlined = numba.njit(cache=True, error_model="numpy", nogil=True, inline="always")


@_inlined
def _hide(node, p):  # type: ignore[no-untyped-def]
    """Take the option of node `p` out of all lists but the one of ``TOP(p)``."""
    updates = 0
    q = p + _ONE
    while q != p:
        item = node[q, TOP]
        if item >= SPACER:
            q = _u(node[q, UP])
            continue
        if node[q, COLOUR] != AGREED:
            up = node[q, UP]
            down = node[q, DOWN]
            node[up, DOWN] = down
            node[down, UP] = up
            node[item, LEN] -= 1
            updates += 1
        q += _ONE
    return updates


@_inlined
def _unhide(node, p):  # type: ignore[no-untyped-def]
    """Undo :func:`_hide`."""
    q = p - _ONE
    while q != p:
        item = node[q, TOP]
        if item >= SPACER:
            q = _u(node[q, DOWN])
            continue
        if node[q, COLOUR] != AGREED:
            node[node[q, UP], DOWN] = q
            node[node[q, DOWN], UP] = q
            node[item, LEN] += 1
        q -= _ONE


@_jit
def _cover(node, left, right, item, n_primary):  # type: ignore[no-untyped-def]
    """Make `item` inactive and hide every option in its list."""
    updates = 1
    p = _u(node[item, DOWN])
    while p != item:
        updates += _hide(node, p)
        p = _u(node[p, DOWN])
    if item <= n_primary:
        right[left[item]] = right[item]
        left[right[item]] = left[item]
    return updates


@_jit
def _uncover(node, left, right, item, n_primary):  # type: ignore[no-untyped-def]
    """Undo :func:`_cover`."""
    if item <= n_primary:
        right[left[item]] = item
        left[right[item]] = item
    p = _u(node[item, UP])
    while p != item:
        _unhide(node, p)
        p = _u(node[p, UP])


@_jit
def _purify(node, p):  # type: ignore[no-untyped-def]
    """Keep of the list of ``TOP(p)`` only the options of the colour of `p`."""
    updates = 1
    colour = node[p, COLOUR]
    item = _u(node[p, TOP])
    q = _u(node[item, DOWN])
    while q != item:
        if node[q, COLOUR] == colour:
            node[q, COLOUR] = AGREED
        else:
            updates += _hide(node, q)
        q = _u(node[q, DOWN])
    return updates


@_jit
def _unpurify(node, p):  # type: ignore[no-untyped-def]
    """Undo :func:`_purify`."""
    colour = node[p, COLOUR]
    item = _u(node[p, TOP])
    q = _u(node[item, UP])
    while q != item:
        if node[q, COLOUR] == AGREED:
            node[q, COLOUR] = colour
        else:
            _unhide(node, q)
        q = _u(node[q, UP])


@_jit
def _drop(node, p):  # type: ignore[no-untyped-def]
    """Take the option of node `p` out of all lists, that of ``TOP(p)`` too."""
    updates = 1 + _hide(node, p)
    node[node[p, UP], DOWN] = node[p, DOWN]
    node[node[p, DOWN], UP] = node[p, UP]
    node[node[p, TOP], LEN] -= 1
    return updates


@_jit
def _undrop(node, p):  # type: ignore[no-untyped-def]
    """Undo :func:`_drop`."""
    node[node[p, UP], DOWN] = p
    node[node[p, DOWN], UP] = p
    node[node[p, TOP], LEN] += 1
    _unhide(node, p)


@_jit
def _commit(node, left, right, need, room, p, n_primary):  # type: ignore[no-untyped-def]
    """Cover the item of node `p`, whose option was chosen, once (or give it its colour)."""
    item = _u(node[p, TOP])
    if item <= n_primary:
        need[item] -= 1
        room[item] -= 1
        if room[item] == 0:
            return _cover(node, left, right, item, n_primary)
        return 1
    if node[p, COLOUR] == 0:
        return _cover(node, left, right, item, n_primary)
    if node[p, COLOUR] != AGREED:
        return _purify(node, p)
    return 0


@_jit
def _uncommit(node, left, right, need, room, p, n_primary):  # type: ignore[no-untyped-def]
    """Undo :func:`_commit`."""
    item = _u(node[p, TOP])
    if item <= n_primary:
        if room[item] == 0:
            _uncover(node, left, right, item, n_primary)
        need[item] += 1
        room[item] += 1
    elif node[p, COLOUR] == 0:
        _uncover(node, left, right, item, n_primary)
    elif node[p, COLOUR] != AGREED:
        _unpurify(node, p)


@_jit
def _commit_others(node, left, right, need, room, p, n_primary):  # type: ignore[no-untyped-def]
    """Commit to every item of the option of node `p` but ``TOP(p)``, left to right."""
    updates = 0
    q = p + _ONE
    while q != p:
        if node[q, TOP] >= SPACER:
            q = _u(node[q, UP])
        else:
            updates += _commit(node, left, right, need, room, q, n_primary)
            q += _ONE
    return updates


@_jit
def _uncommit_others(node, left, right, need, room, p, n_primary):  # type: ignore[no-untyped-def]
    """Undo :func:`_commit_others`, right to left."""
    q = p - _ONE
    while q != p:
        if node[q, TOP] >= SPACER:
            q = _u(node[q, DOWN])
        else:
            _uncommit(node, left, right, need, room, q, n_primary)
            q -= _ONE


@_jit
def _option(node, p):  # type: ignore[no-untyped-def]
    """The number of the option of node `p`, from 0: it stands in the spacer behind it."""
    while node[p, TOP] < SPACER:
        p += _ONE
    return np.int64(node[p, TOP] - SPACER) - 1


@_jit
def _select(node, right, need, rule):  # type: ignore[no-untyped-def]
    """Step C3/M3: the item to branch on (0: all is covered), and how many branches it has.

    An item that needs no more and has no option left is passed over.
    """
    best = _u(0)
    fewest = np.int64(2**31 - 1)
    item = _u(right[0])
    while item != 0:
        options = np.int64(node[item, LEN])
        wanted = np.int64(need[item])
        branches = options - wanted + 1 if wanted > 0 else options + 1
        if options > 0 or wanted > 0:
            if branches < fewest and (rule == FEWEST or best == 0 or branches <= 1):
                best = item
                fewest = branches
            if branches <= 0:
                break
        item = _u(right[item])
    return best, fewest


@_jit
def _floor(node, right, need, room, share):  # type: ignore[no-untyped-def]
    """A lower bound on the cost of what is still to be chosen.

    Each list is sorted by the share of the option's cost that its item bears: the first is the
    least that covering the item once more can cost.
    """
    total = np.int64(0)
    item = _u(right[0])
    while item != 0:
        first = _u(node[item, DOWN])
        if first != item:
            if share[first] >= 0:
                total += max(need[item], 0) * share[first]
            else:
                total += min(room[item], np.int64(node[item, LEN])) * share[first]
        item = _u(right[item])
    return total


_SIGNATURE = (
    "int64(uint32[:,::1], uint32[::1], uint32[::1], int32[::1], int32[::1], uint32[::1],"
    " uint32[::1], int32[::1], uint32[::1], int64[::1], int64[::1], int64[::1], int32[::1],"
    " int64, int64, int64, int64, int64)"
)


@numba.njit(_SIGNATURE, cache=True, error_model="numpy", nogil=True)
def run(  # type: ignore[no-untyped-def]
    node, left, right, need, room, chosen_item, choice, trail_base, trail,
    costs, share, register, out, n_primary, rule, bounded, node_budget, wanted,
):  # fmt: skip
    """Go on with the search; gives the number of solutions found in this call.

    Args:
        node, left, right, need, room: the data structure (see the module's text).
        chosen_item, choice: per level the item branched on, and the node of the chosen option
            (or LEAVE).
        trail_base, trail: per level the trail's height on entry (-1: Algorithm X's way of
            branching); the options that were tried and dropped.
        costs, share: cost of each option; per node its item's share of the option's cost.
        register: the scalars, see LEVEL and following.
        out: each solution as its length and its options; empty: only count.
        n_primary: the primary items are 1 .. n_primary.
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
    updates = 0
    found = 0
    fill = 0
    while phase != DONE:
        if phase == SELECT:
            if nodes >= node_budget or found >= wanted:
                break
            nodes += 1
            item, branches = _select(node, right, need, rule)
            if branches <= 0 or (
                bounded and spent + _floor(node, right, need, room, share) >= register[CEILING]
            ):
                phase = RETREAT
            elif item == 0:
                found += 1
                if len(out):
                    length = fill
                    fill += 1
                    for depth in range(level):
                        if choice[depth] != LEAVE:
                            out[fill] = _option(node, _u(choice[depth]))
                            fill += 1
                    out[length] = fill - length - 1
                phase = RETREAT
            else:
                chosen_item[level] = item
                if need[item] == 1 and room[item] == 1:
                    updates += _cover(node, left, right, item, n_primary)
                    choice[level] = node[item, DOWN]
                    trail_base[level] = -1
                else:
                    trail_base[level] = top
                phase = ADVANCE
        elif phase == ADVANCE:
            item = _u(chosen_item[level])
            if trail_base[level] < 0:
                p = _u(choice[level])
                if p == item:
                    _uncover(node, left, right, item, n_primary)
                    phase = RETREAT
                else:
                    updates += _commit_others(node, left, right, need, room, p, n_primary)
                    if bounded:
                        spent += costs[_option(node, p)]
                    level += 1
                    phase = SELECT
            else:
                p = _u(node[item, DOWN])
                if p != item and node[item, LEN] >= need[item]:
                    updates += _drop(node, p)
                    trail[top] = p
                    top += 1
                    updates += _commit(node, left, right, need, room, p, n_primary)
                    updates += _commit_others(node, left, right, need, room, p, n_primary)
                    if bounded:
                        spent += costs[_option(node, p)]
                    choice[level] = p
                    level += 1
                    phase = SELECT
                elif need[item] <= 0:
                    updates += _cover(node, left, right, item, n_primary)
                    choice[level] = LEAVE
                    level += 1
                    phase = SELECT
                else:
                    while top > trail_base[level]:
                        top -= 1
                        _undrop(node, _u(trail[top]))
                    phase = RETREAT
        elif level == 0:
            phase = DONE
        else:
            level -= 1
            item = _u(chosen_item[level])
            p = _u(choice[level])
            if p == LEAVE:
                _uncover(node, left, right, item, n_primary)
                while top > trail_base[level]:
                    top -= 1
                    _undrop(node, _u(trail[top]))
            else:
                _uncommit_others(node, left, right, need, room, p, n_primary)
                if bounded:
                    spent -= costs[_option(node, p)]
                if trail_base[level] < 0:
                    choice[level] = node[p, DOWN]
                else:
                    _uncommit(node, left, right, need, room, p, n_primary)
                phase = ADVANCE
    register[LEVEL] = level
    register[PHASE] = phase
    register[TRAIL] = top
    register[SPENT] = spent
    register[NODES] += nodes
    register[UPDATES] += updates
    return found


# The same two functions, compiled into the loop below instead of being called from it.
# (Under NUMBA_DISABLE_JIT they are plain functions, without a `py_func`.)
_cover_here = _inlined(getattr(_cover, "py_func", _cover))
_uncover_here = _inlined(getattr(_uncover, "py_func", _uncover))


@numba.njit(
    "int64(uint32[:,::1], uint32[::1], uint32[::1], uint32[::1], uint32[::1], int64[::1],"
    " int32[::1], int64, int64, int64, int64)",
    cache=True,
    error_model="numpy",
    nogil=True,
)
def run_plain(  # type: ignore[no-untyped-def]
    node, left, right, chosen_item, choice, register, out, n_primary, rule, node_budget, wanted,
):  # fmt: skip
    """:func:`run` for plain problems (Algorithm X): all items once, no colours, no ceiling.

    It takes exactly the same steps, in half the time.
    """
    level = register[LEVEL]
    phase = register[PHASE]
    nodes = 0
    updates = 0
    found = 0
    fill = 0
    while phase != DONE:
        if phase == SELECT:
            if nodes >= node_budget or found >= wanted:
                break
            nodes += 1
            best = _u(0)
            fewest = np.uint32(0xFFFFFFFF)
            item = _u(right[0])
            while item != 0:
                options = node[item, LEN]
                if options < fewest and (rule == FEWEST or best == 0 or options <= 1):
                    best = item
                    fewest = options
                    if options == 0:
                        break
                item = _u(right[item])
            if best == 0:
                found += 1
                if len(out):
                    out[fill] = level
                    for depth in range(level):
                        out[fill + 1 + depth] = _option(node, _u(choice[depth]))
                    fill += level + 1
                phase = RETREAT
            elif fewest == 0:
                phase = RETREAT
            else:
                chosen_item[level] = best
                updates += _cover_here(node, left, right, best, n_primary)
                choice[level] = node[best, DOWN]
                phase = ADVANCE
        elif phase == ADVANCE:
            p = _u(choice[level])
            if p == chosen_item[level]:
                _uncover_here(node, left, right, p, n_primary)
                phase = RETREAT
            else:
                q = p + _ONE
                while q != p:
                    other = _u(node[q, TOP])
                    if other >= SPACER:
                        q = _u(node[q, UP])
                    else:
                        updates += _cover_here(node, left, right, other, n_primary)
                        q += _ONE
                level += 1
                phase = SELECT
        elif level == 0:
            phase = DONE
        else:
            level -= 1
            p = _u(choice[level])
            q = p - _ONE
            while q != p:
                other = _u(node[q, TOP])
                if other >= SPACER:
                    q = _u(node[q, DOWN])
                else:
                    _uncover_here(node, left, right, other, n_primary)
                    q -= _ONE
            choice[level] = node[p, DOWN]
            phase = ADVANCE
    register[LEVEL] = level
    register[PHASE] = phase
    register[NODES] += nodes
    register[UPDATES] += updates
    return found


@dataclass(slots=True)
class Links:
    """The search over one problem, as a kernel that the engine drives slice by slice."""

    problem: Problem
    node: CountArray
    left: CountArray
    right: CountArray
    need: IntArray
    room: IntArray
    _levels: tuple[CountArray, CountArray, IntArray]
    _trail: CountArray
    _costs: LongArray
    _share: LongArray
    _register: LongArray
    _rule: int
    _bounded: bool
    _plain: bool

    @classmethod
    def of(cls, problem: Problem, *, bounded: bool = False) -> Links:
        """Set up the links; `bounded`: only solutions that cost less than :attr:`ceiling`."""
        n_items, n_primary = problem.n_items, problem.n_primary
        shares = _shares(problem) if bounded else np.zeros(len(problem.items), dtype=np.int64)
        node, place = _nodes(problem, shares)
        share = np.zeros(len(node), dtype=np.int64)
        share[place] = shares
        circle = np.arange(n_items + 2, dtype=np.uint32)
        left, right = circle - np.uint32(1), circle + np.uint32(1)
        left[0], right[n_primary] = n_primary, 0
        need = np.zeros(n_items + 1, dtype=np.int32)
        room = np.ones(n_items + 1, dtype=np.int32)
        need[1 : n_primary + 1] = problem.low
        room[1 : n_primary + 1] = problem.high
        depth = n_primary + problem.n_options + 1
        level = np.zeros(depth, dtype=np.uint32)
        return cls(
            problem, node, left, right, need, room,
            (level, level.copy(), np.zeros(depth, dtype=np.int32)),
            np.zeros(problem.n_options + 1, dtype=np.uint32),
            np.ascontiguousarray(problem.costs, dtype=np.int64),
            share,
            np.zeros(REGISTERS, dtype=np.int64),
            IN_ORDER if problem.ordered else FEWEST,
            bounded,
            problem.is_plain and not problem.has_colours and not bounded,
        )  # fmt: skip

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

    @property
    def longest(self) -> int:
        """The most options a solution can have."""
        return len(self._levels[0])

    def set_ceiling(self, cost: int) -> None:
        """Cut off everything that costs `cost` or more from now on."""
        self._register[CEILING] = cost

    def advance(self, nodes: int, wanted: int, out: IntArray) -> int:
        """Visit up to `nodes` nodes or find up to `wanted` solutions; gives how many were found.

        `out` gets each solution as its length and its options (the problem's numbering); with an
        empty `out` they are only counted.
        """
        item, choice, base = self._levels
        if self._plain:
            return int(
                run_plain(
                    self.node, self.left, self.right, item, choice, self._register, out,
                    self.problem.n_primary, self._rule, nodes, wanted,
                )
            )  # fmt: skip
        return int(
            run(
                self.node, self.left, self.right, self.need, self.room, item, choice, base,
                self._trail, self._costs, self._share, self._register, out,
                self.problem.n_primary, self._rule, int(self._bounded), nodes, wanted,
            )
        )  # fmt: skip


def _nodes(problem: Problem, shares: LongArray) -> tuple[CountArray, LongArray]:
    """The nodes, and (entries,) the node of each entry.

    First the headers, then the options with a spacer before, between and behind. Each item's
    list is sorted by `shares`, then by option.
    """
    n_items, n_options = problem.n_items, problem.n_options
    lengths = np.diff(problem.starts)
    n_entries = len(problem.items)
    first_spacer = n_items + 1
    node = np.zeros((first_spacer + n_entries + n_options + 1, 4), dtype=np.uint32)
    owner = np.repeat(np.arange(n_options), lengths)
    place = first_spacer + 1 + np.arange(n_entries) + owner
    spacer = first_spacer + problem.starts + np.arange(n_options + 1)
    node[place, TOP] = problem.items + 1
    node[place, COLOUR] = problem.colours
    node[spacer, TOP] = SPACER + np.arange(n_options + 1, dtype=np.uint32)
    node[spacer[1:], UP] = spacer[:-1] + 1
    node[spacer[:-1], DOWN] = spacer[1:] - 1
    node[: n_items + 1, LEN] = np.bincount(problem.items + 1, minlength=n_items + 1)
    # Each list in order: header, its nodes, and round again.
    headers = np.arange(n_items + 1)
    members = np.concatenate([headers, place])
    tops = np.concatenate([headers, problem.items + 1])
    lowest = np.full(n_items + 1, np.iinfo(np.int64).min)
    order = np.lexsort((members, np.concatenate([lowest, shares]), tops))
    chain, tops = members[order], tops[order]
    following = np.roll(chain, -1)
    ends = np.flatnonzero(np.roll(tops, -1) != tops)
    following[ends] = tops[ends]
    if n_items == 0:
        following[:] = 0
    node[chain, DOWN] = following
    node[following, UP] = chain
    return node, place


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
