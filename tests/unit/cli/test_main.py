"""The command line: one module a subcommand, loaded only when it is asked for."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.serving import environment

import pairwright
from pairwright.cli.main import main


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.strip() == f"pairwright {pairwright.__version__}"


@pytest.mark.parametrize("words", [[], ["nosuch"], ["--nosuch"], ["serve", "--nosuch"]])
def test_usage_errors(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert "usage: pairwright" in capsys.readouterr().err


@pytest.mark.parametrize(
    "name", ["serve", "map", "apply", "blast", "overview", "lookup", "tags", "model", "doctor"]
)
def test_every_subcommand_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    assert f"usage: pairwright {name}" in capsys.readouterr().out


def test_help_names_all_and_imports_none() -> None:
    code = (
        "import sys; from pairwright.cli.main import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "print([m for m in sys.modules if m.startswith('pairwright.cli.')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env=environment(Path("/nonexistent")), timeout=20,
    )  # fmt: skip
    for name in ("serve", "map", "apply", "tags", "model", "doctor"):
        assert f"  {name} " in done.stdout
    assert done.stdout.splitlines()[-1] == "['pairwright.cli.main']"


def test_doctor_names_keys_and_shows_no_value(tmp_path: Path) -> None:
    env = {**environment(tmp_path), "OPENAI_API_KEY": "sk-very-secret"}
    command = [sys.executable, "-m", "pairwright", "doctor", "--json", "--set", "model.name=a/b"]
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=60)
    assert done.returncode == 0, done.stderr
    found = {item["name"]: item for item in json.loads(done.stdout)}
    assert "OPENAI_API_KEY" in found["provider keys"]["detail"]
    assert "sk-very-secret" not in done.stdout + done.stderr
    assert found["grammars"]["detail"].endswith("languages")
    assert found["model"]["detail"].startswith("a/b")
    assert not (tmp_path / "cache").exists(), "looking changes nothing"


def test_doctor_fails_on_what_does_not_work(tmp_path: Path) -> None:
    env = environment(tmp_path)
    command = [sys.executable, "-m", "pairwright", "doctor", "--set", "model.name=a/b", "--set"]
    done = subprocess.run(
        [*command, "map.tokens=x"], capture_output=True, text=True, env=env, timeout=60
    )
    assert done.returncode == 1
    assert "ERROR    settings" in done.stdout
