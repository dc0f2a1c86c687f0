"""The verb tetris: print sprites with Tetris, and play, check and make what that takes."""

from __future__ import annotations

import contextlib
import os
import random
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from twostep.compare.command.shared import options
from twostep.compare.command.shared.exits import Exit
from twostep.compare.command.shared.output import EXIT_OF, Answer, Outcome
from twostep.compare.command.shared.progress import bar
from twostep.models.errors import EngineFault, InputError, did_you_mean
from twostep.models.reading.files import (
    SMALL,
    STANDARD_INPUT,
    read_text,
    require_writable,
    source_name,
    whole_number,
    write_atomically,
)
from twostep.models.words import counted

if TYPE_CHECKING:
    from PIL.Image import Image

    from twostep.models.families.tetris.field import Comparison
    from twostep.models.families.tetris.film import Shown, Style
    from twostep.models.families.tetris.intake import Intake
    from twostep.models.families.tetris.picture import Look
    from twostep.models.families.tetris.printfile import Program
    from twostep.models.families.tetris.sprite import Sprite
    from twostep.models.families.tetris.tiles import Grid

DEFAULT_SEED = 1


@click.group()
def tetris() -> None:
    """Print a sprite with Tetris: a picture in, a list of tetrominoes out.

    A sprite is an image of at most 17 x 32 pixels and three opaque colours; what is not fully
    opaque stays empty. Enlarged pixels are recognised, and --fit makes any image one.
    Some come with Twostep, to be used by name: boat, cup, fish, heart, key, lamp, owl, snail,
    tower, tree.
    """


@dataclass(frozen=True, slots=True)
class _Converting:
    """How a sprite is turned into pieces."""

    seed: int = options.flag(
        "--seed",
        type=options.Whole(min=0),
        default=DEFAULT_SEED,
        show_default=True,
        help="Of the real-time search; the same seed, the same pieces.",
    )
    table_only: bool = options.flag(
        "--table-only", is_flag=True, help="Only passes from the table: faster, more pieces."
    )
    effort: str | None = options.flag(
        "--effort",
        type=click.Choice(["low", "normal", "high"]),
        help="Of the real-time search: high takes some times as long, for fewer pieces.",
    )
    time_limit: float | None = options.flag(
        "--time-limit",
        callback=options.seconds,
        metavar="SECONDS",
        help="End the real-time search; rows that are left come from the table.",
    )
    workers: int | None = options.flag(
        "--workers",
        type=options.Whole(1, 1024),
        help="Search with so many processes; the pieces are the same.",
    )


def _colour(
    _ctx: click.Context, _param: click.Parameter, value: str | None
) -> tuple[int, int, int] | None:
    """Callback of a flag: a colour, by six hexadecimal digits or by its name in CSS."""
    if value is None:
        return None
    from PIL import ImageColor

    plain = re.fullmatch("[0-9A-Fa-f]{6}", value)
    try:
        parts = ImageColor.getrgb(f"#{value}" if plain else value)
    except ValueError:
        raise click.BadParameter(
            f"expected a colour such as FF8000 or white, got {value[:40]!r}"
        ) from None
    return parts[0], parts[1], parts[2]


@dataclass(frozen=True, slots=True)
class _Taking:
    """What is done to an image that is no sprite yet."""

    fit: bool = options.flag(
        "--fit",
        is_flag=True,
        help="Scale SPRITE down to at most 17 x 32 pixels, and to few colours.",
    )
    colours: int | None = options.flag(
        "--colours",
        type=options.Whole(1, 3),
        help="With --fit: how many colours; default 3.",
    )
    transparent: tuple[int, int, int] | None = options.flag(
        "--transparent",
        metavar="COLOUR",
        callback=_colour,
        help="Take this colour as transparent: FFFFFF, white.",
    )
    frame: int | None = options.flag(
        "--frame", type=options.Whole(min=1), help="Which frame of an animated SPRITE; default 1."
    )

    @property
    def intake(self) -> Intake:
        """What they ask for."""
        from twostep.models.families.tetris.intake import Intake

        if self.colours is not None and not self.fit:
            raise click.UsageError("--colours: give --fit as well, which finds that many")
        return Intake(self.fit, self.colours or 3, self.transparent, self.frame)


