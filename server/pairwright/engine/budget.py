"""Tokens counted before anything is sent; what is too much is left out in a stated order, or refused.

The order: map, history, whole files to the region asked about. It fails closed: what still does not fit is a
refusal with the numbers. A counter that fails is replaced by the over-estimate, never by zero.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from pairwright.llm.types import Model, ModelError, ModelInfo
from pairwright.prompts.build import Chunks, parts
from pairwright.render.estimate import estimate

_COUNT_SECONDS = 2.0
_PER_MESSAGE = 8
"""Tokens a chat template adds to a message, rounded up."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """What is sent: `chunks`, their tokens by part, and what was left out, in words for the user."""

    chunks: Chunks
    tokens: Mapping[str, int]
    left_out: tuple[str, ...]

    @property
    def total(self) -> int:
        return sum(self.tokens.values())


@dataclass(frozen=True, slots=True)
class TooMuch:
    """Nothing fits. `message`: the numbers and what to do."""

    message: str


def output_tokens(info: ModelInfo, asked: int) -> int:
    """Tokens reserved for the answer: the setting, else the model's most, never over half the window."""
    return max(64, min(asked or info.max_output, info.window // 2))


async def count(model: Model, texts: Mapping[str, str]) -> dict[str, int]:
    """Tokens by part: the model's own count if it comes quickly, else the over-estimate."""
    try:
        async with asyncio.timeout(_COUNT_SECONDS):
            numbers = await model.count(list(texts.values()))
    except (TimeoutError, ModelError):
        numbers = [estimate(text) for text in texts.values()]
    return {name: n + _PER_MESSAGE for name, n in zip(texts, numbers, strict=True)}


async def fit(model: Model, chunks: Chunks, excerpted: Chunks, room: int) -> Fitted | TooMuch:
    """`chunks` within `room` tokens, degraded step by step. `excerpted`: the same request with files cut to
    the region asked about."""
    tried: dict[str, int] = {}
    for step, left_out in _steps(chunks, excerpted):
        tokens = await count(model, parts(step))
        if not tried:
            tried = tokens
        if sum(tokens.values()) <= room:
            return Fitted(step, tokens, left_out)
    listed = ", ".join(f"{name} {n:,}" for name, n in tried.items())
    return TooMuch(
        f"This request needs {sum(tried.values()):,} tokens ({listed}) and "
        f"{model.info.name} has room for {room:,}. Select the part in question, take files out "
        "of the chat, or choose a model with a larger window."
    )


def _steps(chunks: Chunks, excerpted: Chunks) -> Iterator[tuple[Chunks, tuple[str, ...]]]:
    yield chunks, ()
    left_out: tuple[str, ...] = ()
    if chunks.map:
        chunks, excerpted = replace(chunks, map=""), replace(excerpted, map="")
        left_out = (*left_out, "map")
        yield chunks, left_out
    if chunks.history:
        chunks, excerpted = replace(chunks, history=()), replace(excerpted, history=())
        left_out = (*left_out, "history")
        yield chunks, left_out
    if excerpted.files != chunks.files or excerpted.read_only != chunks.read_only:
        yield excerpted, (*left_out, "whole files")
