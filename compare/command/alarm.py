"""A time limit that also holds where nobody looks at the clock: building a model, setting up."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_MARGIN = 0.05
_LEAST_MARGIN = 0.1
"""An engine ends by itself when its time is over; the alarm comes so much later, s."""


class OutOfTime(BaseException):
    """The time is over; like Ctrl-C, this is no error that anything on the way may handle."""


@contextmanager
def alarm(seconds: float | None) -> Iterator[None]:
    """Raise :class:`OutOfTime` in the block a little after `seconds` (None: never).

    Where the system has no timer signal, or outside the main thread, it never comes.
    """
    if (
        seconds is None
        or not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds + max(_LEAST_MARGIN, _MARGIN * seconds))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
