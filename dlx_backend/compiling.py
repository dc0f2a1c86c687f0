"""Loading the compiled loops, and noticing when Numba really compiles (kept on disk, so: once)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from twostep.models.search.clock import CLOCK


class Notice:
    """Whom to tell that a loop is compiled and not found on disk.

    Attributes:
        tell: called once, when the next loop is compiled; None: nobody.
    """

    def __init__(self) -> None:
        self.tell: Callable[[], object] | None = None
        self._listening = False

    def give(self) -> None:
        """Call `tell`, the first time."""
        tell, self.tell = self.tell, None
        if tell is not None:
            tell()

    def listen(self) -> None:
        """From now on, pause the limits' clock while Numba compiles, and give notice of it."""
        if self._listening:
            return
        self._listening = True
        from numba.core import event

        give = self.give

        class Listener(event.Listener):  # type: ignore[misc]
            def on_start(self, event: object) -> None:
                CLOCK.stop()
                give()

            def on_end(self, event: object) -> None:
                CLOCK.go_on()

        event.register("numba:compile", Listener())


NOTICE = Notice()


@contextmanager
def loading() -> Iterator[None]:
    """Pause the clock of the limits while a block imports loops; and while any is compiled later.

    Imports Numba.
    """
    with CLOCK.standing():
        NOTICE.listen()
        yield
