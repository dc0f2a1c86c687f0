"""The ``twostep`` command: the list of its verbs, and the one place where errors become text.

Nothing heavy is imported before a verb runs, so that ``twostep --help`` answers at once.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Sequence
from pkgutil import resolve_name

import click

from twostep.compare.command.shared import streams
from twostep.compare.command.shared.deadline import OutOfTime
from twostep.compare.command.shared.exits import Exit
from twostep.compare.ctrl_c import CTRL_C
from twostep.models.errors import EngineFault, TwostepError, did_you_mean

VERBS: dict[str, tuple[str, str]] = {
    "solve": ("twostep.compare.command.solve:solve", "print solutions as boards"),
    "count": ("twostep.compare.command.count:count", "how many solutions; never lists them"),
    "unique": ("twostep.compare.command.unique:unique", "is there exactly one solution?"),
    "best": ("twostep.compare.command.best:best", "the cheapest solutions, proven"),
    "compare": ("twostep.compare.command.compare:compare", "do the engines find the same set?"),
    "bench": ("twostep.compare.command.bench:bench", "measure, against public packages too"),
    "convert": ("twostep.compare.command.convert:convert", "write the model to another format"),
    "split": ("twostep.compare.command.parts:split", "cut a search into disjoint parts"),
    "part": ("twostep.compare.command.parts:part", "search one part"),
    "merge": ("twostep.compare.command.parts:merge", "add up the parts, proven whole"),
    "tetris": ("twostep.compare.command.tetris:tetris", "print a sprite with Tetris"),
    "two-tiling": (
        "twostep.compare.command.two_tiling:two_tiling",
        "two tiles, one region: find it, or none",
    ),
    "certify": ("twostep.compare.command.certify:certify", "prove how many solutions there are"),
    "verify": (
        "twostep.compare.command.verify:verify",
        "check a certificate or a filling, with no engine",
    ),
    "generate": ("twostep.compare.command.generate:generate", "make a pack of levels"),
    "check": ("twostep.compare.command.check:check", "check levels, for a game's own tests"),
    "hint": ("twostep.compare.command.hint:hint", "the next piece, or which to take back"),
    "explain": ("twostep.compare.command.explain:explain", "why a level has no answer, or several"),
    "draw": ("twostep.compare.command.draw:draw", "levels and solutions as pictures"),
    "puzzles": ("twostep.compare.command.puzzles:puzzles", "list what can be solved"),
    "maze": ("twostep.compare.command.maze:maze", "make a maze, or check one"),
}
"""Verb -> ``module:function`` and its line in ``twostep --help``."""


class _Verbs(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        command: click.Command = resolve_name(VERBS[cmd_name][0])
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            ctx.fail(f"no verb {args[0]!r}{did_you_mean(args[0], VERBS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl([(verb, summary) for verb, (_, summary) in VERBS.items()])
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(int(code)), code.meaning) for code in Exit])


def _show_version(ctx: click.Context, _param: click.Parameter, asked: bool) -> None:
    if asked:
        from twostep.compare.versions import release

        click.echo(f"twostep, version {release()}")
        ctx.exit()


@click.group(
    cls=_Verbs,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="`twostep puzzles` lists the puzzles; `twostep VERB --help` a verb's flags.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
def twostep() -> None:
    """One exact-cover model, two engines, one answer you can check."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command; gives the exit code. Errors are one line on standard error."""
    try:
        CTRL_C.release()
        code = twostep.main(args=arguments, prog_name="twostep", standalone_mode=False)
        sys.stdout.flush()
        return int(code or 0)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return Exit.USAGE
    except click.UsageError as error:
        where = " ".join(error.ctx.command_path.split()) if error.ctx else "twostep"
        return _complain(f"{error.format_message()} (see: {where} --help)", Exit.USAGE)
    except click.ClickException as error:
        return _complain(error.format_message(), Exit.USAGE)
    except EngineFault as error:
        return _complain(f"{error}{_saved(error)}", Exit.DISAGREE)
    except TwostepError as error:
        return _complain(str(error), Exit.USAGE)
    except OutOfTime:
        return _complain("stopped (time), before the search could begin", Exit.STOPPED)
    except (KeyboardInterrupt, click.Abort):
        return _complain("interrupted", Exit.STOPPED)
    except ImportError:
        # A compiled package that Ctrl-C met while it was loading says that it can't be loaded.
        if not CTRL_C.pressed:
            raise
        return _complain("interrupted", Exit.STOPPED)
    except streams.CannotWrite as error:
        streams.write_no_more()
        return Exit.OK if error.reader_gone else _complain(str(error), Exit.USAGE)


def _saved(error: EngineFault) -> str:
    """Save the model that an engine failed on; gives the tail of the error line."""
    if error.model is None:
        return ""
    from twostep.compare.command.shared.disagreement import save_model

    return save_model(error.model)


def _complain(message: str, code: Exit) -> int:
    # In one line, but with all blanks of what is quoted.
    line = " ".join(part.strip() for part in message.splitlines())
    click.echo(f"twostep: {line}", err=True)
    return code


def main() -> None:
    """Be the process of the command."""
    streams.prepare()
    code = run()
    if CTRL_C.pressed or threading.active_count() > 1:
        # A solver that doesn't listen, a cluster that is closing, a package that Ctrl-C has left
        # half loaded: the answer is out, and none of them may hold up the end, or break it.
        with contextlib.suppress(OSError, streams.CannotWrite):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)
    sys.exit(code)
