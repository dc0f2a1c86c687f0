"""``twostep verify``: goes through a certificate line by line and believes none of it.

The format is described in ``docs/certificates.md``. The checker keeps the states that were
derived and not yet followed, each with the number of ways that lead to it. A line follows one of
them: it names an item, and must give exactly the branches that the checker finds for this item
itself. When no state is left, the ways that ended in solutions are the number of solutions.
"""

from __future__ import annotations

import gzip
import json
import os
import zlib
from dataclasses import asdict, dataclass, replace

from twostep.models.certificate.states import States
from twostep.models.errors import InputError
from twostep.models.language.model import Model, Solution
from twostep.models.language.verify import fault
from twostep.models.reading.files import opened
from twostep.models.words import TOO_LONG, TOO_LONG_TO_KEEP

SCHEMA = "twostep-certificate/2"
MAX_LINE = 1 << 22
"""What a line may weigh, bytes."""


@dataclass(frozen=True, slots=True)
class Verified:
    """What a certificate has proven; its last line says the same.

    Attributes:
        count: the number of solutions; at least so many if not `complete`.
        complete: whether `count` is exact.
        states: how many states were followed.
        listed: how many solutions are listed, each valid and different from the others.
    """

    count: int
    complete: bool
    states: int
    listed: int


def verify(path: str | os.PathLike[str], model: Model) -> Verified:
    """Check the certificate in `path` against `model`.

    Raises:
        InputError: it does not prove what it says; names the line and what is wrong there.
    """
    with opened(path) as file:
        lines = _Lines(gzip.GzipFile(fileobj=file))
        try:
            return _verify(lines, model)
        except InputError as error:
            error.source, error.line = os.fspath(path), lines.number
            raise


def _verify(lines: _Lines, model: Model) -> Verified:
    proof = _Proof(model, _order(lines.next(), model))
    while (line := lines.next()) and not line.startswith("{"):
        if line.startswith("="):
            proof.list_solution(line)
        else:
            proof.follow_state(line)
    proven = proof.result()
    if line.rstrip() != (expected := json.dumps(asdict(proven))):
        raise InputError(f"expected {expected}: {len(proof.waiting)} states were not followed")
    if lines.next():
        raise InputError("expected the end of the file")
    return proven


def _order(line: str, model: Model) -> list[int] | None:
    """What the first line says: the order of the items' marks; None: there are no states."""
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or header.get("schema") != SCHEMA:
        raise InputError(f"not a certificate: expected a JSON object with schema {SCHEMA!r}")
    if header.get("model") != model.fingerprint:
        raise InputError(f"a certificate for another model (of {header.get('puzzle')!r})")
    if (order := header.get("order")) is None:
        return None
    primary = [item for item in range(model.n_items) if model.primary[item]]
    if not isinstance(order, list) or set(map(type, order)) - {int} or sorted(order) != primary:
        raise InputError("order: expected every primary item once, or null")
    return order


class _Proof:
    """What the lines have shown so far.

    Attributes:
        waiting: the states derived and not yet followed, with the ways that lead to each.
    """

    def __init__(self, model: Model, order: list[int] | None) -> None:
        self.waiting: dict[int, int] = {}
        self._states = states = States(model, order)
        self._exact = order is not None
        self._followed = self._found = 0  # states; ways that ended in solutions
        self._condition, self._model = model.side_condition, replace(model, side_condition=None)
        self._listed = self._fulfilling = 0  # solutions; those that fulfil the side condition
        self._last: Solution | None = None
        if self._exact and states.start is not None:
            self._derive(states.start, 1)

    def _derive(self, state: int, ways: int) -> None:
        if state & self._states.goal == self._states.goal:
            self._found += ways
        else:
            self.waiting[state] = self.waiting.get(state, 0) + ways

    def follow_state(self, line: str) -> None:
        """Follow the state of a line into all branches of its item."""
        words = line.split()
        if len(words) < 3:
            raise InputError("expected a state, an item, a number of ways, and branches")
        state, item = _number(words[0], 16), _number(words[1])
        ways = self.waiting.pop(state, 0)
        if not ways:
            raise InputError(f"state {words[0]} was not derived, or was followed before")
        if ways != _number(words[2]):
            raise InputError(f"{ways} ways lead to this state, not {words[2]}")
        branches = self._states.branches(state, item)
        claims = [word.partition("!") for word in words[3:]]
        if [name for name, _, _ in claims] != [str(branch) for branch in branches]:
            raise InputError(f"expected the branches {branches} of item {item}")
        for branch, (_, dead, hopeless) in zip(branches, claims, strict=True):
            after = self._states.after(state, item, branch)
            if not dead:
                self._derive(after, ways)
            elif self._states.branches(after, _number(hopeless)):
                raise InputError(f"branch {branch}: item {hopeless} can still be covered")
        self._followed += 1

    def list_solution(self, line: str) -> None:
        """Check the solution of a line."""
        solution = tuple(_number(word) for word in line[1:].split())
        if self._last is not None and solution <= self._last:
            raise InputError("listed solutions must ascend: this one is before the last or equal")
        if why := fault(self._model, solution):
            raise InputError(f"no solution: {why}")
        self._last = solution
        self._listed += 1
        self._fulfilling += self._condition is None or self._condition.holds(solution)

    def result(self) -> Verified:
        """What all this proves."""
        followed, listed = self._exact and not self.waiting, self._listed
        if followed and listed > self._found:
            raise InputError(f"{self._found} solutions are proven, but {listed} are listed")
        if self._found >= TOO_LONG:
            raise InputError(TOO_LONG_TO_KEEP)
        # The states say nothing about a side condition: there all candidates must be listed.
        plain = self._condition is None
        complete = followed and (plain or listed == self._found)
        found = self._found if complete and plain else self._fulfilling
        return Verified(found, complete, self._followed, listed)


class _Lines:
    """The lines of a certificate, one at a time; nothing is kept, whatever the size of the file.

    Attributes:
        number: the number of the current line, from 1.
    """

    def __init__(self, text: gzip.GzipFile) -> None:
        self.number = 0
        self._text = text

    def next(self) -> str:
        """The next line; empty at the end of the file."""
        self.number += 1
        try:
            return self._text.readline(MAX_LINE).decode("ascii", "replace")
        except (EOFError, zlib.error, gzip.BadGzipFile):
            raise InputError("not a certificate: no gzip file, damaged or cut off") from None


def _number(word: str, base: int = 10) -> int:
    try:
        return int(word, base)
    except ValueError:
        raise InputError(f"expected a number, not {word[:40]!r}") from None
