"""Which versions are at work: a record, a checkpoint, a level's proof and a benchmark say so."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from twostep.compare.registry import package_of


def version_of(package: str, otherwise: str) -> str:
    """The version of an installed package; `otherwise` where it isn't."""
    try:
        return version(package)
    except PackageNotFoundError:
        return otherwise


def release() -> str:
    """The version of Twostep that is running."""
    return version_of("twostep", "uninstalled")


def engine_version(name: str) -> str:
    """The version of an engine, with that of the package it stands on."""
    ours = version_of("twostep", "unknown")
    package = package_of(name)
    return ours if package is None else f"{ours} ({package} {version_of(package, 'unknown')})"


__version__ = release()
