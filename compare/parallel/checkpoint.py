"""What is known of a spread search, in a file that survives whatever ends the program.

Solutions, unless only a few are wanted, are not in it but in a file of their own, which only grows.
The checkpoint holds how long that file was when the last part was done; what is after that is cut
off before the search goes on, so that no solution is lost and none is there twice, wherever the
program was stopped.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass

from twostep.compare.parallel.few import Few
from twostep.compare.parallel.output import EMPTY, Mark, Output
from twostep.compare.parallel.part import SCHEMA as PART_SCHEMA
from twostep.compare.parallel.part import PartResult, result_from
from twostep.compare.parallel.plan import SCHEMA as PLAN_SCHEMA
from twostep.compare.parallel.plan import Plan, plan_from
from twostep.compare.versions import release
from twostep.models.errors import InputError
from twostep.models.language.model import Model
from twostep.models.reading.files import MAX_BYTES
from twostep.models.reading.members import Members, write_members

SCHEMA = "twostep-checkpoint/3"
FEW_BYTES = MAX_BYTES // 4
"""What the few solutions may take in the file, at most: it must be possible to read it again."""
_PAUSE = 0.2
"""No two writings follow each other faster, s: that much work may be done again."""
_SHARE = 0.1
"""Nor do they take more than this of the time."""


@dataclass(slots=True)
class Checkpoint:
    """A plan and the results that are known, kept in a file.

    Attributes:
        path: the file.
        engine: the engine's name.
        plan: the plan.
        results: the results of the parts that are done, each with how long the output was then.
        output: where the solutions go, if they are listed.
        few: the solutions that are known, if only a few are wanted.
    """

    path: str
    engine: str
    plan: Plan
    results: list[tuple[PartResult, Mark]]
    output: Output | None = None
    few: Few | None = None
    _next: float = 0.0

    @property
    def question(self) -> str:
        """What is asked, on the command line."""
        if self.few is not None:
            return self.few.question
        return "count" if self.output is None else "solve -n 0"

    def add(self, result: PartResult) -> None:
        """Note a result, whose solutions have been put out.

        The file follows within a moment, or when :meth:`write` is called.
        """
        # One step: Ctrl-C comes before it or after it.
        self.results.append((result, EMPTY if self.output is None else self.output.mark))
        if time.monotonic() >= self._next:
            self.write()

    @property
    def mark(self) -> Mark:
        """How long the output was when the last part was done."""
        return self.results[-1][1] if self.results else EMPTY

    def write(self) -> None:
        """Write all that is known; the solutions first."""
        began = time.monotonic()
        members: dict[str, object] = {
            "schema": SCHEMA,
            "version": release(),
            "of": self.question,
            "engine": self.engine,
            "plan": self.plan.members(),
            "results": [result.members() for result, _ in self.results],
        }
        if self.output is not None:
            self.output.sync()
            members["output"] = {"size": self.mark.size, "sha256": self.mark.digest}
        if self.few is not None:
            members["few"] = self.few.members()
        write_members(self.path, members)
        ended = time.monotonic()
        self._next = ended + max(_PAUSE, (ended - began) / _SHARE)

    def close(self) -> None:
        """Write all that is known; leave just the solutions of the parts that are done."""
        self.write()
        if self.output is not None:
            self.output.close(self.mark)


def open_checkpoint(
    path: str,
    model: Model,
    engine: str,
    plan: Plan | None,
    output: Output | None = None,
    few: Few | None = None,
) -> Checkpoint:
    """The checkpoint in `path`, or a new one of `plan`, which is written at once.

    The output is cut back to what the checkpoint knows; `few` gets what it knows.

    Raises:
        InputError: it belongs to another model, engine, version or question, or is no checkpoint;
            or there is none, and no plan either; or so many solutions are wanted that it might
            not be possible to read it again.
    """
    if few is not None and (size := few.most_bytes(model)) > FEW_BYTES:
        raise InputError(
            f"{few.number} solutions of this model: a checkpoint has room for"
            f" {few.number * FEW_BYTES // size}; `solve -n 0 -o FILE` keeps all in a file",
            source=path,
        )
    if not os.path.exists(path):
        if plan is None:
            raise InputError("there is no such file", source=path)
        if output is not None:
            output.back_to(EMPTY)
        made = Checkpoint(path, engine, plan, [], output, few)
        made.write()
        return made
    members = Members.read(path, SCHEMA, "a checkpoint")
    if (of := members.text("version")) != release():
        raise members.fault(
            f"a checkpoint of version {of!r}, this is {release()!r}: finish it with that version,"
            " or delete it and start again"
        )
    if (of := members.text("engine")) != engine:
        raise members.fault(f"a checkpoint of the engine {of!r}")
    plan = plan_from(members.object("plan", PLAN_SCHEMA, "a plan"))
    if plan.model != model.fingerprint:
        raise members.fault(f"a checkpoint of another model (of {plan.puzzle!r})")
    made = Checkpoint(path, engine, plan, [], output, few)
    if (of := members.text("of")) != made.question:
        raise members.fault(f"a checkpoint of `{of}`, not of `{made.question}`")
    results = _checked(
        map(result_from, members.objects("results", PART_SCHEMA, "the result of a part")),
        plan, engine, path,
    )  # fmt: skip
    if few is not None:
        few.recall(members.object("few", None, "solutions"), model)
    mark = EMPTY
    if output is not None:
        known = members.object("output", None, "what is known of the output")
        mark = Mark(known.whole("size"), known.text("sha256"))
        output.back_to(mark)
    made.results = [(result, mark) for result in results]
    return made


def _checked(results: Iterable[PartResult], plan: Plan, engine: str, path: str) -> list[PartResult]:
    known: dict[int, PartResult] = {}
    fingerprint = plan.fingerprint
    for result in results:
        if result.plan != fingerprint or result.engine != engine:
            raise InputError("a result belongs to another plan or engine", source=path)
        if result.part in known:
            raise InputError(f"two results of part {result.part}", source=path)
        known[result.part] = result
    return list(known.values())
