"""The engine's state of one workspace folder: proposals, checkpoints, chats, running turns.

Built at the first request that needs it, so that starting the server loads neither dulwich nor the engine.
Maps the engine's events to progress and to `pairwright/chat/delta`.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from pairwright.checkpoints.place import folder_of
from pairwright.checkpoints.repo import Store
from pairwright.checkpoints.types import CheckpointError, Limits
from pairwright.config.load import environment
from pairwright.config.paths import data_dir
from pairwright.edits.diff import diff
from pairwright.edits.types import FileChange
from pairwright.engine.accept import Desk
from pairwright.engine.context import Turn
from pairwright.engine.door import Door
from pairwright.engine.events import (
    Done,
    Drafted,
    Event,
    Outcome,
    Proposed,
    Reflected,
    Said,
    Started,
    Status,
    Stop,
    Used,
)
from pairwright.engine.journal import FolderJournal
from pairwright.engine.pasted import pasted
from pairwright.engine.proposals import Proposal
from pairwright.engine.proposals_store import Proposals
from pairwright.engine.refine import View
from pairwright.engine.session import Sessions
from pairwright.engine.turn import Tools, run
from pairwright.lsp.commits import Commits
from pairwright.lsp.documents import Root
from pairwright.lsp.editor import ClientEditor
from pairwright.lsp.saves import Saves
from pairwright.lsp.session import Session
from pairwright.prompts.build import template
from pairwright.workspace.types import Snapshot

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as a handler understood it. `selection`: bytes of `path`. `comment`: bytes of the AI
    comment that asked, which the edit takes out. `fresh`: make the session's map anew. `refines`: the proposal
    that the request is about, `hunk` the one of its hunks. Mode `apply`: `instruction` is a pasted reply."""

    mode: Literal["ask", "edit", "apply"]
    instruction: str
    root: str
    path: str | None = None
    selection: tuple[int, int] | None = None
    chat: tuple[str, ...] = ()
    read_only: tuple[str, ...] = ()
    session: str = ""
    comment: tuple[int, int] | None = None
    fresh: bool = False
    refines: str = ""
    hunk: str = ""


@dataclass(frozen=True, slots=True)
class Running:
    """A turn in flight."""

    id: str
    mode: str
    instruction: str
    task: asyncio.Task[Any]


