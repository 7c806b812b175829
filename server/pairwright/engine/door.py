"""The one way out: every text for a model passes here, and nothing else calls `stream`.

What goes out was gathered under the ignore rules, is counted and fitted first, and leaves a manifest: what stood in
the prompt, with versions and digests, so that edits can be held against it and a user can read it afterwards.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from pairwright.llm.types import Delta, Model, Request
from pairwright.text.document import Document

KEEP = 50
"""Manifests kept in memory."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A file that stood in a prompt. `version`: of the open buffer, None for a file on disk."""

    path: str
    digest: str
    version: int | None
    editable: bool


@dataclass(frozen=True, slots=True)
class Manifest:
    """One request as it left. `tokens` by part in cache order; `left_out`: what the budget took; `refused`:
    files that were asked for and not sent, with the reason."""

    model: str
    tokens: tuple[tuple[str, int], ...]
    files: tuple[Sent, ...]
    left_out: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


class Door:
    """The outgoing requests of one workspace; one writer, the event loop."""

    def __init__(self) -> None:
        self._manifests: deque[Manifest] = deque(maxlen=KEEP)

    @property
    def manifests(self) -> tuple[Manifest, ...]:
        """The newest requests, oldest first."""
        return tuple(self._manifests)

    async def send(
        self, model: Model, request: Request, manifest: Manifest
    ) -> AsyncIterator[Delta]:
        """Stream the answer. Closing this iterator closes the model's stream at once."""
        self._manifests.append(manifest)
        stream = model.stream(request)
        async with aclosing(stream) as deltas:  # type: ignore[type-var]
            async for delta in deltas:
                yield delta


def manifest(
    model: Model,
    tokens: Mapping[str, int],
    documents: Mapping[str, Document],
    editable: Sequence[str],
    left_out: Sequence[str] = (),
    refused: Sequence[str] = (),
) -> Manifest:
    """The manifest of a request about to be sent."""
    files = tuple(
        Sent(path, document.digest, document.version, path in editable)
        for path, document in documents.items()
    )
    return Manifest(model.info.name, tuple(tokens.items()), files, tuple(left_out), tuple(refused))
