"""First, count, unique, best and the others as Python functions, for one engine or both.

All take a puzzle, a model, or what the command takes (see :data:`PuzzleLike`), and these keywords:

``backend``
    an engine's name, or ``both``: ask each engine, and raise :class:`EnginesDisagree` if they
    contradict each other.
``time_limit``
    seconds, wall clock: for building the model, and for each engine.
``node_limit``
    search nodes of each engine: an engine's own unit, the same on every run.
``memory_limit``
    bytes that an engine may remember, and that kept solutions may take.
``seed``
    another order of search; 0 is the engine's natural order.
``workers``
    so many processes search (threads, where they help as much); they take no node limit and no
    seed. As ever with processes, a script must then begin under ``if __name__ == "__main__":``.

A search that a limit or Ctrl-C ends never raises: the answer is then not complete, and says why.
They all raise InputError for what is no puzzle, and UnsupportedFeature where an engine lacks a
part of the language.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from twostep.compare import registry
from twostep.compare.agreement import verdict
from twostep.compare.agreement.digest import Listed, SetDigest
from twostep.compare.agreement.verdict import Agreement, Comparison, Opinion
from twostep.compare.asking.answers import (
    Count,
    EnginesDisagree,
    Listing,
    Solution,
    Uniqueness,
)
from twostep.compare.asking.stream import Solutions
from twostep.compare.asking.subject import PuzzleLike, load
from twostep.compare.parallel.spreading import Spreading
from twostep.compare.registry import DEFAULT
from twostep.models.certificate.checker import Verified
from twostep.models.errors import EngineFault, InputError
from twostep.models.families.puzzle import Puzzle
from twostep.models.language.model import Solution as Options
from twostep.models.language.verify import fault
from twostep.models.search import questions
from twostep.models.search.clock import CLOCK
from twostep.models.search.engine import Engine, Limits, Receiver, SearchResult, StopReason, Watch
from twostep.models.search.questions import Verdict

A = TypeVar("A", SearchResult, questions.Listing, questions.Uniqueness)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A puzzle, the engines to ask, and the limits of each search."""

    puzzle: Puzzle
    engines: tuple[Engine, ...]
    limits: Limits

    @classmethod
    def of(cls, puzzle: PuzzleLike, backend: str, limits: Limits) -> _Asked:
        """What is asked; building the model is done, and has taken its share of the time."""
        engines = tuple(registry.engine(name) for name in registry.engine_names(backend))
        began = CLOCK()
        asked = load(puzzle)
        if asked.obstacle() is None:
            _ = asked.model
        if limits.seconds is not None:
            limits = replace(limits, seconds=max(0.0, limits.seconds - (CLOCK() - began)))
        return cls(asked, engines, limits)

    def each(
        self, question: Callable[[Engine], A], opinion: Callable[[str, A], Opinion]
    ) -> list[A]:
        """Each engine's answer, one after the other; Ctrl-C skips those after the one it ends.

        Raises:
            EnginesDisagree: the opinions made of the answers contradict each other.
            EngineFault: the only engine gave a wrong solution.
        """
        answers: list[A] = []
        opinions: list[Opinion] = []
        for engine in self.engines:
            try:
                answer = question(engine)
            except EngineFault as wrong:
                opinions.append(self.wrong(engine, wrong))
                continue
            answers.append(answer)
            opinions.append(opinion(engine.name, answer))
            if _result(answer).stopped is StopReason.CANCELLED:
                break
        self.refuse_contradiction(opinions)
        return answers

    def wrong(self, engine: Engine, fault: EngineFault) -> Opinion:
        """The opinion of an engine that gave a wrong solution; alone it has nothing to say."""
        if len(self.engines) == 1:
            raise fault
        return Opinion(engine.name, None, str(SetDigest()), str(fault))

    def refuse_contradiction(self, opinions: Sequence[Opinion]) -> None:
        """Raise EnginesDisagree if the opinions contradict each other."""
        comparison = verdict.conclude(
            self.engines, opinions, lambda: self.puzzle.model, self.limits
        )
        if comparison.agreement is Agreement.DISAGREE:
            raise EnginesDisagree(self.puzzle.name, comparison)

    def how(self, workers: int | None, seed: int = 0) -> Spreading:
        """How to search with so many worker processes (None: this one)."""
        if workers is not None and workers < 1:
            raise InputError(f"workers: expected a number of at least 1, got {workers}")
        if workers is not None and seed:
            raise InputError("seed: a search by workers has no order of its own")
        return Spreading(workers)

    def shown(self, solutions: Iterable[Options]) -> tuple[Solution, ...]:
        """Solutions that show themselves."""
        return tuple(Solution(solution, self.puzzle) for solution in solutions)


