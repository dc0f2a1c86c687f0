"""Board files: pictures with a head that says pieces, faces, gaps and locks."""

from __future__ import annotations

from pathlib import Path

import pytest

from twostep.models.errors import InputError
from twostep.models.families.polyomino.boardfile import parse_board_text, read_board
from twostep.models.families.polyomino.placement import Lock


def test_a_plain_picture_is_filled_with_the_twelve_pentominoes() -> None:
    made = parse_board_text("\n".join(["." * 10] * 6), "b.txt")
    assert made.model.n_options == 2056


def test_a_board_file_says_pieces_faces_gaps_and_locks(tmp_path: Path) -> None:
    path = tmp_path / "b.txt"
    path.write_text(
        "; a comment\npieces: P U\nfaces: one-sided\nempty: 1\n\npiece: H-fixed=2\n#.#\n###\n"
        "\nlocked:\n#....\n.PPP.\n..PP.\n\nboard:\n#....\n.....\n.....\n"
    )
    made = read_board(path)
    assert made.name == str(path)
    assert [(k.name, k.low, k.piece.may_turn, k.piece.may_turn_over) for k in made.kinds] == [
        ("P", 1, True, False), ("U", 1, True, False), ("H", 2, False, False)
    ]  # fmt: skip
    assert made.empty == 1
    assert made.locks == (Lock("P", ((1, 1), (1, 2), (1, 3), (2, 2), (2, 3))),)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (".....\n....\n", 2, "4 characters"),
        (".....\n..x..\n", 2, "unknown character 'x'"),
        ("###\n", 1, "no free cell"),
        ("...\n\n...\n", 3, "blank line inside"),
        ("peices: P\n...\n", 1, "did you mean 'pieces'"),
        ("pieces: P\npieces: Q\n...\n", 2, "unknown piece 'Q'"),
        ("pieces:\n...\n", None, "no pieces"),
        ("pieces: L4\npieces: J4\n...\n", 2, "are the same piece"),
        ("empty: x\n...\n", 1, "expected a number or 'any'"),
        ("faces: x\n...\n", 1, "faces 'x'"),
        ("piece: H\n\nboard:\n...\n", 1, "no picture"),
        ("piece: H\n#.\n.#\n\nboard:\n...\n", 1, "not connected"),
        ("piece: H\n#\n##\n\nboard:\n...\n", 3, "2 characters"),
        ("piece: =2\n##\n\nboard:\n...\n", 1, "piece name"),
        ("piece: H\n##\n\npieces: H\nboard:\n...\n", 4, "unknown piece 'H'"),
        ("pieces: P\n", None, "no picture of a board"),
        ("board:\n..\nboard:\n..\n", 3, "a second board"),
        ("empty: 1\nempty: 2\n...\n", 2, "'empty' is said already"),
        ("pieces: tetrominos\n...\n", 1, "did you mean 'tetrominoes'"),
        ("pieces P U V\nboard:\n...\n", 1, "a line such as 'pieces: P U V', got 'pieces P U V'"),
        ("locked:\nV..\n\nboard:\n...\n", 1, "not a V"),
        ("locked:\nV.\n\nboard:\n...\n", 2, "2 characters"),
    ],
)
def test_a_bad_board_file_names_the_line(text, line, message) -> None:
    with pytest.raises(InputError, match=message) as caught:
        parse_board_text(text, "b.txt")
    assert caught.value.line == line
    assert "\n" not in str(caught.value)


def test_an_error_in_a_board_file_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "b.txt"
    path.write_text("...\n..\n")
    with pytest.raises(InputError) as caught:
        read_board(path)
    assert str(caught.value).startswith(f"{path}:2: ")
