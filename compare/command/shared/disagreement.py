"""Report a disagreement of engines, and save the model."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click

from twostep.compare.agreement.verdict import Difference
from twostep.models.errors import TwostepError
from twostep.models.families.puzzle import Puzzle
from twostep.models.language.model import Model
from twostep.models.reading.files import write_atomically
from twostep.models.reading.formats import dlx
from twostep.models.search.engine import Engine


def save(puzzle: Puzzle) -> str:
    """Save the puzzle's model in the working directory; gives the file's name."""
    return _write(puzzle.name, puzzle.model)


def save_model(model: Model) -> str:
    """Save a model under its own name; says where, or why not, as the tail of an error line."""
    try:
        return f"; the model is saved in {_write(model.name, model)}"
    except TwostepError as error:
        return f"; the model could not be saved: {error}"


def tell(
    puzzle: Puzzle,
    path: str,
    said: str,
    engines: Sequence[Engine],
    differences: Sequence[Difference] = (),
) -> None:
    """Say on standard error who said what, and make the model smaller, if that can be done.

    Args:
        path: where the model was saved.
        said: each engine's answer, in words.
        engines: they are asked again, about smaller models.
        differences: solutions that one engine found, and another did not.
    """
    from twostep.compare.agreement.shrink import shrink

    click.echo(
        f"twostep: the engines disagree about {puzzle.name} ({said}); the model is saved in {path}",
        err=True,
    )
    for difference in differences:
        click.echo(
            f"found by {difference.found_by}, not by {difference.missed_by}:"
            f" options {' '.join(map(str, difference.solution))}",
            err=True,
        )
    model = puzzle.model
    small = shrink(engines, model, hint=differences[0].solution if differences else None).model
    if small.n_options + small.n_items < model.n_options + model.n_items:
        saved = _write(puzzle.name, small, "-small")
        click.echo(f"a smaller model on which they disagree is saved in {saved}", err=True)


def _write(name: str, model: Model, suffix: str = "") -> str:
    stem = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")[:60] or "model"
    path = f"disagreement-{stem}{suffix}.dlx"
    write_atomically(path, dlx.write_without_side_condition(model))
    return path
