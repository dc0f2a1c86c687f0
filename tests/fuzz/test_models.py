"""Random models with all features: brute force, DLX and CP-SAT must say the same.

And the fuzzing is worth its name: three planted faults are caught, each in a model small enough
to be understood.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from fuzz.models import LinksEngine, complaint, fuzz, planted
from helpers.strategies import models

from twostep.compare.registry import engine
from twostep.cpsat_backend import encoding
from twostep.cpsat_backend import engine as cpsat_engine
from twostep.dlx_backend import links
from twostep.models.language.model import Feature, Model
from twostep.models.reading.formats import dlx
from twostep.models.search.engine import Engine

FAILURES = Path(__file__).resolve().parents[2] / "fuzz-failures"
"""Where a smallest failure is saved; git doesn't see it."""


def both() -> Sequence[Engine]:
    return [engine("dlx"), engine("cpsat")]


def everyone() -> Sequence[Engine]:
    """Both, and the links alone, which DLX leaves to faster kernels where it can."""
    return [*both(), LinksEngine()]


def test_1000_random_models() -> None:
    fuzz(both(), 1000, FAILURES / "engines.dlx")


@pytest.mark.long
def test_10_000_random_models() -> None:
    fuzz(everyone(), 10_000, FAILURES / "engines-long.dlx")


SMALL = models(frozenset(Feature) - {Feature.SIDE_CONDITION}, max_options=6, max_items=3)
"""For the planted faults: plain Python loops are slow, and a file can't hold a side condition."""


def caught(faulty: Engine, path: Path) -> tuple[str, Model]:
    """The complaint about a planted fault, and the model that the fuzzing saved: it shows it."""
    with pytest.raises(AssertionError, match="the model is saved") as error:
        fuzz([faulty], 1000, path, SMALL, repeatable=True)
    model = dlx.read(path.read_text())
    assert any(complaint([faulty], model, seed=seed) for seed in (0, 1))
    return str(error.value), model


def sound(model: Model) -> bool:
    """Whether the engines as they are have no trouble with the model."""
    return complaint(everyone(), model) is None


def test_a_forgotten_unpurify_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    undo = "                _unpurify(node, side, y)\n"
    wrong = planted(links, undo, "                pass\n", monkeypatch)
    said, model = caught(LinksEngine(wrong), tmp_path / "saved.dlx")
    assert said.startswith("links ")
    assert Feature.COLOURS in model.features
    assert sound(model)


def test_a_multiplicity_off_by_one_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = "= problem.high\n"
    wrong = planted(links, right, "= problem.high + (problem.high > 1)\n", monkeypatch)
    said, model = caught(LinksEngine(wrong), tmp_path / "saved.dlx")
    assert "is covered" in said  # the verifier sees it first
    assert Feature.MULTIPLICITIES in model.features
    assert sound(model)


def test_a_missing_at_most_one_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = planted(encoding, "problem.add_at_most_one(", "str(", monkeypatch)
    with monkeypatch.context() as patch:
        patch.setattr(cpsat_engine, "encode", wrong.encode)
        said, model = caught(engine("cpsat"), tmp_path / "saved.dlx")
    assert "twice, not in one colour" in said
    assert Feature.SECONDARY in model.features
    assert sound(model)
