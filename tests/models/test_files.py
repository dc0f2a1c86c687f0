"""Reading and writing files."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest
from helpers.cli import Typed

from twostep.models.errors import InputError
from twostep.models.reading.files import (
    parse_json,
    read_bytes,
    read_text,
    text_from,
    write_atomically,
)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda p: None, "no such file"),
        (lambda p: p.mkdir(), "folder"),
        (lambda p: p.write_bytes(b""), "empty"),
        (lambda p: p.write_bytes(b" \n\n"), "empty"),
        (lambda p: p.write_bytes(b"a\nb\n\xff\xfe"), "not UTF-8"),
    ],
)
def test_an_unreadable_file_gives_one_line_that_names_it(tmp_path: Path, make, message) -> None:
    path = tmp_path / "f.txt"
    make(path)
    with pytest.raises(InputError, match=message) as caught:
        read_text(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_not_utf8_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "f.txt"
    path.write_bytes(b"a\nb\n\xff")
    with pytest.raises(InputError) as caught:
        read_text(path)
    assert caught.value.line == 3


CONTROLS = [*range(9), *range(14, 32), *range(127, 160)]
"""All control characters of Unicode but spaces and line ends (9 to 13)."""


@pytest.mark.parametrize("code", CONTROLS, ids=hex)
def test_no_file_can_steer_a_terminal(code: int, tmp_path: Path) -> None:
    path = tmp_path / "f.txt"
    path.write_text(f"one\r\ntwo {chr(code)}[31m", encoding="utf-8", newline="")
    with pytest.raises(InputError, match=rf"f\.txt:2:5: the control character U\+{code:04X}"):
        read_text(path)
    with pytest.raises(InputError, match=rf"^2:5: the control character U\+{code:04X}"):
        parse_json(f'["\\\\",\n "\\\\\\u{code:04X}"]', "a list")
    with pytest.raises(InputError, match="a control character in the file's name") as refused:
        read_text(tmp_path / f"{chr(code)}.txt")
    assert str(refused.value).isprintable()


def test_other_characters_and_spellings_are_read(tmp_path: Path) -> None:
    path = tmp_path / "日本 é.txt"
    path.write_text("é 日本 👩‍🚀 \u202e\t\f\v\n", encoding="utf-8")
    assert read_text(path) == "é 日本 👩‍🚀 \u202e\t\f\v\n"
    assert parse_json(r'"\u00e9 \n\t\f\r \\u001b \\b \\\\b"', "x") == "é \n\t\f\r \\u001b \\b \\\\b"
    with pytest.raises(InputError, match="1:2: the control character U\\+0008"):
        parse_json(r'"\b"', "x")


@pytest.mark.parametrize("mark", ["\u2028", "\f", "\v"])
def test_a_line_ends_where_editors_end_it(mark: str, here: Path, typed: Typed) -> None:
    for puzzle, text, said in (
        (
            "f.txt",
            f"pieces: P U V\n.....{mark}.....\n.....\n",
            f"2:6: board: unknown character {mark!r}",
        ),
        ("sudoku:f.txt", f"....\n..{mark}.\n....\n....\n", f"f.txt:2:3: {mark!r}"),
        ("words:2x2:f.txt", f"ab{mark}cd\n", "f.txt: no word in the file"),
    ):
        Path("f.txt").write_text(text)
        assert said in typed("count", puzzle).err
    Path("f.txt").write_text(f"VPPUU{mark}VPPPU\nVVVUU\n")
    assert (
        "f.txt:1: the filling has 2 rows"
        in typed("hint", "pentomino:3x5:PUV", "--placed", "f.txt").err
    )
    Path("f.txt").write_text(f"FF0000\n\n{'A' * 10}{mark}{'A' * 10}\n")
    Path("s.txt").write_text("0\n")
    assert "f.txt:3:11: block 1: unknown letter" in typed("tetris", "check", "f.txt", "s.txt").err


def test_a_stream_without_end_is_refused_as_a_large_file_is() -> None:
    said = "standard input: too large: more than 100 bytes"
    with open("/dev/zero", "rb") as endless, pytest.raises(InputError, match=said):
        text_from(endless, "standard input", limit=100)


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "f.txt"
    path.write_bytes(b"\xef\xbb\xbf...\n")
    assert read_text(path) == "...\n"


def test_a_large_file_is_refused_without_reading_it_all(tmp_path: Path) -> None:
    path = tmp_path / "f.txt"
    path.write_bytes(b"x" * 101)
    with pytest.raises(InputError, match="too large"):
        read_bytes(path, limit=100)
    assert len(read_bytes(path, limit=101)) == 101


def test_a_name_with_half_a_character_is_an_input_error() -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_bytes("a\ud800b")


def test_writing_replaces_the_whole_file_and_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "f.txt"
    write_atomically(path, "one")
    os.chmod(path, 0o640)
    write_atomically(path, b"two")
    assert path.read_bytes() == b"two"
    assert path.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["f.txt"]


def test_a_failed_write_leaves_the_old_file_and_no_litter(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "f.txt"
    path.write_text("old")

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(InputError, match="No space left"):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["f.txt"]


def test_writing_into_a_missing_folder_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        write_atomically(tmp_path / "none" / "f.txt", "x")


def test_a_link_stays_and_what_it_points_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_atomically(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_device_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    write_atomically(pipe, "through")
    reader.join(timeout=300)
    assert got == ["through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="there is no /dev/fd")
def test_an_open_stream_is_written_to_wherever_it_leads(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    with open(kept, "w") as file:  # as of `twostep ... > kept`
        file.write("before, ")
        file.flush()
        write_atomically(f"/dev/fd/{file.fileno()}", "after")
    assert kept.read_text() == "before, after"
    receiving, sending = os.pipe()  # as of `twostep ... |`
    write_atomically(f"/dev/fd/{sending}", "through")
    os.close(sending)
    with open(receiving) as pipe:
        assert pipe.read() == "through"
