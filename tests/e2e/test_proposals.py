"""Proposals through the real server and a strict client: renames, conflicts, what stays unsaved, annotations."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.served import blocks, served

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


EDIT = blocks(("a.py", "    return 1\n", "    return 2\n"), ("b.py", "B = 1\n", "B = 2\n"))


async def test_what_changed_meanwhile_is_shown_with_both_sides(tmp_path: Path) -> None:
    async with served(tmp_path, {"a.py": TEXT, "b.py": "B = 1\n"}) as at:
        path = at.root / "a.py"
        at.editor.open(path)
        ident = await at.pasted(EDIT)
        spot = TEXT.index("1")
        at.editor.type(path, spot, spot + 1, "3")
        taken = await at.editor.command("pairwright.accept", proposal=ident)
        assert taken["state"] == "stale", taken
        (clash,) = taken["conflicts"]
        assert (clash["hunk"], clash["path"], clash["line"]) == ("0.0", "a.py", 2)
        assert clash["old"] == "    return 1\r\n" and clash["new"] == "    return 2\r\n"
        assert clash["now"] == "    return 3\r\n"
        assert at.editor.text(path) == TEXT.replace("1", "3")
        assert (at.root / "b.py").read_text() == "B = 1\n"
        shown = await at.editor.command("pairwright.show", proposal=ident)
        assert "there now:\n        return 3" in shown["preview"], shown["preview"]
        # The rest can still be taken.
        rest = await at.editor.command("pairwright.accept", proposal=ident, files=["b.py"])
        assert rest["state"] == "applied", rest
        assert at.editor.text(at.root / "b.py") == "B = 2\n"


async def test_a_file_changed_gone_or_created_on_disk_meanwhile(tmp_path: Path) -> None:
    files = {"a.py": TEXT, "b.py": "B = 1\n", "c.py": "C = 1\n"}
    create = blocks(("new.py", "", "N = 1\n"), ("c.py", "C = 1\n", "C = 2\n"))
    async with served(tmp_path, files) as at:
        ident = await at.pasted(f"{EDIT}\n\n{create}")
        (at.root / "a.py").write_text(TEXT.replace("1", "3"), newline="")
        (at.root / "b.py").unlink()
        (at.root / "new.py").write_text("mine\n")
        taken = await at.editor.command("pairwright.accept", proposal=ident)
        assert taken["state"] == "stale", taken
        found = {clash["path"]: (clash["now"], clash["reason"]) for clash in taken["conflicts"]}
        assert found == {
            "a.py": ("    return 3\r\n", "its lines were changed since"),
            "b.py": (None, "b.py is gone"),
            "new.py": ("mine\n", "new.py exists already"),
        }
        assert (at.root / "new.py").read_text() == "mine\n" and not (at.root / "b.py").exists()
        assert (at.root / "c.py").read_text() == "C = 1\n"


async def test_a_plain_client_gets_the_conflict_as_a_document(tmp_path: Path) -> None:
    async with served(tmp_path, {"a.py": TEXT, "b.py": "B = 1\n"}, plugin=False) as at:
        path = at.root / "a.py"
        at.editor.open(path)
        await at.editor.command("pairwright.apply", text=EDIT)
        await at.editor.wait_for("the proposal", lambda m: "proposed" in str(m.get("params")))
        at.editor.type(path, 0, 0, "x = 0\r\n")
        spot = at.editor.text(path).index("1")
        at.editor.type(path, spot, spot + 1, "3")
        await at.editor.command("pairwright.accept")
        told = [p["message"] for p in at.sent("window/showMessage")]
        assert any("hunk 0.0 were changed since" in message for message in told), told
        (kept,) = (tmp_path / "cache" / "proposals").glob("*-conflicts.txt")
        assert "a.py, line 3, hunk 0.0" in kept.read_text()


async def test_an_editor_that_tells_its_text_after_the_answer_of_the_command(
    tmp_path: Path,
) -> None:
    async with served(
        tmp_path, {"a.py": TEXT, "b.py": "B = 1\n"}, plugin=False, style="eglot"
    ) as at:
        path = at.root / "a.py"
        at.editor.open(path)
        await at.editor.command("pairwright.apply", text=EDIT)
        await at.editor.wait_for("the proposal", lambda m: "proposed" in str(m.get("params")))
        assert await at.editor.command("pairwright.accept") is None
        await at.editor.wait_for(
            "what is said of it", lambda m: "Applied 2 hunks" in str(m.get("params"))
        )
        assert await at.editor.command("pairwright.undo") is None
        await at.editor.wait_for(
            "what is said of it", lambda m: "Took back" in str(m.get("params"))
        )
        assert at.editor.text(path) == TEXT


@pytest.mark.parametrize("save_clean", [True, False])
async def test_what_stays_unsaved_is_told(tmp_path: Path, save_clean: bool) -> None:
    settings = {"apply": {"save_clean": save_clean}}
    async with served(tmp_path, {"a.py": TEXT, "b.py": "B = 1\n"}, **settings) as at:
        mine = at.root / "a.py"
        at.editor.open(mine)
        at.editor.type(mine, 0, 0, "# my own\r\n")
        ident = await at.pasted(EDIT)
        taken = await at.editor.command("pairwright.accept", proposal=ident)
        assert taken["state"] == "applied", taken
        assert taken["unsaved"] == ["a.py", "b.py"]
        assert taken["save"] == (["b.py"] if save_clean else [])
        assert (at.root / "a.py").read_bytes() == TEXT.encode()


@pytest.mark.parametrize("save_clean", [True, False])
async def test_what_an_undo_leaves_unsaved(tmp_path: Path, save_clean: bool) -> None:
    """Saved documents are named to be saved again, those with the user's own text never are."""
    files = {"a.py": TEXT, "b.py": "B = 1\n"}
    async with served(tmp_path, files, "neovim", apply={"save_clean": save_clean}) as at:
        mine, saved = at.root / "a.py", at.root / "b.py"
        for path in (mine, saved):
            at.editor.open(path)
        at.editor.type(mine, 0, 0, "# my own\r\n")
        taken = await at.editor.command("pairwright.accept", proposal=await at.pasted(EDIT))
        assert taken["state"] == "applied", taken
        at.editor.save(saved)
        undone = await at.editor.command("pairwright.undo")
        assert undone["state"] == "done", undone
        assert undone["save"] == ([saved.as_uri()] if save_clean else [])
        at.editor.save(saved)
        again = await at.editor.command("pairwright.redo")
        assert again["save"] == ([saved.as_uri()] if save_clean else [])
        assert saved.read_text() == "B = 1\n" and mine.read_bytes() == TEXT.encode()


