"""Certificates: what is proven is true, and what was tampered with is refused."""

from __future__ import annotations

import ast
import gzip
import io
import json
import random
import re
import subprocess
import sys
import tokenize
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from helpers import second_checker
from helpers.oracle import all_solutions
from helpers.sources import imported
from helpers.strategies import models
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from twostep.compare.certify import certify_count, certify_solutions
from twostep.dlx_backend import DlxEngine
from twostep.dlx_backend.proof import prover
from twostep.dlx_backend.proof.prover import BY_FEWEST, BY_FORCED, BY_ORDER, Table, prove
from twostep.models import EngineFault, InputError, Limits, Model, ModelBuilder, StopReason
from twostep.models.certificate import checker
from twostep.models.certificate.checker import Verified, verify
from twostep.models.certificate.states import States
from twostep.models.certificate.writing import writing
from twostep.models.families.registry import named_puzzle

SUDOKU_17 = "000000010400000000020000000000050407008000300001090000300400200050100000000806000"
"""A 17-clue sudoku with one solution (from Gordon Royle's collection)."""


def certified(model: Model, folder: Path) -> Path:
    path = folder / "proof.gz"
    assert certify_count(DlxEngine(), model, path).complete
    return path


@settings(
    max_examples=300,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(model=models())
def test_random_models_are_proven_to_have_as_many_solutions_as_by_brute_force(
    model: Model, tmp_path: Path
) -> None:
    expected = all_solutions(model)
    path = certified(model, tmp_path)
    proven = verify(path, model)
    assert (proven.count, proven.complete) == (len(expected), True)
    if model.side_condition is None:
        assert second_checker.proven(path, model) == len(expected)


@settings(max_examples=200, derandomize=True, deadline=None)
@given(model=models(), seed=st.integers(0, 2**32))
def test_each_rule_chooses_its_item_and_sees_where_nothing_is_left(model: Model, seed: int) -> None:
    rng = random.Random(seed)
    states = States(model)
    table = Table.of(model, states)
    items = list(states.rows)
    state = states.start
    while state is not None and state & states.goal != states.goal:
        branches = {i: states.branches(state, i) for i in items if states.rows[i] & ~state}
        numbers = {item: len(each) for item, each in branches.items()}
        first, fewest = next(iter(numbers)), min(numbers, key=lambda item: numbers[item])
        forced = fewest if numbers[fewest] <= 1 else first
        for rule, expected in ((BY_ORDER, first), (BY_FORCED, forced), (BY_FEWEST, fewest)):
            ((place, hopeless),) = table.choose(rule, [state])
            assert hopeless == (numbers[fewest] == 0)
            assert items[place] == (fewest if hopeless else expected)
        item = rng.choice(list(branches))
        state = states.after(state, item, rng.choice(branches[item])) if branches[item] else None


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("pentomino:3x20", 8),  # Haselgrove 1960
        ("pentomino:3x5:PUV", 4),
        ("domino:8x8", 12988816),  # Kasteleyn 1961; A004003
        ("domino:12x12", 53060477521960000),  # A004003
        (f"sudoku:{SUDOKU_17}", 1),
        ("queens:8", 92),  # A000170
        ("langford:7", 52),  # A014552: 26 pairs of mirror images
    ],
)
def test_known_counts_are_proven(name: str, count: int, tmp_path: Path) -> None:
    puzzle = named_puzzle(name)
    path = certified(puzzle.model, tmp_path)
    proven = verify(path, puzzle.model)
    assert (proven.count, proven.complete) == (count, True)
    assert path.stat().st_size < 2 * 2**20
    if proven.count <= 10_000:
        assert proven.listed == proven.count


def test_the_mutilated_board_is_proven_to_have_no_cover(tmp_path: Path) -> None:
    proven = verify(certified(mutilated(8), tmp_path), mutilated(8))
    assert (proven.count, proven.complete) == (0, True)


