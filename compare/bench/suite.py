"""What is measured: puzzles with known counts, and who runs on each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

ALL = ("twostep", "miniexact", "xcover", "pyxcc", "exact-cover")
"""Visit every solution, by search alone: no memory, no symmetry."""
FAST = ("twostep", "miniexact", "xcover", "pyxcc")
"""The fast ones of these, which also can do secondary items and colours."""
COUNT = ("twostep-count",)
"""Count, by whatever means."""


@dataclass(frozen=True, slots=True)
class Case:
    """One line of the table: a puzzle, or several taken together, and its contenders.

    Attributes:
        name: how the table calls it.
        puzzles: puzzle names, as on the command line.
        count: the number of solutions of all together.
        contenders: names out of :mod:`twostep.compare.bench.contenders`.
        group, size: which growth table it belongs to, and where.
        runs: at most so many runs (slow ones need fewer); 0: as many as asked for.
    """

    name: str
    puzzles: tuple[str, ...]
    count: int
    contenders: tuple[str, ...]
    group: str = ""
    size: int = 0
    runs: int = 0


def _case(
    name: str, count: int, contenders: tuple[str, ...], *, group: str = "", size: int = 0,
    runs: int = 0,
) -> Case:  # fmt: skip
    return Case(name, (name,), count, contenders, group, size, runs)


def edge_matching(side: int, inner: int, seed: int) -> str:
    """A puzzle name: squares cut from a random colouring, all different, the rim of colour a."""
    rng = Random(seed)
    while True:
        across = [[rng.choice("bcdefghijk"[:inner]) for _ in range(side - 1)] for _ in range(side)]
        down = [[rng.choice("bcdefghijk"[:inner]) for _ in range(side)] for _ in range(side - 1)]
        squares = []
        for r in range(side):
            for c in range(side):
                top = down[r - 1][c] if r else "a"
                right = across[r][c] if c + 1 < side else "a"
                bottom = down[r][c] if r + 1 < side else "a"
                left = across[r][c - 1] if c else "a"
                squares.append(top + right + bottom + left)
        if len({min(s[k:] + s[:k] for k in range(4)) for s in squares}) == len(squares):
            rng.shuffle(squares)
            return f"edges:{side}x{side}:{','.join(squares)}:a"


SUDOKUS = (
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
)
"""Puzzles known for being hard for one method or another; each has one solution."""

_SMALL_PIECES = "polyomino:8x8:I1=any,I2=any,I3=any,V3=any"

_SUDOKU = Case(
    "sudoku, five hard ones", tuple(f"sudoku:{given}" for given in SUDOKUS), len(SUDOKUS), ALL
)

_EDGES = Case(
    "edge-matching 7x7, eight colours", (edge_matching(7, 7, 2),), 4, FAST
)  # one solution as made, turned four ways

_DOMINOES = {
    4: 36,
    8: 12988816,
    12: 53060477521960000,
    16: 2444888770250892795802079170816,
    20: 1269984011256235834242602753102293934298576249856,
}
"""Kasteleyn's formula."""
_QUEENS = {6: 4, 7: 40, 8: 92, 9: 352, 10: 724, 11: 2680, 12: 14200}
_PENTOMINOES = {"3x20": 8, "4x15": 1472, "5x12": 4040, "6x10": 9356}

_GROWTH = (
    *(
        _case(f"domino:{n}x{n}", count, COUNT, group="dominoes n x n, counted", size=n, runs=1)
        for n, count in _DOMINOES.items()
    ),
    *(
        _case(f"queens:{n}", count, FAST, group="queens n, every solution", size=n, runs=1)
        for n, count in _QUEENS.items()
    ),
    *(
        _case(
            f"pentomino:{board}", count, ("twostep", "twostep-count"),
            group="pentominoes by width", size=int(board[0]), runs=1,
        )
        for board, count in _PENTOMINOES.items()
    ),
)  # fmt: skip

_COUNTS = (
    _case("pentomino:6x10", 9356, COUNT),
    _case("domino:8x8", 12988816, COUNT),
    _case("domino:16x16", 2444888770250892795802079170816, COUNT),
    _case(_SMALL_PIECES, 92109458286284989468604, COUNT),
    _case("maze:6x6", 32565539635200, COUNT),
)

SMALL = (
    _case("pentomino:3x20", 8, ALL),
    _case("pentomino:4x15", 1472, FAST),
    _case("pentomino:6x10", 9356, ("twostep", "twostep-2", *FAST[1:])),
    _case("langford:11", 35584, ALL),
    _case("langford:12", 216288, FAST),
    _case("queens:11", 2680, FAST),
    _case("queens:12", 14200, FAST),
    _SUDOKU,
    replace(_EDGES, runs=2),
    *_COUNTS,
    *_GROWTH,
)

FULL = (
    _case("pentomino:3x20", 8, (*ALL, "twostep-links", "cpsat")),
    _case("pentomino:4x15", 1472, (*ALL, "twostep-links")),
    _case("pentomino:5x12", 4040, (*ALL, "twostep-links")),
    _case("pentomino:6x10", 9356, (*ALL, "twostep-2", "twostep-links")),
    _case("pentomino:8x8-center", 520, (*ALL, "twostep-links")),
    _case("langford:11", 35584, (*ALL, "twostep-links")),
    _case("langford:12", 216288, (*ALL, "twostep-links")),
    _case("queens:8", 92, (*FAST, "twostep-links", "cpsat")),
    _case("queens:11", 2680, (*FAST, "twostep-links")),
    _case("queens:12", 14200, (*FAST, "twostep-links")),
    _case("domino:6x6", 6728, (*ALL, "twostep-links", "cpsat")),
    _SUDOKU,
    _EDGES,
    *_COUNTS,
    _case("domino:20x20", _DOMINOES[20], COUNT),
    *_GROWTH,
)

SUITES = {"small": SMALL, "full": FULL}
