"""A task as a value: its plan, and what became of each file; the fold of its journal.

Files go from `pending` to `verified` (written, and everything that was asked of the text holds) to `applied` (it
stands in the workspace), by way of `proposed` where the user looks at it first. Nothing counts as done that is not
verified. Pure: how events are kept is the business of `journal`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from pairwright.engine.task.document import read
from pairwright.engine.task.plan import Entry, Plan

Phase = Literal["pending", "verified", "proposed", "applied", "failed", "skipped", "stale"]
"""`stale`: the file was changed since by somebody else, and is left alone until it is asked for again."""
Status = Literal["planned", "running", "waiting", "stopped", "done", "undone"]
Review = Literal["file", "task", "end"]

DONE: tuple[Phase, ...] = ("verified", "proposed", "applied")
LOST: tuple[Phase, ...] = ("failed", "skipped")
_LONGEST_NOTE = 160


# --- events


@dataclass(frozen=True, slots=True)
class Opened:
    """The beginning. `at`: seconds since the epoch."""

    id: str
    request: str
    at: float


@dataclass(frozen=True, slots=True)
class Planned:
    """A version of the plan, as its document. `wish`: the words that led to it; empty if the user wrote it."""

    text: str
    wish: str = ""
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class Tried:
    """A try at `paths` that failed. `output`: digest of the reply. `told`: what the next try is told. `tokens`: read
    and written by the model."""

    paths: tuple[str, ...]
    reason: str
    told: str
    output: str = ""
    tokens: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Text:
    """What a step makes of one file; None where there is none."""

    path: str
    before: bytes | None
    after: bytes | None


@dataclass(frozen=True, slots=True)
class Made:
    """A step whose texts are verified. `notes`: lines for the steps that follow. `unchecked`: what was asked for and
    not looked at."""

    texts: tuple[Text, ...]
    notes: tuple[str, ...] = ()
    purpose: str = ""
    tokens: tuple[int, int] = (0, 0)
    unchecked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Moved:
    """`paths` are in another phase. `reason`: why, for the user. `checkpoint`: the one behind the change."""

    paths: tuple[str, ...]
    phase: Phase
    reason: str = ""
    proposal: str = ""
    checkpoint: str = ""


@dataclass(frozen=True, slots=True)
class Turned:
    """The task as a whole is in another state."""

    status: Status
    reason: str = ""
    review: Review | None = None


Event = Opened | Planned | Tried | Made | Moved | Turned


# --- the state


@dataclass(frozen=True, slots=True)
class FileState:
    """`tries`: those that failed since it was last pending. `text`: what it was made, where it was."""

    phase: Phase = "pending"
    tries: tuple[Tried, ...] = ()
    text: Text | None = None
    reason: str = ""
    proposal: str = ""
    checkpoint: str = ""
    notes: tuple[str, ...] = ()
    purpose: str = ""
    unchecked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """A task at one moment. `files`: by path, for each entry of the plan and for what earlier plans had changed.
    `made`: paths in the order they were made. `proposals`: all that the task proposed, in order."""

    id: str = ""
    request: str = ""
    at: float = 0.0
    plan: Plan = field(default_factory=Plan)
    version: int = 0
    status: Status = "planned"
    reason: str = ""
    review: Review = "end"
    files: Mapping[str, FileState] = field(default_factory=dict)
    made: tuple[str, ...] = ()
    proposals: tuple[str, ...] = ()
    tokens: tuple[int, int] = (0, 0)

    def file(self, path: str) -> FileState:
        return self.files.get(path, FileState())

    def paths(self, *phases: Phase) -> tuple[str, ...]:
        """Paths of the plan in these phases, as written."""
        found = (entry.path for entry in self.plan.entries)
        return tuple(path for path in found if self.file(path).phase in phases)

    def overlay(self) -> dict[str, bytes | None]:
        """The texts that are verified and not in the workspace yet."""
        return {
            path: one.text.after
            for path, one in self.files.items()
            if one.text is not None and one.phase in ("verified", "proposed")
        }

    def notes(self, most: int) -> tuple[str, ...]:
        """The carry-over notes, the newest `most` of them, each said once."""
        seen: dict[str, str] = {}
        for path in self.made:
            for note in self.file(path).notes:
                line = " ".join(note.split())[:_LONGEST_NOTE]
                seen.pop(line.casefold(), None)
                seen[line.casefold()] = line
        return tuple(seen.values())[-most:] if most else ()


def grown(state: State, event: Event) -> State:
    """`state` with `event`."""
    match event:
        case Opened(id, request, at):
            return replace(state, id=id, request=request, at=at)
        case Planned(text):
            return _planned(state, read(text))
        case Tried(paths, _, _, _, tokens):
            state = replace(state, tokens=_sum(state.tokens, tokens))
            return _with(state, paths, lambda one: replace(one, tries=(*one.tries, event)))
        case Made():
            return _made(state, event)
        case Moved():
            return _moved(state, event)
        case Turned(status, reason, review):
            return replace(state, status=status, reason=reason, review=review or state.review)


def folded(events: Sequence[Event]) -> State:
    """The state that `events` lead to."""
    state = State()
    for event in events:
        state = grown(state, event)
    return state


def _planned(state: State, plan: Plan) -> State:
    """A file whose entry stays the same keeps what became of it; what is in the workspace is never forgotten."""
    kept = {
        path: one
        for path, one in state.files.items()
        if one.phase == "applied" or _same(state.plan.entry(path), plan.entry(path))
    }
    files = {**kept, **{entry.path: kept.get(entry.path, FileState()) for entry in plan.entries}}
    made = tuple(path for path in state.made if path in files)
    return replace(state, plan=plan, version=state.version + 1, files=files, made=made)


def _same(old: Entry | None, new: Entry | None) -> bool:
    return old is not None and old == new


def _made(state: State, event: Made) -> State:
    files = dict(state.files)
    for text in event.texts:
        files[text.path] = FileState(
            "verified",
            text=text,
            notes=event.notes,
            purpose=event.purpose,
            unchecked=event.unchecked,
        )
    paths = tuple(text.path for text in event.texts)
    made = (*(path for path in state.made if path not in paths), *paths)
    return replace(state, files=files, made=made, tokens=_sum(state.tokens, event.tokens))


def _moved(state: State, event: Moved) -> State:
    def move(one: FileState) -> FileState:
        if event.phase == "pending":
            return FileState()
        return replace(
            one,
            phase=event.phase,
            reason=event.reason,
            proposal=event.proposal or one.proposal,
            checkpoint=event.checkpoint or one.checkpoint,
        )

    state = _with(state, event.paths, move)
    if event.phase == "pending":
        state = replace(state, made=tuple(path for path in state.made if path not in event.paths))
    if event.proposal and event.proposal not in state.proposals:
        state = replace(state, proposals=(*state.proposals, event.proposal))
    return state


def _with(state: State, paths: Sequence[str], change: Callable[[FileState], FileState]) -> State:
    files = dict(state.files)
    for path in paths:
        files[path] = change(state.file(path))
    return replace(state, files=files)


def _sum(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return one[0] + other[0], one[1] + other[1]
