"""A scripted OpenAI-compatible server on loopback: real HTTP, one scripted behaviour a request.

    with Endpoint() as e:
        e.fail(429, retry_after=1)
        e.say("Hello there.")
        ...                       # point the product at e.url as `openai/scripted`
        assert e.requests[0].body["messages"]

Behaviours are taken in the order scripted; with none left the answer is a 400 that says so, or what
`e.otherwise` returns for the request. `e.requests` holds what arrived, and whether the client hung
up early.
"""

from __future__ import annotations

import json
import select
import socket
import ssl
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

Body = dict[str, Any]
Reply = Callable[["_Handler", "Received"], None]


@dataclass
class Received:
    """One request as it came. Times are time.monotonic() seconds. `closed_at`: when the client was
    seen to have hung up before the answer was whole; None = it stayed."""

    path: str
    headers: dict[str, str]
    body: Body
    started_at: float
    closed_at: float | None = None
    done: threading.Event = field(default_factory=threading.Event)

    @property
    def text(self) -> str:
        """All message contents, joined by newlines."""
        return "\n".join(_content(m) for m in self.body.get("messages", []))


def _content(message: Body) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else "".join(p.get("text", "") for p in content)


class Endpoint:
    """The server. `url` is the api_base (ends in /v1). `models`: what GET /v1/models lists. `tls`: a
    PEM file with a certificate and its key, then it speaks HTTPS."""

    def __init__(
        self, port: int = 0, models: Sequence[str] = ("scripted",), tls: Path | None = None
    ) -> None:
        self.requests: list[Received] = []
        self.models = list(models)
        self.otherwise: Callable[[Body], str] | None = None
        self._script: deque[Reply] = deque()
        self._news = threading.Condition()
        self._server = _Server(("127.0.0.1", port), _Handler)
        self._server.endpoint = self
        self._scheme = "https" if tls else "http"
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(tls)
            self._server.socket = context.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False
            )
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    def __enter__(self) -> Endpoint:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._server.stopping.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        return f"{self._scheme}://127.0.0.1:{self.port}/v1"

    def settings(self) -> dict[str, str]:
        """The `pairwright.model` branch that points at this server."""
        return {"name": "openai/scripted", "api_base": self.url}

    def wait(self, count: int = 1, timeout: float = 30.0) -> Received:
        """The request number `count` (from 1), once it has arrived."""
        with self._news:
            arrived = self._news.wait_for(lambda: len(self.requests) >= count, timeout)
        assert arrived, f"request {count} did not arrive in {timeout} s"
        return self.requests[count - 1]

    def wait_closed(self, count: int = 1, timeout: float = 10.0) -> float:
        """When the client hung up on request number `count`; fails if it stayed to the end."""
        request = self.wait(count, timeout)
        assert request.done.wait(timeout), "the request is still being answered"
        assert request.closed_at is not None, "the client read the whole answer"
        return request.closed_at

    # --- behaviours

    def forget(self) -> None:
        """Drop what is scripted and was not asked for."""
        with self._news:
            self._script.clear()

    def say(
        self,
        text: str,
        *,
        size: int = 12,
        delay: float = 0.0,
        first: float = 0.0,
        finish: str | None = "stop",
        reasoning: str = "",
        usage: Body | None = None,
        done: bool = True,
    ) -> None:
        """Stream `text`, `size` characters every `delay` seconds, after `first` seconds."""
        counted = usage or {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}

        def reply(handler: _Handler, request: Received) -> None:
            handler.stream_head()
            handler.pause(first)
            if reasoning:
                handler.chunk({"role": "assistant", "reasoning_content": reasoning})
            for piece in _pieces(text, size):
                handler.chunk({"content": piece})
                handler.pause(delay)
            if finish is not None:
                handler.chunk({}, finish=finish)
            handler.event({**_EMPTY, "choices": [], "usage": counted})
            if done:
                handler.line("data: [DONE]\n\n")

        self._script.append(reply)

    def hold(self, text: str, at: int, meanwhile: Callable[[], None]) -> None:
        """Stream `text` and run `meanwhile` before its character `at` is sent."""

        def reply(handler: _Handler, request: Received) -> None:
            handler.stream_head()
            for piece in _pieces(text[:at], 12):
                handler.chunk({"content": piece})
            meanwhile()
            for piece in _pieces(text[at:], 12):
                handler.chunk({"content": piece})
            handler.chunk({}, finish="stop")
            handler.line("data: [DONE]\n\n")

        self._script.append(reply)

    def drip(self, text: str, size: int = 1) -> None:
        """Stream `text` in HTTP chunks of `size` bytes, characters and events cut anywhere."""

        def reply(handler: _Handler, request: Received) -> None:
            handler.stream_head()
            deltas = [({"content": text}, None), ({}, "stop")]
            body = "data: [DONE]\n\n"
            for delta, finish in reversed(deltas):
                choice = {"index": 0, "delta": delta, "finish_reason": finish}
                event = json.dumps({**_EMPTY, "choices": [choice]}, ensure_ascii=False)
                body = f"data: {event}\n\n{body}"
            raw = body.encode()
            for start in range(0, len(raw), size):
                piece = raw[start : start + size]
                handler.raw(b"%x\r\n%s\r\n" % (len(piece), piece))

        self._script.append(reply)

    def answer(self, make: Callable[[Body], str]) -> None:
        """Stream what `make` returns for the request's body."""

        def reply(handler: _Handler, request: Received) -> None:
            _say(handler, make(request.body))

        self._script.append(reply)

    def stamps(self, count: int, delay: float) -> None:
        """Stream `count` pieces, `delay` seconds apart, each the time it was sent
        (time.monotonic)."""

        def reply(handler: _Handler, request: Received) -> None:
            handler.stream_head()
            for _ in range(count):
                handler.chunk({"content": f"{time.monotonic():.6f}"})
                handler.pause(delay)
            handler.chunk({}, finish="stop")
            handler.line("data: [DONE]\n\n")

        self._script.append(reply)

    def stall(self, text: str = "", seconds: float = 60.0) -> None:
        """Stream `text`, then nothing for `seconds` with the connection open, then close it."""

        def reply(handler: _Handler, request: Received) -> None:
            handler.stream_head()
            for piece in _pieces(text, 12):
                handler.chunk({"content": piece})
            handler.pause(seconds)

        self._script.append(reply)

    def fail(
        self,
        status: int,
        message: str = "scripted failure",
        *,
        retry_after: float | None = None,
        headers: Mapping[str, str] | None = None,
        code: str | None = None,
        kind: str = "error",
    ) -> None:
        """Answer with an HTTP error in OpenAI's form."""

        def reply(handler: _Handler, request: Received) -> None:
            waiting = {} if retry_after is None else {"Retry-After": f"{retry_after:g}"}
            error = {"message": message, "type": kind, "code": code or status}
            handler.whole(status, {"error": error}, {**waiting, **(headers or {})})

        self._script.append(reply)

    def overflow(self, window: int = 4096, asked: int = 5000) -> None:
        """The prompt is longer than the window, in OpenAI's words."""
        self.fail(
            400,
            f"This model's maximum context length is {window} tokens. However, your messages "
            f"resulted in {asked} tokens. Please reduce the length of the messages.",
            code="context_length_exceeded",
            kind="invalid_request_error",
        )

    def cut(self, text: str) -> None:
        """Stream `text` and drop the connection in the middle of a chunk."""

        def reply(handler: _Handler, request: Received) -> None:
            handler.stream_head()
            for piece in _pieces(text, 12):
                handler.chunk({"content": piece})
            handler.raw(b'1000\r\ndata: {"id": "half')
            handler.reset()

        self._script.append(reply)

    def cut_inside_a_character(self, text: str) -> None:
        """Stream `text`, then the first byte of a character of two, and drop the connection."""

        def reply(handler: _Handler, request: Received) -> None:
            handler.stream_head()
            for piece in _pieces(text, 12):
                handler.chunk({"content": piece})
            choice = {"index": 0, "delta": {"content": "ü"}, "finish_reason": None}
            event = json.dumps({**_EMPTY, "choices": [choice]}, ensure_ascii=False)
            raw = f"data: {event}".encode()
            raw = raw[: raw.index("ü".encode()) + 1]
            handler.raw(b"%x\r\n%s\r\n" % (len(raw), raw))
            handler.reset()

        self._script.append(reply)

    def malformed(self, text: str = "", line: str = 'data: {"choices": [{"delta"') -> None:
        """Stream `text`, then an event that is no JSON, then the regular end."""

        def reply(handler: _Handler, request: Received) -> None:
            handler.stream_head()
            for piece in _pieces(text, 12):
                handler.chunk({"content": piece})
            handler.line(f"{line}\n\n")
            handler.chunk({}, finish="stop")
            handler.line("data: [DONE]\n\n")

        self._script.append(reply)

    def no_choices(self) -> None:
        """A stream of events without any choice, ended well."""

        def reply(handler: _Handler, request: Received) -> None:
            handler.stream_head()
            for _ in range(3):
                handler.event({**_EMPTY, "choices": []})
            handler.line("data: [DONE]\n\n")

        self._script.append(reply)

    def drop(self) -> None:
        """Take the request and close the connection without a word."""
        self._script.append(lambda handler, request: handler.reset())

    def pings(self, text: str = "", seconds: float = 60.0, every: float = 0.1) -> None:
        """Stream `text`, then only comments, which keep a connection open and say nothing."""

        def reply(handler: _Handler, request: Received) -> None:
            handler.stream_head()
            for piece in _pieces(text, 12):
                handler.chunk({"content": piece})
            for _ in range(int(seconds / every)):
                handler.line(": still there\n\n")
                handler.pause(every)

        self._script.append(reply)

    def at_once(self, text: str, finish: str = "stop", reasoning: str = "") -> None:
        """Answer in one piece, as to a request that does not stream."""
        message = {"role": "assistant", "content": text, "reasoning_content": reasoning or None}
        choice = {"index": 0, "message": message, "finish_reason": finish}
        usage = {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}
        body = {**_EMPTY, "object": "chat.completion", "choices": [choice], "usage": usage}
        self._script.append(lambda handler, request: handler.whole(200, body, {}))

    def html(self, status: int = 200) -> None:
        """A proxy's login page instead of an answer."""

        def reply(handler: _Handler, request: Received) -> None:
            handler.whole(status, "<!doctype html><html><body>Please sign in</body></html>", {})

        self._script.append(reply)

    def error_in_stream(self, text: str, message: str = "the engine broke") -> None:
        """Stream `text`, then an error object in the stream, then its regular end."""

        def reply(handler: _Handler, request: Received) -> None:
            handler.stream_head()
            for piece in _pieces(text, 12):
                handler.chunk({"content": piece})
            handler.event({"error": {"message": message, "type": "server_error", "code": 500}})
            handler.line("data: [DONE]\n\n")

        self._script.append(reply)

    def empty(self) -> None:
        """A well-formed stream without any text."""
        self.say("")

    def without_done(self, text: str, finish: str | None = None) -> None:
        """Stream `text` and end cleanly without `[DONE]` (and without a finish reason)."""
        self.say(text, finish=finish, done=False)

    def next_reply(self, request: Received) -> Reply:
        with self._news:
            if not request.path.endswith("/models"):
                self.requests.append(request)
                self._news.notify_all()
                if self._script:
                    return self._script.popleft()
        if request.path.endswith("/models"):
            listed = [{"id": name, "object": "model"} for name in self.models]
            return lambda handler, _: handler.whole(200, {"object": "list", "data": listed}, {})
        if self.otherwise is not None:
            text = self.otherwise(request.body)
            return lambda handler, _: _say(handler, text)
        problem = {"error": {"message": "nothing is scripted for this request", "code": 400}}
        return lambda handler, _: handler.whole(400, problem, {})