class Workbench:
    """Changed on the loop only."""

    def __init__(self, session: Session, root: Root) -> None:
        data = data_dir(environment())
        folder = folder_of(data, root.path)
        self.session = session
        self.root = root
        self.proposals = Proposals(
            FolderJournal(data / "proposals" / folder.name),
            lambda: secrets.token_hex(2),
            session.renew_lenses,
        )
        self.editor = ClientEditor(session, root)
        self.saves = Saves(time.monotonic)
        self.desk = Desk(
            proposals=self.proposals,
            snapshot=self.snapshot,
            editor=self.editor,
            store=Store(folder, root.path),
            now=time.time,
            announce=self.editor.announce,
            recorded=self._recorded,
        )
        self.door = Door(lambda: session.settings.privacy)
        self.commits = Commits(session, self)
        self.chats = Sessions()
        self.running: dict[str, Running] = {}
        self.asked_in: dict[str, str] = {}
        """The chat session of each proposal of this process, so that its fate is told there."""
        session.ops.request("prune", self._prune)

    def _recorded(self, checkpoint: str, paths: Sequence[str]) -> None:
        self.saves.accepted(checkpoint, paths)
        self.commits.follow(checkpoint)

    async def _prune(self) -> None:
        keep = self.session.settings.checkpoints
        try:
            limits = Limits(keep.keep_days, keep.keep_count, keep.keep_megabytes * 1_000_000)
            await asyncio.to_thread(self.desk.store.prune, limits, time.time())
        except CheckpointError as error:
            log.warning("old checkpoints stay: %s", error)

    def snapshot(self) -> Snapshot:
        return self.root.host.snapshot()

    async def turn(
        self, ident: str, asked: Asked, report: Callable[[str, int | None], None]
    ) -> Outcome:
        """Run `asked` to its end; a cancelled task closes the model's stream at once."""
        if asked.mode == "apply":
            return await self._pasted(asked)
        emit = _Emitter(self.session, ident, report)
        view, turn = await self._prepared(asked)
        tools = Tools(
            settings=self.session.settings,
            models=self.session.models,
            door=self.door,
            sessions=self.chats,
            emit=emit,
            ask=self.editor.ask,
            propose=lambda changes, snapshot, missing: self._propose(
                asked, changes, snapshot, missing
            ),
        )
        outcome = await run(turn, view, tools)
        emit.flush()
        return outcome

    async def _prepared(self, asked: Asked) -> tuple[Callable[[], Snapshot], Turn]:
        """What the turn sees of the workspace, and the turn. An edit of a file that a proposal waits in sees that
        proposal and refines it."""
        turn = Turn(
            mode="ask" if asked.mode == "ask" else "edit",
            instruction=asked.instruction,
            path=asked.path,
            selection=asked.selection,
            chat=asked.chat,
            read_only=asked.read_only,
            session=asked.session,
            fresh=asked.fresh,
        )
        proposal = self._refined_by(asked)
        if proposal is None:
            return self.snapshot, turn
        refining = await asyncio.to_thread(self._refining, asked, turn, proposal)
        return lambda: View(self.snapshot(), proposal), refining

    def _refined_by(self, asked: Asked) -> Proposal | None:
        if asked.mode != "edit":
            return None
        if asked.refines:
            return self.proposals.get(asked.refines)
        held = self.proposals.holding(asked.path) if asked.path else ()
        return held[-1] if held else None

    def _refining(self, asked: Asked, turn: Turn, proposal: Proposal) -> Turn:
        view = View(self.snapshot(), proposal)
        words = template("refine").replace("{request}", proposal.request)
        chat = tuple(dict.fromkeys((*asked.chat, *view.texts)))
        path, place = asked.path, asked.selection
        if path is not None and place is not None:
            place = view.mapped(path, place)
        for file in proposal.files:
            if asked.hunk in [hunk.id for hunk in file.pending]:
                found = view.span(file, asked.hunk)
                path, place = (file.at, found) if found else (path, place)
        instruction = words.replace("{instruction}", asked.instruction)
        return replace(turn, instruction=instruction, path=path, selection=place, chat=chat)

    async def _pasted(self, asked: Asked) -> Outcome:
        """A reply from anywhere: parsed and planned against the texts of this moment."""
        snapshot = self.snapshot()
        found = await asyncio.to_thread(pasted, asked.instruction, snapshot)
        if found.reasons:
            return Stop("refused", "\n".join(found.reasons), asked.instruction)
        return Done("", self._propose(asked, found.changes, snapshot), found.shell)

    def _propose(
        self,
        asked: Asked,
        changes: Sequence[FileChange],
        snapshot: Snapshot,
        missing: Sequence[str] = (),
    ) -> str:
        if asked.comment and asked.path:
            if isinstance(snapshot, View):
                comment = snapshot.mapped(asked.path, asked.comment)
                asked = replace(asked, comment=comment)
            changes = [without_comment(c, asked) if c.path == asked.path else c for c in changes]
        if isinstance(snapshot, View):
            return self.proposals.refine(snapshot, changes, missing).id
        words = asked.instruction.strip().splitlines()
        note = words[0] if words and asked.mode != "apply" else "pasted reply"
        ident = self.proposals.propose(changes, note, snapshot, time.time(), missing).id
        self.asked_in[ident] = asked.session
        return ident

    def summary(self, ident: str) -> str:
        """One line about a proposal, with what to do next."""
        proposal = self.proposals.get(ident)
        if proposal is None:
            return "The proposal is gone."
        hunks = sum(len(file.hunks) for file in proposal.files)
        files = ", ".join(file.path for file in proposal.files)
        noun = "hunk" if hunks == 1 else "hunks"
        lacks = (
            f" Incomplete: {len(proposal.missing)} could not be placed." if proposal.missing else ""
        )
        return (
            f"{hunks} {noun} proposed in {files}.{lacks} Code actions there accept or reject them."
        )


