"""Makes levels: outlines that can be filled, scored, proven, locked, graded, put in order."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, replace

from twostep.models.errors import EngineFault, InputError
from twostep.models.explain.locking import smallest_locks
from twostep.models.families.polyomino.board import rectangle
from twostep.models.families.polyomino.pieces import PENTOMINOES, parse_kinds
from twostep.models.families.polyomino.placement import Lock, Placement
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle
from twostep.models.game import weights
from twostep.models.game.level import MAX_GRADE, Level
from twostep.models.game.outlines import Outline, grow_symmetric, lay, outline_of
from twostep.models.language.model import Model, Solution
from twostep.models.search import questions
from twostep.models.search.engine import Engine, Limits, StopReason

AUTO = "auto"
"""As the number of locks: the fewest that leave one answer."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a pack should be like.

    Attributes:
        count: how many levels.
        fewest, most: pieces of a level, 3 to 12.
        seed: the same seed gives the same pack.
        unique: every level has exactly one answer.
        lock: pieces locked on each level, 0 to 2, or "auto"; None: "auto" if `unique`, else some
            levels have some. (On a symmetric outline the mirror image of an answer is another
            one, so that hardly any is unique without a locked piece.)
        holes: every outline encloses a hole; else none does.
        symmetric: every outline can be turned or mirrored onto itself.
    """

    count: int
    fewest: int = 3
    most: int = 12
    seed: int = 0
    unique: bool = False
    lock: int | str | None = None
    holes: bool = False
    symmetric: bool = False

    def __post_init__(self) -> None:
        if self.count < 1:
            raise InputError(f"{self.count} levels: expected at least 1")
        if not 3 <= self.fewest <= self.most <= len(PENTOMINOES):
            raise InputError(
                f"{self.fewest} to {self.most} pieces: expected 3 to 12, the fewest first"
            )

    @property
    def full(self) -> bool:
        """Whether the pack ends with the 6x10 rectangle."""
        return (
            self.count >= weights.FULL_PACK
            and self.most == len(PENTOMINOES)
            and not (self.unique or self.holes or self.lock)
        )


@dataclass(frozen=True, slots=True)
class _Made:
    """A level and how hard it is."""

    level: Level
    difficulty: float


class Generator:
    """Makes the levels of one pack, one after the other.

    Args:
        wishes: what they should be like.
        engine: counts the answers of outlines.
        avoid: outline keys (:attr:`Level.outline_key`) that may not come again.
        finish: what is done with a level before it counts as made, such as :func:`prove`.
    """

    def __init__(
        self,
        wishes: Wishes,
        engine: Engine,
        avoid: Container[str] = (),
        finish: Callable[[Level], Level] = lambda level: level,
    ) -> None:
        self._wishes = wishes
        self._engine = engine
        self._avoid = avoid
        self._finish = finish
        self._used: set[str] = set()
        last = self._rectangle().level.outline_key
        self._ends_with_rectangle = wishes.full and last not in avoid
        if self._ends_with_rectangle:
            self._used.add(last)
        self._made: list[_Made] = []

    def __iter__(self) -> Iterator[Level]:
        """Make them, each as soon as it is proven; names and order come with :meth:`pack`.

        Raises:
            InputError: the wishes cannot be met.
            KeyboardInterrupt: Ctrl-C; the levels made so far are kept.
        """
        wishes = self._wishes
        for number in range(wishes.count):
            last = self._ends_with_rectangle and number == wishes.count - 1
            made = self._rectangle() if last else self._level(number)
            level = self._finish(made.level)
            self._used.add(level.outline_key)
            self._made.append(_Made(level, made.difficulty))
            yield level

    def pack(self) -> tuple[Level, ...]:
        """The levels made so far, from easy to hard, named and graded."""
        low, high = weights.GRADES
        levels = []
        for number, made in enumerate(sorted(self._made, key=lambda made: made.difficulty), 1):
            share = (made.difficulty - low) / (high - low)
            grade = max(math.ceil(min(share, 1.0) * MAX_GRADE), 1)
            levels.append(replace(made.level, name=f"Level {number}", grade=grade))
        return tuple(levels)

    def _rectangle(self) -> _Made:
        board = rectangle(6, 10)
        level = Level("", board, tuple(parse_kinds(PENTOMINOES)), seed=self._wishes.seed)
        return _Made(level, math.inf)

    def _level(self, number: int) -> _Made:
        wishes = self._wishes
        share = number / max(wishes.count - 1, 1)
        pieces = wishes.fewest + int(share * (wishes.most - wishes.fewest + 1))
        pieces = min(pieces, wishes.most)
        early = number < weights.EARLY_SHARE * wishes.count
        for attempt in range(weights.TRIES):
            # Text as a seed gives the same numbers on every machine and version from 3.2 on.
            rng = random.Random(f"twostep {wishes.seed} {number} {attempt}")
            outlines = [o for _ in range(weights.OUTLINES) if (o := self._outline(pieces, rng))]
            outlines.sort(key=lambda outline: -outline.score)
            choices = [
                made
                for outline in outlines[: weights.CANDIDATES]
                if (made := self._try(outline, rng, early=early)) is not None
            ]
            if choices:
                return max(choices, key=lambda choice: choice[0])[1]
        raise InputError(
            f"of {weights.TRIES * weights.OUTLINES} outlines of {pieces} pieces none meets the"
            " demands: relax them, or take another seed"
        )

    def _outline(self, pieces: int, rng: random.Random) -> Outline | None:
        """One outline; None: not as wished, or as one before."""
        wishes = self._wishes
        if wishes.symmetric:
            outline = self._symmetric(pieces, rng)
        else:
            kinds = parse_kinds(rng.sample(PENTOMINOES, pieces))
            looks = weights.LOOKS if rng.randrange(weights.LOOKS_SPREAD) else 1
            laid = lay(kinds, rng, looks)
            outline = outline_of([cell for cells in laid for cell in cells], kinds)
        if outline is None or (outline.holes > 0) != wishes.holes:
            return None
        key = Level("", outline.board, outline.kinds).outline_key
        return None if key in self._used or key in self._avoid else outline

    def _symmetric(self, pieces: int, rng: random.Random) -> Outline | None:
        """A symmetric region, with some pieces that an engine fills it with."""
        shape = grow_symmetric(5 * pieces, rng)
        if shape is None:
            return None
        some = parse_kinds(f"{letter}=0-1" for letter in PENTOMINOES)
        outline = outline_of(shape, some)
        asked = PolyominoPuzzle("a symmetric outline", outline.board, outline.kinds)
        limits = Limits(nodes=weights.NODES // 20)
        seed = rng.randrange(1, 2**31)
        found = _asked(self._engine, asked.model, replace(limits, solutions=1), seed).solutions
        if not found:
            return None
        names = {asked.model.labels[option].piece for option in found[0]}
        return replace(outline, kinds=tuple(parse_kinds(sorted(names))))

    def _try(
        self, outline: Outline, rng: random.Random, *, early: bool
    ) -> tuple[float, _Made] | None:
        """A level of that outline, with its score; None: not as wished, or too much work."""
        wishes = self._wishes
        level = Level("", outline.board, outline.kinds, seed=wishes.seed)
        model = level.puzzle.model
        found = self._answers(model)
        if found is None or not found.solutions:
            return None
        answers = found.solutions
        # Before locks: those change the number of answers, not the outline's charm.
        weight = weights.ANSWERS_EARLY if early else weights.ANSWERS_LATE
        score = outline.score + weight * math.log2(len(answers))
        locks = self._locks(answers, rng, complete=found.result.complete)
        if locks is None:
            return None
        labels = model.labels
        left = [s for s in answers if set(locks) <= set(s)]
        locked = tuple(
            Lock(p.piece, p.cells) for o in locks if isinstance(p := labels[o], Placement)
        )
        level = replace(level, locks=locked)
        if locks:  # proven again as what it is now: with those pieces already chosen
            found = self._answers(level.puzzle.model)
            if found is None:
                return None
            if len(found.solutions) < len(left):
                raise EngineFault(
                    f"engine {self._engine.name!r} lost a solution of a locked level",
                    level.puzzle.model,
                )
        if wishes.unique and not (found.result.complete and len(found.solutions) == 1):
            return None
        difficulty = (
            weights.PIECE_HARDNESS * (len(outline.kinds) - len(locks))
            + weights.NODES_HARDNESS * math.log2(1 + found.result.counters.nodes)
            + weights.ANSWERS_HARDNESS * math.log2(len(found.solutions))
            + weights.ODDNESS_HARDNESS
            * (1 - outline.board.size / (outline.board.rows * outline.board.columns))
        )
        return score, _Made(level, difficulty)

    def _answers(self, model: Model) -> questions.Listing | None:
        """The answers up to ANSWERS_COUNTED; None: to find them is too much work."""
        limits = Limits(solutions=weights.ANSWERS_COUNTED, nodes=weights.NODES)
        found = _asked(self._engine, model, limits)
        known = found.result.complete or found.result.stopped is StopReason.SOLUTIONS
        return found if known else None

    def _locks(
        self, answers: Sequence[Solution], rng: random.Random, *, complete: bool
    ) -> tuple[int, ...] | None:
        """The options to lock; None: the demands cannot be met."""
        wishes = self._wishes
        wanted = wishes.lock
        if wanted == AUTO or (wanted is None and wishes.unique):
            sets = smallest_locks(answers, most=weights.MOST_LOCKS) if complete else None
            return None if sets is None else sets[rng.randrange(len(sets))]
        if wanted is None:
            some = rng.random() < weights.LOCKED_SHARE
            wanted = min(rng.randint(1, 2), len(answers[0]) - 3) if some else 0
        answer = answers[rng.randrange(len(answers))]
        most = min(int(wanted), len(answer) - 2)
        if wishes.unique and complete:
            # Among the sets of that size, one that leaves this answer alone.
            return self._unique_locks(answers, most, rng)
        return tuple(sorted(rng.sample(answer, most)))

    def _unique_locks(
        self, answers: Sequence[Solution], size: int, rng: random.Random
    ) -> tuple[int, ...] | None:
        """So many options of one answer that no other answer has together."""
        sets = smallest_locks(answers, most=size)
        if sets is None:
            return None
        chosen = sets[rng.randrange(len(sets))]
        answer = next(s for s in answers if set(chosen) <= set(s))
        others = [option for option in answer if option not in chosen]
        return tuple(sorted((*chosen, *rng.sample(others, size - len(chosen)))))


def _asked(engine: Engine, model: Model, limits: Limits, seed: int = 0) -> questions.Listing:
    """The solutions within the limits; Ctrl-C ends the generator, not this search alone."""
    found = questions.listing(engine, model, limits, seed=seed)
    if found.result.stopped is StopReason.CANCELLED:
        raise KeyboardInterrupt
    return found
