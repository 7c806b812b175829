"""What a request is about, gathered from one snapshot: files, selection, map.

Texts come from the open buffers first. What ignore rules exclude, what has no text and what lies outside is
refused with a reason here, before any prompt is built.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from pairwright.edits.types import Target
from pairwright.engine.selection import Region, region
from pairwright.graph.focus import focus_words, mentioned_paths
from pairwright.graph.types import Focus
from pairwright.llm.types import Message, ModelInfo
from pairwright.prompts.build import Chunks, FileText
from pairwright.prompts.fence import fence
from pairwright.render.estimate import estimate
from pairwright.render.map import render
from pairwright.render.types import RepoMap, Source
from pairwright.text.document import Document
from pairwright.workspace.types import Snapshot

_AROUND = 40
"""Lines shown on each side of a selection when the whole file does not fit."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One request. Paths are workspace-relative. `selection`: bytes (start, end) of `path`."""

    mode: Literal["ask", "edit"]
    instruction: str
    path: str | None = None
    selection: tuple[int, int] | None = None
    chat: tuple[str, ...] = ()
    read_only: tuple[str, ...] = ()
    session: str = ""


@dataclass(frozen=True, slots=True)
class Context:
    """`chunks`: everything; `excerpted`: files cut to the region asked about. `documents`: the texts that
    stand in the prompt, by path: the only ones a reply may change. `refused`: files left out, with reasons.
    `region`: the lines a selection edit is about. `excerpt`: bytes of `Turn.path` that stand in `excerpted`."""

    chunks: Chunks
    excerpted: Chunks
    documents: Mapping[str, Document]
    editable: tuple[str, ...]
    refused: tuple[str, ...]
    region: Region | None
    map: RepoMap
    excerpt: tuple[int, int] | None = None


def map_budget(info: ModelInfo, asked: int | None, has_files: bool) -> int:
    """Tokens of the map: the setting, else the model's own, else an eighth of its window (1,024 to 4,096),
    twice that when no file is in the chat."""
    if asked is not None:
        return asked
    if info.map_tokens is not None:
        return info.map_tokens
    tokens = max(1024, min(4096, info.window // 8))
    return tokens if has_files else min(2 * tokens, max(0, info.window - 4096))


def gather(
    turn: Turn,
    snapshot: Snapshot,
    info: ModelInfo,
    map_tokens: int | None,
    history: tuple[Message, ...] = (),
) -> Context:
    """The context of `turn`. Reads files and ranks: run it in a thread."""
    refused: list[str] = []
    documents: dict[str, Document] = {}
    for path in dict.fromkeys((*turn.chat, *turn.read_only)):
        problem = _problem(snapshot, path)
        document = None if problem else snapshot.document(path)
        if document is None:
            refused.append(f"{path} {problem or 'cannot be read as text'}")
        else:
            documents[path] = document
    editable = tuple(p for p in turn.chat if p in documents and p not in turn.read_only)
    chosen = _region(turn, snapshot, documents)
    made = repo_map(turn, snapshot, documents, map_budget(info, map_tokens, bool(documents)))
    whole = {path: _file(path, document.text) for path, document in documents.items()}
    chunks = Chunks(
        mode=turn.mode,
        request=turn.instruction,
        read_only=tuple(whole[p] for p in turn.read_only if p in whole),
        map=made.text,
        history=history,
        files=tuple(whole[p] for p in turn.chat if p in whole and p not in turn.read_only),
        focus=_focus(turn, documents),
        reminder=info.reminder,
    )
    excerpt = _excerpt(turn, documents)
    return Context(
        chunks,
        _excerpted(chunks, turn, documents, excerpt),
        documents,
        editable,
        tuple(refused),
        chosen,
        made,
        excerpt,
    )


def repo_map(
    turn: Turn, snapshot: Snapshot, documents: Mapping[str, Document], budget: int
) -> RepoMap:
    """The map for `turn`; definitions of files that are sent whole are not in it."""
    paths = snapshot.paths()
    focus = Focus(
        chat=tuple(sorted(documents)),
        open_=tuple(p for p in snapshot.buffers if p not in documents),
        names=focus_words(turn.instruction),
        paths=mentioned_paths(turn.instruction, paths),
    )

    def source(path: str) -> Source | None:
        document = snapshot.document(path)
        return None if document is None else Source(document, snapshot.tags(path))

    return render(snapshot.rank(focus), source, budget, estimate, chat=focus.chat)


def targets(context: Context, snapshot: Snapshot) -> dict[str, Target]:
    """Every file a reply may mean. Only texts that stood in the prompt may be changed; the other files of the
    index are named, so that a reply about one of them is refused by its own name."""
    found = {path: Target(path, None, editable=False) for path in snapshot.paths()}
    for path, document in context.documents.items():
        found[path] = Target(path, document.data, editable=path in context.editable)
    return found


def _problem(snapshot: Snapshot, path: str) -> str:
    if snapshot.ignored(path):
        return "is excluded by ignore rules, so it is not sent"
    if path in snapshot.buffers:
        return ""
    disk = snapshot.on_disk(path)
    if disk is None:
        return "does not exist"
    return "" if disk.codec else disk.reason or "has no text"


def _region(turn: Turn, snapshot: Snapshot, documents: Mapping[str, Document]) -> Region | None:
    if turn.path is None or turn.selection is None or turn.path not in documents:
        return None
    return region(documents[turn.path], snapshot.tags(turn.path), *turn.selection)


def _file(path: str, text: str, partial: bool = False) -> FileText:
    return FileText(path, lf(text), path.rpartition(".")[2] if "." in path else "", partial)


def lf(text: str) -> str:
    """Line ends as LF, as every prompt has them; a reply is matched without regard to them."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _focus(turn: Turn, documents: Mapping[str, Document]) -> str:
    """The selection in words and code: a small part of a file that is sent whole, or all there is of it."""
    document = documents.get(turn.path or "")
    if document is None or turn.selection is None:
        return ""
    start, end = turn.selection
    first, last = document.lines.line_at(start), document.lines.line_at(max(start, end - 1))
    code = lf(document.data[start:end].decode("utf-8", "surrogatepass")).rstrip("\n")
    marks = fence([code])
    return f"Selected: {turn.path}, lines {first + 1}-{last + 1}:\n\n{marks}\n{code}\n{marks}"


def _excerpt(turn: Turn, documents: Mapping[str, Document]) -> tuple[int, int] | None:
    """Bytes of the whole lines around the selection; None without a selection."""
    document = documents.get(turn.path or "")
    if document is None or turn.selection is None:
        return None
    index = document.lines
    first = max(0, index.line_at(turn.selection[0]) - _AROUND)
    last = min(index.count, index.line_at(turn.selection[1]) + _AROUND)
    return index.start(first), index.start(last)


def _excerpted(
    chunks: Chunks,
    turn: Turn,
    documents: Mapping[str, Document],
    excerpt: tuple[int, int] | None,
) -> Chunks:
    """`chunks` with the file asked about cut to `excerpt`, other files left out."""
    if excerpt is None or turn.path is None:
        return chunks
    text = documents[turn.path].data[slice(*excerpt)].decode("utf-8", "surrogatepass")
    return replace(chunks, files=(_file(turn.path, text, partial=True),), read_only=())
