"""The fixtures of all tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.cli import Said, Typed
from helpers.engines import loses_one

from twostep.compare.command import run
from twostep.compare.command.shared import deadline
from twostep.compare.registry import ENGINES


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines end by themselves when their time is over, on a busy machine too: no alarm cuts in.

    It would say less: "before the search could begin", if a name took long to be read.
    """
    monkeypatch.setattr(deadline, "_LEAST_MARGIN", 60.0)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def typed(capsys: pytest.CaptureFixture[str]) -> Typed:
    """Runs the command in this process, and gives what it says."""

    def answer(*arguments: str) -> Said:
        code = run(list(arguments))
        return Said(code, *capsys.readouterr())

    return answer


@pytest.fixture
def cpsat_loses_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine named ``cpsat`` is one that loses a solution."""
    monkeypatch.setitem(ENGINES, "cpsat", f"{loses_one.__module__}:{loses_one.__name__}")
