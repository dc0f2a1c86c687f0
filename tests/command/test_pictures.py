"""Pictures of every family by every verb, and names of files that promise another content."""

from __future__ import annotations

from pathlib import Path
from pkgutil import resolve_name
from xml.etree import ElementTree

import pytest
from helpers.cli import Typed
from PIL import Image

from twostep.compare.command.shared.exits import Exit
from twostep.models.families.registry import FAMILIES, named_puzzle

EXAMPLES = [example for place in FAMILIES.values() for example in resolve_name(place).examples]

SVG = "{http://www.w3.org/2000/svg}"


def is_picture(path: Path, title: str) -> None:
    """A file holds the picture that its suffix promises, with something on it."""
    content = path.read_bytes()
    match path.suffix:
        case ".png":
            picture = Image.open(path)
            picture.load()
            assert picture.format == "PNG"
            assert picture.convert("RGB").getcolors(1) is None, "one colour only"
        case ".pdf":
            assert content.startswith(b"%PDF")
            assert b"/Type /Page\n" in content
            assert content.rstrip().endswith(b"%%EOF")
        case ".svg":
            root = ElementTree.fromstring(content)
            shown = root.find(f"{SVG}title")
            assert shown is not None
            assert shown.text == title
            drawn = sum(len(list(root.iter(f"{SVG}{name}"))) for name in ("path", "text", "circle"))
            assert drawn >= 2


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_is_drawn_and_its_solution_too(
    example: str, tmp_path: Path, typed: Typed
) -> None:
    title = named_puzzle(example).name
    path = tmp_path / "puzzle.svg"
    assert typed("draw", example, "-o", str(path)).code == Exit.OK
    is_picture(path, title)
    said = typed("draw", example, "--quiet")
    assert said.code == Exit.OK
    assert said.out.strip()
    path = tmp_path / "solution.png"
    code = typed("solve", example, "-o", str(path), "--scale", "8", "--quiet").code
    assert code in {Exit.OK, Exit.NONE}
    assert path.exists() == (code == Exit.OK)
    for name in ("solution.png", "solution.svg", "solution.pdf"):
        path = tmp_path / name
        if name != "solution.png" and code == Exit.OK:
            assert typed("solve", example, "-o", str(path), "--quiet").code == code
        if code == Exit.OK:
            is_picture(path, title)


def test_several_solutions_are_a_contact_sheet(tmp_path: Path, typed: Typed) -> None:
    path = tmp_path / "sheet.svg"
    said = typed("solve", "queens:6", "-n", "0", "-o", str(path), "--columns", "2")
    assert (said.code, said.out) == (Exit.OK, f"{path}: 4\n")
    texts = [str(each.text) for each in ElementTree.parse(path).iter(f"{SVG}text")]
    assert texts == ["1", "2", "3", "4", "queens:6"]


