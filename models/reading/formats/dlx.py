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

import io
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from twostep.models.errors import InputError, ModelError, did_you_mean
from twostep.models.language.builder import Entry, ModelBuilder
from twostep.models.language.model import IntArray, Model
from twostep.models.reading.files import read_text, unified, whole_number
from twostep.models.reading.formats.modelfile import ModelPuzzle, refuse_side_condition

_WORD = re.compile(r"[^ \t\f\v\n]+")
_BOUNDS = re.compile(r"(?:([0-9]{1,18}):)?([0-9]{1,18})\|(.*)", re.ASCII | re.DOTALL)
_COST = re.compile(r"\|(-?[0-9]{1,18})", re.ASCII)
_UNSAYABLE = re.compile(r"[\x00-\x20\x7f-\x9f:|]")
_COMMENT = re.compile(r"^\|.*", re.MULTILINE)
_DIRECTIVE = re.compile(r"^\|![^\S\n]*(name|order|chosen):(.*)", re.MULTILINE)

_AT_ONCE = 1 << 18
"""How much text is taken apart at once, characters: its words take far more memory."""

_NOTHING = -1
_LINE_END = -2
"""What stands between two spaces, and the end of a line, among the meanings of words."""


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
    given = unified(text.removeprefix("\ufeff"))
    text = _COMMENT.sub("", given)
    for space in "\t\f\v":
        text = text.replace(space, " ")
    if (first := _WORD.search(text)) is None:
        raise InputError("no line of item names: expected the primary items, '|', the secondary")
    begin = text.rfind("\n", 0, first.start()) + 1
    end = text.find("\n", begin) + 1 or len(text)
    number = text.count("\n", 0, begin) + 1
    words = _Words(builder.ids, _add_items(text[begin:end], number, builder))
    lines = _add_options(text, end, number + 1, words, builder)
    _obey(given, words, builder, len(lines))
    try:
        return builder.build()
    except ModelError as error:
        if error.option is None:
            raise
        number = int(lines[error.option])
        line = next(itertools.islice(io.StringIO(text), number - 1, None))
        raise _wrong_option(line, number) from None


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


def _in_line(line: str, before: int = 0) -> Iterator[tuple[str, int]]:
    """The words of a line, each with its column, if it begins after `before` columns."""
    for found in _WORD.finditer(line):
        yield found[0], before + found.start() + 1


def _add_items(line: str, number: int, builder: ModelBuilder) -> int:
    """Add the items of a line; gives how many of them, the first ones, are primary."""
    n_primary: int | None = None
    for word, column in _in_line(line):
        if word == "|":
            if n_primary is not None:
                raise InputError(
                    "a second '|', expected names of secondary items", line=number, column=column
                )
            n_primary = len(builder.ids)
            continue
        name, low, high = word, 1, 1
        if "|" in word or ":" in word:
            name, low, high = _bounded(word, number, column, primary=n_primary is None)
        try:
            _ = builder.item(name, low, high) if n_primary is None else builder.secondary(name)
        except ModelError as error:
            error.line, error.column = number, column + len(word) - len(name)
            raise
    return len(builder.ids) if n_primary is None else n_primary


def _bounded(word: str, number: int, column: int, *, primary: bool) -> tuple[str, int, int]:
    """The name and the bounds in an item's word that isn't just a name, at that place."""

    def refuse(message: str, skip: int = 0) -> InputError:
        return InputError(message, line=number, column=column + skip)

    low, high, name, skip = 1, 1, word, 0
    if bounds := _BOUNDS.fullmatch(word):
        name, skip = bounds[3], bounds.start(3)
        high = int(bounds[2])
        low = high if bounds[1] is None else int(bounds[1])
        if not primary:
            raise refuse(f"a multiplicity on the secondary item {name!r}")
        if low > high:
            raise refuse(f"low {low} is more than high {high}")
    if not name:
        raise refuse("a multiplicity without a name, expected low:high|name", skip)
    for mark in ":|":
        if mark in name:
            raise refuse(
                f"{mark!r} in an item's name, expected name or low:high|name",
                skip + name.index(mark),
            )
    return name, low, high