@dataclass(frozen=True, slots=True)
class _Drawing:
    """How a game is shown."""

    moves: str | None = options.flag(
        "--moves",
        metavar="FILE",
        callback=options.named("the moves", ".json", ".txt", ""),
        help="Write the moves as well: turn, shift, drop; JSON if FILE ends in .json, else text.",
    )
    bare: bool = options.flag(
        "--bare",
        is_flag=True,
        help="PNG: the picture alone, a pixel per square, transparent where it is empty.",
    )
    cell: int = options.flag(
        "--cell",
        type=options.Whole(1, 40),
        default=8,
        show_default=True,
        help="Side of a square, pixels.",
    )
    fps: int = options.flag(
        "--fps", type=options.Whole(1, 50), default=20, show_default=True, help="Frames per second."
    )
    every: int | None = options.flag(
        "--every",
        type=options.Whole(min=1),
        metavar="N",
        help="Show every N-th piece in full: it comes in, is turned, shifted, lowered, dropped."
        " Default: what a person can follow.",
    )
    background: tuple[int, int, int] | None = options.flag(
        "--background",
        metavar="COLOUR",
        callback=_colour,
        help="The field's colour: black, 202028. Pixels of SPRITE that have it are left empty.",
    )
    console: bool = options.flag(
        "--console", is_flag=True, help="Draw a frame, the next piece, the level and the lines."
    )

    @property
    def look(self) -> Look:
        """What they ask for."""
        from twostep.models.families.tetris.picture import Look

        return Look(self.cell, self.background, self.console)


_taking = options.group("taking", _Taking)
_converting = options.group("converting", _Converting)
_drawing = options.group("drawing", _Drawing)


@tetris.command("print")
@click.argument("sprite")
@click.argument("out")
@click.option(
    "-o",
    "--output",
    "target",
    metavar="FILE",
    callback=options.named("a file of instructions", ".txt", ""),
    help="Write the instruction file as well.",
)
@_taking
@_converting
@_drawing
@options.output
def print_(
    sprite: str,
    out: str,
    target: str | None,
    taking: _Taking,
    converting: _Converting,
    drawing: _Drawing,
    output: options.OutputFlags,
) -> int:
    """Print SPRITE with tetrominoes and show the game.

    SPRITE is turned into a list of tetrominoes, which are played; OUT shows the game.

    OUT is a .gif, .apng or .mp4 (a film), a .png (the final field), or a folder, with a slash at
    its end, for numbered frames.
    """
    from twostep.models.families.tetris.picture import require_visible
    from twostep.models.families.tetris.printfile import to_text
    from twostep.models.families.tetris.sprite import hexadecimal

    kind = _kind(out, drawing)
    options.keep_apart([sprite], out, target, drawing.moves)
    how = replace(taking.intake, background=drawing.background)
    picture = _sprite(sprite, how, quiet=output.quiet)
    require_visible(tuple(hexadecimal(colour) for colour in picture.colours), drawing.background)
    began = time.perf_counter()
    program = _convert(picture, converting, quiet=output.quiet)
    seconds = time.perf_counter() - began
    comparison = _proven(program, picture, sprite)
    frames = _show(program, picture, out, kind, drawing, output.quiet)
    if target is not None:
        write_atomically(target, to_text(program))
    facts = [*_facts(program, comparison), ("frames", frames), ("seconds", round(seconds, 3))]
    _report(f"{out}: {_how(comparison)}", "print", sprite, program, facts, as_json=output.as_json)
    return Exit.OK


def _grid(
    _ctx: click.Context, _param: click.Parameter, value: str | None
) -> tuple[int, int] | None:
    """Callback of a flag: columns and rows of tiles, such as 3x2."""
    if value is None:
        return None
    columns, _, rows = value.lower().partition("x")
    found = (whole_number(columns), whole_number(rows))
    if not found[0] or not found[1]:
        raise click.BadParameter(f"expected columns x rows, such as 3x2, got {value[:40]!r}")
    return found[0], found[1]


