"""Word of a compilation: an engine that compiles its loops says so, once after installing."""

from __future__ import annotations

from collections.abc import Callable


class Notice:
    """Whom to tell of something that takes long and happens once.

    Attributes:
        tell: called by the next :meth:`give`, once; None: nothing is called.
    """

    def __init__(self) -> None:
        self.tell: Callable[[], object] | None = None

    def give(self) -> None:
        """Call `tell`, the first time."""
        tell, self.tell = self.tell, None
        if tell is not None:
            tell()


COMPILATION = Notice()
"""That search loops are compiled and not found on disk."""
