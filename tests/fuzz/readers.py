"""Everything that reads what a user hands in: how it is called, and files that it can read.

``mutate.py`` spoils such files, ``run_atheris.py`` looks for those that break a reader, and
``test_readers.py`` holds what was found. A reader reads, or refuses with a short line.
"""

from __future__ import annotations

import contextlib
import io
import json
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from twostep.models.errors import InputError, TwostepError
from twostep.models.families.registry import FAMILIES, family, named_puzzle

SECONDS = 5
MEGABYTES = 1024
"""How long a reader may take for a file: processor time, so that a busy machine accuses nobody;
and the memory that the whole process may take."""

FINDINGS = Path(__file__).with_name("findings")
"""What broke a reader once: a folder for each reader, a file for each kind of input."""

PUV = "pentomino:3x5:PUV"


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader, by the suffix of its files, and what makes a few files for it, given a folder."""

    suffix: str
    read: Callable[[Path], object]
    seeds: Callable[[Path], list[bytes]]

    def reads(self, content: bytes, folder: Path) -> bool:
        """Whether a file of that content is read; False: it is refused as it should be.

        Raises:
            Anything: what the reader must not do.
        """
        path = folder / f"spoilt{self.suffix}"
        path.write_bytes(content)
        try:
            with no_hang():
                self.read(path)
        except TwostepError as refused:
            line = str(refused)
            if not line.isprintable() or len(line) > 1500:
                raise ValueError(f"not one short line: {line[:1500]!r}") from refused
            return False
        return True

    def judged(self, content: bytes, folder: Path) -> bool:
        """As `reads`; and the process must never have taken too much memory.

        Raises:
            MemoryError: it has.
            Anything: see `reads`.
        """
        import resource  # there is none on Windows

        answer = self.reads(content, folder)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024  # Linux says kB
        if peak > MEGABYTES:
            raise MemoryError(f"{peak} MB")
        return answer


def findings(name: str) -> list[Path]:
    """What broke the reader once."""
    return sorted((FINDINGS / name).glob("*"))


class TooSlow(BaseException):
    """A reader took too long."""


@contextlib.contextmanager
def no_hang() -> Iterator[None]:
    """Inside, TooSlow is raised after so much processor time."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGPROF, _ring)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _ring(number: int, frame: FrameType | None) -> None:
    raise TooSlow


def _puzzle(name: object) -> object:
    from twostep.models.reading.load import load_puzzle

    puzzle = load_puzzle(str(name))
    return puzzle.obstacle() or puzzle.model


def _name(path: Path) -> None:
    _puzzle(path.read_bytes().decode("utf-8", "surrogateescape"))  # as the command line does


def _rows(path: Path) -> None:
    """Each family that takes its rows from a file; they differ in what they make of them."""
    refused = []
    for kind in ("sudoku", "starbattle", "dominosa", "edges", "words:3x3"):
        try:
            _puzzle(f"{kind}:{path}")
        except InputError as error:
            refused.append(error)
    if len(refused) == 5:
        raise refused[0]


def _level(path: Path) -> None:
    from twostep.models.game.levelfile import read_pack

    _puzzle(f"{path}#1")
    for level in read_pack(path).levels[:3]:
        level.puzzle.obstacle()


def _placed(path: Path) -> None:
    from twostep.models.play.placed import read_placed
    from twostep.models.play.room import Room

    for name in ("queens:5", "langford:4", "maze:3x3", "edges:1x2:abab,aabb", "calendar:Jan-25"):
        with contextlib.suppress(InputError):  # a drawing of the one is none of the others
            read_placed(path, named_puzzle(name))
    puzzle = named_puzzle(PUV)
    Room(puzzle).place(read_placed(path, puzzle))


def _options(path: Path) -> None:
    from twostep.models.language.verify import fault
    from twostep.models.reading.formats.modelfile import read_options

    model = named_puzzle("queens:4").model
    fault(model, read_options(path, model))


def _config(path: Path) -> None:
    from twostep.models.families.maze.config import read_config

    read_config(path)


def _hexfile(path: Path) -> None:
    from twostep.models.families.maze.hexfile import read_maze

    read_maze(path)


def _sprite(path: Path) -> None:
    from twostep.models.families.tetris.sprite import read_sprite

    read_sprite(path)


def _drops(path: Path) -> None:
    from twostep.models.families.tetris.printfile import from_text
    from twostep.models.reading.files import read_text

    from_text(read_text(path))


