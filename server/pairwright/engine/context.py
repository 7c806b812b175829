"""What a request is about, gathered from one snapshot: files, selection, map, and what was given with it.

Texts come from the open buffers first. What ignore rules exclude, what has no text and what lies outside is
refused with a reason, before any prompt is built.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pairwright.engine import conventions
from pairwright.engine.budget import Measure
from pairwright.engine.diagnostics import Diagnostic, worded
from pairwright.engine.pieces import SMALL_FILE, for_small, language, lf, shorter, whole
from pairwright.engine.selection import Region, enclosing, region, signature
from pairwright.engine.session import Frozen, Mapped
from pairwright.engine.wanted import Wanted, joined, wanted
from pairwright.graph.types import Focus
from pairwright.llm.catalog import edit_format
from pairwright.llm.types import ModelInfo
from pairwright.memory.history import Recalled
from pairwright.prompts.build import Chunks, FileText
from pairwright.prompts.fence import fence
from pairwright.render.types import RepoMap
from pairwright.text.document import Document
from pairwright.text.estimate import estimate_rows
from pairwright.workspace.manifest import ESTIMATE, MapManifest, record
from pairwright.workspace.maps import focus_of, repo_map
from pairwright.workspace.types import Snapshot

__all__ = ["SMALL_FILE", "Context", "Given", "Turn", "gather", "language", "lf", "with_chat"]

_SELECTED = 60
"""Lines of the longest selection that is repeated beside its file."""
_OPEN_MOST = 12
"""Open files that a prompt names."""


TurnMode = Literal["ask", "edit", "architect", "context", "help"]
"""`architect`: a plan first, then the edit by another model. `context`: which files a request needs. `help`: about
Pairwright itself."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One request. `path`: the file it is about, workspace-relative, in the chat by that. `selection`: bytes
    (start, end) of `path`; equal ones are the cursor. `chat`, `read_only`: paths, globs or folders, as the user
    named them. `fresh`: make the session's map anew. `diagnostics`: what the editor reports in `path`. `urls`:
    web pages that the user gave with it. `requested`: files that the model asked for, for reference. `may_look`:
    the model is told how to ask. `elsewhere`: what is to be written belongs into other files than `path`."""

    mode: TurnMode
    instruction: str
    path: str | None = None
    selection: tuple[int, int] | None = None
    chat: tuple[str, ...] = ()
    read_only: tuple[str, ...] = ()
    session: str = ""
    fresh: bool = False
    diagnostics: tuple[Diagnostic, ...] = ()
    urls: tuple[str, ...] = ()
    requested: tuple[str, ...] = ()
    may_look: bool = True
    elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class Given:
    """What goes with a request beside the workspace. `conventions`: names of the files with a project's own
    rules. `pages`: web pages, fetched. `refused`: those that were not, a phrase each."""

    conventions: tuple[str, ...] = ()
    pages: tuple[FileText, ...] = ()
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Context:
    """`chunks`: everything; `shorter`: files cut to signatures and the region asked about. `documents`: the
    texts that stand in the prompt, by path; `editable`: those a reply may change; `foreign`: those outside the
    workspace. `why`: why each is there. `sources`: which files' text each part of the prompt holds. `refused`:
    what was left out, with reasons.
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
    foreign: frozenset[str] = frozenset()


def with_chat(turn: Turn, editable: Sequence[str], read_only: Sequence[str]) -> Turn:
    """`turn` with the files of its chat before those it names itself. What it names to be edited is no longer
    for reference only; the file it is about stays so."""
    named = set(turn.chat) - {turn.path}
    shown = (*(path for path in read_only if path not in named), *turn.read_only)
    chat = tuple(path for path in (*editable, *turn.chat) if path not in turn.read_only)
    return replace(turn, chat=tuple(dict.fromkeys(chat)), read_only=tuple(dict.fromkeys(shown)))


