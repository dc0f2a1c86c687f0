"""Questions that a decision diagram answers: the flags of :class:`Wanted`; ``count --heatmap``.

Also ``count --up-to-symmetry``, which asks an engine for several counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import click

from twostep.compare.command.shared import options
from twostep.compare.command.shared.engines import disagree, in_time, load
from twostep.compare.command.shared.exits import Exit
from twostep.compare.command.shared.output import (
    EXIT_OF,
    Answer,
    Outcome,
    counted,
    statistics,
    stop_of,
)
from twostep.compare.command.shared.progress import announce_compilation
from twostep.compare.registry import BOTH, engine
from twostep.models.errors import InputError, UnsupportedFeature
from twostep.models.families.puzzle import Puzzle
from twostep.models.language.model import Solution
from twostep.models.language.verify import require
from twostep.models.search.engine import (
    Diagrams,
    Engine,
    Limits,
    SearchResult,
    SolutionDiagram,
    StopReason,
    Watch,
)
from twostep.models.words import of_any_length

if TYPE_CHECKING:
    from twostep.compare.command.shared.pictures import Gallery
    from twostep.models.language.symmetry import ClassCount


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which solutions of a diagram are wanted; None: the flag was not given."""

    sample: int | None = options.flag(
        "--sample",
        type=options.Whole(min=1),
        help="Draw so many solutions at random, each with the same probability; see --seed.",
    )
    index: int | None = options.flag(
        "--index",
        type=options.Whole(min=0),
        help="The solution of this number, from 0, in a fixed order of all.",
    )
    rank: str | None = options.flag(
        "--rank",
        metavar="FILE",
        help="Print the number, see --index, of the solution in FILE: a board filled with pieces,"
        " as solve draws it; of other puzzles the options, one to a line, as in `convert`'s .dlx.",
    )
    cheapest: bool = options.flag(
        "--cheapest",
        is_flag=True,
        help="The solution that costs least, of all of them (`best` searches for it instead).",
    )

    @property
    def given(self) -> Mapping[str, object]:
        """The flags by name, for :func:`options.at_most_one`."""
        index = None if self.index is None else True
        return {"sample": self.sample, "index": index, "rank": self.rank, "cheapest": self.cheapest}

    @property
    def any(self) -> bool:
        """Whether one of the flags was given."""
        return bool(options.those_given(**self.given))

    def numbers(self, diagram: SolutionDiagram, given: Solution | None, seed: int) -> Iterator[int]:
        """The numbers of the solutions; `given`: the one in the file of ``--rank``."""
        if self.cheapest:
            given = diagram.cheapest()
        if given is not None:
            yield diagram.rank(given)
        elif self.index is not None:
            yield self.index
        else:
            from random import Random

            rng = Random(seed)
            for _ in range(self.sample or 1):
                yield rng.randrange(diagram.total)


drawing = options.group("wanted", Wanted)


def show_drawn(
    asked: Puzzle,
    wanted: Wanted,
    backend: str,
    limits: Limits,
    seed: int,
    gallery: Gallery | None,
    output: options.OutputFlags,
) -> int:
    """Print or draw the solutions that are wanted; of ``--rank``, print the number."""
    as_json, quiet = output.as_json, output.quiet
    given = None
    if wanted.rank is not None:
        from twostep.compare.command.shared.fillings import solution_in

        given = solution_in(wanted.rank, asked)
    diagram, result = _diagram(asked, "solve", backend, limits, quiet=quiet, as_json=as_json)
    boards: list[str] = []
    numbers: list[int] = []
    if diagram is None:
        outcome = Outcome.UNKNOWN
    elif diagram.total == 0:
        outcome = Outcome.NONE
    else:
        outcome = Outcome.FOUND
        for place, number in enumerate(wanted.numbers(diagram, given, seed)):
            solution = diagram.solution(number)
            require(asked.model, solution, backend)
            board = asked.draw(solution)
            if gallery is not None:
                gallery.take(solution, f"number {number}")
                numbers.append(number)
            elif as_json:
                boards.append(board)
                numbers.append(number)
            elif given is not None:
                click.echo(number)
            else:
                click.echo(("\n" if place else "") + board)
    facts: list[tuple[str, object]] = [("numbers", numbers)]
    if gallery is not None:
        files = gallery.write()
        facts.append(("pictures", files))
        if files and not (as_json or quiet):
            click.echo("\n".join(files), err=True)
    if as_json:
        answer = Answer(
            asked.name,
            "solve",
            outcome,
            result.found,
            result.complete,
            stop_of([result]),
            [result],
            boards,
            facts=facts,
        )
        click.echo(answer.as_json())
    elif outcome is Outcome.NONE:
        click.echo("no solution")
    elif outcome is Outcome.UNKNOWN:
        more = "; --memory-limit allows more" if result.stopped is StopReason.MEMORY else ""
        click.echo(f"the diagram is not complete: stopped ({result.stopped.value}{more})")
    return EXIT_OF[outcome]