def _result(answer: SearchResult | questions.Listing | questions.Uniqueness) -> SearchResult:
    return answer if isinstance(answer, SearchResult) else answer.result


def _counted(engine: str, result: SearchResult) -> Opinion:
    """The opinion of an engine that only counted: of its solutions nothing is known."""
    return Opinion(engine, result, str(SetDigest()))


def _listed(engine: str, answer: questions.Listing | questions.Uniqueness) -> Opinion:
    listed = Listed(answer.solutions)
    found = replace(answer.result, found=len(answer.solutions))
    return Opinion(engine, found, str(listed), None, listed)


def _ranked(engine: str, answer: questions.Listing) -> Opinion:
    """The opinion of an engine that listed the cheapest: of equal costs, any; costs decide."""
    found = replace(answer.result, found=len(answer.solutions))
    return Opinion(engine, found, str(SetDigest()))


def count(
    puzzle: PuzzleLike,
    *,
    backend: str = DEFAULT,
    time_limit: float | None = None,
    node_limit: int | None = None,
    memory_limit: int | None = None,
    workers: int | None = None,
) -> Count:
    """How many solutions there are, without listing them.

    With both engines the count is complete when both have searched to the end.

    >>> twostep.count("pentomino:3x20").found
    8
    >>> print(twostep.count("polyomino:8x8:I1=any,I2=any,I3=any,V3=any"))
    92109458286284989468604
    """
    asked = _Asked.of(puzzle, backend, Limits(None, time_limit, node_limit, memory_limit))
    if (reason := asked.puzzle.obstacle()) is not None:
        return Count((), reason, 0, True)
    answers = asked.each(
        lambda engine: asked.how(workers).count(engine, asked.puzzle, asked.limits, None), _counted
    )
    return _count_of(answers)


def _count_of(results: Sequence[SearchResult]) -> Count:
    known = max(results, key=lambda result: (result.complete, result.found)).found
    return Count(tuple(results), None, known, all(result.complete for result in results))


def first(
    puzzle: PuzzleLike,
    *,
    backend: str = DEFAULT,
    time_limit: float | None = None,
    node_limit: int | None = None,
    memory_limit: int | None = None,
    seed: int = 0,
) -> Listing:
    """One solution, if there is one: the answer's ``solution``.

    >>> print(twostep.first("pentomino:3x5:PUV").solution)
    VVVUU
    VPPPU
    VPPUU
    >>> none = twostep.first("pentomino:4x4:PUV")
    >>> none.solution, none.complete, none.reason
    (None, True, 'the pieces cover 15 cells, the board has 16: 1 too few')
    """
    return listing(
        puzzle,
        backend=backend,
        solution_limit=1,
        time_limit=time_limit,
        node_limit=node_limit,
        memory_limit=memory_limit,
        seed=seed,
    )


