"""The verb solve: solutions as boards, printed, written to a file, or as JSON."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

import click

from twostep.compare.agreement.digest import SetDigest
from twostep.compare.command.shared import diagrams, options
from twostep.compare.command.shared.certificate import certificate_flag, write_certificate
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
from twostep.compare.command.shared.spreading import Spreading, spread_flags
from twostep.compare.parallel.output import Output
from twostep.models.families.puzzle import Puzzle
from twostep.models.language.model import Solution
from twostep.models.search.engine import Engine, Limits, SearchResult, StopReason, Watch
from twostep.models.search.questions import bytes_of


@click.command()
@click.argument("puzzle")
@click.option(
    "-n", "number", type=options.Whole(min=0), default=1, show_default=True,
    help="How many solutions; 0: all.",
)  # fmt: skip
@options.backend()
@options.limits
@options.memory
@options.seed
@diagrams.drawing
@spread_flags
@click.option(
    "-o", "--output", "target", metavar="FILE", callback=options.to_write,
    help="Write the boards there.",
)  # fmt: skip
@certificate_flag
@options.output
def solve(
    puzzle: str, number: int, backend: str, time_limit: float | None, node_limit: int | None,
    memory_limit: int | None, seed: int, sample: int | None, index: int | None,
    rank: str | None, cheapest: bool, workers: int | None, cluster: str | None,
    checkpoint: str | None, parts: int | None, target: str | None, certificate: str | None,
    as_json: bool, quiet: bool,
) -> int:  # fmt: skip
    """Print solutions of PUZZLE as boards."""
    wanted = diagrams.Wanted(sample, index, rank, cheapest)
    for other in ({"certificate": certificate}, {"output": target}):
        options.at_most_one(
            sample=sample, index=index is not None, rank=rank, cheapest=cheapest, **other
        )
    how = Spreading(workers, cluster, checkpoint, parts, backend, shown=visible(quiet=quiet))
    how.refuse(sample=sample, index=index is not None, rank=rank, cheapest=cheapest, seed=seed)
    if wanted.any and (number != 1 or (seed and sample is None)):
        raise click.UsageError(
            "-n is for a search, --seed for one or for --sample: other flags say which they want"
        )
    cut = checkpoint is not None and number == 0  # the file, to the parts that are done
    if cut and target is None:
        raise click.UsageError("--checkpoint: also give -o FILE; what was printed stays printed")
    options.keep_apart([puzzle], checkpoint, target, certificate)
    asked, limits = read(puzzle, options.limits_of(time_limit, node_limit, memory_limit))
    output = None if target is None else Output(target)
    if (reason := asked.obstacle()) is not None:
        _close(output, cut=cut)
        write_certificate(certificate, asked, limits, exact=0, quiet=quiet)
        return no_solution(asked, "solve", reason, as_json=as_json)
    if wanted.any:
        return diagrams.show_drawn(
            asked, wanted, backend, limits, seed, as_json=as_json, quiet=quiet
        )
    limits = replace(limits, solutions=number or None)
    engines = load(backend, quiet=quiet)
    shown = _Shown(asked, output, as_json=as_json, keeps=certificate is not None)
    digests = {each.name: SetDigest() for each in engines}
    seen = dict.fromkeys(digests, 0)

    def question(each: Engine, limits: Limits, watch: Watch | None) -> SearchResult:
        first = each is engines[0]

        def full() -> bool:
            return first and limits.memory is not None and shown.stored > limits.memory

        def receive(solution: Solution) -> bool:
            digests[each.name].add(solution)
            seen[each.name] += 1
            if first:
                shown.take(solution)
            return full()

        result = how.solve(each, asked, limits, watch, receive, output, seed)
        return replace(result, stopped=StopReason.MEMORY) if full() else result

    def late(result: SearchResult) -> SearchResult:
        return result if cut else replace(result, found=seen[result.engine])

    results = ask_each(
        asked, engines, "solve", limits, question, late, quiet=quiet, note=lambda: how.note
    )
    _close(output, cut=cut)
    statistics(results, quiet=quiet or as_json)
    if _contradict(results, digests.values()):
        return disagree(asked, "solve", results, as_json=as_json)
    found = results[0].found
    outcome = _tell(shown, results, target)
    complete = all(result.complete for result in results)
    whole = found if complete else None
    write_certificate(certificate, asked, limits, exact=whole, solutions=shown.kept, quiet=quiet)
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
        as_json: whether boards are collected rather than printed.
        keeps: whether the solutions themselves are kept, for a certificate.
        boards, kept: what was collected so far.
        stored: bytes that it takes.
    """

    puzzle: Puzzle
    output: Output | None
    as_json: bool
    keeps: bool
    boards: list[str] = field(default_factory=list)
    kept: list[Solution] = field(default_factory=list)
    stored: int = 0
    _printed: bool = False

    def take(self, solution: Solution) -> None:
        """Show a solution."""
        if self.keeps:
            self.kept.append(solution)
            self.stored += bytes_of(solution)
        board = self.puzzle.draw(solution)
        if self.output is not None:
            self.output.begin()  # not before: what is refused leaves the file as it was
            self.output.write(("\n" if self.output.mark.size else "") + board + "\n")
        elif self.as_json:
            self.boards.append(board)
            self.stored += sys.getsizeof(board)
        else:
            click.echo(("\n" if self._printed else "") + board)
            self._printed = True


def _contradict(results: Sequence[SearchResult], digests: Collection[SetDigest]) -> bool:
    """Whether the engines cannot all be right."""
    if all(result.complete for result in results):
        return len({str(digest) for digest in digests}) > 1
    return any(result.complete and not result.found for result in results) and any(
        result.found for result in results
    )


def _tell(shown: _Shown, results: Sequence[SearchResult], target: str | None) -> Outcome:
    """Say what there is to say besides the boards: all of it with ``--json``."""
    complete, stopped = all(result.complete for result in results), stop_of(results)
    found = results[0].found
    outcome = Outcome.FOUND if found else Outcome.NONE if complete else Outcome.UNKNOWN
    if shown.as_json:
        answer = Answer(
            shown.puzzle.name, "solve", outcome, found, results[0].complete, stopped, results,
            shown.boards, facts=[("solutions_file", target)] if target is not None else [],
        )  # fmt: skip
        click.echo(answer.as_json())
    elif not found:
        click.echo(
            "no solution" if complete else f"nothing found before the limit ({stopped_by(stopped)})"
        )
    elif target is not None:
        click.echo(f"{target}: {at_least(results[0])}")
    return outcome
