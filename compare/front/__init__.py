"""Twostep: one exact-cover model, two engines, one answer you can check.

>>> import twostep
>>> twostep.count("pentomino:3x20").found
8
>>> for solution in twostep.solutions("queens:6", solution_limit=1):
...     print(solution)
.Q....
...Q..
.....Q
Q.....
..Q...
....Q.

This is ``import twostep``. Every name is loaded when it is first used, so that importing the
package costs nothing; deeper modules can be imported, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from twostep.models.lazy import lazily

if TYPE_CHECKING:
    from twostep.compare.agreement.verdict import Agreement as Agreement
    from twostep.compare.agreement.verdict import Comparison as Comparison
    from twostep.compare.asking.answers import Count as Count
    from twostep.compare.asking.answers import EnginesDisagree as EnginesDisagree
    from twostep.compare.asking.answers import Listing as Listing
    from twostep.compare.asking.answers import Solution as Solution
    from twostep.compare.asking.answers import Uniqueness as Uniqueness
    from twostep.compare.asking.drawing import Picture as Picture
    from twostep.compare.asking.drawing import draw as draw
    from twostep.compare.asking.questions import best as best
    from twostep.compare.asking.questions import compare as compare
    from twostep.compare.asking.questions import count as count
    from twostep.compare.asking.questions import first as first
    from twostep.compare.asking.questions import listing as listing
    from twostep.compare.asking.questions import solutions as solutions
    from twostep.compare.asking.questions import unique as unique
    from twostep.compare.asking.questions import verify as verify
    from twostep.compare.asking.stream import Solutions as Solutions
    from twostep.compare.asking.subject import PuzzleLike as PuzzleLike
    from twostep.compare.asking.subject import load as load
    from twostep.compare.versions import __version__ as __version__
    from twostep.models import UNLIMITED as UNLIMITED
    from twostep.models import EngineFault as EngineFault
    from twostep.models import Family as Family
    from twostep.models import InputError as InputError
    from twostep.models import MissingPackage as MissingPackage
    from twostep.models import Model as Model
    from twostep.models import ModelBuilder as ModelBuilder
    from twostep.models import ModelError as ModelError
    from twostep.models import Puzzle as Puzzle
    from twostep.models import SearchResult as SearchResult
    from twostep.models import SideCondition as SideCondition
    from twostep.models import StopReason as StopReason
    from twostep.models import TwostepError as TwostepError
    from twostep.models import UnsupportedFeature as UnsupportedFeature
    from twostep.models import Verdict as Verdict
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "twostep.compare.agreement.verdict": (
                "Agreement",
                "Comparison",
            ),
            "twostep.compare.asking.answers": (
                "Count",
                "EnginesDisagree",
                "Listing",
                "Solution",
                "Uniqueness",
            ),
            "twostep.compare.asking.drawing": (
                "Picture",
                "draw",
            ),
            "twostep.compare.asking.questions": (
                "best",
                "compare",
                "count",
                "first",
                "listing",
                "solutions",
                "unique",
                "verify",
            ),
            "twostep.compare.asking.stream": ("Solutions",),
            "twostep.compare.asking.subject": (
                "PuzzleLike",
                "load",
            ),
            "twostep.compare.versions": ("__version__",),
            "twostep.models": (
                "UNLIMITED",
                "EngineFault",
                "Family",
                "InputError",
                "MissingPackage",
                "Model",
                "ModelBuilder",
                "ModelError",
                "Puzzle",
                "SearchResult",
                "SideCondition",
                "StopReason",
                "TwostepError",
                "UnsupportedFeature",
                "Verdict",
            ),
        },
    )