def _format(info: ModelInfo, files: Sequence[Document]) -> str:
    """The edit format for a request about `files`."""
    return edit_format(info, max((file.data.count(b"\n") for file in files), default=0))


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
    given: Given = Given(),
) -> Context:
    """The context of `turn`. `measure`: counts the maps; None = the estimate. Reads files and ranks: run it in
    a thread."""
    want = wanted(turn.path, turn.chat, turn.read_only, snapshot, info, given.conventions)
    want = joined(want, turn.requested, snapshot)
    documents = want.documents
    editable = tuple(path for path in documents if path not in want.read_only)
    # Files of the request are sent whole or refused: in neither case do they belong into a map.
    inside = [path for path in want.requested if path not in want.foreign]
    focus = focus_of(snapshot, turn.instruction, inside, snapshot.buffers)
    # A file that joins during a turn leaves the map as it is, for the sake of the provider's cache.
    files = tuple(sorted(path for path in documents if path not in turn.requested))
    budget = map_budget(info, map_tokens, bool(files))
    second = None
    if frozen is None or turn.fresh or not _stays(frozen, snapshot, files, budget, info):
        frozen = Frozen(_mapped(snapshot, focus, budget, measure), files, budget, snapshot.ready())
    elif not info.small:
        second = _mapped(snapshot, focus, budget // 4, measure, frozen.map)
    chosen = _region(turn, snapshot, documents)
    chunks = Chunks(
        mode=turn.mode,
        request=turn.instruction,
        read_only=_read_only(want, editable, info, turn.requested),
        map=frozen.map.text,
        history=recalled.messages,
        second_map=second.map.text if second else "",
        files=tuple(whole(path, documents[path]) for path in editable),
        facts=recalled.facts,
        pages=given.pages,
        images=want.images,
        focus=_focus(turn, snapshot, documents),
        diagnostics=worded(turn.diagnostics) if turn.path in documents else (),
        open_files=() if info.small else focus.open_[:_OPEN_MOST],
        reminder=info.reminder,
        brief=info.small,
        format=_format(info, [documents[path] for path in editable]),
        prefix=info.prefix,
    )
    cut = shorter(chunks, _place(turn, documents), snapshot)
    if info.small:
        chunks = for_small(chunks, cut, turn.path, documents, chosen)
    return Context(
        chunks=chunks,
        shorter=cut,
        documents={**documents, **want.conventions},
        editable=editable,
        why=want.why,
        sources=_sources(chunks, turn, want, frozen.mapped, second),
        refused=(*want.refused, *given.refused),
        region=chosen,
        frozen=frozen,
        maps={
            "map": frozen.mapped.manifest,
            **({"second map": second.manifest} if second else {}),
        },
        foreign=want.foreign,
    )


def _read_only(
    want: Wanted, editable: tuple[str, ...], info: ModelInfo, requested: Sequence[str]
) -> tuple[FileText, ...]:
    """Conventions first: they change least; `requested`, which are for this turn only, last."""
    said = conventions.shown(tuple(want.conventions.values()), conventions.cap(info.window))
    shown = [path for path in want.documents if path not in editable]
    early = (whole(path, want.documents[path]) for path in shown if path not in requested)
    late = (whole(path, want.documents[path]) for path in shown if path in requested)
    return (*said, *early, *(replace(file, is_late=True) for file in late))


def _sources(
    chunks: Chunks, turn: Turn, want: Wanted, first: Mapped, second: Mapped | None
) -> dict[str, tuple[str, ...]]:
    asked = (turn.path,) if turn.path and turn.path in want.documents else ()
    return {
        "map": first.paths,
        "second map": second.paths if second else (),
        "images": tuple(one.name for one in want.images if one.name not in want.foreign),
        "request": (*asked, *chunks.open_files),
    }


# --- maps


def _mapped(
    snapshot: Snapshot,
    focus: Focus,
    budget: int,
    measure: Measure | None,
    beside: RepoMap | None = None,
) -> Mapped:
    made = repo_map(snapshot, focus, budget, measure or estimate_rows, beside)
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


def _place(turn: Turn, documents: Mapping[str, Document]) -> tuple[str, tuple[int, int]] | None:
    if turn.path is None or turn.selection is None or turn.path not in documents:
        return None
    return turn.path, turn.selection


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
