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
    `open_`: open buffers. `names`, `paths`: identifiers and paths mentioned in the request.
    `words`: the terms of the request (lower case, identifiers split), each once, in order."""

    chat: tuple[str, ...] = ()
    open_: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ranked:
    """A definition with its score (rounded to 12 digits); order is (-score, path, name, nth).

    `nth`: its index in `tags.defs` of the text that was ranked; -1 stands for all definitions of
    that name in the file.
    """

    path: str
    name: str
    score: float
    nth: int = -1


@dataclass(frozen=True, slots=True)
class Ranking:
    """`definitions` best first; `files`: (path, rank) best first, every file of the graph once."""

    definitions: tuple[Ranked, ...]
    files: tuple[tuple[str, float], ...]
