"""The verb draw: levels and solutions as pictures."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import PurePath

import click

from twostep.compare.command.shared import options
from twostep.compare.command.shared.engines import load
from twostep.compare.command.shared.exits import Exit
from twostep.compare.command.shared.levels import level_puzzle
from twostep.compare.command.shared.output import EXIT_OF, Answer, Outcome
from twostep.models.errors import InputError
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle
from twostep.models.game import pictures
from twostep.models.game.level import Level, Pack
from twostep.models.game.levelfile import read_pack
from twostep.models.game.playing import Table, read_placed
from twostep.models.reading.files import write_atomically
from twostep.models.search import questions
from twostep.models.search.engine import Limits, StopReason

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
    type=options.Whole(1, 400),
    help="With -o, of one level: pixels of a cell's side, in .svg quarters of a millimetre."
    "  [default: 40]",
)
@options.time_limit(60, "For finding the solution.")
@options.output
def draw(
    level: str,
    path: str | None,
    solution: bool,
    placed: str | None,
    scale: int | None,
    time_limit: float | None,
    output: options.OutputFlags,
) -> int:
    """Draw LEVEL: in the terminal, or as a picture; a whole pack as contact sheets (.png)."""
    suffix = None if path is None else PurePath(path).suffix.lower()
    if suffix is not None and suffix not in KINDS:
        raise InputError(f"{path}: expected a name that ends in {', '.join(KINDS)}")
    options.keep_apart([level, *([] if placed is None else [placed])], path)
    if path is not None and suffix == ".png" and level.lower().endswith(".json"):
        pack = read_pack(level)
        if len(pack.levels) > 1:
            if placed is not None or scale is not None:
                flag = "--scale" if placed is None else "--placed"
                raise InputError(f"{flag} goes with one level, not with a pack")
            files = _draw_pack(path, level, pack, time_limit, solution=solution, quiet=output.quiet)
            if output.as_json:
                click.echo(_answer(level, Outcome.FOUND, files))
            elif not output.quiet:
                click.echo("\n".join(files), err=True)
            return Exit.OK
    if scale is not None and path is None:
        raise click.UsageError("--scale goes with -o: a cell in the terminal has its size")
    scale = 40 if scale is None else scale
    puzzle = level_puzzle(level)
    solution = solution or (suffix == ".gif" and placed is None)
    view = _view(puzzle, placed, time_limit, solution=solution, quiet=output.quiet)
    if isinstance(view, StopReason):
        outcome = Outcome.NONE if view is StopReason.EXHAUSTED else Outcome.UNKNOWN
        if output.as_json:
            click.echo(_answer(puzzle.name, outcome, [], stopped=view))
        else:
            none = outcome is Outcome.NONE
            click.echo("no solution" if none else f"no solution was found: stopped ({view.value})")
        return EXIT_OF[outcome]
    if path is None:
        if output.as_json:
            click.echo(_answer(puzzle.name, Outcome.FOUND, [], [pictures.text(view)]))
        else:
            _show(view)
        return Exit.OK
    if suffix == ".svg":
        write_atomically(path, pictures.svg(view, scale / 4))
    else:
        write_atomically(
            path, pictures.gif(view, scale) if suffix == ".gif" else pictures.png(view, scale)
        )
    if output.as_json:
        click.echo(_answer(puzzle.name, Outcome.FOUND, [path]))
    return Exit.OK


def _draw_pack(
    path: str, source: str, pack: Pack, seconds: float | None, *, solution: bool, quiet: bool
) -> list[str]:
    """Draw the levels of a pack, which is from the file `source`; gives the pictures' names."""

    def show(level: Level) -> pictures.View:
        try:
            view = _view(level.puzzle, None, seconds, solution=solution, quiet=quiet)
            return pictures.start(level.puzzle) if isinstance(view, StopReason) else view
        except InputError as error:
            which = f"level {pack.levels.index(level) + 1} {level.name!r}"
            raise InputError(f"{which}: {error.message}", source=source) from None

    pages = pictures.sheets(pack.levels, show, title=pack.name)
    name = PurePath(path)
    files = [path]
    if len(pages) > 1:
        files = [str(name.with_name(f"{name.stem}-{n}.png")) for n in range(1, len(pages) + 1)]
    for file, page in zip(files, pages, strict=True):
        write_atomically(file, page)
    return files


def _show(view: pictures.View) -> None:
    """Draw on standard output: in colours on a terminal that has them, else in letters."""
    if sys.stdout.isatty():
        from rich.console import COLOR_SYSTEMS, Console

        console = Console()
        if console.color_system is not None and not console.no_color:
            system = COLOR_SYSTEMS[console.color_system]
            console.print(pictures.blocks(view, system), end="")
            return
    click.echo(pictures.text(view))


def _answer(
    puzzle: str,
    outcome: Outcome,
    files: list[str],
    boards: Sequence[str] = (),
    stopped: StopReason = StopReason.EXHAUSTED,
) -> str:
    """What was drawn, as JSON."""
    complete = stopped is StopReason.EXHAUSTED
    return Answer(
        puzzle,
        "draw",
        outcome,
        None,
        complete,
        None if complete else stopped,
        solutions=boards,
        facts=[("pictures", files)],
    ).as_json()


def _view(
    puzzle: PolyominoPuzzle,
    placed: str | None,
    seconds: float | None,
    *,
    solution: bool,
    quiet: bool,
) -> pictures.View | StopReason:
    """What to draw; or, where a solution is wished and none was found, why the search ended."""
    if placed is None and not solution:
        return pictures.start(puzzle)
    if solution and puzzle.obstacle() is not None:
        return StopReason.EXHAUSTED
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
        return found.result.stopped
    return pictures.solved(puzzle, found.solutions[0])
