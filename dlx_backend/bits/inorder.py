"""First item in a fixed order: always cover the first uncovered item, whatever its options.

On boards, cell by cell along the short side, this beats choosing the item with the fewest
options: the tree is several times larger, but a node costs a hundredth. At each level:

* the live options, those compatible with everything chosen, are one bitset (see
  :mod:`twostep.dlx_backend.bits.table`); it is *copied* when going down, so that nothing is undone
  when coming back;
* all earlier items being covered, every live option of the first uncovered item has that item as
  its first: the options to try are a range of consecutive bits, with no test at all;
* before the copy is made, the range of the next item is looked at: if nothing in it would be left
  alive, the child is a dead end. Two thirds of the nodes end here, having cost one or two words.

The loop is resumable (see :class:`twostep.dlx_backend.kernel.Kernel`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np

from twostep.dlx_backend.bits.search import LEVEL, REGISTERS, BitSearch
from twostep.dlx_backend.bits.table import BitTable, WordArray, lowest
from twostep.dlx_backend.kernel import NODES, UPDATES
from twostep.models.language.model import IntArray

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
        register: the scalars, see :mod:`twostep.dlx_backend.bits.search`.
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
class InOrder(BitSearch):
    """The search; its updates are words of live options that were written."""

    _covered: WordArray

    _stops_per_word = 64

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
        covered = np.zeros((depth, table.masks.shape[1]), dtype=np.uint64)
        word = np.zeros(depth, dtype=np.int64)
        choice = np.zeros(depth, dtype=np.int32)
        register = np.zeros(REGISTERS, dtype=np.int64)
        return cls(register, table, live, word, bits, stop, choice, covered)

    def advance(self, nodes: int, wanted: int, out: IntArray) -> int:
        """See :meth:`BitSearch.advance`."""
        table = self.table
        return int(
            run(
                table.masks, table.compatible, table.group, table.options, self._live,
                self._covered, self._word, self._bits, self._stop, self._choice,
                self.register, out, nodes, wanted,
            )
        )  # fmt: skip

    def _later(self, level: int) -> list[tuple[int, int]]:
        end = int(self._stop[level])
        words = []
        for word in range(int(self._word[level]) + 1, (end + 63) // 64):
            untried = int(self._live[level, word])
            if end < 64 * (word + 1):
                untried &= (1 << end % 64) - 1
            if untried:
                words.append((word, untried))
        return words
