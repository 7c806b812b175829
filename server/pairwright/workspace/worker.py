"""The main of a scan worker: reads jobs on its input, writes results on its output, ends with its
parent.

Started as a plain child with pipes, not by a fork and not by importing the server's main again: it
imports the tag layer only. The pipe is its life line: when the parent is gone, however it went, the
input ends. Its stdout is the protocol until `main` moves it away; whatever prints later lands on
stderr."""

from __future__ import annotations

import importlib
import os
import signal
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any, cast

import msgpack

from pairwright.tags.files import tags_of
from pairwright.tags.flaws import flaws_of
from pairwright.tags.queries import rules
from pairwright.workspace.codec import pack_tags
from pairwright.workspace.derive import Further, derive, look

HEADER = struct.Struct(">I")
SCAN = "scan"
TEXT = "text"
FLAWS = "flaws"
WALK = "walk"
TOUCHED = "touched"
_NICE = 5
# Processor time for one text: five times what the worst that is no fault of a grammar takes.
_SECONDS = 0.5
_SECONDS_A_BYTE = 20e-6


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
    """SCAN, root, limit, paths, further -> a list of Derived; TEXT, path, data, language -> packed tags; FLAWS, the
    same -> Flaws; WALK, objects, head, most -> commits.Walked; TOUCHED, objects, ids -> a list of commits.Touched."""
    if job[0] == SCAN:
        _, root, limit, paths, further = job
        # Typing comes first where there are no cores to spare, and so does a text that is waited for.
        os.setpriority(os.PRIO_PROCESS, 0, max(_NICE, os.getpriority(os.PRIO_PROCESS, 0)))
        return [item for path in paths for item in _scanned(root, path, limit, further)]
    if job[0] in (WALK, TOUCHED):
        # The one worker that reads a history pays for this import.
        from pairwright.workspace import commits

        return commits.walk(*job[1:]) if job[0] == WALK else commits.touched(*job[1:])
    kind, path, data, language = job
    with _limited(data, language):
        if kind == FLAWS:
            return flaws_of(path, data, language)
        return pack_tags(tags_of(path, data, language))


def _scanned(root: str, path: str, limit: int, further: str) -> Iterator[tuple[Any, ...]]:
    """What is derived of one file; nothing if it is gone."""
    seen = look(root, path, limit)
    if seen is not None:
        with _limited(seen.data or b"", seen.language):
            yield tuple(derive(seen, further=named(further)))


def named(further: str) -> Further | None:
    """The function called `further`, as `module:name`; None for no name. A layer above asks for its own by name,
    since it runs in another process."""
    if not further:
        return None
    module, _, name = further.partition(":")
    return cast("Further", getattr(importlib.import_module(module), name))


@contextmanager
def _limited(data: bytes, language: str | None) -> Iterator[None]:
    """End this process by SIGPROF if `data` takes more than its share of processor time: nothing else
    gets out of a grammar that loops."""
    if language is not None:
        # The first text in a language pays for the query, not by its own share.
        rules(language)
    signal.setitimer(signal.ITIMER_PROF, _SECONDS + len(data) * _SECONDS_A_BYTE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _frame(pipe: IO[bytes]) -> bytes:
    head = pipe.read(HEADER.size)
    if len(head) < HEADER.size:
        raise EOFError
    (size,) = HEADER.unpack(head)
    body = pipe.read(size)
    if len(body) < size:
        raise EOFError
    return body
