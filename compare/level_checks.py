"""Checks of many levels: on several processes, with a memory, reported as JUnit XML."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from xml.etree import ElementTree

from twostep.compare.parallel.pool import results_in_order
from twostep.compare.registry import ENGINES, engine
from twostep.compare.versions import version_of
from twostep.models.errors import InputError
from twostep.models.game.checking import (
    Finding,
    Report,
    Rule,
    Tally,
    judge,
    needs_search,
    tally,
    together,
)
from twostep.models.game.level import Level, Pack
from twostep.models.reading.files import read_text, write_atomically
from twostep.models.search.engine import StopReason

MEMORY_SIZE = 20_000
"""How many results a memory keeps; the oldest go first."""

_WORTH_PROCESSES = 4
"""From so many counts on, what processes take to start is won back."""

_BESIDES = {"cpsat": "ortools", "dlx": "numba"}
"""The package that an engine's answers depend on besides our own."""


def engine_version(name: str) -> str:
    """The version of an engine, with that of the package it stands on."""
    ours = version_of("twostep", "unknown")
    package = _BESIDES.get(name)
    return ours if package is None else f"{ours} ({package} {version_of(package, 'unknown')})"


@dataclass(frozen=True, slots=True)
class Demands:
    """What a check asks for.

    Attributes:
        engines: names of the engines.
        count_limit: answers are counted up to here.
        seconds: for each level and engine; None: no limit.
        required: further rules that must hold.
        workers: processes; 1: none but this one.
    """

    engines: tuple[str, ...]
    count_limit: int
    seconds: float | None
    required: frozenset[Rule]
    workers: int


class Memory:
    """Results of earlier checks, by the content of the level and the versions of the engines.

    Only finished searches are remembered. A file that cannot be read counts as empty, and one
    that cannot be written is not: a memory never makes a check fail.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._known: dict[str, list[object]] = {}
        if path is not None:
            with contextlib.suppress(InputError, ValueError, RecursionError):
                content = json.loads(read_text(path))
                if isinstance(content, dict):
                    self._known = {k: v for k, v in content.items() if isinstance(v, list)}

    def recall(self, key: str, name: str) -> Tally | None:
        """The tally of that level and engine; None: not remembered."""
        match self._known.get(key):
            case [int(found), bool(complete), str(digest), float(seconds)]:
                stopped = StopReason.EXHAUSTED if complete else StopReason.SOLUTIONS
                return Tally(name, found, complete, stopped, digest, seconds)
        return None

    def keep(self, key: str, result: Tally) -> None:
        """Remember a tally, if it is finished."""
        if result.finished:
            self._known.pop(key, None)
            self._known[key] = [
                result.found, result.complete, result.digest, round(result.seconds, 6)
            ]  # fmt: skip

    def save(self) -> None:
        """Write the memory to its file."""
        if self._path is not None:
            newest = dict(list(self._known.items())[-MEMORY_SIZE:])
            with contextlib.suppress(OSError, InputError):
                self._path.parent.mkdir(parents=True, exist_ok=True)
                write_atomically(self._path, json.dumps(newest))


def default_memory() -> Path:
    """Where results are remembered unless told otherwise."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "twostep" / "checked-levels.json"


def _key(level: Level, name: str, count_limit: int) -> str:
    parts = (level.puzzle.model.fingerprint, name, engine_version(name), str(count_limit))
    return hashlib.sha256("|".join(parts).encode()).hexdigest()


def _count(task: tuple[Level, str, Demands]) -> Tally:
    """Runs in a process of its own."""
    level, name, demands = task
    found = tally(level.puzzle, engine(name), demands.count_limit, demands.seconds)
    return replace(found, engine=name)


def check(packs: Sequence[tuple[str, Pack]], demands: Demands, memory: Memory) -> Iterator[Report]:
    """Check every level on every engine; gives the reports in the order they are done.

    Raises:
        EngineFault: an engine gave a wrong answer.
    """
    beside = together(packs)
    waiting: dict[tuple[str, int], tuple[Level, dict[str, Tally]]] = {}
    tasks: list[tuple[tuple[str, int], Level, str, str]] = []
    for source, pack in packs:
        for number, level in enumerate(pack.levels, 1):
            place = (source, number)
            known: dict[str, Tally] = {}
            todo = []
            for name in demands.engines if needs_search(level) else ():
                key = _key(level, name, demands.count_limit)
                remembered = memory.recall(key, name)
                if remembered is not None:
                    known[name] = remembered
                else:
                    todo.append((place, level, name, key))
            if todo:
                waiting[place] = (level, known)
                tasks += todo
            else:
                yield _report(place, level, known, beside, demands.required, remembered=bool(known))
    for place, level, key, result in _run(tasks, demands):
        memory.keep(key, result)
        tallies = waiting[place][1]
        tallies[result.engine] = result
        if len(tallies) == len(demands.engines):
            yield _report(place, level, tallies, beside, demands.required)


def _report(
    place: tuple[str, int],
    level: Level,
    tallies: dict[str, Tally],
    beside: dict[tuple[str, int], list[Finding]],
    required: Collection[Rule],
    *,
    remembered: bool = False,
) -> Report:
    ordered = tuple(tallies[name] for name in ENGINES if name in tallies)
    findings = [*judge(level, ordered, required), *beside[place]]
    return Report(*place, level, ordered, tuple(findings), remembered)


def _run(
    tasks: Sequence[tuple[tuple[str, int], Level, str, str]], demands: Demands
) -> Iterator[tuple[tuple[str, int], Level, str, Tally]]:
    workers = demands.workers if len(tasks) >= _WORTH_PROCESSES else 1
    # A copy leaves behind what the level has reckoned of itself, its model above all.
    counts = [(replace(level), name, demands) for _, level, name, _ in tasks]
    tallies = results_in_order(_count, counts, workers)
    for (place, level, _, key), counted in zip(tasks, tallies, strict=True):
        yield place, level, key, counted


def junit(reports: Sequence[Report]) -> str:
    """The reports as JUnit XML: a suite for each file, a case for each level."""
    root = ElementTree.Element("testsuites", name="twostep check")
    suites: dict[str, ElementTree.Element] = {}
    for report in reports:
        if report.source not in suites:
            suites[report.source] = ElementTree.SubElement(root, "testsuite", name=report.source)
        suite = suites[report.source]
        seconds = sum(each.seconds for each in report.tallies)
        name = f"{report.number} {report.level.name}".strip()
        case = ElementTree.SubElement(
            suite, "testcase", classname=report.source, name=name, time=f"{seconds:.3f}"
        )
        for finding in report.findings:
            element = ElementTree.SubElement(
                case, "failure", type=finding.rule.value, message=finding.message
            )
            element.text = f"{report.title}: {finding.message}"
        if (how := report.disagreement) is not None:
            ElementTree.SubElement(case, "error", type="disagree", message=how)
        elif report.unfinished:
            ElementTree.SubElement(case, "error", type="unfinished", message="not finished in time")
    for suite in suites.values():
        suite.set("tests", str(len(suite)))
        suite.set("failures", str(sum(case.find("failure") is not None for case in suite)))
        suite.set("errors", str(sum(case.find("error") is not None for case in suite)))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"
