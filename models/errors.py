"""Everything Twostep raises.

::

    TwostepError
    ├── InputError            what the user gave is wrong; carries file, line, column
    │   └── ModelError        a model refused when it is built
    ├── UnsupportedFeature    the engine cannot do what the model needs; raised before the search
    ├── MissingPackage        an optional package is not installed
    └── EngineFault           an engine broke its contract: a wrong solution, an unknown status

A search that finds nothing, or that a limit ends, never raises: see
:class:`twostep.models.search.engine.SearchResult`.
"""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from twostep.models.language.model import Model


class TwostepError(Exception):
    """The root: catch this to catch everything Twostep raises.

    >>> import twostep
    >>> try:
    ...     twostep.count("pentomino:3x200000")
    ... except twostep.TwostepError as error:
    ...     print(error)
    pentomino:3x200000: the board has 3 rows and 200000 columns: more than 10,000 cells
    """


_LONGEST = 600
"""How long the message of an InputError may be, and the name of its source, characters."""


class InputError(TwostepError):
    """What the user gave is wrong.

    The text is one line: ``source:line:column: message``, as far as the places are known.
    `line` and `column` count from 1. A message that quotes very much is cut short in its middle,
    and what it quotes can't steer a terminal: characters that don't print are escaped.

    >>> import twostep
    >>> try:
    ...     twostep.load("queens:eight")
    ... except twostep.InputError as error:
    ...     print(error.source, "/", error.message)
    queens:eight / queens 'eight': expected a whole number from 0 to 200
    """

    def __init__(
        self,
        message: str,
        *,
        source: str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        self.message = message = _short_line(message)
        self.source = source
        self.line = line
        self.column = column
        super().__init__(message)

    def __str__(self) -> str:
        source = None if self.source is None else _short_line(self.source)
        places = [source, self.line, self.column]
        prefix = ":".join(str(place) for place in places if place is not None)
        return f"{prefix}: {self.message}" if prefix else self.message

    def at(self, source: str) -> InputError:
        """The same error, naming the file `source` if no file is named yet."""
        if self.source is None:
            self.source = source
        return self


def _short_line(text: str) -> str:
    """The text, escaped where it doesn't print and cut short in its middle."""
    if not text.isprintable():
        text = "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST // 2]} [...] {text[-_LONGEST // 4 :]}"
    return text


class ModelError(InputError):
    """A model that means nothing; the text names the option and the item.

    `option` is the option that is wrong, from 0; None if it is none.

    >>> import twostep
    >>> builder = twostep.ModelBuilder()
    >>> builder.option(["a"])
    0
    >>> builder.build()
    Traceback (most recent call last):
    ...
    twostep.models.errors.ModelError: option 0: unknown item 'a'
    """

    def __init__(self, message: str, *, option: int | None = None) -> None:
        super().__init__(message)
        self.option = option


class UnsupportedFeature(TwostepError):
    """The engine lacks a feature that the model or the question needs.

    >>> import twostep
    >>> builder = twostep.ModelBuilder()
    >>> builder.item("a"), builder.option(["a"], cost=2**62)
    (0, 0)
    >>> twostep.best(builder.build(), backend="cpsat")
    Traceback (most recent call last):
    ...
    twostep.models.errors.UnsupportedFeature: the engine 'cpsat' cannot do costs of over 2^53 in all
    """


class MissingPackage(TwostepError):
    """An optional package is needed; the text says how to install it.

    >>> import twostep
    >>> issubclass(twostep.MissingPackage, twostep.TwostepError)
    True
    """


class EngineFault(TwostepError):
    """An engine broke its contract. Always a defect of Twostep, never of the input.

    `model` is the model that shows it, for a report; None: it is not known.

    >>> import twostep
    >>> issubclass(twostep.EngineFault, twostep.InputError)
    False
    """

    def __init__(self, message: str, model: Model | None = None) -> None:
        super().__init__(message)
        self.model = model


_LONGEST_TYPED = 100
_MOST_COMPARED = 20_000


def nearest(wrong: str, known: Iterable[str]) -> str | None:
    """The known name that is most like a wrong one, if any is; capitals don't matter.

    Comparing two names takes the product of their lengths: long names are left out.
    """
    if len(wrong) > _LONGEST_TYPED:
        return None
    folded = {name.casefold(): name for name in itertools.islice(known, _MOST_COMPARED)}
    near = difflib.get_close_matches(wrong.casefold(), folded, n=1, cutoff=0.5)
    return folded[near[0]] if near else None


def did_you_mean(wrong: str, known: Iterable[str]) -> str:
    """``'; did you mean X?'``, or what is known if nothing is near: the tail of an error line."""
    names = list(known)
    if (near := nearest(wrong, names)) is not None:
        return f"; did you mean {near!r}?"
    return f"; known: {', '.join(names)}" if names else ""
