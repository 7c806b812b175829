"""Text that hangs or crashes a grammar, typed into the real server: it answers, and the rest goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support.editor import Editor, uri_of
from tests.support.serving import COMMAND, environment

GOOD = "use strict;\nsub first { second(1) }\nsub second { return 1 }\n"
HANGS = GOOD + "b #"
DEEP = GOOD + "sub f {\n" * 10_000
# Far below what a looping grammar would take, far above what a loaded machine needs.
SOON = 20.0


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "good.pl").write_text(GOOD)
    (folder / "app.py").write_text("def app():\n    return helper()\n\n\ndef helper():\n    pass\n")
    return folder


async def start(root: Path) -> Editor:
    on = ["--set", "symbols.workspace=true", "--set", "symbols.references=true"]
    command = [*COMMAND, *on]
    editor = await Editor.start(root, {}, env=environment(root.parent), command=command)
    await editor.command("pairwright.map")
    return editor


async def names(editor: Editor, query: str) -> list[tuple[str, str]]:
    """Definitions that match `query`, with their files."""
    found = await editor.request("workspace/symbol", {"query": query}, timeout=SOON)
    return sorted((item["name"], item["location"]["uri"].rpartition("/")[2]) for item in found)


async def check_goes_on(editor: Editor, path: Path) -> None:
    """Hover and map answer, and another file is followed while it is typed into."""
    python = path.with_name("app.py")
    editor.open(python)
    editor.type(python, 0, 0, "def typed():\n    return app()\n\n\n")
    at: dict[str, Any] = {"textDocument": {"uri": uri_of(path)}}
    at["position"] = {"line": 1, "character": 5}
    await editor.request("textDocument/hover", at, timeout=SOON)
    assert ("typed", "app.py") in await names(editor, "typed")
    shown = await editor.command("pairwright.map", timeout=SOON)
    assert "app" in str(shown)


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    """Ask until it holds, a minute at most."""
    async with asyncio.timeout(60):
        while not await holds():
            await asyncio.sleep(0.1)


async def wait_for_calls(editor: Editor, path: Path) -> None:
    """Until the call in line 2 refers to `second`."""
    params = {
        "textDocument": {"uri": uri_of(path)},
        "position": {"line": 2, "character": 5},
        "context": {"includeDeclaration": False},
    }

    async def is_back() -> bool:
        found = await editor.request("textDocument/references", params, timeout=SOON)
        return any(item["range"]["start"]["line"] == 1 for item in found)

    await until(is_back)


@pytest.mark.parametrize("text", [HANGS, DEEP], ids=["loops", "deep"])
async def test_a_buffer_that_no_parser_gets_through(root: Path, text: str) -> None:
    path = root / "good.pl"
    async with await start(root) as editor:
        editor.open(path, "perl")
        editor.type(path, len(GOOD), len(GOOD), text[len(GOOD) :])
        await check_goes_on(editor, path)
        assert ("first", "good.pl") in await names(editor, "first")
        size = len(editor.buffers[uri_of(path)].text)
        editor.type(path, len(GOOD), size, "sub third { second(2) }\n")
        assert ("third", "good.pl") in await names(editor, "third")
        # A moment without a keystroke, and the parser is asked again: calls are back.
        await wait_for_calls(editor, path)


async def test_a_scan_keeps_what_the_lines_of_a_stuck_file_tell(root: Path) -> None:
    (root / "bad.pl").write_text(HANGS)
    async with await start(root) as editor:
        wanted = [("second", "bad.pl"), ("second", "good.pl")]

        async def is_scanned() -> bool:
            return await names(editor, "second") == wanted

        await until(is_scanned)
        await check_goes_on(editor, root / "bad.pl")
