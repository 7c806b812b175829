"""From a request to a plan: what is read is parted where it is too long, and a plan with faults goes back once.

A plan is never mended here: what the model wrote stands in it, or there is none.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pairwright.engine.answer import Cut
from pairwright.engine.budget import output_tokens
from pairwright.engine.context import Turn
from pairwright.engine.continuation import answered
from pairwright.engine.events import Reflected, Status, Stop
from pairwright.engine.summary import pieces
from pairwright.engine.task import document
from pairwright.engine.task.crew import Crew
from pairwright.engine.task.frame import grammar
from pairwright.engine.task.plan import Place, Plan, faults
from pairwright.engine.task.state import State
from pairwright.engine.work import Sight, Work
from pairwright.llm.types import Message, Model, ModelInfo
from pairwright.prompts.build import Chunks
from pairwright.prompts.fence import fence
from pairwright.text.estimate import estimate
from pairwright.workspace.types import Snapshot

_SIGHT = Sight(history=False, keeps_map=False, is_editor=True)
_AROUND = 500
"""Tokens of instructions, rounded up."""
_DIGEST = 1_200
"""Tokens of the notes on one part of a document."""
_FILES = 300
"""Tokens of paths that a small model is shown."""
_PASSES = 3
"""How often notes that are still too long are taken notes of."""


@dataclass(frozen=True, slots=True)
class Source:
    """A document that a plan is made from. `path`: in the workspace, empty if it is not."""

    name: str
    text: str
    path: str = ""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a plan is made from. `chat`: files that the user named. `before`: the plan that `words` are to change."""

    words: str
    sources: tuple[Source, ...] = ()
    chat: tuple[str, ...] = ()
    before: Plan | None = None


def place(snapshot: Snapshot) -> Place:
    """What plans are held against in `snapshot`."""

    def refused(path: str) -> str | None:
        if snapshot.ignored(path):
            return "it is excluded by ignore rules, so its text is never sent."
        return snapshot.allowed(path)

    def exists(path: str) -> bool:
        return snapshot.document(path) is not None or snapshot.on_disk(path) is not None

    return Place(exists, refused, snapshot.paths())


def wrong(plan: Plan, snapshot: Snapshot, state: State) -> tuple[str, ...]:
    """The faults of `plan` as a further version of the task `state`: what the task itself has made by now is none.
    Reads the disk."""
    ours = tuple(f"{path} " for path in state.paths("applied", "stale"))
    return tuple(one for one in faults(plan, place(snapshot)) if not one.startswith(ours))


async def planned(crew: Crew, wish: Wish) -> Plan | Stop:
    """A plan for `wish` without faults, or why there is none. Raises ModelError."""
    model = await crew.tools.models.get("main")
    snapshot = crew.desk.snapshot()
    if ignored := [one.path for one in wish.sources if one.path and snapshot.ignored(one.path)]:
        return Stop(
            "refused", f"{', '.join(ignored)} is excluded by ignore rules, so it is not read."
        )
    turn = Turn("ask", wish.words, chat=wish.chat, session="task-plan", may_look=False)
    work = Work(turn, crew.desk.snapshot, model, crew.tools, _SIGHT)
    await work.gather()
    read = await _read(work, wish)
    if isinstance(read, Stop):
        return read
    chunks = replace(
        work.context.chunks,
        mode="plan",
        request=wish.words.strip(),
        focus="\n\n".join(filter(None, (_so_far(wish), _there(work), read))),
        open_files=(),
    )
    return await _agreed(work, chunks, wish)


