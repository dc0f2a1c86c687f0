"""Notices when Numba really compiles (the compiled loops are kept on disk, so: once)."""

from __future__ import annotations

from numba.core import event

from twostep.dlx_backend.cache import NOTICE
from twostep.models.search.clock import CLOCK


class _Listener(event.Listener):  # type: ignore[misc]
    """Pause the limits' clock while Numba compiles; give notice of it once."""

    def on_start(self, event: object) -> None:
        CLOCK.stop()
        NOTICE.give()

    def on_end(self, event: object) -> None:
        CLOCK.go_on()


event.register("numba:compile", _Listener())
