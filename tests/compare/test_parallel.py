"""Searches in parts: the parts make up the whole, whoever is killed on the way."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.cli import ENVIRONMENT
from helpers.interruptions import Stops, a_cluster_that_loses_a_worker, killed_and_resumed
from helpers.oracle import all_solutions
from helpers.strategies import models
from hypothesis import given, settings
from hypothesis import strategies as st

from twostep.compare.agreement.digest import SetDigest
from twostep.compare.parallel.checkpoint import FEW_BYTES, open_checkpoint
from twostep.compare.parallel.count import Progress, spread_count
from twostep.compare.parallel.output import Output
from twostep.compare.parallel.part import PartResult, Stopped, merge, read_result, search_part
from twostep.compare.parallel.plan import (
    MOST_PARTS,
    PART,
    Part,
    Plan,
    part_model,
    parts_of,
    read_plan,
    split,
)
from twostep.compare.parallel.questions import spread_listing
from twostep.compare.parallel.workers import (
    MARGIN,
    Answer,
    InProcess,
    Job,
    Processes,
    _Worker,
)
from twostep.compare.registry import engine
from twostep.models import InputError, Limits, Model, Solution, StopReason, listing
from twostep.models.families.registry import named_puzzle
from twostep.models.reading.files import MAX_BYTES
from twostep.models.search.clock import CLOCK, Clock
from twostep.models.search.engine import Counters
from twostep.models.search.questions import bytes_of


@settings(max_examples=300, derandomize=True, deadline=None)
@given(model=models(), parts=st.integers(1, 12), name=st.sampled_from(("dlx", "cpsat")))
def test_the_parts_have_every_solution_exactly_once(model: Model, parts: int, name: str) -> None:
    if name == "cpsat" and parts > 3:  # slow to set up, and the parts are the same
        name = "dlx"
    found: list[Solution] = []
    for part in parts_of(split(model, parts), model):
        small, ids = part_model(model, part)
        listed = listing(engine(name), small)
        assert listed.result.complete
        found += [tuple(ids[option] for option in solution) for solution in listed.solutions]
    assert len(found) == len(set(found))
    assert set(found) == all_solutions(model)


def searched(model: Model, plan: Plan) -> list[PartResult]:
    results = []
    for part in parts_of(plan, model):
        result = search_part(engine("dlx"), model, plan.fingerprint, part, digest=True)
        assert isinstance(result, PartResult)
        results.append(result)
    return results


@pytest.fixture(scope="module")
def whole() -> tuple[Model, Plan, list[PartResult]]:
    model = named_puzzle("pentomino:4x5:some").model
    plan = split(model, 12)
    return model, plan, searched(model, plan)


def test_merge_adds_up_counts_and_digests(whole: tuple[Model, Plan, list[PartResult]]) -> None:
    model, plan, results = whole
    digest = SetDigest()
    direct = engine("dlx").search(model, receive=digest.add)
    assert len(results) >= 12
    total = merge(plan, model, reversed(results))
    assert (total.result.found, total.digest) == (direct.found, str(digest))
    assert total.result.complete
    assert direct.found > 0


def test_merge_refuses_a_missing_doubled_or_foreign_part(
    whole: tuple[Model, Plan, list[PartResult]],
) -> None:
    model, plan, results = whole
    with pytest.raises(InputError, match=r"1 of .* parts are missing: 3"):
        merge(plan, model, results[:3] + results[4:])
    with pytest.raises(InputError, match="two results of part 2"):
        merge(plan, model, [*results, results[2]])
    foreign = replace(results[5], plan=split(model, 100).fingerprint)
    with pytest.raises(InputError, match="part 5 belongs to another plan"):
        merge(plan, model, [*results[:5], foreign, *results[6:]])
    with pytest.raises(InputError, match="the plan has"):
        merge(plan, model, [*results, replace(results[0], part=len(results))])
    with pytest.raises(InputError, match="another model"):
        merge(plan, model.with_chosen([0]), results)


def test_a_tampered_plan_is_refused_or_still_covers_the_tree(
    whole: tuple[Model, Plan, list[PartResult]],
) -> None:
    model, plan, _ = whole
    rng = random.Random(1)
    expected = engine("dlx").search(model).found
    refused = 0
    for _ in range(60):
        tree = list(plan.tree)
        match rng.randrange(3):
            case 0:
                del tree[rng.randrange(len(tree))]
            case 1:
                tree.insert(rng.randrange(len(tree) + 1), rng.randrange(PART, model.n_items))
            case _:
                tree[rng.randrange(len(tree))] = rng.randrange(PART, model.n_items)
        forged = replace(plan, tree=tuple(tree))
        try:
            assert merge(forged, model, searched(model, forged)).result.found == expected
        except InputError:
            refused += 1
    assert refused > 30


def test_plans_and_results_survive_their_files(
    whole: tuple[Model, Plan, list[PartResult]], tmp_path: Path
) -> None:
    _, plan, results = whole
    plan.write(tmp_path / "plan")
    assert read_plan(tmp_path / "plan") == plan
    results[0].write(tmp_path / "part")
    assert read_result(tmp_path / "part") == results[0]
    for content in ("", "[]", "{}", '{"schema": "twostep-plan/1"}', "{" * 100_000, "\x00"):
        (tmp_path / "bad").write_text(content)
        for reader in (read_plan, read_result):
            with pytest.raises(InputError, match="bad"):
                reader(tmp_path / "bad")


class OneDies:
    """Two processes, the first of which is killed when a quarter of the parts is done."""

    def __init__(self) -> None:
        self.processes = Processes(2)
        self.killed = 0

    def run(self, job: Job, parts: Sequence[Part]) -> Iterator[Answer]:
        done = 0
        for answer in self.processes.run(job, parts):
            done += answer is not None
            if not self.killed and done >= len(parts) // 4:
                self.killed = self.processes.started[0]
                os.kill(self.killed, signal.SIGKILL)
            yield answer


def test_a_killed_process_costs_only_its_part() -> None:
    runner = OneDies()
    spread = spread_count("dlx", named_puzzle("pentomino:5x12").model, runner=runner)
    assert spread.result.complete
    assert spread.result.found == 4040  # Haselgrove 1960: 1010, four times
    assert runner.killed
    assert len(runner.processes.started) == 3


def test_the_clock_does_not_run_while_workers_are_loaded() -> None:
    class Watched(Processes):
        def _start(self, job: Job) -> _Worker:
            worker = super()._start(job)
            crew.append(worker)
            times.append(CLOCK())
            return worker

    crew: list[_Worker] = []
    times: list[float] = []
    model = named_puzzle("queens:6").model
    answers = Watched(2).run(Job("dlx", model, "x"), parts_of(split(model, 6), model))
    next(answers)
    assert times[0] == times[1] < CLOCK()
    answers.close()  # type: ignore[attr-defined]
    assert len(crew) == 2
    assert not any(worker.process.is_alive() for worker in crew)


@pytest.mark.parametrize("workers", [1, 3])
def test_an_engine_that_is_not_there_is_named_by_the_workers(
    workers: int,
) -> None:
    model = named_puzzle("queens:6").model
    job = Job("nobody", model, "x")
    with pytest.raises(InputError, match="unknown engine 'nobody'"):
        list(Processes(workers).run(job, parts_of(split(model, 6), model)))


def test_a_time_limit_ends_a_search_in_parts() -> None:
    spread = spread_count("dlx", named_puzzle("queens:18").model, limits=Limits(seconds=0.3))
    assert spread.result.stopped is StopReason.TIME
    assert spread.done < spread.parts


def test_an_interrupted_count_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    model = named_puzzle("pentomino:3x20").model
    path = str(tmp_path / "checkpoint")
    done = 0
    for _ in range(100):
        spread = spread_count("dlx", model, runner=Stops(5), parts=20, checkpoint=path, digest=True)
        assert spread.done == min(done + 5, spread.parts)
        done = spread.done
        if spread.result.complete:
            break
        assert spread.result.stopped is StopReason.CANCELLED
    digest = SetDigest()
    engine("dlx").search(model, receive=digest.add)
    assert (spread.result.found, spread.digest) == (8, str(digest))


@pytest.mark.parametrize("workers", [None, 2])
def test_an_interrupted_solve_leaves_the_solutions_of_whole_parts(
    workers: int | None, tmp_path: Path
) -> None:
    model = named_puzzle("pentomino:4x5:some").model
    path, out = str(tmp_path / "kept"), tmp_path / "all"
    right = {" ".join(map(str, s)) for s in listing(engine("dlx"), model).solutions}
    seen: list[int] = []
    for _ in range(100):
        output = Output(str(out))

        def receive(solution: Solution, output: Output = output) -> bool:
            output.write(" ".join(map(str, solution)) + "\n")
            seen.append(1)
            return len(seen) in (30, 100)  # in the middle of a part

        spread = spread_count(
            "dlx", model, runner=Processes(workers) if workers else None, parts=12,
            checkpoint=path, receive=receive, output=output,
        )  # fmt: skip
        lines = out.read_text().splitlines()
        assert len(lines) == len(set(lines)) == spread.result.found
        if spread.result.complete:
            break
        out.write_text(out.read_text() + "what a kill has left")
    assert set(lines) == right
    assert len(seen) > len(right)  # it was interrupted in the middle of a part


def test_one_process_hands_out_solutions_as_it_finds_them_and_keeps_none() -> None:
    model = named_puzzle("domino:6x6").model
    seen: list[Solution] = []
    spread = spread_count(
        "dlx", model, parts=1, receive=seen.append, limits=Limits(memory=bytes_of(()))
    )
    assert (spread.result.found, spread.result.complete) == (6728, True)  # A004003
    assert len(set(seen)) == 6728
    seen.clear()

    def five(solution: Solution) -> bool:
        seen.append(solution)
        return len(seen) == 5

    spread = spread_count("dlx", model, parts=1, receive=five)
    assert (len(seen), spread.result.found, spread.done) == (5, 5, 0)
    assert spread.result.stopped is StopReason.CANCELLED


def test_the_work_of_a_part_that_was_ended_is_told() -> None:
    told: list[Counters] = []

    def watch(now: Counters) -> bool:
        told.append(now)
        return True

    spread = spread_count("dlx", named_puzzle("queens:14").model, parts=1, watch=watch)
    assert spread.result.stopped is StopReason.CANCELLED
    assert spread.result.found == spread.result.counters.found >= told[0].found
    assert spread.result.counters.nodes >= told[0].nodes > 0


class OutOfTime:
    """Searches the first parts; each further one for two solutions, then its time is over."""

    def __init__(self, parts: int) -> None:
        self.parts = parts

    def run(self, job: Job, parts: Sequence[Part]) -> Iterator[Answer]:
        yield from InProcess().run(job, parts[: self.parts])
        for part in parts[self.parts :]:
            found = search_part(
                engine(job.engine), job.model, job.plan, part, Limits(solutions=2), solutions=True
            )
            if isinstance(found, Stopped):
                found = replace(found, reason=StopReason.TIME)
            yield found


@pytest.mark.parametrize("name", ["dlx", "cpsat"])
@pytest.mark.parametrize("listed", [False, True], ids=["counted", "listed"])
def test_what_was_found_before_the_time_was_over_counts_once(
    name: str, listed: bool, tmp_path: Path
) -> None:
    model = named_puzzle("domino:4x4").model  # 36 (A004003)
    plan = split(model, 4)
    right = [found.count for found in searched(model, plan)]
    assert sum(right) == 36
    assert sum(count > 2 for count in right[1:]) > 1
    least = right[0] + sum(min(2, count) for count in right[1:])
    seen: list[Solution] = []
    spread = spread_count(
        name, model, plan=plan, runner=OutOfTime(1), receive=seen.append if listed else None
    )
    assert (spread.result.stopped, spread.result.found) == (StopReason.TIME, least)
    assert len(set(seen)) == len(seen) == (least if listed else 0)
    if listed:  # and into a file, which goes back to the parts that are done
        output = Output(str(tmp_path / "all"))
        spread = spread_count(
            name, model, plan=plan, runner=OutOfTime(1), checkpoint=str(tmp_path / "kept"),
            receive=lambda solution: output.write("x"), output=output,
        )  # fmt: skip
        assert (spread.result.found, spread.result.counters.found) == (right[0], right[0])
        assert (tmp_path / "all").read_text() == "x" * right[0]


def test_of_an_unfinished_part_so_many_solutions_are_given_back_as_are_sent_at_once() -> None:
    model = named_puzzle("domino:6x6").model
    plan = split(model, 1)
    limits = Limits(memory=1500 * bytes_of(tuple(range(18))))
    (part,) = parts_of(plan, model)
    stopped = search_part(engine("dlx"), model, plan.fingerprint, part, limits, solutions=True)
    assert isinstance(stopped, Stopped)
    assert (stopped.reason, stopped.work.found) == (StopReason.MEMORY, 1501)
    assert len(set(stopped.solutions)) == 1000


def test_workers_have_less_time_than_there_is() -> None:
    job = Job("dlx", named_puzzle("queens:4").model, "x", deadline=CLOCK() + 100)
    for margin in (0.0, MARGIN):
        seconds = job.terms(margin).seconds
        assert seconds is not None
        assert 0 < seconds < 100 - margin
    late = replace(job, deadline=CLOCK() - 1)
    assert late.terms(MARGIN).seconds == 0
    assert replace(job, deadline=None).terms(MARGIN).seconds is None


def test_a_clock_that_runs_on_never_stands_still() -> None:
    clock = Clock()
    with clock.standing():
        assert clock() == clock()
    clock.runs_on = True
    before = clock()
    with clock.standing():
        while clock() == before:
            pass
    assert clock() > before


def test_a_checkpoint_of_the_most_parts_can_be_read_again() -> None:
    large = 10**14
    result = PartResult(
        "f" * 64, MOST_PARTS, "cpsat", large, large, large, large, 0.1234567890123456, "f" * 64
    )
    node_of_the_tree = len(f"{large}, ")
    written = len(json.dumps(result.members())) + 2 * node_of_the_tree
    assert written * MOST_PARTS + FEW_BYTES < MAX_BYTES
    with pytest.raises(InputError, match=f"{MOST_PARTS + 1} parts: expected {MOST_PARTS} at most"):
        split(named_puzzle("queens:4").model, MOST_PARTS + 1)


def test_a_checkpoint_refuses_solutions_that_are_not_its_own(tmp_path: Path) -> None:
    model = named_puzzle("pentomino:4x5:some").model
    path, out = str(tmp_path / "kept"), tmp_path / "all"
    output = Output(str(out))
    spread_count(
        "dlx", model, parts=12, checkpoint=path, output=output,
        receive=lambda solution: output.write(f"{solution}\n"),
    )  # fmt: skip
    whole = out.read_text()
    for wrong in (whole[:-1], whole.replace("0", "1", 1), ""):
        out.write_text(wrong)
        with pytest.raises(InputError, match="not what the checkpoint knows of it"):
            open_checkpoint(path, model, "dlx", None, Output(str(out)))
        assert out.read_text() == wrong
    with pytest.raises(InputError, match="a checkpoint of `solve -n 0`, not of `count`"):
        open_checkpoint(path, model, "dlx", None)
    with pytest.raises(InputError, match="needs the file"):
        spread_count("dlx", model, checkpoint=path, receive=print)


def test_a_checkpoint_of_another_model_engine_or_version_is_refused(tmp_path: Path) -> None:
    model = named_puzzle("pentomino:3x20").model
    path = str(tmp_path / "checkpoint")
    spread_count("dlx", model, runner=Stops(2), checkpoint=path)
    with pytest.raises(InputError, match="another model"):
        open_checkpoint(path, model.with_chosen([0]), "dlx", None)
    with pytest.raises(InputError, match="of the engine 'dlx'"):
        open_checkpoint(path, model, "cpsat", None)
    content = json.loads(Path(path).read_text())
    for changed, match in (
        ({"version": "0.0.0"}, "version '0.0.0'"),
        ({"results": content["results"] * 2}, "two results of part"),
        ({"results": [{**content["results"][0], "plan": "0"}]}, "another plan"),
        ({"results": [{**content["results"][0], "engine": "cpsat"}]}, "another plan or engine"),
        ({"schema": "x"}, "schema 'x'"),
    ):
        Path(path).write_text(json.dumps(content | changed))
        with pytest.raises(InputError, match=match):
            open_checkpoint(path, model, "dlx", None)


def alive(pid: int) -> bool:
    """Whether that process is there, and more than a name that nobody has taken note of."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc to look for processes")
