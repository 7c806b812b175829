"""Values of the graph: rows in, ranks out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pairwright.tags.words import NO_WORDS, Bag


@dataclass(frozen=True, slots=True)
class FileRow:
    """One file's contribution: how often it defines and refers to each name. `words`: the terms of
    its whole text."""

    path: str
    defs: Mapping[str, int]
    refs: Mapping[str, int]
    words: Bag = NO_WORDS


@dataclass(frozen=True, slots=True)
class History:
    """Newest first, the files that each commit of the current branch touched together: paths as in
    the graph, sorted, at least one; a file's earlier names are followed to the one it has now.
    Merges, and commits over so many files that they say nothing, are left out. `said`: the
    terms of each one's message, or nothing at all."""

    commits: tuple[tuple[str, ...], ...] = ()
    said: tuple[tuple[str, ...], ...] = field(default=(), hash=False)


@dataclass(frozen=True, slots=True)
class Focus:
    """What a request is about. `chat`: files whose full text is sent (never ranked themselves).
    `open_`: open buffers. `names`, `paths`: identifiers and paths mentioned in the request.
    `words`: the terms of the request (lower case, identifiers split), each once, in order; the first
    `lead` of them stand in its first line."""

    chat: tuple[str, ...] = ()
    open_: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    lead: int = 0


class Ranked(NamedTuple):
    """A definition with its score (rounded to 12 digits); best first, then by path and by place. A
    NamedTuple, not a dataclass: every ranking makes thousands.

    `nth`: its index in `tags.defs` of the text that was ranked; -1 stands for all definitions of
    that name in the file.
    """

    path: str
    name: str
    score: float
    nth: int = -1


@dataclass(frozen=True, slots=True)
class Ranking:
    """`definitions` best first; `files`: (path, rank) best first, every file of the graph once. Both
    are made while they are read. `tops`: the files in no folder, sorted; None where only `files`
    tells."""

    definitions: Sequence[Ranked]
    files: Sequence[tuple[str, float]]
    tops: tuple[str, ...] | None = None
