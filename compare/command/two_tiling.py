"""The verb two-tiling: the contest's input answered; its outputs checked; the table of areas."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from twostep.compare.command.shared import options
from twostep.compare.command.shared.disagreement import save
from twostep.compare.command.shared.exits import Exit
from twostep.compare.command.shared.output import EXIT_OF, Outcome, statistics
from twostep.compare.command.shared.output import Answer as Printed
from twostep.compare.command.shared.progress import announce_compilation, bar
from twostep.compare.parallel.pairs import Question, Report, reports, totals
from twostep.compare.registry import engine_names
from twostep.models.errors import InputError, nearest
from twostep.models.families.two_tiling import check as checking
from twostep.models.families.two_tiling.contest import (
    Case,
    all_cases,
    format_answer,
    format_cases,
    grids,
    parse_cases,
)
from twostep.models.families.two_tiling.cover import MAX_SIDE, Pair
from twostep.models.families.two_tiling.family import TwoTiling, parse_pair
from twostep.models.families.two_tiling.regions import Verdict
from twostep.models.families.two_tiling.table import AreaTable
from twostep.models.families.two_tiling.tiles import BOARD, all_tiles
from twostep.models.reading.files import (
    SMALL,
    STANDARD_INPUT,
    read_text,
    source_name,
    write_atomically,
)
from twostep.models.words import counted

_PAIRS_ON_A_SHEET = 600
"""Of more, a sheet would be too large to look at."""


class _DefaultFirst(click.Group):
    """A group whose first command needs no name: what is no other command is its argument."""

    default = "answer"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        asks_for_help = args[:1] in (["-h"], ["--help"])
        if not asks_for_help and (not args or args[0] not in self.commands):
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        return ("" if name == self.default else name), command, rest

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage(ctx.command_path, "[FILE | TILE,TILE] [FLAGS]")
        for name, command in self.commands.items():
            if name != self.default:
                usage = " ".join(command.collect_usage_pieces(ctx))
                formatter.write_usage(ctx.command_path, f"{name} {usage}", prefix="       ")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.commands[self.default].format_options(ctx, formatter)
        others = [(n, c.get_short_help_str(80)) for n, c in self.commands.items()]
        with formatter.section("Besides"):
            formatter.write_dl([row for row in others if row[0] != self.default])


@click.group(cls=_DefaultFirst)
def two_tiling() -> None:
    """Find a region that two given tiles both tile, or prove that there is none.

    FILE is an input of the contest (Google Code Jam 2018, World Finals, "Two-Tiling"); without
    one, standard input is read. The answers are printed in the contest's output format. Instead
    of a file, two tiles can be named or drawn: U5,L4 or ##./.##,###/#.#. Limits hold for each
    pair and engine; a pair that a limit leaves open is UNKNOWN. Places are row, column from 1.
    """


def _board(command: options.Command) -> options.Command:
    return click.option(
        "--board",
        "side",
        metavar="N",
        type=options.Whole(1, MAX_SIDE),
        default=BOARD,
        show_default=True,
        help="The region must lie on a board of N x N.",
    )(command)


def _workers(command: options.Command) -> options.Command:
    return click.option(
        "--workers",
        type=options.Whole(min=1),
        default=1,
        show_default=True,
        help="Processes; each takes one pair after the other.",
    )(command)


@two_tiling.command()
@click.argument("source", metavar="[FILE | TILE,TILE]", default=STANDARD_INPUT)
@click.option("--smallest", is_flag=True, help="The region of the fewest cells, proven.")
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="With --smallest: all smallest regions, turned and mirrored copies left out.",
)
@click.option(
    "--max-area",
    "most",
    type=options.Whole(1, MAX_SIDE**2),
    metavar="N",
    help="With --smallest: of at most N cells, or the proof that no region is that small.",
)
@click.option(
    "--draw",
    "folder",
    metavar="DIR",
    help="Write a PNG for each pair, and one of all of them, into this folder.",
)
@_board
@options.backend()
@_workers
@options.limits
@options.seed
@options.output
def answer(
    source: str,
    smallest: bool,
    every: bool,
    most: int | None,
    folder: str | None,
    side: int,
    backend: str,
    workers: int,
    limited: options.LimitFlags,
    seed: int,
    output: options.OutputFlags,
) -> int:
    """Answer the cases of an input; limits hold for each case and engine."""
    if (every or most is not None) and not smallest:
        raise click.UsageError(f"{'--all' if every else '--max-area'} needs --smallest")
    cases, name = _read_cases(source)
    if folder is not None:
        _make_folder(folder)
    question = Question(engine_names(backend), smallest, side, limited.limits, seed, most, every)

    def show(report: Report) -> None:
        if not output.as_json:
            click.echo(_answer_text(report, question), nl=False)
        if output.quiet or not report.answers:
            return
        if report.verdict is Verdict.UNKNOWN:
            click.echo(f"twostep: {report.what_is_known(smallest)}", err=True)
        elif every and report.region is not None:
            click.echo(f"twostep: {report.how_many()}", err=True)

    found = _ask_all(question, cases, workers, quiet=output.quiet, show=show)
    if folder is not None:
        _draw(folder, found, side, quiet=output.quiet)
    if output.as_json:
        click.echo(_as_json(name, "two-tiling", found, side))
    else:
        statistics(totals(found), quiet=output.quiet)
        possible = sum(report.verdict is Verdict.POSSIBLE for report in found)
        impossible = sum(report.verdict is Verdict.IMPOSSIBLE for report in found)
        if not output.quiet and len(found) > 1:
            unknown = len(found) - possible - impossible
            click.echo(
                f"{possible} possible, {impossible} impossible"
                + (f", {unknown} unknown" if unknown else ""),
                err=True,
            )
    return _exit_code(found)


def _answer_text(report: Report, question: Question) -> str:
    """A case as it is printed: the contest's lines, and below them all further regions."""
    side = question.side
    if report.verdict is Verdict.IMPOSSIBLE and question.most is not None:
        # No answer of the contest: larger regions were not asked for.
        return f"Case #{report.case.number}: NONE of at most {counted(question.most, 'cell')}\n"
    lines = format_answer(report.case.number, report.verdict, report.region, side, side)
    for region in report.others:
        further = format_answer(report.case.number, Verdict.POSSIBLE, region, side, side)
        lines += "\n" + further.partition("\n")[2]
    return lines


