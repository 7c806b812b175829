"""Turns through real parts: a workspace folder with a real host, a scripted endpoint behind the real model
process, the real edits. What a test looks at is gathered in `Room`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pairwright.config.schema import Index, Settings
from pairwright.edits.types import FileChange
from pairwright.engine.checks import Checks
from pairwright.engine.door import Door
from pairwright.engine.events import Event, Outcome, Said, Status
from pairwright.engine.keepalive import KeepAlive
from pairwright.engine.ports import Fetcher, Models
from pairwright.engine.records import Notebook
from pairwright.engine.session import Sessions
from pairwright.engine.turn import Tools, Turn, run
from pairwright.engine.web import WebFetcher
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host
from pairwright.workspace.types import Snapshot


@dataclass
class Room:
    """One workspace with its chats. `asked`: the questions put to the user; `answer`: what the user says.
    `proposals`: the changes proposed, by id."""

    host: Host
    models: Models
    settings: Settings = field(default_factory=Settings)
    door: Door = field(default_factory=Door)
    sessions: Sessions = field(default_factory=Sessions)
    events: list[Event] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    answer: str | None = "Send"
    proposals: dict[str, tuple[FileChange, ...]] = field(default_factory=dict)
    missing: dict[str, tuple[str, ...]] = field(default_factory=dict)
    keep: KeepAlive | None = None
    checks: Checks = field(default_factory=Checks)
    fetcher: Fetcher = field(default_factory=WebFetcher)
    notebook: Notebook = field(default_factory=Notebook)

    @classmethod
    def of(cls, root: Path, files: Mapping[str, str | bytes], models: Models) -> Room:
        """A folder with `files`, scanned."""
        for path, text in files.items():
            place = root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text.encode() if isinstance(text, str) else text)
        host = Host(str(root.resolve()), Index(workers=1), Cache(None))
        host.scan()
        return cls(host, models)

    def type(self, path: str, text: str, version: int = 1) -> None:
        """Open `path` in the editor with `text`, saved or not."""
        uri = f"file://{self.host.snapshot().root}/{path}"
        self.host.open(path, uri, version, "", text.encode())

    async def run(self, turn: Turn) -> Outcome:
        tools = Tools(
            self.settings,
            self.models,
            self.door,
            self.sessions,
            self.events.append,
            self._ask,
            self._propose,
            checks=self.checks,
            keep=self.keep,
            fetcher=self.fetcher,
            notebook=self.notebook,
        )
        return await run(turn, self.host.snapshot, tools)

    async def _ask(self, question: str, options: Sequence[str]) -> str | None:
        self.asked.append(question)
        return self.answer

    def _propose(
        self, changes: Sequence[FileChange], snapshot: Snapshot, missing: Sequence[str] = ()
    ) -> str:
        ident = f"p{len(self.proposals) + 1}"
        self.missing[ident] = tuple(missing)
        self.proposals[ident] = tuple(changes)
        return ident

    @property
    def said(self) -> str:
        return "".join(e.text for e in self.events if isinstance(e, Said) and not e.reasoning)

    @property
    def statuses(self) -> list[str]:
        return [event.text for event in self.events if isinstance(event, Status)]

    def reflect(self, times: int) -> None:
        """Allow so many corrections."""
        turn = replace(self.settings.turn, reflections=times)
        self.settings = replace(self.settings, turn=turn)
