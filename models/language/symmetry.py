"""How many solutions are essentially different: counted up to the model's symmetries.

Two solutions are the same up to symmetry if some symmetry of the model sends one to the other.
The number of such classes is the mean, over the symmetries, of the number of solutions that each
leaves as they are (the Cauchy-Frobenius lemma, known as Burnside's). The solutions that a symmetry
leaves are those of an exact-cover model of their own: its options are the orbits of options.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from twostep.models.errors import InputError
from twostep.models.language.builder import Entry, ModelBuilder
from twostep.models.language.model import NO_COLOUR, UNLIMITED, IntArray, Model, Solution
from twostep.models.search.clock import CLOCK
from twostep.models.search.engine import NO_LIMITS, Engine, Limits, SearchResult, Watch
from twostep.models.search.questions import count, solutions


@dataclass(frozen=True, slots=True)
class ClassCount:
    """The number of solutions, and of essentially different ones.

    Attributes:
        raw: the plain count.
        different: the number of classes; None if a limit ended a search before it was known.
        symmetries: how many symmetries were taken into account, the identity among them.
    """

    raw: SearchResult
    different: int | None
    symmetries: int


def stabiliser(model: Model) -> IntArray:
    """(group, options) the symmetries of a model that send its chosen options to chosen options."""
    group = model.symmetries
    if group is None:
        return np.arange(model.n_options, dtype=np.int32)[np.newaxis]
    chosen = np.array(model.chosen, dtype=np.int64)
    kept: IntArray = group[(np.sort(group[:, chosen], axis=1) == chosen).all(axis=1)]
    return kept


def count_classes(
    engine: Engine, model: Model, limits: Limits = NO_LIMITS, *, watch: Watch | None = None
) -> ClassCount:
    """Count the solutions, and how many are different up to symmetry.

    Raises:
        InputError: no symmetries are known for the model.
    """
    if model.symmetries is None:
        raise InputError(f"no symmetries are known for {model.name!r}")
    group = stabiliser(model)
    expressible = model.side_condition is None
    images = [fixed_model(model, image) for image in group[1:]] if expressible else []
    if None in images or not expressible:
        return _by_listing(engine, model, group, limits, watch)
    began = CLOCK()
    raw = count(engine, model, limits, watch=watch)
    total, last = raw.found, raw
    for image in images:
        if image is None or not last.complete:
            break
        left = limits
        if limits.seconds is not None:
            left = replace(limits, seconds=max(0.0, limits.seconds - CLOCK() + began))
        last = count(engine, image, left, watch=watch)
        total += last.found
    different = total // len(group) if last.complete else None
    return ClassCount(raw, different, len(group))


def fixed_model(model: Model, image: IntArray) -> Model | None:
    """The model of the solutions that a symmetry leaves as they are; None: not expressible.

    `image` (options,): where it sends each option. An option of the new model is an orbit, labelled
    with its options. It can't be expressed where an orbit covers an item several times that may
    be covered several times, unless any number is right.
    """
    builder = ModelBuilder(f"{model.name}, left as it is")
    for item, name in enumerate(model.items):
        if model.primary[item]:
            builder.item(name, int(model.low[item]), int(model.high[item]))
        else:
            builder.secondary(name)
    locked = set(model.chosen)
    chosen: list[int] = []
    for orbit in _orbits(image.tolist()):
        must = not locked.isdisjoint(orbit)
        try:
            covered = _covered(model, orbit)
        except _Inexpressible:
            return None
        if covered is not None:
            entries: list[Entry] = [
                (item, model.colours[colour]) if colour else item
                for item, colour in covered.items()
            ]
            new = builder.option(entries, label=tuple(orbit))
            if must:
                chosen.append(new)
        elif must:
            builder.item("a chosen option that excludes its own image")  # no solution
            return builder.build()
    builder.chosen = chosen
    return builder.build()


class _Inexpressible(Exception):
    """An orbit covers an item several times, which counts."""


def _orbits(image: list[int]) -> Iterator[list[int]]:
    """The orbits of a permutation, each in the order in which it sends an option on."""
    seen = [False] * len(image)
    for first in range(len(image)):
        orbit: list[int] = []
        option = first
        while not seen[option]:
            seen[option] = True
            orbit.append(option)
            option = image[option]
        if orbit:
            yield orbit


def _covered(model: Model, orbit: Iterable[int]) -> dict[int, int] | None:
    """What the options of an orbit cover, with colours; None: they exclude each other.

    Raises:
        _Inexpressible: see :func:`fixed_model`.
    """
    colour_of: dict[int, int] = {}
    stands = True
    for item, colour in (entry for member in orbit for entry in model.option(member)):
        if item not in colour_of:
            colour_of[item] = colour
        elif not model.primary[item]:
            stands &= colour != NO_COLOUR and colour == colour_of[item]
        elif model.high[item] == 1:
            stands = False
        elif model.low[item] > 0 or model.high[item] < UNLIMITED:
            raise _Inexpressible
    return colour_of if stands else None


def _by_listing(
    engine: Engine, model: Model, group: IntArray, limits: Limits, watch: Watch | None
) -> ClassCount:
    """See all solutions, and count those that are the least of their class."""
    least = 0

    def receive(solution: Solution) -> None:
        nonlocal least
        images = np.sort(group[:, list(solution)], axis=1)
        least += all(solution <= tuple(image) for image in images.tolist())

    raw = solutions(engine, model, limits, receive=receive, watch=watch)
    return ClassCount(raw, least if raw.complete else None, len(group))
