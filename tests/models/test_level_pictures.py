"""Pictures of levels, and boards from pictures."""

from __future__ import annotations

import io
import random
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from helpers.cli import Typed
from PIL import Image
from rich.color import Color, ColorSystem
from rich.style import Style

from twostep.compare.command.shared.exits import Exit
from twostep.compare.registry import engine
from twostep.models import first
from twostep.models.errors import InputError
from twostep.models.families.polyomino.board import board_from_rows, parse_board
from twostep.models.families.polyomino.pieces import PENTOMINOES, parse_kinds
from twostep.models.families.polyomino.placement import Lock
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle
from twostep.models.families.polyomino.silhouette import board_of, read_silhouette
from twostep.models.families.registry import named_puzzle
from twostep.models.game import pictures
from twostep.models.game.level import Level, Pack
from twostep.models.game.levelfile import write_pack
from twostep.models.game.pictures import PALETTE, View, image
from twostep.models.reading.load import load_puzzle

V = Lock("V", ((0, 0), (1, 0), (2, 0), (2, 1), (2, 2)))


def locked() -> PolyominoPuzzle:
    board = board_from_rows(["....."] * 3)
    return PolyominoPuzzle("3x5 <V locked>", board, tuple(parse_kinds("PUV")), 0, (V,))


def solved_view() -> View:
    made = locked()
    return pictures.solved(made, first(engine("dlx"), made.model).solutions[0])


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


# Simulated colour vision, Machado, Oliveira, Fernandes 2009, severity 1, on linear RGB.
EYES = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
         [-0.003882, -0.048116, 1.051998]]),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
         [-0.011820, 0.042940, 0.968881]]),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
         [0.004733, 0.691367, 0.303900]]),
}  # fmt: skip


def lab(colours: np.ndarray, eye: np.ndarray) -> np.ndarray:
    """CIELAB (D65) of sRGB colours as an eye sees them."""
    share = colours / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    linear = np.clip(linear @ eye.T, 0, 1)
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722],
                       [0.0193, 0.1192, 0.9505]])  # fmt: skip
    xyz = linear @ to_xyz.T / np.array([0.95047, 1, 1.08883])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    x, y, z = f.T
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=1)


@pytest.mark.parametrize("eye", EYES)
def test_twelve_colours_are_told_apart_by_every_eye(eye: str) -> None:
    seen = lab(np.array([rgb(colour) for colour in PALETTE]), EYES[eye])
    distance = np.linalg.norm(seen[:, None] - seen[None], axis=2)
    assert len(PALETTE) == 12
    assert distance[np.triu_indices(12, 1)].min() > 30


def test_pieces_keep_their_colour_from_level_to_level() -> None:
    first_level = View(locked(), ())
    other = named_puzzle("pentomino:3x20")
    assert isinstance(other, PolyominoPuzzle)
    assert first_level.colour("V") == View(other, ()).colour("V")
    assert len({View(other, ()).colour(kind.name) for kind in other.kinds}) == 12


def test_pieces_beside_pentominoes_get_colours_of_their_own() -> None:
    made = named_puzzle("polyomino:9x4:F,I,L,L4,S4,T4,O4,V3,I2")
    assert isinstance(made, PolyominoPuzzle)
    assert len({View(made, ()).colour(kind.name) for kind in made.kinds}) == 9


