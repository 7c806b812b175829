"""Undo and checkpoints through the real server: formatters, conflicts, turns, several folders, kills, full disks."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.support.editor import Editor, uri_of
from tests.support.served import STYLES, Served, blocks, served
from tests.support.serving import COMMAND, environment
from tests.support.spaces import inside, read_only, small_disk

TEXT = "import os\n\n\ndef f():\n    return 1\n\n\ndef g():\n    return 2\n"
EDIT = blocks(("a.py", "    return 1\n", "    x = {'k':1}\n    return x\n"))


async def accepted(at: Served, reply: str = EDIT) -> dict[str, Any]:
    taken: dict[str, Any] = await at.editor.command(
        "pairwright.accept", proposal=await at.pasted(reply)
    )
    assert taken["state"] == "applied", taken
    return taken


@pytest.mark.parametrize("style", ["vscode", "neovim"])
async def test_what_a_formatter_does_at_the_save_goes_with_the_hunk(
    tmp_path: Path, style: str
) -> None:
    async with served(tmp_path, {"a.py": TEXT}, style) as at:
        path = at.root / "a.py"
        at.editor.open(path)
        await accepted(at)
        # Sorts, renames and parenthesises inside the hunk; adds a line far from it.
        text = at.editor.text(path)
        formed = text.replace(
            "    x = {'k':1}\n    return x\n", '    y = ({"k": 1})\n    return y\n'
        )
        at.editor.replace(uri_of(path), formed.replace("return 2\n", "return 2\n\n# end\n"))
        at.editor.save(path)
        for _ in range(100):
            listed = await at.editor.command("pairwright.checkpoints")
            if await _has_form(listed["folder"]):
                break
            await asyncio.sleep(0.05)
        undone = await at.editor.command("pairwright.undo")
        assert undone["state"] == "done", undone
        assert at.editor.text(path) == TEXT + "\n# end\n"
        again = await at.editor.command("pairwright.redo")
        assert again["state"] == "done", again
        assert 'y = ({"k": 1})' in at.editor.text(path)


async def _has_form(folder: str) -> bool:
    process = await asyncio.create_subprocess_exec(
        "git", "log", "--format=%s", cwd=folder, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    return b"saved: " in out


async def test_typing_inside_a_hunk_is_in_the_way_and_one_step_leads_out(tmp_path: Path) -> None:
    async with served(tmp_path, {"a.py": TEXT}, plugin=False) as at:
        path = at.root / "a.py"
        at.editor.open(path)
        await at.editor.command("pairwright.apply", text=EDIT)
        for _ in range(200):
            if (await at.editor.command("pairwright.proposals"))["proposals"]:
                break
            await asyncio.sleep(0.05)
        taken = await at.editor.command("pairwright.accept")
        assert taken["state"] == "applied", taken
        spot = at.editor.text(path).index("return x")
        at.editor.type(path, spot, spot + 8, "return mine")
        mine = at.editor.text(path)
        asked: list[Any] = []

        def answer(params: Any) -> Any:
            asked.append(params)
            return params["actions"][0]

        at.editor.answers["window/showMessageRequest"] = answer
        undone = await at.editor.command("pairwright.undo")
        assert undone["state"] == "stale"
        (clash,) = undone["conflicts"]
        assert (clash["path"], clash["line"]) == ("a.py", 5)
        assert "return mine" in clash["now"] and clash["wanted"] == "    return 1\n"
        for _ in range(200):
            if at.editor.text(path) == TEXT:
                break
            await asyncio.sleep(0.05)
        assert at.editor.text(path) == TEXT
        assert "the same lines were changed since" in asked[0]["message"]
        assert asked[0]["actions"][0]["title"] == "Restore a.py whole"
        back = await at.editor.command("pairwright.undo")
        assert back["state"] == "done" and at.editor.text(path) == mine


async def test_a_plan_a_turn_and_what_a_checkpoint_changed(tmp_path: Path) -> None:
    reply = EDIT + "\n\n" + blocks(("a.py", "    return 2\n", "    return 3\n"))
    async with served(tmp_path, {"a.py": TEXT}) as at:
        path = at.root / "a.py"
        at.editor.open(path)
        ident = await at.pasted(reply)
        for hunk in [hunk["id"] for hunk in await at.hunks(ident)]:
            taken = await at.editor.command("pairwright.accept", proposal=ident, hunks=[hunk])
            assert taken["state"] == "applied", taken
        text = at.editor.text(path)
        plan = await at.editor.command("pairwright.undo", turn=True, dryRun=True)
        assert plan["state"] == "planned" and "-    return 3\n+    return 2\n" in plan["plan"]
        assert at.editor.text(path) == text
        listed = (await at.editor.command("pairwright.checkpoints"))["checkpoints"]
        assert [one["note"] for one in listed] == ["pasted reply"] * 2
        shown = await at.editor.command("pairwright.changes", checkpoint=listed[0]["id"][:8])
        assert "+    return 3\n" in shown["text"]
        uri = f"pairwright:/checkpoint/{listed[0]['id']}.diff"
        document = await at.editor.request("pairwright/document", {"uri": uri})
        assert document["text"] == shown["text"]
        undone = await at.editor.command("pairwright.undo", turn=True)
        assert undone["state"] == "done" and at.editor.text(path) == TEXT
        listed = (await at.editor.command("pairwright.checkpoints"))["checkpoints"]
        assert [one["undone"] for one in listed] == [False, False, True, True]


async def test_a_server_killed_between_two_files(tmp_path: Path) -> None:
    reply = EDIT + "\n\n" + blocks(("b.py", "B = 1\n", "B = 2\n"))
    files = {"a.py": TEXT, "b.py": "B = 1\n"}
    async with served(tmp_path, files, "neovim") as at:
        ident = await at.pasted(reply)
        edits = 0
        killed = asyncio.Event()

        async def kill() -> None:
            nonlocal edits
            edits += 1
            if edits == 2:
                at.editor.save(at.root / "a.py")
                at.editor.process.kill()
                await at.editor.process.wait()
                killed.set()

        at.editor.before_apply = kill
        accepting = asyncio.create_task(at.editor.command("pairwright.accept", proposal=ident))
        await asyncio.wait_for(killed.wait(), 60)
        accepting.cancel()
        assert (at.root / "a.py").read_text() != TEXT
    async with served(tmp_path, {}, "neovim") as again:
        message = await again.editor.wait_for(
            "what became of it", lambda m: m["method"] == "window/showMessage"
        )
        assert "only a.py had been changed, and it was put back" in message["params"]["message"]
        again.editor.save(again.root / "a.py")
        assert (again.root / "a.py").read_text() == TEXT
        taken = await again.editor.command("pairwright.accept", proposal=ident)
        assert taken["state"] == "applied", taken


@pytest.mark.parametrize("trouble", ["full", "read-only"])
async def test_without_a_checkpoint_nothing_changes_unless_the_user_agrees(
    tmp_path: Path, trouble: str
) -> None:
    root, data = tmp_path / "work", tmp_path / "data"
    root.mkdir()
    (root / "a.py").write_text(TEXT)
    setup = small_disk(data, "16k") if trouble == "full" else read_only(data)
    capabilities = {
        "workspace": STYLES["vscode"],
        "experimental": {"pairwright": {"protocol": 1}},
    }
    editor = await Editor.start(
        root, capabilities, env=environment(tmp_path), command=inside(setup, COMMAND)
    )
    async with editor:
        at = Served(editor, root)
        ident = await at.pasted(EDIT)
        taken = await editor.command("pairwright.accept", proposal=ident)
        assert taken["state"] == "cancelled", taken
        assert "No checkpoint can be made of a.py" in taken["message"]
        assert (root / "a.py").read_text() == TEXT
        taken = await editor.command("pairwright.accept", proposal=ident, unprotected=True)
        assert taken["state"] == "applied", taken
        assert "'k':1" in editor.text(root / "a.py")
