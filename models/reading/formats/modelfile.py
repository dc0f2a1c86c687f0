"""A model from a file as a puzzle, and the list of the formats that a model is written in."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import PurePath
from pkgutil import resolve_name

from twostep.models.errors import InputError, nearest
from twostep.models.families.puzzle import Puzzle
from twostep.models.language.model import Model, Solution
from twostep.models.reading.files import SMALL, lines_of, read_text, write_atomically

WRITERS: dict[str, str] = {
    ".dlx": "twostep.models.reading.formats.dlx:write",
    ".json": "twostep.models.reading.formats.json_model:write",
    ".cnf": "twostep.models.reading.formats.dimacs:write",
    ".opb": "twostep.models.reading.formats.opb:write",
}
"""File suffix -> ``module:function``, which makes the text of a model."""


NOTHING = "(no option)"
"""How a solution without any option is drawn."""


class ModelPuzzle(Puzzle):
    """A bare model: nothing is known of what its options mean but their items and labels."""

    def __init__(self, name: str, model: Model) -> None:
        self.name = name
        self._given = model

    def build(self) -> Model:
        """The model as it was read."""
        return self._given

    def draw(self, solution: Solution) -> str:
        """One line per option: its items, or its label if that is a text."""
        return "\n".join(_line(self._given, option) for option in solution) or NOTHING

    def read(self, rows: Sequence[str]) -> tuple[int, ...]:
        """Options, one to a line, as :meth:`draw` lists them; items in any order."""
        return _placed(self._given, rows)


def _placed(model: Model, lines: Sequence[str]) -> tuple[int, ...]:
    """Options told by their lines, each taken once."""
    ids: dict[str, list[int]] = {}
    for option in reversed(range(model.n_options)):
        ids.setdefault(_sorted(_line(model, option)), []).append(option)
    found: list[int] = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line == NOTHING:
            continue
        if not (left := ids.get(_sorted(line), [])):
            near = nearest(_sorted(line), list(ids))
            raise InputError(
                f"{line.strip()!r} is no option of {model.name!r}, or was there before; expected"
                f" {'the items of one' if near is None else repr(near)}",
                line=number,
            )
        found.append(left.pop())
    return tuple(found)


def _line(model: Model, option: int) -> str:
    label = model.labels[option]
    return label if isinstance(label, str) else model.describe(option)


def read_options(path: str | os.PathLike[str], model: Model) -> Solution:
    """Options from a file, one to a line, as :meth:`ModelPuzzle.draw` lists them.

    The items of an option may stand in any order. Options told in the same words are taken one
    after the other.

    Raises:
        InputError: names the file and the line. Whether they are a solution isn't looked at.
    """
    try:
        return tuple(sorted(_placed(model, lines_of(read_text(path, SMALL)))))
    except InputError as error:
        raise error.at(os.fspath(path)) from None


def _sorted(line: str) -> str:
    return " ".join(sorted(line.split()))


def refuse_side_condition(model: Model) -> None:
    """Raise :class:`InputError` if the model has a side condition: it is a program, no data."""
    if model.side_condition is not None:
        raise InputError(
            f"a side condition ({model.side_condition.name}) cannot be written to a file"
        )


def write_model(model: Model, path: str) -> None:
    """Write `model` to `path`, in the format that its suffix names.

    Raises:
        InputError: an unknown suffix, or something in the model that the format cannot say.
    """
    suffix = PurePath(path).suffix.lower()
    if suffix not in WRITERS:
        kind = repr(suffix) if suffix else "a file without suffix"
        raise InputError(
            f"cannot write {kind}, expected {', '.join(WRITERS)}", source=os.fspath(path)
        )
    to_text: Callable[[Model], str] = resolve_name(WRITERS[suffix])
    try:
        text = to_text(model)
    except InputError as error:
        raise error.at(path) from None
    write_atomically(path, text)
