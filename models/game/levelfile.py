"""Level files: JSON with ``"schema": "twostep-level/1"``, one level or a pack.

The format is told in ``docs/level-format.md``, its form in ``twostep-level-1.schema.json`` beside
the other formats. Fields that are not listed there are kept when the file is written again.
"""

from __future__ import annotations

import difflib
import itertools
import json
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeGuard, TypeVar

from twostep.models.errors import InputError, nearest
from twostep.models.families.polyomino.board import Board, board_from_rows
from twostep.models.families.polyomino.pieces import (
    FACES,
    Kind,
    Piece,
    merged,
    named_shape,
    parse_copies,
    parse_kinds,
    picture,
    shape_from_rows,
)
from twostep.models.families.polyomino.placement import Lock
from twostep.models.families.polyomino.puzzle import ANY, PolyominoPuzzle
from twostep.models.game.level import MAX_GRADE, Level, Pack, Proof, Witness
from twostep.models.reading.files import parse_json, read_text, whole_number, write_atomically
from twostep.models.reading.load import file_of

T = TypeVar("T")

SCHEMA = "twostep-level/1"

MAX_LISTED = 10_000
"""A longer list in a file, of levels, pieces or cells, is refused."""

_NEAR = 0.7
"""From this share of equal letters on (``difflib``), a field's name is taken for a slip."""

_LARGEST = 2**53
"""JSON readers of other languages keep whole numbers exact up to here."""


class _Place:
    """Where in a file we are, for messages: ``level 3 'Duck', field 'board'``."""

    def __init__(self, words: str) -> None:
        self.words = words

    def field(self, name: str) -> _Place:
        """The place of one of its fields."""
        return _Place(f"{self.words}, field {name!r}" if self.words else f"field {name!r}")

    def fault(self, message: str) -> InputError:
        """An error at this place."""
        return InputError(f"{self.words}: {message}" if self.words else message)


def read_pack(path: str | os.PathLike[str]) -> Pack:
    """The levels of a file.

    Raises:
        InputError: names the file, the level and the field. Whether locked pieces are legal is
            not looked at: see :attr:`Level.puzzle`.
    """
    source = os.fspath(path)
    try:
        return parse_pack(read_text(path))
    except InputError as error:
        raise error.at(source) from None


def parse_pack(text: str) -> Pack:
    """The levels that a file's text describes.

    Raises:
        InputError: names the level and the field.
    """
    place = _Place("")
    members = _object(parse_json(text, "a level"), place)
    if members.get("schema") != SCHEMA:
        raise InputError(f'expected "schema": "{SCHEMA}"')
    if "levels" not in members:
        level = _level(members, place, known={*_LEVEL_FIELDS, "schema"})
        return Pack((level,), single=True)
    listed = _list(members["levels"], place.field("levels"))
    if not listed:
        raise InputError(f"field 'levels': 0 levels, expected 1 to {MAX_LISTED:,}")
    levels = []
    for number, item in enumerate(listed, 1):
        levels.append(_level(_object(item, _Place(f"level {number}")), _Place(f"level {number}")))
    return Pack(
        tuple(levels),
        name=_text(members, "name", place),
        author=_text(members, "author", place),
        extra={k: v for k, v in members.items() if k not in ("schema", "name", "author", "levels")},
    )


def near_misses(level: Level) -> tuple[tuple[str, str], ...]:
    """Unknown fields whose names are nearly those of known ones, each with that one.

    Other unknown fields belong to the game and are kept.
    """
    found = []
    for name in level.extra:
        near = difflib.get_close_matches(name.casefold(), _LEVEL_FIELDS, n=1, cutoff=_NEAR)
        found += [(name, field) for field in near]
    return tuple(found)


def read_level(text: str) -> PolyominoPuzzle:
    """The puzzle of one level: ``FILE``, or ``FILE#NUMBER`` or ``FILE#NAME`` of a pack.

    Its name is `text`.

    Raises:
        InputError: as :func:`read_pack`; no such level; locked pieces that cannot be.
    """
    path = file_of(text)
    which = text[len(path) + 1 :]
    pack = read_pack(path)
    number = _number_of(pack, which, path)
    level = pack.levels[number - 1]
    place = "" if pack.single else f"level {number} {level.name!r}: "
    try:
        return PolyominoPuzzle(text, level.board, level.kinds, level.empty, level.locks)
    except InputError as error:
        raise InputError(place + error.message, source=path) from None


def _number_of(pack: Pack, which: str, path: str) -> int:
    count = len(pack.levels)
    if not which:
        if count > 1:
            raise InputError(f"a pack of {count} levels: name one, as in {path}#1", source=path)
        return 1
    if 1 <= (number := whole_number(which) or 0) <= count:
        return number
    for number, level in enumerate(pack.levels, 1):
        if level.name == which:
            return number
    near = nearest(which, [level.name for level in pack.levels if level.name])
    known = f"there are 1 to {count}" if near is None else f"did you mean {near!r}?"
    raise InputError(f"no level {which[:40]!r}; {known}", source=path)


# --- from JSON ------------------------------------------------------------------------------

