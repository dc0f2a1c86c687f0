"""An independent checker of every rule of a maze file.

It shares no code with the maker: no grid, no braiding, no path finder; only the board, the sides
and the shape of the "42". So that the two can be wrong only in different ways.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from twostep.models.families.maze import pattern42
from twostep.models.families.maze.board import CLOSED, Board, Kind, Place, Side, spell
from twostep.models.families.maze.hexfile import MazeFile
from twostep.models.words import counted

_SIDES = tuple((side.name, side.value, side.opposite.value, side.step((0, 0))) for side in Side)
"""North, east, south, west: letter, bit, the bit of the same wall at the neighbour, the step."""


class Rule(Enum):
    """What a maze must obey."""

    BORDER = "border"
    """The outer border is closed."""
    CLOSED = "closed cells"
    """The cells that are to be closed are."""
    NEIGHBOURS = "neighbours"
    """Neighbouring cells agree on the wall between them."""
    REACHABLE = "reachable"
    """Every cell that is not to be closed can be reached."""
    HALL = "hall"
    """No 3x3 block of cells has all its twelve inner walls open (where halls are not allowed)."""
    LOOPS = "loops"
    """A perfect maze has no loop, a Pac-Man board two or more, a connected board any number."""
    DEAD_ENDS = "dead ends"
    """A Pac-Man board has at most two dead ends that could be opened."""
    KEY_CELLS = "key cells"
    """The corners and the middle of a Pac-Man board are free and can be reached."""
    ENTRY = "entry"
    """The entry is inside, and no closed cell."""
    EXIT = "exit"
    """The exit is inside, no closed cell, and not the entry."""
    PATH = "path"
    """The path leads from the entry to the exit, and none is shorter."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that is broken: the first cell (row by row) where it is, if it is at a cell."""

    rule: Rule
    place: Place | None
    message: str


@dataclass(frozen=True, slots=True)
class Report:
    """What the checker saw.

    Attributes:
        findings: the broken rules, at most one finding each, in the order of :class:`Rule`.
        kind: what the board was judged as: what was asked for, else what its loops say; None
            for a board with one loop, which is neither.
        has_42: whether the board has the "42".
        passages: open walls.
        components: parts of the board outside the "42" that don't hang together.
        loops: independent loops.
        dead_ends: the cells with one opening that could be given another, row by row.
        excused: the cells with one opening whose other sides all face the "42" or the border.
    """

    findings: tuple[Finding, ...]
    kind: Kind | None
    has_42: bool
    passages: int
    components: int
    loops: int
    dead_ends: tuple[Place, ...]
    excused: tuple[Place, ...]

    @property
    def valid(self) -> bool:
        """Whether every rule holds."""
        return not self.findings


def check(
    file: MazeFile,
    kind: Kind | None = None,
    *,
    closed: frozenset[Place] = pattern42.NO_CELLS,
    halls: bool = False,
) -> Report:
    """Check every rule of a maze file.

    Args:
        file: what stands in it.
        kind: as what kind of board; None: a perfect maze or a Pac-Man board.
        closed: cells that are to be closed, besides the "42".
        halls: whether a connected board may have open blocks of 3x3.
    """
    board = file.board
    ways = _Ways(board, closed)
    entry, entry_fault = _end("entry", file.entry, ways)
    exit, exit_fault = _end("exit", file.exit, ways)
    if exit is not None and exit == entry:
        exit_fault = Finding(Rule.EXIT, exit, f"the exit {spell(exit)} is the entry")
        exit = None
    part = _parts(ways, entry)
    passages = sum(map(len, ways.near.values())) // 2
    parts = len(set(part.values()))
    loops = passages - len(part) + parts
    if kind is None and loops != 1:
        kind = Kind.PERFECT if loops == 0 else Kind.PACMAN
    ends = [place for place, near in ways.near.items() if len(near) == 1]
    excused = tuple(place for place in ends if _is_excused(place, ways))
    dead_ends = tuple(place for place in ends if not _is_excused(place, ways))
    findings = [
        next(_holes(board), None),
        _not_closed(board, closed),
        next(_quarrels(board), None),
        next(_unreached(ways, part), None),
        None if halls and kind is Kind.CONNECTED else next(_halls(ways), None),
        _loop_fault(ways, loops, kind),
        _dead_end_fault(dead_ends) if kind is Kind.PACMAN else None,
        next(_key_cells(ways, part), None) if kind is Kind.PACMAN else None,
        entry_fault,
        exit_fault,
        _path_fault(ways, entry, exit, file.path) if entry and exit else None,
    ]
    return Report(
        findings=tuple(finding for finding in findings if finding is not None),
        kind=kind,
        has_42=bool(pattern42.found_in(board)),
        passages=passages,
        components=parts,
        loops=loops,
        dead_ends=dead_ends,
        excused=excused,
    )


