"""The files of a chat, pictures, diagnostics and conventions, through the real server to a scripted model."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from tests.support.endpoint import Endpoint
from tests.support.served import Served, served
from tests.unit.engine.test_given import PNG

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.xdist_group("chat_files"),
]

FILES: dict[str, str | bytes] = {
    "shop/cart.py": "def total(rows):\n    return sum(rows)\n",
    "shop/money.py": "def round_up(value):\n    return int(value + 0.99)\n",
    "shop/AGENTS.md": "Prices are in cents.\n",
    "docs/shot.png": PNG,
    "key.env": "KEY=1\n",
    ".gitignore": "*.env\n",
}


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as made:
        yield made


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def at(tmp_path_factory: pytest.TempPathFactory, endpoint: Endpoint) -> AsyncIterator[Served]:
    base = tmp_path_factory.mktemp("chat")
    (base / "notes.md").write_text("Taken outside.\n")
    sees = {"model": {"overrides": {"openai/scripted": {"images": True, "cache": True}}}}
    async with served(base, FILES, endpoint=endpoint, **sees) as made:
        yield made


async def asked(at: Served, endpoint: Endpoint, **args: object) -> str:
    """What was sent for an ask, all messages of it."""
    endpoint.say("Fine.")
    end = await at.turn("pairwright.ask", text="What is it?", **args)
    assert end["outcome"] == "done", end
    return endpoint.requests[-1].text


async def test_files_stay_with_a_conversation(at: Served, endpoint: Endpoint) -> None:
    notes = (at.root.parent / "notes.md").as_uri()
    made = await at.editor.command(
        "pairwright.chat", session="a", add=["shop/*.py", "key.env", "mony.py"], read=[notes]
    )
    assert made["editable"] == ["shop/cart.py", "shop/money.py"]
    assert made["read"] == [str(at.root.resolve().parent / "notes.md")] or made["read"] == [
        str(at.root.parent / "notes.md")
    ]
    excluded, unknown = made["refused"]
    assert "ignore rules" in excluded and unknown.endswith("did you mean shop/money.py?")
    sent = await asked(at, endpoint, session="a")
    assert "return int(value + 0.99)" in sent and "Taken outside." in sent
    assert "KEY=1" not in sent
    less = await at.editor.command(
        "pairwright.chat", session="a", drop=["money.py", "shop/money.py"]
    )
    assert less["editable"] == ["shop/cart.py"] and len(less["refused"]) == 1
    assert "return int(value + 0.99)" not in await asked(at, endpoint, session="a")
    listed = await at.editor.command("pairwright.chat", session="a")
    assert listed["text"].startswith("To be edited: shop/cart.py.\nFor reference: ")
    assert (await at.editor.command("pairwright.chat", session="b"))["editable"] == []


async def test_what_goes_with_a_request_is_shown_with_its_reason(
    at: Served, endpoint: Endpoint
) -> None:
    uri = (at.root / "shop" / "cart.py").as_uri()
    at.editor.open(at.root / "shop" / "money.py")
    reported = {
        "range": {"start": {"line": 1, "character": 4}, "end": {"line": 1, "character": 9}},
        "severity": 2,
        "source": "pyright",
        "code": "reportOptional",
        "message": "`rows` may be None",
    }
    sent = await asked(
        at, endpoint, session="c", uri=uri, chat=["docs"], diagnostics=[reported, {"message": 1}]
    )
    assert "- line 2: warning: `rows` may be None (pyright reportOptional)" in sent
    assert "shop/AGENTS.md (conventions of this project, to be followed)" in sent
    assert "Also open in the editor: `shop/money.py`." in sent
    (picture,) = [
        part
        for message in endpoint.requests[-1].body["messages"]
        if isinstance(message["content"], list)
        for part in message["content"]
        if part["type"] == "image_url"
    ]
    coded = base64.b64encode(PNG).decode()
    assert picture["image_url"]["url"] == f"data:image/png;base64,{coded}"
    shown = (await at.editor.command("pairwright.sent"))["text"]
    for row in (
        "| shop/AGENTS.md | reading | 0-21 | conventions |",
        "| picture | docs/shot.png | in the chat |",
        "| diagnostics | line 2: warning",
        "With the picture `docs/shot.png` (image/png).",
    ):
        assert row in shown, row
    assert coded not in shown


async def test_a_page_on_this_machine_is_not_fetched(at: Served, endpoint: Endpoint) -> None:
    url = f"http://localhost:{endpoint.port}/v1/models"
    await asked(at, endpoint, session="d", urls=[url])
    said = [p["text"] for p in at.sent("pairwright/turn/event") if p.get("kind") == "status"]
    assert (
        f"left out: {url} is not fetched: localhost is in a private network or on this machine"
        in said
    )
    assert not any(request.path.endswith("/models") for request in endpoint.requests)


async def test_four_prefixes_are_marked_and_grow_by_what_is_said(
    at: Served, endpoint: Endpoint
) -> None:
    """Behind the system message, the map, the conversation before, and the request."""

    def marks() -> list[str]:
        blocks = [
            part
            for message in endpoint.requests[-1].body["messages"]
            if isinstance(message["content"], list)
            for part in message["content"]
        ]
        return [part["text"] for part in blocks if "cache_control" in part]

    await asked(at, endpoint, session="f", read=["shop/money.py"])
    first = marks()
    await asked(at, endpoint, session="f", read=["shop/money.py"])
    system, stable, before, now = marks()
    assert first[:2] == [system, stable] and len(first) == 3
    assert "def round_up" in stable and before == "Fine." and "Request: What is it?" in now


async def test_an_edit_of_a_file_for_reference_is_not_made(at: Served, endpoint: Endpoint) -> None:
    endpoint.say(
        "shop/cart.py\n```\n<<<<<<< SEARCH\n    return sum(rows)\n=======\n    return 0\n>>>>>>> REPLACE\n```\n"
    )
    endpoint.say("Then not.")
    await at.turn("pairwright.edit", text="Return 0", session="e", read=["shop/cart.py"])
    assert Path(at.root / "shop" / "cart.py").read_text() == FILES["shop/cart.py"]
    assert (await at.editor.command("pairwright.proposals"))["proposals"] == []
