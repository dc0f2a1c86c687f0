"""Random models with all features: brute force, DLX and CP-SAT must say the same.

And the fuzzing is worth its name: three planted faults are caught, each in a model small enough
to be understood.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from fuzzing import LinksEngine, complaint, fuzz, planted

from twostep.compare.registry import engine
from twostep.cpsat_backend import encoding
from twostep.cpsat_backend import engine as cpsat_engine
from twostep.dlx_backend import links
from twostep.models.formats import dlx
from twostep.models.model import Model
from twostep.models.search import Engine

FAILURES = Path(__file__).resolve().parents[1] / "fuzz-failures"
"""Where a smallest failure is saved; git doesn't see it."""


def everyone() -> Sequence[Engine]:
    return [engine("dlx"), LinksEngine(), engine("cpsat")]


def test_1000_random_models() -> None:
    fuzz(everyone(), 1000, FAILURES / "engines.dlx")


@pytest.mark.long
def test_10_000_random_models() -> None:
    fuzz(everyone(), 10_000, FAILURES / "engines-long.dlx")


def caught(faulty: Engine, sound: Engine, path: Path) -> tuple[str, Model]:
    """The complaint about a planted fault, and the model that the fuzzing saved."""
    with pytest.raises(AssertionError, match="the model is saved") as error:
        fuzz([faulty], 1000, path)
    model = dlx.read(path.read_text())
    assert complaint([faulty], model) is not None
    assert complaint([sound], model) is None
    return str(error.value), model


def test_a_forgotten_unpurify_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = planted(
        links,
        "    elif node[p, COLOUR] > 0:\n        _unpurify(node, p)\n",
        "",
        monkeypatch,
    )
    said, model = caught(LinksEngine(wrong), LinksEngine(), tmp_path / "saved.dlx")
    assert "links lacks" in said or "counts" in said
    assert model.n_options <= 5


def test_a_multiplicity_off_by_one_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = planted(links, "elif need[item] <= 0:", "elif need[item] <= 1:", monkeypatch)
    said, model = caught(LinksEngine(wrong), LinksEngine(), tmp_path / "saved.dlx")
    assert "is covered" in said  # the verifier sees it first
    assert model.n_options <= 3


def test_a_missing_at_most_one_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = planted(encoding, "problem.add_at_most_one(", "str(", monkeypatch)
    sound = engine("cpsat")
    with monkeypatch.context() as patch:
        patch.setattr(cpsat_engine, "encode", wrong.encode)
        with pytest.raises(AssertionError, match="the model is saved") as error:
            fuzz([sound], 1000, tmp_path / "saved.dlx")
        model = dlx.read((tmp_path / "saved.dlx").read_text())
        assert complaint([sound], model) is not None
    assert complaint([sound], model) is None
    assert "twice, not in one colour" in str(error.value)
    assert model.n_options == 2
