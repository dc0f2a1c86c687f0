"""The generator: what it makes can be solved, is as wished, and is the same for the same seed."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable
from dataclasses import replace

import pytest
from helpers.engines import CPSAT, DLX, loses_one

from twostep.compare.checking.proof import prove
from twostep.models import Limits, Model, count, listing, unique
from twostep.models.errors import EngineFault, InputError
from twostep.models.explain import locking
from twostep.models.explain.locking import nearest_pair, smallest_locks
from twostep.models.families.polyomino.board import board_from_rows
from twostep.models.families.polyomino.pieces import PENTOMINOES, normalised, parse_kinds, regions
from twostep.models.game import weights
from twostep.models.game.generator import AUTO, Generator, Wishes
from twostep.models.game.level import Level, Pack
from twostep.models.game.levelfile import pack_text, parse_pack
from twostep.models.game.outlines import grow_symmetric, lay, outline_of
from twostep.models.search.engine import SearchResult
from twostep.models.search.questions import Verdict


def made(wishes: Wishes, avoid: Iterable[str] = ()) -> tuple[Level, ...]:
    generator = Generator(wishes, DLX, set(avoid))
    for _ in generator:
        pass
    return generator.pack()


@pytest.mark.parametrize("looks", [1, 24])
def test_laid_pieces_lie_side_by_side(looks: int) -> None:
    rng = random.Random(1)
    for _ in range(20):
        kinds = parse_kinds(rng.sample(PENTOMINOES, rng.randint(3, 12)))
        laid = lay(kinds, rng, looks)
        cells = [cell for piece in laid for cell in piece]
        assert len(set(cells)) == len(cells) == 5 * len(kinds)
        assert len(regions(cells)) == 1
        for kind, piece in zip(kinds, laid, strict=True):
            assert normalised(piece) in kind.piece.orientations


def test_grown_regions_have_a_symmetry() -> None:
    rng = random.Random(1)
    grown = [shape for _ in range(60) if (shape := grow_symmetric(30, rng)) is not None]
    assert len(grown) > 20
    for shape in grown:
        assert len(shape) == 30
        outline = outline_of(shape, parse_kinds("FILNPT"))
        assert len(outline.board.symmetries) > 1


@pytest.mark.parametrize(
    ("rows", "holes"),
    [(["..."], 0), (["...", ".#.", "..."], 1), ([".....", ".#.#.", "....."], 2),
     (["..#", ".#.", "..."], 1), ([".....", ".#...", "..#..", "....."], 2)],
)  # fmt: skip
def test_holes_are_enclosed_by_edges(rows: list[str], holes: int) -> None:
    board = board_from_rows(rows)
    assert outline_of(board.free, parse_kinds("P")).holes == holes


def test_the_same_seed_gives_the_same_pack_and_another_another() -> None:
    wishes = Wishes(6, 3, 7, seed=11)
    first, second = made(wishes), made(wishes)
    assert pack_text(Pack(first)) == pack_text(Pack(second))
    other = made(replace(wishes, seed=12))
    assert {level.outline_key for level in first}.isdisjoint(level.outline_key for level in other)


def test_every_level_can_be_solved_and_no_two_are_alike() -> None:
    levels = made(Wishes(12, 3, 6, seed=2))
    assert len({level.outline_key for level in levels}) == 12
    for level in levels:
        assert 3 <= len(level.kinds) <= 6
        assert level.board.size == 5 * len(level.kinds)
        assert level.puzzle.obstacle() is None
        assert count(DLX, level.puzzle.model).found >= 1
    grades = [level.grade or 0 for level in levels]
    assert grades == sorted(grades)
    assert [level.name for level in levels] == [f"Level {n}" for n in range(1, 13)]


@pytest.mark.parametrize(
    "wishes",
    [
        Wishes(5, 3, 7, unique=True),
        Wishes(5, 3, 7, lock=AUTO),
        Wishes(5, 4, 7, lock=2, unique=True),
        Wishes(4, 3, 6, symmetric=True, unique=True),
        Wishes(4, 4, 6, holes=True, lock=1),
        Wishes(4, 4, 6, symmetric=True, lock=0),
        Wishes(2, 6, 7, symmetric=True, holes=True),
    ],
    ids=str,
)
def test_a_pack_is_as_wished(wishes: Wishes) -> None:
    for level in made(replace(wishes, seed=5)):
        verdict = unique(CPSAT, level.puzzle.model).verdict
        if wishes.unique or wishes.lock == AUTO:
            assert verdict is Verdict.UNIQUE
        if isinstance(wishes.lock, int):
            assert len(level.locks) == wishes.lock
        outline = outline_of(level.board.free, level.kinds)
        assert (outline.holes > 0) == wishes.holes
        if wishes.symmetric:
            assert len(level.board.symmetries) > 1


def test_auto_locks_the_fewest_pieces_that_leave_one_answer() -> None:
    locked = 0
    for level in made(Wishes(14, 3, 6, seed=3, lock=AUTO)):
        bare = replace(level, locks=()).puzzle.model
        answers = listing(DLX, bare).solutions
        for fewer in range(len(level.locks)):
            for subset in itertools.combinations(range(bare.n_options), fewer):
                assert sum(set(subset) <= set(s) for s in answers) != 1
        locked += bool(level.locks)
    assert locked


def test_levels_of_other_packs_do_not_come_again() -> None:
    first = made(Wishes(5, 3, 4, seed=4))
    again = made(Wishes(5, 3, 4, seed=4), (level.outline_key for level in first))
    assert {level.outline_key for level in again}.isdisjoint(level.outline_key for level in first)


def test_wishes_that_cannot_be_met_end_with_one_clear_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(weights, "TRIES", 1)
    monkeypatch.setattr(weights, "NODES", 0)
    with pytest.raises(InputError, match="of 24 outlines of 3 pieces none meets the demands"):
        made(Wishes(1, 3, 3))


def test_what_is_not_known_to_be_unique_is_not_called_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "ANSWERS_COUNTED", 1)  # whether there is a second is not seen
    monkeypatch.setattr(weights, "TRIES", 1)
    with pytest.raises(InputError, match="none meets the demands"):
        made(Wishes(1, 3, 3, unique=True, lock=0))


@pytest.mark.parametrize("pieces", [(2, 5), (3, 13), (7, 6)])
def test_a_wrong_number_of_pieces_is_refused(pieces: tuple[int, int]) -> None:
    with pytest.raises(InputError, match="expected 3 to 12"):
        Wishes(3, *pieces)


def test_a_full_pack_ends_with_the_6x10_rectangle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "FULL_PACK", 3)
    monkeypatch.setattr(weights, "OUTLINES", 6)
    *others, last = made(Wishes(3, 3, 12, seed=1))
    assert last.board.picture() == "\n".join(["." * 10] * 6)
    assert (len(last.kinds), last.locks, last.grade) == (12, (), 10)
    assert all(level.board.size <= 60 for level in others)


def test_a_full_pack_after_a_full_pack_has_no_second_rectangle(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(weights, "FULL_PACK", 1)
    monkeypatch.setattr(weights, "OUTLINES", 6)
    (rectangle,) = made(Wishes(1, 3, 12))
    (other,) = made(Wishes(1, 3, 12), [rectangle.outline_key])
    assert rectangle.board.size == 60
    assert other.outline_key != rectangle.outline_key
    assert not Wishes(1, 3, 12, unique=True).full
    assert not Wishes(1, 3, 12, lock=AUTO).full


class Interrupted:
    """An engine during whose fortieth search somebody presses Ctrl-C."""

    name, features = DLX.name, DLX.features

    def __init__(self) -> None:
        self.searches = 0

    def search(self, model: Model, limits: Limits, **rest: object) -> SearchResult:
        self.searches += 1
        cancel = self.searches == 40
        return DLX.search(model, limits, **{**rest, "watch": lambda _: cancel})  # type: ignore[arg-type]


class SoonTired:
    """An engine that may not look far where pieces are locked."""

    name, features = DLX.name, DLX.features

    def search(self, model: Model, limits: Limits, **rest: object) -> SearchResult:
        if model.chosen:
            limits = replace(limits, nodes=0)
        return DLX.search(model, limits, **rest)  # type: ignore[arg-type]


def test_a_locked_level_that_takes_too_much_work_is_dropped_without_a_disagreement(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(weights, "TRIES", 1)
    generator = Generator(Wishes(1, 4, 4, lock=1), SoonTired())
    with pytest.raises(InputError, match="none meets the demands"):
        list(generator)


def test_ctrl_c_keeps_the_levels_made_so_far() -> None:
    generator = Generator(Wishes(200, 3, 5), Interrupted())
    with pytest.raises(KeyboardInterrupt):
        for _ in generator:
            pass
    levels = generator.pack()
    assert 1 <= len(levels) < 200
    assert parse_pack(pack_text(Pack(levels))).levels[0].name == "Level 1"


def test_what_the_engines_differ_on_is_not_proven() -> None:
    board = board_from_rows(["....."] * 3)
    level = Level("3x5", board, tuple(parse_kinds("PUV")))
    proof = prove(level, [DLX, CPSAT], ["1", "2"]).proof
    assert proof is not None
    assert (proof.solutions, proof.complete) == (4, True)
    assert [(w.engine, w.version) for w in proof.witnesses] == [("dlx", "1"), ("cpsat", "2")]
    with pytest.raises(EngineFault, match="the engines differ on '3x5': dlx 4, cpsat 3"):
        prove(level, [DLX, loses_one()], ["1", "2"])


# --- which pieces to lock -------------------------------------------------------------------


def test_smallest_locks_are_those_of_brute_force() -> None:
    rng = random.Random(7)
    for _ in range(200):
        size = rng.randint(1, 5)
        pool = {tuple(sorted(rng.sample(range(9), size))) for _ in range(rng.randint(1, 12))}
        solutions = sorted(pool)
        expected = None
        for fewest in range(size + 1):
            sets = {
                subset
                for subset in itertools.combinations(range(9), fewest)
                if sum(set(subset) <= set(s) for s in solutions) == 1
            }
            if sets:
                expected = sorted(sets)
                break
        assert smallest_locks(solutions) == expected
    assert smallest_locks([(1, 2), (1, 3)], fixed=[1]) == [(2,), (3,)]
    assert smallest_locks([(0, 1), (0, 2), (1, 2)], most=1) is None


def test_too_many_subsets_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    solutions = [(0, 1), (0, 2), (1, 2)]
    assert smallest_locks(solutions) == [(0, 1), (0, 2), (1, 2)]
    monkeypatch.setattr(locking, "MOST_SUBSETS", 5)
    assert smallest_locks(solutions) is None


def test_the_nearest_pair_is_that_of_brute_force() -> None:
    rng = random.Random(8)
    for _ in range(200):
        pool = {tuple(sorted(rng.sample(range(9), 4))) for _ in range(rng.randint(2, 12))}
        solutions = sorted(pool)
        found = nearest_pair(solutions)
        if len(solutions) < 2:
            assert found is None
            continue
        assert found is not None
        a, b = found
        most = max(len(set(x) & set(y)) for x, y in itertools.combinations(solutions, 2))
        assert a != b
        assert len(set(a) & set(b)) == most
