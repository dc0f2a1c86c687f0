"""What options and items are to a player, family by family."""

from __future__ import annotations

import pytest

from twostep.models.families.registry import FAMILIES, family, named_puzzle

EXAMPLES = [example for name in FAMILIES for example in family(name).examples]


@pytest.mark.parametrize("name", EXAMPLES)
def test_moves_and_needs_have_words(name: str) -> None:
    puzzle = named_puzzle(name)
    model = puzzle.model
    moves: dict[object, str] = {}
    for option in range(0, model.n_options, max(1, model.n_options // 200)):
        act = puzzle.act(option)
        if act is None:
            continue
        assert puzzle.piece(option)
        assert puzzle.move(option).isprintable()
        moves[act] = puzzle.move(option)
    assert len(set(moves.values())) == len(moves), "two moves of one name"
    needs = [puzzle.need(item) for item in range(model.n_items)]
    assert len(set(needs)) == len(needs), "two needs of one name"
    for item in range(model.n_items):
        choice = puzzle.choice(item)
        assert choice.left(2).startswith(f"2 {choice.one}s left")
    for clue in puzzle.clues():
        assert clue.text


@pytest.mark.parametrize(
    ("name", "option", "move", "item", "need"),
    [
        ("sudoku:....3..4.4......", 6, "3 in row 1, column 2", 16 + 6, "3 in row 2"),
        ("queens:8", 9, "a queen in row 2, column 2", 9, "column 2"),
        ("starbattle:AABB/AABB/CCDD/CCDD", 5, "a star in row 2, column 2", 9, "region B"),
        ("langford:7", 0, "the 1s in places 1 and 3", 6, "the pair of 7s"),
        ("dominosa:001/110", 0, "domino 0-0 on row 1, column 1 and row 1, column 2", 3,
         "the 0 in row 1, column 1"),
        ("edges:1x2:abab,aabb", 0, "square abab in row 1, column 1", 3, "row 1, column 2"),
        ("calendar:Jan-25", 0, "L on Feb, Mar, Apr, May and Aug", 8, "Feb"),
        ("words:2x2:on,no", 0, "ON in row 1", 2, "column 1"),
        ("pentomino:3x5:PUV", 0, "P at 0,0 0,1 0,2 1,0 1,1", 3, "cell (0,0)"),
        ("tetris:0", 0, "the bar on row 1, columns 1, 2 and 3", 3, "row 1, column 2"),
    ],
)  # fmt: skip
def test_the_words(name: str, option: int, move: str, item: int, need: str) -> None:
    puzzle = named_puzzle(name)
    assert (puzzle.move(option), puzzle.need(item)) == (move, need)
