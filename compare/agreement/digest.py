"""An order-free digest of a set of solutions, updated while they stream by."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

from twostep.models.language.model import Solution

if TYPE_CHECKING:
    from twostep.models.reading.members import Members

_DIGEST_BITS = 256
KEPT = 100_000
"""How many solutions of a set are told apart one by one; the digest is of all."""


class SetDigest:
    """An order-free digest of a set of solutions; each must be added once."""

    def __init__(self) -> None:
        self.value = 0

    def add(self, solution: Solution) -> None:
        """Add a solution (option ids, ascending)."""
        self.value = (self.value + _number_of(solution)) % (1 << _DIGEST_BITS)

    def include(self, digest: str) -> None:
        """Add a set that is known by its digest only, and has no member in common."""
        self.value = (self.value + int(digest, 16)) % (1 << _DIGEST_BITS)

    def __str__(self) -> str:
        return f"{self.value:0{_DIGEST_BITS // 4}x}"


class Listed(SetDigest):
    """The digest of a set of solutions, and up to KEPT members, each as a number of 64 bits."""

    def __init__(self, solutions: Iterable[Solution] = ()) -> None:
        super().__init__()
        self.members: set[int] = set()
        self.whole = True
        """Whether all members are kept."""
        for solution in solutions:
            self.add(solution)

    def add(self, solution: Solution) -> None:
        """Add a solution (option ids, ascending)."""
        number = _number_of(solution)
        self.value = (self.value + number) % (1 << _DIGEST_BITS)
        if len(self.members) < KEPT:
            self.members.add(number % (1 << 64))
        else:
            self.whole = False


def _number_of(solution: Solution) -> int:
    text = b"%d:" % len(solution) + ",".join(map(str, solution)).encode()
    return int.from_bytes(hashlib.sha256(text).digest(), "big")


def digest_from(members: Members) -> str:
    """The `digest` in a JSON object.

    Raises:
        InputError: there is none; names the file.
    """
    text = members.text("digest")
    if len(text) != _DIGEST_BITS // 4 or text.strip("0123456789abcdef"):
        raise members.fault(f"digest: expected {_DIGEST_BITS // 4} hexadecimal digits")
    return text
