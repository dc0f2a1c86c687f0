"""The compiled loops: loaded before a search's clock runs, and kept somewhere in any case."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from helpers.cli import ENVIRONMENT

from twostep.dlx_backend import cache

LOADED_IN_TIME = """
import sys
from twostep.dlx_backend import count, engine
from twostep.models.search.clock import CLOCK
from twostep.models.families.registry import named_puzzle
from twostep.models.search.delivery import Delivery

class Loading:
    running = False
    seen = []

    def find_spec(self, name, path, target=None):
        ours = name.startswith(("twostep.dlx_backend", "numpy.ma"))
        if ours and self.running and CLOCK() != CLOCK():  # it goes on
            self.seen.append(name)

loading = Loading()
sys.meta_path.insert(0, loading)

class Started(Delivery):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        loading.running = True

engine.Delivery = count.Delivery = Started
getattr(engine.DlxEngine(), sys.argv[2])(named_puzzle(sys.argv[1]).model)
assert loading.running
print(loading.seen)
"""


@pytest.mark.parametrize("question", ["search", "count"])
@pytest.mark.parametrize("puzzle", ["pentomino:3x20", "queens:6", "domino:8x8"])
def test_the_clock_of_a_search_stands_still_while_loops_are_loaded(
    puzzle: str, question: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED_IN_TIME, puzzle, question],
        env=ENVIRONMENT,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "[]\n"


@pytest.mark.skipif(os.name != "posix", reason="permissions as on Unix")
def test_where_nothing_can_be_written_the_loops_are_kept_with_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    cache.find_room_for_loops()
    assert "NUMBA_CACHE_DIR" not in os.environ  # the source's folder will do
    monkeypatch.setattr(os, "access", lambda *_: False)
    cache.find_room_for_loops()
    folder = Path(os.environ["NUMBA_CACHE_DIR"])
    assert folder == tmp_path / f"twostep-{os.getuid()}"
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(0o755)  # others could have put loops of theirs there
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    cache.find_room_for_loops()
    assert os.environ["NUMBA_CACHE_DIR"] != str(folder)
