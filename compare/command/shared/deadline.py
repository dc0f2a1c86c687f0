"""A time limit that also holds where nobody looks at the clock: reading, building a model."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from twostep.models.search.clock import CLOCK

_MARGIN = 0.05
_LEAST_MARGIN = 0.1
"""An engine ends by itself when its time is over; the alarm comes so much later, s."""
_AGAIN = 1.0
"""It comes again after so long, s, should what it ends not end."""
_LOST = 0.01
"""Or sooner, s: where C calls Python (collecting garbage, say), an exception gets lost."""


class OutOfTime(BaseException):
    """The time is over; like Ctrl-C, this is no error that anything on the way may handle."""


@contextmanager
def alarm(seconds: float | None) -> Iterator[None]:
    """Raise :class:`OutOfTime` in the block a little after `seconds` on the CLOCK (None: never).

    Where the system has no timer signal, or outside the main thread, it never comes.
    """
    if (
        seconds is None
        or not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return
    due = CLOCK() + seconds + max(_LEAST_MARGIN, _MARGIN * seconds)

    def ring(_number: int, _frame: FrameType | None) -> None:
        if (left := due - CLOCK()) > 0:  # the clock has been standing still
            signal.setitimer(signal.ITIMER_REAL, left, _AGAIN)
        else:
            raise OutOfTime

    def lost(what: sys.UnraisableHookArgs) -> object:
        if not issubclass(what.exc_type, OutOfTime):
            return hook(what)
        return signal.setitimer(signal.ITIMER_REAL, _LOST, _AGAIN)

    hook, sys.unraisablehook = sys.unraisablehook, lost
    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, due - CLOCK(), _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        sys.unraisablehook = hook
