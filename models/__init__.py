"""The problems: the model language, the puzzle families, their files and pictures.

Knows no engine: whatever needs one takes it as an argument. The names below are loaded when
first used, so that importing the package costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from twostep.models.errors import (
        EngineFault,
        InputError,
        MissingPackage,
        ModelError,
        TwostepError,
        UnsupportedFeature,
    )
    from twostep.models.families.puzzle import Family, Puzzle
    from twostep.models.language.builder import ModelBuilder
    from twostep.models.language.model import UNLIMITED, Feature, Model, SideCondition, Solution
    from twostep.models.language.verify import fault
    from twostep.models.reading.load import load_puzzle
    from twostep.models.search.engine import Counters, Engine, Limits, SearchResult, StopReason
    from twostep.models.search.questions import (
        Verdict,
        best,
        count,
        first,
        listing,
        solutions,
        unique,
    )

_HOMES = {
    "errors": (
        "EngineFault",
        "InputError",
        "MissingPackage",
        "ModelError",
        "TwostepError",
        "UnsupportedFeature",
    ),
    "language.model": ("UNLIMITED", "Feature", "Model", "SideCondition", "Solution"),
    "language.builder": ("ModelBuilder",),
    "families.puzzle": ("Family", "Puzzle"),
    "search.questions": ("Verdict", "best", "count", "first", "listing", "solutions", "unique"),
    "reading.load": ("load_puzzle",),
    "search.engine": ("Counters", "Engine", "Limits", "SearchResult", "StopReason"),
    "language.verify": ("fault",),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [  # noqa: RUF022 - by module
    "EngineFault", "InputError", "MissingPackage", "ModelError", "TwostepError",
    "UnsupportedFeature", "load_puzzle", "UNLIMITED", "Feature", "Model", "ModelBuilder",
    "SideCondition", "Solution", "Family", "Puzzle", "Verdict", "best", "count", "first",
    "listing", "solutions", "unique", "Counters", "Engine", "Limits", "SearchResult",
    "StopReason", "fault",
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name in _HOME_OF:
        return getattr(importlib.import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
