"""An agreement record: what a game's build stores next to its levels, to be checked again.

One JSON object: which model (by content), which engines in which versions, under which limits,
what each found, the order-free digest of the set of solutions, and the certificate, if there is
one. It holds no date and no times: the same answers give the same bytes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from twostep.compare.agreement.digest import digest_from
from twostep.compare.agreement.verdict import Agreement, Claim, Comparison, contradict
from twostep.compare.registry import ENGINES, package_of
from twostep.compare.versions import release, version_of
from twostep.models.language.model import Model
from twostep.models.reading.members import Members, write_members
from twostep.models.search.engine import Limits
from twostep.models.words import counted

SCHEMA = "twostep-record/1"


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
    claims = tuple(
        Claim(opinion.engine, result.found, result.complete, opinion.digest)
        for opinion in comparison.opinions
        if (result := opinion.result) is not None
    )
    return Record(puzzle, model.fingerprint, comparison.agreement, claims, certificate)


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
    write_members(path, members, indent=2)


def versions() -> Sequence[tuple[str, str]]:
    """Twostep and what its engines are built on."""
    found = [("twostep", release()), ("python", ".".join(map(str, sys.version_info[:3])))]
    packages = sorted({"numpy", *filter(None, map(package_of, ENGINES))})
    found += [(name, version_of(name, "not installed")) for name in packages]
    return found


def read_record(path: str | os.PathLike[str]) -> Record:
    """Read a record that :func:`write_record` wrote.

    Raises:
        InputError: it is none; names the file.
    """
    members = Members.read(path, SCHEMA, "a record")
    known = {agreement.value: agreement for agreement in Agreement}
    if (word := members.text("agreement")) not in known:
        raise members.fault(f"agreement {word!r}, expected {' or '.join(known)}")
    return Record(
        puzzle=members.text("puzzle"),
        model=members.text("model"),
        agreement=known[word],
        claims=tuple(
            _claim_from(each) for each in members.objects("engines", None, "what an engine found")
        ),
        certificate=None if members.get("certificate") is None else members.text("certificate"),
    )


def _claim_from(members: Members) -> Claim:
    return Claim(
        engine=members.text("name"),
        count=members.whole("count"),
        complete=members.flag("complete"),
        digest=digest_from(members),
    )


def differences(record: Record, model: Model, comparison: Comparison) -> list[str]:
    """What a new comparison of `model` says otherwise than the record; empty: nothing."""
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
            if contradict([old, new]):
                what = (
                    f"{counted(new.count, 'solution')}, the record says {old.count}"
                    if old.count != new.count
                    else "another set of as many solutions"
                )
                found.append(f"{new.engine} finds {what} ({old.engine})")
    return found
