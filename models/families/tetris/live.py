"""The real-time search: a block that makes as many squares of a row as its rows allow.

The table of patterns knows single squares under bars. Here any J, T or L may reach into the new
row, in any orientation, and may put one, two or three squares of its colour there; and squares
that stand in the row already hold pieces as well as the row below does.

The search is over the sets of filled cells of a strip of few rows, laid column by column as in
:mod:`twostep.models.families.tetris.packing`. A wanted square may be left out, at the price of
one. From the last column back, every set gets its lowest price and the number of ways to reach it,
so that a best packing is drawn uniformly from all of them.
"""

from __future__ import annotations

import random

from twostep.models.families.tetris.packing import Ground, Task, always_held, order, placements
from twostep.models.families.tetris.pieces import WIDTH, Placement
from twostep.models.families.tetris.printfile import NEW_ROW, Block

DRAWS = 24
"""How many best packings are drawn to find one that can be played."""


class Strip:
    """All packings of `rows` rows that make the most of the wanted squares."""

    def __init__(self, rows: int, ground: Ground, *, sure: bool = False) -> None:
        """The wanted squares are those of ``ground.create``.

        A wanted square holds pieces if it is made, and counts as made when placements are
        chosen, so a packing may turn out not to be playable. With `sure` it counts as not made.
        """
        self._rows = rows
        self._ground = ground
        self._span = rows + 1
        self._full = (1 << (WIDTH * self._span)) - 1
        self._at: list[list[tuple[int, Placement | None]]] = [[] for _ in range(WIDTH * self._span)]
        certain = Ground({}, ground.standing, ground.under)
        for placement in placements(Task(rows, ground=ground)):
            if sure and placement.row <= 0 and not always_held(placement, certain):
                continue
            bits = sum(1 << (x * self._span + y + 1) for x, y in placement.cells)
            self._at[(bits & -bits).bit_length() - 1].append((bits, placement))
        for column in ground.create:
            self._at[column * self._span].append((1 << (column * self._span), None))
        self._start = sum(1 << (x * self._span) for x in range(WIDTH) if x not in ground.create)
        self._best = self._price_all()

    def _place(self, filled: int) -> int:
        """The number of the lowest free cell of the leftmost column with one."""
        return (~filled & (filled + 1)).bit_length() - 1

    def _price_all(self) -> dict[int, tuple[int, int]]:
        """Per reachable set that can be completed: squares left out, and ways with so few."""
        layers: list[set[int]] = [set() for _ in range(len(self._at) + 1)]
        layers[self._place(self._start)].add(self._start)
        for place, candidates in enumerate(self._at):
            for filled in layers[place]:
                for bits, _ in candidates:
                    if not bits & filled:
                        after = filled | bits
                        layers[(~after & (after + 1)).bit_length() - 1].add(after)
        best = {self._full: (0, 1)} if layers[-1] else {}
        for place in range(len(self._at) - 1, -1, -1):
            for filled in layers[place]:
                price, ways = len(self._at), 0
                for bits, placement in self._at[place]:
                    entry = None if bits & filled else best.get(filled | bits)
                    if entry is None:
                        continue
                    total = entry[0] + (placement is None)
                    if total < price:
                        price, ways = total, entry[1]
                    elif total == price:
                        ways += entry[1]
                if ways:
                    best[filled] = (price, ways)
        return best

    def draw(self, rng: random.Random) -> list[Placement] | None:
        """One of the packings that leave out the fewest squares, each equally likely."""
        if self._start not in self._best:
            return None
        filled, found = self._start, []
        while filled != self._full:
            price, ways = self._best[filled]
            pick = rng.randrange(ways)
            for bits, placement in self._at[self._place(filled)]:
                entry = None if bits & filled else self._best.get(filled | bits)
                if entry is None or entry[0] + (placement is None) != price:
                    continue
                pick -= entry[1]
                if pick < 0:
                    filled |= bits
                    if placement is not None:
                        found.append(placement)
                    break
        return found

    def playable(self, rng: random.Random, draws: int = DRAWS) -> Block | None:
        """A best packing that can be played, or None if none of so many draws can."""
        for _ in range(draws):
            found = self.draw(rng)
            if found is None:
                return None
            made = {x for placement in found for x, y in placement.cells if y == NEW_ROW}
            create = {x: letter for x, letter in self._ground.create.items() if x in made}
            ground = Ground(create, self._ground.standing, self._ground.under)
            pieces = order(Task(self._rows, ground=ground), found)
            if pieces is not None:
                return Block(self._rows, pieces)
        return None
