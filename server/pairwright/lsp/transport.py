"""Bytes of the wire: framing in, a writer that never blocks the loop out. Knows no LSP method.

Header fields are read in any letter case and spacing. After a broken header or body the next
`Content-Length` that ends a line starts over, so one bad message loses itself only.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import sys
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, Final

log = logging.getLogger(__name__)

_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*(\d{1,10})[ \t]*$", re.I)
_RESTART = re.compile(rb"content-length[ \t]*:[ \t]*\d{1,10}[ \t]*\r?\n", re.I)
# No client sends a document of this size; a larger number is a damaged header.
_LARGEST = 1 << 29
_CHUNK = 1 << 16


class Broken:
    """Stands for a body that was no JSON."""


BROKEN: Final = Broken()
Receive = Callable[[Any], None]


class Frames:
    """Splits a byte stream into decoded JSON messages. `feed` takes any cut of the stream."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._length: int | None = None
        self._in_body = False

    def feed(self, data: bytes) -> list[Any]:
        """The messages completed by `data`, in order; BROKEN for each body that is no JSON."""
        self._buffer += data
        found: list[Any] = []
        while True:
            if not self._in_body and not self._header():
                return found
            size = self._length or 0
            if len(self._buffer) < size:
                return found
            body = bytes(self._buffer[:size])
            del self._buffer[:size]
            self._in_body, self._length = False, None
            found.append(self._decode(body))

    def _header(self) -> bool:
        """Consume header lines; True once a body may follow."""
        while (end := self._buffer.find(b"\n")) >= 0:
            line = bytes(self._buffer[:end]).strip(b"\r \t")
            del self._buffer[: end + 1]
            if line:
                # Searched, not matched: the rest of a body cut short may stand in front.
                if (match := _LENGTH.search(line)) and int(match[1]) <= _LARGEST:
                    self._length = int(match[1])
            elif self._length is not None:
                self._in_body = True
                return True
        return False

    def _decode(self, body: bytes) -> Any:
        try:
            return json.loads(body)
        except (ValueError, RecursionError):
            pass
        if (whole := self._without_rest(body)) is not None:
            return whole
        log.warning("a message of %d bytes is no JSON and was dropped", len(body))
        if match := _RESTART.search(body):
            self._buffer[:0] = body[match.start() :]
        return BROKEN

    def _without_rest(self, body: bytes) -> Any:
        """The message of a body whose stated length was too large; what it swallowed is given
        back."""
        text = body.decode("utf-8", "surrogateescape")
        try:
            message, end = json.JSONDecoder().raw_decode(text)
        except (ValueError, RecursionError):
            return None
        if not isinstance(message, dict):
            return None
        self._buffer[:0] = text[end:].encode("utf-8", "surrogateescape")
        return message


class PipeWriter:
    """Writes frames to a file descriptor from its own thread: a client that does not read must not
    stop the loop."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._queue: SimpleQueue[bytes | None] = SimpleQueue()
        # Each has one writer: who queues, and the thread that writes.
        self._queued = 0
        self._written = 0
        self._is_gone = False
        self._thread = threading.Thread(target=self._run, name="lsp-writer", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Queue one frame."""
        self._queued += len(data)
        self._queue.put(data)

    @property
    def backlog(self) -> int:
        """Bytes that the other side has not taken yet; 0 when it is gone."""
        return 0 if self._is_gone else self._queued - self._written

    def close(self) -> None:
        """Wait until what was queued is written, at most a second."""
        self._queue.put(None)
        self._thread.join(1)

    def _run(self) -> None:
        while (data := self._queue.get()) is not None:
            view = memoryview(data)
            try:
                while view:
                    view = view[os.write(self._fd, view) :]
            except OSError:
                self._is_gone = True
                return
            self._written += len(data)


class StreamWriter:
    """The same for a socket, where asyncio does the buffering."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer

    def write(self, data: bytes) -> None:
        self._writer.write(data)

    @property
    def backlog(self) -> int:
        return self._writer.transport.get_write_buffer_size()

    def close(self) -> None:
        self._writer.close()


def claim_stdio() -> tuple[int, int]:
    """Take the wire for ourselves: (descriptor to read, descriptor to write).

    From here on a `print` anywhere, also in a library or a child process, goes to stderr, and a
    child that reads stdin gets the end of file.
    """
    reader, writer = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return reader, writer


def exit_within(seconds: float, code: int) -> None:
    """End the process after `seconds`, whatever its loop is doing then: a server whose client is
    gone must not stay."""
    timer = threading.Timer(seconds, os._exit, (code,))
    timer.daemon = True
    timer.start()


def read_pipe(
    fd: int, loop: asyncio.AbstractEventLoop, receive: Receive, ended: Callable[[], None]
) -> None:
    """Read `fd` in a daemon thread; messages arrive on `loop`, in order. `ended` is called in the
    thread: the loop may be what hangs."""

    def run() -> None:
        frames = Frames()
        while data := _read(fd):
            for message in frames.feed(data):
                loop.call_soon_threadsafe(receive, message)
        ended()

    threading.Thread(target=run, name="lsp-reader", daemon=True).start()


def _read(fd: int) -> bytes:
    try:
        return os.read(fd, _CHUNK)
    except OSError:
        return b""


async def read_stream(reader: asyncio.StreamReader, receive: Receive) -> None:
    """Read a socket until it ends."""
    frames = Frames()
    while data := await reader.read(_CHUNK):
        for message in frames.feed(data):
            receive(message)
