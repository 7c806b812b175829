"""The real server over stdio with the capability sets of named editors, and the traps of its
libraries: each was seen to bite a plain pygls server."""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pytest_lsp import LanguageClient, client_capabilities, make_test_lsp_client
from tests.support.editor import Editor, uri_of
from tests.support.profiles import HELIX
from tests.support.serving import COMMAND, environment

pytestmark = pytest.mark.usefixtures("cold")

FILES = {
    "app.py": "from shop import Basket\n\n\ndef main():\n    basket = Basket()\n    basket.add(1)\n",
    "shop.py": 'class Basket:\n    """What a customer will pay."""\n\n    def add(self, item):\n'
    "        return item\n",
    "naïve café.py": "def résumé():\n    return '😀'\n",
}
_SPECS = ["visual_studio_code", "neovim", "helix"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    return folder


@pytest.fixture(params=_SPECS)
async def client(
    request: pytest.FixtureRequest, root: Path, tmp_path: Path
) -> AsyncIterator[LanguageClient]:
    """A pytest-lsp client with the capabilities of one editor."""
    client = make_test_lsp_client()
    client.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda params: None)
    await client.start_io(*COMMAND, env=environment(tmp_path))
    if request.param == "helix":
        caps = client.protocol._converter.structure(HELIX, types.ClientCapabilities)
    else:
        caps = client_capabilities(request.param)
    folder = types.WorkspaceFolder(uri=uri_of(root), name="work")
    params = types.InitializeParams(capabilities=caps, workspace_folders=[folder])
    client.result = await client.initialize_session(params)  # type: ignore[attr-defined]
    yield client
    await client.shutdown_session()
    await client.stop()


def open_file(client: LanguageClient, path: Path) -> str:
    uri = uri_of(path)
    item = types.TextDocumentItem(uri, "python", 1, path.read_text(encoding="utf-8"))
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    return uri


async def hover(client: LanguageClient, uri: str, line: int, column: int) -> types.Hover | None:
    return await client.text_document_hover_async(
        types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(line, column))
    )


async def test_every_editor_gets_hover_and_map(client: LanguageClient, root: Path) -> None:
    uri = open_file(client, root / "app.py")
    params = types.ExecuteCommandParams("pairwright.map", [{"budget": 300}])
    made = await client.workspace_execute_command_async(params)
    assert "class Basket" in json.dumps(client.protocol._converter.unstructure(made), default=str)
    found = await hover(client, uri, 4, 14)
    assert found is not None and isinstance(found.contents, types.MarkupContent)
    assert "shop.py:1" in found.contents.value
    assert "static reference" in found.contents.value
    assert client.messages == []


async def test_the_negotiated_encoding_is_the_clients_first(client: LanguageClient) -> None:
    result: types.InitializeResult = client.result  # type: ignore[attr-defined]
    general = client.capabilities.general if client.capabilities else None
    offered = (general.position_encodings if general else None) or ["utf-16"]
    assert result.capabilities.position_encoding == offered[0]


async def test_positions_are_in_the_negotiated_encoding(client: LanguageClient, root: Path) -> None:
    result: types.InitializeResult = client.result  # type: ignore[attr-defined]
    uri = open_file(client, root / "naïve café.py")
    found = await hover(client, uri, 0, 6)
    assert found is not None and found.range is not None
    width = len("résumé".encode()) if result.capabilities.position_encoding == "utf-8" else 6
    assert found.range.end.character - found.range.start.character == width


async def test_commands_are_advertised_and_symbols_are_not(client: LanguageClient) -> None:
    result: types.InitializeResult = client.result  # type: ignore[attr-defined]
    provider = result.capabilities.execute_command_provider
    assert provider is not None and "pairwright.map" in provider.commands
    assert result.capabilities.document_symbol_provider is None
    sync = result.capabilities.text_document_sync
    assert isinstance(sync, types.TextDocumentSyncOptions)
    assert sync.change is types.TextDocumentSyncKind.Incremental


# --- one client by hand: what pytest-lsp cannot send


async def start(
    root: Path, tmp_path: Path, caps: dict[str, Any] | None = None, **more: Any
) -> Editor:
    return await Editor.start(
        root, caps or {}, env=environment(tmp_path), command=more.pop("command", COMMAND), **more
    )


