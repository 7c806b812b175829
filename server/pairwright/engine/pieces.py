"""Files as a prompt shows them: whole, a piece of one, or its definitions in place of its text.

Knows the texts of one request; no budget and no session.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pairwright.engine.conventions import NOTE
from pairwright.engine.selection import Region
from pairwright.graph.types import Ranked, Ranking
from pairwright.prompts.build import Chunks, FileText
from pairwright.render.map import render
from pairwright.text.document import Document
from pairwright.text.estimate import estimate
from pairwright.workspace.maps import source_of
from pairwright.workspace.types import Snapshot

_AROUND = 40
"""Lines shown on each side of a selection when the whole file does not fit."""
_SIGNATURES = 600
"""Tokens of the signatures of one file that is not sent whole."""
SMALL_FILE = 3_000
"""Bytes of the longest file that a small model gets whole."""


def lf(text: str) -> str:
    """Line ends as LF, as every prompt has them; a reply is matched without regard to them."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def language(path: str) -> str:
    """What follows the opening fence: the file's extension."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2] if "." in name.lstrip(".") else ""


def whole(path: str, document: Document) -> FileText:
    """All of a file."""
    return FileText(path, lf(document.text), language(path), spans=((0, len(document.data)),))


def piece(path: str, document: Document, start: int, end: int) -> FileText:
    """Bytes `start:end`, whole lines."""
    index = document.lines
    text = lf(document.data[start:end].decode("utf-8", "replace"))
    first, last = index.line_at(start), index.line_at(max(start, end - 1))
    said = f"lines {first + 1}-{last + 1} of {index.count}"
    return FileText(path, text, language(path), True, ((start, end),), said)


def outline(path: str, snapshot: Snapshot) -> FileText:
    """The file's definitions, one line each, in place of its text."""
    names = dict.fromkeys(item.name for item in snapshot.tags(path).defs)
    ranking = Ranking(tuple(Ranked(path, name, 1.0) for name in names), ((path, 1.0),))
    made = render(ranking, source_of(snapshot), _SIGNATURES, estimate)
    text = made.text.partition("\n")[2] if made.shown else ""
    return FileText(path, text, "", True, (), "signatures only; the text is too long to be sent")


def shorter(
    chunks: Chunks, place: tuple[str, tuple[int, int]] | None, snapshot: Snapshot
) -> Chunks:
    """`chunks` with files cut to signatures. `place`: the path and the bytes asked about; of that file the lines
    around them stay. An edit without a place has nothing to keep and keeps its files; conventions stay too."""
    if chunks.mode == "edit" and place is None:
        return chunks

    def cut(file: FileText) -> FileText:
        if place is not None and file.path == place[0]:
            document = snapshot.document(file.path)
            if document is not None:
                return piece(file.path, document, *_around(document, place[1]))
        if file.note.endswith(NOTE):
            return file
        short = outline(file.path, snapshot)
        return replace(short, is_late=file.is_late) if len(short.text) < len(file.text) else file

    return replace(
        chunks,
        read_only=tuple(map(cut, chunks.read_only)),
        files=tuple(map(cut, chunks.files)),
    )


def for_small(
    chunks: Chunks,
    cut: Chunks,
    path: str | None,
    documents: Mapping[str, Document],
    chosen: Region | None,
) -> Chunks:
    """The request as a small model reads it in seconds: the definition asked about, or short files whole and long
    ones as in `cut`. No conventions, and no word of what else is open."""
    if chosen is not None and path is not None:
        shown = piece(path, documents[path], chosen.start, chosen.end)
        return replace(chunks, files=(shown,), read_only=(), focus=_selected(chunks, chosen))
    long_ = {p for p, document in documents.items() if len(document.data) > SMALL_FILE}
    short = {file.path: file for file in (*cut.files, *cut.read_only)}
    return replace(
        chunks,
        files=tuple(short[f.path] if f.path in long_ else f for f in chunks.files),
        read_only=tuple(short[f.path] if f.path in long_ else f for f in chunks.read_only),
    )


def _around(document: Document, selection: tuple[int, int]) -> tuple[int, int]:
    index = document.lines
    first = max(0, index.line_at(selection[0]) - _AROUND)
    last = index.line_at(max(selection[0], selection[1] - 1)) + _AROUND
    return index.start(first), index.start(last + 1)


def _selected(chunks: Chunks, chosen: Region) -> str:
    """The selected code again only if it is less than the definition shown."""
    code = chunks.focus.partition(":\n\n")[2]
    return chunks.focus if len(code) < len(chosen.text) // 2 else ""
