"""A second checker of certificates, written from docs/certificates.md and nothing else.

It shares no code with the first, and reckons with sets of named marks instead of integers. Slow:
for small models. What is wrong in a certificate raises an AssertionError.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from twostep.models.language.model import Model

Mark = tuple[str, int, int]
State = frozenset[Mark]


class Marks:
    """The chapter "States" of the page."""

    def __init__(self, model: Model, order: list[int]) -> None:
        self.model = model
        self.entries = [model.option(option) for option in range(model.n_options)]
        self.rows: dict[int, list[Mark]] = {}
        for item in order:
            length = max(1, min(int(model.high[item]), len(self.options(item)) + 1))
            self.rows[item] = [("covered", item, time) for time in range(length)]
        self.colours = {
            item: sorted({0} | {c for entries in self.entries for i, c in entries if i == item})
            for item in range(model.n_items)
            if not model.primary[item]
        }
        self.barred: list[Mark] = [
            ("barred", option, 0)
            for option, entries in enumerate(self.entries)
            if any(len(self.rows.get(item, [])) > 1 for item, _ in entries)
        ]
        self.places: list[Mark] = [mark for row in self.rows.values() for mark in row]
        self.places += [("never", item, c) for item, known in self.colours.items() for c in known]
        self.places += self.barred

    def options(self, item: int) -> list[int]:
        return [o for o, entries in enumerate(self.entries) if item in dict(entries)]

    def number(self, state: State) -> int:
        return sum(1 << place for place, mark in enumerate(self.places) if mark in state)

    def is_closed(self, state: State, item: int) -> bool:
        return self.rows[item][-1] in state

    def is_solution(self, state: State) -> bool:
        return all(self.is_closed(state, item) for item in self.rows)

    def fits(self, state: State, option: int) -> bool:
        if ("barred", option, 0) in state:
            return False
        return not any(
            self.is_closed(state, item) if item in self.rows else ("never", item, colour) in state
            for item, colour in self.entries[option]
        )

    def bar(self, state: State, options: list[int]) -> State:
        return state | {mark for mark in self.barred if mark[1] in options}

    def close(self, state: State, item: int) -> State:
        return self.bar(state | set(self.rows[item]), self.options(item))

    def take(self, state: State, option: int) -> State:
        for item, colour in self.entries[option]:
            if item in self.rows:
                state |= {next(mark for mark in self.rows[item] if mark not in state)}
                if self.is_closed(state, item):
                    state = self.close(state, item)
            else:
                state |= {("never", item, c) for c in self.colours[item] if c != colour or c == 0}
        return self.bar(state, [option])

    def start(self) -> State | None:
        state: State = frozenset(
            mark for item, row in self.rows.items() if self.model.high[item] == 0 for mark in row
        )
        for option in self.model.chosen:
            if not self.fits(state, option):
                return None
            state = self.take(state, option)
        return state

    def branches(self, state: State, item: int) -> list[int]:
        """The chapter "A line of a state"."""
        assert not self.is_closed(state, item)
        fitting = [option for option in self.options(item) if self.fits(state, option)]
        need = int(self.model.low[item]) - sum(mark in state for mark in self.rows[item])
        if need <= 0:
            return [*fitting, -1]
        return fitting[: max(0, len(fitting) - (need - 1))]

    def after(self, state: State, item: int, branch: int) -> State:
        if branch == -1:
            return self.close(state, item)
        state = self.take(state, branch)
        if len(self.rows[item]) > 1:
            state = self.bar(state, [o for o in self.options(item) if o <= branch])
        return state


def proven(path: Path, model: Model) -> int:
    """The number of solutions that a certificate with states proves for a model.

    Without a side condition. The listed solutions are not looked at.
    """
    lines = gzip.decompress(path.read_bytes()).decode("ascii").splitlines()
    header, end = json.loads(lines[0]), json.loads(lines[-1])
    assert header["schema"] == "twostep-certificate/2"
    assert header["model"] == model.fingerprint
    marks = Marks(model, header["order"])
    derived: dict[int, tuple[State, int]] = {}
    total = 0

    def derive(state: State, ways: int) -> int:
        if marks.is_solution(state):
            return ways
        number = marks.number(state)
        derived[number] = state, ways + derived.get(number, (state, 0))[1]
        return 0

    if (start := marks.start()) is not None:
        total += derive(start, 1)
    for line in lines[1:-1]:
        if line[0] == "=":
            continue
        words = line.split()
        state, ways = derived.pop(int(words[0], 16))
        item = int(words[1])
        assert ways == int(words[2])
        branches = marks.branches(state, item)
        assert branches == [int(word.split("!")[0]) for word in words[3:]]
        for branch, word in zip(branches, words[3:], strict=True):
            after = marks.after(state, item, branch)
            if "!" in word:
                assert marks.branches(after, int(word.split("!")[1])) == []
            else:
                total += derive(after, ways)
    assert not derived
    assert end["complete"]
    assert end["count"] == total
    return total
