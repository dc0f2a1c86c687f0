"""What lists name as ``module:attribute`` (families, readers, engines, verbs), loaded when used."""

from __future__ import annotations

import importlib
from typing import Any


def load(place: str) -> Any:
    """What stands at `place`, ``module:attribute``; the module is imported now, if it wasn't."""
    module, _, attribute = place.partition(":")
    return getattr(importlib.import_module(module), attribute)
