"""``import twostep``: its names, what they cost to import, and what they answer."""

from __future__ import annotations

import ast
import doctest
import gc
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar
from xml.etree import ElementTree

import pytest
from helpers.engines import DLX, finds_nothing, loses_one
from helpers.sources import ROOT

import twostep
import twostep.models
from twostep.compare.agreement.verdict import Agreement
from twostep.compare.asking import questions
from twostep.compare.registry import ENGINES
from twostep.models.search.engine import SearchResult, StopReason

QUEENS_12 = 14_200
"""OEIS A000170."""

NAMES = sorted(twostep.__all__)


def threads() -> set[str]:
    return {thread.name for thread in threading.enumerate()} - {"MainThread"}


def two_ways() -> twostep.Model:
    builder = twostep.ModelBuilder("two ways")
    builder.item("a")
    builder.option(["a"], label="dear", cost=5)
    builder.option(["a"], label="cheap", cost=2)
    return builder.build()


# --- the package


def test_importing_it_takes_under_50_ms_and_loads_neither_numpy_nor_an_engine() -> None:
    code = (
        "import sys, time; began = time.process_time(); import twostep;"
        " took = time.process_time() - began;"
        " print(took, *(m for m in sys.modules"
        " if m.split('.')[0] in ('numpy', 'numba', 'ortools', 'click') or '_backend' in m))"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONPATH": str(ROOT / ".types")},
            text=True,
            capture_output=True,
            check=True,
        ).stdout.split()
        for _ in range(3)
    ]
    assert [loaded for _, *loaded in runs] == [[], [], []]
    assert min(float(took) for took, *_ in runs) < 0.05