def _contest(path: Path) -> None:
    """Each file as an input and as an output."""
    from twostep.models.families.two_tiling.check import faults, parse_output
    from twostep.models.families.two_tiling.contest import parse_cases
    from twostep.models.reading.files import read_text

    text = read_text(path)
    given = parse_cases(CASES.decode())
    try:
        given = parse_cases(text)
    except InputError:
        faults(given, parse_output(text, str(path), 8, 8))


def _certificate(path: Path) -> None:
    from twostep.models.certificate.checker import verify

    verify(path, named_puzzle(PUV).model)


def _checkpoint(path: Path) -> None:
    from twostep.compare.parallel.checkpoint import open_checkpoint
    from twostep.compare.parallel.few import Few
    from twostep.compare.parallel.output import Output
    from twostep.compare.parallel.plan import parts_of

    model = named_puzzle(PUV).model
    content = path.read_bytes()
    output = Output(f"{path}.solutions") if b'"output"' in content else None
    few = Few(2, "unique") if b'"few"' in content else None
    try:
        parts_of(open_checkpoint(str(path), model, "dlx", None, output, few).plan, model)
    finally:
        if output is not None:
            output.close()


def _plan(path: Path) -> None:
    from twostep.compare.parallel.plan import parts_of, read_plan

    parts_of(read_plan(path), named_puzzle(PUV).model)


def _part(path: Path) -> None:
    from twostep.compare.parallel.part import read_result

    read_result(path)


def _record(path: Path) -> None:
    from twostep.compare.agreement.record import read_record

    read_record(path)


def _memory(path: Path) -> None:
    from twostep.compare.checking.memory import Memory

    Memory(path).recall("key", "dlx")


BOARD = b"""; a board
pieces: P U L4=2 T4-one-sided=0-3
faces: one-sided
empty: any
piece: H-fixed=1
#.#
###

locked:
PP...
PP.#.
P....

board:
.....
...#.
.....
"""

LEVEL = {
    "schema": "twostep-level/1", "name": "L", "author": "A", "seed": 3, "grade": 2,
    "board": [".....", ".....", "....."], "empty": 0,
    "pieces": ["P", "U", {"name": "V", "cells": ["#..", "#..", "###"], "copies": "0-2"}],
    "locked": [{"piece": "P", "cells": [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0]]}],
    "proven": {"solutions": 1, "complete": True, "engines": [{"engine": "dlx"}]},
}  # fmt: skip
PACK = {"schema": "twostep-level/1", "name": "All", "levels": [LEVEL, {**LEVEL, "name": "M"}]}

DLX = b"A B C 1:2|D | x y\nA B x:red\nC D y\nA C x:red\nB D |3\nD y\n"
HEX = b"9515\nC3A3\nD56A\n\n0,0\n3,2\nEESS\n"
CONFIG = b"WIDTH=9\nHEIGHT=7\nENTRY=0,0\nEXIT=8,6\nOUTPUT_FILE=maze.txt\nPERFECT=True\nSEED=42\n"
PLACED = b'{"placed": [{"piece": "P", "cells": [[0, 1], [0, 2], [1, 1], [1, 2], [1, 3]]}]}'
MEMORY = b'{"key": [8, true, "00", 0.25]}'

CASES = b"2\n@@@ @..\n@.@ @..\n... @@.\n\n... @@.\n@@@ .@@\n... .@@\n"
OUTPUT = b"""Case #1: POSSIBLE
........ ........
.00.11.. .00.11..
.0.1.1.. .0.1.1..
........ ........
........ ........
........ ........
........ ........
........ ........
Case #2: IMPOSSIBLE
"""


def _fixed(*contents: bytes) -> Callable[[Path], list[bytes]]:
    return lambda folder: list(contents)


def _json(*contents: object) -> Callable[[Path], list[bytes]]:
    return _fixed(*(json.dumps(content).encode() for content in contents))


def _picture(*rows: str) -> Callable[[Path], list[bytes]]:
    def png(folder: Path) -> list[bytes]:
        from PIL import Image

        image = Image.new("L", (len(rows[0]), len(rows)))
        image.putdata([0 if cell == "#" else 255 for row in rows for cell in row])
        out = io.BytesIO()
        image.save(out, "PNG")
        return [out.getvalue()]

    return png


def _names(folder: Path) -> list[bytes]:
    return [example.encode() for kind in FAMILIES for example in family(kind).examples]


def _models(folder: Path) -> list[bytes]:
    from twostep.models.reading.formats import dlx, json_model

    return [json_model.write(dlx.read(DLX.decode())).encode()]