@tetris.command()
@click.argument("sprite")
@click.argument("out")
@click.option(
    "-o",
    "--output",
    "target",
    metavar="FILE",
    help="Write instruction files as well: FILE with -ROW-COLUMN before its suffix.",
)
@click.option(
    "--grid",
    metavar="CxR",
    callback=_grid,
    help="Columns and rows of tiles; default: what holds SPRITE, with --fit 2x2.",
)
@_taking
@_converting
@_drawing
@options.output
def tiles(
    sprite: str,
    out: str,
    target: str | None,
    grid: tuple[int, int] | None,
    taking: _Taking,
    converting: _Converting,
    drawing: _Drawing,
    output: options.OutputFlags,
) -> int:
    """Print a larger picture as tiles side by side.

    SPRITE is cut into tiles of at most 17 x 32 pixels and three colours, each printed in a field
    of its own; OUT shows all fields at once. A tile without an opaque pixel is an empty field.
    """
    from twostep.models.families.tetris import film
    from twostep.models.families.tetris.field import Comparison, Game
    from twostep.models.families.tetris.picture import bare
    from twostep.models.families.tetris.printfile import Program, to_text

    kind = _kind(out, drawing)
    if drawing.moves is not None:
        raise click.UsageError("--moves: play the instruction file of a tile with it")
    options.keep_apart([sprite], out)
    cut = _cut(sprite, replace(taking.intake, background=drawing.background), grid, output.quiet)
    names = [target] if target is not None else []
    places = [(r, c) for r, row in enumerate(cut) for c, tile in enumerate(row) if tile is not None]
    files = {place: _numbered(name, *place) for name in names for place in places}
    for file in files.values():
        require_writable(file)
    games: list[list[film.Shown | None]] = [[None] * len(row) for row in cut]
    printed: list[list[Image | None]] = [[None] * len(row) for row in cut]
    supports = 0
    for r, c in places:
        tile = cut[r][c]
        if tile is None:
            continue
        program = _convert(tile, converting, quiet=output.quiet)
        supports += _proven(program, tile, sprite).supports
        game = Game(program)
        games[r][c] = film.Shown(program, list(game.play()))
        printed[r][c] = bare(game.field, program, tile.width, tile.height, drawing.background)
        if (r, c) in files:
            write_atomically(files[r, c], to_text(program))
    programs = [shown.program for row in games for shown in row if shown is not None]
    frames = _show_tiles(games, printed, out, kind, drawing, output.quiet)
    steps = Program(programs[0].colours, tuple(step for each in programs for step in each.blocks))
    facts = [
        *_facts(steps, Comparison(None, supports)),
        ("tiles", len(programs)),
        ("frames", frames),
    ]
    beside = f", with {counted(supports, 'square')} beside them" if supports else " exactly"
    headline = f"{out}: {counted(len(programs), 'tile')} printed{beside}"
    _report(headline, "tiles", sprite, steps, facts, as_json=output.as_json)
    return Exit.OK


@tetris.command()
@click.argument("sprite")
@click.option(
    "-o",
    "--output",
    "target",
    metavar="FILE",
    callback=options.named("a file of instructions", ".txt", ""),
    help="The instruction file; default: print it.",
)
@_taking
@_converting
@options.output
def convert(
    sprite: str,
    target: str | None,
    taking: _Taking,
    converting: _Converting,
    output: options.OutputFlags,
) -> int:
    """Turn SPRITE into an instruction file."""
    from twostep.models.families.tetris.printfile import to_text

    options.keep_apart([sprite], target)
    picture = _sprite(sprite, taking.intake, quiet=output.quiet)
    began = time.perf_counter()
    program = _convert(picture, converting, quiet=output.quiet)
    seconds = time.perf_counter() - began
    comparison = _proven(program, picture, sprite)
    if target is not None:
        write_atomically(target, to_text(program))
    elif not output.as_json:
        click.echo(to_text(program), nl=False)
        return Exit.OK
    facts = [*_facts(program, comparison), ("seconds", round(seconds, 3))]
    if target is None:
        facts.append(("instructions", to_text(program)))
    _report(str(target), "convert", sprite, program, facts, as_json=output.as_json)
    return Exit.OK


