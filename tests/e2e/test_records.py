"""Records of files over the wire: read by name, followed as a document while texts change, shown to any client."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tests.support.editor import Editor
from tests.support.shop import SHOP, write

from pairwright.engine.record_page import NOTHING
from pairwright.engine.records import Notebook, place_of
from pairwright.memory.shelf import Shelf
from pairwright.text.document import Document

OURS = {"experimental": {"pairwright": {"protocol": 1}}}


def headings(text: str) -> list[str]:
    return [line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")]


async def shown(editor: Editor, *files: str, **more: object) -> dict[str, Any]:
    found: dict[str, Any] = await editor.command(
        "pairwright.records.show", files=list(files), **more
    )
    return found


async def test_records_over_the_wire(tmp_path: Path) -> None:
    root = (tmp_path / "work").resolve()
    write(root, SHOP)
    data, cache = tmp_path / "data", tmp_path / "cache"
    env = dict(os.environ, PAIRWRIGHT_DATA=str(data), PAIRWRIGHT_CACHE=str(cache))
    notebook = Notebook(Shelf(place_of(data, str(root))))
    money = Document.of("shop/money.py", (root / "shop/money.py").read_bytes())
    notebook.learn(money, "`round_up` gives whole coins.", ["Never twice."], "m")
    notebook.close()
    async with await Editor.start(root, OURS, env=env) as editor:
        found = await shown(editor)
        assert headings(found["text"]) == ["shop/money.py"]
        assert "`round_up` gives whole coins.\n\n_Said by m._\n\n- Never twice." in found["text"]
        assert found["files"] == [(root / "shop/money.py").as_uri()]
        named = await shown(editor, "cart.py", (root / "web/view.ts").as_uri(), "utils.py")
        assert headings(named["text"]) == ["shop/cart.py", "web/view.ts"]
        assert named["problems"] == ["utils.py could be shop/utils.py, web/utils.py"]
        assert "def total(self)" in named["text"]
        document = await editor.request("pairwright/document", {"uri": named["uri"]})
        assert document["text"] == named["text"]
        # Typed into a buffer, unsaved: the document follows, and what was said is left behind.
        editor.open_text((root / "shop/cart.py").as_uri(), "def other() -> None: ...\n", 1)
        await editor.wait_for(
            "the document to be told of",
            lambda m: (
                m["method"] == "pairwright/document/changed"
                and m["params"] == {"uri": named["uri"]}
            ),
            20,
        )
        again = await editor.request("pairwright/document", {"uri": named["uri"]})
        assert "def other() -> None" in again["text"] and "def total(self)" not in again["text"]
        editor.open_text((root / "shop/money.py").as_uri(), "def round_up(value): ...\n", 1)
        assert "_Said by m._" not in (await shown(editor))["text"]


async def test_a_plain_client_gets_a_file(tmp_path: Path) -> None:
    root = (tmp_path / "work").resolve()
    write(root, SHOP)
    cache = tmp_path / "cache"
    env = dict(os.environ, PAIRWRIGHT_DATA=str(tmp_path / "data"), PAIRWRIGHT_CACHE=str(cache))
    async with await Editor.start(root, {}, env=env) as editor:
        found = await shown(editor)
    assert found["text"] == f"{NOTHING}\n"
    assert (cache / "documents" / "records.md").read_text() == found["text"]
