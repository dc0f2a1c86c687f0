"""Numbers with very many digits: Python refuses to read or write them, unless it is told to.

That a *reader* refuses them is right: they take time that grows with the square of their length.
A count that we have found ourselves is to be shown, however long it is.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
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
