"""Small work by the weak model, once by the main one where that fails. Knows no prompt."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from pairwright.engine.ports import Models
from pairwright.llm.types import Model, ModelError

T = TypeVar("T")


async def weak_or_main(models: Models) -> Model:
    """The weak model; the main one where that cannot be had. Raises ModelError where neither can."""
    try:
        return await models.get("weak")
    except ModelError:
        return await models.get("main")


async def by_weak(models: Models, once: Callable[[Model], Awaitable[T]]) -> T:
    """What `once` gives with the weak model; where that cannot be had or fails, with the main one, whose request
    passes the door anew. Raises ModelError as the last one asked does."""
    weak: Model | None = None
    try:
        weak = await models.get("weak")
        return await once(weak)
    except ModelError:
        main = await models.get("main")
        if weak is not None and weak.info.name == main.info.name:
            raise
    return await once(main)
