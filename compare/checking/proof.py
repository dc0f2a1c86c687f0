"""Proofs of levels: how many answers each engine finds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from twostep.compare.agreement.digest import Listed
from twostep.compare.agreement.verdict import Claim, contradict
from twostep.models.errors import EngineFault
from twostep.models.game import weights
from twostep.models.game.level import Level, Proof, Witness
from twostep.models.search import questions
from twostep.models.search.engine import Engine, Limits, StopReason


def prove(level: Level, engines: Sequence[Engine], versions: Iterable[str]) -> Level:
    """The level with what each engine finds: how many answers, up to PROVEN_ANSWERS.

    Ctrl-C ends all of it, not one search alone.

    Raises:
        EngineFault: the engines differ, or one finds none.
    """
    limits = Limits(solutions=weights.PROVEN_ANSWERS)
    found = [questions.listing(engine, level.puzzle.model, limits) for engine in engines]
    if any(each.result.stopped is StopReason.CANCELLED for each in found):
        raise KeyboardInterrupt
    claims = [Claim.of(each.result, Listed(each.solutions)) for each in found]
    if contradict(claims) or not all(claim.count for claim in claims):
        told = ", ".join(f"{claim.engine} {claim.count}" for claim in claims)
        raise EngineFault(f"the engines differ on {level.name!r}: {told}", level.puzzle.model)
    witnesses = tuple(Witness(e.name, v) for e, v in zip(engines, versions, strict=True))
    return replace(level, proof=Proof(claims[0].count, claims[0].complete, witnesses))
