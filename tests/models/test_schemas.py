"""The JSON Schemas of models and levels: what we write fits them, and so does what we read."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from helpers.sources import ROOT
from helpers.strategies import models
from hypothesis import given

from twostep.models import InputError, Model, load_puzzle
from twostep.models.families.registry import FAMILIES, family
from twostep.models.game import levelfile
from twostep.models.reading.formats import json_model

jsonschema = pytest.importorskip("jsonschema")

MODEL = {"schema": "twostep-model/1", "items": [{"name": "a"}], "options": [{"items": ["a"]}]}
LEVEL = {"schema": "twostep-level/1", "board": ["....."], "pieces": ["I"]}


def schema(name: str) -> Any:
    text = files("twostep.models.reading.formats").joinpath(f"{name}.schema.json").read_text()
    content = json.loads(text)
    jsonschema.Draft202012Validator.check_schema(content)
    return jsonschema.Draft202012Validator(content)


OF_MODELS, OF_LEVELS = schema("twostep-model-1"), schema("twostep-level-1")


def fits_model(model: Model) -> None:
    OF_MODELS.validate(json.loads(json_model.write(model)))


@pytest.mark.parametrize("name", FAMILIES)
def test_the_smallest_example_of_every_family_fits_when_written(name: str) -> None:
    plain = [
        model
        for each in family(name).examples
        if not (model := load_puzzle(each).model).side_condition and model.n_options < 5000
    ]
    if not plain:
        pytest.skip("side conditions are not written, nor large models here")
    fits_model(min(plain, key=lambda model: model.n_options))


@given(models())
def test_any_model_fits_when_written(model: Model) -> None:
    if model.side_condition is None:
        fits_model(model)


@pytest.mark.parametrize("path", sorted((ROOT / "models" / "game").glob("*.json")), ids=str)
def test_the_packs_that_are_shipped_fit(path: Path) -> None:
    OF_LEVELS.validate(json.loads(path.read_text(encoding="utf-8")))


def test_a_level_with_everything_fits_before_and_after_it_is_read_and_written() -> None:
    level = {
        **LEVEL,
        "name": "Ente",
        "author": "A. N. Other",
        "seed": 7,
        "grade": 3,
        "pieces": [
            "P",
            "L4=2",
            "T4-one-sided=0-3",
            {"name": "H", "cells": ["#.#", "###", "#.#"], "copies": 2},
            {"name": "Q", "cells": ["##", ".#"], "copies": "0-any", "turn": False},
        ],
        "empty": "any",
        "locked": [{"piece": "P", "cells": [[0, 0], [0, 1]]}],
        "proven": {"solutions": 10**30, "complete": True, "engines": [{"engine": "dlx"}]},
        "mood": {"deep": [1, 2.5, None]},
    }
    inside = {key: value for key, value in level.items() if key != "schema"}
    pack = {"schema": "twostep-level/1", "name": "two", "levels": [inside, inside], "extra": 1}
    for given_ in (level, pack):
        OF_LEVELS.validate(given_)
        OF_LEVELS.validate(
            json.loads(levelfile.pack_text(levelfile.parse_pack(json.dumps(given_))))
        )


@pytest.mark.parametrize(
    "change",
    [
        {"schema": "twostep-model/2"},
        {"items": None},
        {"items": [{"name": ""}]},
        {"items": [{"name": "a", "hihg": 2}]},
        {"items": [{"name": "a", "low": -1}]},
        {"items": [{"name": "a"}, {"name": "b", "secondary": True, "low": 1}]},
        {"options": [{"items": []}]},
        {"options": [{"items": ["a"], "cost": 1.5}]},
        {"options": [{"items": ["a"], "cost": 2**63}]},
        {"options": [{"items": [["a", "red", "blue"]]}]},
        {"option": []},
        {"chosen": [-1]},
        {"symmetries": [["a"]]},
    ],
    ids=str,
)
def test_the_model_schema_and_the_reader_refuse_the_same_forms(change: dict[str, object]) -> None:
    content = {**MODEL, **change}
    assert not OF_MODELS.is_valid(content)
    with pytest.raises(InputError):
        json_model.read(json.dumps(content))


@pytest.mark.parametrize(
    "change",
    [
        {"schema": "twostep-level/2"},
        {"board": "....."},
        {"board": []},
        {"board": [1]},
        {"pieces": []},
        {"pieces": [None]},
        {"pieces": [{"cells": ["#"], "colour": 1}]},
        {"pieces": [{"name": "P", "turn": 1}]},
        {"pieces": [{"name": "P", "copies": 1.5}]},
        {"pieces": [{"name": "P", "copies": "2-"}]},
        {"empty": -1},
        {"empty": "some"},
        {"grade": 11},
        {"seed": 1.5},
        {"name": 5},
        {"name": "x" * 201},
        {"locked": [{"piece": "V"}]},
        {"locked": [{"piece": "V", "cells": [[0]]}]},
        {"proven": {"solutions": 4}},
        {"levels": []},
        {"levels": [{}]},
        {"levels": [3]},
    ],
    ids=str,
)
def test_the_level_schema_and_the_reader_refuse_the_same_forms(change: dict[str, object]) -> None:
    content = {**LEVEL, **change}
    assert not OF_LEVELS.is_valid(content)
    with pytest.raises(InputError):
        levelfile.parse_pack(json.dumps(content))
