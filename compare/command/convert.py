"""The verb convert: a puzzle's model into a file of another format."""

from __future__ import annotations

import click

from twostep.compare.command.exits import Exit
from twostep.models.formats.modelfile import WRITERS, write_model
from twostep.models.reading import load_puzzle


@click.command(epilog=f"FILE ends in one of: {', '.join(WRITERS)}.")
@click.argument("puzzle")
@click.argument("file")
@click.option("--quiet", is_flag=True, help="Say nothing.")
def convert(puzzle: str, file: str, quiet: bool) -> int:
    """Write the model of PUZZLE to FILE: .dlx (Knuth), .json, .cnf (DIMACS) or .opb."""
    model = load_puzzle(puzzle).model
    write_model(model, file)
    if not quiet:
        click.echo(f"{file}: {model.n_items} items, {model.n_options} options", err=True)
    return Exit.OK
