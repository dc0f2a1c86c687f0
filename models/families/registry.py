"""The list of puzzle families.

A family is loaded only when it is used. To add one: write its module with a ``FAMILY``, and add
its line to :data:`FAMILIES`; the command, its help and the tests of all families follow.
"""

from __future__ import annotations

from pkgutil import resolve_name

from twostep.models.errors import InputError, did_you_mean
from twostep.models.families.puzzle import Family, Puzzle

FAMILIES: dict[str, str] = {
    "pentomino": "twostep.models.families.polyomino.family:PENTOMINO",
    "domino": "twostep.models.families.polyomino.family:DOMINO",
    "polyomino": "twostep.models.families.polyomino.family:POLYOMINO",
    "queens": "twostep.models.families.classics.queens:FAMILY",
    "bishops": "twostep.models.families.classics.guards:BISHOPS",
    "starbattle": "twostep.models.families.classics.starbattle:FAMILY",
    "langford": "twostep.models.families.classics.langford:FAMILY",
    "sudoku": "twostep.models.families.classics.sudoku:FAMILY",
    "macmahon": "twostep.models.families.classics.edges:MACMAHON",
    "edges": "twostep.models.families.classics.edges:EDGES",
    "dominosa": "twostep.models.families.classics.dominosa:FAMILY",
    "calendar": "twostep.models.families.classics.calendar:FAMILY",
    "words": "twostep.models.families.classics.words:FAMILY",
    "pips": "twostep.models.families.classics.pips:FAMILY",
    "nonogram": "twostep.models.families.classics.nonogram:FAMILY",
    "maze": "twostep.models.families.maze.family:MAZE",
    "pacman": "twostep.models.families.maze.family:PACMAN",
    "connected": "twostep.models.families.maze.family:CONNECTED",
    "tetris": "twostep.models.families.tetris.family:TETRIS",
    "two-tiling": "twostep.models.families.two_tiling.family:FAMILY",
}
"""Family name -> ``module:attribute`` of its :class:`Family`."""


def family(name: str) -> Family:
    """The family of that name.

    Raises:
        InputError: there is none; names the nearest.
    """
    if name not in FAMILIES:
        raise InputError(f"unknown puzzle family {name!r}{did_you_mean(name, FAMILIES)}")
    found: Family = resolve_name(FAMILIES[name])
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
