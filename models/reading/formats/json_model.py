"""A model as JSON, schema ``twostep-model/1``: everything but a side condition.

::

    {"schema": "twostep-model/1",
     "name": "two ways",
     "items": [{"name": "a"}, {"name": "b", "low": 0, "high": 3}, {"name": "s", "secondary": true}],
     "options": [{"items": ["a", ["s", "red"]], "cost": 2, "label": "both"}, {"items": ["b"]}],
     "order": ["b"], "chosen": [0], "symmetries": [[0, 1]]}

`low` and `high` are 1 unless given; a `high` of null is no bound. `name`, `cost`, `label`,
`order`, `chosen` and `symmetries` may be left out. A label is any JSON value, where an array is
read as a tuple; a label that is an object of the program is written as its text.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import numpy as np

from twostep.models.errors import InputError, ModelError, did_you_mean
from twostep.models.language.builder import Entry, ModelBuilder
from twostep.models.language.model import UNLIMITED, IntArray, Model
from twostep.models.reading.files import parse_json, read_text
from twostep.models.reading.formats.modelfile import ModelPuzzle, refuse_side_condition

SCHEMA = "twostep-model/1"

_HALF = re.compile("[\ud800-\udfff]")
"""Half a character, which JSON can spell and no file can hold."""


def read_puzzle(path: str) -> ModelPuzzle:
    """The puzzle in a file."""
    try:
        return ModelPuzzle(path, read(read_text(path)))
    except InputError as error:
        raise error.at(path) from None


def read(text: str) -> Model:
    """The model that `text` describes.

    Raises:
        InputError: no JSON (with line and column), or not of this schema (says where).
    """
    known = {"schema", "name", "items", "options", "order", "chosen", "symmetries"}
    content = _check_members(
        parse_json(text, "a model", _no_constant), "the file", known, {"schema", "items", "options"}
    )
    if content["schema"] != SCHEMA:
        raise InputError(f"schema {content['schema']!r}, expected {SCHEMA!r}")
    builder = ModelBuilder(_text(content.get("name", "model"), "name"))
    for number, item in enumerate(_list(content["items"], "items")):
        _add_item(builder, item, f"items[{number}]")
    for number, option in enumerate(_list(content["options"], "options")):
        _add_option(builder, option, f"options[{number}]")
    if "order" in content:
        order = _list(content["order"], "order")
        builder.order = [_known(name, builder.ids, "order") for name in order]
    builder.chosen = [_whole(o, "chosen", 0) for o in _list(content.get("chosen", []), "chosen")]
    if "symmetries" in content:
        builder.symmetries = _symmetries(content["symmetries"], len(content["options"]))
    return builder.build()


def write(model: Model) -> str:
    """The model as text, one option a line.

    Raises:
        InputError: a side condition, which is a program and cannot be written.
    """
    refuse_side_condition(model)
    members = [f'"schema": {json.dumps(SCHEMA)}', f'"name": {json.dumps(model.name)}']
    members.append(f'"items": {_lines([_item(model, item) for item in range(model.n_items)])}')
    options = [_option(model, option) for option in range(model.n_options)]
    members.append(f'"options": {_lines(options)}')
    if model.order is not None:
        members.append(f'"order": {json.dumps([model.items[item] for item in model.order])}')
    if model.chosen:
        members.append(f'"chosen": {json.dumps(model.chosen)}')
    if model.symmetries is not None:
        members.append(f'"symmetries": {_lines(model.symmetries.tolist())}')
    return "{" + ",\n ".join(members) + "}\n"


def _lines(values: list[Any]) -> str:
    return "[" + ",\n  ".join(json.dumps(value) for value in values) + "]"


def _item(model: Model, item: int) -> dict[str, Any]:
    members: dict[str, Any] = {"name": model.items[item]}
    low, high = int(model.low[item]), int(model.high[item])
    if not model.primary[item]:
        members["secondary"] = True
    elif (low, high) != (1, 1):
        members["low"] = low
        members["high"] = None if high == UNLIMITED else high
    return members


def _option(model: Model, option: int) -> dict[str, Any]:
    members: dict[str, Any] = {
        "items": [
            [model.items[item], model.colours[colour]] if colour else model.items[item]
            for item, colour in model.option(option)
        ]
    }
    if cost := int(model.costs[option]):
        members["cost"] = cost
    if (label := model.labels[option]) is not None:
        members["label"] = label if _is_plain(label) else str(label)
    return members


def _is_plain(label: object) -> bool:
    if type(label) is tuple or type(label) is list:
        return all(_is_plain(part) for part in label)
    if type(label) is dict:
        return all(type(key) is str and _is_plain(value) for key, value in label.items())
    return label is None or type(label) in (str, int, float, bool)


def _add_item(builder: ModelBuilder, item: object, where: str) -> None:
    members = _check_members(item, where, {"name", "secondary", "low", "high"}, {"name"})
    name = _text(members["name"], f"{where}.name")
    secondary = members.get("secondary", False)
    if not isinstance(secondary, bool):
        raise InputError(f"{where}.secondary: expected true or false")
    if secondary and ("low" in members or "high" in members):
        raise InputError(f"{where}: a multiplicity on the secondary item {name!r}")
    low = _whole(members.get("low", 1), f"{where}.low", 0)
    high = members.get("high", 1)
    high = UNLIMITED if high is None else _whole(high, f"{where}.high", 0)
    try:
        _ = builder.secondary(name) if secondary else builder.item(name, low, high)
    except ModelError as error:
        raise InputError(f"{where}: {error.message}") from None


def _add_option(builder: ModelBuilder, option: object, where: str) -> None:
    members = _check_members(option, where, {"items", "cost", "label"}, {"items"})
    entries: list[Entry] = []
    for number, entry in enumerate(_list(members["items"], f"{where}.items")):
        if isinstance(entry, list) and len(entry) == 2:
            item, colour = (_text(part, f"{where}.items[{number}]") for part in entry)
            entries.append((item, colour))
        elif isinstance(entry, str):
            entries.append(entry)
        else:
            raise InputError(f"{where}.items[{number}]: expected a name or [name, colour]")
    cost = _whole(members.get("cost", 0), f"{where}.cost")
    builder.option(entries, _tuples(members.get("label")), cost)


def _symmetries(rows: object, n_options: int) -> IntArray:
    listed = _list(rows, "symmetries")

    def ids() -> Iterator[int]:
        return itertools.chain.from_iterable(listed)

    if (
        not all(isinstance(row, list) and len(row) == n_options for row in listed)
        or set(map(type, ids())) - {int}
        or not all(0 <= option < 2**31 for option in set(ids()))
    ):
        raise InputError(f"symmetries: expected rows of {n_options} option ids")
    flat = np.fromiter(ids(), dtype=np.int32, count=n_options * len(listed))
    return flat.reshape(len(listed), n_options)


def _check_members(
    value: object, where: str, known: Collection[str], needed: Collection[str]
) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"{where}: expected an object with {', '.join(sorted(needed))}")
    for name in value:
        if name not in known:
            raise InputError(f"{where}: unknown member {name!r}{did_you_mean(name, sorted(known))}")
    for name in sorted(needed):
        if name not in value:
            raise InputError(f"{where}: {name!r} is missing")
    return value


def _list(value: object, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise InputError(f"{where}: expected an array")
    return value


def _text(value: object, where: str) -> str:
    if not isinstance(value, str) or not value:
        raise InputError(f"{where}: expected a text, not empty, got {json.dumps(value)[:40]}")
    if _HALF.search(value):
        raise InputError(
            f"{where}: expected a text, got half a character: {json.dumps(value)[:40]}"
        )
    return value


def _whole(value: object, where: str, least: int | None = None) -> int:
    if type(value) is not int or (least is not None and value < least) or abs(value) >= 2**63:
        bound = "" if least is None else f" of at least {least}"
        raise InputError(f"{where}: expected a whole number{bound}, got {json.dumps(value)[:40]}")
    return value


def _known(name: object, ids: Mapping[str, int], where: str) -> int:
    text = _text(name, where)
    if text not in ids:
        raise InputError(f"{where}: unknown item {text!r}{did_you_mean(text, ids)}")
    return ids[text]


def _tuples(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_tuples(part) for part in value)
    if isinstance(value, dict):
        return {name: _tuples(part) for name, part in value.items()}
    return value


def _no_constant(text: str) -> float:
    raise InputError(f"no model: {text} is no JSON number")
