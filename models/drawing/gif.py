"""Pages as an animation."""

from __future__ import annotations

import math
from collections.abc import Sequence

from twostep.models.drawing.page import Page
from twostep.models.drawing.pixels import gif_bytes
from twostep.models.drawing.raster import MOST_PIXELS, SCALE, image, size_of
from twostep.models.errors import InputError

FRAME_MS = 500
"""How long a frame stays; the last stays four times as long."""
MOST_FRAMES = 120
"""Most frames of an animation."""


def thinned(steps: Sequence[int], most: int = MOST_FRAMES) -> list[int]:
    """An even choice of steps, the first and the last among them."""
    if len(steps) <= most:
        return list(steps)
    return [steps[round(n * (len(steps) - 1) / (most - 1))] for n in range(most)]


def gif(pages: Sequence[Page], scale: float | None = None, frame_ms: int = FRAME_MS) -> bytes:
    """An animation's bytes: the pages one after the other, for ever; all of the first's size.

    Raises:
        InputError: too many frames, or too many pixels in all.
    """
    if len(pages) > MOST_FRAMES:
        raise InputError(f"{len(pages)} pictures are too many for a .gif: at most {MOST_FRAMES}")
    scale = _fitting(pages) if scale is None else scale
    wide, high = size_of(pages[0], scale)
    if len(pages) * wide * high > MOST_PIXELS:
        raise InputError(
            f"{len(pages)} pictures of {wide} x {high} pixels are too many: lower the scale, or"
            " draw a .png"
        )
    frames = [image(page, scale).quantize(255) for page in pages]
    return gif_bytes(frames, [frame_ms] * (len(frames) - 1) + [4 * frame_ms])


def _fitting(pages: Sequence[Page]) -> int:
    """A scale at which the animation is neither too large nor wider than a window."""
    page = pages[0]
    room = math.sqrt(0.9 * MOST_PIXELS / len(pages) / (page.width * page.height))
    return max(1, math.floor(min(SCALE, 800 / max(page.width, page.height), room)))
