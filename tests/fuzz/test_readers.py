"""No file breaks a reader: no traceback, no hang over 5 s, no more than 1 GB of memory.

A few hundred spoilt files for each reader, always the same ones; what once broke a reader; and,
with ``make fuzz`` where Atheris can be installed, a search of ten minutes for each reader.
"""

from __future__ import annotations

import importlib.util
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from fuzz import readers
from fuzz.mutate import damage, spoil
from fuzz.readers import FINDINGS, MEGABYTES, READERS, Reader, findings
from helpers.cli import Typed

from twostep.compare.command.shared import progress
from twostep.compare.command.shared.exits import Exit
from twostep.compare.registry import ENGINES
from twostep.models import InputError
from twostep.models.errors import nearest
from twostep.models.reading.files import MAX_BYTES, SMALL
from twostep.models.reading.formats import dlx
from twostep.models.search.engine import Counters

HERE = Path(__file__).parent


@pytest.mark.parametrize("name", READERS)
def test_spoilt_files_are_read_or_refused_in_one_line(name: str, tmp_path: Path) -> None:
    reader, rng = READERS[name], random.Random(1)
    contents = reader.seeds(tmp_path)
    assert all(reader.reads(content, tmp_path) for content in contents)
    answers = []
    for _ in range(200):
        content = rng.choice(contents)
        for _ in range(rng.randint(1, 3)):
            content = spoil(content, rng, lambda data: damage(data, rng))
        answers.append(reader.reads(content, tmp_path))
    assert any(answers)
    assert name == "memory" or not all(answers)  # a memory that can't be read counts as empty


@pytest.mark.parametrize(
    "found", [file for name in READERS for file in findings(name)], ids=lambda file: file.name
)
def test_what_once_broke_a_reader_is_read_or_refused(found: Path, tmp_path: Path) -> None:
    READERS[found.parent.name].reads(found.read_bytes(), tmp_path)


def test_every_finding_belongs_to_a_reader() -> None:
    assert {folder.name for folder in FINDINGS.iterdir()} <= set(READERS)