def mutilated(side: int) -> Model:
    """Dominoes on a square board without two opposite corners."""
    builder = ModelBuilder("mutilated")
    gone = {(0, 0), (side - 1, side - 1)}
    cells = [(r, c) for r in range(side) for c in range(side) if (r, c) not in gone]
    for r, c in cells:
        builder.item(f"{r},{c}")
    for r, c in cells:
        for other in ((r + 1, c), (r, c + 1)):
            if other in cells:
                builder.option([f"{r},{c}", f"{other[0]},{other[1]}"])
    return builder.build()


def rich_model() -> Model:
    """Twelve items, some to be covered often, and secondary items with and without colours."""
    rng = random.Random(4)
    builder = ModelBuilder("rich")
    for item in range(9):
        builder.item(f"p{item}")
    builder.item("often", 2, 4)
    builder.item("perhaps", 0, 2)
    builder.item("thrice", 3)
    builder.secondary("once")
    builder.secondary("tint")
    for _ in range(70):
        entries: list[int | str | tuple[int | str, str]] = [
            f"p{item}" for item in rng.sample(range(9), rng.randint(1, 3))
        ]
        entries += rng.choice(([], ["often"], ["perhaps"], ["thrice"], ["often", "thrice"]))
        entries += rng.choice(([], ["once"], [("tint", "red")], [("tint", "blue")]))
        builder.option(entries)
    return builder.build()


def test_a_rich_model_is_proven_to_have_what_the_engine_counts(tmp_path: Path) -> None:
    model = rich_model()
    counted = DlxEngine().search(model).found
    assert counted > 100
    assert verify(certified(model, tmp_path), model).count == counted


Tamper = Callable[[list[str], random.Random], None]


def _states(lines: list[str]) -> list[int]:
    return [place for place, line in enumerate(lines) if line[0] not in "={"]


def remove_a_branch(lines: list[str], rng: random.Random) -> None:
    place = rng.choice([p for p in _states(lines) if len(lines[p].split()) > 3])
    words = lines[place].split()
    del words[rng.randrange(3, len(words))]
    lines[place] = " ".join(words)


def replace_a_branch(lines: list[str], rng: random.Random) -> None:
    place = rng.choice([p for p in _states(lines) if len(lines[p].split()) > 3])
    words = lines[place].split()
    words[rng.randrange(3, len(words))] = str(rng.randrange(10))
    lines[place] = " ".join(words)


def change_a_count(lines: list[str], rng: random.Random) -> None:
    place = rng.choice(_states(lines))
    words = lines[place].split()
    words[2] = str(int(words[2]) + rng.choice((1, -1, 1000)))
    lines[place] = " ".join(words)


def change_a_state(lines: list[str], rng: random.Random) -> None:
    place = rng.choice(_states(lines))
    words = lines[place].split()
    words[0] = f"{int(words[0], 16) ^ 1 << rng.randrange(40):x}"
    lines[place] = " ".join(words)


def remove_a_state(lines: list[str], rng: random.Random) -> None:
    del lines[rng.choice(_states(lines))]


def repeat_a_state(lines: list[str], rng: random.Random) -> None:
    place = rng.choice(_states(lines))
    lines.insert(place, lines[place])


def repeat_a_state_in_no_way(lines: list[str], rng: random.Random) -> None:
    place = rng.choice(_states(lines))
    words = lines[place].split()
    words[2] = "0"
    lines.insert(place + 1, " ".join(words))


def call_a_branch_dead(lines: list[str], rng: random.Random) -> None:
    # Any item: a branch that goes on has no item that nothing can cover.
    places = [p for p in _states(lines) if any("!" not in w for w in lines[p].split()[3:])]
    place = rng.choice(places)
    words = lines[place].split()
    living = [w for w in range(3, len(words)) if "!" not in words[w]]
    words[rng.choice(living)] += f"!{rng.randrange(12)}"
    lines[place] = " ".join(words)


def give_up_a_state(lines: list[str], rng: random.Random) -> None:
    # No branches, because of any item: one that is covered, secondary, or not there at all.
    place = rng.choice([p for p in _states(lines) if len(lines[p].split()) > 3])
    state, _, ways = lines[place].split()[:3]
    lines[place] = f"{state} {rng.choice([*range(40), 10**6])} {ways}"


