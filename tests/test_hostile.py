"""No file breaks a reader: no traceback, no hang over 5 s, no more than 1 GB of memory.

``hostile.py`` spoils files of every kind that Twostep reads. What it has found stands below as
tests of its own. The long form runs ten minutes for each reader.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hostile import READERS

from twostep.models import InputError
from twostep.models.formats import dlx

pytestmark = pytest.mark.skipif(
    not hasattr(os, "fork"), reason="needs a timer signal and limits of memory"
)


def spoil(reader: str, seconds: float, seed: int, folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(Path(__file__).with_name("hostile.py")),
         reader, str(seconds), str(seed), str(folder)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("reader", READERS)
def test_spoilt_files_are_refused_in_one_line(reader: str, tmp_path: Path) -> None:
    spoil(reader, 0.5, 1, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("reader", READERS)
def test_ten_minutes_of_spoilt_files(reader: str, tmp_path: Path) -> None:
    spoil(reader, 600, int.from_bytes(os.urandom(4)), tmp_path)


def test_a_message_that_quotes_a_huge_name_is_cut_short() -> None:
    with pytest.raises(InputError) as refused:
        dlx.read("A " + "{" * 5000 + "\nB\n")
    assert len(str(refused.value)) < 700
    assert "unknown item 'B'" in str(refused.value)


def test_no_reader_can_run_code_from_a_file() -> None:
    """Nothing that is imported to read files is able to."""
    roots = Path(__file__).resolve().parents[1]
    for folder in ("models", "compare", "dlx_backend", "cpsat_backend"):
        for source in (roots / folder).rglob("*.py"):
            text = source.read_text()
            for word in ("import pickle", "import marshal", "import shelve", "allow_pickle=True"):
                assert word not in text, source
            for call in (" eval(", " exec("):
                assert call not in text, source
