"""The command as its users meet it: answers, exit codes, JSON, one clear line on bad input."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.cli import ENVIRONMENT, TWOSTEP, Typed, interrupted, started
from helpers.engines import DLX

from twostep.compare.agreement import verdict as agreement
from twostep.compare.command import VERBS
from twostep.compare.command.shared.exits import Exit
from twostep.compare.versions import release
from twostep.models.families.registry import FAMILIES, family
from twostep.models.search.engine import Counters, SearchResult, StopReason
from twostep.models.words import of_any_length

# --- answers --------------------------------------------------------------------------------------


def test_solve_prints_the_four_fillings_of_3x5(typed: Typed) -> None:
    code, out, _ = typed("solve", "pentomino:3x5:PUV", "-n", "0")
    boards = out.strip().split("\n\n")
    assert code == Exit.OK
    assert len(boards) == 4
    assert "VPPUU\nVPPPU\nVVVUU" in boards


def test_solve_prints_as_many_as_asked_for(typed: Typed) -> None:
    code, out, _ = typed("solve", "pentomino:3x20", "-n", "2")
    assert (code, len(out.strip().split("\n\n"))) == (Exit.OK, 2)


@pytest.mark.parametrize("backend", ["dlx", "cpsat", "both"])
def test_count_is_the_same_whatever_the_engine(backend: str, typed: Typed) -> None:
    code, out, err = typed("count", "pentomino:3x5:PUV", "--backend", backend)
    assert (code, out) == (Exit.OK, "4\n")
    assert ("cpsat: 4 in" in err) == (backend != "dlx")
    assert ("dlx: 4 in" in err) == (backend != "cpsat")


def test_a_count_has_as_many_digits_as_it_takes_but_no_file_has(
    typed: Typed, tmp_path: Path, few_digits: int
) -> None:
    items = [f"a{place}" for place in range(2200)]
    model = tmp_path / "pairs.dlx"
    model.write_text("\n".join([" ".join(items), *items, *items, ""]))
    with of_any_length():
        digits = str(2**2200)
    assert len(digits) > few_digits
    assert typed("count", str(model)).out == f"{digits}\n"
    assert f'"count": {digits}, ' in typed("count", str(model), "--json").out
    said = typed("count", str(model), "--checkpoint", str(tmp_path / "kept"), "--quiet")
    assert said.code == Exit.USAGE
    assert "too long for a file" in said.err


@pytest.fixture
def few_digits() -> Iterator[int]:
    """The fewest digits that Python can be told to be content with: 4300 take long to count to."""
    limit, few = sys.get_int_max_str_digits(), sys.int_info.str_digits_check_threshold
    sys.set_int_max_str_digits(few)
    yield few
    sys.set_int_max_str_digits(limit)


@pytest.mark.parametrize("backend", ["dlx", "cpsat", "both"])
def test_unique_shows_two_that_differ(backend: str, typed: Typed) -> None:
    said = typed("unique", "pentomino:3x5:PUV", "--backend", backend, "--json")
    answer = said.json
    assert (said.code, answer["outcome"]) == (Exit.SEVERAL, "multiple")
    first, second = answer["solutions"]
    assert first != second


def test_unique_says_unique_and_none(typed: Typed) -> None:
    said = typed("unique", "pentomino:1x5:I", "--backend", "both", "--json")
    answer = said.json
    assert (said.code, answer["outcome"], answer["complete"]) == (Exit.OK, "unique", True)
    said = typed("unique", "pentomino:3x5:PUX", "--backend", "both", "--json")
    answer = said.json
    assert (said.code, answer["outcome"], answer["complete"]) == (Exit.NONE, "none", True)


def test_compare_shows_both_engines_side_by_side(typed: Typed) -> None:
    code, out, _ = typed("compare", "pentomino:3x5:PUV", "pentomino:1x5:I")
    assert code == Exit.OK
    header, *rows = out.splitlines()
    assert header.split() == ["puzzle", "dlx", "seconds", "cpsat", "seconds", "verdict"]
    assert [row.split()[-1] for row in rows] == ["agree", "agree"]


def test_the_json_object_has_the_members_of_the_contract(
    typed: Typed,
) -> None:
    said = typed("count", "pentomino:3x20", "--json")
    answer = said.json
    assert said.code == Exit.OK
    assert (answer["puzzle"], answer["verb"], answer["outcome"]) == (
        "pentomino:3x20",
        "count",
        "count",
    )
    assert (answer["count"], answer["complete"], answer["stopped_by"]) == (8, True, None)
    (backend,) = answer["backends"]
    assert (backend["name"], backend["count"]) == ("dlx", 8)
    assert backend["nodes"] > 0
    assert backend["seconds"] >= 0


def test_a_limit_is_exit_30_and_at_least(typed: Typed) -> None:
    code, out, _ = typed("count", "pentomino:6x10", "--node-limit", "10")
    assert (code, out) == (Exit.STOPPED, "at least 0\n")
    said = typed("unique", "pentomino:6x10", "--node-limit", "10", "--json")
    answer = said.json
    assert (said.code, answer["outcome"], answer["stopped_by"]) == (
        Exit.STOPPED,
        "unknown",
        "nodes",
    )
    said = typed("compare", "pentomino:6x10", "--time-limit", "0.1", "--json")
    answer = said.json
    assert (said.code, answer["outcome"], answer["stopped_by"]) == (Exit.STOPPED, "unknown", "time")


def test_no_solution_is_exit_20_with_the_reason(typed: Typed) -> None:
    code, out, _ = typed("solve", "pentomino:4x4:PUV")
    assert code == Exit.NONE
    assert "15" in out
    assert "16" in out


def test_every_example_of_every_family_is_a_puzzle_that_draws_its_solution(
    typed: Typed,
) -> None:
    for name in FAMILIES:
        for example in family(name).examples:
            code, out, err = typed("solve", example, "--time-limit", "300")
            assert code in (Exit.OK, Exit.NONE), (example, out, err)
            assert out.strip()


def test_puzzles_as_json_are_the_families(typed: Typed) -> None:
    listed = json.loads(typed("puzzles", "--json").out)["puzzles"]
    assert [each["name"] for each in listed] == list(FAMILIES)
    for each in listed:
        known = family(each["name"])
        assert (each["summary"], each["syntax"]) == (known.summary, known.syntax)
        assert each["examples"] == list(known.examples)


def test_puzzles_lists_every_family(typed: Typed) -> None:
    code, out, _ = typed("puzzles")
    assert code == 0
    for name in FAMILIES:
        assert family(name).examples[0] in out


# --- disagreement ---------------------------------------------------------------------------------


@pytest.mark.usefixtures("cpsat_loses_one")
@pytest.mark.parametrize(
    "arguments",
    [
        ("compare", "pentomino:3x5:PUV"),
        ("count", "pentomino:3x5:PUV", "--backend", "both"),
        ("solve", "pentomino:3x5:PUV", "-n", "0", "--backend", "both"),
        ("unique", "pentomino:1x5:I", "--backend", "both"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_engines_that_disagree_are_exit_3_and_the_model_is_saved(
    arguments: tuple[str, ...],
    here: Path,
    typed: Typed,
) -> None:
    code, _, err = typed(*arguments)
    assert code == Exit.DISAGREE
    assert "the engines disagree" in err
    small, whole = sorted(here.glob("*.dlx"), key=lambda path: path.stat().st_size)
    assert whole.name in err
    assert small.name in err
    assert small.name == f"{whole.stem}-small.dlx"
    answer = json.loads(typed(*arguments, "--json").out)
    assert (answer["outcome"], answer["model_file"]) == ("disagree", whole.name)


# --- bad input ------------------------------------------------------------------------------------

BAD_INPUT = {
    "a verb that isn't one": (["slove", "pentomino:3x20"], "did you mean 'solve'?"),
    "no puzzle": (["solve"], "PUZZLE"),
    "capitals": (["solve", "PENTOMINO:3x20"], "did you mean 'pentomino'?"),
    "an unknown sprite": (
        ["tetris", "convert", "hert"],
        "no sprite of ours; did you mean 'heart'?",
    ),
    "one tile": (["two-tiling", "U5"], "two tiles are named as in U5,L4"),
    "a flag of the default verb": (
        ["two-tiling", "--board", "0"],
        "(see: twostep two-tiling --help)",
    ),
    "one option of a name twice": (
        ["count", "pentomino:3x5:PUV:empty=1,empty=2"],
        "'empty=2': empty is said already",
    ),
    "two ways to turn": (
        ["count", "pentomino:3x5:PUV:fixed,one-sided"],
        "how pieces may be turned is said already",
    ),
    "an unknown family": (["solve", "pentomin:3x20"], "did you mean 'pentomino'?"),
    "no name and no file": (["solve", "nothing"], "neither a puzzle's name nor a file"),
    "an unknown piece": (["solve", "pentomino:3x5:PUQ"], "'Q'"),
    "a board without size": (["solve", "pentomino:3x"], "3x"),
    "a board with no free cell": (["solve", "pentomino:0x5"], "0x5"),
    "a negative time limit": (["count", "pentomino:3x20", "--time-limit", "-1"], "from 0 to"),
    "a word as time limit": (["count", "pentomino:3x20", "--time-limit", "soon"], "'soon'"),
    "a limit that is no number": (["count", "pentomino:3x20", "--time-limit", "nan"], "'nan'"),
    "a negative number": (["solve", "pentomino:3x20", "-n", "-1"], "-1"),
    "a number with underscores": (["solve", "queens:4", "-n", "1_0"], "'1_0' is not a whole num"),
    "digits of another script": (["best", "queens:4", "-k", "\u0661"], "is not a whole number"),
    "a time limit with underscores": (["count", "queens:4", "--time-limit", "1_0"], "'1_0'"),
    "a timeout that is no number": (["bench", "--timeout", "nan"], "expected seconds"),
    "a limit of an estimate": (
        ["count", "queens:4", "--estimate", "--time-limit", "1"],
        "--estimate takes no --backend and no limit",
    ),
    "how many of one solution": (
        ["solve", "queens:4", "--index", "0", "-n", "2"],
        "-n is for a se",
    ),
    "a bare animation": (["tetris", "print", "heart", "h.gif", "--bare"], "--bare: only a .png"),
    "frames of a picture": (["tetris", "print", "heart", "h.png", "--every", "2"], "no frames"),
    "a scale for the terminal": (["draw", "pentomino:3x5", "--scale", "9"], "--scale goes with -o"),
    "an unknown engine": (["count", "pentomino:3x20", "--backend", "sat"], "'sat'"),
    "a missing file": (["solve", "no.txt"], "no.txt: there is no such file"),
    "a folder": (["solve", "folder.txt"], "folder.txt: this is a folder"),
    "an empty file": (["solve", "empty.txt"], "empty.txt: the file is empty"),
    "a file that isn't UTF-8": (["solve", "latin.txt"], "not UTF-8"),
    "ragged lines": (["solve", "ragged.txt"], "ragged.txt:2"),
    "an unknown character": (["solve", "char.txt"], "char.txt:1"),
    "a board file with no free cell": (["solve", "full.txt"], "full.txt"),
    "no JSON": (["solve", "cut.json"], "cut.json:1:"),
    "JSON of another schema": (["solve", "other.json"], "unknown schema 'x/1'"),
    "JSON without a schema": (["solve", "bare.json"], '"schema"'),
    "an unknown kind of file": (["solve", "file.xyz"], "unknown kind of file '.xyz'"),
    "an unknown flag": (["solve", "pentomino:3x20", "--fast"], "--fast"),
}


@pytest.mark.parametrize("what", BAD_INPUT)
def test_bad_input_is_exit_2_and_one_clear_line(what: str, here: Path, typed: Typed) -> None:
    (here / "folder.txt").mkdir()
    (here / "empty.txt").write_text("")
    (here / "latin.txt").write_bytes(b"..\xe4..\n")
    (here / "ragged.txt").write_text(".....\n....\n.....\n")
    (here / "char.txt").write_text("..?..\n.....\n.....\n")
    (here / "full.txt").write_text("###\n###\n")
    (here / "cut.json").write_text('{"schema": ')
    (here / "other.json").write_text('{"schema": "x/1"}')
    (here / "bare.json").write_text("[1, 2]")
    (here / "file.xyz").write_text("x")
    before = sorted(here.iterdir())
    arguments, expected = BAD_INPUT[what]
    code, out, err = typed(*arguments)
    assert (code, out) == (Exit.USAGE, "")
    assert expected in err
    assert err.startswith("twostep: ")
    assert err.count("\n") == 1
    assert sorted(here.iterdir()) == before


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ("tetris print s.png s.png", "it is read"),
        ("tetris print s.png ./s.png", "it is read"),
        ("tetris print s.png a.gif -o b --moves b", "something else is written there"),
        ("tetris play game.gif game.gif", "it is read"),
        ("draw s.png -o s.png", "it is read"),
        ("draw pentomino:3x5:PUV --placed p.svg -o p.svg", "it is read"),
        ("check p.json --memory p.json", "it is read"),
        ("generate --not-in p.json -o p.json", "it is read"),
    ],
)
def test_no_verb_writes_over_what_it_reads_nor_twice_to_one_file(
    arguments: str, fault: str, here: Path, typed: Typed
) -> None:
    for name in ("s.png", "game.gif", "p.svg", "p.json"):
        Path(name).write_text("mine")
    said = typed(*arguments.split())
    assert (said.code, said.out, said.err.count("\n")) == (Exit.USAGE, "", 1)
    assert f"cannot be written: {fault}; choose another name" in said.err
    assert sorted(path.name for path in here.iterdir()) == ["game.gif", "p.json", "p.svg", "s.png"]
    assert {path.read_text() for path in here.iterdir()} == {"mine"}


@pytest.mark.usefixtures("here")
def test_what_is_thrown_away_may_be_so_twice(typed: Typed) -> None:
    said = typed("tetris", "print", "heart", "h.png", "-o", "/dev/null", "--moves", "/dev/null")
    assert said.code == Exit.OK


# --- as a process ---------------------------------------------------------------------------------


def test_help_imports_nothing_heavy_and_names_every_verb_and_exit_code() -> None:
    code = (
        "import sys; from twostep.compare.command import run; run(['--help']);"
        "heavy = {'numpy', 'numba', 'ortools', 'rich', 'PIL'} & set(sys.modules);"
        "sys.exit(f'imports {heavy}' if heavy else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    for verb in VERBS:
        assert f"\n  {verb} " in done.stdout
    for exit_code in Exit:
        assert exit_code.meaning in done.stdout


def test_the_version_is_told_installed_or_not(typed: Typed) -> None:
    said = typed("--version")
    assert (said.code, said.out) == (Exit.OK, f"twostep, version {release()}\n")


def test_ctrl_c_ends_a_search_with_what_is_known() -> None:
    process = started("solve", "domino:8x8", "-n", "0", "--quiet")
    assert process.stdout is not None
    process.stdout.readline()  # it is in the middle of its search now
    said = interrupted(process)
    assert said.code == Exit.STOPPED
    assert "Traceback" not in said.err


def test_ctrl_c_in_the_first_engine_skips_the_second(
    typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cancelled(*_: object, **__: object) -> SearchResult:
        return SearchResult("dlx", 0, StopReason.CANCELLED, Counters(), 0.0)

    monkeypatch.setattr(DLX.__class__, "search", cancelled)
    monkeypatch.setattr(DLX.__class__, "count", cancelled)
    for verb in ("count", "solve", "unique"):
        said = typed(verb, "queens:6", "--backend", "both", "--json")
        assert said.code == Exit.STOPPED
        assert [each["name"] for each in said.json["backends"]] == ["dlx"]


@pytest.mark.parametrize(
    ("arguments", "suffix"),
    [
        (("count", "queens:6", "--certificate"), ".gz"),
        (("certify", "queens:6"), ".gz"),
        (("compare", "queens:6", "--record"), ".json"),
        (("generate", "-o"), ".json"),
        (("check", "levels.json", "--junit"), ".xml"),
        (("check", "levels.json", "--memory"), ".json"),
        (("solve", "pentomino:6x10", "-o"), ".png"),
        (("draw", "pentomino:6x10", "-o"), ".pdf"),
        (("two-tiling", "table", "--csv"), ".csv"),
        (("two-tiling", "table", "--draw"), ".png"),
        (("tetris", "print", "heart", "heart.gif", "--moves"), ".txt"),
        (("tetris", "print", "heart"), ".png"),
        (("tetris", "patterns", "-o"), ".txt"),
        (("bench", "--plot"), ".png"),
    ],
)
def test_what_cannot_be_written_is_refused_before_any_work(
    arguments: tuple[str, ...], suffix: str, here: Path, typed: Typed
) -> None:
    said = typed(*arguments, f"no/such{suffix}")
    assert (said.code, said.out) == (Exit.USAGE, "")
    assert said.err == f"twostep: no/such{suffix}: cannot be written: there is no folder 'no'\n"
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "flags"),
    [
        ("count queens:4 --estimate --certificate c.gz", "--estimate and --certificate"),
        ("count queens:4 --heatmap --certificate c.gz", "--heatmap and --certificate"),
        ("count queens:4 --up-to-symmetry --heatmap", "--up-to-symmetry and --heatmap"),
        ("solve queens:4 --sample 2 --certificate c.gz", "--sample and --certificate"),
        ("solve queens:4 --sample 2 --index 0", "--sample and --index"),
        ("check levels.json --memory m.json --no-memory", "--memory and --no-memory"),
    ],
)
def test_flags_that_exclude_each_other_are_refused(
    arguments: str, flags: str, here: Path, typed: Typed
) -> None:
    said = typed(*arguments.split())
    assert (said.code, said.out) == (Exit.USAGE, "")
    assert f"{flags}: give one of them" in said.err
    assert list(here.iterdir()) == []


def test_a_certificate_that_was_not_written_is_not_recorded(here: Path, typed: Typed) -> None:
    kept = ("compare", "queens:4", "--record", "r.json", "--certificate", "c.gz")
    assert typed(*kept).code == Exit.OK
    said = typed(*kept, "--time-limit", "0")  # c.gz is still that of the first run
    assert said.code == Exit.STOPPED
    assert "no certificate was written to c.gz" in said.err
    assert json.loads((here / "r.json").read_text())["certificate"] is None


CTRL_C = {
    "while the command is loading": """
        class Loader:
            def find_spec(self, name, *_):
                if name == "click":
                    signal.raise_signal(signal.SIGINT)
        sys.meta_path.insert(0, Loader())
        """,
    "while a package is loading that then can't be loaded": """
        def load(name):
            try:
                signal.raise_signal(signal.SIGINT)
            finally:
                raise ImportError("initialization failed")
        """,
    "while a package is loading that then breaks the end of Python": """
        import atexit, os
        atexit.register(os.abort)
        def load(name):
            signal.raise_signal(signal.SIGINT)
        """,
    "where C calls Python and can't pass it on": """
        class Deaf:
            def __del__(self):
                signal.raise_signal(signal.SIGINT)
        def load(name):
            Deaf()
            time.sleep(60)
        """,
}


@pytest.mark.parametrize("when", CTRL_C)
def test_ctrl_c_is_one_line_and_exit_30_whenever_it_comes(when: str) -> None:
    begin = """
        import signal, sys, time
        signal.signal(signal.SIGINT, signal.default_int_handler)
        from twostep.compare.__main__ import main
        """
    end = """
        if "load" in globals():
            from twostep.compare import command
            command.resolve_name = load
        main()
        """
    code = "".join(map(textwrap.dedent, (begin, CTRL_C[when], end)))
    done = subprocess.run(
        [sys.executable, "-c", code, "count", "queens:4"],
        env=ENVIRONMENT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (Exit.STOPPED, "")
    assert done.stderr.strip() == "twostep: interrupted"


# --- streams --------------------------------------------------------------------------------------


def run_with(output: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a shell that does `output` with its standard output."""
    return subprocess.run(
        ["bash", "-c", f'set -o pipefail; "$@" {output}', "bash", *TWOSTEP, *arguments],
        env={**ENVIRONMENT, **variables}, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("arguments", ["solve domino:6x6 -n 0 --quiet", "puzzles", "--help"])
@pytest.mark.parametrize("pipe", ["|", "2>&1 |"])
def test_a_reader_that_goes_away_is_no_error(pipe: str, arguments: str) -> None:
    done = run_with(f"{pipe} head -n 0", *arguments.split())
    assert (done.returncode, done.stdout, done.stderr) == (Exit.OK, "", "")


@pytest.mark.parametrize("closed", [">&-", ">&- 2>&- <&-"])
def test_a_closed_output_leaves_the_exit_code(closed: str) -> None:
    done = run_with(closed, "puzzles")
    assert (done.returncode, done.stderr) == (Exit.OK, "")


FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")


@FULL
@pytest.mark.parametrize("arguments", [["puzzles"], ["--help"], ["count", "queens:4", "--quiet"]])
def test_a_full_disk_is_one_line(arguments: list[str]) -> None:
    done = run_with("> /dev/full", *arguments)
    said = "twostep: the output cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (Exit.USAGE, said)
    assert run_with("> /dev/full 2>&1", *arguments).returncode == Exit.USAGE


@FULL
def test_an_answer_does_not_need_standard_error() -> None:
    done = run_with("2> /dev/full", "count", "queens:4")
    assert (done.returncode, done.stdout) == (Exit.OK, "2\n")
    assert run_with("2> /dev/full", "count", "queens:none").returncode == Exit.USAGE


def test_an_encoding_without_the_walls_of_a_maze_is_no_error() -> None:
    done = run_with("", "solve", "maze:1x1", "--quiet", PYTHONIOENCODING="latin-1")
    assert (done.returncode, done.stderr) == (Exit.OK, "")
    assert done.stdout.splitlines()[1].endswith("  F")


def test_the_digest_is_what_compare_prints(typed: Typed) -> None:
    first, second = typed("compare", "pentomino:3x5:PUV", "--json").json["digests"]
    assert first == second != str(agreement.SetDigest())
