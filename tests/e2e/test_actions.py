"""Code actions, AI comments and presets through the real server: what is offered, and what it does."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from tests.support.editor import Editor, uri_of
from tests.support.endpoint import Endpoint
from tests.support.served import VSCODE, Served, blocks
from tests.support.serving import environment

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.xdist_group("actions"),
]

CODE = """\
import os


# AI: keep the name
def size(a):
    # AI! return the size of the file
    return 0


URL = "http://x/#ai!"  # what is this for? AI?
"""
PRESETS = [{"title": "Make it async", "prompt": "Make it asynchronous."}]


@dataclass
class Room(Served):
    """The editor with its model."""

    endpoint: Endpoint

    def open(self, name: str, text: str) -> Path:
        """A new file of this test's own, open."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        self.editor.open(path)
        return path

    async def actions(
        self, path: Path, start: int, end: int, *diagnostics: Any, trigger: int = 1
    ) -> list[dict[str, Any]]:
        params = {
            "textDocument": {"uri": path.as_uri()},
            "range": self.editor.range(path, start, end),
            "context": {"diagnostics": list(diagnostics), "triggerKind": trigger},
        }
        return await self.editor.request("textDocument/codeAction", params) or []

    async def chosen(self, action: dict[str, Any]) -> dict[str, Any]:
        """Run the command of an action to the end of its turn."""
        return await self.turn(action["command"]["command"], **action["command"]["arguments"][0])


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def room(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Room]:
    base = tmp_path_factory.mktemp("actions")
    root = base / "work"
    (root / "tests").mkdir(parents=True)
    (root / "tests" / "test_other.py").write_text("def test_other():\n    assert True\n")
    capabilities = {
        "workspace": VSCODE,
        "textDocument": {
            "codeAction": {"codeActionLiteralSupport": {}, "tagSupport": {"valueSet": [1]}}
        },
        "experimental": {"pairwright": {"protocol": 1}},
    }
    with Endpoint() as endpoint:
        settings = {
            "model": {**endpoint.settings(), "format": "diff"},
            "presets": PRESETS,
            "watch": {"auto": True},
        }
        editor = await Editor.start(
            root,
            capabilities,
            init_options=settings,
            env={**environment(base), "OPENAI_API_KEY": "scripted-key"},
        )
        async with editor:
            yield Room(editor, root, endpoint)


async def test_a_selection_offers_what_can_be_asked_of_it(room: Room) -> None:
    path = room.open("offered.py", "def f():\n    return 1\n")
    diagnostic = {
        "range": room.editor.range(path, 13, 19),
        "message": "f returns   1,\nwhich is less than what was promised to all of its callers",
        "severity": 2,
        "source": "lint",
        "code": "E1",
    }
    found = await room.actions(path, 0, 20, diagnostic)
    assert {a["title"].removeprefix("Pairwright: "): a["kind"] for a in found} == {
        "Fix: f returns 1, which is less than what was promised to all of…": "quickfix.pairwright",
        "Ask": "pairwright.ask",
        "Edit": "refactor.rewrite.pairwright",
        "Explain": "pairwright.ask",
        "Document": "refactor.rewrite.pairwright",
        "Write tests": "refactor.rewrite.pairwright",
        "Make it async": "refactor.rewrite.pairwright",
    }
    assert all(a["tags"] == [1] for a in found)
    assert found[0]["diagnostics"] == [diagnostic]
    assert [a["title"] for a in await room.actions(path, 13, 13, diagnostic, trigger=2)] == [
        found[0]["title"]
    ]
    assert await room.actions(path, 0, 0, trigger=2) == []


async def test_a_diagnostic_is_fixed(room: Room) -> None:
    path = room.open("fixed.py", "def f():\n    return one\n")
    diagnostic = {"range": room.editor.range(path, 20, 23), "message": "undefined name 'one'"}
    (action, *_) = await room.actions(path, 20, 20, diagnostic, trigger=2)
    room.endpoint.say(blocks(("fixed.py", "    return one\n", "    return 1\n")))
    end = await room.chosen(action)
    assert end["outcome"] == "done", end
    asked = room.endpoint.requests[-1].text
    assert "undefined name 'one'" in asked and "Fix the problem" in asked


async def test_a_preset_of_the_users_own_is_an_edit_in_its_words(room: Room) -> None:
    path = room.open("preset.py", "def f():\n    return 1\n")
    (action,) = [a for a in await room.actions(path, 0, 20) if "async" in a["title"]]
    room.endpoint.say(blocks(("preset.py", "def f():\n", "async def f():\n")))
    end = await room.chosen(action)
    assert end["outcome"] == "done", end
    assert "Make it asynchronous." in room.endpoint.requests[-1].text


