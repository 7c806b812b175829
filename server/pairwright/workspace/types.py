"""Values of the live workspace.

A Snapshot is what every request works on; only `Host` makes a new one, on the event loop.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from pairwright.graph.engine import Graph
from pairwright.graph.types import Focus, History, Ranking
from pairwright.tags.flaws import Flaw
from pairwright.tags.types import Tags
from pairwright.text.document import Document


@dataclass(frozen=True, slots=True)
class Buffer:
    """An open document. `uri`: as the client spelled it. `language`: the client's languageId."""

    document: Document
    uri: str
    language: str


@dataclass(frozen=True, slots=True)
class OnDisk:
    """A file as read from disk. `raw`: its bytes. `codec`, `bom`: see text.encoding; `codec` is None when
    it has no text, and `reason` then says why."""

    raw: bytes
    mode: int
    codec: str | None
    bom: bytes
    reason: str = ""


class Snapshot(Protocol):
    """The workspace at one revision. All paths are workspace-relative with `/`; reads are memoised by
    content, so asking twice costs nothing; every method may be called from any thread."""

    @property
    def revision(self) -> int: ...

    @property
    def root(self) -> str:
        """Absolute path of the workspace folder, links resolved."""
        ...

    @property
    def buffers(self) -> Mapping[str, Buffer]:
        """Open documents of this folder by path, sorted by path."""
        ...

    def paths(self) -> tuple[str, ...]:
        """Every file of the index, sorted. Files that are open but ignored are not in it."""
        ...

    def ready(self) -> bool:
        """False while the first scan runs (maps are then partial)."""
        ...

    def document(self, path: str) -> Document | None:
        """The buffer's text if open, else the text on disk; None if there is none or it cannot be decoded."""
        ...

    def on_disk(self, path: str) -> OnDisk | None:
        """The file on disk right now; None if it does not exist."""
        ...

    def tags(self, path: str) -> Tags:
        """Tags of exactly `document(path)`; EMPTY with a `problem` where there are none."""
        ...

    def tagged(self, path: str) -> tuple[Document, Tags] | None:
        """`document(path)` with the tags of just that text, whatever becomes of the file meanwhile."""
        ...

    def tags_of(self, path: str, data: bytes) -> Tags:
        """Tags of `data`, which may or may not be the text at `path`."""
        ...

    def flaws(self, path: str, data: bytes) -> tuple[Flaw, ...]:
        """Where `data`, as a text at `path`, breaks the syntax of its language; see `tags.flaws`."""
        ...

    def history(self) -> History:
        """Which files were changed together, as far as it has been read; empty without git."""
        ...

    def rank(self, focus: Focus) -> Ranking:
        """The ranking for `focus` over the current graph."""
        ...

    def graph(self) -> Graph:
        """The graph of everything in `paths()`, open documents with the text they have now."""
        ...

    def referrers(self, name: str) -> tuple[tuple[str, int], ...]:
        """(path, references) of the files that refer to `name`, most first, then by path."""
        ...

    def definers(self, name: str) -> tuple[str, ...]:
        """The files that define `name`, sorted."""
        ...

    def allowed(self, path: str) -> str | None:
        """None if `path` may be written by an edit; else why not (outside the folder, in .git, a link out,
        read-only). A path that does not exist yet is judged by its nearest existing parent."""
        ...

    def ignored(self, path: str) -> bool:
        """Whether ignore rules keep `path` out of the index and out of prompts."""
        ...
