"""Level files: what is written can be read, what is wrong is told in one line."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest

from twostep.models.errors import InputError
from twostep.models.families.polyomino.board import board_from_rows
from twostep.models.families.polyomino.pieces import parse_kinds
from twostep.models.families.polyomino.placement import Lock
from twostep.models.game.level import Level
from twostep.models.game.levelfile import (
    SCHEMA,
    pack_text,
    parse_pack,
    read_level,
    read_pack,
    write_pack,
)
from twostep.models.reading.load import load_puzzle

V_LOCKED = {"piece": "V", "cells": [[0, 0], [1, 0], [2, 0], [2, 1], [2, 2]]}
SMALL = {"board": [".....", ".....", "....."], "pieces": ["P", "U", "V"]}


def level_text(**changes: object) -> str:
    members = {"schema": SCHEMA, **SMALL, **changes}
    return json.dumps({key: value for key, value in members.items() if value is not ...})


def one(**changes: object) -> Level:
    return parse_pack(level_text(**changes)).levels[0]


def test_a_level_with_everything_survives_writing_and_reading() -> None:
    text = level_text(
        name="Ente – 鸭",
        author="A. N. Other",
        seed=7,
        grade=3,
        pieces=[
            "P", "L4=2", "T4-one-sided=0-3", "S4-fixed=any", "I2=1-any",
            {"name": "H", "cells": ["#.#", "###", "#.#"], "copies": 2},
            {"name": "Q", "cells": ["##", ".#"], "copies": "0-2", "turn": False},
        ],
        empty=2,
        locked=[V_LOCKED],
        proven={"solutions": 10**30, "complete": True,
                "engines": [{"engine": "dlx", "version": "0.1.0"}]},
        mood={"deep": [1, 2.5, None]},
    )  # fmt: skip
    pack = parse_pack(text)
    again = parse_pack(pack_text(pack))
    first, second = pack.levels[0], again.levels[0]
    assert pack_text(again) == pack_text(pack)
    assert first.kinds == second.kinds
    assert (first.board, first.locks, first.proof) == (second.board, second.locks, second.proof)
    assert second.extra == {"mood": {"deep": [1, 2.5, None]}}
    assert (second.name, second.author, second.seed, second.grade, second.empty) == (
        "Ente – 鸭", "A. N. Other", 7, 3, 2,
    )  # fmt: skip
    assert [(kind.low, kind.high) for kind in second.kinds] == [
        (1, 1), (2, 2), (0, 3), (0, None), (1, None), (2, 2), (0, 2),
    ]  # fmt: skip


def test_a_pack_keeps_its_own_unknown_fields(tmp_path: Path) -> None:
    members = {"schema": SCHEMA, "name": "Two", "licence": "CC0", "levels": [SMALL, SMALL]}
    pack = parse_pack(json.dumps(members))
    path = tmp_path / "pack.json"
    write_pack(path, pack)
    again = read_pack(path)
    assert (again.name, again.extra, len(again.levels)) == ("Two", {"licence": "CC0"}, 2)
    assert json.loads(path.read_text())["levels"] == [SMALL, SMALL]


def test_locked_pieces_are_already_chosen() -> None:
    model = one(locked=[V_LOCKED]).puzzle.model
    (chosen,) = model.chosen
    assert model.labels[chosen].piece == "V"


def test_a_level_of_a_pack_is_named_by_number_or_name(tmp_path: Path) -> None:
    path = tmp_path / "a#b.json"  # the file's own name has a '#'
    named = {**SMALL, "name": "Duck", "pieces": ["P", "U", "L"]}
    path.write_text(json.dumps({"schema": SCHEMA, "levels": [SMALL, named]}))
    for which in ("2", "Duck"):
        puzzle = load_puzzle(f"{path}#{which}")
        assert puzzle.name == f"{path}#{which}"
        assert "L" in puzzle.model.items
    with pytest.raises(InputError, match="a pack of 2 levels: name one"):
        load_puzzle(str(path))
    with pytest.raises(InputError, match="no level '3'; there are 1 to 2"):
        read_level(f"{path}#3")
    with pytest.raises(InputError, match="no level 'duk'; did you mean 'Duck'"):
        read_level(f"{path}#duk")


def test_an_illegal_lock_names_file_and_level(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    wrong = {**SMALL, "name": "Bad", "locked": [{"piece": "V", "cells": [[0, 0]]}]}
    path.write_text(json.dumps({"schema": SCHEMA, "levels": [SMALL, wrong]}))
    with pytest.raises(InputError) as caught:
        load_puzzle(f"{path}#2")
    assert str(caught.value) == f"{path}: level 2 'Bad': the locked cells are an I1, not a V"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"schema": "twostep-level/1", ', "not JSON"),
        ("[1, 2]", "expected an object, got a list"),
        ("3", "expected an object, got 3"),
        ("{}", 'expected "schema": "twostep-level/1"'),
        ('{"schema": "twostep-level/2"}', 'expected "schema"'),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 5000, "not a level"),
        (level_text(board=...), "field 'board' is missing"),
        (level_text(pieces=...), "field 'pieces' is missing"),
        (level_text(board="....."), "field 'board': expected a list, got text"),
        (level_text(board=[1, 2]), "field 'board': expected rows of text"),
        (level_text(board=["...", ".."]), "field 'board': board, row 2: 2 characters"),
        (level_text(board=["..x"]), "field 'board': board, row 1: unknown character 'x'"),
        (level_text(board=[]), "no free cell"),
        (level_text(board=["." * 20_000]), "more than 10,000 cells"),
        (level_text(pieces="P"), "field 'pieces': expected a list, got text"),
        (level_text(pieces=[]), "no pieces"),
        (level_text(pieces=["Q"]), "field 'pieces': unknown piece 'Q'"),
        (level_text(pieces=[None]), "field 'pieces': expected names and objects, got null"),
        (level_text(pieces=[{"name": "H"}]), "piece 'H': unknown piece 'H'"),
        (level_text(pieces=[{"name": "H", "cells": ["#.", ".#"]}]), "not connected"),
        (level_text(pieces=[{"name": "H", "cells": ["..", ".."]}]), "has no cells"),
        (level_text(pieces=[{"name": "P", "copies": 10**30}]), "copies: expected"),
        (level_text(pieces=[{"name": "P", "copies": 1.5}]), "field 'copies'"),
        (level_text(pieces=[{"name": "P", "copies": True}]), "field 'copies'"),
        (level_text(pieces=[{"name": "P", "turn": 1}]), "field 'turn': expected true or false"),
        (level_text(pieces=[{"name": "P", "colour": 1}]), "unknown field 'colour'"),
        (level_text(pieces=["P", {"name": "K", "cells": ["##", "##", ".#"]}]), "same piece"),
        (level_text(empty=-1), "field 'empty': expected a whole number of at least 0, got -1"),
        (level_text(empty=10**40), "got a huge number"),
        (level_text(empty=True), "field 'empty'"),
        (level_text(grade=11), "field 'grade': expected a whole number from 1 to 10, got 11"),
        (level_text(seed=1.5), "field 'seed'"),
        (level_text(name=5), "field 'name': expected text, got 5"),
        (level_text(name="a\x1b[2Jb"), "the control character U+001B"),
        (level_text(name="a\u202eb"), "field 'name': expected at most 200 characters"),
        (level_text(pieces=["P"] * 10_001), "field 'pieces': a list of 10,001, expected at most"),
        (json.dumps({"schema": SCHEMA, "levels": [{}] * 10_001}), "a list of 10,001, expected"),
        (level_text(name="x" * 300), "field 'name': expected at most 200 characters"),
        (level_text(locked=[{"piece": "V"}]), "field 'locked': expected objects"),
        (level_text(locked=[{"piece": "V", "cells": [[0]]}]), "expected pairs"),
        (level_text(locked=[{"piece": "V", "cells": [[0, 1e300]]}]), "expected pairs"),
        (level_text(locked=[{"piece": "V", "cells": [[0, 10**400]]}]), "expected pairs"),
        (level_text(proven={"solutions": "4"}), "field 'proven'"),
        (level_text(proven={"solutions": 4}), "'complete', true or false"),
        (json.dumps({"schema": SCHEMA, "levels": []}), "0 levels, expected 1 to 10,000"),
        (json.dumps({"schema": SCHEMA, "levels": {}}), "expected a list"),
        (json.dumps({"schema": SCHEMA, "levels": [3]}), "level 1: expected an object"),
        (
            json.dumps(
                {"schema": SCHEMA, "levels": [SMALL, {**SMALL, "name": "Duck", "seed": -1}]}
            ),
            "level 2 'Duck', field 'seed'",
        ),
    ],
)
def test_a_broken_level_file_gives_one_clear_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "l.json"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_pack(path)
    line = str(caught.value)
    assert message in line
    assert line.startswith(str(path))
    assert "\n" not in line
    assert line.isprintable()
    assert len(line) < 400


def test_a_huge_board_is_refused_with_memory_bounded(tmp_path: Path) -> None:
    path = tmp_path / "l.json"
    path.write_text(level_text(board=["." * 2000] * 2000))
    tracemalloc.start()
    with pytest.raises(InputError, match="more than 10,000 cells"):
        read_pack(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100_000_000
    path.write_text(level_text(board=["." * 10_000] * 10_000))
    with pytest.raises(InputError, match="too large"):
        read_pack(path)


# --- which levels are alike -----------------------------------------------------------------


def level(rows: list[str], pieces: list[str], locks: tuple[Lock, ...] = ()) -> Level:
    return Level("", board_from_rows(rows), tuple(parse_kinds(pieces)), locks=locks)


def test_turned_and_mirrored_levels_have_the_same_key() -> None:
    rows = ["...##", ".....", ".#..."]
    there = Lock("V3", ((0, 0), (0, 1), (1, 0)))
    plain = level(rows, ["V3", "P", "I2"], (there,))
    # A quarter turn, clockwise: (row, column) goes to (column, 2 - row).
    turned = level(
        ["...", "#..", "...", "..#", "..#"], ["I2", "P", "V3"],
        (Lock("V3", ((0, 1), (0, 2), (1, 2))),),
    )  # fmt: skip
    mirrored = level(
        ["##...", ".....", "...#."], ["P", "V3", "I2"], (Lock("V3", ((0, 3), (0, 4), (1, 4))),)
    )
    assert plain.likeness == turned.likeness == mirrored.likeness
    assert plain.outline_key == turned.outline_key == level(rows, ["P", "I2", "V3"]).outline_key
    assert plain.likeness.whole != level(rows, ["P", "I2", "V3"]).likeness.whole
    assert plain.likeness.whole != level(rows, ["P", "I2", "I3"], ()).likeness.whole


def test_a_margin_of_blocked_cells_does_not_make_another_level() -> None:
    assert (
        level(["..", ".."], ["O4"]).likeness.whole
        == level(["####", "#..#", "#..#"], ["O4"]).likeness.whole
    )


def test_mirroring_one_sided_pieces_makes_another_level_unless_they_are_mirrored_too() -> None:
    rows = ["...", "..#"]
    left = level(rows, ["L4-one-sided", "I1"])
    assert left.likeness.whole == level(["...", "#.."], ["J4-one-sided", "I1"]).likeness.whole
    assert left.likeness.whole != level(rows, ["J4-one-sided", "I1"]).likeness.whole
