"""Packages whose names are loaded when they are first used (PEP 562).

Such a package imports its names for type checkers only, under ``if TYPE_CHECKING``, and says here
where they are. A test holds the two lists together.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence


def lazily(
    package: str, homes: Mapping[str, Sequence[str]]
) -> tuple[list[str], Callable[[str], object], Callable[[], list[str]]]:
    """The ``__all__``, ``__getattr__`` and ``__dir__`` of a package.

    Args:
        package: its ``__name__``.
        homes: module -> the names that it has.
    """
    home_of = {name: module for module, names in homes.items() for name in names}

    def load(name: str) -> object:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(importlib.import_module(home_of[name]), name)

    public = sorted(home_of)
    return public, load, lambda: public