@pytest.mark.parametrize("scale", [4, 10, 40])
def test_each_cell_has_its_pieces_colour(scale: int) -> None:
    view = solved_view()
    picture = image(view, scale)
    assert picture.size == (5 * scale + 2 * (scale // 2), 3 * scale + 2 * (scale // 2))
    owner = view.owners()
    for row, column in view.puzzle.board.free:
        # A little off the corner: clear of edges, letters and locks.
        at = (scale // 2 + column * scale + scale // 4, scale // 2 + row * scale + 3 * scale // 4)
        if scale == 40:
            at = (at[0] - 3, at[1] + 3)
        expected = rgb(view.colour(view.placed[owner[row, column]].piece))
        assert picture.getpixel(at) == expected


def test_a_locked_piece_is_marked() -> None:
    made = locked()
    bare = PolyominoPuzzle("no locks", made.board, made.kinds)
    with_lock, without = image(pictures.start(made)), image(View(bare, made.locked))
    difference = np.asarray(with_lock) != np.asarray(without)
    rows, columns = np.flatnonzero(difference.any((1, 2))), np.flatnonzero(difference.any((0, 2)))
    # Only in its first cell, (0,0).
    assert 20 <= rows[0] <= rows[-1] < 60
    assert 20 <= columns[0] <= columns[-1] < 60
    assert len(rows) == rows[-1] - rows[0] + 1, "the shackle sits on the lock"


def test_a_gif_shows_the_pieces_one_after_the_other() -> None:
    view = solved_view()
    moving = Image.open(io.BytesIO(pictures.gif(view, 20)))
    assert moving.n_frames == 3  # the lock, and two more pieces
    assert moving.info["loop"] == 0
    greys = []
    for frame in range(3):
        moving.seek(frame)
        pixels = np.asarray(moving.convert("RGB")).reshape(-1, 3)
        greys.append(int((pixels == rgb(pictures.EMPTY)).all(axis=1).sum()))
    assert greys[0] > greys[1] > greys[2] == 0


def test_an_svg_has_a_square_for_each_cell_and_is_xml() -> None:
    root = ElementTree.fromstring(pictures.svg(solved_view()))
    space = "{http://www.w3.org/2000/svg}"
    assert len(root.findall(f"{space}rect")) == 15
    assert sorted(each.text for each in root.findall(f"{space}text")) == ["P", "U", "V"]
    title = root.find(f"{space}title")
    assert title is not None
    assert title.text == "3x5 <V locked>"
    assert (root.attrib["width"], root.attrib["height"]) == ("60mm", "40mm")


def test_a_sheet_holds_so_many_levels() -> None:
    board = board_from_rows(["....."] * 3)
    levels = [Level(f"Level {n}", board, tuple(parse_kinds("PUV")), grade=1) for n in range(35)]
    pages = pictures.sheets(levels, title="Thirty-five")
    assert len(pages) == 2
    assert all(Image.open(io.BytesIO(page)).format == "PNG" for page in pages)


def test_the_verb_draw_makes_sheets_of_a_pack_with_and_without_solutions(
    tmp_path: Path, typed: Typed
) -> None:
    board = board_from_rows(["....."] * 3)
    levels = [Level(f"L{n}", board, tuple(parse_kinds("PUV"))) for n in range(2)]
    pack = tmp_path / "pack.json"
    write_pack(pack, Pack(tuple(levels)))
    greys = []
    for flags in ([], ["--solution"]):
        path = tmp_path / "sheet.png"
        assert typed("draw", str(pack), "-o", str(path), "--quiet", *flags).code == Exit.OK
        pixels = np.asarray(Image.open(path).convert("RGB")).reshape(-1, 3)
        greys.append(int((pixels == rgb(pictures.EMPTY)).all(axis=1).sum()))
    assert greys[0] > 0 == greys[1]
    assert typed("draw", str(pack), "-o", str(path), "--placed", "x").code == Exit.USAGE
    bad = Level("odd", board, tuple(parse_kinds("PUV")), locks=(Lock("P", V.cells),))
    write_pack(pack, Pack((*levels, bad)))
    said = typed("draw", str(pack), "-o", str(path))
    assert said.code == Exit.USAGE
    assert f"{pack}: level 3 'odd': the locked cells are a V, not a P" in said.err


def test_terminal_blocks_show_the_same_letters() -> None:
    view = solved_view()
    letters = pictures.blocks(view, ColorSystem.TRUECOLOR).plain.replace(" ", "")
    assert letters == pictures.text(view) + "\n" == "VPPUU\nVPPPU\nVVVUU\n"


def luminance(colour: Color) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    share = np.array(colour.get_truecolor()) / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


@pytest.mark.parametrize("system", ColorSystem)
def test_every_letter_can_be_read_on_its_block_however_few_colours_there_are(
    system: ColorSystem,
) -> None:
    made = named_puzzle("pentomino:3x20")
    assert isinstance(made, PolyominoPuzzle)
    view = pictures.solved(made, first(engine("dlx"), made.model).solutions[0])
    drawn = pictures.blocks(view, system)
    seen = set()
    for span in drawn.spans:
        style = Style.parse(str(span.style))
        assert style.color is not None
        assert style.bgcolor is not None
        seen.add(drawn.plain[span.start])
        letter, block = (
            luminance(each.downgrade(system)) + 0.05 for each in (style.color, style.bgcolor)
        )
        # No colour gives less than 4 to the better of black and white; 3 is WCAG's least.
        assert max(letter / block, block / letter) >= 4, (drawn.plain[span.start], str(span.style))
    assert seen == set(PENTOMINOES)


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False), ({"NO_COLOR": "1"}, False)],
)
def test_a_terminal_without_colours_gets_letters(
    variables: dict[str, str], coloured: bool, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"TERM": "xterm", **variables}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    said = typed("draw", "pentomino:3x5:PUV", "--solution", "--quiet")
    assert ("\x1b[" in said.out) == coloured
    assert (set(said.out) == set("PUV\n")) != coloured


