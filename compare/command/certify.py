"""The verb certify: prove how many solutions there are."""

from __future__ import annotations

import click

from twostep.compare.command.shared import options
from twostep.compare.command.shared.certificate import _nothing, _prove, _written
from twostep.compare.command.shared.engines import read
from twostep.compare.command.shared.exits import Exit
from twostep.compare.command.shared.output import Answer, Outcome, stop_of
from twostep.compare.command.shared.progress import announce_compilation


@click.command()
@click.argument("puzzle")
@click.argument("file", callback=options.named_freely("a certificate"))
@options.all_limits
@options.output
def certify(
    puzzle: str, file: str, limited: options.AllLimitFlags, output: options.OutputFlags
) -> int:
    """Prove how many solutions PUZZLE has; write the proof to FILE, for `twostep verify`.

    Nothing is written if a limit ends the search.
    """
    announce_compilation(quiet=output.quiet)
    asked, limits = read(puzzle, limited.limits)
    proof = _prove(asked, file, limits, quiet=output.quiet)
    if output.as_json:
        outcome = Outcome.COUNT if proof.complete else Outcome.UNKNOWN
        facts = [("certificate", file if proof.complete else None)]
        answer = Answer(
            asked.name,
            "certify",
            outcome,
            proof.found,
            proof.complete,
            stop_of([proof]),
            [proof],
            facts=facts,
        )
        click.echo(answer.as_json())
    if not proof.complete:
        return _nothing(file, f"stopped: {proof.stopped.value}")
    if not output.as_json:
        click.echo(str(proof.found))
    _written(file, f"{proof.counters.nodes:,} states searched", quiet=output.quiet)
    return Exit.OK
