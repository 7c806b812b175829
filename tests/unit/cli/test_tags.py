"""`pairwright tags --json`: paths, folders, kinds of files."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.fixture import files

from pairwright.cli import tags

TREE = """\
-- a.py --
def one():
    two()
-- sub/b.js --
function two() {}
-- sub/notes.txt --
def not_me(): pass
-- .git/hooks/c.py --
def hidden(): pass
-- .venv/d.py --
def hidden(): pass
"""


def check(
    folder: Path, args: list[str], capsys: pytest.CaptureFixture[str], expected: Any
) -> tuple[int, str]:
    for name, text in files(TREE).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    parser = argparse.ArgumentParser()
    tags.add(parser.add_subparsers())
    parsed = parser.parse_args(["tags", "--json", *args])
    status: int = parsed.run(parsed)
    out, err = capsys.readouterr()
    assert json.loads(out) == expected
    return status, err


A = {"defs": [["one", "function", 1]], "refs": ["two"]}
B = {"defs": [["two", "function", 1]], "refs": []}


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (["a.py"], {"a.py": A}),
        (["."], {"a.py": A, "sub/b.js": B}),
        (["sub", "a.py"], {"sub/b.js": B, "a.py": A}),
        (["./sub/../a.py"], {"a.py": A}),
        (["sub/notes.txt"], {"sub/notes.txt": {"defs": [], "refs": []}}),
    ],
)
def test_keys_are_relative_to_the_working_directory(
    args: list[str],
    expected: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert check(tmp_path, args, capsys, expected) == (0, "")


def test_a_file_that_hangs_its_grammar_is_told_by_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.pl").write_text("use strict;\nsub one { two() }\nb #")
    (tmp_path / "good.pl").write_text("use strict;\nsub one { two() }\n")
    expected = {"bad.pl": {"defs": [["one", "function", 2]], "refs": []}}
    expected |= {"good.pl": {"defs": [["one", "function", 2]], "refs": ["two"]}}
    status, err = check(tmp_path, ["bad.pl", "good.pl"], capsys, expected)
    assert status == 0 and "bad.pl could not be parsed" in err


def test_what_cannot_be_read_is_said_and_the_rest_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "latin.py").write_bytes(b"\x01\xfe\x00 = 1\n")
    status, err = check(tmp_path, ["gone.py", "latin.py", "a.py"], capsys, {"a.py": A})
    assert status == 1
    assert "gone.py" in err
    assert "latin.py is not UTF-8" in err
