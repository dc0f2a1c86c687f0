"""Agreement records, and small models for reports of disagreement."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from helpers.cli import Typed
from helpers.engines import DLX, Wrong

from twostep.compare.agreement.record import differences, read_record, record_of, write_record
from twostep.compare.agreement.shrink import shrink
from twostep.compare.agreement.verdict import Agreement, compare
from twostep.compare.command.shared.exits import Exit
from twostep.compare.registry import ENGINES
from twostep.models import InputError, Limits, Model, ModelBuilder, SideCondition, Solution, first
from twostep.models.families.registry import named_puzzle
from twostep.models.reading.formats import dlx

PUZZLE = "pentomino:3x5:PUV"


def loses(*lost: str) -> Wrong:
    """Loses every solution that has all of these options (as `Model.describe` says them)."""

    def distort(model: Model, found: list[Solution]) -> list[Solution]:
        return [s for s in found if not {*lost} <= {model.describe(option) for option in s}]

    return Wrong(distort)


def long_model() -> Model:
    """Sixteen items in a row, to be covered by singles and pairs."""
    builder = ModelBuilder("a row")
    names = [f"i{number}" for number in range(16)]
    for name in names:
        builder.item(name)
    for name in names:
        builder.option([name])
    for name, following in pairwise(names):
        builder.option([name, following])
    return builder.build()


def test_a_model_is_shrunk_to_what_the_engines_disagree_about() -> None:
    model = long_model()
    engines = (DLX, loses("i3 i4", "i9"))
    found = compare(engines, model)
    assert found.agreement is Agreement.DISAGREE
    assert found.differences
    for hint in (None, found.differences[0].solution):
        small = shrink(engines, model, hint=hint)
        described = [small.model.describe(option) for option in range(small.model.n_options)]
        assert sorted(described) == ["i3 i4", "i9"]
        assert sorted(small.model.items) == ["i3", "i4", "i9"]
        assert compare(engines, small.model).agreement is Agreement.DISAGREE


def test_what_the_engines_disagree_about_may_be_the_condition_or_what_is_chosen() -> None:
    """A row with all that a model may have; only what matters to the fault is left."""
    builder = ModelBuilder("all of it", order=[3, 2, 1, 0])
    names = [f"i{number}" for number in range(4)]
    for name in names:
        builder.item(name)
    builder.secondary("s")
    for cost, name in enumerate(names):
        builder.option([name, ("s", "red")], cost=cost)
        builder.option([name, ("s", "blue")], cost=cost)
    builder.chosen = [4]
    builder.side_condition = SideCondition("holds the first", lambda solution: 0 in solution)
    model = builder.build()
    assert len(first(DLX, model).solutions) == 1

    def forgets(condition: bool, chosen: bool) -> Wrong:
        def distort(model: Model, found: list[Solution]) -> list[Solution]:
            missed = (model.side_condition or not condition) and (model.chosen or not chosen)
            return [] if missed else found

        return Wrong(distort)

    for condition in (False, True):
        for chosen in (False, True):
            small = shrink((DLX, forgets(condition, chosen)), model).model
            assert (small.side_condition is not None) == condition
            assert bool(small.chosen) == chosen
            assert small.order is None
            assert not small.costs.any()
            assert small.n_options == condition + chosen  # the first option, the chosen one
            assert small.n_items <= small.n_options + 1
            assert first(DLX, small).solutions


def test_a_model_that_engines_agree_about_stays_as_it_is() -> None:
    model = long_model()
    small = shrink((DLX, DLX), model).model
    assert (small.n_options, small.n_items) == (model.n_options, model.n_items)


def test_shrinking_ends_in_time() -> None:
    model = long_model()
    small = shrink((DLX, loses()), model, seconds=0.0)
    assert (small.tries, small.model.n_options) == (0, model.n_options)


def test_compare_saves_a_small_model_when_the_engines_disagree(
    here: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = named_puzzle(PUZZLE).model
    (solution,) = first(DLX, model).solutions
    monkeypatch.setattr(
        "twostep.compare.command.compare.load",
        lambda *_, **__: [
            DLX,
            loses(model.describe(solution[0]), model.describe(solution[1])),
        ],
    )
    said = typed("compare", PUZZLE)
    assert said.code == Exit.DISAGREE
    assert "a smaller model on which they disagree" in said.err
    (small,) = here.glob("*-small.dlx")
    assert dlx.read(small.read_text()).n_options == 2


COMPARED = ("compare", PUZZLE, "--record", "r.json", "--certificate", "c.gz")
VERIFIED = ("verify", "r.json", PUZZLE, "--certificate", "c.gz")


@pytest.fixture
def written(here: Path, typed: Typed) -> Path:
    """The record of both engines about PUZZLE, with a certificate beside it."""
    assert typed(*COMPARED).code == Exit.OK
    return here / "r.json"


def test_a_record_holds_what_each_engine_found_and_the_versions(written: Path) -> None:
    content = json.loads(written.read_text())
    assert [claim["count"] for claim in content["engines"]] == [4, 4]
    assert len({claim["digest"] for claim in content["engines"]}) == 1
    assert [claim["name"] for claim in content["engines"]] == list(ENGINES)
    assert list(content["versions"]) == ["twostep", "python", "numba", "numpy", "ortools"]


def test_the_same_answers_write_the_same_record(written: Path, typed: Typed) -> None:
    before = written.read_bytes()
    assert typed(*COMPARED).code == Exit.OK
    assert written.read_bytes() == before


@pytest.mark.usefixtures("written")
def test_a_record_that_still_holds_is_verified(typed: Typed) -> None:
    said = typed(*VERIFIED)
    assert said.code == Exit.OK
    assert "agree, as recorded (4, 4 solutions)" in said.out
    answer = typed(*VERIFIED, "--json").json
    assert (answer["outcome"], answer["count"], answer["differences"]) == ("agree", 4, [])
    assert [backend["count"] for backend in answer["backends"]] == [4, 4]


@pytest.mark.usefixtures("written")
def test_a_record_of_another_model_is_refused(typed: Typed) -> None:
    said = typed("verify", "r.json", "pentomino:3x20")
    assert said.code == Exit.USAGE
    assert "another model (of 'pentomino:3x5:PUV')" in said.err


def test_a_record_with_another_count_is_contradicted(written: Path, typed: Typed) -> None:
    content = json.loads(written.read_text())
    content["engines"][0]["count"] = 5
    written.write_text(json.dumps(content))
    said = typed("verify", "r.json", PUZZLE)
    assert said.code == Exit.DISAGREE
    assert "finds 4 solutions, the record says 5" in said.out


def test_a_record_with_another_set_or_certificate_is_contradicted(
    written: Path, typed: Typed
) -> None:
    content = json.loads(written.read_text())
    content["engines"][0]["digest"] = "0" * 64
    content["certificate"] = "0" * 64
    written.write_text(json.dumps(content))
    said = typed(*VERIFIED)
    assert said.code == Exit.DISAGREE
    assert "another set of as many solutions" in said.out
    assert "is not the certificate" in said.out
    answer = typed(*VERIFIED, "--json").json
    assert (answer["outcome"], answer["agreement"]) == ("disagree", "agree")
    assert answer["differences"] == said.out.removesuffix("\n").split("\n")


@pytest.mark.usefixtures("here")
def test_a_record_of_a_stopped_search_is_not_said_to_have_recorded_agreement(typed: Typed) -> None:
    stopped = typed("compare", PUZZLE, "--time-limit", "0", "--record", "r.json")
    assert stopped.code == Exit.STOPPED
    said = typed("verify", "r.json", PUZZLE)
    assert (said.code, "as recorded" in said.out) == (Exit.OK, False)
    assert "the engines agree; when the record was made, a search was stopped" in said.out


def test_an_incomplete_record_is_contradicted_by_a_smaller_count_only(tmp_path: Path) -> None:
    model = named_puzzle(PUZZLE).model
    whole = compare((DLX,), model)
    partial = record_of(PUZZLE, model, compare((DLX,), model, Limits(solutions=2)))
    assert differences(partial, model, whole) == []
    impossible = replace(partial, claims=(replace(partial.claims[0], count=5),))
    assert differences(impossible, model, whole) == [
        "dlx finds 4 solutions, the record says 5 (dlx)"
    ]
    assert differences(partial, model.with_chosen([0]), whole) == [
        f"the record is of another model (of {PUZZLE!r})"
    ]
    stopped = compare((DLX,), model, Limits(solutions=2))
    complete = record_of(PUZZLE, model, whole)
    assert differences(complete, model, stopped) == []
    wrong = replace(complete, claims=(replace(complete.claims[0], count=1),))
    assert differences(wrong, model, stopped) == ["dlx finds 2 solutions, the record says 1 (dlx)"]
    write_record(tmp_path / "r", partial, Limits(solutions=2))
    assert read_record(tmp_path / "r") == partial


@pytest.mark.parametrize("digest", ["", "0" * 63, "0" * 65, "0" * 63 + "g", "0" * 63 + "A"])
def test_a_digest_is_64_hexadecimal_digits(digest: str, tmp_path: Path) -> None:
    model = named_puzzle(PUZZLE).model
    record = record_of(PUZZLE, model, compare((DLX,), model))
    forged = replace(record, claims=(replace(record.claims[0], digest=digest),))
    write_record(tmp_path / "r", forged, Limits())
    with pytest.raises(InputError, match=r"digest: expected 64 hexadecimal digits"):
        read_record(tmp_path / "r")


@pytest.mark.parametrize(
    "content",
    ["", "{}", "[]", '{"schema": "twostep-record/1"}',
     '{"schema": "twostep-record/1", "puzzle": "", "model": "", "engines": [1],'
     ' "agreement": "agree"}',
     '{"schema": "twostep-record/1", "puzzle": "", "model": "", "engines": [],'
     ' "agreement": "perhaps"}'],
)  # fmt: skip
def test_what_is_no_record_is_refused(content: str, tmp_path: Path) -> None:
    (tmp_path / "r").write_text(content)
    with pytest.raises(InputError, match="r: "):
        read_record(tmp_path / "r")