@tetris.command()
@click.argument("file")
@click.argument("out")
@_drawing
@options.output
def play(
    file: str,
    out: str,
    drawing: _Drawing,
    output: options.OutputFlags,
) -> int:
    """Play an instruction FILE and show the game.

    The field is 21 x 42. OUT is a .gif, .apng or .mp4 (a film), a .png (the final field), or a
    folder, with a slash at its end, for numbered frames. Every move is checked.
    """
    from twostep.models.families.tetris.picture import require_visible

    kind = _kind(out, drawing)
    options.keep_apart([file], out, drawing.moves)
    program = _program(file)
    require_visible(program.colours, drawing.background)
    with _naming(file):
        frames = _show(program, None, out, kind, drawing, output.quiet)
    facts = [*_facts(program), ("frames", frames)]
    _report(f"{out}: played", "play", file, program, facts, as_json=output.as_json)
    return Exit.OK


@tetris.command()
@click.argument("file")
@click.argument("sprite")
@_taking
@options.output
def check(file: str, sprite: str, taking: _Taking, output: options.OutputFlags) -> int:
    """Play an instruction FILE and compare with SPRITE.

    Exit code 0: exactly so; 20: something else; 2: a FILE that can't be played.
    """
    program = _program(file)
    picture = _sprite(sprite, taking.intake, quiet=output.quiet)
    with _naming(file):
        comparison = _played(program, picture)
    wrong = comparison.difference
    facts = [*_facts(program, comparison), ("valid", wrong is None), ("difference", wrong)]
    headline = f"{file} prints {sprite} exactly"
    if comparison.supports:
        headline = f"{file} prints {sprite}, with {_beside(comparison)}"
    if wrong is not None:
        headline = f"{file} prints something else than {sprite}: {wrong}"
    outcome = Outcome.FOUND if wrong is None else Outcome.NONE
    _report(headline, "check", file, program, facts, outcome, as_json=output.as_json)
    return EXIT_OF[outcome]


@dataclass(frozen=True, slots=True)
class _Searching:
    """Which patterns are searched for."""

    squares: int | None = options.flag(
        "--squares", type=options.Whole(1, 10), help="Search for patterns of so many squares."
    )
    height: int | None = options.flag(
        "--height", type=options.Whole(1, 12), help="Rows that they pack."
    )
    width: int | None = options.flag(
        "--width", type=options.Whole(3, 40), help="Columns of the field; default 21."
    )
    attempts: int | None = options.flag(
        "--attempts",
        type=options.Whole(min=1),
        help="Random tilings that are tried for a pattern. Default: until it is found, or proven"
        " to have none.",
    )

    @property
    def given(self) -> bool:
        """Whether there is anything to search for."""
        flags = (self.squares, self.height, self.width, self.attempts)
        return any(flag is not None for flag in flags)


_searching = options.group("searching", _Searching)


@tetris.command()
@click.option(
    "-o",
    "--output",
    "target",
    metavar="FILE",
    callback=options.named("the table of packings", ".txt", ""),
    help="Find all packings anew and write them.",
)
@click.option(
    "--seed",
    type=options.Whole(min=0),
    default=DEFAULT_SEED,
    show_default=True,
    help="Of the search, with -o; the default makes the file that comes with Twostep.",
)
@_searching
@options.output
def patterns(
    target: str | None, seed: int, searching: _Searching, output: options.OutputFlags
) -> int:
    """Show the table of patterns, or find it anew.

    With -o all packings are found from nothing, in under a minute. With --squares and --height
    other patterns are searched for, and are written to -o.
    """
    if searching.given:
        return _search_patterns(searching, target, seed, output)
    from twostep.models.families.tetris.patterns import (
        PLATFORM_STARTS,
        all_bars,
        find_table,
        summaries,
        table,
        to_text,
    )

    if target is None:
        found = table()
    else:
        total = sum(1 for _ in all_bars()) + len(PLATFORM_STARTS)
        with bar("patterns", total, quiet=output.quiet) as watch:
            found = find_table(seed, watch)
        write_atomically(target, to_text(found))
    lines = summaries(found)
    if output.as_json:
        listed = [
            {"squares": s.squares, "rows": s.rows, "pieces": s.pieces, "patterns": s.patterns}
            for s in lines
        ]
        facts = [
            ("table", listed),
            ("patterns", len(found.patterns)),
            ("platforms", sorted(found.platforms)),
        ]
        answer = Answer("patterns", "tetris patterns", Outcome.FOUND, None, True, facts=facts)
        click.echo(answer.as_json())
        return Exit.OK
    click.echo("squares  rows  pieces  patterns")
    for line in lines:
        click.echo(f"{line.squares:7}  {line.rows:4}  {line.pieces:6}  {line.patterns:8}")
    starts = ", ".join(str(start) for start in sorted(found.platforms))
    click.echo(f"{len(found.patterns)} patterns; {len(found.platforms)} platforms, from {starts}")
    return Exit.OK


