"""The verb generate: make a pack of levels."""

from __future__ import annotations

import json
from typing import Any

import click

from twostep.compare.command.shared import options
from twostep.compare.command.shared.engines import load
from twostep.compare.command.shared.exits import Exit
from twostep.compare.command.shared.levels import most_pieces
from twostep.compare.command.shared.output import Answer, Outcome
from twostep.compare.command.shared.progress import bar
from twostep.compare.registry import BOTH
from twostep.models.errors import InputError
from twostep.models.game.level import Pack
from twostep.models.game.levelfile import SHOWN, can_be_shown, pack_text, read_pack, write_pack
from twostep.models.reading.files import whole_number
from twostep.models.search.engine import StopReason
from twostep.models.words import counted


def span(_ctx: click.Context, _param: click.Parameter, value: str) -> tuple[int, int]:
    """Callback of a flag: a range of whole numbers such as ``3..12``, or one number."""
    low, dots, high = value.partition("..")
    least, most = whole_number(low), whole_number(high if dots else low)
    if least is None or most is None:
        raise click.BadParameter(f"expected a range such as 3..12, got {value!r}")
    return least, most


@click.command()
@click.option(
    "--count",
    type=options.Whole(min=1, max=10_000),
    default=10,
    show_default=True,
    help="How many levels.",
)
@click.option(
    "--pieces",
    callback=span,
    default="3..12",
    show_default=True,
    metavar="MIN..MAX",
    help="Pieces of the first and of the last level, 3 to 12.",
)
@click.option("--unique", is_flag=True, help="Each level has exactly one answer.")
@click.option(
    "--lock",
    type=click.Choice(["auto", "0", "1", "2"]),
    help="Pieces locked on each level; auto: the fewest that leave one answer."
    " Default: auto with --unique, else some levels have one or two. Two pieces at least are left"
    " to place.",
)
@click.option("--holes", is_flag=True, help="Each outline has a hole; else none has.")
@click.option("--symmetric", is_flag=True, help="Each outline has a symmetry.")
@click.option(
    "--not-in",
    "packs",
    multiple=True,
    metavar="FILE",
    help="Make no level whose outline is in that file; may be given several times.",
)
@click.option("--name", default="", help="The pack's name.")
@click.option("--author", default="", help="Who made it.")
@click.option(
    "-o",
    "--output",
    "path",
    metavar="FILE",
    callback=options.named("a pack of levels", ".json"),
    help="Write there; default: print.",
)
@click.option(
    "--seed",
    type=options.Whole(min=0, max=2**53 - 1),
    default=0,
    show_default=True,
    help="The same seed gives the same pack.",
)
@options.backend(BOTH)
@options.output
def generate(
    count: int,
    pieces: tuple[int, int],
    unique: bool,
    lock: str | None,
    holes: bool,
    symmetric: bool,
    packs: tuple[str, ...],
    name: str,
    author: str,
    path: str | None,
    seed: int,
    backend: str,
    output: options.OutputFlags,
) -> int:
    """Make a pack of pentomino levels, from easy to hard, each proven by the engines."""
    from twostep.compare.checking.proof import prove
    from twostep.compare.registry import DEFAULT, engine
    from twostep.compare.versions import engine_version
    from twostep.models.game.generator import Generator, Wishes

    lock_wish = int(lock) if lock is not None and lock.isdigit() else lock
    wishes = Wishes(count, *pieces, seed, unique, lock_wish, holes, symmetric)
    if not (can_be_shown(name) and can_be_shown(author)):
        raise InputError(f"--name and --author: {SHOWN}")
    options.keep_apart(packs, path)
    avoid = {level.outline_key for file in packs for level in read_pack(file).levels}
    engines = load(backend, quiet=output.quiet)
    versions = [engine_version(each.name) for each in engines]
    generator = Generator(
        wishes, engine(DEFAULT), avoid, lambda level: prove(level, engines, versions)
    )
    code = Exit.OK
    try:
        with bar("generate", count, quiet=output.quiet) as show:
            for done, _ in enumerate(generator, 1):
                show(done)
    except KeyboardInterrupt:
        code = Exit.STOPPED
    levels = generator.pack()
    if code is Exit.STOPPED:
        click.echo(f"twostep: interrupted: {len(levels)} of {count} levels are done", err=True)
    pack = Pack(levels, name, author)
    if path is not None and levels:
        write_pack(path, pack)
    if output.as_json:
        click.echo(_generate_json(pack, path, stopped=code is Exit.STOPPED))
    elif levels and path is None:
        click.echo(pack_text(pack), nl=False)
    elif levels and not output.quiet:
        locked = sum(bool(level.locks) for level in levels)
        click.echo(
            f"{path}: {counted(len(levels), 'level')}, {locked} with locked pieces", err=True
        )
    return code


def _generate_json(pack: Pack, path: str | None, *, stopped: bool) -> str:
    levels = [
        {
            "number": number,
            "pieces": most_pieces(level),
            "locked": len(level.locks),
            "grade": level.grade,
            "count": None if level.proof is None else level.proof.solutions,
            "complete": level.proof is not None and level.proof.complete,
        }
        for number, level in enumerate(pack.levels, 1)
    ]
    facts: list[tuple[str, Any]] = [("levels", levels)]
    if path is not None:
        facts.append(("pack_file", path if levels else None))
    elif levels:
        facts.append(("pack", json.loads(pack_text(pack))))
    return Answer(
        pack.name,
        "generate",
        Outcome.FOUND if levels else Outcome.UNKNOWN,
        None,
        not stopped,
        StopReason.CANCELLED if stopped else None,
        facts=facts,
    ).as_json()
