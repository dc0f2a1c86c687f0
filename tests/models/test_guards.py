"""Bishops, and queens and bishops among walls: known numbers, and all boards tried."""

from __future__ import annotations

import itertools
import math
import random

import pytest
from helpers.engines import CPSAT, DLX, every_engine

from twostep.models.errors import InputError
from twostep.models.families.registry import named_puzzle
from twostep.models.language.symmetry import count_classes
from twostep.models.search import questions
from twostep.models.search.engine import Engine

Cell = tuple[int, int]


def count(name: str, engine: Engine = DLX) -> int:
    return questions.count(engine, named_puzzle(name).model).found


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6, 7, 8])
def test_the_most_bishops_stand_in_2_to_the_n_ways(n: int) -> None:  # Yaglom and Yaglom
    assert count(f"bishops:{n}") == 2**n
    assert count(f"bishops:{n}:{2 * n - 1}") == 0


@every_engine
def test_bishops_of_each_number_on_4x4(engine: Engine) -> None:
    expected = [1, 16, 92, 232, 260, 112, 16, 0]  # rook polynomials of both colours
    assert [count(f"bishops:4:{k}", engine) for k in range(8)] == expected


def attack(piece: str, one: Cell, other: Cell, walls: set[Cell]) -> bool:
    """Step by step from one piece to the other."""
    down, right = other[0] - one[0], other[1] - one[1]
    straight, slanted = 0 in (down, right), abs(down) == abs(right)
    if not (slanted or (straight and piece == "queens")):
        return False
    steps = math.gcd(down, right)
    between = {(one[0] + down // steps * i, one[1] + right // steps * i) for i in range(1, steps)}
    return walls.isdisjoint(between)


def test_walls_as_by_trying_all_cells() -> None:
    rng = random.Random(6)
    for turn in range(30):
        piece = rng.choice(["queens", "bishops"])
        n = rng.choice([3, 4])
        cells = list(itertools.product(range(n), range(n)))
        walls = set(rng.sample(cells, rng.randint(1, 3)))
        number = rng.randint(2, 5)
        free = [cell for cell in cells if cell not in walls]
        expected = sum(
            not any(attack(piece, a, b, walls) for a, b in itertools.combinations(chosen, 2))
            for chosen in itertools.combinations(free, number)
        )
        name = f"{piece}:{n}:{','.join(f'r{r}c{c}' for r, c in sorted(walls))}:{number}"
        assert count(name) == expected, name
        if turn % 5 == 0:
            assert count(name, CPSAT) == expected


def test_without_walls_queens_are_queens() -> None:
    assert count("queens:6:6") == count("queens:6") == 4
    assert count("queens:5:4") == 82  # known
    answer = count_classes(DLX, named_puzzle("bishops:4").model)
    assert (answer.raw.found, answer.symmetries) == (16, 8)
    found = set(questions.listing(DLX, named_puzzle("bishops:4").model).solutions)
    group = named_puzzle("bishops:4").model.symmetries
    assert group is not None
    classes = {min(tuple(sorted(g[list(s)].tolist())) for g in group) for s in found}
    assert answer.different == len(classes)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("queens:4:r4c0", "wall r4c0 is outside the board of 4x4"),
        ("queens:4:rx", "wall 'rx': expected row and column, such as r0c3"),
        ("queens:4:r0c0:3:3", "expected queens:N"),
        ("bishops:0", "rows and columns '0': expected a whole number"),
        ("bishops:4:17", "bishops '17': expected a whole number from 0 to 16"),
    ],
)
def test_wrong_boards_are_refused(name: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        named_puzzle(name)


def test_more_pieces_than_cells_are_the_reason_for_none() -> None:
    assert named_puzzle("bishops:2:r0c0,r0c1:3").obstacle() == "3 bishops for 2 cells"
