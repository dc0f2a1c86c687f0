"""Feeds spoilt files to the readers: ``python hostile.py READER SECONDS SEED FOLDER``.

A search for inputs that break a reader, guided by what it says: an input to which a reader answers
in a new way (the place in the code and the message, numbers and names left out) is kept and
spoilt further. A reader must read a file or refuse it with a TwostepError, within 5 s, and within
1 GB of memory. The first input that does otherwise is saved in FOLDER, and the exit code is 1.
"""

from __future__ import annotations

import gzip
import io
import json
import random
import re
import signal
import struct
import sys
import time
import traceback
import zlib
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from twostep.models.errors import TwostepError

SECONDS = 5
BYTES = 1 << 30

Read = Callable[[Path], object]

PUV = "pentomino:3x5:PUV"
DLX = b"A B C 1:2|D | x y\nA B x:red\nC D y\nA C x:red\nB D |3\nD y\n"
BOARD = b"......\n.#..#.\n......\n......\n"


def _puzzle(path: Path) -> object:
    from twostep.models.reading import load_puzzle

    puzzle = load_puzzle(str(path))
    return puzzle.model, puzzle.obstacle()


def _certificate(path: Path) -> object:
    from twostep.models.certificate.checker import verify
    from twostep.models.families import named_puzzle

    return verify(path, named_puzzle(PUV).model)


def _checkpoint(path: Path) -> object:
    from twostep.compare.spread.checkpoint import open_checkpoint
    from twostep.compare.spread.plan import parts_of
    from twostep.models.families import named_puzzle

    model = named_puzzle(PUV).model
    return parts_of(open_checkpoint(str(path), model, "dlx", None).plan, model)


def _plan(path: Path) -> object:
    from twostep.compare.spread.plan import parts_of, read_plan
    from twostep.models.families import named_puzzle

    return parts_of(read_plan(path), named_puzzle(PUV).model)


def _part(path: Path) -> object:
    from twostep.compare.spread.part import read_result

    return read_result(path)


def _record(path: Path) -> object:
    from twostep.compare.record import read_record

    return read_record(path)


def _pack(path: Path) -> object:
    from twostep.models.levels.levelfile import read_pack

    return [level.puzzle.model for level in read_pack(path).levels[:3]]


def _placed(path: Path) -> object:
    from twostep.models.families import named_puzzle
    from twostep.models.levels.playing import read_placed
    from twostep.models.polyomino.puzzle import PolyominoPuzzle

    puzzle = named_puzzle(PUV)
    assert isinstance(puzzle, PolyominoPuzzle)
    return read_placed(path, puzzle)


def _config(path: Path) -> object:
    from twostep.models.maze.config import read_config

    return read_config(path)


def _hex(path: Path) -> object:
    from twostep.models.maze.hexfile import read_maze

    return read_maze(path)


def _sprite(path: Path) -> object:
    from twostep.models.tetris.sprite import read_sprite

    return read_sprite(path)


def _png(rows: list[str]) -> bytes:
    from PIL import Image

    image = Image.new("L", (len(rows[0]), len(rows)), 255)
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            if cell == "#":
                image.putpixel((x, y), 0)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def _level_seeds(folder: Path) -> list[bytes]:
    from twostep.models import levels

    packed = json.loads((Path(next(iter(levels.__path__))) / "twostep-150.json").read_text())
    few = {**packed, "levels": packed["levels"][:2]}
    one = {"schema": packed["schema"], **packed["levels"][0]}
    return [json.dumps(few).encode(), json.dumps(one).encode()]


def _model_seeds(folder: Path) -> list[bytes]:
    from twostep.models.formats import dlx, json_model

    model = dlx.read(DLX.decode())
    return [json_model.write(model).encode()]


def _certificate_seeds(folder: Path) -> list[bytes]:
    from twostep.compare.certify import certify_count, certify_solutions
    from twostep.dlx_backend import DlxEngine
    from twostep.models.families import named_puzzle

    model = named_puzzle(PUV).model
    certify_count(DlxEngine(), model, folder / "whole")
    certify_solutions(model, folder / "some", [])
    return [(folder / name).read_bytes() for name in ("whole", "some")]


def _checkpoint_seeds(folder: Path) -> list[bytes]:
    from twostep.compare.spread.count import spread_count
    from twostep.models.families import named_puzzle

    spread_count("dlx", named_puzzle(PUV).model, parts=6, checkpoint=str(folder / "seed"))
    return [(folder / "seed").read_bytes()]


def _plan_seeds(folder: Path) -> list[bytes]:
    from twostep.compare.spread.plan import split
    from twostep.models.families import named_puzzle

    return [json.dumps(split(named_puzzle(PUV).model, 6).members()).encode()]


