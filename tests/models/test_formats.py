"""Models in files: round trips, errors with their places, and exports checked by other solvers."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.oracle import all_solutions
from helpers.strategies import ALL, models
from hypothesis import given, settings
from hypothesis import strategies as st

from twostep.models.errors import InputError
from twostep.models.language.builder import ModelBuilder
from twostep.models.language.model import UNLIMITED, Feature, Model, SideCondition
from twostep.models.reading import load
from twostep.models.reading.formats import dimacs, dlx, json_model, opb
from twostep.models.reading.formats.modelfile import WRITERS, ModelPuzzle, write_model

FILABLE = ALL - {Feature.SIDE_CONDITION}

KNUTH = """\
| A simple example of color controls
A B 2:3|C | X Y
A B X:0 Y:0
A C X:1 Y:1
C X:0
B X:1
C Y:1
"""
"""The example in the introduction of Knuth's DLX3; he gives its one solution."""


def mixed() -> Model:
    """A model with everything that a file can say, its items in no special order."""
    builder = ModelBuilder("a mixture")
    builder.secondary("s")
    builder.item("a")
    builder.item("b", 2, UNLIMITED)
    builder.secondary("t")
    builder.item("c", 0, 60)
    builder.option(["a", ("s", "red"), "t"], label=("P", 0, (1, 2)), cost=7)
    builder.option(["b", ("s", "red")], label="second", cost=-2)
    builder.option(["b", ("s", "blue")], label=None)
    builder.option(["b", "c"], label=3)
    builder.order = [4, 1]
    builder.chosen = [1]
    builder.symmetries = [[0, 1, 2, 3], [0, 1, 3, 2]]  # type: ignore[assignment]
    return builder.build()


def primary_first(model: Model) -> Model:
    """The same model as ``.dlx`` knows it: primary items first, no labels, no symmetries."""
    builder = ModelBuilder(model.name, chosen=model.chosen)
    items = sorted(range(model.n_items), key=lambda item: not model.primary[item])
    for item in items:
        if model.primary[item]:
            builder.item(model.items[item], int(model.low[item]), int(model.high[item]))
        else:
            builder.secondary(model.items[item])
    for option in range(model.n_options):
        builder.option(
            [
                (model.items[item], model.colours[colour]) if colour else model.items[item]
                for item, colour in model.option(option)
            ],
            cost=int(model.costs[option]),
        )
    if model.order is not None:
        builder.order = [items.index(item) for item in model.order]
    return builder.build()


# --- Knuth's text ---------------------------------------------------------------------------------


def test_knuths_example_has_the_solution_he_gives() -> None:
    model = dlx.read(KNUTH)
    assert [(model.items[i], model.low[i], model.high[i]) for i in range(3)] == [
        ("A", 1, 1),
        ("B", 1, 1),
        ("C", 2, 3),
    ]
    assert all_solutions(model) == {(1, 3, 4)}


@pytest.mark.parametrize(
    "text",
    [
        KNUTH.rstrip("\n"),
        KNUTH.replace("\n", "\r\n"),
        KNUTH.replace("\n", "\r"),
        KNUTH.replace(" ", "\t"),
        "\ufeff" + KNUTH,
        KNUTH.replace("\n", "\n\n"),
        KNUTH.replace("\n", "  \n"),
        KNUTH + "| the end\n",
        KNUTH.replace("2:3|C", "2:3|C ").replace("C X:0", " C X:0"),
    ],
    ids=["no end", "crlf", "cr", "tabs", "bom", "blank lines", "spaces", "comment", "indented"],
)
def test_these_spellings_mean_the_same(text: str) -> None:
    assert dlx.read(text) == dlx.read(KNUTH)


def test_one_bound_alone_is_exact_and_costs_add_up() -> None:
    model = dlx.read("4|x y\nx y |3 |4\nx |-2\n")
    assert (model.low[0], model.high[0]) == (4, 4)
    assert model.costs.tolist() == [7, -2]


