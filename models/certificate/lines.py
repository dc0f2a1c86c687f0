"""The lines of a certificate, one at a time: nothing is kept, whatever the size of the file."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import zlib
from collections.abc import Iterator

from twostep.models.errors import InputError

MAX_LINE = 1 << 22
"""What a line may weigh, bytes."""
MAX_DIGITS = 4300
"""How long a decimal number may be: more, and Python refuses to read it."""


def number(word: str, base: int = 10) -> int:
    """The number that `word` is, in base 10 or 16.

    Raises:
        InputError: it is none.
    """
    digits = "0123456789abcdef"[:base]
    if word.strip(digits) or not word or (base == 10 and len(word) > MAX_DIGITS):
        raise InputError(f"expected a number, not {word[:40]!r}")
    return int(word, base)


class Lines:
    """The lines of a certificate, one at a time.

    Attributes:
        number: the number of the current line, from 1.
        text: the current line; empty at the end of the file.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._lines = _read(path)
        self._digest = hashlib.sha256()
        self.number = 0
        self.text = ""

    def step(self) -> None:
        """Go to the next line."""
        line = next(self._lines, b"")
        self.number += 1
        self._digest.update(line)
        if not line.isascii():
            raise InputError("not a certificate: strange characters")
        self.text = line.decode("ascii")

    def members(self) -> dict[str, object]:
        """The current line (or the first), as a JSON object."""
        if not self.number:
            self.step()
        try:
            found = json.loads(self.text)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise InputError("expected a JSON object" if self.text else "the end is missing")
        return found

    def digest(self) -> str:
        """SHA-256 (hex) of all lines so far."""
        return self._digest.hexdigest()


def _read(path: str | os.PathLike[str]) -> Iterator[bytes]:
    try:
        with gzip.open(path, "rb") as file:
            while line := file.readline(MAX_LINE):
                yield line
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise InputError("not a certificate: not in gzip's format, damaged, or cut off") from None
    except FileNotFoundError:
        raise InputError("there is no such file") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot be read: {reason}") from None
