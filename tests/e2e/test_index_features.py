"""What the index answers over the real wire: symbols, definitions, references, blast, documents."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.support.editor import Editor, uri_of
from tests.support.serving import COMMAND, environment

FILES = {
    "app.py": "from shop import Basket\n\n\ndef main():\n    basket = Basket()\n    basket.add(1)\n",
    "shop.py": "class Basket:\n    def add(self, item):\n        return item\n",
    "naïve.py": "def résumé():\n    s = '😀'; return résumé()\n",
}
ON = ["symbols.workspace=true", "symbols.definition=true", "symbols.references=true"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    return folder


async def start(root: Path, caps: dict[str, Any] | None = None, *settings: str) -> Editor:
    words = [word for setting in settings for word in ("--set", setting)]
    env = environment(root.parent)
    editor = await Editor.start(root, caps or {}, env=env, command=[*COMMAND, *words])
    await editor.command("pairwright.map")
    return editor


def at(editor: Editor, path: Path, offset: int) -> dict[str, Any]:
    where = editor.range(path, offset, offset)["start"]
    return {"textDocument": {"uri": uri_of(path)}, "position": where}


async def test_symbols_of_the_workspace(root: Path) -> None:
    async with await start(root, None, *ON) as editor:
        assert editor.capabilities["workspaceSymbolProvider"] is True
        found = await editor.request("workspace/symbol", {"query": "bskt"})
        assert [(item["name"], item["kind"]) for item in found] == [("Basket", 5)]
        assert found[0]["location"]["uri"] == uri_of(root / "shop.py")
        assert found[0]["containerName"] == "shop.py"
        (accented,) = await editor.request("workspace/symbol", {"query": "résu"})
        start_ = accented["location"]["range"]["start"]
        assert start_ == {"line": 0, "character": 4}
        assert accented["location"]["range"]["end"] == {"line": 0, "character": 10}


async def test_definition_and_references_by_name(root: Path) -> None:
    app, shop, naive = (root / name for name in FILES)
    async with await start(root, None, *ON) as editor:
        editor.open(app)
        params = at(editor, app, FILES["app.py"].index("Basket()"))
        (made,) = await editor.request("textDocument/definition", params)
        assert made == {
            "uri": uri_of(shop),
            "range": {"start": {"line": 0, "character": 6}, "end": {"line": 0, "character": 12}},
        }
        params["context"] = {"includeDeclaration": True}
        found = await editor.request("textDocument/references", params)
        places = [(item["uri"], item["range"]["start"]["line"]) for item in found]
        assert places == [(uri_of(shop), 0), (uri_of(app), 0), (uri_of(app), 4)]
        params = at(editor, naive, FILES["naïve.py"].rindex("résumé"))
        params["context"] = {"includeDeclaration": False}
        (used,) = await editor.request("textDocument/references", params)
        assert used["range"]["start"] == {"line": 1, "character": 21}
        nothing = at(editor, app, FILES["app.py"].index("\n\n") + 1)
        assert await editor.request("textDocument/definition", nothing) is None


async def test_links_for_a_client_that_takes_them(root: Path) -> None:
    caps = {"textDocument": {"definition": {"linkSupport": True}}}
    async with await start(root, caps, *ON) as editor:
        params = at(editor, root / "app.py", FILES["app.py"].index("Basket()"))
        (link,) = await editor.request("textDocument/definition", params)
        assert link["targetUri"] == uri_of(root / "shop.py")
        assert link["originSelectionRange"]["start"] == {"line": 4, "character": 13}
        assert link["targetRange"]["end"]["line"] == 2


async def test_off_by_default_and_switched_on_later(root: Path) -> None:
    dynamic = {"dynamicRegistration": True}
    caps = {
        "workspace": {"symbol": dynamic},
        "textDocument": {"definition": dynamic, "references": dynamic},
    }
    async with await start(root, caps) as editor:
        for name in ("workspaceSymbolProvider", "definitionProvider", "referencesProvider"):
            assert name not in editor.capabilities
        assert await editor.request("workspace/symbol", {"query": "b"}) is None
        on = {"pairwright": {"symbols": {"workspace": True, "references": True}}}
        editor.notify("workspace/didChangeConfiguration", {"settings": on})
        for method in ("workspace/symbol", "textDocument/references"):
            await editor.wait_for(method, lambda m, method=method: _registers(m, method))  # type: ignore[misc]
        assert len(await editor.request("workspace/symbol", {"query": "b"})) > 0
        off = {"pairwright": {"symbols": {"workspace": False, "references": True}}}
        editor.notify("workspace/didChangeConfiguration", {"settings": off})
        gone = await editor.wait_for(
            "unregistration", lambda m: m["method"] == "client/unregisterCapability"
        )
        assert [i["method"] for i in gone["params"]["unregisterations"]] == ["workspace/symbol"]


def _registers(message: dict[str, Any], method: str) -> bool:
    if message["method"] != "client/registerCapability":
        return False
    return any(item["method"] == method for item in message["params"]["registrations"])


async def test_what_was_advertised_is_not_registered_again(root: Path) -> None:
    caps = {"workspace": {"symbol": {"dynamicRegistration": True}}}
    async with await start(root, caps, *ON) as editor:
        await asyncio.sleep(0.1)
        await editor.command("pairwright.status")
        assert not [m for m in editor.received if _registers(m, "workspace/symbol")]


REPLY = """shop.py
```python
<<<<<<< SEARCH
        return item
=======
        return [item]
>>>>>>> REPLACE
```
"""


def _referrers(answer: dict[str, Any]) -> list[tuple[str, str, int]]:
    return [
        (file["path"], item["name"], item["depth"])
        for file in answer["files"]
        for item in file["referrers"]
    ]


async def test_blast_of_names_ranges_and_unsaved_text(root: Path) -> None:
    app = root / "app.py"
    async with await start(root) as editor:
        found = await editor.command("pairwright.blast", names=["add"])
        assert _referrers(found) == [("app.py", "main", 1)]
        (changed,) = found["changed"]
        assert (changed["path"], changed["range"]["start"]) == (
            "shop.py",
            {"line": 1, "character": 8},
        )
        assert found["files"][0]["uri"] == uri_of(app)
        assert found["files"][0]["referrers"][0]["range"]["start"] == {"line": 3, "character": 4}
        cursor = {"start": {"line": 2, "character": 9}, "end": {"line": 2, "character": 9}}
        shop = uri_of(root / "shop.py")
        again = await editor.command("pairwright.blast", uri=shop, range=cursor)
        assert again == found
        editor.open(app)
        editor.type(
            app, len(FILES["app.py"]), len(FILES["app.py"]), "\n\ndef more():\n    main()\n"
        )
        typed = await editor.command("pairwright.blast", names=["add"], depth=2)
        assert _referrers(typed) == [("app.py", "main", 1), ("app.py", "more", 2)]
        nothing = await editor.command("pairwright.blast", names=["more"])
        assert nothing["files"] == []
        assert "No static references" in nothing["text"]
        assert "reflection" in nothing["notes"][-1]


async def test_a_proposal_says_what_leads_to_it_before_it_is_accepted(root: Path) -> None:
    async with await start(root, {"experimental": {"pairwright": {"protocol": 1}}}) as editor:
        await editor.command("pairwright.apply", text=REPLY)
        await editor.wait_for("the end", lambda m: m["method"] == "pairwright/turn/end")
        shown = await editor.command("pairwright.show")
        assert _referrers(shown["blast"]) == [("app.py", "main", 1)]
        assert [(i["name"], i["hunks"]) for i in shown["blast"]["changed"]] == [("add", ["0.0"])]
        assert "app.py:4 main names add" in shown["preview"]
        ident = shown["proposal"]["id"]
        assert await editor.command("pairwright.blast", proposal=ident) == shown["blast"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ({}, "needs `names`"),
        ({"proposal": "zz"}, "pairwright.proposals lists"),
        ({"uri": "file:///nowhere.py"}, "no file of this workspace"),
        ({"names": ["add"], "root": "/nowhere"}, "no folder of this workspace"),
        ({"uri": "$SHOP", "range": {"start": 3}}, "`range` is no LSP range"),
    ],
)
async def test_a_wrong_argument_says_what_to_do(
    root: Path, args: dict[str, Any], words: str
) -> None:
    args = {k: uri_of(root / "shop.py") if v == "$SHOP" else v for k, v in args.items()}
    async with await start(root) as editor:
        with pytest.raises(AssertionError, match=words):
            await editor.command("pairwright.blast", **args)


VIRTUAL = {"workspace": {"textDocumentContent": {"dynamicRegistration": False}}}


async def content(editor: Editor, uri: str) -> str:
    answer = await editor.request("workspace/textDocumentContent", {"uri": uri})
    text: str = answer["text"]
    return text


def _refreshes(message: dict[str, Any]) -> bool:
    return bool(message["method"] == "workspace/textDocumentContent/refresh")


async def test_the_map_as_a_document_that_refreshes(root: Path) -> None:
    async with await start(root, VIRTUAL) as editor:
        offered = editor.capabilities["workspace"]["textDocumentContent"]
        assert offered == {"schemes": ["pairwright"]}
        made = await editor.command("pairwright.map", budget=300, message="where is add?")
        assert await content(editor, made["uri"]) == made["text"] != ""
        editor.open(root / "app.py")
        end = len(FILES["app.py"])
        editor.type(root / "app.py", end, end, "\n\ndef brand_new():\n    pass\n")
        seen = await editor.wait_for("a refresh", _refreshes)
        assert seen["params"] == {"uri": made["uri"]}
        assert "brand_new" in await content(editor, made["uri"])


async def test_a_document_that_is_not_read_again_is_forgotten(root: Path) -> None:
    async with await start(root, VIRTUAL) as editor:
        await content(editor, "pairwright:/map?budget=300")
        editor.open(root / "app.py")
        for number in range(2):
            editor.type(root / "app.py", 0, 0, f"def typed_{number}():\n    pass\n")
            await asyncio.sleep(1.5)
        assert len([m for m in editor.received if _refreshes(m)]) == 1


async def test_the_same_for_a_client_with_our_protocol(root: Path) -> None:
    async with await start(root, {"experimental": {"pairwright": {"protocol": 1}}}) as editor:
        assert "textDocumentContent" not in editor.capabilities["workspace"]
        await editor.command("pairwright.apply", text=REPLY)
        await editor.wait_for("the end", lambda m: m["method"] == "pairwright/turn/end")
        ident = (await editor.command("pairwright.show"))["proposal"]["id"]
        uri = f"pairwright:/proposal/{ident}.diff"
        shown = await editor.request("pairwright/document", {"uri": uri})
        assert shown["uri"] == uri
        assert "return [item]" in shown["text"] and "app.py:4 main names add" in shown["text"]
        await editor.command("pairwright.reject", proposal=ident)
        seen = await editor.wait_for(
            "a change", lambda m: m["method"] == "pairwright/document/changed"
        )
        assert seen["params"] == {"uri": uri}


async def test_an_unknown_document_names_the_known_ones(root: Path) -> None:
    async with await start(root, VIRTUAL) as editor:
        with pytest.raises(AssertionError, match="pairwright:/map, pairwright:/proposal"):
            await content(editor, "pairwright:/nothing")
        with pytest.raises(AssertionError, match="ask for the edit again"):
            await content(editor, "pairwright:/proposal/zzzz.diff")
        with pytest.raises(AssertionError, match="no folder of this workspace"):
            await content(editor, "pairwright:/map?root=/nowhere")


async def test_the_map_is_put_before_the_user_in_every_client(root: Path) -> None:
    show = {"window": {"showDocument": {"support": True}}}
    for caps, start_of_uri in ((show, "file://"), ({**show, **VIRTUAL}, "pairwright:/map")):
        async with await start(root, caps) as editor:
            await editor.command("pairwright.map", show=True, focus=["shop.py"], budget=200)
            seen = await editor.wait_for("a window", lambda m: m["method"] == "window/showDocument")
            assert seen["params"]["uri"].startswith(start_of_uri)


async def test_focus_moves_the_map(root: Path) -> None:
    for number in range(40):
        (root / f"m{number:02}.py").write_text(f"def thing_{number:02}():\n    pass\n")
    async with await start(root) as editor:
        plain = await editor.command("pairwright.map", budget=60)
        assert "thing_33" not in plain["text"]
        for focus in (["m33.py"], ["thing_33"], uri_of(root / "m33.py")):
            made = await editor.command("pairwright.map", budget=60, focus=focus)
            assert "thing_33" in made["text"]
