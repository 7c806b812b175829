"""Hunks of a reply that is still arriving, for the eye only.

Each piece is read once, whatever came before, and each block is looked up once. Nothing here decides anything: the
plan is made from the whole reply. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pairwright.edits.formats import patch, search_replace, symbol, unified, whole
from pairwright.edits.formats.stream import Reader
from pairwright.edits.paths import normal
from pairwright.edits.types import Block
from pairwright.engine.events import Drafted, Emit, Event, Said
from pairwright.text.document import Document

_STREAMS: Mapping[str, tuple[Callable[[Sequence[str]], Reader], ...]] = {
    "diff": (search_replace.Stream,),
    "patch": (patch.Stream,),
    "symbol": (symbol.Stream, search_replace.Stream),
    "udiff": (unified.Stream,),
    "whole": (whole.Stream,),
}


class Drafts:
    """The blocks of one reply in `format` about `documents`, as they are completed."""

    def __init__(self, format: str, documents: Mapping[str, Document]) -> None:
        form = format.removeprefix("editor-").partition("-")[0]
        self._readers = [make(tuple(documents)) for make in _STREAMS[form]]
        self._documents = documents
        self._texts: dict[str, bytes] = {}

    def feed(self, text: str) -> tuple[Drafted, ...]:
        """Read the next piece; the blocks it completed."""
        blocks = [block for reader in self._readers for block in reader.feed(text)]
        blocks.sort(key=lambda block: block.line)
        return tuple(self._drafted(block) for block in blocks)

    def _drafted(self, block: Block) -> Drafted:
        path = normal(block.path) if block.path else ""
        if not path and len(self._documents) == 1:
            path = next(iter(self._documents))
        return Drafted(
            path,
            self._line(path, block.search),
            "\n".join(block.search),
            "\n".join(block.replace),
            block.operation,
        )

    def _line(self, path: str, search: tuple[str, ...]) -> int | None:
        """Where the lines stand that a block quotes exactly, if they do; the plan will know better."""
        document = self._documents.get(path)
        if document is None or not search:
            return None
        if path not in self._texts:
            self._texts[path] = b"\n" + document.data.replace(b"\r\n", b"\n") + b"\n"
        wanted = "\n".join(("", *search, "")).encode("utf-8", "surrogatepass")
        at = self._texts[path].find(wanted)
        return self._texts[path].count(b"\n", 0, at) if at >= 0 else None


def drafting(emit: Emit, drafts: Drafts) -> Emit:
    """`emit` that also tells of the blocks in what is said."""

    def tell(event: Event) -> None:
        emit(event)
        if isinstance(event, Said) and not event.reasoning:
            for drafted in drafts.feed(event.text):
                emit(drafted)

    return tell
