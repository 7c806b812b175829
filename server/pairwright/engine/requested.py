"""What a reply wants beside what it says: files it asks for, look-ups, leave to change what was shown for reading.

A file of the index that fits is shown without a question, since the model may read what a map may name; what is
large, and every change of a file that the user did not put into the chat, is the user's to allow. Valid edits in
the same reply are kept whatever comes of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pairwright.edits.formats.registry import read
from pairwright.edits.looks import MOST, Look, Wishes
from pairwright.edits.mentions import mentions
from pairwright.edits.paths import Found, Resolver
from pairwright.edits.types import Block
from pairwright.engine.events import Looked, Retry, Status
from pairwright.engine.explore import Answered, Serve, look_up
from pairwright.engine.reply import Judged, Scope, targets, unsent
from pairwright.engine.serve import Need, Served, serve
from pairwright.engine.work import Work
from pairwright.graph.focus import mentioned_paths
from pairwright.text.estimate import estimate
from pairwright.workspace.types import Snapshot

MOST_FILES = 5
"""Files that one reply may ask for."""
FILE_ROOM = 8_000
LOOK_ROOM = 4_000
"""Tokens of a turn's requested files, and of the answers to one look-up; a fraction of a small window."""
ADD, LEAVE, SHOW = "Add to the chat", "Leave it", "Show"


@dataclass(frozen=True, slots=True)
class _Granted:
    answers: tuple[Answered, ...]
    paths: tuple[str, ...]