@pytest.mark.parametrize(
    ("text", "line", "column", "said"),
    [
        ("| only a comment\n", None, None, "no line of item names"),
        ("A B\nA C\n", 2, 3, "unknown item 'C'"),
        ("alpha beta\nalpha bata\n", 2, 7, "did you mean 'beta'"),
        ("A B\n\nA:red B\n", 3, 2, "a colour on the primary item 'A'"),
        ("A B\nA B A\n", 2, 5, "item 'A' twice"),
        ("A | s\nA s s:red\n", 2, 5, "item 's' twice"),
        ("A | s\n  s:red\n", 2, 3, "no primary item"),
        ("A | s\nA s:\n", 2, 4, "expected ':' and a colour"),
        ("A | s\nA s:a:b\n", 2, 4, "expected ':' and a colour"),
        ("A 3:2|B\nA B\n", 1, 3, "low 3 is more than high 2"),
        ("A x:2|B\nA B\n", 1, 4, "expected name or low:high|name"),
        ("A -1:2|B\nA B\n", 1, 5, "expected name or low:high|name"),
        ("A 2|\n", 1, 5, "a multiplicity without a name"),
        ("A | 2:3|s\n", 1, 5, "a multiplicity on the secondary item 's'"),
        ("A B A\n", 1, 5, "two items are named 'A'"),
        ("A | A\n", 1, 5, "two items are named 'A'"),
        ("A | s | t\n", 1, 7, "a second '|'"),
        ("A B\nA B |x\n", 2, 5, "expected a cost"),
        ("A B\nA B | 5\n", 2, 5, "expected a cost"),
        ("A B\nA B |1.5\n", 2, 5, "expected a cost"),
        ("|! chosen: 1\nA\nA\n", 1, 12, "expected the number of an option"),
        ("|! order: B\nA\nA\n", 1, 11, "no primary item 'B'"),
        ("|! order: A A\nA\nA\n", 1, 13, "stands twice"),
    ],
)
def test_an_error_names_line_column_and_what_was_expected(
    text: str, line: int | None, column: int | None, said: str
) -> None:
    with pytest.raises(InputError) as error:
        dlx.read(text)
    assert said in error.value.message
    assert (error.value.line, error.value.column) == (line, column)


def test_a_comment_of_another_program_means_nothing() -> None:
    text = "| name: theirs\n| order: from left to right\n|! hello\n| chosen: 99\nA\nA\n"
    model = dlx.read(text, "mine")
    assert (model.name, model.order, model.chosen) == ("mine", None, ())


def test_a_file_is_named_in_its_errors(tmp_path: Path) -> None:
    path = tmp_path / "bad.dlx"
    path.write_text("A B\nA C\n")
    with pytest.raises(InputError, match=r"bad\.dlx:2:3: unknown item 'C'"):
        load.load_puzzle(str(path))


@settings(max_examples=200, deadline=None)
@given(models(FILABLE))
def test_a_dlx_round_trip_gives_an_equal_model(model: Model) -> None:
    assert dlx.read(dlx.write(model)) == model


def test_a_dlx_round_trip_puts_primary_items_first_and_drops_labels() -> None:
    assert dlx.read(dlx.write(mixed())) == primary_first(mixed())


@pytest.mark.parametrize("name", ["a b", "a:b", "a|b", "", "a\tb", "a\nb", "a\x1bb", "a\x85b"])
def test_a_name_that_dlx_cannot_say_is_refused(name: str) -> None:
    builder = ModelBuilder()
    builder.item(name)
    builder.option([0])
    with pytest.raises(InputError, match=r"names have no space, .* \(\.json can say"):
        dlx.write(builder.build())


def test_a_report_respells_names_and_leaves_out_a_side_condition() -> None:
    builder = ModelBuilder("a\nb", side_condition=SideCondition("no loop", lambda solution: True))
    builder.item("a b", 0, 2)
    builder.item("a:b")
    builder.secondary("c")
    builder.option(["a b", ("c", "dark red")])
    builder.option(["a:b", ("c", "red")], cost=3)
    text = dlx.write_without_side_condition(builder.build())
    model = dlx.read(text)
    assert "| a side condition is left out: no loop\n" in text
    assert model.items == ("0_a_b", "1_a_b", "2_c")
    assert [model.describe(option) for option in (0, 1)] == ["0_a_b 2_c:dark_red", "1_a_b 2_c:red"]


def test_models_without_primary_items_or_without_any_come_back() -> None:
    assert dlx.read(dlx.write(ModelBuilder().build())) == ModelBuilder().build()
    builder = ModelBuilder()
    builder.secondary("s")
    assert dlx.read(dlx.write(builder.build())) == builder.build()


