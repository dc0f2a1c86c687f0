"""An order-free digest of a set of solutions, updated while they stream by."""

from __future__ import annotations

import hashlib

from twostep.models.language.model import Solution
from twostep.models.reading.members import Members

_DIGEST_BITS = 256


class SetDigest:
    """An order-free digest of a set of solutions; each must be added once."""

    def __init__(self) -> None:
        self.value = 0

    def add(self, solution: Solution) -> None:
        """Add a solution (option ids, ascending)."""
        text = b"%d:" % len(solution) + ",".join(map(str, solution)).encode()
        term = int.from_bytes(hashlib.sha256(text).digest(), "big")
        self.value = (self.value + term) % (1 << _DIGEST_BITS)

    def include(self, digest: str) -> None:
        """Add a set that is known by its digest only, and has no member in common."""
        self.value = (self.value + int(digest, 16)) % (1 << _DIGEST_BITS)

    def __str__(self) -> str:
        return f"{self.value:0{_DIGEST_BITS // 4}x}"


def digest_from(members: Members) -> str:
    """The `digest` in a JSON object.

    Raises:
        InputError: there is none; names the file.
    """
    text = members.text("digest")
    if len(text) != _DIGEST_BITS // 4 or text.strip("0123456789abcdef"):
        raise members.fault(f"digest: expected {_DIGEST_BITS // 4} hexadecimal digits")
    return text