_EMPTY: Body = {
    "id": "chatcmpl-1",
    "object": "chat.completion.chunk",
    "created": 1700000000,
    "model": "scripted",
}


def _pieces(text: str, size: int) -> Iterator[str]:
    for start in range(0, len(text), size):
        yield text[start : start + size]


def _say(handler: _Handler, text: str) -> None:
    handler.stream_head()
    for piece in _pieces(text, 12):
        handler.chunk({"content": piece})
    handler.chunk({}, finish="stop")
    handler.line("data: [DONE]\n\n")


class _HungUp(Exception):
    """The client closed the connection before the answer was whole."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    endpoint: Endpoint

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.stopping = threading.Event()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is part of the script, not news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def do_GET(self) -> None:
        self._serve({})

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        raw = self.rfile.read(length)
        self._serve(json.loads(raw) if raw else {})

    def _serve(self, body: Body) -> None:
        headers = {k.lower(): v for k, v in self.headers.items()}
        request = Received(self.path, headers, body, time.monotonic())
        self.chunked = False
        try:
            self.server.endpoint.next_reply(request)(self, request)
            if self.chunked:
                self.raw(b"0\r\n\r\n")
        except (_HungUp, OSError):
            request.closed_at = time.monotonic()
            self.close_connection = True
        finally:
            request.done.set()

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""

    # --- what behaviours are made of

    def whole(self, status: int, body: Body | str, headers: dict[str, str]) -> None:
        is_text = isinstance(body, str)
        raw = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html" if is_text else "application/json")
        self.send_header("Content-Length", str(len(raw)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.raw(raw)

    def stream_head(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.chunked = True

    def chunk(self, delta: Body, finish: str | None = None) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        self.event({**_EMPTY, "choices": [choice]})

    def event(self, value: Body) -> None:
        self.line(f"data: {json.dumps(value)}\n\n")

    def line(self, text: str) -> None:
        raw = text.encode()
        self.raw(b"%x\r\n%s\r\n" % (len(raw), raw))

    def raw(self, data: bytes) -> None:
        if self._gone(0):
            raise _HungUp
        self.wfile.write(data)
        self.wfile.flush()

    def pause(self, seconds: float) -> None:
        """Wait, but notice at once when the client hangs up or the endpoint is closed."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and not self.server.stopping.is_set():
            if self._gone(min(left, 0.05)):
                raise _HungUp

    def reset(self) -> None:
        """Drop the connection without a proper end."""
        self.chunked = False
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def _gone(self, wait: float) -> bool:
        if isinstance(self.connection, ssl.SSLSocket):
            # It cannot be looked into; a test of hanging up goes without TLS.
            time.sleep(wait)
            return False
        readable, _, _ = select.select([self.connection], [], [], wait)
        return bool(readable) and not self.connection.recv(1, socket.MSG_PEEK)