@settings(max_examples=300, deadline=None)
@given(st.text("AB:|s -0123\t\n\r\ufeff", max_size=40))
def test_any_text_is_a_model_or_an_input_error(text: str) -> None:
    try:
        model = dlx.read(text)
    except InputError:
        return
    assert dlx.read(dlx.write(model)) == model


@settings(max_examples=300, deadline=None)
@given(st.text("AB:|s -0123\t\n\r", max_size=40), st.integers(1, 5))
def test_a_text_in_many_pieces_is_read_as_in_one(text: str, at_once: int) -> None:
    text = f"A B | s\n{text}"

    def answer() -> Model | None:
        try:
            return dlx.read(text)
        except InputError:
            return None

    whole = answer()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dlx, "_AT_ONCE", at_once)
        assert answer() == whole


def test_an_error_far_down_names_its_line_and_column(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dlx, "_AT_ONCE", 50)
    good = "| of it\nA B\n\n A\tB:0 |3\n" * 100
    for wrong, column, said in (
        ("  A A", 5, "item 'A' twice"), ("B:1", 1, "no primary item"), ("A  C", 4, "unknown item"),
        ("A \tB:", 5, "expected ':'"), ("A |x", 3, "a cost"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=said) as refused:
            dlx.read(f"A | B\n{good.replace('A B', 'A B:1')}{wrong}\n{good}")
        assert (refused.value.line, refused.value.column) == (402, column)


def test_names_of_any_script_are_names() -> None:
    model = dlx.read("é 日本 | Ω\né Ω:красный\n日本 Ω:赤\n")
    assert [model.describe(option) for option in (0, 1)] == ["é Ω:красный", "日本 Ω:赤"]
    assert dlx.read(dlx.write(model)) == model
    assert json_model.read(json_model.write(model)) == model


# --- JSON -----------------------------------------------------------------------------------------


@settings(max_examples=200, deadline=None)
@given(models(FILABLE))
def test_a_json_round_trip_gives_an_equal_model(model: Model) -> None:
    assert json_model.read(json_model.write(model)) == model


def test_a_json_round_trip_keeps_labels_symmetries_and_the_order_of_items() -> None:
    assert json_model.read(json_model.write(mixed())) == mixed()


def test_a_label_of_the_program_is_written_as_its_text() -> None:
    builder = ModelBuilder()
    builder.item("a")
    builder.option(["a"], label=Path("x"))
    assert json_model.read(json_model.write(builder.build())).labels == ("x",)


MINIMAL = {"schema": "twostep-model/1", "items": [{"name": "a"}], "options": [{"items": ["a"]}]}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"schema": "twostep-model/2"}, "expected 'twostep-model/1'"),
        ({"itens": []}, "did you mean 'items'"),
        ({"items": {}}, "items: expected an array"),
        ({"items": [{}]}, "items[0]: 'name' is missing"),
        ({"items": [{"name": ""}]}, "items[0].name: expected a text"),
        ({"items": [{"name": "\ud800"}]}, "half a character"),
        ({"items": [{"name": "a", "low": 2, "high": 1}]}, "items[0]: item 'a': low 2 and high 1"),
        ({"items": [{"name": "a", "low": -1}]}, "items[0].low: expected a whole number"),
        ({"items": [{"name": "a", "low": True}]}, "items[0].low: expected a whole number"),
        ({"items": [{"name": "a", "secondary": 1}]}, "expected true or false"),
        (
            {"items": [{"name": "a", "secondary": True, "low": 1}]},
            "a multiplicity on the secondary",
        ),
        ({"items": [{"name": "a"}, {"name": "a"}]}, "two items are named 'a'"),
        ({"options": [{"items": ["b"]}]}, "option 0: unknown item 'b'"),
        ({"options": [{"items": ["a", 1]}]}, "options[0].items[1]: expected a name"),
        ({"options": [{"items": [["a", "red"]]}]}, "a colour on the primary item 'a'"),
        ({"options": [{"items": ["a", "a"]}]}, "item 'a' twice"),
        ({"options": [{"items": []}]}, "option 0 is empty"),
        ({"options": [{"items": ["a"], "cost": 1.5}]}, "options[0].cost: expected a whole number"),
        ({"options": [{"items": ["a"], "cost": 2**63}]}, "options[0].cost: expected"),
        ({"options": [3]}, "options[0]: expected an object"),
        ({"order": ["b"]}, "order: unknown item 'b'"),
        ({"chosen": [1]}, "chosen option 1"),
        ({"symmetries": [[1]]}, "symmetries: permutations expected"),
        ({"symmetries": [[0, 1]]}, "symmetries: expected rows of 1"),
    ],
)
def test_wrong_json_says_where(change: dict[str, object], said: str) -> None:
    with pytest.raises(InputError) as error:
        json_model.read(json.dumps({**MINIMAL, **change}))
    assert said in error.value.message


