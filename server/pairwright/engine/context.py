"""What a request is about, gathered from one snapshot: files, selection, map.

Texts come from the open buffers first. What ignore rules exclude, what has no text and what lies outside is
refused with a reason here, before any prompt is built.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from pairwright.edits.paths import unsafe
from pairwright.engine.budget import Measure
from pairwright.engine.selection import Region, enclosing, region, signature
from pairwright.engine.session import Frozen, Mapped
from pairwright.graph.types import Focus, Ranked, Ranking
from pairwright.llm.types import ModelInfo
from pairwright.memory.history import Recalled
from pairwright.prompts.build import Chunks, FileText
from pairwright.prompts.fence import fence
from pairwright.render.map import render
from pairwright.render.types import RepoMap
from pairwright.text.document import Document
from pairwright.text.estimate import estimate
from pairwright.workspace.manifest import ESTIMATE, MapManifest, record
from pairwright.workspace.maps import focus_of, repo_map, source_of
from pairwright.workspace.types import Snapshot

_AROUND = 40
"""Lines shown on each side of a selection when the whole file does not fit."""
_SIGNATURES = 600
"""Tokens of the signatures of one file that is not sent whole."""
SMALL_FILE = 3_000
"""Bytes of the longest file that a small model gets whole."""
_SELECTED = 60
"""Lines of the longest selection that is repeated beside its file."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One request. Paths are workspace-relative. `path`: the file it is about, in the chat by that. `selection`:
    bytes (start, end) of `path`; equal ones are the cursor. `fresh`: make the session's map anew."""

    mode: Literal["ask", "edit"]
    instruction: str
    path: str | None = None
    selection: tuple[int, int] | None = None
    chat: tuple[str, ...] = ()
    read_only: tuple[str, ...] = ()
    session: str = ""
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class Context:
    """`chunks`: everything; `shorter`: files cut to signatures and the region asked about. `documents`: the
    texts that stand in the prompt, by path; `editable`: those a reply may change. `why`: why each is there.
    `sources`: which files' text each part of the prompt holds. `refused`: files left out, with reasons.
    `region`: the lines a selection edit is about. `frozen`: the map the session goes on with. `maps`: what the
    maps were made from, by part of the prompt."""

    chunks: Chunks
    shorter: Chunks
    documents: Mapping[str, Document]
    editable: tuple[str, ...]
    why: Mapping[str, str]
    sources: Mapping[str, tuple[str, ...]]
    refused: tuple[str, ...]
    region: Region | None
    frozen: Frozen
    maps: Mapping[str, MapManifest]