SYMBOLS = [*COMMAND, "--set", "symbols.document=true"]


async def symbols(editor: Editor, path: Path) -> list[Any]:
    params = {"textDocument": {"uri": uri_of(path)}}
    found: list[Any] = await editor.request("textDocument/documentSymbol", params)
    return found


async def test_t1_a_request_right_behind_a_change_sees_it(root: Path, tmp_path: Path) -> None:
    async with await start(root, tmp_path, command=SYMBOLS) as editor:
        file = root / "app.py"
        editor.open(file)
        for number in range(20):
            text = editor.text(file)
            at = text.index("def main") + 4
            end = text.index("(", at)
            editor.type(file, at, end, f"main{number}")
            assert [item["name"] for item in await symbols(editor, file)] == [f"main{number}"]


async def test_t2_form_feed_and_line_separator_are_no_lines(root: Path, tmp_path: Path) -> None:
    file = root / "odd.py"
    text = "x = '\f\u2028\u0085\x0b'\ndef one():\n    pass\r\ndef two(): pass\n"
    file.write_text(text, encoding="utf-8", newline="")
    async with await start(root, tmp_path, command=SYMBOLS) as editor:
        editor.open(file)
        at = text.index("two")
        editor.type(file, at, at + 3, "three")
        found = {i["name"]: i["location"]["range"]["start"] for i in await symbols(editor, file)}
        assert found["three"] == {"line": 3, "character": 4}
        assert found["one"]["line"] == 1


async def test_t4_t5_a_keystroke_in_a_large_buffer_is_cheap(root: Path, tmp_path: Path) -> None:
    file = root / "large.py"
    file.write_text("".join(f"def f{n}(): return {n}\n" for n in range(30_000)))
    async with await start(root, tmp_path) as editor:
        editor.open(file)
        await editor.command("pairwright.status")
        began = time.perf_counter()
        for _ in range(100):
            editor.notify(
                "textDocument/didChange",
                {
                    "textDocument": {"uri": uri_of(file), "version": 2},
                    "contentChanges": [
                        {
                            "range": {
                                "start": {"line": 15_000, "character": 0},
                                "end": {"line": 15_000, "character": 0},
                            },
                            "text": "#",
                        }
                    ],
                },
            )
        await editor.command("pairwright.status")
        # pygls' own store took 14 ms a keystroke on this machine, 1.4 s for these.
        assert time.perf_counter() - began < 1.0


async def test_t6_cancel_reaches_work_in_threads(root: Path, tmp_path: Path) -> None:
    file = root / "big.py"
    file.write_text("".join(f"class C{n}:\n    def m(self): return C{n}\n" for n in range(40_000)))
    async with await start(root, tmp_path, command=SYMBOLS) as editor:
        editor.open(file)
        params = {"textDocument": {"uri": uri_of(file)}}
        task = asyncio.create_task(editor.request("textDocument/documentSymbol", params))
        await asyncio.sleep(0)
        editor.notify("$/cancelRequest", {"id": editor._next})
        with pytest.raises(AssertionError, match="-32800"):
            await asyncio.wait_for(task, 20)


@pytest.mark.parametrize(
    ("offered", "expected"),
    [(["utf-32", "utf-16"], 1), (["utf-8"], 4), (["utf-16"], 2), (None, 2)],
)
async def test_t7_all_three_encodings(
    root: Path, tmp_path: Path, offered: list[str] | None, expected: int
) -> None:
    file = root / "e.py"
    text = 's = "😀"; t = 1\ndef f(): return s\n'
    file.write_text(text, encoding="utf-8")
    caps = {"general": {"positionEncodings": offered}} if offered else {}
    async with await start(root, tmp_path, caps, command=SYMBOLS) as editor:
        editor.open(file)
        editor.type(file, text.index("; t"), text.index("\ndef"), ";\ndef g(): pass")
        found = {i["name"]: i["location"]["range"]["start"] for i in await symbols(editor, file)}
        assert found["g"] == {"line": 1, "character": 4}
        assert found["f"] == {"line": 2, "character": 4}
        editor.type(file, 0, 0, '"😀"; ')
        at = {"line": 0, "character": 2 + expected + 2}
        where = {"textDocument": {"uri": uri_of(file)}, "position": at}
        answer = await editor.request("textDocument/hover", where)
        if answer is not None:
            assert answer["range"]["start"] == at


