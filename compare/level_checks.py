"""Checks of many levels: on several processes, with a memory, reported as JUnit XML."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import json
import multiprocessing
import os
import signal
import threading
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from pathlib import Path
from xml.etree import ElementTree

from twostep.compare.registry import ENGINES, engine
from twostep.models.errors import InputError
from twostep.models.files import write_atomically
from twostep.models.levels.checking import (
    Finding,
    Report,
    Rule,
    Tally,
    judge,
    needs_search,
    tally,
    together,
)
from twostep.models.levels.level import Level, Pack
from twostep.models.search import StopReason

MEMORY_SIZE = 20_000
"""How many results a memory keeps; the oldest go first."""

_BESIDES = {"cpsat": "ortools", "dlx": "numba"}
"""The package that an engine's answers depend on besides our own."""


def engine_version(name: str) -> str:
    """The version of an engine, with that of the package it stands on."""
    ours = _version("twostep")
    package = _BESIDES.get(name)
    return ours if package is None else f"{ours} ({package} {_version(package)})"


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


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
            with contextlib.suppress(OSError, ValueError, RecursionError):
                content = json.loads(path.read_text("utf-8"))
                if isinstance(content, dict):
                    self._known = {k: v for k, v in content.items() if isinstance(v, list)}

    def recall(self, key: str, name: str) -> Tally | None:
        """The tally of that level and engine; None: not remembered."""
        match self._known.get(key):
            case [int(found), bool(complete), str(digest), int() | float() as seconds]:
                stopped = StopReason.EXHAUSTED if complete else StopReason.SOLUTIONS
                return Tally(name, found, complete, stopped, digest, float(seconds))
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


def _count(level: Level, name: str, demands: Demands) -> Tally:
    """Runs in a process of its own."""
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


@contextlib.contextmanager
def _ctrl_c_not_inherited() -> Iterator[None]:
    """Processes started inside ignore Ctrl-C until they are ready for it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _leave_at_ctrl_c() -> None:
    """In a worker: Ctrl-C reaches it too, and there is nothing that it could say or keep."""
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))


def _run(
    tasks: Sequence[tuple[tuple[str, int], Level, str, str]], demands: Demands
) -> Iterator[tuple[tuple[str, int], Level, str, Tally]]:
    if demands.workers == 1 or len(tasks) < 4:
        for place, level, name, key in tasks:
            yield place, level, key, _count(level, name, demands)
        return
    # Spawned, not forked: a progress display has threads, and so have the engines.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(demands.workers, context, _leave_at_ctrl_c)
    try:
        running: dict[Future[Tally], tuple[tuple[str, int], Level, str]] = {}
        with _ctrl_c_not_inherited():  # the workers start when they have something to do
            for place, level, name, key in tasks:
                # A copy leaves behind what the level has reckoned of itself, its model above all.
                future = pool.submit(_count, replace(level), name, demands)
                running[future] = (place, level, key)
        for done in as_completed(running):
            yield *running[done], done.result()
    except BrokenProcessPool:
        # A worker has gone: by Ctrl-C, which is about to arrive here, or for want of memory.
        raise KeyboardInterrupt from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


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
