"""The problems: the model language, the puzzle families, their files and pictures.

Knows no engine: whatever needs one takes it as an argument. The names below are loaded when
first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from twostep.models.lazy import lazily

if TYPE_CHECKING:
    from twostep.models.errors import EngineFault as EngineFault
    from twostep.models.errors import InputError as InputError
    from twostep.models.errors import MissingPackage as MissingPackage
    from twostep.models.errors import ModelError as ModelError
    from twostep.models.errors import TwostepError as TwostepError
    from twostep.models.errors import UnsupportedFeature as UnsupportedFeature
    from twostep.models.families.puzzle import Family as Family
    from twostep.models.families.puzzle import Puzzle as Puzzle
    from twostep.models.language.builder import ModelBuilder as ModelBuilder
    from twostep.models.language.model import UNLIMITED as UNLIMITED
    from twostep.models.language.model import Feature as Feature
    from twostep.models.language.model import Model as Model
    from twostep.models.language.model import SideCondition as SideCondition
    from twostep.models.language.model import Solution as Solution
    from twostep.models.language.verify import fault as fault
    from twostep.models.reading.load import load_puzzle as load_puzzle
    from twostep.models.search.engine import Counters as Counters
    from twostep.models.search.engine import Engine as Engine
    from twostep.models.search.engine import Limits as Limits
    from twostep.models.search.engine import SearchResult as SearchResult
    from twostep.models.search.engine import StopReason as StopReason
    from twostep.models.search.questions import Verdict as Verdict
    from twostep.models.search.questions import best as best
    from twostep.models.search.questions import count as count
    from twostep.models.search.questions import first as first
    from twostep.models.search.questions import listing as listing
    from twostep.models.search.questions import solutions as solutions
    from twostep.models.search.questions import unique as unique
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "twostep.models.errors": (
                "EngineFault",
                "InputError",
                "MissingPackage",
                "ModelError",
                "TwostepError",
                "UnsupportedFeature",
            ),
            "twostep.models.families.puzzle": ("Family", "Puzzle"),
            "twostep.models.language.builder": ("ModelBuilder",),
            "twostep.models.language.model": (
                "UNLIMITED",
                "Feature",
                "Model",
                "SideCondition",
                "Solution",
            ),
            "twostep.models.language.verify": ("fault",),
            "twostep.models.reading.load": ("load_puzzle",),
            "twostep.models.search.engine": (
                "Counters",
                "Engine",
                "Limits",
                "SearchResult",
                "StopReason",
            ),
            "twostep.models.search.questions": (
                "Verdict",
                "best",
                "count",
                "first",
                "listing",
                "solutions",
                "unique",
            ),
        },
    )