def replace_a_solution(lines: list[str], rng: random.Random) -> None:
    place = rng.choice([p for p, line in enumerate(lines) if line[0] == "="])
    words = lines[place].split()
    words[rng.randrange(1, len(words))] = str(rng.randrange(10_000))
    lines[place] = " ".join(words)


def repeat_a_solution(lines: list[str], rng: random.Random) -> None:
    place = rng.choice([p for p, line in enumerate(lines) if line[0] == "="])
    lines.insert(place, lines[place])


def copy_a_solution(lines: list[str], rng: random.Random) -> None:
    places = [p for p, line in enumerate(lines) if line[0] == "="]
    place = rng.choice(places[1:])
    lines[place] = lines[place - 1]


def remove_a_solution(lines: list[str], rng: random.Random) -> None:
    del lines[rng.choice([p for p, line in enumerate(lines) if line[0] == "="])]


def change_the_total(lines: list[str], rng: random.Random) -> None:
    end = json.loads(lines[-1])
    end["count"] += rng.choice((1, -1))
    lines[-1] = json.dumps(end)


def cut_off_the_end(lines: list[str], rng: random.Random) -> None:
    del lines[rng.randrange(1, len(lines)) :]


def append_a_line(lines: list[str], rng: random.Random) -> None:
    lines.append(lines[rng.randrange(len(lines))])


def count_again(lines: list[str]) -> None:
    end = json.loads(lines[-1])
    end["states"] = len(_states(lines))
    end["listed"] = sum(line[0] == "=" for line in lines)
    lines[-1] = json.dumps(end)


@pytest.mark.parametrize(
    "tamper",
    [
        remove_a_branch, replace_a_branch, change_a_count, change_a_state, remove_a_state,
        repeat_a_state, repeat_a_state_in_no_way, call_a_branch_dead, give_up_a_state,
        replace_a_solution, repeat_a_solution, copy_a_solution, remove_a_solution,
        change_the_total, cut_off_the_end, append_a_line,
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["plain", "rich"])
def test_a_tampered_certificate_is_refused_with_the_place(
    tamper: Tamper, kind: str, tmp_path: Path
) -> None:
    model = named_puzzle("pentomino:5x5:some").model if kind == "plain" else rich_model()
    original = gzip.decompress(certified(model, tmp_path).read_bytes()).decode().splitlines()
    rng = random.Random(tamper.__name__ + kind)
    forged = tmp_path / "forged.gz"
    for _ in range(10):
        lines = list(original)
        tamper(lines, rng)
        if lines == original:
            continue
        if tamper in (
            remove_a_state, repeat_a_state, repeat_a_state_in_no_way, repeat_a_solution,
        ):  # fmt: skip
            count_again(lines)  # or the last line would give it away
        changed = next(
            (n for n, (a, b) in enumerate(zip(lines, original, strict=False), 1) if a != b),
            min(len(lines), len(original)) + 1,
        )
        forged.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode()))
        with pytest.raises(InputError) as refused:
            verify(forged, model)
        assert refused.value.source == str(forged)
        assert refused.value.line is not None
        assert refused.value.line >= changed
        if tamper in (
            remove_a_branch, change_a_count, call_a_branch_dead, give_up_a_state,
            replace_a_solution,
        ):  # fmt: skip
            assert refused.value.line == changed


