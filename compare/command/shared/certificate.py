"""The flag ``--certificate``: a proof of the answer, written beside it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace

import click

from twostep.compare.command.shared.engines import in_time
from twostep.compare.command.shared.exits import Exit
from twostep.compare.registry import DEFAULT, engine
from twostep.models.families.puzzle import Puzzle
from twostep.models.language.model import Solution
from twostep.models.search.engine import Limits, SearchResult


def write_certificate(
    path: str | None,
    asked: Puzzle,
    limits: Limits,
    *,
    exact: int | None,
    solutions: Iterable[Solution] = (),
    quiet: bool,
) -> Exit:
    """Write the certificate that ``--certificate`` asks for (None: nothing); gives OK if it is.

    Args:
        exact: the number of solutions if that is the answer; None: only that there are at least
            `solutions`.
    """
    if path is None:
        return Exit.OK
    solutions = list(solutions)
    if exact is None:
        if not solutions:
            return _nothing(path, "nothing is known")
        from twostep.compare.certify import certify_solutions

        certify_solutions(asked.model, path, solutions, puzzle=asked.name)
        _written(path, f"at least {len(solutions)}", quiet=quiet)
        return Exit.OK
    proof = _prove(asked, path, replace(limits, solutions=None), expected=exact, quiet=quiet)
    if not proof.complete:
        return _nothing(path, f"stopped: {proof.stopped.value}")
    _written(path, f"{proof.counters.nodes:,} states searched", quiet=quiet)
    return Exit.OK


def _prove(
    asked: Puzzle, path: str, limits: Limits, *, expected: int | None = None, quiet: bool
) -> SearchResult:
    from twostep.compare.certify import certify_count

    return in_time(
        asked,
        "prover",
        "prove",
        limits,
        lambda limits, watch: certify_count(
            engine(DEFAULT),
            asked.model,
            path,
            puzzle=asked.name,
            expected=expected,
            limits=limits,
            watch=watch,
        ),
        lambda late: late,
        quiet=quiet,
    )


def _written(path: str, what: str, *, quiet: bool) -> None:
    if not quiet:
        size = os.path.getsize(path)
        click.echo(f"certificate: {path}, {size:,} bytes ({what})", err=True)


def _nothing(path: str, why: str) -> Exit:
    click.echo(f"twostep: no certificate was written to {path} ({why})", err=True)
    return Exit.STOPPED
