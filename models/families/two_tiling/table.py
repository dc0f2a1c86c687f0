"""The table of smallest areas: every tile against every tile."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from twostep.models.families.two_tiling.tiles import Tile

UNKNOWN = None
"""In place of an area that a limit kept from being proven."""


@dataclass(frozen=True, slots=True)
class AreaTable:
    """The smallest area for each two of some tiles.

    Attributes:
        tiles: rows and columns of the table.
        areas: (tiles, tiles) symmetric; cells, 0 where there is no region, UNKNOWN where a limit
            ended the search. A tile with itself has its own size.
    """

    tiles: tuple[Tile, ...]
    areas: tuple[tuple[int | None, ...], ...]

    @classmethod
    def of(
        cls, tiles: Sequence[Tile], area_of: Mapping[tuple[Tile, Tile], int | None]
    ) -> AreaTable:
        """The table from the areas of the pairs, each pair in either order."""

        def area(one: Tile, other: Tile) -> int | None:
            if one == other:
                return one.size
            key = (one, other)
            return area_of[key] if key in area_of else area_of[other, one]

        rows = tuple(tuple(area(one, other) for other in tiles) for one in tiles)
        return cls(tuple(tiles), rows)

    @property
    def distribution(self) -> Counter[int | None]:
        """How many pairs of different tiles have each area."""
        return Counter(
            self.areas[row][column]
            for row in range(len(self.tiles))
            for column in range(row + 1, len(self.tiles))
        )

    def as_text(self) -> str:
        """The table with names at its edges; ``.`` where there is no region, ``?`` unknown."""
        names = [tile.name for tile in self.tiles]
        width = max(map(len, names))
        lines = [" ".join([" " * width, *(name.rjust(2) for name in names)])]
        for name, row in zip(names, self.areas, strict=True):
            cells = (
                _text(area).rjust(max(2, len(top))) for area, top in zip(row, names, strict=True)
            )
            lines.append(" ".join([name.ljust(width), *cells]))
        return "\n".join(lines)

    def as_csv(self) -> str:
        """The table as CSV: names in the first row and column; 0 no region, empty unknown."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["tile", *(tile.name for tile in self.tiles)])
        for tile, row in zip(self.tiles, self.areas, strict=True):
            writer.writerow([tile.name, *("" if area is UNKNOWN else area for area in row)])
        return text.getvalue()


def _text(area: int | None) -> str:
    if area is UNKNOWN:
        return "?"
    return str(area) if area else "."
