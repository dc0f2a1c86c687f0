"""The flags that verbs share, and how their values are checked."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from twostep.compare.parallel import MOST_PARTS
from twostep.compare.registry import BOTH, DEFAULT, ENGINES
from twostep.models.errors import InputError
from twostep.models.reading.files import require_writable, whole_number
from twostep.models.search.engine import Limits

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Command = TypeVar("Command", bound=Callable[..., Any])


_LONGEST = 1_000_000_000
"""Seconds: thirty years. Alarms of the system end somewhere beyond."""


class Whole(click.IntRange):
    """A whole number in plain digits; ``int()`` also takes ``1_0`` and digits of other scripts."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number that a flag's value spells."""
        if isinstance(value, str) and whole_number(value.removeprefix("-")) is None:
            self.fail(f"{value[:40]!r} is not a whole number.", param, ctx)
        number: int = super().convert(value, param, ctx)
        return number


def seconds(_ctx: click.Context, _param: click.Parameter, value: str | None) -> float | None:
    """Callback of a flag: a span of time in seconds, not negative."""
    if value is None:
        return None
    plain = value.isascii() and "_" not in value  # as float() itself does not ask
    try:
        span = float(value) if plain else math.nan
    except ValueError:
        span = math.nan
    if not 0 <= span <= _LONGEST:
        raise click.BadParameter(f"expected seconds, from 0 to {_LONGEST:,}, got {value[:40]!r}")
    return span


def size(_ctx: click.Context, _param: click.Parameter, value: str | None) -> int | None:
    """Callback of a flag: an amount of memory in bytes, or with K, M or G (powers of 1024)."""
    if value is None:
        return None
    text = value.strip().upper().removesuffix("B")
    power = {"K": 1, "M": 2, "G": 3}.get(text[-1:], 0)
    if (number := whole_number(text[:-1] if power else text)) is None:
        raise click.BadParameter(f"expected a size such as 500M or 2G, got {value!r}")
    return number << (10 * power)


