"""The contest's input and output, and the checker of an output."""

from __future__ import annotations

import random

import pytest
from helpers.tilings import data, region_of_area

from twostep.models.errors import InputError
from twostep.models.families.two_tiling.check import different_verdicts, faults, parse_output
from twostep.models.families.two_tiling.contest import (
    LABELS,
    Case,
    all_cases,
    format_cases,
    grid,
    grids,
    parse_cases,
)
from twostep.models.families.two_tiling.regions import Verdict
from twostep.models.families.two_tiling.tiles import parse_tile

# --- the contest's formats ------------------------------------------------------------------------


def test_cases_are_read_back_as_written() -> None:
    assert parse_cases(format_cases(all_cases())) == all_cases()


def test_a_tile_may_sit_anywhere_in_its_frame() -> None:
    text = "2\n... ...\n... ..@\n@@. ..@\n\n@.. @@.\n@.. ...\n... ...\n"
    assert [(c.first.name, c.second.name) for c in parse_cases(text)] == [("I2", "I2")] * 2


GOOD = "2\n@@. @..\n... @@.\n... ...\n\n@@@ .@.\n... @@@\n... .@.\n\n"


def edited(line: int, text: str) -> str:
    lines = GOOD.split("\n")
    lines[line - 1] = text
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", 1, "before case 1: expected the number of cases, got ''"),
        (edited(1, "two"), 1, "before case 1: expected the number of cases, got 'two'"),
        (edited(1, "-1"), 1, "expected the number of cases"),
        (edited(1, "0"), 1, "expected the number of cases"),
        (edited(1, "9" * 5000), 1, "expected the number of cases"),
        (edited(1, "3"), 8, "case 3: the file ends before it is whole; the first line says 3"),
        (edited(1, "1"), 6, "case 2: more than the 1 case that the first line says"),
        (GOOD + "\n\nmore\n", 12, "case 3: more than the 2 cases"),
        (edited(3, "... @@"), 3, "case 1: row 2: expected 'xxx yyy'"),
        (edited(3, "... @@.."), 3, "case 1: row 2: expected 'xxx yyy'"),
        (edited(7, "... @#@"), 7, "case 2: row 2: expected 'xxx yyy'"),
        (edited(7, "....@@@"), 7, "case 2: row 2: expected 'xxx yyy'"),
        (edited(6, "... .@."), 6, "case 2: the first tile is empty"),
        (edited(6, "@.@ .@."), 6, "case 2: the first tile is in 2 parts"),
        (edited(6, "... @.@"), 6, "case 2: the first tile is empty"),
        (edited(7, "... ...").replace(".@.\n", "@.@\n"), 6, "the second tile is in 4 parts"),
        (GOOD.replace("\n\n", "\n", 1), 5, "case 1: expected an empty line behind the tiles"),
        (edited(7, "... @@@ ..."), 7, "case 2: row 2: expected 'xxx yyy'"),
        (edited(7, "...\N{NO-BREAK SPACE}@@@"), 7, "got '...\\xa0@@@'"),
        (edited(7, "  ... @#@"), 7, "in.txt:7:8: case 2: row 2"),
        (GOOD.replace("... @@.\n", "\n", 1), 3, "case 1: row 2: expected 'xxx yyy'"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_with_the_case_number(text: str, place: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_cases(text, "in.txt")
    assert str(caught.value).startswith(f"in.txt:{place}:")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        GOOD.rstrip("\n"),
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("\n", "  \n"),
        GOOD.replace(" ", "   ").replace("\n", "\n\t"),
        GOOD.replace("\n\n", "\n\n \n\n"),
    ],
    ids=["no last line", "CR LF", "trailing blanks", "more blanks", "more empty lines"],
)
def test_blanks_and_line_ends_that_others_write_are_read(text: str) -> None:
    assert parse_cases(text) == parse_cases(GOOD)


def test_random_damage_is_refused_or_read_but_never_a_crash() -> None:
    rng = random.Random(7)
    for _ in range(2000):
        text = list(GOOD)
        for _ in range(rng.randint(1, 3)):
            text[rng.randrange(len(text))] = rng.choice(["@", ".", " ", "\n", "", "x", "\r", "é"])
        try:
            outcome = f"{len(parse_cases(''.join(text)))} cases"
        except InputError as error:
            outcome = str(error)
        assert "case" in outcome


def test_every_tile_has_its_own_label_even_where_the_contests_run_out() -> None:
    cells = [((row, column),) for row in range(16) for column in range(16)]
    rows = grid(cells, 16, 16)
    assert len(set("".join(rows))) == 256
    assert "".join(rows)[:64] == LABELS


def test_grids_of_a_region_cover_the_same_cells() -> None:
    left, right = grids(region_of_area(5), 2, 6)
    assert left == right == ["abcde.", "......"]


# --- the checker ----------------------------------------------------------------------------------

PAIR = [Case(1, parse_tile("L4"), parse_tile("O4"))]
RIGHT = "Case #1: POSSIBLE\naaab abbc\nabbb abbc\n.... ....\n.... ....\n"
"""Right in form only: two L tiles; and three columns that are no squares."""

VALID = "Case #1: POSSIBLE\naaab aabb\nabbb aabb\n.... ....\n.... ....\n"


def check4(text: str, cases: list[Case] = PAIR) -> list[str]:
    return [str(fault) for fault in faults(cases, parse_output(text, rows=4, columns=4))]


