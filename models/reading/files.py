"""Text, JSON and bytes on disk: one clear line on every failure, written whole or not at all."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from twostep.models.errors import InputError

MAX_BYTES = 16 * 2**20
"""What a file may weigh, bytes: more is refused, and any content that is less fits 1 GB."""

SMALL = 2**20
"""What a file may weigh that a person writes, bytes."""

_CONTROL = re.compile("[\\x00-\\x08\\x0e-\\x1f\\x7f-\\x9f]")
_SPELLED = re.compile(
    r"(?<!\\)(?:\\\\)*+(\\b|\\u00(?:0[0-8ef]|1[0-9a-f]|7f|[89][0-9a-f]))", re.IGNORECASE
)
"""Control characters besides spaces and line ends, and how JSON spells them."""

_STREAM = re.compile("/dev/(?:stdout|stderr|fd/[0-9]+)")
"""What this process has open already, perhaps as a file: others write there, too."""


STANDARD_INPUT = "-"
"""In place of a file's name: what is piped into the command."""


def source_name(path: str | os.PathLike[str]) -> str:
    """What messages call a file: its name, or ``standard input``."""
    return "standard input" if os.fspath(path) == STANDARD_INPUT else os.fspath(path)


@contextlib.contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A file to read from, within a block; ``-`` is standard input.

    Raises:
        InputError: missing, a folder, or unreadable, wherever in the block.
    """
    source = os.fspath(path)
    if source == STANDARD_INPUT:
        yield sys.stdin.buffer
        return
    if _CONTROL.search(str(source)):
        raise InputError("a control character in the file's name: rename it", source=str(source))
    try:
        with open(source, "rb") as file:
            yield file
    except FileNotFoundError:
        raise InputError("there is no such file", source=source) from None
    except IsADirectoryError:
        raise InputError("this is a folder, expected a file", source=source) from None
    except (OSError, ValueError) as error:  # ValueError: half a character in the name
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot be read: {reason}", source=source) from None


def read_bytes(path: str | os.PathLike[str], limit: int = MAX_BYTES) -> bytes:
    """The content of a file.

    Raises:
        InputError: missing, a folder, unreadable, empty, or more than `limit` bytes.
    """
    with opened(path) as file:
        return _content(file, source_name(path), limit)


def read_text(path: str | os.PathLike[str], limit: int = MAX_BYTES) -> str:
    """The text of a UTF-8 file: see :func:`text_from`.

    Raises:
        InputError: missing, a folder, unreadable, or as :func:`text_from`.
    """
    with opened(path) as file:
        return text_from(file, source_name(path), limit)


def text_from(file: IO[bytes], source: str, limit: int = MAX_BYTES) -> str:
    """The UTF-8 text that a file holds, without a byte order mark; line ends as they stand.

    `source` is what messages call the file.

    Raises:
        InputError: more than `limit` bytes; empty, or nothing but spaces; not UTF-8, or a control
            character besides spaces and line ends, which could steer a terminal (names the line).
    """
    content = _content(file, source, limit)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError("not UTF-8 text", source=source, line=line) from None
    if not text.strip():
        raise InputError("the file is empty", source=source)
    if found := _CONTROL.search(text):
        raise _control(found[0], text, found.start()).at(source)
    return text


def _content(file: IO[bytes], source: str, limit: int) -> bytes:
    content = file.read(limit + 1)
    if len(content) > limit:
        raise InputError(f"too large: more than {limit:,} bytes", source=source)
    if not content:
        raise InputError("the file is empty", source=source)
    return content


def _control(character: str, text: str, place: int) -> InputError:
    """What to say of a control character that stands, or is spelled, at this place of a text."""
    before = unified(text[:place])
    return InputError(
        f"the control character U+{ord(character):04X}: remove it",
        line=before.count("\n") + 1,
        column=len(before) - before.rfind("\n"),
    )


def unified(text: str) -> str:
    """The text with LF at each line's end, where LF, CRLF or CR was."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def lines_of(text: str) -> list[str]:
    """The lines of a text, whether they end with LF, CRLF or CR."""
    return unified(text).split("\n")


def parse_json(
    text: str, what: str, parse_constant: Callable[[str], object] | None = None
) -> object:
    """The value that a JSON text spells.

    Args:
        text: the text.
        what: what it should hold, for messages: ``a level``.
        parse_constant: see :func:`json.loads`.

    Raises:
        InputError: no JSON (with line and column), or JSON that cannot be read here; it spells a
            control character besides spaces and line ends.
    """
    try:
        with without_gc():
            value: object = json.loads(text, parse_constant=parse_constant)
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg}", line=error.lineno, column=error.colno) from None
    except (RecursionError, ValueError):  # a number with thousands of digits
        raise InputError(f"not {what}: nested too deeply, or a huge number") from None
    if found := _SPELLED.search(text):
        spelled: str = json.loads(f'"{found[1]}"')
        raise _control(spelled, text, found.start(1))
    return value


@contextlib.contextmanager
def without_gc() -> Iterator[None]:
    """Inside, Python doesn't look for cycles: for what makes millions of objects, and no cycle."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


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
    replaced; a device, a pipe or an open stream (``/dev/null``, ``/dev/stdout``) is written to as
    it is.

    Raises:
        InputError: it cannot be written.
    """
    temporary: str | None = None
    try:
        target = Path(path)
        special = target.exists() and not (target.is_file() or target.is_dir())
        if special or _STREAM.fullmatch(str(path)):
            with open(target, "ab") as stream:
                yield stream
            return
        target = target.resolve()
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