@pytest.mark.parametrize("package", [twostep, twostep.models], ids=lambda package: package.__name__)
def test_the_names_for_type_checkers_are_those_that_are_loaded(package: object) -> None:
    source = Path(str(getattr(package, "__file__", ""))).read_text(encoding="utf-8")
    block = next(node for node in ast.parse(source).body if isinstance(node, ast.If))
    typed = {
        alias.asname: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert sorted(filter(None, typed)) == sorted(package.__all__)  # type: ignore[attr-defined]
    loaded = ast.literal_eval(block.orelse[0].value.args[1])  # type: ignore[attr-defined]
    assert {name: home for home, names in loaded.items() for name in names} == typed
    assert all(getattr(package, name) is not None for name in typed if name)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'twostep' has no attribute 'cuont'"):
        twostep.cuont  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize("name", [n for n in NAMES if n not in ("__version__", "UNLIMITED")])
def test_every_name_has_a_docstring_with_an_example_that_runs(name: str) -> None:
    thing = questions.compare if name == "compare" else getattr(twostep, name)
    names = {"twostep": twostep, **{each: getattr(twostep, each) for each in NAMES}}
    if name == "PuzzleLike":
        from twostep.compare.asking import subject

        text = Path(subject.__file__).read_text(encoding="utf-8").split("PuzzleLike = ")[1]
        tests = [
            doctest.DocTestParser().get_doctest(
                text.split('"""')[1], {"twostep": twostep}, name, None, None
            )
        ]
    else:
        tests = doctest.DocTestFinder(recurse=False).find(thing, name, globs=names)
    assert [test for test in tests if test.examples], f"{name} has no example"
    for test in tests:
        told: list[str] = []
        failed, _ = doctest.DocTestRunner().run(test, out=told.append)
        assert not failed, "".join(told)


def test_the_docstring_of_the_package_shows_what_comes_out() -> None:
    assert doctest.testmod(twostep).failed == 0


def test_the_example_is_typed() -> None:
    mypy = pytest.importorskip("mypy.api")
    out, _, code = mypy.run(
        ["--config-file", str(ROOT / "pyproject.toml"), str(ROOT / "examples" / "front_door.py")]
    )
    assert code == 0, out


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    code = (ROOT / "examples" / "front_door.py").read_text(encoding="utf-8")
    exec(compile(code, "front_door.py", "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out.splitlines()[:2] == ["pentomino:3x20: 8", "multiple"]


def test_python_m_twostep_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "twostep", "count", "pentomino:3x20", "--quiet"],
        env={"PYTHONPATH": str(ROOT / ".types")},
        text=True,
        capture_output=True,
        check=True,
    )
    assert done.stdout == "8\n"


# --- what can be asked


@pytest.mark.parametrize("backend", [*ENGINES, "both"])
def test_every_backend_gives_the_known_answers(backend: str) -> None:
    assert twostep.count("pentomino:3x5:PUV", backend=backend).found == 4
    assert len(twostep.listing("queens:6", backend=backend)) == 4
    assert len(set(twostep.solutions("queens:6", backend=backend))) == 4
    found = twostep.unique("queens:1", backend=backend)
    assert (found.verdict, found.solutions) == (twostep.Verdict.UNIQUE, ((0,),))
    cheapest = twostep.best(two_ways(), 2, backend=backend)
    assert [each.cost for each in cheapest] == [2, 5]
    assert len(cheapest.results) == (2 if backend == "both" else 1)


def test_a_name_a_file_a_model_and_a_puzzle_are_the_same_question(tmp_path: Path) -> None:
    from twostep.models.reading.formats.modelfile import write_model

    puzzle = twostep.load("queens:6")
    path = tmp_path / "queens.json"
    write_model(puzzle.model, str(path))
    for each in ("queens:6", puzzle, puzzle.model, path, str(path)):
        assert twostep.count(each).found == 4
        assert list(twostep.solutions(each)) == list(twostep.solutions("queens:6"))


def test_an_unknown_backend_or_puzzle_is_an_input_error() -> None:
    with pytest.raises(twostep.InputError, match="did you mean 'both'"):
        twostep.count("queens:6", backend="bth")
    with pytest.raises(twostep.InputError, match="did you mean 'queens'"):
        twostep.solutions("quens:6")
    with pytest.raises(twostep.InputError, match="limit of seconds"):
        twostep.count("queens:6", time_limit=-1)


def test_a_limit_makes_an_answer_that_says_so() -> None:
    counted = twostep.count("pentomino:6x10", node_limit=1000)
    assert (counted.complete, counted.stopped) == (False, StopReason.NODES)
    assert str(counted).startswith("at least ")
    none = twostep.first("pentomino:6x10", time_limit=0)
    assert (none.solution, none.complete, none.stopped) == (None, False, StopReason.TIME)
    verdict = twostep.unique("pentomino:6x10", node_limit=1, backend="both").verdict
    assert verdict is twostep.Verdict.UNKNOWN
    small = twostep.listing("queens:8", memory_limit=1000)
    assert (small.complete, small.stopped) == (False, StopReason.MEMORY)
    assert 0 < len(small) < 92


def test_a_reason_without_a_search_is_a_complete_answer() -> None:
    impossible = "pentomino:4x4:PUV"
    reason = "the pieces cover 15 cells, the board has 16: 1 too few"
    for answer in (
        twostep.count(impossible),
        twostep.listing(impossible),
        twostep.best(impossible),
    ):
        assert (answer.complete, answer.reason, answer.results) == (True, reason, ())
    assert twostep.unique(impossible).verdict is twostep.Verdict.NONE
    found = twostep.solutions(impossible)
    assert list(found) == []
    assert found.answer is not None
    assert found.answer.reason == reason


def test_the_seed_changes_the_order_and_not_the_set() -> None:
    plain = twostep.listing("queens:8").solutions
    other = twostep.listing("queens:8", seed=3).solutions
    assert plain != other
    assert set(plain) == set(other)


def test_workers_give_the_same_answers() -> None:
    assert twostep.count("pentomino:3x20", workers=2).found == 8
    assert len(set(twostep.listing("queens:6", workers=1))) == 4
    assert twostep.unique("queens:1", workers=1).verdict is twostep.Verdict.UNIQUE
    assert [each.cost for each in twostep.best(two_ways(), 2, workers=1)] == [2, 5]
    with pytest.raises(twostep.InputError, match="workers: expected a number of at least 1, got 0"):
        twostep.count("queens:6", workers=0)
    with pytest.raises(twostep.InputError, match="seed: a search by workers has no order"):
        twostep.unique("queens:6", workers=1, seed=3)


def test_a_solution_is_the_tuple_of_its_options_and_shows_itself() -> None:
    solution = twostep.first("pentomino:3x5:PUV").solution
    assert solution is not None
    puzzle = twostep.load("pentomino:3x5:PUV")
    plain = tuple(solution)
    assert solution == plain
    assert {solution} == {plain}
    assert str(solution) == solution.text == puzzle.draw(plain)
    assert solution.labels == tuple(puzzle.model.labels[option] for option in plain)
    assert repr(solution) == f"<Solution of 'pentomino:3x5:PUV': {plain}>"
    copy = pickle.loads(pickle.dumps(twostep.listing("queens:4")[0]))
    assert copy.text == ".Q..\n...Q\nQ...\n..Q."


def test_a_certificate_and_a_solution_are_verified(tmp_path: Path) -> None:
    from twostep.compare.certify import certify_count

    puzzle = twostep.load("pentomino:3x5:PUV")
    proof = tmp_path / "proof.gz"
    certify_count(DLX, puzzle.model, proof)
    proven = twostep.verify(puzzle, proof)
    assert (proven.count, proven.complete) == (4, True)
    with pytest.raises(twostep.InputError, match="certificate for another model"):
        twostep.verify("queens:6", proof)
    with pytest.raises(twostep.InputError, match="no solution of 'queens:6'"):
        twostep.verify("queens:6", ())


# --- pictures


@pytest.mark.parametrize("name", ["pentomino:3x5:PUV", "queens:6", "langford:4", "maze:3x3"])
def test_a_puzzle_and_its_solution_have_a_picture_and_show_it_in_a_notebook(name: str) -> None:
    solution = twostep.first(name).solution
    assert solution is not None
    drawn, empty = twostep.draw(solution), twostep.draw(name)
    assert ElementTree.fromstring(drawn.svg()).tag.endswith("svg")
    assert drawn.svg() == twostep.draw(name, solution).svg() == solution._repr_svg_()
    assert empty._repr_svg_() == twostep.load(name)._repr_svg_() != drawn.svg()


def test_a_picture_is_saved_in_the_format_that_its_name_asks_for(tmp_path: Path) -> None:
    for suffix, begins in ((".png", b"\x89PNG"), (".svg", b"<svg"), (".pdf", b"%PDF")):
        twostep.draw("queens:6", path=tmp_path / f"queens{suffix}")
        assert (tmp_path / f"queens{suffix}").read_bytes().startswith(begins)
    with pytest.raises(twostep.InputError, match=r"expected a name that ends in \.png"):
        twostep.draw("queens:6", path=tmp_path / "queens.txt")
    with pytest.raises(twostep.InputError, match="option 36 of 'queens:6': there are 36 options"):
        twostep.draw("queens:6", [36])


def test_a_model_is_a_small_table_in_a_notebook() -> None:
    builder = twostep.ModelBuilder("a <model>")
    builder.item("often", 0, 3)
    builder.item("any", 2, twostep.UNLIMITED)
    builder.secondary("s")
    builder.option(["often", "any", ("s", "red")], label="first", cost=2)
    table = ElementTree.fromstring(builder.build()._repr_html_())
    assert [["".join(cell.itertext()) for cell in row] for row in table if row.tag == "tr"] == [
        ["item 0", "often", "0 to 3 times"],
        ["item 1", "any", "at least 2 times"],
        ["item 2", "s", "at most once, or in one colour"],
        ["option 0", "often any s:red", "first, cost 2"],
    ]
    assert table[0].text == "a <model>: 3 items, 1 option"
    many = twostep.load("pentomino:6x10").model._repr_html_()
    assert many.count("<tr>") == 24


# --- the iterator


def test_a_loop_that_is_left_ends_the_search_and_its_thread() -> None:
    for backend in ENGINES:
        for _ in twostep.solutions("queens:12", backend=backend):
            break
        gc.collect()
        assert threads() == set()


def test_a_closed_iterator_gives_nothing_more() -> None:
    with twostep.solutions("queens:12") as found:
        next(found)
        assert threads() == {"twostep solutions"}
    assert threads() == set()
    assert list(found) == []
    assert found.answer is None
    unread = twostep.solutions("queens:12")
    unread.close()
    assert list(unread) == []


def test_all_solutions_come_through_once() -> None:
    found = twostep.solutions("queens:12")
    seen = set(found)
    assert len(seen) == QUEENS_12
    assert found.answer is not None
    assert (found.answer.found, found.answer.complete) == (QUEENS_12, True)
    assert threads() == set()


class Recording:
    """DLX, which notes when a search begins and how it ends."""

    begun = threading.Event()
    ends: ClassVar[list[SearchResult]] = []
    name = "dlx"
    features = DLX.features

    def search(self, *question: Any, **how: Any) -> SearchResult:
        self.begun.set()
        self.ends.append(DLX.search(*question, **how))
        return self.ends[-1]


@pytest.fixture
def recording(monkeypatch: pytest.MonkeyPatch) -> type[Recording]:
    """The engine ``dlx`` is a recording one."""
    monkeypatch.setitem(ENGINES, "dlx", f"{Recording.__module__}:Recording")
    Recording.begun.clear()
    Recording.ends.clear()
    return Recording


def test_leaving_a_loop_cancels_the_search(recording: type[Recording]) -> None:
    for _ in twostep.solutions("queens:12"):
        break
    gc.collect()
    (end,) = recording.ends
    assert end.stopped is StopReason.CANCELLED
    assert end.found < QUEENS_12


def test_a_search_that_finds_nothing_can_be_left(recording: type[Recording]) -> None:
    builder = twostep.ModelBuilder("11 pigeons, 10 holes")
    for hole in range(10):
        builder.secondary(f"hole {hole}")
    for pigeon in range(11):
        builder.item(f"pigeon {pigeon}")
        for hole in range(10):
            builder.option([f"pigeon {pigeon}", f"hole {hole}"])
    found = twostep.solutions(builder.build())
    reader = threading.Thread(target=lambda: list(found))
    reader.start()
    assert recording.begun.wait(60)
    found.close()
    reader.join()
    (end,) = recording.ends
    assert (end.found, end.stopped) == (0, StopReason.CANCELLED)


def test_what_the_search_raises_comes_out_of_the_loop() -> None:
    builder = twostep.ModelBuilder("raises")
    builder.item("a")
    builder.option(["a"])

    def refuses(_: tuple[int, ...]) -> bool:
        raise RuntimeError("out of the side condition")

    builder.side_condition = twostep.SideCondition("raises", refuses)
    found = twostep.solutions(builder.build())
    with pytest.raises(RuntimeError, match="out of the side condition"):
        next(found)
    assert list(found) == []


def test_two_iterators_at_once_do_not_mix() -> None:
    first, second = twostep.solutions("queens:6"), twostep.solutions("queens:6", backend="cpsat")
    pairs = list(zip(first, second, strict=False))
    assert {a for a, _ in pairs} == {b for _, b in pairs}


def test_python_ends_with_an_iterator_that_was_not_read_to_its_end() -> None:
    code = "import twostep; kept = twostep.solutions('queens:14'); print(len(next(kept)))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(ROOT / ".types")},
        text=True,
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert (done.stdout, done.stderr) == ("14\n", "")


# --- engines that disagree


def read(puzzle: twostep.PuzzleLike, **limits: int) -> object:
    return list(twostep.solutions(puzzle, backend="both", solution_limit=limits.get("node_limit")))


Ask = Callable[..., object]

QUESTIONS: dict[str, Ask] = {
    "count": lambda puzzle, **limits: twostep.count(puzzle, backend="both", **limits),
    "listing": lambda puzzle, **limits: twostep.listing(puzzle, backend="both", **limits),
    "unique": lambda puzzle, **limits: twostep.unique(puzzle, backend="both", **limits),
    "solutions": read,
}


@pytest.fixture
def cpsat_is(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Callable[[], object]], None]]:
    def plant(engine: Callable[[], object]) -> None:
        module, name = engine.__module__, getattr(engine, "__name__", "")
        monkeypatch.setitem(ENGINES, "cpsat", f"{module}:{name}")

    return plant


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_contradiction_is_raised_and_carries_the_comparison(
    question: str, cpsat_is: Callable[[Callable[[], object]], None]
) -> None:
    cpsat_is(finds_nothing if question == "unique" else loses_one)
    with pytest.raises(twostep.EnginesDisagree, match="the engines disagree about queens:6") as it:
        QUESTIONS[question]("queens:6")
    comparison = it.value.comparison
    assert comparison.agreement is Agreement.DISAGREE
    assert [opinion.engine for opinion in comparison.opinions] == ["dlx", "cpsat"]
    assert comparison.differences[0].missed_by == "cpsat"