def test_a_valid_answer_has_no_fault() -> None:
    assert check4(VALID) == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (RIGHT, "case 1: right grid: row 1, column 1: 'a' in 2 cells is not the tile O4"),
        (VALID.replace("aaab", "aaaa"), "left grid: row 1, column 1: 'a' in 5 cells"),
        (VALID.replace("abbb aabb", "abbb aaab"), "right grid: row 1, column 1: 'a' in 5 cells"),
        (VALID.replace("aabb", "aaaa"), "right grid: row 1, column 1: 'a' in 8 cells"),
        (VALID.replace("b", "*"), "left grid: row 1, column 4: '*' is no label"),
        (
            "Case #1: POSSIBLE\naaab .aa.\nabbb .aa.\n.... ....\n.... ....\n",
            "row 1, column 1 is covered in the left grid only",
        ),
        (
            "Case #1: POSSIBLE\n.... .aa.\n.... .aa.\n.... ....\n.... ....\n",
            "row 1, column 2 is covered in the right grid only",
        ),
        (
            "Case #1: POSSIBLE\n.... ....\n.... ....\n.... ....\n.... ....\n",
            "the region is empty",
        ),
        ("Case #1: UNKNOWN\n", "not answered"),
        (
            VALID + "Case #2: IMPOSSIBLE\n",
            "case 2: the input ends with case 1",
        ),
        ("\n", "case 1: no answer"),
    ],
)
def test_the_checker_says_what_is_wrong(text: str, reason: str) -> None:
    (fault,) = check4(text)
    assert reason in fault


@pytest.mark.parametrize(
    "text",
    [
        VALID.replace("\n", "\r\n"),
        VALID.replace("\n", " \t\n"),
        VALID.replace(" ", "  "),
        " " + VALID.replace("\n", "\n "),
        "\n" + VALID + "\n \n",
    ],
    ids=["CR LF", "trailing blanks", "double blanks", "leading blanks", "empty lines"],
)
def test_an_output_is_read_whatever_its_blanks(text: str) -> None:
    assert check4(text) == []
    assert [output.left for output in parse_output(text, rows=4, columns=4)] == [
        ("aaab", "abbb", "....", "....")
    ]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("Case #2: POSSIBLE\n", 1, "case 1: expected 'Case #1: POSSIBLE'"),
        ("Case #1: possible\n", 1, "case 1: expected 'Case #1: POSSIBLE'"),
        ("Case #1:POSSIBLE\n", 1, "got 'Case #1:POSSIBLE'"),
        ("Case # 1: POSSIBLE\n", 1, "got 'Case # 1: POSSIBLE'"),
        ("Case #1: POSSIBLE\naaab aabb .\n", 2, "got 'aaab aabb .'"),
        ("Case #1: POSSIBLE\naaab aab\n", 2, "case 1, row 1: expected two rows of 4"),
        ("Case #1: POSSIBLE\naaab.aabb\n", 2, "case 1, row 1: expected two rows of 4"),
        ("Case #1: POSSIBLE\naaab aabb\n", 2, "case 1: the file ends after 1 of 4 rows"),
        (VALID + "....\n", 6, "case 2: expected 'Case #2: POSSIBLE'"),
    ],
)
def test_an_output_of_another_form_is_refused(text: str, line: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_output(text, "out.txt", 4, 4)
    assert str(caught.value).startswith(f"out.txt:{line}:")
    assert message in str(caught.value)


def test_a_fault_names_its_case_and_the_line_where_that_begins() -> None:
    outputs = parse_output(VALID + RIGHT.replace("#1", "#2"), rows=4, columns=4)
    (fault,) = faults([PAIR[0], Case(2, PAIR[0].first, PAIR[0].second)], outputs)
    assert (fault.case, fault.line) == (2, 6)


def test_the_official_answers_pass_the_checker() -> None:
    cases = parse_cases(data("input.txt").read_text())
    assert faults(cases, parse_output(data("official_answers.txt").read_text())) == []


def test_no_official_region_is_left_valid_by_taking_a_cell_away() -> None:
    cases = parse_cases(data("input.txt").read_text())
    rng = random.Random(1)
    for each, output in zip(
        cases, parse_output(data("official_answers.txt").read_text()), strict=True
    ):
        if output.verdict is not Verdict.POSSIBLE:
            continue
        filled = [(r, c) for r, line in enumerate(output.left) for c in range(8) if line[c] != "."]
        r, c = rng.choice(filled)
        left = list(output.left)
        left[r] = left[r][:c] + "." + left[r][c + 1 :]
        text = "\n".join(f"{one} {other}" for one, other in zip(left, output.right, strict=True))
        damaged = parse_output(f"Case #1: POSSIBLE\n{text}\n")
        assert len(faults([Case(1, each.first, each.second)], damaged)) == 1


def test_different_verdicts_are_found() -> None:
    here = parse_output("Case #1: IMPOSSIBLE\nCase #2: UNKNOWN\n")
    there = parse_output("Case #1: IMPOSSIBLE\nCase #2: IMPOSSIBLE\nCase #3: IMPOSSIBLE\n")
    assert [str(fault) for fault in different_verdicts(here, there)] == [
        "case 2: UNKNOWN, elsewhere IMPOSSIBLE",
        "case 3: 2 answers here, 3 elsewhere",
    ]
    assert different_verdicts(here, here) == []
    assert [fault.line for fault in different_verdicts([], there)] == [1]