def without_comment(change: FileChange, asked: Asked) -> FileChange:
    """`change` that also takes out the AI comment, if the edit left it as it was."""
    if change.before is None or change.after is None or asked.comment is None:
        return change
    comment = change.before[asked.comment[0] : asked.comment[1]]
    if change.after.count(comment) != 1:
        return change
    after = change.after.replace(comment, b"", 1)
    return replace(change, after=after, hunks=diff(change.before, after))


def workbench(session: Session, root: Root) -> Workbench:
    """The workbench of a folder, made at first use."""
    bench = session.benches.get(root.path)
    if bench is None:
        bench = session.benches[root.path] = Workbench(session, root)
    return bench


class _Emitter:
    """Events of one turn to the client. A piece of text goes out at once; those that follow within 8 ms
    are gathered, so that a fast model does not flood the wire and a slow one is not held up."""

    _GATHER = 0.008

    def __init__(
        self, session: Session, ident: str, report: Callable[[str, int | None], None]
    ) -> None:
        self._session = session
        self._ident = ident
        self._report = report
        self._seq = 0
        self._text: list[Said] = []
        self._timer: asyncio.TimerHandle | None = None
        self._said = 0
        self._sent_at = 0.0

    def __call__(self, event: Event) -> None:
        if isinstance(event, Said):
            self._text.append(event)
            self._said += len(event.text)
            if self._timer is None:
                loop = asyncio.get_running_loop()
                wait = self._sent_at + self._GATHER - loop.time()
                if wait <= 0:
                    self.flush()
                else:
                    self._timer = loop.call_later(wait, self.flush)
            return
        self.flush()
        self._send(_delta(event))
        if isinstance(event, Status):
            self._report(event.text, event.percent)
        elif isinstance(event, Reflected):
            self._report(f"asking again: {event.reason}", None)

    def flush(self) -> None:
        """Send what was gathered, text and reasoning apart, in order."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        said, self._text = self._text, []
        self._sent_at = asyncio.get_running_loop().time()
        at = 0
        while at < len(said):
            kind = said[at].reasoning
            end = at
            while end < len(said) and said[end].reasoning == kind:
                end += 1
            text = "".join(piece.text for piece in said[at:end])
            self._send({"kind": "reasoning" if kind else "text", "text": text})
            at = end
        if said:
            self._report(f"answering, {self._said} characters", None)

    def _send(self, delta: dict[str, Any]) -> None:
        if self._session.client.protocol:
            self._seq += 1
            params = {"id": self._ident, "seq": self._seq, **delta}
            self._session.notify("pairwright/chat/delta", params)


def _delta(event: Event) -> dict[str, Any]:
    match event:
        case Started(model, tokens):
            parts = [{"part": name, "tokens": count} for name, count in tokens]
            return {"kind": "started", "model": model, "parts": parts}
        case Status(text, percent):
            return {"kind": "status", "text": text, "percent": percent}
        case Reflected(reason, detail):
            return {"kind": "reflected", "reason": reason, "text": detail}
        case Proposed(proposal):
            return {"kind": "proposed", "proposal": proposal}
        case Drafted():
            return {"kind": "hunk", **asdict(event)}
        case Used(usage):
            return {
                "kind": "usage",
                "prompt": usage.prompt,
                "completion": usage.completion,
                "cached": usage.cached,
                "cost": usage.cost,
            }
        case _:
            return {"kind": "text", "text": ""}
