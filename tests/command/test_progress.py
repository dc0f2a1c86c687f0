"""What a person sees while waiting, and what nobody sees elsewhere."""

from __future__ import annotations

import io

import pytest

from twostep.compare.command.shared import progress
from twostep.models.search.engine import Counters


class Terminal(io.StringIO):
    """A terminal that keeps what it shows."""

    def isatty(self) -> bool:
        return True


def on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Standard error from now on; nothing is waited for.

    No fixture: between those and the test, pytest puts its own standard error back.
    """
    shown = Terminal()
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    return shown


@pytest.mark.parametrize(("total", "words"), [(3, "2/3"), (None, "2/?")])
def test_a_bar_shows_what_is_done(
    monkeypatch: pytest.MonkeyPatch, total: int | None, words: str
) -> None:
    terminal = on_a_terminal(monkeypatch)
    with progress.bar("pairs", total, quiet=False) as tell:
        tell(1)
        tell(2)
    assert "pairs" in terminal.getvalue()
    assert words in terminal.getvalue()


def test_a_search_shows_its_counters_and_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_a_terminal(monkeypatch)
    with progress.watching("count [dlx]", quiet=False, note=lambda: "3 of 9 parts") as watch:
        assert watch is not None
        assert watch(Counters(found=1234, nodes=5)) is not True
    assert "count [dlx]: 1,234 solutions, 5 nodes, 0 s, 3 of 9 parts" in terminal.getvalue()


def test_nothing_is_shown_of_what_is_soon_over(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_a_terminal(monkeypatch)
    monkeypatch.setattr(progress, "PATIENCE", 60.0)
    with progress.bar("pairs", 3, quiet=False) as tell:
        tell(2)
    with progress.watching("count", quiet=False) as watch:
        assert watch is not None
        watch(Counters())
    assert terminal.getvalue() == ""


def test_quiet_and_output_that_is_no_terminal_show_no_progress(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = on_a_terminal(monkeypatch)
    elsewhere = io.StringIO()
    for quiet, stderr in ((True, terminal), (False, elsewhere)):
        monkeypatch.setattr("sys.stderr", stderr)
        with progress.bar("pairs", 3, quiet=quiet) as tell:
            tell(2)
        with progress.watching("count", quiet=quiet) as watch:
            assert watch is None
    assert terminal.getvalue() + elsewhere.getvalue() == ""
