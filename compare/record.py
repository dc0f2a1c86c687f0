"""An agreement record: what a game's build stores next to its levels, to be checked again.

One JSON object: which model (by content), which engines in which versions, under which limits,
what each found, the order-free digest of the set of solutions, and the certificate, if there is
one. It holds no date and no times: the same answers give the same bytes.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from twostep.compare.agreement import Agreement, Comparison, Opinion, SetDigest
from twostep.compare.spread.checkpoint import release
from twostep.compare.spread.plan import json_object
from twostep.models.errors import InputError
from twostep.models.files import read_text, write_atomically
from twostep.models.model import Model
from twostep.models.search import Limits

SCHEMA = "twostep-record/1"


@dataclass(frozen=True, slots=True)
class Claim:
    """What one engine found: the count (exact if complete) and the digest of the set."""

    engine: str
    count: int
    complete: bool
    digest: str


@dataclass(frozen=True, slots=True)
class Record:
    """A record.

    Attributes:
        puzzle: how the puzzle is called.
        model: the model's fingerprint.
        agreement: what the claims amount to.
        claims: one per engine.
        certificate: the SHA-256 (hex) of the lines of the certificate, or None.
    """

    puzzle: str
    model: str
    agreement: Agreement
    claims: tuple[Claim, ...]
    certificate: str | None = None


def record_of(
    puzzle: str, model: Model, comparison: Comparison, certificate: str | None = None
) -> Record:
    """The record of a comparison; an engine that gave a wrong solution has no claim."""
    claims = [_claim(opinion) for opinion in comparison.opinions if opinion.result is not None]
    return Record(puzzle, model.fingerprint, comparison.agreement, tuple(claims), certificate)


def _claim(opinion: Opinion) -> Claim:
    result = opinion.result
    assert result is not None
    return Claim(opinion.engine, result.found, result.complete, opinion.digest)


def write_record(path: str | os.PathLike[str], record: Record, limits: Limits) -> None:
    """Write a record as JSON, with the versions of what made it."""
    members = {
        "schema": SCHEMA,
        "puzzle": record.puzzle,
        "model": record.model,
        "agreement": record.agreement.value,
        "engines": [
            {"name": c.engine, "count": c.count, "complete": c.complete, "digest": c.digest}
            for c in record.claims
        ],
        "certificate": record.certificate,
        "limits": {"seconds": limits.seconds, "nodes": limits.nodes, "memory": limits.memory},
        "versions": dict(versions()),
    }
    write_atomically(path, json.dumps(members, indent=2) + "\n")


def versions() -> Sequence[tuple[str, str]]:
    """Twostep and what its engines are built on."""
    found = [("twostep", release()), ("python", ".".join(map(str, sys.version_info[:3])))]
    for package in ("numba", "numpy", "ortools"):
        try:
            found.append((package, version(package)))
        except PackageNotFoundError:
            found.append((package, "not installed"))
    return found


def read_record(path: str | os.PathLike[str]) -> Record:
    """Read a record that :func:`write_record` wrote.

    Raises:
        InputError: it is none; names the file.
    """
    source = os.fspath(path)
    members = json_object(read_text(source), source)
    if members.get("schema") != SCHEMA:
        known = f"{members.get('schema')!r}, expected {SCHEMA!r}"
        raise InputError(f"not a record: schema {known}", source=source)
    puzzle, model, engines = (members.get(name) for name in ("puzzle", "model", "engines"))
    certificate = members.get("certificate")
    known_words = {agreement.value: agreement for agreement in Agreement}
    word = members.get("agreement")
    if not (isinstance(puzzle, str) and isinstance(model, str) and isinstance(engines, list)):
        raise InputError("not a record: puzzle, model or engines are missing", source=source)
    if not isinstance(word, str) or word not in known_words:
        raise InputError(f"agreement {word!r}, expected {' or '.join(known_words)}", source=source)
    if certificate is not None and not isinstance(certificate, str):
        raise InputError("certificate: expected a text or null", source=source)
    claims = tuple(_claim_from(each, source) for each in engines)
    return Record(puzzle, model, known_words[word], claims, certificate)


def _claim_from(members: object, source: str) -> Claim:
    if isinstance(members, dict):
        name, count = members.get("name"), members.get("count")
        complete, digest = members.get("complete"), members.get("digest")
        if (
            isinstance(name, str)
            and type(count) is int
            and count >= 0
            and isinstance(complete, bool)
            and isinstance(digest, str)
            and SetDigest.is_one(digest)
        ):
            return Claim(name, count, complete, digest)
    raise InputError(
        "engines: expected objects with name, count, complete and digest", source=source
    )


def differences(record: Record, model: Model, comparison: Comparison) -> list[str]:
    """What a new comparison of `model` says otherwise than the record; empty: nothing.

    A claim that was incomplete, or is now, can only be contradicted by a smaller exact count.
    """
    if record.model != model.fingerprint:
        return [f"the record is of another model (of {record.puzzle!r})"]
    found: list[str] = []
    now = record_of(record.puzzle, model, comparison)
    if now.agreement is Agreement.DISAGREE:
        found.append("the engines disagree now")
    if record.agreement is Agreement.DISAGREE:
        found.append("the engines disagreed when the record was made")
    for old in record.claims:
        for new in now.claims:
            if old.complete and new.complete and (old.count, old.digest) != (new.count, new.digest):
                what = (
                    f"{new.count} solutions, the record says {old.count}"
                    if old.count != new.count
                    else "another set of as many solutions"
                )
                found.append(f"{new.engine} finds {what} ({old.engine})")
            elif (old.complete and new.count > old.count) or (
                new.complete and old.count > new.count
            ):
                found.append(
                    f"{new.engine} finds {new.count} solutions, the record says {old.count}"
                    f" ({old.engine})"
                )
    return found