def _part_seeds(folder: Path) -> list[bytes]:
    return [json.dumps(json.loads(_checkpoint_seeds(folder)[0])["results"][0]).encode()]


def _record_seeds(folder: Path) -> list[bytes]:
    from twostep.compare.agreement import compare
    from twostep.compare.record import record_of, write_record
    from twostep.dlx_backend import DlxEngine
    from twostep.models import Limits
    from twostep.models.families import named_puzzle

    model = named_puzzle(PUV).model
    record = record_of(PUV, model, compare([DlxEngine()], model))
    write_record(folder / "seed", record, Limits())
    return [(folder / "seed").read_bytes()]


def _fixed(*contents: bytes) -> Callable[[Path], list[bytes]]:
    return lambda folder: list(contents)


SILHOUETTE = ["##########"] * 6
CONFIG = b"WIDTH=9\nHEIGHT=7\nENTRY=0,0\nEXIT=8,6\nOUTPUT_FILE=maze.txt\nPERFECT=True\nSEED=42\n"
HEX = b"9515\nC3A3\nD56A\n\n0,0\n3,2\nEESS\n"

READERS: dict[str, tuple[str, Read, Callable[[Path], list[bytes]]]] = {
    "board": (".txt", _puzzle, _fixed(BOARD, b"3x5\nPUV\n")),
    "dlx": (".dlx", _puzzle, _fixed(DLX)),
    "level": (".json", _puzzle, _level_seeds),
    "pack": (".json", _pack, _level_seeds),
    "model": (".json", _puzzle, _model_seeds),
    "silhouette": (".png", _puzzle, lambda folder: [_png(SILHOUETTE)]),
    "maze": (".maze", _puzzle, _fixed(b"PERFECT=False\n" + HEX)),
    "config": (".cfg", _config, _fixed(CONFIG)),
    "hexfile": (".txt", _hex, _fixed(HEX)),
    "sprite": (".png", _sprite, lambda folder: [_png(["#..#", ".##.", "####"])]),
    "placed": (".json", _placed, _fixed(
        b"VPPUU\nVPPPU\nVVVUU\n", b'{"placed": [{"piece": "P", "cells": [[0, 1], [0, 2]]}]}',
    )),
    "certificate": (".gz", _certificate, _certificate_seeds),
    "checkpoint": (".json", _checkpoint, _checkpoint_seeds),
    "plan": (".json", _plan, _plan_seeds),
    "part": (".json", _part, _part_seeds),
    "record": (".json", _record, _record_seeds),
}  # fmt: skip

TOKENS = (
    b"", b"\x00", b"-1", b"0", b"1", b"99999999999999999999", b"9" * 5000, b"1e999", b"NaN",
    b"true", b"null", b"\xff\xfe", b"\xef\xbb\xbf", "é∞\u202e".encode(), b"\n", b"\r\n", b" ",
    b"\t", b"|", b":", b"#", b"=", b"!", b",", b"[" * 2000, b"{" * 2000, b'"', b"..", b"A" * 4000,
)  # fmt: skip
VALUES = (
    None, True, -1, 0, 1, 2**31, 2**63, 10**400, 1.5, float("nan"), "", "x", "\x00", "A" * 4000,
    [], {}, [[]], [0] * 1000, {"schema": 1}, "99999999999", [[0, 0]] * 500,
)  # fmt: skip


