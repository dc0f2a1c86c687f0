"""``twostep verify``: goes through a certificate line by line and believes none of it.

The format is described in ``docs/certificates.md``. The checker keeps the states that were
derived and not yet followed, each with the number of ways that lead to it. A line follows one of
them: it names an item, and must give exactly the branches that the checker finds for this item
itself. When no state is left, the ways that ended in solutions are the number of solutions.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

from twostep.models.certificate.lines import Lines, number
from twostep.models.certificate.states import States
from twostep.models.errors import InputError
from twostep.models.model import Model
from twostep.models.verify import fault

SCHEMA = "twostep-certificate/1"
EXACTLY = "exactly"
AT_LEAST = "at least"


@dataclass(frozen=True, slots=True)
class Verified:
    """What a certificate has proven.

    Attributes:
        puzzle: what the writer called the puzzle: no more than a name.
        count: the number of solutions; at least so many if not `complete`.
        complete: whether `count` is exact.
        states: how many states were followed.
        listed: how many solutions are listed, each valid and different from the others.
        content: SHA-256 (hex) of the certificate's lines.
    """

    puzzle: str
    count: int
    complete: bool
    states: int
    listed: int
    content: str


def verify(path: str | os.PathLike[str], model: Model) -> Verified:
    """Check the certificate in `path` against `model`.

    Raises:
        InputError: it proves nothing about this model; names the line and what is wrong there.
    """
    lines = Lines(path)
    try:
        return _check(lines, model)
    except InputError as error:
        error.source, error.line = os.fspath(path), lines.number or None
        raise


def _check(lines: Lines, model: Model) -> Verified:
    header = lines.members()
    for name, expected in (("schema", (SCHEMA,)), ("claim", (EXACTLY, AT_LEAST))):
        if header.get(name) not in expected:
            raise InputError(f"{name} {header.get(name)!r}, expected {' or '.join(expected)}")
    if header.get("model") != model.fingerprint:
        raise InputError(f"a certificate for another model (of {header.get('puzzle')!r})")
    states = States(model, _order(header.get("order"), model))
    lines.step()
    exact = header["claim"] == EXACTLY
    candidates = followed = 0
    if exact and states.start is not None:
        candidates, followed = _follow(lines, states, states.start)
    listed, fulfilling = _list(lines, model)
    # A side condition says nothing about states: there all candidates must be listed.
    if exact and (listed > candidates or (model.side_condition and listed < candidates)):
        raise InputError(f"{candidates} solutions are proven, but {listed} are listed")
    count = candidates if exact and not model.side_condition else fulfilling
    end = lines.members()
    for name, value in (("states", followed), ("listed", listed), ("count", count)):
        if end.get(name) != value:
            raise InputError(f"{name}: {value} here, but this line says {end.get(name)!r}")
    lines.step()
    if lines.text:
        raise InputError("expected the end of the file")
    return Verified(str(header.get("puzzle")), count, exact, followed, listed, lines.digest())


def _order(order: object, model: Model) -> list[int] | None:
    """The order of the items' marks that the header names, if it does."""
    if order is None:
        return None
    primary = [item for item in range(model.n_items) if model.primary[item]]
    if not isinstance(order, list) or set(map(type, order)) - {int} or sorted(order) != primary:
        raise InputError("order: expected every primary item once")
    return order


def _follow(lines: Lines, states: States, start: int) -> tuple[int, int]:
    """Follow all states from `start`; gives how many ways end in solutions, and the states."""
    goal = states.goal
    total = followed = 0
    waiting: dict[int, int] = {}  # derived and not yet followed -> ways that lead there
    if start & goal == goal:
        total = 1
    else:
        waiting[start] = 1
    while (words := lines.text.split()) and words[0][0] not in "={":
        if len(words) < 3:
            raise InputError("expected a state, an item, a number of ways, and branches")
        state, item = number(words[0], 16), number(words[1])
        ways = waiting.pop(state, 0)
        if not ways:
            raise InputError(f"state {words[0]} was not derived, or was followed before")
        if ways != number(words[2]):
            raise InputError(f"{ways} ways lead to this state, not {words[2]}")
        if not states.is_open(state, item):
            raise InputError(f"there is no item {item} to cover in this state")
        branches = states.branches(state, item)
        if len(branches) != len(words) - 3:
            raise InputError(f"item {item} has {len(branches)} branches, not {len(words) - 3}")
        for option, word in zip(branches, words[3:], strict=True):
            name, dead, hopeless = word.partition("!")
            if name != str(option):
                raise InputError(f"expected branch {option} of item {item}, not {name}")
            after = states.take(state, option, item)
            if dead:
                if not states.hopeless(after, number(hopeless)):
                    raise InputError(f"branch {option}: item {hopeless} can still be covered")
            elif after & goal == goal:
                total += ways
            else:
                waiting[after] = waiting.get(after, 0) + ways
        followed += 1
        lines.step()
    if waiting:
        raise InputError(
            f"{len(waiting)} derived states were not followed, such as {min(waiting):x}"
        )
    return total, followed


def _list(lines: Lines, model: Model) -> tuple[int, int]:
    """Check the listed solutions; gives how many there are, and with the side condition."""
    plain, condition = replace(model, side_condition=None), model.side_condition
    listed = fulfilling = 0
    last: tuple[int, ...] | None = None
    while lines.text.startswith("="):
        solution = tuple(number(word) for word in lines.text[1:].split())
        if last is not None and solution <= last:
            raise InputError("listed solutions must ascend: this one is before the last or equal")
        if why := fault(plain, solution):
            raise InputError(f"no solution: {why}")
        listed += 1
        fulfilling += condition is None or condition.holds(solution)
        last = solution
        lines.step()
    return listed, fulfilling
