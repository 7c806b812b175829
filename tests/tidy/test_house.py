"""The house rules that no linter knows: lengths, annotations of state, what the package may name."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "server" / "pairwright"
MODULES = sorted(PACKAGE.rglob("*.py"))


def _id(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


@pytest.mark.parametrize("path", MODULES, ids=_id)
def test_files_functions_and_docstrings_keep_the_house_numbers(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert source.count("\n") <= 600, "cap: 600 lines a file"
    tree = ast.parse(source)
    assert ast.get_docstring(tree), "a module says what it owns"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            assert node.end_lineno - node.lineno < 80, f"{node.name}: cap 80 lines a function"
        if isinstance(node, ast.ClassDef):
            assert not node.name.endswith(("Manager", "Helper", "Utils")), node.name


@pytest.mark.parametrize("path", MODULES, ids=_id)
def test_broad_excepts_stand_only_where_they_are_logged(path: Path) -> None:
    # What reads a store elsewhere gets errors of whatever package its address needs.
    allowed = ("lsp/guard.py", "lsp/schedule.py", "workspace/remote.py")
    name = _id(path)
    if name in allowed or name.startswith("cli/"):
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ExceptHandler):
            caught = ast.unparse(node.type) if node.type else "everything"
            assert caught not in ("Exception", "BaseException", "everything"), (
                f"{name}:{node.lineno} catches {caught}"
            )


def test_did_handlers_are_plain_functions() -> None:
    """An async notification handler is only scheduled: a hover sent next would be answered first."""
    found = 0
    for path in sorted((PACKAGE / "lsp").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and "did_" in node.name:
                found += 1
            assert not (isinstance(node, ast.AsyncFunctionDef) and "did_" in node.name), node.name
    assert found >= 4


def test_docs_name_every_layer() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for layer in sorted(p.name for p in PACKAGE.iterdir() if (p / "__init__.py").exists()):
        assert f"`{layer}`" in page, f"docs/architecture.md does not say what `{layer}` owns"
