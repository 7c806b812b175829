"""Ask, edit, choose, undo through the real server: a strict editor, a real model endpoint, the git command as judge.

Runs in the ways the two families of clients work: VS Code (versions enforced, one edit for all documents) and
Neovim 0.11 (a document an edit, stale ones silently skipped, no create by the `documentChanges` flag alone).
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.support.editor import Editor
from tests.support.endpoint import Endpoint

CAPABILITIES: dict[str, dict[str, Any]] = {
    "vscode": {
        "general": {"positionEncodings": ["utf-16"]},
        "workspace": {
            "applyEdit": True,
            "workspaceEdit": {
                "documentChanges": True,
                "resourceOperations": ["create", "rename", "delete"],
                "failureHandling": "textOnlyTransactional",
            },
            "codeLens": {"refreshSupport": True},
        },
        "experimental": {"pairwright": {"protocol": 1}},
    },
    "neovim": {
        "general": {"positionEncodings": ["utf-8", "utf-16", "utf-32"]},
        "workspace": {
            "applyEdit": True,
            "workspaceEdit": {"resourceOperations": ["rename", "create", "delete"]},
        },
        "experimental": {"pairwright": {"protocol": 1}},
    },
    "plain": {
        "general": {"positionEncodings": ["utf-8"]},
        "workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True}},
        "experimental": {"pairwright": {"protocol": 1}},
    },
}
SOURCE = "def größe(a):\r\n    x = a\r\n    y = 2\r\n    z = 3\r\n    return x\r\n"
TWO_HUNKS = """Renamed.

app.py
```python
<<<<<<< SEARCH
    x = a
=======
    total = a
>>>>>>> REPLACE
```

