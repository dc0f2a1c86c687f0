"""Results of earlier checks, kept in a file."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

from twostep.compare.checking.tally import Tally
from twostep.models.errors import InputError
from twostep.models.reading.files import read_text, write_atomically
from twostep.models.search.engine import StopReason

MEMORY_SIZE = 20_000
"""How many results a memory keeps; the oldest go first."""


class Memory:
    """Results of earlier checks, by the content of the puzzle and the versions of the engines.

    Only finished searches are remembered. A file that cannot be read counts as empty, and one
    that cannot be written is not: a memory never makes a check fail.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._known: dict[str, list[object]] = {}
        if path is not None:
            with contextlib.suppress(InputError, ValueError, RecursionError):
                content = json.loads(read_text(path))
                if isinstance(content, dict):
                    self._known = {k: v for k, v in content.items() if isinstance(v, list)}

    def recall(self, key: str, name: str) -> Tally | None:
        """The tally of that puzzle and engine; None: not remembered."""
        match self._known.get(key):
            case [int(found), bool(complete), str(digest), float(seconds), int(classes)]:
                stopped = StopReason.EXHAUSTED if complete else StopReason.SOLUTIONS
                return Tally(name, found, complete, stopped, digest, seconds, classes)
        return None

    def keep(self, key: str, result: Tally) -> None:
        """Remember a tally, if it is finished."""
        if result.finished:
            self._known.pop(key, None)
            self._known[key] = [
                result.found,
                result.complete,
                result.digest,
                round(result.seconds, 6),
                result.classes,
            ]

    def save(self) -> None:
        """Write the memory to its file."""
        if self._path is not None:
            newest = dict(list(self._known.items())[-MEMORY_SIZE:])
            with contextlib.suppress(OSError, InputError):
                self._path.parent.mkdir(parents=True, exist_ok=True)
                write_atomically(self._path, json.dumps(newest))


def default_memory() -> Path:
    """Where results are remembered unless told otherwise."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "twostep" / "checked-levels.json"
