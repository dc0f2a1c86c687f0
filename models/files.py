"""Text, JSON and bytes on disk: one clear line on every failure, written whole or not at all."""

from __future__ import annotations

import contextlib
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from twostep.models.errors import InputError

MAX_BYTES = 16 * 2**20
"""What a file may weigh, bytes: more is refused, and any content that is less fits 1 GB."""

SMALL = 2**20
"""What a file may weigh that a person writes, bytes."""


@contextlib.contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A file to read from, within a block.

    Raises:
        InputError: missing, a folder, or unreadable, wherever in the block.
    """
    source = os.fspath(path)
    try:
        with open(source, "rb") as file:
            yield file
    except FileNotFoundError:
        raise InputError("there is no such file", source=source) from None
    except IsADirectoryError:
        raise InputError("this is a folder, expected a file", source=source) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot be read: {reason}", source=source) from None


def read_bytes(path: str | os.PathLike[str], limit: int = MAX_BYTES) -> bytes:
    """The content of a file.

    Raises:
        InputError: missing, a folder, unreadable, empty, or more than `limit` bytes.
    """
    source = os.fspath(path)
    with opened(path) as file:
        content = file.read(limit + 1)
    if len(content) > limit:
        raise InputError(f"too large: more than {limit:,} bytes", source=source)
    if not content:
        raise InputError("the file is empty", source=source)
    return content


def read_text(path: str | os.PathLike[str], limit: int = MAX_BYTES) -> str:
    """The text of a UTF-8 file, without a byte order mark; line ends as they stand.

    Raises:
        InputError: as :func:`read_bytes`, or not UTF-8 (names the line), or nothing but spaces.
    """
    content = read_bytes(path, limit)
    source = os.fspath(path)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError("not UTF-8 text", source=source, line=line) from None
    if not text.strip():
        raise InputError("the file is empty", source=source)
    return text


def lines_of(text: str) -> list[str]:
    """The lines of a text, whether they end with LF, CRLF or CR."""
    return re.split(r"\r\n|\n|\r", text)


def parse_json(
    text: str, what: str, parse_constant: Callable[[str], object] | None = None
) -> object:
    """The value that a JSON text spells.

    Args:
        text: the text.
        what: what it should hold, for messages: ``a level``.
        parse_constant: see :func:`json.loads`.

    Raises:
        InputError: no JSON (with line and column), or JSON that cannot be read here.
    """
    try:
        return json.loads(text, parse_constant=parse_constant)
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg}", line=error.lineno, column=error.colno) from None
    except (RecursionError, ValueError):  # a number with thousands of digits
        raise InputError(f"not {what}: nested too deeply, or a huge number") from None


def writing_fault(path: str | os.PathLike[str]) -> str | None:
    """Why a file can't be written to `path`; None if it can, as far as is known without trying."""
    target = Path(path)
    if "\0" in str(target):
        return "a NUL is in its name"
    try:
        if target.is_dir():
            return "it is a folder"
        if not target.parent.is_dir():
            return f"there is no folder {str(target.parent)!r}"
        special = target.exists() and not target.is_file()  # a device or a pipe
        if not special and not os.access(target.parent, os.W_OK):
            return f"no right to write in the folder {str(target.parent)!r}"
    except OSError as error:  # too long a name, a folder that may not be entered
        return error.strerror or str(error)
    return None


def require_writable(path: str | os.PathLike[str]) -> None:
    """Refuse a file that can't be written, before the work of which it is to hold the fruit.

    Raises:
        InputError: see :func:`writing_fault`.
    """
    if (fault := writing_fault(path)) is not None:
        raise InputError(f"cannot be written: {fault}", source=os.fspath(path))


def whole_number(text: str) -> int | None:
    """The number that plain digits spell, up to 100 of them; None: it is none.

    Not ``int()``: it also takes ``2_0``, ``+3`` and more, and raises where digits are thousands.
    """
    return int(text) if len(text) <= 100 and text.isascii() and text.isdigit() else None


def write_atomically(path: str | os.PathLike[str], data: str | bytes) -> None:
    """Write a file whole: a reader sees the old content or the new, never a part.

    Text is written as UTF-8 with the line ends it has.

    Raises:
        InputError: it cannot be written; the old file, if any, is untouched.
    """
    with written_atomically(path) as file:
        file.write(data.encode("utf-8") if isinstance(data, str) else data)


@contextlib.contextmanager
def written_atomically(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A file to write to piece by piece, which takes the place of `path` when the block ends.

    If the block fails, the old file, if any, is untouched. A link stays, and what it points to is
    replaced; a device or a pipe (``/dev/null``, ``/dev/stdout``) is written to as it is.

    Raises:
        InputError: it cannot be written.
    """
    temporary: str | None = None
    try:
        target = Path(path).resolve()
        if target.exists() and not (target.is_file() or target.is_dir()):
            with open(target, "wb") as device:
                yield device
            return
        # In the same folder, so that the replacement is a rename on one file system.
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name[:40]}.", dir=target.parent)
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, _mode(target))
        os.replace(temporary, target)
        temporary = None
    except (OSError, ValueError) as error:
        if isinstance(error, ValueError) and temporary is not None:
            raise  # not ours: only making the file raises it, if there is a NUL in the name
        reason = writing_fault(path) or getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot be written: {reason}", source=os.fspath(path)) from None
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def _mode(target: Path) -> int:
    """The permissions the file has, or those a new file would get."""
    try:
        return target.stat().st_mode & 0o7777
    except OSError:
        umask = os.umask(0)
        os.umask(umask)
        return 0o666 & ~umask
