"""Fifty pictures as users bring them, made in code, each with the flags that they would give."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFont

RED, SKIN, BROWN, WHITE = (216, 40, 0), (252, 152, 56), (136, 112, 0), (255, 255, 255)
CLEAR = (0, 0, 0, 0)


@dataclass(frozen=True)
class Brought:
    """A picture, the flags, and what is to come of it: None, or a part of the refusal."""

    name: str
    image: Image.Image
    flags: tuple[str, ...] = ()
    refused: str | None = None


def blob(rng: random.Random, width: int, height: int, colours: int = 3) -> Image.Image:
    """Something like a sprite: mirrored, in few colours, transparent around."""
    image = Image.new("RGBA", (width, height), CLEAR)
    known = (RED, SKIN, BROWN)[:colours]
    for y in range(height):
        half = min(
            width // 2, max(1, round(width / 2 * math.sin((y + 1) / (height + 1) * math.pi)))
        )
        for x in range(width // 2 - half, width // 2):
            colour = (*rng.choice(known), 255) if rng.random() < 0.85 else CLEAR
            image.putpixel((x, y), colour)
            image.putpixel((width - 1 - x, y), colour)
    image.putpixel((width // 2, height - 1), (*RED, 255))
    return image


def enlarged(image: Image.Image, side: int) -> Image.Image:
    size = (image.width * side, image.height * side)
    return image.resize(size, Image.Resampling.NEAREST)


def on(colour: tuple[int, int, int], image: Image.Image) -> Image.Image:
    """On a background, as a picture without transparency has it."""
    back = Image.new("RGBA", image.size, (*colour, 255))
    back.alpha_composite(image)
    return back.convert("RGB")


def disc(size: int, *, noise: int = 0, seed: int = 0) -> Image.Image:
    """A smooth picture with light from the left, noisy if wanted: a photo's stand-in."""
    rng = random.Random(seed)
    image = Image.new("RGB", (size, size))
    for y in range(size):
        for x in range(size):
            far = math.hypot(x - size / 2, y - size / 2) / size
            light = 230 - 300 * far if far < 0.4 else 40 + 60 * x / size
            parts = (light, light * 0.7, 120 - light * 0.3)
            more = rng.randint(-noise, noise) if noise else 0
            image.putpixel((x, y), tuple(min(255, max(0, round(p + more))) for p in parts))
    return image


def text(words: str, *, smooth: bool) -> Image.Image:
    image = Image.new("RGBA" if smooth else "1", (7 * len(words), 12))
    draw = ImageDraw.Draw(image)
    ink = (*RED, 255) if smooth else 1
    draw.text((0, 0), words, fill=ink, font=ImageFont.load_default(10) if smooth else None)
    return image if smooth else on(WHITE, image.convert("RGBA"))


def smooth_ellipse(width: int, height: int) -> Image.Image:
    """Its edges are anti-aliased against nothing."""
    large = Image.new("RGBA", (8 * width, 8 * height), CLEAR)
    ImageDraw.Draw(large).ellipse((0, 0, 8 * width - 1, 8 * height - 1), fill=(*SKIN, 255))
    return large.resize((width, height), Image.Resampling.BOX)


def brought() -> Iterator[Brought]:
    """All fifty."""
    rng = random.Random(19)
    for n, (width, height) in enumerate([(16, 16), (8, 8), (17, 32), (13, 9), (16, 32)]):
        yield Brought(f"sprite-{n}", blob(rng, width, height, 1 + n % 3))
    for side in (2, 3, 4, 8, 10):
        yield Brought(f"enlarged-{side}", enlarged(blob(rng, 16, 16), side))
    yield Brought("enlarged-wide", enlarged(blob(rng, 20, 12), 4), (), "--fit")
    for n, side in enumerate((1, 4)):
        image = enlarged(on(WHITE, blob(rng, 15, 15, 3)), side)
        yield Brought(f"white-{n}", image, (), "--transparent")
        yield Brought(f"white-clear-{n}", image, ("--transparent", "white"))
    for n, size in enumerate((14, 17, 30, 64)):
        yield Brought(f"smooth-{n}", smooth_ellipse(size, size), (), None if size < 18 else "--fit")
        yield Brought(f"smooth-fit-{n}", smooth_ellipse(size, size), ("--fit",))
    for n, noise in enumerate((0, 10, 60)):
        photo = disc(90, noise=noise, seed=n)
        yield Brought(f"photo-{n}", photo, (), "--fit")
        for colours in ("1", "2", "3"):
            yield Brought(f"photo-fit-{n}-{colours}", photo, ("--fit", "--colours", colours))
    for n, words in enumerate(("Hi", "OK", "A")):
        yield Brought(f"text-{n}", text(words, smooth=False))
        yield Brought(f"text-smooth-{n}", text(words, smooth=True), ("--fit",))
    yield Brought("long-text", text("a long text", smooth=True), (), "--fit")
    yield Brought("long-text-fit", text("a long text", smooth=True), ("--fit",))
    yield Brought("one", Image.new("RGBA", (1, 1), (*RED, 255)))
    yield Brought("one-in-many", framed(17, 32))
    yield Brought("one-in-too-many", framed(60, 60))
    yield Brought("nothing", Image.new("RGBA", (9, 9), CLEAR), (), "nothing to print")
    yield Brought("banner", blob(rng, 100, 3), (), "--fit")
    yield Brought("banner-fit", blob(rng, 100, 3), ("--fit",))
    yield Brought("pole-fit", blob(rng, 4, 200), ("--fit",))


def framed(width: int, height: int) -> Image.Image:
    """One pixel in the middle of nothing."""
    image = Image.new("RGBA", (width, height), CLEAR)
    image.putpixel((width // 2, height // 2), (*BROWN, 255))
    return image
