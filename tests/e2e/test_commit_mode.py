"""Commit mode through the real server: the cases of git with commits on, and a model that writes the
messages. The git command is the judge."""

from __future__ import annotations

import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from tests.support.cases import Case, Place, Result, judge, lay_out, load
from tests.support.editor import Editor, uri_of
from tests.support.endpoint import Endpoint
from tests.support.serving import environment

CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {
        "applyEdit": True,
        "workspaceFolders": True,
        "workspaceEdit": {
            "documentChanges": True,
            "resourceOperations": ["create", "rename", "delete"],
            "failureHandling": "textOnlyTransactional",
        },
    },
    "experimental": {"pairwright": {"protocol": 1}},
}
# With `auto_commits` off there is no commit mode to try.
CASES = [case for case in load("edits.json") if case["kind"] == "git" and "settings" not in case]
NOT_COMMITTED = {"E112": "ended with 1", "E122": "a merge is in progress"}
pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.xdist_group("commit_mode"),
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def editor(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Editor]:
    base = tmp_path_factory.mktemp("server")
    (base / "work").mkdir()
    (base / "home").mkdir()
    clean = {"HOME": str(base / "home"), "GIT_CONFIG_NOSYSTEM": "1", "EMAIL": ""}
    started = await Editor.start(
        base / "work",
        CAPABILITIES,
        init_options={"git": {"mode": "commit", "message": "request", "co_author": False}},
        style="vscode",
        env={**environment(base), **clean},
    )
    async with started:
        yield started


async def ended(editor: Editor, method: str, since: int) -> dict[str, Any]:
    message = await editor.wait_for(method, lambda m: m["method"] == method, 60, since=since)
    params: dict[str, Any] = message["params"]
    return params


async def act(editor: Editor, place: Place, action: str, reply: str) -> tuple[str | None, str]:
    """Accept a pasted reply, or undo: the words of a refusal, and what became of the commit."""
    where = uri_of(place.root)
    since = len(editor.received)
    if action == "undo":
        done = await editor.command("pairwright.undo", root=where)
    else:
        await editor.command("pairwright.apply", text=reply, root=where)
        end = await ended(editor, "pairwright/turn/end", since)
        if end["outcome"] != "done":
            return str(end["message"]), ""
        done = await editor.command("pairwright.accept", proposal=end["proposal"])
    if done["state"] not in ("applied", "done"):
        return str(done["message"]), ""
    told = await ended(editor, "pairwright/commit", since)
    return None, f"{told['state']}: {told['message']}"


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
async def test_case(case: Case, editor: Editor, tmp_path: Path) -> None:
    place = lay_out(case, tmp_path)
    folder = {"uri": uri_of(place.root), "name": "case"}
    change = {"event": {"added": [folder], "removed": []}}
    editor.notify("workspace/didChangeWorkspaceFolders", change)
    before = safe = place.tree()
    error, told = None, []
    for action in case["actions"]:
        if isinstance(action, dict):
            assert place.sh(action["sh"]) == 0
            before = safe = place.tree()
            continue
        error, said = await act(editor, place, action, case["reply"])
        for uri, buffer in editor.buffers.items():
            if uri.startswith(folder["uri"]) and buffer.text != buffer.saved:
                editor.save_uri(uri)
        told.append(said)
    judge(case, place, Result(error, before, place.tree(), safe))
    why = NOT_COMMITTED.get(case["id"])
    if error is None and case["id"] != "E114":
        assert why in told[0] if why else told[0].startswith("committed"), told
        assert len(told) < 2 or told[1].startswith("taken back"), told
    assert place.sh(f"git -C '{place.root}' fsck --strict") == 0
    assert not list(place.work.rglob("index.lock"))
    for uri in [uri for uri in editor.buffers if uri.startswith(folder["uri"])]:
        editor.close(uri)
    editor.notify(
        "workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [folder]}}
    )


REPLY = "app.py\n```python\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n"


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout


async def test_the_model_writes_the_messages(tmp_path: Path) -> None:
    root = tmp_path / "work"
    root.mkdir()
    (root / "app.py").write_text("x = 1\n")
    _git(root, "init", "-q", "-b", "main")
    _git(root, "config", "user.name", "Ada")
    _git(root, "config", "user.email", "ada@example.invalid")
    _git(root, "add", "-A")
    _git(root, "commit", "-qm", "base")
    plain = {**CAPABILITIES, "experimental": {}}
    with Endpoint() as endpoint:
        endpoint.say(REPLY)
        endpoint.say("```\nFeat: Count from two.\n```")
        endpoint.say("docs: say why")
        options = {"model": {**endpoint.settings(), "format": "diff"}, "git": {"mode": "commit"}}
        env = {**environment(tmp_path), "OPENAI_API_KEY": "scripted-key"}
        started = await Editor.start(root, plain, init_options=options, style="vscode", env=env)
        async with started as editor:
            await editor.command("pairwright.edit", text="Count from 2.", chat=["app.py"])
            await _shown(editor, "1 hunk proposed")
            await editor.command("pairwright.accept")
            said = await _shown(editor, "Committed")
            assert '"feat: count from two" on main' in said
            (root / "README.md").write_text("Why\n")
            _git(root, "add", "README.md")
            planned = await editor.command("pairwright.commit", dryRun=True)
            assert (planned["state"], planned["text"]) == ("planned", "docs: say why\n")
            done = await editor.command("pairwright.commit", message="docs: my own words")
            assert done["state"] == "committed"
        sent = endpoint.requests[1].text
        assert "-x = 1\n+x = 2" in sent and 'asked for as "Count from 2."' in sent
    log = _git(root, "log", "--format=%s|%an|%(trailers:key=Co-authored-by,valueonly)")
    assert log.split("\n")[0] == "docs: my own words|Ada|"
    assert "feat: count from two|Ada|Pairwright (" in log
    (root / "app.py").write_text("x = 2\n")
    assert _git(root, "status", "--porcelain") == "", "the commit has what the editor holds unsaved"


async def _shown(editor: Editor, words: str) -> str:
    message = await editor.wait_for(
        words,
        lambda m: m["method"] == "window/showMessage" and words in m["params"]["message"],
        60,
    )
    return str(message["params"]["message"])
