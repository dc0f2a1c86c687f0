"""What a person sees while waiting: on standard error, on a terminal, after a second."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

import click

from twostep.models.search.engine import Counters, Watch, seconds_left
from twostep.models.search.notice import COMPILATION
from twostep.models.words import of_any_length

PATIENCE = 1.0
"""How long a search may run before a line says what it is doing, s."""


def visible(*, quiet: bool) -> bool:
    """Whether anybody would see a progress line."""
    return not quiet and sys.stderr.isatty()


@contextlib.contextmanager
def watching(what: str, *, quiet: bool, note: Callable[[], str] = str) -> Iterator[Watch | None]:
    """A watcher for a search, which shows `what` and the counters once the search is long.

    `note` says what else there is to say: how far the search has come.

    Gives None where nobody would see it.
    """
    if not visible(quiet=quiet):
        yield None
        return
    from rich.console import Console
    from rich.text import Text

    status = Console(stderr=True).status("")
    began = time.monotonic()
    shown = False

    def show(counters: Counters) -> None:
        nonlocal shown
        seconds = time.monotonic() - began
        if seconds < PATIENCE:
            return
        if not shown:
            status.start()
            shown = True
        with of_any_length():
            found = f"{counters.found:,}"
        line = (
            f"{what}: {found} solutions, {counters.nodes:,} nodes, {seconds:.0f} s"
            f"{', ' if (more := note()) else ''}{more}"
            f"{time_left(seconds_left(seconds, counters.share))}"
            " (Ctrl-C ends the search)"
        )
        status.update(Text(line))  # not a str: what is asked may look like Rich's markup

    try:
        yield show
    finally:
        if shown:
            status.stop()


@contextlib.contextmanager
def bar(what: str, total: int | None, *, quiet: bool) -> Iterator[Callable[[int], object]]:
    """A progress bar, shown after PATIENCE; yields a callback that takes the number done.

    `total` None: unknown.
    """
    if not visible(quiet=quiet):
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    shown = Progress(
        what,
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = shown.add_task(what, total=total)
    began = time.monotonic()
    started = False

    def tell(done: int) -> None:
        nonlocal started
        shown.update(task, completed=done)
        if not started and time.monotonic() - began >= PATIENCE:
            shown.start()
            started = True

    try:
        yield tell
    finally:
        if started:
            shown.stop()


@contextlib.contextmanager
def steps(*, quiet: bool) -> Iterator[Callable[[str], object]]:
    """A line that says which step of some work is under way: what is given is told each step."""
    if not visible(quiet=quiet):
        yield lambda step: None
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status("") as status:
        yield lambda step: status.update(Text(f"{step} ..."))


def time_left(seconds: float | None) -> str:
    """The end of a progress line: how long the rest may take; nothing if that isn't known."""
    return "" if seconds is None else f", about {duration(seconds)} left"


def duration(seconds: float) -> str:
    """A span of time as people say it: ``40 s``, ``3 min``, ``2.5 h``, ``12 days``."""
    for unit, length in (("days", 86400.0), ("h", 3600.0), ("min", 60.0)):
        if seconds >= 2 * length:
            value = seconds / length
            return f"{value:.3g} {unit}" if value < 1e6 else f"{value:.0e} {unit}"
    return f"{seconds:.0f} s"


def announce_compilation(*, quiet: bool) -> None:
    """Say so if the search loops are compiled now: once after installing, and only then."""
    if quiet:
        return
    COMPILATION.tell = lambda: click.echo(
        "twostep: compiling the search loops (once after installing, some seconds) ...", err=True
    )
