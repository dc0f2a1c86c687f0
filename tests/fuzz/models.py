"""Engines against brute force on random models; a failure is shrunk and saved as ``.dlx``."""

from __future__ import annotations

import types
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from helpers.oracle import all_solutions
from helpers.strategies import models
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from twostep.dlx_backend import links
from twostep.dlx_backend.kernel import drive
from twostep.dlx_backend.problem import prepare
from twostep.models.errors import EngineFault
from twostep.models.language.model import Feature, Model, Solution
from twostep.models.reading.formats import dlx
from twostep.models.search import questions
from twostep.models.search.delivery import Delivery
from twostep.models.search.engine import NO_LIMITS, Engine, Limits, Receiver, SearchResult, Watch


def fuzz(
    engines: Sequence[Engine],
    examples: int,
    failure: Path,
    strategy: st.SearchStrategy[Model] | None = None,
    *,
    repeatable: bool = False,
) -> None:
    """Try `examples` random models on all engines; other ones each time, unless `repeatable`.

    Raises:
        AssertionError: what is wrong with the smallest model found on which an engine errs; the
            model is in the file `failure`.
    """

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=repeatable,
        print_blob=False,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @given(models() if strategy is None else strategy, st.integers(1, 4), st.integers(0, 1))
    def agree(model: Model, k: int, seed: int) -> None:
        wrong = complaint(engines, model, k, seed)
        if wrong is not None:
            # Each failure overwrites the one before; the last one Hypothesis tries is the smallest.
            failure.parent.mkdir(parents=True, exist_ok=True)
            failure.write_text(dlx.write_without_side_condition(model))
            raise AssertionError(f"{wrong}; the model is saved in {failure}")

    agree()


def complaint(
    engines: Sequence[Engine],
    model: Model,
    k: int = 3,
    seed: int = 0,
    only_list: Collection[str] = (),
) -> str | None:
    """What an engine says wrongly about a small model; None: nothing.

    Args:
        k: how many cheapest solutions are asked for.
        only_list: names of engines that are not asked to count and for the cheapest.
    """
    expected = all_solutions(model)
    candidates = all_solutions(replace(model, side_condition=None))
    cheapest = sorted(map(model.cost, expected))[:k]
    for engine in engines:
        try:
            wrong = _wrong_list(engine, model, expected, len(candidates), seed)
            if wrong is None and engine.name not in only_list:
                wrong = _wrong_number(engine, model, len(expected))
                wrong = wrong or _wrong_costs(engine, model, k, cheapest)
        except EngineFault as fault:
            return str(fault)
        except Exception as error:  # whatever breaks inside an engine is a failure to be shrunk
            return f"{engine.name} raised {error!r}"
        if wrong is not None:
            return f"{engine.name} {wrong}"
    return None


def _wrong_list(
    engine: Engine, model: Model, expected: set[Solution], candidates: int, seed: int
) -> str | None:
    """What is wrong with an engine's list of all solutions."""
    found = questions.listing(engine, model, seed=seed)
    listed, rejected = set(found.solutions), found.result.counters.rejected
    checks = {
        "ended its list early": found.result.complete,
        "gave a solution twice": len(listed) == len(found.solutions),
        f"lacks {expected - listed}": expected <= listed,
        f"adds {listed - expected}": listed <= expected,
        f"rejected {rejected}": rejected == candidates - len(expected),
    }
    return next((what for what, right in checks.items() if not right), None)


def _wrong_number(engine: Engine, model: Model, expected: int) -> str | None:
    """What is wrong with an engine's count."""
    counted = questions.count(engine, model)
    if not counted.complete:
        return "ended its count early"
    return None if counted.found == expected else f"counts {counted.found} of {expected}"


def _wrong_costs(engine: Engine, model: Model, k: int, cheapest: Sequence[int]) -> str | None:
    """What is wrong with an engine's cheapest solutions."""
    best = questions.best(engine, model, k)
    costs = [model.cost(solution) for solution in best.solutions]
    if not best.result.complete:
        return "ended its search for the cheapest early"
    if costs != cheapest:
        return f"says the lowest costs are {costs}, not {cheapest}"
    return None if len(set(best.solutions)) == len(costs) else "gave a cheapest solution twice"


@dataclass(frozen=True, slots=True)
class LinksEngine:
    """DLX on its links alone, whatever other kernels there are; or on a copy of them."""

    kernels: types.ModuleType = links
    name: str = "links"
    features: frozenset[Feature] = frozenset(Feature)

    def search(
        self,
        model: Model,
        limits: Limits = NO_LIMITS,
        *,
        receive: Receiver | None = None,
        watch: Watch | None = None,
        seed: int = 0,
    ) -> SearchResult:
        """Enumerate with the links."""
        delivery = Delivery(model, limits, receive, watch)
        problem = prepare(model, seed)
        kernel = self.kernels.Links.of(problem)
        if problem.possible and delivery.stopped is None:
            with np.errstate(over="ignore"):  # as plain Python, a copy warns of what wraps round
                drive(kernel, problem, delivery, limits)
        return delivery.result(self.name, kernel.nodes, kernel.updates)


def planted(
    module: types.ModuleType, right: str, wrong: str, monkeypatch: pytest.MonkeyPatch
) -> types.ModuleType:
    """A copy of `module` in which the one place that reads `right` reads `wrong`.

    Its loops run as plain Python: nothing is compiled or kept on disk.
    """
    import numba

    source = Path(str(module.__file__)).read_text()
    if source.count(right) != 1:
        raise ValueError(f"{right!r} stands {source.count(right)} times in {module.__name__}")
    copy = types.ModuleType(f"planted_{module.__name__.rpartition('.')[2]}")
    monkeypatch.setitem(__import__("sys").modules, copy.__name__, copy)
    with monkeypatch.context() as patch:
        patch.setattr(numba.config, "DISABLE_JIT", True)
        exec(compile(source.replace(right, wrong), str(module.__file__), "exec"), vars(copy))
    return copy
