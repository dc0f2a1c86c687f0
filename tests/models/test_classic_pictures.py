"""Pictures of the classic families: what lies where, by structure and not by pixels."""

from __future__ import annotations

import pytest
from helpers.engines import DLX

from twostep.models.drawing.grid import borders, middle, place
from twostep.models.drawing.scene import Area, Line, Marks, Role, Scene, Sign, Text, Token
from twostep.models.families.registry import family, named_puzzle
from twostep.models.search import questions

KINDS = [
    "queens", "starbattle", "langford", "sudoku", "macmahon", "edges", "dominosa", "calendar",
    "words", "tetris", "nonogram", "pips", "bishops", "maze", "pacman", "connected", "two-tiling",
]  # fmt: skip


def solved(name: str) -> tuple[Scene, tuple[int, ...]]:
    asked = named_puzzle(name)
    (solution,) = questions.first(DLX, asked.model).solutions
    return asked.picture(solution), solution


def texts(scene: Scene) -> dict[tuple[float, float], str]:
    return {shape.at: shape.text for shape in scene.shapes if isinstance(shape, Text)}


@pytest.mark.parametrize("kind", KINDS)
def test_every_example_has_a_picture_empty_half_done_and_solved(kind: str) -> None:
    for name in family(kind).examples:
        asked = named_puzzle(name)
        if name == "tetris:3:3":  # has no solution
            assert asked.picture(asked.model.chosen).shapes == asked.picture().shapes
            continue
        scene, solution = solved(name)
        half = asked.picture(solution[::2])
        empty = asked.picture()
        for each in (scene, half, empty):
            assert each.title == asked.name
            assert each.width > 0 < each.height
            for shape in each.shapes:
                if isinstance(shape, Area | Line):
                    assert all(-0.5 <= x <= each.width + 0.5 for x, _ in shape.points), name
                    assert all(-0.5 <= y <= each.height + 0.5 for _, y in shape.points), name
        assert scene.layers != empty.layers != half.layers
        if kind == "starbattle":
            assert scene.text.count("*") == len(solution)
            assert set(empty.text) == {*name.split(":")[-1].replace("/", ""), "\n"}
        else:
            assert scene.text == asked.draw(solution)
        assert empty.text


@pytest.mark.parametrize("kind", KINDS)
def test_a_mark_stands_out_in_every_family(kind: str) -> None:
    for name in family(kind).examples[:1]:
        asked = named_puzzle(name)
        _, solution = solved(name)
        option = next(each for each in solution if each not in asked.model.chosen)
        plain = asked.picture([option])
        assert not [s for s in plain.shapes if _fill(s) is Role.MARK]
        marked = asked.picture([option], Marks(options=frozenset({option})))
        assert [s for s in marked.shapes if _fill(s) is Role.MARK], name
        items = frozenset(item for item, _ in asked.model.option(option))
        around = asked.picture([option], Marks(items=items))
        assert [s for s in around.shapes if _fill(s) is Role.MARK], name


def _fill(shape: object) -> object:
    if isinstance(shape, Area):
        return shape.fill
    return shape.colour if isinstance(shape, Line | Token) else None


def test_givens_are_bold_and_answers_are_not() -> None:
    scene, _ = solved("sudoku:..3..3.4..23..4.")
    digits = [shape for shape in scene.shapes if isinstance(shape, Text)]
    assert len(digits) == 16
    assert {(shape.at, shape.text) for shape in digits if shape.bold} == {
        ((2.5, 0.5), "3"), ((1.5, 1.5), "3"), ((3.5, 1.5), "4"), ((2.5, 2.5), "2"),
        ((3.5, 2.5), "3"), ((2.5, 3.5), "4"),
    }  # fmt: skip


def test_stars_stand_in_cells_of_their_regions_colours() -> None:
    board = "ACDDDB/ACDDBB/CCDDDD/CCFDDD/CFFFDE/CFFFEE"
    scene, _ = solved(f"starbattle:{board}")
    stars = [shape for shape in scene.shapes if isinstance(shape, Token)]
    assert {star.sign for star in stars} == {Sign.STAR}
    assert {star.on for star in stars} == set(range(6))
    names = list(dict.fromkeys(board.replace("/", "")))
    for star in stars:
        row, column = int(star.at[1]), int(star.at[0])
        assert star.on == names.index(board.split("/")[row][column])


def test_dominoes_lie_around_their_two_numbers() -> None:
    scene, solution = solved("dominosa:001/110")
    (layer,) = (layer for layer in scene.layers if layer.name == "dominoes")
    dominoes = [shape for shape in layer.shapes if isinstance(shape, Area)]
    assert len(dominoes) == len(solution) == 3
    for domino in dominoes:
        xs, ys = zip(*domino.points, strict=True)
        inside = [
            text
            for (x, y), text in texts(scene).items()
            if min(xs) < x < max(xs) and min(ys) < y < max(ys)
        ]
        assert domino.name == "domino-" + "-".join(sorted(inside))


def test_touching_triangles_have_one_colour() -> None:
    scene, _ = solved("macmahon:2x3:2")
    triangles = [s for s in scene.shapes if isinstance(s, Area) and len(s.points) == 3]
    assert len(triangles) == 24
    colour_at: dict[frozenset[tuple[float, float]], set[object]] = {}
    for triangle in triangles:
        colour_at.setdefault(frozenset(triangle.points[:2]), set()).add(triangle.fill)
    assert all(len(colours) == 1 for colours in colour_at.values())
    assert len(colour_at) == 17


def test_a_calendar_shows_its_date_and_hides_the_rest() -> None:
    scene, _ = solved("calendar:Oct-6")
    shown = texts(scene)
    assert sorted(shown.values()) == sorted(["Oct", "6", *"LNPUVYZR"])
    asked = named_puzzle("calendar:Oct-6")
    assert len(texts(asked.picture())) == 43


def test_borders_are_as_long_as_they_can_be() -> None:
    region_of = {(r, c): "ab"[c // 2] for r in range(2) for c in range(4)}
    drawn = {shape.points for shape in borders(region_of) if isinstance(shape, Line)}
    assert drawn == {
        ((0, 0), (4, 0)), ((0, 2), (4, 2)), ((0, 0), (0, 2)), ((2, 0), (2, 2)), ((4, 0), (4, 2)),
    }  # fmt: skip
    assert (place((1, 2)), middle((1, 2))) == ("row 2, column 3", (2.5, 1.5))
