"""The list of puzzle families: it stands here and nowhere else.

A family is loaded only when it is used. To add one: write its module with a ``FAMILY``, and add
its line to :data:`FAMILIES`; the command, its help and the tests of all families follow.
"""

from __future__ import annotations

from twostep.models.errors import InputError, did_you_mean
from twostep.models.loading import load
from twostep.models.puzzle import Family, Puzzle

FAMILIES: dict[str, str] = {
    "pentomino": "twostep.models.polyomino.family:PENTOMINO",
    "domino": "twostep.models.polyomino.family:DOMINO",
    "polyomino": "twostep.models.polyomino.family:POLYOMINO",
    "queens": "twostep.models.classics.queens:FAMILY",
    "starbattle": "twostep.models.classics.starbattle:FAMILY",
    "langford": "twostep.models.classics.langford:FAMILY",
    "sudoku": "twostep.models.classics.sudoku:FAMILY",
    "macmahon": "twostep.models.classics.edges:MACMAHON",
    "edges": "twostep.models.classics.edges:EDGES",
    "dominosa": "twostep.models.classics.dominosa:FAMILY",
    "calendar": "twostep.models.classics.calendar:FAMILY",
    "words": "twostep.models.classics.words:FAMILY",
    "maze": "twostep.models.maze.family:MAZE",
    "pacman": "twostep.models.maze.family:PACMAN",
    "tetris": "twostep.models.tetris.family:TETRIS",
    "two-tiling": "twostep.models.two_tiling.family:FAMILY",
}
"""Family name -> ``module:attribute`` of its :class:`Family`."""


def family(name: str) -> Family:
    """The family of that name.

    Raises:
        InputError: there is none; names the nearest.
    """
    if name not in FAMILIES:
        raise InputError(f"unknown puzzle family {name!r}{did_you_mean(name, FAMILIES)}")
    found: Family = load(FAMILIES[name])
    return found


def named_puzzle(name: str) -> Puzzle:
    """The puzzle of that name, such as ``pentomino:3x5:PUV``.

    Raises:
        InputError: an unknown family, or arguments that the family refuses.
    """
    kind, _, arguments = name.partition(":")
    known = family(kind)
    try:
        return known.parse(arguments)
    except InputError as error:
        raise error.at(name) from None
