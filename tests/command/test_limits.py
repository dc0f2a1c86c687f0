"""Limits hold: on the command line, while a model is built, and for what is kept."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest
from helpers.cli import Typed

from twostep.compare.command.shared import deadline, engines
from twostep.compare.command.shared.deadline import OutOfTime, alarm
from twostep.compare.command.shared.exits import Exit
from twostep.compare.registry import ENGINES, engine
from twostep.models import (
    Counters,
    InputError,
    Limits,
    Model,
    ModelBuilder,
    ModelError,
    Puzzle,
    SearchResult,
    Solution,
    StopReason,
    listing,
)
from twostep.models.families.registry import named_puzzle
from twostep.models.language import memory
from twostep.models.language.builder import _ENTRY_BYTES, _OPTION_BYTES
from twostep.models.search.clock import CLOCK, Clock
from twostep.models.search.engine import Watch
from twostep.models.search.questions import bytes_of

LEAST_MARGIN = deadline._LEAST_MARGIN
"""As users have it: read before any test changes it."""

needs_timer = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="this system has no timer signal"
)


@pytest.fixture(autouse=True)
def prompt(patience: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The alarm comes as soon as it does for users; see `patience`."""
    monkeypatch.setattr(deadline, "_LEAST_MARGIN", LEAST_MARGIN)


class Endless(Puzzle):
    """A puzzle whose model is never finished."""

    name = "endless"

    def build(self) -> Model:
        while True:
            time.sleep(0.01)

    def draw(self, solution: Solution) -> str:
        return ""


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(engines, "load_puzzle", lambda name: Endless())
    yield
    if hasattr(signal, "getitimer"):
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@needs_timer
@pytest.mark.parametrize("backend", [*ENGINES, "both"])
@pytest.mark.parametrize("verb", ["count", "solve", "unique", "compare"])
def test_the_time_limit_ends_the_building_of_a_model(
    verb: str, backend: str, endless: None, typed: Typed
) -> None:
    if verb == "compare" and backend != "both":
        pytest.skip("always asks both")
    flags = [] if verb == "compare" else ["--backend", backend]
    said = typed(verb, "endless", "--time-limit", "0.5", *flags, "--json")
    answer = said.json
    assert said.code == Exit.STOPPED
    assert (answer["outcome"], answer["stopped_by"]) == ("unknown", "time")
    assert not answer["complete"]


@needs_timer
def test_the_time_limit_ends_the_reading_of_a_puzzle(
    monkeypatch: pytest.MonkeyPatch, typed: Typed
) -> None:
    monkeypatch.setattr(engines, "load_puzzle", lambda name: Endless().build())
    for verb in (["count", "p"], ["solve", "p"], ["best", "p"], ["compare", "p"]):
        said = typed(*verb, "--time-limit", "0.1")
        assert (said.code, said.out) == (Exit.STOPPED, "")
        assert said.err == "twostep: stopped (time), before the search could begin\n"


@needs_timer
def test_an_alarm_waits_while_the_clock_stands_still() -> None:
    clock = Clock()
    began = time.perf_counter()
    with clock.standing(), clock.standing():
        before = clock()
        time.sleep(0.05)
        assert clock() == before
    gone = clock() - before
    assert 0 <= gone < time.perf_counter() - began - 0.05 + 0.001
    slept = []

    def sleep(standing: contextlib.ExitStack) -> None:
        time.sleep(0.5)  # the alarm would come after 0.1
        slept.append(True)
        standing.close()
        time.sleep(60)

    with contextlib.ExitStack() as standing:
        standing.enter_context(CLOCK.standing())
        with pytest.raises(OutOfTime), alarm(0.0):
            sleep(standing)
    assert slept


@needs_timer
def test_an_alarm_that_gets_lost_comes_again() -> None:
    class Slow:
        def __del__(self) -> None:
            standing.close()
            try:
                time.sleep(60)
            except OutOfTime:
                lost.append(True)
                raise  # to nobody

    def delete() -> None:
        slow = Slow()
        del slow
        time.sleep(60)

    lost: list[bool] = []
    hook = sys.unraisablehook
    with contextlib.ExitStack() as standing:
        standing.enter_context(CLOCK.standing())  # until it is being deleted
        with pytest.raises(OutOfTime), alarm(0.0):
            delete()
    assert lost
    assert sys.unraisablehook is hook


@needs_timer
def test_an_engine_that_does_not_listen_is_interrupted_with_what_it_told() -> None:
    def deaf(limits: Limits, watch: Watch) -> SearchResult:
        watch(Counters(found=7, nodes=70))
        while True:
            time.sleep(0.01)

    asked = named_puzzle("queens:4")
    limits = Limits(seconds=0.1)
    late = engines.in_time(asked, "x", "count", limits, deaf, lambda late: late, quiet=True)
    assert (late.engine, late.found, late.stopped) == ("x", 7, StopReason.TIME)
    assert late.counters.nodes == 70


def test_an_alarm_while_cpsat_starts_leaves_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    start = threading.Thread.start

    def interrupted(thread: threading.Thread) -> None:
        start(thread)
        if thread.name == "cpsat":
            raise OutOfTime

    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(OutOfTime):
        engine("cpsat").search(named_puzzle("queens:20").model)
    assert not [thread for thread in threading.enumerate() if thread.name == "cpsat"]


@needs_timer
def test_an_alarm_comes_once_and_only_in_its_block() -> None:
    with pytest.raises(OutOfTime), alarm(0.0):
        time.sleep(5)
    with alarm(60.0):
        pass
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    with alarm(None):
        pass


