"""One step: a file (or a few that need each other) written in a conversation that begins with nothing.

The request goes by the engine's own door and budget, the reply through the edit planner. What comes out is a text
that holds, or the reason why there is none; nothing is changed here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pairwright.edits.formats.registry import read
from pairwright.edits.paths import normal
from pairwright.edits.types import Block, FileChange, Parsed
from pairwright.engine import conventions
from pairwright.engine.answer import Cut
from pairwright.engine.context import Turn
from pairwright.engine.continuation import answered
from pairwright.engine.door import Manifest
from pairwright.engine.events import Event, Status, Stop, Used
from pairwright.engine.overlay import Overlay
from pairwright.engine.reply import judge_read
from pairwright.engine.task.crew import Crew
from pairwright.engine.task.plan import Entry
from pairwright.engine.task.prompt import Caps, Sheet, sheet
from pairwright.engine.task.state import Made, State, Text
from pairwright.engine.task.verify import Consent, Fault, verified
from pairwright.engine.work import NOTHING_ELSE, Work
from pairwright.llm.types import Model, ModelError, ModelInfo
from pairwright.memory import notes_block
from pairwright.prompts.build import FileText
from pairwright.text.document import Document
from pairwright.text.estimate import estimate
from pairwright.text.hashing import digest


@dataclass(frozen=True, slots=True)
class Missed:
    """The try came to nothing. See state.Tried."""

    reason: str
    told: str
    output: str = ""
    tokens: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class _Said:
    """A whole reply, or one that was cut off, and the texts that stood in the prompt."""

    answer: str | Cut
    manifest: Manifest
    sheet: Sheet
    work: Work


async def attempt(
    crew: Crew, state: State, group: Sequence[str], model: Model, consent: Consent
) -> Made | Missed | Stop:
    """One try at `group`, told what was wrong with the last one. Stop: no try can succeed at the moment. Raises
    ModelError."""
    overlay = Overlay(crew.desk.snapshot(), state.overlay())
    entries = [entry for path in group if (entry := state.plan.entry(path)) is not None]
    if all(entry.action == "delete" for entry in entries):
        return await asyncio.to_thread(_deleted, entries, overlay)
    counted = _Counted(crew)
    said = await _asked(counted.crew, state, group, overlay, model)
    if isinstance(said, Stop | Missed):
        return said
    tokens = counted.tokens(said)
    if isinstance(said.answer, Cut):
        told = f"The reply was cut off: {said.answer.message} Write less at once."
        return Missed("truncated", told, _digest(said.answer.text), tokens)
    output = _digest(said.answer)
    made = await asyncio.to_thread(planned, said.answer, said, entries)
    if isinstance(made, Fault):
        return Missed(made.reason, made.told, output, tokens)
    if made.left:
        crew.tools.emit(Status(_LEFT.format(", ".join(made.left))))
    changes = made.changes
    texts = tuple(Text(change.path, change.before, change.after) for change in changes)
    after = Overlay(overlay.base, {**overlay.over, **{one.path: one.after for one in texts}})
    found = await verified(changes, entries, overlay, after, crew.tools, consent)
    if isinstance(found, Fault):
        return Missed(found.reason, found.told, output, tokens)
    purpose, notes = await asyncio.to_thread(notes_block.read, said.answer)
    return Made(texts, notes, purpose, tokens, found)


def _deleted(entries: Sequence[Entry], overlay: Overlay) -> Made | Missed:
    texts: list[Text] = []
    for entry in entries:
        document = overlay.document(entry.path)
        if document is None:
            return Missed(
                "gone", f"{entry.path} is no longer there, or has no text to be restored."
            )
        texts.append(Text(entry.path, document.data, None))
    return Made(tuple(texts))


def _digest(text: str) -> str:
    return digest(text.encode("utf-8", "surrogatepass"))


class _Counted:
    """The crew with an ear for what the model read and wrote."""

    def __init__(self, crew: Crew) -> None:
        self._emit = crew.tools.emit
        self._read = self._written = 0
        self.crew = replace(crew, tools=replace(crew.tools, emit=self._heard))

    def _heard(self, event: Event) -> None:
        if isinstance(event, Used):
            self._read += event.usage.prompt
            self._written += event.usage.completion
        self._emit(event)

    def tokens(self, said: _Said) -> tuple[int, int]:
        """As the provider counts; as we do where it does not."""
        text = said.answer.text if isinstance(said.answer, Cut) else said.answer
        return self._read or said.manifest.total, self._written or estimate(text)


# --- the request


async def _asked(
    crew: Crew, state: State, group: Sequence[str], overlay: Overlay, model: Model
) -> _Said | Missed | Stop:
    """The reply to a request that holds nothing of the steps before but what `sheet` takes over."""
    tools = crew.tools
    present = tuple(path for path in group if overlay.document(path) is not None)
    turn = Turn("edit", "", chat=present, session=f"task-{state.id}", may_look=False)
    work = Work(turn, lambda: overlay, model, tools, NOTHING_ELSE)
    await work.gather()
    if refused := [path for path in present if path not in work.context.documents]:
        why = "; ".join(work.context.refused) or f"{refused[0]} has no text that can be sent"
        return Missed("refused", f"{why}.")
    if reason := _too_large(work, model.info, tools.settings.model.max_output):
        return Missed("too-large", reason)
    examples = await _examples(crew, state, group, work)
    tries = state.file(group[0]).tries
    made = await asyncio.to_thread(
        sheet,
        state,
        group,
        overlay,
        model.info,
        tools.settings.task,
        knowledge=crew.knowledge(overlay),
        conventions=_conventions(work),
        references=examples,
        max_output=tools.settings.model.max_output,
        told=tries[-1].told if tries else "",
    )
    work.context = replace(
        work.context,
        chunks=made.chunks,
        shorter=made.shorter,
        documents=made.documents,
        why=made.why,
        sources={"request": ()},
        maps={},
        refused=(),
    )
    try:
        async with asyncio.timeout(seconds := tools.settings.task.step_timeout):
            sent = await answered(work, work.parcel(made.chunks, made.shorter))
    except TimeoutError:
        return Missed("timeout", f"There was no whole reply within {seconds:g} s.")
    except ModelError as error:
        # Of what was said about this file; the others may well be written.
        if error.kind != "filtered":
            raise
        return Missed("filtered", error.message)
    if isinstance(sent, Stop):
        return Missed("no-reply", sent.message) if sent.reason == "empty" else sent
    return _Said(*sent, made, work)


def _too_large(work: Work, info: ModelInfo, max_output: int) -> str:
    """Why the file of the step cannot be sent whole; empty if it can."""
    target = sum(estimate(file.text) for file in work.context.chunks.files)
    target = max(target, sum(estimate(one.text) for one in work.context.documents.values()))
    room = info.window - min(info.max_output, max_output or info.max_output, info.window // 2)
    if target < room * 3 // 4:
        return ""
    return (
        f"The file has about {target:,} tokens, and {info.name} reads {room:,} at once: part it first, or choose a "
        "model with a larger window."
    )


def _conventions(work: Work) -> Mapping[str, tuple[FileText, Document]]:
    """The project's own rules, as every request of it has them."""
    return {
        file.path: (file, work.context.documents[file.path])
        for file in work.context.chunks.read_only
        if file.note.endswith(conventions.NOTE) and file.path in work.context.documents
    }


