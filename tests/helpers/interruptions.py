"""Searches in parts that are interrupted, killed and gone on with."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from helpers.cli import ENVIRONMENT, TWOSTEP

from twostep.compare.parallel.count import Progress
from twostep.compare.parallel.plan import (
    Part,
)
from twostep.compare.parallel.workers import (
    Answer,
    InProcess,
    Job,
)


class Stops:
    """Searches only so many parts, then is interrupted as if by Ctrl-C."""

    def __init__(self, parts: int) -> None:
        self.parts = parts

    def run(self, job: Job, parts: Sequence[Part]) -> Iterator[Answer]:
        yield from InProcess().run(job, parts[: self.parts])
        if self.parts < len(parts):
            raise KeyboardInterrupt


@contextlib.contextmanager
def a_cluster_that_loses_a_worker() -> Iterator[tuple[str, Callable[[Progress], None]]]:
    """The address of a cluster of two, and what, called with the progress, kills one half-way."""
    distributed = pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    killed = []
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
        ) as local,
        distributed.Client(local, set_as_default=False) as client,
    ):
        pids = client.run(os.getpid)

        def kill_one(now: Progress) -> None:
            if not killed and now.done >= now.parts // 2:
                killed.append(next(iter(pids.values())))
                os.kill(killed[0], signal.SIGKILL)

        yield local.scheduler_address, kill_one
    assert killed


_UNHURRIED = """
import time
from twostep.compare.command import main
from twostep.compare.parallel.workers import InProcess

run = InProcess.run

def unhurried(*arguments):
    for answer in run(*arguments):
        time.sleep(0.02)
        yield answer

InProcess.run = unhurried
main()
"""
"""The command; it rests after each part: no machine is so fast that few kills come too late."""


def killed_and_resumed(arguments: Sequence[str], path: Path, kills: int) -> tuple[str, int]:
    """Run a command with the checkpoint `path`, killed so many times while it has parts to search.

    Gives what it prints when it is let through, and how many of the killed runs had got further.
    """
    rng = random.Random(kills)
    flags = [*arguments, "--quiet", "--checkpoint", str(path)]
    command = [*TWOSTEP, *flags]
    dawdling = [sys.executable, "-c", _UNHURRIED, *flags] if kills < 10 else command
    further = killed = known = 0
    while killed < kills:
        with subprocess.Popen(dawdling, env=ENVIRONMENT, stdout=subprocess.DEVNULL) as process:
            # Some runs are killed before they have done anything, most as soon as they have got
            # further, or a little later: else the search would be over before all the kills.
            patience = rng.expovariate(1 / 0.04) if path.exists() else 0.0
            began = time.monotonic()
            changed = path.stat().st_mtime_ns if path.exists() else 0
            while (
                process.poll() is None
                and time.monotonic() - began < 60
                and rng.random() > 0.001
                and (not path.exists() or path.stat().st_mtime_ns == changed)
            ):
                time.sleep(0.01)
            time.sleep(patience)
            assert process.poll() is None, f"it was over after {killed} kills"
            process.kill()
        killed += 1
        now = len(json.loads(path.read_text())["results"]) if path.exists() else 0
        assert now >= known
        further += now > known
        known = now
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert not done.stderr
    return done.stdout.strip(), further