@two_tiling.command()
@click.argument("input_file", metavar="INPUT")
@click.argument("output_file", metavar="OUTPUT")
@click.option("--against", metavar="FILE", help="Another output: the verdicts must be the same.")
@click.option(
    "--regions-only",
    is_flag=True,
    help="Run no engine: IMPOSSIBLE stays unjudged, with exit code 30 if nothing else is wrong.",
)
@_board
@options.backend()
@_workers
@options.limits
@options.as_json
@click.option("--quiet", is_flag=True, help="Print nothing if all is right.")
def check(
    input_file: str,
    output_file: str,
    against: str | None,
    regions_only: bool,
    side: int,
    backend: str,
    workers: int,
    limited: options.LimitFlags,
    as_json: bool,
    quiet: bool,
) -> int:
    """Check an output: every region is tiled exactly by both tiles, every IMPOSSIBLE is true.

    One of the files may be "-", standard input. Exit code 0: all is right; 20: an answer is
    wrong; 30: none is, but an IMPOSSIBLE was not judged; 2: a file that can't be read.
    """
    if [input_file, output_file, against].count(STANDARD_INPUT) > 1:
        raise click.UsageError("only one file can be standard input (-)")
    cases = parse_cases(read_text(input_file, SMALL), source_name(input_file))
    output_name = source_name(output_file)
    outputs = checking.parse_output(read_text(output_file, SMALL), output_name, side, side)
    wrong = checking.faults(cases, outputs)
    if against is not None:
        name = source_name(against)
        others = checking.parse_output(read_text(against, SMALL), name, side, side)
        wrong += checking.different_verdicts(outputs, others)
    claimed = {
        output.number: output.line
        for output in outputs[: len(cases)]
        if output.verdict is Verdict.IMPOSSIBLE
    }
    open_cases = sorted(claimed)
    if not regions_only:
        question = Question(engine_names(backend), False, side, limited.limits, 0)
        asked = [case for case in cases if case.number in claimed]
        found = _ask_all(question, asked, workers, quiet=quiet, show=lambda report: None)
        wrong += [
            checking.Fault(
                report.case.number,
                claimed[report.case.number],
                "IMPOSSIBLE, but there is a region; see"
                f" twostep two-tiling {report.case.names}{f' --board {side}' * (side != BOARD)}",
            )
            for report in found
            if report.region is not None
        ]
        open_cases = [
            report.case.number
            for report in found
            if report.verdict is Verdict.UNKNOWN and report.region is None
        ]
    wrong.sort(key=lambda fault: (fault.case, fault.line))
    return _tell_checked(
        output_name, outputs, wrong, open_cases, against, as_json=as_json, quiet=quiet
    )


