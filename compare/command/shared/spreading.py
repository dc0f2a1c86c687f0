"""The flags of searches in parts, and what they ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twostep.compare.command.shared import options
from twostep.compare.command.shared.progress import time_left
from twostep.compare.parallel import spreading
from twostep.compare.registry import BOTH

if TYPE_CHECKING:
    from twostep.compare.parallel.count import Progress


class Spreading(spreading.Spreading):
    """How the flags want a search made: whole, or in parts.

    With `shown` there is a progress line, to which `note` adds how far the search has come.

    Raises:
        UsageError: a checkpoint is asked for, and several engines.
    """

    def __init__(self, flags: options.SpreadFlags, backend: str, *, shown: bool = False) -> None:
        if flags.checkpoint is not None and backend == BOTH:
            raise click.UsageError("--checkpoint keeps the search of one engine, not of both")
        self.note = ""
        super().__init__(
            flags.workers,
            flags.cluster,
            flags.checkpoint,
            flags.parts,
            self._tell if shown else None,
        )

    def refuse(self, **given: object) -> None:
        """Refuse flags that are not for parts: see :func:`options.those_given`."""
        if self.wanted and (names := options.those_given(**given)):
            raise click.UsageError(f"a search in parts takes no {names[0]}")

    def _tell(self, now: Progress) -> None:
        self.note = f"{now.done} of {now.parts} parts{time_left(now.seconds_left)}"
