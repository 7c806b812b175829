"""Model servers that answer on loopback: who is there, and which models they have. Runs in the
model process.

Plain sockets and short waits: this runs before anything heavy is imported.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from urllib.parse import urlsplit

_MOST = 1 << 20


async def probe(bases: Sequence[str], timeout: float) -> list[list[str]]:
    """The model ids listed by each address in `bases` (`http://host:port/v1`), sorted; an empty
    list where nothing answered in OpenAI's form within `timeout` seconds."""
    return list(await asyncio.gather(*(_models(base, timeout) for base in bases)))


async def _models(base: str, timeout: float) -> list[str]:
    try:
        raw = await asyncio.wait_for(_get(base.rstrip("/") + "/models"), timeout)
        listed = json.loads(raw.partition(b"\r\n\r\n")[2])["data"]
        return sorted(str(entry["id"]) for entry in listed)
    except (OSError, TimeoutError, ValueError, KeyError, TypeError):
        return []


async def _get(url: str) -> bytes:
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port or 80)
    try:
        # HTTP/1.0: the body comes unchunked and ends with the connection.
        host = f"{parts.hostname}:{parts.port or 80}"
        writer.write(
            f"GET {parts.path} HTTP/1.0\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()
        )
        await writer.drain()
        body = b""
        while len(body) < _MOST and (piece := await reader.read(1 << 16)):
            body += piece
        return body
    finally:
        writer.close()
