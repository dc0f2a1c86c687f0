"""Spoils files: bytes anywhere, and inside what a checksum or a format would protect from it.

Values of JSON, the chunks of a picture (with the right checksum), the text in a gzip file.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import struct
import zlib
from collections.abc import Callable

PNG = b"\x89PNG\r\n\x1a\n"

TOKENS = (
    b"", b"\x00", b"-1", b"0", b"1", b"99999999999999999999", b"9" * 5000, b"1e999", b"NaN",
    b"true", b"null", b"\xff\xfe", b"\xef\xbb\xbf", "é∞\u202e".encode(), b"\n", b"\r\n", b" ",
    b"\t", b"|", b":", b"#", b"=", b"!", b",", b"[" * 2000, b"{" * 2000, b'"', b"..", b"A" * 4000,
)  # fmt: skip
VALUES = (
    None, True, -1, 0, 1, 2**31, 2**63, 10**400, 1.5, float("nan"), "", "x", "\x00", "\n",
    "A" * 4000, [], {}, [[]], [0] * 1000, "99999999999", [[0, 0]] * 500,
)  # fmt: skip

Change = Callable[[bytes], bytes]


def spoil(data: bytes, rng: random.Random, change: Change) -> bytes:
    """A changed copy of a file's content; `change` changes bytes that nothing protects."""
    if rng.random() < 0.8:
        try:
            if data.startswith(b"\x1f\x8b"):
                return gzip.compress(_text(gzip.decompress(data), rng, change), 1, mtime=0)
            if data.startswith(PNG):
                return _png(data, rng, change)
            if data.startswith((b"{", b"[")):
                return json.dumps(_value(json.loads(data), rng)).encode("utf-8", "surrogatepass")
        except (OSError, EOFError, ValueError, RecursionError, struct.error, zlib.error):
            pass
    return _text(data, rng, change)


def damage(data: bytes, rng: random.Random) -> bytes:
    """Something cut out, doubled, put in, or another number."""
    begin = rng.randint(0, len(data))
    end = min(len(data), begin + int(rng.expovariate(1 / 8)))
    match rng.randrange(5):
        case 0:
            middle = b""
        case 1:
            middle = data[begin:end] * rng.choice((2, 3, 50))
        case 2:
            middle = bytes([rng.randrange(256)])
        case 3 if numbers := list(re.finditer(rb"\d+", data)):
            begin, end = rng.choice(numbers).span()
            middle = rng.choice((b"0", b"-1", b"7", b"100", b"65536", b"4294967296", b"9" * 30))
        case _:
            middle = rng.choice(TOKENS)
    return data[:begin] + middle + data[end:]


def _text(data: bytes, rng: random.Random, change: Change) -> bytes:
    return damage(data, rng) if rng.random() < 0.2 else change(data)


def _value(content: object, rng: random.Random) -> object:
    """The value with something in it changed."""
    if isinstance(content, list) and content and rng.random() < 0.9:
        place = rng.randrange(len(content))
        new = rng.choice(([], [content[place]] * 2, *[[_value(content[place], rng)]] * 3))
        return [*content[:place], *new, *content[place + 1 :]]
    if isinstance(content, dict) and content and rng.random() < 0.9:
        name = rng.choice(list(content))
        changed = {**content, name: _value(content[name], rng)}
        if rng.random() < 0.2:
            del changed[name]
        return changed
    if isinstance(content, int) and rng.random() < 0.5:
        return content + rng.choice((-1, 1, 1000))
    return rng.choice(VALUES)


def _png(data: bytes, rng: random.Random, change: Change) -> bytes:
    """Another size in the header, or chunks spoilt; with the right checksums."""
    out = PNG
    place = len(PNG)
    while place + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, place)
        kind, body = data[place + 4 : place + 8], data[place + 8 : place + 8 + length]
        place += 12 + length
        if kind == b"IHDR" and rng.random() < 0.4:
            sizes = [rng.choice((0, 1, 10, 600, 20_000, 2**31 - 1)) for _ in range(2)]
            body = struct.pack(">II", *sizes) + body[8:]
        elif kind == b"IDAT" and rng.random() < 0.3:
            body = zlib.compress(_text(zlib.decompress(body), rng, change))
        elif rng.random() < 0.2:
            body = _text(body, rng, change)
        out += struct.pack(">I", len(body)) + kind + body
        out += struct.pack(">I", zlib.crc32(kind + body))
    return out