app.py
```python
<<<<<<< SEARCH
    return x
=======
    return total
>>>>>>> REPLACE
```
"""


def git(root: Path, *args: str) -> str:
    return subprocess.run(
        ["git", "-c", "user.name=T", "-c", "user.email=t@example.invalid", *args],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "app.py").write_bytes(SOURCE.encode())
    (folder / "other.py").write_text("import app\n\n\ndef use():\n    return app.größe(1)\n")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "base")
    return folder


Open = Callable[..., AbstractAsyncContextManager[Editor]]


@pytest.fixture
def opened(root: Path, tmp_path: Path) -> Open:
    @asynccontextmanager
    async def start(style: str, endpoint: Endpoint, **settings: Any):  # type: ignore[no-untyped-def]
        options = {"model": {**endpoint.settings(), **settings}}
        env = dict(
            os.environ,
            PAIRWRIGHT_DATA=str(tmp_path / "data"),
            PAIRWRIGHT_CACHE=str(tmp_path / "cache"),
            OPENAI_API_KEY="scripted-key",
        )
        editor = await Editor.start(
            root, CAPABILITIES[style], init_options=options, style=style, env=env
        )
        async with editor:
            editor.open(root / "app.py")
            yield editor

    return start


async def ended(editor: Editor, ident: str) -> dict[str, Any]:
    message = await editor.wait_for(
        "the end of the turn",
        lambda m: m["method"] == "pairwright/turn/end" and m["params"]["id"] == ident,
        60,
    )
    return message["params"]


async def edited(editor: Editor, root: Path, text: str = "rename x to total") -> dict[str, Any]:
    started = await editor.command(
        "pairwright.edit",
        text=text,
        uri=(root / "app.py").as_uri(),
        range=editor.range(root / "app.py", 0, len(SOURCE)),
    )
    return await ended(editor, started["id"])


async def pasted(editor: Editor, reply: str = TWO_HUNKS) -> dict[str, Any]:
    """As `edited`, where it does not matter which model answered: none has to be started."""
    started = await editor.command("pairwright.apply", text=reply)
    return await ended(editor, started["id"])


def saved_nothing(root: Path) -> None:
    assert (root / "app.py").read_bytes() == SOURCE.encode()
    assert git(root, "status", "--porcelain") == ""


async def test_an_answer_streams_and_names_its_tokens(root: Path, opened: Open) -> None:
    with Endpoint() as endpoint:
        endpoint.say("It returns x.")
        async with opened("vscode", endpoint) as editor:
            started = await editor.command(
                "pairwright.ask", text="What does it do?", uri=(root / "app.py").as_uri()
            )
            end = await ended(editor, started["id"])
            sent = ("pairwright/chat/delta", "pairwright/turn/event")
            deltas = [m["params"] for m in editor.received if m["method"] in sent]
        assert end["outcome"] == "done" and end["text"] == "It returns x."
        assert "".join(d["text"] for d in deltas if d["kind"] == "text") == "It returns x."
        assert [d["seq"] for d in deltas] == list(range(1, len(deltas) + 1))
        parts = next(d for d in deltas if d["kind"] == "started")["parts"]
        assert {"system", "files", "request"} <= {part["part"] for part in parts}
        assert "def größe(a):\n    x = a\n" in endpoint.requests[0].text, "line ends as LF"


@pytest.mark.parametrize("style", ["vscode", "neovim"])
async def test_choose_one_hunk_reject_one_and_undo(root: Path, opened: Open, style: str) -> None:
    path = root / "app.py"
    with Endpoint() as endpoint:
        async with opened(style, endpoint) as editor:
            end = await pasted(editor)
            assert end["outcome"] == "done", end
            saved_nothing(root)
            assert editor.text(path) == SOURCE
            shown = await editor.command("pairwright.show", proposal=end["proposal"])
            (file,) = shown["proposal"]["files"]
            first, second = (hunk["id"] for hunk in file["hunks"])

            # The user types elsewhere before choosing; the hunk still finds its lines.
            editor.type(path, 0, 0, "# note\r\n")
            taken = await editor.command(
                "pairwright.accept", proposal=end["proposal"], hunks=[first]
            )
            assert taken["state"] == "applied", taken
            accepted = "# note\r\n" + SOURCE.replace("    x = a\r\n", "    total = a\r\n")
            assert editor.text(path) == accepted
            left = await editor.command(
                "pairwright.reject", proposal=end["proposal"], hunks=[second]
            )
            assert left["state"] == "rejected"
            assert editor.text(path) == accepted

            # Later typing stays when the accept is taken back.
            editor.type(path, len(accepted), len(accepted), "# end\r\n")
            undone = await editor.command("pairwright.undo")
            assert undone["state"] == "done", undone
            assert editor.text(path) == "# note\r\n" + SOURCE + "# end\r\n"
            listed = await editor.command("pairwright.checkpoints")
            assert [c["kind"] for c in listed["checkpoints"]].count("after") == 1
        assert git(root, "for-each-ref").count("\n") == 1, "the user's repository is not touched"
        saved_nothing(root)


REPLIES = {
    "udiff": "```diff\n--- app.py\n+++ app.py\n@@ @@\n-    x = a\n+    total = a\n     y = 2\n```\n",
    "patch": (
        "*** Begin Patch\n*** Update File: app.py\n@@ def größe(a):\n-    x = a\n+    total = a\n"
        "*** End Patch\n"
    ),
    "whole": "app.py\n```python\n" + SOURCE.replace("x = a", "total = a") + "```\n",
}


@pytest.mark.parametrize("format", sorted(REPLIES))
async def test_a_model_answers_in_its_own_format(root: Path, opened: Open, format: str) -> None:
    with Endpoint() as endpoint:
        endpoint.say(REPLIES[format])
        async with opened("vscode", endpoint, format=format) as editor:
            end = await edited(editor, root)
            assert end["outcome"] == "done", end
            shown = await editor.command("pairwright.show", proposal=end["proposal"])
            (file,) = shown["proposal"]["files"]
            (hunk,) = file["hunks"]
            assert (hunk["old"], hunk["new"]) == ("    x = a\r\n", "    total = a\r\n")
            taken = await editor.command("pairwright.accept", proposal=end["proposal"])
            assert taken["state"] == "applied", taken
            assert editor.text(root / "app.py") == SOURCE.replace("x = a", "total = a")
        told = {"udiff": "unified diff", "patch": "*** Begin Patch", "whole": "complete new text"}
        assert told[format] in endpoint.requests[0].text


@pytest.mark.parametrize("style", ["vscode", "neovim"])
async def test_two_files_one_of_them_new(root: Path, opened: Open, style: str) -> None:
    reply = (
        TWO_HUNKS
        + "\nnew/extra.py\n```python\n<<<<<<< SEARCH\n=======\nEXTRA = 1\n>>>>>>> REPLACE\n```\n"
    )
    with Endpoint() as endpoint:
        async with opened(style, endpoint) as editor:
            end = await pasted(editor, reply)
            taken = await editor.command("pairwright.accept", proposal=end["proposal"])
            assert taken["state"] == "applied", taken
            assert editor.text(root / "app.py").count("total") == 2
            assert editor.text(root / "new" / "extra.py") == "EXTRA = 1\n"
            undone = await editor.command("pairwright.undo")
            assert undone["state"] == "done", undone
            assert editor.text(root / "app.py") == SOURCE
            assert not (root / "new" / "extra.py").exists()


async def test_a_keystroke_in_the_hunk_makes_it_stale(root: Path, opened: Open) -> None:
    path = root / "app.py"
    with Endpoint() as endpoint:
        async with opened("vscode", endpoint) as editor:
            end = await pasted(editor)
            at = SOURCE.index("x = a")
            editor.type(path, at, at + 1, "q")
            typed = editor.text(path)
            taken = await editor.command("pairwright.accept", proposal=end["proposal"])
            assert taken["state"] == "stale", taken
            assert "app.py" in taken["message"]
            assert editor.text(path) == typed


async def test_a_client_that_skips_the_edit_is_not_believed(root: Path, opened: Open) -> None:
    path = root / "app.py"
    with Endpoint() as endpoint:
        async with opened("neovim", endpoint) as editor:
            end = await pasted(editor)
            editor.answers["workspace/applyEdit"] = lambda params: {"applied": True}
            taken = await editor.command("pairwright.accept", proposal=end["proposal"])
            assert taken["state"] == "refused", taken
            assert editor.text(path) == SOURCE
            del editor.answers["workspace/applyEdit"]
            again = await editor.command("pairwright.accept", proposal=end["proposal"])
            assert again["state"] == "applied", again


async def test_a_wrong_block_is_sent_back_with_the_real_lines(root: Path, opened: Open) -> None:
    wrong = TWO_HUNKS.replace("    return x\n=======", "    return xx\n=======")
    right = TWO_HUNKS.partition("```\n\n")[2]
    with Endpoint() as endpoint:
        endpoint.say(wrong)
        endpoint.say(right)
        async with opened("vscode", endpoint) as editor:
            end = await edited(editor, root)
        assert end["outcome"] == "done", end
        assert "return x" in endpoint.requests[1].text.rpartition("could not be applied")[2]


async def test_cancel_closes_the_stream(root: Path, opened: Open) -> None:
    with Endpoint() as endpoint:
        endpoint.stall("It ")
        async with opened("vscode", endpoint) as editor:
            started = await editor.command(
                "pairwright.ask", text="What?", uri=(root / "app.py").as_uri()
            )
            await editor.wait_for(
                "the first piece",
                lambda m: m["method"] == "pairwright/chat/delta" and m["params"]["kind"] == "text",
            )
            answer = await editor.command("pairwright.cancel", id=started["id"])
            assert answer["cancelled"] == [started["id"]]
            end = await ended(editor, started["id"])
            assert end["reason"] == "cancelled"
            assert endpoint.wait_closed(timeout=2.0) >= 0


async def test_a_pasted_reply_becomes_a_proposal_without_a_model(root: Path, opened: Open) -> None:
    with Endpoint() as endpoint:
        async with opened("vscode", endpoint) as editor:
            started = await editor.command("pairwright.apply", text=TWO_HUNKS)
            end = await ended(editor, started["id"])
            assert end["outcome"] == "done" and end["proposal"], end
            refused = await editor.command(
                "pairwright.apply", text=TWO_HUNKS.replace("    x = a", "    x = b")
            )
            end = await ended(editor, refused["id"])
            assert end["outcome"] == "stop" and "app.py" in end["message"], end
        assert not endpoint.requests


async def test_proposals_come_back_after_a_restart(root: Path, opened: Open) -> None:
    with Endpoint() as endpoint:
        endpoint.say(TWO_HUNKS)
        async with opened("vscode", endpoint) as editor:
            end = await edited(editor, root)
        async with opened("vscode", endpoint) as editor:
            found = await editor.command("pairwright.proposals")
            assert [p["id"] for p in found["proposals"]] == [end["proposal"]]
            taken = await editor.command("pairwright.accept", proposal=end["proposal"])
            assert taken["state"] == "applied", taken
            assert editor.text(root / "app.py").count("total") == 2


async def test_no_model_at_all_is_one_message_with_what_to_do(root: Path, tmp_path: Path) -> None:
    env = {k: v for k, v in os.environ.items() if not k.endswith("_API_KEY")}
    env |= {
        "PAIRWRIGHT_DATA": str(tmp_path / "data"),
        "PAIRWRIGHT_CACHE": str(tmp_path / "cache"),
        "PAIRWRIGHT_MODELS": str(tmp_path / "none"),
    }
    editor = await Editor.start(root, CAPABILITIES["vscode"], env=env)
    async with editor:
        started = await editor.command("pairwright.ask", text="Hello?")
        end = await ended(editor, started["id"])
        assert end["outcome"] == "stop" and end["reason"] == "model"
        assert "pairwright model fetch" in end["message"]
        found = await editor.command("pairwright.map", budget=300)
        assert "def use" in found["text"], "the map needs no model"


@pytest.mark.usefixtures("cold")
async def test_no_module_of_the_workspace_is_imported(root: Path, opened: Open) -> None:
    """The server and its children start in the workspace, whose files may be named like any library."""
    trap = "from pathlib import Path\nPath(__file__ + '.ran').touch()\nraise RuntimeError('imported')\n"
    for name in ("dulwich", "msgpack", "litellm", "numpy", "httpx", "networkx", "tree_sitter"):
        (root / f"{name}.py").write_text(trap)
    with Endpoint() as endpoint:
        endpoint.say(TWO_HUNKS)
        async with opened("vscode", endpoint) as editor:
            end = await edited(editor, root)
            taken = await editor.command("pairwright.accept", proposal=end["proposal"])
            assert taken["state"] == "applied", taken
            found = await editor.command("pairwright.map", budget=200)
            assert found["text"]
    assert not list(root.rglob("*.ran")) and not list(root.rglob("__pycache__"))


MOVED = """*** Begin Patch
*** Update File: app.py
*** Move to: lib/main.py
@@
-    x = a
+    x = b
*** End Patch
"""


@pytest.mark.parametrize("style", ["vscode", "neovim"])
async def test_a_renamed_file_comes_back(root: Path, opened: Open, style: str) -> None:
    (root / "app.py").chmod(0o755)
    with Endpoint() as endpoint:
        async with opened(style, endpoint, format="patch") as editor:
            end = await pasted(editor, MOVED)
            assert end["outcome"] == "done", end
            taken = await editor.command("pairwright.accept", proposal=end["proposal"])
            assert taken["state"] == "applied", taken
            assert not (root / "app.py").exists()
            assert (root / "lib" / "main.py").stat().st_mode & 0o777 == 0o755
            undone = await editor.command("pairwright.undo")
            assert undone["state"] == "done", undone
    assert (root / "app.py").read_bytes() == SOURCE.encode()
    assert (root / "app.py").stat().st_mode & 0o777 == 0o755
    assert not (root / "lib" / "main.py").exists()


async def test_neovim_renames_no_file_with_unsaved_text(root: Path, opened: Open) -> None:
    """It would write the user's text along with the rename."""
    path = root / "app.py"
    with Endpoint() as endpoint:
        async with opened("neovim", endpoint) as editor:
            editor.type(path, 0, 0, "# mine\r\n")
            end = await pasted(editor, MOVED)
            taken = await editor.command("pairwright.accept", proposal=end["proposal"])
            assert taken["state"] == "refused" and "save it first" in taken["message"], taken
            assert path.read_bytes() == SOURCE.encode()
            editor.save(path)
            taken = await editor.command("pairwright.accept", proposal=end["proposal"])
            assert taken["state"] == "applied", taken


