"""How numbers of things are put into words."""

from __future__ import annotations


def counted(n: int, what: str) -> str:
    """A number of things in words: ``1 loop``, ``2 loops``."""
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