def test_workers_end_with_the_process_that_started_them() -> None:
    code = """
from twostep.compare.parallel.count import spread_count
from twostep.compare.parallel.workers import Processes
from twostep.models.families.registry import named_puzzle
if __name__ == "__main__":
    runner = Processes(2)
    model = named_puzzle("queens:18").model  # a part takes minutes
    tell = lambda now: print(*runner.started, flush=True)
    spread_count("dlx", model, parts=8, runner=runner, progress=tell)
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], env=ENVIRONMENT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        pids = [int(word) for word in process.stdout.readline().split()]
        assert len(pids) == 2
        process.kill()
    for _ in range(3000):
        if not any(map(alive, pids)):
            return
        time.sleep(0.1)
    raise AssertionError("workers go on")


KILLED = [  # the parts are so small that several kills find the search unfinished
    ("dlx", "pentomino:5x12", 4040, 200),  # Haselgrove 1960: 1010, four times
    ("cpsat", "domino:6x6", 6728, 300),  # A004003
]


@pytest.mark.parametrize(("name", "puzzle", "count", "parts"), KILLED)
@pytest.mark.parametrize("kills", [3, pytest.param(50, marks=pytest.mark.long)])
def test_a_killed_count_loses_and_doubles_nothing(
    name: str, puzzle: str, count: int, parts: int, kills: int, tmp_path: Path
) -> None:
    flags = ["--backend", name, "--parts", str(parts)]
    said, further = killed_and_resumed(["count", puzzle, *flags], tmp_path / "kept", kills)
    assert said == str(count)
    assert further >= kills // 2


@pytest.mark.parametrize(("name", "puzzle", "count", "parts"), KILLED)
@pytest.mark.parametrize("kills", [3, pytest.param(50, marks=pytest.mark.long)])
def test_a_killed_solve_loses_and_doubles_no_solution(
    name: str, puzzle: str, count: int, parts: int, kills: int, tmp_path: Path
) -> None:
    out = tmp_path / "all.txt"
    flags = ["--backend", name, "--parts", str(parts), "-n", "0", "-o", str(out)]
    said, further = killed_and_resumed(["solve", puzzle, *flags], tmp_path / "kept", kills)
    assert said == f"{out}: {count}"
    assert further >= kills // 2
    asked = named_puzzle(puzzle)
    right = [asked.draw(solution) for solution in listing(engine("dlx"), asked.model).solutions]
    assert len(right) == count
    assert sorted(out.read_text().removesuffix("\n").split("\n\n")) == sorted(right)


@pytest.mark.long
@pytest.mark.parametrize(
    ("puzzle", "name", "count"),
    [("pentomino:6x10", "dlx", 9356), ("pentomino:4x15", "cpsat", 1472)],  # Haselgrove 1960
)
@pytest.mark.filterwarnings("default")
def test_a_killed_worker_of_a_cluster_costs_only_its_part(
    puzzle: str, name: str, count: int
) -> None:
    from twostep.compare.parallel.cluster import Cluster

    model = named_puzzle(puzzle).model
    with a_cluster_that_loses_a_worker() as (address, progress):
        spread = spread_count(name, model, runner=Cluster(address), progress=progress)
    assert (spread.result.found, spread.result.complete) == (count, True)


@pytest.mark.filterwarnings("default")
def test_a_time_limit_ends_a_cluster_and_its_workers() -> None:
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    from twostep.compare.parallel.cluster import LOCAL, Cluster

    model = named_puzzle("queens:18").model
    spread = spread_count("dlx", model, runner=Cluster(LOCAL, 2), limits=Limits(seconds=2.0))
    assert spread.result.stopped is StopReason.TIME
    assert not multiprocessing.active_children()


@pytest.mark.filterwarnings("default")
def test_a_cluster_stops_searching_for_one_who_has_gone() -> None:
    distributed = pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    from twostep.compare.parallel.cluster import Cluster

    def executing(dask_worker) -> int:  # type: ignore[no-untyped-def]
        return len(dask_worker.state.executing)

    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, dashboard_address=None, silence_logs=50
        ) as local,
        distributed.Client(local, set_as_default=False) as client,
    ):
        busy = []

        def leave(now: Progress) -> None:
            busy.extend(client.run(executing).values())
            if busy[-1]:
                raise KeyboardInterrupt

        spread = spread_count(
            "dlx", named_puzzle("queens:18").model, parts=8,  # a part takes minutes
            runner=Cluster(local.scheduler_address), progress=leave,
        )  # fmt: skip
        assert spread.result.stopped is StopReason.CANCELLED
        assert busy[-1] == 1
        for _ in range(1500):
            if client.run(executing) == dict.fromkeys(client.ncores(), 0):
                return
            time.sleep(0.2)
        raise AssertionError("a worker goes on with what nobody wants")


@pytest.mark.filterwarnings("default")
def test_a_cluster_whose_scheduler_dies_is_one_clear_error() -> None:
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    from twostep.compare.parallel.cluster import Cluster

    command = [
        sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1",
        "--port", "0", "--no-dashboard",
    ]  # fmt: skip
    with subprocess.Popen(command, env=ENVIRONMENT, stderr=subprocess.PIPE) as scheduler:
        assert scheduler.stderr is not None
        while b"Scheduler at" not in (line := scheduler.stderr.readline()):
            assert scheduler.poll() is None
        address = line.split()[-1].decode()
        model = named_puzzle("queens:18").model  # there is no worker: nothing is ever done
        try:
            with pytest.raises(InputError, match=f"the cluster {re.escape(address)} is lost"):
                spread_count(
                    "dlx", model, parts=8, runner=Cluster(address),
                    progress=lambda now: scheduler.kill(),
                )  # fmt: skip
        finally:
            scheduler.kill()


@pytest.mark.filterwarnings("default")
def test_a_cluster_of_its_own_counts_and_a_missing_one_is_named() -> None:
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    from twostep.compare.parallel.cluster import LOCAL, Cluster

    model = named_puzzle("pentomino:3x20").model
    assert spread_count("dlx", model, runner=Cluster(LOCAL, 2), parts=8).result.found == 8
    some = spread_listing("cpsat", model, 3, runner=Cluster(LOCAL, 2), parts=8)
    assert (len(set(some.solutions)), some.result.stopped) == (3, StopReason.SOLUTIONS)
    with pytest.raises(InputError, match=r"no cluster answers at .tcp://127\.0\.0\.1:1"):
        spread_count("dlx", model, runner=Cluster("tcp://127.0.0.1:1"), parts=8)
