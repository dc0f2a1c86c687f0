"""Hints: always true, with the reason they give, and from memory while they are followed."""

from __future__ import annotations

import itertools
import random
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from helpers.cli import Typed
from helpers.engines import CPSAT, DLX

from twostep.compare.command.shared.exits import Exit
from twostep.models import Limits, first, listing
from twostep.models.errors import InputError
from twostep.models.families.polyomino.board import board_from_rows
from twostep.models.families.polyomino.pieces import parse_kinds
from twostep.models.families.polyomino.placement import Lock, Placement
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle
from twostep.models.families.registry import named_puzzle
from twostep.models.game.playing import read_placed, wrong_with
from twostep.models.play.hints import Hint, HintSession, State, Strength, Why
from twostep.models.play.placed import read_placed as read_options
from twostep.models.play.room import Position, Room
from twostep.models.search.engine import SearchResult

NAMES = [
    "pentomino:3x5:PUV", "pentomino:4x5:FLPU", "pentomino:5x5:some", "pentomino:5x6:LNPUVY",
    "pentomino:4x4:PLV:empty=1", "polyomino:4x4:I4,L4=2,O4", "polyomino:4x4:L4=4:one-sided",
    "polyomino:3x4:I2=0-3,V3=1-any:empty=any", "polyomino:4x4:T4=2,I2=1-3:empty=2",
]  # fmt: skip


def puzzle(name: str) -> PolyominoPuzzle:
    made = named_puzzle(name)
    assert isinstance(made, PolyominoPuzzle)
    return made


def lock(placement: Placement) -> Lock:
    return Lock(placement.piece, placement.cells)


class Game:
    """A level being played, and the judge: CP-SAT."""

    def __init__(self, made: PolyominoPuzzle) -> None:
        self.puzzle = made
        self.room = Room(made)
        self.placed: list[int] = []

    def random_move(self, rng: random.Random) -> bool:
        """Place any piece that fits; False: none does."""
        position = Position(self.room, self.room.place(self.placed))
        moves = [o for o in np.flatnonzero(position.open).tolist() if not self.room.quiet[o]]
        if not moves:
            return False
        self.placed.append(rng.choice(moves))
        return True

    def can_be_completed(self, placed: list[int]) -> bool:
        found = first(CPSAT, self.puzzle.model.with_chosen(placed))
        assert found.solutions or found.result.complete
        return bool(found.solutions)


def laid(made: PolyominoPuzzle, placed: list[int]) -> list[Lock]:
    return [lock(made.model.labels[option]) for option in placed]


@pytest.mark.parametrize("name", NAMES)
def test_random_play_outs_end_solved_or_with_a_right_nothing_fits(name: str) -> None:
    rng = random.Random(name)
    made = puzzle(name)
    for _ in range(10):
        game, session = Game(made), HintSession(made, DLX)
        for _ in range(rng.randint(0, 3)):
            game.random_move(rng)
        for _ in range(20):
            hint = session.hint(game.placed)
            if hint.state is State.SOLVED:
                assert wrong_with(made, laid(made, game.placed)) is None
                break
            if hint.state is State.STUCK:
                assert not game.can_be_completed(game.placed)
                assert hint.take_back is not None
                back = set(hint.take_back)
                assert game.can_be_completed([p for p in game.placed if p not in back])
                for fewer in itertools.combinations(game.placed, len(back) - 1):
                    rest = [p for p in game.placed if p not in fewer]
                    assert not game.can_be_completed(rest)
                game.placed = [p for p in game.placed if p not in back]
                continue
            assert hint.state is State.MOVE
            assert hint.option is not None
            game.placed.append(hint.option)
            assert game.can_be_completed(game.placed)
            if rng.random() < 0.1:
                game.random_move(rng)
        else:
            pytest.fail("the hints lead nowhere")