def show_heatmap(
    asked: Puzzle, backend: str, limits: Limits, path: str | None, output: options.OutputFlags
) -> int:
    """Print in how many solutions each option is; or draw it, to the file `path`."""
    as_json, quiet = output.as_json, output.quiet
    diagram, result = _diagram(asked, "count", backend, limits, quiet=quiet, as_json=as_json)
    usage = None if diagram is None else diagram.usage()
    facts: list[tuple[str, object]] = [("heatmap", None if usage is None else list(usage))]
    files: list[str] = []
    if path is not None and usage is not None:
        files = _draw_heatmap(asked, path, usage)
        facts.append(("pictures", files))
    if as_json:
        outcome = Outcome.UNKNOWN if diagram is None else Outcome.COUNT
        answer = Answer(
            asked.name,
            "count",
            outcome,
            result.found,
            result.complete,
            stop_of([result]),
            [result],
            facts=facts,
        )
        click.echo(answer.as_json())
    elif usage is None:
        click.echo(f"at least {result.found}; stopped ({result.stopped.value}), no heat map")
    elif files:
        click.echo(f"{', '.join(files)}: {counted(result.found, complete=True)}")
    else:
        with of_any_length():
            click.echo(f"{result.found}\n\n{asked.heat(usage)}")
    return Exit.STOPPED if diagram is None else Exit.OK


def _draw_heatmap(asked: Puzzle, path: str, usage: Sequence[int]) -> list[str]:
    """Draw a heat map; gives the files' names."""
    from twostep.compare.command.shared.pictures import write_pictures
    from twostep.models.drawing.files import Form
    from twostep.models.drawing.sheet import Card

    cards = [Card(scene, (), scene.title) for scene in asked.heat_maps(usage)]
    title = asked.name if len(cards) > 1 else ""
    return write_pictures(path, cards, Form(title=title))


def show_classes(asked: Puzzle, backend: str, limits: Limits, *, as_json: bool, quiet: bool) -> int:
    """Print the number of solutions, and how many are essentially different."""
    from twostep.models.language.symmetry import ClassCount, stabiliser

    answers = [
        in_time(
            asked,
            each.name,
            "count",
            limits,
            partial(_classes, asked, each),
            lambda late: ClassCount(late, None, len(stabiliser(asked.model))),
            quiet=quiet,
        )
        for each in load(backend, quiet=quiet)
    ]
    results = [answer.raw for answer in answers]
    statistics(results, quiet=quiet or as_json)
    ended = {
        (answer.raw.found, answer.different) for answer in answers if answer.different is not None
    }
    if len(ended) > 1 or len({result.found for result in results if result.complete}) > 1:
        return disagree(asked, "count", results, as_json=as_json)
    known = all(answer.different is not None for answer in answers)
    # With both engines, a count is complete when both have ended.
    best = max(answers, key=lambda answer: (answer.raw.complete, answer.raw.found))
    different = best.different if known else None
    complete = all(result.complete for result in results)
    if as_json:
        click.echo(
            Answer(
                asked.name,
                "count",
                Outcome.COUNT if known else Outcome.UNKNOWN,
                best.raw.found,
                complete,
                stop_of(results),
                results,
                facts=symmetry_facts(asked, different),
            ).as_json()
        )
    else:
        symmetries = "symmetry" if best.symmetries == 1 else "symmetries"
        click.echo(counted(best.raw.found, complete=complete))
        with of_any_length():
            click.echo(
                f"{different} up to {best.symmetries} {symmetries}{asked.symmetry}"
                if known
                else "unknown up to symmetry"
            )
    return Exit.OK if known else Exit.STOPPED


def _classes(asked: Puzzle, each: Engine, limits: Limits, watch: Watch) -> ClassCount:
    from twostep.models.language.symmetry import count_classes

    return count_classes(each, asked.model, limits, watch=watch)


def symmetry_facts(asked: Puzzle, different: int | None) -> list[tuple[str, object]]:
    """The members of an answer up to symmetry; `different`: how many are, None if unknown.

    Raises:
        InputError: no symmetries are known for the puzzle.
    """
    model = asked.model
    if model.symmetries is None:
        raise InputError(f"no symmetries are known for {asked.name!r}")
    from twostep.models.language.symmetry import stabiliser

    return [
        ("up_to_symmetry", different),
        ("symmetries", len(stabiliser(model))),
        ("symmetry", asked.symmetry.strip()),
    ]


def _diagram(
    asked: Puzzle, verb: str, backend: str, limits: Limits, *, quiet: bool, as_json: bool
) -> tuple[SolutionDiagram | None, SearchResult]:
    """The diagram of a puzzle's solutions, and a line of statistics."""
    if backend == BOTH:
        raise InputError("only one engine makes decision diagrams: --backend dlx")
    chosen = engine(backend)
    if not isinstance(chosen, Diagrams):
        raise UnsupportedFeature(f"the engine {backend!r} makes no decision diagrams: use dlx")
    announce_compilation(quiet=quiet)
    diagram, result = in_time(
        asked,
        backend,
        verb,
        limits,
        lambda limits, watch: chosen.diagram(asked.model, limits, watch=watch),
        lambda late: (None, late),
        quiet=quiet,
    )
    statistics([result], quiet=quiet or as_json)
    return diagram, result