def _tell_checked(
    name: str,
    outputs: Sequence[checking.Output],
    wrong: Sequence[checking.Fault],
    open_cases: Sequence[int],
    against: str | None,
    *,
    as_json: bool,
    quiet: bool,
) -> Exit:
    """Print what a check found; `open_cases`: the numbers of those not judged."""
    possible = sum(output.verdict is Verdict.POSSIBLE for output in outputs)
    impossible = sum(output.verdict is Verdict.IMPOSSIBLE for output in outputs)
    outcome = Outcome.NONE if wrong else Outcome.UNKNOWN if open_cases else Outcome.FOUND
    if as_json:
        facts = [
            ("valid", outcome is Outcome.FOUND),
            ("possible", possible),
            ("impossible", impossible),
            ("unknown", len(outputs) - possible - impossible),
            ("not_judged", list(open_cases)),
            ("findings", [{"case": f.case, "line": f.line, "message": f.reason} for f in wrong]),
        ]
        complete = not open_cases
        answer = Printed(name, "two-tiling check", outcome, None, complete, facts=facts)
        click.echo(answer.as_json())
        return EXIT_OF[outcome]
    for fault in wrong:
        click.echo(f"{name}:{fault.line}: {fault}")
    if wrong:
        click.echo(f"not valid: {counted(len(wrong), 'wrong answer')}")
    if open_cases:
        shown = ", ".join(map(str, open_cases[:5])) + (", ..." if len(open_cases) > 5 else "")
        click.echo(
            f"not judged: {counted(len(open_cases), 'IMPOSSIBLE', 'IMPOSSIBLE')}"
            f" ({'case' if len(open_cases) == 1 else 'cases'} {shown})"
            + ("" if wrong or len(open_cases) == len(outputs) else "; all other answers are right")
        )
    elif not wrong and not quiet:
        same = "" if against is None else f"; the verdicts are those of {source_name(against)}"
        click.echo(
            f"valid: {counted(len(outputs), 'case')}, {possible} possible,"
            f" {impossible} impossible{same}"
        )
    return EXIT_OF[outcome]


@two_tiling.command()
@click.option(
    "--csv",
    "csv_file",
    metavar="FILE",
    callback=options.named("the table", ".csv"),
    help="Write the table as CSV, too.",
)
@click.option(
    "--draw",
    "picture_file",
    metavar="FILE.png",
    callback=options.named("a picture", ".png"),
    help="Write the table as a PNG, too.",
)
@_board
@options.backend()
@_workers
@options.limits
@options.output
def table(
    csv_file: str | None,
    picture_file: str | None,
    side: int,
    backend: str,
    workers: int,
    limited: options.LimitFlags,
    output: options.OutputFlags,
) -> int:
    """Print the smallest areas of the 35 tiles, each against each; '.': impossible."""
    options.keep_apart([], csv_file, picture_file)
    question = Question(engine_names(backend), True, side, limited.limits, 0)
    found = _ask_all(question, all_cases(), workers, quiet=output.quiet, show=lambda report: None)
    areas = AreaTable.of(
        all_tiles(),
        {
            (report.case.first, report.case.second): (
                None if report.verdict is Verdict.UNKNOWN else report.area
            )
            for report in found
        },
    )
    if csv_file is not None:
        write_atomically(csv_file, areas.as_csv())
    if picture_file is not None:
        from twostep.models.families.two_tiling.picture import draw_table

        write_atomically(picture_file, draw_table(areas))
    if output.as_json:
        click.echo(_as_json("the 595 pairs", "two-tiling table", found, side))
    else:
        click.echo(areas.as_text())
        statistics(totals(found), quiet=output.quiet)
    return _exit_code(found)


@two_tiling.command()
def cases() -> int:
    """Print the contest's input: all 595 pairs of the 35 tiles, made here."""
    click.echo(format_cases(all_cases()), nl=False)
    return Exit.OK


def _ask_all(
    question: Question,
    cases: Sequence[Case],
    workers: int,
    *,
    quiet: bool,
    show: Callable[[Report], None],
) -> list[Report]:
    """Ask about all cases; `show` gets each report in order, as soon as it can."""
    if workers == 1:
        announce_compilation(quiet=quiet)
    found: list[Report] = []
    # No bar over the answers, where those go to the terminal too.
    with bar("pairs", len(cases), quiet=quiet or sys.stdout.isatty()) as tell:
        for report in reports(question, cases, workers):
            found.append(report)
            show(report)
            tell(len(found))
    contradictions = [
        (report.case, reason)
        for report in found
        if (reason := report.contradiction(question.smallest)) is not None
    ]
    for case, reason in contradictions:
        _complain(case, reason, question.side)
    if contradictions:
        raise _Disagreement
    return found


