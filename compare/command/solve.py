"""The verb solve: solutions as boards, printed, written to a file, or as JSON."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import click

from twostep.compare.agreement.digest import Listed
from twostep.compare.agreement.verdict import Claim, contradict
from twostep.compare.command.shared import diagrams, options, pictures
from twostep.compare.command.shared.certificate import write_certificate
from twostep.compare.command.shared.engines import (
    ask_each,
    disagree,
    load,
    no_solution,
    read,
    stopped_by,
)
from twostep.compare.command.shared.exits import Exit
from twostep.compare.command.shared.output import (
    EXIT_OF,
    Answer,
    Outcome,
    at_least,
    statistics,
    stop_of,
)
from twostep.compare.command.shared.progress import visible
from twostep.compare.command.shared.spreading import Spreading
from twostep.compare.parallel.output import Output
from twostep.models.families.puzzle import Puzzle
from twostep.models.language.model import Solution
from twostep.models.reading.suffixes import is_picture
from twostep.models.search.engine import Engine, Limits, SearchResult, StopReason, Watch
from twostep.models.search.questions import bytes_of
from twostep.models.words import counted


@click.command()
@click.argument("puzzle")
@click.option(
    "-n",
    "number",
    type=options.Whole(min=0),
    default=1,
    show_default=True,
    help="How many solutions; 0: all.",
)
@options.backend()
@options.all_limits
@options.seed
@diagrams.drawing
@options.spread_flags
@click.option(
    "-o",
    "--output",
    "target",
    metavar="FILE",
    callback=pictures.to_boards,
    help="Write the boards there, as text (.txt) or as a picture: .png, .svg, .pdf, .gif.",
)
@pictures.flags
@options.certificate_flag
@options.output
def solve(
    puzzle: str,
    number: int,
    backend: str,
    limited: options.AllLimitFlags,
    seed: int,
    wanted: diagrams.Wanted,
    spread: options.SpreadFlags,
    target: str | None,
    drawn: pictures.PictureFlags,
    certificate: str | None,
    output: options.OutputFlags,
) -> int:
    """Print solutions of PUZZLE as boards."""
    pictures.refuse_form(drawn.form, target)
    drawing = is_picture(target) and not wanted.rank
    for other in ({"certificate": certificate}, {"output": None if drawing else target}):
        options.at_most_one(**wanted.given, **other)
    how = Spreading(spread, backend, shown=visible(quiet=output.quiet))
    how.refuse(**wanted.given, seed=seed)
    if wanted.any and (number != 1 or (seed and wanted.sample is None)):
        raise click.UsageError(
            "-n is for a search, --seed for one or for --sample: other flags say which they want"
        )
    cut = spread.checkpoint is not None and number == 0  # the file, to the parts that are done
    if cut and target is None:
        raise click.UsageError("--checkpoint: also give -o FILE; what was printed stays printed")
    if cut and drawing:
        raise click.UsageError("--checkpoint: give -o a name that ends in .txt: text can grow")
    options.keep_apart([puzzle], spread.checkpoint, target, certificate)
    asked, limits = read(puzzle, limited.limits)
    file = None if target is None or drawing else Output(target)
    gallery = pictures.gallery_of(asked, target, drawn.form)
    if (reason := asked.obstacle()) is not None:
        _close(file, cut=cut)
        write_certificate(certificate, asked, limits, exact=0, quiet=output.quiet)
        return no_solution(asked, "solve", reason, as_json=output.as_json)
    if wanted.any:
        return diagrams.show_drawn(asked, wanted, backend, limits, seed, gallery, output)
    limits = replace(limits, solutions=number or None)
    engines = load(backend, quiet=output.quiet)
    shown = _Shown(asked, file, gallery, as_json=output.as_json, keeps=certificate is not None)
    listed = {each.name: Listed() for each in engines}
    compared = len(engines) > 1
    seen = dict.fromkeys(listed, 0)

    def question(each: Engine, limits: Limits, watch: Watch | None) -> SearchResult:
        first = each is engines[0]

        def full() -> bool:
            return first and limits.memory is not None and shown.stored > limits.memory

        def receive(solution: Solution) -> bool:
            if compared:
                listed[each.name].add(solution)
            seen[each.name] += 1
            if first:
                shown.take(solution)
            return full()

        result = how.solve(each, asked, limits, watch, receive, file, seed)
        return replace(result, stopped=StopReason.MEMORY) if full() else result

    def late(result: SearchResult) -> SearchResult:
        return result if cut else replace(result, found=seen[result.engine])

    results = ask_each(
        asked, engines, "solve", limits, question, late, quiet=output.quiet, note=lambda: how.note
    )
    _close(file, cut=cut)
    statistics(results, quiet=output.quiet or output.as_json)
    if contradict([Claim.of(result, listed[result.engine]) for result in results]):
        return disagree(asked, "solve", results, as_json=output.as_json)
    found = results[0].found
    outcome = _tell(shown, results, target)
    complete = all(result.complete for result in results)
    whole = found if complete else None
    write_certificate(
        certificate, asked, limits, exact=whole, solutions=shown.kept, quiet=output.quiet
    )
    asked_for = number and found >= number
    if outcome is Outcome.FOUND and not (complete or asked_for):
        return Exit.STOPPED
    return EXIT_OF[outcome]


def _close(output: Output | None, *, cut: bool) -> None:
    """Nothing more will be written; if nothing was, empty the file: not if a checkpoint has it."""
    if output is not None:
        if not cut:
            output.begin()
        output.close()


@dataclass(slots=True)
class _Shown:
    """What becomes of the solutions: each is written, collected for ``--json``, or printed.

    Attributes:
        puzzle: draws them.
        output: the file to write to, or None.
        gallery: the picture to draw them on, or None.
        as_json: whether boards are collected rather than printed.
        keeps: whether the solutions themselves are kept, for a certificate.
        boards, placements, kept: what was collected so far.
        stored: bytes that it takes.
    """

    puzzle: Puzzle
    output: Output | None
    gallery: pictures.Gallery | None
    as_json: bool
    keeps: bool
    boards: list[str] = field(default_factory=list)
    placements: list[list[dict[str, object]]] = field(default_factory=list)
    kept: list[Solution] = field(default_factory=list)
    stored: int = 0
    _printed: bool = False

    def take(self, solution: Solution) -> None:
        """Show a solution."""
        if self.keeps:
            self.kept.append(solution)
            self.stored += bytes_of(solution)
        if self.gallery is not None:
            self.gallery.take(solution, str(len(self.gallery.kept) + 1))
            return
        board = self.puzzle.draw(solution)
        if self.output is not None:
            self.output.begin()  # not before: what is refused leaves the file as it was
            self.output.write(("\n" if self.output.mark.size else "") + board + "\n")
        elif self.as_json:
            self.boards.append(board)
            self.placements.append(
                [{"piece": name, "cells": cells} for name, cells in self.puzzle.parts(solution)]
            )
            self.stored += sys.getsizeof(board)
        else:
            click.echo(("\n" if self._printed else "") + board)
            self._printed = True


def _tell(shown: _Shown, results: Sequence[SearchResult], target: str | None) -> Outcome:
    """Print the summary line, or the whole answer with ``--json``."""
    complete, stopped = all(result.complete for result in results), stop_of(results)
    found = results[0].found
    outcome = Outcome.FOUND if found else Outcome.NONE if complete else Outcome.UNKNOWN
    facts: list[tuple[str, object]] = []
    if shown.gallery is not None:
        files = shown.gallery.write()
        target = shown.gallery.told(files)
        facts.append(("pictures", files))
    elif target is not None:
        facts.append(("solutions_file", target))
    if any(shown.placements):
        facts.append(("placements", shown.placements))
    if shown.as_json:
        answer = Answer(
            shown.puzzle.name,
            "solve",
            outcome,
            found,
            results[0].complete,
            stopped,
            results,
            shown.boards,
            facts=facts,
        )
        click.echo(answer.as_json())
    elif not found:
        click.echo(
            "no solution" if complete else f"nothing found before the limit ({stopped_by(stopped)})"
        )
    elif target is not None:
        click.echo(f"{target}: {_written(results[0])}")
    return outcome


def _written(result: SearchResult) -> str:
    """How many solutions were written: as many as were asked for, or a count in words."""
    if result.stopped is StopReason.SOLUTIONS:
        return counted(result.found, "solution")
    return at_least(result)