@pytest.mark.parametrize("text", ["", "{", "[1]", "NaN", '"x"', "[" * 100_000, "1" * 5000])
def test_what_is_no_json_object_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        json_model.read(text)


# --- exports, counted by solvers that know nothing of items ---------------------------------------


@settings(max_examples=150, deadline=None)
@given(models(FILABLE))
def test_the_cnf_has_the_models_solutions_one_to_one(model: Model) -> None:
    formula = pytest.importorskip("pysat.formula")
    solvers = pytest.importorskip("pysat.solvers")
    cnf = formula.CNF(from_string=dimacs.write(model))
    with solvers.Solver("minisat22", bootstrap_with=cnf.clauses) as solver:
        # So that variables in no clause are enumerated too.
        for variable in range(1, model.n_options + 1):
            solver.add_clause([variable, -variable])
        assignments = [
            tuple(v - 1 for v in assignment if 0 < v <= model.n_options)
            for assignment in solver.enum_models()
        ]
    assert len(assignments) == len(set(assignments))
    assert set(assignments) == all_solutions(model)


@pytest.mark.parametrize("times", [1, 2])
def test_the_cnf_of_an_item_without_options_has_no_solution_and_no_empty_clause(times: int) -> None:
    builder = ModelBuilder()
    builder.item("a", times)
    lines = dimacs.write(builder.build()).splitlines()
    assert lines[-2:] == ["1 0", "-1 0"]
    assert "0" not in lines  # some readers pass over an empty clause


def test_a_bound_on_one_side_counts_no_further_than_that_bound() -> None:
    builder = ModelBuilder()
    builder.item("at least 2", 2, UNLIMITED)
    for _ in range(1000):
        builder.option([0])
    # 1000 options, of each beginning of the list: at least 1, at least 2.
    assert "p cnf 2999 6995" in dimacs.write(builder.build()).splitlines()


def test_a_counter_of_the_cnf_is_determined_by_the_options() -> None:
    # 20..23 of 24: C(24,4) + C(24,3) + C(24,2) + C(24,1) = 12950 assignments, counters and all.
    solvers = pytest.importorskip("pysat.solvers")
    formula = pytest.importorskip("pysat.formula")
    builder = ModelBuilder()
    builder.item("open walls", 20, 23)
    for _ in range(24):
        builder.option([0])
    cnf = formula.CNF(from_string=dimacs.write(builder.build()))
    assert cnf.nv > 24
    with solvers.Solver("minisat22", bootstrap_with=cnf.clauses) as solver:
        assert sum(1 for _ in solver.enum_models()) == 12_950


def test_a_long_list_of_options_gets_a_counter_and_keeps_its_solutions() -> None:
    solvers = pytest.importorskip("pysat.solvers")
    formula = pytest.importorskip("pysat.formula")
    builder = ModelBuilder()
    builder.item("a")
    for _ in range(200):
        builder.option([0])
    cnf = formula.CNF(from_string=dimacs.write(builder.build()))
    with solvers.Solver("minisat22", bootstrap_with=cnf.clauses) as solver:
        assert sum(1 for _ in solver.enum_models()) == 200