def solutions(
    puzzle: PuzzleLike,
    *,
    backend: str = DEFAULT,
    solution_limit: int | None = None,
    time_limit: float | None = None,
    node_limit: int | None = None,
    memory_limit: int | None = None,
    seed: int = 0,
    workers: int | None = None,
) -> Solutions:
    """The solutions one by one, as they are found; a loop over them may be left at any time.

    The time limit includes the time that the reader takes. With both engines, the second one
    searches when the first has ended, and the last step of the loop may raise EnginesDisagree.

    >>> for solution in twostep.solutions("queens:6", solution_limit=1):
    ...     print(solution.labels)
    ((0, 1), (1, 3), (2, 5), (3, 0), (4, 2), (5, 4))
    """
    limits = Limits(solution_limit, time_limit, node_limit, memory_limit)
    asked = _Asked.of(puzzle, backend, limits)
    asked.how(workers, seed)  # what is refused is refused now
    return Solutions(
        asked.puzzle, lambda receive, watch: _stream(asked, seed, workers, receive, watch)
    )


def listing(
    puzzle: PuzzleLike,
    *,
    backend: str = DEFAULT,
    solution_limit: int | None = None,
    time_limit: float | None = None,
    node_limit: int | None = None,
    memory_limit: int | None = None,
    seed: int = 0,
    workers: int | None = None,
) -> Listing:
    """The solutions, kept in memory, in the order found.

    >>> len(twostep.listing("domino:4x4"))
    36
    >>> some = twostep.listing("queens:8", solution_limit=3)
    >>> len(some), some.complete, some.stopped
    (3, False, <StopReason.SOLUTIONS: 'solutions'>)
    """
    limits = Limits(solution_limit, time_limit, node_limit, memory_limit)
    asked = _Asked.of(puzzle, backend, limits)
    kept: list[Options] = []
    stored = 0

    def keep(solution: Options) -> bool:
        nonlocal stored
        kept.append(solution)
        stored += questions.bytes_of(solution)
        return memory_limit is not None and stored > memory_limit

    answer = _stream(asked, seed, workers, keep, None)
    results = answer.results
    if memory_limit is not None and stored > memory_limit:
        results = (replace(results[0], stopped=StopReason.MEMORY), *results[1:])
    complete = all(result.complete for result in results)
    return Listing(results, answer.reason, asked.shown(kept), complete)


def _stream(
    asked: _Asked, seed: int, workers: int | None, receive: Receiver, watch: Watch | None
) -> Count:
    """The first engine's solutions into `receive`; then the others are asked, and compared."""
    if (reason := asked.puzzle.obstacle()) is not None:
        return Count((), reason, 0, True)
    model, how = asked.puzzle.model, asked.how(workers, seed)
    opinions: list[Opinion] = []
    for engine in asked.engines:
        if opinions:
            opinion = verdict.ask(engine, model, asked.limits, watch=watch)
        else:
            listed = Listed()

            def take(solution: Options, listed: Listed = listed) -> object:
                listed.add(solution)
                return receive(solution)

            try:
                result = how.solve(engine, asked.puzzle, asked.limits, watch, take, None, seed)
            except EngineFault as wrong:
                opinion = asked.wrong(engine, wrong)
            else:
                opinion = Opinion(engine.name, result, str(listed), None, listed)
        opinions.append(opinion)
        if opinion.result is not None and opinion.result.stopped is StopReason.CANCELLED:
            break
    asked.refuse_contradiction(opinions)
    return _count_of([opinion.result for opinion in opinions if opinion.result is not None])


