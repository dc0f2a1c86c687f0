"""A plan: the search tree cut into disjoint parts that cover it exactly once.

A plan is the top of a search tree: at each node an item, and below it a branch for everything
that can happen to this item. The branches are not written down: they follow from the model by
:class:`twostep.models.certificate.states.States`, the same rules that certificates are checked
with. So a plan cannot forget a branch or have one twice; its leaves are the parts.
"""

from __future__ import annotations

import hashlib
import heapq
import math
import os
from dataclasses import dataclass, replace

import numpy as np

from twostep.compare.parallel import MOST_PARTS
from twostep.models.certificate.states import LEAVE, States
from twostep.models.errors import InputError
from twostep.models.language.model import Model, SideCondition, Solution
from twostep.models.reading.members import Members, write_members

SCHEMA = "twostep-plan/1"
PART = -1
"""In a plan's tree: a leaf, which is a part."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a model's search tree is cut.

    Attributes:
        puzzle: how the puzzle is called.
        model: the model's fingerprint.
        tree: the tree's nodes, each before those below it: an item's id, or PART.
    """

    puzzle: str
    model: str
    tree: tuple[int, ...]

    @property
    def fingerprint(self) -> str:
        """SHA-256 (hex) of the plan's content: what the results of its parts refer to."""
        return hashlib.sha256(repr((SCHEMA, self.model, self.tree)).encode()).hexdigest()

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the plan as JSON."""
        write_members(path, self.members())

    def members(self) -> dict[str, object]:
        """The plan as members of a JSON object."""
        return {
            "schema": SCHEMA,
            "puzzle": self.puzzle,
            "model": self.model,
            "parts": self.tree.count(PART),
            "tree": list(self.tree),
        }


@dataclass(frozen=True, slots=True)
class Part:
    """A leaf of a plan.

    Attributes:
        number: its place among the parts, from 0.
        path: the options on the way to it (LEAVE where an item is left as it is).
        state: the marks after the path.
    """

    number: int
    path: tuple[int, ...]
    state: int


def split(model: Model, parts: int, *, puzzle: str | None = None) -> Plan:
    """A plan of at least `parts` parts, or as many as the tree has leaves.

    Always the same for the same model. The part that looks largest is cut next, at the item with
    the fewest branches.

    Raises:
        InputError: `parts` is more than MOST_PARTS.
    """
    if parts > MOST_PARTS:
        raise InputError(f"{parts} parts: expected {MOST_PARTS} at most")
    states = States(model)
    chosen_item: list[int] = []  # node -> item, or PART
    children: list[list[int]] = []
    waiting: list[tuple[float, int, int, int]] = []  # minus size, node, item to cut at, state

    def add(state: int) -> int:
        node = len(chosen_item)
        chosen_item.append(PART)
        children.append([])
        if state & states.goal != states.goal:
            size, item = _appraise(states, state)
            if size < 0:
                chosen_item[node] = item  # hopeless: a node without branches
            else:
                heapq.heappush(waiting, (-size, node, item, state))
        return node

    leaves = 0
    if states.start is not None:
        add(states.start)
        leaves = chosen_item.count(PART)
    while waiting and leaves < parts:
        _, node, item, state = heapq.heappop(waiting)
        chosen_item[node] = item
        children[node] = [
            add(states.after(state, item, branch)) for branch in states.branches(state, item)
        ]
        leaves += sum(chosen_item[child] == PART for child in children[node]) - 1
    tree: list[int] = []
    stack = [0] if chosen_item else []
    while stack:
        node = stack.pop()
        tree.append(chosen_item[node])
        stack.extend(reversed(children[node]))
    return Plan(puzzle or model.name, model.fingerprint, tuple(tree))


def _appraise(states: States, state: int) -> tuple[float, int]:
    """A measure of how large the tree below a state is, negative if nothing is; where to cut."""
    size, best, fewest = 0.0, -1, math.inf
    for item, row in states.rows.items():
        if not row & ~state:
            continue
        branches = len(states.branches(state, item))
        if branches == 0:
            return -1.0, item
        size += math.log(branches)
        if branches < fewest:
            best, fewest = item, branches
    return size, best


def parts_of(plan: Plan, model: Model) -> list[Part]:
    """The parts of a plan, in their order: derived from the model, whatever the plan says.

    Raises:
        InputError: the plan is for another model, or its tree is no tree of this model.
    """
    if plan.model != model.fingerprint:
        raise InputError(f"a plan for another model (of {plan.puzzle!r})")
    states = States(model)
    parts: list[Part] = []
    waiting: list[tuple[tuple[int, ...], int]] = []
    if states.start is not None:
        waiting.append(((), states.start))
    for place, item in enumerate(plan.tree):
        if not waiting:
            raise InputError(f"the plan's tree ends before its node {place}")
        path, state = waiting.pop()
        if item == PART:
            parts.append(Part(len(parts), path, state))
        else:
            try:
                branches = states.branches(state, item)
            except InputError as error:
                raise InputError(f"the plan's tree, node {place}: {error}") from None
            waiting.extend(
                ((*path, branch), states.after(state, item, branch))
                for branch in reversed(branches)
            )
    if waiting:
        raise InputError(f"the plan's tree is cut off: {len(waiting)} branches are missing")
    return parts


def part_model(model: Model, part: Part) -> tuple[Model, Solution]:
    """What is to be searched in a part: a model of its own, and its options' ids in `model`.

    The solutions of the parts of a plan are those of the model, each exactly once.
    """
    minds = States(model).minds
    taken = {*model.chosen, *(option for option in part.path if option != LEAVE)}
    ids = [o for o in range(model.n_options) if o in taken or not part.state & minds[o]]
    lengths = np.diff(model.starts)
    kept = np.zeros(model.n_options, dtype=np.bool_)
    kept[ids] = True
    entries = np.repeat(kept, lengths)
    starts = np.zeros(len(ids) + 1, dtype=np.int32)
    np.cumsum(lengths[kept], out=starts[1:])
    condition = model.side_condition
    if condition is not None:
        whole = condition.holds
        condition = SideCondition(
            condition.name, lambda solution: whole(tuple(ids[option] for option in solution))
        )
    return replace(
        model,
        name=f"{model.name}, part {part.number}",
        starts=starts,
        entry_items=model.entry_items[entries],
        entry_colours=model.entry_colours[entries],
        costs=model.costs[kept],
        labels=tuple(model.labels[option] for option in ids),
        chosen=tuple(place for place, option in enumerate(ids) if option in taken),
        side_condition=condition,
        symmetries=None,
    ), tuple(ids)


def read_plan(path: str | os.PathLike[str]) -> Plan:
    """Read a plan that :meth:`Plan.write` wrote.

    Raises:
        InputError: it is none; names the file.
    """
    return plan_from(Members.read(path, SCHEMA, "a plan"))


def plan_from(members: Members) -> Plan:
    """The plan in a JSON object.

    Raises:
        InputError: there is none; names the file.
    """
    tree = []
    for node in members.items("tree"):
        if type(node) is not int or node < PART:
            raise members.fault("tree: expected a list of items")
        tree.append(node)
    return Plan(members.text("puzzle"), members.text("model"), tuple(tree))
