"""Two tiles, one region, as a puzzle: ``two-tiling:U5,L4``."""

from __future__ import annotations

import re

from twostep.models.errors import InputError
from twostep.models.families.puzzle import Family, Puzzle
from twostep.models.families.two_tiling.contest import grids
from twostep.models.families.two_tiling.cover import MAX_SIDE, Pair, cover, region_of
from twostep.models.families.two_tiling.tiles import BOARD, parse_tile
from twostep.models.language.model import Model, Solution

SYNTAX = "two-tiling:TILE,TILE[:SIDE|ROWSxCOLS]"


class TwoTiling(Puzzle):
    """Two tiles and the board (8x8 unless it says otherwise) that their region must lie on.

    A solution is a region that touches the top row, with both its tilings.
    """

    def __init__(self, name: str, pair: Pair) -> None:
        self.name = name
        self.pair = pair

    def build(self) -> Model:
        """The model, of regions of any area."""
        return cover(self.pair)

    def draw(self, solution: Solution) -> str:
        """Both tilings side by side, as in the contest's output."""
        rows, columns = self.pair.rows, self.pair.columns
        left, right = grids(region_of(self.model, solution), rows, columns)
        return "\n".join(f"{one} {other}" for one, other in zip(left, right, strict=True))

    def obstacle(self) -> str | None:
        """A tile that does not fit, or areas that never agree."""
        return self.pair.obstacle()


def parse_pair(text: str, rows: int = BOARD, columns: int = BOARD) -> Pair:
    """The pair that ``U5,L4`` or ``##./.##,###/#.#`` names, on a board of that size.

    Raises:
        InputError: not two tiles, or an unknown one.
    """
    names = text.split(",")
    if len(names) != 2:
        raise InputError(
            f"{text[:60]!r}: expected two tiles with a comma between, such as U5,L4 or"
            f" ##./.##,###/#.#; got {len(names) if text else 0}"
        )
    return Pair(parse_tile(names[0]), parse_tile(names[1]), rows, columns)


def parse(arguments: str) -> TwoTiling:
    """The puzzle of ``TILE,TILE`` or ``TILE,TILE:BOARD``."""
    tiles, colon, board = arguments.partition(":")
    rows = columns = BOARD
    if colon:
        match = re.fullmatch(r"([0-9]{1,3})(?:x([0-9]{1,3}))?", board)
        if match is None:
            raise InputError(
                f"board {board[:20]!r}: expected a side such as 6, or 5x8, up to {MAX_SIDE}"
            )
        rows, columns = int(match[1]), int(match[2] or match[1])
    return TwoTiling(f"two-tiling:{arguments}", parse_pair(tiles, rows, columns))


FAMILY = Family(
    name="two-tiling",
    summary="a region that two given tiles both tile (Code Jam 2018)",
    syntax=SYNTAX,
    examples=("two-tiling:U5,L4", "two-tiling:##./.##,###/#.#", "two-tiling:I2,X5:6"),
    parse=parse,
)
