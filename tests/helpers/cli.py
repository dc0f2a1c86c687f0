"""What ``twostep`` says to what is typed; the fixture ``typed`` types it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]

TWOSTEP = [sys.executable, "-m", "twostep.compare"]
"""The command in a process of its own; with ENVIRONMENT it is this checkout's."""

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / ".types")}


class Said(NamedTuple):
    """Exit code, standard output and standard error."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The one object on standard output."""
        (line,) = self.out.splitlines()
        content: dict[str, Any] = json.loads(line)
        return content


Typed = Callable[..., Said]
"""``typed("count", "queens:4")`` runs ``twostep count queens:4``."""


_LOADED = (
    "import signal, sys; from twostep.compare.__main__ import main;"
    "signal.signal(signal.SIGINT, signal.default_int_handler);"  # a shell's & ignores Ctrl-C
    "from twostep.compare.registry import ENGINES, engine; [engine(name) for name in ENGINES];"
    "print('loaded', file=sys.stderr, flush=True); main()"
)


def started(*arguments: str, stdin: int | None = None) -> subprocess.Popen[str]:
    """``twostep ARGUMENTS`` in a process of its own, which has loaded both engines and begins.

    Ctrl-C that comes while Python loads itself is nobody's to handle.
    """
    process = subprocess.Popen(
        [sys.executable, "-c", _LOADED, *arguments], env=ENVIRONMENT, text=True, stdin=stdin,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    assert process.stderr is not None
    assert process.stderr.readline() == "loaded\n"
    return process


def interrupted(process: subprocess.Popen[str]) -> Said:
    """What a process of :func:`started` says after Ctrl-C, which reaches its children too.

    It is pressed again where nothing came of it: libraries may lose one while they load.
    """
    for _ in range(5):
        os.killpg(process.pid, signal.SIGINT)
        try:
            out, err = process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            continue
        return Said(process.returncode, out, err)
    os.killpg(process.pid, signal.SIGKILL)
    raise AssertionError("Ctrl-C does not end it")
