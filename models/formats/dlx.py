"""Knuth's text format, as his programs DLX1, 2, 3 and 5 read it.

::

    | a comment, from a bar in the first column to the end of the line
    A B 2:3|C | X Y
    A B X:0 Y:0 |5
    C X:0

- The first line that is neither blank nor a comment names the items: the primary ones, a bar
  between spaces, the secondary ones. ``low:high|`` before a primary item's name says how often
  it is to be covered; ``high|`` alone means exactly so often. (Without primary items the line
  starts with a space, so that the bar is not in the first column.)
- Each further line is an option: item names, each secondary one with a colon and a colour if it
  has one, and costs as a bar and a whole number, which add up.
- A name has no space, colon or bar in it. Line ends may be LF or CRLF, the last may be missing,
  tabs are spaces, and a byte order mark is passed over.

Ours, in comments, which other programs pass over: ``|! name: ...``, ``|! order: A B`` (the item
order that the model suggests) and ``|! chosen: 0 3`` (options, counted from 0, that are part of
every solution). Colours of more than one character and negative costs are ours too. Labels,
symmetries and side conditions have no place in the format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from twostep.models.errors import InputError, did_you_mean
from twostep.models.files import lines_of, read_text, whole_number
from twostep.models.formats.modelfile import ModelPuzzle, refuse_side_condition
from twostep.models.model import Entry, Model, ModelBuilder

_WORD = re.compile(r"[^ \t\f\v]+")
_BOUNDS = re.compile(r"(?:([0-9]{1,18}):)?([0-9]{1,18})\|(.*)", re.ASCII | re.DOTALL)
_COST = re.compile(r"\|(-?[0-9]{1,18})", re.ASCII)
_UNSAYABLE = re.compile(r"[ \t\f\v\r\n:|]")
_DIRECTIVE = re.compile(r"\|!\s*(name|order|chosen):\s*(.*)")


@dataclass(frozen=True, slots=True)
class _Word:
    """A word with its place, from 1."""

    text: str
    line: int
    column: int

    def refuse(self, message: str, skip: int = 0) -> InputError:
        """An error at this word, or `skip` characters into it."""
        return InputError(message, line=self.line, column=self.column + skip)


def read_puzzle(path: str) -> ModelPuzzle:
    """The puzzle in a file."""
    try:
        return ModelPuzzle(path, read(read_text(path), name=path))
    except InputError as error:
        raise error.at(path) from None


def read(text: str, name: str = "model") -> Model:
    """The model that `text` describes; `name` if the text doesn't name it.

    Raises:
        InputError: with line, column, and what was expected.
    """
    builder = ModelBuilder(name)
    order: list[_Word] | None = None
    chosen: list[_Word] = []
    primary: dict[str, bool] = {}
    have_items = False
    n_options = 0
    for number, line in enumerate(lines_of(text.removeprefix("\ufeff")), start=1):
        if directive := _DIRECTIVE.match(line):
            kind, rest = directive.groups()
            if kind == "name":
                builder.name = rest.strip() or name
            else:
                words = list(_words(rest, number, directive.start(2)))
                if kind == "order":
                    order = order or []
                    order += words
                else:
                    chosen += words
        if line.startswith("|"):
            continue
        words = list(_words(line, number))
        if not words:
            continue
        if have_items:
            entries, cost = _option(words, primary)
            builder.option(entries, cost=cost)
            n_options += 1
        else:
            have_items = True
            primary = _items(words, builder)
    if not have_items:
        raise InputError("no line of item names: expected the primary items, '|', the secondary")
    if order is not None:
        builder.order = _ordered(order, list(primary), primary)
    builder.chosen = [_option_number(word, n_options) for word in chosen]
    return builder.build()


def write(model: Model) -> str:
    """The model as text, the primary items first, each kind in its order.

    Raises:
        InputError: a side condition, or a name that the format cannot say.
    """
    refuse_side_condition(model)
    for name in model.items:
        _check_name(name, "item")
    for name in model.colours[1:]:
        _check_name(name, "colour")
    return "\n".join(_lines(model, model.items, model.colours)) + "\n"


def write_without_side_condition(model: Model) -> str:
    """As :func:`write`, but it never refuses: for the report of a fault.

    There is only a comment about a side condition, and names that the format cannot say are
    respelled.
    """
    lines = _lines(model, _sayable(model.items), ("", *_sayable(model.colours[1:])))
    if model.side_condition is not None:
        what = " ".join(model.side_condition.name.split())
        lines.insert(1, f"| a side condition is left out: {what}")
    return "\n".join(lines) + "\n"


def _lines(model: Model, items: Sequence[str], colours: Sequence[str]) -> list[str]:
    """The lines of the file, with these names of items and colours."""
    lines = [f"|! name: {' '.join(model.name.split())}"]
    if model.order is not None:
        lines.append("|! order: " + " ".join(items[item] for item in model.order))
    if model.chosen:
        lines.append("|! chosen: " + " ".join(map(str, model.chosen)))
    words = []
    secondary = []
    for item, name in enumerate(items):
        low, high = int(model.low[item]), int(model.high[item])
        if not model.primary[item]:
            secondary.append(name)
        else:
            words.append(name if low == high == 1 else f"{low}:{high}|{name}")
    if secondary or not words:
        words += ["|", *secondary]
    lines.append((" " if words[0] == "|" else "") + " ".join(words))
    for option in range(model.n_options):
        entries = [
            f"{items[item]}:{colours[colour]}" if colour else items[item]
            for item, colour in model.option(option)
        ]
        cost = int(model.costs[option])
        lines.append(" ".join([*entries, *([f"|{cost}"] if cost else [])]))
    return lines


def _sayable(names: Sequence[str]) -> list[str]:
    """The names, with other characters for those that the format uses; different as before."""
    spelled = [_UNSAYABLE.sub("_", name) or "_" for name in names]
    if len(set(spelled)) == len(spelled):
        return spelled
    return [f"{place}_{name}" for place, name in enumerate(spelled)]


def _words(line: str, number: int, before: int = 0) -> Iterator[_Word]:
    for found in _WORD.finditer(line):
        yield _Word(found.group(), number, before + found.start() + 1)


def _items(words: list[_Word], builder: ModelBuilder) -> dict[str, bool]:
    """Add the items; gives each name with whether it is primary."""
    primary: dict[str, bool] = {}
    in_primary = True
    for word in words:
        if word.text == "|":
            if not in_primary:
                raise word.refuse("a second '|', expected names of secondary items")
            in_primary = False
            continue
        low = high = 1
        name, skip = word.text, 0
        if bounds := _BOUNDS.fullmatch(word.text):
            name, skip = bounds.group(3), bounds.start(3)
            high = int(bounds.group(2))
            low = high if bounds.group(1) is None else int(bounds.group(1))
            if not in_primary:
                raise word.refuse(f"a multiplicity on the secondary item {name!r}")
            if low > high:
                raise word.refuse(f"low {low} is more than high {high}")
        if not name:
            raise word.refuse("a multiplicity without a name, expected low:high|name", skip)
        for mark in ":|":
            if mark in name:
                raise word.refuse(
                    f"{mark!r} in an item's name, expected name or low:high|name",
                    skip + name.index(mark),
                )
        if name in primary:
            raise word.refuse(f"two items are named {name!r}", skip)
        primary[name] = in_primary
        if in_primary:
            builder.item(name, low, high)
        else:
            builder.secondary(name)
    return primary


def _option(words: list[_Word], primary: dict[str, bool]) -> tuple[list[Entry], int]:
    entries: list[Entry] = []
    seen: set[str] = set()
    cost = 0
    for word in words:
        if word.text.startswith("|"):
            if (priced := _COST.fullmatch(word.text)) is None:
                raise word.refuse(f"{word.text!r}, expected a cost: '|' and a whole number")
            cost += int(priced.group(1))
            continue
        name, colon, colour = word.text.partition(":")
        if name not in primary:
            raise word.refuse(f"unknown item {name!r}{did_you_mean(name, primary)}")
        if colon:
            if primary[name]:
                raise word.refuse(f"a colour on the primary item {name!r}", len(name))
            if not colour or ":" in colour or "|" in colour:
                raise word.refuse(f"{colon + colour!r}, expected ':' and a colour", len(name))
        if name in seen:
            raise word.refuse(f"item {name!r} twice in one option")
        seen.add(name)
        entries.append((name, colour) if colon else name)
    if not any(primary[name] for name in seen):
        raise words[0].refuse("no primary item in this option, expected at least one")
    return entries, cost


def _ordered(order: list[_Word], names: list[str], primary: dict[str, bool]) -> list[int]:
    ids = {name: item for item, name in enumerate(names)}
    found: dict[int, None] = {}
    for word in order:
        if not primary.get(word.text, False):
            known = did_you_mean(word.text, (name for name in names if primary[name]))
            raise word.refuse(f"order: no primary item {word.text!r}{known}")
        if ids[word.text] in found:
            raise word.refuse(f"order: item {word.text!r} stands twice")
        found[ids[word.text]] = None
    return list(found)


def _option_number(word: _Word, n_options: int) -> int:
    if (number := whole_number(word.text)) is None or number >= n_options:
        raise word.refuse(f"chosen: {word.text!r}, expected the number of an option, from 0")
    return number


def _check_name(name: str, kind: str) -> None:
    if not name or _UNSAYABLE.search(name):
        raise InputError(
            f"the {kind} name {name!r} cannot be written in this format: names have no space, ':'"
            " or '|' (.json can say it)"
        )
