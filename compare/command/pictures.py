"""The verb draw: levels and solutions as pictures."""

from __future__ import annotations

import sys
from pathlib import PurePath

import click

from twostep.compare.command import options
from twostep.compare.command.ask import load
from twostep.compare.command.exits import Exit
from twostep.compare.command.play import level_puzzle
from twostep.models import questions
from twostep.models.errors import InputError
from twostep.models.files import write_atomically
from twostep.models.levels import pictures
from twostep.models.levels.level import Level
from twostep.models.levels.levelfile import read_pack
from twostep.models.levels.playing import Table, read_placed
from twostep.models.polyomino.puzzle import PolyominoPuzzle
from twostep.models.search import Limits

KINDS = (".png", ".svg", ".gif")


@click.command()
@click.argument("level")
@click.option(
    "-o",
    "--output",
    "path",
    metavar="FILE",
    callback=options.to_write,
    help="A .png, .svg or .gif (animated) file; default: draw in the terminal.",
)
@click.option("--solution", is_flag=True, help="Draw a solution, not the empty board.")
@click.option(
    "--placed",
    metavar="FILE",
    help="Draw these pieces, a picture or JSON; with --solution, one that they are part of.",
)
@click.option(
    "--scale",
    type=click.IntRange(1, 400),
    default=40,
    show_default=True,
    help="Pixels of a cell's side; in .svg quarters of a millimetre.",
)
@options.time_limit(60, "For finding the solution.")
@click.option("--quiet", is_flag=True, help="No messages on standard error.")
def draw(
    level: str, path: str | None, solution: bool, placed: str | None, scale: int,
    time_limit: float | None, quiet: bool,
) -> int:  # fmt: skip
    """Draw LEVEL: in the terminal, or as a picture; a whole pack as contact sheets (.png)."""
    suffix = None if path is None else PurePath(path).suffix.lower()
    if suffix is not None and suffix not in KINDS:
        raise InputError(f"{path}: expected a name that ends in {', '.join(KINDS)}")
    if path is not None and suffix == ".png" and level.lower().endswith(".json"):
        pack = read_pack(level)
        if len(pack.levels) > 1:
            if placed is not None:
                raise InputError("--placed goes with one level, not with a pack")

            def show(one: Level) -> pictures.View:
                try:
                    view = _view(one.puzzle, None, time_limit, solution=solution, quiet=quiet)
                    return pictures.start(one.puzzle) if isinstance(view, Exit) else view
                except InputError as error:
                    which = f"level {pack.levels.index(one) + 1} {one.name!r}"
                    raise InputError(f"{which}: {error.message}", source=level) from None

            pages = pictures.sheets(pack.levels, show, title=pack.name)
            return _write_sheets(path, pages, quiet=quiet)
    puzzle = level_puzzle(level)
    solution = solution or (suffix == ".gif" and placed is None)
    view = _view(puzzle, placed, time_limit, solution=solution, quiet=quiet)
    if isinstance(view, Exit):
        click.echo("no solution" if view is Exit.NONE else "no solution was found in time")
        return view
    if path is None:
        if sys.stdout.isatty():
            from rich.console import Console

            Console().print(pictures.blocks(view), end="")
        else:
            click.echo(pictures.text(view))
        return Exit.OK
    if suffix == ".svg":
        write_atomically(path, pictures.svg(view, scale / 4))
    else:
        write_atomically(
            path, pictures.gif(view, scale) if suffix == ".gif" else pictures.png(view, scale)
        )
    return Exit.OK


def _view(
    puzzle: PolyominoPuzzle, placed: str | None, seconds: float | None, *, solution: bool,
    quiet: bool,
) -> pictures.View | Exit:  # fmt: skip
    """What to draw; or, where a solution is wished and none was found, what that means."""
    if placed is None and not solution:
        return pictures.start(puzzle)
    if solution and puzzle.obstacle() is not None:
        return Exit.NONE
    model = puzzle.model
    if placed is not None:
        try:
            model = model.with_chosen(Table(puzzle).place(read_placed(placed, puzzle)))
        except InputError as error:
            raise error.at(placed) from None
    if not solution:
        return pictures.solved(puzzle, model.chosen)
    (engine,) = load("dlx", quiet=quiet)
    found = questions.first(engine, model, Limits(seconds=seconds))
    if not found.solutions:
        return Exit.NONE if found.result.complete else Exit.STOPPED
    return pictures.solved(puzzle, found.solutions[0])


def _write_sheets(path: str, pages: list[bytes], *, quiet: bool) -> int:
    name = PurePath(path)
    for number, page in enumerate(pages, 1):
        file = path if len(pages) == 1 else str(name.with_name(f"{name.stem}-{number}.png"))
        write_atomically(file, page)
        if not quiet:
            click.echo(file, err=True)
    return Exit.OK
