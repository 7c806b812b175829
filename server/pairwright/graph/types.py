"""Values of the graph: rows in, ranks out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FileRow:
    """One file's contribution: how often it defines and refers to each name."""

    path: str
    defs: Mapping[str, int]
    refs: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Focus:
    """What a request is about. `chat`: files whose full text is sent (never ranked themselves).
    `open_`: open buffers. `names`, `paths`: identifiers and paths mentioned in the request."""

    chat: tuple[str, ...] = ()
    open_: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ranked:
    """A definition's name in a file with its score (rounded to 12 digits); order is (-score, path, name)."""

    path: str
    name: str
    score: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """`definitions` best first; `files`: (path, rank) best first, every file of the graph once."""

    definitions: tuple[Ranked, ...]
    files: tuple[tuple[str, float], ...]
