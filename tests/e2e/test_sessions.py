"""Conversations through the real server: told what became of edits, gone on with after a kill, forked, exported,
deleted; a summary behind the turns."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from tests.support.editor import Editor
from tests.support.endpoint import Endpoint

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.xdist_group("sessions"),
]

SOURCE = "def total(rows):\n    value = sum(rows)\n    return value\n"
EDIT = """\
I round.

app.py
```python
<<<<<<< SEARCH
    return value
=======
    return round(value)
>>>>>>> REPLACE
```
"""
OTHER = EDIT.replace("return value", "value = sum(rows)").replace(
    "return round(value)", "value = sum(rows or [])"
)
CAPABILITIES = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True}},
    "experimental": {"pairwright": {"protocol": 1}},
}


class Place:
    """One folder, one endpoint, and servers started on it one after another."""

    def __init__(self, root: Path, data: Path, endpoint: Endpoint) -> None:
        self.file = root / "app.py"
        self.root = root
        self.data = data
        self.endpoint = endpoint
        self.env = dict(
            os.environ,
            PAIRWRIGHT_DATA=str(data),
            PAIRWRIGHT_CACHE=str(data / "cache"),
            OPENAI_API_KEY="scripted-key",
        )
        self.editor: Editor

    async def start(self) -> None:
        model = {**self.endpoint.settings(), "window": 16_384, "max_output": 1_000}
        options = {"model": model}
        self.editor = await Editor.start(
            self.root, CAPABILITIES, init_options=options, env=self.env
        )
        await self.editor.__aenter__()
        self.editor.open(self.file)

    async def turn(self, command: str, text: str, answer: str, **more: Any) -> dict[str, Any]:
        self.endpoint.say(answer)
        return await self.ended(await self.begin(command, text, **more))

    async def begin(self, command: str, text: str, **more: Any) -> str:
        started = await self.editor.command(
            f"pairwright.{command}", text=text, uri=self.file.as_uri(), **more
        )
        return str(started["id"])

    async def ended(self, ident: str) -> dict[str, Any]:
        message = await self.editor.wait_for(
            "the end of the turn",
            lambda m: m["method"] == "pairwright/turn/end" and m["params"]["id"] == ident,
            60,
        )
        return dict(message["params"])

    async def sessions(self, action: str = "list", **more: Any) -> Any:
        return await self.editor.command("pairwright.sessions", action=action, **more)

    def sent(self) -> str:
        return self.endpoint.requests[-1].text


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def place(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Place]:
    folder = tmp_path_factory.mktemp("sessions")
    (folder / "work").mkdir()
    (folder / "work" / "app.py").write_text(SOURCE)
    with Endpoint() as endpoint:
        made = Place(folder / "work", folder / "data", endpoint)
        await made.start()
        yield made
        if made.editor.process.returncode is None:
            await made.editor.__aexit__(None, None, None)


async def test_the_next_request_is_told_what_became_of_an_edit(place: Place) -> None:
    ended = await place.turn("edit", "Round the total.", EDIT)
    proposal = ended["proposal"]
    accepted = await place.editor.command("pairwright.accept", proposal=proposal)
    assert accepted["state"] == "applied"
    await place.turn("ask", "Is it in?", "Yes.")
    assert f"- app.py: accepted (checkpoint {accepted['after'][:7]})" in place.sent()
    undone = await place.editor.command("pairwright.undo")
    assert undone["state"] == "done"
    await place.turn("ask", "And now?", "No.")
    assert f"- app.py: undone (checkpoint {undone['after'][:7]})" in place.sent()
    redone = await place.editor.command("pairwright.redo")
    place.editor.type(place.file, 0, 0, "# mine\n")
    await place.turn("ask", "And now again?", "Yes.")
    told = f"- app.py: accepted again (checkpoint {redone['after'][:7]}), then changed by hand"
    assert told in place.sent()
    ended = await place.turn("edit", "Take no rows too.", OTHER)
    await place.editor.command("pairwright.reject", proposal=ended["proposal"])
    await place.turn("ask", "Was it taken?", "No.")
    assert "- app.py: rejected" in place.sent()


async def test_what_is_typed_while_an_undo_ends_is_told_as_the_users(place: Place) -> None:
    editor = place.editor
    ended = await place.turn("edit", "Take no rows.", OTHER)
    await editor.command("pairwright.accept", proposal=ended["proposal"])

    def applied_and_typed(params: dict[str, Any]) -> dict[str, Any]:
        result = editor._apply(params["edit"])
        editor.type(place.file, 0, 0, "# typed on\n")
        return result

    editor.answers["workspace/applyEdit"] = applied_and_typed
    try:
        undone = await editor.command("pairwright.undo")
    finally:
        del editor.answers["workspace/applyEdit"]
    assert undone["state"] == "done"
    await place.turn("ask", "And this?", "Yes.")
    told = f"then undone (checkpoint {undone['after'][:7]}), then changed by hand"
    assert told in place.sent()


async def test_a_cancelled_turn_is_nowhere(place: Place) -> None:
    place.endpoint.say("Half of it", size=1, delay=0.2)
    many = len(place.endpoint.requests)
    ident = await place.begin("ask", "Something never finished?")
    await asyncio.to_thread(place.endpoint.wait, many + 1)
    await place.editor.command("pairwright.cancel", id=ident)
    assert (await place.ended(ident))["outcome"] == "stop"
    await place.turn("ask", "And then?", "Fine.")
    assert "never finished" not in place.sent()


async def test_after_a_kill_a_conversation_is_gone_on_with(place: Place) -> None:
    await place.turn("ask", "Remember the word marzipan.", "I do.")
    before = await place.sessions()
    # A record is in the kernel's hands when the next command is answered.
    place.editor.process.send_signal(signal.SIGKILL)
    await place.editor.process.wait()
    await place.start()
    found = await place.sessions()
    assert [one["session"] for one in found["sessions"]] == [before["current"]]
    assert found["sessions"][0]["title"] == "Round the total."
    await place.turn("ask", "Which word?", "None.")
    assert "marzipan" not in place.sent(), "a start begins a new conversation"
    resumed = await place.sessions("resume", session=before["current"])
    assert resumed["turns"][-1] == {
        "mode": "ask",
        "request": "Remember the word marzipan.",
        "answer": "I do.",
    }
    await place.turn("ask", "Which word?", "Marzipan.")
    assert "marzipan" in place.sent()


async def test_fork_export_delete(place: Place) -> None:
    current = (await place.sessions())["current"]
    forked = await place.sessions("fork", turn=1)
    assert forked["session"] != current and len(forked["turns"]) == 1
    await place.turn("ask", "Where are we?", "In a fork.")
    assert "marzipan" not in place.sent() and "Round the total." in place.sent()
    exported = await place.sessions("export")
    assert exported["text"].startswith("# Round the total.\n")
    assert f"forked from `{current}` after turn 1" in exported["text"]
    assert "> Where are we?" in exported["text"] and "In a fork." in exported["text"]
    asked = await place.editor.command("pairwright.ask", uri=place.file.as_uri())
    assert forked["session"] in Path(asked["document"]).read_text(), "to be sent after a restart"
    again = await place.editor.request("pairwright/document", {"uri": exported["uri"]})
    assert again["text"] == exported["text"]
    await place.sessions("delete", session=forked["session"])
    left = await place.sessions()
    assert forked["session"] not in [one["session"] for one in left["sessions"]]
    with pytest.raises(AssertionError, match="no conversation"):
        await place.sessions("export", session=forked["session"])


async def test_two_servers_share_the_conversations_of_a_folder(place: Place) -> None:
    first = (await place.sessions())["sessions"][0]
    other = Place(place.root, place.data, place.endpoint)
    await other.start()
    async with other.editor:
        found = await other.sessions("resume", session=first["session"])
        many = len(found["turns"])
        forked = await other.sessions("fork", session=first["session"], turn=1)
        await place.turn("ask", "Who else is here?", "Another.", session=first["session"])
        seen = await other.sessions("export", session=first["session"])
        assert f"## {many + 1}. ask" in seen["text"] and "Who else is here?" in seen["text"]
    listed = [one["session"] for one in (await place.sessions())["sessions"]]
    assert forked["session"] in listed
    await place.sessions("delete", session=forked["session"])


async def test_a_long_conversation_is_summarised_behind_the_turns(place: Place) -> None:
    await place.sessions("new")
    place.endpoint.otherwise = lambda body: (
        "They counted."
        if "You keep the notes" in str(body["messages"][0]["content"])
        else "One, two, three, four, five, six, seven, eight, nine. " * 12
    )
    for number in range(8):
        ident = await place.begin("ask", f"Count, number {number}.")
        await place.ended(ident)
    for _ in range(100):
        if any("You keep the notes" in request.text for request in place.endpoint.requests):
            break
        await asyncio.sleep(0.05)
    await asyncio.sleep(0.2)
    await place.ended(await place.begin("ask", "Which numbers?"))
    assert "Summary of the earlier conversation:\nThey counted." in place.sent()
    assert "number 0." not in place.sent() and "number 7." in place.sent()


async def test_shutdown_does_not_wait_for_a_summary(place: Place) -> None:
    await place.sessions("new")
    released = threading.Event()

    def answer(body: dict[str, Any]) -> str:
        if "You keep the notes" in str(body["messages"][0]["content"]):
            released.wait(30)
        return "One, two, three, four, five, six, seven, eight, nine. " * 12

    place.endpoint.otherwise = answer
    try:
        before = len(place.endpoint.requests)
        for number in range(8):
            await place.ended(await place.begin("ask", f"Count, number {number}."))
        asked = [request.text for request in place.endpoint.requests[before:]]
        while not any("You keep the notes" in text for text in asked):
            await asyncio.sleep(0.05)
            asked = [request.text for request in place.endpoint.requests[before:]]
        await place.editor.__aexit__(None, None, None)
        assert place.editor.process.returncode == 0, "it ended by itself"
    finally:
        released.set()
