"""Front of house: the engines by name, their agreement, and the ``twostep`` command.

The module can be called: ``twostep.compare`` is the name of this package and of one of the
questions of ``import twostep``, and Python has one place for both.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from twostep.compare.agreement.verdict import Comparison


class _Question(ModuleType):
    """This package, as the function :func:`twostep.compare.asking.questions.compare`."""

    def __call__(self, *puzzle: Any, **limits: Any) -> Comparison:
        from twostep.compare.asking.questions import compare

        return compare(*puzzle, **limits)


sys.modules[__name__].__class__ = _Question
