"""All solutions as a decision diagram: counted, drawn at random, numbered, weighed, priced.

The search over states (:mod:`twostep.dlx_backend.states.frontier`), kept: a node is a stage with a
state, a step leads from it to the next node and may take an option. Each way from the root to the
end is a solution, and each solution is one way. States from which no way leads to the end are left
out.
"""

from __future__ import annotations

import math
import time
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

import numba
import numpy as np
import numpy.typing as npt

from twostep.dlx_backend.bits.table import WordArray
from twostep.dlx_backend.costs import DIAGRAM_TRIAL_STATES
from twostep.dlx_backend.kernel import next_budget
from twostep.dlx_backend.problem import demand_addable, prepare
from twostep.dlx_backend.roles import Roles
from twostep.dlx_backend.states.frontier import Frontier
from twostep.dlx_backend.states.layout import Layout
from twostep.models.errors import InputError, UnsupportedFeature
from twostep.models.language.model import IntArray, LongArray, Model, Solution
from twostep.models.search.delivery import Delivery
from twostep.models.search.engine import Limits, SearchResult, StopReason, Watch

END = -1
UNTAKEN = -1
"""As a step's option: none is taken."""

ObjectArray = npt.NDArray[np.object_]


@dataclass(frozen=True, slots=True)
class Diagram:
    """The solutions of one model.

    Solutions are numbered 0 .. total - 1 in the diagram's own order, the same on every machine.
    Without a node there is one solution: nothing besides what is chosen.

    Attributes:
        model: the model.
        first: (nodes + 1,) node `n` has the steps ``first[n] .. first[n + 1] - 1``; the root is
            node 0, and every step leads to a later node or to the END.
        option: (steps,) the model's option that the step takes, or UNTAKEN.
        child: (steps,) the node it leads to, or END.
        ways: (nodes, limbs) the ways to the end, 64 bits to a limb, lowest first.
        reached: (nodes, limbs) the ways from the root.
    """

    model: Model
    first: LongArray
    option: IntArray
    child: IntArray
    ways: WordArray
    reached: WordArray
    _cache: dict[int, tuple[list[int], list[int], list[int]]] = field(
        default_factory=dict, repr=False, compare=False
    )

    @property
    def n_nodes(self) -> int:
        """How many nodes there are."""
        return len(self.first) - 1

    @property
    def total(self) -> int:
        """The number of solutions."""
        return _integer(self.ways[0]) if self.n_nodes else 1

    def solution(self, number: int) -> Solution:
        """The solution of that number.

        Raises:
            InputError: there is none.
        """
        if not 0 <= number < self.total:
            raise InputError(f"solution {number}: there are {self.total}, numbered from 0")
        taken = list(self.model.chosen)
        node = 0 if self.n_nodes else END
        while node != END:
            before, options, children = self._steps(node)
            step = bisect_right(before, number) - 1
            number -= before[step]
            if options[step] != UNTAKEN:
                taken.append(options[step])
            node = children[step]
        return tuple(sorted(taken))

    def rank(self, solution: Solution) -> int:
        """The number of a solution.

        Raises:
            InputError: it is none.
        """
        taken = set(solution)
        left = taken - set(self.model.chosen)
        number = 0
        node = 0 if self.n_nodes else END
        while node != END:
            before, options, children = self._steps(node)
            fitting = [step for step, option in enumerate(options) if option in taken]
            fitting += [step for step, option in enumerate(options) if option == UNTAKEN]
            if not fitting:
                break
            step = fitting[0]
            number += before[step]
            left.discard(options[step])
            node = children[step]
        if node != END or left or len(taken) != len(solution) or not self.total:
            raise InputError(f"options {solution} are no solution of {self.model.name!r}")
        if not taken.issuperset(self.model.chosen):
            raise InputError(f"options {solution} lack a chosen one of {self.model.name!r}")
        return number

    def sample(self, rng: Random) -> Solution:
        """A solution, each with the same probability.

        Raises:
            InputError: there is no solution.
        """
        if not self.total:
            raise InputError(f"{self.model.name!r} has no solution to draw")
        return self.solution(rng.randrange(self.total))

    def usage(self) -> tuple[int, ...]:
        """(options,) how many solutions have each option."""
        uses = [0] * self.model.n_options
        total = self.total
        for option in self.model.chosen:
            uses[option] = total
        if self.n_nodes:
            parent = np.repeat(np.arange(self.n_nodes), np.diff(self.first))
            taking = np.flatnonzero(self.option != UNTAKEN)
            taking = taking[np.argsort(self.option[taking], kind="stable")]
            onwards = np.append(_integers(self.ways), 1)  # END is the last place
            through = _integers(self.reached)[parent[taking]] * onwards[self.child[taking]]
            heads = np.flatnonzero(np.diff(self.option[taking], prepend=-2))
            if len(heads):
                sums: ObjectArray = np.add.reduceat(through, heads)
                for option, times in zip(self.option[taking[heads]].tolist(), sums, strict=True):
                    uses[option] = int(times)
        return tuple(uses)

    def cheapest(self) -> Solution | None:
        """The cheapest solution, of several the first; None: there is none.

        Raises:
            UnsupportedFeature: costs too large to be added up exactly.
        """
        if not self.total:
            return None
        demand_addable(self.model)
        taken = list(self.model.chosen)
        if self.n_nodes:
            costs = np.where(self.option == UNTAKEN, 0, self.model.costs[self.option])
            best = _cheapest_steps(self.first, self.child, costs)
            node = 0
            while node != END:
                step = int(best[node])
                if self.option[step] != UNTAKEN:
                    taken.append(int(self.option[step]))
                node = int(self.child[step])
        return tuple(sorted(taken))

    def __iter__(self) -> Iterator[Solution]:
        """All solutions, by number."""
        return (self.solution(number) for number in range(self.total))

    def _steps(self, node: int) -> tuple[list[int], list[int], list[int]]:
        """Of the steps of a node: how many ways go by earlier ones; options; children."""
        known = self._cache.get(node)
        if known is None:
            steps = slice(int(self.first[node]), int(self.first[node + 1]))
            children = self.child[steps].tolist()
            before, sum_before = [], 0
            for child in children:
                before.append(sum_before)
                sum_before += 1 if child == END else _integer(self.ways[child])
            known = self._cache[node] = before, self.option[steps].tolist(), children
        return known


