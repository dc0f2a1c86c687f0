"""The verb verify: check a certificate, a filling, or a record."""

from __future__ import annotations

import time
from typing import Any

import click

from twostep.compare.command.shared import options
from twostep.compare.command.shared.exits import Exit
from twostep.compare.command.shared.fillings import verify_filling
from twostep.compare.command.shared.output import Answer, Outcome, stop_of
from twostep.compare.command.shared.progress import watching
from twostep.compare.registry import BOTH
from twostep.models.certificate.checker import verify as check
from twostep.models.certificate.writing import content_digest
from twostep.models.errors import InputError
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle
from twostep.models.families.puzzle import Puzzle
from twostep.models.reading.load import load_puzzle
from twostep.models.words import counted

_GZIP = b"\x1f\x8b"
"""How a certificate begins; a filling is text."""
_RECORD = b'"twostep-record/'
"""What an agreement record has near its beginning."""


@click.command()
@click.argument("file")
@click.argument("puzzle")
@click.option(
    "--certificate",
    metavar="CERTIFICATE",
    help="If FILE is a record: the certificate that it was made with.",
)
@options.output
def verify(file: str, puzzle: str, certificate: str | None, output: options.OutputFlags) -> int:
    """Check FILE against PUZZLE: a certificate, a filling of a board, or a record.

    A certificate and a filling are checked with neither engine; for an agreement record (of
    `compare --record`) both engines are asked again.
    """
    asked = load_puzzle(puzzle)
    begins = _beginning(file)
    if _RECORD in begins:
        return _verify_record(file, asked, certificate, as_json=output.as_json, quiet=output.quiet)
    if certificate is not None:
        raise click.UsageError("--certificate: FILE is no agreement record")
    if isinstance(asked, PolyominoPuzzle) and not begins.startswith(_GZIP):
        return verify_filling(file, asked, as_json=output.as_json)
    began = time.perf_counter()
    proven = check(file, asked.model)
    seconds = time.perf_counter() - began
    if output.as_json:
        facts: list[tuple[str, Any]] = [
            ("states", proven.states),
            ("listed", proven.listed),
            ("content", content_digest(file)),
            ("seconds", round(seconds, 6)),
        ]
        answer = Answer(
            asked.name, "verify", Outcome.COUNT, proven.count, proven.complete, facts=facts
        )
        click.echo(answer.as_json())
        return Exit.OK
    what = "exactly" if proven.complete else "at least"
    click.echo(f"proven: {asked.name} has {what} {counted(proven.count, 'solution')}")
    if not output.quiet:
        click.echo(
            f"{proven.states:,} states followed, {counted(proven.listed, 'solution')} checked"
            f" in {seconds:.1f} s",
            err=True,
        )
    return Exit.OK


def _beginning(file: str) -> bytes:
    """The first bytes of a file (a certificate may be very large); none if it can't be read."""
    try:
        with open(file, "rb") as opened:
            return opened.read(200)
    except (OSError, ValueError):
        return b""  # the reader that comes next says what is wrong


def _verify_record(
    file: str, asked: Puzzle, certificate: str | None, *, as_json: bool, quiet: bool
) -> int:
    from twostep.compare.agreement import verdict as agreement
    from twostep.compare.agreement.record import differences, read_record
    from twostep.compare.command.shared.engines import load

    record = read_record(file)
    if record.model != asked.model.fingerprint:
        raise InputError(f"a record of another model (of {record.puzzle!r})", source=file)
    wrong: list[str] = []
    if certificate is not None:
        check(certificate, asked.model)
        if content_digest(certificate) != record.certificate:
            wrong.append(f"{certificate} is not the certificate that the record names")
    engines = load(BOTH, quiet=quiet)
    with watching(f"compare {asked.name}", quiet=quiet) as watch:
        comparison = agreement.compare(engines, asked.model, watch=watch)
    wrong += differences(record, asked.model, comparison)
    results = [opinion.result for opinion in comparison.opinions if opinion.result]
    agreed = comparison.agreement is agreement.Agreement.AGREE
    if as_json:
        facts = [("agreement", comparison.agreement.value), ("differences", wrong)]
        answer = Answer(
            asked.name,
            "verify",
            Outcome.DISAGREE if wrong else Outcome(comparison.agreement.value),
            results[0].found if agreed else None,
            agreed,
            stop_of(results),
            results,
            facts=facts,
        )
        click.echo(answer.as_json())
    elif wrong:
        click.echo("\n".join(wrong))
    else:
        if not agreed:
            what = "stopped before the engines could agree"
        elif record.agreement is not agreement.Agreement.AGREE:
            what = "the engines agree; when the record was made, a search was stopped"
        else:
            what = "the engines agree, as recorded"
        counts = ", ".join(str(result.found) for result in results)
        click.echo(f"{asked.name}: {what} ({counts} solutions)")
    if record.certificate is not None and certificate is None and not quiet:
        click.echo("its certificate was not checked: give it with --certificate FILE", err=True)
    if wrong:
        return Exit.DISAGREE
    return Exit.OK if agreed else Exit.STOPPED
