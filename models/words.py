"""Numbers and counts in words, and numbers with very many digits.

Python refuses to read or write numbers of more than 4300 digits, since that takes time that grows
with the square of their length. Readers keep that limit; a count that was found is shown in full.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

TOO_LONG = 10**4300
"""The least number that no reader reads: files hold only smaller ones."""


TOO_LONG_TO_KEEP = "a number of more than 4300 digits, too long for a file"
"""What is said of it."""


@contextmanager
def of_any_length() -> Iterator[None]:
    """In the block, numbers of any length can be written."""
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(limit)


def counted(n: int, what: str, many: str | None = None) -> str:
    """A number of things in words: ``1 loop``, ``2 loops``; `many`: where an s is not enough."""
    return f"{n} {what}" if n == 1 else f"{n} {many or what + 's'}"


def listed(things: Sequence[str], word: str = "and") -> str:
    """Things in a row: ``a``, ``a and b``, ``a, b and c``."""
    *before, last = things
    return f"{', '.join(before)} {word} {last}" if before else last
