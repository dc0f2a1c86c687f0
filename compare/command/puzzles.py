"""The verb puzzles: what can be solved, with an example of each."""

from __future__ import annotations

import json

import click

from twostep.compare.command.shared import options
from twostep.models.families.registry import FAMILIES, family
from twostep.models.reading.load import READERS


@click.command()
@options.as_json
def puzzles(as_json: bool) -> int:
    """List the puzzle families, each with its syntax and an example."""
    known = [family(name) for name in FAMILIES]
    if as_json:
        listed = [
            {
                "name": each.name,
                "summary": each.summary,
                "syntax": each.syntax,
                "examples": list(each.examples),
            }
            for each in known
        ]
        click.echo(json.dumps({"schema": "twostep-puzzles/1", "puzzles": listed}))
        return 0
    for each in known:
        click.echo(f"{each.examples[0]}\n    {each.summary}\n    {each.syntax}")
    click.echo(f"\nFiles: {', '.join(READERS)}")
    return 0
