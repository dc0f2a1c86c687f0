"""Which versions are at work: a record, a checkpoint, a level's proof and a benchmark say so."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def version_of(package: str, otherwise: str) -> str:
    """The version of an installed package; `otherwise` where it isn't."""
    try:
        return version(package)
    except PackageNotFoundError:
        return otherwise


def release() -> str:
    """The version of Twostep that is running."""
    return version_of("twostep", "uninstalled")
