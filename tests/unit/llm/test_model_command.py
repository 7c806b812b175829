"""`pairwright model …` from the shell."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pairwright.llm.artifact import QWEN

SERVER = Path(__file__).parents[3] / "server"


def check(args: list[str], models: Path, code: int, out: str, err: str = "") -> None:
    env = {**os.environ, "PYTHONPATH": str(SERVER), "PAIRWRIGHT_MODELS": str(models)}
    command = [sys.executable, "-m", "pairwright", "model", *args]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    assert out in done.stdout and err in done.stderr


def test_path(tmp_path: Path) -> None:
    check(["path"], tmp_path, 1, str(tmp_path / QWEN.name))
    check(["path", "--dir", str(tmp_path / "x")], tmp_path, 1, str(tmp_path / "x" / QWEN.name))
    (tmp_path / QWEN.name).write_bytes(b"")
    check(["path"], tmp_path, 0, str(tmp_path / QWEN.name))


def test_status(tmp_path: Path) -> None:
    check(["status"], tmp_path, 1, "not fetched (run `pairwright model fetch`)")
    (tmp_path / QWEN.name).write_bytes(b"cut off")
    check(["status"], tmp_path, 1, "damaged (run `pairwright model fetch`)")


def test_fetch_says_what_is_wrong(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    check(["fetch", "--dir", str(blocked)], tmp_path, 1, "", "Choose another folder with --dir")


@pytest.mark.model
def test_a_fetched_model_is_left_alone(embedded_model_path: Path) -> None:
    folder = embedded_model_path.parent
    check(["fetch"], folder, 0, str(embedded_model_path), "Apache License 2.0")
    check(["status"], folder, 0, "verified")
