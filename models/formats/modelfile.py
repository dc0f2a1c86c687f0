"""A model from a file as a puzzle, and the list of the formats that a model is written in."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import PurePath

from twostep.models.errors import InputError
from twostep.models.files import write_atomically
from twostep.models.loading import load
from twostep.models.model import Model, Solution
from twostep.models.puzzle import Puzzle

WRITERS: dict[str, str] = {
    ".dlx": "twostep.models.formats.dlx:write",
    ".json": "twostep.models.formats.json_model:write",
    ".cnf": "twostep.models.formats.dimacs:write",
    ".opb": "twostep.models.formats.opb:write",
}
"""File suffix -> ``module:function``, which makes the text of a model."""


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
        lines = []
        for option in solution:
            label = self._given.labels[option]
            lines.append(label if isinstance(label, str) else self._given.describe(option))
        return "\n".join(lines) if lines else "(no option)"


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
    to_text: Callable[[Model], str] = load(WRITERS[suffix])
    try:
        text = to_text(model)
    except InputError as error:
        raise error.at(path) from None
    write_atomically(path, text)
