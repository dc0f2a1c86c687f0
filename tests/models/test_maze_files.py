"""The configuration file and the maze file: what is read, what is refused, what is written."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from helpers.engines import CPSAT, DLX

from twostep.models import InputError, count
from twostep.models.families.maze.board import Board, Kind, Maze
from twostep.models.families.maze.braid import Wishes
from twostep.models.families.maze.check import check
from twostep.models.families.maze.config import MazeConfig, read_config
from twostep.models.families.maze.drawn import from_text as from_drawn
from twostep.models.families.maze.drawn import read_drawn
from twostep.models.families.maze.family import MazePuzzle
from twostep.models.families.maze.hexfile import MazeFile, from_text, read_maze, to_text
from twostep.models.families.maze.path import shortest_path
from twostep.models.families.maze.spanning import Algorithm

GOOD = {
    "WIDTH": "20",
    "HEIGHT": "15",
    "ENTRY": "0,0",
    "EXIT": "19,14",
    "OUTPUT_FILE": "maze.txt",
    "PERFECT": "True",
}

# The three examples of the project's maze facts, byte for byte.
EXAMPLES = [
    "913\nC46\n\n0,0\n2,1\nEES\n",
    "957\nA93\nC6E\n\n0,0\n2,2\nSSENES\n",
    "9153\nA812\nC6C6\n\n0,0\n3,2\nEEESS\n",
]


pytestmark = pytest.mark.usefixtures("here")


def config(**changes: str | None) -> str:
    """A configuration that differs from a good one; None leaves a key out."""
    entries = {**GOOD, **changes}
    return "".join(f"{key}={value}\n" for key, value in entries.items() if value is not None)


def refused(text: str | bytes) -> InputError:
    """The error that a configuration file of that content ends in."""
    path = Path("config.txt")
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError) as caught:
        read_config("config.txt")
    assert str(caught.value).startswith("config.txt:")
    assert "\n" not in str(caught.value)
    return caught.value


# --- configuration --------------------------------------------------------------------------------


def test_a_configuration_is_read() -> None:
    Path("config.txt").write_text(
        "# a maze\n\n WIDTH = 20 \nHEIGHT=15\n  # indented\nENTRY=0,0\nEXIT= 19, 14\n"
        "OUTPUT_FILE=a=b.txt\nPERFECT=False\nSEED=42\n"
    )
    read = read_config("config.txt")
    assert (read.width, read.height, read.entry, read.exit) == (20, 15, (0, 0), (19, 14))
    assert (read.output_file, read.perfect, read.seed) == (Path("a=b.txt"), False, 42)


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"], ids=["plain", "byte-order mark"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"], ids=["LF", "CRLF", "CR"])
def test_byte_order_mark_and_all_line_ends_are_accepted(start: bytes, end: bytes) -> None:
    Path("config.txt").write_bytes(start + config(SEED="7").encode().replace(b"\n", end))
    read = read_config("config.txt")
    assert (read.width, read.seed, read.output_file) == (20, 7, Path("maze.txt"))


def test_without_a_seed_there_is_none() -> None:
    Path("config.txt").write_text(config())
    assert read_config("config.txt").seed is None


@pytest.mark.parametrize("key", GOOD)
def test_a_missing_key_is_named_with_an_example(key: str) -> None:
    error = refused(config(**{key: None}))
    assert error.line is None
    assert f"missing {key}; add for example {key}=" in error.message


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("WIDTH", "abc", "WIDTH=abc: expected a whole number of at least 1"),
        ("WIDTH", "2_0", "WIDTH=2_0: expected a whole number"),
        ("WIDTH", "+20", "expected a whole number"),
        ("WIDTH", "-20", "expected a whole number of at least 1"),
        ("WIDTH", "0", "expected a whole number of at least 1"),
        ("WIDTH", "20.0", "expected a whole number"),
        ("WIDTH", "２０", "expected a whole number"),  # full-width digits
        ("HEIGHT", "1e3", "expected a whole number"),
        ("HEIGHT", "20 # cells", "expected a whole number"),
        ("PERFECT", "maybe", "PERFECT=maybe: expected True or False"),
        ("PERFECT", "true", "expected True or False"),
        ("PERFECT", "1", "expected True or False"),
        ("ENTRY", "0;0", "ENTRY=0;0: expected a cell x,y"),
        ("ENTRY", "0", "expected a cell x,y"),
        ("ENTRY", "0,0,0", "expected a cell x,y"),
        ("ENTRY", "a,b", "expected a cell x,y"),
        ("ENTRY", "(0,0)", "expected a cell x,y"),
        (
            "ENTRY",
            "20,0",
            "ENTRY 20,0 is outside the board of 20x15 (WIDTHxHEIGHT): expected x,y",
        ),
        ("ENTRY", "0,15", "ENTRY 0,15 is outside"),
        ("ENTRY", "-1,0", "ENTRY -1,0 is outside"),
        ("EXIT", "0,-1", "EXIT 0,-1 is outside"),
        ("EXIT", "0,0", "entry and exit are the same cell 0,0; choose another exit"),
        ("EXIT", "7,5", 'EXIT 7,5 is a closed cell of the "42"'),
        ("ENTRY", "11,5", 'ENTRY 11,5 is a closed cell of the "42"'),
        ("SEED", "x", "SEED=x: expected a whole number"),
        ("SEED", "-1", "expected a whole number of at least 0"),
        ("OUTPUT_FILE", "config.txt", "it is the configuration file itself"),
        ("OUTPUT_FILE", "./config.txt", "it is the configuration file itself"),
        ("OUTPUT_FILE", "no/such/maze.txt", "there is no folder 'no/such'"),
        ("OUTPUT_FILE", ".", "it is a folder"),
        ("OUTPUT_FILE", "/dev/null", "it is no regular file"),
        ("OUTPUT_FILE", "a" * 300, "cannot be written"),
        ("OUTPUT_FILE", "a\0b", "the control character U+0000"),
        *((key, "", f"{key} has no value") for key in GOOD),
        ("SEED", "", "SEED has no value"),
    ],
)
def test_a_bad_value_is_refused_with_its_line(key: str, value: str, words: str) -> None:
    text = config(**{key: value})
    error = refused(text)
    assert words in error.message
    assert error.line == next(
        number for number, line in enumerate(text.splitlines(), 1) if line.startswith(f"{key}=")
    )


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("WIDTH 20", "expected KEY=VALUE, got 'WIDTH 20'"),
        ("WIDTH=20", "WIDTH stands twice, first in line 1"),
        ("WIDTH=21", "WIDTH stands twice, first in line 1"),
        ("SED=42", "unknown key 'SED'; did you mean 'SEED'?"),
        ("width=20", "unknown key 'width'; did you mean 'WIDTH'?"),
        ("COLOUR=red", "unknown key 'COLOUR'"),
        ("=5", "unknown key ''"),
        ("\x1b[31m", "the control character U+001B"),
    ],
)
def test_a_bad_line_is_refused_with_its_number(line: str, words: str) -> None:
    error = refused(config() + line + "\n")
    assert words in error.message
    assert error.line == len(GOOD) + 1


@pytest.mark.parametrize("size", ["1x10", "10x1", "1x1", "2x2"])
def test_too_few_loops_for_pacman_are_refused_in_the_words_of_the_rules(size: str) -> None:
    width, height = size.split("x")
    error = refused(config(WIDTH=width, HEIGHT=height, EXIT="0,1", PERFECT="False"))
    assert str(error) == (
        "config.txt: PERFECT=False needs (WIDTH - 1) x (HEIGHT - 1) >= 2 for a Pac-Man board,"
        f" got {size}"
    )


@pytest.mark.parametrize("value", ["100000", "9" * 90])
def test_a_board_too_large_is_refused(value: str) -> None:
    assert "too large" in refused(config(WIDTH=value)).message


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"\n\n", "empty"),
        (b"WIDTH=2\xff\n", "not UTF-8"),
        (b"#\n", "missing WIDTH"),
    ],
)
def test_a_file_that_is_no_text_or_says_nothing_is_refused(content: bytes, words: str) -> None:
    assert words in refused(content).message


def test_a_missing_file_and_a_folder_are_refused(here: Path) -> None:
    for path, words in ((here / "nowhere.txt", "no such file"), (here, "folder")):
        with pytest.raises(InputError, match=words):
            read_config(path)


def test_the_configuration_file_under_another_name_is_no_output_file(here: Path) -> None:
    (here / "link.txt").symlink_to(here / "config.txt")
    (here / "sub").mkdir()
    for name in ("link.txt", "sub/../config.txt", str(here / "config.txt")):
        assert "the configuration file itself" in refused(config(OUTPUT_FILE=name)).message


def test_without_the_42_its_cells_are_free_for_entry_and_exit() -> None:
    Path("config.txt").write_text(config(EXIT="7,5"))
    assert read_config("config.txt", with_42=False).exit == (7, 5)


# --- maze files -----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", EXAMPLES)
def test_the_examples_are_written_byte_for_byte(text: str) -> None:
    read = from_text(text)
    assert read.entry is not None
    assert read.exit is not None
    path = shortest_path(read.board, read.entry, read.exit)
    assert path is not None
    maze = Maze(read.board, read.entry, read.exit, path)
    assert to_text(maze) == text
    assert MazeFile.of(maze) == read


def test_lower_case_crlf_and_a_byte_order_mark_are_read(here: Path) -> None:
    path = here / "maze.txt"
    path.write_bytes(b"\xef\xbb\xbf" + EXAMPLES[1].lower().replace("ssenes", "SSENES").encode())
    assert read_maze(path) == from_text(EXAMPLES[1])
    path.write_bytes(EXAMPLES[1].replace("\n", "\r\n").encode())
    assert read_maze(path) == from_text(EXAMPLES[1])


def test_a_file_may_end_early_and_any_path_is_read() -> None:
    assert from_text("913\nC46\n") == MazeFile(Board.from_rows(["913", "C46"]))
    assert from_text("913\nC46\n\n0,0\n").exit is None
    assert from_text("913\nC46\n\n0,0\n2,1\n").path is None
    assert from_text("913\nC46\n\n0,0\n9,-9\nee?\n").path == "ee?"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("91G\nC46\n", 1, "expected a hex digit for a cell, got 'G'"),
        ("913\nC4\n", 2, "the row has 2 cells, the first has 3"),
        ("\n913\nC46\n", 1, "expected rows"),
        ("913\nC46\n0,0\n2,1\n", 3, "expected an empty line between the rows and the entry"),
        ("913\nC46\n\n0;0\n2,1\nEES\n", 4, "expected the entry as x,y"),
        ("913\nC46\n\n0,0\nEES\n", 5, "expected the exit as x,y"),
        ("913\nC46\n\n0,0\n2,1\nEES\nEES\n", 7, "expected nothing after the path"),
    ],
)
def test_a_bad_maze_file_is_refused_with_its_line(
    here: Path, text: str, line: int, words: str
) -> None:
    path = here / "maze.txt"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_maze(path)
    assert (caught.value.source, caught.value.line) == (str(path), line)
    assert words in caught.value.message


def test_a_board_of_another_size_than_its_walls_is_refused() -> None:
    for width, height, walls in ((0, 1, b""), (2, 1, b"\1"), (1, 1, b"\x10"), (1, 0, b"")):
        with pytest.raises(InputError):
            Board(width, height, walls)


# --- anything at all ------------------------------------------------------------------------------

DRAWN = "# known\nPERFECT=False\n9??3\n????\nC??6\n\n0,0\n3,2\n2,1 E closed\n"


def mangled(random: Random, text: str) -> bytes:
    """The text with some of its bytes or lines replaced, removed, doubled or swapped."""
    content = bytearray(text.encode())
    for _ in range(random.randint(1, 3)):
        place = random.randrange(len(content) + 1)
        kind = random.randrange(4)
        if kind == 0:
            content[place : place + 1] = random.choice(
                b"0123456789ABCDEFXNESW=,?# \n\r\t-\0\xff"
            ).to_bytes()
        elif kind == 1:
            del content[place : place + random.randint(1, 8)]
        elif kind == 2:
            content[place:place] = content[place : place + random.randint(1, 12)]
        else:
            lines = content.split(b"\n")
            random.shuffle(lines)
            content = bytearray(b"\n".join(lines))
    return bytes(content)


@pytest.mark.parametrize(
    ("text", "read"),
    [(config(SEED="1"), read_config), (EXAMPLES[1], read_maze), (DRAWN, read_drawn)],
    ids=["configuration", "maze file", "drawn board"],
)
def test_whatever_a_file_holds_it_is_read_or_refused_in_one_line(
    text: str, read: Callable[[str], MazeConfig | MazeFile | MazePuzzle]
) -> None:
    random = Random(8)
    refusals: list[str] = []
    for _ in range(500):
        Path("file.txt").write_bytes(mangled(random, text))
        try:
            made = read("file.txt")
        except InputError as error:
            refusals.append(str(error))
            continue
        if isinstance(made, MazeFile):
            check(made)  # whatever was read can be checked
        if isinstance(made, MazePuzzle):
            _ = made.model  # and every puzzle has its model
    assert 30 < len(refusals) < 500
    for line in refusals:
        assert line.startswith("file.txt")
        assert len(line.splitlines()) == 1


# --- keys beyond the public ones ------------------------------------------------------------------


def test_a_file_alone_says_all_that_makes_a_maze() -> None:
    Path("config.txt").write_text(
        config(PERFECT="False", ALGORITHM="wilson", LOOPS="9", KEEP_DEAD_ENDS="1",
               WITH_42="False", CLOSED="3,4 3,5  4 , 5", SEED="7")
    )  # fmt: skip
    read = read_config("config.txt")
    assert (read.kind, read.algorithm, read.with_42) == (Kind.PACMAN, Algorithm.WILSON, False)
    assert read.wishes == Wishes(9, 1)
    assert read.closed == {(3, 4), (3, 5), (4, 5)}


def test_a_kind_takes_the_place_of_perfect() -> None:
    text = config(KIND="connected", HALLS="True").replace("PERFECT=True\n", "")
    Path("config.txt").write_text(text.replace("PERFECT=False\n", ""))
    read = read_config("config.txt")
    assert (read.kind, read.wishes.halls, read.perfect) == (Kind.CONNECTED, True, False)


def test_a_file_may_give_cells_as_row_and_column() -> None:
    Path("config.txt").write_text(
        config(WIDTH="20", HEIGHT="15", EXIT="14,19", CLOSED="3,4", COORDINATES="row,column")
    )
    read = read_config("config.txt")
    assert (read.exit, read.closed) == ((19, 14), {(4, 3)})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"KIND": "open"}, "KIND=open: expected perfect, pacman or connected"),
        ({"KIND": "pacman", "PERFECT": "True"}, "contradict each other"),
        ({"ALGORITHM": "DFS"}, "expected dfs, prim, kruskal or wilson"),
        ({"LOOPS": "-1", "PERFECT": "False"}, "LOOPS=-1: expected a whole number"),
        ({"LOOPS": "1", "PERFECT": "False"}, "a Pac-Man board has at least 2 loops, got 1"),
        ({"LOOPS": "999", "PERFECT": "False"}, "no board of 20x15 without an open hall"),
        ({"KEEP_DEAD_ENDS": "3", "PERFECT": "False"}, "0 to 2 dead ends, got 3"),
        ({"LOOPS": "3", "PERFECT": "True"}, "a perfect maze has none"),
        ({"HALLS": "True", "PERFECT": "False"}, "only a connected board may have them"),
        ({"WITH_42": "no"}, "WITH_42=no: expected True or False"),
        ({"CLOSED": "3,4;5,6"}, "CLOSED=3,4;5,6: expected a cell x,y, or several"),
        ({"CLOSED": "19,14"}, "EXIT 19,14 is one of the CLOSED cells"),
        ({"CLOSED": "30,4"}, "CLOSED 30,4 is outside the board of 20x15"),
        ({"CLOSED": "1,0 0,1"}, "CLOSED cuts the board"),
        ({"COORDINATES": "y,x"}, "COORDINATES=y,x: expected x,y or row,column"),
        ({"WIDTH": "1", "HEIGHT": "1", "EXIT": "0,0"}, "the smallest boards are 2x1 and 1x2"),
    ],
    ids=str,
)  # fmt: skip
def test_bad_values_of_these_keys_are_refused_with_their_line(
    changes: dict[str, str], words: str
) -> None:
    Path("config.txt").write_text(config(**({"EXIT": "19,14"} | changes)))
    with pytest.raises(InputError, match=re.escape(words)) as caught:
        read_config("config.txt")
    assert caught.value.line is not None


def test_a_drawn_board_may_be_connected_and_have_closed_cells() -> None:
    puzzle = from_drawn("KIND=connected\nCLOSED=1,1\n???\n???\n???\n", "ring")
    # The ring of eight cells: open throughout, or with one wall.
    assert {engine.name: count(engine, puzzle.model).found for engine in (DLX, CPSAT)} == {
        "dlx": 9, "cpsat": 9,
    }  # fmt: skip
    for text, words in (
        ("KIND=perfect\nHALLS=True\n??\n", "HALLS=True needs KIND=connected"),
        ("KIND=perfect\nPERFECT=True\n??\n", "both given"),
        ("KIND=connected\nCLOSED=0,0 1,1\n??\n??\n", "CLOSED cuts the board"),
        ("KIND=connected\nCLOSED=0,0\nCOORDINATES=row,column\n??\n??\n", "put it before"),
    ):
        with pytest.raises(InputError, match=words):
            from_drawn(text, "wrong")
