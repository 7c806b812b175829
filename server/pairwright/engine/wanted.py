"""The files of a request: which are asked for, which of them may be sent, and why each is there.

Names become paths, paths texts or pictures. What may not be sent is refused here with a reason, before any prompt is
built.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pairwright.engine import conventions
from pairwright.engine.chatfiles import Named, named, refused
from pairwright.engine.images import MOST_BYTES, mime_of
from pairwright.llm.types import Image, ModelInfo
from pairwright.text.document import Document
from pairwright.text.encoding import Decoded, decode
from pairwright.workspace.outside import outside
from pairwright.workspace.types import Snapshot


@dataclass(frozen=True, slots=True)
class Wanted:
    """`documents`: the texts to be shown, by path, without the conventions, which are apart. `read_only`: those
    that may not be changed. `foreign`: those outside the workspace. `requested`: every path of the request.
    `refused`: what is not sent, a phrase each."""

    documents: Mapping[str, Document]
    read_only: frozenset[str]
    conventions: Mapping[str, Document]
    images: tuple[Image, ...]
    foreign: frozenset[str]
    why: Mapping[str, str]
    requested: tuple[str, ...]
    refused: tuple[str, ...]


@dataclass(slots=True)
class _Found:
    documents: dict[str, Document] = field(default_factory=dict)
    images: list[Image] = field(default_factory=list)
    foreign: set[str] = field(default_factory=set)
    refused: list[str] = field(default_factory=list)


def wanted(
    path: str | None,
    chat: Sequence[str],
    read_only: Sequence[str],
    snapshot: Snapshot,
    info: ModelInfo,
    names: Sequence[str] = (),
) -> Wanted:
    """The files of a request about `path`, with `chat` and `read_only` as the user named them. `names`: of
    conventions files; a small model gets none. Reads the disk."""
    problems: list[str] = []
    why = {path: "the request is about it"} if path else {}
    for one in _paths(chat, snapshot, problems):
        why.setdefault(one, "in the chat")
    for_reading = _paths(read_only, snapshot, problems, reads=True)
    for one in for_reading:
        why[one] = "in the chat, read-only"
    found = _Found(refused=problems)
    for one in why:
        _take(one, found, snapshot, info)
    read = frozenset(for_reading) | found.foreign
    edited = [p for p in found.documents if p not in read]
    said = {} if info.small else conventions.conventions(names, snapshot, edited)
    # A file that the request is about is shown as such.
    said = {p: d for p, d in said.items() if p not in found.documents}
    return Wanted(
        found.documents,
        read,
        said,
        tuple(found.images),
        frozenset(found.foreign),
        {**why, **dict.fromkeys(said, conventions.WHY)},
        tuple(why),
        tuple(found.refused),
    )


def joined(want: Wanted, paths: Sequence[str], snapshot: Snapshot) -> Wanted:
    """`want` with files of the index that the model asked for, for reference."""
    found = {path: snapshot.document(path) for path in paths if path not in want.documents}
    texts = {path: document for path, document in found.items() if document is not None}
    if not texts:
        return want
    return replace(
        want,
        documents={**want.documents, **texts},
        read_only=want.read_only | texts.keys(),
        conventions={p: d for p, d in want.conventions.items() if p not in texts},
        why={**want.why, **dict.fromkeys(texts, "the model asked for it")},
        requested=tuple(dict.fromkeys((*want.requested, *texts))),
    )


def _paths(
    names: Iterable[str], snapshot: Snapshot, problems: list[str], *, reads: bool = False
) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for name in names:
        one: Named = named(name, snapshot, "read" if reads else "edit")
        found.update(dict.fromkeys(one.paths))
        if one.problem:
            problems.append(one.problem)
    return tuple(found)


def _take(path: str, found: _Found, snapshot: Snapshot, info: ModelInfo) -> None:
    """Put the text or the picture at `path` where it belongs, or say why not."""
    if path.startswith("/"):
        read = outside(path)
        if isinstance(read, str):
            found.refused.append(f"{path} {read}")
            return
        found.foreign.add(path)
        raw, document = read.raw, _decoded(path, read.raw) if read.codec else None
    else:
        if problem := refused(path, snapshot):
            found.refused.append(f"{path} {problem}")
            return
        document = snapshot.document(path)
        disk = snapshot.on_disk(path) if document is None else None
        raw = disk.raw if disk else b""
    if document is not None:
        found.documents[path] = document
    elif mime := mime_of(raw):
        if problem := _unseen(raw, info):
            found.refused.append(f"{path} {problem}")
        else:
            found.images.append(Image(path, mime, raw))
    else:
        found.refused.append(f"{path} cannot be read as text")


def _unseen(raw: bytes, info: ModelInfo) -> str:
    """Why a picture is not sent; empty if it is."""
    if not info.images:
        return f"is a picture, and {info.name} does not see pictures: choose a model that does"
    if len(raw) > MOST_BYTES:
        return f"is a picture of more than {MOST_BYTES:,} bytes, which no provider takes"
    return ""


def _decoded(path: str, raw: bytes) -> Document | None:
    text = decode(raw)
    return Document.of(path, text.data) if isinstance(text, Decoded) else None