def test_hints_on_6x10_come_from_memory_while_they_are_followed() -> None:
    made = puzzle("pentomino:6x10")
    session = HintSession(made, DLX)
    placed: list[int] = []
    for number in range(12):
        hint = session.hint(placed)
        assert hint.option is not None
        assert hint.searched == (number == 0)
        placed.append(hint.option)
    assert session.hint(placed).state is State.SOLVED
    assert wrong_with(made, laid(made, placed)) is None


@pytest.mark.parametrize("games", [30, pytest.param(200, marks=pytest.mark.long)])
def test_play_outs_on_6x10_are_never_wrong(games: int) -> None:
    rng = random.Random(games)
    made = puzzle("pentomino:6x10")
    stuck = 0
    for _ in range(games):
        game, session = Game(made), HintSession(made, DLX)
        for _ in range(rng.randint(1, 4)):
            game.random_move(rng)
        for _ in range(30):
            hint = session.hint(game.placed)
            if hint.state is State.SOLVED:
                break
            if hint.state is State.STUCK:
                stuck += 1
                assert not game.can_be_completed(game.placed)
                assert hint.take_back
                back = set(hint.take_back)
                game.placed = [p for p in game.placed if p not in back]
                assert game.can_be_completed(game.placed)
            else:
                assert hint.option is not None
                game.placed.append(hint.option)
        assert wrong_with(made, laid(made, game.placed)) is None
    assert stuck


def test_the_reasons_are_true() -> None:
    """A cell said to be reached in so many ways, or by one piece only, is."""
    rng = random.Random(3)
    seen = set()
    for name in NAMES[:4] * 10:
        game = Game(puzzle(name))
        session = HintSession(game.puzzle, DLX)
        for _ in range(rng.randint(0, 2)):
            game.random_move(rng)
        hint = session.hint(game.placed)
        if hint.state is not State.MOVE:
            continue
        labels = game.puzzle.model.labels
        taken = {cell for option in game.placed for cell in labels[option].cells}
        names = {labels[option].piece for option in game.placed}
        fits = [
            label
            for label in labels
            if isinstance(label, Placement)
            and label.piece not in names
            and taken.isdisjoint(label.cells)
        ]
        assert hint.option is not None
        assert hint.item is not None
        about = game.puzzle.model.items[hint.item]
        there = [
            label
            for label in fits
            if about == label.piece or about in [f"{r},{c}" for r, c in label.cells]
        ]
        assert labels[hint.option] in there
        assert hint.ways == len(there)
        if hint.why is Why.ONLY:
            assert len(there) == 1
        if hint.why is Why.PIECE:
            assert len({label.piece for label in there}) == 1
        seen.add((hint.why, hint.ways == 1))
    assert {why for why, _ in seen} >= {Why.ONLY, Why.STEP}


def test_a_hint_tells_no_more_than_its_strength() -> None:
    made = puzzle("pentomino:3x5:PUV")
    v = made.lay([Lock("V", ((0, 0), (1, 0), (2, 0), (2, 1), (2, 2)))])
    hint = HintSession(made, DLX).hint(v)
    assert hint.option is not None
    where, piece, move = (hint.text(strength) for strength in Strength)
    assert not {"P", "U"} & set(where)
    assert made.piece(hint.option) in piece
    assert made.move(hint.option) not in piece
    assert made.move(hint.option) in move


PUV = puzzle("pentomino:3x5:PUV")
V = PUV.lay([Lock("V", ((0, 0), (1, 0), (2, 0), (2, 1), (2, 2)))])[0]
V_MOVE = "V at 0,0 1,0 2,0 2,1 2,2"
V_ITEM, CELL = 2, 3  # piece V, cell (0,0)


