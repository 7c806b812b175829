"""`pairwright blast`: words and exit codes."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.fixture import files

from pairwright.cli.main import main

TREE = "-- a.py --\ndef pay(): pass\n-- b.py --\ndef use():\n    pay()\n\ndef more():\n    use()\n"


def check(folder: Path, args: list[str], monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    monkeypatch.setenv("PAIRWRIGHT_CACHE", str(folder / "cache"))
    root = folder / "work"
    root.mkdir(exist_ok=True)
    for name, text in files(TREE).items():
        (root / name).write_text(text)
    assert main(["blast", "--root", str(root), *args]) == code


def test_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    check(tmp_path, ["pay"], monkeypatch, 0)
    assert capsys.readouterr().out.splitlines()[:4] == [
        "Touches pay.",
        "Static references lead to it from:",
        "  b.py:1 use names pay",
        "  b.py:4 more names use, 2 steps away",
    ]
    check(tmp_path, ["--depth", "1", "pay"], monkeypatch, 0)
    assert "more" not in capsys.readouterr().out


def test_a_name_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    check(tmp_path, ["nothing"], monkeypatch, 1)
    out, err = capsys.readouterr()
    assert out == ""
    assert "not defined in" in err and "nothing" in err


def test_usage(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["blast", "--root", "/no/such/folder", "x"]) == 2
    assert "is not a folder" in capsys.readouterr().err
