"""Proposals through the real server and a strict client: renames, conflicts, what stays unsaved, annotations."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.served import served

TEXT = "def a():\r\n    return 1\r\n"
RENAME = (
    "*** Begin Patch\n*** Update File: run.py\n*** Move to: bin/start.py\n@@\n-    return 1\n"
    "+    return 2\n*** End Patch\n"
)


@pytest.mark.parametrize("style", ["vscode", "neovim", "plain"])
@pytest.mark.parametrize("is_open", [True, False])
async def test_a_rename_with_new_text(tmp_path: Path, style: str, is_open: bool) -> None:
    async with served(tmp_path, {"run.py": TEXT}, style) as at:
        old, new = at.root / "run.py", at.root / "bin" / "start.py"
        old.chmod(0o755)
        if is_open:
            at.editor.open(old)
        ident = await at.pasted(RENAME)
        first, _ = await at.hunks(ident)
        assert (first["old"], first["new"]) == ("", "")
        taken = await at.editor.command("pairwright.accept", proposal=ident)
        if style == "plain" and is_open:
            assert taken["state"] == "refused" and "close it first" in taken["message"]
            assert old.read_bytes() == TEXT.encode() and not new.exists()
            return
        assert taken["state"] == "applied", taken
        assert at.editor.text(new) == TEXT.replace("1", "2")
        assert not old.exists() and new.stat().st_mode & 0o777 == 0o755
        undone = await at.editor.command("pairwright.undo")
        assert undone["state"] == "done", undone
        assert old.read_bytes() == TEXT.encode() and old.stat().st_mode & 0o777 == 0o755
        assert not new.exists()
