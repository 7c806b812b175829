"""The turn: one request to a model and what follows from its answer.

A loop with a cap: the answer is read and planned against the texts that stood in the prompt; what fails goes back
with the real lines, and the same failure twice in a row ends it. The outcome is returned; a cancelled task closes
the stream at once. Failures of ours are never shown to the model.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pairwright.config.schema import Settings
from pairwright.edits.types import Block, FileChange
from pairwright.engine import selection
from pairwright.engine.answer import Cut, read_answer
from pairwright.engine.budget import Counter
from pairwright.engine.context import SMALL_FILE, Context, Turn, gather, language
from pairwright.engine.door import Ask, Door, Manifest, Parcel
from pairwright.engine.draft import Drafts, drafting
from pairwright.engine.events import (
    Done,
    Drafted,
    Emit,
    Outcome,
    Proposed,
    Reflected,
    Retry,
    Started,
    Status,
    Stop,
)
from pairwright.engine.ports import Models
from pairwright.engine.redaction import told
from pairwright.engine.reply import Judged, Scope, judge, plan_shown, salvaged
from pairwright.engine.selection import Region
from pairwright.engine.session import Sessions
from pairwright.llm.types import Message, Model, ModelError
from pairwright.memory.history import SMALL_CAP, Exchange, cap, recent
from pairwright.prompts.build import Chunks, merged
from pairwright.text.estimate import estimate
from pairwright.workspace.types import Snapshot

__all__ = ["Propose", "Tools", "Turn", "run"]

Propose = Callable[[Sequence[FileChange], Snapshot, Sequence[str]], str]


@dataclass(frozen=True, slots=True)
class Tools:
    """What a turn works with. `propose` stores a proposal of changes planned on a snapshot, with what is missing
    from it; its id."""

    settings: Settings
    models: Models
    door: Door
    sessions: Sessions
    emit: Emit
    ask: Ask
    propose: Propose


async def run(turn: Turn, snapshot: Callable[[], Snapshot], tools: Tools) -> Outcome:
    """Carry out `turn`. Raises only what is our own fault, and CancelledError."""
    try:
        model = await tools.models.get("main")
        work = _Work(turn, snapshot, model, tools)
        await work.gather()
        outcome = await work.run()
    except ModelError as error:
        return Stop("model", error.message)
    if isinstance(outcome, Done):
        tools.sessions.add(turn.session, Exchange(turn.instruction, work.answer or outcome.text))
    return outcome


class _Work:
    """One turn under way. `answer`: what the history keeps of it."""

    def __init__(
        self, turn: Turn, snapshot: Callable[[], Snapshot], model: Model, tools: Tools
    ) -> None:
        self.turn = turn
        self.model = model
        self.tools = tools
        self.answer = ""
        self._now = snapshot
        self._snapshot = snapshot()
        self._context: Context
        self._bounds: dict[str, tuple[int, int]] = {}

    async def gather(self) -> None:
        """Take what the workspace says now."""
        turn, sessions, info = self.turn, self.tools.sessions, self.model.info
        self._snapshot = self._now()
        exchanges, frozen = sessions.exchanges(turn.session), sessions.frozen(turn.session)

        measure = Counter(self.model).measure()

        def gathered() -> Context:
            limit = SMALL_CAP if info.small else cap(info.window)
            recalled = recent(exchanges, limit, estimate)
            asked = self.tools.settings.map.tokens
            return gather(turn, self._snapshot, info, asked, recalled, frozen, measure)

        self._context = await asyncio.to_thread(gathered)
        self._bounds = await asyncio.to_thread(self._bounded)
        if self._context.frozen is not frozen:
            sessions.freeze(turn.session, self._context.frozen)
            if reason := self._context.frozen.map.reason:
                self.tools.emit(Status(reason))
        self.turn = replace(turn, fresh=False)

    def _bounded(self) -> dict[str, tuple[int, int]]:
        """An edit of a selection changes it and the definition around it, nothing else of its file."""
        path, chosen = self.turn.path, self.turn.selection
        document = self._context.documents.get(path or "")
        if self.turn.mode != "edit" or document is None or path is None:
            return {}
        if chosen is None or chosen[0] >= chosen[1]:
            return {}
        return {path: selection.bounds(document, self._snapshot.tags(path), *chosen)}

    def _chunks(self, chunks: Chunks, feedback: tuple[Message, ...]) -> Chunks:
        focus = chunks.focus
        if focus and self._bounds:
            focus = f"{focus}\n\n{_ONLY}"
        return replace(chunks, feedback=feedback, focus=focus)

    async def run(self) -> Outcome:
        turn, context, info = self.turn, self._context, self.model.info
        if turn.path and turn.path not in context.documents:
            return Stop("refused", f"{'; '.join(context.refused)}.")
        for reason in context.refused:
            self.tools.emit(Status(f"left out: {reason}"))
        if turn.mode == "edit" and info.small:
            if turn.selection and info.grammar:
                return await self._rewrite()
            sizes = (len(context.documents[path].data) for path in context.editable)
            if context.region is None and sum(sizes) > SMALL_FILE:
                return Stop("refused", self._no_region(None))
        return await self._conversation()

    # --- a request

    async def _send(self, parcel: Parcel) -> tuple[str | Cut, Manifest] | Stop:
        """The whole answer and what was sent for it. A prompt that the provider itself finds too long is made
        shorter once."""
        room: int | None = None
        while True:
            settings = self.tools.settings
            ready = await self.tools.door.prepare(
                self.model,
                parcel,
                self._snapshot,
                ask=self.tools.ask,
                confirm_cost=settings.turn.confirm_cost,
                max_output=settings.model.max_output,
                temperature=settings.model.temperature,
                room=room,
            )
            if isinstance(ready, Stop):
                return ready
            manifest = ready.manifest
            self.tools.emit(Started(self.model.info.name, manifest.tokens))
            if manifest.left_out:
                self.tools.emit(Status(f"left out to fit: {', '.join(manifest.left_out)}"))
            if manifest.hidden:
                self.tools.emit(Status(told(manifest.hidden)))
            try:
                answer = await read_answer(self.tools.door.send(ready), self._telling(parcel))
            except ModelError as error:
                if error.kind != "context" or room is not None:
                    raise
                self.tools.emit(Status("the model found the prompt too long; sending less"))
                room = manifest.total - 1
                continue
            return answer, manifest

    def _telling(self, parcel: Parcel) -> Emit:
        """Where the pieces of an answer go; those of an edit are shown as hunks on their way."""
        emit, chosen, path = self.tools.emit, self._context.region, self.turn.path
        if self.turn.mode != "edit":
            return emit
        if parcel.grammar and chosen is not None and path is not None:
            emit(Drafted(path, chosen.first, chosen.text, "", grows=True))
            return emit
        return drafting(emit, Drafts(self.model.info.format, self._context.documents))

    def _parcel(self, chunks: Chunks, shorter: Chunks | None = None) -> Parcel:
        context = self._context
        return Parcel(
            chunks,
            shorter or chunks,
            context.documents,
            context.sources,
            context.why,
            context.refused,
            self.turn.session,
            maps=context.maps,
        )

    # --- chat and free edits

    async def _conversation(self) -> Outcome:
        feedback: tuple[Message, ...] = ()
        kept: tuple[Block, ...] = ()
        last: Retry | None = None
        for left in range(self.tools.settings.turn.reflections, -1, -1):
            chunks = self._chunks(self._context.chunks, feedback)
            shorter = self._chunks(self._context.shorter, feedback)
            sent = await self._send(self._parcel(chunks, shorter))
            if isinstance(sent, Stop):
                return sent
            answer, manifest = sent
            if isinstance(answer, Cut):
                return Stop("truncated", answer.message, answer.text)
            if self.turn.mode == "ask":
                return Done(answer)
            scope = self._scope(manifest)
            judged = await asyncio.to_thread(judge, answer, kept, scope)
            if judged.retry is None:
                return self._finished(answer, judged, bool(kept))
            if stopped := _ended(judged.retry, last, left, answer):
                # A corrected reply that still misses may be shown as a guess.
                scope = replace(scope, approximate=last is not None)
                rest = await asyncio.to_thread(salvaged, answer, kept, scope)
                is_mended = bool(kept or rest.missing)
                return stopped if rest.retry else self._finished(answer, rest, is_mended)
            kept, last = judged.kept, judged.retry
            self.tools.emit(Reflected(last.reason, last.feedback))
            said = (Message("assistant", answer), Message("user", last.feedback))
            feedback = merged((*feedback, *said))
            await self._refresh()
        raise AssertionError("the last pass always returns")

    def _scope(self, manifest: Manifest) -> Scope:
        turn = self.turn
        within = {turn.path: turn.selection} if turn.path and turn.selection else {}
        form = self.model.info.format
        documents, bounds = self._context.documents, self._bounds
        return Scope(self._snapshot, documents, manifest, within, form, bounds=bounds)

    async def _refresh(self) -> None:
        """Show the model the texts as they are now, if the user went on typing. The selection keeps its
        place only in the text it was made in."""
        now = self._now()
        for path, document in self._context.documents.items():
            newer = await asyncio.to_thread(now.document, path)
            if newer is None or newer.digest != document.digest:
                if path == self.turn.path:
                    self.turn = replace(self.turn, selection=None)
                await self.gather()
                return

    def _finished(self, answer: str, judged: Judged, is_mended: bool) -> Done:
        """The end of an edit. After reflections the history keeps all blocks, not the last reply's only."""
        if not judged.changes:
            return Done(answer, shell=judged.shell)
        if is_mended:
            self.answer = "\n\n".join(map(selection.shown, judged.blocks))
        return self._proposed(judged.changes, answer, judged.shell, judged.missing)

    def _proposed(
        self,
        changes: Sequence[FileChange],
        text: str,
        shell: tuple[str, ...] = (),
        missing: tuple[str, ...] = (),
    ) -> Done:
        proposal = self.tools.propose(changes, self._snapshot, missing)
        self.tools.emit(Proposed(proposal))
        return Done(text, proposal, shell, missing)

    # --- the small model

    async def _rewrite(self) -> Outcome:
        """The selected lines rewritten: SEARCH is ours, the model writes the new lines."""
        turn, chosen, name = self.turn, self._context.region, self.model.info.name
        if chosen is None or turn.path is None or turn.path not in self._context.editable:
            return Stop("refused", self._no_region(chosen))
        chunks = replace(
            self._context.chunks,
            mode="rewrite",
            history=(),
            facts=(),
            focus="",
            begun=selection.begun(chosen, language(turn.path)),
        )
        parcel = replace(
            self._parcel(chunks),
            grammar=selection.grammar(chosen),
            output=2 * estimate(chosen.text) + 256,
        )
        sent = await self._send(parcel)
        if isinstance(sent, Stop):
            return sent
        answer, manifest = sent
        text = answer.text if isinstance(answer, Cut) else answer
        block = selection.block(turn.path, chosen, text)
        if isinstance(answer, Cut) or block is None:
            message = (
                "The new lines were cut off before their end; nothing was changed. Select less."
            )
            return Stop("truncated", message, text)
        if block.replace == block.search:
            message = f"{name} wrote the lines back unchanged. Say more exactly what to change."
            return Stop("refused", message, text)
        planned = await asyncio.to_thread(plan_shown, (block,), self._rewritten(manifest, chosen))
        if planned.problems:
            reasons = "\n".join(problem.message for problem in planned.problems)
            return Stop("refused", reasons, text)
        return self._proposed(planned.changes, selection.shown(block))

    def _rewritten(self, manifest: Manifest, chosen: Region) -> Scope:
        scope = self._scope(manifest)
        within = {self.turn.path or "": (chosen.start, chosen.end)}
        return replace(scope, within=within)

    def _no_region(self, chosen: Region | None) -> str:
        name, path = self.model.info.name, self.turn.path
        if chosen is not None:
            return f"{path} is in the chat read-only, so it is not changed."
        what = "fewer lines" if self.turn.selection else "the lines to change"
        return (
            f"{name} rewrites at most {selection.MOST_LINES} lines or {selection.MOST_BYTES:,} "
            f"bytes at once: select {what}, or choose a larger model."
        )


_ONLY = "In this file change only the selected lines, or the definition they stand in."


def _ended(retry: Retry, last: Retry | None, left: int, answer: str) -> Stop | None:
    """Why there is no further try."""
    if last is not None and (last.reason, last.signature) == (retry.reason, retry.signature):
        lead = (
            "The model made the same mistake twice, so it was not asked again. Nothing was changed."
        )
        return Stop("repeated", f"{lead}\n{retry.feedback}", answer)
    if left == 0:
        lead = "No usable edit after the last correction. Nothing was changed."
        return Stop("exhausted", f"{lead}\n{retry.feedback}", answer)
    return None
