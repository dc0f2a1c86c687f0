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
    from twostep.models.model import (
        UNLIMITED,
        Feature,
        Model,
        ModelBuilder,
        SideCondition,
        Solution,
    )
    from twostep.models.puzzle import Family, Puzzle
    from twostep.models.questions import Verdict, best, count, first, listing, solutions, unique
    from twostep.models.reading import load_puzzle
    from twostep.models.search import Counters, Engine, Limits, SearchResult, StopReason
    from twostep.models.verify import fault

_HOMES = {
    "errors": (
        "EngineFault",
        "InputError",
        "MissingPackage",
        "ModelError",
        "TwostepError",
        "UnsupportedFeature",
    ),
    "model": ("UNLIMITED", "Feature", "Model", "ModelBuilder", "SideCondition", "Solution"),
    "puzzle": ("Family", "Puzzle"),
    "questions": ("Verdict", "best", "count", "first", "listing", "solutions", "unique"),
    "reading": ("load_puzzle",),
    "search": ("Counters", "Engine", "Limits", "SearchResult", "StopReason"),
    "verify": ("fault",),
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