class Requests:
    """Those of one turn. `rounds`: look-ups that are left. One writer: the task of the turn."""

    def __init__(self, work: Work) -> None:
        info = work.model.info
        self._work = work
        self._rounds = work.look_ups
        self.rounds = self._rounds
        self._room = min(FILE_ROOM, info.window // 4)
        self._declined: set[str] = set()
        self._recorded: set[str] = set()
        self._is_stale = False

    async def settle(self) -> None:
        """Bring the context up to what was granted, before the next request."""
        if self._is_stale:
            self._is_stale = False
            await self._work.gather()
        else:
            await self._work.refresh()

    # --- leave to edit

    async def allowed(self, text: str, scope: Scope) -> Scope | None:
        """`scope` with the files that `text` changes, that were shown because the model asked for them, and that
        the user lets be changed; None if there is none."""
        asked = self._work.turn.requested
        if not asked:
            return None
        wanted = [p for p in await asyncio.to_thread(_files, text, scope) if p in asked]
        opened = []
        for path in wanted:
            question = f"The model wants to change {path}, which is not in the chat. Let it?"
            if path in self._declined:
                continue
            if await self._work.tools.ask(question, (ADD, LEAVE)) == ADD:
                opened.append(path)
            else:
                self._declined.add(path)
        if not opened:
            return None
        self._work.open(opened)
        self._is_stale = True
        self._keep(opened)
        return _editable(scope, opened)

    def _keep(self, opened: Sequence[str]) -> None:
        """The conversation goes on with these files in its chat."""
        sessions, session = self._work.tools.sessions, self._work.turn.session
        files = sessions.files(session)
        editable = tuple(dict.fromkeys((*files.editable, *opened)))
        kept = tuple(path for path in files.read_only if path not in opened)
        sessions.set_files(session, editable, kept)

    # --- more to see

    async def more(
        self, wished: Wishes, judged: Judged | None, scope: Scope | None, left: int
    ) -> Retry | None:
        """What the next request has to say if this reply gets to see more. `judged`, `scope`: of an edit. `left`:
        corrections that are left, of which a file takes one."""
        looks = wished.looks if self.rounds else ()
        paths = await asyncio.to_thread(self._wanted, wished, judged, scope) if left else ()
        granted = await self._granted(looks, paths)
        unread = wished.unread if self.rounds else ()
        if not granted.answers and not granted.paths and not unread:
            return None
        if looks or unread:
            self._count(granted.answers)
        return self._retry(granted, unread, wished, judged, left)

    def _wanted(
        self, wished: Wishes, judged: Judged | None, scope: Scope | None
    ) -> tuple[str, ...]:
        """The files that the reply asks for: those its edits are about and that were not shown, those a sentence
        asks to see, and those it says must change; where an edit is wanted and none came, those it names. An answer
        that advises a change asks for nothing. Reads the index: run it in a thread."""
        work = self._work
        shown = work.context.documents
        edited = _files(wished.rest, scope) if scope else ()
        unseen = [p for p in edited if p not in shown and _has_text(p, work.snapshot)]
        paths = work.snapshot.paths()
        has_edit = judged is None or bool(judged.blocks or judged.kept or judged.retry)
        all_count = not has_edit and not any(words in wished.rest.lower() for words in _NO_CHANGE)
        edits = work.turn.mode != "ask"
        said = [
            one.path
            for one in mentions(wished.rest, paths)
            if all_count or one.asks or (one.changes and edits)
        ]
        known = frozenset(paths)
        found = (p for p in (*unseen, *said) if p in known and p not in shown)
        return tuple(dict.fromkeys(p for p in found if p not in self._declined))[:MOST_FILES]

    async def _granted(self, looks: Sequence[Look], paths: Sequence[str]) -> _Granted:
        work = self._work
        room = min(LOOK_ROOM, work.model.info.window // 8)
        shown = frozenset(work.context.documents)
        answers = await asyncio.to_thread(
            look_up, looks, work.snapshot, shown, room, self._serving()
        )
        self._recorded.update(path for one in answers if one.is_record for path in one.paths)
        joins = dict.fromkeys(answer.joins for answer in answers if answer.joins)
        for path in paths:
            if path not in joins and await self._may_join(path):
                joins[path] = None
        if joins:
            work.join(joins)
            self._is_stale = True
        for answer in answers:
            work.looked_at(answer.paths, is_record=answer.is_record)
        return _Granted(answers, tuple(joins))

    def _serving(self) -> Serve:
        """A question is first answered by the record of a file, and by its text when it is asked for again. What is
        to be edited, and what the user names, is shown as it stands."""
        work = self._work
        if work.turn.mode != "ask":
            return lambda path, room: None
        records, known = work.tools.notebook.at(work.snapshot), work.snapshot.paths()
        named = frozenset(one.path for one in mentions(work.turn.instruction, known))

        def served(path: str, room: int) -> Served | None:
            is_wanted = path in named or path in self._recorded
            return None if is_wanted else serve(records, path, Need(), room)

        return served

    async def _may_join(self, path: str) -> bool:
        """Whether the file is shown: at once while there is room, else as the user says."""
        work = self._work
        tokens = await asyncio.to_thread(_size, path, work.snapshot)
        if tokens is None:
            work.tools.emit(Status(f"the model asks for {path}, which cannot be shown"))
            self._declined.add(path)
            return False
        if tokens <= self._room:
            self._room -= tokens
            return True
        question = f"The model asks for {path}, about {tokens:,} tokens. Show it?"
        if await work.tools.ask(question, (SHOW, LEAVE)) == SHOW:
            return True
        self._declined.add(path)
        return False

    # --- words

    def _count(self, answers: Sequence[Answered]) -> None:
        self.rounds -= 1
        wishes = tuple((answer.asked, answer.found) for answer in answers)
        self._work.tools.emit(Looked(wishes, self._rounds - self.rounds, self._rounds))

    def _retry(
        self,
        granted: _Granted,
        unread: Sequence[str],
        wished: Wishes,
        judged: Judged | None,
        left: int,
    ) -> Retry:
        parts = [answer.text for answer in granted.answers]
        parts += [_UNREAD.format(line, MOST) for line in unread]
        asked = [p for p in granted.paths if p not in {a.joins for a in granted.answers}]
        if asked:
            parts.append(_SHOWN.format(", ".join(asked)))
        if wished.looks and not self.rounds:
            parts.append(_LAST)
        failed = judged.retry if judged is not None else None
        if judged is not None and _all_about(judged, granted.paths):
            failed = None
        if failed is not None:
            parts.append(failed.feedback)
        elif judged is not None and (judged.blocks or judged.kept):
            parts.append(_KEPT)
        parts.append(_GO_ON)
        feedback = "\n\n".join(parts)
        if failed is not None and left:
            return Retry(failed.reason, feedback, failed.signature)
        signature = "\n".join((*granted.paths, *(a.asked for a in granted.answers)))
        if wished.looks or unread:
            return Retry("looked-up", feedback, signature)
        return Retry("file-requested", feedback, signature)


_UNREAD = "`{}` could not be read as a line of a look block, or was one of more than {}."
_SHOWN = (
    "Shown now among the files you asked for: {}. If one of them has to change, send its edits too."
)
_LAST = "That was the last look-up of this request: answer now with what you have."
_KEPT = "The edits of your last reply are kept: do not send them again, only what is still missing."
_GO_ON = "Go on with the request."


def offered(request: str, snapshot: Snapshot, shown: Sequence[str]) -> tuple[str, ...]:
    """The files that `request` names and that are not shown with it."""
    likely = mentioned_paths(request, snapshot.paths())
    found = mentions(request, likely) if likely else ()
    return tuple(one.path for one in found if one.path not in shown)


_NO_CHANGE = ("no change", "no edit", "nothing has to", "nothing needs", "not need to change")


def _size(path: str, snapshot: Snapshot) -> int | None:
    """Tokens of a file; None if it may not be shown."""
    document = None if snapshot.ignored(path) else snapshot.document(path)
    return estimate(document.text) if document is not None else None


def _has_text(path: str, snapshot: Snapshot) -> bool:
    """Whether there is anything at `path` to be shown."""
    target = unsent(path, snapshot)
    return target is not None and target.data is None


def _files(text: str, scope: Scope) -> tuple[str, ...]:
    """The files that exist and that the blocks of `text` are about."""
    blocks = read(text, scope.format, tuple(scope.documents)).blocks
    return tuple(dict.fromkeys(path for path in _resolved(blocks, scope) if path))


def _resolved(blocks: Sequence[Block], scope: Scope) -> list[str]:
    held = targets(blocks, scope)
    resolver = Resolver(held, tuple(scope.documents))
    found = []
    for block in blocks:
        if block.path is None:
            continue
        place = resolver.resolve(
            block.path, creates=block.operation == "replace" and not block.search
        )
        if isinstance(place, Found) and place.exists:
            found.append(place.path)
    return found


def _editable(scope: Scope, paths: Sequence[str]) -> Scope:
    sent = tuple(
        replace(file, editable=True) if file.path in paths else file
        for file in scope.manifest.files
    )
    return replace(scope, manifest=replace(scope.manifest, files=sent))


def _all_about(judged: Judged, paths: Sequence[str]) -> bool:
    """Whether all that failed is about files that were not shown and are now."""
    return bool(judged.problems) and all(problem.path in paths for problem in judged.problems)
