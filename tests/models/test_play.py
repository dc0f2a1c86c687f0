"""Hints for every family: a step is in a solution, "only" is so in each, and stuck is stuck."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable

import numpy as np
import pytest
from helpers.engines import CPSAT, DLX

from twostep.models.errors import EngineFault
from twostep.models.families.puzzle import Puzzle
from twostep.models.families.registry import FAMILIES, family, named_puzzle
from twostep.models.language.model import Model, Solution
from twostep.models.play.hints import Hint, HintSession, State, Why
from twostep.models.play.room import Position, Room, with_none_of, with_one_of
from twostep.models.search.engine import Engine, Limits
from twostep.models.search.questions import first, listing

EXAMPLES = [example for name in FAMILIES for example in family(name).examples]


def completion(engine: Engine, model: Model) -> Solution | None:
    found = first(engine, model, Limits(seconds=60))
    assert found.solutions or found.result.complete
    return found.solutions[0] if found.solutions else None


def judge(engine: Engine, room: Room, placed: list[int], hint: Hint) -> None:
    """Fail unless what a hint says is so."""
    acts = room.place(placed)
    if hint.state is State.SOLVED:
        assert completion(engine, room.quietly(acts)) is not None
    elif hint.state is State.STUCK:
        assert completion(engine, room.restricted(acts)) is None
        assert hint.hopeless or hint.take_back
    else:
        assert hint.state is State.MOVE
        assert hint.option is not None
        act = int(room.act_of[hint.option])
        assert act not in acts
        assert completion(engine, room.restricted((*acts, act))) is not None
        if hint.why in (Why.ONLY, Why.AHEAD):
            without = with_none_of(room.restricted(acts), room.options_of(act))
            assert completion(engine, without) is None


def play_out(puzzle: Puzzle, engine: Engine, other: Engine, rng: random.Random, wild: int) -> None:
    """Play to the end by the hints of one engine, with some wild moves; the other judges each."""
    session = HintSession(puzzle, engine)
    room = session.room
    placed: list[int] = []
    for _ in range(1000):
        position = Position(room, room.place(placed))
        free = [o for o in np.flatnonzero(position.open).tolist() if not room.quiet[o]]
        if wild and free and rng.random() < 0.3:
            placed.append(rng.choice(free))
            wild -= 1
            continue
        hint = session.hint(placed)
        judge(other, room, placed, hint)
        if hint.state is State.SOLVED or hint.hopeless:
            return
        if hint.state is State.STUCK:
            assert hint.take_back
            placed = [o for o in placed if o not in hint.take_back]
        else:
            assert hint.option is not None
            placed.append(hint.option)
    pytest.fail("the hints lead nowhere")


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_first_hint_is_right_on_both_engines(name: str) -> None:
    puzzle = named_puzzle(name)
    for engine, other in ((DLX, CPSAT), (CPSAT, DLX)):
        session = HintSession(puzzle, engine, 60)
        hint = session.hint([])
        judge(other, session.room, [], hint)
        assert hint.text().isprintable()


@pytest.mark.parametrize("name", [family(name).examples[-1] for name in FAMILIES])
def test_a_drawing_of_a_solution_is_read_back(name: str) -> None:
    puzzle = named_puzzle(name)
    solution = completion(DLX, puzzle.model)
    if solution is None:
        pytest.skip("no solution")
    room = Room(puzzle)
    try:
        read = puzzle.read(puzzle.draw(solution).split("\n"))
    except NotImplementedError:
        pytest.skip("drawings are not read")
    given = room.acts_in(puzzle.model.chosen)
    assert set(room.place(read)) == room.acts_in(solution) - given


# --- levels of each family, made here -------------------------------------------------------


def sudoku(rng: random.Random) -> str:
    solution = next(
        iter(
            listing(DLX, named_puzzle("sudoku:" + "." * 16).model, seed=rng.randrange(99)).solutions
        )
    )
    cells = [f"{option % 4 + 1}" for option in sorted(solution)]
    for cell in rng.sample(range(16), rng.randint(8, 11)):
        cells[cell] = "."
    return "sudoku:" + "".join(cells)


def starbattle(rng: random.Random) -> str:
    n = rng.choice([4, 5])
    owner = {(r, c): "" for r in range(n) for c in range(n)}
    seeds = rng.sample(sorted(owner), n)
    owner.update(zip(seeds, "ABCDE", strict=False))
    while not all(owner.values()):
        cell = rng.choice([c for c, name in owner.items() if not name])
        near = [
            owner.get((cell[0] + i, cell[1] + j)) for i, j in ((0, 1), (1, 0), (0, -1), (-1, 0))
        ]
        owner[cell] = rng.choice([name or "" for name in near])
    return "starbattle:" + "/".join("".join(owner[r, c] for c in range(n)) for r in range(n))


def dominosa(rng: random.Random) -> str:
    highest = rng.choice([2, 3])
    tiles = [(a, b) for a in range(highest + 1) for b in range(a, highest + 1)]
    rng.shuffle(tiles)
    rows, columns = highest + 1, highest + 2
    model = named_puzzle(f"domino:{rows}x{columns}").model
    laid = first(DLX, model, seed=rng.randrange(1000)).solutions[0]
    at = {}
    for option, tile in zip(laid, tiles, strict=True):
        ends = list(tile)
        rng.shuffle(ends)
        at.update(zip(model.labels[option].cells, ends, strict=True))
    return "dominosa:" + "/".join(
        "".join(str(at[r, c]) for c in range(columns)) for r in range(rows)
    )


def edges(rng: random.Random, *, rim: bool = False) -> str:
    rows, columns = rng.choice([(2, 2), (2, 3), (3, 3)])
    level = [
        ["a" if rim and r in (0, rows) else rng.choice("abc") for _ in range(columns)]
        for r in range(rows + 1)
    ]
    upright = [
        ["a" if rim and c in (0, columns) else rng.choice("abc") for c in range(columns + 1)]
        for _ in range(rows)
    ]
    tiles = []
    for r, c in itertools.product(range(rows), range(columns)):
        tile = level[r][c] + upright[r][c + 1] + level[r + 1][c] + upright[r][c]
        turn = rng.randrange(4)
        tiles.append(tile[turn:] + tile[:turn])
    return f"edges:{rows}x{columns}:{','.join(tiles)}" + (":a" if rim else "")


def words(rng: random.Random) -> str:
    letters = "aest"
    return "words:2x3:" + ",".join(
        sorted({"".join(rng.choice(letters) for _ in range(rng.choice([2, 3]))) for _ in range(14)})
    )


def calendar(rng: random.Random) -> str:
    return f"calendar:{rng.choice(['Jan', 'Mar', 'May', 'Jul', 'Oct', 'Dec'])}-{rng.randint(1, 31)}"


def nonogram(rng: random.Random) -> str:
    rows = [[rng.random() < 0.6 for _ in range(4)] for _ in range(3)]

    def clue(line: Iterable[bool]) -> str:
        runs = [len(run) for run in "".join(" #"[cell] for cell in line).split()]
        return ",".join(map(str, runs or [0]))

    columns = zip(*rows, strict=True)
    return f"nonogram:{'/'.join(map(clue, rows))}:{'/'.join(map(clue, columns))}"


def pips(rng: random.Random) -> str:
    board = "".join(rng.choice("aabbc.") for _ in range(6))
    rules = [
        f"{name}{rng.choice(['==', '!=', '<5', '>1', '=3'])}" for name in sorted(set(board) - {"."})
    ]
    dominoes = [f"{rng.randrange(3)}{rng.randrange(3)}" for _ in range(3)]
    return f"pips:{board[:3]}/{board[3:]}:{','.join(dominoes)}:{','.join(rules)}"


PIECES = ["I4,L4=2,O4", "T4=4", "L4=4", "T4=2,I2=1-3:empty=2", "V3=any:empty=1"]
PAIRS = ["I2,I3", "V3,I2", "I2,S4", "V3,I3", "T4,I2"]

MAKERS = {
    "pentomino": lambda rng: f"pentomino:3x5:{''.join(rng.sample('PUVLY', 3))}",
    "domino": lambda rng: f"domino:{rng.randint(2, 5)}x{2 * rng.randint(1, 3)}",
    "polyomino": lambda rng: f"polyomino:4x4:{rng.choice(PIECES)}",
    "queens": lambda rng: f"queens:{rng.randint(1, 8)}",
    "bishops": lambda rng: f"bishops:{rng.randint(2, 4)}:r0c0,r1c1:{rng.randint(1, 4)}",
    "starbattle": starbattle,
    "langford": lambda rng: f"langford:{rng.randint(3, 8)}",
    "sudoku": sudoku,
    "macmahon": lambda rng: f"macmahon:{rng.choice(['2x3', '3x2', '1x6', '6x1'])}:2",
    "edges": lambda rng: edges(rng, rim=rng.random() < 0.5),
    "dominosa": dominosa,
    "calendar": calendar,
    "words": words,
    "pips": pips,
    "nonogram": nonogram,
    "maze": lambda rng: f"maze:{rng.randint(2, 4)}x{rng.randint(2, 4)}",
    "pacman": lambda rng: rng.choice(["pacman:3x3", "pacman:4x3", "pacman:3x4"]),
    "connected": lambda rng: f"connected:{rng.randint(2, 3)}x{rng.randint(2, 4)}",
    "tetris": lambda rng: f"tetris:{rng.randrange(9)},{rng.randrange(11, 19)}:2",
    "two-tiling": lambda rng: f"two-tiling:{rng.choice(PAIRS)}:{rng.randint(3, 4)}",
}
"""Makes a small level of each family, named as the user would."""


@pytest.mark.parametrize("levels", [2, pytest.param(20, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", [name for name in FAMILIES if name in MAKERS])
def test_play_outs_are_never_wrong(name: str, levels: int) -> None:
    rng = random.Random(f"{name} {levels}")
    for number in range(levels):
        engines = (DLX, CPSAT) if number % 2 == 0 else (CPSAT, DLX)
        play_out(named_puzzle(MAKERS[name](rng)), *engines, rng, wild=number % 3)


def test_the_families_that_are_played_are_those_of_the_catalogue() -> None:
    assert set(MAKERS) == set(FAMILIES)


# --- the parts ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["queens:6", "sudoku:1..3..4.23..4.1.", "pacman:3x3"])
def test_what_is_open_contains_all_that_can_come(name: str) -> None:
    """By all solutions: an option that is closed is in none of those with the acts placed."""
    rng = random.Random(name)
    puzzle = named_puzzle(name)
    room = Room(puzzle)
    every = listing(DLX, puzzle.model, Limits(solutions=200)).solutions
    for solution in rng.sample(every, min(10, len(every))):
        acts = sorted(room.acts_in(solution) - room.acts_in(puzzle.model.chosen))
        placed = rng.sample(acts, min(3, len(acts)))
        position = Position(room, placed)
        laid = {*puzzle.model.chosen, *(o for act in placed for o in room.options_of(act))}
        for other in every:
            if set(placed) <= room.acts_in(other):
                assert all(position.open[o] or o in laid for o in other)


def test_models_with_one_or_none_of_some_options_have_those_solutions() -> None:
    model = named_puzzle("queens:6").model
    every = listing(DLX, model).solutions
    groups = [[6, 7, 8], [20, 21]]
    for engine in (DLX, CPSAT):
        one = set(listing(engine, with_one_of(model, groups)).solutions)
        assert one == {s for s in every if all(len(set(g) & set(s)) == 1 for g in groups)}
        none = set(listing(engine, with_none_of(model, [1, 9, 33])).solutions)
        assert none == {s for s in every if not {1, 9, 33} & set(s)}


def test_a_judge_that_disagrees_is_a_fault() -> None:
    class Blind:
        """An engine that finds nothing."""

        name, features = "blind", DLX.features

        def search(self, model, limits, **_):
            return DLX.search(with_none_of(model, range(model.n_options)), limits)

    puzzle = named_puzzle("queens:6")
    assert HintSession(puzzle, DLX, judge=CPSAT).hint([]).confirmed
    with pytest.raises(EngineFault, match="blind finds no solution where dlx finds one"):
        HintSession(puzzle, DLX, judge=Blind()).hint([])


def test_a_broken_hint_fails_the_judging() -> None:
    """That the play-outs can fail: a step that is in no solution, and a false "only"."""
    puzzle = named_puzzle("queens:4")
    room = Room(puzzle)
    with pytest.raises(AssertionError):
        judge(CPSAT, room, [], Hint(puzzle, State.MOVE, Why.STEP, option=0, item=0))
    with pytest.raises(AssertionError):
        judge(CPSAT, room, [], Hint(puzzle, State.MOVE, Why.ONLY, option=1, item=0))
    with pytest.raises(AssertionError):
        judge(CPSAT, room, [], Hint(puzzle, State.STUCK, take_back=(0,)))


@pytest.mark.parametrize("name", ["queens:5", family("sudoku").examples[1], "langford:4"])
def test_what_to_take_back_is_a_smallest_set(name: str) -> None:
    rng = random.Random(name)
    puzzle = named_puzzle(name)
    seen = 0
    for _ in range(15):
        session = HintSession(puzzle, DLX)
        room, placed = session.room, []
        for _ in range(4):
            position = Position(room, room.place(placed))
            free = np.flatnonzero(position.open).tolist()
            if free:
                placed.append(rng.choice(free))
        hint = session.hint(placed)
        if hint.take_back is None:
            continue
        seen += 1
        every = [set(s) for s in listing(DLX, puzzle.model).solutions]
        fewest = min(len(set(placed) - s) for s in every)
        assert len(hint.take_back) == fewest
        assert any(set(placed) - set(hint.take_back) <= s for s in every)
    assert seen