def test_best_contradicts_by_cost(cpsat_is: Callable[[Callable[[], object]], None]) -> None:
    cpsat_is(finds_nothing)
    with pytest.raises(twostep.EnginesDisagree, match="two ways"):
        twostep.best(two_ways(), backend="both")


def test_compare_tells_a_contradiction_and_raises_nothing(
    cpsat_is: Callable[[Callable[[], object]], None],
) -> None:
    cpsat_is(loses_one)
    assert twostep.compare("queens:6").agreement is Agreement.DISAGREE


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: twostep.count(5), "got a value of type int"),  # type: ignore[arg-type]
        (lambda: twostep.count(None), "got a value of type NoneType"),  # type: ignore[arg-type]
        (lambda: twostep.count("queens:4", backend=None), "unknown engine None"),  # type: ignore[arg-type]
        (lambda: twostep.count("queens:4", time_limit="1"), "limit of seconds"),  # type: ignore[arg-type]
        (lambda: twostep.count("queens:4", node_limit=True), "limit of nodes"),
        (lambda: twostep.count("queens:4", node_limit=1.5), "whole number"),  # type: ignore[arg-type]
    ],
)
def test_what_is_of_a_wrong_type_is_refused_in_words(ask: Callable[[], object], said: str) -> None:
    with pytest.raises(twostep.InputError, match=said):
        ask()
