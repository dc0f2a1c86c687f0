"""Engine 2: the model as a CP-SAT problem, for an independent second answer.

The only importer of OR-Tools, and that only when :class:`CpsatEngine` is asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from twostep.cpsat_backend.engine import CpsatEngine

__all__ = ["CpsatEngine"]

PACKAGE = "ortools"
"""The distribution that the engine's answers depend on besides our own."""


def __getattr__(name: str) -> object:
    if name in __all__:
        return getattr(importlib.import_module(f"{__name__}.engine"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