@pytest.mark.parametrize(
    ("hint", "where", "piece", "move"),
    [
        (
            Hint(PUV, State.MOVE, Why.ONLY, V, V_ITEM, 1),
            "look at the pieces: one of them has only one place left",
            "V: piece V has only one place left",
            f"{V_MOVE}: piece V has only one place left",
        ),
        (
            Hint(PUV, State.MOVE, Why.ONLY, V, CELL, 1),
            "look at cell (0,0): it has only one way left to be covered",
            "V: cell (0,0) has only one way left to be covered",
            f"{V_MOVE}: cell (0,0) has only one way left to be covered",
        ),
        (
            Hint(PUV, State.MOVE, Why.PIECE, V, CELL, 2),
            "look at cell (0,0): only one piece can reach it",
            "V: no other piece can reach cell (0,0)",
            f"{V_MOVE}: no other piece can reach cell (0,0)",
        ),
        (
            Hint(PUV, State.MOVE, Why.AHEAD, V, CELL, 2, ahead=((0, 5),)),
            "look at cell (0,0): it has 2 ways left to be covered, and all but one lead nowhere",
            "V, at cell (0,0): cell (0,0) has 2 ways left to be covered, and all but one lead"
            " nowhere",
            f"{V_MOVE}: {PUV.move(0)} would leave cell (0,2) no way to be covered",
        ),
        (
            Hint(PUV, State.MOVE, Why.STEP, V, CELL, 9, fewest=True),
            "look at cell (0,0): it has 9 ways left to be covered, nowhere are there fewer",
            "V, at cell (0,0): a step of a solution",
            f"{V_MOVE}: a step of a solution",
        ),
    ],
)
def test_the_words_of_a_hint(hint: Hint, where: str, piece: str, move: str) -> None:
    assert [hint.text(strength) for strength in Strength] == [where, piece, move]


@pytest.mark.parametrize(
    ("hint", "text"),
    [
        (
            Hint(PUV, State.STUCK, hopeless=True),
            "nothing fits any more: the puzzle itself has no solution",
        ),
        (
            Hint(PUV, State.STUCK),
            "nothing fits any more; no time to find out what to take back",
        ),
        (
            Hint(PUV, State.STUCK, take_back=(V, V)),
            f"nothing fits any more: take back {V_MOVE} and {V_MOVE} (fewer than 2 are not enough)",
        ),
        (
            Hint(PUV, State.STUCK, take_back=(V,), dead=CELL),
            f"nothing fits any more: take back {V_MOVE}; as it is, cell (0,0) has no way left to be"
            " covered",
        ),
        (Hint(PUV, State.SOLVED), "solved: nothing is left to do"),
    ],
)
def test_the_words_where_no_move_helps(hint: Hint, text: str) -> None:
    assert hint.text() == text


def test_a_locked_piece_is_not_to_be_taken_back() -> None:
    dead = Lock("L", ((0, 0), (1, 0), (2, 0), (3, 0), (3, 1)))  # PO-19c
    board = board_from_rows(["....."] * 4)
    made = PolyominoPuzzle("19c", board, tuple(parse_kinds("FLPU")), 0, (dead,))
    hint = HintSession(made, DLX).hint([])
    assert (hint.state, hint.hopeless) == (State.STUCK, True)
    assert hint.text() == (
        "nothing fits any more: the locked L at 0,0 1,0 2,0 3,0 3,1 itself leaves no answer"
    )
    free = PolyominoPuzzle("19", board, tuple(parse_kinds("FLPU")))
    hint = HintSession(free, DLX).hint(free.lay([dead]))
    assert hint.text() == "nothing fits any more: take back L at 0,0 1,0 2,0 3,0 3,1"


