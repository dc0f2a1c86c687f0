"""Looks for input that breaks a reader: ``python tests/fuzz/run_atheris.py READER --seconds 600``.

Atheris (libFuzzer for Python) keeps what reaches new places in Twostep's code and spoils it
further. What is neither read nor refused in one short line, within 5 s and 1 GB of memory, ends
the search: it is saved in ``fuzz-failures``, and the exit code is not 0. ``--input FILE`` shows
what a reader does with one file. ``make fuzz`` searches ten minutes for each reader.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import warnings
from pathlib import Path

from fuzz.mutate import spoil

try:
    import atheris
except ModuleNotFoundError:
    sys.exit("Atheris is missing: pip install -e '.[fuzz]' (Linux on x86-64, Python 3.11 to 3.13)")

ROOT = Path(__file__).resolve().parents[2]
# Numba must find the code of its functions as it was written.
COMPILED = [
    ".".join(("twostep", *file.relative_to(ROOT).with_suffix("").parts))
    for file in (ROOT / "dlx_backend").rglob("*.py")
]

with atheris.instrument_imports(["twostep"], ["twostep.dlx_backend", *COMPILED]):
    from fuzz.readers import MEGABYTES, READERS, findings

    from twostep.models.language import memory

FAILURES = ROOT / "fuzz-failures"
FREE = 256 << 20
"""Memory that the machine seems to have, bytes: models that need more must be refused."""
BLOCKED = 120
"""Seconds until a reader is given up that takes no processor time: it waits for something."""


def search(name: str, folder: Path, options: list[str]) -> None:
    """Spoil files for the reader, with these options of libFuzzer, which ends the process."""
    reader = READERS[name]
    with atheris.instrument_imports(["twostep"], ["twostep.dlx_backend", *COMPILED]):
        contents = reader.seeds(folder)
        if not all(reader.reads(content, folder) for content in contents):
            sys.exit(f"a seed of {name} is refused")
    contents += [file.read_bytes() for file in findings(name)]
    corpus = folder / "corpus"
    corpus.mkdir()
    for number, content in enumerate(contents):
        (corpus / str(number)).write_bytes(content)

    def test(content: bytes) -> None:
        reader.judged(content, folder)

    def mutated(content: bytes, limit: int, seed: int) -> bytes:
        rng = random.Random(seed)
        return spoil(content, rng, lambda data: atheris.Mutate(data, limit))[:limit]

    memory.available_memory = lambda: FREE
    warnings.simplefilter("error")
    limits = [f"-rss_limit_mb={MEGABYTES}", "-max_len=20000"]
    limits += [f"-timeout={BLOCKED}", f"-report_slow_units={BLOCKED}"]
    saved = f"-artifact_prefix={FAILURES}/{name}-"
    FAILURES.mkdir(exist_ok=True)
    atheris.Setup(
        [sys.argv[0], saved, *limits, "-print_final_stats=1", *options],
        test,
        custom_mutator=mutated,
    )
    atheris.Fuzz()


def main() -> None:
    parser = argparse.ArgumentParser(description="Looks for input that breaks a reader.")
    parser.add_argument("reader", choices=READERS)
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--seed", type=int, default=0, help="0: another one each time")
    parser.add_argument("--input", type=Path, help="only this file")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        file = asked.input
        options = [str(file)] if file else [str(folder / "corpus"), f"-seed={asked.seed}"]
        options += [f"-max_total_time={asked.seconds}"]
        # In a process of its own, as libFuzzer ends it at once and would leave the folder behind.
        if not (child := os.fork()):
            search(asked.reader, folder, options)
        _, status = os.waitpid(child, 0)
    sys.exit(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
