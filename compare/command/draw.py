"""The verb draw: puzzles, levels and solutions as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath

import click

from twostep.compare.checking.entries import Entry, read_entries
from twostep.compare.command.shared import options
from twostep.compare.command.shared.engines import load
from twostep.compare.command.shared.exits import Exit
from twostep.compare.command.shared.output import EXIT_OF, Answer, Outcome
from twostep.compare.command.shared.pictures import (
    PictureFlags,
    card_of,
    flags,
    refuse_form,
    steps_of,
    write_pictures,
)
from twostep.compare.command.shared.progress import bar
from twostep.compare.registry import DEFAULT
from twostep.models.drawing.files import Form
from twostep.models.drawing.sheet import Card
from twostep.models.errors import InputError
from twostep.models.families.puzzle import Puzzle
from twostep.models.game.levelfile import read_pack
from twostep.models.language.model import Solution
from twostep.models.play.placed import read_placed
from twostep.models.play.room import Room
from twostep.models.reading.load import load_puzzle
from twostep.models.reading.suffixes import suffix_of
from twostep.models.search import questions
from twostep.models.search.engine import Limits, StopReason

MOST_CARDS = 2000
"""Puzzles of a file that are drawn at once."""


@click.command()
@click.argument("puzzle")
@click.option(
    "-o",
    "--output",
    "path",
    metavar="FILE",
    callback=options.to_picture,
    help="A .png, .svg, .pdf or .gif (animated) file; default: draw in the terminal.",
)
@click.option("--solution", is_flag=True, help="Draw a solution, not the puzzle as it is given.")
@click.option(
    "--placed",
    metavar="FILE",
    help="Draw what is placed there: pieces as a picture or JSON, or options, one to a line;"
    " with --solution, a solution that they are part of.",
)
@click.option("--answers", is_flag=True, help="A .pdf ends with a solution of each puzzle.")
@click.option(
    "--cut-out", is_flag=True, help="A .pdf has the pieces to cut out, as large as the cells."
)
@flags
@options.time_limit(60, "For finding the solution.")
@options.output
def draw(
    puzzle: str,
    path: str | None,
    solution: bool,
    placed: str | None,
    answers: bool,
    cut_out: bool,
    drawn: PictureFlags,
    time_limit: float | None,
    output: options.OutputFlags,
) -> int:
    """Draw PUZZLE: in the terminal, or as a picture; a file of several as contact sheets."""
    form, as_json, quiet = drawn.form, output.as_json, output.quiet
    refuse_form(form, path)
    printed = path is not None and suffix_of(path) == ".pdf"
    if (answers or cut_out) and not printed:
        flag = "--answers" if answers else "--cut-out"
        raise click.UsageError(f"{flag} goes with -o and a .pdf")
    form = replace(form, cut_out=cut_out)
    options.keep_apart([puzzle, *([] if placed is None else [placed])], path)
    entries = [] if path is None else read_entries([puzzle])
    if path is not None and len(entries) > 1:
        if placed is not None:
            raise InputError("--placed goes with one puzzle, not with a file of several")
        cards = _cards(entries, time_limit, solution=solution, quiet=quiet)
        solved = _cards(entries, time_limit, solution=True, quiet=quiet) if answers else []
        form = replace(form, title=_title(puzzle))
        return _write(puzzle, path, cards, form, solved, as_json=as_json, quiet=quiet)
    asked = load_puzzle(puzzle)
    moving = path is not None and suffix_of(path) == ".gif" and placed is None
    found = _options(asked, placed, time_limit, solution=solution or moving, quiet=quiet)
    if isinstance(found, StopReason):
        return _none(asked.name, found, as_json=as_json)
    if path is None:
        return _show(asked, found, as_json=as_json)
    cards = steps_of(asked, found) if moving else [card_of(asked, found, tray=not solution)]
    solved = []
    if answers:
        answer = _options(asked, placed, time_limit, solution=True, quiet=quiet)
        if isinstance(answer, StopReason):
            return _none(asked.name, answer, as_json=as_json)
        solved = [card_of(asked, answer, asked.name)]
    return _write(asked.name, path, cards, form, solved, as_json=as_json, quiet=True)


def _title(file: str) -> str:
    """The name of a pack, or of the file."""
    if file.lower().endswith(".json"):
        return read_pack(file).name or PurePath(file).stem
    return PurePath(file).stem


def _cards(
    entries: Sequence[Entry], seconds: float | None, *, solution: bool, quiet: bool
) -> list[Card]:
    """A card for each puzzle of a file."""
    if len(entries) > MOST_CARDS:
        raise InputError(
            f"{len(entries)} puzzles: at most {MOST_CARDS} are drawn at once; split the file",
            source=entries[0].source,
        )
    cards = []
    with bar("draw", len(entries), quiet=quiet) as show:
        for done, entry in enumerate(entries, 1):
            cards.append(_card(entry, seconds, solution=solution, quiet=quiet))
            show(done)
    return cards


def _card(entry: Entry, seconds: float | None, *, solution: bool, quiet: bool) -> Card:
    try:
        asked = entry.puzzle()
        found = _options(asked, None, seconds, solution=solution, quiet=quiet)
    except InputError as error:
        raise InputError(f"{entry.title}: {error.message}") from None
    if isinstance(found, StopReason):  # as the player gets it, and said to be so
        why = "no solution" if found is StopReason.EXHAUSTED else "no solution found"
        return card_of(asked, (), f"{_caption(entry)}, {why}", tray=True)
    return card_of(asked, found, _caption(entry), tray=not solution)


def _caption(entry: Entry) -> str:
    """Name, or number, and grade."""
    name = entry.name or str(entry.number)
    grade = entry.level.grade if entry.level is not None else None
    return name if grade is None else f"{name} (grade {grade})"


def _options(
    asked: Puzzle, placed: str | None, seconds: float | None, *, solution: bool, quiet: bool
) -> Solution | StopReason:
    """What to draw; or, where a solution is wished and none was found, why the search ended."""
    if placed is None and not solution:
        return ()
    if solution and asked.obstacle() is not None:
        return StopReason.EXHAUSTED
    model = asked.model
    given: Solution = () if placed is None else _placed(placed, asked)
    if not solution:
        return given
    (engine,) = load(DEFAULT, quiet=quiet)
    chosen = model.with_chosen(given) if given else model
    found = questions.first(engine, chosen, Limits(seconds=seconds))
    return found.solutions[0] if found.solutions else found.result.stopped


def _placed(path: str, asked: Puzzle) -> Solution:
    """The options that a file says are chosen."""
    placed = read_placed(path, asked)
    try:
        Room(asked).place(placed)  # refuses what cannot stand together
    except InputError as error:
        raise error.at(path) from None
    return tuple(sorted(placed))


def _none(name: str, stopped: StopReason, *, as_json: bool) -> int:
    """Say that there is no solution to draw, or that none was found."""
    outcome = Outcome.NONE if stopped is StopReason.EXHAUSTED else Outcome.UNKNOWN
    if as_json:
        click.echo(_answer(name, outcome, [], stopped=stopped))
    else:
        none = outcome is Outcome.NONE
        click.echo("no solution" if none else f"no solution was found: stopped ({stopped.value})")
    return EXIT_OF[outcome]


def _show(asked: Puzzle, found: Solution, *, as_json: bool) -> int:
    """Draw on standard output."""
    scene = asked.picture(found)
    if as_json:
        click.echo(_answer(asked.name, Outcome.FOUND, [], [scene.text]))
        return Exit.OK
    from twostep.models.drawing.terminal import show

    shown = show(scene)
    if isinstance(shown, str):
        click.echo(shown)
    else:
        from rich.console import Console

        Console().print(shown, end="")
    return Exit.OK


def _write(
    name: str,
    path: str,
    cards: Sequence[Card],
    form: Form,
    answers: Sequence[Card],
    *,
    as_json: bool,
    quiet: bool,
) -> int:
    files = write_pictures(path, cards, form, answers)
    if as_json:
        click.echo(_answer(name, Outcome.FOUND, files))
    elif not quiet:
        click.echo("\n".join(files), err=True)
    return Exit.OK


def _answer(
    puzzle: str,
    outcome: Outcome,
    files: list[str],
    boards: Sequence[str] = (),
    stopped: StopReason = StopReason.EXHAUSTED,
) -> str:
    """What was drawn, as JSON."""
    complete = stopped is StopReason.EXHAUSTED
    answer = Answer(
        puzzle,
        "draw",
        outcome,
        None,
        complete,
        None if complete else stopped,
        solutions=boards,
        facts=[("pictures", files)],
    )
    return answer.as_json()
