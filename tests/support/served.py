"""The real server with a strict editor for tests of proposals: what clients announce, and the steps users take."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.editor import Editor
from tests.support.endpoint import Endpoint

VSCODE: dict[str, Any] = {
    "applyEdit": True,
    "workspaceEdit": {
        "documentChanges": True,
        "resourceOperations": ["create", "rename", "delete"],
        "failureHandling": "textOnlyTransactional",
        "changeAnnotationSupport": {"groupsOnLabel": True},
    },
}
NEOVIM: dict[str, Any] = {
    "applyEdit": True,
    "workspaceEdit": {"resourceOperations": ["rename", "create", "delete"]},
}
PLAIN: dict[str, Any] = {"applyEdit": True, "workspaceEdit": {"documentChanges": True}}
STYLES = {"vscode": VSCODE, "neovim": NEOVIM, "eglot": PLAIN, "plain": PLAIN}


@dataclass
class Served:
    """An editor at work. `root`: the workspace folder."""

    editor: Editor
    root: Path

    async def ended(self, ident: str) -> dict[str, Any]:
        """How the turn `ident` ended."""
        message = await self.editor.wait_for(
            "the end of the turn",
            lambda m: m["method"] == "pairwright/turn/end" and m["params"]["id"] == ident,
        )
        params: dict[str, Any] = message["params"]
        return params

    async def turn(self, command: str, **args: Any) -> dict[str, Any]:
        """Run a command that starts a turn, to its end."""
        started = await self.editor.command(command, **args)
        return await self.ended(started["id"])

    async def indexed(self) -> None:
        """Wait until every file of the workspace is read."""
        async with asyncio.timeout(60):
            while not (await self.editor.command("pairwright.status"))["roots"][0]["ready"]:
                await asyncio.sleep(0.05)

    async def pasted(self, reply: str) -> str:
        """The id of the proposal that a pasted reply becomes."""
        end = await self.turn("pairwright.apply", text=reply)
        assert end["outcome"] == "done", end
        ident: str = end["proposal"]
        return ident

    async def hunks(self, ident: str) -> list[dict[str, Any]]:
        """All hunks of a proposal, in order."""
        shown = await self.editor.command("pairwright.show", proposal=ident)
        return [hunk for file in shown["proposal"]["files"] for hunk in file["hunks"]]

    def sent(self, method: str) -> list[Any]:
        """The parameters of every message of `method` from the server."""
        return [m["params"] for m in self.editor.received if m["method"] == method]


@asynccontextmanager
async def served(
    base: Path,
    files: Mapping[str, str | bytes],
    style: str = "vscode",
    *,
    endpoint: Endpoint | None = None,
    plugin: bool = True,
    **settings: Any,
) -> AsyncIterator[Served]:
    """A server on a folder with `files`. `plugin`: the client has our own protocol."""
    root = base / "work"
    for path, text in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode() if isinstance(text, str) else text)
    env = dict(
        os.environ,
        PAIRWRIGHT_DATA=str(base / "data"),
        PAIRWRIGHT_CACHE=str(base / "cache"),
        OPENAI_API_KEY="scripted-key",
    )
    capabilities: dict[str, Any] = {
        "workspace": STYLES[style],
        "textDocument": {"codeAction": {"codeActionLiteralSupport": {}}},
    }
    if plugin:
        capabilities["experimental"] = {"pairwright": {"protocol": 1}}
    if endpoint is not None:
        settings["model"] = {**endpoint.settings(), **settings.get("model", {})}
    editor = await Editor.start(root, capabilities, init_options=settings, style=style, env=env)
    async with editor:
        yield Served(editor, root)


def blocks(*edits: tuple[str, str, str]) -> str:
    """A reply with one SEARCH/REPLACE block for each path, old and new lines."""
    return "\n\n".join(
        f"{path}\n```\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n```"
        for path, old, new in edits
    )