def test_pieces_that_cannot_lie_so_are_input_errors() -> None:
    v = Lock("V", ((0, 0), (1, 0), (2, 0), (2, 1), (2, 2)))
    for wrong, message in [
        ([v, Lock("P", ((0, 0), (0, 1), (1, 0), (1, 1), (0, 2)))], "share cell"),
        ([Lock("V", ((0, 0), (1, 0), (2, 0), (3, 0), (3, 1)))], "outside"),
        ([Lock("V", ((0, 0), (1, 0), (2, 0), (2, 1), (1, 1)))], "not a V"),
        ([Lock("W", ((0, 0),))], "is no piece here"),
    ]:
        with pytest.raises(InputError, match=message):
            PUV.lay(wrong)
    session = HintSession(PUV, DLX)
    with pytest.raises(InputError, match=r"P at .* and V at .* clash: cell \(0,0\)"):
        session.hint([0, V])
    with pytest.raises(InputError, match="clash"):
        session.ask([0, V])


def test_no_time_is_no_answer_rather_than_a_wrong_one() -> None:
    session = HintSession(puzzle("pentomino:6x10"), DLX, seconds=0.0)
    hint = session.hint([])
    assert hint.state is State.UNKNOWN
    assert "no answer in time" in hint.text()


class Slow:
    """An engine that searches until it is told to stop."""

    name, features = DLX.name, DLX.features

    def __init__(self) -> None:
        self.running = threading.Event()

    def search(self, model, limits, *, receive=None, watch=None, seed=0) -> SearchResult:
        self.running.set()
        while watch(None) is not True:
            pass
        result = DLX.search(model, Limits(solutions=0))
        return replace(result, stopped=type(result.stopped).CANCELLED)


def test_a_hint_in_the_background_can_be_cancelled() -> None:
    slow = Slow()
    pending = HintSession(puzzle("pentomino:6x10"), slow).ask([])
    assert slow.running.wait(300)
    assert not pending.done
    assert pending.result(0.01) is None
    pending.cancel()
    hint = pending.result(300)
    assert hint is not None
    assert hint.state is State.UNKNOWN
    assert pending.done


def test_a_hint_in_the_background_is_the_same() -> None:
    session = HintSession(puzzle("pentomino:4x5:FLPU"), DLX)
    pending = session.ask([])
    hint = pending.result()
    assert hint is not None
    assert hint.option == session.hint([]).option


def test_an_engines_fault_in_the_background_reaches_who_waits() -> None:
    class Broken:
        name, features = DLX.name, DLX.features

        def search(self, *_: object, **__: object) -> SearchResult:
            raise RuntimeError("broken")

    pending = HintSession(puzzle("pentomino:3x5:PUV"), Broken()).ask([])
    with pytest.raises(RuntimeError, match="broken"):
        pending.result()


# --- fillings -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES[:3] + NAMES[4:6])
def test_any_solution_is_a_valid_filling_and_no_part_of_one(name: str) -> None:
    made = puzzle(name)
    for solution in listing(DLX, made.model, Limits(solutions=40)).solutions:
        labels = [made.model.labels[option] for option in solution]
        placed = [lock(label) for label in labels if isinstance(label, Placement)]
        assert wrong_with(made, placed) is None
        assert wrong_with(made, placed[1:]) is not None


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("VPPUU VPPPU VVVUU", None),
        ("UUVVV UPPPV UUPPV", None),
        (".PPUU .PPPU ...UU", "piece V is not placed"),
        ("VPPUU VPPPU VVV.U", "the placed cells are an L4, not a U"),
        ("VPPUU VPPPU VVVU.", "the placed cells are a V3, not a U"),
    ],
)
def test_the_first_wrong_piece_is_named(rows: str, message: str | None, tmp_path: Path) -> None:
    path = tmp_path / "f.txt"
    path.write_text("\n" + rows.replace(" ", "\n") + "\n\n")
    made = puzzle("pentomino:3x5:PUV")
    assert wrong_with(made, read_placed(path, made)) == message


def test_the_first_cell_left_over_is_named() -> None:
    made = puzzle("polyomino:2x3:I2=any")
    assert wrong_with(made, [Lock("I2", ((0, 0), (0, 1)))]) == "cell (0,2) is not covered"
    made = puzzle("polyomino:2x3:I2=1-any:empty=2")
    assert wrong_with(made, [Lock("I2", ((0, 0), (0, 1)))]) == "4 empty cells, expected 2"
    assert wrong_with(made, []) == "piece I2 is not placed"


