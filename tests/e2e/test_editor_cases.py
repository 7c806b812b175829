"""The edit cases through the real server: a strict client, a scripted model, accept and undo.

Every case goes the whole way: buffers are opened, the reply comes from a model endpoint in the format of the case,
the proposal is accepted, and what the client then has is the result. A case whose `door` is `paste` brings its
reply by pairwright.apply, without a model. One server serves all cases of one kind of
client, each case in a workspace folder of its own.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from tests.support.cases import Case, Place, Result, form, judge, lay_out, load
from tests.support.editor import Editor, uri_of
from tests.support.endpoint import Endpoint
from tests.support.serving import environment

CASES = [*load("edits.json"), *load("edits-editor.json")]
USUAL = {
    "positionEncodings": ["utf-16"],
    "documentChanges": True,
    "resourceOperations": ["create", "rename", "delete"],
}
pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.xdist_group("editor_cases"),
]


def _capabilities(client: dict[str, Any]) -> dict[str, Any]:
    edit = {
        "documentChanges": client.get("documentChanges", False),
        "resourceOperations": client.get("resourceOperations", []),
        "failureHandling": client.get("failureHandling", "textOnlyTransactional"),
    }
    return {
        "general": {"positionEncodings": client["positionEncodings"]},
        "workspace": {
            "applyEdit": True,
            "workspaceFolders": True,
            "configuration": True,
            "workspaceEdit": edit,
        },
        "experimental": {"pairwright": {"protocol": 1}},
    }


class Desks:
    """A server and its editor for each kind of client, started at first need."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.stack = AsyncExitStack()
        self.endpoint = self.stack.enter_context(Endpoint())
        self.editors: dict[str, Editor] = {}

    async def editor(self, case: Case) -> Editor:
        client = case.get("client", USUAL)
        key = repr(sorted(client.items()))
        if key not in self.editors:
            base = self.folder / f"home-{len(self.editors)}"
            (base / "work").mkdir(parents=True)
            started = await Editor.start(
                base / "work",
                _capabilities(client),
                style=client.get("style", "vscode"),
                env={**environment(base), "OPENAI_API_KEY": "scripted-key"},
            )
            self.editors[key] = await self.stack.enter_async_context(started)
        editor = self.editors[key]
        model = {**self.endpoint.settings(), "format": form(case)}
        settings = {"model": model, "turn": {"reflections": 0}}
        editor.answers["workspace/configuration"] = lambda params: [settings]
        since = len(editor.received)
        editor.notify("workspace/didChangeConfiguration", {"settings": None})
        await editor.wait_for(
            "the question", lambda m: m["method"] == "workspace/configuration", since=since
        )
        return editor


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def desks(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Desks]:
    made = Desks(tmp_path_factory.mktemp("desks"))
    async with made.stack:
        yield made


