"""One turn under way: what it sees of the workspace, how a request of it leaves, what a proposal of it is made from.

Knows one pass; how often there is another is the conversation's business.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from pairwright.edits.formats.registry import PARSERS
from pairwright.edits.types import FileChange
from pairwright.engine import selection
from pairwright.engine.answer import Cut, read_answer
from pairwright.engine.budget import Counter, TooLong, too_long
from pairwright.engine.context import Context, Given, Turn, gather, with_chat
from pairwright.engine.door import Manifest, Parcel
from pairwright.engine.draft import Drafts, drafting
from pairwright.engine.events import Done, Drafted, Emit, Proposed, Started, Status, Stop
from pairwright.engine.given import given
from pairwright.engine.recall import Ended, exchange, recall
from pairwright.engine.redaction import told
from pairwright.engine.reply import Scope
from pairwright.engine.session import Frozen
from pairwright.engine.tools import Tools
from pairwright.llm.types import Message, Model, ModelError
from pairwright.memory.chat import Exchange, News
from pairwright.memory.history import Recalled
from pairwright.prompts.build import Chunks
from pairwright.workspace.types import Snapshot


@dataclass(frozen=True, slots=True)
class Sight:
    """How much a request sees beside its files. `history`: what was said before. `map_tokens`: of its map, None = as
    set. `keeps_map`: it shares the conversation's map. `is_editor`: its edits were agreed before."""

    history: bool = True
    map_tokens: int | None = None
    keeps_map: bool = True
    is_editor: bool = False


ALL = Sight()
NOTHING_ELSE = Sight(history=False, map_tokens=0, keeps_map=False, is_editor=True)