async def test_a_plain_client_is_told_what_an_undo_leaves_unsaved(tmp_path: Path) -> None:
    async with served(tmp_path, {"a.py": TEXT, "b.py": "B = 1\n"}, plugin=False) as at:
        at.editor.open(at.root / "a.py")
        await at.editor.command("pairwright.apply", text=EDIT)
        await at.editor.wait_for("the proposal", lambda m: "proposed" in str(m.get("params")))
        await at.editor.command("pairwright.accept", files=["a.py"])
        at.editor.save(at.root / "a.py")
        await at.editor.command("pairwright.undo")
        told = [p["message"] for p in at.sent("window/showMessage")]
        assert any("Took back" in one and "Not saved yet: a.py." in one for one in told), told


async def test_what_checks_found_is_shown_after_a_restart(tmp_path: Path) -> None:
    async with served(tmp_path, {"b.py": "B = 1\n"}) as at:
        ident = await at.pasted(blocks(("b.py", "B = 1\n", "B = (1\n")))
    async with served(tmp_path, {}) as at:
        shown = await at.editor.command("pairwright.show", proposal=ident)
        (finding,) = shown["proposal"]["findings"]
        assert "b.py" in finding and f"Checks have against it:\n  {finding}\n" in shown["preview"]
        (listed,) = (await at.editor.command("pairwright.proposals"))["proposals"]
        assert listed["findings"] == [finding]


async def test_edits_at_once_where_the_user_wants_them(tmp_path: Path) -> None:
    settings = {"apply": {"mode": "at-once"}}
    async with served(tmp_path, {"a.py": TEXT, "b.py": "B = 1\n"}, **settings) as at:
        at.editor.open(at.root / "a.py")
        end = await at.turn("pairwright.apply", text=EDIT)
        assert end["accepted"]["state"] == "applied", end
        assert at.editor.text(at.root / "a.py") == TEXT.replace("1", "2")
        undone = await at.editor.command("pairwright.undo")
        assert undone["state"] == "done", undone
        assert at.editor.text(at.root / "a.py") == TEXT


async def test_annotated_edits_reach_only_clients_that_show_them(tmp_path: Path) -> None:
    for style, expected in (("vscode", True), ("neovim", False)):
        async with served(tmp_path / style, {"a.py": TEXT, "b.py": "B = 1\n"}, style) as at:
            ident = await at.pasted(EDIT)
            await at.editor.command("pairwright.accept", proposal=ident)
            edits = [params["edit"] for params in at.sent("workspace/applyEdit")]
            assert edits and all(("changeAnnotations" in edit) is expected for edit in edits)


async def test_a_deletion_and_a_stale_second_file(tmp_path: Path) -> None:
    """The second document of an edit moves while the first is on its way: all of it is taken back."""
    files = {"a.py": TEXT, "b.py": "B = 1\n", "gone.py": "G = 1\n"}
    patch = "*** Begin Patch\n*** Delete File: gone.py\n*** End Patch\n"
    async with served(tmp_path, files, "neovim") as at:
        for name in ("a.py", "b.py"):
            at.editor.open(at.root / name)
        ident = await at.pasted(EDIT)

        async def typing() -> None:
            at.editor.before_apply = None
            at.editor.type(at.root / "b.py", 0, 1, "Q")

        at.editor.before_apply = typing
        taken = await at.editor.command("pairwright.accept", proposal=ident)
        assert taken["state"] == "stale", taken
        assert at.editor.text(at.root / "a.py") == TEXT
        assert at.editor.text(at.root / "b.py") == "Q = 1\n"
        deleting = await at.pasted(patch)
        taken = await at.editor.command("pairwright.accept", proposal=deleting)
        assert taken["state"] == "applied", taken
        assert not (at.root / "gone.py").exists()
        undone = await at.editor.command("pairwright.undo")
        assert undone["state"] == "done", undone
        assert (at.root / "gone.py").read_text() == "G = 1\n"
