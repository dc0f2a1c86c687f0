"""The verbs split, part and merge: one search in parts, anywhere."""

from __future__ import annotations

import os
from pathlib import Path

import click

from twostep.compare.command.shared import options
from twostep.compare.command.shared.engines import in_time, read
from twostep.compare.command.shared.exits import Exit
from twostep.compare.command.shared.output import Answer, Outcome, at_least, statistics
from twostep.compare.command.shared.progress import announce_compilation
from twostep.compare.parallel import MOST_PARTS
from twostep.compare.parallel.part import PartResult, summed
from twostep.compare.parallel.plan import parts_of, read_plan
from twostep.compare.registry import DEFAULT, engine
from twostep.models.errors import InputError
from twostep.models.families.puzzle import Puzzle
from twostep.models.reading.load import load_puzzle
from twostep.models.search.engine import (
    Limits,
    StopReason,
)


@click.command()
@click.argument("puzzle")
@click.argument("plan", callback=options.refusing("a plan", ".json"))
@click.option(
    "--parts",
    type=options.Whole(min=1, max=MOST_PARTS),
    default=64,
    show_default=True,
    help="At least so many, if the search tree has as many leaves.",
)
@options.as_json
def split(puzzle: str, plan: str, parts: int, as_json: bool) -> int:
    """Cut the search of PUZZLE into disjoint parts; write them to the file PLAN.

    Search each with `twostep part`, anywhere, in any order; add them up with `twostep merge`.
    """
    from twostep.compare.parallel.plan import split as cut

    asked = load_puzzle(puzzle)
    made = cut(asked.model, parts, puzzle=asked.name)
    made.write(plan)
    number = len(parts_of(made, asked.model))
    if as_json:
        facts = [("plan_file", plan), ("parts", number)]
        click.echo(Answer(asked.name, "split", Outcome.FOUND, None, True, facts=facts).as_json())
        return Exit.OK
    click.echo(f"{plan}: {number} parts, 0 to {number - 1}" if number else f"{plan}: no parts")
    return Exit.OK


@click.command()
@click.argument("plan")
@click.argument("puzzle")
@click.argument("number", type=options.Whole(min=0))
@click.argument(
    "result",
    required=False,
    callback=options.refusing("the result of a part", ".json"),
)
@click.option("--backend", type=options.EngineName(), default=DEFAULT, show_default=True)
@click.option(
    "--time-limit", callback=options.seconds, metavar="SECONDS", help="Stop after so many seconds."
)
@click.option("--digest", is_flag=True, help="List the solutions, for the digest of their set.")
@options.output
def part(
    plan: str,
    puzzle: str,
    number: int,
    result: str | None,
    backend: str,
    time_limit: float | None,
    digest: bool,
    output: options.OutputFlags,
) -> int:
    """Search part NUMBER of PLAN to its end; write what it gives to the file RESULT.

    If RESULT (by default PLAN.NUMBER) has it already, nothing is done. Nothing is written if a
    limit ends the search.
    """
    from twostep.compare.parallel.part import Stopped, read_result, search_part

    asked, limits = read(puzzle, Limits(seconds=time_limit))
    cut = read_plan(plan)
    parts = parts_of(cut, asked.model)
    if number >= len(parts):
        raise InputError(f"no part {number}: there are {len(parts)}, from 0", source=plan)
    target = result or f"{plan}.{number}"
    if os.path.exists(target):
        known = read_result(target)
        if (known.plan, known.part) != (cut.fingerprint, number):
            raise InputError(
                f"there is already another result, of part {known.part}", source=target
            )
        if known.digest is not None or not digest:
            return _tell_part(asked, target, known, known=True, as_json=output.as_json)
    announce_compilation(quiet=output.quiet)
    found = in_time(
        asked,
        backend,
        f"part {number}",
        limits,
        lambda limits, watch: search_part(
            engine(backend),
            asked.model,
            cut.fingerprint,
            parts[number],
            limits,
            digest=digest,
            watch=watch,
        ),
        lambda late: Stopped(late.stopped),
        quiet=output.quiet,
    )
    if isinstance(found, Stopped):
        if output.as_json:
            facts = [("part", number)]
            click.echo(
                Answer(
                    asked.name, "part", Outcome.UNKNOWN, None, False, found.reason, facts=facts
                ).as_json()
            )
        why = found.reason.value
        click.echo(f"twostep: part {number}: stopped ({why}), nothing written", err=True)
        return Exit.STOPPED
    found.write(target)
    return _tell_part(asked, target, found, known=False, as_json=output.as_json)


def _tell_part(asked: Puzzle, file: str, part: PartResult, *, known: bool, as_json: bool) -> int:
    """Say what the search of a part has given, which is now in `file` (or was `known` already)."""
    if as_json:
        facts = [
            ("part", part.part),
            ("result_file", file),
            ("digest", part.digest),
            ("known_already", known),
        ]
        result = summed([part], StopReason.EXHAUSTED)
        answer = Answer(
            asked.name, "part", Outcome.COUNT, part.count, True, None, [result], facts=facts
        )
        click.echo(answer.as_json())
    else:
        click.echo(f"{file}: {part.count}{' (known already)' if known else ''}")
    return Exit.OK


@click.command()
@click.argument("plan")
@click.argument("puzzle")
@click.argument("results", nargs=-1)
@options.output
def merge(plan: str, puzzle: str, results: tuple[str, ...], output: options.OutputFlags) -> int:
    """Add up the RESULTS of the parts of PLAN (by default all files PLAN.NUMBER).

    Refused unless there is exactly one for each part; that the parts cover the search exactly
    once is derived from the model.
    """
    from twostep.compare.parallel.part import merge as add_up
    from twostep.compare.parallel.part import read_result

    asked = load_puzzle(puzzle)
    read = read_plan(plan)
    parts = parts_of(read, asked.model)
    files = results or tuple(
        name for part in parts if Path(name := f"{plan}.{part.number}").exists()
    )
    whole = add_up(read, asked.model, [read_result(name) for name in files])
    if output.as_json:
        facts = [("parts", len(parts)), ("digest", whole.digest)]
        answer = Answer(
            asked.name,
            "merge",
            Outcome.COUNT,
            whole.result.found,
            True,
            None,
            [whole.result],
            facts=facts,
        )
        click.echo(answer.as_json())
        return Exit.OK
    click.echo(at_least(whole.result))
    statistics([whole.result], quiet=output.quiet)
    return Exit.OK