@settings(max_examples=150, deadline=None)
@given(models(FILABLE))
def test_the_opb_has_the_models_solutions_and_costs(model: Model) -> None:
    card = pytest.importorskip("pysat.card")
    solvers = pytest.importorskip("pysat.solvers")
    objective, constraints = read_opb(opb.write(model), model.n_options)
    found: dict[tuple[int, ...], int] = {}
    top = max(model.n_options, 1)
    with solvers.Solver("minisat22") as solver:
        for literals, sense, bound in constraints:
            encode = card.CardEnc.equals if sense == "=" else card.CardEnc.atleast
            if bound > len(literals):
                solver.add_clause([1])
                solver.add_clause([-1])
                continue
            if bound <= 0 and sense == ">=":
                continue
            encoded = encode(literals, bound, top_id=top, encoding=card.EncType.seqcounter)
            top = max(top, encoded.nv)
            for clause in encoded.clauses:
                solver.add_clause(clause)
        for variable in range(1, model.n_options + 1):
            solver.add_clause([variable, -variable])
        while solver.solve():
            values = [v for v in solver.get_model() if abs(v) <= model.n_options]
            solution = tuple(v - 1 for v in values if v > 0)
            assert solution not in found
            found[solution] = sum(objective.get(option + 1, 0) for option in solution)
            if not values:
                break
            solver.add_clause([-v for v in values])
    assert found == {solution: model.cost(solution) for solution in all_solutions(model)}


def read_opb(text: str, n_options: int) -> tuple[dict[int, int], list[tuple[list[int], str, int]]]:
    """The objective, and the constraints as literals of which a number must be true."""
    objective: dict[int, int] = {}
    constraints: list[tuple[list[int], str, int]] = []
    header, *lines = text.splitlines()
    for line in lines:
        if line.startswith("*"):
            continue
        terms = [(int(a), int(b)) for a, b in re.findall(r"([+-]\d+) x(\d+)", line)]
        if line.startswith("min:"):
            objective = {variable: factor for factor, variable in terms}
            continue
        sense, bound = re.fullmatch(r".*?(>=|=) (-?\d+) ;", line).groups()  # type: ignore[union-attr]
        assert all(abs(factor) == 1 for factor, _ in terms)
        # -x = (not x) - 1
        literals = [factor * variable for factor, variable in terms]
        negative = sum(factor < 0 for factor, _ in terms)
        constraints.append((literals, sense, int(bound) + negative))
    assert (
        header
        == f"* #variable= {max(n_options, int(bool(constraints)))} #constraint= {len(constraints)}"
    )
    return objective, constraints


# --- files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", WRITERS)
def test_a_side_condition_is_refused_by_every_format(suffix: str, tmp_path: Path) -> None:
    model = replace(mixed(), side_condition=SideCondition("no loop", lambda solution: True))
    path = tmp_path / f"x{suffix}"
    with pytest.raises(InputError, match="no loop"):
        write_model(model, str(path))
    assert not path.exists()


def test_an_unknown_suffix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"expected \.dlx, \.json, \.cnf, \.opb"):
        write_model(mixed(), str(tmp_path / "model.xml"))


@pytest.mark.parametrize("suffix", [".dlx", ".json"])
def test_a_written_file_is_a_puzzle(suffix: str, tmp_path: Path) -> None:
    path = str(tmp_path / f"model{suffix}")
    write_model(dlx.read(KNUTH), path)
    puzzle = load.load_puzzle(path)
    assert isinstance(puzzle, ModelPuzzle)
    assert puzzle.name == path
    assert puzzle.model.fingerprint == dlx.read(KNUTH).fingerprint
    assert puzzle.draw((1, 3, 4)) == "A C X:1 Y:1\nB X:1\nC Y:1"
    assert puzzle.draw(()) == "(no option)"


# --- another program's reader ---------------------------------------------------------------------


@pytest.mark.parametrize("name", ["pentomino:3x5:PUV", "queens:6", "macmahon:2x3:2", "langford:7"])
def test_miniexact_reads_our_dlx_and_counts_the_same(name: str, tmp_path: Path) -> None:
    program = Path(sys.executable).with_name("miniexact")
    if not program.exists():
        pytest.skip("the package miniexact is not installed (extra: peers)")
    path = tmp_path / "model.dlx"
    write_model(load.load_puzzle(name).model, str(path))
    done = subprocess.run(
        [program, "-c", "-e", "-D", path], capture_output=True, text=True, timeout=60, check=False
    )
    assert f"Found {COUNTS[name]} solutions!" in done.stdout


COUNTS = {"pentomino:3x5:PUV": 4, "queens:6": 4, "macmahon:2x3:2": 416, "langford:7": 52}
