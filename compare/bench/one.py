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
from twostep.models.families import named_puzzle


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
    # Kilobytes on Linux, bytes on macOS.
    unit = 1 if sys.platform == "darwin" else 1024
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    json.dump({"count": count, "seconds": seconds, "setup": setup, "memory": memory}, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