def test_a_picture_too_large_is_refused() -> None:
    with pytest.raises(InputError, match="15000 x 10000 pixels is too large: lower the scale"):
        image(View(locked(), ()), 2500)
    with pytest.raises(InputError, match="3 pictures of 6000 x 4000 pixels are too many"):
        pictures.gif(solved_view(), 1000)
    long = [board_from_rows(["." * 5000]), board_from_rows(["."] * 5000)]
    levels = [Level("long", board, tuple(parse_kinds(["I5=any"]))) for board in long]
    with pytest.raises(InputError, match="a sheet of 25096 x 5050 pixels is too large"):
        pictures.sheets(levels)


# --- silhouettes ----------------------------------------------------------------------------


def save(path: Path, mask: np.ndarray, *, transparent: bool = False) -> Path:
    if transparent:
        pixels = np.zeros((*mask.shape, 4), dtype=np.uint8)
        pixels[..., 0] = 200
        pixels[..., 3] = np.where(mask, 255, 0)
    else:
        pixels = np.where(mask, 20, 250).astype(np.uint8)
    Image.fromarray(pixels).save(path)
    return path


@pytest.mark.parametrize("scale", [1, 2, 3, 7, 16])
@pytest.mark.parametrize("transparent", [False, True])
def test_a_silhouette_of_any_scale_gives_its_board(
    tmp_path: Path, scale: int, transparent: bool
) -> None:
    rng = random.Random(scale)
    for number in range(10):
        rows, columns = rng.randint(2, 9), rng.randint(2, 9)
        mask = np.array([[rng.random() < 0.7 for _ in range(columns)] for _ in range(rows)])
        mask[0, 0] = mask[-1, -1] = True
        mask[0, 1] = mask[1, 0] = False  # an edge at a distance of one cell fixes the scale
        large = np.pad(np.kron(mask, np.ones((scale, scale), dtype=bool)), rng.randint(0, 5))
        made = read_silhouette(save(tmp_path / f"{number}.png", large, transparent=transparent))
        assert set(made.board.free) == set(map(tuple, np.argwhere(mask).tolist()))


def test_what_is_drawn_black_can_be_read_as_a_board(tmp_path: Path) -> None:
    board = parse_board("8x8-center")
    mask = np.array([[(r, c) in board for c in range(8)] for r in range(8)])
    path = save(tmp_path / "center.png", np.kron(mask, np.ones((5, 5), dtype=bool)))
    made = load_puzzle(str(path))
    assert isinstance(made, PolyominoPuzzle)
    assert made.board.picture() == board.picture()
    assert made.model.n_options == 1568
    assert made.obstacle() is None


def test_the_scale_of_a_rectangle_is_the_one_its_pieces_fill() -> None:
    board = board_of(np.ones((60, 100), dtype=bool), area=60)
    assert (board.rows, board.columns) == (6, 10)
    board = board_of(np.ones((60, 100), dtype=bool))
    assert (board.rows, board.columns) == (3, 5)


