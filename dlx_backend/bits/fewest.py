"""Live-option bitsets: fewest options first, as in Algorithm X, but nothing is ever undone.

At each level the live options are a bitset (see :mod:`twostep.dlx_backend.bits.table`), and the
numbers of live options of each needed item an array; both are *copied* when going down. Taking an
option is one pass over the words, ``live & compatible[option]``, and only the options that just
died are walked, to lower their items' sizes. As soon as a size becomes 0 the child is a dead end
and is left before it is complete. A covered item gets a size that can't become the smallest.

The loop is resumable (see :class:`twostep.dlx_backend.kernel.Kernel`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np

from twostep.dlx_backend.bits.search import LEVEL, REGISTERS, BitSearch
from twostep.dlx_backend.bits.table import BitTable, WordArray, lowest
from twostep.dlx_backend.kernel import NODES, UPDATES
from twostep.models.language.model import IntArray, LongArray

COVERED = 1 << 24
"""Added to the size of a covered item: more than any number of options."""

_u = np.uint64


@numba.njit(
    "int64(uint64[:,::1], uint64[:,::1], int64[::1], int32[::1], int32[::1], uint64[:,::1],"
    " int32[:,::1], int64[::1], int64[::1], uint64[::1], int64[::1], int32[::1], int64[::1],"
    " int32[::1], int64, int64)",
    cache=True,
    error_model="numpy",
    nogil=True,
)
def run(  # type: ignore[no-untyped-def]
    compatible, of_item, starts, items, options, live, size, branch, word, bits, stop,
    choice, register, out, node_budget, wanted,
):  # fmt: skip
    """Go on with the search; gives the number of solutions found in this call.

    Args:
        compatible, starts, items, options: see :class:`BitTable`.
        of_item: (needed, words) the options of each needed item.
        live, size: per level the live options and the items' numbers of live options.
        branch, word, bits, stop: per level the item branched on, the word of its options that is
            being tried, those of this word still to be tried, and the words that are tried: all
            before this one.
        choice: per level the rank of the option chosen.
        register, out, node_budget, wanted: as in :func:`twostep.dlx_backend.bits.inorder.run`.
    """
    one = _u(1)
    zero = _u(0)
    words = live.shape[1]
    n_needed = size.shape[1]
    level = register[LEVEL]
    nodes = 0
    updates = 0
    found = 0
    fill = 0
    while level >= 0:
        untried = bits[level]
        if untried == zero:
            w = word[level] + 1
            item = branch[level]
            last = stop[level]
            while w < last:
                untried = live[level, w] & of_item[item, w]
                if untried != zero:
                    break
                w += 1
            if w < last:
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
        choice[level] = rank

        child = level + 1
        for x in range(n_needed):
            size[child, x] = size[level, x]
        for entry in range(starts[rank], starts[rank + 1]):
            size[child, items[entry]] += COVERED
        dead = False
        for w in range(words):
            before = live[level, w]
            after = before & compatible[rank, w]
            live[child, w] = after
            died = before ^ after
            while died != zero:
                gone = (w << 6) + np.int64(lowest(died))
                died &= died - one
                for entry in range(starts[gone], starts[gone + 1]):
                    x = items[entry]
                    left = size[child, x] - 1
                    size[child, x] = left
                    dead |= left == 0
                updates += 1
            if dead:
                break
        if dead:
            continue

        # Two simple passes: the compiler makes vector instructions of the first.
        fewest = size[child, 0]
        for x in range(1, n_needed):
            fewest = min(fewest, size[child, x])
        best = 0
        while size[child, best] != fewest:
            best += 1
        if fewest >= COVERED // 2:
            found += 1
            if len(out):
                out[fill] = child
                for depth in range(child):
                    out[fill + 1 + depth] = options[choice[depth]]
                fill += child + 1
            continue
        level = child
        branch[level] = best
        word[level] = -1
        bits[level] = zero
        stop[level] = words
    register[LEVEL] = level
    register[NODES] += nodes
    register[UPDATES] += updates
    return found


@numba.njit(
    "Tuple((uint64[:,::1], uint64[:,::1], int32[:,::1], int64[::1], int64))"
    "(int64[::1], int32[::1], int64)",
    cache=True,
    error_model="numpy",
)
def _start(starts, items, n_needed):  # type: ignore[no-untyped-def]
    """The options of each needed item as bits; `live`, `size`, `branch` and the level at first."""
    n_options = len(starts) - 1
    words = (n_options + 63) >> 6
    of_item = np.zeros((n_needed, words), dtype=np.uint64)
    live = np.empty((n_needed + 1, words), dtype=np.uint64)
    live[0] = _u(0)
    size = np.empty((n_needed + 1, n_needed), dtype=np.int32)
    size[0] = 0
    for rank in range(n_options):
        bit = _u(1) << _u(rank & 63)
        live[0, rank >> 6] |= bit
        for entry in range(starts[rank], starts[rank + 1]):
            of_item[items[entry], rank >> 6] |= bit
            size[0, items[entry]] += 1
    branch = np.empty(n_needed + 1, dtype=np.int64)
    branch[0] = np.argmin(size[0])
    return of_item, live, size, branch, 0 if size[0, branch[0]] else -1


@dataclass(slots=True)
class Fewest(BitSearch):
    """The search; its updates are options that died, each counted wherever it did."""

    of_item: WordArray
    _size: IntArray
    _branch: LongArray

    _stops_per_word = 1

    @classmethod
    def of(cls, table: BitTable) -> Fewest:
        """Start at the root; the table has at least one needed item and one option."""
        depth = table.n_needed + 1
        of_item, live, size, branch, level = _start(table.starts, table.items, table.n_needed)
        word = np.empty(depth, dtype=np.int64)
        word[0] = -1
        bits = np.empty(depth, dtype=np.uint64)
        bits[0] = 0
        stop = np.empty(depth, dtype=np.int64)
        stop[0] = table.words
        register = np.zeros(REGISTERS, dtype=np.int64)
        register[LEVEL] = level
        choice = np.empty(depth, dtype=np.int32)
        return cls(register, table, live, word, bits, stop, choice, of_item, size, branch)

    def advance(self, nodes: int, wanted: int, out: IntArray) -> int:
        """See :meth:`BitSearch.advance`."""
        table = self.table
        return int(
            run(
                table.compatible, self.of_item, table.starts, table.items, table.options,
                self._live, self._size, self._branch, self._word, self._bits, self._stop,
                self._choice, self.register, out, nodes, wanted,
            )
        )  # fmt: skip

    def _later(self, level: int) -> list[tuple[int, int]]:
        begin, end = int(self._word[level]) + 1, int(self._stop[level])
        untried = self._live[level, begin:end] & self.of_item[self._branch[level], begin:end]
        return [(begin + place, int(untried[place])) for place in np.flatnonzero(untried).tolist()]
