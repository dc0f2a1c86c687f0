"""First item in a fixed order: always cover the first uncovered item, whatever its options.

On boards, cell by cell along the short side, this beats choosing the item with the fewest
options: the tree is several times larger, but a node costs a hundredth. At each level:

* the live options, those compatible with everything chosen, are one bitset (see
  :mod:`twostep.dlx_backend.bits`); it is *copied* when going down, so that nothing is undone when
  coming back;
* all earlier items being covered, every live option of the first uncovered item has that item as
  its first: the options to try are a range of consecutive bits, with no test at all;
* before the copy is made, the range of the next item is looked at: if nothing in it would be left
  alive, the child is a dead end. Two thirds of the nodes end here, having cost one or two words.

The loop is resumable (see :class:`twostep.dlx_backend.engine.Kernel`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numba
import numpy as np

from twostep.dlx_backend.bits import BitTable, WordArray, halve, lowest
from twostep.models.model import IntArray, LongArray

LEVEL, NODES, UPDATES, REGISTERS = range(4)

_u = np.uint64


@numba.njit(
    "int64(uint64[:,::1], uint64[:,::1], int64[::1], int32[::1], uint64[:,::1], uint64[:,::1],"
    " int64[::1], uint64[::1], int64[::1], int32[::1], int64[::1], int32[::1], int64, int64)",
    cache=True,
    error_model="numpy",
    nogil=True,
)
def run(  # type: ignore[no-untyped-def]
    masks, compatible, group, options, live, covered, word, bits, stop, choice,
    register, out, node_budget, wanted,
):  # fmt: skip
    """Go on with the search; gives the number of solutions found in this call.

    Args:
        masks, compatible, group, options: see :class:`BitTable`.
        live, covered: per level the live options and the covered items.
        word, bits, stop: per level the word of `live` that is being tried, its options still to
            be tried, and the end of the item's range.
        choice: per level the rank of the option chosen.
        register: the scalars, see LEVEL and following; the level is -1 when all is done.
        out: each solution as its length and its options; empty: only count.
        node_budget: return after so many nodes.
        wanted: return after so many solutions; `out` has room for them.
    """
    one = _u(1)
    zero = _u(0)
    ones = _u(0xFFFFFFFFFFFFFFFF)
    words = live.shape[1]
    item_words = covered.shape[1]
    n_needed = len(group) - 1
    level = register[LEVEL]
    nodes = 0
    updates = 0
    found = 0
    fill = 0
    while level >= 0:
        untried = bits[level]
        if untried == zero:
            w = word[level] + 1
            end = stop[level]
            if (w << 6) < end:
                untried = live[level, w]
                if end < (w + 1) << 6:
                    untried &= (one << _u(end & 63)) - one
                word[level] = w
                bits[level] = untried
            else:
                level -= 1
            continue
        if nodes >= node_budget or found >= wanted:
            break
        nodes += 1
        rank = (word[level] << 6) + np.int64(lowest(untried))
        bits[level] = untried & (untried - one)

        # The first uncovered item of the child.
        at = 0
        free = ~(covered[level, 0] | masks[rank, 0])
        while free == zero and at + 1 < item_words:
            at += 1
            free = ~(covered[level, at] | masks[rank, at])
        item = np.int64(n_needed)
        if free != zero:
            item = np.int64(at << 6) + np.int64(lowest(free))
        if item >= n_needed:
            found += 1
            if len(out):
                choice[level] = rank
                out[fill] = level + 1
                for depth in range(level + 1):
                    out[fill + 1 + depth] = options[choice[depth]]
                fill += level + 2
            continue

        # Is anything alive in the range of that item?
        begin = group[item]
        end = group[item + 1]
        if begin == end:
            continue
        w = begin >> 6
        last = (end - 1) >> 6
        untried = live[level, w] & compatible[rank, w] & (ones << _u(begin & 63))
        if w == last:
            if end < (w + 1) << 6:
                untried &= (one << _u(end & 63)) - one
            if untried == zero:
                continue
        else:
            alive = untried
            for x in range(w + 1, last):
                alive |= live[level, x] & compatible[rank, x]
            tail = live[level, last] & compatible[rank, last]
            if end < (last + 1) << 6:
                tail &= (one << _u(end & 63)) - one
            if alive | tail == zero:
                continue

        # Go down. Earlier words can't be needed any more.
        choice[level] = rank
        for x in range(item_words):
            covered[level + 1, x] = covered[level, x] | masks[rank, x]
        for x in range(w, words):
            live[level + 1, x] = live[level, x] & compatible[rank, x]
        updates += words - w
        level += 1
        word[level] = w
        bits[level] = untried
        stop[level] = end
    register[LEVEL] = level
    register[NODES] += nodes
    register[UPDATES] += updates
    return found


@dataclass(slots=True)
class InOrder:
    """The search over one simple problem, as a kernel that the engine drives slice by slice."""

    table: BitTable
    _live: WordArray
    _covered: WordArray
    _word: LongArray
    _bits: WordArray
    _stop: LongArray
    _choice: IntArray
    _register: LongArray

    @classmethod
    def of(cls, table: BitTable) -> InOrder:
        """Start at the root; the table has at least one needed item and one option."""
        depth = table.n_needed + 1
        live = np.zeros((depth, table.words), dtype=np.uint64)
        live[0] = table.everything()
        bits = np.zeros(depth, dtype=np.uint64)
        stop = np.zeros(depth, dtype=np.int64)
        stop[0] = table.group[1]
        bits[0] = live[0, 0]
        if stop[0] < 64:
            bits[0] &= np.uint64((1 << int(stop[0])) - 1)
        register = np.zeros(REGISTERS, dtype=np.int64)
        return cls(
            table, live, np.zeros((depth, table.masks.shape[1]), dtype=np.uint64),
            np.zeros(depth, dtype=np.int64), bits, stop, np.zeros(depth, dtype=np.int32), register,
        )  # fmt: skip

    @property
    def done(self) -> bool:
        """Whether the whole search space was seen."""
        return bool(self._register[LEVEL] < 0)

    @property
    def nodes(self) -> int:
        """Search nodes so far: options tried."""
        return int(self._register[NODES])

    @property
    def updates(self) -> int:
        """Words of live options written so far."""
        return int(self._register[UPDATES])

    @property
    def longest(self) -> int:
        """The most options a solution can have."""
        return self.table.n_needed

    def advance(self, nodes: int, wanted: int, out: IntArray) -> int:
        """Visit up to `nodes` nodes or find up to `wanted` solutions; gives the number found.

        `out` gets each solution as its length and its options (the problem's numbering); with an
        empty `out` they are only counted.
        """
        table = self.table
        return int(
            run(
                table.masks, table.compatible, table.group, table.options, self._live,
                self._covered, self._word, self._bits, self._stop, self._choice,
                self._register, out, nodes, wanted,
            )
        )  # fmt: skip

    def split(self) -> InOrder | None:
        """Give away about half of what is still to be tried, at the lowest level that has two.

        What stays and what is given away are disjoint, and together all that was there before:
        every option is tried by exactly one of the two. None: there is nothing to give.
        """
        for level in range(int(self._register[LEVEL]) + 1):
            halves = halve(int(self._word[level]), int(self._bits[level]), self._later(level))
            if halves is None:
                continue
            other = self._from(level)
            other._word[level] = halves.their_word
            other._bits[level] = np.uint64(halves.theirs)
            self._word[level] = halves.word
            self._bits[level] = np.uint64(halves.mine)
            self._stop[level] = min(int(self._stop[level]), 64 * halves.stop)
            return other
        return None

    def _later(self, level: int) -> list[tuple[int, int]]:
        """The words after the one being tried, with the options there, if there are any."""
        end = int(self._stop[level])
        words = []
        for word in range(int(self._word[level]) + 1, (end + 63) // 64):
            untried = int(self._live[level, word])
            if end < 64 * (word + 1):
                untried &= (1 << end % 64) - 1
            if untried:
                words.append((word, untried))
        return words

    def _from(self, level: int) -> InOrder:
        """A search of its own that begins at a level, with nothing to try at those below it."""
        register = np.zeros(REGISTERS, dtype=np.int64)
        register[LEVEL] = level
        bits, stop = self._bits.copy(), self._stop.copy()
        bits[:level] = 0
        stop[:level] = 0
        return replace(
            self,
            _live=self._live.copy(),
            _covered=self._covered.copy(),
            _word=self._word.copy(),
            _bits=bits,
            _stop=stop,
            _choice=self._choice.copy(),
            _register=register,
        )
