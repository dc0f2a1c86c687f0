"""The verb compare: both engines on the same model, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import click

from twostep.compare import agreement
from twostep.compare.agreement import Agreement, Comparison, Opinion
from twostep.compare.command import options
from twostep.compare.command.alarm import alarm
from twostep.compare.command.ask import ask_each, load
from twostep.compare.command.asking import read
from twostep.compare.command.disagreeing import save, tell
from twostep.compare.command.exits import Exit
from twostep.compare.command.output import Answer, Outcome, aligned, at_least, statistics, stop_of
from twostep.compare.command.proofs import certificate_flag, write_certificate
from twostep.compare.record import record_of, write_record
from twostep.models.certificate.writing import content_digest
from twostep.models.puzzle import Puzzle
from twostep.models.search import Engine, Limits, Watch


@click.command()
@click.argument("puzzles", nargs=-1, required=True)
@options.limits
@click.option(
    "--record", metavar="FILE", callback=options.to_write,
    help="Write what was found, to keep beside a level; `twostep verify` checks it again.",
)  # fmt: skip
@certificate_flag
@options.output
def compare(
    puzzles: tuple[str, ...], time_limit: float | None, node_limit: int | None,
    record: str | None, certificate: str | None, as_json: bool, quiet: bool,
) -> int:  # fmt: skip
    """Run both engines on each of PUZZLES: same count, same set, times side by side.

    With --json each puzzle's answer is an object on a line of its own.
    """
    if len(puzzles) > 1 and (record is not None or certificate is not None):
        raise click.UsageError("--record and --certificate are about one puzzle")
    limits = options.limits_of(time_limit, node_limit)
    engines = load(options.BOTH, quiet=quiet)
    comparisons: list[tuple[Puzzle, Comparison]] = []
    for each, left in [read(name, limits) for name in puzzles]:
        opinions = ask_each(
            each,
            engines,
            f"compare {each.name}",
            left,
            partial(_opinion, each),
            agreement.late,
            quiet=quiet,
        )
        comparison = agreement.conclude(engines, opinions, partial(getattr, each, "model"), limits)
        comparisons.append((each, comparison))
        if as_json:
            click.echo(_answer(each, comparison).as_json())
        for opinion in comparison.opinions:
            if opinion.fault is not None:
                click.echo(f"twostep: {opinion.fault}", err=True)
    if not as_json:
        click.echo(_table(comparisons, [engine.name for engine in engines]))
        for _, comparison in comparisons:
            if comparison.agreement is Agreement.UNKNOWN:
                results = [o.result for o in comparison.opinions if o.result is not None]
                statistics(results, quiet=quiet)
    for each, comparison in comparisons:
        if comparison.agreement is Agreement.DISAGREE:
            tell(each, save(each), _said(comparison), engines, comparison.differences)
    for each, comparison in comparisons:  # one, if any of these files is asked for
        proof = None
        result = comparison.opinions[0].result
        agreed = result is not None and comparison.agreement is Agreement.AGREE
        exact = result.found if result is not None and agreed else None
        written = write_certificate(certificate, each, limits, exact=exact, quiet=quiet)
        if certificate is not None and written is Exit.OK:
            proof = content_digest(certificate)
        if record is not None:
            with alarm(limits.seconds):  # the model may not have been built yet
                proven = record_of(each.name, each.model, comparison, proof)
            write_record(record, proven, limits)
    found = {comparison.agreement for _, comparison in comparisons}
    if Agreement.DISAGREE in found:
        return Exit.DISAGREE
    return Exit.STOPPED if Agreement.UNKNOWN in found else Exit.OK


def _opinion(asked: Puzzle, engine: Engine, limits: Limits, watch: Watch) -> Opinion:
    return agreement.ask(engine, asked.model, limits, watch=watch)


def _said(comparison: Comparison) -> str:
    return ", ".join(
        f"{opinion.engine} {at_least(opinion.result) if opinion.result else 'a wrong solution'}"
        for opinion in comparison.opinions
    )


def _answer(puzzle: Puzzle, comparison: Comparison) -> Answer:
    results = [opinion.result for opinion in comparison.opinions if opinion.result is not None]
    agreed = comparison.agreement is Agreement.AGREE
    facts: list[tuple[str, Any]] = [
        ("digests", [opinion.digest for opinion in comparison.opinions])
    ]
    return Answer(
        puzzle=puzzle.name,
        verb="compare",
        outcome=Outcome(comparison.agreement.value),
        count=results[0].found if agreed else None,
        complete=agreed,
        stopped_by=stop_of(results),
        results=results,
        facts=facts,
    )


def _table(comparisons: Sequence[tuple[Puzzle, Comparison]], engines: Sequence[str]) -> str:
    """A row per puzzle: each engine's count and seconds, and the verdict."""
    header = ["puzzle"]
    for name in engines:
        header += [name, "seconds"]
    rows = [[*header, "verdict"]]
    for puzzle, comparison in comparisons:
        row = [puzzle.name]
        for place in range(len(engines)):
            opinion = comparison.opinions[place] if place < len(comparison.opinions) else None
            if opinion is None:
                row += ["not run", ""]
            elif opinion.result is None:
                row += ["wrong", ""]
            else:
                row += [at_least(opinion.result), f"{opinion.result.seconds:.3f}"]
        rows.append([*row, comparison.agreement.value])
    return aligned(rows, left={0, len(rows[0]) - 1})
