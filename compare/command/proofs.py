"""The flag ``--certificate`` and the verb verify: answers that can be checked."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import click

from twostep.compare.certify import certify_count, certify_solutions
from twostep.compare.command import options
from twostep.compare.command.asking import in_time, read
from twostep.compare.command.exits import Exit
from twostep.compare.command.fillings import verify_filling
from twostep.compare.command.output import Answer, Outcome, stop_of
from twostep.compare.command.progress import announce_compilation, watching
from twostep.compare.registry import engine
from twostep.models.certificate.checker import verify as check
from twostep.models.certificate.writing import content_digest
from twostep.models.errors import InputError
from twostep.models.model import Solution
from twostep.models.polyomino.puzzle import PolyominoPuzzle
from twostep.models.puzzle import Puzzle
from twostep.models.reading import load_puzzle
from twostep.models.search import Limits, SearchResult
from twostep.models.wording import counted

_GZIP = b"\x1f\x8b"
"""How a certificate begins; a filling is text."""
_RECORD = b'"twostep-record/'
"""What an agreement record has near its beginning."""

certificate_flag = click.option(
    "--certificate",
    metavar="FILE",
    callback=options.to_write,
    help="Write a proof of the answer, for `twostep verify`.",
)


def write_certificate(
    path: str | None,
    asked: Puzzle,
    limits: Limits,
    *,
    exact: int | None,
    solutions: Iterable[Solution] = (),
    quiet: bool,
) -> Exit:
    """Write the certificate that ``--certificate`` asks for (None: nothing); gives OK if it is.

    Args:
        exact: the number of solutions if that is the answer; None: only that there are at least
            `solutions`.
    """
    if path is None:
        return Exit.OK
    solutions = list(solutions)
    if exact is None:
        if not solutions:
            return _nothing(path, "nothing is known")
        certify_solutions(asked.model, path, solutions, puzzle=asked.name)
        _written(path, f"at least {len(solutions)}", quiet=quiet)
        return Exit.OK
    proof = _prove(asked, path, replace(limits, solutions=None), expected=exact, quiet=quiet)
    if not proof.complete:
        return _nothing(path, f"stopped: {proof.stopped.value}")
    _written(path, f"{proof.counters.nodes:,} states searched", quiet=quiet)
    return Exit.OK


def _prove(
    asked: Puzzle, path: str, limits: Limits, *, expected: int | None = None, quiet: bool
) -> SearchResult:
    return in_time(
        asked,
        "prover",
        "prove",
        limits,
        lambda limits, watch: certify_count(
            engine("dlx"), asked.model, path,
            puzzle=asked.name, expected=expected, limits=limits, watch=watch,
        ),
        lambda late: late,
        quiet=quiet,
    )  # fmt: skip


def _written(path: str, what: str, *, quiet: bool) -> None:
    if not quiet:
        size = os.path.getsize(path)
        click.echo(f"certificate: {path}, {size:,} bytes ({what})", err=True)


def _nothing(path: str, why: str) -> Exit:
    click.echo(f"twostep: no certificate was written to {path} ({why})", err=True)
    return Exit.STOPPED


@click.command()
@click.argument("puzzle")
@click.argument("file", callback=options.to_write)
@options.limits
@options.memory
@options.output
def certify(
    puzzle: str, file: str, time_limit: float | None, node_limit: int | None,
    memory_limit: int | None, as_json: bool, quiet: bool,
) -> int:  # fmt: skip
    """Prove how many solutions PUZZLE has; write the proof to FILE, for `twostep verify`.

    Nothing is written if a limit ends the search.
    """
    announce_compilation(quiet=quiet)
    asked, limits = read(puzzle, options.limits_of(time_limit, node_limit, memory_limit))
    proof = _prove(asked, file, limits, quiet=quiet)
    if as_json:
        outcome = Outcome.COUNT if proof.complete else Outcome.UNKNOWN
        facts = [("certificate", file if proof.complete else None)]
        answer = Answer(
            asked.name, "certify", outcome, proof.found, proof.complete, stop_of([proof]),
            [proof], facts=facts,
        )  # fmt: skip
        click.echo(answer.as_json())
    if not proof.complete:
        return _nothing(file, f"stopped: {proof.stopped.value}")
    if not as_json:
        click.echo(str(proof.found))
    _written(file, f"{proof.counters.nodes:,} states searched", quiet=quiet)
    return Exit.OK


@click.command()
@click.argument("file")
@click.argument("puzzle")
@click.option(
    "--certificate", metavar="CERTIFICATE",
    help="If FILE is a record: the certificate that it was made with.",
)  # fmt: skip
@options.output
def verify(file: str, puzzle: str, certificate: str | None, as_json: bool, quiet: bool) -> int:
    """Check FILE against PUZZLE: a certificate, a filling of a board, or a record.

    A certificate and a filling are checked with neither engine; for an agreement record (of
    `compare --record`) both engines are asked again.
    """
    asked = load_puzzle(puzzle)
    begins = _beginning(file)
    if _RECORD in begins:
        return _verify_record(file, asked, certificate, as_json=as_json, quiet=quiet)
    if certificate is not None:
        raise click.UsageError("--certificate: FILE is no agreement record")
    if isinstance(asked, PolyominoPuzzle) and not begins.startswith(_GZIP):
        return verify_filling(file, asked, as_json=as_json)
    began = time.perf_counter()
    proven = check(file, asked.model)
    seconds = time.perf_counter() - began
    if as_json:
        facts: list[tuple[str, Any]] = [
            ("states", proven.states), ("listed", proven.listed),
            ("content", content_digest(file)), ("seconds", round(seconds, 6)),
        ]  # fmt: skip
        answer = Answer(
            asked.name, "verify", Outcome.COUNT, proven.count, proven.complete, facts=facts
        )
        click.echo(answer.as_json())
        return Exit.OK
    what = "exactly" if proven.complete else "at least"
    click.echo(f"proven: {asked.name} has {what} {counted(proven.count, 'solution')}")
    if not quiet:
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
    from twostep.compare import agreement
    from twostep.compare.command.ask import load
    from twostep.compare.record import differences, read_record

    record = read_record(file)
    if record.model != asked.model.fingerprint:
        raise InputError(f"a record of another model (of {record.puzzle!r})", source=file)
    wrong: list[str] = []
    if certificate is not None:
        check(certificate, asked.model)
        if content_digest(certificate) != record.certificate:
            wrong.append(f"{certificate} is not the certificate that the record names")
    engines = load(options.BOTH, quiet=quiet)
    with watching(f"compare {asked.name}", quiet=quiet) as watch:
        comparison = agreement.compare(engines, asked.model, watch=watch)
    wrong += differences(record, asked.model, comparison)
    results = [opinion.result for opinion in comparison.opinions if opinion.result]
    agreed = comparison.agreement is agreement.Agreement.AGREE
    if as_json:
        facts = [("agreement", comparison.agreement.value), ("differences", wrong)]
        answer = Answer(
            asked.name, "verify",
            Outcome.DISAGREE if wrong else Outcome(comparison.agreement.value),
            results[0].found if agreed else None, agreed, stop_of(results), results, facts=facts,
        )  # fmt: skip
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
