"""The list of engines: a wrong name and a missing package are one clear line."""

from __future__ import annotations

import pytest

from twostep.compare import registry
from twostep.models.errors import InputError, MissingPackage


def test_every_engine_says_its_name() -> None:
    for name in registry.ENGINES:
        assert registry.engine(name).name == name


def test_an_unknown_engine_names_the_nearest() -> None:
    with pytest.raises(InputError, match=r"unknown engine 'cpsta'.*'cpsat'"):
        registry.engine("cpsta")


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.ENGINES, "gone", "no_such_package:Engine")
    with pytest.raises(MissingPackage, match=r"'gone'.*pip install no_such_package"):
        registry.engine("gone")


def test_a_module_of_our_own_that_is_missing_is_no_missing_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(registry.ENGINES, "ours", "twostep.no_such_module:Engine")
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        registry.engine("ours")
