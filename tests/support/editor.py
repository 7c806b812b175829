"""A strict editor: real pipes to the real server, its own buffers, its own idea of positions.

Nothing of the product is imported: buffers are `str`, edits are applied by the rules of LSP 3.17 (all ranges of
one document against one version, in the negotiated encoding, line ends LF, CRLF and CR), so a wrong range
shows as a wrong text. `style` imitates what clients do with versions: `vscode` refuses the whole edit,
`neovim` skips a stale first document and still answers `applied: true`, `eglot` tells no change of a text while a
command waits for its answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import re
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

_BREAK = re.compile(r"\r\n|\r|\n")
SERVER = [sys.executable, "-m", "pairwright", "serve"]


def uri_of(path: Path) -> str:
    return "file://" + quote(str(path))


def path_of(uri: str) -> Path:
    return Path(unquote(uri.removeprefix("file://")))


def offset_of(text: str, line: int, column: int, encoding: str) -> int:
    """Character offset of a position; an error when it lies outside the text."""
    starts = [0, *(m.end() for m in _BREAK.finditer(text))]
    assert 0 <= line < len(starts), f"line {line} is outside the document"
    stop = starts[line + 1] if line + 1 < len(starts) else len(text)
    row = _BREAK.sub("", text[starts[line] : stop])
    units = 0
    for index, char in enumerate(row):
        if units >= column:
            return starts[line] + index
        units += _width(char, encoding)
    assert units >= column, f"column {column} is outside line {line}"
    return starts[line] + len(row)


def position_of(text: str, offset: int, encoding: str = "utf-16") -> dict[str, int]:
    line, start = 0, 0
    for match in _BREAK.finditer(text):
        if match.end() > offset:
            break
        line, start = line + 1, match.end()
    return {"line": line, "character": sum(_width(c, encoding) for c in text[start:offset])}


def _width(char: str, encoding: str) -> int:
    if encoding == "utf-8":
        return len(char.encode("utf-8", "surrogatepass"))
    return 2 if encoding == "utf-16" and char > "\uffff" else 1


def apply_edits(text: str, edits: list[dict[str, Any]], encoding: str) -> str:
    spans = []
    for edit in edits:
        start, end = edit["range"]["start"], edit["range"]["end"]
        spans.append(
            (
                offset_of(text, start["line"], start["character"], encoding),
                offset_of(text, end["line"], end["character"], encoding),
                edit["newText"],
            )
        )
    spans.sort(key=lambda span: (span[0], span[1]))
    for (_, before, _), (after, _, _) in itertools.pairwise(spans):
        assert before <= after, "edits overlap"
    for start_, end_, new in reversed(spans):
        text = text[:start_] + new + text[end_:]
    return text


@dataclass
class Buffer:
    uri: str
    text: str
    version: int
    saved: str


@dataclass
class Editor:
    """One client and its server. Use `async with await Editor.start(...)`."""

    process: asyncio.subprocess.Process
    root: Path
    encoding: str = "utf-16"
    style: str = "vscode"
    buffers: dict[str, Buffer] = field(default_factory=dict)
    received: list[dict[str, Any]] = field(default_factory=list)
    arrived: list[float] = field(default_factory=list)
    capabilities: dict[str, Any] = field(default_factory=dict)
    answers: dict[str, Callable[[Any], Any]] = field(default_factory=dict)
    before_apply: Callable[[], Awaitable[None]] | None = None
    _holds: bool = False
    _held: list[dict[str, Any]] = field(default_factory=list)
    _pending: dict[int, asyncio.Future[Any]] = field(default_factory=dict)
    _next: int = 0
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _reader: asyncio.Task[None] | None = None
    _answering: set[asyncio.Task[None]] = field(default_factory=set)

    @classmethod
    async def start(
        cls,
        root: Path,
        capabilities: dict[str, Any],
        *,
        init_options: dict[str, Any] | None = None,
        style: str = "vscode",
        env: dict[str, str] | None = None,
        command: list[str] | None = None,
        stderr: Any = None,
    ) -> Editor:
        process = await asyncio.create_subprocess_exec(
            *(command or SERVER),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=stderr,
            env=env,
            cwd=root,
            limit=2**26,
        )
        editor = cls(process, root, style=style)
        editor._reader = asyncio.create_task(editor._read())
        result = await editor.request(
            "initialize",
            {
                "processId": None,
                "clientInfo": {"name": style},
                "rootUri": uri_of(root),
                "workspaceFolders": [{"uri": uri_of(root), "name": root.name}],
                "capabilities": capabilities,
                "initializationOptions": init_options or {},
            },
        )
        editor.capabilities = result["capabilities"]
        editor.encoding = editor.capabilities.get("positionEncoding", "utf-16")
        editor.notify("initialized", {})
        return editor

    async def __aenter__(self) -> Editor:
        return self

    async def __aexit__(self, *exc: object) -> None:
        with contextlib.suppress(AssertionError, asyncio.TimeoutError, ConnectionError):
            await self.request("shutdown", None, timeout=10)
            self.notify("exit", None)
        try:
            await asyncio.wait_for(self.process.wait(), 10)
        except TimeoutError:
            self.process.kill()
            await self.process.wait()
        if self._reader:
            self._reader.cancel()

    # --- messages

    async def request(self, method: str, params: Any, timeout: float = 60) -> Any:
        self._next += 1
        number = self._next
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._pending[number] = future
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        answer = await asyncio.wait_for(future, timeout)
        assert "error" not in answer, f"{method}: {answer['error']}"
        return answer.get("result")

    async def command(self, name: str, timeout: float = 60, **args: Any) -> Any:
        params = {"command": name, "arguments": [{"version": 1, **args}]}
        self._holds = self.style == "eglot"
        try:
            return await self.request("workspace/executeCommand", params, timeout)
        finally:
            self._holds = False
            for told in self._held:
                self.notify("textDocument/didChange", told)
            self._held.clear()

    def notify(self, method: str, params: Any) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    async def wait_for(
        self,
        what: str,
        ready: Callable[[dict[str, Any]], bool],
        timeout: float = 60,
        since: int = 0,
    ) -> dict[str, Any]:
        """The first message from the server, from index `since` on, for which `ready` holds."""
        end = asyncio.get_running_loop().time() + timeout
        at = since
        while True:
            while at < len(self.received):
                if ready(self.received[at]):
                    return self.received[at]
                at += 1
            self._news.clear()
            left = end - asyncio.get_running_loop().time()
            assert left > 0, f"timed out waiting for {what}: {self._tail()}"
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._news.wait(), min(left, 0.5))

    def _tail(self) -> str:
        return "\n".join(json.dumps(m)[:300] for m in self.received[-8:])

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")
        assert self.process.stdin
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    async def _read(self) -> None:
        assert self.process.stdout
        while True:
            header = b""
            while not header.endswith(b"\r\n\r\n"):
                byte = await self.process.stdout.readline()
                if not byte:
                    for future in self._pending.values():
                        if not future.done():
                            future.set_exception(ConnectionError("the server closed its output"))
                    return
                header += byte
            length = re.search(rb"content-length:\s*(\d+)", header, re.I)
            assert length, f"not a header: {header!r}"
            message = json.loads(await self.process.stdout.readexactly(int(length[1])))
            if "method" not in message:
                future = self._pending.pop(message["id"], None)
                if future and not future.done():
                    future.set_result(message)
                continue
            self.received.append(message)
            self.arrived.append(time.monotonic())
            self._news.set()
            if "id" in message:
                task = asyncio.create_task(self._answer(message))
                self._answering.add(task)
                task.add_done_callback(self._answering.discard)

    async def _answer(self, message: dict[str, Any]) -> None:
        method, params = message["method"], message.get("params")
        if method in self.answers:
            result = self.answers[method](params)
            if isinstance(result, Awaitable):
                result = await result
        elif method == "workspace/applyEdit":
            if self.before_apply:
                await self.before_apply()
            result = self._apply(params["edit"])
        elif method == "workspace/configuration":
            result = [None] * len(params["items"])
        elif method == "window/showDocument":
            path = path_of(params["uri"])
            if path.exists() and params["uri"] not in self.buffers:
                self.open(path)
            result = {"success": True}
        else:
            result = None
        self._send({"jsonrpc": "2.0", "id": message["id"], "result": result})

    # --- buffers

    def open(self, path: Path, language: str = "python") -> Buffer:
        """Read the file as an editor does that knows UTF-8 only: other bytes become U+FFFD."""
        raw = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
        first = 0 if self.style == "neovim" else 1
        return self.open_text(uri_of(path), raw.decode("utf-8", "replace"), first, language)

    def open_text(self, uri: str, text: str, version: int, language: str = "python") -> Buffer:
        """A buffer of `text`, whatever is on disk."""
        buffer = self.buffers[uri] = Buffer(uri, text, version, text)
        item = {"uri": uri, "languageId": language, "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return buffer

    def close(self, uri: str) -> None:
        """The user closes a buffer; what was not saved is lost."""
        del self.buffers[uri]
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def replace(self, uri: str, text: str, version: int | None = None) -> None:
        """The user's buffer becomes `text`, by a change of the whole document."""
        buffer = self.buffers[uri]
        end = position_of(buffer.text, len(buffer.text), self.encoding)
        buffer.text = text
        buffer.version = buffer.version + 1 if version is None else version
        whole = {"start": {"line": 0, "character": 0}, "end": end}
        self._changed(buffer, [{"range": whole, "text": text}])

    def type(self, path: Path, start: int, end: int, new: str) -> None:
        """The user replaces characters `start:end` of an open buffer."""
        buffer = self.buffers[uri_of(path)]
        where = {
            "start": position_of(buffer.text, start, self.encoding),
            "end": position_of(buffer.text, end, self.encoding),
        }
        buffer.text = buffer.text[:start] + new + buffer.text[end:]
        buffer.version += 1
        self._changed(buffer, [{"range": where, "text": new}])

    def text(self, path: Path) -> str:
        """The buffer if open, else the file."""
        buffer = self.buffers.get(uri_of(path))
        return buffer.text if buffer else path.read_bytes().decode("utf-8")

    def save(self, path: Path) -> None:
        self.save_uri(uri_of(path))

    def save_uri(self, uri: str) -> None:
        buffer, path = self.buffers[uri], path_of(uri)
        raw = path.read_bytes() if path.exists() else b""
        bom = b"\xef\xbb\xbf" if raw.startswith(b"\xef\xbb\xbf") else b""
        path.write_bytes(bom + buffer.text.encode("utf-8"))
        buffer.saved = buffer.text
        self.notify("textDocument/didSave", {"textDocument": {"uri": buffer.uri}})

    def range(self, path: Path, start: int, end: int) -> dict[str, Any]:
        text = self.text(path)
        return {
            "start": position_of(text, start, self.encoding),
            "end": position_of(text, end, self.encoding),
        }

    def _changed(self, buffer: Buffer, changes: list[dict[str, Any]]) -> None:
        ident = {"uri": buffer.uri, "version": buffer.version}
        told = {"textDocument": ident, "contentChanges": changes}
        if self._holds:
            self._held.append(told)
        else:
            self.notify("textDocument/didChange", told)

    def _apply(self, edit: dict[str, Any]) -> dict[str, Any]:
        changes = edit.get("documentChanges")
        if changes is None:
            changes = [
                {"textDocument": {"uri": uri, "version": None}, "edits": edits}
                for uri, edits in edit.get("changes", {}).items()
            ]
        stale = [c for c in changes if "kind" not in c and self._is_stale(c)]
        if stale and self.style == "vscode":
            return {"applied": False}
        for index, change in enumerate(changes):
            if "kind" in change:
                self._resource(change)
            elif not (index == 0 and change in stale):
                self._edit(change)
        return {"applied": True}

    def _is_stale(self, change: dict[str, Any]) -> bool:
        buffer = self.buffers.get(change["textDocument"]["uri"])
        version = change["textDocument"].get("version")
        return buffer is not None and version is not None and version != buffer.version

    def _edit(self, change: dict[str, Any]) -> None:
        uri = change["textDocument"]["uri"]
        if uri not in self.buffers:
            self.open(path_of(uri))
        buffer = self.buffers[uri]
        self.replace(uri, apply_edits(buffer.text, change["edits"], self.encoding))

    def _resource(self, change: dict[str, Any]) -> None:
        options = change.get("options", {})
        if change["kind"] == "create":
            path = path_of(change["uri"])
            if path.exists() and not options.get("overwrite"):
                assert options.get("ignoreIfExists"), "a create without ignoreIfExists truncates"
                return
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"")
        elif change["kind"] == "delete":
            path_of(change["uri"]).unlink(missing_ok=bool(options.get("ignoreIfNotExists")))
            if self.buffers.pop(change["uri"], None):
                self.notify("textDocument/didClose", {"textDocument": {"uri": change["uri"]}})
        elif change["kind"] == "rename":
            self._rename(change["oldUri"], change["newUri"])
        else:
            raise AssertionError(f"unexpected resource operation {change['kind']}")

    def _rename(self, old: str, new: str) -> None:
        """The file moves, and an open buffer with it, saved or not."""
        source, target = path_of(old), path_of(new)
        assert source.exists() and not target.exists(), "a rename onto a file, or of none"
        target.parent.mkdir(parents=True, exist_ok=True)
        source.rename(target)
        buffer = self.buffers.pop(old, None)
        if buffer is None:
            return
        self.notify("textDocument/didClose", {"textDocument": {"uri": old}})
        self.open(target)
        moved = self.buffers[new]
        if moved.text != buffer.text:
            end = position_of(moved.text, len(moved.text), self.encoding)
            whole = {"start": {"line": 0, "character": 0}, "end": end}
            moved.text, moved.version = buffer.text, moved.version + 1
            self._changed(moved, [{"range": whole, "text": moved.text}])