class _Words(dict[str, int]):
    """What each word of an option means, made out once for each that differs.

    A number from 0 is an index into `entries`; those below _LINE_END count through `costs`.
    """

    def __init__(self, ids: Mapping[str, int], n_primary: int) -> None:
        super().__init__({"": _NOTHING, "\n": _LINE_END})
        self.ids, self.n_primary = ids, n_primary
        self.entries: list[Entry] = []
        self.costs: list[int] = []

    def __missing__(self, word: str) -> int:
        if word.startswith("|"):
            if (priced := _COST.fullmatch(word)) is None:
                raise InputError(f"{word!r}, expected a cost: '|', and 1 to 18 digits", column=0)
            self.costs.append(int(priced[1]))
            self[word] = meaning = _LINE_END - len(self.costs)
            return meaning
        name, colon, colour = word.partition(":")
        if (item := self.ids.get(name)) is None:
            raise InputError(f"unknown item {name!r}{did_you_mean(name, self.ids)}", column=0)
        if colon:
            if item < self.n_primary:
                raise InputError(f"a colour on the primary item {name!r}", column=len(name))
            if not colour or ":" in colour or "|" in colour:
                raise InputError(f"{colon + colour!r}, expected ':' and a colour", column=len(name))
        self[word] = meaning = len(self.entries)
        self.entries.append((item, colour) if colon else item)
        return meaning

    def meanings(self, words: Sequence[str], number: int) -> IntArray:
        """The numbers of words, those of lines from `number` on, which a space parts."""
        try:
            return np.fromiter(map(self.__getitem__, words), np.int32, len(words))
        except InputError as error:
            place = next(place for place, word in enumerate(words) if word not in self)
            before = list(itertools.takewhile("\n".__ne__, reversed(words[:place])))
            error.line = number + words[:place].count("\n")
            error.column = (error.column or 0) + 1 + sum(len(word) + 1 for word in before)
            raise


def _add_options(
    text: str, begin: int, number: int, words: _Words, builder: ModelBuilder
) -> IntArray:
    """Add the options of the text from `begin` on, in line `number`; gives the line of each."""
    lines = [np.empty(0, dtype=np.int32)]
    while begin < len(text):
        end = text.find("\n", begin + _AT_ONCE) + 1 or len(text)
        found = words.meanings(text[begin:end].replace("\n", " \n ").split(" "), number)
        line = np.cumsum(found == _LINE_END)
        is_entry, is_cost = found >= 0, found < _LINE_END
        n_lines = int(line[-1]) + 1
        lengths = np.bincount(line[is_entry], minlength=n_lines).astype(np.int64)
        used = np.flatnonzero(lengths + np.bincount(line[is_cost], minlength=n_lines))
        costs = [0] * n_lines
        for place, cost in zip(line[is_cost].tolist(), found[is_cost].tolist(), strict=True):
            costs[place] += words.costs[_LINE_END - 1 - cost]
        builder.options(
            lengths[used],
            map(words.entries.__getitem__, found[is_entry].tolist()),
            map(costs.__getitem__, used.tolist()),
        )
        lines.append((used + number).astype(np.int32))
        begin, number = end, number + n_lines - 1
    return np.concatenate(lines)


def _wrong_option(line: str, number: int) -> InputError:
    """What is wrong with an option whose words are all right."""
    seen: set[str] = set()
    columns = []
    for word, column in _in_line(line):
        name = word.partition(":")[0]
        if name in seen:
            return InputError(f"item {name!r} twice in one option", line=number, column=column)
        if not word.startswith("|"):
            seen.add(name)
        columns.append(column)
    what = "no primary item in this option, expected at least one"
    return InputError(what, line=number, column=columns[0])


def _obey(text: str, words: _Words, builder: ModelBuilder, n_options: int) -> None:
    """Do what our comments in the text say."""
    order: dict[int, None] | None = None
    chosen: set[int] = set()
    number, counted = 1, 0
    for found in _DIRECTIVE.finditer(text):
        number += text.count("\n", counted, found.start())
        counted = found.start()
        kind, rest, before = found[1], found[2], found.start(2) - found.start()
        if kind == "name":
            builder.name = rest.strip() or builder.name
        elif kind == "order":
            order = {} if order is None else order
            for word, column in _in_line(rest, before):
                if (why := _order(order, word, words)) is not None:
                    raise InputError(f"order: {why}", line=number, column=column)
        else:
            for word in dict.fromkeys(_WORD.findall(rest)):
                if (option := whole_number(word)) is None or option >= n_options:
                    column = next(at for text, at in _in_line(rest, before) if text == word)
                    raise InputError(
                        f"chosen: {word!r}, expected the number of an option, from 0",
                        line=number, column=column,
                    )  # fmt: skip
                chosen.add(option)
    builder.order = None if order is None else list(order)
    builder.chosen = chosen


def _order(order: dict[int, None], word: str, words: _Words) -> str | None:
    """Take an item into the suggested order; gives why not, if not."""
    item = words.ids.get(word, words.n_primary)
    if item >= words.n_primary:
        known = itertools.islice(words.ids, words.n_primary)
        return f"no primary item {word!r}{did_you_mean(word, known)}"
    if item in order:
        return f"item {word!r} stands twice"
    order[item] = None
    return None


def _check_name(name: str, kind: str) -> None:
    if not name or _UNSAYABLE.search(name):
        raise InputError(
            f"the {kind} name {name!r} cannot be written in this format: names have no space, ':',"
            " '|' or control character (.json can say the first three)"
        )
