"""Polyomino puzzles by name: ``pentomino:3x20``, ``domino:8x8``, ``polyomino:5x8:L4=10``."""

from __future__ import annotations

from dataclasses import dataclass

from twostep.models.errors import InputError, did_you_mean
from twostep.models.families.polyomino.board import SYNTAX as BOARD_SYNTAX
from twostep.models.families.polyomino.board import parse_board
from twostep.models.families.polyomino.pieces import FACES, PENTOMINOES, Kind, parse_kinds
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle, parse_empty
from twostep.models.families.puzzle import Family


@dataclass(frozen=True, slots=True)
class _Options:
    """What the last part of a name says: how pieces may be turned, what stays empty."""

    faces: tuple[bool, bool] = (True, True)
    empty: int | str = 0
    apart: bool = False


def _parse_options(text: str) -> _Options:
    faces = (True, True)
    empty: int | str = 0
    apart = False
    said: set[str] = set()
    for word in text.split(",") if text else []:
        key, _, value = word.partition("=")
        what = "how pieces may be turned" if word in FACES else key
        if what in said:
            raise InputError(f"option {word[:40]!r}: {what} is said already")
        said.add(what)
        if word in FACES:
            faces = FACES[word]
        elif word == "apart":
            apart = True
        elif key == "empty" and (cells := parse_empty(value)) is not None:
            empty = cells
        elif key == "empty":
            raise InputError(f"option {word[:40]!r}: expected empty=N or empty=any")
        else:
            known = [*FACES, "apart", "empty=any", "empty=1"]
            raise InputError(f"unknown option {word[:40]!r}{did_you_mean(word, known)}")
    return _Options(faces, empty, apart)


def _are_options(text: str) -> bool:
    """Whether a part of a name says how pieces lie rather than which there are."""
    return all(
        word in (*FACES, "apart") or word.partition("=")[0] == "empty" for word in text.split(",")
    )


def _split(arguments: str, parts: int, syntax: str) -> list[str]:
    given = arguments.split(":")
    if len(given) > parts or not given[0]:
        raise InputError(f"{arguments[:60]!r}: expected {syntax}, BOARD being {BOARD_SYNTAX}")
    return given + [""] * (parts - len(given))


_PENTOMINO_SYNTAX = "pentomino:BOARD[:LETTERS|some][:one-sided|fixed,empty=N|any]"
_DOMINO_SYNTAX = "domino:BOARD[:fixed,empty=N|any]"
_POLYOMINO_SYNTAX = (
    "polyomino:BOARD:PIECE[-one-sided|-fixed][=COPIES],...[:one-sided|fixed,empty=N|any,apart]"
)


def _pentomino(arguments: str) -> PolyominoPuzzle:
    board, pieces, options = _split(arguments, 3, _PENTOMINO_SYNTAX)
    if not options and _are_options(pieces):
        pieces, options = "", pieces
    settings = _parse_options(options)
    if unknown := [letter for letter in pieces if letter not in PENTOMINOES]:
        if pieces != "some":
            raise InputError(
                f"unknown pentomino {unknown[0]!r} in {pieces[:40]!r}; there are"
                f" {' '.join(PENTOMINOES)}, or 'some' for any choice of them"
            )
        pieces = ""
        copies = "=0-1"
    else:
        copies = ""
    tokens = [letter + copies for letter in pieces or PENTOMINOES]
    kinds = parse_kinds(tokens, settings.faces)
    return _made("pentomino", arguments, board, kinds, settings)


def _domino(arguments: str) -> PolyominoPuzzle:
    board, options = _split(arguments, 2, _DOMINO_SYNTAX)
    settings = _parse_options(options)
    return _made("domino", arguments, board, parse_kinds(["I2=any"], settings.faces), settings)


def _polyomino(arguments: str) -> PolyominoPuzzle:
    board, pieces, options = _split(arguments, 3, _POLYOMINO_SYNTAX)
    if not pieces:
        raise InputError(f"{arguments[:60]!r}: no pieces; expected {_POLYOMINO_SYNTAX}")
    settings = _parse_options(options)
    return _made(
        "polyomino", arguments, board, parse_kinds(pieces.split(","), settings.faces), settings
    )


def _made(
    family: str, arguments: str, board: str, kinds: list[Kind], settings: _Options
) -> PolyominoPuzzle:
    return PolyominoPuzzle(
        f"{family}:{arguments}",
        parse_board(board),
        tuple(kinds),
        settings.empty,
        apart=settings.apart,
    )


PENTOMINO = Family(
    "pentomino",
    "fill a board with the twelve pentominoes, each once, or with those listed",
    _PENTOMINO_SYNTAX,
    ("pentomino:3x20", "pentomino:3x5:PUV", "pentomino:6x10", "pentomino:8x8-center",
     "pentomino:5x4:some"),
    _pentomino,
)  # fmt: skip

DOMINO = Family(
    "domino",
    "cover a board with dominoes",
    _DOMINO_SYNTAX,
    ("domino:8x8", "domino:8x8-mutilated", "domino:aztec4"),
    _domino,
)

POLYOMINO = Family(
    "polyomino",
    "fill a board with pieces of one to five cells, in given numbers",
    _POLYOMINO_SYNTAX,
    ("polyomino:5x8:tetrominoes=2", "polyomino:5x6:I1=any,I2=any,trominoes=any",
     "polyomino:8x8-r2c2:I3=any", "polyomino:2x5:T4,S4:one-sided,empty=2",
     "polyomino:6x6:R2x3=6", "polyomino:4x6:I2=any,I3=any,L4=any:apart"),
    _polyomino,
)  # fmt: skip
