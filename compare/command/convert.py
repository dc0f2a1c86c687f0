"""The verb convert: a puzzle's model into a file of another format."""

from __future__ import annotations

import click

from twostep.compare.command.shared import options
from twostep.compare.command.shared.exits import Exit
from twostep.compare.command.shared.output import Answer, Outcome
from twostep.models.reading.formats.modelfile import WRITERS, write_model
from twostep.models.reading.load import load_puzzle


@click.command(epilog=f"FILE ends in one of: {', '.join(WRITERS)}.")
@click.argument("puzzle")
@click.argument("file")
@options.output
def convert(puzzle: str, file: str, output: options.OutputFlags) -> int:
    """Write the model of PUZZLE to FILE: .dlx (Knuth), .json, .cnf (DIMACS) or .opb."""
    asked = load_puzzle(puzzle)
    model = asked.model
    write_model(model, file)
    if output.as_json:
        facts = [("model_file", file), ("items", model.n_items), ("options", model.n_options)]
        click.echo(Answer(asked.name, "convert", Outcome.FOUND, None, True, facts=facts).as_json())
    elif not output.quiet:
        click.echo(f"{file}: {model.n_items} items, {model.n_options} options", err=True)
    return Exit.OK