async def test_lenses_stand_above_the_hunks_that_wait(root: Path, opened: Open) -> None:
    path = root / "app.py"

    async def lenses(editor: Editor) -> list[tuple[int, str]]:
        params = {"textDocument": {"uri": path.as_uri()}}
        found = await editor.request("textDocument/codeLens", params) or []
        return [(lens["range"]["start"]["line"], lens["command"]["title"]) for lens in found]

    with Endpoint() as endpoint:
        async with opened("vscode", endpoint) as editor:
            assert editor.capabilities["codeLensProvider"] == {"resolveProvider": False}
            assert await lenses(editor) == []
            end = await pasted(editor)
            assert await lenses(editor) == [
                (1, "✓ Accept hunk 1 of 2"),
                (1, "✗ Reject"),
                (1, "Refine"),
                (1, "Accept all 2"),
                (1, "Show"),
                (4, "✓ Accept hunk 2 of 2"),
                (4, "✗ Reject"),
                (4, "Refine"),
            ]
            # They move with what is typed above them, and say where the lines are others now.
            editor.type(path, 0, 0, "# note\r\n")
            first = editor.text(path).index("x = a")
            editor.type(path, first, first + 5, "x = c")
            found = await lenses(editor)
            assert (2, "hunk 1 of 2: its lines were changed since") in found or found[0][
                1
            ].startswith("hunk 1")
            assert (5, "✓ Accept hunk 2 of 2") in found
            since = len(editor.received)
            await editor.command("pairwright.reject", proposal=end["proposal"])
            await editor.wait_for(
                "a refresh", lambda m: m["method"] == "workspace/codeLens/refresh", 10, since
            )
            assert await lenses(editor) == []
