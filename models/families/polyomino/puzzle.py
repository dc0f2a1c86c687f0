"""A board to be filled with pieces, as an exact-cover model.

Items: one for each kind of piece whose number of copies is bounded, one for each free cell.
Options: each placement covers its piece's item and its cells. The bounds on the copies are the
multiplicity of the piece's item, so equal copies are never told apart.

Cells that may stay empty: where the number of empty cells follows from the areas of the pieces
the cells are secondary items; else each cell has an option that leaves it empty, and those
options cover one further item as often as cells are to stay empty.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pkgutil import resolve_name
from typing import TYPE_CHECKING, ClassVar, cast

import numpy as np
import numpy.typing as npt

from twostep.models.drawing.scene import NO_MARKS, Marks, Scene, Spare
from twostep.models.errors import InputError
from twostep.models.families.polyomino.board import Board
from twostep.models.families.polyomino.pieces import (
    Cell,
    Kind,
    Transform,
    letters,
    merged,
    neighbours,
    normalised,
)
from twostep.models.families.polyomino.placement import (
    Gap,
    Lock,
    Placement,
    cell_name,
    check_placed,
    placements,
    places,
)
from twostep.models.families.puzzle import Choice, Part, Puzzle, Reason
from twostep.models.language.builder import ModelBuilder
from twostep.models.language.model import UNLIMITED, IntArray, Model, Solution
from twostep.models.reading.files import whole_number
from twostep.models.words import counted

if TYPE_CHECKING:
    from twostep.models.families.likeness import Likeness

_Places = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]

ANY = "any"
"""As the number of empty cells: each cell may stay empty."""


def parse_empty(text: str) -> int | str | None:
    """How many cells stay empty, a number or ANY; None: `text` says neither."""
    if text == ANY:
        return ANY
    return whole_number(text)


@dataclass(frozen=True, eq=False)
class PolyominoPuzzle(Puzzle):
    """A board, the pieces to fill it with, and what may stay empty.

    Attributes:
        name: what the user typed to get it, or the file's name.
        board: the cells to fill.
        kinds: the pieces and their numbers of copies; see :func:`pieces.merged`.
        empty: how many cells stay empty, exactly, or "any".
        locks: pieces already placed.
        apart: whether copies of one piece may not share an edge.
    """

    name: str
    board: Board
    kinds: tuple[Kind, ...]
    empty: int | str = 0
    locks: tuple[Lock, ...] = ()
    apart: bool = False

    def __post_init__(self) -> None:
        if not self.kinds:
            raise InputError("no pieces")
        if len(merged(self.kinds)) < len(self.kinds):
            raise InputError("a piece is listed twice: merge its copies")
        if isinstance(self.empty, str):
            if self.empty != ANY:
                raise InputError(f"empty {self.empty[:20]!r}: expected a number or 'any'")
        elif not 0 <= self.empty <= self.board.size:
            raise InputError(
                f"empty {self.empty}: the board has {counted(self.board.size, 'cell')} to leave"
                " empty"
            )
        _ = self.locked  # refuses locks that do not fit

    @cached_property
    def locked(self) -> tuple[Placement, ...]:
        """The pieces already placed, as placements."""
        return check_placed(self.board, self.kinds, self.locks)

    @cached_property
    def letters(self) -> dict[str, str]:
        """The character that stands for each piece in a drawn board."""
        names = [kind.name for kind in self.kinds]
        return dict(zip(names, letters(names), strict=True))

    @property
    def legend(self) -> dict[str, str]:
        """The pieces whose letter in a drawn board is not their name's first: letter to name."""
        return {letter: name for name, letter in self.letters.items() if letter != name[0]}

    @property
    def remark(self) -> str:
        """The legend, where letters are not the names' first."""
        return ", ".join(f"{letter} is {name}" for letter, name in self.legend.items())

    def parts(self, solution: Solution) -> tuple[Part, ...]:
        """The pieces and their cells."""
        labels = [self.model.labels[option] for option in solution]
        return tuple((each.piece, each.cells) for each in labels if isinstance(each, Placement))

    @property
    def fixed_area(self) -> int | None:
        """How many cells the pieces cover; None: it depends on how many are used."""
        if any(kind.low != kind.high for kind in self.kinds):
            return None
        return sum(kind.low * kind.piece.size for kind in self.kinds)

    @property
    def _cells_secondary(self) -> bool:
        """Whether a cell may stay empty without an option that says so."""
        if self.empty == ANY:
            return True
        return self.empty != 0 and self.fixed_area == self.board.size - int(self.empty)

    def build(self) -> Model:
        """The model: pieces first, then cells; placements kind by kind, then gaps."""
        builder = ModelBuilder(self.name)
        secondary = self._cells_secondary
        piece_item: dict[str, list[int]] = {}
        kinds = [kind for kind in self.kinds if kind.high != 0]  # others change nothing
        for kind in kinds:
            piece_item[kind.name] = _piece_item(builder, kind, secondary)
        add_cell = builder.secondary if secondary else builder.item
        cell_item = {cell: add_cell(cell_name(cell)) for cell in self.board.free}
        labels: list[Placement | Gap] = []
        several = [kind for kind in kinds if kind.high != 1] if self.apart else []
        edge_item = {
            (kind.name, edge): builder.secondary("/".join((kind.name, *map(cell_name, edge))))
            for kind in several
            for edge in _inner_edges(self.board.free_set)
        }
        for placement in placements(self.board, kinds):
            entries = [cell_item[cell] for cell in placement.cells]
            entries += [
                edge_item[placement.piece, edge]
                for edge in (_rim(placement.cells) if edge_item else ())
                if (placement.piece, edge) in edge_item
            ]
            builder.option(piece_item[placement.piece] + entries, placement)
            labels.append(placement)
        if not secondary and self.empty != 0:
            gaps = builder.item("empty-cells", int(self.empty))
            for cell in self.board.free:
                builder.option([gaps, cell_item[cell]], Gap(cell))
                labels.append(Gap(cell))
        option_of = {
            (label.piece, label.cells): option
            for option, label in enumerate(labels)
            if isinstance(label, Placement)
        }
        builder.chosen = [option_of[lock.piece, lock.cells] for lock in self.locked]
        builder.symmetries = self._symmetries(labels, frozenset(builder.chosen))
        return builder.build()

    def _symmetries(self, labels: Sequence[Placement | Gap], chosen: frozenset[int]) -> IntArray:
        """The board's symmetries that are the puzzle's, as permutations of the options.

        Such a symmetry sends each piece to a piece of which as many copies may be used: see
        :func:`partners`. Locked pieces must go to locked pieces.
        """
        group = [np.arange(len(labels), dtype=np.int32)]
        if len(self.board.symmetries) == 1 or not labels:
            return np.array(group)
        kinds = [kind for kind in self.kinds if kind.high != 0]
        forms = [(kind.name, shape) for kind in kinds for shape in kind.piece.orientations]
        first = {kind.name: forms.index((kind.name, kind.piece.orientations[0]))
                 for kind in kinds}  # fmt: skip
        forms.append(("", ((0, 0),)))  # a gap
        form = np.array(
            [first[each.piece] + each.orientation if isinstance(each, Placement)
             else len(forms) - 1 for each in labels]
        )  # fmt: skip
        start = np.array(
            [each.cells[0] if isinstance(each, Placement) else each.cell for each in labels]
        )
        # The bounding box; the first cell lies in its first row, but not always in its corner.
        top, left = start[:, 0], start[:, 1] - np.array([s[0][1] for _, s in forms])[form]
        bottom = top + np.array([max(row for row, _ in s) for _, s in forms])[form]
        right = left + np.array([max(column for _, column in s) for _, s in forms])[form]
        rows, columns = self.board.rows, self.board.columns
        # Form, then row, then column: ascending, as the options are made in this order.
        key = (form * rows + top) * columns + left
        index = {each: number for number, each in enumerate(forms)}
        for symmetry in self.board.symmetries[1:]:
            partner = partners(kinds, self.board, symmetry.transform)
            if partner is None:
                continue
            partner[""] = ""
            image_of = np.array(
                [index.get((partner.get(name, name), normalised(map(symmetry.transform, shape))), 0)
                 for name, shape in forms]
            )  # fmt: skip
            # The transforms are formulas, which do for arrays what they do for numbers.
            move = cast(Callable[[_Places], _Places], symmetry.transform)
            one, other = move((top, left)), move((bottom, right))
            image_top = np.minimum(one[0], other[0]) + symmetry.down
            image_left = np.minimum(one[1], other[1]) + symmetry.right
            image_key = (image_of[form] * rows + image_top) * columns + image_left
            image = np.minimum(np.searchsorted(key, image_key), len(key) - 1)
            if (key[image] != image_key).any():  # a piece that lies differently: none is left
                continue
            if set(image[sorted(chosen)].tolist()) == chosen:
                group.append(image.astype(np.int32))
        return np.array(group)

    @property
    def symmetry(self) -> str:
        """``of the board``, and which pieces change places where some do."""
        kinds = [kind for kind in self.kinds if kind.high != 0]
        locked = {(lock.piece, lock.cells) for lock in self.locked}
        pairs: dict[tuple[str, ...], None] = {}
        for symmetry in self.board.symmetries[1:]:
            partner = partners(kinds, self.board, symmetry.transform) or {}
            images = {
                (partner.get(lock.piece), tuple(sorted(map(symmetry.image, lock.cells))))
                for lock in self.locked
            }
            if images == locked:
                exchanged = (tuple(sorted(pair)) for pair in partner.items() if len({*pair}) == 2)
                pairs.update(dict.fromkeys(exchanged))
        if not pairs:
            return ""
        said = ", ".join(" and ".join(pair) for pair in pairs)
        return f" of the board; {said} change places"

    def reason(self) -> Reason | None:
        """Besides obstacles: regions and colourings that the pieces cannot make up."""
        # By its name: that module knows this one.
        told: Callable[[Puzzle], Reason | None] = resolve_name(
            "twostep.models.families.polyomino.reasons:cheap_reason"
        )
        return told(self)

    def obstacle(self) -> str | None:
        """The areas do not fit; a piece fits nowhere; a cell that no piece reaches."""
        return self._area_obstacle() or self._reach_obstacle()

    def _area_obstacle(self) -> str | None:
        board = self.board.size
        area = self.fixed_area
        if self.empty == ANY:
            least = sum(kind.low * kind.piece.size for kind in self.kinds)
            if least <= board:
                return None
            covered = counted(least, "cell")
            return f"the pieces cover {covered}, the board has {board}: {least - board} too many"
        empty = int(self.empty)
        target = board - empty
        minus = f", {empty} of them to stay empty" if empty else ""
        if area is not None and area != target:
            off = f"{target - area} too few" if area < target else f"{area - target} too many"
            return f"the pieces cover {counted(area, 'cell')}, the board has {board}{minus}: {off}"
        if area is None and not sums_to(self.kinds, target):
            wanted = counted(target, "cell")
            return f"no choice of the pieces covers {wanted} (the board has {board}{minus})"
        return None

    def _reach_obstacle(self) -> str | None:
        taken = {cell for lock in self.locked for cell in lock.cells}
        used = Counter(lock.piece for lock in self.locked)
        spent = {
            kind.name
            for kind in self.kinds
            if kind.high is not None and used[kind.name] >= kind.high
        }
        fits: set[str] = set()
        reached: set[Cell] = set()
        for label in self.model.labels:
            if not isinstance(label, Placement):
                continue
            if label.piece not in spent and taken.isdisjoint(label.cells):
                fits.add(label.piece)
                reached.update(label.cells)
        for kind in self.kinds:
            if kind.low > used[kind.name] and kind.name not in fits:
                return f"piece {kind.name} fits nowhere"
        if self.empty == 0:
            for cell in self.board.free:
                if cell not in taken and cell not in reached:
                    return f"no piece reaches cell ({cell_name(cell)})"
        return None

    @cached_property
    def likeness(self) -> Likeness:
        """Outline, pieces and locked pieces."""
        from twostep.models.families.polyomino.likeness import likeness

        empty = f"{self.empty}, equal pieces apart" if self.apart else self.empty
        return likeness(self.board, self.kinds, empty, self.locks)

    def move(self, option: int) -> str:
        """``P at 0,1 0,2 1,1 1,2 1,3``."""
        return str(self.model.labels[option])

    def act(self, option: int) -> Hashable | None:
        """Laying a piece; that a cell stays empty is nothing that a player does."""
        return None if isinstance(self.model.labels[option], Gap) else option

    def piece(self, option: int) -> str:
        """The piece's name."""
        label = self.model.labels[option]
        return label.piece if isinstance(label, Placement) else "nothing"

    def need(self, item: int) -> str:
        """``cell (0,1)``, ``piece P``, or the number of empty cells."""
        place = item - self._first_cell
        if 0 <= place < self.board.size:
            return f"cell ({self.model.items[item]})"
        name = self.model.items[item]
        if "/" in name:  # of copies that may not touch
            piece, one, other = name.split("/")
            return f"the edge of {piece} between ({one}) and ({other})"
        return f"piece {name}" if place < 0 else "the number of empty cells"

    def choice(self, item: int) -> Choice:
        """Of places for a piece, of ways to cover a cell."""
        if item < self._first_cell:
            return Choice("place", "", "the pieces", "one of them")
        return Choice("way", "to be covered")

    @cached_property
    def _first_cell(self) -> int:
        """The item of the first cell: those of pieces come before."""
        return self.model.items.index(cell_name(self.board.free[0])) if self.board.free else 0

    given: ClassVar[str] = "locked"

    def read(self, rows: Sequence[str]) -> tuple[int, ...]:
        """A piece's letter in each of its cells, ``.`` where nothing lies: see `read_filling`."""
        from twostep.models.families.polyomino.filling import read_filling

        return self.lay(read_filling(rows, self.board, self.kinds, 1))

    def lay(self, placed: Sequence[Lock], word: str = "placed") -> tuple[int, ...]:
        """The options of pieces a player has placed, in the order given, locked ones left out.

        Raises:
            InputError: a wrong shape, an overlap, and so on: see :func:`check_placed`.
        """
        locked = set(self.locks)
        players = [lock for lock in placed if lock not in locked]
        found = check_placed(self.board, self.kinds, [*self.locks, *players], word)
        return tuple(self._option_of[each.piece, each.cells] for each in found[len(self.locks) :])

    @cached_property
    def _option_of(self) -> dict[tuple[str, tuple[Cell, ...]], int]:
        return {
            (label.piece, label.cells): option
            for option, label in enumerate(self.model.labels)
            if isinstance(label, Placement)
        }

    def draw(self, solution: Solution) -> str:
        """The board row by row, a piece's letter in each of its cells.

        ``#`` is blocked, ``.`` empty. Where two copies of one piece touch, the second has the
        letter's other case, or a digit.
        """
        placed = [self.model.labels[option] for option in solution]
        return self.drawn([label for label in placed if isinstance(label, Placement)])

    def picture(self, placed: Iterable[int] = (), marks: Marks = NO_MARKS) -> Scene:
        """The board with locked pieces and those of some options on it."""
        from twostep.models.families.polyomino.picture import scene

        return scene(self, self.lying(placed), marks)

    def tray(self, placed: Iterable[int] = ()) -> tuple[Spare, ...]:
        """The pieces that are still to be placed, and the locked ones."""
        from twostep.models.families.polyomino.picture import tray

        return tray(self, self.lying(placed))

    def lying(self, placed: Iterable[int]) -> list[Placement]:
        """The locked pieces, and those that some options place."""
        labels = (self.model.labels[option] for option in placed)
        others = [label for label in labels if isinstance(label, Placement)]
        return list(dict.fromkeys([*self.locked, *others]))

    def drawn(self, placed: Iterable[Placement]) -> str:
        """Some pieces on the board, as :meth:`draw` shows them."""
        placed = sorted(placed, key=lambda placement: placement.cells)
        filled: dict[Cell, str] = {}
        for placement, character in zip(placed, self._characters(placed), strict=True):
            filled.update(dict.fromkeys(placement.cells, character))
        return self.board.picture(filled)

    def heat(self, usage: Sequence[int]) -> str:
        """For each piece, in how many solutions it covers each cell: one table below the other."""
        times = self._covered(usage)
        width = max((len(f"{n}") for row in times.values() for n in row.values()), default=1)
        tables = []
        for name, row in times.items():
            lines = [f"{name}:"]
            for r in range(self.board.rows):
                cells = [
                    f"{row.get((r, c), 0)}" if (r, c) in self.board.free_set else "#"
                    for c in range(self.board.columns)
                ]
                lines.append(" ".join(cell.rjust(width) for cell in cells))
            tables.append("\n".join(lines))
        return "\n\n".join(tables)

    def heat_maps(self, usage: Sequence[int]) -> tuple[Scene, ...]:
        """A board for each piece, the cells that it covers most often the darkest."""
        from twostep.models.drawing.heat import cells

        times = self._covered(usage)
        most = max((n for row in times.values() for n in row.values()), default=0)
        return tuple(
            cells(name, {cell: row.get(cell, 0) for cell in self.board.free}, most)
            for name, row in times.items()
        )

    def _covered(self, usage: Sequence[int]) -> dict[str, dict[Cell, int]]:
        """For each piece (and "empty"), in how many solutions it covers which cells."""
        times: dict[str, dict[Cell, int]] = {kind.name: {} for kind in self.kinds}
        for label, uses in zip(self.model.labels, usage, strict=True):
            name = label.piece if isinstance(label, Placement) else "empty"
            for cell in label.cells if isinstance(label, Placement) else (label.cell,):
                row = times.setdefault(name, {})
                row[cell] = row.get(cell, 0) + uses
        return times

    def _characters(self, placed: Sequence[Placement]) -> list[str]:
        """One character for each piece, so that equal characters never touch."""
        from twostep.models.drawing.geometry import contacts, smallest_last

        touching = contacts([piece.cells for piece in placed])
        characters = self._greedy(placed, touching, range(len(placed)))
        if "?" in characters:
            # The pieces are a planar map: in this order at most five of a piece's neighbours
            # have a character before it has.
            characters = self._greedy(placed, touching, smallest_last(touching))
        return characters

    def _greedy(
        self, placed: Sequence[Placement], touching: Sequence[set[int]], order: Iterable[int]
    ) -> list[str]:
        """A character for each piece, one after the other; ``?`` where none is left."""
        taken = set(self.letters.values())
        digits = [digit for digit in "0123456789" if digit not in taken]
        characters = [""] * len(placed)
        for i in order:
            letter = self.letters[placed[i].piece]
            swapped = letter.swapcase()
            other = [swapped] if len(swapped) == 1 and swapped not in taken else []
            around = {characters[j] for j in touching[i]}
            characters[i] = next(c for c in (letter, *other, *digits, "?") if c not in around)
        return characters