@settings(
    max_examples=300,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_any_change_of_a_byte_is_refused_or_changes_nothing_that_is_claimed(
    data: st.DataObject, tmp_path: Path
) -> None:
    model = named_puzzle("pentomino:3x5:PUV").model
    path = tmp_path / "proof.gz"
    if not path.exists():
        certify_count(DlxEngine(), model, path)
    text = bytearray(gzip.decompress(path.read_bytes()))
    for _ in range(data.draw(st.integers(1, 3))):
        text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    forged = tmp_path / "forged.gz"
    forged.write_bytes(gzip.compress(bytes(text)))
    try:
        proven = verify(forged, model)
    except InputError:
        return
    assert proven.count == 4


@settings(
    max_examples=300,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(model=models(), seed=st.integers(0, 2**32))
def test_no_forger_proves_a_wrong_count(model: Model, seed: int, tmp_path: Path) -> None:
    """Not even one who takes out words and lines, copies them, and makes the last line fit."""
    rng = random.Random(seed)
    expected = len(all_solutions(model))
    lines = gzip.decompress(certified(model, tmp_path).read_bytes()).decode().splitlines()
    for _ in range(rng.randint(1, 3)):
        inner = range(1, len(lines) - 1)
        if not inner:
            break
        place = rng.choice(inner)
        words = lines[place].split()
        word = rng.randrange(len(words))
        kind = rng.randrange(5)
        if kind == 0:
            del lines[place]
        elif kind == 1:
            lines.insert(place, lines[rng.choice(inner)])
        else:
            some = [str(rng.randint(-1, 9)), f"{rng.randrange(9)}!{rng.randrange(5)}"]
            words[word : word + 1] = rng.choice(([], some[:1], some[1:]))
            lines[place] = " ".join(words) or "0"
    forged = tmp_path / "forged.gz"
    for _ in range(2):
        forged.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode()))
        try:
            proven = verify(forged, model)
        except InputError as refused:
            if (hint := re.search(r"expected (\{.*\})", refused.message)) is not None:
                lines[-1] = hint[1]
        else:
            assert proven.count == expected if proven.complete else proven.count <= expected


def test_a_wrong_rule_that_prover_and_checker_share_shows_in_the_listed_solutions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = named_puzzle("pentomino:3x5:PUV").model
    solutions = all_solutions_by_engine(model)
    honest = States.branches
    monkeypatch.setattr(States, "branches", lambda *where: honest(*where)[:1])
    path = tmp_path / "wrong.gz"
    with prove(model) as proof, writing(path) as certificate:
        certificate.header(model.name, model, proof.order)
        certificate.proof(proof.lines)
        for solution in sorted(solutions):
            certificate.solution(solution)
        certificate.end(Verified(proof.result.found, True, proof.states, len(solutions)))
    with pytest.raises(InputError, match=r"solutions are proven, but 4 are listed"):
        verify(path, model)
    with pytest.raises(EngineFault, match=r"found 4 solutions .* but there is a proof of"):
        certify_count(DlxEngine(), model, path)


def test_a_wrong_count_is_refused_before_the_certificate_is_written(tmp_path: Path) -> None:
    model = named_puzzle("pentomino:3x5:PUV").model
    path = tmp_path / "there.gz"
    path.write_bytes(b"of yesterday")
    with pytest.raises(EngineFault, match=r"5 solutions .* counted, but there is a proof of 4"):
        certify_count(DlxEngine(), model, path, expected=5)
    assert path.read_bytes() == b"of yesterday"
    assert certify_count(DlxEngine(), model, path, expected=4).found == 4


def test_only_an_open_primary_item_has_branches() -> None:
    states = States(rich_model().with_chosen([0]))
    assert states.start is not None
    names = rich_model().items
    closed = next(item for item, row in states.rows.items() if not row & ~states.start)
    for item in (closed, names.index("tint"), len(names), -1):
        with pytest.raises(InputError, match=f"there is no item {item} to cover"):
            states.branches(states.start, item)


def test_an_order_that_is_none_is_refused(tmp_path: Path) -> None:
    model = named_puzzle("domino:4x4").model
    path = certified(model, tmp_path)
    header, rest = gzip.decompress(path.read_bytes()).split(b"\n", 1)
    content = json.loads(header)
    order = list(range(model.n_items))
    wrong: object
    for wrong in (
        order[1:], [*order[1:], order[1]], [*order, 99], order[0], ["x"], [None], {}, [],
        [True, *order[:1], *order[2:]], [[0], *order[1:]],
    ):  # fmt: skip
        content["order"] = wrong
        path.write_bytes(gzip.compress(json.dumps(content).encode() + b"\n" + rest))
        with pytest.raises(InputError, match="order: expected every primary item once"):
            verify(path, model)


