"""The CP-SAT engine: what tests of both engines don't ask: nodes, ends, rejected candidates."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from twostep.cpsat_backend import CpsatEngine
from twostep.models.errors import UnsupportedFeature
from twostep.models.families.registry import named_puzzle
from twostep.models.language.builder import ModelBuilder
from twostep.models.language.model import Feature, Model, SideCondition, Solution
from twostep.models.search import questions
from twostep.models.search.engine import Counters, Limits, StopReason

ENGINE = CpsatEngine()
ROOT = Path(__file__).resolve().parents[2]

QUEENS = {1: 1, 2: 0, 3: 0, 4: 2, 5: 10, 6: 4, 7: 40, 8: 92}
"""Case QN-03, exhaustive counts."""


def queens(n: int, side_condition: SideCondition | None = None) -> Model:
    builder = ModelBuilder(f"queens {n}", side_condition=side_condition)
    for k in range(n):
        builder.item(f"r{k}")
    for k in range(n):
        builder.item(f"c{k}")
    for k in range(2 * n - 1):
        builder.secondary(f"a{k}")
        builder.secondary(f"b{k}")
    for r in range(n):
        for c in range(n):
            builder.option([f"r{r}", f"c{c}", f"a{r + c}", f"b{r - c + n - 1}"], cost=r * c % 7)
    return builder.build()


# --- the right set --------------------------------------------------------------------------------


@pytest.mark.parametrize("n", QUEENS)
def test_queens_known_counts(n: int) -> None:
    result = questions.count(ENGINE, queens(n))
    assert (result.found, result.complete) == (QUEENS[n], True)


def test_a_range_up_to_60_of_many() -> None:
    # Of n free options between 0 and 60 are taken: all subsets of 12.
    builder = ModelBuilder()
    builder.item("open walls", 0, 60)
    for _ in range(12):
        builder.option(["open walls"])
    assert questions.count(ENGINE, builder.build()).found == 2**12


# --- order ----------------------------------------------------------------------------------------


def test_same_seed_same_order_other_seed_other_order() -> None:
    def order(seed: int) -> tuple[Solution, ...]:
        return questions.listing(ENGINE, queens(7), seed=seed).solutions

    assert order(0) == order(0)
    assert order(5) == order(5)
    assert len({order(seed) for seed in range(4)}) == 4


# --- limits ---------------------------------------------------------------------------------------


def test_the_node_limit_ends_at_the_same_place_each_time() -> None:
    for nodes in (1, 50, 700, 2000):
        ends = {
            (r.found, r.stopped, r.counters.nodes, r.counters.updates)
            for r in (ENGINE.search(queens(9), Limits(nodes=nodes)) for _ in range(3))
        }
        assert len(ends) == 1
        assert ends.pop()[1] is StopReason.NODES


def test_the_node_limit_ends_a_search_that_finds_nothing() -> None:
    result = ENGINE.search(pigeons(11), Limits(nodes=200))
    assert (result.found, result.stopped) == (0, StopReason.NODES)


def test_a_time_limit_says_time_and_never_none() -> None:
    result = questions.count(ENGINE, queens(13), Limits(seconds=0.5))
    assert result.stopped is StopReason.TIME
    assert result.found < 73_712  # A000170: else it would go on for minutes
    assert questions.unique(ENGINE, queens(13), Limits(seconds=1e-3)).verdict in (
        questions.Verdict.UNKNOWN,
        questions.Verdict.MULTIPLE,
    )


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system doesn't tell")
def test_a_memory_limit_ends_the_search() -> None:
    result = ENGINE.search(queens(40), Limits(memory=1, seconds=60))
    assert result.stopped is StopReason.MEMORY


def pigeons(n: int) -> Model:
    """One item more than the n holes: no solution, and hard to see for clause learning."""
    builder = ModelBuilder(
        "pigeons",
    )
    for pigeon in range(n + 1):
        builder.item(f"pigeon {pigeon}")
    for hole in range(n):
        builder.secondary(f"hole {hole}")
    for pigeon in range(n + 1):
        for hole in range(n):
            builder.option([f"pigeon {pigeon}", f"hole {hole}"])
    return builder.build()


def test_the_words_for_the_ends_of_a_search() -> None:  # case CP-03
    strip = named_puzzle("pentomino:3x20").model
    whole = questions.count(ENGINE, strip)
    assert (whole.found, whole.stopped) == (8, StopReason.EXHAUSTED)
    two = questions.unique(ENGINE, strip)
    assert (two.verdict, two.result.found) == (questions.Verdict.MULTIPLE, 2)
    assert not two.result.complete
    short = questions.unique(ENGINE, named_puzzle("pentomino:6x10").model, Limits(seconds=0.001))
    assert short.result.stopped is StopReason.TIME
    assert short.verdict is questions.Verdict.UNKNOWN


def test_a_mutilated_board_has_none_or_is_not_decided() -> None:  # case CP-07
    board = named_puzzle("domino:8x8-mutilated").model
    result = questions.count(ENGINE, board, Limits(seconds=3))
    assert result.found == 0
    assert result.stopped in (StopReason.EXHAUSTED, StopReason.TIME)


# --- being stopped --------------------------------------------------------------------------------


def test_an_error_of_the_receiver_ends_the_solver_and_arrives() -> None:
    def receive(solution: Solution) -> None:
        raise ZeroDivisionError("in the receiver")

    with pytest.raises(ZeroDivisionError):
        ENGINE.search(queens(10), receive=receive)
    assert not any(thread.name == "cpsat" for thread in threading.enumerate())


def test_the_watcher_is_called_while_nothing_is_found_and_can_end_it() -> None:
    calls: list[Counters] = []

    def watch(counters: Counters) -> bool:
        calls.append(counters)
        return len(calls) == 8

    result = ENGINE.search(pigeons(14), Limits(seconds=60), watch=watch)
    assert result.stopped is StopReason.CANCELLED
    assert len(calls) == 8


def test_ctrl_c_ends_with_what_is_known() -> None:
    program = """