def test_locked_pieces_may_be_in_the_filling_or_not() -> None:
    v = Lock("V", ((0, 0), (1, 0), (2, 0), (2, 1), (2, 2)))
    board = board_from_rows(["....."] * 3)
    made = PolyominoPuzzle("V locked", board, tuple(parse_kinds("PUV")), 0, (v,))
    p = Lock("P", ((0, 1), (0, 2), (1, 1), (1, 2), (1, 3)))
    u = Lock("U", ((0, 3), (0, 4), (1, 4), (2, 3), (2, 4)))
    assert wrong_with(made, [p, u]) is None
    assert wrong_with(made, [v, p, u]) is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("VPPUU\nVPPPU\n", "2 rows, the board 3"),
        ("VPPUU\nVPPPU\nVVVU?\n", "no piece's letter"),
        ("[null]", "expected an object"),
        ("{}", "placed: expected a list, got null"),
        ('{"placed": [{"piece": "V"}]}', "expected objects with 'piece' and 'cells'"),
        ("[", "not JSON"),
        ("[" * 100_000, "not a list of placed pieces"),
    ],
)
def test_a_bad_file_of_placed_pieces_is_one_line(
    tmp_path: Path, content: str, message: str
) -> None:
    path = tmp_path / "placed.txt"
    path.write_text(content)
    with pytest.raises(InputError) as caught:
        read_options(path, puzzle("pentomino:3x5:PUV"))
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


# --- the verbs ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "code", "text"),
    [
        ("V.... V.... VVV..", Exit.OK, "P at 0,1 0,2 1,1 1,2 1,3: "),
        ("VPPUU VPPPU VVVUU", Exit.OK, "solved: nothing is left to do"),
        ("..... .VVV. .V...", Exit.USAGE, ""),
        ("PP... PP... P....", Exit.NONE, "nothing fits any more: take back P"),
    ],
)
def test_the_verb_hint(tmp_path: Path, typed: Typed, rows: str, code: Exit, text: str) -> None:
    path = tmp_path / "placed.txt"
    path.write_text(rows.replace(" ", "\n"))
    said = typed("hint", "pentomino:3x5:PUV", "--placed", str(path))
    assert said.code == code
    assert said.out.startswith(text)
    if code is Exit.USAGE:
        assert said.err.startswith(f"twostep: {path}: the placed cells are")


def test_the_verb_hint_as_json_tells_no_more_than_asked(
    typed: Typed,
) -> None:
    arguments = ["hint", "pentomino:4x5:FLPU", "--json", "--strength"]
    keys = {}
    for strength in Strength:
        said = typed(*arguments, strength.value)
        assert said.code == Exit.OK
        keys[strength] = set(said.json["hint"])
    assert "piece" not in keys[Strength.WHERE]
    assert "piece" in keys[Strength.PIECE]
    assert "cells" not in keys[Strength.PIECE]
    assert "cells" in keys[Strength.MOVE]
    assert typed("hint", "pentomino:6x10", "--time-limit", "0").code == Exit.STOPPED
    assert typed("hint", "queens:8").code == Exit.OK


def test_the_verb_verify(tmp_path: Path, typed: Typed) -> None:
    path = tmp_path / "f.txt"
    path.write_text("UUVVV\nUPPPV\nUUPPV\n")
    said = typed("verify", str(path), "pentomino:3x5:PUV")
    assert said.code == Exit.OK
    assert said.out == "valid\n"
    path.write_text("UUVVV\nUPPPV\nUUPP.\n")
    said = typed("verify", str(path), "pentomino:3x5:PUV", "--json")
    assert said.code == Exit.NONE
    assert said.json["reason"] == "the placed cells are an L4, not a V"
