"""`pairwright apply`: exit codes, what is printed where, and which files may be edited."""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pairwright.cli import apply
from pairwright.edits.formats.registry import PARSERS

SERVER = Path(__file__).parents[3] / "server"


def block(search: str, replace: str, path: str = "a.py") -> str:
    return f"{path}\n```\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n```\n"


class Box:
    """A folder, and the command run in it."""

    def __init__(
        self, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.root, self._patch, self._capsys = root, monkeypatch, capsys

    def run(self, reply: str | bytes, *options: str) -> tuple[int, str, str]:
        """Exit code, stdout, stderr."""
        raw = reply.encode() if isinstance(reply, str) else reply
        self._patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(raw), "utf-8"))
        parser = argparse.ArgumentParser()
        apply.add(parser.add_subparsers())
        args = parser.parse_args(["apply", "--root", str(self.root), *options])
        code = args.run(args)
        out, err = self._capsys.readouterr()
        return code, out, err

    def refuse(self, reply: str, *says: str, options: tuple[str, ...] = ()) -> None:
        """Exit 1, all of `says` on stderr, no byte changed."""
        before = {path: path.read_bytes() for path in self.root.rglob("*") if path.is_file()}
        code, out, err = self.run(reply, *options)
        assert code == 1
        assert out == ""
        for word in says:
            assert word in err
        assert {
            path: path.read_bytes() for path in self.root.rglob("*") if path.is_file()
        } == before

    def read(self, path: str) -> bytes:
        return (self.root / path).read_bytes()


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Box:
    (tmp_path / "a.py").write_bytes(b"A = 1\nB = 2\n")
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "b.py").write_bytes(b"\xef\xbb\xbfC = 1\r\n")
    return Box(tmp_path, monkeypatch, capsys)


def test_a_reply_is_applied(box: Box) -> None:
    reply = (
        block("A = 1\n", "A = 2\n")
        + block("C = 1\n", "C = 2\nD = 3\n", "lib/b.py")
        + block("", "N\n", "d/n.py")
    )
    code, out, err = box.run(reply + "```sh\nmake\n```\n")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "edited a.py",
        "edited lib/b.py",
        "created d/n.py",
        "suggested command (not run): make",
    ]
    assert box.read("a.py") == b"A = 2\nB = 2\n"
    assert box.read("lib/b.py") == b"\xef\xbb\xbfC = 2\r\nD = 3\r\n"
    assert box.read("d/n.py") == b"N\n"


def test_every_reason_is_told_and_nothing_is_done(box: Box) -> None:
    reply = (
        block("A = 1\n", "A = 2\n")
        + block("Z\n", "z\n")
        + block("Y\n", "y\n", "lib/b.py")
        + block("", "x\n", "../x")
    )
    box.refuse(reply, "a.py: the SEARCH", "lib/b.py: the SEARCH", "../x", "outside")
    box.refuse("Nothing to do.\n", "no edit")
    box.refuse("a.py\n<<<<<<< SEARCH\nA = 1\n", "incomplete")


def test_chat_and_read_limit_what_may_be_edited(box: Box) -> None:
    reply = block("A = 1\n", "A = 2\n")
    box.refuse(reply, "a.py", "not in the chat", options=("--chat", "lib/b.py"))
    box.refuse(reply, "a.py", "read-only", options=("--read", "a.py"))
    box.refuse(block("", "x\n"), "a.py", options=("--chat", "lib/b.py"))
    code, _, _ = box.run(block("C = 1\n", "C = 5\n", "b.py"), "--chat", str(box.root / "lib/b.py"))
    assert code == 0
    assert box.read("lib/b.py") == b"\xef\xbb\xbfC = 5\r\n"
    code, _, _ = box.run(block("", "x\n", "new.py"), "--chat", "a.py", "--chat", "gone.py")
    assert code == 0 and box.read("new.py") == b"x\n"


