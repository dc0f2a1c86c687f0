"""JSON objects that are written to be read again: with a schema, each member checked."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping

from twostep.models.errors import InputError
from twostep.models.reading.files import parse_json, read_text, write_atomically
from twostep.models.words import TOO_LONG_TO_KEEP


class Members:
    """The members of a JSON object, each checked when it is taken.

    Args:
        content: what should be the object.
        schema: what its member "schema" must be; None: it has none.
        what: what it should be, in words, for errors.
        source: the file that it is from.

    Raises:
        InputError: it is no object, or of another schema; in each method: there is no such member,
            or of another kind. Names the file.
    """

    def __init__(self, content: object, schema: str | None, what: str, source: str) -> None:
        self.source = source
        if not isinstance(content, dict):
            raise self.fault(f"not {what}: expected a JSON object")
        self._members: dict[str, object] = content
        if schema is not None and (known := content.get("schema")) != schema:
            raise self.fault(f"not {what}: schema {known!r}, expected {schema!r}")

    @classmethod
    def read(cls, path: str | os.PathLike[str], schema: str, what: str) -> Members:
        """Those of the object in a file."""
        source = os.fspath(path)
        try:
            content = parse_json(read_text(source), what)
        except InputError as error:
            raise error.at(source) from None
        return cls(content, schema, what, source)

    def fault(self, message: str) -> InputError:
        """An error that names the file."""
        return InputError(message, source=self.source)

    def get(self, name: str) -> object:
        """A member of any kind; None if there is none."""
        return self._members.get(name)

    def text(self, name: str) -> str:
        """A text."""
        if not isinstance(value := self.get(name), str):
            raise self.fault(f"{name}: expected a text, got {value!r}")
        return value

    def whole(self, name: str) -> int:
        """A whole number of at least 0."""
        value = self.get(name)
        if type(value) is not int or value < 0:
            raise self.fault(f"{name}: expected a whole number, got {value!r}")
        return value

    def seconds(self, name: str) -> float:
        """A span of time."""
        value = self.get(name)
        # Bounded: a whole number can be too large for a float.
        if isinstance(value, int | float) and type(value) is not bool and 0 <= value < 1e18:
            return float(value)
        raise self.fault(f"{name}: expected a number of seconds, got {value!r}")

    def flag(self, name: str) -> bool:
        """True or false."""
        if not isinstance(value := self.get(name), bool):
            raise self.fault(f"{name}: expected true or false, got {value!r}")
        return value

    def items(self, name: str) -> list[object]:
        """A list."""
        if not isinstance(value := self.get(name), list):
            raise self.fault(f"{name}: expected a list, got {value!r}")
        return value

    def object(self, name: str, schema: str | None, what: str) -> Members:
        """An object; `schema` and `what` as for this one."""
        return Members(self.get(name), schema, what, self.source)

    def objects(self, name: str, schema: str | None, what: str) -> list[Members]:
        """A list of such objects."""
        return [Members(each, schema, what, self.source) for each in self.items(name)]


def write_members(
    path: str | os.PathLike[str], members: Mapping[str, object], *, indent: int | None = None
) -> None:
    """Write an object as JSON, whole or not at all; without an indent on one line.

    Raises:
        InputError: it can't be written, or holds a number that could not be read again.
    """
    try:
        text = json.dumps(members, indent=indent)
    except ValueError:
        raise InputError(TOO_LONG_TO_KEEP, source=os.fspath(path)) from None
    write_atomically(path, text + "\n")
