"""The verb explain: why a level has no answer, or several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from twostep.compare.command.shared import options
from twostep.compare.command.shared.engines import load
from twostep.compare.command.shared.exits import Exit
from twostep.compare.command.shared.levels import level_puzzle, placements_json
from twostep.compare.command.shared.output import EXIT_OF, Answer, Outcome, stop_of
from twostep.compare.command.shared.progress import watching
from twostep.compare.registry import engine
from twostep.models.errors import EngineFault, UnsupportedFeature
from twostep.models.families.polyomino.pieces import Cell
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle
from twostep.models.game.explaining import (
    Conflict,
    Reason,
    Variety,
    cheap_reason,
    conflict_model,
    conflict_reason,
    variety,
)
from twostep.models.search.engine import Limits
from twostep.models.search.questions import Uniqueness, Verdict, first, unique
from twostep.models.words import counted


@click.command()
@click.argument("level")
@click.option(
    "--conflict",
    "seek_conflict",
    is_flag=True,
    help="Seek a smallest conflict even where there is a shorter reason.",
)
@options.time_limit(60, "For each of the searches.")
@options.output
def explain(
    level: str, seek_conflict: bool, time_limit: float | None, output: options.OutputFlags
) -> int:
    """Tell why LEVEL has no solution, or why it has more than one."""
    puzzle = level_puzzle(level)
    reason = cheap_reason(puzzle)
    if reason is not None and not (seek_conflict and reason.kind != "area"):
        return _tell_none(puzzle, reason, as_json=output.as_json)
    limits = Limits(seconds=time_limit)
    (dlx,) = load("dlx", quiet=output.quiet)
    with watching("explain", quiet=output.quiet) as watch:
        found = unique(dlx, puzzle.model, limits, watch=watch)
    if found.verdict is Verdict.NONE:
        why = _conflict(puzzle, limits)
        return _tell_none(puzzle, why or reason, as_json=output.as_json)
    if found.verdict is Verdict.UNKNOWN:
        return _tell(puzzle, found, "not known in time", as_json=output.as_json)
    if found.verdict is Verdict.UNIQUE:
        board = puzzle.draw(found.solutions[0])
        return _tell(puzzle, found, f"exactly one solution:\n{board}", as_json=output.as_json)
    with watching("explain", quiet=output.quiet) as watch:
        how = variety(puzzle, dlx, limits, watch=watch)
    if how is None:
        return _tell(puzzle, found, "more than one solution", as_json=output.as_json)
    return _tell_several(puzzle, how, as_json=output.as_json)


def _conflict(puzzle: PolyominoPuzzle, limits: Limits) -> Reason | None:
    """A small conflict, found by CP-SAT and confirmed by DLX; None: not in time."""
    _ = engine("cpsat")  # says how to install it if it isn't there
    from twostep.cpsat_backend.conflict import find_conflict

    try:
        conflict: Conflict | None = find_conflict(puzzle.model, limits.seconds)
    except ValueError:
        raise EngineFault("dlx finds no solution, cpsat one") from None
    except UnsupportedFeature:
        return None
    if conflict is None:
        return None
    confirmed = first(engine("dlx"), conflict_model(puzzle.model, conflict.items), limits)
    if confirmed.solutions:
        raise EngineFault("cpsat names a conflict that dlx can resolve")
    return conflict_reason(puzzle, conflict) if confirmed.result.complete else None


def _tell_none(puzzle: PolyominoPuzzle, reason: Reason | None, *, as_json: bool) -> int:
    text = "no reason found in time" if reason is None else reason.text
    if as_json:
        facts: list[tuple[str, Any]] = []
        if reason is not None:
            facts = [("kind", reason.kind), ("cells", reason.cells), ("pieces", reason.pieces)]
        click.echo(
            Answer(
                puzzle.name, "explain", Outcome.NONE, 0, True, reason=text, facts=facts
            ).as_json()
        )
    else:
        click.echo(f"no solution: {text}")
        if reason is not None and reason.cells:
            click.echo("the cells it is about, as *:\n" + _marked(puzzle, reason.cells))
    return Exit.NONE


def _marked(puzzle: PolyominoPuzzle, cells: Sequence[Cell]) -> str:
    return puzzle.board.picture(dict.fromkeys(cells, "*"))


def _tell(puzzle: PolyominoPuzzle, found: Uniqueness, text: str, *, as_json: bool) -> int:
    outcome, result = Outcome(found.verdict.value), found.result
    stopped = result.stopped if outcome is Outcome.UNKNOWN else None
    answer = Answer(
        puzzle.name,
        "explain",
        outcome,
        result.found,
        result.complete,
        stopped,
        [result],
        reason=text,
    )
    click.echo(answer.as_json() if as_json else text)
    return EXIT_OF[outcome]


def _tell_several(puzzle: PolyominoPuzzle, how: Variety, *, as_json: bool) -> int:
    complete = how.result.complete
    two = [puzzle.draw(solution) for solution in how.pair]
    cells = dict.fromkeys(puzzle.board.free, "?")
    cells.update({cell: puzzle.letters[piece] for cell, piece in how.cells})
    common = puzzle.board.picture(cells)
    if as_json:
        facts: list[tuple[str, Any]] = [
            ("common", placements_json(how.common)),
            ("common_cells", [{"cell": cell, "piece": piece} for cell, piece in how.cells]),
            ("locks", None if how.locks is None else placements_json(how.locks)),
        ]
        click.echo(
            Answer(
                puzzle.name,
                "explain",
                Outcome.MULTIPLE,
                how.answers,
                complete,
                stop_of([how.result]),
                [how.result],
                two,
                facts=facts,
            ).as_json()
        )
        return Exit.SEVERAL
    those = f"{'' if complete else 'at least '}{how.answers} solutions"
    lines = [f"{those}; two that differ least{'' if complete else ' of those seen'}:"]
    lines += [f"{a}   {b}" for a, b in zip(*(board.split("\n") for board in two), strict=True)]
    seen = "" if complete else " of those seen"
    lines.append(f"what is the same in all{seen} (?: not the same piece everywhere):")
    lines.append(common)
    if how.locks is not None:
        lines.append(
            f"locking {counted(len(how.locks), 'piece')} makes it unique, no fewer do:"
            f" {' and '.join(map(str, how.locks))}"
        )
    click.echo("\n".join(lines))
    return Exit.SEVERAL
