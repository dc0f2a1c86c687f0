"""Names of files that are written: which suffix promises which content."""

from __future__ import annotations

import os
from pathlib import PurePath

from twostep.models.errors import InputError

PICTURES = (".png", ".svg", ".pdf", ".gif")
"""The suffixes of pictures."""

TEXT = (".txt", "")
"""The suffixes of text."""


def suffix_of(path: str) -> str:
    """A name's suffix in lower case; none for devices."""
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        return ""
    return PurePath(path).suffix.lower()


def is_picture(path: str | None) -> bool:
    """Whether a file's name asks for a picture."""
    return path is not None and suffix_of(path) in PICTURES


def require_suffix(path: str, content: str, *suffixes: str) -> None:
    """Refuse a name that promises something else than what will be written there.

    Args:
        path: the name.
        content: what is written: ``a pack of levels``.
        suffixes: those that it may have; an empty one: none at all. Devices may have any.

    Raises:
        InputError: says which suffixes are right.
    """
    found = suffix_of(path)
    if found in suffixes or (not found and os.path.exists(path) and not os.path.isfile(path)):
        return
    known = [suffix for suffix in suffixes if suffix]
    either = f"{', '.join(known[:-1])} or {known[-1]}" if len(known) > 1 else known[0]
    bare = ", or has no suffix," if "" in suffixes else ""
    raise InputError(f"expected a name that ends in {either}{bare} for {content}", source=path)


def refuse_suffix(path: str, content: str, *suffixes: str) -> None:
    """Refuse a name whose suffix is known for another content; see :func:`require_suffix`.

    For files that may have any name: certificates and records.
    """
    if suffix_of(path) in _KNOWN.difference(suffixes):
        found = suffix_of(path)
        raise InputError(f"{content} is no {found} file: choose another suffix", source=path)


_KNOWN = {
    *(*PICTURES, ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff"),
    *(".html", ".csv", ".xml", ".json", ".txt", ".dlx", ".cnf", ".opb", ".maze"),
}