def to_write(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    """Callback of a flag or argument: a file to be written, refused now and not after a search."""
    if value is not None:
        require_writable(value)
    return value


FileCallback = Callable[[click.Context, click.Parameter, str | None], str | None]
"""Checks a file's name when a flag is read."""


def named(content: str, *suffixes: str) -> FileCallback:
    """Callback of a flag: a file to be written (see :func:`to_write`), its suffix one of those."""

    def checked(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
        if value is not None:
            from twostep.models.reading.suffixes import require_suffix

            require_suffix(value, content, *suffixes)
        return to_write(ctx, param, value)

    return checked


def to_picture(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Callback of a flag: a picture to be written, refused now and not after a search."""
    if value is None:
        return None
    from twostep.models.reading.suffixes import PICTURES

    return named("a picture", *PICTURES)(ctx, param, value)


def refusing(content: str, *suffixes: str) -> FileCallback:
    """Callback of a flag: any suffix but those known for another content (except those given)."""

    def checked(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
        if value is not None:
            from twostep.models.reading.suffixes import refuse_suffix

            refuse_suffix(value, content, *suffixes)
        return value

    return checked


def named_freely(content: str, *suffixes: str) -> FileCallback:
    """As :func:`refusing`, and a file to be written (see :func:`to_write`)."""
    refused = refusing(content, *suffixes)
    return lambda ctx, param, value: to_write(ctx, param, refused(ctx, param, value))


def keep_apart(read: Sequence[str], *written: str | None) -> None:
    """Refuse to write over a file that is read, or twice to one file.

    Raises:
        InputError: names the file.
    """
    taken = {Path(file).resolve(): "it is read" for file in read if os.path.exists(file)}
    for file in written:
        if file is None or (os.path.exists(file) and not os.path.isfile(file)):
            continue  # a device takes everything, a folder of frames has files of its own
        if (fault := taken.get(path := Path(file).resolve())) is not None:
            raise InputError(f"cannot be written: {fault}; choose another name", source=file)
        taken[path] = "something else is written there"


def those_given(**given: object) -> list[str]:
    """The flags that were given: names, with ``_`` for ``-``, and what was given."""
    return [f"--{name.replace('_', '-')}" for name, value in given.items() if value]


def at_most_one(**given: object) -> None:
    """Refuse flags that exclude each other: see :func:`those_given`."""
    if len(flags := those_given(**given)) > 1:
        raise click.UsageError(f"{' and '.join(flags)}: give one of them")


class EngineName(click.Choice[str]):
    """The name of an engine, as the registry has them when it is asked, or one of `besides`."""

    def __init__(self, *besides: str) -> None:
        self._besides = besides
        super().__init__([])

    @property
    def choices(self) -> tuple[str, ...]:
        """All names."""
        return (*ENGINES, *self._besides)

    @choices.setter
    def choices(self, _value: tuple[str, ...]) -> None:
        """Click sets it; the registry decides."""


def backend(default: str = DEFAULT) -> Callable[[Command], Command]:
    """``--backend``: one engine, or both."""
    return click.option(
        "--backend",
        type=EngineName(BOTH),
        default=default,
        show_default=True,
        help="The engine; both: run the two, and fail if they differ.",
    )


one_backend = click.option(
    "--backend",
    type=EngineName(),
    default=DEFAULT,
    show_default=True,
    help="The engine.",
)


_OPTION = "option"
"""Where the metadata of a dataclass's field hold its flag."""


def flag(*names: str, **attributes: Any) -> Any:
    """A field of a group of flags: what ``click.option`` takes; the value has the field's name."""
    return field(metadata={_OPTION: partial(click.option, *names, **attributes)})


def group(name: str, flags: type[DataclassInstance]) -> Callable[[Command], Command]:
    """A decorator that gives a verb the flags of a dataclass, as one argument called `name`.

    The dataclass's fields are made by :func:`flag`; the help lists them in their order.
    """
    known = fields(flags)

    def decorate(command: Command) -> Command:
        @wraps(command)
        def gather(**values: Any) -> Any:
            values[name] = flags(**{each.name: values.pop(each.name) for each in known})
            return command(**values)

        for each in reversed(known):
            each.metadata[_OPTION](each.name)(gather)
        return cast("Command", gather)

    return decorate


def time_limit(default: int, what: str) -> Callable[[Command], Command]:
    """``--time-limit`` of a verb that always has one: `default` in seconds, `what` it bounds."""
    return click.option(
        "--time-limit",
        callback=seconds,
        metavar="SECONDS",
        default=str(default),
        show_default=True,
        help=what,
    )


@dataclass(frozen=True, slots=True)
class LimitFlags:
    """``--time-limit`` and ``--node-limit``; None: no limit."""

    time_limit: float | None = flag(
        "--time-limit",
        callback=seconds,
        metavar="SECONDS",
        help="Stop each engine (and the proof of --certificate) after so many seconds.",
    )
    node_limit: int | None = flag(
        "--node-limit", type=Whole(min=0), help="Stop after so many search nodes."
    )

    @property
    def limits(self) -> Limits:
        """What they ask for."""
        return Limits(seconds=self.time_limit, nodes=self.node_limit)


@dataclass(frozen=True, slots=True)
class AllLimitFlags(LimitFlags):
    """``--memory-limit`` as well, in bytes."""

    memory_limit: int | None = flag(
        "--memory-limit",
        callback=size,
        metavar="SIZE",
        help="What an engine may remember and what is kept of solutions, such as 500M or 2G.",
    )

    @property
    def limits(self) -> Limits:
        """What they ask for."""
        return Limits(seconds=self.time_limit, nodes=self.node_limit, memory=self.memory_limit)


@dataclass(frozen=True, slots=True)
class OutputFlags:
    """``--json`` and ``--quiet``."""

    as_json: bool = flag("--json", is_flag=True, help="Print one JSON object instead of text.")
    quiet: bool = flag(
        "--quiet", is_flag=True, help="No progress and no statistics on standard error."
    )


limits = group("limited", LimitFlags)
all_limits = group("limited", AllLimitFlags)
output = group("output", OutputFlags)

as_json = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object instead of text."
)

seed = click.option(
    "--seed", type=Whole(min=0), default=0, help="Another order of search, repeatable."
)


certificate_flag = click.option(
    "--certificate",
    metavar="FILE",
    callback=named_freely("a certificate"),
    help="Write a proof of the answer, for `twostep verify`.",
)

estimate_flag = click.option(
    "--estimate",
    is_flag=True,
    help="Do not count; estimate the search tree and the solutions by random walks.",
)


@dataclass(frozen=True, slots=True)
class SpreadFlags:
    """``--workers``, ``--cluster``, ``--checkpoint`` and ``--parts``; None: not given."""

    workers: int | None = flag(
        "--workers",
        type=Whole(min=1, max=1024),
        help="Search with so many processes (threads, where they help as much).",
    )
    cluster: str | None = flag(
        "--cluster",
        metavar="ADDRESS",
        help="Search on a Dask cluster, such as tcp://HOST:8786; local: start one here.",
    )
    checkpoint: str | None = flag(
        "--checkpoint",
        metavar="FILE",
        callback=refusing("a checkpoint", ".json"),
        help="Keep what is known in FILE, and go on from there if it exists.",
    )
    parts: int | None = flag(
        "--parts",
        type=Whole(min=1, max=MOST_PARTS),
        help="Cut the search into at least so many parts.",
    )

    @property
    def wanted(self) -> bool:
        """Whether one of the flags was given."""
        return self != SpreadFlags(None, None, None, None)


spread_flags = group("spread", SpreadFlags)
