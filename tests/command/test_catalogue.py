"""Every verb for every puzzle: each example of the catalogue, so that no family is forgotten."""

from __future__ import annotations

import pytest
from helpers.cli import Typed

from twostep.compare.command.shared.exits import Exit
from twostep.models.families.registry import FAMILIES, family

EXAMPLES = [example for name in FAMILIES for example in family(name).examples]

WORDS = {Exit.OK: "unique", Exit.SEVERAL: "multiple", Exit.NONE: "none"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_both_engines_say_how_many_answers_each_example_has(name: str, typed: Typed) -> None:
    said = typed("unique", name, "--backend", "both", "--json")
    answer = said.json
    assert said.code in WORDS, said.err
    assert answer["outcome"] == WORDS[Exit(said.code)]
    assert [each["name"] for each in answer["backends"]] in (["dlx", "cpsat"], [])
    assert (
        len(answer.get("solutions", []))
        == {"none": 0, "unique": 1, "multiple": 2}[answer["outcome"]]
    )


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_example_is_checked_by_both_engines(name: str, typed: Typed) -> None:
    flags = ("--no-memory", "--workers", "1", "--count-limit", "2", "--json")
    said = typed("check", name, *flags)
    assert said.code in (Exit.OK, Exit.NONE), said.err
    (one,) = said.json["levels"]
    assert one["verdict"] in ("ok", "area", "solvable")
    assert len({(each["count"], each["complete"]) for each in one["backends"]}) <= 1