def test_of_very_many_solutions_the_first_are_drawn_and_said_to_be(
    tmp_path: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("twostep.compare.command.shared.pictures.MOST_DRAWN", 2)
    path = tmp_path / "sheet.svg"
    said = typed("solve", "queens:6", "-n", "0", "-o", str(path), "--quiet")
    assert (said.code, said.out) == (Exit.OK, f"{path} (the first 2): 4\n")


def test_samples_are_drawn_with_their_numbers(tmp_path: Path, typed: Typed) -> None:
    path = tmp_path / "sample.svg"
    said = typed("solve", "queens:6", "--sample", "2", "--seed", "5", "-o", str(path), "--quiet")
    assert said.code == Exit.OK
    texts = [str(each.text) for each in ElementTree.parse(path).iter(f"{SVG}text")]
    assert [text.partition(" ")[0] for text in texts] == ["number", "number", "queens:6"]


def test_first_solutions_move_in_a_gif(tmp_path: Path, typed: Typed) -> None:
    path = tmp_path / "queens.gif"
    assert typed("solve", "queens:6", "-n", "3", "-o", str(path), "--quiet").code == Exit.OK
    with Image.open(path) as moving:
        assert getattr(moving, "n_frames", 1) == 3


def test_heat_maps_are_pictures(tmp_path: Path, typed: Typed) -> None:
    path = tmp_path / "heat.svg"
    said = typed("count", "pentomino:3x5:PUV", "--heatmap", "-o", str(path), "--quiet")
    assert (said.code, said.out) == (Exit.OK, f"{path}: 4\n")
    titles = [str(each.text) for each in ElementTree.parse(path).iter(f"{SVG}title")]
    assert titles[0] == "pentomino:3x5:PUV"
    texts = [str(each.text) for each in ElementTree.parse(path).iter(f"{SVG}text")]
    assert {"P", "U", "V"} <= set(texts)
    # Each of the 4 solutions covers all 15 cells.
    numbers = [int(text) for text in texts if text.isdigit()]
    assert len(numbers) == 45
    assert sum(numbers) == 4 * 15
    path = tmp_path / "bars.svg"
    assert typed("count", "queens:6", "--heatmap", "-o", str(path), "--quiet").code == Exit.OK
    assert len(list(ElementTree.parse(path).iter(f"{SVG}path"))) == 36
    said = typed("count", "queens:6", "-o", str(path))
    assert (said.code, "-o goes with --heatmap" in said.err) == (Exit.USAGE, True)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("solve queens:4 -o x.json", ".txt, .png, .svg, .pdf or .gif, or has no suffix,"),
        ("solve queens:4 -o x.jpg", "for boards, as text or as a picture"),
        ("draw queens:4 -o x.txt", ".png, .svg, .pdf or .gif for a picture"),
        ("draw queens:4 -o x", ".png, .svg, .pdf or .gif for a picture"),
        ("generate -o g.png", "ends in .json for a pack of levels"),
        ("generate -o g", "ends in .json for a pack of levels"),
        ("check queens:4 --junit j.png", "ends in .xml for a JUnit report"),
        ("count queens:4 --certificate c.png", "a certificate is no .png file"),
        ("certify queens:4 c.txt", "a certificate is no .txt file"),
        ("compare queens:4 --record r.svg", "a record is no .svg file"),
        ("two-tiling table --csv t.png", "ends in .csv for the table"),
        ("two-tiling table --draw t.svg", "ends in .png for a picture"),
        ("tetris convert sprite.png -o s.json", "ends in .txt, or has no suffix, for a file of"),
        ("convert queens:4 q.png", ".dlx"),
        ("split queens:4 p.png", "a plan is no .png file"),
        ("count queens:4 --checkpoint c.gif", "a checkpoint is no .gif file"),
    ],
)
def test_a_suffix_of_another_content_is_refused_with_the_remedy(
    line: str, expected: str, typed: Typed
) -> None:
    before = set(Path().iterdir())
    said = typed(*line.split())
    assert said.code == Exit.USAGE
    assert expected in said.err
    assert set(Path().iterdir()) == before


@pytest.mark.usefixtures("here")
def test_flags_of_pictures_need_a_picture(typed: Typed) -> None:
    for line in ("draw queens:4 --scale 9", "solve queens:4 -o q.txt --bw"):
        said = typed(*line.split())
        assert said.code == Exit.USAGE
        assert "goes with -o and a picture (.png, .svg, .pdf, .gif)" in said.err
    said = typed("draw", "queens:4", "-o", "q.svg", "--cell", "0")
    assert said.code == Exit.USAGE
    assert "expected millimetres from 1 to 200, such as 20mm, got '0'" in said.err


@pytest.mark.usefixtures("here")
def test_a_raw_model_is_a_table_of_options_by_items(typed: Typed) -> None:
    # The example of TAOCP 7.2.2.1, (5): the solution is its options 0, 3 and 4.
    Path("k.dlx").write_text("A B C D E F G\nC E\nA D G\nB C F\nA D F\nB G\nD E G\n")
    assert typed("solve", "k.dlx", "-o", "k.svg", "--quiet").code == Exit.OK
    texts = [str(each.text) for each in ElementTree.parse("k.svg").iter(f"{SVG}text")]
    assert texts == [*"ABCDEFG", *(f"option {n}" for n in (0, 3, 4, 1, 2, 5))]
    assert typed("draw", "k.dlx", "--solution", "--quiet").out.splitlines()[:3] == [
        "* C E", "* A D F", "* B G"]  # fmt: skip
