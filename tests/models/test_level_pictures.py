"""Pictures of puzzles: palette, writers, sheets, the verb; and boards from pictures."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from helpers.cli import Typed
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from rich.color import Color, ColorSystem
from rich.style import Style

from twostep.compare.command.shared.exits import Exit
from twostep.compare.registry import engine
from twostep.models import first
from twostep.models.drawing.book import Book, Paper
from twostep.models.drawing.files import Form, pictures
from twostep.models.drawing.geometry import apart, contacts, hatching, merged
from twostep.models.drawing.gif import gif
from twostep.models.drawing.page import Fill, Item, Label, Page, Stroke, page_of
from twostep.models.drawing.palette import (
    HATCHES,
    IN_BLACK,
    IN_COLOUR,
    PIECES,
    Hatch,
    contrast,
    heat,
    rgb,
)
from twostep.models.drawing.raster import image, plain, png
from twostep.models.drawing.scene import Role, Scene, square
from twostep.models.drawing.sheet import Card, sheets, single
from twostep.models.drawing.svg import svg
from twostep.models.drawing.terminal import blocks, grid_of
from twostep.models.errors import InputError
from twostep.models.families.polyomino.board import board_from_rows, parse_board
from twostep.models.families.polyomino.pieces import PENTOMINOES, parse_kinds
from twostep.models.families.polyomino.placement import Lock
from twostep.models.families.polyomino.puzzle import PolyominoPuzzle
from twostep.models.families.polyomino.silhouette import board_of, read_silhouette
from twostep.models.families.registry import named_puzzle
from twostep.models.game.level import Level, Pack
from twostep.models.game.levelfile import write_pack
from twostep.models.reading.load import load_puzzle

V = Lock("V", ((0, 0), (1, 0), (2, 0), (2, 1), (2, 2)))
SVG = "{http://www.w3.org/2000/svg}"


def locked() -> PolyominoPuzzle:
    board = board_from_rows(["....."] * 3)
    return PolyominoPuzzle("3x5 <V locked>", board, tuple(parse_kinds("PUV")), 0, (V,))


def solved(made: PolyominoPuzzle) -> Scene:
    return made.picture(first(engine("dlx"), made.model).solutions[0])


def paths(page: Page) -> dict[str, str]:
    """The filled paths of an SVG that have a title: title to colour."""
    root = ElementTree.fromstring(svg(page))
    named = {}
    for path in root.iter(f"{SVG}path"):
        if (title := path.find(f"{SVG}title")) is not None:
            named[str(title.text)] = path.attrib["fill"]
    return named


# --- palette --------------------------------------------------------------------------------

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
    seen = lab(np.array([rgb(colour) for colour in PIECES]), EYES[eye])
    distance = np.linalg.norm(seen[:, None] - seen[None], axis=2)
    assert len(PIECES) == 12
    assert distance[np.triu_indices(12, 1)].min() > 30


def test_twelve_colours_are_told_apart_in_grey() -> None:
    lightness = np.sort(lab(np.array([rgb(colour) for colour in PIECES]), EYES["normal"])[:, 0])
    assert np.diff(lightness).min() > 3.5  # 2.3 can just be seen


def test_every_text_has_the_contrast_that_wcag_asks_for() -> None:
    on = [IN_COLOUR.paint(n) for n in range(12)]
    on += [look.paint(role) for role in Role for look in (IN_COLOUR, IN_BLACK)]
    on += [heat(n / 50) for n in range(51)]
    for colour in on:
        letter, block = luminance(contrast(colour)) + 0.05, luminance(colour) + 0.05
        assert max(letter / block, block / letter) >= 4.5, colour


def test_without_colour_twelve_pieces_have_twelve_hatches() -> None:
    assert len(set(HATCHES)) == len(HATCHES) == 12
    assert {IN_BLACK.paint(n) for n in range(12)} == {"#FFFFFF"}
    made = named_puzzle("pentomino:6x10")
    assert isinstance(made, PolyominoPuzzle)
    colours = set()
    for item in page_of(solved(made), IN_BLACK).items:
        red, green, blue = rgb(item.colour)
        colours.add((red, green, blue))
        assert red == green == blue
    assert len(colours) >= 2


def luminance(colour: str | Color) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    parts = rgb(colour) if isinstance(colour, str) else colour.get_truecolor()
    share = np.array(parts) / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def test_lines_of_a_pieces_colour_are_seen_without_colours() -> None:
    lines = [
        item.colour
        for item in page_of(named_puzzle("langford:3").picture([0]), IN_BLACK).items
        if isinstance(item, Stroke)
    ]
    assert lines
    assert "#FFFFFF" not in lines


# --- geometry -------------------------------------------------------------------------------

cells = st.tuples(st.integers(0, 11), st.integers(0, 11))


@given(st.lists(cells, min_size=1, max_size=40), st.integers(0, 10**6))
def test_groups_that_touch_never_have_one_colour(seeds: list[tuple[int, int]], seed: int) -> None:
    # Regions of a 12 x 12 board, grown from seeds: more of them than there are colours.
    rng = random.Random(seed)
    owner = {cell: number for number, cell in enumerate(dict.fromkeys(seeds))}
    for _ in range(400):
        (row, column), number = rng.choice(list(owner.items()))
        near = rng.choice([(row + 1, column), (row - 1, column), (row, column + 1)])
        if 0 <= near[0] < 12 and 0 <= near[1] < 12:
            owner.setdefault(near, number)
    groups = [[c for c in owner if owner[c] == n] for n in range(max(owner.values()) + 1)]
    wishes = [rng.randrange(12) for _ in groups]
    for wished in (None, wishes, [0] * len(groups)):
        colours = apart(groups, wished)
        assert all(0 <= colour < 12 for colour in colours)
        for number, near in enumerate(contacts(groups)):
            assert colours[number] not in {colours[other] for other in near}


def test_regions_that_touch_differ_however_many_there_are() -> None:
    # The first region touches all others, the thirteenth among them.
    rows = ["A" + letter * 14 for letter in "BCDEFGHIJKLMNO"] + ["A" * 15]
    grid = grid_of(named_puzzle("starbattle:" + "/".join(rows)).picture())
    assert grid is not None
    fills = [[IN_COLOUR.paint(fill) for fill in row if fill is not None] for row in grid]
    assert all(row[0] != row[1] for row in fills[:-1])
    assert all(above[1] != below[1] for above, below in pairwise(fills))


def test_a_group_gets_the_colour_it_wishes_where_nobody_has_it() -> None:
    groups = [[(0, 0)], [(0, 1)], [(0, 2)]]
    assert apart(groups, [4, 5, 4]) == [4, 5, 4]
    colours = apart(groups, [4, 4, 7])
    assert (colours[0], colours[2]) == (4, 7)
    assert colours[1] not in {4, 7}


@given(st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1))
def test_merged_squares_cover_the_same_and_no_side_lies_between_two(
    squares: set[tuple[int, int]],
) -> None:
    rings = merged(square(*cell) for cell in squares)
    area = sum(
        x * ring[(i + 1) % len(ring)][1] - ring[(i + 1) % len(ring)][0] * y
        for ring in rings
        for i, (x, y) in enumerate(ring)
    )
    assert abs(area) / 2 == len(squares)
    length = sum(
        abs(x - ring[i - 1][0]) + abs(y - ring[i - 1][1])
        for ring in rings
        for i, (x, y) in enumerate(ring)
    )
    around = ((0, 1), (0, -1), (1, 0), (-1, 0))
    assert length == sum((r + a, c + b) not in squares for r, c in squares for a, b in around)


def test_hatching_stays_inside() -> None:
    rings = merged(square(*cell) for cell in [(0, 0), (0, 1), (1, 0)])
    for hatch in (Hatch(45, 0.2), Hatch(0, 0.25, crossed=True)):
        lines = hatching(rings, hatch)
        assert len(lines) > 5
        for start, end in lines:
            x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
            assert 0 <= x <= 2
            assert 0 <= y <= 2
            assert min(x, y) <= 1


# --- boards of pieces -----------------------------------------------------------------------


def test_pieces_keep_their_colour_from_level_to_level() -> None:
    other = named_puzzle("pentomino:3x20")
    assert isinstance(other, PolyominoPuzzle)
    colours = paths(page_of(solved(other)))
    assert colours["V"] == paths(page_of(solved(locked())))["V, locked"]
    assert len(set(colours.values())) == len(colours) == 12


def test_pieces_beside_pentominoes_get_colours_of_their_own() -> None:
    made = named_puzzle("polyomino:9x4:F,I,L,L4,S4,T4,O4,V3,I2")
    assert isinstance(made, PolyominoPuzzle)
    assert len(set(paths(page_of(solved(made))).values())) == 9


@pytest.mark.parametrize("scale", [6, 10, 40])
def test_each_cell_has_its_pieces_colour(scale: int) -> None:
    made = locked()
    solution = first(engine("dlx"), made.model).solutions[0]
    picture = image(page_of(made.picture(solution)), scale)
    colours = paths(page_of(made.picture(solution)))
    assert picture.size == (6 * scale, 4 * scale)
    for placed in made.lying(solution):
        expected = colours.get(placed.piece, colours.get(f"{placed.piece}, locked"))
        for row, column in placed.cells:
            # A little off the corner: clear of edges, letters and locks.
            at = (int((column + 0.75) * scale), int((row + 1.2) * scale))
            assert picture.getpixel(at) == rgb(str(expected))


def test_a_locked_piece_is_marked_in_its_first_cell() -> None:
    made = locked()
    bare = PolyominoPuzzle("no locks", made.board, made.kinds)
    option = next(o for o, label in enumerate(bare.model.labels) if label == made.locked[0])
    marked, unmarked = image(page_of(made.picture())), image(page_of(bare.picture([option])))
    difference = np.asarray(marked) != np.asarray(unmarked)
    rows, columns = np.flatnonzero(difference.any((1, 2))), np.flatnonzero(difference.any((0, 2)))
    assert 20 <= rows[0] <= rows[-1] < 60
    assert 20 <= columns[0] <= columns[-1] < 60


def test_a_piece_is_one_path_with_its_name_and_one_letter() -> None:
    root = ElementTree.fromstring(svg(page_of(solved(locked()))))
    assert sorted(paths(page_of(solved(locked())))) == ["P", "U", "V, locked"]
    assert sorted(str(each.text) for each in root.findall(f"{SVG}text")) == ["P", "U", "V"]
    title, text = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert text is not None
    assert (title.text, text.text) == ("3x5 <V locked>", "VPPUU\nVPPPU\nVVVUU")
    assert (root.attrib["width"], root.attrib["height"]) == ("60mm", "40mm")
    assert root.attrib["role"] == "img"


def test_touching_copies_of_a_piece_have_different_colours() -> None:
    made = named_puzzle("domino:8x8")
    assert isinstance(made, PolyominoPuzzle)
    placed = made.lying(first(engine("dlx"), made.model).solutions[0])
    picture = image(page_of(solved(made)), 10)
    seen = [
        picture.getpixel((5 + 10 * each.cells[0][1] + 2, 5 + 10 * each.cells[0][0] + 2))
        for each in placed
    ]
    for number, near in enumerate(contacts([each.cells for each in placed])):
        assert seen[number] not in {seen[other] for other in near}


def test_a_tray_shows_copies_and_locks() -> None:
    made = named_puzzle("polyomino:5x8:tetrominoes=2")
    assert [part.copies for part in made.tray()] == ["x2"] * 5
    solution = first(engine("dlx"), made.model).solutions[0]
    assert made.tray(solution) == ()
    assert [(part.name, part.high, part.locked) for part in locked().tray()] == [
        ("P", 1, 0), ("U", 1, 0), ("V", 0, 1)]  # fmt: skip
    texts = [item for item in single(Card(made.picture(), made.tray())).items
             if getattr(item, "text", "") == "x2"]  # fmt: skip
    assert len(texts) == 5


def test_levels_with_one_outline_and_other_pieces_look_different() -> None:
    one, other = named_puzzle("pentomino:3x5:PUV"), named_puzzle("pentomino:3x5:LVY")
    same = [single(Card(each.picture())).items for each in (one, other)]
    assert same[0] == same[1]
    assert (
        single(Card(one.picture(), one.tray())).items
        != single(Card(other.picture(), other.tray())).items
    )


# --- writers --------------------------------------------------------------------------------


def test_a_gif_shows_the_pieces_one_after_the_other(tmp_path: Path, typed: Typed) -> None:
    path = tmp_path / "a.gif"
    said = typed("draw", "pentomino:3x5:PUV", "-o", str(path), "--scale", "20", "--quiet")
    assert said.code == Exit.OK
    moving = Image.open(io.BytesIO(path.read_bytes()))
    assert moving.n_frames == 4
    assert moving.info["loop"] == 0
    greys = []
    for frame in range(4):
        moving.seek(frame)
        pixels = np.asarray(moving.convert("RGB")).reshape(-1, 3)
        greys.append(int((pixels == rgb(IN_COLOUR.paint(Role.CELL))).all(axis=1).sum()))
    assert greys[0] > greys[1] > greys[2] > greys[3] == 0


def test_a_pdf_has_vectors_and_true_millimetres() -> None:
    for paper, (width, height) in ((Paper.A4, (210, 297)), (Paper.LETTER, (215.9, 279.4))):
        form = Form(millimetres=20, paper=paper)
        ((_, content),) = pictures("a.pdf", [Card(solved(locked()))], form)
        assert isinstance(content, bytes)
        assert content.startswith(b"%PDF")
        assert b"/Subtype /Image" not in content
        points = f"/MediaBox [0 0 {width / 25.4 * 72:.2f} {height / 25.4 * 72:.2f}]"
        assert points.encode() in content


def extent(items: Sequence[Item]) -> tuple[float, float]:
    """Width and height of all fills together."""
    points = [at for item in items if isinstance(item, Fill) for ring in item.rings for at in ring]
    xs, ys = zip(*points, strict=True)
    return max(xs) - min(xs), max(ys) - min(ys)


def test_a_book_has_puzzles_pieces_and_answers_in_true_millimetres() -> None:
    made = named_puzzle("pentomino:3x5:PUV")
    card = Card(made.picture(), (), "A level")
    answer = Card(made.picture(first(engine("dlx"), made.model).solutions[0]), (), "A level")
    (page,) = Book([card], cell=20).pages()
    assert extent(page.items) == pytest.approx((100, 60))
    with_tray = Card(made.picture(), made.tray(), "A level")
    book = Book([with_tray] * 5, [answer] * 5, "Five", per_page=2, cell=12, cut_out=True)
    pages = book.pages()
    named = [{item.name for item in page.items if isinstance(item, Fill)} for page in pages]
    assert [len(names) > 1 for names in named] == [True] * len(pages)
    puzzles, *_, last = pages
    assert sum(isinstance(item, Label) and item.text == "A level" for item in puzzles.items) == 2
    assert sum(isinstance(item, Label) and item.text == "A level" for item in last.items) == 5
    pieces = pages[3]
    piece = next(item for item in pieces.items if isinstance(item, Fill) and item.name == "P")
    assert sorted(extent([piece])) == pytest.approx([24, 36])


def test_a_cell_too_large_for_the_paper_is_refused_with_the_largest() -> None:
    with pytest.raises(InputError, match="cells of 40 mm do not fit on the page; at most 36 mm"):
        Book([Card(locked().picture())], cell=40).pages()
    (page,) = Book([Card(locked().picture())], cell=36).pages()
    assert page.width == 210


def test_sheets_hold_thirty_levels_a_page_each_with_its_caption() -> None:
    scene, parts = locked().picture(), locked().tray()
    pages = sheets([Card(scene, parts, f"Level {n}") for n in range(35)], title="Thirty-five")
    assert len(pages) == 2
    root = ElementTree.fromstring(svg(pages[1]))
    texts = {str(each.text) for each in root.findall(f"{SVG}text")}
    assert {"Thirty-five", *(f"Level {n}" for n in range(30, 35))} <= texts
    assert "Level 29" not in texts


def test_without_a_font_for_its_letters_a_name_is_written_in_the_nearest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert plain("Häschen – Žluť あ") == "Haschen ? Zlut ?"
    scene = locked().picture()
    monkeypatch.setattr("twostep.models.drawing.raster._SYSTEM_FONTS", ())
    drawn, nearest = (
        png(sheets([Card(scene, (), name)])[0]) for name in ("Häschen あ", "Haschen ?")
    )
    assert drawn == nearest
    ((_, content),) = pictures("a.pdf", [Card(scene, (), "Häschen あ")])
    assert content


def test_a_long_caption_is_cut_short() -> None:
    (page,) = sheets([Card(locked().picture(), (), "A very long name " * 20)])
    root = ElementTree.fromstring(svg(page))
    (caption,) = [str(each.text) for each in root.findall(f"{SVG}text") if len(str(each.text)) > 1]
    assert caption.startswith("A very")
    assert caption.endswith("...")


def test_terminal_blocks_show_the_same_letters() -> None:
    scene = solved(locked())
    shown = blocks(scene, ColorSystem.TRUECOLOR)
    assert shown is not None
    assert shown.plain.replace(" ", "") == scene.text + "\n" == "VPPUU\nVPPPU\nVVVUU\n"


@pytest.mark.parametrize("system", ColorSystem)
def test_every_letter_can_be_read_on_its_block_however_few_colours_there_are(
    system: ColorSystem,
) -> None:
    made = named_puzzle("pentomino:3x20")
    assert isinstance(made, PolyominoPuzzle)
    drawn = blocks(solved(made), system)
    assert drawn is not None
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
    page = page_of(locked().picture())
    with pytest.raises(InputError, match="15000 x 10000 pixels is too large: lower the scale"):
        image(page, 2500)
    with pytest.raises(InputError, match="3 pictures of 6000 x 4000 pixels are too many"):
        gif([page] * 3, 1000)
    with pytest.raises(InputError, match="at most 120"):
        gif([page] * 121)


def test_a_large_board_is_drawn_smaller() -> None:
    board = board_from_rows(["." * 5000])
    made = PolyominoPuzzle("long", board, tuple(parse_kinds(["I5=any"])))
    picture = Image.open(io.BytesIO(png(page_of(made.picture()))))
    assert picture.width == 5001


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
    kinds = {"a.png": b"\x89PNG", "a.gif": b"GIF89a", "a.svg": b"<svg", "a.pdf": b"%PDF"}
    for name, magic in kinds.items():
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
    said = typed("draw", "queens:6", "--solution", "--quiet")
    assert said.code == Exit.OK
    assert said.out.count("Q") == 6


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
        greys.append(int((pixels == rgb(IN_COLOUR.paint(Role.CELL))).all(axis=1).sum()))
    assert greys[0] > 0 == greys[1]
    assert typed("draw", str(pack), "-o", str(path), "--placed", "x").code == Exit.USAGE
    bad = Level("odd", board, tuple(parse_kinds("PUV")), locks=(Lock("P", V.cells),))
    write_pack(pack, Pack((*levels, bad)))
    said = typed("draw", str(pack), "-o", str(path))
    assert said.code == Exit.USAGE
    assert f"{pack}: level 3 'odd': the locked cells are a V, not a P" in said.err
