"""The maker keeps its promises: every board is legal, every reachable board is reached."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from itertools import permutations
from random import Random
from typing import Any

import pytest
from helpers.known_mazes import Cell, Plan, spanning_trees

from twostep.models import InputError
from twostep.models.families.maze import braid, pattern42
from twostep.models.families.maze.board import Board, Kind, Place
from twostep.models.families.maze.braid import Wishes, loops_at_most, makes_hall, pacman_board
from twostep.models.families.maze.check import Rule, check
from twostep.models.families.maze.draws import shuffle
from twostep.models.families.maze.generator import MazeGenerator
from twostep.models.families.maze.grid import Grid
from twostep.models.families.maze.hexfile import MazeFile, to_text
from twostep.models.families.maze.path import shortest_path
from twostep.models.families.maze.spanning import Algorithm, Opening, carve, spanning_tree

every_algorithm = pytest.mark.parametrize("algorithm", Algorithm, ids=lambda each: each.value)


def legal(maker: MazeGenerator) -> None:
    """Check what a maker makes with the independent checker, as the kind it should be."""
    kind = Kind.PERFECT if maker.perfect else Kind.PACMAN
    report = check(MazeFile.of(maker.maze), kind)
    assert report.findings == (), (maker, report.findings)
    assert report.has_42 is bool(maker.pattern)


def random_maker(random: Random, width: int, height: int) -> MazeGenerator:
    """Random parameters for a board of that size; entry and exit on random free cells."""
    with_42 = random.random() < 0.5
    closed = pattern42.cells(width, height) if with_42 else frozenset()
    free = [(x, y) for y in range(height) for x in range(width) if (x, y) not in closed]
    entry, exit = random.sample(free, 2)
    return MazeGenerator(
        width, height, random.randrange(2**32),
        perfect=(width - 1) * (height - 1) < 2 or random.random() < 0.5,
        entry=entry, exit=exit, algorithm=random.choice(list(Algorithm)), with_42=with_42,
    )  # fmt: skip


def sizes(longest: int) -> list[tuple[int, int]]:
    """All sizes from 1x2 on, up to a square."""
    return [(w, h) for w in range(1, longest + 1) for h in range(1, longest + 1) if w * h > 1]


# --- every board is legal -------------------------------------------------------------------------


def test_boards_of_all_small_sizes_and_some_larger_are_legal() -> None:
    random = Random(20)
    for width, height in [*sizes(8), *random.sample(sizes(30), 120)]:
        legal(random_maker(random, width, height))


@pytest.mark.long
def test_ten_thousand_boards_of_all_sizes_are_legal() -> None:
    random = Random(21)
    every = sizes(30)
    made: Counter[tuple[bool, Algorithm, bool]] = Counter()
    for i in range(10_000):
        maker = random_maker(random, *every[i % len(every)])
        legal(maker)
        made[maker.perfect, maker.algorithm, bool(maker.pattern)] += 1
    assert len(made) == 2 * len(Algorithm) * 2  # each combination, with and without the "42"


@every_algorithm
@pytest.mark.parametrize("size", [(1, 2), (2, 1), (1, 9), (2, 2), (9, 7), (30, 1)])
def test_perfect_mazes_are_legal_down_to_two_cells(
    algorithm: Algorithm, size: tuple[int, int]
) -> None:
    for seed in range(5):
        legal(MazeGenerator(*size, seed, algorithm=algorithm))


@pytest.mark.parametrize(
    ("algorithm", "perfect"),
    [
        (Algorithm.DFS, True), (Algorithm.DFS, False), (Algorithm.PRIM, False),
        (Algorithm.KRUSKAL, False), (Algorithm.WILSON, False),
    ],
)  # fmt: skip
def test_200x200_is_legal_and_needs_no_recursion(algorithm: Algorithm, perfect: bool) -> None:
    legal(MazeGenerator(200, 200, 5, perfect, algorithm=algorithm))


def test_braiding_looks_at_a_number_of_walls_linear_in_the_cells(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks = 0

    def counted(walls: bytearray, width: int, height: int, opening: Opening) -> bool:
        nonlocal looks
        looks += 1
        return makes_hall(walls, width, height, opening)

    monkeypatch.setattr(braid, "makes_hall", counted)
    for side in (20, 40, 80, 160):
        looks = 0
        grid = Grid.of(side, side, ())
        pacman_board(grid, Algorithm.PRIM, Random(1), Wishes(loops=side * side // 2))
        # Each wall is opened at most once at a dead end and once more for the loops.
        assert 0 < looks <= 2 * len(grid.slots)


# --- perfect mazes --------------------------------------------------------------------------------


def tree_board(grid: Grid, algorithm: Algorithm, random: Random) -> Board:
    walls = grid.closed_walls()
    for opening in spanning_tree(grid, algorithm, random):
        carve(walls, opening, grid.width)
    return grid.board(walls)


def excess(algorithm: Algorithm, draws: int) -> float:
    """How many standard deviations chi-square is above its mean, over the trees of 3x3."""
    grid, random = Grid.of(3, 3, ()), Random(3)
    seen = Counter(tree_board(grid, algorithm, random) for _ in range(draws))
    trees = spanning_trees(3, 3)
    assert trees == 192
    expected = draws / trees
    chi_square = sum((n - expected) ** 2 / expected for n in seen.values())
    chi_square += (trees - len(seen)) * expected
    return (chi_square - (trees - 1)) / math.sqrt(2 * (trees - 1))


def test_wilson_draws_every_perfect_maze_with_the_same_probability() -> None:
    # 100 draws per tree; 4 standard deviations are passed by chance once in about 10,000 seeds.
    assert abs(excess(Algorithm.WILSON, 19_200)) < 4


@pytest.mark.parametrize("algorithm", [Algorithm.DFS, Algorithm.PRIM, Algorithm.KRUSKAL])
def test_the_other_algorithms_do_not(algorithm: Algorithm) -> None:
    assert excess(algorithm, 19_200) > 10


@pytest.mark.parametrize("algorithm", [Algorithm.PRIM, Algorithm.KRUSKAL, Algorithm.WILSON])
def test_three_algorithms_reach_all_trees_of_3x3(algorithm: Algorithm) -> None:
    grid, random, plan = Grid.of(3, 3, ()), Random(4), Plan(3, 3)
    seen = {tree_board(grid, algorithm, random) for _ in range(20_000)}
    assert seen == {plan.board(opened) for opened in plan.perfect()}


def test_a_depth_first_walk_from_a_corner_of_3x3_reaches_14_trees() -> None:
    grid, random = Grid.of(3, 3, ()), Random(4)

    class Corner(Random):
        """Draws 0 first, so that the walk starts at the first cell."""

        fresh = True

        def random(self) -> float:
            if self.fresh:
                self.fresh = False
                return 0.0
            return random.random()

    assert len({tree_board(grid, Algorithm.DFS, Corner()) for _ in range(5000)}) == 14


@every_algorithm
def test_a_board_in_two_parts_is_refused(algorithm: Algorithm) -> None:
    grid = Grid.of(3, 1, [(1, 0)])
    with pytest.raises(InputError, match="do not hang together"):
        spanning_tree(grid, algorithm, Random(1))
    with pytest.raises(InputError, match="no free cell"):
        spanning_tree(Grid.of(1, 1, [(0, 0)]), algorithm, Random(1))


# --- Pac-Man boards -------------------------------------------------------------------------------


def braided(plan: Plan, wishes: Wishes) -> set[int]:
    """All boards that braiding can make of any perfect maze: every order and every choice."""
    floor = wishes.dead_ends or 0

    def may_open(opened: int, i: int) -> bool:
        more = opened | 1 << i
        fewer = plan.dead_ends(opened) - plan.dead_ends(more)
        return not plan.has_hall(more) and (not fewer or plan.dead_ends(opened) - fewer >= floor)

    walls = range(len(plan.slots))
    # Dead ends of the tree that still have their turn, in any order.
    waiting = [
        (tree, frozenset(cell for cell in plan.cells if plan.degree(tree, cell) == 1))
        for tree in plan.perfect()
    ]
    seen = set(waiting)
    opened_ends = set()
    while waiting:
        opened, turn = waiting.pop()
        if not turn or plan.dead_ends(opened) <= floor:
            opened_ends.add(opened)
            continue
        for cell in turn:
            ways = [
                i for i in walls
                if plan.at[cell] & ~opened & 1 << i and may_open(opened, i)
            ]  # fmt: skip
            if plan.degree(opened, cell) != 1:
                ways = []
            after = [opened | 1 << i for i in ways] or [opened]
            for step in {(each, turn - {cell}) for each in after} - seen:
                seen.add(step)
                waiting.append(step)
    done: set[int] = set()
    loop = list(opened_ends)
    made = set()
    while loop:
        opened = loop.pop()
        if opened in done:
            continue
        done.add(opened)
        if plan.loops(opened) >= (2 if wishes.loops is None else wishes.loops):
            left = plan.dead_ends(opened)
            if left <= 2 if wishes.dead_ends is None else left == wishes.dead_ends:
                made.add(opened)
            continue
        loop += [opened | 1 << i for i in walls if not opened >> i & 1 and may_open(opened, i)]
    return made


def draws_until(size: tuple[int, int], wishes: list[Wishes], goal: set[Board], most: int) -> int:
    """How many boards the maker needs to reach every board of `goal`; never makes another."""
    grid, random = Grid.of(*size, ()), Random(1)
    missing = set(goal)
    for draw in range(most):
        try:
            made = pacman_board(grid, Algorithm.WILSON, random, wishes[draw % len(wishes)])
        except InputError:
            continue  # 20 attempts without these loops and dead ends
        board = grid.board(made.walls)
        assert board in goal
        missing.discard(board)
        if not missing:
            return draw
    raise AssertionError(f"{len(missing)} of {len(goal)} boards not reached in {most} draws")


@pytest.mark.parametrize(
    ("size", "reachable", "valid"), [((3, 2), 1, 1), ((3, 3), 18, 70), ((4, 3), 136, 1522)]
)
def test_the_maker_reaches_every_board_that_braiding_can_reach(
    size: tuple[int, int], reachable: int, valid: int
) -> None:
    plan = Plan(*size)
    goal = braided(plan, Wishes())
    every = set(plan.pacman())
    assert goal <= every
    assert (len(goal), len(every)) == (reachable, valid)
    draws_until(size, [Wishes()], {plan.board(opened) for opened in goal}, 200_000)


@pytest.mark.parametrize(
    ("size", "valid"),
    [((3, 2), 1), ((3, 3), 70), pytest.param((4, 3), 1522, marks=pytest.mark.long)],
)
def test_with_wishes_for_loops_and_dead_ends_it_reaches_every_valid_board(
    size: tuple[int, int], valid: int
) -> None:
    plan = Plan(*size)
    goal = {plan.board(opened) for opened in plan.pacman()}
    assert len(goal) == valid
    most = max(plan.loops(opened) for opened in plan.pacman())
    wishes = [Wishes(loops, ends) for ends in (0, 1, 2) for loops in range(2, most + 1)]
    draws_until(size, wishes, goal, 400_000)


@pytest.mark.parametrize(
    ("size", "number"), [((3, 3), 10), pytest.param((4, 3), 114, marks=pytest.mark.long)]
)
def test_with_no_dead_end_kept_all_boards_without_one_are_reached(
    size: tuple[int, int], number: int
) -> None:
    plan = Plan(*size)
    without = {opened for opened in plan.pacman() if plan.dead_ends(opened) == 0}
    assert len(without) == number  # the project's maze facts
    assert braided(plan, Wishes(dead_ends=0)) == without


def test_halls_do_arise_from_56_of_the_192_trees_of_3x3() -> None:
    # Opening a wall at each dead end, in some order, without looking.
    plan = Plan(3, 3)
    hall_trees = 0
    for tree in plan.perfect():
        ends = [cell for cell in plan.cells if plan.degree(tree, cell) == 1]
        hall_trees += any(
            plan.has_hall(opened)
            for order in permutations(ends)
            for opened in opened_blindly(plan, tree, order)
        )
    assert hall_trees == 56


def opened_blindly(plan: Plan, tree: int, order: tuple[Cell, ...]) -> set[int]:
    """What may come out of opening any wall at each cell that is a dead end at its turn."""
    boards = {tree}
    for cell in order:
        boards = {
            opened | 1 << i
            for opened in boards
            if plan.degree(opened, cell) == 1
            for i in range(len(plan.slots))
            if plan.at[cell] & ~opened & 1 << i
        } | {opened for opened in boards if plan.degree(opened, cell) > 1}
    return boards


@pytest.mark.parametrize("algorithm", [Algorithm.PRIM, Algorithm.KRUSKAL, Algorithm.WILSON])
def test_halls_are_closed_again_on_small_boards(
    algorithm: Algorithm, monkeypatch: pytest.MonkeyPatch
) -> None:
    halls = 0

    def counted(walls: bytearray, width: int, height: int, opening: Opening) -> bool:
        nonlocal halls
        made = makes_hall(walls, width, height, opening)
        halls += made
        return made

    monkeypatch.setattr(braid, "makes_hall", counted)
    for seed in range(200):
        legal(MazeGenerator(3, 3, seed, False, algorithm=algorithm))
        legal(MazeGenerator(5, 4, seed, False, algorithm=algorithm, wishes=Wishes(loops=5)))
    assert halls > 20


def test_a_hall_is_seen_from_any_of_its_walls_and_only_then() -> None:
    random = Random(9)
    for plan in (Plan(3, 3), Plan(4, 3), Plan(5, 4)):
        for _ in range(300):
            # Nearly open boards; whatever wall is opened last must tell of the hall it makes.
            opened = sum(1 << i for i in range(len(plan.slots)) if random.random() < 0.9)
            last = random.randrange(len(plan.slots))
            before, after = opened & ~(1 << last), opened | 1 << last
            if plan.has_hall(before):
                continue
            board = plan.board(after)
            (x, y), (across, _) = plan.slots[last]
            east = across > x
            here, there = y * plan.width + x, (y * plan.width + x + (1 if east else plan.width))
            for opening in ((here, 2 if east else 4), (there, 8 if east else 1)):
                told = makes_hall(bytearray(board.walls), plan.width, plan.height, opening)
                assert told is plan.has_hall(after)


@every_algorithm
@pytest.mark.parametrize("dead_ends", [0, 1, 2])
def test_wishes_are_granted(algorithm: Algorithm, dead_ends: int) -> None:
    for seed in range(10):
        maker = MazeGenerator(12, 9, seed, False, algorithm=algorithm, wishes=Wishes(20, dead_ends))
        legal(maker)
        report = check(MazeFile.of(maker.maze))
        assert report.loops >= 20
        assert len(report.dead_ends) == dead_ends


def test_wishes_that_cannot_be_granted_end_in_one_line_that_says_why() -> None:
    with pytest.raises(InputError, match=r"6 loops asked for, but no board of 4x3 .* more than 5"):
        MazeGenerator(4, 3, perfect=False, wishes=Wishes(6))
    with pytest.raises(InputError, match=r"in 20 attempts: the last has .* of 11 loops"):
        _ = MazeGenerator(5, 4, perfect=False, wishes=Wishes(11)).board
    with pytest.raises(InputError, match="opening makes a hall or leaves too few dead ends"):
        _ = MazeGenerator(3, 2, perfect=False, wishes=Wishes(2, 1)).board
    for wrong in ((1, None), (2, 3), (2, -1)):
        with pytest.raises(InputError):
            MazeGenerator(9, 9, perfect=False, wishes=Wishes(*wrong))


def test_no_board_has_more_loops_than_the_bound_says() -> None:
    for size in ((3, 2), (3, 3), (4, 3)):
        plan = Plan(*size)
        most = max(map(plan.loops, plan.pacman()))
        assert most == loops_at_most(*size)
    assert loops_at_most(4, 4, [(1, 1)]) == 4 * 4 * 2 - 8 - 4 - 15 + 1
    assert loops_at_most(4, 4, halls=True) == 9


def test_loops_that_no_large_board_has_are_refused_before_any_is_made() -> None:
    # 498 x 498 blocks need a closed wall each, which serves six of them at most.
    with pytest.raises(InputError, match=f"more than {499 * 499 - 498 * 498 // 6}$"):
        MazeGenerator(500, 500, perfect=False, wishes=Wishes(240_000), with_42=False)


def test_loops_out_of_reach_of_a_large_board_are_given_up_after_one_attempt() -> None:
    maker = MazeGenerator(60, 60, perfect=False, wishes=Wishes(2800))
    with pytest.raises(InputError, match="no such Pac-Man board: the last has"):
        _ = maker.board


# --- connected boards and closed cells ------------------------------------------------------------


@pytest.mark.parametrize("halls", [False, True])
@pytest.mark.parametrize("algorithm", Algorithm)
def test_a_connected_board_has_the_loops_it_is_asked_for(algorithm: Algorithm, halls: bool) -> None:
    closed = frozenset({(2, 2), (3, 2), (0, 4)})
    for seed, loops in enumerate((0, 1, 2, 7, None)):
        maker = MazeGenerator(
            9, 8, seed, kind=Kind.CONNECTED, algorithm=algorithm, with_42=False,
            wishes=Wishes(loops, halls=halls), closed=closed,
        )  # fmt: skip
        report = check(MazeFile.of(maker.maze), Kind.CONNECTED, closed=closed, halls=halls)
        assert report.findings == ()
        assert report.loops == ((9 * 8 - 3) // 10 if loops is None else loops)
        assert maker.board.closed_cells == closed


def test_a_connected_board_may_be_open_throughout_where_halls_are_allowed() -> None:
    maker = MazeGenerator(5, 4, kind=Kind.CONNECTED, wishes=Wishes(12, halls=True))
    file = MazeFile.of(maker.maze)
    assert check(file, Kind.CONNECTED, halls=True).valid
    assert [finding.rule for finding in check(file, Kind.CONNECTED).findings] == [Rule.HALL]


@pytest.mark.parametrize(
    ("closed", "words"),
    [
        ({(5, 0)}, "CLOSED 5,0 is outside the board of 4x3"),
        ({(1, 0), (1, 1), (1, 2)}, "cell 2,0 cannot be reached from 0,0"),
        ({(3, 2)}, "exit 3,2 is one of the CLOSED cells"),
        ({(x, y) for x in range(4) for y in range(3)}, "CLOSED leaves no free cell"),
    ],
)
def test_cells_that_cannot_be_closed_are_refused(closed: set[Place], words: str) -> None:
    with pytest.raises(InputError, match=words):
        MazeGenerator(4, 3, closed=frozenset(closed))


@pytest.mark.parametrize("cell", [(0, 0), (4, 4), (2, 2)])
def test_a_pacman_board_keeps_its_corners_and_middle(cell: Place) -> None:
    with pytest.raises(InputError, match="the corners and the middle"):
        MazeGenerator(5, 5, perfect=False, closed=frozenset({cell}))


WRONG_TYPES: list[tuple[dict[str, Any], str]] = [
    ({"width": "20"}, "width '20': expected a whole number"),
    ({"height": 1.5}, "height 1.5: expected a whole number"),
    ({"entry": [0, 0]}, r"entry \[0, 0\]: expected a pair"),
    ({"exit": "3,2"}, "exit '3,2': expected a pair"),
    ({"entry": (0, 0, 0)}, "expected a pair"),
    ({"seed": "42"}, "seed '42': expected a whole number"),
    ({"algorithm": "dfs"}, "algorithm 'dfs': expected one of Algorithm.DFS"),
    ({"closed": [(1, 1)]}, r"closed cells: expected a frozenset of \(x, y\)"),
    ({"wishes": Wishes, "width": None}, "width None"),
]


@pytest.mark.parametrize(("wrong", "words"), WRONG_TYPES, ids=str)
def test_lists_and_strings_in_place_of_numbers_and_cells_are_clear_errors(
    wrong: dict[str, Any], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        MazeGenerator(**({"width": 4, "height": 3} | wrong))


def test_a_string_in_place_of_rows_is_a_clear_error() -> None:
    with pytest.raises(InputError, match="expected a list of rows"):
        Board.from_rows("913")


# --- the class ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"width": 0}, "no cells"),
        ({"width": 2000, "height": 2000}, "too large"),
        ({"seed": -1}, "seed -1"),
        ({"entry": (5, 0)}, "entry 5,0 is outside"),
        ({"exit": (0, -1)}, "exit 0,-1 is outside"),
        ({"exit": (0, 0)}, "same cell 0,0"),
        ({"width": 1, "height": 10, "perfect": False}, "got 1x10"),
        ({"width": 9, "height": 7, "entry": (1, 1)}, 'entry 1,1 is a closed cell of the "42"'),
    ],
)
def test_parameters_that_make_no_sense_are_refused(
    parameters: dict[str, object], words: str
) -> None:
    with pytest.raises(InputError) as caught:
        MazeGenerator(**{"width": 5, "height": 5, **parameters})  # type: ignore[arg-type]
    assert words in str(caught.value)


def test_the_making_leads_to_the_board() -> None:
    for perfect in (True, False):
        maker = MazeGenerator(12, 9, 7, perfect)
        grid = Grid.of(12, 9, maker.pattern)
        walls = grid.closed_walls()
        for opening in maker.making:
            carve(walls, opening, 12)
        assert grid.board(walls) == maker.board
        assert len(set(maker.making)) == len(maker.making)


def test_the_42_is_drawn_from_9x7_up_and_leaves_corners_and_middle_free() -> None:
    assert pattern42.cells(8, 7) == pattern42.cells(9, 6) == frozenset()
    for width in range(9, 16):
        for height in range(7, 14):
            closed = pattern42.cells(width, height)
            assert len(closed) == 18
            key_cells = {(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)}
            assert not closed & {*key_cells, (width // 2, height // 2)}
    assert drawn_pattern(9, 7) == [
        ".........",
        ".#...###.",
        ".#.....#.",
        ".###.###.",
        "...#.#...",
        "...#.###.",
        ".........",
    ]
    # Even sizes: more room at the left and at the bottom.
    assert drawn_pattern(10, 8) == [
        "..........",
        "..#...###.",
        "..#.....#.",
        "..###.###.",
        "....#.#...",
        "....#.###.",
        "..........",
        "..........",
    ]


def drawn_pattern(width: int, height: int) -> list[str]:
    closed = pattern42.cells(width, height)
    return ["".join(".#"[(x, y) in closed] for x in range(width)) for y in range(height)]


def test_the_path_is_the_first_shortest_in_the_order_n_e_s_w() -> None:
    plan = Plan(4, 3)
    for opened in list(plan.pacman())[::50]:
        board = plan.board(opened)
        for start, goal in (((0, 0), (3, 2)), ((0, 2), (3, 0)), ((3, 2), (0, 0)), ((3, 0), (0, 2))):
            path = shortest_path(board, start, goal)
            assert path is not None
            shortest = [way for way, end in walks(board, start, len(path)) if end == goal]
            assert path == min(shortest, key=lambda way: ["NESW".index(letter) for letter in way])
            assert all(end != goal for _, end in walks(board, start, len(path) - 1))


def walks(board: Board, start: tuple[int, int], length: int) -> list[tuple[str, tuple[int, int]]]:
    """All walks of that many steps: letters and where they end."""
    steps = {"N": (1, 0, -1), "E": (2, 1, 0), "S": (4, 0, 1), "W": (8, -1, 0)}
    found = [("", start)]
    for _ in range(length):
        found = [
            (letters + letter, (x + dx, y + dy))
            for letters, (x, y) in found
            for letter, (bit, dx, dy) in steps.items()
            if not board.at((x, y)) & bit
        ]
    return found


def test_there_is_no_path_between_parts() -> None:
    assert shortest_path(Board.from_rows(["BB", "EE"]), (0, 0), (1, 1)) is None
    # Openings in the border, or that only one cell has, lead nowhere.
    assert shortest_path(Board.from_rows(["8B"]), (0, 0), (1, 0)) is None


# --- the same seed, the same file -----------------------------------------------------------------

DIGESTS = {
    ("dfs", True): "18f39b41b13a377b",
    ("dfs", False): "2e4a8e2108dd43c2",
    ("prim", True): "bc74edabe89dea37",
    ("prim", False): "1d523beb6e88184a",
    ("kruskal", True): "8ca8559834bf6c79",
    ("kruskal", False): "9509b22963a7b591",
    ("wilson", True): "807790c687f866ef",
    ("wilson", False): "8b0f983429640e9c",
}
"""Of the files' texts; they change only when the maker does, and then that is to be told."""


def test_the_same_seed_gives_the_same_file_on_any_machine() -> None:
    made = {}
    for algorithm in Algorithm:
        for perfect in (True, False):
            text = "".join(
                to_text(MazeGenerator(w, h, seed, perfect, algorithm=algorithm).maze)
                for w, h, seed in ((3, 3, 0), (12, 9, 42), (25, 31, 2**64 + 1))
            )
            made[algorithm.value, perfect] = hashlib.sha256(text.encode()).hexdigest()[:16]
    assert made == DIGESTS


def test_other_seeds_give_other_boards() -> None:
    assert len({MazeGenerator(8, 8, seed).board for seed in range(100)}) == 100


def test_shuffling_gives_every_order_with_the_same_probability() -> None:
    random = Random(5)
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(24_000):
        things = [0, 1, 2, 3]
        shuffle(random, things)
        seen[tuple(things)] += 1
    assert len(seen) == 24
    assert sum((n - 1000) ** 2 / 1000 for n in seen.values()) < 23 + 4 * math.sqrt(46)
