"""A file of solutions that grows with a search, and can be taken back to any moment before."""

from __future__ import annotations

import contextlib
import hashlib
import os
from dataclasses import dataclass
from typing import IO

from twostep.models.errors import InputError

_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a file has been written: its length in bytes, and the SHA-256 (hex) of them."""

    size: int
    digest: str


EMPTY = Mark(0, hashlib.sha256().hexdigest())


class Output:
    """A file to write solutions to; :meth:`begin` or :meth:`back_to` opens it.

    Attributes:
        path: the file.
        mark: how far it has been written.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.mark = EMPTY
        self._hash = hashlib.sha256()
        self._file: IO[bytes] | None = None

    def begin(self) -> None:
        """Open the file, empty, unless it is open: it may be a device or a pipe.

        Raises:
            InputError: it cannot be written.
        """
        if self._file is None:
            try:
                self._file = open(self.path, "wb")  # noqa: SIM115 - until it is closed
            except (OSError, ValueError) as error:
                raise self._fault(error) from None

    def back_to(self, mark: Mark) -> None:
        """Open the file, and cut off what was written after that moment.

        Raises:
            InputError: what was written before is there no more, or isn't the same; no such file
                can be written; it is a device or a pipe.
        """
        if os.path.exists(self.path) and not os.path.isfile(self.path):
            raise InputError("no file that a search can be resumed with", source=self.path)
        with contextlib.ExitStack() as opened:
            try:
                # Opening for "r+b" changes nothing, whatever file this is.
                mode = "r+b" if os.path.exists(self.path) else "w+b"
                file = opened.enter_context(open(self.path, mode))
                known, left = hashlib.sha256(), mark.size
                while left and (block := file.read(min(left, _BLOCK))):
                    known.update(block)
                    left -= len(block)
                if left or known.hexdigest() != mark.digest:
                    raise InputError("not what the checkpoint knows of it", source=self.path)
                file.truncate(mark.size)
                file.seek(mark.size)
            except (OSError, ValueError) as error:
                raise self._fault(error) from None
            opened.pop_all()
        self._file, self._hash, self.mark = file, known, mark

    def write(self, text: str) -> None:
        """Go on writing.

        Raises:
            InputError: it cannot be written.
        """
        data = text.encode()
        try:
            self._open.write(data)
        except OSError as error:
            with contextlib.suppress(InputError):  # the same again, for what is left
                self.close()
            raise self._fault(error) from None
        self._hash.update(data)
        self.mark = Mark(self.mark.size + len(data), self._hash.hexdigest())

    def sync(self) -> None:
        """See to it that all that was written survives whatever happens.

        Raises:
            InputError: it cannot be written.
        """
        try:
            self._open.flush()
            os.fsync(self._open.fileno())
        except OSError as error:
            raise self._fault(error) from None

    def close(self, mark: Mark | None = None) -> None:
        """Nothing more will be written; with a mark, cut off what was written after it.

        Raises:
            InputError: what was left to be written cannot be.
        """
        file, self._file = self._file, None
        if file is not None:
            try:
                with file:
                    file.flush()
                    if mark is not None:
                        file.truncate(mark.size)
            except OSError as error:
                raise self._fault(error) from None

    @property
    def _open(self) -> IO[bytes]:
        assert self._file is not None  # back_to comes first
        return self._file

    def _fault(self, error: Exception) -> InputError:
        reason = getattr(error, "strerror", None) or str(error)
        return InputError(f"cannot be written: {reason}", source=self.path)
