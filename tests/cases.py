"""The inputs with known answers in ``../shared/cases``, beside the checkout, if they are there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from twostep.models.model import Model, ModelBuilder

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "cases"


def case(name: str) -> dict[str, Any]:
    """The content of one case; skips the test where the cases aren't there."""
    path = FOLDER / f"{name}.json"
    if not path.exists():
        pytest.skip(f"{path} is not there: it comes with the project's cases, not with the code")
    content: dict[str, Any] = json.loads(path.read_text())
    return content


def exact_cover_model(content: dict[str, Any]) -> Model:
    """The model of a case of kind ``exact_cover``; option ids are the case's."""
    builder = ModelBuilder(content["name"])
    for name in content["items"]:
        builder.item(name)
    for name in content["secondary"]:
        builder.secondary(name)
    for entries in content["options"]:
        builder.option(entries)
    return builder.build()
