"""The clock that limits of time go by. It stands still while loops are compiled, or loaded.

Compiling happens once after installing, and takes longer than many a limit: were it to count, a
search with a short limit would never get any further.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Clock:
    """Seconds since some moment; without those between :meth:`stop` and :meth:`go_on`.

    Attributes:
        runs_on: it never stands still: in a process that another one waits for, by its own clock.
    """

    def __init__(self) -> None:
        self.runs_on = False
        self._stops = 0
        self._stopped = self._lost = 0.0

    def __call__(self) -> float:
        """What the clock shows, s."""
        stands = self._stops and not self.runs_on
        return (self._stopped if stands else time.perf_counter()) - self._lost

    def stop(self) -> None:
        """Stop, until :meth:`go_on` was called as often."""
        if not self._stops:
            self._stopped = time.perf_counter()
        self._stops += 1

    def go_on(self) -> None:
        """Undo a :meth:`stop`."""
        self._stops -= 1
        if not self._stops and not self.runs_on:
            self._lost += time.perf_counter() - self._stopped

    @contextmanager
    def standing(self) -> Iterator[None]:
        """Let it stand still during a block."""
        self.stop()
        try:
            yield
        finally:
            self.go_on()


CLOCK = Clock()
"""The clock of this process."""
