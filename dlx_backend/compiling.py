"""Notices when Numba really compiles (the compiled loops are kept on disk, so: once)."""

from __future__ import annotations

from collections.abc import Callable

from numba.core import event

from twostep.models.search.clock import CLOCK


class _Listener(event.Listener):  # type: ignore[misc]
    """Stops the clock of the limits, and tells whoever wants to know, once.

    Attributes:
        tell: to be called when a loop is compiled, or None.
    """

    tell: Callable[[], object] | None = None

    def on_start(self, event: object) -> None:
        CLOCK.stop()
        if self.tell is not None:
            tell, self.tell = self.tell, None
            tell()

    def on_end(self, event: object) -> None:
        CLOCK.go_on()


_listener = _Listener()
event.register("numba:compile", _listener)


def on_compilation(tell: Callable[[], object]) -> None:
    """Call `tell` at most once, when the next loop is compiled and not found on disk."""
    _listener.tell = tell