async def _examples(
    crew: Crew, state: State, group: Sequence[str], work: Work
) -> tuple[FileText, ...]:
    settings, info = crew.tools.settings, work.model.info
    room = Caps.of(info, settings.task, 0, settings.model.max_output).references
    entry = state.plan.entry(group[0])
    if entry is None or not room or settings.task.references == "off":
        return ()
    found = await crew.references.for_target(entry.path, entry.contract, entry.purpose, room)
    kept: list[FileText] = []
    for one in found:
        room -= estimate(one.text)
        if room < 0:
            break
        kept.append(one)
    return tuple(kept)


# --- the reply


@dataclass(frozen=True, slots=True)
class Planned:
    """What a reply changes. `left`: other files that it had something for, which are not touched."""

    changes: tuple[FileChange, ...]
    left: tuple[str, ...] = ()


_LEFT = "what the reply has for {} is left out: each file has a step of its own"


def planned(answer: str, said: _Said, entries: Sequence[Entry]) -> Planned | Fault:
    """What the reply changes, if it is the files of the step and nothing else. A small model writes what it was shown
    again with what it is to write, so of its reply the step's own part is taken."""
    scope = replace(said.work.scope(said.manifest), documents=said.sheet.documents)
    text = notes_block.without(answer)
    group = tuple(entry.path for entry in entries)
    parsed = aimed(read(text, scope.format, tuple(scope.documents)), group)
    strays = _strays(parsed, group)
    if strays and said.work.model.info.small:
        parsed = _own(parsed, group)
    if strays and (not said.work.model.info.small or not parsed.blocks):
        return Fault("other-file", _STRAY.format(", ".join(strays), " and ".join(group)))
    judged = judge_read(parsed, text, (), scope)
    if judged.retry is not None:
        return Fault(judged.retry.reason, judged.retry.feedback)
    if not judged.changes:
        return Fault("no-edit", f"The reply held no edit of {' and '.join(group)}: write it.")
    other = [c.path for c in judged.changes if c.path not in group or c.moved_from is not None]
    if other:
        return Fault("other-file", _STRAY.format(", ".join(other), " and ".join(group)))
    gone = [c.path for c in judged.changes if c.after is None]
    if gone:
        return Fault("deleted", f"{gone[0]} is to be written in this step, not deleted.")
    lost = [name for change in judged.changes for name in _lost(change, said.work)]
    if scope.format == "whole" and lost:
        return Fault("lost", _LOST.format(", ".join(lost)))
    return Planned(judged.changes, tuple(strays))