_LEVEL_FIELDS = (
    "name", "author", "seed", "grade", "board", "pieces", "empty", "locked", "proven",
)  # fmt: skip


def _level(members: Mapping[str, object], place: _Place, known: set[str] | None = None) -> Level:
    name = _text(members, "name", place)
    if name:
        place = _Place(f"{place.words} {name!r}".strip())
    for needed in ("board", "pieces"):
        if needed not in members:
            raise place.fault(f"field {needed!r} is missing")
    grade = _whole(members, "grade", place, 1, MAX_GRADE)
    return Level(
        name=name,
        board=_board(members["board"], place.field("board")),
        kinds=tuple(_kinds(members["pieces"], place.field("pieces"))),
        empty=_empty(members, place),
        locks=_locks(members.get("locked", []), place.field("locked")),
        author=_text(members, "author", place),
        seed=_whole(members, "seed", place, 0, _LARGEST),
        grade=grade,
        proof=_proof(members.get("proven"), place.field("proven")),
        extra={k: v for k, v in members.items() if k not in (known or _LEVEL_FIELDS)},
    )


def _board(value: object, place: _Place) -> Board:
    return _reading(place, lambda: board_from_rows(_rows(value, place)))


def _kinds(value: object, place: _Place) -> list[Kind]:
    kinds: list[Kind] = []
    for names, items in itertools.groupby(_list(value, place), lambda item: isinstance(item, str)):
        if names:
            kinds += _reading(place, partial(parse_kinds, map(str, items)))
        else:
            kinds += [_kind(item, place) for item in items]
    if not kinds:
        raise place.fault("no pieces")
    return _reading(place, lambda: merged(kinds))


def _kind(item: object, place: _Place) -> Kind:
    if not isinstance(item, dict):
        raise place.fault(f"expected names and objects, got {_what(item)}")
    members: Mapping[str, object] = item
    name = _text(members, "name", place)
    place = _Place(f"{place.words}, piece {name!r}")
    if unknown := set(members) - {"name", "cells", "copies", "turn", "turn_over"}:
        raise place.fault(f"unknown field {min(unknown)!r}")
    faces = []
    for key in ("turn", "turn_over"):
        allowed = members.get(key, True)
        if not isinstance(allowed, bool):
            raise place.field(key).fault(f"expected true or false, got {_what(allowed)}")
        faces.append(allowed)
    copies = members.get("copies", 1)
    if isinstance(copies, bool) or not isinstance(copies, int | str):
        raise place.field("copies").fault(f"expected a number, got {_what(copies)}")
    cells = members.get("cells")

    def make() -> Kind:
        low, high = parse_copies(str(copies)[:20])
        shape = named_shape(name) if cells is None else shape_from_rows(_rows(cells, place))
        return Kind(Piece(name, shape, faces[0], faces[1]), low, high)

    return _reading(place, make)


def _empty(members: Mapping[str, object], place: _Place) -> int | str:
    if members.get("empty") == ANY:
        return ANY
    return _whole(members, "empty", place, 0, _LARGEST) or 0


def _locks(value: object, place: _Place) -> tuple[Lock, ...]:
    locks = []
    for item in _list(value, place):
        members = _object(item, place)
        if set(members) != {"piece", "cells"}:
            raise place.fault("expected objects with 'piece' and 'cells'")
        piece = _text(members, "piece", place)
        cells = []
        at = place.field("cells")
        for cell in _list(members["cells"], at):
            pair = _list(cell, at)
            numbers = [x for x in pair if _is_whole(x) and abs(x) < _LARGEST]
            if len(pair) != 2 or len(numbers) != 2:
                raise at.fault("expected pairs [row, column] of whole numbers")
            cells.append((numbers[0], numbers[1]))
        locks.append(Lock(piece, tuple(sorted(cells))))
    return tuple(locks)


def parse_locks(value: object, what: str) -> tuple[Lock, ...]:
    """Pieces with their cells, as ``locked`` lists them; `what` is how messages call the list.

    Raises:
        InputError: names the field.
    """
    return _locks(value, _Place(what))


def _proof(value: object, place: _Place) -> Proof | None:
    if value is None:
        return None
    members = _object(value, place)
    solutions = _whole(members, "solutions", place, 0, None)
    complete = members.get("complete")
    if solutions is None or not isinstance(complete, bool):
        raise place.fault("expected 'solutions', a number, and 'complete', true or false")
    witnesses = []
    at = place.field("engines")
    for item in _list(members.get("engines", []), at):
        each = _object(item, at)
        witnesses.append(Witness(_text(each, "engine", at), _text(each, "version", at)))
    return Proof(solutions, complete, tuple(witnesses))


def _object(value: object, place: _Place) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise place.fault(f"expected an object, got {_what(value)}")
    return value


def _list(value: object, place: _Place) -> list[object]:
    if not isinstance(value, list):
        raise place.fault(f"expected a list, got {_what(value)}")
    if len(value) > MAX_LISTED:
        raise place.fault(f"a list of {len(value):,}, expected at most {MAX_LISTED:,}")
    return value


