"""How far a llama.cpp server has read the prompt, taken from its stream as the bytes pass.

The server puts `prompt_progress` into chunks without text (asked for by `return_progress`), and
litellm drops such chunks. So the HTTP client of the request reads along. Runs in the model process
only.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

OnProgress = Callable[[int, int], None]
_MARK = b'"prompt_progress"'
# Of one line that has not ended yet; a chunk with progress is a few hundred bytes.
_MOST = 1 << 16


def read_along(on_progress: OnProgress) -> Callable[[Any], Awaitable[None]]:
    """A response hook for an HTTP client of httpx's kind: calls `on_progress(done, total)`, in
    tokens, for every chunk of the body that tells it. The body itself passes unchanged."""

    async def hook(response: Any) -> None:
        original = response.aiter_bytes

        async def aiter_bytes(*args: Any, **kwargs: Any) -> AsyncIterator[bytes]:
            rest = b""
            async for data in original(*args, **kwargs):
                lines = (rest + data).split(b"\n")
                rest = lines.pop()[-_MOST:]
                for line in lines:
                    if _MARK in line:
                        _tell(line, on_progress)
                yield data

        response.aiter_bytes = aiter_bytes

    return hook


def _tell(line: bytes, on_progress: OnProgress) -> None:
    try:
        progress = json.loads(line.removeprefix(b"data:"))["prompt_progress"]
        done, total = int(progress["processed"]), int(progress["total"])
    except (ValueError, KeyError, TypeError):
        return
    on_progress(done, total)
