"""Frames between the server and its model processes: four bytes of length, then one msgpack map.

Knows nothing of what the maps mean.
"""

from __future__ import annotations

import asyncio
import os
import struct
from typing import Any

import msgpack

_HEAD = struct.Struct(">I")
MAX_FRAME = 1 << 28

Frame = dict[str, Any]


class Broken(Exception):
    """The other side sent something that is not a frame; the connection is of no more use."""


def pack(frame: Frame) -> bytes:
    """The bytes of one frame. Text that is not valid UTF-8 (lone surrogates) is sent with `?` in
    place."""
    body: bytes = msgpack.packb(frame, use_bin_type=True, unicode_errors="replace")
    return _HEAD.pack(len(body)) + body


async def read(reader: asyncio.StreamReader) -> Frame | None:
    """The next frame; None at the end of the stream."""
    try:
        head = await reader.readexactly(_HEAD.size)
        body = await reader.readexactly(_length(head))
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    return _unpack(body)


def read_blocking(fd: int) -> Frame | None:
    """The next frame from a file descriptor; None at its end."""
    head = _exactly(fd, _HEAD.size)
    body = _exactly(fd, _length(head)) if head is not None else None
    return None if body is None else _unpack(body)


def write_blocking(fd: int, frame: Frame) -> None:
    """Write one frame whole. Raises OSError when the other side is gone."""
    left = memoryview(pack(frame))
    while left:
        left = left[os.write(fd, left) :]


def take_stdio() -> tuple[int, int]:
    """The process's own pipes as (in, out), moved out of the way: from here on fd 0 is empty and
    whatever is printed to fd 1 goes to stderr. Called before anything that might print is
    imported."""
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return source, sink


def _length(head: bytes) -> int:
    length: int = _HEAD.unpack(head)[0]
    if length > MAX_FRAME:
        raise Broken(f"a frame of {length} bytes")
    return length


def _unpack(body: bytes) -> Frame:
    frame = msgpack.unpackb(body, raw=False)
    if not isinstance(frame, dict):
        raise Broken("a frame that is no map")
    return frame


def _exactly(fd: int, size: int) -> bytes | None:
    parts: list[bytes] = []
    while size:
        part = os.read(fd, min(size, 1 << 20))
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
