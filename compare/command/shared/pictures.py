"""How verbs make pictures: the flags they share, and what is written where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import click

from twostep.compare.command.shared import options
from twostep.models.drawing.book import Paper
from twostep.models.drawing.files import Form, pictures
from twostep.models.drawing.gif import MOST_FRAMES
from twostep.models.drawing.palette import Look
from twostep.models.drawing.sheet import Card
from twostep.models.families.puzzle import Puzzle
from twostep.models.language.model import Solution
from twostep.models.reading.files import write_atomically
from twostep.models.reading.suffixes import PICTURES, TEXT, is_picture, suffix_of

LARGEST_CELL = 200.0
"""Millimetres of ``--cell`` at most."""


def _millimetres(
    _ctx: click.Context, _param: click.Parameter, value: str | None
) -> float | None:  # fmt: skip
    if value is None:
        return None
    text = value.strip().lower().removesuffix("mm").strip()
    try:
        size = float(text) if text.isascii() and "_" not in text else 0.0
    except ValueError:
        size = 0.0
    if not 1 <= size <= LARGEST_CELL:
        raise click.BadParameter(
            f"expected millimetres from 1 to {LARGEST_CELL:g}, such as 20mm, got {value[:40]!r}"
        )
    return size


@dataclass(frozen=True, slots=True)
class PictureFlags:
    """``--scale``, ``--cell``, ``--columns`` and ``--bw``."""

    scale: int | None = options.flag(
        "--scale",
        type=options.Whole(1, 400),
        help="Pixels of a cell's side (.png, .gif).  [default: 40, or what fits]",
    )
    cell: float | None = options.flag(
        "--cell",
        callback=_millimetres,
        metavar="MM",
        help="A cell's side in print (.svg, .pdf), such as 20mm.  [default: 10mm, or what fits]",
    )
    columns: int | None = options.flag(
        "--columns", type=options.Whole(1, 50), help="Pictures side by side on a sheet."
    )
    bw: bool = options.flag("--bw", is_flag=True, help="Black and white: pieces are hatched.")

    paper: str = options.flag(
        "--paper",
        type=click.Choice([paper.name.lower() for paper in Paper]),
        default=Paper.A4.name.lower(),
        show_default=True,
        help="What a .pdf is printed on.",
    )
    per_page: int | None = options.flag(
        "--per-page",
        type=options.Whole(1, 6),
        help="Pictures on a page of a .pdf, 1 to 6.  [default: one alone, else 6]",
    )

    @property
    def form(self) -> Form:
        """What they ask for."""
        return Form(
            Look(black=self.bw),
            self.scale,
            self.cell,
            self.columns,
            paper=Paper[self.paper.upper()],
            per_page=self.per_page,
        )


flags = options.group("drawn", PictureFlags)


def refuse_form(form: Form, path: str | None) -> None:
    """Refuse flags of pictures where none is made."""
    if not is_picture(path) and form != Form():
        given = options.those_given(
            scale=form.scale,
            cell=form.millimetres,
            columns=form.columns,
            bw=form.look.black,
            paper=form.paper is not Paper.A4,
            per_page=form.per_page,
        )
        raise click.UsageError(f"{given[0]} goes with -o and a picture ({', '.join(PICTURES)})")


def write_pictures(
    path: str, cards: Sequence[Card], form: Form, answers: Sequence[Card] = ()
) -> list[str]:
    """Draw cards, write them, and give the files' names."""
    made = pictures(path, cards, form, answers)
    for file, content in made:
        write_atomically(file, content)
    return [file for file, _ in made]


def card_of(
    puzzle: Puzzle, placed: Iterable[int], caption: str = "", *, tray: bool = False
) -> Card:
    """A puzzle with some options on it; with the tray of its pieces."""
    placed = tuple(placed)
    parts = puzzle.tray(placed) if tray else ()
    return Card(puzzle.picture(placed), parts, caption)


def steps_of(puzzle: Puzzle, solution: Sequence[int]) -> list[Card]:
    """The way to a solution, an option at a time: what was given, then the others."""
    from twostep.models.drawing.gif import thinned

    given = set(puzzle.model.chosen)
    others = [option for option in solution if option not in given]
    return [card_of(puzzle, others[:n]) for n in thinned(range(len(others) + 1))]


MOST_DRAWN = 600
"""Solutions that are drawn at most: twenty sheets."""


@dataclass(slots=True)
class Gallery:
    """Solutions to be drawn: one picture, contact sheets of several, or an animation.

    Attributes:
        puzzle: draws them.
        path: the picture's file.
        form: how it is made.
        kept: the solutions so far, with what stands below each.
        beyond: how many came after the most that are drawn.
    """

    puzzle: Puzzle
    path: str
    form: Form
    kept: list[tuple[Solution, str]] = field(default_factory=list)
    beyond: int = 0

    def take(self, solution: Solution, caption: str) -> None:
        """Keep a solution, unless there are as many as are drawn."""
        most = MOST_FRAMES if suffix_of(self.path) == ".gif" else MOST_DRAWN
        if len(self.kept) < most:
            self.kept.append((solution, caption))
        else:
            self.beyond += 1

    def told(self, files: Sequence[str]) -> str:
        """The files in words, and how many solutions are on them if not all."""
        names = ", ".join(files) if len(files) < 4 else f"{files[0]} to {files[-1]}"
        return f"{names} (the first {len(self.kept)})" if self.beyond else names

    def write(self) -> list[str]:
        """Draw what was kept; gives the files' names, none if there is nothing."""
        if not self.kept:
            return []
        form = self.form
        if suffix_of(self.path) == ".gif" and len(self.kept) == 1:
            return write_pictures(self.path, steps_of(self.puzzle, self.kept[0][0]), form)
        if len(self.kept) == 1:
            return write_pictures(self.path, [card_of(self.puzzle, self.kept[0][0])], form)
        cards = [card_of(self.puzzle, solution, caption) for solution, caption in self.kept]
        return write_pictures(self.path, cards, replace(form, title=self.puzzle.name))


def gallery_of(puzzle: Puzzle, path: str | None, form: Form) -> Gallery | None:
    """Where solutions are drawn; None: the file is no picture."""
    return Gallery(puzzle, path, form) if path is not None and is_picture(path) else None


to_boards = options.named("boards, as text or as a picture", *TEXT, *PICTURES)
"""Callback of a flag: a file for boards."""