@pytest.mark.long
@pytest.mark.skipif(
    importlib.util.find_spec("atheris") is None, reason="there is no Atheris for this Python"
)
@pytest.mark.parametrize("name", READERS)
def test_ten_minutes_of_searching_for_what_breaks_a_reader(name: str) -> None:
    subprocess.run(
        [sys.executable, str(HERE / "run_atheris.py"), name, "--seconds", "600"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=True,
    )


LARGEST = [
    ("dlx", b"A B\n", b"A\n", b"", MAX_BYTES),
    ("dlx", b"A x y z\n", b"A x y z\n", b"", MAX_BYTES),
    ("dlx", b"A\n", b"A ", b"", MAX_BYTES),
    ("dlx", b"A\nA\n|! chosen:", b" 0", b"", MAX_BYTES),
    ("model", b'{"schema": "twostep-model/1", "items": [', b"[],", b"0]}", MAX_BYTES),
    ("model", b'{"schema": "twostep-model/1", "items": [{"name": "a"}], "options": [',
     b'{"items":["a"]},', b'{"items": ["a"]}]}', MAX_BYTES),
    ("model", b'{"schema": "twostep-model/1", "items": [], "options": [], "symmetries": [',
     b"[],", b"[]]}", MAX_BYTES),
    ("level", b'{"schema": "twostep-level/1", "levels": [', b"[],", b"0]}", MAX_BYTES),
    ("level", b'{"schema": "twostep-level/1", "board": ["..."], "pieces": [', b'"P",', b'"P"]}',
     MAX_BYTES),
    ("level", b'{"schema": "twostep-level/1", "board": ["..."], "pieces": [{"name": "V", "cells": ['
     , b'"#",', b'"#"]}]}', MAX_BYTES),
    ("plan", b"[", b"[],", b"0]", MAX_BYTES),
    ("rows", b"", b"ab\n", b"", MAX_BYTES),
    ("rows", b"2x2\n", b"abcd\n", b"", SMALL),
    ("board", b"pieces: ", b"P ", b"\n...\n", SMALL),
    ("board", b"...\n", b"piece: P=0\n##\n##\n#.\n", b"", SMALL),
    ("drops", b"FF0000\n\n", b"AAAABBBBCCCCDDDDEEEEF\n", b"", SMALL),
    ("contest", b"40000\n", b"@@@ @..\n@.@ @..\n... @@.\n\n", b"", SMALL),
    ("maze", b"PERFECT=False\n", b"F\n", b"", 4 * SMALL),
    ("hexfile", b"", b"F\n", b"", 4 * SMALL),
]  # fmt: skip
"""A reader; how a file begins, what is said again and again, how it ends; its size, bytes."""

ALONE = """
import pathlib, sys
from fuzz import readers
readers.SECONDS = 300
folder = pathlib.Path(sys.argv[2])
readers.READERS[sys.argv[1]].judged((folder / "content").read_bytes(), folder)
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="the unit of the peak memory is Linux's")
@pytest.mark.parametrize(("name", "start", "again", "end", "size"), LARGEST)
def test_the_largest_files_fit_a_gigabyte(
    name: str, start: bytes, again: bytes, end: bytes, size: int, tmp_path: Path
) -> None:
    times = (size - len(start) - len(end)) // len(again)
    (tmp_path / "content").write_bytes(start + times * again + end)
    done = python("-c", ALONE, name, str(tmp_path))
    assert done.returncode == 0, done.stderr


def stumbles(path: Path) -> None:
    """A reader with a fault: a traceback."""
    if b"!" in path.read_bytes():
        raise KeyError("!")


def loops(path: Path) -> None:
    """A reader with a fault: it hangs."""
    while b"!" in path.read_bytes():
        pass


def hoards(path: Path) -> None:
    """A reader with a fault: it takes far too much memory."""
    if b"!" in path.read_bytes():
        _ = b"!" * (MEGABYTES + 100 << 20)


FAULTS = {
    stumbles: (300, "KeyError"),
    loops: (2, "TooSlow"),
    hoards: (300, "MemoryError|out-of-memory"),  # a gigabyte took a slow machine over 2 s
}
"""Faulty readers; the seconds that they may take for a file, and what is said of the faulty one."""


@pytest.mark.skipif(sys.platform != "linux", reason="the unit of the peak memory is Linux's")
@pytest.mark.parametrize("read", FAULTS)
def test_a_fault_planted_in_a_reader_is_seen(read: Callable[[Path], None], tmp_path: Path) -> None:
    seconds, said = FAULTS[read]
    program = (
        f"import pathlib; from fuzz import readers, test_readers; readers.SECONDS = {seconds}\n"
        f"planted = readers.Reader('.txt', test_readers.{read.__name__}, lambda folder: [])\n"
        f"for content in (b'harmless', b'fault!'):\n"
        f"    print(planted.judged(content, pathlib.Path({str(tmp_path)!r})), flush=True)\n"
    )
    done = python("-c", program)
    assert (done.returncode, done.stdout) == (1, "True\n")
    assert re.search(said, done.stderr)


@pytest.mark.skipif(
    importlib.util.find_spec("atheris") is None, reason="there is no Atheris for this Python"
)
@pytest.mark.parametrize("read", FAULTS)
def test_the_search_finds_a_planted_fault_and_keeps_the_file(
    read: Callable[[Path], None], tmp_path: Path
) -> None:
    seconds, said = FAULTS[read]
    program = (
        "import pathlib, sys\nfrom fuzz import readers, run_atheris, test_readers\n"
        f"readers.SECONDS = {seconds}\n"
        f"run_atheris.FAILURES = pathlib.Path({str(tmp_path)!r})\n"
        "readers.READERS['planted'] = readers.Reader(\n"
        f"    '.txt', test_readers.{read.__name__}, lambda folder: [b'harmless']\n"
        ")\n"
        "sys.argv = ['run_atheris', 'planted', '--seconds', '600', '--seed', '1']\n"
        "run_atheris.main()\n"
    )
    done = python("-c", program)
    assert done.returncode != 0
    assert re.search(said, done.stdout + done.stderr)
    (kept,) = tmp_path.iterdir()
    assert kept.name.startswith("planted-")
    assert b"!" in kept.read_bytes()


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Python, which finds what these tests import."""
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip


def test_a_reader_that_says_too_much_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def quotes(path: Path) -> None:
        raise InputError(f"unknown: {path.read_text()}")

    reader = Reader("", quotes, lambda folder: [])
    with monkeypatch.context() as patch:
        patch.setattr("twostep.models.errors._short_line", str)
        for long in (b"A" * 2000, b"two\nlines", b"\x1b[2J"):
            with pytest.raises(ValueError, match="not one short line"):
                reader.reads(long, tmp_path)
    assert not reader.reads(b"two\nlines", tmp_path)


def test_the_search_for_the_name_that_was_meant_is_short(tmp_path: Path) -> None:
    letters = [chr(0x4E00 + number) for number in range(300)] * 400
    known = "".join(random.Random(1).sample(letters, len(letters)))
    wrong = "".join(random.Random(2).sample(letters, len(letters)))
    assert not READERS["dlx"].reads(f"{known}\n{wrong}\n".encode(), tmp_path)
    with readers.no_hang():
        assert nearest("item-7", (f"item{number}" for number in range(5_000_000))) == "item7"


def test_a_long_order_is_read_in_one_go(tmp_path: Path) -> None:
    names = [f"i{number}" for number in range(60_000)]
    lines = [" ".join(names), *(f"|! order: {name}" for name in names), *names]
    assert READERS["dlx"].reads("\n".join(lines).encode(), tmp_path)


def test_a_message_that_quotes_a_huge_name_is_cut_short() -> None:
    with pytest.raises(InputError) as refused:
        dlx.read("A " + "{" * 5000 + "\nB\n")
    assert len(str(refused.value)) < 700
    assert "unknown item 'B'" in str(refused.value)


@pytest.mark.parametrize(
    ("flag", "value"),
    [("--time-limit", "99999999999999999999"), ("--memory-limit", "5" * 5000)],
    ids=["time", "memory"],
)
def test_a_limit_beyond_all_bounds_is_refused(flag: str, value: str, typed: Typed) -> None:
    code, out, err = typed("count", "queens:6", flag, value)
    assert (code, out) == (Exit.USAGE, "")
    assert err.startswith(f"twostep: Invalid value for '{flag}': expected ")


@pytest.mark.parametrize("backend", ENGINES)
def test_a_node_limit_beyond_all_bounds_is_none(backend: str, typed: Typed) -> None:
    said = typed("count", "queens:6", "--backend", backend, "--node-limit", "9" * 30)
    assert (said.code, said.out) == (Exit.OK, "4\n")


def test_a_file_named_like_markup_is_searched_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with progress.watching("count [/b].dlx", quiet=False) as watch:
        assert watch is not None
        watch(Counters())
    assert "count [/b].dlx" in capsys.readouterr().err


def test_no_reader_can_run_code_from_a_file() -> None:
    """Nothing that is imported to read files is able to."""
    roots = Path(__file__).resolve().parents[2]
    for folder in ("models", "compare", "dlx_backend", "cpsat_backend"):
        for source in (roots / folder).rglob("*.py"):
            text = source.read_text()
            for word in ("import pickle", "import marshal", "import shelve", "allow_pickle=True"):
                assert word not in text, source
            for call in (" eval(", " exec("):
                assert call not in text, source