def _lost(change: FileChange, work: Work) -> list[str]:
    """What a text that was written anew no longer defines."""
    if change.before is None or change.after is None:
        return []
    old = work.snapshot.tags_of(change.path, change.before).defs
    new = {item.name for item in work.snapshot.tags_of(change.path, change.after).defs}
    return [name for name in dict.fromkeys(item.name for item in old) if name not in new]


_LOST = "The new text no longer defines {}: write the whole file, with everything that the step does not change."


_STRAY = "The reply changes {} as well, which this step must not: write {} alone. Others have steps of their own."


def aimed(parsed: Parsed, group: Sequence[str]) -> Parsed:
    """`parsed` with the blocks of a step at its files: a name may be the end of one's path, and may be missing where
    there is one file."""
    if not any(_is_loose(block, group) for block in parsed.blocks):
        return parsed
    blocks = tuple(replace(one, path=_meant(one.path, group)) for one in parsed.blocks)
    # A path of ours is no guess, however much it looks like another's end.
    exact = tuple(
        replace(one, path=f"./{one.path}")
        if one.operation == "whole" and one.path in group
        else one
        for one in blocks
    )
    return replace(parsed, blocks=exact)


_EXAMPLE = "path/of/the/file.py"
"""The path in the templates, which weak models copy."""


def _is_loose(block: Block, group: Sequence[str]) -> bool:
    return block.operation == "whole" or block.path not in group


def _meant(written: str | None, group: Sequence[str]) -> str | None:
    if written is None:
        return group[0] if len(group) == 1 else None
    path = normal(written)
    if path in group:
        return path
    if path == _EXAMPLE and len(group) == 1:
        return group[0]
    ends = [one for one in group if one.endswith(f"/{path}")]
    return ends[0] if len(ends) == 1 else written


def _own(parsed: Parsed, group: Sequence[str]) -> Parsed:
    """`parsed` with the blocks of the step's own files alone."""

    def is_own(path: str | None) -> bool:
        return path is None or normal(path) in group

    blocks = tuple(one for one in parsed.blocks if is_own(one.path) and is_own(one.to))
    problems = tuple(one for one in parsed.problems if is_own(one.path))
    return replace(parsed, blocks=blocks, problems=problems)


def _strays(parsed: Parsed, group: Sequence[str]) -> list[str]:
    """Paths of the reply that are no file of the step."""
    paths = (path for block in parsed.blocks for path in (block.path, block.to) if path)
    return [path for path in dict.fromkeys(map(normal, paths)) if path not in group]