class _Ways:
    """Where one can go: a wall is open if it is inside the board and both its cells say so."""

    def __init__(self, board: Board, closed: frozenset[Place]) -> None:
        self.board = board
        self.closed = closed
        self.pattern = pattern42.found_in(board) | closed
        self.near: dict[Place, list[Place]] = {
            place: [] for place in board.places() if place not in self.pattern
        }
        """The cells that are not to be closed, row by row, and where one can go from each."""
        for place, near in self.near.items():
            walls = board.at(place)
            for _, bit, opposite, (dx, dy) in _SIDES:
                there = place[0] + dx, place[1] + dy
                if not walls & bit and there in self.near and not board.at(there) & opposite:
                    near.append(there)

    def joined(self, a: Place, b: Place) -> bool:
        """Whether one can go from `a` to its neighbour `b`."""
        return b in self.near.get(a, ())


def _holes(board: Board) -> Iterator[Finding]:
    """Open walls on the border."""
    for x, y in board.places():
        outside = (y == 0, x == board.width - 1, y == board.height - 1, x == 0)
        if any(outside):
            walls = board.at((x, y))
            for (letter, bit, _, _), is_outside in zip(_SIDES, outside, strict=True):
                if is_outside and not walls & bit:
                    what = f"cell {spell((x, y))} has no wall on its side {letter}, on the border"
                    yield Finding(Rule.BORDER, (x, y), what)


def _not_closed(board: Board, closed: frozenset[Place]) -> Finding | None:
    """A cell that is to be closed and is not, or is none of the board."""
    for x, y in sorted(closed, key=lambda place: (place[1], place[0])):
        if not board.inside((x, y)) or board.at((x, y)) != CLOSED:
            what = f"cell {spell((x, y))} is to be closed on all sides, and is not"
            return Finding(Rule.CLOSED, (x, y), what)
    return None


def _quarrels(board: Board) -> Iterator[Finding]:
    """Walls that one cell calls open and the other closed."""
    for place in board.places():
        walls = board.at(place)
        for _, bit, opposite, (dx, dy) in _SIDES[1:3]:  # each wall once: east and south
            there = place[0] + dx, place[1] + dy
            if board.inside(there) and bool(walls & bit) != bool(board.at(there) & opposite):
                says = "closed and open" if walls & bit else "open and closed"
                what = f"cells {spell(place)} and {spell(there)} disagree about their wall: {says}"
                yield Finding(Rule.NEIGHBOURS, place, what)


def _parts(ways: _Ways, entry: Place | None) -> dict[Place, int]:
    """For each cell outside the "42" the number of the part it hangs together with.

    Part 0 is that of the entry, if there is one, else of the first cell that has an opening.
    """
    opened = (place for place, near in ways.near.items() if near)
    first = entry if entry is not None else next(opened, None)
    part: dict[Place, int] = {}
    parts = 0
    for start in ([first] if first is not None else []) + list(ways.near):
        if start in part:
            continue
        number = part[start] = parts
        parts += 1
        queue = deque([start])
        while queue:
            for there in ways.near[queue.popleft()]:
                if there not in part:
                    part[there] = number
                    queue.append(there)
    return part


def _unreached(ways: _Ways, part: dict[Place, int]) -> Iterator[Finding]:
    """Cells outside the "42" and outside part 0."""
    for place in ways.near:
        if part[place] != 0:
            what = f"cell {spell(place)} cannot be reached"
            if ways.board.at(place) == CLOSED:
                what += f": it is closed on all sides and no part of a {_expected_42(ways.board)}"
            yield Finding(Rule.REACHABLE, place, what)


def _expected_42(board: Board) -> str:
    """The "42" in words, with its place where the board has it elsewhere."""
    astray = pattern42.astray(board)
    if astray is None or not pattern42.fits(board.width, board.height):
        return '"42"'
    expected = pattern42.origin(board.width, board.height)
    return f'"42" in its place (its origin is {spell(astray)}, expected {spell(expected)})'


def _halls(ways: _Ways) -> Iterator[Finding]:
    """3x3 blocks with all twelve inner walls open, by their top left cell."""
    inner = [((x, y), (x + 1, y)) for y in range(3) for x in range(2)]
    inner += [((x, y), (x, y + 1)) for y in range(2) for x in range(3)]
    for x, y in ways.near:
        if all(ways.joined((x + a, y + b), (x + c, y + d)) for (a, b), (c, d) in inner):
            yield Finding(
                Rule.HALL,
                (x, y),
                f"no wall between the nine cells {spell((x, y))} to {spell((x + 2, y + 2))}",
            )


