"""The standard streams of the process: closed ones, narrow encodings, output that nobody takes."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Literal, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class CannotWrite(Exception):
    """Standard output cannot be written to: a full disk, or a reader that has gone.

    No OSError: those have other reasons, and Click ends the process where it meets some of them.
    """

    def __init__(self, error: OSError) -> None:
        super().__init__(f"the output cannot be written: {error.strerror}")
        self.reader_gone = error.errno == errno.EPIPE
        """What was wanted has been read (``| head``): there is nothing to complain about."""


class _Watched(io.RawIOBase):
    """A raw stream to write to, whose faults are handed to a function."""

    def __init__(self, raw: IO[bytes], fault: Callable[[OSError], object]) -> None:
        self._raw = raw
        self._fault = fault

    def write(self, data: ReadableBuffer, /) -> int | None:
        try:
            return self._raw.write(data)
        except OSError as error:
            self._fault(error)
            return memoryview(data).nbytes

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._raw.fileno()

    def isatty(self) -> bool:
        return self._raw.isatty()


def prepare() -> None:
    """Make the standard streams such that every verb can use them.

    What standard output can't take raises :class:`CannotWrite`; what standard error can't take is
    lost: the answer and the exit code don't depend on it.
    """
    sys.stdin = sys.stdin or _nowhere("r")
    sys.stdout = _watched(sys.stdout, _complain)
    sys.stderr = _watched(sys.stderr, lambda error: None)


def _nowhere(mode: Literal["r", "w"]) -> TextIO:
    """What takes the place of a stream that the caller has closed: Python has None there."""
    return open(os.devnull, mode, encoding="utf-8")


def _complain(error: OSError) -> None:
    raise CannotWrite(error) from None


def _watched(stream: TextIO | None, fault: Callable[[OSError], object]) -> TextIO:
    if not isinstance(stream, io.TextIOWrapper):
        return stream or _nowhere("w")
    buffer = stream.buffer
    raw = buffer.raw if isinstance(buffer, io.BufferedWriter) else buffer  # python -u has none
    return io.TextIOWrapper(
        io.BufferedWriter(_Watched(raw, fault)),
        encoding=stream.encoding,
        errors="replace",  # walls of a maze, where the encoding has none
        line_buffering=stream.line_buffering or stream.write_through,
    )


def write_no_more() -> None:
    """Let what is still to be written go nowhere: Python flushes standard output at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
