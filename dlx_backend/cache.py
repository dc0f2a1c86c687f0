"""Where the compiled loops are kept, and how they are loaded. Imports Numba only when asked to."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from twostep.models.search.clock import CLOCK


def find_room_for_loops() -> None:
    """Set NUMBA_CACHE_DIR where Numba would find no folder for the loops, and refuse to work.

    Numba takes the source's folder or the user's cache. Where neither can be written (installed
    read-only, no home), a folder of temporary files that is this user's alone must do.
    """
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    beside = os.path.join(os.path.dirname(__file__), "__pycache__")
    if (
        "NUMBA_CACHE_DIR" in os.environ
        or os.name != "posix"
        or any(map(_writable, (beside, cache)))
    ):
        return
    import tempfile

    folder = os.path.join(tempfile.gettempdir(), f"twostep-{os.getuid()}")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    kept = os.lstat(folder)
    if kept.st_uid != os.getuid() or kept.st_mode & 0o077:
        folder = tempfile.mkdtemp(prefix="twostep-")
    os.environ["NUMBA_CACHE_DIR"] = folder


def _writable(folder: str) -> bool:
    """Whether `folder` can be written to, or made."""
    folder = os.path.abspath(folder)
    while not os.path.exists(folder):
        folder = os.path.dirname(folder)
    return os.access(folder, os.W_OK)


class Notice:
    """Whom to tell that a loop is compiled and not found on disk.

    Attributes:
        tell: called once, when the next loop is compiled; None: nobody.
    """

    def __init__(self) -> None:
        self.tell: Callable[[], object] | None = None

    def give(self) -> None:
        """Call `tell`, the first time."""
        tell, self.tell = self.tell, None
        if tell is not None:
            tell()


NOTICE = Notice()


@contextmanager
def loading() -> Iterator[None]:
    """Pause the clock of the limits while a block imports loops; and while any is compiled later.

    Imports Numba.
    """
    with CLOCK.standing():
        from twostep.dlx_backend import compiling  # noqa: F401 - it listens from now on

        yield
