"""Loading the compiled loops, and noticing when Numba really compiles (kept on disk, so: once)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from twostep.models.search.clock import CLOCK
from twostep.models.search.notice import COMPILATION

_listening = False


def _listen() -> None:
    """From now on, pause the limits' clock while Numba compiles, and give notice of it."""
    global _listening  # noqa: PLW0603 - one listener in a process
    if _listening:
        return
    _listening = True
    from numba.core import event

    class Listener(event.Listener):  # type: ignore[misc]
        def on_start(self, event: object) -> None:
            CLOCK.stop()
            COMPILATION.give()

        def on_end(self, event: object) -> None:
            CLOCK.go_on()

    event.register("numba:compile", Listener())


@contextmanager
def loading() -> Iterator[None]:
    """Pause the clock of the limits while a block imports loops; and while any is compiled later.

    Imports Numba.
    """
    with CLOCK.standing():
        _listen()
        yield
