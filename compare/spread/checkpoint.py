"""What is known of a spread search, in a file that survives whatever ends the program."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from twostep.compare.spread.part import PartResult, result_from
from twostep.compare.spread.plan import Plan, json_object, plan_from
from twostep.models.errors import InputError
from twostep.models.files import read_text, write_atomically
from twostep.models.model import Model

SCHEMA = "twostep-checkpoint/1"
_PAUSE = 0.2
"""No two writings follow each other faster, s: that much work may be done again."""


def release() -> str:
    """The version of Twostep that is running."""
    try:
        return version("twostep")
    except PackageNotFoundError:
        return "uninstalled"


@dataclass(slots=True)
class Checkpoint:
    """A plan and the results that are known, kept in a file.

    Attributes:
        path: the file.
        engine: the engine's name.
        plan: the plan.
        results: the results of the parts that are done.
    """

    path: str
    engine: str
    plan: Plan
    results: list[PartResult]
    _written: float = 0.0

    def add(self, result: PartResult) -> None:
        """Note a result; the file follows within a moment, or when :meth:`write` is called."""
        self.results.append(result)
        if time.monotonic() - self._written >= _PAUSE:
            self.write()

    def write(self) -> None:
        """Write all that is known."""
        members = {
            "schema": SCHEMA,
            "version": release(),
            "engine": self.engine,
            "plan": self.plan.members(),
            "results": [result.members() for result in self.results],
        }
        write_atomically(self.path, json.dumps(members) + "\n")
        self._written = time.monotonic()


def open_checkpoint(path: str, model: Model, engine: str, plan: Plan | None) -> Checkpoint:
    """The checkpoint in `path`, or a new one of `plan`, which is written at once.

    Raises:
        InputError: it belongs to another model, engine or version, or is no checkpoint; or there
            is none, and no plan either.
    """
    if not os.path.exists(path):
        if plan is None:
            raise InputError("there is no such file", source=path)
        made = Checkpoint(path, engine, plan, [])
        made.write()
        return made
    members = json_object(read_text(path), path)
    if members.get("schema") != SCHEMA:
        known = f"{members.get('schema')!r}, expected {SCHEMA!r}"
        raise InputError(f"not a checkpoint: schema {known}", source=path)
    if members.get("version") != release():
        raise InputError(
            f"a checkpoint of version {members.get('version')!r}, this is {release()!r}: finish it"
            " with that version, or delete it and start again",
            source=path,
        )
    if members.get("engine") != engine:
        raise InputError(f"a checkpoint of the engine {members.get('engine')!r}", source=path)
    stored, results = members.get("plan"), members.get("results")
    if not (isinstance(stored, dict) and isinstance(results, list)):
        raise InputError("not a checkpoint: plan or results are missing", source=path)
    plan = plan_from(stored, path)
    if plan.model != model.fingerprint:
        raise InputError(f"a checkpoint of another model (of {plan.puzzle!r})", source=path)
    return Checkpoint(path, engine, plan, _checked(results, plan, engine, path))


def _checked(results: Iterable[object], plan: Plan, engine: str, path: str) -> list[PartResult]:
    known: dict[int, PartResult] = {}
    for members in results:
        if not isinstance(members, dict):
            raise InputError("not a checkpoint: a result is no object", source=path)
        result = result_from(members, path)
        if result.plan != plan.fingerprint or result.engine != engine:
            raise InputError("a result belongs to another plan or engine", source=path)
        if result.part in known:
            raise InputError(f"two results of part {result.part}", source=path)
        known[result.part] = result
    return list(known.values())
