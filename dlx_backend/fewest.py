"""Live-option bitsets: fewest options first, as in Algorithm X, but nothing is ever undone.

At each level the set of live options is a bitset (see :mod:`twostep.dlx_backend.bits`) and the
number of live options of each needed item an array; both are *copied* when going down. Taking an
option is one pass over the words, ``live & compatible[option]``, and only the options that just
died are walked, to lower their items' sizes. As soon as a size becomes 0 the child is a dead end
and is left before it is complete. An item covered gets a size that can't become the smallest.

The loop is resumable (see :class:`twostep.dlx_backend.engine.Kernel`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numba
import numpy as np

from twostep.dlx_backend.bits import BitTable, WordArray, halve, lowest
from twostep.models.model import IntArray, LongArray

LEVEL, NODES, UPDATES, REGISTERS = range(4)

COVERED = 1 << 24
"""Added to the size of a covered item: more than any number of options."""

_u = np.uint64


@numba.njit("uint64[:,::1](int64[::1], int32[::1], int64, int64)", cache=True, error_model="numpy")
def members(starts, items, n_needed, words):  # type: ignore[no-untyped-def]
    """(needed, words) the options of each needed item, as bits."""
    of_item = np.zeros((n_needed, words), dtype=np.uint64)
    for rank in range(len(starts) - 1):
        for entry in range(starts[rank], starts[rank + 1]):
            of_item[items[entry], rank >> 6] |= _u(1) << _u(rank & 63)
    return of_item


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
        of_item: see :func:`members`.
        live, size: per level the live options and the items' numbers of live options.
        branch, word, bits, stop: per level the item branched on, the word of its options that is
            being tried, those of this word still to be tried, and the words that are tried: all
            before this one.
        choice: per level the rank of the option chosen.
        register, out, node_budget, wanted: as in :func:`twostep.dlx_backend.inorder.run`.
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


@dataclass(slots=True)
class Fewest:
    """The search over one simple problem, as a kernel that the engine drives slice by slice."""

    table: BitTable
    of_item: WordArray
    _live: WordArray
    _size: IntArray
    _branch: LongArray
    _word: LongArray
    _bits: WordArray
    _stop: LongArray
    _choice: IntArray
    _register: LongArray

    @classmethod
    def of(cls, table: BitTable) -> Fewest:
        """Start at the root; the table has at least one needed item and one option."""
        depth = table.n_needed + 1
        live = np.zeros((depth, table.words), dtype=np.uint64)
        live[0] = table.everything()
        size = np.zeros((depth, table.n_needed), dtype=np.int32)
        size[0] = np.bincount(table.items, minlength=table.n_needed)
        branch = np.zeros(depth, dtype=np.int64)
        branch[0] = np.argmin(size[0])
        word = np.full(depth, -1, dtype=np.int64)
        register = np.zeros(REGISTERS, dtype=np.int64)
        if size[0].min() == 0:
            register[LEVEL] = -1
        of_item = members(table.starts, table.items, table.n_needed, table.words)
        return cls(
            table, of_item, live, size, branch, word, np.zeros(depth, dtype=np.uint64),
            np.full(depth, table.words, dtype=np.int64),
            np.zeros(depth, dtype=np.int32), register,
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
        """Options that died so far, each counted wherever it did."""
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
                table.compatible, self.of_item, table.starts, table.items, table.options,
                self._live, self._size, self._branch, self._word, self._bits,
                self._stop, self._choice,
                self._register, out, nodes, wanted,
            )
        )  # fmt: skip

    def split(self) -> Fewest | None:
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
            self._stop[level] = min(int(self._stop[level]), halves.stop)
            return other
        return None

    def _later(self, level: int) -> list[tuple[int, int]]:
        """The words after the one being tried, with the options there, if there are any."""
        begin, end = int(self._word[level]) + 1, int(self._stop[level])
        untried = self._live[level, begin:end] & self.of_item[self._branch[level], begin:end]
        return [(begin + place, int(untried[place])) for place in np.flatnonzero(untried).tolist()]

    def _from(self, level: int) -> Fewest:
        """A search of its own that begins at a level, with nothing to try at those below it."""
        register = np.zeros(REGISTERS, dtype=np.int64)
        register[LEVEL] = level
        bits, stop = self._bits.copy(), self._stop.copy()
        bits[:level] = 0
        stop[:level] = 0
        return replace(
            self,
            _live=self._live.copy(),
            _size=self._size.copy(),
            _branch=self._branch.copy(),
            _word=self._word.copy(),
            _bits=bits,
            _stop=stop,
            _choice=self._choice.copy(),
            _register=register,
        )