def _search_patterns(
    searching: _Searching, target: str | None, seed: int, output: options.OutputFlags
) -> int:
    """Search for patterns of one's own; exit code 20 if there is none at all."""
    from twostep.models.families.tetris.patterns import Search, search
    from twostep.models.families.tetris.pieces import WIDTH
    from twostep.models.families.tetris.printfile import block_text

    if searching.squares is None or searching.height is None:
        raise click.UsageError("patterns are searched for by --squares and --height: give both")
    width = searching.width or WIDTH
    what = Search(searching.squares, searching.height, width, searching.attempts)
    what.check()
    blocks, total = [], 0
    with bar("patterns", None, quiet=output.quiet) as watch:
        for _, pieces in search(what, seed):
            total += 1
            watch(total)
            if pieces is not None:
                blocks.append(block_text(pieces, what.rows, width=width))
    if target is not None:
        write_atomically(target, "\n\n".join(blocks) + "\n")
    complete = what.attempts is None or len(blocks) == total
    outcome = Outcome.FOUND if blocks else Outcome.NONE if complete else Outcome.UNKNOWN
    if output.as_json:
        facts = [
            ("squares", what.squares), ("rows", what.rows), ("width", width),
            ("patterns", total), ("packed", len(blocks)),
        ]  # fmt: skip
        answer = Answer("patterns", "tetris patterns", outcome, None, complete, facts=facts)
        click.echo(answer.as_json())
        return EXIT_OF[outcome]
    others = "the others have none"
    if not complete:
        others = f"the others were not found in {counted(what.attempts or 0, 'attempt')}"
    ending = "" if len(blocks) == total else f"; {others}"
    each = counted((width * what.rows + what.squares) // 4, "piece")
    click.echo(
        f"packed in {width} x {what.rows}, {each} each: {len(blocks)} of"
        f" {counted(total, 'pattern')} of {counted(what.squares, 'square')}{ending}"
    )
    return EXIT_OF[outcome]


def _kind(out: str, drawing: _Drawing) -> str:
    """``gif``, ``apng``, ``mp4``, ``png`` or ``frames``; checked before any work is done."""
    frames = out.endswith(("/", os.sep)) or Path(out).is_dir()
    if frames:
        from twostep.models.families.tetris.film import require_new_folder

        require_new_folder(out)
    kind = "frames" if frames else _kind_of_file(out)
    if drawing.bare and kind != "png":
        raise click.UsageError("--bare: only a .png is the picture alone")
    if drawing.every is not None and kind == "png":
        raise click.UsageError("--every: a .png has no frames, it shows the end; an .apng moves")
    if drawing.console and drawing.bare:
        raise click.UsageError("--console and --bare: give one of them")
    return kind


def _kind_of_file(out: str) -> str:
    from twostep.models.families.tetris.film import FILMS, require_mp4

    suffix = Path(out).suffix.lower()
    if suffix not in (*FILMS, ".png"):
        raise InputError(
            "expected a name that ends in .gif, .apng, .mp4 or .png, or a folder for frames:"
            f" {out.rstrip('/')}-frames/ (with the slash)",
            source=out,
        )
    if suffix == ".mp4":
        require_mp4(out)
    require_writable(out)
    return suffix[1:]


def _sprite(path: str, how: Intake, *, quiet: bool) -> Sprite:
    """An image file or, where there is none of that name, a sprite of our own."""
    from twostep.models.families.tetris.sprite import own_sprites, read_own_sprite, read_sprite

    if path == STANDARD_INPUT or os.path.exists(path):
        sprite = read_sprite(path, how)
    elif path in own_sprites():
        sprite = read_own_sprite(path, how)
    else:
        known = did_you_mean(path, own_sprites())
        raise InputError(f"there is no such file, and no sprite of ours{known}", source=path)
    if not quiet:
        for note in sprite.notes:
            click.echo(f"twostep: note: {source_name(path)}: {note}", err=True)
    return sprite


def _program(path: str) -> Program:
    from twostep.models.families.tetris.printfile import from_text

    with _naming(path):
        return from_text(read_text(path, SMALL))


@contextlib.contextmanager
def _naming(path: str) -> Iterator[None]:
    """Names the file in errors that don't name one."""
    try:
        yield
    except InputError as error:
        raise error.at(path) from None


def _convert(sprite: Sprite, how: _Converting, *, quiet: bool) -> Program:
    from twostep.compare.parallel.pool import results_in_order
    from twostep.models.families.tetris.convert import EFFORTS, converted
    from twostep.models.families.tetris.patterns import table

    if how.table_only:
        given = options.those_given(
            effort=how.effort, time_limit=how.time_limit, workers=how.workers
        )
        if given:
            raise click.UsageError(f"{given[0]}: of the real-time search, without --table-only")
    workers = how.workers or 1
    spread = None if workers == 1 else partial(results_in_order, workers=workers)
    with bar("rows", sprite.height, quiet=quiet) as watch:
        found = converted(
            sprite,
            table(),
            rng=None if how.table_only else random.Random(how.seed),
            effort=EFFORTS[how.effort or "normal"],
            seconds=how.time_limit,
            spread=spread,
            watch=watch,
        )
    if found.cut and not quiet:
        rows = counted(found.cut, "row was", "rows were")
        click.echo(f"twostep: note: time limit: {rows} printed from the table", err=True)
    return found.program


def _played(program: Program, sprite: Sprite) -> Comparison:
    from twostep.models.families.tetris.field import Game, compare

    game = Game(program)
    for _ in game.play():
        pass
    return compare(game.field, program, sprite)


def _proven(program: Program, sprite: Sprite, path: str) -> Comparison:
    """The comparison after a conversion, which has to be exact."""
    comparison = _played(program, sprite)
    if comparison.difference is not None:
        raise EngineFault(f"{path}: converted wrongly: {comparison.difference}")
    return comparison


def _show(
    program: Program, sprite: Sprite | None, out: str, kind: str, drawing: _Drawing, quiet: bool
) -> int:
    """Write OUT and the moves; gives the number of frames."""
    from twostep.models.drawing.pixels import png_bytes
    from twostep.models.families.tetris import film, picture
    from twostep.models.families.tetris.field import Game
    from twostep.models.families.tetris.moves import moves_of, to_json, to_text

    game = Game(program)
    drops = list(game.play())
    frames = 1
    if kind == "png":
        if drawing.bare:
            size = (sprite.width, sprite.height) if sprite else picture.extent(game.field)
            bare = picture.bare(game.field, program, *size, drawing.background)
            content = png_bytes(bare)
        else:
            lines = sum(len(drop.full) for drop in drops)
            content = picture.field_png(game.field, program, drawing.look, lines)
        write_atomically(out, content)
    else:
        style = _style(program.pieces, kind, drawing, quiet)
        write = film.write_frames if kind == "frames" else film.write_film
        with bar("frames", None, quiet=quiet) as watch:
            frames = write(out, film.Stage([[film.Shown(program, drops)]], style), watch)
    if drawing.moves is not None:
        as_text = to_json if drawing.moves.lower().endswith(".json") else to_text
        write_atomically(drawing.moves, as_text(moves_of(drops)))
    return frames


def _numbered(path: str, row: int, column: int) -> str:
    """A file's name for a tile, both counted from 1."""
    name = Path(path)
    return str(name.with_name(f"{name.stem}-{row + 1}-{column + 1}{name.suffix}"))


def _cut(path: str, how: Intake, grid: tuple[int, int] | None, quiet: bool) -> Grid:
    """An image in tiles; its notes are told."""
    from twostep.models.families.tetris.sprite import MAX_HEIGHT, MAX_WIDTH, read_large
    from twostep.models.families.tetris.tiles import cut, limits

    asked = grid or ((2, 2) if how.fit else (4, 4))
    with _naming(source_name(path)):
        taken = read_large(path, how, *limits(*asked))
        if not quiet:
            for note in taken.notes:
                click.echo(f"twostep: note: {source_name(path)}: {note}", err=True)
        high, wide = taken.pixels.shape[:2]
        columns, rows = grid or (-(-wide // MAX_WIDTH), -(-high // MAX_HEIGHT))
        return cut(taken.pixels, columns, rows)


def _show_tiles(
    games: list[list[Shown | None]],
    printed: list[list[Image | None]],
    out: str,
    kind: str,
    drawing: _Drawing,
    quiet: bool,
) -> int:
    """Write OUT for tiles; gives the number of frames."""
    from twostep.models.drawing.pixels import png_bytes
    from twostep.models.families.tetris import film
    from twostep.models.families.tetris.picture import image, together

    shown = [game for row in games for game in row if game is not None]
    longest = max(len(game.drops) for game in shown)
    fields = len(games) * len(games[0])
    stage = film.Stage(games, _style(longest, kind, drawing, quiet, fields))
    if drawing.bare:
        write_atomically(out, png_bytes(together(printed, drawing.background)))
        return 1
    if kind == "png":
        *_, last = stage.frames()
        write_atomically(out, png_bytes(image(last.pixels, stage.colours)))
        return 1
    write = film.write_frames if kind == "frames" else film.write_film
    with bar("frames", None, quiet=quiet) as watch:
        return write(out, stage, watch)


def _style(pieces: int, kind: str, drawing: _Drawing, quiet: bool, fields: int = 1) -> Style:
    """How a game of so many pieces is shown: thinned where it is long, with a note."""
    from twostep.models.families.tetris import film

    every = drawing.every or film.suggested_every(pieces)
    if (
        kind in ("gif", "apng")
        and (least := film.least_every(pieces, drawing.look, fields)) > every
    ):
        if drawing.every is not None and not quiet:
            click.echo(
                f"twostep: note: so many frames are too many for a .{kind}: every {least}th piece"
                " is shown in full; an .mp4 or a folder of frames takes all",
                err=True,
            )
        every = least
    return film.Style(drawing.look, drawing.fps, every)


def _how(comparison: Comparison) -> str:
    """What to say of a picture that was printed."""
    return f"printed, with {_beside(comparison)}" if comparison.supports else "printed exactly"


def _beside(comparison: Comparison) -> str:
    return f"{counted(comparison.supports, 'square')} beside the picture"


def _facts(program: Program, comparison: Comparison | None = None) -> list[tuple[str, Any]]:
    facts: list[tuple[str, Any]] = [
        ("pieces", program.pieces),
        ("passes", program.passes),
        ("platforms", program.platforms),
    ]
    if comparison is not None:
        facts.append(("supports", comparison.supports))
    return facts


def _report(
    headline: str,
    verb: str,
    asked: str,
    program: Program,
    facts: list[tuple[str, Any]],
    outcome: Outcome = Outcome.FOUND,
    *,
    as_json: bool,
) -> None:
    """One line, or one JSON object, about what was done."""
    if as_json:
        click.echo(Answer(asked, f"tetris {verb}", outcome, None, True, facts=facts).as_json())
        return
    passes = counted(program.passes, "pass", "passes")
    platforms = counted(program.platforms, "platform")
    click.echo(f"{headline} ({program.pieces:,} pieces, {passes}, {platforms})")
    if supports := dict(facts).get("supports"):
        rows = counted(
            supports, "row without an opaque pixel has", "rows without an opaque pixel have"
        )
        click.echo(f"{rows} a square in the margin, to hold what is above")
