"""The list of engines: it stands here and nowhere else. An engine is loaded when it is used."""

from __future__ import annotations

from importlib import import_module
from pkgutil import resolve_name
from typing import TypeVar

from twostep.models.errors import InputError, MissingPackage, UnsupportedFeature, did_you_mean
from twostep.models.search.engine import Engine

ENGINES: dict[str, str] = {
    "dlx": "twostep.dlx_backend:DlxEngine",
    "cpsat": "twostep.cpsat_backend:CpsatEngine",
}
"""Engine name -> ``module:class``; to add an engine, add its line.

The module may hold ``PACKAGE``, the distribution that the engine's answers depend on.
"""

DEFAULT = next(iter(ENGINES))
"""The engine that is asked unless told otherwise: the first."""

Ability = TypeVar("Ability")

BOTH = "both"
"""As the name of an engine: all of them, and their answers compared."""


def engine_names(backend: str) -> tuple[str, ...]:
    """The engines that ``--backend`` or ``backend=`` stands for: the one of that name, or all."""
    return tuple(ENGINES) if backend == BOTH else (backend,)


def engine(name: str) -> Engine:
    """The engine of that name.

    Raises:
        InputError: there is none; names the nearest.
        MissingPackage: a package that it needs is not installed.
    """
    if name not in ENGINES:
        raise InputError(f"unknown engine {name!r}{did_you_mean(str(name), [*ENGINES, BOTH])}")
    try:
        made: Engine = resolve_name(ENGINES[name])()
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("twostep."):
            raise
        raise MissingPackage(
            f"the engine {name!r} needs the package {error.name!r}: pip install {error.name}"
        ) from error
    return made


def package_of(name: str) -> str | None:
    """The distribution that an engine's answers depend on besides ours; None: there is none.

    The engine itself is not loaded.
    """
    package: str | None = getattr(import_module(ENGINES[name].partition(":")[0]), "PACKAGE", None)
    return package


def that_can(ability: type[Ability]) -> Ability:
    """The first engine that has an ability, such as :class:`~twostep.models.search.engine.Counts`.

    Raises:
        UnsupportedFeature: none has it.
        MissingPackage: a package that one of those before it needs is not installed.
    """
    for name in ENGINES:
        if isinstance(found := engine(name), ability):
            return found
    raise UnsupportedFeature(f"no engine {ability.__name__.lower()}")
