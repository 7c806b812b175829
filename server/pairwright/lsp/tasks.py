"""The long tasks of one workspace folder: their journal, what runs, and the documents in which plans are edited.

At most one run of a task at a time, by the journal's lock, which another server may hold as well.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pairwright.checkpoints.place import folder_of
from pairwright.config.load import environment
from pairwright.config.paths import cache_dir, data_dir
from pairwright.engine.events import Emit
from pairwright.engine.knowledge import Known
from pairwright.engine.session import Sessions
from pairwright.engine.task import document
from pairwright.engine.task.crew import Crew, Decision
from pairwright.engine.task.journal import Journal
from pairwright.engine.task.ports import NoReferences, References
from pairwright.engine.task.run import Recorder, summary
from pairwright.engine.task.state import State
from pairwright.engine.tools import Tools
from pairwright.lsp.places import Places
from pairwright.lsp.shelf import examples
from pairwright.lsp.uris import from_path

if TYPE_CHECKING:
    from pairwright.lsp.workbench import Workbench

CHANGED = "pairwright/task/changed"
_META = re.compile(r"<!-- pairwright-task (\{.*?\}) -->")
_HINT = (
    "<!-- Change what you like: headings `## create|modify|delete path`, lines `- contract:`, `- depends:`, "
    "`- check:`. Then run Pairwright: Run the Task. -->"
)


class Tasks:
    """Changed on the loop only. `running`: runs in flight by task."""

    def __init__(self, bench: Workbench) -> None:
        data = data_dir(environment())
        self._bench = bench
        self.journal = Journal(data / "tasks" / folder_of(data, bench.root.path).name)
        self.running: dict[str, asyncio.Task[Any]] = {}
        self.notebook = bench.notebook
        self._waiters: list[asyncio.Future[None]] = []
        self._unsaved: list[str] = []
        self._moment = asyncio.Lock()

    @asynccontextmanager
    async def held(self, task: str) -> AsyncIterator[None]:
        """Work at a task for a moment, one after another: a look must not be in the way of an undo. Raises Busy where
        it is run here or worked at by another process."""
        async with self._moment:
            with self.journal.held(task):
                yield

    async def taken(self, task: str, stack: ExitStack) -> None:
        """Work at a task for as long as `stack` is open. Raises Busy."""
        async with self._moment:
            stack.enter_context(self.journal.held(task))

    def fresh(self) -> str:
        """The id of a task that does not exist yet."""
        return f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}"

    async def last(self) -> State | None:
        """The newest task."""
        found = await asyncio.to_thread(self.journal.listed)
        return found[0] if found else None

    async def get(self, ident: str) -> State | None:
        """The task `ident`, the newest one if it is empty."""
        if not ident:
            return await self.last()
        try:
            return await asyncio.to_thread(self.journal.read, ident)
        except OSError:
            return None

    def recorder(self, state: State, emit: Emit = lambda event: None) -> Recorder:
        """The writer of `state`."""
        return Recorder(self.crew(emit), state)

    def crew(self, emit: Emit) -> Crew:
        """What a run works with, by the settings of this moment."""
        bench = self._bench
        session = bench.session
        tools = Tools(
            settings=session.settings,
            models=session.models,
            door=bench.door,
            sessions=Sessions(),
            emit=emit,
            ask=bench.editor.ask,
            propose=lambda changes, snapshot, missing: "",
            checks=bench.checks(),
            notebook=self.notebook,
        )
        references: References = NoReferences()
        if session.settings.task.references == "on":
            references = examples(session, bench.door, bench.snapshot)
        return Crew(
            tools,
            bench.desk,
            self.journal,
            knowledge=lambda snapshot: Known(bench.notebook, snapshot),
            references=references,
            learn=bench.notebook.learn,
            decided=self._decided,
            changed=self._changed,
            saved=self._unsaved.extend,
        )

    def _changed(self, state: State) -> None:
        """Tell the client, with the documents that it should save, as in the answer to an accept."""
        session, root = self._bench.session, self._bench.root
        paths, self._unsaved[:] = list(self._unsaved), []
        if not session.client.protocol:
            return
        places = Places.of(session.documents, session.client.encoding)
        is_wanted = session.settings.apply.save_clean
        save = [places.uri(root, path) for path in paths] if is_wanted else []
        session.notify(CHANGED, {**as_json(state), "save": save})

    # --- the user's choice

    def chosen(self) -> None:
        """A proposal is in another state: who waits for it looks again."""
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)
        self._waiters.clear()

    async def _decided(self, proposal: str) -> Decision | None:
        """Wait until nothing of `proposal` is left to choose."""
        while (found := self._bench.proposals.get(proposal)) is not None and found.open:
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiters.append(waiter)
            await waiter
        # The change that was accepted has to be through, checkpoint and all.
        async with self._bench.desk.lock:
            pass
        return "accepted" if found is not None and found.state == "applied" else "rejected"

    # --- plans as documents

    def place(self, state: State) -> Path:
        """Where the newest version of the plan is edited."""
        return cache_dir(environment()) / "tasks" / f"{state.id}-{state.version}.md"

    def text(self, state: State) -> str:
        """The plan as its document begins."""
        meta = json.dumps({"task": state.id, "root": self._bench.root.path}, sort_keys=True)
        head = f"<!-- pairwright-task {meta.replace('>', chr(92) + 'u003e')} -->"
        return "\n".join((head, _HINT, "", document.render(state.plan)))

    async def edited(self, state: State) -> str | None:
        """The document of the newest version as it is now, from its buffer or from disk; None if it is gone."""
        path = self.place(state)
        opened = self._bench.session.documents.opened(from_path(str(path)))
        if opened is not None:
            return opened.document.text
        return await asyncio.to_thread(_read, path)


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return None


def task_of(text: str) -> str:
    """The task whose plan a document is; empty if it is none."""
    found = _META.search(text[:4000])
    try:
        value = json.loads(found[1]).get("task", "") if found else ""
    except ValueError:
        return ""
    return value if isinstance(value, str) else ""


def as_json(state: State) -> dict[str, Any]:
    """A task for the wire."""
    return {
        "task": state.id,
        "title": state.plan.title,
        "request": state.request,
        "status": state.status,
        "reason": state.reason,
        "review": state.review,
        "version": state.version,
        "summary": summary(state),
        "files": [
            {
                "path": entry.path,
                "action": entry.action,
                "phase": one.phase,
                "reason": one.reason,
                "tries": len(one.tries),
                "proposal": one.proposal,
            }
            for entry in state.plan.entries
            for one in (state.file(entry.path),)
        ],
    }
