"""Items and options as a small table, for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

MOST = 12
"""So many items and options are shown; how many there are is said."""


def table(
    caption: str, items: Sequence[tuple[str, str]], options: Sequence[tuple[str, str]]
) -> str:
    """An HTML table with a row for each item and each option: its name and what is said of it."""
    rows = [
        f"<tr><th>{kind} {number}</th><td>{escape(name)}</td><td>{escape(told)}</td></tr>"
        for kind, listed in (("item", items), ("option", options))
        for number, (name, told) in enumerate(listed)
    ]
    return f"<table><caption>{escape(caption)}</caption>{''.join(rows)}</table>"