def _drop_files(folder: Path) -> list[bytes]:
    from twostep.models.families.tetris.convert import convert
    from twostep.models.families.tetris.patterns import table
    from twostep.models.families.tetris.printfile import to_text
    from twostep.models.families.tetris.sprite import read_own_sprite

    text = to_text(convert(read_own_sprite("heart"), table()))
    return [text.encode()]


def _certificates(folder: Path) -> list[bytes]:
    from twostep.compare.certify import certify_count, certify_solutions
    from twostep.dlx_backend import DlxEngine

    model = named_puzzle(PUV).model
    certify_count(DlxEngine(), model, folder / "whole")
    certify_solutions(model, folder / "some", [])
    return [(folder / name).read_bytes() for name in ("whole", "some")]


def _checkpoints(folder: Path) -> list[bytes]:
    from twostep.compare.parallel.count import spread_count
    from twostep.compare.parallel.output import Output
    from twostep.compare.parallel.questions import spread_unique

    model = named_puzzle(PUV).model
    spread_count("dlx", model, parts=6, checkpoint=str(folder / "count"))
    spread_count(
        "dlx", model, parts=6, checkpoint=str(folder / "solve"),
        receive=lambda solution: None, output=Output(str(folder / "solutions")),
    )  # fmt: skip
    spread_unique("dlx", model, parts=6, checkpoint=str(folder / "unique"))
    return [(folder / name).read_bytes() for name in ("count", "solve", "unique")]


def _plans(folder: Path) -> list[bytes]:
    return [json.dumps(json.loads(_checkpoints(folder)[0])["plan"]).encode()]


def _parts(folder: Path) -> list[bytes]:
    return [json.dumps(json.loads(_checkpoints(folder)[0])["results"][0]).encode()]


def _records(folder: Path) -> list[bytes]:
    from twostep.compare.agreement.record import record_of, write_record
    from twostep.compare.agreement.verdict import compare
    from twostep.dlx_backend import DlxEngine
    from twostep.models import Limits

    model = named_puzzle(PUV).model
    record = record_of(PUV, model, compare([DlxEngine()], model))
    write_record(folder / "seed", record, Limits())
    return [(folder / "seed").read_bytes()]


READERS = {
    "name": Reader("", _name, _names),
    "board": Reader(".txt", _puzzle, _fixed(BOARD, b"......\n.#..#.\n......\n......\n")),
    "dlx": Reader(".dlx", _puzzle, _fixed(DLX)),
    "level": Reader(".json", _level, _json(LEVEL, PACK)),
    "model": Reader(".json", _puzzle, _models),
    "silhouette": Reader(".png", _puzzle, _picture(*["##########"] * 6)),
    "rows": Reader(".txt", _rows, _fixed(
        b"53..7....\n6..195...\n.98....6.\n8...6...3\n4..8.3..1\n7...2...6\n.6....28.\n...419..5\n"
        b"....8..79\n", b"# s\nAABB\nAABB\nCCDD\nCCDD\n", b"001\n110\n", b"2x2 a\naabb\nabba\n",
        b"tea\nwar\nore\ntwo\near\nbar\n",
    )),
    "maze": Reader(".maze", _puzzle, _fixed(b"PERFECT=False\n" + HEX)),
    "config": Reader(".cfg", _config, _fixed(CONFIG)),
    "hexfile": Reader(".txt", _hexfile, _fixed(HEX)),
    "sprite": Reader(".png", _sprite, _picture("#..#", ".##.", "####")),
    "drops": Reader(".txt", _drops, _drop_files),
    "contest": Reader(".txt", _contest, _fixed(CASES, OUTPUT)),
    "options": Reader(".txt", _options, _fixed(
        b"r0 c1 rising1 falling-1\nr1 c3 rising4 falling-2\n(no option)\nc0 r2 rising2 falling2\n"
        b"r3 c2 rising5 falling1\n",
    )),
    "placed": Reader(".json", _placed, _fixed(b"VPP..\nVPPP.\nVVV..\n", PLACED)),
    "memory": Reader(".json", _memory, _fixed(MEMORY)),
    "record": Reader(".json", _record, _records),
    "part": Reader(".json", _part, _parts),
    "plan": Reader(".json", _plan, _plans),
    "checkpoint": Reader(".json", _checkpoint, _checkpoints),
    "certificate": Reader(".gz", _certificate, _certificates),
}  # fmt: skip