def test_a_small_silhouette_takes_some_of_the_pieces(tmp_path: Path) -> None:
    made = read_silhouette(save(tmp_path / "s.png", np.ones((3, 5), dtype=bool)))
    assert {(kind.low, kind.high) for kind in made.kinds} == {(0, 1)}
    assert first(engine("dlx"), made.model).solutions


def test_pictures_that_are_no_board_say_why(tmp_path: Path) -> None:
    path = tmp_path / "p.png"
    path.write_bytes(b"no picture")
    with pytest.raises(InputError, match="not a PNG picture"):
        read_silhouette(path)
    save(path, np.ones((40, 40), dtype=bool))
    path.write_bytes(path.read_bytes()[:60])
    with pytest.raises(InputError, match="a damaged PNG picture"):
        read_silhouette(path)
    save(path, np.zeros((40, 40), dtype=bool))
    with pytest.raises(InputError, match="neither opaque nor dark"):
        read_silhouette(path)
    skewed = np.zeros((80, 80), dtype=bool)
    skewed[5:71, 3:78] = True
    skewed[5:18, 3:20] = False
    save(path, skewed)
    with pytest.raises(InputError, match="no grid: the edges at pixel rows 13 and columns 17"):
        read_silhouette(path)
    Image.new("1", (6000, 6000)).save(path)
    with pytest.raises(InputError, match="6000 x 6000 pixels is too large") as caught:
        read_silhouette(path)
    assert str(caught.value).startswith(str(path))
    Image.new("1", (20000, 20000)).save(path)  # more than Pillow opens
    with pytest.raises(InputError, match="too large, expected at most 5000 x 5000 pixels"):
        read_silhouette(path)


# --- the verb -------------------------------------------------------------------------------


def test_the_verb_draw(tmp_path: Path, typed: Typed) -> None:
    said = typed("draw", "pentomino:3x5:PUV", "--solution", "--quiet")
    assert said.code == Exit.OK
    rows = said.out.split()
    assert rows in (["VPPUU", "VPPPU", "VVVUU"], ["UUPPV", "UPPPV", "UUVVV"],
                    ["VVVUU", "VPPPU", "VPPUU"], ["UUVVV", "UPPPV", "UUPPV"])  # fmt: skip
    for name, magic in (("a.png", b"\x89PNG"), ("a.gif", b"GIF89a"), ("a.svg", b"<svg")):
        assert (
            typed("draw", "pentomino:3x5:PUV", "--quiet", "-o", str(tmp_path / name)).code
            == Exit.OK
        )
        assert (tmp_path / name).read_bytes().startswith(magic)
    placed = tmp_path / "placed.txt"
    placed.write_text("V....\nV....\nVVV..\n")
    said = typed("draw", "pentomino:3x5:PUV", "--placed", str(placed))
    assert said.code == Exit.OK
    assert said.out == "V....\nV....\nVVV..\n"
    assert typed("draw", "domino:8x8-mutilated", "--solution", "--quiet").code == Exit.NONE
    assert typed("draw", "pentomino:3x5:PUV", "-o", str(tmp_path / "a.bmp")).code == Exit.USAGE
    assert typed("draw", "queens:6").code == Exit.USAGE


def test_draw_takes_no_limit_for_the_lack_of_a_solution(typed: Typed) -> None:
    said = typed("draw", "pentomino:6x10", "--solution", "--time-limit", "0")
    assert (said.code, said.out) == (Exit.STOPPED, "no solution was found: stopped (time)\n")


@pytest.mark.usefixtures("here")
def test_draw_finds_a_solution_with_the_pieces_that_are_placed(typed: Typed) -> None:
    Path("placed.txt").write_text("V....\nV....\nVVV..\n")
    drawing = ("draw", "pentomino:3x5:PUV", "--solution", "--placed")
    assert typed(*drawing, "placed.txt").out == "VPPUU\nVPPPU\nVVVUU\n"
    Path("dead.txt").write_text("PP...\nPP...\nP....\n")
    assert typed(*drawing, "dead.txt").code == Exit.NONE
