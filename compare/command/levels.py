"""The verbs for levels of a puzzle game: generate and check."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from twostep.compare.command import options
from twostep.compare.command.ask import load
from twostep.compare.command.exits import Exit
from twostep.compare.command.output import Answer, Outcome, aligned
from twostep.compare.command.progress import announce_compilation, bar
from twostep.models.errors import InputError
from twostep.models.files import whole_number, write_atomically
from twostep.models.levels.checking import REQUIRABLE, Report, Rule
from twostep.models.levels.level import Level, Pack
from twostep.models.levels.levelfile import SHOWN, can_be_shown, pack_text, read_pack, write_pack
from twostep.models.search import StopReason
from twostep.models.wording import counted


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
    "-o", "--output", "path", metavar="FILE", callback=options.to_write,
    help="Write there; default: print.",
)  # fmt: skip
@click.option(
    "--seed",
    type=options.Whole(min=0, max=2**53 - 1),
    default=0,
    show_default=True,
    help="The same seed gives the same pack.",
)
@options.backend(options.BOTH)
@options.output
def generate(
    count: int, pieces: tuple[int, int], unique: bool, lock: str | None, holes: bool,
    symmetric: bool, packs: tuple[str, ...], name: str, author: str, path: str | None, seed: int,
    backend: str, as_json: bool, quiet: bool,
) -> int:  # fmt: skip
    """Make a pack of pentomino levels, from easy to hard, each proven by the engines."""
    from twostep.compare.level_checks import engine_version
    from twostep.compare.registry import engine
    from twostep.models.levels.generator import Generator, Wishes, prove

    lock_wish = int(lock) if lock is not None and lock.isdigit() else lock
    wishes = Wishes(count, *pieces, seed, unique, lock_wish, holes, symmetric)
    if not (can_be_shown(name) and can_be_shown(author)):
        raise InputError(f"--name and --author: {SHOWN}")
    options.keep_apart(packs, path)
    avoid = {level.outline_key for file in packs for level in read_pack(file).levels}
    engines = load(backend, quiet=quiet)
    if backend == "cpsat":  # the generator itself searches with dlx
        announce_compilation(quiet=quiet)
    versions = [engine_version(each.name) for each in engines]
    generator = Generator(
        wishes, engine("dlx"), avoid, lambda level: prove(level, engines, versions)
    )
    code = Exit.OK
    try:
        with bar("generate", count, quiet=quiet) as show:
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
    if as_json:
        click.echo(_generate_json(pack, path, stopped=code is Exit.STOPPED))
    elif levels and path is None:
        click.echo(pack_text(pack), nl=False)
    elif levels and not quiet:
        locked = sum(bool(level.locks) for level in levels)
        click.echo(
            f"{path}: {counted(len(levels), 'level')}, {locked} with locked pieces", err=True
        )
    return code


def _generate_json(pack: Pack, path: str | None, *, stopped: bool) -> str:
    levels = [
        {
            "number": number,
            "pieces": _pieces(level),
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
        pack.name, "generate", Outcome.FOUND if levels else Outcome.UNKNOWN, None, not stopped,
        StopReason.CANCELLED if stopped else None, facts=facts,
    ).as_json()  # fmt: skip


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
                level.name, str(_pieces(level)),
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


def _pieces(level: Level) -> int:
    """How many pieces a level has at most."""
    return sum(kind.high or 0 for kind in level.kinds)


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
