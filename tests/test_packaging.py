"""What is installed is what is on the disk, and nobody imports what he may not."""

from __future__ import annotations

import graphlib
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from helpers.cli import ENVIRONMENT
from helpers.sources import FOLDERS, ROOT, imported, needed_at_run_time, sources

import twostep.models

FRONT = ROOT / "compare" / "front"

MAY_IMPORT = {
    "models": {"models"},
    "dlx_backend": {"models", "dlx_backend"},
    "cpsat_backend": {"models", "cpsat_backend"},
    "compare": set(FOLDERS),
}


def package_of(path: Path) -> str:
    """The package that a source file is in; ``compare/front`` is ``twostep`` itself."""
    if path.parent == FRONT:
        return "twostep"
    return "twostep." + ".".join(path.parent.relative_to(ROOT).parts)


def test_every_package_on_disk_is_listed_and_every_listed_one_is_on_disk() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    listed = project["tool"]["setuptools"]["packages"]
    on_disk = {package_of(path) for path in sources() if path.name == "__init__.py"}
    folders_with_code = {package_of(path) for path in sources()}
    assert sorted(listed) == sorted(on_disk) == sorted(folders_with_code)


def test_every_top_folder_is_typed_and_linked_for_type_checkers() -> None:
    for folder in FOLDERS:
        assert (ROOT / folder / "py.typed").is_file()
        assert (ROOT / ".types" / "twostep" / folder).resolve() == ROOT / folder


def test_the_front_door_is_linked_where_checkouts_look_for_it() -> None:
    assert (FRONT / "py.typed").is_file()
    for path in FRONT.iterdir():
        if path.is_file():
            assert (ROOT / ".types" / "twostep" / path.name).resolve() == path


@pytest.mark.parametrize("folder", FOLDERS)
def test_imports_go_only_downwards(folder: str) -> None:
    for path in sources():
        if path.relative_to(ROOT).parts[0] != folder:
            continue
        for name in imported(path):
            if name.startswith("twostep."):
                assert name.split(".")[1] in MAY_IMPORT[folder], f"{path} imports {name}"
            assert name.split(".")[0] not in FOLDERS, f"{path} imports a second copy, {name}"


@pytest.mark.parametrize(
    ("package", "user"), [("ortools", "cpsat_backend"), ("numba", "dlx_backend")]
)
def test_only_one_engine_imports_what_it_is_built_on(package: str, user: str) -> None:
    users = {
        path.relative_to(ROOT).parts[0]
        for path in sources()
        if any(name.split(".")[0] == package for name in imported(path))
    }
    assert users == {user}


def test_every_public_name_of_models_can_be_had() -> None:
    for name in twostep.models.__all__:
        assert getattr(twostep.models, name) is not None
    assert len(set(twostep.models.__all__)) == len(twostep.models.__all__)


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Imports inside functions count: they too run at some time. Those for types alone don't."""
    home = {
        package_of(path) + ("" if path.name == "__init__.py" else f".{path.stem}"): path
        for path in sources()
    }
    needs = {module: needed_at_run_time(path, home) - {module} for module, path in home.items()}
    tuple(graphlib.TopologicalSorter(needs).static_order())  # raises CycleError, which names one


LOADED = """
import sys
from twostep.compare.command import twostep
twostep.main(sys.argv[1:], standalone_mode=False)
print(*(name for name in sys.modules if name.startswith("twostep.")), sep="\\n", file=sys.stderr)
"""


@pytest.mark.parametrize(("puzzle", "most"), [("pentomino:3x5:PUV", 56), ("pentomino:6x10", 68)])
def test_a_count_loads_few_of_our_modules(puzzle: str, most: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, "count", puzzle, "--quiet"],
        env=ENVIRONMENT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    loaded = done.stderr.split()
    assert "twostep.dlx_backend.engine" in loaded
    assert len(loaded) <= most, loaded
