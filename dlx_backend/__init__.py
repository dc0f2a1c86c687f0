"""Engine 1: dancing links, written by hand and compiled with Numba."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twostep.dlx_backend.cache import find_room_for_loops

if TYPE_CHECKING:
    from twostep.dlx_backend.engine import DlxEngine

__all__ = ["DlxEngine"]

PACKAGE = "numba"
"""The distribution that the engine's answers depend on besides our own."""


def __getattr__(name: str) -> object:
    # Numba takes half a second to import: only when the engine is really used.
    if name == "DlxEngine":
        from twostep.dlx_backend.engine import DlxEngine

        return DlxEngine
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


find_room_for_loops()
