"""A further engine joins the verbs by its line in the registry."""

from __future__ import annotations

import pytest
from helpers.cli import Typed
from helpers.engines import BruteForce

from twostep.compare.command.shared.exits import Exit
from twostep.compare.registry import BOTH, ENGINES


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENGINES, "third", f"{BruteForce.__module__}:BruteForce")


VERBS = {
    "count": ("queens:6", Exit.OK),
    "solve": ("queens:6 -n 0", Exit.OK),
    "unique": ("queens:6", Exit.SEVERAL),
    "best": ("queens:6 -k 2", Exit.OK),
    "check": ("queens:6 --no-memory", Exit.OK),
    "hint": ("queens:6", Exit.OK),
}


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("backend", ["third", BOTH])
def test_a_third_engine_is_asked(verb: str, backend: str, typed: Typed) -> None:
    arguments, code = VERBS[verb]
    said = typed(verb, *arguments.split(), "--backend", backend)
    assert said.code == code, said
    if verb in ("count", "solve", "unique"):
        assert "third: " in said.err


def test_compare_asks_all_engines(typed: Typed) -> None:
    said = typed("compare", "queens:6", "--json")
    assert said.code == Exit.OK
    assert [each["name"] for each in said.json["backends"]] == ["dlx", "cpsat", "third"]
