"""What one step of a task is sent: the plan with everything done and left, records, notes, and the text of its file.

Every part has a cap of its own, so that the prompt beside the file's own text stays as long with the thirtieth file
as with the third. Nothing of earlier steps' conversations is in it. Pure but for the knowledge port.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pairwright.config.task import Task as Settings
from pairwright.engine.budget import output_tokens
from pairwright.engine.pieces import lf, whole
from pairwright.engine.task import around
from pairwright.engine.task.document import section
from pairwright.engine.task.ports import Knowledge, Piece
from pairwright.engine.task.state import State
from pairwright.llm.catalog import edit_format
from pairwright.llm.types import ModelInfo
from pairwright.prompts.build import Chunks, FileText
from pairwright.text.document import Document
from pairwright.text.estimate import estimate
from pairwright.workspace.types import Snapshot

SMALL_KNOWLEDGE = 300
"""Tokens of records for a small model."""
_REWRITTEN = 40
"""Lines of a file that a small model writes anew more surely than it quotes it."""
_TABLE_PURPOSE = 60
"""Characters of a purpose in the table."""
_MARKS: Mapping[str, str] = {
    "verified": "x",
    "proposed": "x",
    "applied": "x",
    "failed": "!",
    "skipped": "-",
    "stale": "~",
    "pending": " ",
}
_TO_COME = "What files of later steps are planned to define; they are not there yet:"
_LEGEND = "x done, > this step, ! failed, - left out, ~ changed by hand since"


@dataclass(frozen=True, slots=True)
class Caps:
    """Tokens of each part beside the table and the file itself."""

    request: int
    notes: int
    promises: int
    carried: int
    told: int
    knowledge: int
    references: int

    @classmethod
    def of(cls, info: ModelInfo, settings: Settings, target: int, max_output: int) -> Caps:
        """For a file of `target` tokens."""
        if info.small:
            return cls(80, 60, 150, 80, 250, min(settings.knowledge_tokens, SMALL_KNOWLEDGE), 0)
        room = info.window - output_tokens(info, max_output) - target
        return cls(
            request=max(60, min(400, room // 20)),
            notes=max(60, min(400, room // 20)),
            promises=max(80, min(600, room // 12)),
            carried=max(60, min(500, room // 20)),
            told=max(120, min(1_500, room // 8)),
            knowledge=max(0, min(settings.knowledge_tokens, room * 2 // 5)),
            references=max(0, min(settings.reference_tokens, room // 10)),
        )


@dataclass(frozen=True, slots=True)
class Sheet:
    """The chunks of a step, `shorter` without what is only useful, the texts they show, and why each is there."""

    chunks: Chunks
    shorter: Chunks
    documents: Mapping[str, Document]
    why: Mapping[str, str]
    served: tuple[Piece, ...] = ()


def sheet(
    state: State,
    group: Sequence[str],
    snapshot: Snapshot,
    info: ModelInfo,
    settings: Settings,
    *,
    knowledge: Knowledge,
    conventions: Mapping[str, tuple[FileText, Document]],
    references: tuple[FileText, ...] = (),
    max_output: int = 0,
    told: str = "",
) -> Sheet:
    """The step that writes `group`. `told`: what was wrong with the try before. Reads texts: run it in a thread."""
    targets = {path: found for path in group if (found := snapshot.document(path)) is not None}
    files = tuple(whole(path, targets[path]) for path in targets)
    caps = Caps.of(info, settings, sum(estimate(file.text) for file in files), max_output)
    # A small model writes again what it is shown, so it is shown what it needs alone.
    served = around.served(
        state, group, snapshot, knowledge, caps.knowledge, needed_only=info.small
    )
    left = 0 if info.small else caps.knowledge - sum(map(around.tokens, served))
    shown = {one.path: document for one in served if (document := snapshot.document(one.path))}
    read_only = (*(file for file, _ in conventions.values()), *map(around.shown, served))
    chunks = Chunks(
        "implement",
        step_words(state, group, caps, told),
        read_only=read_only,
        files=files,
        focus=plan_words(state, group, caps, info.small, settings.carried_notes, left),
        references=references,
        reminder=info.reminder,
        brief=info.small,
        format="whole"
        if not targets or _is_created(state, group)
        else _form_of_change(info, tuple(targets.values()), is_new=len(targets) < len(group)),
        prefix=info.prefix,
    )
    shorter = replace(chunks, read_only=tuple(file for file, _ in conventions.values()))
    documents = {**shown, **{p: d for p, (_, d) in conventions.items()}, **targets}
    why = {
        **dict.fromkeys(shown, "the step may use it"),
        **dict.fromkeys(targets, "the step's file"),
    }
    return Sheet(chunks, shorter, documents, why, served)


def _is_created(state: State, group: Sequence[str]) -> bool:
    """Whether the task makes all of `group`; such a file may stand there already where it is written once more."""
    entries = map(state.plan.entry, group)
    return all(entry is not None and entry.action == "create" for entry in entries)


def _form_of_change(info: ModelInfo, targets: Sequence[Document], *, is_new: bool) -> str:
    """The edit format where some file is changed. `is_new`: some of the group are not there yet."""
    longest = max(one.data.count(b"\n") for one in targets)
    if info.small and longest <= _REWRITTEN:
        return "whole"
    form = edit_format(info, longest)
    # Of a group in which some files are new, those are written as blocks without old lines.
    return "diff" if is_new and form in ("udiff", "udiff-simple", "symbol") else form


# --- words


def plan_words(
    state: State, group: Sequence[str], caps: Caps, is_brief: bool, most_notes: int, left: int = 0
) -> str:
    """The task as a step sees it: what is wanted, what is done and left, what was promised, what was noted; in `left`
    tokens what others are to promise."""
    plan = state.plan
    parts = [f"The task: {_cut(state.request, caps.request)}"]
    if plan.notes:
        notes = _cut("\n".join(f"- {note}" for note in plan.notes), caps.notes)
        parts.append(f"Decisions about the whole:\n{notes}")
    rows = [_row(state, path, group, is_brief) for path in (e.path for e in plan.entries)]
    parts.append("\n".join((f"Files of the task ({_LEGEND}):", *rows)))
    if promised := _promises(state, group, caps.promises):
        parts.append(f"What the files promise that this step depends on:\n{promised}")
    if planned := around.to_come(state, group, left - estimate(_TO_COME)):
        parts.append(f"{_TO_COME}\n{planned}")
    if carried := state.notes(most_notes):
        lines = _cut("\n".join(f"- {note}" for note in reversed(carried)), caps.carried)
        parts.append(f"Notes from the steps before, the newest first:\n{lines}")
    return "\n\n".join(parts)


def _row(state: State, path: str, group: Sequence[str], is_brief: bool) -> str:
    entry = state.plan.entry(path)
    assert entry is not None
    mark = ">" if path in group else _MARKS[state.file(path).phase]
    row = f"[{mark}] {entry.action} {path}"
    if is_brief or not entry.purpose:
        return row
    purpose = entry.purpose
    if len(purpose) > _TABLE_PURPOSE:
        purpose = f"{purpose[:_TABLE_PURPOSE].rsplit(' ', 1)[0]}…"
    return f"{row}: {purpose}"


def _promises(state: State, group: Sequence[str], room: int) -> str:
    direct = (one for path in group if (own := state.plan.entry(path)) for one in own.depends)
    rows = [around.promise(state.plan, path) for path in dict.fromkeys(direct) if path not in group]
    return _cut("\n".join(filter(None, rows)), room)


def step_words(state: State, group: Sequence[str], caps: Caps, told: str) -> str:
    """What this step has to do. `told`: what was wrong with the try before."""
    verbs = {"create": "Write the new file", "modify": "Change the file", "delete": "Delete"}
    parts: list[str] = []
    for path in group:
        entry = state.plan.entry(path)
        assert entry is not None
        lines = section(replace(entry, checks=())).split("\n\n", 1)
        parts.append("\n\n".join((f"{verbs[entry.action]} {path}.", *lines[1:])))
    if len(group) > 1:
        parts.insert(0, f"These {len(group)} files need each other: write all of them now.")
    if told:
        parts.append(
            f"An earlier try was refused, and nothing of it is kept:\n{_cut(told, caps.told)}"
        )
    only = f"{group[0]} alone" if len(group) == 1 else "these files alone"
    parts.append(f"Change {only}, each under its whole path.")
    return "\n\n".join(parts)


def _cut(text: str, room: int) -> str:
    """`text` in at most `room` tokens, cut at a line or at a word."""
    text = lf(text).strip()
    if estimate(text) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if estimate(text[:middle]) < room else (low, middle - 1)
    cut = text[:low]
    at = max(cut.rfind("\n"), cut.rfind(" "))
    return f"{cut[: at if at > low // 2 else low].rstrip()} …"
