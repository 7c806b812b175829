"""`pairwright apply`, then `checkpoints`, `undo` and `restore`: what a script sees."""

from __future__ import annotations

import argparse
import io
import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pairwright.cli import apply, checkpoints, restore, undo

Run = Callable[..., tuple[int, str, str]]
COMMANDS = {"apply": apply, "checkpoints": checkpoints, "restore": restore, "undo": undo}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    (root / "lib").mkdir(parents=True)
    (root / "a.py").write_bytes(b"A = 1\r\nB = 2\r\nC = 3\r\n")
    (root / "lib/b.py").write_bytes(b"X = 1\n")
    return root


@pytest.fixture
def run(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> Run:
    def run(name: str, *words: str, stdin: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8"))
        parser = argparse.ArgumentParser()
        COMMANDS[name].add(parser.add_subparsers())
        args = parser.parse_args([name, "--root", str(root), *words])
        code = args.run(args)
        out, err = capsysbinary.readouterr()
        return code, out.decode(), err.decode()

    return run


def block(path: str, search: str, replace: str) -> str:
    return f"{path}\n```\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n```\n"


REPLY = block("a.py", "A = 1\n", "A = 9\n") + block("lib/n.py", "", "N\n")


def test_what_is_applied_is_listed_shown_taken_back_and_made_again(root: Path, run: Run) -> None:
    before = (root / "a.py").read_bytes()
    assert run("apply", stdin=REPLY)[0] == 0
    after = (root / "a.py").read_bytes()
    code, out, err = run("checkpoints")
    assert (code, err) == (0, "")
    match = re.fullmatch(r"([0-9a-f]{8})  \S+ \S+  pasted reply  \[a.py, lib/n.py\]\n", out)
    assert match, out
    code, diff, _ = run("checkpoints", match[1])
    assert code == 0 and "-A = 1" in diff and "+A = 9" in diff and "+N" in diff
    code, plan, _ = run("undo", "--dry-run")
    assert code == 0 and "-A = 9" in plan and (root / "a.py").read_bytes() == after
    code, out, err = run("undo")
    assert (code, err) == (0, "") and 'Took back "pasted reply"' in out
    assert (root / "a.py").read_bytes() == before and not (root / "lib/n.py").exists()
    assert run("undo", "--redo")[0] == 0
    assert (root / "a.py").read_bytes() == after and (root / "lib/n.py").read_bytes() == b"N\n"
    found = json.loads(run("checkpoints", "--json")[1])[0]
    assert (found["kind"], found["undone"]) == ("undo", False)


def test_a_conflict_shows_both_sides_and_the_way_out(root: Path, run: Run) -> None:
    before = (root / "a.py").read_bytes()
    run("apply", stdin=REPLY)
    mine = (root / "a.py").read_bytes().replace(b"A = 9", b"A = 10")
    (root / "a.py").write_bytes(mine)
    code, out, err = run("undo")
    assert (code, out) == (1, "")
    assert "a.py, line 1, now:\n    A = 10\nundo would bring back:\n    A = 1\n" in err
    assert (root / "a.py").read_bytes() == mine and (root / "lib/n.py").exists()
    words = re.search(r"pairwright restore (\S+) (\S+)", err)
    assert words
    assert run("restore", words[1], words[2])[0] == 0
    assert (root / "a.py").read_bytes() == before
    assert run("undo")[0] == 0
    assert (root / "a.py").read_bytes() == mine


def test_commands_work_from_a_folder_below(
    root: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("apply", stdin=REPLY)
    monkeypatch.chdir(root / "lib")
    code, out, _ = run("checkpoints", "--root", ".")
    assert code == 0 and "pasted reply" in out
    newest = out.split()[0]
    (root / "lib/n.py").unlink()
    assert run("restore", "--root", ".", newest, "n.py")[0] == 0
    assert (root / "lib/n.py").read_bytes() == b"N\n"


def test_what_is_not_there_is_told(root: Path, run: Run) -> None:
    assert run("undo") == (1, "", "There is nothing to undo.\n")
    assert run("undo", "0000000")[0] == 1
    assert run("restore", "0000000")[0] == 1
    assert run("checkpoints") == (0, "", "")
    assert run("checkpoints", "0000000")[0] == 1
    assert run("undo", "--root", str(root / "nowhere"))[0] == 2


def test_where_no_checkpoint_can_be_made_a_yes_is_needed(
    root: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PAIRWRIGHT_DATA", str(tmp_path / "file" / "data"))
    before = (root / "a.py").read_bytes()
    code, out, err = run("apply", stdin=REPLY)
    assert (code, out) == (1, "") and (root / "a.py").read_bytes() == before
    assert "No checkpoint can be made of a.py, lib/n.py" in err and "--unprotected" in err
    assert run("apply", "--unprotected", stdin=REPLY)[0] == 0
    assert (root / "a.py").read_bytes() != before


def test_renames_and_modes_come_back(root: Path, run: Run) -> None:
    (root / "lib/b.py").chmod(0o755)
    patch = (
        "*** Begin Patch\n*** Update File: lib/b.py\n*** Move to: c.py\n@@\n-X = 1\n+X = 2\n"
        "*** End Patch\n"
    )
    assert run("apply", "--format", "patch", stdin=patch)[0] == 0
    assert (root / "c.py").read_bytes() == b"X = 2\n" and not (root / "lib/b.py").exists()
    assert os.stat(root / "c.py").st_mode & 0o777 == 0o755
    assert run("undo")[0] == 0
    assert (root / "lib/b.py").read_bytes() == b"X = 1\n" and not (root / "c.py").exists()
    assert os.stat(root / "lib/b.py").st_mode & 0o777 == 0o755
