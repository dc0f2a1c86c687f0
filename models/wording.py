"""How numbers of things are put into words."""

from __future__ import annotations


def counted(n: int, what: str, many: str | None = None) -> str:
    """A number of things in words: ``1 loop``, ``2 loops``; `many`: where an s is not enough."""
    return f"{n} {what}" if n == 1 else f"{n} {many or what + 's'}"