def spoil(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """A changed copy of some file's content."""
    if data[:2] == b"\x1f\x8b" and rng.random() < 0.8:
        try:
            return gzip.compress(_spoil_text(gzip.decompress(data), others, rng), 1)
        except (OSError, EOFError, zlib.error):
            pass
    if data[:8] == b"\x89PNG\r\n\x1a\n" and rng.random() < 0.5:
        return _spoil_png(data, rng)
    if data[:1] in b"{[" and rng.random() < 0.7:
        try:
            content = json.loads(data)
        except (ValueError, RecursionError):
            pass
        else:
            for _ in range(rng.randint(1, 3)):
                content = _spoil_json(content, rng)
            return json.dumps(content).encode("utf-8", "surrogatepass")
    return _spoil_text(data, others, rng)


def _spoil_text(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    for _ in range(rng.choice((1, 1, 2, 5))):
        begin = rng.randint(0, len(data))
        end = min(len(data), begin + int(rng.expovariate(1 / 8)))
        what = rng.randrange(7)
        if what == 0:
            data = data[:begin] + data[end:]
        elif what == 1:
            data = data[:begin] + data[begin:end] * rng.choice((2, 3, 50)) + data[end:]
        elif what == 2:
            data = data[:begin] + rng.choice(TOKENS) + data[end:]
        elif what == 3 and data:
            place = rng.randrange(len(data))
            data = data[:place] + bytes([rng.randrange(256)]) + data[place + 1 :]
        elif what == 4:
            other = rng.choice(others)
            place = rng.randint(0, len(other))
            data = data[:begin] + other[place : place + 40] + data[end:]
        elif what == 5:
            numbers = list(re.finditer(rb"\d+", data))
            if numbers:
                number = rng.choice(numbers)
                new = rng.choice((b"0", b"-1", b"7", b"100", b"65536", b"4294967296", b"9" * 30))
                data = data[: number.start()] + new + data[number.end() :]
        else:
            data = data[:begin]
    return data[: 1 << 20]


def _spoil_json(content: object, rng: random.Random) -> object:
    if isinstance(content, list) and content and rng.random() < 0.9:
        place = rng.randrange(len(content))
        changed = list(content)
        match rng.randrange(4):
            case 0:
                del changed[place]
            case 1:
                changed.insert(place, changed[place])
            case _:
                changed[place] = _spoil_json(changed[place], rng)
        return changed
    if isinstance(content, dict) and content and rng.random() < 0.9:
        name = rng.choice(list(content))
        changed_members = dict(content)
        match rng.randrange(5):
            case 0:
                del changed_members[name]
            case 1:
                changed_members[rng.choice(("", "x", "schema", "cells", "count"))] = content[name]
            case _:
                changed_members[name] = _spoil_json(content[name], rng)
        return changed_members
    if isinstance(content, int) and rng.random() < 0.5:
        return content + rng.choice((-1, 1, 1000))
    return rng.choice(VALUES)


def _spoil_png(data: bytes, rng: random.Random) -> bytes:
    """Another size in the header, or one chunk spoilt, with the right checksum."""
    chunks = []
    place = 8
    while place + 12 <= len(data):
        (length,) = struct.unpack(">I", data[place : place + 4])
        chunks.append((data[place + 4 : place + 8], data[place + 8 : place + 8 + length]))
        place += 12 + length
    out = data[:8]
    for kind, body in chunks:
        changed = body
        if kind == b"IHDR" and rng.random() < 0.6 and len(body) == 13:
            sizes = [rng.choice((0, 1, 10, 600, 20_000, 2**31 - 1)) for _ in range(2)]
            changed = struct.pack(">II", *sizes) + body[8:]
        elif rng.random() < 0.3:
            changed = _spoil_text(body, [body], rng)
        out += struct.pack(">I", len(changed)) + kind + changed
        out += struct.pack(">I", zlib.crc32(kind + changed))
    return out


def _signature(error: BaseException | None) -> str:
    """What kind of answer this was: where it was raised, and the message's words."""
    if error is None:
        return "read"
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{frames[-1].filename}:{frames[-1].lineno}"
    return f"{place} {re.sub(r'[^a-z ]+', '', str(error))[:80]}"


class TooSlow(BaseException):
    """A reader took too long."""


def _ring(number: int, frame: FrameType | None) -> None:
    raise TooSlow


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:
        return
    try:
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except OSError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (used + BYTES, used + BYTES))


def fuzz(name: str, seconds: float, seed: int, folder: Path) -> str | None:
    """Spoil files for so long; gives what went wrong, or None."""
    suffix, read, seeds_of = READERS[name]
    rng = random.Random(seed)
    seeds = seeds_of(folder)
    target = folder / f"spoilt{suffix}"
    known: set[str] = set()
    pool: list[bytes] = []
    for content in seeds:  # also loads all that is needed, before memory is limited
        target.write_bytes(content)
        try:
            read(target)
            known.add("read")
        except TwostepError as error:
            known.add(_signature(error))
        pool.append(content)
    if "read" not in known:
        return f"no seed of {name} can be read: {known}"
    _limit_memory()
    signal.signal(signal.SIGALRM, _ring)
    tried = 0
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        content = spoil(rng.choice(pool), pool, rng)
        target.write_bytes(content)
        tried += 1
        error: BaseException | None = None
        signal.alarm(SECONDS)
        try:
            read(target)
        except TwostepError as refused:
            error = refused
            if "\n" in str(refused) or len(str(refused)) > 1000:
                error = ValueError(f"not one short line: {str(refused)[:300]!r}")
        except BaseException as wrong:
            error = wrong
        finally:
            signal.alarm(0)
        if error is not None and not isinstance(error, TwostepError):
            (folder / f"found-{name}{suffix}").write_bytes(content)
            shown = "".join(traceback.format_exception(error))[-1500:]
            return f"{name}: {type(error).__name__} after {tried} files\n{shown}\n{content[:300]!r}"
        signature = _signature(error)
        if signature not in known:
            known.add(signature)
            pool.append(content)
    sys.stdout.write(f"{name}: {tried} files, {len(known)} kinds of answer\n")
    return None


if __name__ == "__main__":
    problem = fuzz(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
    if problem is not None:
        sys.exit(problem)
