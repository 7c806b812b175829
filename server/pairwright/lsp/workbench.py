"""The engine's state of one workspace folder: proposals, checkpoints, chats, running turns.

Built at the first request that needs it, so that starting the server loads neither dulwich nor the engine.
Events of a turn go to the client by `lsp.stream`.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from pairwright.checkpoints.place import folder_of
from pairwright.checkpoints.repo import Store
from pairwright.checkpoints.types import CheckpointError, Limits
from pairwright.config.load import environment
from pairwright.config.paths import data_dir
from pairwright.edits.types import FileChange
from pairwright.engine.accept import Desk
from pairwright.engine.checks import Checks, Examiner
from pairwright.engine.context import Turn, TurnMode
from pairwright.engine.diagnostics import Diagnostic
from pairwright.engine.door import Door
from pairwright.engine.events import Done, Emit, Event, Outcome, Stop
from pairwright.engine.journal import FolderJournal
from pairwright.engine.keepalive import KeepAlive
from pairwright.engine.outlook import Outlook, outlook
from pairwright.engine.pasted import pasted
from pairwright.engine.proposals import Proposal
from pairwright.engine.proposals_store import Proposals
from pairwright.engine.records import Notebook, place_of
from pairwright.engine.refine import View
from pairwright.engine.session import Sessions
from pairwright.engine.spend import kept
from pairwright.engine.turn import Tools, run
from pairwright.lsp.ai_comments import Comment, taken_out
from pairwright.lsp.commits import Commits
from pairwright.lsp.documents import Root
from pairwright.lsp.editor import ClientEditor
from pairwright.lsp.notes import Notes
from pairwright.lsp.saves import Saves
from pairwright.lsp.session import Session
from pairwright.lsp.stream import Stream
from pairwright.lsp.suggested import Suggestions
from pairwright.lsp.telling import Telling
from pairwright.memory.shelf import Shelf
from pairwright.memory.store import Store as Kept
from pairwright.prompts.build import template
from pairwright.workspace.run import Commands
from pairwright.workspace.types import Snapshot

if TYPE_CHECKING:
    from pairwright.lsp.tasks import Tasks

log = logging.getLogger(__name__)

_CARRIED = 20
"""Lines of a task that the document of records shows."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as a handler understood it. `selection`: bytes of `path`. `comments`: the AI
    comments that asked, which the edit takes out. `fresh`: make the session's map anew. `refines`: the proposal
    that the request is about, `hunk` the one of its hunks. Mode `apply`: `instruction` is a pasted reply.
    `elsewhere`: see context.Turn."""

    mode: TurnMode | Literal["apply"]
    instruction: str
    root: str
    path: str | None = None
    selection: tuple[int, int] | None = None
    chat: tuple[str, ...] = ()
    read_only: tuple[str, ...] = ()
    session: str = ""
    comments: tuple[Comment, ...] = ()
    fresh: bool = False
    refines: str = ""
    hunk: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()
    urls: tuple[str, ...] = ()
    elsewhere: bool = False
    tests: int = 0
    """Corrections after failed tests that have led here."""


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
        self._tasks: Tasks | None = None
        self.proposals = Proposals(
            FolderJournal(data / "proposals" / folder.name),
            lambda: secrets.token_hex(2),
            self._chosen,
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
        spending = kept(data, root.path, lambda: session.settings.budget)
        self.door = Door(lambda: session.settings.privacy, spending)
        session.closing.append(spending.ledger.close)
        self.keep = KeepAlive(self.door, lambda: session.settings.model.keep_alive)
        session.closing.append(self.keep.close)
        self.commits = Commits(session, self)
        self.chats = Sessions(
            Kept(data / "sessions" / folder.name), lambda: session.settings.history.persist
        )
        self.notebook = Notebook(
            Shelf(place_of(data, root.path)), lambda: session.settings.history.persist
        )
        session.closing.append(self.notebook.close)
        self.telling = Telling(self)
        self.notes = Notes(self)
        self.running: dict[str, Running] = {}
        self.asked_in: dict[str, str] = {}
        """The conversation of each proposal of this process, so that its fate is told there."""
        self.tested: dict[str, int] = {}
        """How many failures of tests led to each proposal."""
        self.suggested = Suggestions()
        session.ops.request("prune", self._prune)

    @property
    def tasks(self) -> Tasks:
        """The long tasks of the folder."""
        if self._tasks is None:
            from pairwright.lsp.tasks import Tasks

            self._tasks = Tasks(self)
        return self._tasks

    @property
    def has_tasks(self) -> bool:
        """Whether any were asked for."""
        return self._tasks is not None

    def _chosen(self) -> None:
        self.session.renew_lenses()
        if self._tasks is not None:
            self._tasks.chosen()

    def _recorded(self, checkpoint: str, paths: Sequence[str]) -> None:
        self.saves.accepted(checkpoint, paths)
        self.telling.changed(checkpoint)
        self.commits.follow(checkpoint)

    async def _prune(self) -> None:
        keep = self.session.settings.checkpoints
        try:
            limits = Limits(keep.keep_days, keep.keep_count, keep.keep_megabytes * 1_000_000)
            await asyncio.to_thread(self.desk.store.prune, limits, time.time())
        except CheckpointError as error:
            log.warning("old checkpoints stay: %s", error)
        await self.chats.prune(self.session.settings.history.keep_days)

    def checks(self) -> Checks:
        """What edits are held to, by the settings of this moment."""
        settings = self.session.settings
        runner = Commands(environment(), settings.checks.keep_environment)
        return Checks(settings.checks, runner, settings.trusted)

    async def carried(self) -> tuple[str, ...]:
        """What the newest task carries over from file to file; none without one."""
        state = await self.tasks.last()
        return state.notes(_CARRIED) if state is not None else ()

    def snapshot(self) -> Snapshot:
        return self.root.host.snapshot()

    async def turn(
        self,
        ident: str,
        asked: Asked,
        report: Callable[[str, int | None], None],
        heard: Callable[[Event], None] = lambda event: None,
    ) -> Outcome:
        """Run `asked` to its end; a cancelled task closes the model's stream at once. `heard`: gets every event
        besides the client."""
        if asked.mode == "apply":
            return await self._pasted(asked)
        self.notes.make_way()
        await self.telling.settled()
        stream = Stream(self.session, ident, report, bool(self.session.client.protocol))

        def emit(event: Event) -> None:
            stream(event)
            heard(event)

        view, turn = await self._prepared(asked)
        tools = self._tools(asked, emit)
        try:
            outcome = await run(turn, view, tools)
        finally:
            stream.finish()
            for problem in self.chats.take_problems():
                self.session.show("warning", f"Pairwright: {problem}")
        # What failed added nothing, and its model may not be there.
        if isinstance(outcome, Done):
            self.proposals.found(outcome.proposal or "", outcome.findings)
            self.notes.begin(asked.session)
        return outcome

    async def outlook(self, asked: Asked) -> Outlook | Stop:
        """What `asked` would send and cost now."""
        view, turn = await self._prepared(asked)
        return await outlook(turn, view, self._tools(asked, lambda event: None))

    def _tools(self, asked: Asked, emit: Emit) -> Tools:
        return Tools(
            settings=self.session.settings,
            models=self.session.models,
            door=self.door,
            sessions=self.chats,
            emit=emit,
            ask=self.editor.ask,
            checks=self.checks(),
            propose=lambda changes, snapshot, missing: self._propose(
                asked, changes, snapshot, missing
            ),
            keep=self.keep,
            notebook=self.notebook,
        )

    async def _prepared(self, asked: Asked) -> tuple[Callable[[], Snapshot], Turn]:
        """What the turn sees of the workspace, and the turn. An edit of a file that a proposal waits in sees that
        proposal and refines it."""
        turn = Turn(
            mode="edit" if asked.mode == "apply" else asked.mode,
            instruction=asked.instruction,
            path=asked.path,
            selection=asked.selection,
            chat=asked.chat,
            read_only=asked.read_only,
            session=self.chats.key(asked.session),
            fresh=asked.fresh,
            diagnostics=asked.diagnostics,
            urls=asked.urls,
            elsewhere=asked.elsewhere,
        )
        proposal = self._refined_by(asked)
        if proposal is None:
            return self.snapshot, turn
        refining = await asyncio.to_thread(self._refining, asked, turn, proposal)
        return lambda: View(self.snapshot(), proposal), refining

    def _refined_by(self, asked: Asked) -> Proposal | None:
        if asked.mode not in ("edit", "architect"):
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
        # Syntax alone: what was pasted is the user's own choice.
        checks = Checks(self.session.settings.checks)
        examiner = Examiner(checks, self.editor.ask, lambda event: None)
        faults = await examiner.examine(found.changes, snapshot)
        told = tuple(fault.told for fault in faults)
        ident = self._propose(asked, found.changes, snapshot)
        self.proposals.found(ident, told)
        return Done("", ident, found.shell, findings=told)

    def _propose(
        self,
        asked: Asked,
        changes: Sequence[FileChange],
        snapshot: Snapshot,
        missing: Sequence[str] = (),
    ) -> str:
        if asked.comments and asked.path:
            changes = without_comments(changes, asked.path, asked.comments, snapshot)
        if isinstance(snapshot, View):
            ident = self.proposals.refine(snapshot, changes, missing).id
            self.tested[ident] = asked.tests
            return ident
        words = asked.instruction.strip().splitlines()
        note = words[0] if words and asked.mode != "apply" else "pasted reply"
        ident = self.proposals.propose(changes, note, snapshot, time.time(), missing).id
        if asked.mode != "apply":
            self.asked_in[ident] = self.chats.key(asked.session)
        self.tested[ident] = asked.tests
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


def without_comments(
    changes: Sequence[FileChange], path: str, comments: Sequence[Comment], snapshot: Snapshot
) -> tuple[FileChange, ...]:
    """`changes` that also take out of the file at `path` those of `comments` that the edit left as they were."""
    done = tuple(taken_out(c, comments) if c.path == path else c for c in changes)
    document = snapshot.document(path)
    if document is None or any(path in (c.path, c.moved_from) for c in changes):
        return done
    rest = taken_out(FileChange(path, document.data, document.data, ()), comments)
    return (*done, rest) if rest.hunks else done


def workbench(session: Session, root: Root) -> Workbench:
    """The workbench of a folder, made at first use."""
    bench = session.benches.get(root.path)
    if bench is None:
        bench = session.benches[root.path] = Workbench(session, root)
    return bench
