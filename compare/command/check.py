"""The verb check: levels on both engines, for a game's own tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from twostep.compare.command.shared import options
from twostep.compare.command.shared.exits import Exit
from twostep.compare.command.shared.levels import most_pieces
from twostep.compare.command.shared.output import Answer, Outcome, aligned
from twostep.compare.command.shared.progress import announce_compilation, bar
from twostep.models.errors import InputError
from twostep.models.game.checking import REQUIRABLE, Report, Rule
from twostep.models.game.levelfile import read_pack
from twostep.models.reading.files import write_atomically
from twostep.models.search.engine import StopReason
from twostep.models.words import counted


@click.command()
@click.argument("files", nargs=-1, required=True)
@click.option(
    "--require",
    "required",
    multiple=True,
    type=click.Choice([rule.value for rule in REQUIRABLE]),
    help="A further rule that each level must keep; may be given several times.",
)
@click.option(
    "--count-limit",
    type=options.Whole(min=2),
    default=20,
    show_default=True,
    help="Count answers up to here.",
)
@options.time_limit(60, "For each level and engine.")
@options.backend(options.BOTH)
@click.option(
    "--workers",
    type=options.Whole(min=1, max=256),
    default=2,
    show_default=True,
    help="Processes.",
)
@click.option(
    "--junit", metavar="FILE", callback=options.to_write, help="Write a JUnit XML report there."
)
@click.option(
    "--memory",
    "memory_file",
    metavar="FILE",
    callback=options.to_write,
    help="Remember results there; default: in the user's cache folder.",
)
@click.option("--no-memory", is_flag=True, help="Remember nothing, and check everything anew.")
@options.output
def check(
    files: tuple[str, ...], required: tuple[str, ...], count_limit: int, time_limit: float | None,
    backend: str, workers: int, junit: str | None, memory_file: str | None, no_memory: bool,
    as_json: bool, quiet: bool,
) -> int:  # fmt: skip
    """Check each level of FILES on both engines: for a game's own tests."""
    options.at_most_one(memory=memory_file, no_memory=no_memory)
    from twostep.compare import level_checks
    from twostep.compare.level_checks import Demands, Memory, default_memory

    options.keep_apart(files, junit, memory_file)
    if len(set(files)) < len(files):
        raise InputError("a file is given twice")
    packs = [(file, read_pack(file)) for file in files]
    rules = frozenset(Rule(word) for word in required)
    demands = Demands(options.engine_names(backend), count_limit, time_limit, rules, workers)
    memory = Memory(None if no_memory else Path(memory_file) if memory_file else default_memory())
    announce_compilation(quiet=quiet)
    total = sum(len(pack.levels) for _, pack in packs)
    reports: list[Report] = []
    interrupted = False
    try:
        with bar("check", total, quiet=quiet) as show:
            for report in level_checks.check(packs, demands, memory):
                reports.append(report)
                show(len(reports))
    except KeyboardInterrupt:
        interrupted = True
    finally:
        memory.save()  # also where a killed worker or a wrong answer ends it all
    order = {file: place for place, file in enumerate(files)}
    reports.sort(key=lambda report: (order[report.source], report.number))
    if junit is not None:
        write_atomically(junit, level_checks.junit(reports))
    code = _verdict(reports, stopped=interrupted or len(reports) < total)
    if as_json:
        click.echo(_check_json(files, reports, total, code))
    else:
        click.echo(_check_table(reports, total))
    return code


def _verdict(reports: Sequence[Report], *, stopped: bool) -> Exit:
    """What was found, the gravest first."""
    rules = {finding.rule for report in reports for finding in report.findings}
    if any(report.disagreement for report in reports):
        return Exit.DISAGREE
    if rules & {Rule.LOCKS, Rule.AREA, Rule.SOLVABLE}:
        return Exit.NONE
    if rules:
        return Exit.SEVERAL
    return Exit.STOPPED if stopped or any(r.unfinished for r in reports) else Exit.OK


def _check_table(reports: Sequence[Report], total: int) -> str:
    """A line for each level, then the findings, then one line that says it all."""
    engines = sorted({t.engine for r in reports for t in r.tallies}, reverse=True)
    several = len({report.source for report in reports}) > 1
    rows = [["level", "name", "pieces", "locked", "grade", *engines, "seconds", "verdict"]]
    for report in reports:
        level = report.level
        by_engine = {tally.engine: tally.text for tally in report.tallies}
        seconds = sum(tally.seconds for tally in report.tallies)
        rows.append(
            [
                f"{report.source}#{report.number}" if several else str(report.number),
                level.name, str(most_pieces(level)),
                str(len(level.locks)), "" if level.grade is None else str(level.grade),
                *(by_engine.get(name, "") for name in engines),
                "remembered" if report.remembered else f"{seconds:.2f}",
                _word(report),
            ]
        )  # fmt: skip
    lines = [aligned(rows, left={0, 1, len(rows[0]) - 1})]
    wrong = 0
    for report in reports:
        told = [f"{finding.rule.value}: {finding.message}" for finding in report.findings]
        if (how := report.disagreement) is not None:
            told.append(f"the engines disagree: {how}")
        elif report.unfinished:
            told.append("not finished in time")
        wrong += bool(told)
        lines += [f"{report.title}: {text}" for text in told]
    left_over = f", {total - len(reports)} not checked" if len(reports) < total else ""
    lines.append(
        f"{counted(len(reports), 'level')} checked, {wrong or 'none'} with findings{left_over}"
    )
    return "\n".join(lines)


def _word(report: Report) -> str:
    if report.disagreement is not None:
        return "disagree"
    if report.findings:
        return ", ".join(dict.fromkeys(finding.rule.value for finding in report.findings))
    return "unfinished" if report.unfinished else "ok"


def _check_json(files: Sequence[str], reports: Sequence[Report], total: int, code: Exit) -> str:
    outcome = {
        Exit.OK: Outcome.FOUND, Exit.SEVERAL: Outcome.MULTIPLE, Exit.NONE: Outcome.NONE,
        Exit.DISAGREE: Outcome.DISAGREE, Exit.STOPPED: Outcome.UNKNOWN,
    }[code]  # fmt: skip
    levels = [
        {
            "file": report.source,
            "number": report.number,
            "name": report.level.name,
            "verdict": _word(report),
            "remembered": report.remembered,
            "backends": [
                {"name": t.engine, "count": t.found, "complete": t.complete, "seconds": t.seconds}
                for t in report.tallies
            ],
            "findings": [
                {"rule": finding.rule.value, "message": finding.message}
                for finding in report.findings
            ],
        }
        for report in reports
    ]
    stopped = None
    if len(reports) < total:
        stopped = StopReason.CANCELLED
    elif any(report.unfinished for report in reports):
        stopped = StopReason.TIME
    return Answer(
        " ".join(files), "check", outcome, None, stopped is None, stopped,
        facts=[("levels", levels)],
    ).as_json()  # fmt: skip