@dataclass
class Run:
    """One case under way."""

    case: Case
    place: Place
    editor: Editor
    endpoint: Endpoint
    opened: dict[str, str] = field(default_factory=dict)
    """URIs of the buffers of the case, by the name it gives them."""
    proposal: str = ""

    @property
    def where(self) -> str:
        return uri_of(self.place.root)

    async def enter(self, spelling: str = "") -> None:
        folder = {"uri": self.where, "name": "case"}
        event = {"event": {"added": [folder], "removed": []}}
        self.editor.notify("workspace/didChangeWorkspaceFolders", event)
        for name, buffer in self.case.get("buffers", {}).items():
            uri = self.opened[name] = self._uri(name, spelling)
            self.editor.open_text(uri, buffer["text"], buffer["version"])
        await self.editor.command("pairwright.map", root=self.where, budget=0)

    async def leave(self) -> None:
        for uri in [uri for uri in self.editor.buffers if self._is_ours(uri)]:
            self.editor.close(uri)
        self.editor.answers.clear()
        self.editor.before_apply = None
        folder = {"uri": self.where, "name": "case"}
        event = {"event": {"added": [], "removed": [folder]}}
        self.editor.notify("workspace/didChangeWorkspaceFolders", event)

    def texts(self) -> dict[str, bytes]:
        """What the user has: the files, and the buffers of the case over them."""
        found = self.place.tree()
        for name, uri in self.opened.items():
            if uri in self.editor.buffers:
                found[name] = self.editor.buffers[uri].text.encode()
        return found

    async def act(self) -> Result:
        actions = self.case.get("actions", ["apply"])
        during = [a["during_reply_sh"] for a in actions if "during_reply_sh" in a]
        replies = list(self.case.get("replies", [self.case.get("reply")]))
        before = self.texts()
        safe, error = dict(before), None
        for action in actions:
            if isinstance(action, dict):
                if "sh" in action:
                    assert self.place.sh(action["sh"]) == 0, action
                    before = safe = self.texts()
                continue
            git = self.place.git()
            if action == "undo":
                safe = self.texts()
                error = await self.undo()
            else:
                error = await self.apply(replies.pop(0), during)
                for name, text in self.typed().items():
                    safe[name] = text
            if error is not None:
                assert self.place.git() == git, "a refusal leaves index and HEAD alone"
                break
            self.save()
        return Result(error, before, self.texts(), safe)

    def typed(self) -> dict[str, bytes]:
        """What the user changed meanwhile, as it must stand after a refusal."""
        later = {**self.case.get("after_actions", {}), **self.case.get("buffers_after", {})}
        return {name: text.encode() for name, text in later.items()}

    def save(self) -> None:
        """The user saves what the edit left unsaved, the buffers of the case excepted."""
        for uri, buffer in self.editor.buffers.items():
            is_left = self._is_ours(uri) and uri not in self.opened.values()
            if is_left and buffer.text != buffer.saved:
                self.editor.save_uri(uri)

    async def apply(self, reply: str, during: list[str]) -> str | None:
        """Ask, and accept what is proposed; the words of a refusal."""
        if self.case.get("door") == "paste":
            started = await self.editor.command("pairwright.apply", text=reply, root=self.where)
        else:
            self._script(reply, during)
            asked = {"chat": self._chat("chat_files"), "read": self._chat("read_only_files")}
            started = await self.editor.command(
                "pairwright.edit", text="Do it.", root=self.where, **asked
            )
        if "cancel_after_text" in self.case:
            await self._cancel(started["id"])
        message = await self.editor.wait_for(
            "the end of the turn",
            lambda m: m["method"] == "pairwright/turn/end" and m["params"]["id"] == started["id"],
        )
        end = message["params"]
        if end["outcome"] != "done":
            return None if end["reason"] == "cancelled" else str(end["message"])
        self.proposal = end["proposal"]
        assert self.proposal, end
        for event in self.case.get("events", ()):
            if "before_accept" in event:
                self._changed(event["before_accept"]["didChange"])
            if "on_applyEdit" in event:
                self._on_apply(event["on_applyEdit"])
        since = len(self.editor.received)
        taken = await self.editor.command("pairwright.accept", proposal=self.proposal)
        if taken["state"] == "applied":
            return None
        asked = self.editor.received[since:]
        questions = [m for m in asked if m["method"] == "window/showMessageRequest"]
        return "\n".join([taken["message"], *(m["params"]["message"] for m in questions)])

    async def undo(self) -> str | None:
        done = await self.editor.command("pairwright.undo", root=self.where)
        return None if done["state"] == "done" else str(done["message"])

    # --- the model

    def _script(self, reply: str, during: list[str]) -> None:
        loop = asyncio.get_running_loop()
        self.endpoint.forget()
        changes = [e["during_reply"] for e in self.case.get("events", ()) if "during_reply" in e]
        stop = self.case.get("cancel_after_text")
        if stop:
            self.endpoint.stall(reply[: reply.index(stop) + len(stop)])
        elif during or changes:

            def meanwhile() -> None:
                for line in during:
                    assert self.place.sh(line) == 0, line
                for change in changes:
                    loop.call_soon_threadsafe(self._changed, change["didChange"])
                seen = self.editor.command("pairwright.proposals", root=self.where)
                asyncio.run_coroutine_threadsafe(seen, loop).result(20)

            self.endpoint.hold(reply, len(reply) // 2, meanwhile)
        elif "byte_chunks" in self.case:
            self.endpoint.drip(reply, self.case["byte_chunks"])
        else:
            finish = self.case.get("finish_reason", "stop")
            self.endpoint.say(reply, size=4096, finish=finish)
            if finish == "length":
                # What it is asked to go on with does not come either.
                self.endpoint.say(" \n", finish=finish)

    async def _cancel(self, ident: str) -> None:
        stop = self.case["cancel_after_text"].strip()
        said: dict[int, str] = {}

        def has_come(message: dict[str, Any]) -> bool:
            """Whether the pieces so far, wherever they are cut, hold the text."""
            if message["method"] == "pairwright/chat/delta":
                delta = message["params"]
                if delta["id"] == ident and delta["kind"] == "text":
                    said[delta["seq"]] = delta["text"]
            return stop in "".join(text for _, text in sorted(said.items()))

        await self.editor.wait_for("the text before the cancel", has_come)
        await self.editor.command("pairwright.cancel", id=ident)

    # --- the client

    def _chat(self, key: str) -> list[str]:
        return [self.opened.get(name, name) for name in self.case.get(key, ())]

    def _uri(self, name: str, spelling: str) -> str:
        if ":" in name:
            return name
        uri = uri_of(self.place.root / name)
        return spelling.replace("$URI", uri).replace("$ROOT", self.where) if spelling else uri

    def _is_ours(self, uri: str) -> bool:
        return uri in self.opened.values() or uri.startswith(uri_of(self.place.work.parent))

    def _changed(self, change: dict[str, Any]) -> None:
        uri = self.opened[change["path"]]
        self.editor.replace(uri, change["text"], change.get("version"))

    def _on_apply(self, event: dict[str, Any]) -> None:
        if "respond" in event:
            self.editor.answers["workspace/applyEdit"] = lambda params: event["respond"]

        async def typed() -> None:
            self.editor.before_apply = None
            self._changed(event["didChange"])

        if "didChange" in event:
            self.editor.before_apply = typed


def _edits(editor: Editor, since: int) -> list[dict[str, Any]]:
    asked = (m for m in editor.received[since:] if m["method"] == "workspace/applyEdit")
    return [message["params"]["edit"] for message in asked]


def _documents(edits: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [c for edit in edits for c in edit.get("documentChanges", ()) if "kind" not in c]


def _new_texts(edits: list[dict[str, Any]]) -> list[str]:
    listed = [document["edits"] for document in _documents(edits)]
    listed += [found for edit in edits for found in edit.get("changes", {}).values()]
    return [edit["newText"] for edits_ in listed for edit in edits_]


CHECKS: dict[str, Callable[[list[dict[str, Any]], Run], bool]] = {
    # A range outside and an overlap fail in the editor itself.
    "ranges_inside_document": lambda edits, run: bool(edits),
    "non_overlapping": lambda edits, run: bool(edits),
    "newText_eol:crlf": lambda edits, run: (
        not any(re.search(r"(?<!\r)\n", text) for text in _new_texts(edits))
    ),
    "no_create_op": lambda edits, run: (
        not any(
            c.get("kind") == "create" for edit in edits for c in edit.get("documentChanges", ())
        )
    ),
    "only_changes_map": lambda edits, run: all("documentChanges" not in edit for edit in edits),
    "uri_as_opened": lambda edits, run: all(
        d["textDocument"]["uri"] in run.opened.values() for d in _documents(edits)
    ),
}


def _check(name: str, edits: list[dict[str, Any]], run: Run) -> bool:
    if name.startswith("version:"):
        wanted = name.partition(":")[2]
        return {str(d["textDocument"]["version"]) for d in _documents(edits)} == {wanted}
    return CHECKS[name](edits, run)


RUNS = [
    pytest.param(case, spelling, id=case["id"] + (f"-{n}" if n else ""))
    for case in CASES
    for n, spelling in enumerate(case.get("uri_spellings", [""]))
]


@pytest.mark.parametrize(("case", "spelling"), RUNS)
async def test_case(case: Case, spelling: str, desks: Desks, tmp_path: Path) -> None:
    editor = await desks.editor(case)
    run = Run(case, lay_out(case, tmp_path), editor, desks.endpoint)
    since = len(editor.received)
    await run.enter(spelling)
    try:
        result = await run.act()
        judge(case, run.place, result)
        for path, text in case.get("disk_after_apply", {}).items():
            assert (run.place.root / path).read_text(encoding="utf-8") == text
        if result.error is None:
            for name in case["expect"].get("edit", ()):
                assert _check(name, _edits(editor, since), run), name
    finally:
        await run.leave()
