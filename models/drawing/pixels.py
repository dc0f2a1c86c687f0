"""Images as bytes of PNG, APNG and GIF files: the one place that writes them."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image


def png_bytes(image: Image, *, optimize: bool = False) -> bytes:
    """An image as a PNG file; `optimize`: smaller, and slower."""
    out = io.BytesIO()
    image.save(out, "PNG", optimize=optimize)
    return out.getvalue()


def gif_bytes(images: Sequence[Image], durations: Sequence[int]) -> bytes:
    """Images of one size as an animation, for ever; `durations`: of each, ms."""
    out = io.BytesIO()
    images[0].save(
        out,
        "GIF",
        save_all=True,
        append_images=images[1:],
        duration=list(durations),
        loop=0,
        disposal=1,
        optimize=False,
    )
    return out.getvalue()


def apng_bytes(images: Sequence[Image], durations: Sequence[int]) -> bytes:
    """Images of one size as an animated PNG, for ever; `durations`: of each, ms."""
    out = io.BytesIO()
    images[0].save(
        out, "PNG", save_all=True, append_images=images[1:], duration=list(durations), loop=0
    )
    return out.getvalue()
