"""A key of a provider from the client's secret storage, and a shutdown while a model is silent: the real server."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

from tests.support.editor import Editor
from tests.support.endpoint import Endpoint
from tests.support.serving import COMMAND, environment


async def test_a_client_keeps_the_keys_and_no_model_is_waited_for(tmp_path: Path) -> None:
    root = tmp_path / "work"
    root.mkdir()
    (root / "app.py").write_text("x = 1\n")
    asked: list[Any] = []

    def secret(params: Any) -> dict[str, Any]:
        asked.append(params)
        return {"key": None}

    capabilities = {"experimental": {"pairwright": {"protocol": 1, "secrets": True}}}
    env = {**environment(tmp_path), "PAIRWRIGHT_CONFIG": str(tmp_path), "MISTRAL_API_KEY": ""}
    options = {"model": {"name": "codestral"}}
    with Endpoint() as endpoint:
        endpoint.stall("Some words")
        editor = await Editor.start(
            root, capabilities, init_options=options, env=env, command=COMMAND
        )
        async with editor:
            editor.answers["pairwright/secret"] = secret
            started = await editor.command("pairwright.ask", text="Why?")
            end = await editor.wait_for("the end", lambda m: m["method"] == "pairwright/turn/end")
            assert asked == [{"provider": "mistral", "refused": False}]
            assert end["params"]["id"] == started["id"]
            assert "`pairwright model key mistral`" in end["params"]["message"]

            settings = {"pairwright": {"model": endpoint.settings()}}
            editor.notify("workspace/didChangeConfiguration", {"settings": settings})
            await editor.command("pairwright.ask", text="And now?")
            await editor.wait_for("some words", lambda m: m["method"] == "pairwright/chat/delta")
            before = time.monotonic()
            await editor.request("shutdown", None)
            editor.notify("exit", None)
            async with asyncio.timeout(5):
                assert await editor.process.wait() == 0
            assert time.monotonic() - before < 5, "the model was waited for"
        assert await asyncio.to_thread(endpoint.wait_closed) is not None
