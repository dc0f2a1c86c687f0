"""Where the compiled loops are kept. Works before Numba is imported."""

from __future__ import annotations

import os


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
