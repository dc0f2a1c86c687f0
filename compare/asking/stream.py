"""Solutions one by one, from a search in a thread that ends when they are no longer wanted."""

from __future__ import annotations

import contextlib
import queue
import threading
import weakref
from collections.abc import Callable, Iterator
from types import TracebackType

from twostep.compare.asking.answers import Count, Solution
from twostep.models.families.puzzle import Puzzle
from twostep.models.language.model import Solution as Options
from twostep.models.search.engine import Counters, Receiver, Watch

_AHEAD = 256
"""How many solutions the search may be ahead of their reader."""

_PATIENCE = 0.02
"""Seconds between two looks whether a search that was told to end has ended."""

Search = Callable[[Receiver, Watch], Count]
"""Delivers solutions into the receiver until that, or the watch, says True."""


class Solutions(Iterator[Solution]):
    """Solutions as they are found.

    The search begins with the first one asked for. It is cancelled, and has ended, when
    :meth:`close` returns; that is also called at the end of a ``with`` block, and when the
    iterator is forgotten, as after a ``break`` out of a ``for`` loop.

    Attributes:
        answer: after the last solution: how many there were, and whether these are all.

    >>> with twostep.solutions("queens:8") as found:
    ...     few = [next(found), next(found)]
    >>> found = twostep.solutions("queens:8")
    >>> len(list(found)), found.answer.complete
    (92, True)
    """

    def __init__(self, puzzle: Puzzle, search: Search) -> None:
        self.answer: Count | None = None
        self._puzzle = puzzle
        self._pipe = _Pipe(search)
        # The thread knows the pipe only, so that a forgotten iterator is collected; and the
        # finalizer also runs when Python ends.
        self._close = weakref.finalize(self, self._pipe.close)

    def __next__(self) -> Solution:
        try:
            solution = self._pipe.next()
        except StopIteration:
            raise
        except BaseException:
            self.close()
            raise
        if solution is None:
            self.answer = self._pipe.answer
            raise StopIteration
        return Solution(solution, self._puzzle)

    def close(self) -> None:
        """Cancel the search, if it still runs, and wait for its end."""
        self._close()

    def __enter__(self) -> Solutions:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class _Pipe:
    """Between the thread that searches and the one that reads."""

    def __init__(self, search: Search) -> None:
        self.answer: Count | None = None
        self._search = search
        self._error: BaseException | None = None
        self._waiting: queue.Queue[Options | None] = queue.Queue(_AHEAD)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="twostep solutions", daemon=True)

    def next(self) -> Options | None:
        """The next solution; None: there are no more. Raises what the search has raised.

        Raises:
            StopIteration: the pipe was closed, or the end was told before.
        """
        if self._closing.is_set():
            raise StopIteration
        if self._thread.ident is None:
            self._thread.start()
        if (solution := self._waiting.get()) is None:
            self._closing.set()
            self._thread.join()
            if self._error is not None:
                raise self._error
        return solution

    def close(self) -> None:
        """Let the search end. Waits for that, unless the garbage of its own thread is collected."""
        self._closing.set()
        if threading.current_thread() is self._thread:
            return
        while self._thread.is_alive():
            with contextlib.suppress(queue.Empty):
                while True:
                    self._waiting.get_nowait()
            self._thread.join(_PATIENCE)

    def _run(self) -> None:
        try:
            self.answer = self._search(self._receive, self._watch)
        except BaseException as error:
            self._error = error
        self._waiting.put(None)

    def _receive(self, solution: Options) -> bool:
        self._waiting.put(solution)
        return self._closing.is_set()

    def _watch(self, _: Counters) -> bool:
        return self._closing.is_set()
