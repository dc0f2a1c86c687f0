"""What ``import twostep`` offers, as mypy --strict sees it: ``python examples/front_door.py``."""

from __future__ import annotations

import twostep


def report(puzzle: twostep.PuzzleLike) -> str:
    """A line about a puzzle, from both engines."""
    try:
        counted: twostep.Count = twostep.count(puzzle, backend="both", time_limit=60.0)
    except twostep.EnginesDisagree as error:
        return f"{error}: {error.comparison.differences}"
    return f"{twostep.load(puzzle).name}: {counted}"


def two_ways() -> twostep.Model:
    """An item that two options cover."""
    builder = twostep.ModelBuilder("two ways")
    item: int = builder.item("a")
    builder.option([item], label="dear", cost=5)
    builder.option([item], label="cheap", cost=2)
    return builder.build()


def main() -> None:
    """Ask every question once."""
    print(report("pentomino:3x20"))
    verdict: twostep.Verdict = twostep.unique("pentomino:3x5:PUV", backend="both").verdict
    print(verdict.value)
    for solution in twostep.solutions("queens:6"):
        ids: tuple[int, ...] = solution
        print(solution, ids, solution.labels)
        break
    cheapest: twostep.Solution | None = twostep.best(two_ways()).solution
    if cheapest is not None:
        print(cheapest, cheapest.cost, twostep.verify(two_ways(), cheapest).count)
    agreement: twostep.Agreement = twostep.compare("queens:6").agreement
    print(agreement.value, len(twostep.listing("queens:6")), twostep.__version__)


if __name__ == "__main__":
    main()
