"""The worked examples in the kernels' texts come out as they say."""

from __future__ import annotations

import numpy as np

from twostep.dlx_backend.kernel import COUNT_ONLY
from twostep.dlx_backend.links import BRANCHES, FIELDS, Links
from twostep.dlx_backend.problem import Problem, prepare
from twostep.dlx_backend.roles import Roles
from twostep.dlx_backend.states.branches import arrange
from twostep.dlx_backend.states.frontier import Frontier
from twostep.dlx_backend.states.stages import field_bits, stages
from twostep.models.language.builder import ModelBuilder


def _problem(items: str, options: str) -> Problem:
    builder = ModelBuilder("example")
    numbers = {name: builder.item(name) for name in items}
    for option in options.split():
        builder.option([numbers[name] for name in option])
    return prepare(builder.build())


def _order(problem: Problem, order: str) -> np.typing.NDArray[np.int32]:
    return np.array(["abcdef".index(name) for name in order], dtype=np.int32)


DOMINOES = "ad be cf ab bc de ef"


def test_the_steps_of_the_links() -> None:
    problem = _problem("abcdefg", "ce adg bcf adf bg deg")
    kernel = Links.of(problem)

    def branches() -> list[int]:
        return [int(kernel.node[FIELDS * item + int(BRANCHES)]) for item in range(1, 8)]

    assert branches() == [2, 2, 2, 3, 2, 2, 3]
    out = np.zeros(10, dtype=np.int32)
    assert kernel.advance(2, 1, out) == 0  # options 1 and 2 lead nowhere
    assert kernel.advance(100, 1, out) == 1
    assert out[:4].tolist() == [3, 3, 4, 0]
    assert kernel.advance(100, 1, COUNT_ONLY) == 0
    assert kernel.done
    assert kernel.nodes == 5


def test_the_states_of_dominoes_on_2x3() -> None:
    problem = _problem("abcdef", DOMINOES)
    frontier = Frontier(stages(problem, Roles.of(problem), _order(problem, "adbecf")))
    frontier.advance(100)
    assert (frontier.total, frontier.nodes) == (3, 5)


def test_the_bits_of_dominoes_on_2x3() -> None:
    problem = _problem("abcdef", DOMINOES)
    plan = stages(problem, Roles.of(problem), _order(problem, "adbecf"))
    assert np.diff(plan.group).tolist() == [2, 1, 2, 1, 1, 0]
    by_stage = {own: (shift, first) for _, shift, first, own in plan.fields.tolist()}
    assert by_stage == {1: (1, 0), 2: (0, 0), 3: (2, 1), 4: (1, 2), 5: (0, 3)}


def test_the_branches_that_meet_at_e() -> None:
    problem = _problem("abcde", "a ab b be c cd d de e")
    roles, order = Roles.of(problem), _order(problem, "abcde")
    whole = Frontier(stages(problem, roles, order))
    forked = Frontier(stages(problem, roles, order, [(2, 4)]))
    for frontier in (whole, forked):
        while not frontier.done:
            frontier.advance(100)
        assert frontier.total == 8
    arranged = arrange(problem, roles, order, field_bits(problem))
    assert sorted(arranged.order.tolist()) == list(range(5))
    assert arranged.order.tolist()[-1] == 4
