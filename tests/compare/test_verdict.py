"""Every verb that asks several engines notices when they contradict each other, and only then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from helpers.cli import Typed
from helpers.engines import Wrong

from twostep.compare.agreement import shrink
from twostep.compare.agreement.digest import Listed
from twostep.compare.agreement.verdict import Claim, contradict
from twostep.compare.command import VERBS, twostep
from twostep.compare.command.shared.exits import Exit
from twostep.compare.registry import BOTH, ENGINES
from twostep.models.language.model import Solution
from twostep.models.reading.formats import dlx

Keep = Callable[[list[Solution]], list[Solution]]

FAULTS: dict[str, Keep] = {
    "agrees": lambda found: found,
    "loses one": lambda found: found[1:],
    "keeps one": lambda found: found[-1:],
    "loses all": lambda found: [],
}
"""What an engine in the place of CP-SAT makes of all solutions, before it says: exhausted."""

OK, NO, STOP, MANY, NONE = Exit.OK, Exit.DISAGREE, Exit.STOPPED, Exit.SEVERAL, Exit.NONE

CASES = {
    "one.cases": "1\n@.. @..\n@.. @..\n... @..\n",
    "one.claims": "Case #1: IMPOSSIBLE\n",
}
"""An input of the two-tiling contest, I2 and I3, and an output for it; a row names the files."""

TABLE: dict[str, dict[str, tuple[Exit, Exit, Exit, Exit]]] = {
    # The exit codes stand in the order of FAULTS. Queens: 4 solutions of size 6, 92 of size 8, of
    # which DLX finds 13 in 300 nodes and 1 in 80. A count does not know which ones it has seen.
    "solve": {
        "queens:6 -n 0": (OK, NO, NO, NO),
        "queens:8 -n 0 --node-limit 300": (STOP, NO, NO, NO),
        "queens:6 -n 2": (OK, OK, NO, NO),
        "queens:6 -n 4": (OK, NO, NO, NO),
    },
    "count": {
        "queens:6": (OK, NO, NO, NO),
        "queens:8 --node-limit 300": (STOP, STOP, NO, NO),
    },
    "unique": {
        "queens:6": (MANY, MANY, NO, NO),
        "pentomino:1x5:I": (OK, NO, OK, NO),
        "queens:8 --node-limit 80": (STOP, STOP, NO, NO),
    },
    "best": {
        "queens:6 -k 9": (OK, NO, NO, NO),
        "queens:8 -k 99 --node-limit 300": (STOP, NO, NO, NO),
    },
    "compare": {
        "queens:6": (OK, NO, NO, NO),
        "queens:8 --node-limit 300": (STOP, NO, NO, NO),
    },
    "check": {
        "queens:6 --no-memory": (OK, NO, NO, NO),
        "queens:6 --no-memory --count-limit 2": (OK, OK, NO, NO),
    },
    "generate": {"--count 1 --pieces 3..3 --lock 0": (OK, NO, NO, NO)},
    "hint": {"queens:6": (OK, NO, OK, NO)},
    "explain": {
        # Two verified solutions prove that there are several: no other engine is asked.
        "queens:6": (MANY, MANY, MANY, MANY),
        "pentomino:1x5:I": (OK, NO, OK, NO),
    },
    "two-tiling answer": {"I2,I3 --board 3": (OK, OK, OK, NO)},
    "two-tiling table": {"--board 2": (OK, NO, OK, NO)},
    # The claim is wrong: one engine with a region refutes it.
    "two-tiling check": {"one.cases one.claims --board 3": (NONE, NONE, NONE, NO)},
}

IN_A_LINE = {"check", "generate", "hint", "explain"}
"""These, and all of two-tiling, tell of a contradiction in a line of their own."""

ROWS = [
    pytest.param(verb, typed, fault, code, id=f"{verb} {typed}, {fault}")
    for verb, lines in TABLE.items()
    for typed, codes in lines.items()
    for fault, code in zip(FAULTS, codes, strict=True)
]


@pytest.mark.parametrize(("verb", "arguments", "fault", "code"), ROWS)
def test_a_contradiction_is_exit_3_whoever_stopped(
    verb: str,
    arguments: str,
    fault: str,
    code: Exit,
    here: Path,
    typed: Typed,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(ENGINES, "cpsat", f"{__name__}:planted")
    monkeypatch.setattr(shrink, "shrink", lambda engines, model, hint: shrink.Shrunk(model, 0))
    monkeypatch.setitem(globals(), "planted", lambda: planted_with(FAULTS[fault]))
    for name, text in CASES.items():
        (here / name).write_text(text)
    both = [] if verb == "compare" else ["--backend", BOTH]
    line = [*verb.split(), *arguments.split(), *both]
    said = typed(*line)
    assert said.code == code, said
    saved = list(here.glob("disagreement-*.dlx"))
    assert bool(saved) == (code is NO)
    for file in saved:
        assert file.name in said.err
        assert dlx.read(file.read_text()).n_options
    if verb in IN_A_LINE or verb.startswith("two-tiling"):
        return
    assert ("the engines disagree" in said.err) == (code is NO)
    again = typed(*line, "--json")
    assert again.code == code
    assert (again.json["outcome"] == "disagree") == (code is NO)


def planted_with(keep: Keep) -> Wrong:
    return Wrong(lambda _model, found: keep(found), "cpsat")


def commands(command: click.Command, name: str = "") -> Iterator[tuple[str, click.Command]]:
    """A command, or all under it that are no groups, by name."""
    if not isinstance(command, click.Group):
        yield name, command
        return
    context = click.Context(command)
    for verb in command.list_commands(context):
        found = command.get_command(context, verb)
        assert found is not None
        yield from commands(found, f"{name} {verb}".strip())


def test_the_table_has_every_verb_that_asks_several_engines() -> None:
    assert set(VERBS)
    asking = {
        name
        for name, command in commands(twostep)
        for option in command.params
        if isinstance(option.type, click.Choice) and BOTH in option.type.choices
    }
    assert asking == set(TABLE) - {"compare"}


# --- the rule


def listed(name: str, count: int, *members: int, complete: bool) -> Claim:
    solutions = [(member,) for member in members]
    return Claim.listing(name, count, complete, Listed(solutions))


def ranked(*costs: int, proven: bool) -> Claim:
    return Claim("ranked", len(costs), proven, costs=costs)


@pytest.mark.parametrize(
    ("one", "other", "wrong"),
    [
        (Claim("a", 8, True), Claim("b", 8, True), False),
        (Claim("a", 8, True), Claim("b", 7, True), True),
        (Claim("a", 8, True), Claim("b", 7, False), False),
        (Claim("a", 8, True), Claim("b", 9, False), True),
        (Claim("a", 8, False), Claim("b", 9, False), False),
        (listed("a", 2, 1, 2, complete=True), listed("b", 2, 2, 1, complete=True), False),
        (listed("a", 2, 1, 2, complete=True), listed("b", 2, 1, 3, complete=True), True),
        (listed("a", 2, 1, 2, complete=True), listed("b", 1, 2, complete=False), False),
        (listed("a", 2, 1, 2, complete=True), listed("b", 1, 3, complete=False), True),
        (listed("a", 2, 1, 2, complete=False), listed("b", 1, 3, complete=False), False),
        (listed("a", 2, 1, 2, complete=True), Claim("b", 1, False), False),
        (ranked(4, 4, proven=True), ranked(4, 4, proven=True), False),
        (ranked(4, 4, proven=True), ranked(4, 5, proven=True), True),
        (ranked(4, proven=True), ranked(4, 4, proven=True), True),
        (ranked(4, 4, proven=True), ranked(5, proven=False), False),
        (ranked(4, 4, proven=True), ranked(3, proven=False), True),
        (ranked(4, 4, proven=True), ranked(4, 4, 4, proven=False), True),
        (ranked(4, proven=False), ranked(3, proven=False), False),
        (Claim("a", 1, False, costs=(12,)), Claim("b", 0, False, least=13), True),
        (Claim("a", 1, False, costs=(12,)), Claim("b", 0, False, least=12), False),
    ],
)
def test_claims_contradict_each_other_exactly_when_one_must_be_wrong(
    one: Claim, other: Claim, wrong: bool
) -> None:
    assert contradict([one, other]) is wrong
    assert contradict([other, one]) is wrong
