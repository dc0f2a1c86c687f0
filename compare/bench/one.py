"""One run in a process of its own: ``python -m twostep.compare.bench.one CONTENDER PUZZLE...``.

Prints one JSON object: the count, the seconds of the search and of the set-up before it, and
the largest memory, bytes.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Sequence

from twostep.compare.bench.contenders import CONTENDERS
from twostep.models.families.registry import named_puzzle


def main(arguments: Sequence[str]) -> None:
    """Run the contender on all the puzzles."""
    contender = CONTENDERS[arguments[0]]
    contender.load()
    count, seconds, setup = 0, 0.0, 0.0
    for name in arguments[1:]:
        answer = contender.run(named_puzzle(name).model)
        count += answer.count
        seconds += answer.seconds
        setup += answer.setup
    told = {"count": count, "seconds": seconds, "setup": setup, "memory": most_memory()}
    json.dump(told, sys.stdout)


def most_memory() -> int:
    """The most memory that this program has taken so far, bytes.

    Linux counts in a process's ``ru_maxrss`` what the program that started it had: not here.
    """
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # macOS: bytes


if __name__ == "__main__":
    main(sys.argv[1:])
