"""The product's source files, and what each imports."""

from __future__ import annotations

import ast
from collections.abc import Container
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("models", "dlx_backend", "cpsat_backend", "compare")


def sources() -> list[Path]:
    return [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]


def imported(path: Path) -> set[str]:
    """The dotted names of all modules that a file imports, wherever in the file."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            names.add(node.module or "")
    return names


def needed_at_run_time(path: Path, modules: Container[str]) -> set[str]:
    """Which of these modules a file imports, wherever in the file; not what only types need."""
    names: set[str] = set()
    ahead: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while ahead:
        node = ahead.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                names.add(whole if whole in modules else str(node.module))
        ahead += ast.iter_child_nodes(node)
    return {name for name in names if name in modules}