async def test_t8_a_closed_file_is_not_read_per_request(root: Path, tmp_path: Path) -> None:
    async with await start(root, tmp_path, command=SYMBOLS) as editor:
        first = await symbols(editor, root / "shop.py")
        assert [item["name"] for item in first] == ["Basket", "add"]
        (root / "shop.py").write_text("class Till: pass\n")
        editor.notify(
            "workspace/didChangeWatchedFiles",
            {"changes": [{"uri": uri_of(root / "shop.py"), "type": 2}]},
        )
        assert [item["name"] for item in await symbols(editor, root / "shop.py")] == ["Till"]


# --- life of a connection


def framed(message: dict[str, Any]) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def talk(
    tmp_path: Path, *messages: Any, close: bool = False, timeout: float = 15
) -> tuple[int, str]:
    """Send raw messages to a server of its own; its exit code and what it wrote."""
    process = subprocess.Popen(
        COMMAND,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(tmp_path),
    )
    assert process.stdin
    for message in messages:
        process.stdin.write(message if isinstance(message, bytes) else framed(message))
    process.stdin.flush()
    try:
        if not close:
            process.wait(timeout)
        out, _ = process.communicate(timeout=timeout)
    finally:
        process.kill()
    return process.returncode, out.decode()


def initialize(**params: Any) -> dict[str, Any]:
    base = {"processId": None, "rootUri": None, "capabilities": {}}
    return {"id": 1, "method": "initialize", "params": {**base, **params}}


EXIT = {"method": "exit"}
SHUTDOWN = {"id": 99, "method": "shutdown"}


def test_before_initialize_only_initialize_is_served(tmp_path: Path) -> None:
    code, out = talk(tmp_path, {"id": 5, "method": "textDocument/hover", "params": {}}, EXIT)
    assert '"code": -32002' in out
    assert code == 1


def test_initialize_with_values_of_another_specification(tmp_path: Path) -> None:
    code, out = talk(
        tmp_path,
        initialize(
            trace="noisy",
            clientInfo="me",
            capabilities={
                "textDocument": {
                    "completion": {"completionItem": {"tagSupport": {"valueSet": [9]}}}
                },
                "workspace": {"symbol": {"symbolKind": {"valueSet": [999]}}},
                "general": {"positionEncodings": ["utf-7", 3]},
            },
        ),
        SHUTDOWN,
        EXIT,
    )
    assert '"positionEncoding": "utf-16"' in out
    assert code == 0


def test_initialize_twice_and_with_nonsense(tmp_path: Path) -> None:
    _, out = talk(tmp_path, {"id": 3, "method": "initialize", "params": 7}, EXIT)
    assert '"code": -32602' in out
    _, out = talk(tmp_path, initialize(), {**initialize(), "id": 2}, EXIT)
    assert '"id": 2, "error": {"code": -32600' in out


def test_broken_json_is_answered_and_does_no_harm(tmp_path: Path) -> None:
    code, out = talk(
        tmp_path,
        initialize(),
        b"Content-Length: 5\r\n\r\n{bad}",
        {"id": 4, "method": "no/such"},
        SHUTDOWN,
        EXIT,
    )
    assert '"id": null, "error": {"code": -32700' in out
    assert '"id": 4, "error": {"code": -32601' in out
    assert code == 0


def test_the_end_of_input_ends_the_process(tmp_path: Path) -> None:
    began = time.monotonic()
    code, _ = talk(tmp_path, initialize(), close=True)
    assert code == 1
    assert time.monotonic() - began < 8


