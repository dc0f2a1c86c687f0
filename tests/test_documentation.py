"""Every code block of the README and of docs/ is executed, and shows what really comes out.

A ``console`` block holds ``$ command`` lines (continued by ``> `` lines), each followed by its
output; all commands of a page run in one empty folder. In the expected output ``...`` stands for
anything (alone on a line: for any lines), a decimal number for any decimal number, a number with
thousands separators for any number. A ``python`` block runs in one namespace per page.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOCS = sorted((ROOT / "docs").glob("*.md"))
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS]
MADE_FROM_DOCSTRINGS = ROOT / "docs" / "api.md"
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN_ONLY = {"text", "json"}


@dataclass(frozen=True)
class Block:
    language: str
    text: str


def blocks(page: Path) -> list[Block]:
    return [Block(*match) for match in FENCE.findall(page.read_text(encoding="utf-8"))]


def commands(block: str) -> list[tuple[str, str]]:
    """Pairs of a command and its expected output."""
    pairs: list[tuple[list[str], list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            pairs.append(([line[2:]], []))
        elif line.startswith("> ") and pairs and not pairs[-1][1]:
            pairs[-1][0].append(line[2:])
        else:
            assert pairs, f"output before any command: {line!r}"
            pairs[-1][1].append(line)
    return [("\n".join(command), "\n".join(output)) for command, output in pairs]


def pattern(expected: str) -> str:
    """A regular expression for the expected output; spaces are folded."""
    lines = []
    for line in expected.strip().splitlines():
        if line.strip() == "...":
            lines.append("(?:.*\n)*?.*")
            continue
        parts = re.split(r"(\.\.\.|\d+\.\d+|\d{1,3}(?:,\d{3})+)", " ".join(line.split()))
        made = ""
        for part in parts:
            if part == "...":
                made += ".*"
            elif re.fullmatch(r"\d+\.\d+", part):
                made += r"\d+\.\d+"
            elif re.fullmatch(r"\d{1,3}(?:,\d{3})+", part):
                made += r"[\d,]+"
            else:
                made += re.escape(part)
        lines.append(made)
    return "\n".join(lines)


def folded(output: str) -> str:
    """Single spaces, and no word about compiling, which is said once after installing."""
    lines = output.strip().splitlines()
    return "\n".join(" ".join(line.split()) for line in lines if "compiling the search" not in line)


@pytest.fixture
def shell(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """An empty folder and an environment in which `twostep` is this checkout's."""
    tools = tmp_path / "bin"
    tools.mkdir()
    script = tools / "twostep"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m twostep.compare "$@"\n')
    script.chmod(0o755)
    folder = tmp_path / "here"
    folder.mkdir()
    environment = {
        **os.environ,
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / ".types"),
        "COLUMNS": "100",
    }
    return folder, environment


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page != MADE_FROM_DOCSTRINGS], ids=lambda page: page.name
)
def test_every_block_shows_what_really_comes_out(
    page: Path, shell: tuple[Path, dict[str, str]]
) -> None:
    folder, environment = shell
    namespace: dict[str, object] = {}
    seen = 0
    for block in blocks(page):
        seen += 1
        if block.language == "python":
            with contextlib.chdir(folder):  # where the page's commands run too
                exec(compile(block.text, str(page), "exec"), namespace)
        elif block.language == "console":
            for command, expected in commands(block.text):
                if command.startswith("make "):
                    check_make(command)
                    continue
                done = subprocess.run(
                    ["bash", "-c", command], cwd=folder, env=environment, text=True,
                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, check=False,
                )  # fmt: skip
                got = folded(done.stdout)
                assert re.fullmatch(pattern(expected), got), (
                    f"{page.name}: $ {command}\nexpected:\n{expected}\ngot:\n{done.stdout}"
                )
        else:
            assert block.language in SHOWN_ONLY, f"{page.name}: a block in {block.language!r}"
    assert seen, f"{page.name} has no code block"


def check_make(command: str) -> None:
    """`make` would install and test the project from inside its own test: look at its plan."""
    plan = subprocess.run(
        [*command.split(), "-n"], cwd=ROOT, text=True, capture_output=True, check=True
    ).stdout
    expected = {
        "make run": "twostep compare pentomino:3x20",
        "make test": "pytest",
        "make check": "mypy",
        "make docs": "mkdocs build",
    }
    assert expected.get(command, "") in plan


def test_expected_output_matches_other_figures_and_no_other_text() -> None:
    assert re.fullmatch(pattern("dlx  8  0.012 s"), folded("dlx 8   3.5 s"))
    assert not re.fullmatch(pattern("dlx  8  0.012 s"), folded("dlx 9   3.5 s"))
    assert re.fullmatch(pattern("a\n...\nd"), "a\nb\nc\nd")
    assert not re.fullmatch(pattern("a\n...\nd"), "a\nb\nc\ne")


LINK = re.compile(r"\]\(([^)\s]+)\)")


def links(page: Path) -> list[str]:
    return [link for link in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in link]


def test_the_start_page_and_the_site_lead_to_every_page() -> None:
    others = {page.name for page in DOCS} - {"index.md"}
    assert others <= {link.partition("#")[0] for link in links(ROOT / "docs" / "index.md")}
    site = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert set(re.findall(r"^ +- (?:.*: )?(\S+\.md)$", site, re.MULTILINE)) == others | {"index.md"}


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CHANGELOG.md"], ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path) if path else page
        assert target.exists(), f"{page.name}: {link}"
        if page in DOCS:  # the site has these only
            assert target.parent == page.parent, f"{page.name}: {link} leads out of docs/"
        if anchor:
            headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            known = {re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-") for text in headings}
            assert anchor in known, f"{page.name}: {link}"


def test_the_page_of_names_has_every_public_name_with_its_docstring() -> None:
    import twostep

    text = MADE_FROM_DOCSTRINGS.read_text(encoding="utf-8")
    shown = re.findall(r"^::: twostep\.(?:\w+\.)*(\w+)$", text, re.MULTILINE)
    assert sorted(shown) == sorted(twostep.__all__)


def test_the_changes_begin_with_this_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    versions = re.findall(
        r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert versions[0] == project["version"]