async def test_tests_go_where_the_repository_has_its_tests(room: Room) -> None:
    path = room.open("paired.py", "def f():\n    return 1\n")
    (action,) = [a for a in await room.actions(path, 0, 20) if "tests" in a["title"]]
    room.endpoint.say(blocks(("tests/test_paired.py", "", "def test_f():\n    assert f() == 1\n")))
    end = await room.chosen(action)
    assert end["outcome"] == "done", end
    assert "placed as tests/test_other.py" in room.endpoint.requests[-1].text
    await room.editor.command("pairwright.accept", proposal=end["proposal"])
    tests = room.root / "tests" / "test_paired.py"
    assert room.editor.text(tests) == "def test_f():\n    assert f() == 1\n"

    # The second time they join those that are there, which the model sees.
    room.endpoint.say(blocks(("tests/test_paired.py", "    assert f() == 1\n", "    assert f()\n")))
    end = await room.chosen(action)
    assert end["outcome"] == "done", end
    assert "Add them to tests/test_paired.py." in room.endpoint.requests[-1].text


async def test_an_ai_comment_is_listed_offered_done_and_gone(room: Room) -> None:
    path = room.open("asked.py", CODE)
    listed = await room.editor.command("pairwright.instructions")
    mine = [one for one in listed["instructions"] if one["uri"] == path.as_uri()]
    assert [(one["mark"], one["text"], one["range"]["start"]["line"]) for one in mine] == [
        (":", "keep the name", 3),
        ("!", "return the size of the file", 5),
        ("?", "what is this for?", 9),
    ]
    lenses = await room.editor.request(
        "textDocument/codeLens", {"textDocument": {"uri": path.as_uri()}}
    )
    assert [(one["command"]["title"], one["range"]["start"]["line"]) for one in lenses] == [
        ("Pairwright: Do this", 5),
        ("Pairwright: Answer this", 9),
    ]
    spot = CODE.index("AI! return")
    (action, *_) = await room.actions(path, spot, spot, trigger=2)
    assert action["title"] == "Pairwright: Do: return the size of the file"
    room.endpoint.say(blocks(("asked.py", "    return 0\n", "    return os.stat(a).st_size\n")))
    end = await room.chosen(action)
    assert end["outcome"] == "done", end
    asked = room.endpoint.requests[-1].text
    assert "- line 4: keep the name\n- line 6: return the size of the file" in asked
    taken = await room.editor.command("pairwright.accept", proposal=end["proposal"])
    assert taken["state"] == "applied", taken
    assert room.editor.text(path) == (
        "import os\n\n\ndef size(a):\n    return os.stat(a).st_size\n\n\n"
        'URL = "http://x/#ai!"  # what is this for? AI?\n'
    )


async def test_an_edit_elsewhere_takes_its_comment_along(room: Room) -> None:
    path = room.open("here.py", "# AI! say so there\nx = 1\n")
    there = room.open("there.py", "y = 1\n")
    room.endpoint.say(blocks(("there.py", "y = 1\n", "y = 2\n")))
    end = await room.turn("pairwright.instruct", uri=path.as_uri(), chat=["there.py"])
    assert end["outcome"] == "done", end
    await room.editor.command("pairwright.accept", proposal=end["proposal"])
    assert room.editor.text(path) == "x = 1\n"
    assert room.editor.text(there) == "y = 2\n"


async def test_a_save_carries_out_what_is_new(room: Room) -> None:
    old = "x = 1  # why? AI?\n"
    path = room.open("saved.py", old)
    since = len(room.editor.received)
    room.editor.save_uri(uri_of(path))
    room.editor.type(path, len(old), len(old), "# AI! add y\n")
    room.endpoint.say(blocks(("saved.py", old, f"{old}y = 2\n")))
    room.editor.save_uri(uri_of(path))
    message = await room.editor.wait_for(
        "the end of the turn", lambda m: m["method"] == "pairwright/turn/end", since=since
    )
    end = message["params"]
    assert end["outcome"] == "done", end
    assert "add y" in room.endpoint.requests[-1].text
    await room.editor.command("pairwright.accept", proposal=end["proposal"])
    assert room.editor.text(path) == f"{old}y = 2\n"


async def test_nothing_to_do_is_said(room: Room) -> None:
    path = room.open("nothing.py", 's = "# AI! no"\n')
    with pytest.raises(AssertionError, match="begin or end one with AI!"):
        await room.editor.command("pairwright.instruct", uri=path.as_uri())
    with pytest.raises(AssertionError, match="There is no preset 'x'"):
        await room.editor.command("pairwright.edit", uri=path.as_uri(), preset="x")