def test_the_long_side_makes_a_proof_no_larger_than_the_short_one(tmp_path: Path) -> None:
    sizes = [
        verify(certified(named_puzzle(name).model, tmp_path), named_puzzle(name).model).states
        for name in ("domino:6x16", "domino:16x6")
    ]
    assert max(sizes) < 1.5 * min(sizes) < 5000


@pytest.mark.parametrize("schema", ["twostep-certificate/1", "twostep-record/1", None])
def test_a_certificate_of_another_schema_is_refused(schema: str | None, tmp_path: Path) -> None:
    model = rich_model()
    path = certified(model, tmp_path)
    header, rest = gzip.decompress(path.read_bytes()).split(b"\n", 1)
    other = json.dumps({**json.loads(header), "schema": schema}).encode()
    path.write_bytes(gzip.compress(other + b"\n" + rest))
    with pytest.raises(InputError, match=r"1: not a certificate: .* 'twostep-certificate/2'"):
        verify(path, model)


def test_a_file_that_is_damaged_behind_its_last_line_is_refused(tmp_path: Path) -> None:
    model = rich_model()
    path = certified(model, tmp_path)
    whole = path.read_bytes()
    checksum = whole[:-8] + bytes([whole[-8] ^ 1]) + whole[-7:]
    for damaged in (whole[:-1], whole[:-8], checksum, whole + b"more", whole + whole[:-8]):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"damaged or cut off|expected the end of the file"):
            verify(path, model)


def test_a_line_without_end_is_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = rich_model()
    path = certified(model, tmp_path)
    lines = gzip.decompress(path.read_bytes())
    path.write_bytes(gzip.compress(lines.replace(b'"puzzle": "', b'"puzzle": "' + 10_000 * b"x")))
    assert verify(path, model).complete
    monkeypatch.setattr(checker, "MAX_LINE", 10_000)
    with pytest.raises(InputError, match="1: not a certificate"):
        verify(path, model)


def test_a_certificate_of_another_model_is_refused(tmp_path: Path) -> None:
    model = rich_model()
    path = certified(model, tmp_path)
    with pytest.raises(InputError, match="another model"):
        verify(path, model.with_chosen([0]))


