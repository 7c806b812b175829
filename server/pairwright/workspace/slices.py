"""Runs work that comes in slices and lets other threads have the interpreter between them.

A parse or a query is one call into native code; a thread that makes many of them in a row keeps the
event loop waiting after each. Knows nothing of what the work is."""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import TypeVar

from pairwright.tags.parse import Parsed, parse_sliced

_SLICE_SECONDS = 0.008
_PAUSE_SECONDS = 0.001
# A text so small is parsed within half a slice, and slices cost memory (see tags.parse).
_SMALL = 32 * 1024

_V = TypeVar("_V")


def paused(job: Generator[None, None, _V]) -> _V:
    """What `job` returns, with a pause behind each slice that was long enough to be felt."""
    began = time.monotonic()
    while True:
        try:
            next(job)
        except StopIteration as done:
            found: _V = done.value
            return found
        if time.monotonic() - began > _SLICE_SECONDS / 2:
            time.sleep(_PAUSE_SECONDS)
            began = time.monotonic()


def parsed_in_slices(data: bytes, language: str) -> Parsed | None:
    """The tree of `data` from scratch; in damaged text it may be another than in a single go."""
    began = time.monotonic()

    def expired() -> bool:
        return time.monotonic() - began > _SLICE_SECONDS

    job = parse_sliced(data, language, expired if len(data) > _SMALL else None)
    while True:
        try:
            next(job)
        except StopIteration as done:
            found: Parsed | None = done.value
            return found
        time.sleep(_PAUSE_SECONDS)
        began = time.monotonic()
