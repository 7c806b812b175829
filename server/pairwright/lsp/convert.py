"""The one door for coordinates: positions of the client to byte offsets and back.

A column exists only outside this module's callers: everything inside Pairwright is a byte offset.
Nothing here changes its arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lsprotocol import types

from pairwright.text.columns import Unit, to_column, to_offset
from pairwright.text.document import Document, Edit


def offset(document: Document, position: types.Position, unit: Unit) -> int:
    """Byte offset of `position`, clamped into the text."""
    return to_offset(document, position.line, position.character, unit)


def span(document: Document, range_: types.Range, unit: Unit) -> tuple[int, int]:
    """Byte offsets (start, end) of `range_`, clamped; a reversed range is turned round."""
    start, end = offset(document, range_.start, unit), offset(document, range_.end, unit)
    return (start, end) if start <= end else (end, start)


def position(document: Document, at: int, unit: Unit) -> types.Position:
    """The client's position of byte `at`."""
    line, column = to_column(document, at, unit)
    return types.Position(line, column)


def range_of(document: Document, start: int, end: int, unit: Unit) -> types.Range:
    """The client's range of bytes `start:end`."""
    return types.Range(position(document, start, unit), position(document, end, unit))


def encode(text: str) -> bytes:
    """Text of the client as our bytes; a lone surrogate is kept, so that both sides hold the
    same."""
    return text.encode("utf-8", "surrogatepass")


def decode(data: bytes) -> str:
    """Our bytes as text for the client."""
    return data.decode("utf-8", "surrogatepass")


def changed(
    document: Document,
    changes: Iterable[types.TextDocumentContentChangeEvent],
    version: int | None,
    unit: Unit,
) -> tuple[Document, tuple[Edit, ...]]:
    """`document` after `changes`, each against the text the one before it left, and the edits a
    syntax tree needs, in order."""
    edits: list[Edit] = []
    for change in changes:
        if isinstance(change, types.TextDocumentContentChangePartial):
            start, end = span(document, change.range, unit)
        else:
            start, end = 0, document.lines.size
        document, edit = document.splice(start, end, encode(change.text), version)
        edits.append(edit)
    if not edits:
        document = Document(document.path, version, document.data, document.lines)
    return document, tuple(edits)


def text_edits(
    document: Document, hunks: Sequence[tuple[int, int, bytes]], unit: Unit
) -> list[types.TextEdit]:
    """Hunks (start, end, new bytes) of `document` as edits, all against the same text."""
    return [
        types.TextEdit(range_of(document, start, end, unit), decode(new))
        for start, end, new in hunks
    ]