@pytest.mark.parametrize(
    "content",
    [b"", b"no gzip", gzip.compress(b""), gzip.compress(b"{}\n"), gzip.compress(b"[1]\n"),
     gzip.compress(b'{"schema": "twostep-certificate/2"}\n'), gzip.compress(b"[" * 100_000),
     gzip.compress(b'{"a": ' + b"9" * 5000 + b"}\n"), gzip.compress(b"\xff\xfe\n"),
     gzip.compress(b"x" * 10_000_000)[:-20]],
    ids=lambda content: f"{len(content)} bytes",  # gzip writes the time into its head
)  # fmt: skip
def test_nonsense_is_refused_in_one_line(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "nonsense.gz"
    path.write_bytes(content)
    with pytest.raises(InputError) as refused:
        verify(path, rich_model())
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 500


def test_solutions_alone_prove_a_lower_bound(tmp_path: Path) -> None:
    model = named_puzzle("pentomino:3x5:PUV").model
    solutions = sorted(all_solutions_by_engine(model))
    path = tmp_path / "two.gz"
    certify_solutions(model, path, reversed(solutions[:2]))
    proven = verify(path, model)
    assert (proven.count, proven.complete, proven.listed) == (2, False, 2)


def test_a_bound_is_proven_even_where_nothing_is_left_to_search(tmp_path: Path) -> None:
    model = named_puzzle("pentomino:3x5:PUV").model
    solution = all_solutions_by_engine(model)[0]
    solved = model.with_chosen(solution)
    path = tmp_path / "one.gz"
    certify_solutions(solved, path, [solution])
    assert verify(path, solved) == Verified(1, False, 0, 1)
    assert verify(certified(solved, tmp_path), solved) == Verified(1, True, 0, 1)


def all_solutions_by_engine(model: Model) -> list[tuple[int, ...]]:
    kept: list[tuple[int, ...]] = []
    DlxEngine().search(model, receive=kept.append)
    return kept


def test_a_proof_that_a_limit_stops_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "proof.gz"
    model = named_puzzle("pentomino:6x10").model
    for limits, reason in (
        (Limits(nodes=5000), StopReason.NODES),
        (Limits(seconds=0.2), StopReason.TIME),
        (Limits(memory=100_000), StopReason.MEMORY),
    ):
        assert certify_count(DlxEngine(), model, path, limits=limits).stopped is reason
        assert list(tmp_path.iterdir()) == []


def test_the_same_model_gives_the_same_bytes(tmp_path: Path) -> None:
    model = rich_model()
    first = certified(model, tmp_path).read_bytes()
    assert certified(model, tmp_path).read_bytes() == first


CHECKER = [
    Path(__file__).resolve().parents[2] / "models" / "certificate" / name
    for name in ("states.py", "checker.py")
]


def test_a_count_that_no_reader_would_read_gets_no_certificate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = named_puzzle("pentomino:3x5:PUV").model
    path = certified(model, tmp_path)
    monkeypatch.setattr(checker, "TOO_LONG", 5)
    assert verify(path, model).count == 4
    monkeypatch.setattr(checker, "TOO_LONG", 4)
    with pytest.raises(InputError, match="too long for a file"):
        verify(path, model)
    monkeypatch.setattr(prover, "TOO_LONG", 4)
    with pytest.raises(InputError, match="too long for a file"):
        certified(model, tmp_path)


def test_the_checker_has_at_most_200_lines() -> None:
    assert sum(code_lines(path.read_text(encoding="utf-8")) for path in CHECKER) <= 200


def code_lines(source: str) -> int:
    """How many lines hold code: no comment, no docstring, not nothing."""
    nothing = {
        tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
        tokenize.ENDMARKER,
    }  # fmt: skip
    held: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in nothing:
            held |= set(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(ast.Constant(str())):
                held -= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(held)


def test_code_lines_are_counted_right() -> None:
    source = '"""Doc\nstring."""\n\n# remark\nx = (1,\n     2)  # two lines\n"""On x."""\n'
    assert code_lines(source) == 2
    assert code_lines(source + 'y = """a\nb"""\n') == 4


def test_the_checker_is_the_standard_library_and_the_model() -> None:
    allowed = {
        f"twostep.models.{name}"
        for name in ("errors", "reading.files", "language.model", "words", "language.verify")
    }
    allowed.add("twostep.models.certificate.states")
    used = set().union(*(imported(path) for path in CHECKER))
    assert {name for name in used if name.split(".")[0] not in sys.stdlib_module_names} == allowed


def test_the_checker_needs_no_engine(tmp_path: Path) -> None:
    named_puzzle("pentomino:3x5:PUV")
    path = certified(named_puzzle("pentomino:3x5:PUV").model, tmp_path)
    program = (
        "import sys\n"
        "from twostep.models.families.registry import named_puzzle\n"
        "from twostep.models.certificate.checker import verify\n"
        f"print(verify({str(path)!r}, named_puzzle('pentomino:3x5:PUV').model).count)\n"
        "heavy = {'numba', 'ortools', 'twostep.dlx_backend', 'twostep.compare'}\n"
        "sys.exit(bool(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False,
        env={"PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "4\n"), done.stderr


def test_a_side_condition_needs_all_candidates_listed(tmp_path: Path) -> None:
    from twostep.models import SideCondition

    model = replace(
        named_puzzle("pentomino:3x5:PUV").model,
        side_condition=SideCondition("the first option is even", lambda s: s[0] % 2 == 0),
    )
    expected = all_solutions_by_engine(model)
    path = certified(model, tmp_path)
    proven = verify(path, model)
    assert proven == Verified(len(expected), True, proven.states, 4)
    lines = gzip.decompress(path.read_bytes()).decode().splitlines(keepends=True)
    removed = next(n for n, line in enumerate(lines) if line.startswith("="))
    forged = "".join(line for n, line in enumerate(lines) if n != removed)
    path.write_bytes(gzip.compress(forged.encode()))
    with pytest.raises(InputError, match='"complete": false, "states": 7, "listed": 3'):
        verify(path, model)