def unique(
    puzzle: PuzzleLike,
    *,
    backend: str = DEFAULT,
    time_limit: float | None = None,
    node_limit: int | None = None,
    memory_limit: int | None = None,
    seed: int = 0,
    workers: int | None = None,
) -> Uniqueness:
    """Whether there is exactly one solution; the search ends at a second one.

    With both engines, UNIQUE is what both have proven.

    >>> answer = twostep.unique("pentomino:3x5:PUV", backend="both")
    >>> answer.verdict
    <Verdict.MULTIPLE: 'multiple'>
    >>> len(answer.solutions)
    2
    """
    asked = _Asked.of(puzzle, backend, Limits(None, time_limit, node_limit, memory_limit))
    if (reason := asked.puzzle.obstacle()) is not None:
        return Uniqueness((), reason, Verdict.NONE, ())
    answers = asked.each(
        lambda engine: asked.how(workers, seed).unique(
            engine, asked.puzzle, asked.limits, None, seed
        ),
        _listed,
    )
    verdicts = {answer.verdict for answer in answers}
    agreed = verdicts.pop() if len(verdicts) == 1 else Verdict.UNKNOWN
    results = tuple(answer.result for answer in answers)
    return Uniqueness(results, None, agreed, asked.shown(answers[0].solutions))


def best(
    puzzle: PuzzleLike,
    k: int = 1,
    *,
    backend: str = DEFAULT,
    time_limit: float | None = None,
    node_limit: int | None = None,
    memory_limit: int | None = None,
    workers: int | None = None,
) -> Listing:
    """The `k` cheapest solutions, cheapest first; a complete answer is proven.

    >>> builder = twostep.ModelBuilder("two ways")
    >>> item = builder.item("a")
    >>> builder.option([item], label="dear", cost=5), builder.option([item], label="cheap", cost=2)
    (0, 1)
    >>> answer = twostep.best(builder.build())
    >>> answer.solution.labels, answer.solution.cost, answer.complete
    (('cheap',), 2, True)
    """
    asked = _Asked.of(puzzle, backend, Limits(None, time_limit, node_limit, memory_limit))
    if (reason := asked.puzzle.obstacle()) is not None:
        return Listing((), reason, (), True)
    answers = asked.each(
        lambda engine: asked.how(workers).best(engine, asked.puzzle, k, asked.limits, None), _ranked
    )
    claims = [verdict.Claim.cheapest(each, asked.puzzle.model, k) for each in answers]
    if verdict.contradict(claims):
        opinions = tuple(_ranked(each.result.engine, each) for each in answers)
        raise EnginesDisagree(asked.puzzle.name, Comparison(opinions, Agreement.DISAGREE))
    shown = next((each for each in answers if each.result.complete), answers[0])
    return Listing(
        tuple(each.result for each in answers),
        None,
        asked.shown(shown.solutions),
        shown.result.complete,
    )


def compare(
    puzzle: PuzzleLike,
    *,
    time_limit: float | None = None,
    node_limit: int | None = None,
    memory_limit: int | None = None,
) -> Comparison:
    """Whether the engines find the same set of solutions; a contradiction is an answer here.

    >>> twostep.compare("pentomino:3x5:PUV").agreement
    <Agreement.AGREE: 'agree'>
    """
    asked = _Asked.of(puzzle, registry.BOTH, Limits(None, time_limit, node_limit, memory_limit))
    return verdict.compare(asked.engines, asked.puzzle.model, asked.limits)


def verify(puzzle: PuzzleLike, evidence: str | os.PathLike[str] | Iterable[int]) -> Verified:
    """What a certificate (a file), or a solution (option ids), proves about a puzzle.

    No engine takes part. A solution proves that there is at least one.

    Raises:
        InputError: it proves nothing; says why.

    >>> solution = twostep.first("pentomino:3x5:PUV").solution
    >>> twostep.verify("pentomino:3x5:PUV", solution).count
    1
    >>> twostep.verify("pentomino:3x5:PUV", [1, 2])
    Traceback (most recent call last):
    ...
    twostep.models.errors.InputError: no solution of 'pentomino:3x5:PUV': item 'P' is covered \
2 times, expected 1
    """
    asked = load(puzzle)
    if isinstance(evidence, str | os.PathLike):
        from twostep.models.certificate.checker import verify as check

        return check(evidence, asked.model)
    if (why := fault(asked.model, tuple(sorted(evidence)))) is not None:
        raise InputError(f"no solution of {asked.name!r}: {why}")
    return Verified(1, False, 0, 1)