def test_a_dry_run_shows_the_difference_only(box: Box) -> None:
    code, out, err = box.run(block("A = 1\n", "A = 2\n"), "--dry-run")
    assert (code, err) == (0, "")
    assert out == "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n-A = 1\n+A = 2\n B = 2\n"
    assert box.read("a.py") == b"A = 1\nB = 2\n"


def test_json(box: Box) -> None:
    code, out, err = box.run(block("A = 1\n", "A = 2\n") + block("Z\n", "z\n"), "--json")
    found = json.loads(out)
    assert code == 1
    assert [one["passed"] for one in found["blocks"]] == [True, False]
    assert found["files"] == []
    assert len(found["problems"]) == 1 and found["problems"][0] in err
    code, out, _ = box.run(block("A = 1\n", "A = 2\n"), "--json", "--dry-run")
    found = json.loads(out)
    assert code == 0
    assert found["files"] == [
        {
            "path": "a.py",
            "created": False,
            "deleted": False,
            "moved_from": None,
            "hunks": [{"start": 0, "end": 6, "new": "A = 2\n"}],
        }
    ]


def test_usage(box: Box) -> None:
    assert box.run("", str(box.root / "missing"))[0] == 2
    assert box.run(b"\xff\xfa")[0] == 2
    assert box.run("", "--root", str(box.root / "nowhere"))[0] == 2
    with pytest.raises(SystemExit) as stop:
        box.run("", "--format", "nonsense")
    assert stop.value.code == 2


def test_a_reply_without_anything_is_refused(box: Box) -> None:
    box.refuse("", "no edit")
    box.refuse("\n\n", "no edit", options=("--format", "whole"))


def test_a_reply_that_a_windows_shell_wrote(box: Box) -> None:
    reply = block("A = 1\n", "A = 'é'\n").replace("\n", "\r\n")
    assert box.run(reply.encode("utf-16"))[0] == 0
    assert box.read("a.py") == "A = 'é'\nB = 2\n".encode()


CHANGED = {
    "diff": block("A = 1\n", "A = 2\n"),
    "diff-fenced": "```\na.py\n<<<<<<< SEARCH\nA = 1\n=======\nA = 2\n>>>>>>> REPLACE\n```\n",
    "patch": "*** Begin Patch\n*** Update File: a.py\n@@\n-A = 1\n+A = 2\n*** End Patch\n",
    "symbol": "a.py\n```\n<<<<<<< DEFINITION A\nA = 2\n>>>>>>> REPLACE\n```\n",
    "udiff": "```diff\n--- a.py\n+++ a.py\n@@ @@\n-A = 1\n+A = 2\n```\n",
    "whole": "a.py\n```\nA = 2\nB = 2\n```\n",
}
CHANGED |= {f"editor-{name}": CHANGED[name] for name in ("diff", "diff-fenced", "whole")}
CHANGED["udiff-simple"] = CHANGED["udiff"]


@pytest.mark.parametrize("format", sorted(PARSERS))
def test_every_format_with_limits(box: Box, format: str) -> None:
    reply, options = CHANGED[format], ("--format", format)
    box.refuse(reply, "a.py", "read-only", options=(*options, "--read", "a.py"))
    box.refuse(reply, "a.py", "not in the chat", options=(*options, "--chat", "lib/b.py"))
    assert box.run(reply, *options, "--chat", "a.py", "--dry-run")[0] == 0
    assert box.read("a.py") == b"A = 1\nB = 2\n"
    assert box.run(reply, *options, "--chat", "a.py")[0] == 0
    assert box.read("a.py") == b"A = 2\nB = 2\n"


def test_read_only_files_are_neither_made_nor_moved_nor_deleted(box: Box) -> None:
    box.refuse(block("", "x\n", "gone.py"), "gone.py", "read-only", options=("--read", "gone.py"))
    for change in ("*** Delete File: a.py\n", "*** Update File: a.py\n*** Move to: c.py\n"):
        reply = f"*** Begin Patch\n{change}*** End Patch\n"
        box.refuse(reply, "a.py", "read-only", options=("--read", "a.py"))
    onto = "*** Begin Patch\n*** Update File: a.py\n*** Move to: lib/b.py\n*** End Patch\n"
    box.refuse(onto, "lib/b.py", options=("--read", "lib/b.py"))