import os, signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's & ignores Ctrl-C
from cpsat.test_engine import ENGINE, queens, pigeons
for model, when in ((queens(14), "receive"), (pigeons(14), "watch")):
    pressed = []
    def press(_):
        if not pressed:  # else the search would go on for hours
            pressed.append(os.kill(os.getpid(), signal.SIGINT))
    result = ENGINE.search(model, **{when: press})
    print(result.stopped.name, result.found > 0)
"""
    path = ":".join((str(ROOT / ".types"), str(ROOT / "tests")))
    out = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": path}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert out.stderr == ""
    assert out.stdout.splitlines() == ["CANCELLED True", "CANCELLED False"]


# --- side conditions ------------------------------------------------------------------------------

CORNER_FREE = SideCondition("no queen in a corner", lambda solution: not {0, 7} & {*solution})


def test_rejected_candidates_are_counted_apart() -> None:
    plain = questions.listing(ENGINE, queens(8)).solutions
    free = [solution for solution in plain if CORNER_FREE.holds(solution)]
    result = questions.count(ENGINE, queens(8, CORNER_FREE))
    assert (result.found, result.counters.rejected) == (len(free), 92 - len(free))


def test_the_first_solution_is_looked_for_behind_rejected_ones() -> None:
    last = questions.listing(ENGINE, queens(8)).solutions[-1]
    only = SideCondition("the last one", lambda solution: solution == last)
    assert questions.first(ENGINE, queens(8, only)).solutions == (last,)


# --- the cheapest ---------------------------------------------------------------------------------


def test_the_three_cheapest_queens() -> None:
    model = queens(8)
    costs = sorted(model.cost(s) for s in questions.listing(ENGINE, model).solutions)
    for k in (1, 3, 92, 100):
        found = questions.best(ENGINE, model, k)
        assert [model.cost(solution) for solution in found.solutions] == costs[:k]
        assert found.result.complete


def test_a_limit_leaves_the_cheapest_seen() -> None:
    found = questions.best(ENGINE, queens(8), 92, Limits(solutions=4))
    assert found.result.stopped is StopReason.SOLUTIONS
    assert len(found.solutions) == 4
    found = questions.best(ENGINE, queens(8), 92, Limits(nodes=0))
    assert (found.solutions, found.result.stopped) == ((), StopReason.NODES)


def test_costs_beyond_exact_arithmetic_are_refused() -> None:
    builder = ModelBuilder()
    builder.item("a")
    builder.option(["a"], cost=2**60)
    builder.option(["a"], cost=-(2**60))
    with pytest.raises(UnsupportedFeature, match="2\\^53"):
        questions.best(ENGINE, builder.build())


# --- the package ----------------------------------------------------------------------------------


def test_it_can_do_the_whole_language() -> None:
    assert ENGINE.features == frozenset(Feature)


def run_without_ortools(program: str) -> str:
    program = "import sys; sys.modules['ortools'] = None\n" + program
    out = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": str(ROOT / ".types")}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return out.stdout


def test_without_ortools_the_error_says_how_to_install_it() -> None:
    program = """
import twostep.cpsat_backend, twostep.cpsat_backend.status
from twostep.models.errors import MissingPackage
try:
    twostep.cpsat_backend.CpsatEngine
except MissingPackage as error:
    print(error)
"""
    assert "pip install ortools" in run_without_ortools(program)