def _loop_fault(ways: _Ways, loops: int, kind: Kind | None) -> Finding | None:
    if kind is Kind.PERFECT and loops:
        place = _first_on_loop(ways)
        return Finding(
            Rule.LOOPS,
            place,
            f"{counted(loops, 'loop')}, one closed at cell {spell(place)}; a perfect maze has none",
        )
    if kind is Kind.PACMAN and loops < 2:
        return Finding(
            Rule.LOOPS, None, f"{counted(loops, 'loop')}; a Pac-Man board has at least 2"
        )
    if kind is None:
        place = _first_on_loop(ways)
        return Finding(
            Rule.LOOPS,
            place,
            f"1 loop, closed at cell {spell(place)}; a perfect maze has none, a Pac-Man board at"
            " least 2",
        )
    return None


def _first_on_loop(ways: _Ways) -> Place:
    """The first cell, row by row, whose passage to a cell before it closes a loop."""
    leader: dict[Place, Place] = {place: place for place in ways.near}

    def find(place: Place) -> Place:
        while leader[place] != place:
            leader[place] = place = leader[leader[place]]
        return place

    for place, near in ways.near.items():
        for there in near:
            if (there[1], there[0]) < (place[1], place[0]):
                a, b = find(place), find(there)
                if a == b:
                    return place
                leader[a] = b
    raise AssertionError("asked for a loop of a board without loops")


def _is_excused(place: Place, ways: _Ways) -> bool:
    """Whether a dead end can't be opened: it has no free neighbour but the one it leads to."""
    return sum(side.step(place) in ways.near for side in Side) == 1


def _dead_end_fault(dead_ends: tuple[Place, ...]) -> Finding | None:
    if len(dead_ends) <= 2:
        return None
    shown = ", ".join(map(spell, dead_ends[:3])) + (", ..." if len(dead_ends) > 3 else "")
    return Finding(
        Rule.DEAD_ENDS,
        dead_ends[0],
        f"{len(dead_ends)} dead ends that could be opened ({shown}); a Pac-Man board has at most 2",
    )


def _key_cells(ways: _Ways, part: dict[Place, int]) -> Iterator[Finding]:
    """Corners and middle that are not free, or can't be reached."""
    right, bottom = ways.board.width - 1, ways.board.height - 1
    named = {
        (0, 0): "corner",
        (right, 0): "corner",
        (ways.board.width // 2, ways.board.height // 2): "middle",
        (0, bottom): "corner",
        (right, bottom): "corner",
    }
    for place, name in named.items():
        if part.get(place) != 0:
            yield Finding(
                Rule.KEY_CELLS, place, f"the {name} {spell(place)} is closed or cannot be reached"
            )


def _end(name: str, place: Place | None, ways: _Ways) -> tuple[Place, None] | tuple[None, Finding]:
    """The entry or exit if it can be one, else what is wrong with it."""
    rule = Rule(name)
    if place is None:
        return None, Finding(rule, None, f"the file has no {name}")
    if not ways.board.inside(place):
        size = f"{ways.board.width}x{ways.board.height}"
        return None, Finding(rule, place, f"the {name} {spell(place)} is outside the {size} board")
    if place in ways.closed:
        return None, Finding(rule, place, f"the {name} {spell(place)} is a cell to be closed")
    if place in ways.pattern:
        return None, Finding(rule, place, f'the {name} {spell(place)} is on the "42"')
    if ways.board.at(place) == CLOSED:
        return None, Finding(rule, place, f"the {name} {spell(place)} is closed on all sides")
    return place, None


def _path_fault(ways: _Ways, entry: Place, exit: Place, path: str | None) -> Finding | None:
    shortest = _distance(ways, entry, exit)
    if shortest is None:
        return Finding(
            Rule.PATH, entry, f"there is no way from {spell(entry)} to the exit {spell(exit)}"
        )
    if not path:
        return Finding(
            Rule.PATH,
            entry,
            f"the file has no path; a shortest one has {counted(shortest, 'step')}",
        )
    place = entry
    for step, letter in enumerate(path, start=1):
        if letter not in Side.__members__:
            return Finding(
                Rule.PATH, place, f"step {step} of the path is {letter!r}, expected N, E, S or W"
            )
        there = Side[letter].step(place)
        if not ways.joined(place, there):
            return Finding(
                Rule.PATH,
                place,
                f"step {step} of the path, {letter} from cell {spell(place)}, is through a wall",
            )
        place = there
    if place != exit:
        return Finding(
            Rule.PATH, place, f"the path ends at {spell(place)}, the exit is {spell(exit)}"
        )
    if len(path) > shortest:
        return Finding(
            Rule.PATH,
            entry,
            f"the path has {counted(len(path), 'step')}, a shortest one has {shortest}",
        )
    return None


def _distance(ways: _Ways, start: Place, goal: Place) -> int | None:
    """How many steps it is from `start` to `goal`; None if there is no way."""
    seen = {start}
    rim = [start]
    steps = 0
    while rim:
        if goal in seen:
            return steps
        rim = list({there for place in rim for there in ways.near[place]} - seen)
        seen.update(rim)
        steps += 1
    return None