def diagram(
    model: Model, limits: Limits, watch: Watch | None, engine: str
) -> tuple[Diagram | None, SearchResult]:
    """The diagram of a model; None if a limit ended the search before it was complete.

    Raises:
        UnsupportedFeature: a side condition, which speaks of whole solutions only.
    """
    if model.side_condition is not None:
        raise UnsupportedFeature("a decision diagram can't hold a side condition")
    delivery = Delivery(model, limits, None, watch)
    problem = prepare(model)
    if delivery.stopped is not None:
        return None, delivery.result(engine, 0, 0)
    if not problem.possible:
        return _empty(model), delivery.result(engine, 0, 0)
    layout = Layout.of(problem, Roles.of(problem), forking=False)
    frontier = layout.frontier(
        limits.memory, trial=math.inf if layout.states > DIAGRAM_TRIAL_STATES else 0.0, record=True
    )
    try:
        budget = 2000
        while not frontier.done:
            if limits.nodes is not None:
                budget = min(budget, limits.nodes - frontier.nodes)
            began = time.perf_counter()
            frontier.advance(budget)
            if frontier.full:
                delivery.stopped = StopReason.MEMORY
                break
            if not frontier.done and delivery.pulse(frontier.nodes, frontier.updates):
                break
            budget = next_budget(budget, began)
    except KeyboardInterrupt:
        delivery.cancel()
    delivery.found = frontier.total
    result = delivery.result(engine, frontier.nodes, frontier.updates)
    if not result.complete:
        return None, result
    return recorded(model, frontier, problem.option_ids), result


def recorded(model: Model, frontier: Frontier, option_ids: IntArray) -> Diagram:
    """The diagram of what leads to the end, from a frontier that was recorded and is done."""
    if frontier.total == 0:
        return _empty(model)
    plan, edges = frontier.stages, frontier.edges
    ways = _ways(edges, frontier.states, frontier.reached.shape[1])
    alive = ways.any(axis=1)
    kept = edges[alive[edges[:, 0]] & ((edges[:, 2] == END) | alive[edges[:, 2]])]
    parents, first_step = np.unique(kept[:, 0], return_index=True)
    in_order = parents[np.argsort(first_step)]  # as they were taken up: the root first
    new_id = np.full(frontier.states + 1, END, dtype=np.int32)  # END stays END
    new_id[in_order] = np.arange(len(in_order), dtype=np.int32)
    first = np.append(np.sort(first_step), len(kept)).astype(np.int64)
    rank = kept[:, 1]
    taken = option_ids[plan.options[rank]] if len(plan.options) else rank
    return Diagram(
        model,
        first,
        np.where(rank < 0, UNTAKEN, taken).astype(np.int32),
        new_id[kept[:, 2]],
        ways[in_order],
        frontier.reached[in_order],
    )


def _empty(model: Model) -> Diagram:
    """The diagram without any solution: a root that leads nowhere."""
    nothing = np.zeros((1, 1), dtype=np.uint64)
    no_steps = np.zeros(0, dtype=np.int32)
    return Diagram(model, np.zeros(2, dtype=np.int64), no_steps, no_steps, nothing, nothing)


def _integer(limbs: Sequence[np.uint64] | WordArray) -> int:
    return sum(int(limb) << 64 * place for place, limb in enumerate(limbs))


def _integers(limbs: WordArray) -> ObjectArray:
    """(n,) Python integers of (n, limbs)."""
    numbers: ObjectArray = np.zeros(len(limbs), dtype=object)
    for place in range(limbs.shape[1]):
        numbers = numbers + (limbs[:, place].astype(object) << (64 * place))
    return numbers


@numba.njit("uint64[:,::1](int32[:,:], int64, int64)", cache=True, error_model="numpy")
def _ways(edges, n_states, limbs):  # type: ignore[no-untyped-def]
    """(states, limbs) the ways from each state to the end; steps are read from the last on."""
    one = np.uint64(1)
    zero = np.uint64(0)
    ways = np.zeros((n_states, limbs), dtype=np.uint64)
    for edge in range(len(edges) - 1, -1, -1):
        parent = edges[edge, 0]
        child = edges[edge, 2]
        carry = one if child < 0 else zero
        for x in range(limbs):
            more = zero if child < 0 else ways[child, x]
            new = ways[parent, x] + more
            over = new < more
            new += carry
            carry = one if over or new < carry else zero
            ways[parent, x] = new
    return ways


@numba.njit("int64[::1](int64[::1], int32[::1], int64[::1])", cache=True, error_model="numpy")
def _cheapest_steps(first, child, costs):  # type: ignore[no-untyped-def]
    """(nodes,) the first step of each node that begins a cheapest way to the end."""
    n_nodes = len(first) - 1
    best = np.zeros(n_nodes, dtype=np.int64)
    least = np.zeros(n_nodes, dtype=np.int64)
    for node in range(n_nodes - 1, -1, -1):
        for step in range(first[node], first[node + 1]):
            cost = costs[step]
            if child[step] >= 0:
                cost += least[child[step]]
            if step == first[node] or cost < least[node]:
                least[node] = cost
                best[node] = step
    return best
