"""Names looked up in another repository, through the command a user types."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.fixture import files

from pairwright.cli.main import main

REPOSITORY = """\
-- core.py --
def parse(text):
    '''Parse it.'''
    return text.split()


class Parser:
    def parse(self):
        return parse(self.text)
-- unused.py --
def parse(x):
    return x
-- app.py --
from core import parse

parse("a")
parse("b")
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PAIRWRIGHT_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "other"
    folder.mkdir()
    for name, text in files(REPOSITORY).items():
        (folder / name).write_text(text)
    return folder


def check(root: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main(["lookup", "--root", str(root), *words])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_every_place_with_its_text(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = check(root, ["parse", "Parser"], capsys)
    assert code == 0 and err == ""
    heads = [line for line in out.splitlines() if ".py:" in line]
    assert len(heads) == 4
    assert {head.split(",")[0] for head in heads} == {
        "core.py:1: function parse",
        "core.py:7: method parse",
        "unused.py:1: function parse",
        "core.py:6: class Parser",
    }
    assert "    '''Parse it.'''\n    return text.split()" in out


def test_lines_are_bounded(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = check(root, ["--lines", "1", "Parser"], capsys)
    assert code == 0
    assert "class Parser:" in out and "def parse(self)" not in out


def test_an_unknown_name_says_so(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = check(root, ["nothing_like_it"], capsys)
    assert (code, out) == (1, "")
    assert "nothing_like_it" in err
