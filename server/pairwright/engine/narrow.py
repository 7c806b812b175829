"""Mode context: the model narrows down which files a request needs, and they become the chat's.

At most three rounds: a large map, then the same with the files it named, until it names the same set again. Names
that mean no file of the index are left out, and so is what does not fit; both are said.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pairwright.edits.mentions import meant, mentions
from pairwright.edits.paths import unsafe
from pairwright.engine.answer import Cut
from pairwright.engine.context import Context, map_budget
from pairwright.engine.events import Done, Event, Outcome, Said, Status, Stop
from pairwright.engine.serve import serve
from pairwright.engine.work import Sight, Work
from pairwright.llm.types import Message, ModelInfo
from pairwright.prompts.build import FileText, merged, template
from pairwright.text.estimate import estimate
from pairwright.workspace.types import Snapshot

ROUNDS = 3
MOST_FILES = 30
_MAPS = 4
"""The map is so many times the usual one, within a quarter of the window."""
_LONGEST = 500
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d+[.)])[ \t]+(\S.*)")
_REASON = re.compile(r"(?::|\s[-–—])\s+|\s*$")


@dataclass(frozen=True, slots=True)
class Chosen:
    """`files`: paths with the reason for each, in the order of the answer. `dropped`: what was named and is not
    taken, a phrase each."""

    files: tuple[tuple[str, str], ...]
    dropped: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(path for path, _ in self.files)


def sight(info: ModelInfo) -> Sight:
    """What these requests see: a large map of their own, which the conversation's stays apart from."""
    usual = map_budget(info, None, False)
    return Sight(map_tokens=min(_MAPS * usual, max(usual, info.window // 4)), keeps_map=False)


async def narrowed(work: Work) -> Outcome:
    """The files that the request needs, put into the chat. Raises ModelError."""
    before = work.turn.chat
    held = frozenset(before)
    chosen = Chosen(())
    feedback: tuple[Message, ...] = ()
    for number in range(1, ROUNDS + 1):
        work.tools.emit(Status(f"choosing files, round {number} of {ROUNDS} at most"))
        parcel = work.asking(feedback)
        sent = await work.send(parcel, _Quiet(work))
        if isinstance(sent, Stop):
            return sent
        answer = sent[0].text if isinstance(sent[0], Cut) else sent[0]
        chosen = await asyncio.to_thread(_read, answer, work)
        if not chosen.files or frozenset(chosen.paths) == held:
            break
        held = frozenset(chosen.paths)
        if number < ROUNDS:
            work.turn = replace(work.turn, chat=chosen.paths, path=None, selection=None)
            await work.gather()
            work.context = await asyncio.to_thread(_by_records, work, before)
            said = (Message("assistant", answer), Message("user", template("review_files")))
            feedback = merged((*feedback, *said))
    return _ended(work, chosen)


def _by_records(work: Work, own: Sequence[str]) -> Context:
    """The files named so far by their records, where these are clearly shorter: what a file is for stands there.
    Those of the user, `own`, stay whole."""
    context, records = work.context, work.tools.notebook.at(work.snapshot)

    def shown(file: FileText) -> FileText:
        document = context.documents.get(file.path)
        if document is None or file.path in own or file.partial:
            return file
        one = serve(records, file.path)
        if one is None or one.form == "full" or one.digest != document.digest:
            return file
        return FileText(file.path, one.text, "", True, (), _RECORD)

    chunks, less = (
        replace(part, files=tuple(map(shown, part.files)))
        for part in (context.chunks, context.shorter)
    )
    return replace(context, chunks=chunks, shorter=less)


_RECORD = "a record, not its text; the text joins if it is chosen"


def _ended(work: Work, chosen: Chosen) -> Outcome:
    if not chosen.files:
        told = "\n".join(f"- {phrase}" for phrase in chosen.dropped)
        return Stop("refused", f"The model named no file of this folder.\n{told}".strip())
    sessions, turn = work.tools.sessions, work.turn
    kept = (path for path in sessions.files(turn.session).read_only if path not in chosen.paths)
    sessions.set_files(turn.session, chosen.paths, tuple(kept))
    text = worded(chosen)
    work.answer = text
    work.tools.emit(Said(text))
    return Done(text)


def worded(chosen: Chosen) -> str:
    """The answer of this mode."""
    rows = (f"- `{path}`: {why}" if why else f"- `{path}`" for path, why in chosen.files)
    text = "\n".join(("In the chat for this request, from now on:", "", *rows))
    if chosen.dropped:
        text += "\n\nNot taken: " + "; ".join(chosen.dropped) + "."
    return text


# --- the answer


def _read(answer: str, work: Work) -> Chosen:
    """The files that `answer` lists, as far as they exist and fit."""
    snapshot, paths = work.snapshot, work.snapshot.paths()
    found: dict[str, str] = {}
    dropped: dict[str, None] = {}
    for name, reason in _listed(answer):
        path = meant(name, paths)
        if path is not None:
            found.setdefault(path, reason)
        elif "." in name or "/" in name:
            dropped[f"{name} {_why_not(name, snapshot)}"] = None
    if not found:
        found = {one.path: "" for one in mentions(answer, paths)}
    return _fitting(found, tuple(dropped), work)


def _listed(answer: str) -> Iterator[tuple[str, str]]:
    for line in answer.split("\n"):
        item = _ITEM.fullmatch(line[:_LONGEST].rstrip())
        if item is None:
            continue
        at = _REASON.search(item[1])
        end, behind = (at.start(), at.end()) if at else (len(item[1]), len(item[1]))
        yield item[1][:end].strip("`*\"' "), item[1][behind:].strip()


def _why_not(name: str, snapshot: Snapshot) -> str:
    if unsafe(name):
        return "(outside the folder)"
    if snapshot.on_disk(name) is None:
        return "(no such file)"
    return "(under ignore rules)" if snapshot.ignored(name) else "(not in the index)"


def _fitting(found: dict[str, str], dropped: tuple[str, ...], work: Work) -> Chosen:
    """The first files that fit into half of the window together."""
    room = work.model.info.window // 2
    files: list[tuple[str, str]] = []
    left = list(dropped)
    for path, reason in found.items():
        document = work.snapshot.document(path)
        tokens = estimate(document.text) if document is not None else 0
        if document is None:
            left.append(f"{path} (no text)")
        elif tokens > room or len(files) >= MOST_FILES:
            left.append(f"{path} (does not fit any more: {tokens:,} tokens)")
        else:
            room -= tokens
            files.append((path, reason))
    return Chosen(tuple(files), tuple(left))


class _Quiet:
    """Tells everything of a pass but its words: lists that change with every round are no answer."""

    def __init__(self, work: Work) -> None:
        self._emit = work.tools.emit

    def __call__(self, event: Event) -> None:
        if not isinstance(event, Said) or event.reasoning:
            self._emit(event)
