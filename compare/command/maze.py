"""The verb maze: make a maze from its configuration file, or check a maze file."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from secrets import randbelow
from typing import Any

import click

from twostep.compare.command.shared import options
from twostep.compare.command.shared.exits import Exit
from twostep.compare.command.shared.output import Answer, Outcome
from twostep.compare.command.shared.progress import steps
from twostep.models.errors import EngineFault, InputError
from twostep.models.families.maze import pattern42, picture, text
from twostep.models.families.maze.board import Board, Kind, Maze, spell
from twostep.models.families.maze.check import Report, Rule
from twostep.models.families.maze.check import check as check_maze
from twostep.models.families.maze.colours import NAMED, Colours, Part
from twostep.models.families.maze.config import MazeConfig, output_fault, read_config
from twostep.models.families.maze.generator import MazeGenerator, check_loops
from twostep.models.families.maze.hexfile import MazeFile, read_maze, to_text
from twostep.models.families.maze.spanning import Algorithm
from twostep.models.families.maze.ways import count_shortest, count_ways
from twostep.models.reading.files import STANDARD_INPUT, source_name, write_atomically
from twostep.models.words import counted

_LARGE = 500 * 500
"""From so many cells on a line says which step is under way."""

TEXT, PNG, SVG, NOTHING = "text", "png", "svg", "none"

MENU = "n: new maze, p: show or hide the path, c or c COLOUR: wall colour, q: quit"


class _MakeOrCheck(click.Command):
    """``maze CONFIG``, but ``maze check FILE`` is a command of its own."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        if args and args[0] == "check":
            return check.make_context(f"{info_name} check", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


def _bad_input(error: InputError) -> int:
    line = " ".join(part.strip() for part in str(error).splitlines())
    click.echo(f"Error: {line}", err=True)
    return Exit.USAGE


def _colours(_ctx: click.Context, _param: click.Parameter, value: str | None) -> Colours:
    try:
        return Colours() if value is None else Colours().changed(value)
    except InputError as error:
        raise click.BadParameter(str(error)) from None


@dataclass(frozen=True, slots=True)
class _Task:
    """What is to be made and shown, apart from the seed."""

    config: MazeConfig
    draw: str
    picture: str | None
    scale: int | None
    gif: str | None
    path: bool
    colours: Colours
    quiet: bool

    @property
    def picture_file(self) -> Path | None:
        """Where a picture goes: where the user says, else beside the maze file, under its name."""
        if self.draw not in (PNG, SVG):
            return None
        if self.picture is not None:
            return Path(self.picture)
        output = self.config.output_file
        named = output.with_suffix(f".{self.draw}")
        return output.with_name(f"{output.name}.{self.draw}") if named == output else named

    def check_files(self) -> None:
        """Raise :class:`InputError` if a picture or animation can't be drawn or written."""
        size = self.config.width, self.config.height
        if self.draw == PNG:
            picture.check_size(*size, self.scale, animated=False)
        if self.gif is not None:
            picture.check_size(*size, self.scale, animated=True)
        taken = {self.config.output_file.resolve()}
        for flag, file in ((f"--draw {self.draw}", self.picture_file), ("--gif", self.gif)):
            if file is None:
                continue
            path = Path(file)
            fault = output_fault(path, self.config.source)
            if fault is None and path.resolve() in taken:
                fault = "something else is written there"
            if fault is not None:
                raise InputError(f"{flag}: {str(path)!r} cannot be written: {fault}")
            taken.add(path.resolve())
        if self.gif is not None and not self.gif.lower().endswith(".gif"):
            raise InputError(f"--gif: {self.gif!r}: expected a name that ends in .gif")

    def maker(self, seed: int) -> MazeGenerator:
        """The maker of the maze with that seed."""
        config = self.config
        return MazeGenerator(
            config.width,
            config.height,
            seed,
            config.perfect,
            config.entry,
            config.exit,
            config.algorithm,
            config.with_42,
            config.wishes,
            config.kind,
            config.closed,
        )

    def write(self, maker: MazeGenerator) -> Report:
        """Make the maze, check it with the independent checker, and write all files."""
        config = self.config
        large = config.width * config.height > _LARGE
        with steps(quiet=self.quiet or not large) as tell:
            return self._write(maker, tell)

    def _write(self, maker: MazeGenerator, tell: Callable[[str], object]) -> Report:
        config = self.config
        tell(f"making the board of {config.width}x{config.height}")
        _ = maker.board
        tell("looking for the shortest path")
        maze = maker.maze
        tell("checking every rule")
        report = check_maze(
            MazeFile.of(maze), config.kind, closed=config.closed, halls=config.wishes.halls
        )
        tell("drawing and writing")
        if not report.valid:
            raise EngineFault(
                f"the maze made of {self.config.source} with seed {maker.seed} breaks a rule:"
                f" {report.findings[0].message}"
            )
        # All is drawn before anything is written, so that a refusal leaves no file behind.
        files: list[tuple[Path, str | bytes]] = [(self.config.output_file, to_text(maze))]
        if self.picture_file is not None:
            drawer: Callable[..., str | bytes] = picture.png if self.draw == PNG else picture.svg
            drawn = drawer(maze, path=self.path, colours=self.colours, cell=self.scale)
            files.append((self.picture_file, drawn))
        if self.gif is not None:
            animation = picture.gif(maze, maker.making, colours=self.colours, cell=self.scale)
            files.append((Path(self.gif), animation))
        for file, content in files:
            write_atomically(file, content)
        self.say(
            f"wrote {', '.join(str(file) for file, _ in files)}: {describe(report, maze.board)},"
            f" {self.config.algorithm.value}, seed {maker.seed}"
        )
        return report

    def show(self, maze: Maze) -> None:
        """Print the maze."""
        coloured = sys.stdout.isatty() and "NO_COLOR" not in os.environ  # see no-color.org
        paint = self.paint if coloured else None
        path = maze.path if self.path else ""
        click.echo(text.draw(maze.board, maze.entry, maze.exit, path, paint=paint))
        columns = shutil.get_terminal_size().columns
        if sys.stdout.isatty() and 4 * maze.board.width + 1 > columns:
            self.say(
                f"the drawing is {4 * maze.board.width + 1} columns wide, the terminal {columns};"
                " --draw png or svg makes a picture"
            )

    def paint(self, piece: str, part: Part) -> str:
        """Colour a piece of the drawing; walls only if a colour was asked for."""
        if part is Part.WALL and self.colours.wall == Colours().wall:
            return piece
        return click.style(piece, fg=self.colours.of(part))

    def say(self, what: str) -> None:
        """A line on standard error, unless nobody wants it."""
        if not self.quiet:
            click.echo(what, err=True)


@click.command(cls=_MakeOrCheck, epilog="`twostep maze check FILE` checks a maze file.")
@click.argument("config", metavar="CONFIG")
@click.option(
    "--algorithm",
    type=click.Choice([each.value for each in Algorithm]),
    help="Instead of ALGORITHM, or dfs. How the perfect maze, also that under other boards, is"
    " made: dfs has long corridors and few dead ends, prim many short ones, wilson draws every"
    " maze with the same probability.",
)
@click.option(
    "--draw",
    type=click.Choice([TEXT, PNG, SVG, NOTHING]),
    default=TEXT,
    show_default=True,
    help="Show it; a picture goes beside OUTPUT_FILE, or where --picture says.",
)
@click.option(
    "--picture", "picture_file", metavar="FILE", help="Draw into this file: .png or .svg."
)
@click.option(
    "--scale",
    type=options.Whole(3, 100),
    metavar="N",
    help="Pixels a cell in pictures and animations, 3 to 100; what fits, if not given.",
)
@click.option("--path", is_flag=True, help="Draw the shortest path.")
@click.option(
    "--colours",
    callback=_colours,
    metavar="COLOURS",
    help="Of the walls, such as cyan; or of parts, such as wall=cyan,path=#ff8800.",
)
@click.option("--gif", metavar="FILE", help="Write an animation of the making.")
@click.option(
    "--loops",
    type=options.Whole(min=0),
    metavar="N",
    help="Instead of LOOPS: at least N in Pac-Man boards, exactly N in connected boards.",
)
@click.option(
    "--keep-dead-ends",
    type=options.Whole(0, 2),
    metavar="N",
    help="Instead of KEEP_DEAD_ENDS: exactly N in Pac-Man boards, 0 to 2.",
)
@click.option("--no-42", "without_42", is_flag=True, help='Leave out the "42".')
@click.option("--seed", type=options.Whole(min=0), help="Instead of the file's SEED.")
@click.option("--interactive", is_flag=True, help="Ask for new mazes, path, and wall colours.")
@options.output
def maze(
    config: str,
    algorithm: str | None,
    draw: str,
    picture_file: str | None,
    scale: int | None,
    path: bool,
    colours: Colours,
    gif: str | None,
    loops: int | None,
    keep_dead_ends: int | None,
    without_42: bool,
    seed: int | None,
    interactive: bool,
    output: options.OutputFlags,
) -> int:
    """Make the maze that the configuration file CONFIG asks for, write it, and show it.

    CONFIG may be "-", standard input. Sizes are WIDTHxHEIGHT, cells x,y from 0,0 at the top left;
    a file that says COORDINATES=row,column has cells as row and column.
    """
    if interactive and output.as_json:
        raise click.UsageError("--interactive and --json exclude each other")
    if interactive and config == STANDARD_INPUT:
        raise click.UsageError("--interactive reads keys from standard input: give CONFIG a name")
    draw = _draw_as(draw, picture_file)
    try:
        asked = read_config(config, with_42=False if without_42 else None)
        if algorithm is not None:
            asked = replace(asked, algorithm=Algorithm(algorithm))
        asked = _with_flags(asked, loops, keep_dead_ends)
        quiet = output.quiet or output.as_json
        task = _Task(asked, draw, picture_file, scale, gif, path, colours, quiet)
        task.check_files()
        if asked.with_42 and not pattern42.fits(asked.width, asked.height):
            task.say(
                f'the "42" is left out: it needs a board of at least {pattern42.LEAST_WIDTH}x'
                f"{pattern42.LEAST_HEIGHT}, this one is {asked.width}x{asked.height}"
            )
        seed = asked.seed if seed is None else seed
        if interactive:
            return _interact(task, seed)
        maker = task.maker(_fresh() if seed is None else seed)
        report = task.write(maker)
    except InputError as error:
        return _bad_input(error.at(source_name(config)))
    if output.as_json:
        click.echo(_made(task, maker, report).as_json())
    elif draw == TEXT:
        task.show(maker.maze)
    return Exit.OK


def _draw_as(draw: str, picture_file: str | None) -> str:
    """How to draw, once it is known where to."""
    if picture_file is None:
        return draw
    suffix = Path(picture_file).suffix.lower().removeprefix(".")
    if suffix not in (PNG, SVG):
        raise InputError(f"--picture: {picture_file!r}: expected a name that ends in .png or .svg")
    if draw in (PNG, SVG) and draw != suffix:
        raise click.UsageError(f"--draw {draw} and --picture {picture_file} contradict each other")
    return suffix


def _with_flags(asked: MazeConfig, loops: int | None, dead_ends: int | None) -> MazeConfig:
    """What is asked for, with the wishes of the flags; a fault names the flag."""
    own = asked.wishes
    for flag, number, wishes in (
        ("--loops", loops, replace(own, loops=loops)),
        ("--keep-dead-ends", dead_ends, replace(own, dead_ends=dead_ends)),
    ):
        if number is None:
            continue
        pattern = pattern42.cells(asked.width, asked.height) if asked.with_42 else frozenset()
        try:
            wishes.check(asked.kind)
            check_loops(wishes, asked.width, asked.height, pattern | asked.closed)
        except InputError as error:
            raise InputError(error.message, source=f"{flag} {number}") from None
    wishes = replace(
        own,
        loops=own.loops if loops is None else loops,
        dead_ends=own.dead_ends if dead_ends is None else dead_ends,
    )
    return replace(asked, wishes=wishes)


def _fresh() -> int:
    """A seed nobody asked for; it is printed, so that the maze can be made again."""
    return randbelow(2**32)


def _interact(task: _Task, seed: int | None) -> int:
    """Show mazes as long as the user likes."""
    names = list(NAMED)
    try:
        maker = task.maker(_fresh() if seed is None else seed)
        task.write(maker)
        while True:
            task.show(maker.maze)
            key, _, colour = (
                click.prompt(MENU, prompt_suffix="\n> ", default="", show_default=False)
                .strip()
                .partition(" ")
            )
            if key == "q":
                return Exit.OK
            if key == "n":
                maker = task.maker(_fresh() if seed is None else maker.seed + 1)
            elif key == "p":
                task = replace(task, path=not task.path)
            elif key == "c":
                if not colour:
                    names.append(names.pop(0))
                try:
                    task = replace(task, colours=task.colours.changed(colour or names[0]))
                except InputError as error:
                    click.echo(str(error), err=True)
                    continue
            else:
                click.echo(f"unknown key {key!r}", err=True)
                continue
            task.write(maker)
    except (KeyboardInterrupt, EOFError, click.Abort):
        click.echo(err=True)  # the prompt's line ends
        return Exit.OK


def _made(task: _Task, maker: MazeGenerator, report: Report) -> Answer:
    """What was made, for ``--json``."""
    config = task.config
    return Answer(
        puzzle=config.source,
        verb="maze",
        outcome=Outcome.FOUND,
        count=None,
        complete=True,
        facts=[
            ("width", config.width),
            ("height", config.height),
            ("kind", config.kind.name.lower()),
            ("perfect", config.perfect),
            ("with_42", report.has_42),
            ("seed", maker.seed),
            ("algorithm", config.algorithm.value),
            ("closed", [spell(place) for place in sorted(config.closed)]),
            ("loops", report.loops),
            ("dead_ends", len(report.dead_ends)),
            ("entry", spell(config.entry)),
            ("exit", spell(config.exit)),
            ("path", maker.solution),
            ("rows", list(maker.board.rows)),
            ("output_file", str(config.output_file)),
            ("picture", None if task.picture_file is None else str(task.picture_file)),
            ("gif", task.gif),
        ],
    )


def describe(report: Report, board: Board) -> str:
    """A board's kind and numbers in a line."""
    kind = "board" if report.kind is None else report.kind.value
    parts = [f"{kind} of {board.width}x{board.height}{' with the 42' if report.has_42 else ''}"]
    if report.kind is not Kind.PERFECT:
        parts.append(counted(report.loops, "loop"))
    parts.append(counted(len(report.dead_ends), "dead end"))
    text = ", ".join(parts)
    if report.excused:
        cells = " ".join(map(spell, report.excused))
        text += f"; {len(report.excused)} more ({cells}) cannot be opened and do not count"
    return text


@click.command()
@click.argument("file")
@click.option("--perfect", "asked", flag_value=Kind.PERFECT.name, help="It must be a perfect maze.")
@click.option("--pacman", "asked", flag_value=Kind.PACMAN.name, help="It must be a Pac-Man board.")
@click.option(
    "--connected",
    "asked",
    flag_value=Kind.CONNECTED.name,
    help="It may have any loops and dead ends.",
)
@click.option("--halls", is_flag=True, help="With --connected: it may have open 3x3 halls, too.")
@click.option(
    "--config",
    metavar="CONFIG",
    help="It must be as this file asks: size, ends, kind, CLOSED cells, halls.",
)
@options.as_json
def check(file: str, asked: str | None, halls: bool, config: str | None, as_json: bool) -> int:
    """Check every rule of a maze file; names the first offending cell of each kind.

    FILE may be "-", standard input. Cells are x,y from 0,0 at the top left. Exit code 0: all rules
    hold; 20: one is broken; 2: FILE is no maze file.
    """
    if config is not None and (asked is not None or halls):
        raise click.UsageError("--config says the kind of board: leave out the other flags")
    if halls and asked != Kind.CONNECTED.name:
        raise click.UsageError("--halls needs --connected")
    if config == file == STANDARD_INPUT:
        raise click.UsageError("only one file can be standard input (-)")
    try:
        wanted = None if config is None else read_config(config)
        read = read_maze(file)
        if wanted is not None:
            _require_asked(read, wanted)
    except InputError as error:
        return _bad_input(error.at(source_name(file)))
    kind = None if asked is None else Kind[asked]
    if wanted is None:
        report = check_maze(read, kind, halls=halls)
    else:
        report = check_maze(read, wanted.kind, closed=wanted.closed, halls=wanted.wishes.halls)
    file = source_name(file)
    if as_json:
        click.echo(_checked(file, report, read).as_json())
    else:
        for finding in report.findings:
            click.echo(f"{file}: {finding.rule.value}: {finding.message}")
        verdict = "valid" if report.valid else "not valid"
        click.echo(f"{file}: {verdict}: {describe(report, read.board)}")
    return Exit.OK if report.valid else Exit.NONE


def _require_asked(read: MazeFile, wanted: MazeConfig) -> None:
    """Raise :class:`InputError` if the file is no maze of that size with these ends."""
    have, want = (
        (f"a board of {board.width}x{board.height} (WIDTHxHEIGHT)", entry, exit)
        for board, entry, exit in (
            (read.board, read.entry, read.exit),
            (wanted, wanted.entry, wanted.exit),
        )
    )
    for name, one, other in zip(("it", "the entry", "the exit"), have, want, strict=True):
        if one is not None and one != other:
            found, asked = (spell(x) if isinstance(x, tuple) else x for x in (one, other))
            raise InputError(f"{name} is {found}, but {wanted.source} asks for {asked}")


def _ways(report: Report, read: MazeFile) -> tuple[int | None, int | None]:
    """The ways from entry to exit, and the shortest; None: no ends, or too many to count."""
    at_ends = {Rule.ENTRY, Rule.EXIT} & {finding.rule for finding in report.findings}
    if at_ends or read.entry is None or read.exit is None:
        return None, None
    return (
        count_ways(read.board, read.entry, read.exit),
        count_shortest(read.board, read.entry, read.exit),
    )


def _checked(file: str, report: Report, read: MazeFile) -> Answer:
    """What the checker saw, for ``--json``."""
    ways, shortest = _ways(report, read)
    findings: Sequence[dict[str, str | None]] = [
        {
            "rule": finding.rule.value,
            "cell": None if finding.place is None else spell(finding.place),
            "message": finding.message,
        }
        for finding in report.findings
    ]
    return Answer(
        puzzle=file,
        verb="maze check",
        outcome=Outcome.FOUND if report.valid else Outcome.NONE,
        count=None,
        complete=True,
        facts=[
            ("valid", report.valid),
            ("kind", None if report.kind is None else report.kind.name.lower()),
            ("with_42", report.has_42),
            ("loops", report.loops),
            ("ways", ways),
            ("shortest_ways", shortest),
            ("components", report.components),
            ("dead_ends", [spell(place) for place in report.dead_ends]),
            ("excused", [spell(place) for place in report.excused]),
            ("findings", findings),
        ],
    )