def test_a_placeholder_of_a_secret_is_never_written(box: Box) -> None:
    box.refuse(block("A = 1\n", "A = 'REDACTED_SECRET_1'\n"), "a.py", "REDACTED_SECRET_1")
    (box.root / "a.py").write_bytes(b"A = 'REDACTED_SECRET_1'\nB = 2\n")
    assert box.run(block("B = 2\n", "B = 3\n"))[0] == 0


def test_output_has_one_encoding(box: Box) -> None:
    reply = box.root.parent / f"{box.root.name}-reply.md"
    reply.write_text(block("A = 1\n", "A = '設定'\n"), encoding="utf-8")
    command = [sys.executable, "-m", "pairwright", "apply", "--dry-run", str(reply)]
    env = {**os.environ, "PYTHONPATH": str(SERVER), "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, cwd=box.root, env=env, capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "+A = '設定'\n" in done.stdout.decode("utf-8")


def test_without_any_standard_input(box: Box) -> None:
    command = f"{sys.executable} -m pairwright apply <&-"
    env = {**os.environ, "PYTHONPATH": str(SERVER)}
    done = subprocess.run(
        ["bash", "-c", command], cwd=box.root, env=env, capture_output=True, timeout=60
    )
    assert done.returncode == 1 and b"no edit" in done.stderr


def test_bytes_that_are_no_text_are_refused(box: Box) -> None:
    (box.root / "s.ini").write_bytes(b"; \x01\x90\xdd\x00\nlang=ja\n")
    box.refuse(block("lang=ja\n", "lang=en\n", "s.ini"), "s.ini", "UTF-8")


def test_a_file_keeps_its_encoding(box: Box) -> None:
    (box.root / "j.ini").write_bytes("; 設定\nlang=ja\n".encode("shift_jis"))
    assert box.run(block("lang=ja\n", "lang=日本\n", "j.ini"))[0] == 0
    assert box.read("j.ini") == "; 設定\nlang=日本\n".encode("shift_jis")
    # The encoding has no such character: nothing is written.
    box.refuse(block("; 設定\n", "; 💩\n", "j.ini"), "j.ini", "encoding")
    (box.root / "u16").write_bytes("A\r\nB\r\n".encode("utf-16"))
    assert box.run(block("B\n", "é\n", "u16"))[0] == 0
    assert box.read("u16") == "A\r\né\r\n".encode("utf-16")


def test_links_out_of_the_folder_are_refused(
    box: Box, tmp_path_factory: pytest.TempPathFactory
) -> None:
    secret = tmp_path_factory.mktemp("outside") / "secret"
    secret.write_bytes(b"token\n")
    (box.root / "link").symlink_to(secret)
    box.refuse(block("token\n", "x\n", "link"), "link", "outside")
    box.refuse(block("tok\n", "x\n", "link"), "link", "outside")
    assert secret.read_bytes() == b"token\n"
    (box.root / "alias.py").symlink_to("a.py")
    reply = block("A = 1\n", "A = 2\n", "alias.py")
    box.refuse(reply, "alias.py", "read-only", options=("--read", "a.py"))


def test_names_the_file_system_cannot_hold(box: Box) -> None:
    box.refuse(block("x\n", "y\n", "n" * 290 + ".py"), "n.py")
    box.refuse(block("", "y\n", "n" * 290 + ".py"), "n.py")
    box.refuse(block("", "y\n", "a.py/b.py"), "a.py")
    box.refuse(block("", "y\n", "lib/"), "file name")


def test_as_a_process(box: Box) -> None:
    reply = box.root.parent / f"{box.root.name}-reply.md"
    reply.write_text(block("B = 2\n", "B = 3\n"), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pairwright", "apply", str(reply)],
        cwd=box.root,
        env={**os.environ, "PYTHONPATH": str(SERVER)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "edited a.py\n", "")
    assert box.read("a.py") == b"A = 1\nB = 3\n"
