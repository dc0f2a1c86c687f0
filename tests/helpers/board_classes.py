"""Fillings up to symmetry, by listing them and joining those that a symmetry sends to each other.

Shares with the product only the pieces' shapes and the solutions' cells: which symmetries count
is worked out anew, from the rule in ``docs/counting.md``.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable

from helpers.engines import DLX

from twostep.models.families.polyomino.board import Board
from twostep.models.families.polyomino.pieces import Kind, parse_kinds
from twostep.models.families.polyomino.placement import Placement
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle
from twostep.models.search.questions import count, listing

Cell = tuple[int, int]

NAMES = ["I1", "I2", "I3", "V3", "L4", "J4", "S4", "Z4", "T4", "O4", "P", "U", "L"]
COPIES = ["=any", "=0-1", "=0-2", "=1", "=2", "=0-0", "=1-any", "=0-9"]


def random_puzzle(rng: random.Random, most: int = 300) -> PolyominoPuzzle:
    """A small board, often a symmetric one, with pieces of which many may not be turned over.

    `most`: how many fillings it has at most.
    """
    while True:
        puzzle = _any_puzzle(rng)
        if count(DLX, puzzle.model).found <= most:
            return puzzle


def _any_puzzle(rng: random.Random) -> PolyominoPuzzle:
    rows, columns = rng.choice([(2, 3), (3, 3), (2, 5), (3, 4), (4, 4), (3, 5), (2, 6)])
    cells = {(r, c) for r in range(rows) for c in range(columns)}
    for _ in range(rng.choice([0, 0, 0, 1, 2])):
        r, c = rng.randrange(rows), rng.randrange(columns)
        cells -= {(r, c), *([(rows - 1 - r, columns - 1 - c)] if rng.random() < 0.7 else [])}
    cells = cells or {(0, 0)}
    pairs = [["L4", "J4"], ["S4", "Z4"], ["I2"], ["I1", "V3"], ["I3"]]
    names = [name for pair in rng.sample(pairs, rng.randint(1, 3)) for name in pair]
    names += rng.sample(NAMES, rng.randint(0, 2))
    same, alike = rng.choice(COPIES), rng.random() < 0.7
    faces = ["-one-sided"] if alike else ["-one-sided", "-one-sided", "-fixed", ""]
    copies = [same] if alike else [same, *COPIES]
    tokens = {name + rng.choice(faces) + rng.choice(copies) for name in dict.fromkeys(names)}
    chosen = [kind for token in sorted(tokens) for kind in parse_kinds([token])]
    seen: set[frozenset[object]] = set()
    kinds = []
    for kind in chosen:  # L4 and J4 are one piece where both may be turned over
        forms = frozenset[object](kind.piece.orientations)
        if forms not in seen:
            seen.add(forms)
            kinds.append(kind)
    board = Board(rows, columns, tuple(sorted(cells)))
    empty = rng.choice(["any", 0, 0, 0, min(1, board.size)])
    return PolyominoPuzzle("random", board, tuple(kinds), empty)


def classes(puzzle: PolyominoPuzzle) -> tuple[int, int]:
    """How many solutions, and how many up to symmetry."""
    listed = listing(DLX, puzzle.model)
    assert listed.result.complete
    labels = puzzle.model.labels
    found = {
        frozenset(
            (label.piece, label.cells)
            for label in map(labels.__getitem__, solution)
            if isinstance(label, Placement)
        )
        for solution in listed.solutions
    }
    leader = {each: each for each in found}

    def top(each: frozenset[tuple[str, tuple[Cell, ...]]]) -> frozenset[object]:
        while leader[each] != each:
            each = leader[each]
        return each  # type: ignore[return-value]

    for move, names in _symmetries(puzzle):
        for each in found:
            image = frozenset(
                (names[name], tuple(sorted(move[cell] for cell in cells))) for name, cells in each
            )
            leader[top(each)] = top(image)  # type: ignore[index,assignment]
    return len(found), sum(leader[each] == each for each in found)


def _symmetries(puzzle: PolyominoPuzzle) -> Iterable[tuple[dict[Cell, Cell], dict[str, str]]]:
    free = set(puzzle.board.free)
    for swap in (False, True):
        for down in (1, -1):
            for right in (1, -1):
                move = _onto_itself(free, swap, down, right)
                if move is None:
                    continue
                names = _renamed(puzzle, swap, down, right)
                if names is not None:
                    yield move, names


def _sent(cell: Cell, swap: bool, down: int, right: int) -> Cell:
    r, c = cell[::-1] if swap else cell
    return r * down, c * right


def _onto_itself(free: set[Cell], swap: bool, down: int, right: int) -> dict[Cell, Cell] | None:
    images = {cell: _sent(cell, swap, down, right) for cell in free}
    dr = min(r for r, _ in free) - min(r for r, _ in images.values())
    dc = min(c for _, c in free) - min(c for _, c in images.values())
    moved = {cell: (r + dr, c + dc) for cell, (r, c) in images.items()}
    return moved if set(moved.values()) == free else None


def _renamed(puzzle: PolyominoPuzzle, swap: bool, down: int, right: int) -> dict[str, str] | None:
    """The partner of each piece that can be used; None: the pieces aren't mapped to themselves."""

    def forms(kind: Kind, moved: bool) -> frozenset[frozenset[Cell]]:
        found = set()
        for form in kind.piece.orientations:
            cells = [_sent(cell, swap, down, right) if moved else cell for cell in form]
            r0, c0 = min(r for r, _ in cells), min(c for _, c in cells)
            found.add(frozenset((r - r0, c - c0) for r, c in cells))
        return frozenset(found)

    free = set(puzzle.board.free)

    def fits(kind: Kind) -> bool:
        return any(
            all((r + dr, c + dc) in free for dr, dc in form)
            for form in kind.piece.orientations
            for r, c in {(a - form[0][0], b - form[0][1]) for a, b in free}
        )

    def bounds(kind: Kind) -> tuple[int, int]:
        most = len(free) // kind.piece.size
        return kind.low, min(most, most if kind.high is None else kind.high)

    used = [kind for kind in puzzle.kinds if kind.high != 0 and (kind.low or fits(kind))]
    before = Counter((forms(kind, False), bounds(kind)) for kind in used)
    if before != Counter((forms(kind, True), bounds(kind)) for kind in used):
        return None
    name_of = {forms(kind, False): kind.name for kind in used}
    return {kind.name: name_of[forms(kind, True)] for kind in used}
