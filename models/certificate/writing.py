"""How a certificate is written: lines into a compressed file, whole or not at all."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import IO

from twostep.models.certificate.checker import SCHEMA, Verified
from twostep.models.language.model import Model, Solution
from twostep.models.reading.files import written_atomically


class CertificateWriter:
    """Writes the parts of a certificate in their order: header, states, solutions, end."""

    def __init__(self, file: gzip.GzipFile) -> None:
        self._file = file

    def header(self, puzzle: str, model: Model, order: Sequence[int] | None) -> None:
        """The first line: the puzzle's name, its model, the order of the items' marks.

        `order`: None if no states are written, but only solutions.
        """
        self._object(schema=SCHEMA, puzzle=puzzle, model=model.fingerprint, order=order)

    def proof(self, lines: IO[bytes]) -> None:
        """The states, as :func:`twostep.dlx_backend.proof.prover.prove` writes them."""
        shutil.copyfileobj(lines, self._file, 1 << 20)

    def solution(self, solution: Solution) -> None:
        """A solution; they must come in ascending order."""
        self._file.write(b"= " + " ".join(map(str, solution)).encode() + b"\n")

    def end(self, proven: Verified) -> None:
        """The last line: what all this proves."""
        self._object(**asdict(proven))

    def _object(self, **members: object) -> None:
        self._file.write(json.dumps(members).encode("ascii") + b"\n")


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[CertificateWriter]:
    """A writer into `path`; nothing is left there if the block fails.

    Equal lines give equal bytes: the file holds no date and no name.
    """
    with (
        written_atomically(path) as target,
        gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=target, mtime=0) as file,
    ):
        yield CertificateWriter(file)


def content_digest(path: str | os.PathLike[str]) -> str:
    """SHA-256 (hex) of a certificate's lines: what the checker calls its content."""
    digest = hashlib.sha256()
    with gzip.open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
