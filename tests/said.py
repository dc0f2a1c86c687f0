"""What ``twostep`` says to what is typed; the fixture ``typed`` types it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]

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
