"""``twostep maze`` as its users meet it, and the pictures it draws."""

from __future__ import annotations

import io
import json
import os
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from helpers.cli import ENVIRONMENT, TWOSTEP, Typed, interrupted, started

from twostep.compare.command.maze import MENU
from twostep.compare.command.shared.exits import Exit
from twostep.models import InputError
from twostep.models.families.maze import picture, text
from twostep.models.families.maze.board import Board, Maze
from twostep.models.families.maze.colours import Colours, Part
from twostep.models.families.maze.generator import MazeGenerator
from twostep.models.families.maze.hexfile import read_maze

WIDE = {**ENVIRONMENT, "COLUMNS": "200"}

pytestmark = pytest.mark.usefixtures("here")


def write_config(**changes: object) -> None:
    entries: dict[str, object] = {
        "WIDTH": 12, "HEIGHT": 8, "ENTRY": "0,0", "EXIT": "11,7", "OUTPUT_FILE": "maze.txt",
        "PERFECT": False, "SEED": 42,
    }  # fmt: skip
    entries.update(changes)
    lines = [f"{key}={value}\n" for key, value in entries.items() if value is not None]
    Path("config.txt").write_text("".join(lines))


def files() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


# --- making ---------------------------------------------------------------------------------------


def test_it_writes_and_shows_the_only_pacman_board_of_3x2(
    typed: Typed,
) -> None:
    for seed in range(5):
        write_config(WIDTH=3, HEIGHT=2, EXIT="2,1", SEED=seed)
        code, out, err = typed("maze", "config.txt", "--path")
        assert code == Exit.OK
        assert Path("maze.txt").read_bytes() == b"913\nC46\n\n0,0\n2,1\nEES\n"
        assert out.splitlines() == [
            "┌───────────┐",
            "│in   •   • │",
            "│           │",
            "│        out│",
            "└───────────┘",
        ]
        assert 'the "42" is left out: it needs a board of at least 9x7, this one is 3x2' in err
        assert f"2 loops, 0 dead ends, dfs, seed {seed}" in err


def test_the_same_seed_gives_the_same_file_and_another_seed_another(
    typed: Typed,
) -> None:
    write_config()
    made = []
    for arguments in ([], [], ["--seed", "43"], ["--algorithm", "wilson"]):
        assert typed("maze", "config.txt", "--draw", "none", *arguments)[:2] == (Exit.OK, "")
        made.append(Path("maze.txt").read_text())
    assert made[0] == made[1]
    assert len(set(made)) == 3


def test_without_a_seed_the_seed_taken_is_told_and_makes_it_again(
    typed: Typed,
) -> None:
    write_config(SEED=None)
    first = typed("maze", "config.txt", "--json").json
    text = Path("maze.txt").read_text()
    again = typed("maze", "config.txt", "--json", "--seed", str(first["seed"]))
    assert again.json == first
    assert Path("maze.txt").read_text() == text


def test_json_says_what_the_file_says(typed: Typed) -> None:
    write_config()
    code, out, err = typed("maze", "config.txt", "--json")
    made = json.loads(out)
    read = read_maze("maze.txt")
    assert (code, err) == (Exit.OK, "")
    assert made["rows"] == list(read.board.rows)
    assert made["path"] == read.path
    assert (made["outcome"], made["with_42"], made["dead_ends"]) == ("found", True, 0)
    assert made["loops"] >= 2


def test_wishes_and_the_left_out_42(typed: Typed) -> None:
    write_config()
    code, out, _ = typed(
        "maze", "config.txt", "--json", "--no-42", "--loops", "30", "--keep-dead-ends", "2"
    )
    made = json.loads(out)
    assert (code, made["with_42"], made["dead_ends"]) == (Exit.OK, False, 2)
    assert made["loops"] >= 30


def test_an_existing_file_is_replaced_whole(typed: Typed) -> None:
    write_config()
    Path("maze.txt").write_text("x" * 100_000)
    assert typed("maze", "config.txt")[0] == Exit.OK
    assert typed("maze", "check", "maze.txt")[0] == Exit.OK
    assert files() == ["config.txt", "maze.txt"]


