"""The verb explain: why a puzzle has no answer, or several, and what would mend it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import click

from twostep.compare.agreement.digest import Listed
from twostep.compare.agreement.verdict import Claim, contradict
from twostep.compare.command.shared import options
from twostep.compare.command.shared.deadline import OutOfTime as Late
from twostep.compare.command.shared.deadline import alarm
from twostep.compare.command.shared.engines import load, read
from twostep.compare.command.shared.exits import Exit
from twostep.compare.command.shared.levels import moves_json
from twostep.compare.command.shared.output import EXIT_OF, Answer, Outcome, stop_of
from twostep.compare.command.shared.pictures import write_pictures
from twostep.compare.command.shared.progress import watching
from twostep.models.drawing.files import Form
from twostep.models.drawing.scene import NO_MARKS, Marks
from twostep.models.drawing.sheet import Card
from twostep.models.errors import EngineFault
from twostep.models.explain.conflicts import (
    Asker,
    OutOfTime,
    clue_conflict,
    clue_reason,
    condition_reason,
    conflict_model,
    conflict_reason,
    item_conflict,
    told,
)
from twostep.models.explain.variety import Variety, needless, variety
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle
from twostep.models.families.puzzle import Clue, Puzzle, Reason
from twostep.models.language.model import Model
from twostep.models.play.room import Position, Room
from twostep.models.search.abilities import Conflict, FindsConflicts
from twostep.models.search.engine import Engine, Limits, StopReason
from twostep.models.search.questions import Uniqueness, Verdict, unique
from twostep.models.words import counted


@click.command()
@click.argument("puzzle")
@click.option(
    "--conflict",
    "seek_conflict",
    is_flag=True,
    help="Seek a smallest conflict even where there is a shorter reason.",
)
@click.option(
    "--needless",
    "seek_needless",
    is_flag=True,
    help="If there is one solution: also seek clues without which there still is one.",
)
@click.option(
    "-o",
    "--output",
    "path",
    metavar="FILE",
    callback=options.to_picture,
    help="Also draw it: two solutions with the difference marked, or what conflicts.",
)
@options.time_limit(60, "For each of the searches.")
@options.backend("both")
@options.output
def explain(
    puzzle: str,
    seek_conflict: bool,
    seek_needless: bool,
    path: str | None,
    time_limit: float | None,
    backend: str,
    output: options.OutputFlags,
) -> int:
    """Tell why PUZZLE has no solution, or why it has more than one.

    With --backend both, what one engine finds the other confirms.
    """
    options.keep_apart([puzzle], path)
    asked, limits = read(puzzle, Limits(seconds=time_limit))
    talk = _Talk(asked, limits, load(backend, quiet=output.quiet), output, path)
    try:
        with alarm(limits.seconds):
            reason = asked.reason() or _seen(asked)
    except Late:
        return talk.unknown("not known in time")
    if reason is not None and not (seek_conflict and reason.kind != "area"):
        return talk.none(reason)
    with watching("explain", quiet=output.quiet) as watch:
        found = unique(talk.engines[0], asked.model, limits, watch=watch)
    match found.verdict:
        case Verdict.NONE:
            return talk.none(talk.conflict() or reason)
        case Verdict.UNKNOWN:
            return talk.tell(found, "not known in time")
        case Verdict.UNIQUE:
            return talk.one(found, seek_needless=seek_needless)
    with watching("explain", quiet=output.quiet) as watch:
        how = variety(asked, talk.engines[0], limits, watch=watch)
    return talk.two(found) if how is None else talk.several(how)


def _seen(asked: Puzzle) -> Reason | None:
    """Something that nothing can cover, given what is given."""
    item = Position(Room(asked), ()).dead_item()
    if item is None:
        return None
    text = f"{asked.need(item)} has {asked.choice(item).left(0)}"
    return Reason("reach", text, items=(item,))


class _Talk:
    """What is said of one puzzle, as text or as JSON."""

    def __init__(
        self,
        asked: Puzzle,
        limits: Limits,
        engines: list[Engine],
        output: options.OutputFlags,
        path: str | None,
    ) -> None:
        self.asked = asked
        self.limits = limits
        self.engines = engines
        self._json = output.as_json
        self._path = path

    def draw(self, *shown: tuple[str, Sequence[int], Marks]) -> None:
        """Draw boards, each with a caption, the options on it and what is marked, if asked to."""
        if self._path is not None:
            cards = [Card(self.asked.picture(laid, marks), (), name) for name, laid, marks in shown]
            write_pictures(self._path, cards, Form())

    # --- none -------------------------------------------------------------------------------

    def conflict(self) -> Reason | None:
        """Which clues and items cannot be met together; None: not known in time."""
        asked, model = self.asked, self.asked.model
        asker = Asker(self.engines[0], self.limits.seconds)
        clues: tuple[Clue, ...] = ()
        try:
            clues = clue_conflict(asked, asker)
            if clues:
                model = replace(
                    model, chosen=tuple(sorted(o for clue in clues for o in clue.options))
                )
            plain = replace(model, side_condition=None)
            if model.side_condition is not None and asker.solutions(plain):
                return clue_reason(asked, clues) if clues else condition_reason(model)
            found = self._items(plain, asker)
        except OutOfTime:
            found = None
        if found is not None:
            return conflict_reason(asked, found, clues)
        return clue_reason(asked, clues) if clues else None

    def _items(self, model: Model, asker: Asker) -> Conflict | None:
        """A conflict of items: a smallest if an engine asked finds those; None: not in time."""
        finder = next((each for each in self.engines if isinstance(each, FindsConflicts)), None)
        if finder is None:
            return item_conflict(model, asker)
        first = self.engines[0].name
        try:
            found = finder.conflict(model, asker.limits.seconds)
        except ValueError:
            raise EngineFault(f"{first} finds no solution, another engine one", model) from None
        others = [each for each in self.engines if each is not finder]
        if found is not None and others:
            confirming = Asker(others[0], self.limits.seconds)
            core = conflict_model(model, found.items)
            if confirming.solutions(core):
                raise EngineFault(
                    f"{others[0].name} can resolve a conflict that is said to be one", core
                )
        return found

    def none(self, reason: Reason | None) -> int:
        """There is no solution, and why."""
        text = "no reason found in time" if reason is None else reason.text
        lying = self.asked.model.chosen
        about = frozenset(() if reason is None else reason.items)
        marked = frozenset(o for clue in (reason.clues if reason else ()) for o in clue.options)
        self.draw(("no solution", lying, Marks(marked, about)))
        if self._json:
            facts: list[tuple[str, Any]] = []
            if reason is not None:
                items = [self.asked.need(item) for item in reason.items]
                facts = [
                    ("kind", reason.kind),
                    ("cells", reason.cells),
                    ("pieces", reason.pieces),
                    ("items", items),
                    ("clues", [clue.text for clue in reason.clues]),
                ]
            answer = Answer(
                self.asked.name, "explain", Outcome.NONE, 0, True, reason=text, facts=facts
            )
            click.echo(answer.as_json())
            return Exit.NONE
        click.echo(f"no solution: {text}")
        if reason is not None and reason.cells and isinstance(self.asked, PolyominoPuzzle):
            board = self.asked.board.picture(dict.fromkeys(reason.cells, "*"))
            click.echo(f"the cells it is about, as *:\n{board}")
        return Exit.NONE

    # --- one --------------------------------------------------------------------------------

    def one(self, found: Uniqueness, *, seek_needless: bool) -> int:
        """There is one solution; which clues are needless, if that is asked."""
        asked = self.asked
        if len(self.engines) > 1:
            other = unique(self.engines[1], asked.model, self.limits)
            if other.verdict is Verdict.UNKNOWN:
                found = replace(found, verdict=Verdict.UNKNOWN, result=other.result)
                return self.tell(found, f"{self.engines[1].name} could not confirm in time")
            if contradict([_claim(found), _claim(other)]):
                raise EngineFault(
                    f"{self.engines[0].name} finds exactly one solution of {asked.name},"
                    f" {self.engines[1].name} does not",
                    asked.model,
                )
        text = f"exactly one solution:\n{asked.draw(found.solutions[0])}"
        self.draw(("the one solution", found.solutions[0], NO_MARKS))
        facts: list[tuple[str, Any]] = []
        if seek_needless:
            try:
                alone, together = needless(asked, Asker(self.engines[0], self.limits.seconds))
            except OutOfTime:
                return self.tell(found, f"{text}\nno time to find out which clues are needless")
            text += f"\n{_needless(asked, alone, together)}"
            facts = [
                ("needless", [c.text for c in alone]),
                ("together", [c.text for c in together]),
            ]
        return self.tell(found, text, facts)

    # --- several ----------------------------------------------------------------------------

    def several(self, how: Variety) -> int:
        """There are several solutions: how they differ, and what would leave one."""
        complete = how.result.complete
        two = [self.asked.draw(solution) for solution in how.pair]
        first, second = (Marks(frozenset(only)) for only in how.only)
        self.draw(("first", how.pair[0], first), ("second", how.pair[1], second))
        if self._json:
            one, other = how.only
            facts: list[tuple[str, Any]] = [
                ("common", moves_json(self.asked, how.common)),
                ("common_cells", [{"cell": cell, "piece": piece} for cell, piece in how.cells]),
                ("difference", [moves_json(self.asked, one), moves_json(self.asked, other)]),
                ("mirrored", how.mirrored),
                ("different", how.different),
                ("locks", None if how.locks is None else moves_json(self.asked, how.locks)),
                ("fewest", how.fewest),
            ]
            answer = Answer(
                self.asked.name,
                "explain",
                Outcome.MULTIPLE,
                how.answers,
                complete,
                stop_of([how.result]),
                [how.result],
                two,
                facts=facts,
            )
            click.echo(answer.as_json())
            return Exit.SEVERAL
        click.echo("\n".join(_several(self.asked, how, two)))
        return Exit.SEVERAL

    def tell(self, found: Uniqueness, text: str, facts: Sequence[tuple[str, Any]] = ()) -> int:
        """An answer in one sentence, with its search."""
        outcome, result = Outcome(found.verdict.value), found.result
        stopped = result.stopped if outcome is Outcome.UNKNOWN else None
        answer = Answer(
            self.asked.name,
            "explain",
            outcome,
            result.found,
            result.complete,
            stopped,
            [result],
            reason=text,
            facts=facts,
        )
        click.echo(answer.as_json() if self._json else text)
        return EXIT_OF[outcome]

    def two(self, found: Uniqueness) -> int:
        """Two solutions, not compared with others: the time was over."""
        boards = [self.asked.draw(solution) for solution in found.solutions]
        text = "several solutions, for example these two; no time was left to compare them"
        if not self._json:
            text = "\n\n".join([f"{text}:", *boards])
        rows = [board.split("\n") for board in boards]
        return self.tell(found, text, [("solutions", rows)])

    def unknown(self, text: str) -> int:
        """The time was over before any search."""
        answer = Answer(
            self.asked.name, "explain", Outcome.UNKNOWN, None, False, StopReason.TIME, reason=text
        )
        click.echo(answer.as_json() if self._json else text)
        return EXIT_OF[Outcome.UNKNOWN]


def _claim(found: Uniqueness) -> Claim:
    """What an engine says of the number of solutions, and which it gave."""
    listed = Listed(found.solutions)
    return Claim.listing(found.result.engine, len(found.solutions), found.result.complete, listed)


def _needless(asked: Puzzle, alone: Sequence[Clue], together: Sequence[Clue]) -> str:
    if not any(clue.options for clue in asked.clues()):
        return "nothing is given that could be taken away"
    if not alone:
        return f"nothing {asked.given} is needless"
    text = f"needless, one at a time: {told([clue.text for clue in alone])}"
    if len(alone) > 1:
        text += f"\nneedless together: {told([clue.text for clue in together])}"
    return text


def _several(asked: Puzzle, how: Variety, two: Sequence[str]) -> list[str]:
    complete = how.result.complete
    seen = "" if complete else " of those seen"
    those = f"{'' if complete else 'at least '}{how.answers} solutions"
    lines = [f"{those}; two that differ least{seen}:", *_beside(*two)]
    if isinstance(asked, PolyominoPuzzle):
        lines += _same_cells(asked, how, seen)
    else:
        lines += [
            f"only in the {name}: {told([asked.move(option) for option in moves])}"
            for name, moves in zip(("first", "second"), how.only, strict=True)
        ]
        lines.append(f"in all{seen}: {_moves(asked, how.common)}")
    if how.mirrored:
        lines.append("the second is the first, turned or mirrored")
    if how.different == 1:
        lines.append("all are one solution, turned and mirrored")
    elif how.different is not None and how.different < how.answers:
        lines.append(f"{how.different} are different up to turning and mirroring")
    if how.locks is not None:
        number = counted(len(how.locks), "piece" if asked.given == "locked" else "move")
        verb = "locking" if asked.given == "locked" else "giving"
        enough = "no fewer do" if how.fewest else "none of them can be left out"
        moves = [asked.move(option) for option in how.locks]
        named = (" and " if len(moves) <= 3 else "; ").join(moves)
        lines.append(f"{verb} {number} makes it unique, {enough}: {named}")
    return lines


def _moves(asked: Puzzle, common: Sequence[int]) -> str:
    """The moves that all solutions have, those left out that are given."""
    given = set(asked.model.chosen)
    moves = [asked.move(option) for option in common if option not in given]
    return told(moves) if moves else "no move" + (" but those given" if given else "")


def _same_cells(asked: PolyominoPuzzle, how: Variety, seen: str) -> list[str]:
    cells = dict.fromkeys(asked.board.free, "?")
    cells.update({cell: asked.letters[piece] for cell, piece in how.cells})
    return [
        f"what is the same in all{seen} (?: not the same piece everywhere):",
        asked.board.picture(cells),
    ]


def _beside(one: str, other: str) -> list[str]:
    """Two boards side by side."""
    left, right = one.split("\n"), other.split("\n")
    width = max(map(len, left))
    height = max(len(left), len(right))
    left, right = (rows + [""] * (height - len(rows)) for rows in (left, right))
    return [f"{a:<{width}}   {b}".rstrip() for a, b in zip(left, right, strict=True)]
