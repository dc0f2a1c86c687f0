"""The number of ways from the entry to the exit, against brute force and known numbers."""

from __future__ import annotations

from random import Random

import pytest

from twostep.models.families.maze.board import Board, Kind, Place, Side
from twostep.models.families.maze.braid import Wishes
from twostep.models.families.maze.generator import MazeGenerator
from twostep.models.families.maze.ways import count_shortest, count_ways


def by_force(board: Board, entry: Place, exit: Place) -> list[int]:
    """The lengths of all ways, walked one by one."""
    lengths = []

    def walk(place: Place, seen: frozenset[Place]) -> None:
        if place == exit:
            lengths.append(len(seen))
            return
        for side in Side:
            if board.is_open(place, side) and (there := side.step(place)) not in seen:
                walk(there, seen | {there})

    walk(entry, frozenset({entry}))
    return lengths


@pytest.mark.parametrize("halls", [False, True])
def test_the_ways_of_small_boards_are_those_of_brute_force(halls: bool) -> None:
    random = Random(3)
    for seed in range(120):
        width, height = random.randint(1, 5), random.randint(2, 4)
        entry, exit = random.sample([(x, y) for x in range(width) for y in range(height)], 2)
        most = (width - 1) * (height - 1)
        loops = random.randint(0, most if halls else most // 2)
        maker = MazeGenerator(
            width, height, seed, entry=entry, exit=exit, kind=Kind.CONNECTED,
            wishes=Wishes(loops, halls=halls),
        )  # fmt: skip
        lengths = by_force(maker.board, entry, exit)
        assert count_ways(maker.board, entry, exit) == len(lengths)
        assert count_shortest(maker.board, entry, exit) == lengths.count(min(lengths))


@pytest.mark.parametrize(("side", "ways"), [(2, 2), (3, 12), (4, 184), (5, 8512), (6, 1262816)])
def test_an_open_square_has_the_known_number_of_ways_from_corner_to_corner(
    side: int, ways: int
) -> None:
    maker = MazeGenerator(
        side, side, kind=Kind.CONNECTED, wishes=Wishes((side - 1) ** 2, halls=True)
    )
    assert count_ways(maker.board, (0, 0), (side - 1, side - 1)) == ways  # OEIS A007764


def test_a_perfect_maze_of_any_size_has_one_way() -> None:
    maker = MazeGenerator(120, 100, 5)
    assert count_ways(maker.board, maker.entry, maker.way_out) == 1
    assert count_shortest(maker.board, maker.entry, maker.way_out) == 1


def test_no_way_through_a_wall() -> None:
    assert count_ways(Board(2, 1, bytes((15, 15))), (0, 0), (1, 0)) == 0
    assert count_shortest(Board(2, 1, bytes((15, 15))), (0, 0), (1, 0)) == 0


def test_a_count_that_would_take_long_is_given_up() -> None:
    maker = MazeGenerator(
        12, 12, kind=Kind.CONNECTED, wishes=Wishes(121, halls=True), with_42=False
    )
    assert count_ways(maker.board, (0, 0), (11, 11)) is None