def partners(kinds: Sequence[Kind], board: Board, transform: Transform) -> dict[str, str] | None:
    """Where a symmetry of the board sends each piece; None: it is no symmetry of the puzzle.

    It is one if it maps the pieces, each with its number of copies and with the ways in which it
    may lie, to themselves: a piece that may not be turned over goes to its mirror partner. A
    piece that fits nowhere and need not be used changes nothing.
    """

    def bounds(kind: Kind) -> tuple[int, int]:
        most = board.size // kind.piece.size
        return kind.low, most if kind.high is None else min(kind.high, most)

    known = {(frozenset(kind.piece.orientations), bounds(kind)): kind.name for kind in kinds}
    found: dict[str, str] = {}
    for kind in kinds:
        image = frozenset(normalised(map(transform, form)) for form in kind.piece.orientations)
        partner = known.get((image, bounds(kind)))
        if partner is not None:
            found[kind.name] = partner
        elif kind.low or any(places(board, form) for form in kind.piece.orientations):
            return None
    return found


_Edge = tuple[Cell, Cell]
"""Two neighbouring cells, the upper or left one first."""


def _inner_edges(cells: frozenset[Cell]) -> list[_Edge]:
    """The edges between two cells of a board."""
    return [
        (cell, near)
        for cell in sorted(cells)
        for near in ((cell[0], cell[1] + 1), (cell[0] + 1, cell[1]))
        if near in cells
    ]


