"""The verbs best and convert, and model files, as their users meet them."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.cli import Typed

from twostep.compare.command.shared.exits import Exit

PRICED = """\
| a walk over two bridges, and a toll
north south | key
north key:red |3
north |4
south key:red |2
south key:blue
south |1
"""


@pytest.fixture
def priced(here: Path) -> str:
    """A model with costs in a file of the working directory."""
    (here / "toll.dlx").write_text(PRICED)
    return "toll.dlx"


@pytest.mark.parametrize("backend", ["dlx", "cpsat", "both"])
def test_best_prints_the_cheapest_first(priced: str, backend: str, typed: Typed) -> None:
    # By hand: 3 with 2 or 1; 4 with 0, 2 or 1 (red does not go with blue).
    code, out, err = typed("best", priced, "-k", "2", "--backend", backend)
    assert code == Exit.OK
    assert out.split("\n\n")[0] in ("cost 4\nnorth\nsouth key:blue", "cost 4\nnorth key:red\nsouth")
    assert out.count("cost 4\n") == 2
    assert "proven" in err


def test_best_as_json_gives_costs_and_boards(priced: str, typed: Typed) -> None:
    said = typed("best", priced, "-k", "9", "--json", "--backend", "both")
    content = said.json
    assert said.code == Exit.OK
    assert content["costs"] == [4, 4, 5, 5, 6]
    assert (content["outcome"], content["count"], content["proven"]) == ("found", 5, True)
    assert len(content["solutions"]) == 5
    assert [backend["name"] for backend in content["backends"]] == ["dlx", "cpsat"]


def test_best_of_nothing_is_exit_20(tmp_path: Path, typed: Typed) -> None:
    (tmp_path / "none.dlx").write_text("a b\na\n")
    assert typed("best", str(tmp_path / "none.dlx"))[:2] == (Exit.NONE, "no solution\n")
    code, out, _ = typed("best", "langford:5")
    assert (code, out) == (Exit.NONE, "no solution: 5 is neither a multiple of 4 nor one less\n")


def test_best_that_is_stopped_is_exit_30_and_says_so(priced: str, typed: Typed) -> None:
    code, out, _ = typed("best", priced, "--node-limit", "0")
    assert (code, out) == (Exit.STOPPED, "nothing found before the limit (nodes)\n")
    code, out, _ = typed("best", "queens:10", "-k", "800", "--node-limit", "300")
    assert code == Exit.STOPPED
    assert out.startswith("cost 0 (cheapest known when stopped: nodes)\n")


@pytest.mark.parametrize("suffix", [".dlx", ".json", ".cnf", ".opb"])
def test_convert_writes_a_puzzle_to_a_file(suffix: str, tmp_path: Path, typed: Typed) -> None:
    path = tmp_path / f"board{suffix}"
    code, out, err = typed("convert", "pentomino:3x5:PUV", str(path))
    assert (code, out) == (Exit.OK, "")
    assert err == f"{path}: 18 items, 72 options\n"
    assert path.exists()
    if suffix in (".dlx", ".json"):
        assert typed("count", str(path), "--backend", "both")[1] == "4\n"
        again = tmp_path / f"again{suffix}"
        assert typed("convert", str(path), str(again))[0] == Exit.OK
        assert again.read_text() == path.read_text()


def test_every_way_between_the_two_formats_keeps_the_solutions(priced: str, typed: Typed) -> None:
    for source, target in (("toll.dlx", "a.json"), ("a.json", "b.dlx"), ("b.dlx", "c.json")):
        assert typed("convert", source, target, "--quiet") == (Exit.OK, "", "")
    assert typed("solve", "c.json", "-n", "0")[1] == typed(
        "solve", "toll.dlx", "-n", "0"
    )[1]  # fmt: skip
    assert Path("a.json").read_text() == Path("c.json").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["convert", "queens:4", "q.xml"], "q.xml: cannot write '.xml', expected .dlx"),
        (["convert", "queens:4", "q"], "cannot write"),
        (["convert", "queens:4", "no/where/q.dlx"], "q.dlx: cannot be written"),
        (["convert", "toll.dlx"], "Missing argument 'FILE'"),
        (["best", "toll.dlx", "-k", "0"], "0 is not in the range"),
        (["best", "gone.dlx"], "gone.dlx: there is no such file"),
        (["count", "bad.dlx"], "bad.dlx:2:7: unknown item 'eats'"),
        (["count", "bad.json"], "bad.json: option 0: unknown item 'b'"),
        (["solve", "steers.dlx"], "steers.dlx:1:3: the control character U+001B: remove it"),
        (["solve", "steers.json"], "steers.json:1:51: the control character U+009B: remove it"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(
    priced: str, arguments: list[str], said: str, typed: Typed
) -> None:
    Path("bad.dlx").write_text("north south\nnorth eats\n")
    Path("bad.json").write_text(
        '{"schema": "twostep-model/1", "items": [{"name": "a"}], "options": [{"items": ["b"]}]}'
    )
    Path("steers.dlx").write_text("A \x1b[31mB\nA \x1b[31mB\n")
    Path("steers.json").write_text(
        r'{"schema": "twostep-model/1", "items": [{"name": "\u009b31m"}], "options": []}'
    )
    given = sorted(Path().iterdir())
    code, out, err = typed(*arguments)
    assert (code, out) == (Exit.USAGE, "")
    assert said in err
    assert err.count("\n") == 1
    assert sorted(Path().iterdir()) == given
