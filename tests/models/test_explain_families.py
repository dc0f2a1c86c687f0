"""Explanations for every family: conflicts conflict, differences differ, repairs repair."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest
from helpers.cli import Typed
from helpers.engines import CPSAT, DLX

from twostep.compare.command.shared.exits import Exit
from twostep.models.explain.conflicts import (
    Asker,
    clue_conflict,
    smallest_failing,
    without_clues,
)
from twostep.models.explain.variety import _few_locks, needless, variety
from twostep.models.families.puzzle import Puzzle
from twostep.models.families.registry import FAMILIES, family, named_puzzle
from twostep.models.play.room import Room
from twostep.models.search.engine import Limits
from twostep.models.search.questions import Verdict, first, listing, unique

EXAMPLES = [example for name in FAMILIES for example in family(name).examples]
BOARD = [[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]


def shuffled(rng: random.Random, keep: int, wrong: int = 0) -> Puzzle:
    """A 4x4 sudoku of `keep` right givens and some wrong ones."""
    digits = rng.sample("1234", 4)
    cells = [digits[d - 1] for row in BOARD for d in row]
    kept = rng.sample(range(16), keep + wrong)
    for cell in kept[:wrong]:
        cells[cell] = rng.choice([d for d in digits if d != cells[cell]])
    return named_puzzle("sudoku:" + "".join(c if n in kept else "." for n, c in enumerate(cells)))


@pytest.mark.parametrize("seconds", [1, pytest.param(30, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", EXAMPLES)
def test_each_example_is_explained_rightly_on_both_engines(
    name: str, seconds: int, typed: Typed
) -> None:
    said = {}
    for backend in ("dlx", "cpsat"):
        done = typed("explain", name, "--backend", backend, "--time-limit", f"{seconds}", "--json")
        said[backend] = done.json["outcome"]
        if said[backend] == "multiple":
            assert done.json["count"] >= 2
            one, other = done.json["solutions"][:2]
            assert one != other
    known = {outcome for outcome in said.values() if outcome != "unknown"}
    judged = unique(DLX, named_puzzle(name).model, Limits(seconds=seconds)).verdict.value
    assert known <= {judged} if judged != "unknown" else len(known) <= 1, said
    assert known or seconds < 30


def test_a_smallest_failing_set_has_no_needless_member() -> None:
    rng = random.Random(6)
    for _ in range(200):
        things = list(range(rng.randint(1, 9)))
        bad = [set(rng.sample(things, rng.randint(1, len(things)))) for _ in range(3)]

        def fails(some: object, bad: list[set[int]] = bad) -> bool:
            return any(each <= set(some) for each in bad)  # type: ignore[call-overload]

        found = smallest_failing(things, fails)
        assert fails(found)
        assert not any(fails([x for x in found if x != gone]) for gone in found)


def test_clues_that_exclude_each_other_do_and_none_is_needless() -> None:
    rng = random.Random(7)
    seen = set()
    for _ in range(40):
        puzzle = shuffled(rng, 5, wrong=rng.randint(1, 2))
        if first(DLX, puzzle.model).solutions:
            continue
        for engine, judge in ((DLX, CPSAT), (CPSAT, DLX)):
            clues = clue_conflict(puzzle, Asker(engine, None))
            others = [clue for clue in puzzle.clues() if clue not in clues]
            assert not first(judge, without_clues(puzzle, others)).solutions
            for clue in clues:
                assert first(judge, without_clues(puzzle, [*others, clue])).solutions
            seen.add(len(clues))
    assert len(seen) > 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "sudoku:12..3...4.......",
            "",
        ),
        (
            "sudoku:123....4........",
            "row 1, column 4 has no digit left",
        ),
        (
            "sudoku:1.....1.......1.",
            "1 is given twice in column 3",
        ),
        ("queens:3", "row 1, row 2 and column 2 cannot all be met at once"),
        ("starbattle:AAAA/BBBB/CCCC/DDDD", ""),
        ("starbattle:ABBB/ABBB/ABBB/CCDD", "cannot all be met at once"),
    ],
)
def test_the_words_of_a_conflict(name: str, text: str, typed: Typed) -> None:
    for backend in ("dlx", "cpsat", "both"):
        said = typed("explain", name, "--quiet", "--backend", backend)
        solvable = bool(first(CPSAT, named_puzzle(name).model).solutions)
        assert (said.code == Exit.NONE) is not solvable
        if not solvable:
            assert said.out.startswith("no solution: ")
            assert text in said.out or backend == "dlx"


def test_needless_clues_are_needless_and_no_others() -> None:
    rng = random.Random(8)
    seen = 0
    while seen < 8:
        puzzle = shuffled(rng, 9)
        if unique(DLX, puzzle.model).verdict is not Verdict.UNIQUE:
            continue
        seen += 1
        alone, together = needless(puzzle, Asker(DLX, None))
        for clue in puzzle.clues():
            verdict = unique(CPSAT, without_clues(puzzle, [clue])).verdict
            assert (clue in alone) == (verdict is Verdict.UNIQUE)
        assert unique(CPSAT, without_clues(puzzle, together)).verdict is Verdict.UNIQUE
        for clue in puzzle.clues():
            if clue not in together:
                more = without_clues(puzzle, [*together, clue])
                assert unique(CPSAT, more).verdict is Verdict.MULTIPLE


@pytest.mark.parametrize(
    "name", ["queens:6", "maze:2x2", "pacman:3x3", "langford:4", "edges:1x2:abab,aabb"]
)
def test_moves_that_make_it_unique_do_and_no_fewer(name: str) -> None:
    puzzle = named_puzzle(name)
    how = variety(puzzle, DLX, Limits())
    assert how is not None
    assert how.locks is not None
    room = Room(puzzle)
    answers = [room.acts_in(s) for s in listing(CPSAT, puzzle.model).solutions]
    acts = set(room.place(how.locks))
    assert sum(acts <= answer for answer in answers) == 1
    for answer in answers:
        for fewer in itertools.combinations(answer, len(acts) - 1):
            assert sum(set(fewer) <= other for other in answers) > 1
    one, other = (room.acts_in(solution) for solution in how.pair)
    assert set(room.acts_in(how.only[0])) == one - other
    assert set(room.acts_in(how.only[1])) == other - one
    assert room.acts_in(how.common) == frozenset.intersection(*answers)


@pytest.mark.parametrize("name", ["queens:8", "domino:4x6", "maze:3x3"])
def test_moves_for_one_of_very_many_answers_leave_only_it(name: str) -> None:
    puzzle = named_puzzle(name)
    room = Room(puzzle)
    solution = first(DLX, puzzle.model).solutions[0]
    locks = _few_locks(room, solution, [], Asker(DLX, None))
    assert locks is not None
    acts = room.place(locks)
    assert len({room.acts_in(s) for s in listing(CPSAT, room.restricted(acts)).solutions}) == 1
    for act in acts:
        rest = [other for other in acts if other != act]
        assert len(listing(CPSAT, room.restricted(rest), Limits(solutions=2)).solutions) == 2


@pytest.mark.parametrize(
    "arguments",
    [
        "explain starbattle:AABB/AABB/CCDD/CCDD",
        "explain queens:3",
        "explain sudoku:123....4........",
        "explain polyomino:2x2:O4",
        "hint langford:7",
        "hint pentomino:3x5:PUV --strength where",
        "hint maze:3x3",
    ],
)
def test_pictures_are_made_and_other_names_refused(
    arguments: str, typed: Typed, tmp_path: Path
) -> None:
    path = tmp_path / "why.svg"
    typed(*arguments.split(), "--quiet", "-o", str(path))
    assert path.read_text(encoding="utf-8").startswith("<")
    refused = typed(*arguments.split(), "-o", str(tmp_path / "why.txt"))
    assert refused.code == Exit.USAGE
    assert "expected a name that ends in" in refused.err


def test_mirror_images_are_said_to_be_such(typed: Typed) -> None:
    out = typed("explain", "queens:6", "--quiet").out
    assert "all are one solution, turned and mirrored" in out
    assert "different up to turning" in typed("explain", "queens:8", "--quiet").out
    content = typed("explain", "langford:4", "--json").json
    assert (content["mirrored"], content["different"]) == (True, 1)