def test_the_death_of_the_parent_ends_the_process(tmp_path: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    code, _ = talk(tmp_path, initialize(processId=dead.pid))
    assert code == 1


@pytest.mark.parametrize("declared", [{"protocol": 1}, {"protocol": 1, "commands": False}])
def test_the_extension_gets_no_command_ids_when_it_says_so(
    tmp_path: Path, declared: dict[str, Any]
) -> None:
    caps = {"experimental": {"pairwright": declared}}
    _, out = talk(tmp_path, initialize(capabilities=caps), SHUTDOWN, EXIT)
    assert ("pairwright.map" in out) is ("commands" not in declared)


def test_a_print_never_reaches_the_wire(tmp_path: Path) -> None:
    code = (
        "import sys, os; from pairwright.lsp.transport import claim_stdio; claim_stdio();"
        "print('junk'); os.write(1, b'junk'); os.system('echo junk')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, env=environment(tmp_path), timeout=20
    )
    assert done.stdout == b""
    assert done.stderr.count(b"junk") == 3


def test_nothing_heavy_is_imported_before_initialize_is_answered(tmp_path: Path) -> None:
    code = (
        "import sys; import pairwright.cli.serve; from pairwright.lsp.server import Options, Server;"
        "s = Server(Options({}));"
        "heavy = {'numpy','scipy','tree_sitter','dulwich','litellm','networkx','sqlite3'};"
        "print(sorted(heavy & {m.split('.')[0] for m in sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=environment(tmp_path),
        timeout=20,
        check=True,
    )
    assert done.stdout.strip() == "[]"


async def test_tcp_serves_one_client_and_ends_with_it(root: Path, tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        *COMMAND, "--tcp", "0", stderr=asyncio.subprocess.PIPE, env=environment(tmp_path)
    )
    assert process.stderr
    line = await asyncio.wait_for(process.stderr.readline(), 20)
    reader, writer = await asyncio.open_connection("127.0.0.1", int(line.split()[-1]))
    body = json.dumps({"jsonrpc": "2.0", **initialize()}).encode()
    writer.write(b"content-length:%d\r\n\r\n" % len(body) + body)
    head = await asyncio.wait_for(reader.readline(), 20)
    assert head.startswith(b"Content-Length:")
    writer.close()
    assert await asyncio.wait_for(process.wait(), 10) == 1


# --- settings and messages


async def popups(editor: Editor) -> list[str]:
    return [
        message["params"]["message"]
        for message in editor.received
        if message["method"] == "window/showMessage"
    ]


async def test_settings_are_pulled_one_item_with_a_section(root: Path, tmp_path: Path) -> None:
    asked: list[Any] = []

    def answer(params: Any) -> Any:
        asked.append(params)
        return [{"map": {"tokens": 77}}]

    caps = {"workspace": {"configuration": True}}
    async with await start(root, tmp_path, caps) as editor:
        editor.answers["workspace/configuration"] = answer
        editor.notify("workspace/didChangeConfiguration", {"settings": None})
        for _ in range(100):
            if asked and (await editor.command("pairwright.map"))["budget"] == 77:
                break
            await asyncio.sleep(0.02)
        assert (await editor.command("pairwright.map"))["budget"] == 77
        assert {json.dumps(item) for item in asked} == {'{"items": [{"section": "pairwright"}]}'}


async def test_a_push_wins_over_init_options_and_set_over_both(root: Path, tmp_path: Path) -> None:
    command = [*COMMAND, "--set", "map.hover=off"]
    init = {"map": {"tokens": 11, "hover": "full"}}
    async with await start(root, tmp_path, init_options=init, command=command) as editor:
        assert (await editor.command("pairwright.map"))["budget"] == 11
        editor.notify(
            "workspace/didChangeConfiguration",
            {"settings": {"pairwright": {"map": {"tokens": 22, "hover": "compact"}}}},
        )
        assert (await editor.command("pairwright.map"))["budget"] == 22
        editor.open(root / "app.py")
        where = {
            "textDocument": {"uri": uri_of(root / "app.py")},
            "position": {"line": 3, "character": 5},
        }
        assert await editor.request("textDocument/hover", where) is None


async def test_a_bad_setting_is_told_once_and_changes_nothing(root: Path, tmp_path: Path) -> None:
    async with await start(root, tmp_path, init_options={"map": {"tokens": 33}}) as editor:
        for _ in range(3):
            editor.notify(
                "workspace/didChangeConfiguration",
                {"settings": {"pairwright": {"map": {"tokens": "many"}}}},
            )
        assert (await editor.command("pairwright.map"))["budget"] == 33
        told = await popups(editor)
        assert len(told) == 1
        assert "pairwright.map.tokens" in told[0] and "whole number" in told[0]


async def test_symbols_can_be_switched_on_later(root: Path, tmp_path: Path) -> None:
    caps = {"textDocument": {"documentSymbol": {"dynamicRegistration": True}}}
    async with await start(root, tmp_path, caps) as editor:
        assert "documentSymbolProvider" not in editor.capabilities
        editor.notify(
            "workspace/didChangeConfiguration",
            {"settings": {"pairwright": {"symbols": {"document": True}}}},
        )
        seen = await editor.wait_for(
            "registration", lambda m: m["method"] == "client/registerCapability"
        )
        assert seen["params"]["registrations"][0]["method"] == "textDocument/documentSymbol"
        editor.open(root / "shop.py")
        assert [i["name"] for i in await symbols(editor, root / "shop.py")] == ["Basket", "add"]


async def test_status_goes_to_our_clients_only(root: Path, tmp_path: Path) -> None:
    ours = {"experimental": {"pairwright": {"protocol": 1}}}
    async with await start(root, tmp_path, ours) as editor:
        ready = await editor.wait_for(
            "status",
            lambda m: m["method"] == "pairwright/status" and m["params"]["quiescent"] is True,
        )
        assert ready["params"] == {"health": "ok", "quiescent": True, "message": ""}
    async with await start(root, tmp_path) as editor:
        await editor.command("pairwright.map")
        assert (await editor.command("pairwright.status"))["roots"][0]["files"] == len(FILES)
        assert not [m for m in editor.received if m["method"].startswith("pairwright/")]


async def test_indexing_progress_begins_and_ends(root: Path, tmp_path: Path) -> None:
    caps = {"window": {"workDoneProgress": True}}
    async with await start(root, tmp_path, caps) as editor:
        await editor.wait_for(
            "the end of progress",
            lambda m: m["method"] == "$/progress" and m["params"]["value"]["kind"] == "end",
        )
        sent = [m["params"]["value"] for m in editor.received if m["method"] == "$/progress"]
        kinds = [value["kind"] for value in sent]
        assert kinds[0] == "begin"
        assert kinds.count("end") == 1


async def test_folders_come_and_go(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "extra.py").write_text("def only_in_other(): pass\n")
    async with await start(root, tmp_path, command=SYMBOLS) as editor:
        editor.open(other / "extra.py")
        assert [i["name"] for i in await symbols(editor, other / "extra.py")] == ["only_in_other"]
        added = {"added": [{"uri": uri_of(other), "name": "other"}], "removed": []}
        editor.notify("workspace/didChangeWorkspaceFolders", {"event": added})
        made = await editor.command("pairwright.map", root=uri_of(other))
        assert "only_in_other" in made["text"]
        assert "only_in_other" not in (await editor.command("pairwright.map"))["text"]
        assert [i["name"] for i in await symbols(editor, other / "extra.py")] == ["only_in_other"]
        gone = {"added": [], "removed": [{"uri": uri_of(other), "name": "other"}]}
        editor.notify("workspace/didChangeWorkspaceFolders", {"event": gone})
        with pytest.raises(AssertionError, match="no folder of this workspace"):
            await editor.command("pairwright.map", root=uri_of(other))
        editor.type(other / "extra.py", 4, 8, "still")
        assert (await symbols(editor, other / "extra.py"))[0]["name"].startswith("still")


async def test_without_a_folder_buffers_still_work(root: Path, tmp_path: Path) -> None:
    """No root, and a buffer without a name: its URI is `file://` in Neovim."""
    process = await asyncio.create_subprocess_exec(
        *COMMAND,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=environment(tmp_path),
    )
    async with Editor(process, root) as editor:
        editor._reader = asyncio.create_task(editor._read())
        await editor.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        editor.notify("initialized", {})
        text = "def unnamed(): pass\n"
        item = {"uri": "file://", "languageId": "python", "version": 0, "text": text}
        editor.notify("textDocument/didOpen", {"textDocument": item})
        where = {"textDocument": {"uri": "file://"}, "position": {"line": 0, "character": 6}}
        found = await editor.request("textDocument/hover", where)
        assert "def unnamed()" in found["contents"]["value"]
        made = await editor.command("pairwright.map")
        assert made["text"] == ""
        assert made["reason"]


async def test_links_to_one_file_are_one_entry(root: Path, tmp_path: Path) -> None:
    os.symlink(root / "shop.py", root / "alias.py")
    async with await start(root, tmp_path, command=SYMBOLS) as editor:
        editor.open(root / "shop.py")
        editor.open(root / "alias.py")
        editor.type(root / "alias.py", 6, 12, "Purse")
        assert (await symbols(editor, root / "shop.py"))[0]["name"] == "Basket"
        assert (await symbols(editor, root / "alias.py"))[0]["name"] == "Purse"
        text = (await editor.command("pairwright.map", budget=500))["text"]
        assert text.count("class Basket") == 1
        assert "Purse" not in text


async def test_a_storm_over_the_wire_ends_as_a_fresh_open(root: Path, tmp_path: Path) -> None:
    rng = random.Random(11)
    file = root / "storm.py"
    text = "".join(f"def f{n}(a):\r\n    return '😀\u2028\f{n}'\n" for n in range(800))
    file.write_text(text, encoding="utf-8", newline="")
    pieces = ["x", "\n", "\r\n", "😀", "\f", "\u2028", "def g(): pass\n", "    "]
    async with await start(root, tmp_path, command=SYMBOLS) as editor:
        editor.open(file)
        for number in range(400):
            now = editor.text(file)
            begin = rng.randrange(len(now))
            begin -= now[begin - 1 : begin + 1] == "\r\n"
            end = min(len(now), begin + rng.choice([0, 0, 1, 9]))
            end += now[end - 1 : end + 1] == "\r\n"
            editor.type(file, begin, end, "".join(rng.choices(pieces, k=2)))
            if number % 50 == 0:
                await symbols(editor, file)
        editor.save(file)
        # The same text under another name was never edited.
        twin = root / "twin.py"
        twin.write_text(editor.text(file), encoding="utf-8", newline="")
        editor.open(twin)
        fresh = _places(await symbols(editor, twin))
        assert len(fresh) > 500
        # A save parses from scratch, beside the wire.
        for _ in range(50):
            if _places(await symbols(editor, file)) == fresh:
                break
            await asyncio.sleep(0.1)
        assert _places(await symbols(editor, file)) == fresh


def _places(found: list[Any]) -> list[Any]:
    return [(item["name"], item["location"]["range"]) for item in found]


async def test_indexing_can_be_cancelled_and_resumed(root: Path, tmp_path: Path) -> None:
    for number in range(3000):
        (root / f"m{number}.py").write_text(f"def f{number}(): return {number}\n" * 40)
    caps = {
        "window": {"workDoneProgress": True},
        "experimental": {"pairwright": {"protocol": 1}},
    }
    async with await start(root, tmp_path, caps) as editor:
        begun = await editor.wait_for(
            "progress",
            lambda m: m["method"] == "$/progress" and m["params"]["value"]["kind"] == "begin",
        )
        assert begun["params"]["value"]["cancellable"] is True
        editor.notify("window/workDoneProgress/cancel", {"token": begun["params"]["token"]})
        await editor.wait_for(
            "the end",
            lambda m: m["method"] == "$/progress" and m["params"]["value"]["kind"] == "end",
        )
        stopped = await editor.wait_for(
            "status", lambda m: m["method"] == "pairwright/status" and m["params"]["quiescent"]
        )
        assert stopped["params"]["health"] == "warning"
        assert "pairwright.rescan" in stopped["params"]["message"]
        await editor.command("pairwright.rescan")
        for _ in range(600):
            found = await editor.command("pairwright.status")
            if found["roots"][0]["ready"]:
                break
            await asyncio.sleep(0.1)
        assert found["roots"][0]["files"] == 3000 + len(FILES)


async def test_initialize_is_about_as_fast_as_a_bare_pygls_server(tmp_path: Path) -> None:
    """The goal of 1.25 times is the benchmark's; here another test may take the cores meanwhile."""
    bare = [sys.executable, "-c", _BARE]
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(5):
        theirs.append(await asyncio.to_thread(_time_to_answer, bare, tmp_path))
        ours.append(await asyncio.to_thread(_time_to_answer, COMMAND, tmp_path))
    assert min(ours) < 1.75 * min(theirs), (sorted(ours), sorted(theirs))


_BARE = "from pygls.lsp.server import LanguageServer; LanguageServer('bare', '1').start_io()"


def _time_to_answer(command: list[str], tmp_path: Path) -> float:
    began = time.perf_counter()
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(tmp_path),
    )
    assert process.stdin and process.stdout
    try:
        process.stdin.write(framed(initialize()))
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"Content-Length")
        return time.perf_counter() - began
    finally:
        process.kill()
        process.communicate()
