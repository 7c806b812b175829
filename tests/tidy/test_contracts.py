"""Each import contract must break on a planted violation; a contract that cannot fail protects nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PLANTED = [
    ("text/planted.py", "import pairwright.tags.types\n", "layers"),
    ("edits/planted.py", "import pairwright.render.types\n", "layers"),
    ("stray/__init__.py", "", "layers"),
    ("engine/planted.py", "import lsprotocol.types\n", "only lsp knows pygls"),
    ("engine/planted.py", "import litellm\n", "only llm.litellm_client imports litellm"),
    ("engine/planted.py", "import dulwich.repo\n", "only checkpoints and workspace.commits"),
    ("graph/planted.py", "import tree_sitter\n", "only tags imports tree-sitter"),
    ("engine/planted.py", "import sqlite3\n", "only the stores import sqlite3"),
    ("render/planted.py", "import subprocess\n", "the pure layers do no I/O"),
]


def _lint(server: Path) -> subprocess.CompletedProcess[str]:
    code = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    return subprocess.run(
        [sys.executable, "-c", code, "--config", str(ROOT / "pyproject.toml"), "--no-cache"],
        cwd=server,
        env={**os.environ, "PYTHONPATH": str(server)},
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    server = tmp_path_factory.mktemp("planted") / "server"
    shutil.copytree(
        ROOT / "server", server, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info")
    )
    return server


def test_contracts_hold(copy: Path) -> None:
    result = _lint(copy)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(("path", "code", "contract"), PLANTED)
def test_a_planted_violation_breaks(copy: Path, path: str, code: str, contract: str) -> None:
    planted = copy / "pairwright" / path
    planted.parent.mkdir(exist_ok=True)
    planted.write_text(f'"""Planted."""\n{code}')
    try:
        result = _lint(copy)
    finally:
        planted.unlink()
        if planted.name == "__init__.py":
            shutil.rmtree(planted.parent)
    assert result.returncode != 0
    assert contract in result.stdout and "BROKEN" in result.stdout