def test_a_linked_file_is_replaced_where_it_lies(typed: Typed) -> None:
    write_config()
    Path("far").mkdir()
    Path("maze.txt").symlink_to("far/real.txt")
    for _ in range(2):  # first it leads nowhere
        assert typed("maze", "config.txt")[0] == Exit.OK
        assert Path("maze.txt").is_symlink()
        assert read_maze("far/real.txt") == read_maze("maze.txt")


def test_if_writing_fails_the_old_file_is_whole(
    typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_config()
    Path("maze.txt").write_text("old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    code, out, err = typed("maze", "config.txt")
    assert (code, out) == (Exit.USAGE, "")
    assert err == "Error: maze.txt: cannot be written: No space left on device\n"
    assert Path("maze.txt").read_text() == "old"
    assert files() == ["config.txt", "maze.txt"]


def test_200x200_comes_from_the_command(typed: Typed) -> None:
    write_config(WIDTH=200, HEIGHT=200)
    assert typed("maze", "config.txt", "--draw", "none")[0] == Exit.OK
    assert typed("maze", "check", "--pacman", "maze.txt")[0] == Exit.OK


# --- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "arguments", "words"),
    [
        ({"WIDTH": 1, "HEIGHT": 10}, [],
         "Error: config.txt: PERFECT=False needs (WIDTH - 1) x (HEIGHT - 1) >= 2 for a Pac-Man"
         " board, got 1x10\n"),
        ({"WIDTH": "x"}, [], "Error: config.txt:1: WIDTH=x: expected a whole number"),
        ({"SED": 4}, [], "Error: config.txt:8: unknown key 'SED'; did you mean 'SEED'?\n"),
        ({"OUTPUT_FILE": "config.txt"}, [], "Error: config.txt:5: OUTPUT_FILE=config.txt cannot"),
        ({}, ["--loops", "1000"], "Error: --loops 1000: 1000 loops asked for, but no board"),
        ({}, ["--loops", "1"], "Error: --loops 1: a Pac-Man board has at least 2 loops, got 1"),
        ({}, ["--keep-dead-ends", "3"], "3 is not in the range 0<=x<=2"),
        ({"PERFECT": True}, ["--loops", "2"], "--loops 2: 2 loops asked for, but a perfect"),
        ({"PERFECT": True}, ["--keep-dead-ends", "1"], "--keep-dead-ends 1: only a Pac-Man board"),
        ({"WIDTH": 4, "HEIGHT": 3, "EXIT": "3,2"}, ["--loops", "6"], "has more than 5"),
        ({}, ["--gif", "no/such.gif"], "--gif: 'no/such.gif' cannot be written: there is no"),
        ({}, ["--gif", "maze.txt"], "'maze.txt' cannot be written: something else is written"),
        ({}, ["--gif", "config.txt"], "it is the configuration file itself"),
        ({}, ["--gif", "making.png"], "--gif: 'making.png': expected a name that ends in .gif"),
        ({}, ["--draw", "png", "--gif", "maze.png"], "something else is written there"),
        ({"WIDTH": 100000, "HEIGHT": 2, "EXIT": "1,1"}, ["--draw", "png"], "too large for this"),
        ({"WIDTH": 1000, "HEIGHT": 1000}, ["--gif", "m.gif"], "too large for this picture"),
        ({}, ["--colours", "wall=rde"], "unknown colour 'rde'; did you mean 'red'? (or #rrggbb)"),
        ({}, ["--colours", "wll=red"], "unknown part 'wll' of a drawing; did you mean 'wall'?"),
        ({}, ["--algorithm", "kruskel"], "kruskel"),
        ({}, ["--interactive", "--json"], "exclude each other"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_and_nothing_is_written(
    typed: Typed,
    changes: dict[str, object],
    arguments: list[str],
    words: str,
) -> None:
    write_config(**changes)
    Path("old.txt").write_text("old")
    before = {path.name: path.read_bytes() for path in Path().iterdir()}
    code, out, err = typed("maze", "config.txt", *arguments)
    assert (code, out) == (Exit.USAGE, "")
    assert words in err
    assert len([line for line in err.splitlines() if "42" not in line]) == 1
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == before


def test_a_missing_file_is_one_line(typed: Typed) -> None:
    for arguments in (["nowhere.txt"], ["check", "nowhere.txt"], ["--path", "nowhere.txt"]):
        code, out, err = typed("maze", *arguments)
        assert (code, out) == (Exit.USAGE, "")
        assert err == "Error: nowhere.txt: there is no such file\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_one_may_not_write_in_is_told(typed: Typed) -> None:
    write_config(OUTPUT_FILE="shut/maze.txt")
    Path("shut").mkdir(mode=0o500)
    code, _, err = typed("maze", "config.txt")
    assert code == Exit.USAGE
    assert "no right to write in the folder 'shut'" in err


# --- checking -------------------------------------------------------------------------------------


def test_check_names_the_first_cell_of_each_kind(typed: Typed) -> None:
    Path("a.txt").write_text("813\n802\nC46\n\n0,0\n2,2\nEE\n")
    code, out, _ = typed("maze", "check", "a.txt")
    assert code == Exit.NONE
    assert out.splitlines() == [
        "a.txt: border: cell 0,0 has no wall on its side N, on the border",
        "a.txt: hall: no wall between the nine cells 0,0 to 2,2",
        "a.txt: path: the path ends at 2,0, the exit is 2,2",
        "a.txt: not valid: Pac-Man board of 3x3, 4 loops, 0 dead ends",
    ]


def test_check_reads_files_made_by_others(typed: Typed) -> None:
    Path("a.txt").write_bytes(b"957\r\na93\r\nc6e\r\n\r\n0,0\r\n2,2\r\nSSENES\r\n")
    code, out, _ = typed("maze", "check", "a.txt")
    assert (code, out) == (Exit.OK, "a.txt: valid: perfect maze of 3x3, 2 dead ends\n")
    assert typed("maze", "check", "a.txt", "--perfect")[0] == Exit.OK
    code, out, _ = typed("maze", "check", "--pacman", "a.txt", "--json")
    seen = json.loads(out)
    assert code == Exit.NONE
    assert (seen["valid"], seen["outcome"], seen["kind"]) == (False, "none", "pacman")
    assert [(each["rule"], each["cell"]) for each in seen["findings"]] == [("loops", None)]
    Path("a.txt").write_text("9X7\n")
    code, _, err = typed("maze", "check", "a.txt")
    assert (code, err) == (
        Exit.USAGE,
        "Error: a.txt:1:2: expected a hex digit for a cell, got 'X'\n",
    )


# --- interactive ----------------------------------------------------------------------------------


def interact(keys: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*TWOSTEP, "maze", "config.txt", "--interactive"],
        input=keys, capture_output=True, text=True, env=WIDE, timeout=120, check=False,
    )  # fmt: skip


def test_interactive_makes_new_mazes_shows_the_path_and_quits() -> None:
    write_config(WIDTH=5, HEIGHT=4, EXIT="4,3", SEED=7)
    made = interact("p\nn\nc\nc blue\nc blu\nzz\nq\n")
    assert made.returncode == Exit.OK
    # Shown at first, after each of p, n, c, c blue, and again after the two that were refused.
    assert made.stdout.count(MENU) == 7
    assert made.stdout.count("•") > 0
    assert "seed 7" in made.stderr
    assert "seed 8" in made.stderr
    assert "did you mean 'blue'?" in made.stderr
    assert "unknown key 'zz'" in made.stderr
    assert read_maze("maze.txt").board == MazeGenerator(5, 4, 8, perfect=False).board


def test_the_end_of_input_leaves_quietly() -> None:
    write_config(WIDTH=5, HEIGHT=4, EXIT="4,3")
    made = interact("")  # what Ctrl-D sends
    assert made.returncode == Exit.OK
    assert "Traceback" not in made.stderr
    assert "interrupted" not in made.stderr


def test_ctrl_c_leaves_quietly() -> None:
    write_config(WIDTH=5, HEIGHT=4, EXIT="4,3")
    process = started("maze", "config.txt", "--interactive", stdin=subprocess.PIPE)
    assert process.stdout is not None
    seen = b""
    while b"quit" not in seen:  # the menu
        seen += os.read(process.stdout.fileno(), 4096)
    said = interrupted(process)
    assert said.code == Exit.OK
    assert "Traceback" not in said.err


# --- pictures -------------------------------------------------------------------------------------


def example() -> Maze:
    return Maze(Board.from_rows(["9153", "A812", "C6C6"]), (0, 0), (3, 2), "EEESS")


def test_the_png_shows_walls_ends_and_path() -> None:
    from PIL import Image

    maze = example()
    with Image.open(io.BytesIO(picture.png(maze))) as image:
        rgb = image.convert("RGB")
    cell, wall = 24, 3
    assert rgb.size == (4 * cell + wall, 3 * cell + wall)
    colours = Colours()
    for y in range(3):
        for x in range(4):
            left, top = x * cell, y * cell
            sides = {1: (12, 1), 2: (cell + 1, 12), 4: (12, cell + 1), 8: (1, 12)}
            for bit, (dx, dy) in sides.items():
                seen = rgb.getpixel((left + dx, top + dy))
                assert (seen == colours.wall) is bool(maze.board.at((x, y)) & bit)
    assert rgb.getpixel((wall + 6, wall + 6)) == colours.entry
    assert rgb.getpixel((3 * cell + wall + 6, 2 * cell + wall + 6)) == colours.exit
    on_path = rgb.getpixel((2 * cell + 13, 13))
    assert on_path == colours.path
    with Image.open(io.BytesIO(picture.png(maze, path=False))) as image:
        assert image.convert("RGB").getpixel((2 * cell + 13, 13)) == colours.floor


def test_the_svg_has_each_wall_once_and_is_well_formed() -> None:
    maze = example()
    root = ElementTree.fromstring(picture.svg(maze))
    space = "{http://www.w3.org/2000/svg}"
    (line,) = root.findall(f"{space}polyline")
    assert line.attrib["points"] == "5,5 15,5 25,5 35,5 35,15 35,25"
    (walls,) = root.findall(f"{space}path")
    drawn = set()
    for run_ in walls.attrib["d"].split("M")[1:]:
        start, end = run_.replace("H", "|H").replace("V", "|V").split("|")
        x, y = (int(n) // 10 for n in start.split())
        stop = int(end[1:]) // 10
        for i in range(x, stop) if end[0] == "H" else range(y, stop):
            place = (end[0], i, y) if end[0] == "H" else (end[0], x, i)
            assert place not in drawn
            drawn.add(place)
    expected = set()
    for x, y in maze.board.places():
        walls_ = maze.board.at((x, y))
        for bit, wall in (
            (1, ("H", x, y)), (4, ("H", x, y + 1)), (8, ("V", x, y)), (2, ("V", x + 1, y)),
        ):  # fmt: skip
            if walls_ & bit:
                expected.add(wall)
    assert drawn == expected
    assert not ElementTree.fromstring(picture.svg(maze, path=False)).findall(f"{space}polyline")


def test_the_gif_ends_with_the_picture() -> None:
    from PIL import Image

    maker = MazeGenerator(10, 8, 3, perfect=False)
    with Image.open(io.BytesIO(picture.gif(maker.maze, maker.making))) as image:
        assert getattr(image, "n_frames", 1) > 50
        first = image.convert("RGB")
        image.seek(getattr(image, "n_frames", 1) - 1)
        last = image.convert("RGB")
    with Image.open(io.BytesIO(picture.png(maker.maze))) as still:
        assert list(still.convert("RGB").tobytes()) == list(last.tobytes())
    assert first.tobytes() != last.tobytes()


def test_the_command_writes_pictures_beside_the_maze(typed: Typed) -> None:
    write_config()
    for kind, start in (("png", b"\x89PNG"), ("svg", b"<svg")):
        code, out, err = typed(
            "maze", "config.txt", "--draw", kind, "--gif", "making.gif", "--colours", "path=blue"
        )
        assert (code, out) == (Exit.OK, "")
        assert f"wrote maze.txt, maze.{kind}, making.gif" in err
        assert Path(f"maze.{kind}").read_bytes().startswith(start)
        assert Path("making.gif").read_bytes().startswith(b"GIF89a")
    write_config(OUTPUT_FILE="maze.svg")
    code, out, err = typed("maze", "config.txt", "--draw", "svg")
    assert (code, out) == (Exit.USAGE, "")
    assert "a maze is no .svg file: choose another suffix" in err


def test_a_picture_too_large_is_refused() -> None:
    maze = MazeGenerator(100_000, 1, 1).maze
    with pytest.raises(InputError, match="too large for this picture"):
        picture.png(maze)


def test_text_marks_the_42_and_paints_its_parts() -> None:
    maker = MazeGenerator(9, 7, 1)
    painted: list[Part] = []

    def paint(piece: str, part: Part) -> str:
        painted.append(part)
        return piece

    maze = maker.maze
    drawn = text.draw(maze.board, maze.entry, maze.exit, maze.path, paint=paint)
    assert drawn == text.draw(maze.board, maze.entry, maze.exit, maze.path)
    assert drawn.count("███") == 18 == painted.count(Part.PATTERN)
    assert {len(line) for line in drawn.split("\n")} == {9 * 4 + 1}
    assert set(painted) == set(Part) - {Part.FLOOR}


def test_colours_are_changed_by_name_and_by_number() -> None:
    colours = Colours().changed("cyan, path=#ff8800,42=black")
    assert (colours.wall, colours.path, colours.pattern) == (
        (26, 188, 200),
        (255, 136, 0),
        (0, 0, 0),
    )
    assert colours.entry == Colours().entry


# --- files, pictures, ways ------------------------------------------------------------------------


def test_a_configuration_and_a_maze_may_come_from_standard_input(
    typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    def piped(name: str) -> None:
        content = Path(name).read_bytes()
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))

    write_config()
    piped("config.txt")
    assert typed("maze", "-", "--quiet").code == Exit.OK
    piped("maze.txt")
    code, out, _ = typed("maze", "check", "-", "--config", "config.txt")
    assert (code, out.partition(":")[0]) == (Exit.OK, "standard input")
    for arguments in (["-", "--interactive"], ["check", "-", "--config", "-"]):
        code, _, err = typed("maze", *arguments)
        assert (code, err.count("\n")) == (Exit.USAGE, 1)


def test_a_picture_has_the_name_and_scale_that_are_asked_for(typed: Typed) -> None:
    from PIL import Image

    write_config(WIDTH=10, HEIGHT=8, EXIT="9,7")
    code, _, _ = typed("maze", "config.txt", "--picture", "own.png", "--scale", "40")
    assert code == Exit.OK
    with Image.open("own.png") as image:
        assert image.size == (10 * 40 + 5, 8 * 40 + 5)
    code, _, _ = typed("maze", "config.txt", "--picture", "own.svg", "--scale", "40")
    assert 'width="416"' in Path("own.svg").read_text()
    for arguments, words in (
        (["--picture", "own.jpg"], "ends in .png or .svg"),
        (["--picture", "own.svg", "--draw", "png"], "contradict"),
        (["--scale", "2"], "not in the range"),
    ):
        code, _, err = typed("maze", "config.txt", *arguments)
        assert (code, words in err) == (Exit.USAGE, True)


def test_a_check_knows_the_number_of_ways_and_what_was_asked_for(typed: Typed) -> None:
    write_config(KIND="connected", WIDTH=6, HEIGHT=5, EXIT="5,4", CLOSED="1,1 4,3", LOOPS=2,
                 PERFECT=None)  # fmt: skip
    assert typed("maze", "config.txt").code == Exit.OK
    content = typed("maze", "check", "maze.txt", "--config", "config.txt", "--json").json
    assert content["valid"]
    assert content["loops"] == 2
    assert 1 <= content["shortest_ways"] <= content["ways"] <= 4
    code, out, _ = typed("maze", "check", "maze.txt", "--connected")
    assert (code, "cell 1,1 cannot be reached" in out) == (Exit.NONE, True)
    write_config(KIND="connected", WIDTH=5, HEIGHT=6, EXIT="4,5", PERFECT=None)
    code, _, err = typed("maze", "check", "maze.txt", "--config", "config.txt")
    assert code == Exit.USAGE
    assert "it is a board of 6x5 (WIDTHxHEIGHT), but config.txt asks for a board of 5x6" in err


def test_the_help_has_no_bound_that_is_none(typed: Typed) -> None:
    assert "None" not in typed("maze", "--help").out
