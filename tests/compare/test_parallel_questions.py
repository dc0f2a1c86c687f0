"""Unique and best in parts: the answers of one search, whoever is killed or interrupted."""

from __future__ import annotations

import json
import os
import random
import signal
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from helpers.cli import Typed
from helpers.interruptions import Stops, a_cluster_that_loses_a_worker, killed_and_resumed
from helpers.oracle import all_solutions, cheapest_costs
from helpers.strategies import models
from hypothesis import given, settings
from hypothesis import strategies as st

from twostep.compare.parallel.checkpoint import FEW_BYTES
from twostep.compare.parallel.count import spread_count
from twostep.compare.parallel.few import Few
from twostep.compare.parallel.part import Found, PartResult, Stopped
from twostep.compare.parallel.plan import Part, part_model, parts_of, split
from twostep.compare.parallel.questions import spread_best, spread_listing, spread_unique
from twostep.compare.parallel.workers import Answer, InProcess, Job, Processes
from twostep.compare.registry import ENGINES, engine
from twostep.models import (
    EngineFault,
    InputError,
    Limits,
    Model,
    ModelBuilder,
    Solution,
    StopReason,
    Verdict,
    listing,
)
from twostep.models.families.registry import named_puzzle
from twostep.models.reading.formats.modelfile import write_model
from twostep.models.search.engine import Counters
from twostep.models.search.questions import bytes_of

VERDICT = {0: Verdict.NONE, 1: Verdict.UNIQUE, 2: Verdict.MULTIPLE}


class Sent:
    """Searches here what would be sent to a worker: it cannot say anything before its end."""

    def run(self, job: Job, parts: Sequence[Part]) -> Iterator[Answer]:
        for part in parts:
            yield job.to_send.search(part, job.terms())


RUNNERS = (InProcess, Sent)


@settings(max_examples=300, derandomize=True, deadline=None)
@given(
    model=models(), parts=st.integers(1, 12), runner=st.sampled_from(RUNNERS),
    name=st.sampled_from(list(ENGINES)),
)  # fmt: skip
def test_parts_give_the_solutions_of_brute_force(
    model: Model, parts: int, runner: type[InProcess | Sent], name: str
) -> None:
    right = all_solutions(model)
    told = spread_unique(name, model, parts=parts, runner=runner())
    assert told.verdict is VERDICT[min(2, len(right))]
    assert len(set(told.solutions)) == len(told.solutions) == min(2, len(right))
    assert set(told.solutions) <= right
    assert told.result.found == len(told.solutions)
    assert told.result.complete == (told.verdict is not Verdict.MULTIPLE)


@settings(max_examples=300, derandomize=True, deadline=None)
@given(
    model=models(), parts=st.integers(1, 12), runner=st.sampled_from(RUNNERS),
    name=st.sampled_from(list(ENGINES)), k=st.integers(1, 4),
)  # fmt: skip
def test_parts_have_the_cheapest_costs_of_brute_force(
    model: Model, parts: int, runner: type[InProcess | Sent], name: str, k: int
) -> None:
    listed = spread_best(name, model, k, parts=parts, runner=runner())
    assert listed.result.complete
    assert set(listed.solutions) <= all_solutions(model)
    assert len(set(listed.solutions)) == len(listed.solutions) == listed.result.found
    assert [model.cost(solution) for solution in listed.solutions] == cheapest_costs(model, k)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(model=models(), k=st.integers(1, 3), stop=st.integers(1, 3))
