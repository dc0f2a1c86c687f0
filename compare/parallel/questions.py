"""A few solutions, whether there is one, and which are the cheapest: asked in parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypedDict, Unpack

from twostep.compare.agreement.digest import SetDigest
from twostep.compare.parallel.count import Progress, spread_count
from twostep.compare.parallel.few import Cheapest, Few
from twostep.compare.parallel.plan import Plan
from twostep.compare.parallel.workers import Runner
from twostep.models.errors import EngineFault
from twostep.models.language.model import Model
from twostep.models.search.engine import Limits, Receiver, Watch
from twostep.models.search.questions import Listing, Uniqueness, verdict_on


class Way(TypedDict, total=False):
    """How a search in parts is made: see :func:`twostep.compare.parallel.count.spread_count`."""

    runner: Runner | None
    plan: Plan | None
    parts: int
    checkpoint: str | None
    limits: Limits
    watch: Watch | None
    progress: Callable[[Progress], object] | None
    puzzle: str | None


def spread_listing(
    engine: str,
    model: Model,
    number: int,
    *,
    receive: Receiver | None = None,
    **way: Unpack[Way],
) -> Listing:
    """Up to `number` solutions; ends as soon as so many are known.

    If this process searches it takes part after part, and always gives the same ones, interrupted
    or not. A checkpoint goes on with the same number or a larger one.

    Args:
        receive: gets each, those from the checkpoint first; ends the search by returning True.

    Raises:
        EngineFault: the parts have not the solutions that are known.
        InputError: `number` is less than 1, or see :func:`spread_count`.
    """
    return _first(Few(number, "solve -n N"), engine, model, receive, way)


def spread_unique(engine: str, model: Model, **way: Unpack[Way]) -> Uniqueness:
    """Whether there is exactly one solution; ends as soon as two are known.

    Raises:
        EngineFault: the parts have not the solutions that are known.
        InputError: see :func:`spread_count`.
    """
    return verdict_on(_first(Few(2, "unique"), engine, model, None, way))


def _first(few: Few, engine: str, model: Model, receive: Receiver | None, way: Way) -> Listing:
    """Each part is searched for as many solutions as are wanted in all.

    A part that has them is not done, and need not be: that there are no more is only said of all
    parts, each searched to its end.
    """
    spread = spread_count(engine, model, few=few, digest=True, receive=receive, **way)
    if spread.result.complete:
        digest = SetDigest()
        for solution in few.known:
            digest.add(solution)
        if spread.digest != str(digest):
            raise EngineFault(
                f"engine {engine!r} found {spread.result.found} solutions of {model.name!r} in all"
                f" its parts, and they are not the {len(few.known)} that are known",
                model,
            )
    return Listing(tuple(few.known), replace(spread.result, found=len(few.known)))


def spread_best(engine: str, model: Model, k: int = 1, **way: Unpack[Way]) -> Listing:
    """The `k` cheapest solutions, as :func:`twostep.models.search.questions.best` gives them.

    In each part only those are looked for that cost less than the `k` cheapest known when its
    search begins. So when all parts are done nothing that isn't listed is cheaper.

    Raises:
        InputError: `k` is less than 1, or see :func:`spread_count`.
    """
    few = Cheapest(k, f"best -k {k}", model=model)
    spread = spread_count(engine, model, few=few, **way)
    return Listing(tuple(few.known), replace(spread.result, found=len(few.known)))
