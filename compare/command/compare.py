"""The verb compare: both engines on the same model, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import click

from twostep.compare.agreement import verdict as agreement
from twostep.compare.agreement.record import record_of, write_record
from twostep.compare.agreement.verdict import Agreement, Comparison, Opinion
from twostep.compare.command.shared import options
from twostep.compare.command.shared.certificate import write_certificate
from twostep.compare.command.shared.deadline import alarm
from twostep.compare.command.shared.disagreement import save, tell
from twostep.compare.command.shared.engines import ask_each, load, read
from twostep.compare.command.shared.exits import Exit
from twostep.compare.command.shared.output import (
    Answer,
    Outcome,
    aligned,
    at_least,
    statistics,
    stop_of,
)
from twostep.compare.registry import BOTH
from twostep.models.certificate.writing import content_digest
from twostep.models.families.puzzle import Puzzle
from twostep.models.search.engine import Engine, Limits, SearchResult, Watch


@click.command()
@click.argument("puzzles", nargs=-1, required=True)
@options.limits
@click.option(
    "--record",
    metavar="FILE",
    callback=options.named_freely("a record", ".json", ".txt"),
    help="Write what was found, to keep beside a level; `twostep verify` checks it again.",
)
@options.certificate_flag
@options.output
def compare(
    puzzles: tuple[str, ...],
    limited: options.LimitFlags,
    record: str | None,
    certificate: str | None,
    output: options.OutputFlags,
) -> int:
    """Run both engines on each of PUZZLES: same count, same set, times side by side.

    With --json each puzzle's answer is an object on a line of its own.
    """
    if len(puzzles) > 1 and (record is not None or certificate is not None):
        raise click.UsageError("--record and --certificate are about one puzzle")
    limits = limited.limits
    engines = load(BOTH, quiet=output.quiet)
    compared: list[_Compared] = []
    for each, left in [read(name, limits) for name in puzzles]:
        opinions = ask_each(
            each,
            engines,
            f"compare {each.name}",
            left,
            partial(_opinion, each),
            agreement.late,
            quiet=output.quiet,
        )
        comparison = agreement.conclude(engines, opinions, partial(getattr, each, "model"), limits)
        disagreeing = comparison.agreement is Agreement.DISAGREE
        compared.append(_Compared(each, comparison, save(each) if disagreeing else None))
        if output.as_json:
            click.echo(_answer(compared[-1]).as_json())
        for opinion in comparison.opinions:
            if opinion.fault is not None:
                click.echo(f"twostep: {opinion.fault}", err=True)
    if not output.as_json:
        click.echo(_table(compared, [engine.name for engine in engines]))
        for one in compared:
            if one.comparison.agreement is Agreement.UNKNOWN:
                statistics(one.results, quiet=output.quiet)
    for one in compared:
        if one.model_file is not None:
            said, differences = _said(one.comparison), one.comparison.differences
            tell(one.puzzle, one.model_file, said, engines, differences)
    if len(compared) == 1:
        _write_files(compared[0], record, certificate, limits, quiet=output.quiet)
    found = {one.comparison.agreement for one in compared}
    if Agreement.DISAGREE in found:
        return Exit.DISAGREE
    return Exit.STOPPED if Agreement.UNKNOWN in found else Exit.OK


@dataclass(frozen=True, slots=True)
class _Compared:
    """A puzzle, what the engines say of it, and where its model was saved if they disagree."""

    puzzle: Puzzle
    comparison: Comparison
    model_file: str | None

    @property
    def results(self) -> list[SearchResult]:
        """Of the engines that gave no wrong solution."""
        opinions = self.comparison.opinions
        return [opinion.result for opinion in opinions if opinion.result is not None]


def _write_files(
    compared: _Compared, record: str | None, certificate: str | None, limits: Limits, *, quiet: bool
) -> None:
    """Write what ``--certificate`` and ``--record`` ask for."""
    puzzle, comparison = compared.puzzle, compared.comparison
    agreed = comparison.agreement is Agreement.AGREE
    exact = compared.results[0].found if agreed else None
    written = write_certificate(certificate, puzzle, limits, exact=exact, quiet=quiet)
    if record is None:
        return
    proof = None
    if certificate is not None and written is Exit.OK:
        proof = content_digest(certificate)
    with alarm(limits.seconds):  # the model may not have been built yet
        proven = record_of(puzzle.name, puzzle.model, comparison, proof)
    write_record(record, proven, limits)


def _opinion(asked: Puzzle, engine: Engine, limits: Limits, watch: Watch) -> Opinion:
    return agreement.ask(engine, asked.model, limits, watch=watch)


def _said(comparison: Comparison) -> str:
    return ", ".join(
        f"{opinion.engine} {at_least(opinion.result) if opinion.result else 'a wrong solution'}"
        for opinion in comparison.opinions
    )


def _answer(compared: _Compared) -> Answer:
    comparison, results = compared.comparison, compared.results
    agreed = comparison.agreement is Agreement.AGREE
    facts: list[tuple[str, Any]] = [
        ("digests", [opinion.digest for opinion in comparison.opinions])
    ]
    if compared.model_file is not None:
        facts.append(("model_file", compared.model_file))
    return Answer(
        puzzle=compared.puzzle.name,
        verb="compare",
        outcome=Outcome(comparison.agreement.value),
        count=results[0].found if agreed else None,
        complete=agreed,
        stopped_by=stop_of(results),
        results=results,
        facts=facts,
    )


def _table(compared: Sequence[_Compared], engines: Sequence[str]) -> str:
    """A row per puzzle: each engine's count and seconds, and the verdict."""
    header = ["puzzle"]
    for name in engines:
        header += [name, "seconds"]
    rows = [[*header, "verdict"]]
    for one in compared:
        row = [one.puzzle.name]
        opinions = one.comparison.opinions
        for place in range(len(engines)):
            opinion = opinions[place] if place < len(opinions) else None
            if opinion is None:
                row += ["not run", ""]
            elif opinion.result is None:
                row += ["wrong", ""]
            else:
                row += [at_least(opinion.result), f"{opinion.result.seconds:.3f}"]
        rows.append([*row, one.comparison.agreement.value])
    return aligned(rows, left={0, len(rows[0]) - 1})
