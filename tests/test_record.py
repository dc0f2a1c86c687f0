"""Agreement records, and small models for reports of disagreement."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from twostep.compare import registry
from twostep.compare.agreement import Agreement, compare
from twostep.compare.command import run, twostep
from twostep.compare.record import differences, read_record, record_of, write_record
from twostep.compare.shrink import shrink
from twostep.dlx_backend import DlxEngine
from twostep.models import InputError, Limits, Model, ModelBuilder, Solution
from twostep.models.families import named_puzzle
from twostep.models.formats import dlx
from twostep.models.model import Feature
from twostep.models.search import NO_LIMITS, Receiver, SearchResult, Watch

PUZZLE = "pentomino:3x5:PUV"


@dataclass(frozen=True, slots=True)
class Faulty:
    """Loses every solution that has all of the `lost` options (as `Model.describe` says them)."""

    lost: frozenset[str]
    name: str = "faulty"
    features: frozenset[Feature] = frozenset(Feature)

    def search(
        self,
        model: Model,
        limits: Limits = NO_LIMITS,
        *,
        receive: Receiver | None = None,
        watch: Watch | None = None,
        seed: int = 0,
    ) -> SearchResult:
        lost = 0

        def some(solution: Solution) -> object:
            nonlocal lost
            if self.lost <= {model.describe(option) for option in solution}:
                lost += 1
                return None
            return receive(solution) if receive is not None else None

        result = DlxEngine().search(model, limits, receive=some, watch=watch, seed=seed)
        return replace(result, found=result.found - lost)


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
    engines = (DlxEngine(), Faulty(frozenset({"i3 i4", "i9"})))
    found = compare(engines, model)
    assert found.agreement is Agreement.DISAGREE
    assert found.differences
    for hint in (None, found.differences[0].solution):
        small = shrink(engines, model, hint=hint)
        described = [small.model.describe(option) for option in range(small.model.n_options)]
        assert sorted(described) == ["i3 i4", "i9"]
        assert sorted(small.model.items) == ["i3", "i4", "i9"]
        assert compare(engines, small.model).agreement is Agreement.DISAGREE


def test_a_model_that_engines_agree_about_stays_as_it_is() -> None:
    model = long_model()
    small = shrink((DlxEngine(), DlxEngine()), model).model
    assert (small.n_options, small.n_items) == (model.n_options, model.n_items)


def test_shrinking_ends_in_time() -> None:
    engines = (DlxEngine(), Faulty(frozenset()))
    small = shrink(engines, named_puzzle("pentomino:4x15").model, seconds=1.0)
    assert small.tries > 0


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(twostep, list(arguments), standalone_mode=False)


def test_compare_saves_a_small_model_when_the_engines_disagree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    model = named_puzzle(PUZZLE).model
    solution = next(iter(all_of(model)))
    monkeypatch.setattr(
        "twostep.compare.command.agree.load",
        lambda *_, **__: [
            DlxEngine(),
            Faulty(frozenset({model.describe(solution[0]), model.describe(solution[1])})),
        ],
    )
    assert run(["compare", PUZZLE]) == 3
    assert "a smaller model on which they disagree" in capsys.readouterr().err
    (small,) = tmp_path.glob("*-small.dlx")
    assert dlx.read(small.read_text()).n_options == 2


def all_of(model: Model) -> Sequence[Solution]:
    kept: list[Solution] = []
    DlxEngine().search(model, receive=kept.append)
    return kept


def test_a_record_is_written_and_checked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["compare", PUZZLE, "--record", "r.json", "--certificate", "c.gz"]) == 0
    first = Path("r.json").read_bytes()
    content = json.loads(first)
    assert [claim["count"] for claim in content["engines"]] == [4, 4]
    assert len({claim["digest"] for claim in content["engines"]}) == 1
    assert [claim["name"] for claim in content["engines"]] == list(registry.ENGINES)
    assert run(["verify", "r.json", PUZZLE, "--certificate", "c.gz"]) == 0
    assert "agree, as recorded (4, 4 solutions)" in capsys.readouterr().out
    assert run(["compare", PUZZLE, "--record", "r.json", "--certificate", "c.gz"]) == 0
    assert Path("r.json").read_bytes() == first

    assert run(["verify", "r.json", "pentomino:3x20"]) == 2
    assert "another model (of 'pentomino:3x5:PUV')" in capsys.readouterr().err
    content["engines"][0]["count"] = 5
    Path("r.json").write_text(json.dumps(content))
    assert run(["verify", "r.json", PUZZLE]) == 3
    assert "finds 4 solutions, the record says 5" in capsys.readouterr().out
    content["engines"][0]["count"] = 4
    content["engines"][0]["digest"] = "0" * 64
    content["certificate"] = "0" * 64
    Path("r.json").write_text(json.dumps(content))
    assert run(["verify", "r.json", PUZZLE, "--certificate", "c.gz"]) == 3
    said = capsys.readouterr().out
    assert "another set of as many solutions" in said
    assert "is not the certificate" in said


def test_an_incomplete_record_is_contradicted_by_a_smaller_count_only(tmp_path: Path) -> None:
    model = named_puzzle(PUZZLE).model
    whole = compare((DlxEngine(),), model)
    partial = record_of(PUZZLE, model, compare((DlxEngine(),), model, Limits(solutions=2)))
    assert differences(partial, model, whole) == []
    impossible = replace(partial, claims=(replace(partial.claims[0], count=5),))
    assert differences(impossible, model, whole) == [
        "dlx finds 4 solutions, the record says 5 (dlx)"
    ]
    assert differences(partial, model.with_chosen([0]), whole) == [
        f"the record is of another model (of {PUZZLE!r})"
    ]
    write_record(tmp_path / "r", partial, Limits(solutions=2))
    assert read_record(tmp_path / "r") == partial


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