async def _agreed(work: Work, chunks: Chunks, wish: Wish) -> Plan | Stop:
    """The plan of a reply; what is wrong with the first goes back."""
    paths = tuple(one.path for one in wish.sources if one.path)
    info, answer = work.model.info, ""
    form = grammar(work.snapshot.paths(), wish.chat) if info.small and info.grammar else None
    for is_last in (False, True):
        parcel = work.parcel(chunks, replace(chunks, map="", second_map=""))
        parcel = replace(parcel, sources={**parcel.sources, "request": paths}, grammar=form)
        sent = await answered(work, parcel)
        if isinstance(sent, Stop):
            return sent
        if isinstance(sent[0], Cut):
            return Stop("truncated", f"The plan was cut off: {sent[0].message}", sent[0].text)
        answer = sent[0]
        plan = document.read(answer)
        found = await asyncio.to_thread(faults, plan, place(work.snapshot))
        if not found:
            return plan
        if is_last:
            break
        told = "\n".join(
            ("The plan cannot be carried out:", *(f"- {one}" for one in found), _AGAIN)
        )
        work.tools.emit(Reflected("plan", "\n".join(found)))
        chunks = replace(chunks, feedback=(Message("assistant", answer), Message("user", told)))
    return Stop("plan", "\n".join(("The plan cannot be carried out:", *found)), answer)


_AGAIN = "Write the whole plan again without these faults, in the same form, and nothing else."


def _so_far(wish: Wish) -> str:
    if wish.before is None:
        return ""
    text = document.render(wish.before)
    marks = fence([text])
    return f"The plan so far; change it as the request says, and write all of it:\n\n{marks}markdown\n{text}{marks}"


def _there(work: Work) -> str:
    """The files there are, for a small model: the map it is shown is too short to tell."""
    if not work.model.info.small:
        return ""
    snapshot, room, rows = work.snapshot, _FILES, list[str]()
    chat = work.context.documents
    for path in dict.fromkeys((*chat, *snapshot.paths())):
        room -= estimate(path) + 1
        if room < 0:
            return "\n".join(("Some of the files there are:", *rows))
        if not snapshot.ignored(path):
            rows.append(path)
    return "\n".join(("The files there are:", *rows)) if rows else ""


# --- documents


async def _read(work: Work, wish: Wish) -> str | Stop:
    """The documents as the request shows them: word for word if there is room, else notes on each part."""
    if not wish.sources:
        return ""
    model, most = work.model, work.tools.settings.model.max_output
    room = _room(model.info, most)
    shown = [_shown(one.name, one.text) for one in wish.sources]
    if sum(map(estimate, shown)) <= room:
        return "\n\n".join(shown)
    texts = [f"{one.name}:\n\n{one.text}" for one in wish.sources]
    for _ in range(_PASSES):
        notes = await _notes(work, model, texts, room, wish)
        if isinstance(notes, Stop):
            return notes
        if sum(map(estimate, notes)) <= room:
            return _shown("Notes on the documents", "\n\n".join(notes))
        texts = notes
    return Stop(
        "budget", "The documents are too long to be planned from: name the parts that matter."
    )


def _room(info: ModelInfo, most: int) -> int:
    """Tokens of documents in a request for a plan."""
    return max(300, (info.window - output_tokens(info, most) - _AROUND) // 2)


async def _notes(
    work: Work, model: Model, texts: Sequence[str], room: int, wish: Wish
) -> list[str] | Stop:
    parts = await asyncio.to_thread(pieces, texts, room)
    found: list[str] = []
    for index, part in enumerate(parts):
        work.tools.emit(
            Status(f"reading part {index + 1} of {len(parts)}", 100 * index // len(parts))
        )
        chunks = Chunks(
            "digest",
            "Write the notes.",
            focus="\n\n".join(part),
            brief=model.info.small,
            prefix=model.info.prefix,
        )
        paths = tuple(one.path for one in wish.sources if one.path)
        parcel = replace(
            work.parcel(chunks), sources={"request": paths}, documents={}, output=_DIGEST
        )
        sent = await work.send(parcel, lambda event: None)
        if isinstance(sent, Stop):
            return sent
        said = sent[0].text if isinstance(sent[0], Cut) else sent[0]
        if said.strip().strip(".").casefold() not in ("", "nothing"):
            found.append(said.strip())
    return found


def _shown(name: str, text: str) -> str:
    marks = fence([text])
    body = text if text.endswith("\n") else f"{text}\n"
    return f"{name}:\n\n{marks}\n{body}{marks}"
