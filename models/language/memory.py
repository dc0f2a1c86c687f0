"""What this machine has: so that what cannot fit is refused before it is tried."""

from __future__ import annotations

import os

from twostep.models.errors import ModelError


def available_memory() -> int | None:
    """Memory that could be had now without swapping, bytes; None: the system doesn't tell."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            for line in file:
                name, _, rest = line.partition(":")
                if name == "MemAvailable":
                    return int(rest.split()[0]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None


def demand_memory(wanted: int, what: str) -> None:
    """Refuse what needs more memory than there is.

    Args:
        wanted: bytes, an estimate.
        what: what needs them, as the subject of a sentence.

    Raises:
        ModelError: names the estimated size and what is there.
    """
    there = available_memory()
    if there is not None and wanted > there:
        raise ModelError(
            f"{what} would need about {_gigabytes(wanted)} of memory;"
            f" {_gigabytes(there)} are available"
        )


def _gigabytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.0f} MB"
