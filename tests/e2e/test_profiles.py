"""Editors that have no plugin of ours, each by the capabilities it declares: the whole work by standard LSP alone.

Nothing but what a user has there is used: hover, code actions, code lenses, messages, and a Markdown file that is
written and sent. Never run here are the editors themselves (Emacs excepted); docs/editors.md says so.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.support.editor import Editor
from tests.support.endpoint import Endpoint
from tests.support.profiles import BARE, EGLOT, HELIX, SUBLIME, ZED, Caps, Strict
from tests.support.served import blocks
from tests.support.serving import environment

CART = """\
from money import up


def total(rows):
    # the sum of a cart
    return up(sum(rows))


def count(rows):
    # how many there are
    return len(rows)
"""
MONEY = "def up(value):\n    return int(value + 0.99)\n"
NEW = 'def none():\n    return "ø😀"\n'
REPLY = blocks(
    ("cart.py", "    return up(sum(rows))\n", "    return sum(rows)\n"),
    ("cart.py", "    return len(rows)\n", "    return len(list(rows))\n"),
)
PROFILES = {"helix": HELIX, "Emacs": EGLOT, "Zed": ZED, "Sublime Text LSP": SUBLIME}


@dataclass
class User:
    """Someone at an editor. `shows`: the server may open documents there."""

    editor: Editor
    strict: Strict
    home: Path
    cart: Path
    read: int = 0

    @property
    def shows(self) -> bool:
        return self.strict.knows("window.showDocument.support")

    async def hover(self, name: str) -> str:
        at = self.editor.text(self.cart).index(name)
        where = {
            "textDocument": {"uri": self.cart.as_uri()},
            "position": self.editor.range(self.cart, at, at)["start"],
        }
        for _ in range(200):
            if found := await self.editor.request("textDocument/hover", where):
                self.strict.hover(found)
                return str(found["contents"]["value"])
            await asyncio.sleep(0.05)
        raise AssertionError("no hover")

    async def actions(self, path: Path, first: str, last: str = "") -> dict[str, Any]:
        """The commands of the code actions where `first` stands, or from there to `last`, by title."""
        text = self.editor.text(path)
        start = text.index(first)
        end = text.index(last) + len(last) if last else start
        params = {
            "textDocument": {"uri": path.as_uri()},
            "range": self.editor.range(path, start, end),
            "context": {"diagnostics": [], "triggerKind": 1},
        }
        found = await self.editor.request("textDocument/codeAction", params) or []
        self.strict.actions(found)
        commands = [one if isinstance(one["command"], str) else one["command"] for one in found]
        return {one["title"].removeprefix("Pairwright: "): one for one in commands}

    async def lenses(self) -> list[dict[str, Any]]:
        params = {"textDocument": {"uri": self.cart.as_uri()}}
        found = await self.editor.request("textDocument/codeLens", params) or []
        self.strict.lenses(found)
        return [lens["command"] for lens in found]

    async def run(self, command: dict[str, Any]) -> Any:
        params = {"command": command["command"], "arguments": command.get("arguments", [])}
        return await self.editor.request("workspace/executeCommand", params)

    async def told(self, words: str) -> str:
        """The next message on the screen that holds `words`."""
        message = await self.editor.wait_for(
            words,
            lambda m: m["method"] == "window/showMessage" and words in m["params"]["message"],
            timeout=180,
            since=self.read,
        )
        self.read = self.editor.received.index(message) + 1
        return str(message["params"]["message"])

    async def document(self, told: str) -> Path:
        """A document that was put before the user, or else was named in a message that says `told`."""
        folder = self.home / "cache" / "requests"
        if self.shows:
            message = await self.editor.wait_for(
                "a document",
                lambda m: m["method"] == "window/showDocument" and str(folder) in str(m["params"]),
                timeout=180,
                since=self.read,
            )
            self.read = self.editor.received.index(message) + 1
            path = Path(message["params"]["uri"].removeprefix("file://"))
        else:
            name = next(w for w in (await self.told(told)).split() if w.startswith("~/"))
            path = self.home / name.removeprefix("~/").rstrip(":,")
        if path.as_uri() not in self.editor.buffers:
            self.editor.open(path, "markdown")
        return path

    def write(self, path: Path, words: str) -> None:
        """Write where the request document says to."""
        at = self.editor.text(path).rindex("*Write below")
        self.editor.type(path, at, at, f"{words}\n\n")


@asynccontextmanager
async def at_work(home: Path, name: str, declared: Caps, **settings: Any) -> AsyncIterator[User]:
    root = home / "work"
    root.mkdir()
    (root / "cart.py").write_text(CART)
    (root / "money.py").write_text(MONEY)
    env = {**environment(home), "HOME": str(home), "OPENAI_API_KEY": "scripted-key"}
    editor = await Editor.start(root, declared, init_options=settings, style=name, env=env)
    # The versions of edits are checked by all of these.
    editor.style = "vscode"
    async with editor:
        editor.open(root / "cart.py")
        yield User(editor, Strict(declared, editor.capabilities), home, root / "cart.py")


async def finished(user: User) -> None:
    user.strict.connection()
    user.strict.messages(user.editor.received)
    assert user.strict.faults == []


@pytest.mark.parametrize("name", PROFILES)
async def test_a_day_in_an_editor_without_a_plugin(name: str, tmp_path: Path) -> None:
    with Endpoint() as endpoint:
        settings = {"model": {**endpoint.settings(), "format": "diff"}}
        async with at_work(tmp_path, name, PROFILES[name], **settings) as user:
            assert "money.py:1" in await user.hover("up(sum")
            await by_request_document(user, endpoint)
            await by_comments(user, endpoint)
            await finished(user)


async def by_request_document(user: User, endpoint: Endpoint) -> None:
    """An edit that is written into a document and sent; one hunk taken, the other not, all taken back."""
    editor, cart = user.editor, user.cart
    await user.run((await user.actions(cart, "def total", "len(rows)"))["Edit"])
    document = await user.document("write in")
    assert "return up(sum(rows))" in editor.text(document)
    user.write(document, "No rounding, and any iterable.")
    endpoint.say(REPLY)
    await user.run((await user.actions(document, "# Edit"))["Send"])
    assert "2 hunks proposed in cart.py" in await user.told("proposed")
    assert "No rounding, and any iterable." in endpoint.requests[-1].text

    if user.strict.knows("textDocument.codeLens"):
        titles = [lens["title"] for lens in await user.lenses()]
        assert titles.count("✗ Reject") == 2 and "✓ Accept hunk 1 of 2" in titles
    await user.run((await user.actions(cart, "return up"))["Accept hunk 1 of 2"])
    await user.told("Applied 1 hunk")
    await user.run((await user.actions(cart, "return len"))["Reject hunk 2 of 2"])
    await user.told("Rejected")
    assert editor.text(cart) == CART.replace("up(sum(rows))", "sum(rows)")
    await user.run((await user.actions(cart, "def total"))["Undo last accept"])
    await user.told("Took back")
    assert editor.text(cart) == CART


async def by_comments(user: User, endpoint: Endpoint) -> None:
    """A question and an edit that are written into the text."""
    editor, cart = user.editor, user.cart
    at = CART.index("    # the sum")
    editor.type(cart, at, at, "    # why is it rounded? AI?\n")
    endpoint.say("Since money has **two digits**.")
    await user.run((await user.actions(cart, "# why"))["Answer: why is it rounded?"])
    document = await user.document("answered in")
    for _ in range(400):
        if "two digits" in editor.text(document):
            break
        await asyncio.sleep(0.05)
    assert editor.text(document).count("**two digits**") == 1

    editor.replace(cart.as_uri(), CART.replace("# the sum of a cart", "# drop the rounding AI!"))
    endpoint.say(blocks(("cart.py", "    return up(sum(rows))\n", "    return sum(rows)\n")))
    await user.run((await user.actions(cart, "# drop"))["Do: drop the rounding"])
    await user.told("proposed")
    await user.run((await user.actions(cart, "# drop"))["Accept all (1 hunk)"])
    await user.told("Applied")
    assert editor.text(cart) == CART.replace(
        "    # the sum of a cart\n    return up(sum(rows))", "    return sum(rows)"
    )


async def test_a_client_that_declares_next_to_nothing(tmp_path: Path) -> None:
    """Plain commands for actions, unversioned edits, files on disk written for it."""
    async with at_work(tmp_path, "bare", BARE) as user:
        editor, cart = user.editor, user.cart
        assert "money.py:1" in await user.hover("up(sum")
        reply = f"{REPLY}\n\n{blocks(('none.py', '', NEW))}"
        await user.run({"command": "pairwright.apply", "arguments": [{"text": reply}]})
        await user.told("proposed")
        await user.run((await user.actions(cart, "return len"))["Reject hunk 2 of 2"])
        await user.told("Rejected")
        await user.run((await user.actions(cart, "return up"))["Accept all (2 hunks)"])
        await user.told("Applied")
        assert editor.text(cart) == CART.replace("up(sum(rows))", "sum(rows)")
        assert (editor.root / "none.py").read_text() == NEW
        await user.run((await user.actions(cart, "def total"))["Undo last accept"])
        await user.told("Took back")
        assert editor.text(cart) == CART and not (editor.root / "none.py").exists()
        await finished(user)
