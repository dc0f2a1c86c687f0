"""Writes what an engine answered as a certificate that anyone can check.

An engine that :class:`~twostep.models.search.abilities.Proves` makes the proof; an engine lists the
solutions. That they differ is noticed here, before anything is written.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace

from twostep.compare.agreement.verdict import Claim, contradict
from twostep.compare.registry import that_can
from twostep.models.certificate.checker import Verified
from twostep.models.certificate.writing import writing
from twostep.models.errors import EngineFault
from twostep.models.language.model import Model, Solution
from twostep.models.reading.files import require_writable
from twostep.models.search import questions
from twostep.models.search.abilities import Proves
from twostep.models.search.engine import NO_LIMITS, Engine, Limits, SearchResult, Watch

LISTED = 10_000
"""No more solutions than this are listed in a certificate, unless a side condition needs it."""


def certify_count(
    engine: Engine,
    model: Model,
    path: str | os.PathLike[str],
    *,
    puzzle: str | None = None,
    expected: int | None = None,
    limits: Limits = NO_LIMITS,
    watch: Watch | None = None,
) -> SearchResult:
    """Prove the number of solutions and write the proof to `path`.

    If there are no more than LISTED solutions, `engine` lists them, and they are written too.
    With a side condition the certificate proves the number of candidates and lists them all.

    Args:
        puzzle: how to call the puzzle in the certificate; by default the model's name.
        expected: how many solutions were found before, if they were counted.
        limits: on the proof's search; a side condition makes `memory` hold for the list too.

    Returns:
        The proof's search; unless it is complete nothing was written.

    Raises:
        EngineFault: the engine's list, or what was counted, contradicts the proof.
        InputError: the file can't be written.
    """
    require_writable(path)
    plain = replace(model, side_condition=None)
    condition = model.side_condition
    with that_can(Proves).prove(model, limits, watch=watch) as proof:
        result = proof.result
        if not result.complete:
            return result
        listed: tuple[Solution, ...] = ()
        proven = Claim("the proof", result.found, True)
        if result.found <= LISTED or condition is not None:
            left = limits.seconds and max(0.0, limits.seconds - result.seconds)
            found = questions.listing(
                engine, plain, replace(limits, seconds=left, nodes=None), watch=watch
            )
            if not found.result.complete:
                return replace(result, found=0, stopped=found.result.stopped)
            listed = tuple(sorted(found.solutions))
            if contradict([proven, Claim.of(found.result)]):
                raise EngineFault(
                    f"engine {engine.name!r} found {len(listed)} solutions of {model.name!r},"
                    f" but there is a proof of {result.found}",
                    plain,
                )
        count = result.found
        if condition is not None:
            count = sum(condition.holds(solution) for solution in listed)
        if expected is not None and contradict(
            [Claim("the proof", count, True), Claim("the count", expected, True)]
        ):
            raise EngineFault(
                f"{expected} solutions of {model.name!r} were counted,"
                f" but there is a proof of {count}",
                model,
            )
        with writing(path) as certificate:
            certificate.header(puzzle or model.name, model, proof.order)
            certificate.proof(proof.lines)
            for solution in listed:
                certificate.solution(solution)
            certificate.end(Verified(count, True, proof.states, len(listed)))
    return replace(result, found=count)


def certify_solutions(
    model: Model,
    path: str | os.PathLike[str],
    solutions: Iterable[Solution],
    *,
    puzzle: str | None = None,
) -> None:
    """Write to `path` that there are at least these solutions: they are their own proof."""
    ordered = sorted(set(solutions))
    with writing(path) as certificate:
        certificate.header(puzzle or model.name, model, order=None)
        for solution in ordered:
            certificate.solution(solution)
        certificate.end(Verified(len(ordered), False, 0, len(ordered)))
