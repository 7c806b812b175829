"""The main of a scan worker: reads jobs on its input, writes results on its output, ends with its
parent.

Started as a plain child with pipes, not by a fork and not by importing the server's main again: it
imports the tag layer only. The pipe is its life line: when the parent is gone, however it went, the
input ends. Its stdout is the protocol until `main` moves it away; whatever prints later lands on
stderr."""

from __future__ import annotations

import os
import signal
import struct
import sys
from contextlib import suppress
from typing import IO, Any

import msgpack

from pairwright.tags.files import tags_of
from pairwright.workspace.codec import pack_tags
from pairwright.workspace.derive import derive, look

HEADER = struct.Struct(">I")
SCAN = "scan"
TEXT = "text"
WALK = "walk"
TOUCHED = "touched"
_NICE = 5


def send(pipe: IO[bytes], message: Any) -> None:
    """Write one framed message. Paths that are no UTF-8 pass as they are."""
    body = msgpack.packb(message, unicode_errors="surrogateescape")
    pipe.write(HEADER.pack(len(body)) + body)
    pipe.flush()


def receive(body: bytes) -> Any:
    """The message in a frame's body."""
    return msgpack.unpackb(body, unicode_errors="surrogateescape")


def main() -> None:
    """Answer jobs until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Typing comes first where there are no cores to spare.
    os.nice(_NICE)
    incoming = os.fdopen(os.dup(0), "rb")
    outgoing = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    with suppress(BrokenPipeError, EOFError):
        while True:
            send(outgoing, answer(receive(_frame(incoming))))


def answer(job: Any) -> Any:
    """SCAN, root, limit, paths -> a list of Derived; TEXT, path, data, language -> packed tags;
    WALK, objects, head, most -> commits.Walked; TOUCHED, objects, ids -> a list of commits.Touched."""
    if job[0] == SCAN:
        _, root, limit, paths = job
        seen = (look(root, path, limit) for path in paths)
        return [tuple(derive(item)) for item in seen if item is not None]
    if job[0] in (WALK, TOUCHED):
        # The one worker that reads a history pays for this import.
        from pairwright.workspace import commits

        return commits.walk(*job[1:]) if job[0] == WALK else commits.touched(*job[1:])
    _, path, data, language = job
    return pack_tags(tags_of(path, data, language))


def _frame(pipe: IO[bytes]) -> bytes:
    head = pipe.read(HEADER.size)
    if len(head) < HEADER.size:
        raise EOFError
    (size,) = HEADER.unpack(head)
    body = pipe.read(size)
    if len(body) < size:
        raise EOFError
    return body
