"""A million models three ways: ``python tests/fuzz/million.py --models 1000000 --workers 2``.

Brute force, dlx and cpsat list each model's solutions; dlx also counts them and finds the
cheapest, cpsat does so for every fourth model. Every tenth is solved on the links alone, too. A
model on which they differ is saved as ``.dlx``, its seed is named, and the exit code is 1. The
log has a line for every part.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT / "tests") not in sys.path:
    sys.path[:0] = [str(ROOT / ".types"), str(ROOT / "tests")]

from fuzz.drawn import drawn  # noqa: E402
from fuzz.models import LinksEngine, complaint  # noqa: E402

from twostep.compare.registry import ENGINES, engine  # noqa: E402
from twostep.models.reading.formats import dlx  # noqa: E402

PART = 2000
"""Models of one part: they have the seeds `part` * PART and on."""

_LINKS_EVERY = 10
_ALL_EVERY = 4
"""The links, and CP-SAT's counts and cheapest solutions, are asked of every so-manieth model."""


def search_part(part: int, folder: str) -> list[str]:
    """What is wrong with the models of a part, a line each; runs in a process of its own."""
    both, links = [engine(name) for name in ENGINES], LinksEngine()
    wrong = []
    for seed in range(part * PART, (part + 1) * PART):
        rng = Random(seed)
        model = drawn(rng)
        asked = [*both, links] if seed % _LINKS_EVERY == 0 else both
        k, order = rng.randint(1, 4), rng.randint(0, 1)
        only_list = () if seed % _ALL_EVERY == 0 else ("cpsat",)
        said = complaint(asked, model, k, order, only_list)
        if said is not None:
            path = Path(folder) / f"model-{seed}.dlx"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dlx.write_without_side_condition(model))
            wrong.append(f"seed {seed}: {said}")
    return wrong


def main() -> int:
    """Run the parts; gives the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=int, default=1_000_000)
    parser.add_argument("--first", type=int, default=0, help="the first seed, a multiple of 2000")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--log", type=Path, default=Path("fuzz-failures/million.log"))
    given = parser.parse_args()
    first = given.first // PART
    parts = range(first, first + -(-given.models // PART))
    given.log.parent.mkdir(parents=True, exist_ok=True)
    began, done, wrong = time.monotonic(), 0, 0
    with (
        given.log.open("a") as log,
        ProcessPoolExecutor(given.workers, mp_context=get_context("spawn")) as pool,
    ):
        found = pool.map(search_part, parts, [str(given.log.parent)] * len(parts))
        for part, faults in zip(parts, found, strict=True):
            done, wrong = done + PART, wrong + len(faults)
            lines = [f"part {part}: {PART} models, {len(faults)} wrong", *faults]
            log.write("\n".join(lines) + "\n")
            log.flush()
        seconds = time.monotonic() - began
        last = f"{done} models, {wrong} wrong, {seconds:.0f} s, {given.workers} workers"
        log.write(last + "\n")
    sys.stdout.write(last + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
