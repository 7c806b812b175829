"""The edit cases through the command line: files on disk, one reply, the exact workspace
afterwards.

Here a single `apply`, no editor and no model. Cases that need an editor, a running reply or an undo are run
through the server by test_editor_cases.
"""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from tests.support.cases import Case, Result, form, judge, lay_out, load

from pairwright.cli.main import main

FORMATS = ("diff", "udiff", "whole", "patch")
KINDS = ("parse", "match", "filename", "newline/encoding", "multi-file atomicity")
CASES = load("edits.json")


def _is_ours(case: Case) -> bool:
    actions = case.get("actions", ["apply"])
    waits = any(isinstance(action, dict) and "during_reply_sh" in action for action in actions)
    if form(case) not in FORMATS or "undo" in actions or waits or "cancel_after_text" in case:
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


@pytest.mark.parametrize("case", OURS, ids=[case["id"] for case in OURS])
def test_case(
    case: Case,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    place = lay_out(case, tmp_path)
    for action in case.get("actions", ()):
        if isinstance(action, dict):
            assert place.sh(action["sh"]) == 0, action
    before = place.tree()
    words = ["apply", "--format", form(case), "--root", str(place.root)]
    for path in case["chat_files"]:
        words += ["--chat", path]
    for path in case.get("read_only_files", ()):
        words += ["--read", path]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(case["reply"].encode()), "utf-8"))
    code = main(words)
    out, err = capsys.readouterr()
    assert code in (0, 1)
    result = Result(err if code else None, before, place.tree(), before)
    judge(case, place, result)
    for command in case["expect"].get("shell_commands", ()):
        assert command in out
