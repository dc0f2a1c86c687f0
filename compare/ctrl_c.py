"""Ctrl-C, from the command's first line on; imports next to nothing, for it comes first."""

from __future__ import annotations

import signal
import sys
from types import FrameType

_AGAIN = 0.01
"""How long after it was lost Ctrl-C comes again, s."""


class CtrlC:
    """What Ctrl-C does in this process, once :meth:`hold` has been called."""

    def __init__(self) -> None:
        self.pressed = False
        """Whether it came; a package that it ends while it loads may say something else."""
        self._held = False

    def hold(self) -> None:
        """From now on Ctrl-C only waits, until :meth:`release`."""
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # a shell's & ignores it
            self._held = True
            signal.signal(signal.SIGINT, self._press)

    def release(self) -> None:
        """From now on, and if it was held back now, Ctrl-C raises KeyboardInterrupt.

        Where that is lost, in what C calls (compiling, collecting garbage), it is raised again.
        """
        if self._held:
            self._held = False
            self._unraisable, sys.unraisablehook = sys.unraisablehook, self._lost
            if self.pressed:
                raise KeyboardInterrupt

    def _press(self, _number: int, _frame: FrameType | None) -> None:
        self.pressed = True
        if not self._held:
            raise KeyboardInterrupt

    def _lost(self, what: sys.UnraisableHookArgs) -> None:
        if not (issubclass(what.exc_type, KeyboardInterrupt) and hasattr(signal, "pthread_kill")):
            self._unraisable(what)
            return
        import threading

        main = threading.main_thread().ident
        again = threading.Timer(_AGAIN, signal.pthread_kill, (main, signal.SIGINT))
        again.daemon = True
        again.start()


CTRL_C = CtrlC()
"""That of this process."""
