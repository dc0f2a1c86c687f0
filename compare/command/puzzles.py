"""The verb puzzles: what can be solved, with an example of each; the pieces that have names."""

from __future__ import annotations

import json

import click

from twostep.compare.command.shared import options
from twostep.models.families.registry import FAMILIES, family
from twostep.models.reading.load import READERS


@click.command()
@click.option(
    "--pieces",
    metavar="PIECES",
    help="List pieces with all the ways in which each may lie: a set such as pentominoes or"
    " tetrominoes-one-sided, or names such as L4,R2x3,F-fixed.",
)
@click.option(
    "-o",
    "--output",
    "path",
    metavar="FILE",
    callback=options.to_picture,
    help="With --pieces: draw them, as .png, .svg, .pdf or .gif.",
)
@options.as_json
def puzzles(pieces: str | None, path: str | None, as_json: bool) -> int:
    """List the puzzle families, each with its syntax and an example."""
    if pieces is not None:
        return _pieces(pieces, path, as_json=as_json)
    if path is not None:
        raise click.UsageError("-o goes with --pieces")
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


def _pieces(named: str, path: str | None, *, as_json: bool) -> int:
    """List pieces by name, as :func:`parse_kinds` takes them."""
    from twostep.models.families.polyomino.pieces import parse_kinds
    from twostep.models.families.polyomino.showing import drawn, told

    pieces = [kind.piece for kind in parse_kinds(named.replace(" ", "").split(","))]
    if path is not None:
        from twostep.compare.command.shared.pictures import write_pictures
        from twostep.models.drawing.files import Form
        from twostep.models.drawing.sheet import Card

        files = write_pictures(path, [Card(drawn(pieces, named))], Form())
        click.echo("\n".join(files))
    elif as_json:
        listed = [
            {
                "name": piece.name,
                "cells": piece.size,
                "may_turn": piece.may_turn,
                "may_turn_over": piece.may_turn_over,
                "orientations": piece.orientations,
            }
            for piece in pieces
        ]
        click.echo(json.dumps({"schema": "twostep-puzzles/1", "pieces": listed}))
    else:
        click.echo(told(pieces))
    return 0
