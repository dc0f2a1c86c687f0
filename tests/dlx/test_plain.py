"""The start in plain Python takes exactly the steps of the compiled kernels."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from helpers.cli import ENVIRONMENT
from helpers.strategies import models
from hypothesis import given, settings
from hypothesis import strategies as st

from twostep.dlx_backend.bits import plain
from twostep.dlx_backend.bits.fewest import Fewest
from twostep.dlx_backend.bits.inorder import InOrder
from twostep.dlx_backend.bits.table import BitTable
from twostep.dlx_backend.costs import FEWEST_TRIAL_NODES, PLAIN_NODES
from twostep.dlx_backend.kernel import Kernel
from twostep.dlx_backend.problem import Problem, prepare
from twostep.dlx_backend.roles import Roles
from twostep.models.families.registry import named_puzzle
from twostep.models.language.model import Model


def _steps(kernel: Kernel) -> tuple[list[int], int, int, int]:
    """What a kernel finds, how many that are, and its nodes and updates."""
    out = np.zeros(1 << 20, dtype=np.int32)
    found = kernel.advance(1 << 40, 1 << 40, out)
    length = 0
    for _ in range(found):
        length += 1 + int(out[length])
    return out[:length].tolist(), found, kernel.nodes, kernel.updates


def _same(problem: Problem, *, in_order: bool) -> bool:
    """Compare plain Python with the compiled kernel; gives whether it came to its end."""
    roles = Roles.of(problem)
    if not roles.tabular(problem):
        return False
    search = plain._Search.of(problem, roles)
    if not (search.in_order() if in_order else search.fewest_first()):
        return False
    table = BitTable.of(problem, roles, roles.in_turn(problem))
    kernel = InOrder.of(table) if in_order else Fewest.of(table)
    assert (search.out, search.found, search.nodes, search.updates) == _steps(kernel)
    return True


@given(models(), st.booleans(), st.integers(0, 2))
@settings(deadline=None, max_examples=300)
def test_random_models_take_the_same_steps(model: Model, in_order: bool, seed: int) -> None:
    _same(prepare(model, seed), in_order=in_order)


@pytest.mark.parametrize("in_order", [False, True])
@pytest.mark.parametrize(
    "name",
    ["pentomino:3x5:PUV", "queens:6", "langford:4", "domino:4x4", "polyomino:3x3:I1=any,I2=any"],
)
def test_puzzles_take_the_same_steps(name: str, in_order: bool) -> None:
    problem = prepare(named_puzzle(name).model)
    assert _same(problem, in_order=in_order) or in_order


def test_more_than_64_options_die_word_by_word_as_in_the_compiled_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(plain, "PLAIN_NODES", 10_000)
    monkeypatch.setattr(plain, "PLAIN_STEPS", 10_000_000)
    monkeypatch.setattr(plain, "TRIAL_NUMBERS", 1 << 18)
    for name in ("queens:7", "domino:5x6", "pentomino:4x5:LPUVY"):
        problem = prepare(named_puzzle(name).model)
        assert _same(problem, in_order=False), name


def test_what_is_through_in_plain_python_would_be_through_in_the_trial() -> None:
    assert FEWEST_TRIAL_NODES[0] >= PLAIN_NODES


WITHOUT_NUMBA = """
import sys
from twostep.compare.command import twostep
twostep.main(sys.argv[1:], standalone_mode=False)
print("numba" in sys.modules)
"""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("count pentomino:3x5:PUV", "4"),
        ("unique queens:4", "several solutions"),
        ("solve pentomino:3x5:PUV", ""),
    ],
)
def test_small_questions_are_answered_without_numba(words: str, said: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_NUMBA, *words.split(), "--quiet"],
        env=ENVIRONMENT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert said in done.stdout
    assert done.stdout.endswith("False\n")


def test_many_small_questions_load_the_compiled_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "twostep.dlx_backend.bits.fewest")
    purse = plain._Purse()
    monkeypatch.setattr(plain, "_PURSE", purse)
    problem = prepare(named_puzzle("queens:6").model)
    assert plain.plain_start(problem, in_order=False) is not None
    purse.pay(1 << 40)
    assert plain.plain_start(problem, in_order=False) is None
