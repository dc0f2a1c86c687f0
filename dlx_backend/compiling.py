"""Tells when Numba really compiles (the compiled loops are kept on disk, so: once)."""

from __future__ import annotations

from collections.abc import Callable

from numba.core import event


class _Once(event.Listener):  # type: ignore[misc]
    def __init__(self, tell: Callable[[], object]) -> None:
        self._tell: Callable[[], object] | None = tell

    def on_start(self, event: object) -> None:
        if self._tell is not None:
            tell, self._tell = self._tell, None
            tell()

    def on_end(self, event: object) -> None:
        pass


def on_compilation(tell: Callable[[], object]) -> None:
    """Call `tell` at most once, when the first loop is compiled and not found on disk."""
    event.register("numba:compile", _Once(tell))