def test_a_search_that_is_interrupted_again_and_again_tells_the_same(
    model: Model, k: int, stop: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("kept")
    right = all_solutions(model)
    for _ in range(20):
        told = spread_unique("dlx", model, parts=6, runner=Stops(stop), checkpoint=f"{folder}/u")
        assert set(told.solutions) <= right
        if told.verdict is not Verdict.UNKNOWN:
            break
        assert told.result.stopped is StopReason.CANCELLED
    assert told.verdict is VERDICT[min(2, len(right))]
    for _ in range(20):
        listed = spread_best("dlx", model, k, parts=6, runner=Stops(stop), checkpoint=f"{folder}/b")
        if listed.result.complete:
            break
    assert [model.cost(solution) for solution in listed.solutions] == cheapest_costs(model, k)


@settings(max_examples=200, derandomize=True, deadline=None)
@given(
    model=models(), parts=st.integers(1, 12), runner=st.sampled_from(RUNNERS),
    name=st.sampled_from(list(ENGINES)), number=st.integers(1, 8),
)  # fmt: skip
def test_parts_list_as_many_solutions_as_are_wanted_or_all(
    model: Model, parts: int, runner: type[InProcess | Sent], name: str, number: int
) -> None:
    right = all_solutions(model)
    seen: list[Solution] = []
    listed = spread_listing(
        name, model, number, receive=seen.append, parts=parts, runner=runner()
    )  # fmt: skip
    assert listed.solutions == tuple(seen)
    assert len(set(seen)) == len(seen) == listed.result.found == min(number, len(right))
    assert set(seen) <= right
    enough = len(right) >= number
    assert listed.result.stopped is (StopReason.SOLUTIONS if enough else StopReason.EXHAUSTED)


def ending(seen: list[Solution], number: int) -> Callable[[Solution], bool]:
    """What puts solutions there, and ends the search after so many: in the middle of a part."""

    def receive(solution: Solution) -> bool:
        seen.append(solution)
        return len(seen) == number

    return receive


@settings(max_examples=60, derandomize=True, deadline=None)
@given(
    model=models(), number=st.integers(1, 12), stop=st.integers(1, 3),
    name=st.sampled_from(list(ENGINES)),
)  # fmt: skip
def test_one_process_lists_the_same_solutions_however_often_it_is_interrupted(
    model: Model, number: int, stop: int, name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    plan = split(model, 6)
    right: list[Solution] = []
    for part in parts_of(plan, model):
        small, ids = part_model(model, part)
        found = listing(engine(name), small).solutions
        right += [tuple(ids[option] for option in solution) for solution in found]
    path = str(tmp_path_factory.mktemp("kept") / "kept")
    for attempt in range(60):
        seen: list[Solution] = []
        listed = spread_listing(
            name, model, number, receive=ending(seen, 1 + 3 * attempt), plan=plan,
            runner=Stops(stop), checkpoint=path,
        )  # fmt: skip
        assert listed.solutions == tuple(seen)
        if listed.result.stopped is not StopReason.CANCELLED:
            break
    assert listed.solutions == spread_listing(name, model, number, plan=plan).solutions
    if (name, number) != ("cpsat", 1):  # to find one, CP-SAT searches in another way
        assert listed.solutions == tuple(right[:number])
    more = spread_listing(name, model, number + len(right), checkpoint=path)
    assert more.result.complete
    assert more.solutions[: len(seen)] == tuple(seen)
    assert sorted(more.solutions) == sorted(right)
    if len(seen) > 1:
        few = len(seen) - 1
        with pytest.raises(InputError, match=r"a checkpoint of \d+ solutions: ask for at least as"):
            spread_listing(name, model, few, checkpoint=path)


@settings(max_examples=200, derandomize=True, deadline=None)
@given(model=models())
def test_the_few_solutions_take_no_more_room_than_was_said(model: Model) -> None:
    right = all_solutions(model)
    few = Few(max(1, len(right)), "unique")
    for solution in right:
        few.take(solution)
    assert len(json.dumps(few.members()["known"])) <= few.most_bytes(model)


def test_more_solutions_than_a_checkpoint_can_keep_are_refused(tmp_path: Path) -> None:
    model = named_puzzle("pentomino:6x10").model
    path = tmp_path / "kept"
    with pytest.raises(InputError, match=r"kept: .* has room for (\d+)") as refused:
        spread_listing("dlx", model, 10**6, checkpoint=str(path))
    assert not path.exists()
    most = int(str(refused.value).partition("room for ")[2].split(";")[0])
    assert Few(most, "unique").most_bytes(model) <= FEW_BYTES
    assert Few(most + 1, "unique").most_bytes(model) > FEW_BYTES


def test_solutions_of_several_unfinished_parts_are_enough_together() -> None:
    model = named_puzzle("queens:6").model
    one, two, three, _ = listing(engine("dlx"), model).solutions  # 4 (A000170)

    class Endless:
        def run(self, job: Job, parts: Sequence[Part]) -> Iterator[Answer]:
            assert len(parts) > 1
            yield from (Found((one,)), Found((one,)), None, Found((two,)), Found((three,)))
            raise AssertionError("three are known")

    listed = spread_listing("dlx", model, 3, parts=4, runner=Endless())
    assert listed.solutions == (one, two, three)
    assert listed.result.stopped is StopReason.SOLUTIONS


class DiesInAPart:
    """One process, which is killed when it has told some solutions of the part it is searching."""

    def __init__(self, some: int) -> None:
        self.processes = Processes(1)
        self.some = some

    def run(self, job: Job, parts: Sequence[Part]) -> Iterator[Answer]:
        told = 0
        for answer in self.processes.run(job, parts):
            told += isinstance(answer, Found)
            if told == self.some and len(self.processes.started) == 1:
                os.kill(self.processes.started[0], signal.SIGKILL)
            yield answer


@pytest.mark.parametrize("name", ENGINES)
def test_a_killed_worker_doubles_no_solution_that_it_had_sent(name: str) -> None:
    model = named_puzzle("domino:4x6").model
    seen: list[Solution] = []
    runner = DiesInAPart(50)
    listed = spread_listing(name, model, 1000, parts=1, runner=runner, receive=seen.append)
    assert len(runner.processes.started) == 2
    assert (listed.result.found, listed.result.complete) == (281, True)  # A099390
    assert len(set(seen)) == len(seen) == 281


@pytest.mark.parametrize("runner", RUNNERS)
def test_a_memory_limit_holds_for_the_few_solutions(
    runner: type[InProcess | Sent], tmp_path: Path
) -> None:
    model = named_puzzle("domino:4x6").model
    limits = Limits(memory=10 * bytes_of(tuple(range(12))))
    path = str(tmp_path / "kept")
    listed = spread_listing(
        "dlx", model, 100, limits=limits, parts=4, runner=runner(), checkpoint=path
    )  # fmt: skip
    assert (listed.result.stopped, len(listed.solutions)) == (StopReason.MEMORY, 11)
    listed = spread_listing("dlx", model, 100, runner=runner(), checkpoint=path)
    assert (listed.result.stopped, len(listed.solutions)) == (StopReason.SOLUTIONS, 100)


def two_of_a_kind(*, apart: bool) -> Model:
    """Two solutions: at a search for item "a" they come apart, or both take its only option."""
    builder = ModelBuilder("two")
    for name in "abc":
        builder.item(name)
    for option in ("a b", "c", "c") if not apart else ("a b c", "a", "b c"):
        builder.option(option.split())
    return builder.build()


@pytest.mark.parametrize("runner", RUNNERS)
@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("apart", [True, False], ids=["two parts", "one part"])
def test_two_solutions_are_found_in_whichever_parts_they_are(
    apart: bool, name: str, runner: type[InProcess | Sent], tmp_path: Path
) -> None:
    model = two_of_a_kind(apart=apart)
    right = all_solutions(model)
    plan = split(model, 2 if apart else 1)
    whole = [spread_count(name, model, plan=plan, runner=Stops(n)).result.found for n in (1, 2)]
    assert whole == ([1, 2] if apart else [2, 2])
    path = str(tmp_path / "kept")
    for _ in range(2):  # the second time nothing is left to search
        told = spread_unique(name, model, plan=plan, runner=runner(), checkpoint=path)
        assert (told.verdict, set(told.solutions)) == (Verdict.MULTIPLE, right)
        assert (told.result.stopped, told.result.found) == (StopReason.SOLUTIONS, 2)
        content = json.loads(Path(path).read_text())
        assert {tuple(solution) for solution in content["few"]["known"]} == right
        done = [result["part"] for result in content["results"]]
        assert done == ([0] if apart else [])  # what stopped at its second solution isn't done
        runner = NoOne  # type: ignore[assignment]


class NoOne:
    """Searches nothing, and must not be asked to."""

    def run(self, job: Job, parts: Sequence[Part]) -> Iterator[Answer]:
        assert not parts
        yield from ()


class Says:
    """Gives certain answers first, then searches."""

    def __init__(self, *answers: PartResult | Stopped) -> None:
        self.answers = answers

    def run(self, job: Job, parts: Sequence[Part]) -> Iterator[Answer]:
        yield from self.answers
        yield from InProcess().run(job, parts[len(self.answers) :])


def test_what_an_unfinished_part_has_found_is_kept_and_counts_once(tmp_path: Path) -> None:
    model = with_ways_out(4, 1)  # Langford pairs of 1 to 4: one up to reversal (Gardner), so 2 + 1
    path = str(tmp_path / "kept")
    known = listing(engine("dlx"), model).solutions[0]
    stopped = Stopped(StopReason.NODES, Counters(nodes=7), (known,))
    told = spread_unique("dlx", model, parts=5, runner=Says(stopped), checkpoint=path)
    assert (told.verdict, told.solutions) == (Verdict.UNKNOWN, (known,))
    assert (told.result.stopped, told.result.counters.nodes) == (StopReason.NODES, 7)
    one = model.with_chosen(known)
    for name in ("a", "b"):
        told = spread_unique("dlx", one, parts=1, runner=Says(stopped), checkpoint=path + name)
        assert (told.verdict, told.solutions) == (Verdict.UNKNOWN, (known,))
        told = spread_unique("dlx", one, checkpoint=path + name)
        assert (told.verdict, told.solutions) == (Verdict.UNIQUE, (known,))


def test_parts_without_a_solution_that_is_known_are_a_fault(tmp_path: Path) -> None:
    model = with_ways_out(4, 1)
    model = model.with_chosen(listing(engine("dlx"), model).solutions[0])
    plan = split(model, 1)
    path = str(tmp_path / "kept")
    stopped = Stopped(StopReason.NODES, solutions=(tuple(sorted(model.chosen)),))
    spread_unique("dlx", model, plan=plan, runner=Says(stopped), checkpoint=path)
    none = PartResult(plan.fingerprint, 0, "dlx", 0, 0, 0, 0, 0.0, "0" * 64)
    with pytest.raises(EngineFault, match="they are not the 1 that are known"):
        spread_unique("dlx", model, runner=Says(none), checkpoint=path)


def test_a_part_is_only_asked_for_what_is_cheaper_than_what_is_known() -> None:
    class Bounds(InProcess):
        def run(self, job: Job, parts: Sequence[Part]) -> Iterator[Answer]:
            for part in parts:
                seen.append(job.terms().below)
                yield from super().run(job, [part])

    seen: list[int | None] = []
    builder = ModelBuilder("dear and cheap")
    builder.item("a")
    for cost in (5, 7, 2, 9, 2):
        builder.option(["a"], cost=cost)
    model = builder.build()
    listed = spread_best("dlx", model, parts=5, runner=Bounds())
    assert (listed.solutions, seen) == (((2,),), [None, 5, 5, 2, 2])
    seen.clear()
    listed = spread_best("dlx", model, 2, parts=5, runner=Bounds())
    assert (listed.solutions, seen) == (((2,), (4,)), [None, None, 7, 5, 5])
    with pytest.raises(InputError, match="0 solutions: expected"):
        spread_best("dlx", model, 0)


def test_a_limit_is_an_answer_of_its_own() -> None:
    model = named_puzzle("queens:30").model
    told = spread_unique("dlx", model, limits=Limits(seconds=0))
    assert (told.verdict, told.result.stopped) == (Verdict.UNKNOWN, StopReason.TIME)
    assert not spread_best("dlx", model, limits=Limits(seconds=0)).result.complete
    with pytest.raises(InputError, match="time and memory only"):
        spread_unique("dlx", model, limits=Limits(nodes=5))


def test_processes_give_the_same_answers() -> None:
    puzzle = named_puzzle("pentomino:3x5:PUV")
    told = spread_unique("dlx", puzzle.model, parts=4, runner=Processes(2))
    right = set(listing(engine("dlx"), puzzle.model).solutions)
    assert told.verdict is Verdict.MULTIPLE
    assert len(set(told.solutions) & right) == 2
    listed = spread_best("cpsat", puzzle.model, 9, parts=4, runner=Processes(2))
    assert (set(listed.solutions), listed.result.complete) == (right, True)


def test_checkpoints_of_other_questions_are_refused(tmp_path: Path) -> None:
    model = named_puzzle("pentomino:3x5:PUV").model
    path = {name: str(tmp_path / name) for name in ("count", "unique", "best")}
    spread_count("dlx", model, checkpoint=path["count"])
    spread_unique("dlx", model, checkpoint=path["unique"])
    spread_best("dlx", model, 3, checkpoint=path["best"])
    for of, asked in (("count", "count"), ("best", "best -k 3")):
        with pytest.raises(InputError, match=f"{of}: a checkpoint of `{asked}`, not of `unique`"):
            spread_unique("dlx", model, checkpoint=path[of])
    with pytest.raises(InputError, match="a checkpoint of `unique`, not of `best -k 1`"):
        spread_best("dlx", model, checkpoint=path["unique"])
    with pytest.raises(InputError, match="a checkpoint of `unique`, not of `count`"):
        spread_count("dlx", model, checkpoint=path["unique"])
    with pytest.raises(InputError, match="a checkpoint of `best -k 3`, not of `best -k 2`"):
        spread_best("dlx", model, 2, checkpoint=path["best"])
    with pytest.raises(InputError, match="of another model"):
        spread_unique("dlx", model.with_chosen([0]), checkpoint=path["unique"])
    with pytest.raises(InputError, match="of the engine 'dlx'"):
        spread_unique("cpsat", model, checkpoint=path["unique"])


def test_a_torn_or_forged_checkpoint_is_refused(tmp_path: Path) -> None:
    model = named_puzzle("pentomino:3x5:PUV").model
    path = tmp_path / "kept"
    told = spread_unique("dlx", model, checkpoint=str(path))
    whole = path.read_text()
    rng = random.Random(1)
    for cut in [0, 1, *(rng.randrange(len(whole) - 1) for _ in range(50))]:
        path.write_text(whole[:cut])
        with pytest.raises(InputError, match="kept"):
            spread_unique("dlx", model, checkpoint=str(path))
        assert path.read_text() == whole[:cut]
    content = json.loads(whole)
    right = list(told.solutions[0])
    for known, match in (
        ([right[:-1]], "not a solution: item"),
        ([right[::-1]], "not strictly ascending"),
        ([[*right, 10**9]], "there are"),
        ([["x"]], "lists of options"),
        ([5], "lists of options"),
        (None, "expected a list"),
    ):
        content["few"]["known"] = known
        path.write_text(json.dumps(content))
        with pytest.raises(InputError, match=f"kept: known: .*{match}"):
            spread_unique("dlx", model, checkpoint=str(path))
    path.write_text(json.dumps(content | {"few": 5}))
    with pytest.raises(InputError, match="not solutions: expected a JSON object"):
        spread_unique("dlx", model, checkpoint=str(path))


def with_ways_out(n: int, ways: int) -> Model:
    """Langford's problem of 1 to `n`, and further options that cover all items at once.

    They come last. With n = 1 or 2 modulo 4 there are no other solutions (Davies 1959).
    """
    langford = named_puzzle(f"langford:{n}").model
    builder = ModelBuilder("ways out")
    for name in langford.items:
        builder.item(name)
    for option in range(langford.n_options):
        builder.option([langford.items[item] for item, _ in langford.option(option)])
    for _ in range(ways):
        builder.option(langford.items, cost=1)
    return builder.build()


UNIQUE = {
    0: "no solution",
    1: "unique: exactly one solution",
    2: "several solutions, for example these two:",
}


def long(*values: object) -> object:
    return pytest.param(*values, marks=pytest.mark.long)


@pytest.mark.parametrize(
    ("name", "n", "parts", "ways", "kills"),
    [
        ("dlx", 10, 300, 1, 3),
        ("cpsat", 9, 300, 1, 3),
        *(long("dlx", 13, 500, ways, 50) for ways in UNIQUE),
        *(long("cpsat", 10, 600, ways, 50) for ways in UNIQUE),
    ],
)
def test_a_killed_unique_goes_on_to_the_same_answer(
    name: str, n: int, parts: int, ways: int, kills: int, tmp_path: Path
) -> None:
    puzzle = str(tmp_path / "puzzle.dlx")
    write_model(with_ways_out(n, ways), puzzle)
    arguments = ["unique", puzzle, "--backend", name, "--parts", str(parts)]
    said, further = killed_and_resumed(arguments, tmp_path / "kept", kills)
    assert said.split("\n")[0] == UNIQUE[ways]
    assert further >= kills // 2


@pytest.mark.parametrize(
    ("name", "kills"), [("dlx", 3), long("cpsat", 3), long("dlx", 30), long("cpsat", 30)]
)
def test_a_killed_best_proves_the_same(name: str, kills: int, tmp_path: Path) -> None:
    builder = ModelBuilder("dominoes of a board, each with a price")
    rng = random.Random(5)
    cells = [f"{row}{column}" for row in range(6) for column in range(6)]
    for cell in cells:
        builder.item(cell)
    for cell in cells:
        row, column = map(int, cell)
        for other in (f"{row + 1}{column}", f"{row}{column + 1}"):
            if other in cells:
                builder.option([cell, other], cost=rng.randrange(20))
    model = builder.build()
    puzzle = str(tmp_path / "puzzle.dlx")
    write_model(model, puzzle)
    costs = sorted(model.cost(solution) for solution in listing(engine("dlx"), model).solutions)
    arguments = ["best", puzzle, "-k", "3", "--backend", name, "--parts", "300"]
    said, further = killed_and_resumed(arguments, tmp_path / "kept", kills)
    assert [int(line[5:]) for line in said.split("\n") if line.startswith("cost ")] == costs[:3]
    assert further >= kills // 2


@pytest.mark.parametrize(
    ("name", "puzzle", "number", "parts", "kills"),
    [
        ("dlx", "pentomino:5x12", 4000, 200, 3),
        ("cpsat", "domino:6x6", 5000, 300, 3),
        long("dlx", "pentomino:5x12", 4040, 200, 50),
        long("cpsat", "domino:6x6", 7000, 300, 50),
    ],
)
def test_a_killed_solve_prints_as_many_solutions_as_are_wanted(
    name: str, puzzle: str, number: int, parts: int, kills: int, tmp_path: Path
) -> None:
    flags = ["-n", str(number), "--backend", name, "--parts", str(parts)]
    said, further = killed_and_resumed(["solve", puzzle, *flags], tmp_path / "kept", kills)
    asked = named_puzzle(puzzle)
    right = {asked.draw(solution) for solution in listing(engine("dlx"), asked.model).solutions}
    printed = said.split("\n\n")
    assert len(set(printed)) == len(printed) == min(number, len(right))
    assert set(printed) <= right
    assert further >= kills // 2


@pytest.mark.long
@pytest.mark.parametrize(("name", "n"), [("dlx", 13), ("cpsat", 10)])
@pytest.mark.filterwarnings("default")
def test_a_killed_worker_of_a_cluster_does_not_change_what_is_unique(name: str, n: int) -> None:
    from twostep.compare.parallel.cluster import Cluster

    model = with_ways_out(n, 1)
    with a_cluster_that_loses_a_worker() as (address, progress):
        told = spread_unique(name, model, runner=Cluster(address), parts=200, progress=progress)
    assert (told.verdict, told.solutions) == (Verdict.UNIQUE, ((model.n_options - 1,),))


@pytest.mark.usefixtures("here")
def test_unique_and_best_in_parts_answer_as_without_parts(typed: Typed) -> None:
    puzzle = "pentomino:3x5:PUV"
    for flags in (("--parts", "4"), ("--workers", "2"), ("--checkpoint", "u")):
        said = typed("unique", puzzle, "--json", *flags)
        assert (said.code, said.json["outcome"], said.json["count"]) == (10, "multiple", 2)
        assert len({str(board) for board in said.json["solutions"]}) == 2
    said = typed("unique", "queens:3", "--parts", "4", "--backend", "both", "--json")
    assert (said.code, said.json["outcome"], said.json["complete"]) == (20, "none", True)
    said = typed("unique", "queens:20", "--parts", "4", "--time-limit", "0", "--quiet")
    assert (said.code, said.out) == (30, "unknown: stopped (time); solutions found: 0\n")
    write_model(with_ways_out(5, 1), "one.dlx")
    said = typed("unique", "one.dlx", "--parts", "9", "--certificate", "c.gz", "--quiet")
    assert (said.code, said.out.split("\n")[0]) == (0, UNIQUE[1])
    assert typed("verify", "c.gz", "one.dlx").out == "proven: one.dlx has exactly 1 solution\n"
    said = typed("best", "one.dlx", "--parts", "9", "--backend", "both", "--json")
    assert (said.code, said.json["costs"], said.json["proven"]) == (0, [1], True)
    for verb, flags, what in (
        ("unique", ("--checkpoint", "x", "--backend", "both"), "one engine"),
        ("best", ("--checkpoint", "x", "--backend", "both"), "one engine"),
        ("unique", ("--parts", "2", "--seed", "3"), "takes no --seed"),
        ("best", ("--parts", "2", "--node-limit", "3"), "time and memory only"),
        ("best", ("--checkpoint", "u"), "u: a checkpoint of `unique`, not of `best -k 1`"),
    ):
        said = typed(verb, puzzle, *flags)
        assert (said.code, said.out) == (2, "")
        assert what in said.err
        assert not Path("x").exists()


THREE_PIECES = "pentomino:3x5:PUV"
"""A puzzle with 4 solutions."""


@pytest.fixture
def boards(typed: Typed) -> set[str]:
    """All solutions of THREE_PIECES, as they are printed."""
    return set(typed("solve", THREE_PIECES, "-n", "0", "--quiet").out.rstrip("\n").split("\n\n"))


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("number", "found"), [(3, 3), (9, 4)])
@pytest.mark.parametrize(
    "flags",
    [
        ("--parts", "4"),
        ("--workers", "2"),
        ("--checkpoint", "c"),
        ("--parts", "4", "-o", "f"),
        ("--checkpoint", "c", "-o", "f"),
        ("--parts", "4", "--backend", "both"),
    ],
    ids=" ".join,
)
def test_solve_in_parts_gives_as_many_different_solutions_as_asked_for(
    flags: tuple[str, ...], number: int, found: int, boards: set[str], typed: Typed
) -> None:
    said = typed("solve", THREE_PIECES, "-n", str(number), "--quiet", *flags)
    text = Path("f").read_text() if "f" in flags else said.out
    printed = text.rstrip("\n").split("\n\n")
    assert (said.code, len(set(printed)), len(printed)) == (0, found, found)
    assert set(printed) <= boards
    if "f" in flags:
        assert said.out == ("f: 3 solutions\n" if number == 3 else "f: 4\n")


@pytest.mark.usefixtures("here")
def test_a_checkpoint_of_two_solutions_goes_on_to_all(boards: set[str], typed: Typed) -> None:
    said = typed("solve", THREE_PIECES, "-n", "2", "--checkpoint", "c", "--json")
    assert (said.json["count"], said.json["complete"]) == (2, False)
    assert said.json["stopped_by"] == "solutions"
    said = typed("solve", THREE_PIECES, "-n", "5", "--checkpoint", "c", "--json")
    assert (said.json["count"], said.json["complete"], said.json["stopped_by"]) == (4, True, None)
    assert {"\n".join(board) for board in said.json["solutions"]} == boards


@pytest.mark.usefixtures("here")
def test_solutions_found_in_parts_have_a_certificate(typed: Typed) -> None:
    flags = ("-n", "2", "--parts", "3", "--certificate", "two.gz", "--quiet")
    assert typed("solve", THREE_PIECES, *flags).code == 0
    assert "at least 2 solutions" in typed("verify", "two.gz", THREE_PIECES).out


@pytest.mark.usefixtures("here")
def test_solve_in_parts_finds_none_or_says_what_stopped_it(typed: Typed) -> None:
    said = typed("solve", "queens:3", "--parts", "4", "--backend", "both")
    assert (said.code, said.out) == (20, "no solution\n")
    said = typed("solve", "queens:20", "--parts", "4", "--time-limit", "0", "--quiet")
    assert (said.code, said.out) == (30, "nothing found before the limit (time)\n")


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("-n", "4", "--checkpoint", "c"), "c: a checkpoint of 5 solutions: ask for at least as"),
        (("-n", "0", "--checkpoint", "c", "-o", "g"), "of `solve -n N`, not of `solve -n 0`"),
        (("-n", "5", "--checkpoint", "c", "-o", "c"), "c: cannot be written: something else is"),
        (("-n", "5", "--checkpoint", "x", "--backend", "both"), "one engine"),
        (("--parts", "4", "--node-limit", "9"), "time and memory only"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_solve_in_parts_refuses(flags: tuple[str, ...], message: str, typed: Typed) -> None:
    if "c" in flags:
        assert typed("solve", THREE_PIECES, "-n", "5", "--checkpoint", "c", "--quiet").code == 0
    said = typed("solve", THREE_PIECES, *flags)
    assert (said.code, said.out) == (2, "")
    assert message in said.err
    assert not Path("x").exists()


@pytest.mark.usefixtures("here")
def test_solve_does_not_write_over_the_model_that_it_reads(typed: Typed) -> None:
    Path("board.txt").write_text("pieces: PUV\n.....\n.....\n.....\n")
    said = typed("solve", "board.txt", "-n", "2", "-o", "board.txt")
    assert (said.code, said.out) == (2, "")
    assert "board.txt: cannot be written: it is read" in said.err


def test_in_parts_too_an_engine_that_loses_a_solution_makes_exit_3(
    cpsat_loses_one: None, here: Path, typed: Typed
) -> None:
    write_model(with_ways_out(5, 1), "one.dlx")
    said = typed("unique", "one.dlx", "--parts", "3", "--backend", "both")
    assert said.code == 3
    assert "the engines disagree about one.dlx (dlx 1, cpsat 0)" in said.err
