"""The verb check: many puzzles on both engines, for a game's own tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from twostep.compare.checking.entries import Entry, read_entries
from twostep.compare.checking.junit import junit as junit_text
from twostep.compare.checking.memory import Memory, default_memory
from twostep.compare.checking.rules import FATAL, REQUIRABLE, Rule
from twostep.compare.checking.run import Demands, Report
from twostep.compare.checking.run import check as check_all
from twostep.compare.command.shared import options
from twostep.compare.command.shared.disagreement import save
from twostep.compare.command.shared.exits import Exit
from twostep.compare.command.shared.levels import most_pieces
from twostep.compare.command.shared.output import Answer, Outcome, aligned
from twostep.compare.command.shared.progress import announce_compilation, bar
from twostep.compare.registry import BOTH, engine_names
from twostep.models.errors import InputError
from twostep.models.families.registry import FAMILIES
from twostep.models.reading.files import write_atomically
from twostep.models.search.engine import StopReason
from twostep.models.words import counted

MOST_ROWS = 200
"""A table of more puzzles shows only those with findings."""


@click.command()
@click.argument("puzzles", nargs=-1, required=True)
@click.option(
    "--as",
    "family",
    type=click.Choice(list(FAMILIES)),
    metavar="FAMILY",
    help="Each line of a list is what stands behind this family's colon: rows for starbattle.",
)
@click.option(
    "--require",
    "required",
    multiple=True,
    type=click.Choice([rule.value for rule in REQUIRABLE]),
    help="A further rule that each puzzle must keep; may be given several times.",
)
@click.option(
    "--count-limit",
    type=options.Whole(min=2),
    default=20,
    show_default=True,
    help="Count answers up to here.",
)
@options.time_limit(60, "For each puzzle and engine.")
@options.backend(BOTH)
@click.option(
    "--workers",
    type=options.Whole(min=1, max=256),
    default=2,
    show_default=True,
    help="Processes.",
)
@click.option(
    "--junit",
    metavar="FILE",
    callback=options.named("a JUnit report", ".xml"),
    help="Write a JUnit XML report there.",
)
@click.option(
    "--memory",
    "memory_file",
    metavar="FILE",
    callback=options.named_freely("the memory", ".json"),
    help="Remember results there; default: in the user's cache folder.",
)
@click.option("--no-memory", is_flag=True, help="Remember nothing, and check everything anew.")
@options.output
def check(
    puzzles: tuple[str, ...],
    family: str | None,
    required: tuple[str, ...],
    count_limit: int,
    time_limit: float | None,
    backend: str,
    workers: int,
    junit: str | None,
    memory_file: str | None,
    no_memory: bool,
    output: options.OutputFlags,
) -> int:
    """Check each of PUZZLES on both engines: for a game's own tests.

    PUZZLES are level files, lists (a name or a sudoku on each line), other files, or names.
    """
    options.at_most_one(memory=memory_file, no_memory=no_memory)
    options.keep_apart(puzzles, junit, memory_file)
    if len(set(puzzles)) < len(puzzles):
        raise InputError("a file or puzzle is given twice")
    entries = read_entries(puzzles, family)
    rules = frozenset(Rule(word) for word in required)
    demands = Demands(engine_names(backend), count_limit, time_limit, rules, workers)
    memory = Memory(None if no_memory else Path(memory_file) if memory_file else default_memory())
    announce_compilation(quiet=output.quiet)
    reports, interrupted = _checked(entries, demands, memory, quiet=output.quiet)
    if junit is not None:
        write_atomically(junit, junit_text(reports))
    code = _verdict(reports, stopped=interrupted or len(reports) < len(entries))
    for report in reports:
        if report.disagreement is not None:
            path = save(report.entry.puzzle())
            click.echo(
                f"twostep: {report.entry.title}: the engines disagree ({report.disagreement});"
                f" the model is saved in {path}",
                err=True,
            )
    if output.as_json:
        click.echo(_json(puzzles, reports, len(entries), code))
    else:
        click.echo(_table(reports, demands.engines, len(entries)))
    return code


def _checked(
    entries: Sequence[Entry], demands: Demands, memory: Memory, *, quiet: bool
) -> tuple[list[Report], bool]:
    """The reports in the order of the entries, and whether Ctrl-C cut the check short."""
    reports: list[Report] = []
    interrupted = False
    try:
        with bar("check", len(entries), quiet=quiet) as show:
            for report in check_all(entries, demands, memory):
                reports.append(report)
                show(len(reports))
    except KeyboardInterrupt:
        interrupted = True
    finally:
        memory.save()  # also where a killed worker or a wrong answer ends it all
    place = {id(entry): number for number, entry in enumerate(entries)}
    reports.sort(key=lambda report: place[id(report.entry)])
    return reports, interrupted


def _verdict(reports: Sequence[Report], *, stopped: bool) -> Exit:
    """What was found, the gravest first."""
    rules = frozenset(rule for report in reports for rule in report.broken)
    if any(report.disagreement for report in reports):
        return Exit.DISAGREE
    if rules & FATAL:
        return Exit.NONE
    if rules:
        return Exit.SEVERAL
    return Exit.STOPPED if stopped or any(r.unfinished for r in reports) else Exit.OK


def _table(reports: Sequence[Report], engines: Sequence[str], total: int) -> str:
    """A line for each puzzle, then the findings, then one line that says it all."""
    few = [r for r in reports if len(reports) <= MOST_ROWS or _told(r)]
    several = len({report.entry.source for report in reports}) > 1
    header = ["level", "name", "pieces", "locked", "grade", *engines, "seconds", "verdict"]
    rows = [header, *(_row(report, engines, several=several) for report in few)]
    used = [any(row[column] for row in rows[1:]) for column in range(len(header))]
    used[0] = used[-1] = True
    rows = [[cell for cell, shown in zip(row, used, strict=True) if shown] for row in rows]
    left = {place for place, name in enumerate(rows[0]) if name in ("level", "name", "verdict")}
    lines = [aligned(rows, left=left)] if few else []
    wrong = 0
    for report in reports:
        told = _told(report)
        wrong += bool(told)
        lines += [f"{report.entry.title}: {text}" for text in told]
    left_over = f", {total - len(reports)} not checked" if len(reports) < total else ""
    what = "level" if all(report.entry.level for report in reports) else "puzzle"
    lines.append(
        f"{counted(len(reports), what)} checked, {wrong or 'none'} with findings{left_over}"
    )
    return "\n".join(lines)


def _row(report: Report, engines: Sequence[str], *, several: bool) -> list[str]:
    entry, level = report.entry, report.entry.level
    by_engine = {tally.engine: tally.text for tally in report.tallies}
    seconds = sum(tally.seconds for tally in report.tallies)
    place = f"{entry.source}#{entry.number}" if several else str(entry.number)
    return [
        entry.source if isinstance(entry.what, str) else place,
        entry.name,
        "" if level is None else str(most_pieces(level)),
        "" if level is None else str(len(level.locks)),
        "" if level is None or level.grade is None else str(level.grade),
        *(by_engine.get(name, "") for name in engines),
        "remembered" if report.remembered else f"{seconds:.2f}",
        _word(report),
    ]


def _told(report: Report) -> list[str]:
    """What must be said of a puzzle, a line each."""
    told = [f"{finding.rule.value}: {finding.message}" for finding in report.findings]
    if (how := report.disagreement) is not None:
        told.append(f"the engines disagree: {how}")
    elif report.unfinished:
        told.append("not finished in time")
    return told


def _word(report: Report) -> str:
    if report.disagreement is not None:
        return "disagree"
    if report.findings:
        return ", ".join(dict.fromkeys(finding.rule.value for finding in report.findings))
    return "unfinished" if report.unfinished else "ok"


def _json(puzzles: Sequence[str], reports: Sequence[Report], total: int, code: Exit) -> str:
    outcome = {
        Exit.OK: Outcome.FOUND,
        Exit.SEVERAL: Outcome.MULTIPLE,
        Exit.NONE: Outcome.NONE,
        Exit.DISAGREE: Outcome.DISAGREE,
        Exit.STOPPED: Outcome.UNKNOWN,
    }[code]
    stopped = None
    if len(reports) < total:
        stopped = StopReason.CANCELLED
    elif any(report.unfinished for report in reports):
        stopped = StopReason.TIME
    levels = [_level_json(report) for report in reports]
    facts = [("levels", levels)]
    answer = Answer(
        " ".join(puzzles), "check", outcome, None, stopped is None, stopped, facts=facts
    )
    return answer.as_json()


def _level_json(report: Report) -> dict[str, object]:
    return {
        "file": report.entry.source,
        "number": report.entry.number,
        "name": report.entry.name,
        "verdict": _word(report),
        "remembered": report.remembered,
        "backends": [
            {
                "name": each.engine,
                "count": each.found,
                "complete": each.complete,
                "classes": each.classes,
                "seconds": each.seconds,
            }
            for each in report.tallies
        ],
        "findings": [
            {"rule": finding.rule.value, "message": finding.message} for finding in report.findings
        ],
    }