class Work:
    """`answer`: what the history keeps of the turn; empty: the text of the outcome. `context` and `snapshot` are
    those of the last `gather`. One writer: the task of the turn."""

    def __init__(
        self,
        turn: Turn,
        snapshot: Callable[[], Snapshot],
        model: Model,
        tools: Tools,
        sight: Sight = ALL,
    ) -> None:
        self.turn = turn
        self.model = model
        self.tools = tools
        self.answer = ""
        self.snapshot = snapshot()
        self.context: Context
        self.now = snapshot
        self.sight = sight
        self._bounds: dict[str, tuple[int, int]] = {}
        self._given: Given | None = None
        self._frozen: Frozen | None = None
        self._looked: dict[str, bool] = {}
        self._news = News()
        self._edited: tuple[str, ...] = ()

    def peek(self) -> None:
        """See what the conversation sees, and leave it as it is."""
        if self.sight.keeps_map:
            self.sight = replace(self.sight, keeps_map=False)
            self._frozen = self.tools.sessions.frozen(self.turn.session)

    async def gather(self) -> None:
        """Take what the workspace says now."""
        turn, sessions, info = self.turn, self.tools.sessions, self.model.info
        self.snapshot = self.now()
        sight, chat = self.sight, await sessions.opened(turn.session)
        frozen = sessions.frozen(turn.session) if sight.keeps_map else self._frozen
        if self._given is None:
            turn = with_chat(turn, chat.files.editable, chat.files.read_only)
            # The words of an editor's request are a model's: what they name is not the user's wish.
            words = "" if sight.is_editor else turn.instruction
            self._given = await given(turn, words, self.tools, info)
        beside = self._given

        measure = Counter(self.model).measure()

        def gathered() -> Context:
            recalled, asked = Recalled(), sight.map_tokens
            if sight.history:
                recalled, self._news = recall(chat, self.snapshot, info)
            if asked is None:
                asked = self.tools.settings.map.tokens
            return gather(turn, self.snapshot, info, asked, recalled, frozen, measure, beside)

        self.context = _agreed(await asyncio.to_thread(gathered), sight)
        self._bounds = await asyncio.to_thread(self._bounded)
        self._frozen = self.context.frozen
        if sight.keeps_map and self._frozen is not frozen:
            sessions.freeze(turn.session, self._frozen)
            if reason := self._frozen.map.reason:
                self.tools.emit(Status(reason))
        self.turn = replace(turn, fresh=False)

    async def refresh(self) -> None:
        """Take the texts as they are now, if the user went on typing. The selection keeps its place only in
        the text it was made in."""
        now = self.now()
        for path, document in self.context.documents.items():
            if path in self.context.foreign:
                continue
            newer = await asyncio.to_thread(now.document, path)
            if newer is None or newer.digest != document.digest:
                if path == self.turn.path:
                    self.turn = replace(self.turn, selection=None)
                await self.gather()
                return

    def join(self, paths: Iterable[str]) -> None:
        """Show these files for reference from the next `gather` on."""
        requested = (*self.turn.requested, *paths)
        self.turn = replace(self.turn, requested=tuple(dict.fromkeys(requested)))

    def open(self, paths: Sequence[str]) -> None:
        """Let these files be changed from the next `gather` on."""
        kept = tuple(path for path in self.turn.requested if path not in paths)
        self.turn = replace(self.turn, chat=(*self.turn.chat, *paths), requested=kept)

    def looked_at(self, paths: Iterable[str], *, is_record: bool = False) -> None:
        """Text of these files, or their records, stands in what is said to the model."""
        for path in paths:
            # Where both do, it is lines that count.
            self._looked[path] = is_record and self._looked.get(path, True)

    @property
    def look_ups(self) -> int:
        """How often the model of this turn may look something up."""
        settings = self.tools.settings.turn
        return 0 if self.model.info.small or not self.turn.may_look else settings.look_ups

    def _bounded(self) -> dict[str, tuple[int, int]]:
        """An edit of a selection changes it and the definition around it, nothing else of its file."""
        path, chosen = self.turn.path, self.turn.selection
        document = self.context.documents.get(path or "")
        if self.turn.mode != "edit" or document is None or path is None:
            return {}
        if chosen is None or chosen[0] >= chosen[1]:
            return {}
        return {path: selection.bounds(document, self.snapshot.tags(path), *chosen)}

    # --- a request

    def asking(self, feedback: tuple[Message, ...]) -> Parcel:
        """The request with the corrections so far."""
        context = self.context
        return self.parcel(
            self._chunks(context.chunks, feedback), self._chunks(context.shorter, feedback)
        )

    def parcel(self, chunks: Chunks, shorter: Chunks | None = None) -> Parcel:
        """`chunks` with what the door wants to know of them."""
        context = self.context
        return Parcel(
            chunks,
            shorter or chunks,
            context.documents,
            {**context.sources, "reflection": tuple(self._looked)},
            context.why,
            context.refused,
            self.turn.session,
            maps=context.maps,
            foreign=context.foreign,
            records=frozenset(path for path, is_record in self._looked.items() if is_record),
        )

    async def send(
        self, parcel: Parcel, tell: Emit | None = None
    ) -> tuple[str | Cut, Manifest] | Stop:
        """One answer and what was sent for it; `tell` hears its pieces. A prompt that the provider itself finds
        too long is made shorter once. Raises ModelError."""
        tell = tell or self.telling(parcel)
        below: TooLong | None = None
        keep = self.tools.keep
        if keep is not None:
            keep.stop(self.turn.session)
        while True:
            ready = await self.tools.door.prepare(
                self.model,
                parcel,
                self.snapshot,
                ask=self.tools.ask,
                max_output=self.tools.settings.model.max_output,
                below=below,
            )
            if isinstance(ready, Stop):
                return ready
            manifest = ready.manifest
            cost = manifest.costs[0] if manifest.costs else None
            self.tools.emit(Started(self.model.info.name, manifest.tokens, cost))
            for note in ready.notes:
                self.tools.emit(Status(note))
            if manifest.left_out:
                self.tools.emit(Status(f"left out to fit: {', '.join(manifest.left_out)}"))
            if manifest.hidden:
                self.tools.emit(Status(told(manifest.hidden)))
            try:
                answer = await read_answer(self.tools.door.send(ready), tell)
            except ModelError as error:
                if error.kind != "context":
                    raise
                refused = TooLong.of(manifest.total, error)
                if below is not None:
                    return Stop("budget", too_long(below, refused))
                self.tools.emit(Status("the model found the prompt too long; sending less"))
                below = refused
                continue
            if keep is not None:
                keep.answered(self.turn.session, ready)
            return answer, manifest

    def _chunks(self, chunks: Chunks, feedback: tuple[Message, ...]) -> Chunks:
        focus = chunks.focus
        if focus and self._bounds:
            focus = f"{focus}\n\n{_ONLY}"
        return replace(chunks, feedback=feedback, focus=focus, look_ups=self.look_ups)

    def telling(self, parcel: Parcel) -> Emit:
        """Where the pieces of an answer go; those of an edit are shown as hunks on their way."""
        emit, path = self.tools.emit, self.turn.path
        if self.turn.mode != "edit":
            return emit
        chosen = self.context.region
        if parcel.grammar and chosen is not None and path is not None:
            emit(Drafted(path, chosen.first, chosen.text, "", grows=True))
            return emit
        return drafting(emit, Drafts(self.context.chunks.format, self.context.documents))

    # --- what comes of it

    def scope(self, manifest: Manifest) -> Scope:
        """What a reply to the request of `manifest` may refer to."""
        turn = self.turn
        within = {turn.path: turn.selection} if turn.path and turn.selection else {}
        form = self.context.chunks.format
        documents, bounds = self.context.documents, self._bounds
        return Scope(self.snapshot, documents, manifest, within, form, bounds=bounds)

    def proposed(
        self,
        changes: Sequence[FileChange],
        text: str,
        shell: tuple[str, ...] = (),
        missing: tuple[str, ...] = (),
    ) -> Done:
        """The end of a turn with a proposal of `changes`."""
        proposal = self.tools.propose(changes, self.snapshot, missing)
        self._edited = tuple(change.path for change in changes)
        self.tools.emit(Proposed(proposal))
        return Done(text, proposal, shell, missing)

    def adopt(self, other: Work) -> None:
        """The edits of this turn are those of `other`."""
        self._edited = other._edited

    def tells_nothing(self) -> None:
        """The request goes without what became of earlier edits: the next one has to tell it."""
        self._news = News()

    def remembered(self, outcome: Done) -> Exchange:
        """What the conversation keeps of a turn that ended with `outcome`. Reads the answer: run it in a thread."""
        turn = self.turn
        # An answer put together here is written as SEARCH/REPLACE blocks.
        form = "diff" if self.answer else self.context.chunks.format
        ended = Ended(
            turn.instruction,
            self.answer or outcome.text,
            turn.mode,
            self.model.info.name,
            form if turn.mode == "edit" else "",
            outcome.proposal or "",
            self._edited,
            tuple(self.context.documents),
        )
        return exchange(ended, self._news)


def _agreed(context: Context, sight: Sight) -> Context:
    """`context` with the edit format of an editor, where that has a form of its own."""
    form = f"editor-{context.chunks.format}"
    if not sight.is_editor or form not in PARSERS:
        return context
    return replace(
        context,
        chunks=replace(context.chunks, format=form),
        shorter=replace(context.shorter, format=form),
    )


_ONLY = "In this file change only the selected lines, or the definition they stand in."