class _Disagreement(click.exceptions.Exit):
    """Ends the command; the lines about it are written."""

    def __init__(self) -> None:
        super().__init__(Exit.DISAGREE)


def _complain(case: Case, contradiction: str, side: int) -> None:
    pair = Pair(case.first, case.second, side, side)
    path = save(TwoTiling(f"two-tiling:{case.names}:{side}", pair))
    click.echo(
        f"twostep: case {case.number} ({case.names}): the engines disagree ({contradiction});"
        f" the model is saved in {path}",
        err=True,
    )


def _read_cases(source: str) -> tuple[list[Case], str]:
    """The cases, and what to call them."""
    if source == STANDARD_INPUT:
        name = source_name(source)
        return parse_cases(read_text(source, SMALL), name), name
    if "," in source and not os.path.exists(source):
        pair = parse_pair(source)
        return [Case(1, pair.first, pair.second)], f"two-tiling:{source}"
    if not os.path.exists(source):
        near = nearest(source, two_tiling.commands)
        known = "two tiles are named as in U5,L4" if near is None else f"did you mean {near!r}?"
        raise InputError(f"there is no such file; {known}", source=source)
    return parse_cases(read_text(source, SMALL), source), source


def _make_folder(folder: str) -> None:
    """Make the folder for pictures, before any search."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"the folder cannot be made: {reason}", source=folder) from None


def _draw(folder: str, found: Sequence[Report], side: int, *, quiet: bool) -> None:
    from twostep.models.families.two_tiling.picture import Answered, draw_pair, draw_sheet

    answered = [
        Answered(
            report.case.number,
            Pair(report.case.first, report.case.second, side, side),
            report.verdict,
            report.region,
        )
        for report in found
    ]
    digits = len(str(len(answered)))
    with bar("pictures", len(answered), quiet=quiet or sys.stdout.isatty()) as tell:
        for done, each in enumerate(answered, 1):
            tiles = f"{_file_name(each.pair.first.name)}-{_file_name(each.pair.second.name)}"
            write_atomically(Path(folder, f"{each.number:0{digits}}-{tiles}.png"), draw_pair(each))
            tell(done)
    for page, begin in enumerate(range(0, len(answered), _PAIRS_ON_A_SHEET), 1):
        sheet = Path(folder, "all.png" if page == 1 else f"all-{page}.png")
        write_atomically(sheet, draw_sheet(answered[begin : begin + _PAIRS_ON_A_SHEET]))
    if not quiet:
        click.echo(
            f"{counted(len(answered), 'picture')} and the sheet all.png in {folder}", err=True
        )


def _file_name(tile: str) -> str:
    """A tile's name without characters that mean something to a file system."""
    return tile.replace("/", "_").replace("#", "o").replace(".", "x")


def _as_json(name: str, verb: str, found: Sequence[Report], side: int) -> str:
    unknown = sum(report.verdict is Verdict.UNKNOWN for report in found)
    possible = sum(report.verdict is Verdict.POSSIBLE for report in found)
    facts: list[tuple[str, Any]] = [
        ("possible", possible),
        ("impossible", len(found) - possible - unknown),
        ("unknown", unknown),
        ("cases", [_case_as_json(report, side) for report in found]),
    ]
    return Printed(
        puzzle=name,
        verb=verb,
        outcome=Outcome.UNKNOWN if unknown else Outcome.FOUND if possible else Outcome.NONE,
        count=possible,
        complete=not unknown,
        stopped_by=next((r.stopped for r in found if r.verdict is Verdict.UNKNOWN), None),
        results=totals(found),
        facts=facts,
    ).as_json()


def _case_as_json(report: Report, side: int) -> dict[str, Any]:
    members: dict[str, Any] = {
        "case": report.case.number,
        "tiles": [report.case.first.name, report.case.second.name],
        "verdict": report.verdict.value.lower(),
        "area": report.area or None,
        "no_region_below": report.least,
    }
    if report.region is not None:
        members["tilings"] = list(grids(report.region, side, side))
    if report.others:
        members["others"] = [list(grids(region, side, side)) for region in report.others]
    return members


def _exit_code(found: Sequence[Report]) -> Exit:
    unknown = any(report.verdict is Verdict.UNKNOWN for report in found)
    return Exit.STOPPED if unknown else Exit.OK
