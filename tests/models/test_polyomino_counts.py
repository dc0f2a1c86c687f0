"""Counts of tilings that are known (exhaustive counts, and the theorem on Aztec diamonds)."""

from __future__ import annotations

import pytest

from twostep.compare.registry import engine
from twostep.models import count
from twostep.models.families.registry import named_puzzle

ANY_OF_ONE_TO_THREE_CELLS = "monominoes=any,dominoes=any,trominoes=any"


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("domino:2x2", 2),
        ("domino:4x4", 36),
        ("domino:6x6", 6728),
        ("domino:8x8", 12988816),
        ("domino:10x10", 258584046368),
        ("domino:12x12", 53060477521960000),
        ("domino:8x8-mutilated", 0),
        *((f"domino:aztec{order}", 2 ** (order * (order + 1) // 2)) for order in range(1, 7)),
        (f"polyomino:5x6:{ANY_OF_ONE_TO_THREE_CELLS}", 22120274147),
        (f"polyomino:6x6:{ANY_OF_ONE_TO_THREE_CELLS}", 3621843440108),
        (f"polyomino:5x7:{ANY_OF_ONE_TO_THREE_CELLS}", 1485011091210),
        (f"polyomino:8x8:{ANY_OF_ONE_TO_THREE_CELLS}", 92109458286284989468604),
        ("pentomino:3x20", 8),
        ("pentomino:20x3", 8),
        ("pentomino:8x8-center", 520),
        ("pentomino:6x10", 9356),
    ],
)
def test_dlx_counts(name: str, number: int) -> None:
    result = count(engine("dlx"), named_puzzle(name).model)
    assert result.complete
    assert result.found == number