def _rim(cells: Sequence[Cell]) -> list[_Edge]:
    """The edges between a piece's cells and those around it."""
    inside = set(cells)
    return [
        (min(cell, near), max(cell, near))
        for cell in cells
        for near in neighbours(cell)
        if near not in inside
    ]


def _piece_item(builder: ModelBuilder, kind: Kind, cells_secondary: bool) -> list[int]:
    """The piece's item, in a list; no item where the number of copies is free.

    Where the cells are secondary an option needs a primary item besides.
    """
    if not cells_secondary:
        if kind.low == 0 and kind.high is None:
            return []
        if (kind.low, kind.high) == (0, 1):
            return [builder.secondary(kind.name)]
    return [builder.item(kind.name, kind.low, UNLIMITED if kind.high is None else kind.high)]


def sums_to(kinds: Sequence[Kind], target: int) -> bool:
    """Whether some allowed numbers of copies cover exactly `target` cells."""
    # Bit n of `sums`: n cells can be covered by the kinds so far.
    sums, mask = 1, (1 << (target + 1)) - 1
    for kind in kinds:
        size = kind.piece.size
        most = target // size if kind.high is None else min(kind.high, target // size)
        if most < kind.low:
            return False
        sums = (sums << kind.low * size) & mask
        extra, step = most - kind.low, 1
        while extra > 0:  # 1, 2, 4 ... and the rest: every number of copies up to `extra`
            take = min(step, extra)
            sums |= (sums << take * size) & mask
            extra -= take
            step *= 2
    return bool(sums >> target & 1)
