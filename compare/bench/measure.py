"""Runs: each in a process of its own, one after the other, the contenders taking turns."""

from __future__ import annotations

import json
import math
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import date

from twostep.compare.bench.contenders import CONTENDERS
from twostep.compare.bench.suite import Case
from twostep.compare.versions import version_of


@dataclass(frozen=True, slots=True)
class Run:
    """One run, or why there is no answer.

    Attributes:
        case, contender: what ran.
        group, size: the growth table it belongs to ("": none).
        number: which run, from 1.
        expected: the right count.
        count: the count, None if there is none.
        seconds: the search alone.
        setup: making the contender's own data structures before it, 0 where the search does that.
        whole: the whole process, from its start to its end.
        memory: the most it took, bytes.
        failure: why there is no count: "" if there is one.
    """

    case: str
    contender: str
    group: str
    size: int
    number: int
    expected: int
    count: int | None
    seconds: float
    setup: float
    whole: float
    memory: int
    failure: str = ""

    @property
    def right(self) -> bool:
        """Whether the count is right."""
        return self.count == self.expected

    def as_json(self) -> str:
        """One JSON object on one line."""
        return json.dumps({"schema": "twostep-bench/1", **asdict(self)})


@dataclass(frozen=True, slots=True)
class Summary:
    """All runs of a contender on a case.

    Attributes:
        median, least, most: of the search alone, s; NaN if it has no answer.
        setup: median of what comes before it, s; 0: the search does it.
        whole: median of the whole process, s.
        memory: the most any run took, bytes.
    """

    case: str
    contender: str
    group: str
    size: int
    runs: int
    median: float
    least: float
    most: float
    setup: float
    whole: float
    memory: int
    right: bool
    failure: str


def environment() -> dict[str, str]:
    """What the figures depend on: date, processor, versions. No names of machines."""
    names = (
        "twostep", "numba", "numpy", "ortools", "miniexact", "xcover", "pyxcc", "exact-cover",
    )  # fmt: skip
    packages = {name: found for name in names if (found := version_of(name, ""))}
    return {
        "date": date.today().isoformat(),
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "system": platform.system(),
        "python": platform.python_version(),
        **packages,
    }


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def run_once(case: Case, contender: str, number: int, timeout: float) -> Run:
    """One run; over `timeout` seconds it is ended, and has no answer."""
    command = [sys.executable, "-m", "twostep.compare.bench.one", contender, *case.puzzles]
    began = time.perf_counter()
    failure, count, seconds, setup, memory = "", None, math.nan, 0.0, 0
    # Also where Twostep isn't installed, but on the path.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=timeout, check=False, env=environment
        )
        if done.returncode == 0:
            answer = json.loads(done.stdout.splitlines()[-1])
            count, seconds = answer["count"], answer["seconds"]
            setup, memory = answer["setup"], answer["memory"]
        else:
            lines = done.stderr.strip().splitlines()
            failure = lines[-1] if lines else f"exit code {done.returncode}"
    except subprocess.TimeoutExpired:
        failure = f"over {timeout:g} s"
    whole = time.perf_counter() - began
    return Run(
        case.name, contender, case.group, case.size, number, case.count,
        count, seconds, setup, whole, memory, failure,
    )  # fmt: skip


def measure(cases: Iterable[Case], runs: int, timeout: float) -> Iterator[Run]:
    """All runs of all cases; who is not installed, or failed before, is passed over."""
    for case in cases:
        failed: set[str] = set()
        for number in range(1, (min(runs, case.runs) if case.runs else runs) + 1):
            for contender in case.contenders:
                if contender in failed or not CONTENDERS[contender].installed:
                    continue
                run = run_once(case, contender, number, timeout)
                if run.failure:
                    failed.add(contender)
                yield run


def summarise(runs: Iterable[Run]) -> list[Summary]:
    """The runs of each contender on each case taken together, in the order they came."""
    grouped: dict[tuple[str, str, str], list[Run]] = {}
    for run in runs:
        grouped.setdefault((run.group, run.case, run.contender), []).append(run)
    summaries = []
    for (group, case, contender), same in grouped.items():
        answered = [run for run in same if not run.failure]
        seconds = [run.seconds for run in answered] or [math.nan]
        summaries.append(
            Summary(
                case, contender, group, same[0].size, len(same),
                statistics.median(seconds), min(seconds), max(seconds),
                statistics.median([run.setup for run in answered] or [0.0]),
                statistics.median(run.whole for run in same),
                max(run.memory for run in same),
                all(run.right for run in answered) and bool(answered),
                next((run.failure for run in same if run.failure), ""),
            )
        )  # fmt: skip
    return summaries