@pytest.mark.parametrize("name", ENGINES)
def test_a_slow_receiver_is_stopped_by_the_clock(name: str) -> None:
    seen = []

    def receive(solution: Solution) -> None:
        seen.append(solution)
        time.sleep(0.02)

    model = named_puzzle("domino:8x8").model
    result = engine(name).search(model, Limits(seconds=0.3), receive=receive)
    assert result.stopped is StopReason.TIME
    assert result.found == len(seen)
    assert len(seen) <= 16 + 1  # 0.3 s at 0.02 s each, and the one it was busy with


def test_stored_solutions_end_with_the_memory_that_they_may_take() -> None:
    model = named_puzzle("domino:8x8").model
    (one,) = listing(engine("dlx"), model, Limits(solutions=1)).solutions
    few = listing(engine("dlx"), model, Limits(memory=50 * bytes_of(one)))
    assert few.result.stopped is StopReason.MEMORY
    assert len(few.solutions) == few.result.found == 51


def test_boards_kept_for_json_end_with_the_memory_limit(typed: Typed) -> None:
    said = typed("solve", "domino:8x8", "-n", "0", "--json", "--memory-limit", "50K")
    answer = said.json
    assert said.code == Exit.STOPPED
    assert (answer["stopped_by"], answer["complete"]) == ("memory", False)
    assert 0 < len(answer["solutions"]) == answer["count"] < 1000


def test_solutions_stream_without_being_kept() -> None:
    import tracemalloc

    builder = ModelBuilder("many")
    for item in range(14):
        builder.item(f"i{item}")
        builder.option([item])
        builder.option([item])
    model = builder.build()
    seen = 0

    def receive(solution: Solution) -> None:
        nonlocal seen
        seen += 1

    engine("dlx").search(model, Limits(solutions=1), receive=receive)
    peaks = []
    for solutions in (2_000, 16_000):
        tracemalloc.start()
        engine("dlx").search(model, Limits(solutions=solutions), receive=receive)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert seen == 18_001
    # Eight times the solutions, the same memory: buffers fill up to a fixed size.
    assert peaks[1] < peaks[0] + 2_000_000


@pytest.mark.parametrize("value", ["", "x", "-1", "5T", "1.5G"])
def test_a_memory_limit_that_is_none_is_refused(value: str, typed: Typed) -> None:
    assert typed("count", "queens:4", "--memory-limit", value).code == Exit.USAGE


def test_a_model_too_large_for_the_machine_is_refused_with_its_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(memory, "available_memory", lambda: 10**8)
    builder = ModelBuilder("giant")
    for item in range(1000):
        builder.item(f"i{item}")

    def grow() -> None:
        while True:
            builder.option(range(1000))

    with pytest.raises(ModelError) as refused:
        grow()
    said = str(refused.value)
    assert "giant: too large" in said
    assert "MB of memory; 0.1 GB are available" in said or "GB of memory" in said
    assert len(builder._entries) < 10**6  # before most of the memory was taken


@pytest.mark.parametrize("name", ["solutions", "seconds", "nodes", "memory"])
@pytest.mark.parametrize("value", [-1, -0.25, float("inf"), float("nan")])
def test_a_limit_that_is_no_number_of_at_least_0_is_refused(name: str, value: float) -> None:
    with pytest.raises(InputError, match=f"limit of {name}: expected a number of at least 0"):
        Limits(**{name: value})  # type: ignore[arg-type]
    assert getattr(Limits(**{name: 0}), name) == 0


@pytest.mark.parametrize("name", ["solutions", "nodes", "memory"])
def test_a_limit_that_is_counted_is_whole(name: str) -> None:
    """A search that counts down to 0 in whole steps would step over it and never end."""
    with pytest.raises(InputError, match=f"limit of {name}: expected a whole number, got 1.5"):
        Limits(**{name: 1.5})  # type: ignore[arg-type]


@pytest.mark.parametrize("at_a_time", [1, 2])
def test_a_model_is_measured_whenever_it_has_doubled(
    at_a_time: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[int] = []

    def available() -> int:
        looks.append(len(builder._entries))
        return 2 * 8 * (_ENTRY_BYTES + _OPTION_BYTES)  # for twice as much as 8 options

    monkeypatch.setattr(memory, "available_memory", available)
    builder = ModelBuilder("doubling", _look_at=4)
    item = builder.item("a")

    def grow() -> None:
        for _ in range(0, 64, at_a_time):
            if at_a_time == 1:
                builder.option([item])
            else:
                builder.options(np.ones(at_a_time, dtype=np.int64), [item] * at_a_time, [0, 0])

    with pytest.raises(ModelError, match="doubling: too large: a model of 32 options and more"):
        grow()
    assert looks == [4, 8, 16]


def test_this_machine_tells_how_much_memory_it_has() -> None:
    there = memory.available_memory()
    assert there is None or 10**6 < there < 10**15


def test_the_memory_there_is_without_the_kernels_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **named: object) -> None:
        raise FileNotFoundError

    monkeypatch.setattr("builtins.open", refuse)
    pages = {"SC_PAGE_SIZE": 4096, "SC_AVPHYS_PAGES": 3}
    monkeypatch.setattr(memory.os, "sysconf", pages.__getitem__, raising=False)
    there = memory.available_memory()
    monkeypatch.delattr(memory.os, "sysconf")
    unknown = memory.available_memory()
    monkeypatch.undo()
    assert (there, unknown) == (3 * 4096, None)
