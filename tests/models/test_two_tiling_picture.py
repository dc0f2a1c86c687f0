"""The table of smallest areas and the pictures of two tilings."""

from __future__ import annotations

import io

from helpers.engines import DLX
from helpers.tilings import region_of_area, smallest_on_dlx
from PIL import Image

from twostep.models.families.polyomino.pieces import neighbours
from twostep.models.families.two_tiling import picture
from twostep.models.families.two_tiling.family import parse_pair
from twostep.models.families.two_tiling.regions import Verdict, common_region
from twostep.models.families.two_tiling.table import AreaTable
from twostep.models.families.two_tiling.tiles import Tile, parse_tile

# --- table and pictures ---------------------------------------------------------------------------


def small_table() -> AreaTable:
    tiles = [parse_tile(name) for name in ("I1", "I2", "X5")]
    areas: dict[tuple[Tile, Tile], int | None] = {
        (tiles[0], tiles[1]): 2,
        (tiles[2], tiles[0]): None,
        (tiles[1], tiles[2]): 0,
    }
    return AreaTable.of(tiles, areas)


def test_a_table_is_symmetric_with_each_tiles_own_size_in_the_diagonal() -> None:
    table = small_table()
    assert table.areas == ((1, 2, None), (2, 2, 0), (None, 0, 5))
    assert table.as_text().split("\n") == [
        "   I1 I2 X5",
        "I1  1  2  ?",
        "I2  2  2  .",
        "X5  ?  .  5",
    ]
    assert table.as_csv() == "tile,I1,I2,X5\nI1,1,2,\nI2,2,2,0\nX5,,0,5\n"
    assert table.distribution == {2: 1, None: 1, 0: 1}


def pixels(png: bytes) -> tuple[tuple[int, int], set[tuple[int, ...]]]:
    image = Image.open(io.BytesIO(png)).convert("RGB")
    colours = image.getcolors(1 << 24)
    assert colours is not None
    return image.size, {colour for _, colour in colours if isinstance(colour, tuple)}


def test_a_picture_shows_warm_tiles_left_and_cool_tiles_right() -> None:
    pair = parse_pair("L4,O4")
    region = common_region(DLX, pair).region
    png = picture.draw_pair(picture.Answered(1, pair, Verdict.POSSIBLE, region))
    image = Image.open(io.BytesIO(png)).convert("RGB")
    halves = [image.crop((0, 140, image.width // 2, image.height)),
              image.crop((image.width // 2, 140, image.width, image.height))]  # fmt: skip
    for half, own, foreign in zip(
        halves, (picture.WARM, picture.COOL), (picture.COOL, picture.WARM), strict=True
    ):
        _, colours = pixels(_png(half))
        assert set(own[:2]) <= colours
        assert not set(foreign) & colours


def _png(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def test_a_picture_of_an_impossible_pair_has_no_tiling() -> None:
    pair = parse_pair("U5,X5")
    png = picture.draw_pair(picture.Answered(1, pair, Verdict.IMPOSSIBLE, None))
    (_, high), colours = pixels(png)
    assert high > 0
    assert not set(picture.WARM[1:]) & colours


def test_tiles_that_touch_have_different_shades() -> None:
    for answer in list(smallest_on_dlx().values())[::7]:
        if answer.region is None:
            continue
        for tiling in (answer.region.first, answer.region.second):
            shades = picture.shades_of(tiling, 6)
            shade_of = {
                cell: shade for tile, shade in zip(tiling, shades, strict=True) for cell in tile
            }
            tile_of_cell = {cell: tile for tile in tiling for cell in tile}
            for cell, near in ((c, n) for c in shade_of for n in neighbours(c) if n in shade_of):
                if tile_of_cell[cell] != tile_of_cell[near]:
                    assert shade_of[cell] != shade_of[near]


def test_the_sheet_and_the_table_are_pictures() -> None:
    answers = [
        picture.Answered(1, parse_pair("L4,O4"), Verdict.POSSIBLE, region_of_area(8)),
        picture.Answered(2, parse_pair("U5,X5"), Verdict.IMPOSSIBLE, None),
        picture.Answered(3, parse_pair("U5,L4"), Verdict.UNKNOWN, None),
    ]
    for png in (picture.draw_sheet(answers), picture.draw_table(small_table())):
        (wide, high), colours = pixels(png)
        assert min(wide, high) > 100
        assert len(colours) > 8
