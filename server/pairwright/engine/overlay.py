"""The workspace as it would be with other texts in it: those of a task, of a proposal, of an undo's first half.

Open buffers win over the disk, and these texts over both, also in who refers to what. The graph and the ranking are
those of the workspace below. Knows not whose texts they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from pairwright.graph.engine import Graph
from pairwright.graph.types import Focus, History, Ranking
from pairwright.tags.flaws import Flaw
from pairwright.tags.names import row
from pairwright.tags.types import EMPTY, Tags
from pairwright.text.document import Document
from pairwright.workspace.types import Buffer, OnDisk, Snapshot


class Overlay:
    """`base` with other texts in place of its files (None: the file is gone); a `Snapshot`."""

    def __init__(self, base: Snapshot, texts: Mapping[str, bytes | None]) -> None:
        self.base = base
        self._given = dict(texts)

    @cached_property
    def over(self) -> Mapping[str, bytes | None]:
        """What lies over `base`, by path, sorted."""
        return {path: self._given[path] for path in sorted(self._given)}

    @cached_property
    def texts(self) -> Mapping[str, Document]:
        """The same as documents, without the files that are gone."""
        made: dict[str, Document] = {}
        for path, data in self.over.items():
            if data is not None:
                below = self.base.document(path)
                made[path] = Document.of(path, data, below.version if below else None)
        return made

    @cached_property
    def _rows(self) -> Mapping[str, tuple[Mapping[str, int], Mapping[str, int]]]:
        """How often each of the texts defines and refers to each name."""
        return {path: row(self.tags(path)) for path in self.texts}

    @property
    def revision(self) -> int:
        return self.base.revision

    @property
    def root(self) -> str:
        return self.base.root

    @cached_property
    def buffers(self) -> Mapping[str, Buffer]:
        # A new file is on no disk: it counts as open.
        held = {path: one for path, one in self.base.buffers.items() if path not in self.over}
        for path, document in self.texts.items():
            was = self.base.buffers.get(path)
            held[path] = replace(was, document=document) if was else Buffer(document, "", "")
        return {path: held[path] for path in sorted(held)}

    def paths(self) -> tuple[str, ...]:
        below = (path for path in self.base.paths() if path not in self.over)
        return tuple(sorted((*below, *self.texts)))

    def ready(self) -> bool:
        return self.base.ready()

    def document(self, path: str) -> Document | None:
        return self.texts.get(path) if path in self.over else self.base.document(path)

    def on_disk(self, path: str) -> OnDisk | None:
        gone = path in self.over and self.over[path] is None
        return None if gone else self.base.on_disk(path)

    def tags(self, path: str) -> Tags:
        if path not in self.over:
            return self.base.tags(path)
        document = self.texts.get(path)
        return EMPTY if document is None else self.base.tags_of(path, document.data)

    def tagged(self, path: str) -> tuple[Document, Tags] | None:
        if path not in self.over:
            return self.base.tagged(path)
        document = self.texts.get(path)
        return None if document is None else (document, self.tags(path))

    def tags_of(self, path: str, data: bytes) -> Tags:
        return self.base.tags_of(path, data)

    def flaws(self, path: str, data: bytes) -> tuple[Flaw, ...]:
        return self.base.flaws(path, data)

    def history(self) -> History:
        return self.base.history()

    def rank(self, focus: Focus) -> Ranking:
        return self.base.rank(focus)

    def graph(self) -> Graph:
        return self.base.graph()

    def referrers(self, name: str) -> tuple[tuple[str, int], ...]:
        below = (
            (path, count) for path, count in self.base.referrers(name) if path not in self.over
        )
        own = ((path, refs[name]) for path, (_, refs) in self._rows.items() if refs.get(name))
        return tuple(sorted((*below, *own), key=lambda one: (-one[1], one[0])))

    def definers(self, name: str) -> tuple[str, ...]:
        below = (path for path in self.base.definers(name) if path not in self.over)
        own = (path for path, (defs, _) in self._rows.items() if defs.get(name))
        return tuple(sorted((*below, *own)))

    def allowed(self, path: str) -> str | None:
        return self.base.allowed(path)

    def ignored(self, path: str) -> bool:
        return self.base.ignored(path)
