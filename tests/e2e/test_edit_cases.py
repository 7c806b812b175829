"""The edit cases through the command line: files on disk, one reply, the exact workspace
afterwards.

How a case is run and judged: tests/cases/README.md of the collection; here a single `apply`, no
editor and no model. Cases that need an editor, a running reply or an undo belong to the suites of
those parts.
"""

from __future__ import annotations

import base64
import io
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pairwright.cli.main import main

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "cases" / "edits.json").read_text(encoding="utf-8")
)
FORMATS = ("diff", "udiff", "whole", "patch")
KINDS = ("parse", "match", "filename", "newline/encoding", "multi-file atomicity")


def _is_ours(case: dict[str, Any]) -> bool:
    form = case.get("edit_format", case["format"])
    actions = case.get("actions", ["apply"])
    waits = any(isinstance(action, dict) and "during_reply_sh" in action for action in actions)
    if form not in FORMATS or "undo" in actions or waits or "cancel_after_text" in case:
        return False
    # A buffer that differs from the disk, or a client that answers, needs an editor.
    buffers = {path: buffer["text"] for path, buffer in case.get("buffers", {}).items()}
    return not case.get("events") and (not buffers or buffers == case["files"])


OURS = [case for case in CASES if _is_ours(case)]


def test_every_case_of_the_kinds_asked_for_is_run() -> None:
    chosen = {case["id"] for case in OURS}
    for case in CASES:
        if case["format"] in FORMATS and case["kind"] in KINDS:
            assert case["id"] in chosen
    assert len(chosen) >= 45


def _bytes(value: Any) -> bytes:
    return value.encode() if isinstance(value, str) else base64.b64decode(value["b64"])


def _tree(root: Path, ignored: set[str]) -> dict[str, bytes]:
    found = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if ".git" not in path.relative_to(root).parts and path.is_file() and name not in ignored:
            found[name] = path.read_bytes()
    return found


def _shell(line: str, work: Path, env: dict[str, str]) -> int:
    return subprocess.run(["bash", "-c", line], cwd=work, env=env, capture_output=True).returncode


def _fits(
    outcome: dict[str, Any], text: str, code: int, before: dict[str, bytes], after: dict[str, bytes]
) -> bool:
    if "error_contains" in outcome:
        said = text.lower()
        some = outcome["error_any"]
        return (
            code == 1
            and after == before
            and all(word.lower() in said for word in outcome["error_contains"])
            and (not some or any(word.lower() in said for word in some))
        )
    wanted = dict(before)
    for path, value in (outcome.get("files") or outcome.get("buffers") or {}).items():
        if value is None:
            wanted.pop(path, None)
        else:
            wanted[path] = _bytes(value)
    return code == 0 and after == wanted


@pytest.mark.parametrize("case", OURS, ids=[case["id"] for case in OURS])
def test_case(
    case: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    work, spare = tmp_path / "work", tmp_path / "spare"
    (spare / "home").mkdir(parents=True)
    work.mkdir()
    env = {
        **os.environ,
        "CASE_TMP": str(spare),
        "HOME": str(spare / "home"),
        "GIT_CONFIG_NOSYSTEM": "1",
    }
    for path, value in case["files"].items():
        (work / path).parent.mkdir(parents=True, exist_ok=True)
        (work / path).write_bytes(_bytes(value))
    for line in case.get("setup", ()):
        assert _shell(line, work, env) == 0, line
    for action in case.get("actions", ()):
        if isinstance(action, dict):
            assert _shell(action["sh"], work, env) == 0, action
    ignored = {*case.get("ignore_paths", ()), *case.get("unchecked", ())}
    before = _tree(work, ignored)
    form = case.get("edit_format", case["format"])
    words = ["apply", "--format", form, "--root", str(work / case.get("root", "."))]
    for path in case["chat_files"]:
        words += ["--chat", path]
    for path in case.get("read_only_files", ()):
        words += ["--read", path]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(case["reply"].encode()), "utf-8"))
    code = main(words)
    out, err = capsys.readouterr()
    after = _tree(work, ignored)
    outcomes = [case["expect"], *case.get("also_ok", ())]
    assert any(_fits(one, err, code, before, after) for one in outcomes), (code, err, after)
    for line in case.get("checks", ()):
        assert _shell(line, work, env) == 0, line
    for command in case["expect"].get("shell_commands", ()):
        assert command in out