def _rows(value: object, place: _Place) -> list[str]:
    listed = _list(value, place)
    rows = [row for row in listed if isinstance(row, str)]
    if len(rows) < len(listed):
        raise place.fault("expected rows of text")
    return rows


def _text(members: Mapping[str, object], key: str, place: _Place) -> str:
    value = members.get(key, "")
    if not isinstance(value, str):
        raise place.field(key).fault(f"expected text, got {_what(value)}")
    if not can_be_shown(value):
        raise place.field(key).fault(f"expected {SHOWN}")
    return value


SHOWN = "at most 200 characters, all of them printable"
"""What names and authors are."""


def can_be_shown(text: str) -> bool:
    """Whether a text can be a name or an author: see SHOWN."""
    return len(text) <= 200 and text.isprintable()


def _whole(
    members: Mapping[str, object], key: str, place: _Place, low: int, high: int | None
) -> int | None:
    value = members.get(key)
    if value is None:
        return None
    if not _is_whole(value) or value < low or (high is not None and value > high):
        bounds = f"of at least {low}" if high in (None, _LARGEST) else f"from {low} to {high}"
        raise place.field(key).fault(f"expected a whole number {bounds}, got {_what(value)}")
    return value


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _what(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"{value}" if abs(value) < _LARGEST else "a huge number"
    return (
        "text" if isinstance(value, str) else "a list" if isinstance(value, list) else "an object"
    )


def _reading(place: _Place, make: Callable[[], T]) -> T:
    """What `make` makes; its errors name the place."""
    try:
        return make()
    except InputError as error:
        if error.message.startswith(place.words):
            raise
        raise place.fault(error.message) from None


# --- to JSON --------------------------------------------------------------------------------


def write_pack(path: str | os.PathLike[str], pack: Pack) -> None:
    """Write levels as a file, whole or not at all.

    Raises:
        InputError: it cannot be written.
    """
    write_atomically(path, pack_text(pack))


def pack_text(pack: Pack) -> str:
    """The text of a pack's file."""
    if pack.single:
        return _lines([("schema", SCHEMA), *_level_fields(pack.levels[0])], 0) + "\n"
    fields: list[tuple[str, object]] = [("schema", SCHEMA)]
    fields += [
        (key, value) for key, value in (("name", pack.name), ("author", pack.author)) if value
    ]
    fields += list(pack.extra.items())
    head = _lines(fields, 0).removesuffix("\n}")
    levels = ",\n".join("  " + _lines(_level_fields(level), 2) for level in pack.levels)
    return f'{head},\n "levels": [\n{levels}\n ]\n}}\n'


def _level_fields(level: Level) -> list[tuple[str, object]]:
    """The level's fields, those left out that say what goes without saying."""
    fields: list[tuple[str, object]] = [
        ("name", level.name or None),
        ("author", level.author or None),
        ("seed", level.seed),
        ("grade", level.grade),
        ("board", level.board.picture().split("\n")),
        ("pieces", [_kind_value(kind) for kind in level.kinds]),
        ("empty", level.empty or None),
        ("locked", [{"piece": k.piece, "cells": k.cells} for k in level.locks] or None),
    ]
    if level.proof is not None:
        engines = [{"engine": w.engine, "version": w.version} for w in level.proof.witnesses]
        fields.append(
            ("proven", {"solutions": level.proof.solutions, "complete": level.proof.complete,
                        "engines": engines})
        )  # fmt: skip
    return [(key, value) for key, value in fields if value is not None] + list(level.extra.items())


def _kind_value(kind: Kind) -> object:
    piece = kind.piece
    if (kind.low, kind.high) == (0, None):
        copies: int | str = ANY
    elif kind.low == kind.high:
        copies = kind.low
    else:
        copies = f"{kind.low}-{'any' if kind.high is None else kind.high}"
    known = _known_by_name(piece)
    faces = {(True, True): "", **{turns: f"-{word}" for word, turns in FACES.items()}}
    face = faces.get((piece.may_turn, piece.may_turn_over))
    if known and face is not None:
        return f"{piece.name}{face}" + ("" if copies == 1 else f"={copies}")
    members: list[tuple[str, object]] = [("name", piece.name)]
    members += [] if known else [("cells", picture(piece.shape))]
    members += [] if copies == 1 else [("copies", copies)]
    members += [] if piece.may_turn else [("turn", False)]
    members += [] if piece.may_turn_over else [("turn_over", False)]
    return dict(members)


def _known_by_name(piece: Piece) -> bool:
    try:
        return named_shape(piece.name) == piece.shape
    except InputError:
        return False


def _lines(fields: Sequence[tuple[str, object]], indent: int) -> str:
    """An object with one field a line; the board's rows are below each other."""
    space = " " * (indent + 1)
    lines = []
    for key, value in fields:
        if key == "board" and isinstance(value, list):
            rows = f",\n{space}          ".join(json.dumps(row) for row in value)
            text = f"[{rows}]"
        else:
            text = json.dumps(value, ensure_ascii=False)
        lines.append(f"{space}{json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n" + " " * indent + "}"
