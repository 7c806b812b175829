"""Refining and committing through the real server with the embedded model: form and bytes, never wording."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.support.served import blocks, served

TEXT = "def area(w, h):\n    return w * h\n\n\ndef edge(w):\n    return w + w\n"
PASTED = blocks(("a.py", "    return w * h\n", "    result = w * h\n    return result\n"))


def git(root: Path, *args: str) -> str:
    line = ["git", "-c", "user.name=T", "-c", "user.email=t@example.invalid", *args]
    return subprocess.run(line, cwd=root, check=True, capture_output=True, text=True).stdout


@pytest.mark.model
async def test_a_hunk_is_refined_and_the_change_committed(
    tmp_path: Path, embedded_model_path: Path
) -> None:
    model = {"name": "embedded", "path": str(embedded_model_path)}
    async with served(tmp_path, {"a.py": TEXT}, model=model) as at:
        path = at.root / "a.py"
        git(at.root, "init", "-q", "-b", "main")
        git(at.root, "config", "user.name", "T")
        git(at.root, "config", "user.email", "t@example.invalid")
        git(at.root, "add", "-A")
        git(at.root, "commit", "-qm", "base")
        at.editor.open(path)
        ident = await at.pasted(PASTED)
        (hunk,) = await at.hunks(ident)
        words = "Rename the variable result to total."
        end = await at.turn(
            "pairwright.refine", proposal=ident, hunks=[hunk["id"]], instruction=words
        )
        assert end["outcome"] == "done" and end["proposal"] == ident, end
        (refined,) = await at.hunks(ident)
        assert refined["old"] == "    return w * h\n" and refined["new"] != hunk["new"]
        assert "total" in refined["new"]
        parts = [
            p
            for e in at.sent("pairwright/turn/event")
            if e["kind"] == "started"
            for p in e["parts"]
        ]
        assert sum(part["tokens"] for part in parts) < 600
        taken = await at.editor.command("pairwright.accept", proposal=ident)
        assert taken["state"] == "applied", taken
        assert at.editor.text(path).endswith("\n\n\ndef edge(w):\n    return w + w\n")
        at.editor.save(path)

        git(at.root, "add", "a.py")
        done = await at.editor.command("pairwright.commit", timeout=180, yes=True)
        assert done["state"] == "committed" and done["problem"] == "", done
        subject = git(at.root, "log", "-1", "--format=%s").strip()
        assert 3 < len(subject) <= 100 and subject != "base" and "```" not in subject
        assert git(at.root, "status", "--porcelain") == ""