def map_budget(info: ModelInfo, asked: int | None, has_files: bool) -> int:
    """Tokens of the map: the setting, else the model's own, else an eighth of its window (1,024 to 4,096, a
    quarter of the window at most), twice that within a quarter when no file is in the chat."""
    if asked is not None:
        return asked
    if info.map_tokens is not None:
        return info.map_tokens
    quarter = info.window // 4
    tokens = min(max(1024, min(4096, info.window // 8)), quarter)
    return tokens if has_files else min(2 * tokens, quarter)


def gather(
    turn: Turn,
    snapshot: Snapshot,
    info: ModelInfo,
    map_tokens: int | None = None,
    recalled: Recalled = Recalled(),  # noqa: B008  a frozen value
    frozen: Frozen | None = None,
    measure: Measure | None = None,
) -> Context:
    """The context of `turn`. `measure`: counts the maps; None = the estimate. Reads files and ranks: run it in
    a thread."""
    why = _wanted(turn)
    documents, refused = _documents(why, snapshot)
    editable = tuple(p for p in documents if p not in turn.read_only)
    files = tuple(sorted(documents))
    budget = map_budget(info, map_tokens, bool(documents))
    # Files of the request are sent whole or refused: in neither case do they belong into a map.
    focus = focus_of(snapshot, turn.instruction, why, snapshot.buffers)
    second = None
    if frozen is None or turn.fresh or not _stays(frozen, snapshot, files, budget, info):
        frozen = Frozen(_mapped(snapshot, focus, budget, measure), files, budget, snapshot.ready())
    elif not info.small:
        second = _mapped(snapshot, focus, budget // 4, measure, frozen.map)
    chosen = _region(turn, snapshot, documents)
    whole = {path: _whole(path, document) for path, document in documents.items()}
    chunks = Chunks(
        mode=turn.mode,
        request=turn.instruction,
        read_only=tuple(whole[p] for p in documents if p not in editable),
        map=frozen.map.text,
        history=recalled.messages,
        second_map=second.map.text if second else "",
        files=tuple(whole[p] for p in editable),
        facts=recalled.facts,
        focus=_focus(turn, snapshot, documents),
        reminder=info.reminder,
        brief=info.small,
        format=info.format,
    )
    shorter = _shorter(chunks, turn, snapshot, documents)
    if info.small:
        chunks = _small(chunks, shorter, turn, documents, chosen)
    return Context(
        chunks=chunks,
        shorter=shorter,
        documents=documents,
        editable=editable,
        why=why,
        sources={
            "map": frozen.mapped.paths,
            "second map": second.paths if second else (),
            "request": (turn.path,) if turn.path in documents and turn.path else (),
        },
        refused=refused,
        region=chosen,
        frozen=frozen,
        maps={
            "map": frozen.mapped.manifest,
            **({"second map": second.manifest} if second else {}),
        },
    )


def lf(text: str) -> str:
    """Line ends as LF, as every prompt has them; a reply is matched without regard to them."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def language(path: str) -> str:
    """What follows the opening fence: the file's extension."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2] if "." in name.lstrip(".") else ""


# --- files


def _wanted(turn: Turn) -> dict[str, str]:
    """Every file of the request with the reason it is there, in order."""
    why = {turn.path: "the request is about it"} if turn.path else {}
    for path in turn.chat:
        why.setdefault(path, "in the chat")
    for path in turn.read_only:
        why[path] = "in the chat, read-only"
    return why


def _documents(
    why: Mapping[str, str], snapshot: Snapshot
) -> tuple[dict[str, Document], tuple[str, ...]]:
    documents: dict[str, Document] = {}
    refused: list[str] = []
    for path in why:
        problem = _problem(snapshot, path)
        document = None if problem else snapshot.document(path)
        if document is None:
            refused.append(f"{path} {problem or 'cannot be read as text'}")
        else:
            documents[path] = document
    return documents, tuple(refused)


def _problem(snapshot: Snapshot, path: str) -> str:
    if reason := unsafe(path):
        return f"is not sent: {reason}"
    if path not in snapshot.buffers and snapshot.on_disk(path) is None:
        return "does not exist (any more)"
    if snapshot.ignored(path):
        return "is excluded by ignore rules, so it is not sent"
    disk = None if path in snapshot.buffers else snapshot.on_disk(path)
    return disk.reason or "has no text" if disk is not None and disk.codec is None else ""


def _whole(path: str, document: Document) -> FileText:
    return FileText(path, lf(document.text), language(path), spans=((0, len(document.data)),))


def _piece(path: str, document: Document, start: int, end: int, note: str = "") -> FileText:
    """Bytes `start:end`, whole lines."""
    index = document.lines
    text = lf(document.data[start:end].decode("utf-8", "replace"))
    first, last = index.line_at(start), index.line_at(max(start, end - 1))
    said = f"lines {first + 1}-{last + 1} of {index.count}{note}"
    return FileText(path, text, language(path), True, ((start, end),), said)


def _outline(path: str, snapshot: Snapshot) -> FileText:
    """The file's definitions, one line each, in place of its text."""
    names = dict.fromkeys(item.name for item in snapshot.tags(path).defs)
    ranking = Ranking(tuple(Ranked(path, name, 1.0) for name in names), ((path, 1.0),))
    made = render(ranking, source_of(snapshot), _SIGNATURES, estimate)
    text = made.text.partition("\n")[2] if made.shown else ""
    return FileText(path, text, "", True, (), "signatures only; the text is too long to be sent")


# --- maps


def _mapped(
    snapshot: Snapshot,
    focus: Focus,
    budget: int,
    measure: Measure | None,
    beside: RepoMap | None = None,
) -> Mapped:
    made = repo_map(snapshot, focus, budget, measure or estimate, beside)
    counted_by = measure.name if measure else ESTIMATE
    return Mapped(made, record(snapshot, focus, made, counted_by, "shown"))


def _stays(
    frozen: Frozen, snapshot: Snapshot, files: tuple[str, ...], budget: int, info: ModelInfo
) -> bool:
    """Whether the session's map can be sent once more: it was whole, it is for the same files, its budget was
    counted by this model or by the estimate, and no file in it has been put under ignore rules since."""
    if (frozen.files, frozen.budget, frozen.is_whole) != (files, budget, True):
        return False
    if frozen.mapped.manifest.count not in (ESTIMATE, info.name):
        return False
    return not any(map(snapshot.ignored, frozen.mapped.paths))


# --- the place asked about


def _region(turn: Turn, snapshot: Snapshot, documents: Mapping[str, Document]) -> Region | None:
    if turn.path is None or turn.selection is None or turn.path not in documents:
        return None
    return region(documents[turn.path], snapshot.tags(turn.path), *turn.selection)


def _focus(turn: Turn, snapshot: Snapshot, documents: Mapping[str, Document]) -> str:
    """The selection or the cursor in words, with the definitions around it, and the selected code."""
    document = documents.get(turn.path or "")
    if document is None or turn.selection is None or turn.path is None:
        return ""
    start, end = turn.selection
    index = document.lines
    first, last = index.line_at(start), index.line_at(max(start, end - 1))
    around = enclosing(document, snapshot.tags(turn.path), start, end)
    inside = " > ".join(f"`{signature(document, item)}`" for item in around[-3:])
    where = f", inside {inside}" if inside else ""
    if end <= start:
        return f"The cursor is in {turn.path}, line {first + 1}{where}."
    lead = f"Selected: {turn.path}, lines {first + 1}-{last + 1}{where}"
    if last - first >= _SELECTED:
        return f"{lead}."
    code = lf(document.data[start:end].decode("utf-8", "replace")).rstrip("\n")
    marks = fence([code])
    return f"{lead}:\n\n{marks}\n{code}\n{marks}"


def _shorter(
    chunks: Chunks, turn: Turn, snapshot: Snapshot, documents: Mapping[str, Document]
) -> Chunks:
    """`chunks` with files cut to signatures, the one asked about to the lines around the selection. An edit
    without a selection has no such lines and keeps its files."""
    document = documents.get(turn.path or "")
    has_region = document is not None and turn.selection is not None
    if turn.mode == "edit" and not has_region:
        return chunks

    def cut(file: FileText) -> FileText:
        outline = _outline(file.path, snapshot)
        if document is not None and turn.selection is not None and file.path == turn.path:
            start, end = _around(document, turn.selection)
            return _piece(file.path, document, start, end)
        return outline if len(outline.text) < len(file.text) else file

    return replace(
        chunks,
        read_only=tuple(map(cut, chunks.read_only)),
        files=tuple(map(cut, chunks.files)),
    )


def _around(document: Document, selection: tuple[int, int]) -> tuple[int, int]:
    index = document.lines
    first = max(0, index.line_at(selection[0]) - _AROUND)
    last = index.line_at(max(selection[0], selection[1] - 1)) + _AROUND
    return index.start(first), index.start(last + 1)


def _small(
    chunks: Chunks,
    shorter: Chunks,
    turn: Turn,
    documents: Mapping[str, Document],
    chosen: Region | None,
) -> Chunks:
    """The request cut to what a small model reads in seconds: the definition asked about, or short files whole
    and long ones as signatures."""
    if chosen is not None and turn.path is not None:
        piece = _piece(turn.path, documents[turn.path], chosen.start, chosen.end)
        return replace(chunks, files=(piece,), read_only=(), focus=_selected(chunks, chosen))
    long_ = {p for p, document in documents.items() if len(document.data) > SMALL_FILE}
    short = {file.path: file for file in (*shorter.files, *shorter.read_only)}
    return replace(
        chunks,
        files=tuple(short[f.path] if f.path in long_ else f for f in chunks.files),
        read_only=tuple(short[f.path] if f.path in long_ else f for f in chunks.read_only),
    )


def _selected(chunks: Chunks, chosen: Region) -> str:
    """The selected code again only if it is less than the definition shown."""
    code = chunks.focus.partition(":\n\n")[2]
    return chunks.focus if len(code) < len(chosen.text) // 2 else ""
